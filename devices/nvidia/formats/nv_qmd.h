/* SPDX-License-Identifier: MIT */
#ifndef DEVICES_NVIDIA_NV_QMD_H
#define DEVICES_NVIDIA_NV_QMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/base/mask128.h"

/*
 * Queue meta data: the descriptor of one compute grid, of 256 or from V04_00 on 384 bytes, as it
 * lies in memory when SEND_SIGNALING_PCAS_B schedules it.  All from open-gpu-doc
 * classes/compute/cl*qmd.h (facts in nv_qmd_layouts_<class>.h):
 *
 *   Kepler    a0c0         V00_06, V01_06, V01_07
 *             a1c0         V00_06, V01_07
 *   Maxwell   b0c0, b1c0   V00_06, V01_07
 *   Pascal    c0c0, c1c0   V01_07, V02_00, V02_01
 *   Volta     c3c0, c4c0   V02_02
 *   Turing    c5c0         V02_02, V02_03
 *   Ampere    c6c0, c7c0   V02_03, V02_04, V03_00
 *   Ada       c9c0         V02_04, V03_00
 *   Hopper    cbc0         V03_00, V04_00
 *   Blackwell cdc0, cec0   V04_01, V05_00, V05_01
 *
 * Each layout holds its own version in the same place, but V05_00 and V05_01 in another than the
 * others.  Words that have a version in both places are taken for V05: NVK writes V05_00 on
 * Blackwell (mesa src/nouveau/compiler/nak/qmd.rs).  Mesa's nouveau writes no version before
 * Volta.  It means V00_06 up to Maxwell and V02_01 on Pascal (INFERRED: it uses the fields of
 * these), so 0.0 is taken as such. clc5c0qmd.h has only V02_03; V02_02 is what nouveau and NVK
 * write on Turing (INFERRED: they run on it).
 *
 * The last 128 bytes of V04_00 and V04_01 are of queues, clusters (CGAs), masks of TPCs and ids for
 * debuggers.  A V05_01 has several sub-tasks: struct nv_qmd has the first, whose constant banks are
 * only listed.  Sizes of arrays are upper bounds where a layout has gaps (V04_01's
 * TPC_DISABLE_MASK_UPPER).  V03_00 is c6c0's; c7c0, c9c0 and cbc0 add
 * OCCUPANCY_* and CTA_LAUNCH_QUEUE and call NON_BLOCKING_INTR_TYPE TRAP_TYPE.
 *
 * What the model ignores of a descriptor is listed in nv_effect_list.h and logged with each launch:
 * the third release from V03_00 on, releases of 64 bits (PAYLOAD64B; a structure of two words is
 * written as one), clusters, queues, dependent QMDs and others.
 * MAX_SM_CONFIG_SHARED_MEM_SIZE and the HW_ONLY fields are listed by name but not decoded into
 * struct nv_qmd.
 */

#define NV_QMD_BYTES            256u
#define NV_QMD_DWORDS           64u
#define NV_QMD_MAX_BYTES        384u /* of V04_00 and later */
#define NV_QMD_MAX_DWORDS       96u
#define NV_QMD_CONSTANT_BUFFERS 8u
/* QMD_TYPE, where a layout has it (open-gpu-doc classes/compute/clcbc0qmd.h). */
#define NV_QMD_TYPE_GRID_NULL   1u

enum nv_qmd_row_kind { NV_QMD_ROW_FIELD, NV_QMD_ROW_VALUE };

struct nv_qmd_row {
    /* the header's, without the name of the layout or field to which it belongs */
    const char *name;
    uint32_t number; /* VALUE */
    uint16_t hi, lo; /* FIELD: bits of the descriptor, of element 0; at most 32 wide */
    uint16_t count;  /* FIELD: elements; 1 if it is no array */
    uint16_t stride; /* FIELD: bits from one element to the next; 0 if it is no array */
    uint8_t kind;    /* enum nv_qmd_row_kind */
};

struct nv_qmd_layout {
    const char *name; /* "V02_01" */
    uint8_t major, minor;
    uint16_t dwords; /* NV_QMD_DWORDS or NV_QMD_MAX_DWORDS */
    const struct nv_qmd_row *rows;
    size_t row_count;
};

struct nv_qmd_release {
    bool enable;
    bool one_word; /* STRUCTURE_SIZE: true for 4 bytes, false for 16 with a time stamp */
    bool reduction_enable;
    uint8_t reduction_op, reduction_format;
    uint64_t address;
    uint32_t payload;
};

struct nv_qmd_constant_buffer {
    bool valid;
    uint64_t address;
    uint32_t bytes;
};

