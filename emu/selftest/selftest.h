/* SPDX-License-Identifier: MIT */
/*
 * Worlds under invariants: tries one, in a process of its own, and makes one that fails small.
 *
 * A child process makes and tries each world.  So a crash, or a run without end, is a finding like
 * any other, with its seed.
 */
#ifndef GFE_EMU_SELFTEST_SELFTEST_H
#define GFE_EMU_SELFTEST_SELFTEST_H

#include "emu/selftest/invariant.h"

enum selftest_result {
    SELFTEST_CRASH, /* the process died, or took longer than SELFTEST_SECONDS of its processor */
    SELFTEST_HOLDS,
    SELFTEST_BROKEN,  /* an invariant does not hold */
    SELFTEST_REFUSED, /* gfe refuses the program or its settings: nothing was run */
    SELFTEST_NO_TRY,  /* memory was short */
};

enum { SELFTEST_SECONDS = 20, SELFTEST_GPU_BYTES = 24 };

struct selftest_verdict {
    enum selftest_result result;
    uint32_t invariant; /* SELFTEST_BROKEN: index of invariants[] */
    enum world_kind kind;
    enum world_disturbance disturbance;
    uint64_t event_count;
    char gpu[SELFTEST_GPU_BYTES];
    char says[INVARIANT_SAYS_BYTES]; /* what is wrong; "" if all holds */
};

/* Tries a world in this process.  A crash is this process's. */
void selftest_try(const json_t *world, struct selftest_verdict *verdict);
/* Tries the world of a seed, or a world, in a child process.  Returns false with a message if no
 * process can be made. */
bool selftest_seed(uint64_t seed, struct selftest_verdict *verdict, struct gfe_error *error);
bool selftest_world(const json_t *world, struct selftest_verdict *verdict, struct gfe_error *error);
/* Takes away from a world whatever is not needed for fails() to return true, which looks at it as
 * often as `tries` says.  Returns false when memory is short. */
bool selftest_shrink_by(json_t *world, uint32_t tries,
                        bool (*fails)(void *context, const json_t *world), void *context);
/* Returns true if two sentences are the same but for their decimal numbers. */
bool selftest_says_the_same(const char *first, const char *second);
/* Takes away from a world what it does not need to fail in the same way: processes, streams,
 * kernels, register writes, faults, settings, then sizes.  The same way is the same invariant, with
 * the same sentence (selftest_says_the_same()).  *verdict is that of the world, and then
 * that of the small one.  Makes at most `tries` tries.  Returns false with a message if no process
 * can be made. */
bool selftest_shrink(json_t *world, uint32_t tries, struct selftest_verdict *verdict,
                     struct gfe_error *error);
/* Returns the name of what a verdict says: an invariant's, or "crash", "refused". */
const char *selftest_name(const struct selftest_verdict *verdict);

#endif
