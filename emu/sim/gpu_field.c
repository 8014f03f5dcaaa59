/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/sim/gpu_field.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "emu/base/args.h"

const struct chip_field *gpu_field_find(const struct chip_field *fields, const char *name)
{
    for (; fields->name; fields++)
        if (strcmp(fields->name, name) == 0)
            return fields;
    return NULL;
}

/* ---- numbers in a struct ---------------------------------------------------------------------
 */

static uint64_t number_get(const struct chip_field *field, const void *of)
{
    const unsigned char *at = (const unsigned char *)of + field->at;
    uint64_t value = 0;
    uint32_t word;
    uint16_t half;

    switch (field->bytes) {
    case 1:
        return *at;
    case 2:
        memcpy(&half, at, sizeof half);
        return half;
    case 4:
        memcpy(&word, at, sizeof word);
        return word;
    default:
        memcpy(&value, at, sizeof value);
        return value;
    }
}

static void number_put(const struct chip_field *field, void *to, uint64_t value)
{
    unsigned char *at = (unsigned char *)to + field->at;
    const uint32_t word = (uint32_t)value;
    const uint16_t half = (uint16_t)value;

    switch (field->bytes) {
    case 1:
        *at = (unsigned char)value;
        break;
    case 2:
        memcpy(at, &half, sizeof half);
        break;
    case 4:
        memcpy(at, &word, sizeof word);
        break;
    default:
        memcpy(at, &value, sizeof value);
    }
}

static const char *text_get(const struct chip_field *field, const void *of)
{
    const char *text;

    memcpy(&text, (const unsigned char *)of + field->at, sizeof text);
    return text;
}

/* ---- writing --------------------------------------------------------------------------------- */

static bool is_plain(const struct chip_field *fields)
{
    return fields->name[0] == '\0';
}

static json_t *field_json(const struct chip_field *field, const void *of);

/* Returns how many elements the list of a struct has. */
static uint64_t list_count(const struct chip_field *field, const void *of)
{
    const unsigned char *elements = (const unsigned char *)of + field->at;
    uint64_t count = 0;
    uint32_t stored;

    if (field->count_at == CHIP_LIST_IS_FULL)
        return field->most;
    if (field->count_at == CHIP_LIST_HAS_NULL) {
        while (count < field->most && text_get(field->fields, elements + count * field->bytes))
            count++;
        return count;
    }
    memcpy(&stored, (const unsigned char *)of + field->count_at, sizeof stored);
    return stored;
}

static json_t *list_json(const struct chip_field *field, const void *of)
{
    const unsigned char *elements = (const unsigned char *)of + field->at;
    const uint64_t count = list_count(field, of);
    json_t *list = json_array();
    bool good = list != NULL;

    for (uint64_t i = 0; i < count && good; i++) {
        const void *element = elements + i * field->bytes;

        good = json_array_append_new(list, is_plain(field->fields)
                                               ? field_json(field->fields, element)
                                               : gpu_fields_json(field->fields, element)) == 0;
    }
    if (good)
        return list;
    json_decref(list);
    return NULL;
}

static json_t *bits_json(uint64_t bits)
{
    json_t *list = json_array();
    bool good = list != NULL;

    for (int i = 0; i < 32 && good; i++)
        if (bits >> i & 1)
            good = json_array_append_new(list, json_integer(i)) == 0;
    if (good)
        return list;
    json_decref(list);
    return NULL;
}

static json_t *number_json(const struct chip_field *field, uint64_t value)
{
    char text[24];

    if (field->may_lack && value == field->none)
        return json_null();
    if (!field->is_hex)
        return json_integer((json_int_t)value);
    (void)snprintf(text, sizeof text, "0x%" PRIx64, value);
    return json_string(text);
}

static json_t *field_json(const struct chip_field *field, const void *of)
{
    switch (field->kind) {
    case CHIP_TEXT:
        return text_get(field, of) ? json_string(text_get(field, of)) : json_null();
    case CHIP_NUMBER:
        return number_json(field, number_get(field, of));
    case CHIP_FLAG:
        return json_boolean(number_get(field, of) != 0);
    case CHIP_WORD:
        return json_string(field->words[number_get(field, of)]);
    case CHIP_BITS:
        return bits_json(number_get(field, of));
    case CHIP_GROUP:
        return gpu_fields_json(field->fields, (const unsigned char *)of + field->at);
    case CHIP_LIST:
        break;
    }
    return list_json(field, of);
}

json_t *gpu_fields_json(const struct chip_field *fields, const void *of)
{
    json_t *object = json_object();
    bool good = object != NULL;

    for (; fields->name && good; fields++)
        good = json_object_set_new(object, fields->name, field_json(fields, of)) == 0;
    if (good)
        return object;
    json_decref(object);
    return NULL;
}

/* ---- reading ---------------------------------------------------------------------------------
 */

static bool field_load(const struct chip_field *field, const struct spot *spot, void *to);

static bool is_multiple(const struct chip_field *field, uint64_t value)
{
    return field->multiple_of == 0 || value % field->multiple_of == 0;
}

