/* SPDX-License-Identifier: MIT */
/* What the parts of show_perfetto share.  Private to show_perfetto*.c. */
#ifndef GFE_EMU_VIEWS_PERFETTO_SHOW_PERFETTO_PRIVATE_H
#define GFE_EMU_VIEWS_PERFETTO_SHOW_PERFETTO_PRIVATE_H

#include "emu/analysis/model/model.h"
#include "emu/log/event_list.h"
#include "emu/log/gpu_words.h"
#include "emu/base/id_map.h"
#include "emu/views/perfetto/perfetto.h"
#include "emu/views/perfetto/show_perfetto.h"
#include "emu/analysis/streams.h"

enum {
    PF_IDS = 16384,    /* limit of thread, PBDMA, engine, SM, ... numbers, and of channels */
    PF_ENTRIES = 1024, /* GP entries of a channel whose submissions are remembered */
    PF_AHEAD = 16,     /* GP entries read while another entry is processed */
    PF_HANDED = 64,    /* launches between front end and queue; ended operations before a release */
    PF_RECENT = 4096,  /* submissions, releases, ended operations that are remembered */
    PF_PCES = 64,
    PF_PROCESSES = 256,
    PF_ID_BYTES = 40,
    PF_NONE = UINT32_MAX,
};

/* Numbers of names.  Names of kinds of events, of rules, and names made during the run begin at
 * these numbers. */
enum { PF_NAMES_OF_KINDS = 64, PF_NAMES_OF_RULES = 8192, PF_NAMES_MADE = 16384 };
/* Numbers of texts.  The text of a rule has the rule's own number; its label is numbered as
 * above. */
enum { PF_TEXT_RECORDED = 16384, PF_TEXT_MODELLED };

/* Ranks of the children of the GPU's track, in this order.  Children of one kind are in the order
 * of their numbers. */
enum {
    PF_RANK_RUNLIST = 1,
    PF_RANK_PBDMA = PF_RANK_RUNLIST + PF_IDS,
    PF_RANK_LAUNCHES = PF_RANK_PBDMA + PF_IDS,
    PF_RANK_ENGINE,
    PF_RANK_PCE = PF_RANK_ENGINE + 2 * PF_IDS,
    PF_RANK_SM = PF_RANK_PCE + PF_PCES,
    PF_RANK_WAITS = PF_RANK_SM + PF_IDS,
    PF_RANK_EVENTS,
};
/* Ranks of the children of a channel's track. */
enum {
    PF_RANK_STREAM = 1,
    PF_RANK_OPERATIONS,
    PF_RANK_CHANNEL_WAITS,
    PF_RANK_SEMAPHORES,
    PF_RANK_CHANNEL_EVENTS,
    PF_RANK_RING,
};

#define PF_CATEGORIES(NAME)                                                                        \
    NAME(CATEGORY_PROGRAM, "program")                                                              \
    NAME(CATEGORY_STREAM, "stream")                                                                \
    NAME(CATEGORY_OPERATION, "operation")                                                          \
    NAME(CATEGORY_WAIT, "wait")                                                                    \
    NAME(CATEGORY_SCHEDULE, "schedule")                                                            \
    NAME(CATEGORY_BLOCK, "block")                                                                  \
    NAME(CATEGORY_SEMAPHORE, "semaphore")                                                          \
    NAME(CATEGORY_EVENT, "event")

