/* SPDX-License-Identifier: MIT */
/*
 * The graphics engine's front end (FE): takes the methods of subchannels 0 to 3 in order, keeps
 * class state, and starts work.  Work is grids through the block dispatcher, inline writes to
 * memory, report semaphores, and draws, clears and blits as opaque work of a default cost.
 *
 * Each subchannel has one class (3D, compute, inline-to-memory, 2D).  Class state is the last word
 * written to each method (`shadow`).  Private methods only set that state.  Work is counted: a
 * report is released when the work before it is complete, and a wait-for-idle holds the PBDMA until
 * all work is.  The graphics runlist's two runqueues feed a pipe each (tu104/dev_ram.ref.txt,
 * RUNQUEUE_SELECTOR), which has class state of its own: that of one of its channels is loaded.
 * When methods of one pipe come between those of the other depends on the batches, so they leave
 * the other pipe as it is.
 *
 * Work in progress belongs to the context of a TSG: draws, reports, grids and what they release
 * (nv_fe_context.c).  One context is on at a time. nv_fe_suspend() takes it off with all its work.
 * Work that is already going to memory or to the dispatcher arrives first.  Grids, draws and
 * reports that wait for them stay, and continue at the next nv_fe_resume().  Class state is moved
 * later.  Methods of a channel save what the pipes have of other TSGs, and what the channel's pipe
 * has of another channel, in context images; then the channel's class state is loaded.
 *
 * Errors (nv_fe_error.c): a method that the class on its subchannel does not have, a class that the
 * chip does not have, a subchannel on which nothing is bound, a launch that cannot be.
 *
 * Described in open-gpu-doc classes/3d, compute, inline-to-memory, twod (methods); facts of the
 * classes are in nv_class.h.  Not modelled, and logged each time (nv_effect_list.h): macros,
 * conditional rendering, stream output, caches, what reports count and where in the pipeline they
 * stand.  Of draws only the time is modelled.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_FE_H
#define GFE_DEVICES_NVIDIA_NV_FE_H

#include "devices/core/dispatch.h"
#include "devices/nvidia/formats/nv_effect.h"
#include "devices/nvidia/nv_inline.h"
#include "emu/engine/machine.h"

struct nv_chip;
struct nv_host;
struct nv_pbdma;

enum {
    NV_FE_SUBCHANNELS = 4,
    NV_FE_METHODS = 0x1000, /* size of a class's method space in dwords */
    NV_FE_LAUNCHES = 16,    /* launches between SEND_SIGNALING_PCAS_B and the dispatcher */
    NV_FE_WORKS = 64,
    NV_FE_REPORTS = 64,
    NV_FE_OUTSTANDING = 128,
    /* Limits for all contexts together. */
    NV_FE_CONTEXTS_MAX = DISPATCH_CONTEXTS_MAX,
    NV_FE_ALL_WORKS_MAX = 2560,
    NV_FE_ALL_REPORTS_MAX = 2560,
    NV_FE_ALL_OUTSTANDING_MAX = 2560,
    NV_FE_HASH = 1024,
};
#define NV_FE_NOBODY UINT32_MAX /* stands for no TSG or channel */

/* A method on its way to an engine. */
struct nv_method {
    uint32_t channel_id, space_id, tsg_id;
    uint32_t pbdma_id;
    uint32_t subchannel;
    uint32_t method; /* byte offset */
    uint32_t data;
    uint64_t gp_sequence;
};

GFE_STATE_BEGIN
struct nv_fe_work { /* opaque work, one at a time, in order */
    uint64_t work_id, gp_sequence, order;
    gfe_ps queued_ps;
    /* time since when it does not start or continue because its context is off; or NEVER */
    gfe_ps held_ps;
    gfe_ps end_ps; /* end of running work; remaining time of stopped work */
    uint32_t channel_id, class_id, method;
    uint32_t phase; /* enum nv_fe_work_phase */
};

enum nv_fe_work_phase { NV_FE_WORK_QUEUED, NV_FE_WORK_RUNS, NV_FE_WORK_STOPPED };

/* What a report does when its turn comes. */
enum nv_fe_report_kind { NV_FE_RELEASE, NV_FE_COUNTER, NV_FE_TRAP, NV_FE_NOTIFIER };

