/* SPDX-License-Identifier: MIT */
/*
 * Replay: the recorded program, as a unit of the machine.
 *
 * A trace is read once from beginning to end.  That pass checks it and gathers the data that the
 * replay needs in advance.  The records stay on disk and are decoded when their time comes
 * (traces/format/trace_store.h), so that memory does not grow with the trace.  The progress of each
 * thread lies in the arena.  Each thread's records run in their order.
 *
 * In closed loop a record runs when the record before it has returned and the recorded think time
 * has passed.  A wait lasts until the emulated GPU has done the work that the program waited for,
 * so a slower GPU slows the program.  In open loop records run at their recorded times, and waits
 * are skipped.  Records that make or end resources also keep the recording's order across threads.
 *
 * A recorded CPU_WAIT waits for the driver's fence of the last submission before it; a SYNCOBJ_WAIT
 * waits for the jobs of its synchronisation objects.  If a recording has no waits of calls, a
 * submission waits for the last completion that the program could see at that time (INFERRED).
 * GPU_WRITE records are never applied: they are the completion values that the replay is checked
 * against.
 */
#ifndef GFE_EMU_REPLAY_REPLAY_H
#define GFE_EMU_REPLAY_REPLAY_H

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
    uint32_t write_count; /* writes to that place in the recording */
    uint32_t as_id;       /* of the channel */
    uint64_t end_number;  /* of the record that ends the channel; REPLAY_NO_RECORD = none */
};

/* A thread of the recorded program, by the recording machine's numbers. */
struct replay_program_thread {
    uint32_t process_id, thread_id;
};

/* Data of a segment of the trace (traces/format/trace_store.h). */
struct replay_segment {
    uint64_t threads[REPLAY_THREADS_MAX / 64]; /* bit set: the thread has records in it */
    uint64_t resources_before;                 /* resource records before it */
};

/* META's recorder in the traces of gfe import raw. */
#define REPLAY_CAPTURE_RECORDER "gfe import raw"

struct replay_input {
    char *path; /* "standard input" for "-" */
    struct trace_meta meta;
    char gpu[64], driver[64];
    bool is_capture; /* made of a stream that was captured (gfe import raw), not recorded by gfe */
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

/* Reads a trace ("-" is standard input) for the first time and keeps it open.  Input that is not a
 * regular file is copied into a file without a name in $TMPDIR or /tmp.  Returns an input that the
 * caller frees, or NULL with a message. */
struct replay_input *replay_load(const char *path, struct gfe_error *error);
/* Like replay_load(), but refuses a trace that unpacks to more than `unpacked_bytes`. */
struct replay_input *replay_load_within(const char *path, uint64_t unpacked_bytes,
                                        struct gfe_error *error);
void replay_input_free(struct replay_input *input);

/* How a thread waits. */
enum replay_sleep {
    REPLAY_POLLS,       /* the thread polls the fence's word */
    REPLAY_SLEEPS,      /* it sleeps in the kernel for the fence; the interrupt handler wakes it */
    REPLAY_SLEEPS_SYNC, /* it sleeps until the driver says that its record's wait is over */
};

enum replay_thread_phase {
    REPLAY_READY,   /* its next record is due at ready_ps */
    REPLAY_CALLS,   /* in the driver */
    REPLAY_WAITS,   /* for a fence */
    REPLAY_ORDERED, /* waits for records of other threads */
    REPLAY_DONE,
};

GFE_STATE_BEGIN
struct replay_thread {
    uint32_t phase;
    uint32_t reserved;
    uint64_t next;             /* number of its next record; REPLAY_NO_RECORD = none */
    uint64_t resources_before; /* resource records before that */
    uint64_t last_ns;          /* recorded time of the end of the last record */
    gfe_ps ready_ps;           /* emulated time of that end */
    gfe_ps wait_from_ps;
    uint64_t wait_id;
    struct driver_fence fence; /* what it waits for */
    uint32_t wait_rule;
    uint32_t kernel_wait;   /* enum replay_sleep */
    uint32_t inferred_done; /* the next submission's inferred wait is over */
    uint32_t packets;       /* layer RING: packets put into rings since its last doorbell */
    uint64_t stored_bytes;  /* since the last submission */
};

struct replay_state {
    uint64_t resources_done;
    uint32_t threads_done;
    uint32_t doorbells; /* doorbells rung, at layer RING */
    uint64_t next_wait_id;
    uint32_t recorded_waits, inferred_waits;
    uint32_t fences_checked, fences_reached;
    struct replay_thread threads[REPLAY_THREADS_MAX];
};
GFE_STATE_END

/* A thread's next record, decoded, while the thread is in the driver. */
struct replay_held {
    uint64_t number; /* of the record; REPLAY_NO_RECORD = none */
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
    uint32_t space_count; /* address spaces to search: the input's */
    /* Rebuilt from the state after a restore: */
    struct trace_place places[REPLAY_THREADS_MAX]; /* of the threads' next records */
    struct replay_held held[REPLAY_THREADS_MAX];   /* calls and waits */
    struct trace_record record;                    /* the last of another kind */
    struct trace_scratch scratch;
};

/* Adds the replay to a machine that is being wired.  Without driver.ops the input is of layer BUS,
 * and only its records drive the GPU (emu/replay/replay_bus.h).  Returns NULL with a message on
 * error. */
struct replay *replay_new(struct machine *machine, const struct replay_input *input,
                          struct driver driver, bool open_loop, struct gfe_error *error);
/* Frees the replay after the machine's last event.  The input stays the caller's. */
void replay_free(struct replay *replay);
/* Return the callbacks for the driver model, and the record of the call that a thread is in.  A
 * MARK means that the trace can no longer be read and the run stops. */
struct driver_client replay_client(struct replay *replay);
const struct trace_record *replay_call_record(void *replay, uint32_t thread_index);
/* Looks the remaining completion values up, logs them and RUN_END.  Call it when no event is left.
 */
void replay_end(struct replay *replay);

#endif