#define PF_NAMES(NAME)                                                                             \
    NAME(NAME_SUBMISSION, "submission")                                                            \
    NAME(NAME_CPU_WAIT, "waits for the GPU")                                                       \
    NAME(NAME_GOES_ON, "goes on")                                                                  \
    NAME(NAME_ENTRY, "GP entry")                                                                   \
    NAME(NAME_CONTROL, "control entry")                                                            \
    NAME(NAME_GP_FETCH, "reads GP entry")                                                          \
    NAME(NAME_PB_FETCH, "reads pushbuffer")                                                        \
    NAME(NAME_BARRIER, "barrier")                                                                  \
    NAME(NAME_MEM_OP, "memory operation")                                                          \
    NAME(NAME_LOADING, "loads")                                                                    \
    NAME(NAME_METHODS, "methods")                                                                  \
    NAME(NAME_CONTEXT, "loads context")                                                            \
    NAME(NAME_QUEUED, "queued")                                                                    \
    NAME(NAME_LAUNCH, "launch")                                                                    \
    NAME(NAME_COPY, "copy")                                                                        \
    NAME(NAME_DRAW, "draw")                                                                        \
    NAME(NAME_WAIT, "waits")                                                                       \
    NAME(NAME_DISPATCHING, "blocks to start")                                                      \
    NAME(NAME_LEAVING, "has to leave")                                                             \
    NAME(NAME_SAVING, "saves waves")                                                               \
    NAME(NAME_RESTORING, "restores waves")                                                         \
    NAME(NAME_VENDOR, "vendor-specific packet")                                                    \
    NAME(NAME_INVALID, "invalid packet")                                                           \
    NAME(NAME_DISPATCH, "dispatch packet")                                                         \
    NAME(NAME_BARRIER_AND, "barrier-AND packet")                                                   \
    NAME(NAME_AGENT, "agent dispatch packet")                                                      \
    NAME(NAME_BARRIER_OR, "barrier-OR packet")

/* Annotations.  The names of events' arguments join them. */
#define PF_NOTES(NAME)                                                                             \
    NAME(NOTE_BEGIN, "begin_ps")                                                                   \
    NAME(NOTE_DURATION, "duration_ps")                                                             \
    NAME(NOTE_UNFINISHED, "unfinished")                                                            \
    NAME(NOTE_TIME, "time_ps")                                                                     \
    NAME(NOTE_BLOCK, "block_index")                                                                \
    NAME(NOTE_GRID, "grid_id")                                                                     \
    NAME(NOTE_RULE, "rule")                                                                        \
    NAME(NOTE_RULE_TEXT, "rule_text")                                                              \
    NAME(NOTE_WHO, "who_waits")                                                                    \
    NAME(NOTE_BECAUSE, "because_of")                                                               \
    NAME(NOTE_OPERATION, "operation")                                                              \
    NAME(NOTE_ORIGIN, "origin")                                                                    \
    NAME(NOTE_SUBMISSION, "submission_id")                                                         \
    NAME(NOTE_NEXT_SUBMISSION, "next_submission_id")                                               \
    NAME(NOTE_CHANNEL, "channel_id")                                                               \
    NAME(NOTE_ENTRY, "gp_sequence")                                                                \
    NAME(NOTE_GP_INDEX, "gp_index")                                                                \
    NAME(NOTE_ADDRESS, "address")                                                                  \
    NAME(NOTE_DWORDS, "dword_count")                                                               \
    NAME(NOTE_METHODS, "method_count")                                                             \
    NAME(NOTE_PUSHES, "push_count")                                                                \
    NAME(NOTE_PUSH_BYTES, "push_bytes")                                                            \
    NAME(NOTE_STORED, "stored_bytes")                                                              \
    NAME(NOTE_BLOCKS, "block_count")                                                               \
    NAME(NOTE_THREADS, "block_threads")                                                            \
    NAME(NOTE_SHARED, "shared_bytes")                                                              \
    NAME(NOTE_REGISTERS, "registers")                                                              \
    NAME(NOTE_BYTES, "byte_count")                                                                 \
    NAME(NOTE_LIMITED, "limited_by")                                                               \
    NAME(NOTE_CLASS, "class_id")                                                                   \
    NAME(NOTE_METHOD, "method")                                                                    \
    NAME(NOTE_TIMESLICE, "timeslice_ps")                                                           \
    NAME(NOTE_TSG, "tsg_id")                                                                       \
    NAME(NOTE_QUEUE, "doorbell_index")                                                             \
    NAME(NOTE_PACKET, "packet_index")                                                              \
    NAME(NOTE_WAVES, "wave_count")