struct nv_fe_report {
    uint64_t address, gp_sequence, order;
    uint64_t queued_ps;
    uint32_t channel_id, space_id;
    uint32_t payload, remaining; /* remaining: operations before it that still run */
    uint32_t class_id;
    /* data of the method that requested it, as SET_REPORT_SEMAPHORE_D has them */
    uint32_t data;
    uint32_t kind; /* enum nv_fe_report_kind */
    uint32_t scheduled;
    uint32_t payload_upper;
    uint32_t bits; /* of the payload: 32 or 64 */
};

/* RELEASE0 and RELEASE1 of a QMD, written when its grid is complete. */
struct nv_fe_grid_release {
    uint64_t address;
    uint32_t payload;
    uint8_t enable, four_words, reduces, is_signed;
    uint32_t reduction;
    uint32_t reserved;
};

struct nv_fe_grid_end {
    struct nv_fe_grid_release release[2];
    uint32_t channel_id, space_id, class_id;
    uint32_t membar; /* 1 for RELEASE_MEMBAR_TYPE FE_SYSMEMBAR */
    uint64_t gp_sequence;
    uint64_t starts_address; /* where its program counts how many of its blocks have started */
};

struct nv_fe_launch {
    struct cost cost;
    uint64_t block_count, gp_sequence, descriptor_address, order;
    struct mask128 disabled_mask;
    uint32_t channel_id, block_threads, shared_bytes, registers;
    uint32_t level;   /* of the descriptor's priority; or NV_QMD_NO_LEVEL */
    uint32_t cluster; /* blocks of a cluster; 0: none */
    struct exec_need need;
    struct nv_fe_grid_end end;
};

struct nv_fe_outstanding {
    uint64_t operation_id;
    uint64_t order;
    struct nv_fe_grid_end end; /* for a grid */
    uint32_t context;
    uint32_t reserved;
};

/* A queue of records, by links: 1 + the record's index, 0 for none.  For each kind of records a
 * separate array has the links to the next record. */
struct nv_fe_queue {
    uint32_t first, last, count;
};

/* The records of a kind: the free ones, the number ever used, the number in use. */
struct nv_fe_pool {
    uint32_t free, used, count;
};

enum nv_fe_phase {
    NV_FE_FREE, /* an unused record */
    NV_FE_OFF,  /* suspended */
    NV_FE_ON,
    NV_FE_LEAVING, /* to be suspended as soon as nothing is in flight */
};

/* Work of a TSG in progress. */
struct nv_fe_context {
    uint32_t phase;      /* enum nv_fe_phase */
    uint32_t tsg_id;     /* NV_FE_NOBODY means that the first TSG to come gets it */
    uint32_t channel_id; /* channel whose methods came last */
    struct nv_fe_queue works, reports, outstanding;
    uint32_t stopping;     /* 1: has to leave, but its blocks run on for nv.gr.stop_ps */
    uint32_t in_flight;    /* launches, reports and releases of grids that are scheduled events */
    uint32_t dispatch_off; /* 1: leaving, and its blocks have stopped */
    /* 1 if leaving, but only when all is done, because there is no room to keep its work */
    uint32_t to_end;
    gfe_ps asked_ps; /* time since when it is leaving */
};

