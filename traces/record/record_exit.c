/* SPDX-License-Identifier: MIT */
/*
 * The ends of a process that run no destructors: what waits in the recorder's buffer (of queues
 * that the program rings itself, record_process_kfd.c) goes out before.
 */
#undef _FORTIFY_SOURCE
#include <config.h>
#undef _FILE_OFFSET_BITS

#include <stdlib.h>
#include <unistd.h>

#include "traces/record/record_preload.h"
#include "traces/record/record_process.h"

#ifdef RECORD_COVERAGE
/* Of gcov's library: writes what was counted, and begins again. */
void __gcov_dump(void);
void __gcov_reset(void);
#endif

RECORD_EXPORT _Noreturn void _exit(int status)
{
    if (!record_process_inside())
        record_process_end();
#ifdef RECORD_COVERAGE
    __gcov_dump(); /* tests/coverage.sh: no destructor does it here */
    __gcov_reset();
#endif
    record_process_real()->_exit(status);
    abort(); /* it does not come back */
}

RECORD_EXPORT _Noreturn void _Exit(int status)
{
    _exit(status);
}
