/* SPDX-License-Identifier: MIT */
/* What the parts of show_vcd*.c share:
 *
 *     show_vcd.c          the file: declarations, initial values, changes
 *     show_vcd_signal.c   units, their signals, and the signals' changes
 *     show_vcd_take.c     the changes that each kind of event makes
 *     show_vcd_front.c    the changes that events of front ends make
 */
#ifndef GFE_EMU_VIEWS_VCD_SHOW_VCD_PRIVATE_H
#define GFE_EMU_VIEWS_VCD_SHOW_VCD_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "emu/analysis/model/model.h"
#include "emu/log/gpu_words.h"
#include "emu/base/id_map.h"
#include "emu/views/vcd/show_vcd.h"

/* Kinds of units, in their order in the file. */
enum vcd_group {
    VCD_GPU,
    VCD_THREAD,
    VCD_CHANNEL, /* of NVIDIA's GPUs */
    VCD_QUEUE,   /* of AMD's GPUs */
    VCD_TSG,
    VCD_RUNLIST,
    VCD_PBDMA,
    VCD_SLOT,
    VCD_ACE,
    VCD_ENGINE, /* graphics, copies, SDMA */
    VCD_SE,
    VCD_SM, /* or CU */
    VCD_GROUPS,
};

/* Signals of a unit, by group; the numbers are indices in the group's row of vcd_fields. */
enum { GPU_RULE, GPU_GRIDS, GPU_COPIES, GPU_BLOCKS, GPU_THREADS, GPU_SMS };
enum { THREAD_STATE, THREAD_SUBMISSION };
enum { CHANNEL_STATE, CHANNEL_OPERATIONS, CHANNEL_GP_PUT, CHANNEL_GP_ENTRY, CHANNEL_LAST_WAIT };
enum { QUEUE_STATE, QUEUE_SLOT, QUEUE_WRITE, QUEUE_READ, QUEUE_OPERATIONS, QUEUE_LAST_WAIT };
enum { TSG_STATE, TSG_RUNLIST };
enum { RUNLIST_TSG, RUNLIST_ENTRIES, RUNLIST_SCHEDULER };
enum { PBDMA_STATE, PBDMA_CHANNEL, PBDMA_GP_ENTRY };
enum { SLOT_STATE, SLOT_QUEUE };
enum { ACE_QUEUE, ACE_GRID };
enum { ENGINE_STATE, ENGINE_CONTEXT, ENGINE_OPERATION, ENGINE_RUNNING };
enum { SE_BLOCKS, SE_THREADS, SE_STAGED };
enum { SM_BLOCKS, SM_THREADS };

enum { VCD_FIELDS_MAX = 6, VCD_TEXT_BYTES = 40, VCD_NONE = UINT32_MAX };

struct vcd_field {
    const char *name;  /* NULL ends the row */
    const char *first; /* value before anything is known; NULL for a vector, which starts at 0 */
    uint32_t bits;     /* width of a vector */
};

extern const struct vcd_field vcd_fields[VCD_GROUPS][VCD_FIELDS_MAX + 1];

union vcd_value {
    uint64_t number;
    char text[VCD_TEXT_BYTES]; /* filled up with zeroes */
};

struct vcd_signal {
    union vcd_value now, written, initial; /* `initial` is the value at the window's beginning */
    bool is_text, is_changed;
    uint32_t bits;
};

struct vcd_unit {
    enum vcd_group group;
    uint64_t id;
    uint64_t fetched; /* for a channel: gp_sequence of its last segment */
    uint64_t threads; /* for an SM: of its blocks, each whole until it ends */
    uint32_t first_signal;
    char name[VCD_TEXT_BYTES];
};

struct show_vcd {
    const struct event_log_reader *log;
    struct gfe_error *error;
    struct gpu_words words;
    struct model model;
    FILE *body;
    gfe_ps from_ps, now_ps, written_ps;
    struct vcd_unit *units;
    struct vcd_signal *signals;
    uint32_t *changed; /* signals that may have changed at now_ps */
    uint32_t unit_count, unit_capacity, signal_count, signal_capacity, changed_count;
    struct id_map unit_of[VCD_GROUPS];
    uint32_t gpu;            /* unit */
    uint32_t threads_per_sm; /* 0: not known */
};

/* ---- show_vcd_signal.c; functions that fail have set the error ------------------------------- */

/* Returns the unit of the given number, and makes the unit if it is new.  VCD_NONE means that
 * vcd_unit() failed. */
