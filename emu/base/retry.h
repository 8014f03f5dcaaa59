/* SPDX-License-Identifier: MIT */
/* System calls that a signal can interrupt before they have done anything: the call is repeated. */
#ifndef GFE_EMU_BASE_RETRY_H
#define GFE_EMU_BASE_RETRY_H

#include <errno.h>

/* Repeats result = call until it succeeds or fails with an error other than EINTR. */
#define RETRY(result, call)                                                                        \
    do                                                                                             \
        (result) = (call);                                                                         \
    while ((result) < 0 && errno == EINTR)

#endif