#define PF_NUMBER(number, text) number,
enum { PF_CATEGORY_0, PF_CATEGORIES(PF_NUMBER) PF_CATEGORY_END };
enum { PF_NAME_0, PF_NAMES(PF_NUMBER) PF_NAME_END };
enum { PF_NOTE_0, PF_NOTES(PF_NUMBER) PF_NOTE_END };

/* ---- tracks ---------------------------------------------------------------------------------- */

/* Tracks are numbers.  0 means that a track has not been made yet, because nothing is on it. */

/* A track whose slices may overlap.  It consists of as many tracks as are needed, with one name;
 * viewers draw them as one. */
struct pf_lanes {
    uint64_t *tracks;
    gfe_ps *free_ps; /* by track: the time at which its last slice ended */
    uint32_t count, capacity;
};

/* The place of a new track: parent, rank among its siblings, name. */
struct pf_place {
    uint64_t parent;
    int32_t rank;
    const char *name;
};

/* A name made during the run.  It is defined again after perfetto_forget(). */
struct pf_name {
    uint64_t number;
    uint32_t epoch;
};

/* ---- what is kept ---------------------------------------------------------------------------- */

/* A slice that may contain others is begun (`..._begun`) when the first of them is written. */

struct pf_thread {
    uint64_t track;
    struct pf_lanes waits;
    gfe_ps submit_ps, wait_ps; /* begin of its call if `submits`, of its wait if it waits */
    uint64_t submission_id, channel_id, push_count, push_bytes, stored_bytes;
    uint64_t wait_submission;
    bool submits, submit_begun, waits_for_gpu, wait_inferred;
};

struct pf_entry {
    gfe_ps begin_ps;
    uint64_t index, sequence, address, dword_count;
    uint8_t origin;
};

/* A packet of an AMD queue that is being processed. */
struct pf_packet {
    uint64_t index;
    gfe_ps begin_ps;
    uint64_t code; /* AQL packet type */
};

struct pf_channel {
    uint64_t id;
    uint64_t group, stream, semaphores, events, ring; /* tracks */
    struct pf_lanes operations, waits;
    struct pf_name name;
    uint32_t process;
    struct pf_entry entry, ahead[PF_AHEAD]; /* in process if `has_entry`; those read ahead of it */
    bool has_entry, entry_begun, has_owner;
    uint32_t ahead_count;
    gfe_ps stream_ps;  /* end of the stream's last child */
    gfe_ps stretch_ps; /* the PBDMA has processed the entry since this time */
    uint32_t pbdma;    /* the PBDMA in which the channel is loaded, or PF_NONE */
    uint32_t in_ring;
    struct {
        uint32_t sequence, submission;
    } entries[PF_ENTRIES];
    struct {
        uint64_t sequence, flow;
    } handed[PF_HANDED];
    uint32_t handed_count;
    uint64_t ended[PF_HANDED]; /* flows of operations that have ended since the last release */
    uint32_t ended_count;
    uint64_t written, taken; /* for an AMD queue: packets of its ring */
    bool is_pm4;             /* the ring counts dwords */
    struct pf_packet packets[PF_HANDED];
    uint32_t packet_count;
    struct pf_lanes packet_lanes;
};

/* A hardware queue slot.  A time is GFE_PS_NEVER if it did not happen to the queue in the slot. */
struct pf_hqd {
    uint64_t track, queue;
    gfe_ps map_ps, load_ps, preempt_ps, save_ps, saved_ps, restored_ps;
    bool is_loaded;
};

struct pf_shader_engine {
    uint64_t track, counter;
    int64_t waves;
};

struct pf_pbdma {
    uint64_t track;
    gfe_ps load_ps; /* a channel is loaded since this time, if `is_loaded` */
    uint64_t channel_id;
    uint64_t id;
    bool is_loaded, load_begun, has_fetched;
};

struct pf_tsg {
    uint64_t id, track;
    gfe_ps begin_ps;
    uint64_t timeslice_ps;
    struct pf_name name;
    bool open;
};

