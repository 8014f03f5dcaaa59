/* SPDX-License-Identifier: MIT */
/*
 * runlistN: the entries of a runlist, with what CCSR or channel RAM says of its channels, in the
 * boxes of Listing 1 of Bakita and Anderson 2024.
 *
 * Text and order of the lines are the listing's.  Its blanks did not survive into text; the widths
 * are those that nvdebug's runlist_procfs.c prints with (boxes of 23 columns).  Where the listing
 * ends in "..." further lines follow, each marked "(gfe)".  From Ampere on a channel has no
 * ENABLE_SET, no STATUS code and so on: those lines are made of what there is (ENABLE is set and
 * cleared by the same bit, so both read 0), and its own bits follow as further lines.
 */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "devices/nvidia/nv_inspect.h"
#include "devices/nvidia/nv_inspect_views.h"

/* Keys of a channel's row, and how the listing calls them. */
static const struct listing_line {
    const char *key, *text;
    const char *field; /* of the register; write-only bits read as 0 */
} listing_lines[] = {
    {"enabled", "Enabled:", "ENABLE"},
    {"next", "Next:", "NEXT"},
    {"force_ctx_reload", "Force CTX Reload:", "FORCE_CTX_RELOAD"},
    {"enable_set", "Enable set:", "ENABLE_SET"},
    {"enable_clear", "Enable clear:", "ENABLE_CLR"},
    {"pbdma_faulted", "PBDMA Faulted:", "PBDMA_FAULTED"},
    {"eng_faulted", "ENG Faulted:", "ENG_FAULTED"},
    {"status", "Status:", "STATUS"},
    {"busy", "Busy:", "BUSY"},
};
enum { LISTING_LINES = sizeof listing_lines / sizeof listing_lines[0] };

/* Bits of channel RAM that the listing's GPU did not have. */
static const struct listing_line chram_lines[] = {
    {"on_pbdma", "On PBDMA:", "ON_PBDMA"},
    {"on_eng", "On ENG:", "ON_ENG"},
    {"pending", "Pending:", "PENDING"},
    {"ctx_reload", "CTX Reload:", "CTX_RELOAD"},
    {"pbdma_busy", "PBDMA Busy:", "PBDMA_BUSY"},
    {"eng_busy", "ENG Busy:", "ENG_BUSY"},
    {"acquire_fail", "Acquire Fail:", "ACQUIRE_FAIL"},
};
enum { CHRAM_LINES = sizeof chram_lines / sizeof chram_lines[0] };

/* ---- building -------------------------------------------------------------------------------- */

static json_t *tsg_row(const struct nv_inspect_entry *entry)
{
    const uint64_t units = (uint64_t)entry->timeout << entry->scale;

    return json_pack("{ss si si si si sI}", "type", "tsg", "id", (int)entry->id, "scale",
                     (int)entry->scale, "timeout", (int)entry->timeout, "length",
                     (int)entry->length, "timeslice_ps",
                     (json_int_t)((units ? units : 1) * 1024000));
}

static bool put_fields(json_t *row, const struct reg_assign *reg, uint32_t word,
                       const struct listing_line *lines, uint32_t count, bool always)
{
    bool good = true;
    uint32_t value;

    for (uint32_t i = 0; i < count; i++)
        if (reg_assign_field(reg, word, lines[i].field, &value) || always)
            good &= json_object_set_new(row, lines[i].key, json_integer(value)) == 0;
    return good;
}

