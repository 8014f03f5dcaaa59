/* SPDX-License-Identifier: MIT */
/* The parts of examiner_config among themselves: examiner_config_spot.c takes values out of the
 * JSON tree and names their place, examiner_config_action.c reads what the benchmarks take as
 * additional_info, examiner_config.c all else. */
#ifndef GFE_TRACES_EXAMINER_CONFIG_SPOT_H
#define GFE_TRACES_EXAMINER_CONFIG_SPOT_H

#include <jansson.h>

#include "traces/config/examiner_config.h"

/* One reading. */
struct examiner_reader {
    const char *name;
    struct gfe_error *error;
    uint32_t benchmark_count, action_count; /* so far, in all */
    uint32_t depth;                         /* of configurations */
};

/* A value and where it stands. */
struct spot {
    struct examiner_reader *reader;
    const struct spot *up; /* NULL: the whole text */
    const char *key;       /* NULL: element `index` of an array */
    size_t index;
    const json_t *json; /* NULL: there is no such member */
};

/* The object's member of that name, there or not. */
struct spot spot_member(const struct spot *object, const char *key);
struct spot spot_element(const struct spot *array, size_t index);

/* An error with the place in front.  Always false. */
bool spot_wrong(const struct spot *spot, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The error that the value is not `what` ("a number of threads"), or missing.  Always false. */
bool spot_is_not(const struct spot *spot, const char *what);

/* True when nothing in it, at any depth, is a member by which a configuration would ask for a
 * launch from the device: device_launch, device_launches or dynamic_parallelism.  Else the error.
 */
bool spot_no_device_launch(const struct spot *spot);
/* That error, for what asks for one.  Always false. */
bool spot_device_launch(const struct spot *spot);

/* An object whose members all have one of `keys` (ends in NULL) or begin with "comment". */
bool spot_object(const struct spot *spot, const char *const *keys);
/* An array of at least one element, at most `highest`. */
bool spot_array(const struct spot *spot, size_t highest, const char *what, size_t *count);

/* A whole number; 5e3 is one. */
bool spot_number(const struct spot *spot, int64_t lowest, int64_t highest, const char *what,
                 int64_t *value);
bool spot_number32(const struct spot *spot, uint32_t lowest, uint32_t highest, const char *what,
                   uint32_t *value);
bool spot_bytes(const struct spot *spot, uint64_t *bytes);
/* Seconds, to the nearest nanosecond. Negative ones are an error, or with `negative` say so there
 * and are 0. */
bool spot_seconds(const struct spot *spot, bool *negative, gfe_ps *ps);
/* A copy, which the caller frees. */
bool spot_string(const struct spot *spot, char **copy);
bool spot_mask(const struct spot *spot, uint64_t *mask);

/* The same for what may be missing: *value stays as it is then. */
bool spot_may_bool(const struct spot *object, const char *key, bool *value);
bool spot_may_seconds(const struct spot *object, const char *key, gfe_ps *ps);
bool spot_may_string(const struct spot *object, const char *key, char **copy);
bool spot_may_mask(const struct spot *object, const char *key, uint64_t *mask);

/* A percentage of threads that may be missing, more than 0 and up to 100, in millionths. */
bool spot_may_percentage(const struct spot *object, const char *key, uint32_t *ppm);

/* A number of 32-bit words that may be missing, in bytes. */
bool spot_may_words(const struct spot *object, const char *key, uint64_t *bytes);

/* The actions of a benchmark, whose other members are there already, from its additional_info.  Not
 * for TASK_HOST and COSTED. */
bool examiner_actions_read(const struct spot *info, struct examiner_benchmark *benchmark);
void examiner_actions_free(struct examiner_benchmark *benchmark);

#endif
