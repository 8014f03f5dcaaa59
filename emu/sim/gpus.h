/* SPDX-License-Identifier: MIT */
/*
 * The registry: every table, every register list and every GPU of this build, of all vendors.  Only
 * this unit and the program's commands know every vendor.
 */
#ifndef GFE_EMU_SIM_GPUS_H
#define GFE_EMU_SIM_GPUS_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/base/error.h"
#include "emu/engine/inspect.h"

struct check_limits;
struct occupancy;
struct occupancy_question;
struct inject_sites;

/* The tables of rules, parameters, choice points and events, for `gfe rules`. */
extern const struct table_set *const gfe_table_sets[];
extern const uint32_t gfe_table_set_count;
/* The lists of registers, for `gfe regs`. */
extern const struct reg_list *const gfe_reg_lists[];
extern const uint32_t gfe_reg_list_count;

/* A GPU alone, wired without a program, as bare_open() of its vendor makes it. */
struct gpu_bare {
    const char *gpu;                /* its name, not an alias */
    struct inspect_subject subject; /* for views; its machine is NULL if it could not be wired */
    void *bare;                     /* the vendor's */
};

/*
 * A vendor: facts and operations that its GPUs have in common.  Code that treats vendors
 * differently reads them from this row.  gpu_vendor_of() finds the row by the name of a GPU; a
 * simulation's ops point to it (emu/sim/any_simulation.h).
 */
struct gpu_vendor {
    const char *name;        /* for messages: "NVIDIA" */
    const char *default_gpu; /* for programs that do not name a GPU */
    /* The programs that are not recordings: if true, configurations of hip_plugin_framework; if
     * false, scenarios. */
    bool runs_configurations;
    bool has_methods;                 /* true: channels take methods; false: queues take packets */
    uint32_t views;                   /* enum inspect_vendor (emu/engine/inspect.h) */
    const struct inject_sites *sites; /* of injected faults */
    /* Completes the message "NAME is ..." of gpu_missing().  NULL for NVIDIA, whose GPUs it is
     * never about. */
    const char *is_another;
    /* Returns true if a GPU of this vendor has that name or alias. */
    bool (*has)(const char *gpu);
    /* The operations below take a name for which has() returns true.  limits() writes the limits of
     * blocks.  chip() returns the name of the chip, such as "GP106".  reg_variants() returns the
     * variants of register lists that the GPU has. */
    void (*limits)(const char *gpu, struct check_limits *limits);
    const char *(*chip)(const char *gpu);
    uint32_t (*reg_variants)(const char *gpu);
    /* Answers how many blocks of a kernel an SM or CU holds (emu/sim/occupancy.h). */
    void (*occupancy)(const char *gpu, const struct occupancy_question *question,
                      struct occupancy *answer);
    /* Wires the GPU into a machine of its own.  Returns false with a message on error.  Call
     * bare_close() in either case. */
    bool (*bare_open)(const char *gpu, struct gpu_bare *bare, struct gfe_error *error);
    void (*bare_close)(struct gpu_bare *bare);
};
extern const struct gpu_vendor gpu_nvidia, gpu_amd;
enum { GPU_VENDORS = 2 };
extern const struct gpu_vendor *const gpu_vendors[GPU_VENDORS];
/* Returns the vendor of the GPU of that name or alias.  Returns NULL if no GPU is called so, or if
 * `gpu` is NULL. */
const struct gpu_vendor *gpu_vendor_of(const char *gpu);

/* Sets the user's error (ERROR_USAGE) for a name that no NVIDIA chip has.  Returns false. */
bool gpu_missing(const char *name, struct gfe_error *error);
/*
 * Writes the limits of blocks on a GPU of any vendor, for the check that computes occupancy a
 * second time (emu/analysis/check/check.h).  Returns false if no GPU has that name or alias, or if
 * `name` is NULL.
 */
bool gpu_limits_by_name(const char *name, struct check_limits *limits);
/* Returns the name of the GPU's chip.  Returns NULL if no GPU has that name or alias, or if `gpu`
 * is NULL. */
const char *gpu_chip_of(const char *gpu);

#endif
