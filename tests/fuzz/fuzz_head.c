/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_head.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz_file.h"

/* Room for the names of the two tables and their brackets. */
enum { TABLES_BYTES = 64 };

static char *piece(const json_t *json)
{
    char *text = json_dumps(json, JSON_COMPACT);

    fuzz_must(text != NULL);
    return text;
}

/* The sentences of a rule take longer to read than all the rest: a word of each is enough. */
static void row_trim(json_t *row)
{
    static const char *const sentences[] = {"source", "text"};

    for (size_t i = 0; i < sizeof sentences / sizeof sentences[0]; i++)
        if (json_object_get(row, sentences[i]))
            fuzz_must(json_object_set_new(row, sentences[i], json_string(sentences[i])) == 0);
}

static uint32_t rows_split(struct fuzz_head *head, struct fuzz_head_row *to, const json_t *rows)
{
    json_t *row;
    size_t i;

    json_array_foreach(rows, i, row)
    {
        fuzz_must(i < FUZZ_HEAD_ROWS_MAX);
        row_trim(row);
        to[i].id = (uint32_t)json_integer_value(json_object_get(row, "id"));
        to[i].text = piece(row);
        head->bytes += strlen(to[i].text) + 1;
    }
    return (uint32_t)json_array_size(rows);
}

void fuzz_head_split(struct fuzz_head *head, char *text)
{
    json_t *json = text ? json_loads(text, 0, NULL) : NULL;

    fuzz_must(json != NULL);
    *head = (struct fuzz_head){.bytes = TABLES_BYTES};
    head->kind_count = rows_split(head, head->kinds, json_object_get(json, "kinds"));
    head->rule_count = rows_split(head, head->rules, json_object_get(json, "rules"));
    fuzz_must(json_object_del(json, "kinds") == 0 && json_object_del(json, "rules") == 0);
    head->rest = piece(json);
    head->bytes += strlen(head->rest);
    head->rest[strlen(head->rest) - 1] = 0;
    json_decref(json);
    free(text);
}

static char *put(char *to, const char *text)
{
    return stpcpy(to, text);
}

static char *rows_join(char *to, const struct fuzz_head_row *rows, uint32_t count, bool is_rule,
                       bool (*uses)(const void *context, bool is_rule, uint32_t id),
                       const void *context)
{
    const char *comma = "";

    for (uint32_t i = 0; i < count; i++)
        if (uses(context, is_rule, rows[i].id)) {
            to = put(put(to, comma), rows[i].text);
            comma = ",";
        }
    return to;
}

char *fuzz_head_join(const struct fuzz_head *head,
                     bool (*uses)(const void *context, bool is_rule, uint32_t id),
                     const void *context)
{
    char *text = malloc(head->bytes), *to = text;

    fuzz_must(text != NULL);
    to = put(put(to, head->rest), ",\"kinds\":[");
    to = rows_join(to, head->kinds, head->kind_count, false, uses, context);
    to = put(to, "],\"rules\":[");
    to = rows_join(to, head->rules, head->rule_count, true, uses, context);
    (void)put(to, "]}");
    return text;
}
