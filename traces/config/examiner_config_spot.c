/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/config/examiner_config_spot.h"
#include "emu/base/visible.h"

enum {
    PATH_BYTES = 300,
    VALUE_BYTES = 60,
    MASK_DIGITS_MAX = 32,
};
/* Seconds whose picoseconds are below GFE_PS_NEVER. */
#define SECONDS_END INT64_C(18446744)

struct spot spot_member(const struct spot *object, const char *key)
{
    return (struct spot){
        .reader = object->reader,
        .up = object,
        .key = key,
        .json = json_object_get(object->json, key),
    };
}

struct spot spot_element(const struct spot *array, size_t index)
{
    return (struct spot){
        .reader = array->reader,
        .up = array,
        .index = index,
        .json = json_array_get(array->json, index),
    };
}

/* ---- what is wrong, and where ---------------------------------------------------------------- */

/* Writes the path to `text`; returns its length.  What has no room is left out. */
static size_t spot_path(const struct spot *spot, char text[PATH_BYTES])
{
    size_t used;
    int more;

    text[0] = '\0';
    if (!spot->up)
        return 0;
    used = spot_path(spot->up, text);
    if (spot->key)
        more = snprintf(text + used, PATH_BYTES - used, "%s%.40s", used ? "." : "", spot->key);
    else
        more = snprintf(text + used, PATH_BYTES - used, "[%zu]", spot->index);
    used += (size_t)more;
    return used < PATH_BYTES ? used : PATH_BYTES - 1;
}

bool spot_wrong(const struct spot *spot, const char *format, ...)
{
    char path[PATH_BYTES], text[300];
    va_list arguments;
    const size_t length = spot_path(spot, path);

    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return error_set(spot->reader->error, ERROR_INPUT, "%s: %s%s%s", spot->reader->name, path,
                     length ? ": " : "", text);
}

/* The value as a message has it. */
static const char *value_text(const json_t *json, char text[VALUE_BYTES])
{
    switch (json_typeof(json)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return json_array_size(json) == 0 ? "an empty array" : "an array";
    case JSON_STRING:
        (void)snprintf(text, VALUE_BYTES, "'%.40s'", json_string_value(json));
        return text;
    case JSON_INTEGER:
        (void)snprintf(text, VALUE_BYTES, "%" JSON_INTEGER_FORMAT, json_integer_value(json));
        return text;
    case JSON_REAL:
        (void)snprintf(text, VALUE_BYTES, "%.12g", json_real_value(json));
        return text;
    case JSON_TRUE:
        return "true";
    case JSON_FALSE:
        return "false";
    case JSON_NULL:
        break;
    }
    return "null";
}

bool spot_is_not(const struct spot *spot, const char *what)
{
    char text[VALUE_BYTES];

    if (!spot->json)
        return spot_wrong(spot, "is missing");
    return spot_wrong(spot, "%s is not %s", value_text(spot->json, text), what);
}

/* ---- launches from the device ---------------------------------------------------------------- */

bool spot_device_launch(const struct spot *spot)
{
    return spot_wrong(spot, "device-side launches are not modelled: kernels are launched by host "
                            "threads only, not by kernels (CUDA dynamic parallelism)");
}

static bool key_of_device_launch(const char *key)
{
    return strcmp(key, "device_launch") == 0 || strcmp(key, "device_launches") == 0 ||
           strcmp(key, "dynamic_parallelism") == 0;
}

/* As deep as the parser lets a text be. */
bool spot_no_device_launch(const struct spot *spot)
{
    void *at;

    for (size_t i = 0; i < json_array_size(spot->json); i++) {
        const struct spot element = spot_element(spot, i);

        if (!spot_no_device_launch(&element))
            return false;
    }
    if (!json_is_object(spot->json))
        return true;
    at = json_object_iter((json_t *)(uintptr_t)spot->json);
    while (at) {
        const struct spot member = spot_member(spot, json_object_iter_key(at));

        if (key_of_device_launch(member.key))
            return spot_device_launch(&member);
        if (strncmp(member.key, "comment", strlen("comment")) != 0 &&
            !spot_no_device_launch(&member))
            return false;
        at = json_object_iter_next((json_t *)(uintptr_t)spot->json, at);
    }
    return true;
}

/* ---- objects and arrays ---------------------------------------------------------------------- */

static bool key_known(const char *key, const char *const *keys)
{
    if (strncmp(key, "comment", strlen("comment")) == 0)
        return true;
    while (*keys)
        if (strcmp(key, *keys++) == 0)
            return true;
    return false;
}

bool spot_object(const struct spot *spot, const char *const *keys)
{
    void *at;

    if (!json_is_object(spot->json))
        return spot_is_not(spot, "an object");
    /* json_object_iter() wants to be able to change it. */
    at = json_object_iter((json_t *)(uintptr_t)spot->json);
    while (at) {
        const char *key = json_object_iter_key(at);

        if (!key_known(key, keys)) {
            const struct spot member = spot_member(spot, key);
            return spot_wrong(&member, "there is no such setting");
        }
        at = json_object_iter_next((json_t *)(uintptr_t)spot->json, at);
    }
    return true;
}