struct pf_runlist {
    uint64_t track;
    struct id_map by_id; /* a map, because TSG numbers can be large (nv_runlist.h) */
    struct pf_tsg *tsgs;
    uint32_t tsg_count, tsg_capacity;
};

struct pf_engine {
    struct pf_lanes work, contexts;
    char name[64];
    uint64_t last_number; /* label of the operation that ended last on the engine */
    uint64_t last_id;     /* its id */
    gfe_ps last_ps;       /* its end */
    uint8_t last_kind;
};

struct pf_sm {
    uint64_t track, counter;
    int64_t waves;    /* AMD only */
    uint64_t *places; /* tracks of the places for blocks */
    uint32_t place_count;
};

/* What is kept of an operation beside what the model keeps, by the model's slot. */
struct pf_operation {
    uint64_t flow;
    /* Grid: blocks, threads, shared bytes, registers.  Copy: bytes, limit, PCEs.  Other work:
     * class, method. */
    uint64_t details[4];
    struct pf_name name;
    struct perfetto_piece block_name, block_grid; /* of a grid, since its name was defined */
    uint32_t waves;                               /* AMD only: waves of a block */
    uint16_t start_rule;
};

/* The track for an event that has no handler; the kind's `argument` selects the track. */
enum pf_where { PF_WITH_OTHERS, PF_WITH_DRIVER, PF_WITH_CHANNEL, PF_WITH_RUNLIST, PF_WITH_ENGINE };

struct pf_event_kind {
    uint32_t epoch; /* epoch in which its name was defined last */
    uint8_t argument_count, where, argument;
    struct perfetto_note_head notes[EVENT_ARGUMENTS_MAX];
};

struct show_perfetto {
    struct perfetto out;
    const struct event_log_reader *log;
    struct gpu_words words;
    struct gfe_error error; /* the first error; every function that fails sets it */
    struct model model;
    const struct log_event *event;
    gfe_ps from_ps, to_ps, now_ps;
    bool is_whole; /* the window is the whole log */
    uint64_t slice_count;
    uint64_t track_count, made_count;
    uint32_t made_epoch_count;

    struct pf_event_kind *kinds; /* by number */
    uint32_t *rule_epochs;       /* by rule: epoch in which its names were defined last */
    const char **notes;          /* names of annotations, by number */
    uint32_t note_count;

    uint64_t gpu, driver, others;     /* tracks */
    uint64_t processes[PF_PROCESSES]; /* tracks, by number */
    uint8_t process_of[PF_IDS];       /* by thread */
    struct id_map channel_of;         /* from a channel's number to its index in `channels` */
    struct pf_channel *last_channel;  /* the result of the last search; NULL at first */
    void **threads, **channels, **pbdmas, **runlists, **engines, **sms, **hqds;
    uint32_t id_end; /* 1 + the highest number in these tables */
    struct pf_shader_engine shader_engines[GPU_WORDS_ENGINES_MAX];
    gfe_ps last_submit_ps; /* AMD only */
    uint64_t last_submit_thread;
    struct pf_lanes pces[PF_PCES], waits;
    uint64_t launches; /* track of the counter */
    uint64_t launch_count;

    struct pf_operation *operations; /* by the model's slot */
    uint32_t operation_capacity;

    struct {
        uint64_t id;
        uint32_t thread;
        bool known, flows;
    } submissions[PF_RECENT];
    struct {
        uint64_t address, flow;
        bool flows; /* the flow has begun and not ended */
    } releases[PF_RECENT];
    gfe_ps last_release_ps;
    uint32_t last_release; /* index in `releases` */
    struct {
        uint64_t id, number, channel_id;
        uint8_t kind, known;
    } ended[PF_RECENT];
    uint64_t release_count, flow_count;
    uint64_t stored_submission, stored_bytes; /* of the last CPU_STORE */
    uint32_t process_count;
    struct streams streams; /* names of a scenario's operations; empty for a recording */
};

enum { PF_WORDS_BYTES = STREAMS_NAME_BYTES };