struct nv_qmd {
    const struct nv_qmd_layout *layout;
    uint32_t grid[3];      /* blocks in x, y, z; as written, so 0 is possible */
    uint32_t block[3];     /* threads in x, y, z; as written */
    uint32_t shared_bytes; /* per block */
    uint32_t registers;    /* per thread */
    /* MIN_ and TARGET_SM_CONFIG_SHARED_MEM_SIZE, which layouts have from Volta on: shared memory of
     * an SM in units of 4 KiB, plus one; 0 means that nothing is said.  INFERRED: the unit, from
     * CUDA's descriptors (tests/hardware/data). */
    uint32_t least_split, chosen_split;
    struct mask128 tpc_disable_mask; /* TPCs that get none of its blocks */
    uint32_t group_id;               /* QMD_GROUP_ID of V04_00; 0 in other layouts */
    uint32_t cluster[3];             /* GPC_CGA_* of a GRID_GPC_CGA (V04_00); 0: no clusters */
    uint32_t barriers;               /* per block */
    uint32_t local_low_bytes;        /* per thread */
    uint32_t local_high_bytes;
    uint32_t crs_bytes;      /* call-return stack; its unit is UNKNOWN */
    uint64_t program_offset; /* bytes from SET_PROGRAM_REGION; from Volta on an address */
    bool release_sysmembar;  /* RELEASE_MEMBAR_TYPE: a system memory barrier before the releases;
                              * of release 0, where each has its own */
    struct nv_qmd_release release[2];
    struct nv_qmd_constant_buffer constant_buffers[NV_QMD_CONSTANT_BUFFERS];
};

/* Levels of a Hopper descriptor's QMD_GROUP_ID, from the lowest on: what CUDA's driver writes for
 * streams of priority 0, -1, ..., -5 (MEASURED on an H100: tests/hardware/data, h100, descriptors
 * of capture_streams, _priorities and _work; that the number is what carries the priority is
 * INFERRED). */
enum { NV_QMD_LEVELS = 6, NV_QMD_NO_LEVEL = 0xff };
/* Returns the group id of a level below NV_QMD_LEVELS. */
uint32_t nv_qmd_group_of(uint32_t level);
/* Returns the level of a group id, or NV_QMD_NO_LEVEL if no priority has it. */
uint32_t nv_qmd_level_of(uint32_t group_id);

/* Returns bits hi:lo of a descriptor; hi - lo < 32, hi < 32 * the layout's dwords.  A field may lie
 * across two dwords. */
uint32_t nv_qmd_bits(const uint32_t words[NV_QMD_DWORDS], unsigned hi, unsigned lo);
/* Writes bits hi:lo of a descriptor.  Bits of `value` above the field are dropped. */
void nv_qmd_bits_put(uint32_t words[NV_QMD_DWORDS], unsigned hi, unsigned lo, uint32_t value);

/* Returns the layout of a descriptor for this compute class, or NULL for a version that the class
 * does not know.  Looks at the first NV_QMD_DWORDS only.  A class without a table knows all
 * versions. */
const struct nv_qmd_layout *nv_qmd_layout_of(uint32_t class_id,
                                             const uint32_t words[NV_QMD_DWORDS]);

/* Return a layout: index < nv_qmd_layout_count() lists all, and others give NULL; and the number of
 * layouts. */
const struct nv_qmd_layout *nv_qmd_layout_at(size_t index);
size_t nv_qmd_layout_count(void);

/* Returns a field by name, such as "CTA_RASTER_WIDTH", or NULL if there is none. */
const struct nv_qmd_row *nv_qmd_find(const struct nv_qmd_layout *layout, const char *name);

/* Returns the version bits of a descriptor whose layout is unknown: MAJOR and VERSION, as nibbles.
 */
uint32_t nv_qmd_version(const uint32_t words[NV_QMD_DWORDS]);

/* Returns a field's value; index < field->count.  `words` reaches as far as the element. */
uint32_t nv_qmd_get(const uint32_t words[NV_QMD_DWORDS], const struct nv_qmd_row *field,
                    unsigned index);

/*
 * Decodes the data of a launch, all of which lie in the first NV_QMD_DWORDS.  Returns false, with
 * *out all zeros, if the version is unknown to the class; that is an error of the guest.
 */
bool nv_qmd_decode(uint32_t class_id, const uint32_t words[NV_QMD_DWORDS], struct nv_qmd *out);

/*
 * Returns true if this method of a compute class, with this data, hands the descriptor named by
 * SEND_PCAS_A to the scheduler.  These are SEND_SIGNALING_PCAS_B with SCHEDULE, and from Ampere on
 * SEND_SIGNALING_PCAS2_B with an action that schedules, which CUDA's driver sends to an H100
 * (tests/hardware).  Source: open-gpu-doc classes/compute, clc1c0.h and clc6c0.h.
 */
bool nv_qmd_is_scheduled(uint32_t class_id, uint32_t method, uint32_t data);

/* A field that is not 0, for a listing.  Start with all zeros. */
struct nv_qmd_item {
    const struct nv_qmd_row *field;
    unsigned index; /* of the element; 0 when field->count is 1 */
    uint32_t value;
    const char *value_name; /* or NULL */
    size_t next_row;        /* where to continue; must not be changed by the caller */
    unsigned next_index;
};

/* Steps to the next field that is not 0, in the order of the header.  Returns false at the end.
 * `words` has the layout's dwords. */
bool nv_qmd_next(const struct nv_qmd_layout *layout, const uint32_t words[NV_QMD_DWORDS],
                 struct nv_qmd_item *item);

/*
 * Writes "CONSTANT_BUFFER_VALID(7)=TRUE" or "CTA_RASTER_WIDTH=5"; addresses are hexadecimal.  Ends
 * with a NUL if size > 0, cut at size.  Returns the whole length, as snprintf does.
 */
size_t nv_qmd_item_format(const struct nv_qmd_item *item, char *out, size_t size);

#endif
