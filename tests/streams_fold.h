/* SPDX-License-Identifier: MIT */
/* Feeds streams (emu/analysis/streams.h) from a model, and nothing else. */
#ifndef TESTS_STREAMS_FOLD_H
#define TESTS_STREAMS_FOLD_H

#include "emu/analysis/streams.h"

/* Passes a record to streams_take(), as a listener for model_init().  `streams` is a struct
 * streams. */
static inline bool streams_fold(void *streams, const struct model_record *record)
{
    return streams_take(streams, record);
}

#endif