/* Numbers of flows: of submissions, of operations, of releases. */
enum { PF_FLOW_SHIFT = 56 };
#define PF_FLOW_SUBMISSION(id) (UINT64_C(1) << PF_FLOW_SHIFT | (id))
#define PF_FLOW_OPERATION(id)  (UINT64_C(2) << PF_FLOW_SHIFT | (id))
#define PF_FLOW_RELEASE(id)    (UINT64_C(3) << PF_FLOW_SHIFT | (id))

/* ---- show_perfetto_track.c ------------------------------------------------------------------- */

/* Set the error and return false.  The message of the first names the event. */
bool show_perfetto_absurd(struct show_perfetto *show, const char *what, uint64_t number);
bool show_perfetto_no_memory(struct show_perfetto *show);
/* Returns the element with the number `id` of a table, and makes the element of `bytes` zeroes if
 * it is new.  Returns NULL with the error set on failure. */
void *show_perfetto_at(struct show_perfetto *show, void ***table, uint64_t id, size_t bytes);
/* Returns the element with the number `id` of a table, or NULL if there is none. */
static inline void *show_perfetto_find(void *const *table, uint64_t id)
{
    return table && id < PF_IDS ? table[id] : NULL;
}

/* Return the number of a name, after defining the name if the reader does not have it. */
uint64_t show_perfetto_kind_name(struct show_perfetto *show, uint32_t kind);
uint64_t show_perfetto_rule_name(struct show_perfetto *show, uint32_t rule);
uint64_t show_perfetto_name(struct show_perfetto *show, struct pf_name *name, const char *format,
                            uint64_t number);
/* Like show_perfetto_name(), but for a name that is a plain text. */
uint64_t show_perfetto_name_text(struct show_perfetto *show, struct pf_name *name,
                                 const char *text);
bool show_perfetto_names_init(struct show_perfetto *show);
/* Defines all names with fixed numbers.  Called at the beginning and after perfetto_forget(). */
void show_perfetto_names_define(struct show_perfetto *show);

/* Return the track, and make the track if it is new. */
uint64_t show_perfetto_track(struct show_perfetto *show, uint64_t *track,
                             const struct pf_place *place);
uint64_t show_perfetto_counter(struct show_perfetto *show, uint64_t *track,
                               const struct pf_place *place);
uint64_t show_perfetto_process(struct show_perfetto *show, uint32_t process);
uint64_t show_perfetto_thread_track(struct show_perfetto *show, uint64_t id);
uint64_t show_perfetto_gpu(struct show_perfetto *show);
void show_perfetto_lanes_free(struct pf_lanes *lanes);
/* Returns a lane that is free from begin_ps on, and reserves it until end_ps. */
uint64_t show_perfetto_lane(struct show_perfetto *show, struct pf_lanes *lanes,
                            const struct pf_place *place, gfe_ps begin_ps, gfe_ps end_ps);

/* Returns true if any of [begin_ps, end_ps] is in the window. */
static inline bool show_perfetto_within(const struct show_perfetto *show, gfe_ps begin_ps,
                                        gfe_ps end_ps)
{
    return show->is_whole ||
           (end_ps >= show->from_ps && begin_ps <= show->to_ps &&
            (begin_ps == end_ps || (end_ps != show->from_ps && begin_ps != show->to_ps)));
}

/* Returns true if the current time is in the window. */
static inline bool show_perfetto_here(const struct show_perfetto *show)
{
    return show->now_ps >= show->from_ps && show->now_ps <= show->to_ps;
}

/* Begin and end a slice.  The caller may add annotations to either event before perfetto_done(). */
static inline __attribute__((always_inline)) struct perfetto_event
show_perfetto_begin(struct show_perfetto *show, uint64_t track, uint64_t name, uint32_t category,
                    gfe_ps begin_ps)
{
    struct perfetto_event event = perfetto_event(&show->out, begin_ps, PERFETTO_BEGIN, track);

    perfetto_name(&event, name, category);
    perfetto_note(&event, NOTE_BEGIN, begin_ps);
    return event;
}

