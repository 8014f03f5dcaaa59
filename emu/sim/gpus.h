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

struct amd_chip;
struct check_limits;
struct chip_fault;
struct chip_field;
struct gpu_vendor;
struct nv_chip;
struct occupancy;
struct occupancy_question;
struct inject_sites;
struct simulation_setting;
struct snapshot_identity;

/* The tables of rules, parameters, choice points and events, for `gfe rules`. */
extern const struct table_set *const gfe_table_sets[];
extern const uint32_t gfe_table_set_count;
/* The lists of registers, for `gfe regs`. */
extern const struct reg_list *const gfe_reg_lists[];
extern const uint32_t gfe_reg_list_count;

/* A GPU: a built-in one, or one that a file describes (emu/sim/gpu_file.h). */
struct gpu {
    const struct gpu_vendor *vendor;
    const char *name;             /* not an alias */
    const struct nv_chip *nvidia; /* NULL for an AMD GPU */
    const struct amd_chip *amd;   /* NULL for an NVIDIA GPU */
    /* The other members are of a GPU that a file describes; NULL and 0 for a built-in one.  The
     * description is JSON, complete, for the heads of logs. */
    const char *description;
    const struct simulation_setting *parameters, *choices;
    uint32_t parameter_count, choice_count;
};

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
    /* Finds its built-in GPU of that name or alias.  Returns false if it has none. */
    bool (*find)(const char *name, struct gpu *gpu);
    /* The operations below take a GPU of this vendor.  limits() writes the limits of blocks.
     * chip() returns the name of the chip, such as "GP106".  reg_variants() returns the variants of
     * register lists that the GPU has. */
    void (*limits)(const struct gpu *gpu, struct check_limits *limits);
    const char *(*chip)(const struct gpu *gpu);
    uint32_t (*reg_variants)(const struct gpu *gpu);
    /* The members of its chips, for files (emu/sim/gpu_file.h), and the chip that has them. */
    const struct chip_field *fields;
    const void *(*members)(const struct gpu *gpu);
    /* Completes the chip of a file, a struct nv_chip or amd_chip, and sets the GPU's members to it.
     * Returns false with a fault if no machine can be wired from it. */
    bool (*take)(void *chip, struct gpu *gpu, struct chip_fault *fault);
    /* Answers how many blocks of a kernel an SM or CU holds (emu/sim/occupancy.h). */
    void (*occupancy)(const struct gpu *gpu, const struct occupancy_question *question,
                      struct occupancy *answer);
    /* Wires the GPU into a machine of its own.  Returns false with a message on error.  Call
     * bare_close() in either case. */
    bool (*bare_open)(const struct gpu *gpu, struct gpu_bare *bare, struct gfe_error *error);
    void (*bare_close)(struct gpu_bare *bare);
};
extern const struct gpu_vendor gpu_nvidia, gpu_amd;
enum { GPU_VENDORS = 2 };
extern const struct gpu_vendor *const gpu_vendors[GPU_VENDORS];
/* Returns the vendor of the GPU of that name or alias.  Returns NULL if no GPU is called so, or if
 * `gpu` is NULL. */
const struct gpu_vendor *gpu_vendor_of(const char *gpu);

/* Finds a GPU: the described one, if there is one (else NULL), or the built-in one of that name or
 * alias.  Returns false if no GPU is called so, or if `name` is NULL. */
bool gpu_find(const char *name, const struct gpu *described, struct gpu *gpu);
/* The same for one vendor's chips.  Return NULL if the GPU is not there, or another vendor's. */
const struct nv_chip *gpu_find_nvidia(const char *name, const struct gpu *described);
const struct amd_chip *gpu_find_amd(const char *name, const struct gpu *described);

/* Sets the user's error (ERROR_USAGE) for a GPU that is no NVIDIA chip.  Returns false. */
bool gpu_missing(const char *name, const struct gpu *described, struct gfe_error *error);
/* Writes the limits of blocks on a GPU of any vendor, for the check that computes occupancy a
 * second time (emu/analysis/check/check.h).  Returns false like gpu_find(). */
bool gpu_find_limits(const char *name, const struct gpu *described, struct check_limits *limits);
/* Adds the description of a GPU that a file describes to the identity of a snapshot; nothing for
 * NULL, a built-in GPU. */
void gpu_identity_add(struct snapshot_identity *identity, const struct gpu *described);
/* Returns the name of the GPU's chip.  Returns NULL if gpu_find() finds none. */
const char *gpu_find_chip(const char *name, const struct gpu *described);

#endif
