/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/analysis/summary/summary_losses.h"

#include <inttypes.h>
#include <string.h>

#include "emu/base/json_text.h"

enum { WIDTH = 80, INDENT = 6 };

/* ---- counting -------------------------------------------------------------------------------- */

static void losses_add(struct summary_losses *losses, const struct event_loss *loss)
{
    struct summary_loss *row = losses->rows, *const end = &losses->rows[losses->count];

    while (row < end &&
           (strcmp(row->loss.name, loss->name) != 0 || strcmp(row->loss.lost, loss->lost) != 0))
        row++;
    if (row == end && losses->count < SUMMARY_LOSSES_MAX - 1) {
        row->loss = *loss;
        losses->count++;
    } else if (row == end) { /* the last row stands for all others */
        row = &losses->rows[SUMMARY_LOSSES_MAX - 1];
        row->loss = (struct event_loss){.name = "others", .lost = "more than fits here"};
        losses->count = SUMMARY_LOSSES_MAX;
    }
    row->count++;
}

void summary_losses_take(struct summary_losses *losses, uint64_t what, uint64_t address,
                         uint64_t value)
{
    struct event_loss loss;

    for (uint32_t n = 0; gfe_event_losses.find(what, address, value, n, &loss); n++)
        losses_add(losses, &loss);
}

void summary_losses_take_work(struct summary_losses *losses, uint64_t class_id, uint64_t method)
{
    struct event_loss loss;

    if (gfe_event_losses.work(class_id, method, &loss))
        losses_add(losses, &loss);
}

/* ---- printing -------------------------------------------------------------------------------- */

static bool losses_is_first(const struct summary_losses *losses, uint32_t index)
{
    for (uint32_t i = 0; i < index; i++)
        if (strcmp(losses->rows[i].loss.lost, losses->rows[index].loss.lost) == 0)
            return false;
    return true;
}

/* Prints the names that lose the same as row `index`, several in a line. */
static void losses_print_names(FILE *file, const struct summary_losses *losses, uint32_t index)
{
    char text[EVENT_LOSS_NAME_BYTES + 32];
    int column = WIDTH;

    for (uint32_t i = index; i < losses->count; i++) {
        const struct summary_loss *row = &losses->rows[i];

        if (strcmp(row->loss.lost, losses->rows[index].loss.lost) != 0)
            continue;
        const int length = snprintf(text, sizeof text, "%s %" PRIu64, row->loss.name, row->count);

        if (i != index)
            fputc(',', file);
        if (column + 2 + length >= WIDTH) {
            fprintf(file, "%s%*s", i != index ? "\n" : "", INDENT, "");
            column = INDENT;
        } else {
            fputc(' ', file);
            column += 2;
        }
        fputs(text, file);
        column += length;
    }
    fputc('\n', file);
}

void summary_losses_print(FILE *file, const struct summary_losses *losses)
{
    for (uint32_t i = 0; i < losses->count; i++) {
        if (!losses_is_first(losses, i))
            continue;
        fprintf(file, "  %s\n", losses->rows[i].loss.lost);
        losses_print_names(file, losses, i);
    }
}

json_t *summary_losses_json(const struct summary_losses *losses)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < losses->count; i++)
        list = json_text_append(list,
                                json_pack("{s:s, s:o, s:s}", "name", losses->rows[i].loss.name,
                                          "count", json_integer((json_int_t)losses->rows[i].count),
                                          "lost", losses->rows[i].loss.lost));
    return list;
}
