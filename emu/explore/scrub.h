/* SPDX-License-Identifier: MIT */
/*
 * gfe scrub: a trace without the memory of the recorded program that no replay needs.
 *
 * A plan walks the trace's submissions as the front end would (devices/nvidia/nv_scrub.h) and marks
 * which bytes of the trace it reads as commands, addresses, counts, descriptors, semaphores and
 * conditions, also when they got where they are by inline data or copies.  The trace is then
 * written with all other bytes 0 (traces/format/scrub_write.h), both are replayed, and what their
 * event logs say is compared by hash.  If they differ, the MEM records whose zeroes change the log
 * are searched by halving and kept whole, at most SCRUB_TRIES replays long: what has not been tried
 * until then is kept too.  So the log stays the same whatever the plan missed; a trace that cannot
 * be replayed cannot be verified.
 *
 * Of layer RING (ROCm's programs) the packets, kernels' descriptors and doorbells are records of
 * their own and stay as they are.  Of its memory are kept signals and what stands in a queue's
 * amd_queue_t: where packets and completions name them.  Arguments of kernels, and their code, go.
 * Traces of other layers are refused.
 */
#ifndef GFE_DEVICES_SCRUB_H
#define GFE_DEVICES_SCRUB_H

#include "devices/nvidia/nv_scrub.h"
#include "emu/sim/simulation.h"
#include "traces/format/hash.h"
#include "emu/base/limits.h"
#include "traces/format/scrub_write.h"

enum {
    SCRUB_TRIES = 64,
    SCRUB_CHANNELS_MAX = 4096,
    SCRUB_REASON_PHYSICAL = NV_SCRUB_REASONS, /* MEM by physical address */
    SCRUB_REASON_COMPLETION,                  /* what replay looks completion values up in */
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
    const char *gpu; /* to replay on; NULL: the one that the trace names */
    const struct limits *limits;
    bool keep_host, unverified;
    FILE *strings; /* NULL: strings that are left are not listed */
};

struct scrub_report {
    struct scrub_totals totals;
    char log_hash[HASH_HEX_BYTES]; /* of events and totals, before and after; "" if not verified */
    uint32_t tries;                /* replays of scrubbed traces */
    uint64_t kept_records;         /* MEM records kept whole, because the log would change */
};

/* Reads the whole trace.  False with a message; scrub_plan_fini() in any case. */
bool scrub_plan_make(struct scrub_plan *plan, const char *path, const struct limits *limits,
                     struct gfe_error *error);
void scrub_plan_fini(struct scrub_plan *plan);
/* Writes the scrubbed trace to `fd`, an empty file that can be read and truncated, and verifies it.
 * `name` is for messages. */
bool scrub_apply(const struct scrub_plan *plan, const char *path,
                 const struct scrub_options *options, int fd, const char *name,
                 struct scrub_report *report, struct gfe_error *error);
/* What a replay of the trace logs: the hash of events and totals, as gfe hash --events has it. */
bool scrub_log_hash(const char *path, const struct scrub_options *options, char hex[HASH_HEX_BYTES],
                    struct gfe_error *error);

#endif
