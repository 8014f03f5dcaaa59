/* SPDX-License-Identifier: MIT */
/*
 * Rounds of tests/hardware/slice_times.cu: processes begin to work at the same time, and the member
 * "of" says what each does: "watch:132:1024:0:32", "sparse:5000:100".  What a kernel holds is read
 * from the other members of its line, which measured_process.c reads.
 */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "emu/fit/measured_private.h"

static const char *const kinds[] = {"watch", "prio", "busy", "tiny", "sparse", "copy", "pieces"};

/* True if the round's word begins so, up to a colon or its end. */
static bool is_kind(const json_t *line, const char *kind)
{
    const char *text = json_string_value(json_object_get(line, "of"));
    const size_t length = strlen(kind);

    return text && strncmp(text, kind, length) == 0 && (text[length] == ':' || !text[length]);
}

bool fit_round_is(const json_t *line)
{
    return json_is_integer(json_object_get(line, "round")) && json_object_get(line, "process") &&
           json_object_get(line, "of");
}

bool fit_round_is_idle(const json_t *line)
{
    return fit_round_is(line) && is_kind(line, "idle");
}

bool fit_round_is_wait(const json_t *line)
{
    return fit_round_is(line) && is_kind(line, "acquire");
}

bool fit_round_is_known(const json_t *line)
{
    const char *refused = json_string_value(json_object_get(line, "error"));

    if (refused && *refused) /* the kernel was not launched */
        return false;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (is_kind(line, kinds[i]))
            return true;
    return false;
}

/* Reads the number behind a colon of the round's word. */
static bool word_number(const struct spot *of, uint32_t index, double most, double *value)
{
    const char *text = json_string_value(of->json);
    char *end = NULL;

    for (; text && index > 0; index--) {
        text = strchr(text, ':');
        text = text ? text + 1 : NULL;
    }
    *value = text && *text >= '0' && *text <= '9' ? strtod(text, &end) : -1;
    return (*value >= 0 && *value <= most && (*end == ':' || *end == '\0')) ||
           spot_is_not(of, "what a process does, with numbers behind colons");
}

/* A stream of its own, with a priority. */
static bool priority_read(const struct spot *line, struct fit_part *part)
{
    int64_t priority;

    if (!fit_number(line, "priority", -7, 0, "a priority of CUDA's (0 is the lowest)", &priority))
        return false;
    part->streams[0].is_null = false;
    part->streams[0].priority = (int32_t)priority;
    return true;
}

bool fit_round_read(const struct spot *line, struct fit_part *part)
{
    const struct spot of = spot_member(line, "of");
    struct fit_operation *operation = &part->operations[0];
    const char *direction;
    double us;

    if (is_kind(line->json, "prio"))
        return priority_read(line, part);
    if (is_kind(line->json, "tiny"))
        return word_number(&of, 1, 1e12, &operation->spin_ns);
    if (is_kind(line->json, "sparse")) {
        if (!word_number(&of, 1, 1e12, &operation->spin_ns) || !word_number(&of, 2, 1e9, &us))
            return false;
        part->waits = true;
        part->sleep_ns = us * 1e3;
    }
    if (is_kind(line->json, "pieces")) {
        direction = strchr(json_string_value(of.json), ':');
        if (!direction || (direction[1] != 'd' && direction[1] != 'h'))
            return spot_is_not(&of, "pieces:d or pieces:h, and a number of bytes");
        operation->way = direction[1] == 'h' ? FIT_TO_HOST : FIT_TO_DEVICE;
    }
    return true;
}
