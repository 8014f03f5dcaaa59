/* SPDX-License-Identifier: MIT */
/* Stories by the labels of pictures and lists (emu/program.h): "S1 K2", "S1 copy 1 to host", and
 * "K4#2" for what the same call made the second time. */
#include <config.h>

#include <string.h>

#include "emu/args.h"
#include "emu/explain_story_build.h"
#include "emu/program.h"

/* Which of a call's operations the text means, from 1; 0: it is not about this call. */
static uint64_t nth_of(const char *text, const char *label)
{
    const size_t bytes = strlen(label);
    uint64_t nth = 0;

    if (strncmp(text, label, bytes) != 0)
        return 0;
    if (text[bytes] == 0)
        return 1;
    return text[bytes] == '#' && args_parse_number(text + bytes + 1, &nth) ? nth : 0;
}

bool story_label_find(const struct story *story, const char *text, uint32_t *operation)
{
    struct gfe_error error = {0};
    struct program program;
    uint64_t nth = 0;
    uint32_t call = 0;

    if (!program_init(&program, story->log, &error))
        return false;
    while (call < program.call_count && (nth = nth_of(text, program.calls[call].label)) == 0)
        call++;
    program_fini(&program);
    for (uint32_t i = 0; nth > 0 && i < story->operation_count; i++)
        if (story->operations[i].call == call && --nth == 0) {
            *operation = i;
            return true;
        }
    return false;
}
