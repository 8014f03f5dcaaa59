/* SPDX-License-Identifier: MIT */
/* The JSON schema of a chip's members. */
#include <config.h>

#include "emu/base/json_text.h"
#include "emu/sim/gpu_field.h"

static json_t *field_schema(const struct chip_field *field);

/* A number that is written in hexadecimal is a string, or a number. */
static json_t *number_schema(const struct chip_field *field)
{
    json_t *number = json_pack("{ss sI sI}", "type", "integer", "minimum", (json_int_t)field->least,
                               "maximum", (json_int_t)field->most);

    if (field->multiple_of > 0)
        number = json_text_set(number, "multipleOf", json_integer((json_int_t)field->multiple_of));
    if (!field->is_hex && !field->may_lack)
        return number;
    number = json_text_append(json_array(), number);
    if (field->is_hex)
        number = json_text_append(number, json_pack("{ss ss}", "type", "string", "pattern",
                                                    "^(0[xX][0-9a-fA-F]+|[0-9]+)$"));
    if (field->may_lack)
        number = json_text_append(number, json_pack("{ss}", "type", "null"));
    return json_text_set(json_object(), "anyOf", number);
}

static json_t *list_schema(const struct chip_field *field)
{
    const bool is_plain = field->fields->name[0] == '\0';

    return json_pack("{ss sI sI so}", "type", "array", "minItems", (json_int_t)field->least,
                     "maxItems", (json_int_t)field->most, "items",
                     is_plain ? field_schema(field->fields)
                              : gpu_fields_schema(field->fields, false));
}

static json_t *word_schema(const struct chip_field *field)
{
    json_t *words = json_array();

    for (uint32_t i = 0; field->words[i]; i++)
        words = json_text_append(words, json_string(field->words[i]));
    return json_text_set(json_object(), "enum", words);
}

static json_t *bare_schema(const struct chip_field *field)
{
    switch (field->kind) {
    case CHIP_TEXT:
        return field->may_lack ? json_pack("{s[ss] si}", "type", "string", "null", "minLength", 1)
                               : json_pack("{ss si}", "type", "string", "minLength", 1);
    case CHIP_NUMBER:
        return number_schema(field);
    case CHIP_FLAG:
        return json_pack("{ss}", "type", "boolean");
    case CHIP_WORD:
        return word_schema(field);
    case CHIP_BITS:
        return json_pack("{ss s{ss sI sI}}", "type", "array", "items", "type", "integer", "minimum",
                         (json_int_t)field->least, "maximum", (json_int_t)field->most);
    case CHIP_GROUP:
        return gpu_fields_schema(field->fields, true);
    case CHIP_LIST:
        break;
    }
    return list_schema(field);
}

static json_t *field_schema(const struct chip_field *field)
{
    return json_text_set(bare_schema(field), "description", json_string(field->doc));
}

/* The value, or an object with it, its basis and its source. */
static json_t *wrapped_schema(const struct chip_field *field)
{
    json_t *basis = word_schema(gpu_field_find(chip_figure_fields, "basis"));

    return json_pack("{ss s[o {ss sb s[s] s{so so s{ss}}}]}", "description", field->doc, "anyOf",
                     bare_schema(field), "type", "object", "additionalProperties", 0, "required",
                     "value", "properties", "value", bare_schema(field), "basis", basis, "source",
                     "type", "string");
}

json_t *gpu_fields_schema(const struct chip_field *fields, bool wraps)
{
    json_t *properties = json_object(), *required = json_array(), *schema;

    for (const struct chip_field *field = fields; field->name; field++) {
        const bool is_whole = field->kind == CHIP_GROUP || field->fields == chip_figure_fields;

        properties =
            json_text_set(properties, field->name,
                          wraps && !is_whole ? wrapped_schema(field) : field_schema(field));
        if (!wraps && !field->may_lack)
            required = json_text_append(required, json_string(field->name));
    }
    schema = json_pack("{ss sb so}", "type", "object", "additionalProperties", 0, "properties",
                       properties);
    if (json_array_size(required) > 0)
        return json_text_set(schema, "required", required);
    json_decref(required);
    return schema;
}
