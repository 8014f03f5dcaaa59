/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/base/limits.h"

bool limits_take(struct args *args, int option, struct limits *limits)
{
    switch (option) {
    case LIMITS_EVENTS:
        return args_number(args, &limits->events);
    case LIMITS_TIME:
        return args_time(args, &limits->time_ps);
    case LIMITS_MEMORY:
        return args_bytes(args, &limits->memory_bytes);
    case LIMITS_INPUT:
        return args_bytes(args, &limits->input_bytes);
    default:
        return args_bytes(args, &limits->expansion_bytes);
    }
}
