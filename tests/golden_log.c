/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/sim/gpus.h"
#include "tests/golden_log.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/golden_text.h"

/* Numbers up to this are people's; above they are mostly addresses. */
enum { DECIMAL_MAX = 65535 };

static const struct event_kind_row *kind_row(uint16_t kind)
{
    for (uint32_t s = 0; s < gfe_table_set_count; s++)
        if (kind >= gfe_table_sets[s]->base &&
            kind - gfe_table_sets[s]->base < gfe_table_sets[s]->event_count)
            return &gfe_table_sets[s]->events[kind - gfe_table_sets[s]->base];
    ck_abort_msg("the log holds an event of no kind");
}

static const char *rule_label(uint16_t rule)
{
    for (uint32_t s = 0; s < gfe_table_set_count; s++)
        if (rule >= gfe_table_sets[s]->base &&
            rule - gfe_table_sets[s]->base < gfe_table_sets[s]->rule_count)
            return gfe_table_sets[s]->rules[rule - gfe_table_sets[s]->base].label;
    return "-";
}

static void print_event(FILE *file, const struct log_event *event)
{
    const struct event_kind_row *row = kind_row(event->kind);

    fprintf(file, "%" PRIu64 ".%06" PRIu64 " %s", event->time_ps / GFE_PS_PER_US,
            event->time_ps % GFE_PS_PER_US, row->name);
    for (uint32_t i = 0; i < event->argument_count; i++) {
        const char *name = row->arguments[i];
        const bool is_time = strlen(name) > 3 && strcmp(name + strlen(name) - 3, "_ps") == 0;

        if (is_time || event->argument[i] <= DECIMAL_MAX)
            fprintf(file, " %s=%" PRIu64, name, event->argument[i]);
        else
            fprintf(file, " %s=0x%" PRIx64, name, event->argument[i]);
    }
    if (event->rule != RULE_NONE)
        fprintf(file, " [%s]", rule_label(event->rule));
    fputc('\n', file);
}

void golden_log_check_events(const struct log_event *events, uint32_t event_count, const char *name)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);

    ck_assert_ptr_nonnull(file);
    for (uint32_t i = 0; i < event_count; i++)
        print_event(file, &events[i]);
    ck_assert_int_eq(fclose(file), 0);
    golden_text_check(name, text, bytes);
    free(text);
}

void golden_log_check(const struct check_machine *check, const char *name)
{
    golden_log_check_events(check->events, check->event_count, name);
}
