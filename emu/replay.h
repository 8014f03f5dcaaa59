/* SPDX-License-Identifier: MIT */
/*
 * Replay: the recorded program, as a unit of the machine.
 *
 * A trace is read whole into an immutable replay_input; what changes (how far each thread is) lies in
 * the arena.  Each thread's records run in their order.  Closed loop: a record runs when the one
 * before it has returned and the recorded think time has passed, and a wait lasts until the emulated
 * GPU has done what the program waited for, so a slower GPU slows the program.  Open loop: records
 * run at their recorded times, waits are passed over.  Records that make or end resources also keep
 * the recording's order across threads.
 *
 * Waits: recorded ones (CPU_WAIT) wait for the driver's fence of the last submission before them.
 * When a recording has none of calls, a submission waits for the last completion that the program
 * could see at it (INFERRED).  GPU_WRITE records are never applied: they are the completion values
 * that the replay is checked against.
 */
#ifndef GFE_EMU_REPLAY_H
#define GFE_EMU_REPLAY_H

#include "emu/digest.h"
#include "emu/driver.h"
#include "emu/machine.h"
#include "traces/trace.h"

enum { REPLAY_THREADS_MAX = 256, REPLAY_CHANNELS_MAX = 256 };

/* A completion value that the recording ended with. */
struct replay_fence {
    uint32_t channel_id;
    uint32_t value;
    uint64_t address;
};

struct replay_record {
    struct trace_record record;
    uint32_t thread_index;
    uint32_t resources_before; /* resource records with a lower sequence */
};

struct replay_input {
    char *path;
    char hash[DIGEST_HEX_BYTES]; /* identity of the trace (emu/hash.h) */
    struct trace_meta meta;
    char gpu[64], driver[64];
    struct replay_record *records;
    uint32_t record_count;
    uint32_t *thread_records[REPLAY_THREADS_MAX]; /* numbers of each thread's records */
    uint32_t thread_record_count[REPLAY_THREADS_MAX];
    uint32_t thread_count;
    struct replay_fence *fences;
    uint32_t fence_count;
    uint32_t channels[REPLAY_CHANNELS_MAX]; /* ids that occur */
    uint32_t channel_count;
    uint32_t submission_count, recorded_wait_count;
    bool has_call_waits;
    struct replay_block *blocks; /* memory behind the records */
    uint64_t bytes;
};

/* Reads a trace ("-" is standard input).  NULL and a clear message on failure. */
struct replay_input *replay_load(const char *path, struct gfe_error *error);
void replay_input_free(struct replay_input *input);

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
    uint32_t next;       /* position in the thread's records */
    uint64_t last_ns;    /* recorded time of the end of the last record */
    gfe_ps ready_ps;     /* emulated time of that end */
    gfe_ps wait_from_ps;
    uint64_t wait_id;
    struct driver_fence fence; /* what it waits for */
    uint32_t wait_rule;
    uint32_t kernel_wait; /* 1: sleeps in the kernel, woken by the interrupt handler */
    uint32_t inferred_done; /* the next submission's inferred wait is over */
    uint32_t reserved;
    uint64_t stored_bytes; /* since the last submission */
};

struct replay_state {
    uint32_t resources_done;
    uint32_t threads_done;
    uint64_t next_wait_id;
    uint32_t recorded_waits, inferred_waits;
    uint32_t fences_checked, fences_reached;
    struct replay_thread threads[REPLAY_THREADS_MAX];
};
GFE_STATE_END

struct replay {
    struct machine *machine;
    const struct replay_input *input;
    struct driver driver;
    bool open_loop;
    uint32_t unit;
    struct replay_state *state;
    uint8_t *fence_checked; /* in the arena, one per input->fences */
};

/* Joins a machine that is being wired. */
struct replay *replay_new(struct machine *machine, const struct replay_input *input,
                          struct driver driver, bool open_loop, struct gfe_error *error);
/* After the machine's last event; the input stays the caller's. */
void replay_free(struct replay *replay);
/* For the driver model: where it calls back, and its view of the records. */
struct driver_client replay_client(struct replay *replay);
const struct trace_submit *replay_submit_record(void *replay, uint32_t record_index);
/* Looks the remaining completion values up, logs them and RUN_END.  Call when nothing is left. */
void replay_end(struct replay *replay);

#endif
