/* SPDX-License-Identifier: MIT */
/*
 * Replay: the recorded program, as a unit of the machine.
 *
 * A trace is read once from front to end, which checks it and gathers what must be known in
 * advance; the records stay on disk and are decoded when their time comes
 * (traces/format/trace_store.h), so that memory does not grow with the trace.  What changes (how
 * far each thread is) lies in the arena.  Each thread's records run in their order.  Closed loop: a
 * record runs when the one before it has returned and the recorded think time has passed, and a
 * wait lasts until the emulated GPU has done what the program waited for, so a slower GPU slows the
 * program.  Open loop: records run at their recorded times, waits are passed over.  Records that
 * make or end resources also keep the recording's order across threads.
 *
 * Waits: recorded ones (CPU_WAIT) wait for the driver's fence of the last submission before them,
 * or (SYNCOBJ_WAIT) for what their synchronisation objects stand for.
 * When a recording has none of calls, a submission waits for the last completion that the program
 * could see at it (INFERRED).  GPU_WRITE records are never applied: they are the completion values
 * that the replay is checked against.
 */
#ifndef GFE_EMU_REPLAY_H
#define GFE_EMU_REPLAY_H

#include "firmware-models/driver.h"
#include "emu/base/digest.h"
#include "emu/engine/machine.h"
#include "emu/replay/replay_records.h"
#include "traces/format/trace.h"

enum { REPLAY_THREADS_MAX = 256, REPLAY_CHANNELS_MAX = 256 };

/* A completion value that the recording ended with. */
struct replay_fence {
    uint32_t channel_id;
    uint32_t value;
    uint64_t address;
    uint32_t write_count; /* of that place, in the recording */
    uint32_t as_id;       /* of the channel */
    uint64_t end_number;  /* of the record that ends the channel, REPLAY_NO_RECORD = none does */
};

/* A thread of the recorded program, by the recording machine's numbers. */
struct replay_program_thread {
    uint32_t process_id, thread_id;
};

/* Of a segment of the trace (traces/format/trace_store.h). */
struct replay_segment {
    uint64_t threads[REPLAY_THREADS_MAX / 64]; /* bit set: the thread has records in it */
    uint64_t resources_before;                 /* resource records in front of it */
};

struct replay_input {
    char *path; /* "standard input" for "-" */
    struct trace_meta meta;
    char gpu[64], driver[64];
    char hash[DIGEST_HEX_BYTES]; /* the trace's identity */
    struct trace_store *store;
    struct replay_segment *segments; /* one for each of the store's */
    uint32_t segment_capacity;
    struct replay_program_thread threads[REPLAY_THREADS_MAX];
    uint32_t thread_count;
    struct replay_fence *fences; /* by address, then channel */
    uint32_t fence_count;
    uint32_t channels[REPLAY_CHANNELS_MAX]; /* ids that occur */
    uint32_t channel_count;
    uint64_t submission_count, recorded_wait_count;
    bool has_call_waits;
    struct replay_needs *needs; /* of layer RING */
    uint32_t space_count;       /* address spaces, by their highest number */
    uint8_t layer;              /* enum trace_layer that replay drives; 0: no client says */
};

/* Reads a trace ("-" is standard input) for the first time and keeps it open.  What is no regular
 * file is copied into a file without a name in $TMPDIR or /tmp.  NULL and a clear message on
 * failure. */
struct replay_input *replay_load(const char *path, struct gfe_error *error);
/* The same of a trace that unpacks to at most so many bytes. */
struct replay_input *replay_load_within(const char *path, uint64_t unpacked_bytes,
                                        struct gfe_error *error);
void replay_input_free(struct replay_input *input);

/* How a thread waits. */
enum replay_sleep {
    REPLAY_POLLS,       /* it sees the fence's word change */
    REPLAY_SLEEPS,      /* in the kernel for the fence, woken by the interrupt handler */
    REPLAY_SLEEPS_SYNC, /* likewise, until the driver says that its record's wait is over */
};

enum replay_thread_phase {
    REPLAY_READY,   /* its next record is due at ready_ps */
    REPLAY_CALLS,   /* in the driver */
    REPLAY_WAITS,   /* for a fence */
    REPLAY_ORDERED, /* for records of other threads */
    REPLAY_DONE,
};

GFE_STATE_BEGIN
struct replay_thread {
    uint32_t phase;
    uint32_t reserved;
    uint64_t next;             /* number of its next record, REPLAY_NO_RECORD when it has none */
    uint64_t resources_before; /* resource records in front of that */
    uint64_t last_ns;          /* recorded time of the end of the last record */
    gfe_ps ready_ps;           /* emulated time of that end */
    gfe_ps wait_from_ps;
    uint64_t wait_id;
    struct driver_fence fence; /* what it waits for */
    uint32_t wait_rule;
    uint32_t kernel_wait;   /* enum replay_sleep */
    uint32_t inferred_done; /* the next submission's inferred wait is over */
    uint32_t packets;       /* layer RING: put into rings since its last doorbell */
    uint64_t stored_bytes;  /* since the last submission */
};

struct replay_state {
    uint64_t resources_done;
    uint32_t threads_done;
    uint32_t doorbells; /* rung, at layer RING */
    uint64_t next_wait_id;
    uint32_t recorded_waits, inferred_waits;
    uint32_t fences_checked, fences_reached;
    struct replay_thread threads[REPLAY_THREADS_MAX];
};
GFE_STATE_END

/* What a thread's next record says, while that is in the driver. */
struct replay_held {
    uint64_t number; /* of the record, REPLAY_NO_RECORD: nothing */
    struct trace_record record;
    struct trace_scratch scratch;
};

struct replay {
    struct machine *machine;
    const struct replay_input *input;
    struct driver driver;
    bool open_loop;
    uint32_t unit;
    struct replay_state *state;
    /* In the arena, one per input->fences (emu/replay/replay_check.h): */
    uint8_t *fence_flags;
    uint32_t *fence_releases;
    uint32_t *written;    /* one per place of input->needs: completion values of the emulated GPU */
    uint32_t space_count; /* to look through: input's */
    /* Found again from the state when it was restored: */
    struct trace_place places[REPLAY_THREADS_MAX]; /* of the threads' next records */
    struct replay_held held[REPLAY_THREADS_MAX];   /* calls and waits */
    struct trace_record record;                    /* the last of another kind */
    struct trace_scratch scratch;
};

/* Joins a machine that is being wired.  Without driver.ops the input is of layer BUS, and nobody
 * drives the GPU but its records (emu/replay/replay_bus.h). */
struct replay *replay_new(struct machine *machine, const struct replay_input *input,
                          struct driver driver, bool open_loop, struct gfe_error *error);
/* After the machine's last event; the input stays the caller's. */
void replay_free(struct replay *replay);
/* For the driver model: where it calls back, and its view of the records: that of the call which a
 * thread is in, or a MARK when the trace cannot be read any more and the run stops. */
struct driver_client replay_client(struct replay *replay);
const struct trace_record *replay_call_record(void *replay, uint32_t thread_index);
/* Looks the remaining completion values up, logs them and RUN_END.  Call when nothing is left. */
void replay_end(struct replay *replay);

#endif
