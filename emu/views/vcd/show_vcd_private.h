/* SPDX-License-Identifier: MIT */
/* What the parts of show_vcd*.c share:
 *
 *     show_vcd.c          the file: declarations, initial values, changes
 *     show_vcd_signal.c   units and their signals, and what has changed
 *     show_vcd_live.c     operations that have not ended
 *     show_vcd_take.c     what each kind of event changes
 *     show_vcd_front.c    the same, of the front ends
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

/* Kinds of units, in the order in which the file has them. */
enum vcd_group {
    VCD_GPU,
    VCD_THREAD,
    VCD_CHANNEL, /* of NVIDIA's GPUs */
    VCD_QUEUE,   /* of AMD's */
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

/* Signals of a unit, by group: places in its row of vcd_fields. */
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
    const char *first; /* its value before anything is known; NULL: a vector, of zeroes */
    uint32_t bits;     /* of a vector */
};

extern const struct vcd_field vcd_fields[VCD_GROUPS][VCD_FIELDS_MAX + 1];

union vcd_value {
    uint64_t number;
    char text[VCD_TEXT_BYTES]; /* the rest is zeroes */
};

struct vcd_signal {
    union vcd_value now, written, initial; /* initial: at the window's beginning */
    bool is_text, is_changed;
    uint32_t bits;
};

struct vcd_unit {
    enum vcd_group group;
    uint64_t id;
    uint64_t fetched; /* of a channel: gp_sequence of its last segment */
    uint32_t first_signal;
    char name[VCD_TEXT_BYTES];
};

enum vcd_kind { VCD_GRID, VCD_COPY, VCD_WORK, VCD_KINDS };

/* An operation that has not ended. */
struct vcd_live {
    uint64_t id;
    enum vcd_kind kind;
    bool used, is_running, is_stopped;
    uint32_t number;         /* K1, C1, D1 */
    uint32_t holder, engine; /* units: channel or queue; engine; VCD_NONE: none */
    uint32_t block_threads, sm_count;
    uint32_t *blocks; /* of a grid: on each SM */
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
    uint32_t *changed; /* signals that may have, at now_ps */
    uint32_t unit_count, unit_capacity, signal_count, signal_capacity, changed_count;
    struct id_map unit_of[VCD_GROUPS];
    struct vcd_live *live; /* open addressing */
    uint32_t live_count, live_capacity, grids_on_sms;
    uint32_t numbers[VCD_KINDS];
    uint32_t gpu; /* unit */
};

/* ---- show_vcd_signal.c; what fails has set the error ----------------------------------------- */

/* The unit of that number, made when it is new; VCD_NONE: failed. */
uint32_t vcd_unit(struct show_vcd *vcd, enum vcd_group group, uint64_t id);
/* The same, if there is one. */
uint32_t vcd_unit_find(const struct show_vcd *vcd, enum vcd_group group, uint64_t id);
/* All take VCD_NONE for no unit, and change nothing then. */
void vcd_text(struct show_vcd *vcd, uint32_t unit, uint32_t field, const char *text);
void vcd_number(struct show_vcd *vcd, uint32_t unit, uint32_t field, uint64_t number);
uint64_t vcd_get(const struct show_vcd *vcd, uint32_t unit, uint32_t field);
bool vcd_is(const struct show_vcd *vcd, uint32_t unit, uint32_t field, const char *text);
/* Adds, or takes away; never below 0. */
void vcd_add(struct show_vcd *vcd, uint32_t unit, uint32_t field, int64_t difference);
/* Time goes on: writes what has changed at the time before. */
void vcd_advance(struct show_vcd *vcd, gfe_ps now_ps);
/* A signal's code in the file. */
void vcd_code(uint32_t signal, char to[8]);
void vcd_value_put(FILE *file, const struct vcd_signal *signal, const union vcd_value *value,
                   uint32_t number);
/* Text without what the format has no place for. */
void vcd_word(char *to, size_t bytes, const char *from);
void vcd_signals_fini(struct show_vcd *vcd);

/* ---- show_vcd_live.c ------------------------------------------------------------------------- */

/* The operation, NULL if it is not known; valid until the next one is added or removed. */
struct vcd_live *vcd_live_find(struct show_vcd *vcd, enum vcd_kind kind, uint64_t id);
/* One that begins; NULL: failed.  An old one of that number is gone. */
struct vcd_live *vcd_live_add(struct show_vcd *vcd, enum vcd_kind kind, uint64_t id);
void vcd_live_remove(struct show_vcd *vcd, struct vcd_live *live);
/* A grid's blocks on an SM, for so many SMs at least; NULL: failed. */
uint32_t *vcd_live_blocks(struct show_vcd *vcd, struct vcd_live *grid, uint32_t sm);
/* "K1". */
void vcd_live_name(const struct vcd_live *live, char to[16]);
void vcd_live_fini(struct show_vcd *vcd);

/* ---- show_vcd_take.c ------------------------------------------------------------------------- */

/* The listener of the model: `context` is the show_vcd. */
bool vcd_take(void *context, const struct model_record *record);

/* ---- show_vcd_front.c: each takes a record ----------------------- */

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
