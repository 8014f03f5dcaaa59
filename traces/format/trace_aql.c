/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/format/trace_aql.h"

#include <string.h>

enum { AQL_BYTES = 64, AT_FORMAT = 2, AT_SIGNALS = 8, AT_COMPLETION = 56, IN_SIGNAL = 8 };
enum { AQL_VENDOR = 0, AQL_INVALID = 1, AQL_BARRIER_AND = 3, AQL_BARRIER_OR = 5 };
enum { FORMAT_BARRIER_VALUE = 2 };

static uint64_t aql_word(const uint8_t *at)
{
    uint64_t word;

    memcpy(&word, at, sizeof word);
    return word;
}

uint32_t trace_aql(const uint8_t *data, uint32_t bytes, uint64_t waits[TRACE_AQL_WAITS_MAX],
                   bool *completes)
{
    uint32_t signals = 0, count = 0;

    *completes = false;
    if (bytes < AQL_BYTES || data[0] == AQL_INVALID)
        return 0;
    *completes = aql_word(data + AT_COMPLETION) != 0;
    if (data[0] == AQL_BARRIER_AND || data[0] == AQL_BARRIER_OR)
        signals = TRACE_AQL_WAITS_MAX;
    else if (data[0] == AQL_VENDOR && data[AT_FORMAT] == FORMAT_BARRIER_VALUE)
        signals = 1;
    for (uint32_t i = 0; i < signals; i++) {
        const uint64_t signal = aql_word(data + AT_SIGNALS + i * sizeof signal);

        if (signal != 0)
            waits[count++] = signal + IN_SIGNAL;
    }
    return count;
}