static bool number_load(const struct chip_field *field, const struct spot *spot, void *to)
{
    const char *text = field->is_hex ? json_string_value(spot->json) : NULL;
    uint64_t value = 0;
    char what[120];
    bool good;

    if (text)
        good = args_parse_number(text, &value);
    else {
        good = json_is_integer(spot->json) && json_integer_value(spot->json) >= 0;
        value = (uint64_t)json_integer_value(spot->json);
    }
    if (good && value >= field->least && value <= field->most && is_multiple(field, value)) {
        number_put(field, to, value);
        return true;
    }
    (void)snprintf(what, sizeof what,
                   field->is_hex ? "a number from 0x%" PRIx64 " to 0x%" PRIx64 ", such as \"0x1f\""
                                 : "a whole number from %" PRIu64 " to %" PRIu64,
                   field->least, field->most);
    if (good && !is_multiple(field, value))
        return spot_wrong(spot, "%" PRIu64 " is not a multiple of %" PRIu64, value,
                          field->multiple_of);
    return spot_is_not(spot, what);
}

static bool word_load(const struct chip_field *field, const struct spot *spot, void *to)
{
    const char *text = json_string_value(spot->json);
    char what[200];
    size_t used = 0;

    for (uint32_t i = 0; text && field->words[i]; i++)
        if (strcmp(field->words[i], text) == 0) {
            number_put(field, to, i);
            return true;
        }
    for (uint32_t i = 0; field->words[i] && used < sizeof what; i++)
        used += (size_t)snprintf(what + used, sizeof what - used, "%s%s", i ? ", " : "one of ",
                                 field->words[i]);
    return spot_is_not(spot, what);
}

static bool text_load(const struct chip_field *field, const struct spot *spot, void *to)
{
    const char *text = json_string_value(spot->json);

    if (!text || text[0] == '\0')
        return spot_is_not(spot, "a text");
    memcpy((unsigned char *)to + field->at, &text, sizeof text);
    return true;
}

static bool bits_load(const struct chip_field *field, const struct spot *spot, void *to)
{
    uint64_t bits = 0;

    if (!json_is_array(spot->json))
        return spot_is_not(spot, "a list of numbers");
    for (size_t i = 0; i < json_array_size(spot->json); i++) {
        const struct spot element = spot_element(spot, i);
        int64_t bit;

        if (!spot_number(&element, (int64_t)field->least, (int64_t)field->most, "such a number",
                         &bit))
            return false;
        bits |= UINT64_C(1) << bit;
    }
    number_put(field, to, bits);
    return true;
}

static bool list_load(const struct chip_field *field, const struct spot *spot, void *to)
{
    unsigned char *elements = (unsigned char *)to + field->at;
    const size_t count = json_array_size(spot->json);
    const uint32_t stored = (uint32_t)count;
    char what[80];

    if (!json_is_array(spot->json) || count < field->least || count > field->most) {
        (void)snprintf(what, sizeof what, "a list of %" PRIu64 " to %" PRIu64 " elements",
                       field->least, field->most);
        if (json_is_array(spot->json))
            return spot_wrong(spot, "it has %zu elements; %s is expected", count, what);
        return spot_is_not(spot, what);
    }
    for (size_t i = 0; i < count; i++) {
        const struct spot element = spot_element(spot, i);
        unsigned char *at = elements + i * field->bytes;

        if (!(is_plain(field->fields) ? field_load(field->fields, &element, at)
                                      : gpu_fields_load(field->fields, &element, at)))
            return false;
    }
    if (field->count_at < CHIP_LIST_HAS_NULL)
        memcpy((unsigned char *)to + field->count_at, &stored, sizeof stored);
    return true;
}

static bool field_load(const struct chip_field *field, const struct spot *spot, void *to)
{
    if (field->may_lack && (!spot->json || json_is_null(spot->json))) {
        if (field->kind == CHIP_NUMBER)
            number_put(field, to, field->none);
        return true;
    }
    if (!spot->json)
        return spot_is_not(spot, "there");
    switch (field->kind) {
    case CHIP_TEXT:
        return text_load(field, spot, to);
    case CHIP_NUMBER:
        return number_load(field, spot, to);
    case CHIP_FLAG:
        number_put(field, to, json_is_true(spot->json));
        return json_is_boolean(spot->json) || spot_is_not(spot, "true or false");
    case CHIP_WORD:
        return word_load(field, spot, to);
    case CHIP_BITS:
        return bits_load(field, spot, to);
    case CHIP_GROUP:
        return gpu_fields_load(field->fields, spot, (unsigned char *)to + field->at);
    case CHIP_LIST:
        break;
    }
    return list_load(field, spot, to);
}

bool gpu_fields_load(const struct chip_field *fields, const struct spot *object, void *to)
{
    const char *key;
    json_t *value;

    if (!json_is_object(object->json))
        return spot_is_not(object, "an object");
    json_object_foreach((json_t *)(uintptr_t)object->json, key, value)
    {
        const struct spot member = spot_member(object, key);

        if (!gpu_field_find(fields, key))
            return spot_wrong(&member, "there is no such member");
    }
    for (; fields->name; fields++) {
        const struct spot member = spot_member(object, fields->name);

        if (!field_load(fields, &member, to))
            return false;
    }
    return true;
}
