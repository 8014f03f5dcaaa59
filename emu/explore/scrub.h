/* SPDX-License-Identifier: MIT */
/*
 * gfe scrub: removes the memory of the recorded program that no replay needs from a trace.
 *
 * A plan walks the trace's submissions as the front end would (devices/nvidia/nv_scrub.h).  It
 * marks the bytes that the front end reads as commands, addresses, counts, descriptors, semaphores
 * and conditions, even if inline data or copies put them there.  The trace is then written with all
 * other bytes 0 (traces/format/scrub_write.h).  Both traces are replayed, and their event logs are
 * compared by hash.  If they differ, the MEM records whose zeroes change the log are searched by
 * halving, and are kept whole.  The search makes at most SCRUB_TRIES replays; records that it has
 * not tried are kept too.  So the log stays the same even if the plan missed bytes.  A trace that
 * cannot be replayed cannot be verified.
 *
 * At layer RING (ROCm's programs) the packets, kernels' descriptors and doorbells are records of
 * their own and stay as they are.  Of its memory, signals and the contents of a queue's amd_queue_t
 * are kept where packets and completions name them.  Arguments of kernels, and their code, are
 * removed.  Traces of other layers are refused.
 */
#ifndef GFE_EMU_EXPLORE_SCRUB_H
#define GFE_EMU_EXPLORE_SCRUB_H

#include "devices/nvidia/nv_scrub.h"
#include "emu/sim/simulation.h"
#include "traces/format/hash.h"
#include "emu/base/limits.h"
#include "traces/format/scrub_write.h"

enum {
    SCRUB_TRIES = 64,
    SCRUB_CHANNELS_MAX = 4096,
    SCRUB_REASON_PHYSICAL = NV_SCRUB_REASONS, /* MEM by physical address */
    SCRUB_REASON_COMPLETION, /* memory in which replay looks up completion values */
    SCRUB_REASONS
};

struct scrub_channel;

struct scrub_plan {
    struct scrub_origin origin;
    struct scrub_channel **channels;
    uint32_t channel_count;
    uint64_t copies_unfollowed;
    uint8_t layer;   /* enum trace_layer; 0: no client yet */
    bool keeps_data; /* the stream checks its own CRC: no method's data may change */
};

struct scrub_options {
    const char
        *gpu; /* name of the GPU that replays the trace, or NULL for the one that the trace names */
    const struct gpu *described; /* that GPU, if a file describes it; else NULL */
    const struct limits *limits;
    bool keep_host, unverified;
    FILE *strings;                /* gets a list of the strings that are left; may be NULL */
    struct simulation_pool *pool; /* of the replays (emu/sim/simulation_base.h); may be NULL */
};

struct scrub_report {
    struct scrub_totals totals;
    char log_hash[HASH_HEX_BYTES]; /* of events and totals, before and after; "" if not verified */
    uint32_t tries;                /* replays of scrubbed traces */
    uint64_t kept_records;         /* MEM records kept whole, because the log would change */
};

/* Reads the whole trace and makes the plan.  Returns false with a message on error.  Call
 * scrub_plan_fini() in any case. */
bool scrub_plan_make(struct scrub_plan *plan, const char *path, const struct limits *limits,
                     struct gfe_error *error);
void scrub_plan_fini(struct scrub_plan *plan);
/* Writes the scrubbed trace to `fd`, an empty file that can be read and truncated, and verifies it.
 * `name` is for messages.  Returns false with a message on error. */
bool scrub_apply(const struct scrub_plan *plan, const char *path,
                 const struct scrub_options *options, int fd, const char *name,
                 struct scrub_report *report, struct gfe_error *error);
/* Replays the trace and writes the hash of its log's events and totals, as gfe hash --events has
 * it. Returns false with a message on error. */
bool scrub_log_hash(const char *path, const struct scrub_options *options, char hex[HASH_HEX_BYTES],
                    struct gfe_error *error);

#endif
