/* SPDX-License-Identifier: MIT */
/* Functions that the parts of examiner_config share.  examiner_config_spot.c takes values from the
 * JSON tree and names their place.  examiner_config_action.c reads the benchmarks' additional_info,
 * and examiner_config.c the rest. */
#ifndef GFE_TRACES_CONFIG_EXAMINER_CONFIG_SPOT_H
#define GFE_TRACES_CONFIG_EXAMINER_CONFIG_SPOT_H

#include <jansson.h>

#include "traces/config/examiner_config.h"

/* One reading. */
struct examiner_reader {
    const char *name;
    struct gfe_error *error;
    uint32_t benchmark_count, action_count; /* so far, in all */
    uint32_t depth;                         /* of configurations */
};

/* A value and its place. */
struct spot {
    struct examiner_reader *reader;
    const struct spot *up; /* NULL: the whole text */
    const char *key;       /* NULL: element `index` of an array */
    size_t index;
    const json_t *json; /* NULL: there is no such member */
};

/* Returns the object's member of that name, even if it is missing. */
struct spot spot_member(const struct spot *object, const char *key);
struct spot spot_element(const struct spot *array, size_t index);

/* Sets an error that begins with the place.  Returns false. */
bool spot_wrong(const struct spot *spot, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Sets the error that the value is not `what` ("a number of threads"), or is missing.  Returns
 * false.
 */
bool spot_is_not(const struct spot *spot, const char *what);

/* Returns true if no member, at any depth, asks for a launch from the device: device_launch,
 * device_launches or dynamic_parallelism.  Otherwise sets the error. */
bool spot_no_device_launch(const struct spot *spot);
/* Sets that error for a value that asks for such a launch.  Returns false. */
bool spot_device_launch(const struct spot *spot);

/* Checks an object whose members all have one of `keys`, which NULL ends, or begin with "comment".
 */
bool spot_object(const struct spot *spot, const char *const *keys);
/* Checks an array of at least one element, at most `highest`, and sets *count. */
bool spot_array(const struct spot *spot, size_t highest, const char *what, size_t *count);

/* Reads a whole number; 5e3 is one. */
bool spot_number(const struct spot *spot, int64_t lowest, int64_t highest, const char *what,
                 int64_t *value);
bool spot_number32(const struct spot *spot, uint32_t lowest, uint32_t highest, const char *what,
                   uint32_t *value);
bool spot_bytes(const struct spot *spot, uint64_t *bytes);
/* Reads seconds, to the nearest nanosecond.  A negative value is an error if `negative` is NULL;
 * otherwise it sets *negative, and *ps to 0. */
bool spot_seconds(const struct spot *spot, bool *negative, gfe_ps *ps);
/* Reads a string into a copy, which the caller frees. */
bool spot_string(const struct spot *spot, char **copy);
/* Reads a mask of TPCs, of up to 32 hexadecimal digits; `~` in front inverts all 128 bits. */
bool spot_mask(const struct spot *spot, struct examiner_mask *mask);

/* Read a member that may be missing; the result is then unchanged. */
bool spot_may_bool(const struct spot *object, const char *key, bool *value);
bool spot_may_seconds(const struct spot *object, const char *key, gfe_ps *ps);
bool spot_may_string(const struct spot *object, const char *key, char **copy);
bool spot_may_mask(const struct spot *object, const char *key, struct examiner_mask *mask);

/* Reads a percentage of threads that may be missing, more than 0 and up to 100, in millionths. */
bool spot_may_percentage(const struct spot *object, const char *key, uint32_t *ppm);

/* Reads a number of 32-bit words that may be missing, and converts it to bytes. */
bool spot_may_words(const struct spot *object, const char *key, uint64_t *bytes);

/* Reads the actions of a benchmark, whose other members are there already, from its
 * additional_info. Not for TASK_HOST and COSTED. */
bool examiner_actions_read(const struct spot *info, struct examiner_benchmark *benchmark);
void examiner_actions_free(struct examiner_benchmark *benchmark);

#endif