static json_t *channel_row(struct machine *machine, uint32_t runlist_id,
                           const struct nv_inspect_entry *entry)
{
    json_t *row = json_pack("{ss si}", "type", "channel", "id", (int)entry->id);
    uint64_t instance = entry->instance;
    struct reg_assign reg;
    bool good = row != NULL;
    uint32_t word;

    if (good && nv_inspect_channel(machine, runlist_id, entry->id, &reg)) {
        word = machine_read32(machine, reg.offset);
        good = put_fields(row, &reg, word, listing_lines, LISTING_LINES, true) &&
               put_fields(row, &reg, word, chram_lines, CHRAM_LINES, false);
        if (!nv_inspect_has_blocks(machine))
            instance = nv_inspect_instance(machine, entry->id);
    }
    good = good && json_object_set_new(row, "runqueue", json_integer(entry->runqueue)) == 0 &&
           json_object_set_new(row, "instance", json_sprintf("0x%" PRIx64, instance)) == 0;
    if (good)
        return row;
    json_decref(row);
    return NULL;
}

json_t *nv_inspect_build_runlist(const struct inspect_subject *subject)
{
    struct machine *machine = subject->machine;
    struct nv_inspect_entry entry;
    struct nv_inspect_list list;
    json_t *view;
    bool good;

    if (!nv_inspect_list(machine, subject->number, &list)) {
        error_set(subject->error, ERROR_USAGE, "this GPU has no runlist %u", subject->number);
        return NULL;
    }
    view = inspect_new("runlist");
    good = view && json_object_set_new(view, "runlist", json_integer(subject->number)) == 0 &&
           json_object_set_new(view, "base", json_sprintf("0x%" PRIx64, list.base)) == 0 &&
           json_object_set_new(view, "length", json_integer(list.length)) == 0;
    for (uint32_t i = 0; i < list.length && good; i++) {
        if (!nv_inspect_entry(machine, &list, i, &entry)) {
            good = inspect_note(view, "the list goes on beyond the end of memory");
            break;
        }
        good = inspect_add(view, entry.is_tsg ? tsg_row(&entry)
                                              : channel_row(machine, subject->number, &entry));
    }
    return good ? view : inspect_no_memory(view, subject->error);
}

/* ---- printing -------------------------------------------------------------------------------- */

static json_int_t int_of(const json_t *row, const char *key)
{
    return json_integer_value(json_object_get(row, key));
}

static void tsg_print(FILE *file, const json_t *row)
{
    fprintf(file, "+---- TSG Entry %-3d---+\n", (int)int_of(row, "id"));
    fprintf(file, "| Scale: %-13d|\n", (int)int_of(row, "scale"));
    fprintf(file, "| Timeout: %-11d|\n", (int)int_of(row, "timeout"));
    fprintf(file, "| Length: %-12d|\n", (int)int_of(row, "length"));
    fputs("+---------------------+\n", file);
}

static void line_print(FILE *file, const json_t *row, const struct listing_line *line,
                       const char *ours)
{
    if (json_object_get(row, line->key))
        fprintf(file, "| %s%*d|%s\n", line->text, (int)(20 - strlen(line->text)),
                (int)int_of(row, line->key), ours);
}

static void channel_print(FILE *file, const json_t *row)
{
    fprintf(file, "+- Channel Info %-4d -+\n", (int)int_of(row, "id"));
    for (uint32_t i = 0; i < LISTING_LINES; i++)
        line_print(file, row, &listing_lines[i], "");
    for (uint32_t i = 0; i < CHRAM_LINES; i++)
        line_print(file, row, &chram_lines[i], " (gfe)");
    line_print(file, row, &(struct listing_line){"runqueue", "Runqueue:", NULL}, " (gfe)");
    fputs("| Instance PTR:       | (gfe)\n", file);
    fprintf(file, "| %20s| (gfe)\n", json_string_value(json_object_get(row, "instance")));
    fputs("+---------------------+\n", file);
}

void nv_inspect_print_runlist(FILE *file, const json_t *view)
{
    const json_t *row;
    size_t i;

    json_array_foreach(json_object_get(view, "rows"), i, row)
    {
        if (strcmp(json_string_value(json_object_get(row, "type")), "tsg") == 0)
            tsg_print(file, row);
        else
            channel_print(file, row);
    }
}