struct nv_fe_state {
    uint64_t order;          /* counts launches, works and reports */
    uint64_t waiting_pbdmas; /* a bit for each PBDMA that was refused */
    uint32_t current;        /* 1 + context that is on or leaving; 0 means none */
    uint32_t switched;       /* 1 if next_channel's class state is not loaded yet */
    uint32_t next_channel, next_tsg, next_space; /* of the channel whose methods come */
    uint32_t pipe;                               /* number of the one whose methods come */
    uint32_t launch_count, launch_head;          /* all of them belong to the context that is on */
    uint32_t turn_channel;                       /* of the context that was suspended last */
    uint32_t trapped; /* 1 + channel whose method waits for software to clear its error */
    struct nv_fe_pool work_pool, report_pool, outstanding_pool, context_pool;
    struct nv_fe_launch launches[NV_FE_LAUNCHES];
    struct nv_fe_work works[NV_FE_ALL_WORKS_MAX];
    struct nv_fe_report reports[NV_FE_ALL_REPORTS_MAX];
    struct nv_fe_outstanding outstanding[NV_FE_ALL_OUTSTANDING_MAX];
    struct nv_fe_context contexts[NV_FE_CONTEXTS_MAX]; /* numbered like the dispatcher's contexts */
    /* number of times that the record was dropped */
    uint32_t resets[NV_FE_CONTEXTS_MAX];
    uint32_t hash[NV_FE_HASH]; /* links of contexts, by TSG */
    uint32_t work_next[NV_FE_ALL_WORKS_MAX];
    uint32_t report_next[NV_FE_ALL_REPORTS_MAX];
    uint32_t outstanding_next[NV_FE_ALL_OUTSTANDING_MAX];
    /* next in the same hash chain, or in the free list */
    uint32_t context_next[NV_FE_CONTEXTS_MAX];
};

/* Class state of a channel, and what of its data is on its way. */
struct nv_fe_pipe {
    uint32_t context_channel; /* channel whose class state is loaded; NV_FE_NOBODY means none */
    uint32_t context_tsg;
    uint32_t context_space;    /* address space of its image */
    uint32_t inline_indices;   /* 1 if the inline indices of this BEGIN have made their draw */
    uint64_t context_instance; /* its instance block, because channel numbers are reused */
    uint64_t constant_address;
    uint64_t constant_sequence;
    uint32_t constant_bytes; /* LOAD_CONSTANT_BUFFER bytes not logged yet */
    uint32_t constant_channel;
    struct nv_inline inlines[NV_FE_SUBCHANNELS];
    uint8_t inline_buffers[NV_FE_SUBCHANNELS][NV_INLINE_BYTES];
    uint32_t objects[NV_FE_SUBCHANNELS]; /* class set by SET_OBJECT; 0 if none yet */
    uint32_t shadow[NV_FE_SUBCHANNELS][NV_FE_METHODS];
};
GFE_STATE_END

/* The code that switches contexts (nv_engine.h).  Members may be NULL. */
struct nv_fe_client {
    /* Reports that nv_fe_suspend() has completed; from within, or later. */
    void (*suspended)(void *client);
    /* Reports that the TSG has no work left. */
    void (*work_changed)(void *client, uint32_t tsg_id);
    void *client;
};

struct nv_fe {
    struct machine *machine;
    const struct nv_chip *model;
    struct nv_host *host;
    struct nv_pbdma *pbdmas;
    struct dispatch *dispatch;
    struct nv_fe_client client;
    uint32_t unit;
    uint32_t work_timer;
    struct mmio_window *regs;
    /* What each method of the class on each subchannel does (nv_fe_prepare()).  Made from the class
     * tables, never state. */
    uint32_t action_class[NV_FE_SUBCHANNELS];
    uint8_t actions[NV_FE_SUBCHANNELS][NV_FE_METHODS];
    struct nv_losses losses[NV_FE_SUBCHANNELS];
    struct nv_qmd_watch qmd_watches[NV_QMD_LAYOUTS_MAX]; /* of the layouts that were launched */
    struct nv_fe_state *state;
    struct nv_fe_pipe *pipes; /* one for each runqueue of the graphics runlist, in the arena */
    uint32_t pipe_count;
};

/* Returns the pipe whose methods come. */
static inline struct nv_fe_pipe *nv_fe_pipe(const struct nv_fe *fe)
{
    return &fe->pipes[fe->state->pipe];
}

/* Adds the front end as a unit, with its registers. */
void nv_fe_wire(struct nv_fe *fe, struct nv_host *host, struct dispatch *dispatch);
/* Returns true on Pascal and later, where work stops wherever it is. */
bool nv_fe_stops_inside(const struct nv_fe *fe);
/* Loads the class state of the channel whose methods come, and updates `actions` for the classes on
 * the subchannels.  Call it before nv_fe_take(). */
void nv_fe_prepare(struct nv_fe *fe);
/* Takes a private method: sets class state and returns true.  Returns false, with nothing done, if
 * the method is visible from outside (struct nv_pbdma_sink). */