uint32_t vcd_unit(struct show_vcd *vcd, enum vcd_group group, uint64_t id);
/* Returns the unit of the given number, or VCD_NONE if there is no such unit. */
uint32_t vcd_unit_find(const struct show_vcd *vcd, enum vcd_group group, uint64_t id);
/* Set, get and compare a signal's value.  The functions from here to vcd_add() accept VCD_NONE as a
 * unit, and change nothing then. */
void vcd_text(struct show_vcd *vcd, uint32_t unit, uint32_t field, const char *text);
void vcd_number(struct show_vcd *vcd, uint32_t unit, uint32_t field, uint64_t number);
uint64_t vcd_get(const struct show_vcd *vcd, uint32_t unit, uint32_t field);
bool vcd_is(const struct show_vcd *vcd, uint32_t unit, uint32_t field, const char *text);
/* Adds `difference`, which may be negative, to a number; the sum is never below 0. */
void vcd_add(struct show_vcd *vcd, uint32_t unit, uint32_t field, int64_t difference);
/* Advances the time to now_ps, after writing the changes of the previous time. */
void vcd_advance(struct show_vcd *vcd, gfe_ps now_ps);
/* Writes the signal's code, which stands for the signal in the file. */
void vcd_code(uint32_t signal, char to[8]);
/* Prints the change of signal `number` to `value`. */
void vcd_value_put(FILE *file, const struct vcd_signal *signal, const union vcd_value *value,
                   uint32_t number);
/* Copies a text, without the characters that the format does not allow. */
void vcd_word(char *to, size_t bytes, const char *from);
void vcd_signals_fini(struct show_vcd *vcd);

/* ---- show_vcd_take.c ------------------------------------------------------------------------- */

/* Takes a record, as the listener of the model.  `context` is the struct show_vcd. */
bool vcd_take(void *context, const struct model_record *record);
/* Writes the operation's name: "K1". */
void vcd_operation_name(const struct model_live *live, char to[16]);

/* ---- show_vcd_front.c: each function takes a record ------------------------------------------ */

void vcd_take_doorbell(struct show_vcd *vcd, const struct model_record *record);
void vcd_take_bind(struct show_vcd *vcd, const struct model_record *record);
void vcd_take_unbind(struct show_vcd *vcd, const struct model_record *record);
void vcd_take_enable(struct show_vcd *vcd, const struct model_record *record);
void vcd_take_stop(struct show_vcd *vcd, const struct model_record *record);
void vcd_take_runlist_submit(struct show_vcd *vcd, const struct model_record *record);
void vcd_take_sched_disable(struct show_vcd *vcd, const struct model_record *record);
void vcd_take_tsg_start(struct show_vcd *vcd, const struct model_record *record);
void vcd_take_tsg_end(struct show_vcd *vcd, const struct model_record *record);
void vcd_take_slice_pause(struct show_vcd *vcd, const struct model_record *record);
void vcd_take_channel_load(struct show_vcd *vcd, const struct model_record *record);
void vcd_take_channel_save(struct show_vcd *vcd, const struct model_record *record);
void vcd_take_gp_fetch(struct show_vcd *vcd, const struct model_record *record);
void vcd_take_segment_end(struct show_vcd *vcd, const struct model_record *record);
void vcd_take_intr(struct show_vcd *vcd, const struct model_record *record);
void vcd_take_intr_clear(struct show_vcd *vcd, const struct model_record *record);
void vcd_take_context_load(struct show_vcd *vcd, const struct model_record *record);
void vcd_take_engine_reset(struct show_vcd *vcd, const struct model_record *record);
void vcd_take_map(struct show_vcd *vcd, const struct model_record *record);
void vcd_take_preempt(struct show_vcd *vcd, const struct model_record *record);
void vcd_take_load(struct show_vcd *vcd, const struct model_record *record);
void vcd_take_leave(struct show_vcd *vcd, const struct model_record *record);
void vcd_take_save(struct show_vcd *vcd, const struct model_record *record);
void vcd_take_restore(struct show_vcd *vcd, const struct model_record *record);
void vcd_take_amd_doorbell(struct show_vcd *vcd, const struct model_record *record);
void vcd_take_packet(struct show_vcd *vcd, const struct model_record *record);
void vcd_take_ace_turn(struct show_vcd *vcd, const struct model_record *record);
void vcd_take_stage(struct show_vcd *vcd, const struct model_record *record);
void vcd_take_unstage(struct show_vcd *vcd, const struct model_record *record);
void vcd_take_sdma_load(struct show_vcd *vcd, const struct model_record *record);
void vcd_take_sdma_leave(struct show_vcd *vcd, const struct model_record *record);
void vcd_take_sdma_packet(struct show_vcd *vcd, const struct model_record *record);

#endif