bool spot_array(const struct spot *spot, size_t highest, const char *what, size_t *count)
{
    *count = json_array_size(spot->json);
    if (*count == 0)
        return spot_is_not(spot, what);
    if (*count > highest)
        return spot_wrong(spot, "%zu elements are more than %zu", *count, highest);
    return true;
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* A real that is a whole number within 2^53, where each has its own double. */
static bool real_whole(double real, int64_t *value)
{
    const double end = 9007199254740992.0;

    if (real <= -end || real >= end)
        return false;
    *value = (int64_t)real;
    return (double)*value == real;
}

bool spot_number(const struct spot *spot, int64_t lowest, int64_t highest, const char *what,
                 int64_t *value)
{
    int64_t number = 0;

    if (json_is_integer(spot->json))
        number = json_integer_value(spot->json);
    else if (!json_is_real(spot->json) || !real_whole(json_real_value(spot->json), &number))
        return spot_is_not(spot, what);
    if (number < lowest)
        return spot_is_not(spot, what);
    if (number > highest)
        return spot_wrong(spot, "%" PRId64 " is more than %" PRId64, number, highest);
    *value = number;
    return true;
}

bool spot_number32(const struct spot *spot, uint32_t lowest, uint32_t highest, const char *what,
                   uint32_t *value)
{
    int64_t wide = 0;
    const bool good = spot_number(spot, lowest, highest, what, &wide);

    *value = (uint32_t)wide;
    return good;
}

bool spot_bytes(const struct spot *spot, uint64_t *bytes)
{
    int64_t value = 0;
    const bool good =
        spot_number(spot, 0, (int64_t)EXAMINER_BYTES_MAX, "a number of bytes", &value);

    *bytes = (uint64_t)value;
    return good;
}

bool spot_may_words(const struct spot *object, const char *key, uint64_t *bytes)
{
    const struct spot spot = spot_member(object, key);
    int64_t value = 0;

    if (!spot.json)
        return true;
    if (!spot_number(&spot, 0, INT32_MAX, "a number of 32-bit words", &value))
        return false;
    *bytes = (uint64_t)value * 4;
    return true;
}

/* A double has nanoseconds right up to 2^22 seconds: whole seconds and the rest each by itself. */
static gfe_ps real_ps(double seconds)
{
    const uint64_t whole = (uint64_t)seconds;
    const uint64_t ns = (uint64_t)((seconds - (double)whole) * 1e9 + 0.5);

    return whole * GFE_PS_PER_S + ns * GFE_PS_PER_NS;
}

bool spot_seconds(const struct spot *spot, bool *negative, gfe_ps *ps)
{
    const double seconds = json_number_value(spot->json);

    if (!json_is_number(spot->json) || (seconds < 0 && !negative))
        return spot_is_not(spot, "a number of seconds");
    if (seconds >= (double)SECONDS_END)
        return spot_wrong(spot, "%.12g seconds are more than gfe can count", seconds);
    if (negative)
        *negative = seconds < 0;
    *ps = seconds < 0 ? 0 : real_ps(seconds);
    return true;
}

bool spot_may_seconds(const struct spot *object, const char *key, gfe_ps *ps)
{
    const struct spot spot = spot_member(object, key);
    bool negative;

    return !spot.json || spot_seconds(&spot, &negative, ps);
}

bool spot_may_bool(const struct spot *object, const char *key, bool *value)
{
    const struct spot spot = spot_member(object, key);

    if (!spot.json)
        return true;
    if (!json_is_boolean(spot.json))
        return spot_is_not(&spot, "true or false");
    *value = json_is_true(spot.json);
    return true;
}

/* ---- strings --------------------------------------------------------------------------------- */

bool spot_string(const struct spot *spot, char **copy)
{
    if (!json_is_string(spot->json))
        return spot_is_not(spot, "a string");
    *copy = strdup(json_string_value(spot->json));
    if (*copy)
        visible_mark(*copy);
    return *copy || error_set(spot->reader->error, ERROR_SYSTEM, "out of memory");
}

bool spot_may_string(const struct spot *object, const char *key, char **copy)
{
    const struct spot spot = spot_member(object, key);

    return !spot.json || spot_string(&spot, copy);
}

/* Returns the number of up to 32 hexadecimal digits. */
static struct mask128 spot_digits(const char *digits)
{
    struct mask128 mask = {{0, 0}};

    for (; *digits; digits++) {
        const char digit[2] = {*digits, '\0'};

        mask.word[1] = mask.word[1] << 4 | mask.word[0] >> 60;
        mask.word[0] = mask.word[0] << 4 | strtoull(digit, NULL, 16);
    }
    return mask;
}

/* Hexadecimal digits, 0x in front or not; ~ before all turns it round. */
bool spot_mask(const struct spot *spot, struct examiner_mask *mask)
{
    const char *text = json_string_value(spot->json);
    const char *digits = text;
    bool inverted;
    size_t count;

    if (!text)
        return spot_is_not(spot, "a mask in hexadecimal digits, as a string");
    inverted = *digits == '~';
    digits += inverted;
    if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X'))
        digits += 2;
    count = strspn(digits, "0123456789abcdefABCDEF");
    if (count == 0 || digits[count] != '\0')
        return spot_is_not(spot, "a mask in hexadecimal digits");
    if (count > MASK_DIGITS_MAX)
        return spot_wrong(spot, "'%.40s' has more than %d bits", text, MASK128_BITS);
    *mask = (struct examiner_mask){.bits = spot_digits(digits)};
    mask->named = mask128_width(&mask->bits);
    if (inverted)
        mask->bits = mask128_not(mask->bits);
    return true;
}

bool spot_may_mask(const struct spot *object, const char *key, struct examiner_mask *mask)
{
    const struct spot spot = spot_member(object, key);

    return !spot.json || spot_mask(&spot, mask);
}

bool spot_may_percentage(const struct spot *object, const char *key, uint32_t *ppm)
{
    const struct spot percentage = spot_member(object, key);
    const double value = json_number_value(percentage.json);

    if (!percentage.json)
        return true;
    if (!json_is_number(percentage.json) || value <= 0 || value > 100)
        return spot_is_not(&percentage, "a percentage of threads");
    *ppm = (uint32_t)(value * 1e4 + 0.5);
    if (*ppm == 0)
        *ppm = 1;
    return true;
}