bool nv_fe_take(void *fe, uint32_t subchannel, uint32_t method, uint32_t data);
/* Executes any other method now.  Returns false if it is refused; *rule has the reason, and the
 * PBDMA is resumed when a new try makes sense. */
bool nv_fe_method(struct nv_fe *fe, const struct nv_method *method, uint32_t *rule);
/* Returns true if no work and no report is in progress.  If not, and `pbdma_id` is a PBDMA's, that
 * PBDMA is resumed when that changes. */
bool nv_fe_idle(struct nv_fe *fe, uint32_t pbdma_id);
/* Returns the virtual address of the channel's context image (the instance block's GR_WFI pointer),
 * or 0 if there is none.  The real layout is not published; here the image holds the front end's
 * state in NV_FE_IMAGE_BYTES for each pipe. */
enum { NV_FE_IMAGE_BYTES = 0x10400 };
uint64_t nv_fe_context_image(const struct nv_fe *fe, uint32_t channel_id);

/* ---- contexts: what an engine does for its runlist (nv_engine.h); `fe` is a struct nv_fe -------
 */

/* Takes the TSG's context off, with its work in progress.  Before Pascal its blocks run to their
 * ends first; so does a draw if nv.gr.draw_preemption says so. client.suspended() reports the end,
 * from within or later; at once if the context is not on. */
void nv_fe_suspend(void *fe, uint32_t tsg_id);
/* Puts the TSG's context on, and its work continues.  The next methods are those of channel_id (of
 * the TSG, in space_id); `NV_FE_NOBODY` means that no methods come yet.  If the context is on
 * already, only the channel changes.  Another context may be on only if it is idle (asserted). */
void nv_fe_resume(void *fe, uint32_t tsg_id, uint32_t channel_id, uint32_t space_id);
/* Returns true if the context that is on has work in progress. */
bool nv_fe_busy(void *fe);
/* Returns true if work of the context that is on will end by itself, given time. */
bool nv_fe_runs(void *fe);
/* Returns true if the TSG has work in progress, on or off. */
bool nv_fe_has_work(void *fe, uint32_t tsg_id);
/* Returns the bytes to save and to load: class state, and what running or stopped blocks hold. */
uint64_t nv_fe_state_bytes(void *fe, uint32_t tsg_id);
gfe_ps nv_fe_own_move_ps(void *fe, uint32_t tsg_id);
/* Drops the context that is on with all its work, and the context of the TSG.  Defined in
 * nv_fe_reset.c. */
void nv_fe_reset(void *fe, uint32_t tsg_id);

/* ---- between the parts of the front end ------------------------------------------------------ */

/* nv_fe_context.c */
void nv_fe_context_wire(struct nv_fe *fe);
/* Reports that the dispatcher has stopped the context that leaves. */
void nv_fe_dispatch_suspended(void *fe, uint32_t context);
/* Returns the context that is on or leaving, or NULL if there is none. */
static inline struct nv_fe_context *nv_fe_current(const struct nv_fe *fe)
{
    return fe->state->current ? &fe->state->contexts[fe->state->current - 1] : NULL;
}
/* Returns the context of a TSG, or NULL if it has none. */
struct nv_fe_context *nv_fe_context_find(const struct nv_fe *fe, uint32_t tsg_id);
/* Turns to the pipe of the channel whose methods come, and loads the channel's class state if
 * another's is loaded. */
void nv_fe_class_state(struct nv_fe *fe);
/* Drops the class state of a pipe. */
void nv_fe_pipe_clear(struct nv_fe_pipe *pipe);
/* Updates a context after some of its work is complete, or has arrived where it waits.  The
 * context's record may be free afterwards. */
void nv_fe_context_changed(struct nv_fe *fe, struct nv_fe_context *context);
static inline bool nv_fe_context_idle(const struct nv_fe_context *context)
{
    return context->outstanding.count == 0 && context->reports.count == 0;
}
/* Frees the record of a context that has no work and is off. */
void nv_fe_context_free(struct nv_fe *fe, struct nv_fe_context *context);
/* Return the argument for an event about something of a context, with that index; and the context
 * of such an argument, or NULL if it has been dropped since.  Defined in nv_fe_reset.c. */