static inline __attribute__((always_inline)) struct perfetto_event
show_perfetto_end(struct show_perfetto *show, uint64_t track, gfe_ps begin_ps, gfe_ps end_ps)
{
    struct perfetto_event event = perfetto_event(&show->out, end_ps, PERFETTO_END, track);

    perfetto_note(&event, NOTE_DURATION, end_ps - begin_ps);
    show->slice_count++;
    return event;
}

/* Completes a slice whose begin is `event`: writes the begin, then the end. */
static inline void show_perfetto_rest(struct show_perfetto *show, struct perfetto_event *event,
                                      uint64_t track, gfe_ps begin_ps, gfe_ps end_ps)
{
    perfetto_done(&show->out, event);
    *event = show_perfetto_end(show, track, begin_ps, end_ps);
    perfetto_done(&show->out, event);
}

/* Begins an instant at the current time; the caller adds its annotations. */
struct perfetto_event show_perfetto_instant(struct show_perfetto *show, uint64_t track,
                                            uint64_t name, uint32_t category);
/* Adds the event's arguments, rule and origin. */
void show_perfetto_arguments(struct show_perfetto *show, struct perfetto_event *event);
void show_perfetto_count(struct show_perfetto *show, uint64_t track, uint64_t value);

/* ---- show_perfetto_program.c: threads and their submissions -----------------------------------
 */

struct pf_thread *show_perfetto_thread(struct show_perfetto *show, uint64_t id);
/* Returns the thread that made a submission, or PF_NONE if it is no longer remembered. */
uint32_t show_perfetto_submitter(const struct show_perfetto *show, uint64_t submission_id);
/* Adds the submission's flow to an event, unless it has ended. */
void show_perfetto_submission_flow(struct show_perfetto *show, struct perfetto_event *event,
                                   uint64_t submission_id, bool last);
/* Begins the slice of the call that makes this submission, if the call has not returned. */
void show_perfetto_submission_begin(struct show_perfetto *show, uint64_t submission_id);
void show_perfetto_submit(struct show_perfetto *show, const struct model_record *record);
void show_perfetto_submit_return(struct show_perfetto *show, const struct model_record *record);
void show_perfetto_store(struct show_perfetto *show, const struct model_record *record);
void show_perfetto_cpu_wait_begin(struct show_perfetto *show, const struct model_record *record);
void show_perfetto_cpu_wait_end(struct show_perfetto *show, const struct model_record *record);
void show_perfetto_program_finish(struct show_perfetto *show);

/* ---- show_perfetto_channel.c: channels and PBDMAs -------------------------------------------- */

/* Return the channel of the given number, and make the channel at its first use.  They return NULL
 * with the error set on failure.  show_perfetto_channel() is the fast path, for the channel that
 * was searched last. */
struct pf_channel *show_perfetto_other_channel(struct show_perfetto *show, uint64_t id);
static inline struct pf_channel *show_perfetto_channel(struct show_perfetto *show, uint64_t id)
{
    struct pf_channel *last = show->last_channel;

    return last && last->id == id ? last : show_perfetto_other_channel(show, id);
}

uint64_t show_perfetto_channel_track(struct show_perfetto *show, struct pf_channel *channel,
                                     uint64_t id);
/* Return tracks below the channel's track. */
uint64_t show_perfetto_channel_events(struct show_perfetto *show, uint64_t id);
uint64_t show_perfetto_channel_semaphores(struct show_perfetto *show, uint64_t id);
/* Begins an instant in the channel's stream. */
struct perfetto_event show_perfetto_handed(struct show_perfetto *show, uint64_t channel_id,
                                           uint64_t name);
