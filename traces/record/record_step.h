/* SPDX-License-Identifier: MIT */
/*
 * The steps at which a test kills a recorded process (GFE_RECORD_BREAK=die:N, the N-th step after
 * the first fork).  The library that is installed, without RECORD_BROKEN, has no such steps.
 */
#ifndef GFE_TRACES_RECORD_RECORD_STEP_H
#define GFE_TRACES_RECORD_RECORD_STEP_H

#ifdef RECORD_BROKEN
void record_step(void);
#else
static inline void record_step(void)
{
}
#endif

#endif