uint64_t nv_fe_tag(const struct nv_fe *fe, const struct nv_fe_context *context, uint32_t index);
struct nv_fe_context *nv_fe_tagged(const struct nv_fe *fe, uint64_t tag, uint32_t *index);
/* Operate on links of records. nv_fe_pool_take() takes a free record (there must be one: asserted);
 * nv_fe_pool_give() gives it back. nv_fe_queue_push() appends to a queue; nv_fe_queue_remove()
 * removes the record after `before` (0 removes the first). */
uint32_t nv_fe_pool_take(struct nv_fe_pool *pool, uint32_t *next, uint32_t limit);
void nv_fe_pool_give(struct nv_fe_pool *pool, uint32_t *next, uint32_t link);
void nv_fe_queue_push(struct nv_fe_queue *queue, uint32_t *next, uint32_t link);
void nv_fe_queue_remove(struct nv_fe_queue *queue, uint32_t *next, uint32_t before);

enum nv_fe_event {
    NV_FE_LAUNCH, /* argument: nv_fe_tag(); also for a report and a release */
    NV_FE_WORK_END,
    NV_FE_REPORT,
    NV_FE_RESUME,
    NV_FE_GRID_RELEASE, /* the index is that in `outstanding` */
    NV_FE_STOP,         /* the blocks of the context that has to leave stop now */
    NV_FE_ACQUIRE,      /* and up: a word that PBDMA 0 (1, ...) waits for is written */
};

/* Return the class on a subchannel, and the last word written to a method. */
uint32_t nv_fe_class(const struct nv_fe *fe, uint32_t subchannel);
uint32_t nv_fe_shadow(const struct nv_fe *fe, uint32_t subchannel, uint32_t method);
/* Returns an address from a pair of methods: upper bits in `method`, lower ones in the next. */
uint64_t nv_fe_address(const struct nv_fe *fe, uint32_t subchannel, uint32_t method,
                       uint32_t upper_mask);
/* Refuses a method and returns false; the PBDMA will be resumed. */
bool nv_fe_refuse(struct nv_fe *fe, const struct nv_method *method, uint32_t rule_id,
                  uint32_t *rule);
/* Resumes the PBDMAs that were refused. */
void nv_fe_resume_waiting(struct nv_fe *fe);
/* Stops the blocks of the context that has to leave (nv.gr.stop_ps). */
void nv_fe_stop(struct nv_fe *fe);
/* Logs that the method, or a part of it, is not modelled (enum unmodelled_what). */
void nv_fe_unmodelled(struct nv_fe *fe, const struct nv_method *method, uint32_t what);
/* nv_fe_error.c */
/* Raises the interrupt for an error that the engine detects, and stops the channel. */
void nv_fe_error(struct nv_fe *fe, const struct nv_method *method, uint32_t code);
/* Returns true if the chip's graphics engine has the class. */
bool nv_fe_has_class(const struct nv_fe *fe, uint32_t class_id);
/* Handles a method that the class on the subchannel does not have (NV_FE_ERROR_METHOD), or whose
 * class does not exist (NV_FE_ERROR_CLASS).  Returns true if the method is done: the channel is
 * stopped, or goes on behind it (choice nv.gr.class_error).  Returns false if it waits for
 * software. */
bool nv_fe_illegal(struct nv_fe *fe, const struct nv_method *method, uint32_t code, uint32_t *rule);
/* Returns what a reader of a register of the engine sees. */
uint32_t nv_fe_read(void *fe, const struct mmio_window *window, uint32_t offset, uint32_t stored);
/* Logs a missing translation, and stops the channel. */
void nv_fe_fault(struct nv_fe *fe, uint32_t channel_id, uint64_t address, bool is_write);
void nv_fe_stop_channel(struct nv_fe *fe, uint32_t channel_id);
/* Returns true if the context that is on has room for one more operation. */
bool nv_fe_outstanding_room(const struct nv_fe *fe);
/* Counts an operation of the context that is on from now on.  There must be room (asserted). */
void nv_fe_outstanding_add(struct nv_fe *fe, uint64_t operation_id, uint64_t order);
/* Return an operation, and remove it; it must exist (asserted). */
struct nv_fe_outstanding *nv_fe_outstanding_find(struct nv_fe *fe,
                                                 const struct nv_fe_context *context,
                                                 uint64_t operation_id);