/* Returns the submission of a GP entry, or 0 if it is not known or no longer remembered. */
uint32_t show_perfetto_entry_submission(const struct pf_channel *channel, uint64_t sequence);
void show_perfetto_bind(struct show_perfetto *show, const struct model_record *record);
void show_perfetto_driver_entry(struct show_perfetto *show, const struct model_record *record);
void show_perfetto_channel_load(struct show_perfetto *show, const struct model_record *record);
void show_perfetto_channel_save(struct show_perfetto *show, const struct model_record *record);
void show_perfetto_gp_fetch(struct show_perfetto *show, const struct model_record *record);
void show_perfetto_pb_fetch(struct show_perfetto *show, const struct model_record *record);
void show_perfetto_mem_op(struct show_perfetto *show, const struct model_record *record);
void show_perfetto_segment_end(struct show_perfetto *show, const struct model_record *record);
void show_perfetto_in_stream(struct show_perfetto *show, uint64_t channel_id);
void show_perfetto_channels_finish(struct show_perfetto *show);

/* ---- show_perfetto_table.c: operations ------------------------------------------------------- */

/* Returns what is kept of a live operation.  Valid until an operation is handed over. */
static inline struct pf_operation *show_perfetto_own(const struct show_perfetto *show,
                                                     const struct model_live *live)
{
    return &show->operations[live->slot];
}
/* Makes room for the operation that the record hands over.  Returns NULL with the error set on
 * failure. */
struct pf_operation *show_perfetto_operation_new(struct show_perfetto *show,
                                                 const struct model_record *record);
/* Returns the record's operation, or NULL with the error set if the log did not hand it over. */
const struct model_live *show_perfetto_operation(struct show_perfetto *show,
                                                 const struct model_record *record);
/* Return the number of the name of a live operation.  The second is the fast path, for a name that
 * the reader has. */
uint64_t show_perfetto_operation_name_define(struct show_perfetto *show,
                                             const struct model_live *live);
static inline uint64_t show_perfetto_operation_name(struct show_perfetto *show,
                                                    const struct model_live *live)
{
    const struct pf_name *name = &show_perfetto_own(show, live)->name;

    return name->epoch == show->out.epoch ? name->number
                                          : show_perfetto_operation_name_define(show, live);
}
/* Writes an operation's label and returns `to`.  The label is the one of the scenario's program, or
 * else "K4" by `number`. */
char *show_perfetto_operation_words(const struct show_perfetto *show,
                                    enum model_operation operation, uint64_t id, uint64_t number,
                                    char to[PF_WORDS_BYTES]);
/* Returns the channel of an operation, or UINT64_MAX if it is not known or no longer remembered. */
uint64_t show_perfetto_operation_channel(struct show_perfetto *show, enum model_operation kind,
                                         uint64_t id);
/* Returns an operation's index in show->ended. */
uint32_t show_perfetto_recent(enum model_operation kind, uint64_t id);
/* Writes an operation's label: "K1", or "launch:7" if the operation is no longer remembered. */
void show_perfetto_label(struct show_perfetto *show, enum model_operation kind, uint64_t id,
                         char *to, size_t bytes);
/* Writes an operation's name in gfe explain: "launch:7". */
void show_perfetto_operation_id(enum model_operation kind, uint64_t id, char to[PF_ID_BYTES]);

/* ---- show_perfetto_work.c: engines ----------------------------------------------------------- */

struct pf_engine *show_perfetto_engine(struct show_perfetto *show, uint64_t id);
uint64_t show_perfetto_engine_track(struct show_perfetto *show, uint64_t id);
void show_perfetto_launch(struct show_perfetto *show, const struct model_record *record);
void show_perfetto_grid_queue(struct show_perfetto *show, const struct model_record *record);
void show_perfetto_grid_dispatched(struct show_perfetto *show, const struct model_record *record);
/* Take the records of an operation of any kind. */
void show_perfetto_started(struct show_perfetto *show, const struct model_record *record);
void show_perfetto_suspended(struct show_perfetto *show, const struct model_record *record);
void show_perfetto_resumed(struct show_perfetto *show, const struct model_record *record);
void show_perfetto_ended(struct show_perfetto *show, const struct model_record *record);
void show_perfetto_dropped(struct show_perfetto *show, const struct model_record *record);
void show_perfetto_copy_queue(struct show_perfetto *show, const struct model_record *record);
void show_perfetto_work_start(struct show_perfetto *show, const struct model_record *record);
void show_perfetto_context_load(struct show_perfetto *show, const struct model_record *record);
void show_perfetto_work_finish(struct show_perfetto *show);

