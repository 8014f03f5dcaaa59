/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/json_text.h"

#include <stdlib.h>
#include <string.h>

struct json_sink {
    char *text; /* NULL once memory was short */
    size_t used, room;
    bool failed;
};

static int json_sink_add(const char *piece, size_t bytes, void *context)
{
    struct json_sink *sink = context;

    if (sink->failed)
        return -1;
    if (sink->used + bytes + 1 > sink->room) {
        const size_t room = 2 * (sink->used + bytes + 1);
        char *text = realloc(sink->text, room);

        if (!text) {
            sink->failed = true;
            return -1;
        }
        sink->text = text;
        sink->room = room;
    }
    memcpy(sink->text + sink->used, piece, bytes);
    sink->used += bytes;
    sink->text[sink->used] = '\0';
    return 0;
}

char *json_text(const json_t *value, size_t flags)
{
    struct json_sink sink = {0};

    if (json_dump_callback(value, json_sink_add, &sink, flags) == 0 && !sink.failed && sink.text)
        return sink.text;
    free(sink.text);
    return NULL;
}

bool json_text_print(FILE *file, const json_t *value)
{
    char *text = json_text(value, JSON_INDENT(2));

    if (!text)
        return false;
    fprintf(file, "%s\n", text);
    free(text);
    return true;
}