void nv_fe_outstanding_done(struct nv_fe *fe, struct nv_fe_context *context, uint64_t operation_id);

/* nv_fe_work.c */
bool nv_fe_is_draw(uint32_t class_id, uint32_t method);
/* Returns true for a word of a draw's inline indices. */
bool nv_fe_is_inline_index(uint32_t class_id, uint32_t method);
/* Queues a draw.  Returns false if there is no room; *rule has the reason. */
bool nv_fe_draw(struct nv_fe *fe, const struct nv_method *method, uint32_t *rule);
/* Handles the end of the running draw. */
void nv_fe_work_end(struct nv_fe *fe);
/* Suspends the work of a context that leaves: its running draw stops, if it can stop inside.  Then
 * or later (by nv_fe_work_end()) no draw runs, and none starts. */
void nv_fe_work_suspend(struct nv_fe *fe, const struct nv_fe_context *context);
/* Returns true if a draw of the context runs. */
bool nv_fe_work_runs(const struct nv_fe *fe, const struct nv_fe_context *context);
/* Continues the stopped draw of the context, or starts the next one. */
void nv_fe_work_resume(struct nv_fe *fe, const struct nv_fe_context *context);
/* nv_fe_open.c: report what has not ended when nothing is left to happen, and what it would do; and
 * why the dispatcher's context is off (struct dispatch_client). */
void nv_fe_log_open_waits(struct nv_fe *fe);
uint32_t nv_fe_why_off(void *fe, uint32_t context, struct machine_wait *wait);
/* nv_fe_report.c */
/* Returns true for the method by which GA10x and later ask for a report in another form. */
bool nv_fe_is_report_execute(uint32_t class_id, uint32_t method);
bool nv_fe_report(struct nv_fe *fe, const struct nv_method *method, uint32_t *rule);
bool nv_fe_notify(struct nv_fe *fe, const struct nv_method *method, uint32_t *rule);
void nv_fe_report_due(struct nv_fe *fe, struct nv_fe_context *context);
/* Schedules the first report of the context if no work before it runs and the context is on. */
void nv_fe_report_advance(struct nv_fe *fe, struct nv_fe_context *context);
/* Handles a write to a word that an ACQUIRE of this PBDMA's channel watches. */
void nv_fe_acquire_due(struct nv_fe *fe, uint32_t pbdma_id);
/* Sets bits of NV_PGRAPH_INTR or, if `nonstall`, of INTR_NONSTALL, and logs them. */
void nv_fe_interrupt(struct nv_fe *fe, uint32_t channel_id, uint32_t bits, bool nonstall);
/* nv_compute.c */
/* Returns true for a word of a descriptor that comes with the methods (LOAD_INLINE_QMD_DATA). */
bool nv_compute_is_inline(uint32_t class_id, uint32_t method);
/* Writes the word to the descriptor's place in memory.  The last word launches the grid. */
bool nv_compute_inline(struct nv_fe *fe, const struct nv_method *method, uint32_t *rule);
bool nv_compute_launch(struct nv_fe *fe, const struct nv_method *method, uint32_t *rule);
void nv_compute_launch_due(struct nv_fe *fe);
void nv_compute_grid_done(void *fe, uint32_t context, uint64_t grid_id);
void nv_compute_started(void *fe, uint32_t context, uint64_t grid_id, uint64_t block_count);
void nv_compute_release_due(struct nv_fe *fe, uint64_t index);

/* Codes of EVENT_NV_ENGINE_ERROR. */
enum nv_fe_error {
    NV_FE_ERROR_METHOD = 1,  /* the class has no such method */
    NV_FE_ERROR_QMD_VERSION, /* a descriptor of an unknown version */
    NV_FE_ERROR_QMD_LIMITS,  /* a block that no SM can hold */
    NV_FE_ERROR_CLASS,       /* the chip has no such class; 0: none is bound */
};

#endif