/* ---- show_perfetto_block.c ------------------------------------------------------------------- */

/* Returns true if show_perfetto_block_start() has nothing to do for that record: the SM is known,
 * the block has a place, its grid has a name, and no waves are counted. */
static inline bool show_perfetto_block_is_plain(const struct show_perfetto *show,
                                                const struct model_record *record)
{
    const struct pf_operation *grid = record->live ? show_perfetto_own(show, record->live) : NULL;

    return grid && grid->name.epoch == show->out.epoch && grid->waves == 0 &&
           record->sm_place != MODEL_NO_PLACE && record->block.slot < MODEL_PLACES_MAX &&
           show_perfetto_find(show->sms, record->block.sm);
}
void show_perfetto_block_start(struct show_perfetto *show, const struct model_record *record);
void show_perfetto_block_end(struct show_perfetto *show, const struct model_record *record);
void show_perfetto_blocks_finish(struct show_perfetto *show);

uint64_t show_perfetto_sm_track(struct show_perfetto *show, struct pf_sm *sm, uint32_t sm_index);

/* ---- show_perfetto_amd.c: slots, packets, waves ---------------------------------------------- */

void show_perfetto_amd_map(struct show_perfetto *show, const struct model_record *record);
void show_perfetto_amd_preempt(struct show_perfetto *show, const struct model_record *record);
void show_perfetto_amd_load(struct show_perfetto *show, const struct model_record *record);
void show_perfetto_amd_leave(struct show_perfetto *show, const struct model_record *record);
void show_perfetto_amd_save(struct show_perfetto *show, const struct model_record *record);
void show_perfetto_amd_restore(struct show_perfetto *show, const struct model_record *record);
void show_perfetto_amd_doorbell(struct show_perfetto *show, const struct model_record *record);
void show_perfetto_amd_submit(struct show_perfetto *show, const struct model_record *record);
void show_perfetto_amd_packet(struct show_perfetto *show, const struct model_record *record);
void show_perfetto_amd_packet_end(struct show_perfetto *show, const struct model_record *record);
void show_perfetto_amd_dispatch(struct show_perfetto *show, const struct model_record *record);
/* Returns the parent of an SM's or CU's track: the GPU's track, or that of its shader engine. */
uint64_t show_perfetto_sm_parent(struct show_perfetto *show, uint32_t sm_index);
/* Adds `waves`, which may be negative, to the number of waves on a CU. */
void show_perfetto_amd_waves(struct show_perfetto *show, struct pf_sm *sm, uint32_t sm_index,
                             int64_t waves);
void show_perfetto_amd_finish(struct show_perfetto *show);

/* ---- show_perfetto_wait.c: waits, semaphores, scheduling ------------------------------------- */

/* Writes a wait.  `unfinished` means that the wait is open at the end of the run. */
void show_perfetto_wait(struct show_perfetto *show, const struct model_record *record,
                        bool unfinished);
void show_perfetto_release(struct show_perfetto *show, const struct model_record *record);
/* Ends the release's flow at this event, unless the flow has ended before. */
void show_perfetto_release_flow(struct show_perfetto *show, struct perfetto_event *event,
                                uint32_t release);
void show_perfetto_acquire(struct show_perfetto *show, const struct model_record *record);
void show_perfetto_semaphore(struct show_perfetto *show, uint64_t channel_id);
void show_perfetto_tsg_start(struct show_perfetto *show, const struct model_record *record);
void show_perfetto_tsg_end(struct show_perfetto *show, const struct model_record *record);
uint64_t show_perfetto_runlist_track(struct show_perfetto *show, uint64_t id);
void show_perfetto_schedule_finish(struct show_perfetto *show);

#endif
