/* SPDX-License-Identifier: MIT */
/* System calls that a signal can interrupt before they have done anything: they are made again. */
#ifndef GFE_EMU_RETRY_H
#define GFE_EMU_RETRY_H

#include <errno.h>

/* result = call, until it is not EINTR that it failed with. */
#define RETRY(result, call)                                                                        \
    do                                                                                             \
        (result) = (call);                                                                         \
    while ((result) < 0 && errno == EINTR)

#endif
