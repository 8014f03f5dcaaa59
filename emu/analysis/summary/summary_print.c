/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "emu/base/json_text.h"
#include "emu/base/text.h"
#include "emu/base/visible.h"
#include "emu/analysis/summary/summary_private.h"

enum {
    LAUNCHES_LISTED_MAX = 8,
    RULES_LISTED_MAX = 12,
    TIME_BYTES = 48,
    NAME_BYTES = 4096,
    WIDTH = 80
};

static const char *const unmodelled_names[SUMMARY_UNMODELLED][2] = {
    {"register_reads", "registers read"},
    {"register_writes", "registers written"},
    {"methods", "methods"},
    {"fields", "fields"},
    {"macros", "macros"},
    {"engines", "engines"},
    {"sparse_ranges", "sparse ranges"},
    {"register_bits", "registers with bits that are reserved or have no effect"},
    {"qmd_fields", "fields of descriptors"},
    {"pm4_packets", "PM4 packets"},
    {"sdma_packets", "SDMA packets"},
    {"others", "others"},
};

/* ---- for people ------------------------------------------------------------------------------ */

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static void head_print(FILE *file, const struct summary *summary)
{
    const char *gpu = event_log_run(summary->log, "gpu");
    const char *name = summary->notes->name;
    const char *seed = event_log_run(summary->log, "seed");
    char time[TIME_BYTES], shown[NAME_BYTES];

    fprintf(file, "%s on %s",
            name ? visible_name(shown, sizeof shown, name) : event_log_name(summary->log),
            gpu ? gpu : "an unknown GPU");
    if (seed)
        fprintf(file, ", seed %s", seed);
    fputc('\n', file);
    open_waits_print(file, summary->open, summary->log);
    fprintf(file, "  simulated time  %s, %" PRIu64 " events\n",
            text_time(time, sizeof time, summary_simulated_ps(summary)), summary->event_count);
    if (summary->tasks.count > 0) {
        summary_tasks_print(file, &summary->tasks);
        return;
    }
    fprintf(file, "  submissions     %" PRIu64 " on %" PRIu64 " %s, %" PRIu64 " bytes\n",
            summary->submission_count, summary->channel_count,
            summary->channel_count == 1 ? summary->words.channel : summary->words.channels,
            summary->push_bytes);
    fprintf(file,
            "  fences          %" PRIu64 " of %" PRIu64
            " reached: the last completion of each place\n",
            summary->fence_count, summary->fence_expected_count);
    fprintf(file,
            "  program waits   %" PRIu64 " recorded, %" PRIu64 " inferred; %" PRIu64
            " had to wait, %s in all\n",
            summary->cpu_waits.recorded_count, summary->cpu_waits.inferred_count,
            summary->cpu_waits.waited_count,
            text_time(time, sizeof time, summary->cpu_waits.total_ps));
}

static void launch_print(FILE *file, const struct summary *summary, uint32_t index)
{
    const struct summary_launch *launch = &summary->launches[index];
    char time[TIME_BYTES], name[STREAMS_NAME_BYTES];

    fprintf(file,
            "                  %s: %" PRIu64 " block%s of %" PRIu64 " threads, %" PRIu64
            " registers, %" PRIu64 " B shared",
            summary_tasks_launch(&summary->tasks, launch->grid_id, index + 1, name),
            launch->block_count, plural(launch->block_count), launch->block_threads,
            launch->registers, launch->shared_bytes);
    if (launch->start_ps == GFE_PS_NEVER)
        fputs(", did not start\n", file);
    else if (launch->end_ps == GFE_PS_NEVER)
        fputs(", did not end\n", file);
    else
        fprintf(file, ", %s\n", text_time(time, sizeof time, launch->end_ps - launch->start_ps));
}

static void work_print(FILE *file, const struct summary *summary)
{
    fprintf(file, "  launches        %" PRIu64 " %s, %" PRIu64 " block%s\n", summary->grid_count,
            summary->grid_count == 1 ? summary->words.grid : summary->words.grids,
            summary->block_count, plural(summary->block_count));
    for (uint32_t i = 0; i < summary->launch_count && i < LAUNCHES_LISTED_MAX; i++)
        launch_print(file, summary, i);
    if (summary->grid_count > LAUNCHES_LISTED_MAX)
        fprintf(file, "                  and %" PRIu64 " more\n",
                summary->grid_count - LAUNCHES_LISTED_MAX);
    if (summary->draw_count > 0)
        fprintf(file, "  draws           %" PRIu64 " (only their time is modelled)\n",
                summary->draw_count);
    fprintf(file, "  copies          %" PRIu64 ", %" PRIu64 " bytes\n", summary->copy_count,
            summary->copy_bytes);
    if (summary->words.is_amd) {
        summary_amd_print(file, &summary->amd);
        return;
    }
    if (summary->tasks.count > 0) {
        fprintf(file, "  releases        %" PRIu64 "\n",
                summary->releases[ORIGIN_RECORDED] + summary->releases[ORIGIN_NONE] +
                    summary->releases[ORIGIN_MODELLED]);
        return;
    }
    fprintf(file, "  inline writes   %" PRIu64 ", %" PRIu64 " bytes\n", summary->inline_count,
            summary->inline_bytes);
    fprintf(file, "  releases        %" PRIu64 " recorded, %" PRIu64 " added by the driver model\n",
            summary->releases[ORIGIN_RECORDED] + summary->releases[ORIGIN_NONE],
            summary->releases[ORIGIN_MODELLED]);
}

static void busy_line(FILE *file, const char *name, gfe_ps busy_ps, uint32_t share)
{
    char time[TIME_BYTES];

    fprintf(file, "  %-14s  %11s  %3" PRIu32 ".%" PRIu32 " %%\n", name,
            text_time(time, sizeof time, busy_ps), share / 10, share % 10);
}

/* The mean of all CUs of each shader engine. */
static void engines_print(FILE *file, const struct summary *summary)
{
    const struct gpu_words *words = &summary->words;

    for (uint32_t engine = 0; engine < words->engine_count; engine++) {
        const uint32_t from = words->first_cu[engine], to = words->first_cu[engine + 1];
        uint64_t sum_ps = 0;
        char name[40];

        for (uint32_t id = from; id < to && id < SUMMARY_METER_IDS; id++)
            sum_ps += summary->meters[METER_SM][id].busy_ps;
        if (sum_ps == 0)
            continue;
        (void)snprintf(name, sizeof name, "SE %" PRIu32 ", %" PRIu32 " CUs", engine, to - from);
        busy_line(file, name, sum_ps / (to - from), summary_share(summary, sum_ps / (to - from)));
    }
}

/* SMs are many: their mean. */
static void sms_print(FILE *file, const struct summary *summary)
{
    const struct summary_meter *meters = summary->meters[METER_SM];
    char name[40];
    uint64_t sum_ps = 0, count = 0;

    for (uint32_t id = 0; id < SUMMARY_METER_IDS; id++)
        if (meters[id].used) {
            sum_ps += meters[id].busy_ps;
            count++;
        }
    if (count == 0)
        return;
    (void)snprintf(name, sizeof name, "%" PRIu64 " %s, mean", count,
                   count == 1 ? summary->words.sm : summary->words.sms);
    busy_line(file, name, sum_ps / count, summary_share(summary, sum_ps / count));
}

static void busy_print(FILE *file, const struct summary *summary)
{
    char name[GPU_WORDS_BYTES];

    fputs("busy\n", file);
    for (uint32_t kind = 0; kind < METER_SM; kind++)
        for (uint32_t id = 0; id < SUMMARY_METER_IDS; id++) {
            const struct summary_meter *meter = &summary->meters[kind][id];
            if (!meter->used)
                continue;
            summary_meter_name(summary, (enum summary_meter_kind)kind, id, name, sizeof name);
            busy_line(file, name, meter->busy_ps, summary_share(summary, meter->busy_ps));
        }
    sms_print(file, summary);
    engines_print(file, summary);
}

static void waits_print(FILE *file, const struct summary *summary)
{
    char total[TIME_BYTES], longest[TIME_BYTES];

    fputs(summary->rule_count ? "waits, by the rule that blocked\n" : "no waits\n", file);
    for (uint32_t i = 0; i < summary->rule_count && i < RULES_LISTED_MAX; i++) {
        const struct summary_rule *row = &summary->rules[i];
        const struct event_log_rule *rule = event_log_rule(summary->log, row->rule);
        fprintf(file, "  %-14s  %11s  in %" PRIu32 ", the longest %s\n", rule ? rule->label : "-",
                text_time(total, sizeof total, row->total_ps), row->count,
                text_time(longest, sizeof longest, row->longest_ps));
        if (rule)
            text_paragraph(file, rule->text, 18, WIDTH);
    }
    if (summary->rule_count > RULES_LISTED_MAX)
        fprintf(file, "  and %" PRIu32 " rules more\n", summary->rule_count - RULES_LISTED_MAX);
    if (summary->open->count > 0)
        fprintf(file, "  %" PRIu64 " of them %s\n", summary->open->count,
                summary->open->cut ? "had not ended when the run was ended" : "never ended");
}

/* Counts that are not 0, behind a heading; nothing when all are. */
static void counts_print(FILE *file, const char *heading, const uint64_t *counts, uint32_t count,
                         const char *(*name_of)(uint32_t))
{
    bool any = false;

    for (uint32_t i = 0; i < count; i++) {
        if (counts[i] == 0)
            continue;
        fprintf(file, "%s%s: %" PRIu64, any ? ", " : heading, name_of(i), counts[i]);
        any = true;
    }
    if (any)
        fputc('\n', file);
}

static const char *unmodelled_name(uint32_t i)
{
    return unmodelled_names[i][1];
}

static const char *interrupt_name(uint32_t i)
{
    return summary_interrupt_name(i);
}

static const char *error_name(uint32_t i)
{
    return summary_interrupt_name(SUMMARY_ERRORS_FROM + i);
}

/* As the kernel's log has them: seconds, microseconds. */
static void lines_print(FILE *file, const struct summary *summary)
{
    if (summary->line_count > 0)
        fputs("kernel log\n", file);
    for (uint64_t i = 0; i < summary->line_count && i < SUMMARY_LINES; i++) {
        const uint64_t us = summary->lines[i].time_ps / GFE_PS_PER_US;

        fprintf(file, "  [%5" PRIu64 ".%06" PRIu64 "] %s\n", us / 1000000, us % 1000000,
                summary->lines[i].text);
    }
    if (summary->line_count > SUMMARY_LINES)
        fprintf(file, "  and %" PRIu64 " more\n", summary->line_count - SUMMARY_LINES);
}

void summary_text(FILE *file, const struct summary *summary)
{
    head_print(file, summary);
    work_print(file, summary);
    busy_print(file, summary);
    waits_print(file, summary);
    counts_print(file, "interrupts\n  ", summary->interrupts, SUMMARY_ERRORS_FROM, interrupt_name);
    counts_print(file, "errors\n  ", summary->interrupts + SUMMARY_ERRORS_FROM,
                 SUMMARY_INTERRUPTS - SUMMARY_ERRORS_FROM, error_name);
    lines_print(file, summary);
    if (summary->losses.count > 0)
        fputs("used but not modelled\n", file);
    counts_print(file, summary->losses.count > 0 ? "  " : "used but not modelled\n  ",
                 summary->unmodelled, SUMMARY_UNMODELLED, unmodelled_name);
    summary_losses_print(file, &summary->losses);
    if (summary->notes->durations) {
        fputs("execution times\n", file);
        text_paragraph(file, summary->notes->durations, 2, WIDTH);
    }
    if (summary->notes->assumed) {
        fputs("ASSUMED, as the capture does not say\n", file);
        text_paragraph(file, summary->notes->assumed, 2, WIDTH);
    }
    if (summary->notes->recorded_without_gpu)
        fputs("The trace was recorded without a GPU: what the program read back came from the\n"
              "recorder's stand-in, not from a computation.\n",
              file);
}

/* ---- for programs ---------------------------------------------------------------------------- */

static json_t *time_json(gfe_ps time_ps)
{
    return time_ps > INT64_MAX ? json_null() : json_integer((json_int_t)time_ps);
}

static json_t *number(uint64_t value)
{
    return json_integer((json_int_t)value);
}

static json_t *launches_json(const struct summary *summary)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < summary->launch_count; i++) {
        const struct summary_launch *row = &summary->launches[i];
        const bool ended = row->end_ps != GFE_PS_NEVER && row->start_ps != GFE_PS_NEVER;
        const gfe_ps started_ps = row->start_ps == GFE_PS_NEVER ? row->queued_ps : row->start_ps;
        char text[STREAMS_NAME_BYTES];
        const char *name = summary->tasks.count > 0
                               ? summary_tasks_launch(&summary->tasks, row->grid_id, i + 1, text)
                               : NULL;
        list = json_text_append(
            list, json_text_pack("{s:s*, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "name", name,
                                 "grid_id", number(row->grid_id), "channel_id",
                                 number(row->channel_id), "block_count", number(row->block_count),
                                 "block_threads", number(row->block_threads), "shared_bytes",
                                 number(row->shared_bytes), "registers", number(row->registers),
                                 "queued_ps", time_json(started_ps - row->queued_ps), "ran_ps",
                                 ended ? time_json(row->end_ps - row->start_ps) : json_null()));
    }
    return list;
}

static json_t *lines_json(const struct summary *summary)
{
    json_t *list = json_array();

    for (uint64_t i = 0; i < summary->line_count && i < SUMMARY_LINES; i++)
        list = json_text_append(list, json_pack("{s:o, s:s}", "time_ps",
                                                time_json(summary->lines[i].time_ps), "text",
                                                summary->lines[i].text));
    return list;
}

static json_t *busy_json(const struct summary *summary)
{
    json_t *list = json_array();
    char name[GPU_WORDS_BYTES];

    for (uint32_t kind = 0; kind < METER_KINDS; kind++)
        for (uint32_t id = 0; id < SUMMARY_METER_IDS; id++) {
            const struct summary_meter *meter = &summary->meters[kind][id];
            if (!meter->used)
                continue;
            summary_meter_name(summary, (enum summary_meter_kind)kind, id, name, sizeof name);
            list =
                json_text_append(list, json_pack("{s:s, s:o, s:o}", "unit", name, "busy_ps",
                                                 time_json(meter->busy_ps), "share_permille",
                                                 number(summary_share(summary, meter->busy_ps))));
        }
    return list;
}

static json_t *waits_json(const struct summary *summary)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < summary->rule_count; i++) {
        const struct summary_rule *row = &summary->rules[i];
        const struct event_log_rule *rule = event_log_rule(summary->log, row->rule);
        list = json_text_append(
            list, json_text_pack("{s:s, s:s, s:s, s:s?, s:b, s:o, s:o, s:o}", "rule",
                                 rule ? rule->label : "-", "text", rule ? rule->text : "", "basis",
                                 rule ? rule->basis : "", "seen_on", rule ? rule->seen_on : NULL,
                                 "carried_over", rule ? rule->carried_over : 0, "count",
                                 number(row->count), "total_ps", time_json(row->total_ps),
                                 "longest_ps", time_json(row->longest_ps)));
    }
    return list;
}

static json_t *unmodelled_json(const struct summary *summary)
{
    json_t *counts = json_object();

    for (uint32_t i = 0; i < SUMMARY_UNMODELLED; i++)
        if (json_object_set_new(counts, unmodelled_names[i][0], number(summary->unmodelled[i]))) {
            json_decref(counts);
            return NULL;
        }
    return counts;
}

static json_t *interrupts_json(const struct summary *summary, uint32_t from, uint32_t to)
{
    json_t *list = json_array();

    for (uint32_t i = from; i < to; i++)
        if (summary->interrupts[i] > 0)
            list =
                json_text_append(list, json_pack("{s:s, s:o}", "event", summary_interrupt_name(i),
                                                 "count", number(summary->interrupts[i])));
    return list;
}

/* The "run" object of the log's head. */
static json_t *run_json(const struct summary *summary)
{
    json_t *head = json_text_loads(event_log_head_json(summary->log));
    json_t *run = json_incref(json_object_get(head, "run"));

    if (!head)
        return NULL;
    json_decref(head);
    return run ? run : json_object();
}

static bool put(json_t *root, const char *key, json_t *value)
{
    return json_object_set_new(root, key, value) == 0;
}

static bool counts_put(json_t *root, const struct summary *summary)
{
    const struct summary *s = summary;

    return (!s->words.is_amd || put(root, "amd", summary_amd_json(&s->amd))) &&
           put(root, "submissions",
               json_pack("{s:o, s:o, s:o}", "count", number(s->submission_count), "push_bytes",
                         number(s->push_bytes), "channel_count", number(s->channel_count))) &&
           put(root, "grids",
               json_pack("{s:o, s:o, s:o}", "count", number(s->grid_count), "block_count",
                         number(s->block_count), "finished_count", number(s->grid_end_count))) &&
           put(root, "launches", launches_json(s)) &&
           (s->tasks.count == 0 || put(root, "tasks", summary_tasks_json(&s->tasks))) &&
           put(root, "draws", json_pack("{s:o}", "count", number(s->draw_count))) &&
           put(root, "copies",
               json_pack("{s:o, s:o}", "count", number(s->copy_count), "byte_count",
                         number(s->copy_bytes))) &&
           put(root, "inline_writes",
               json_pack("{s:o, s:o}", "count", number(s->inline_count), "byte_count",
                         number(s->inline_bytes))) &&
           put(root, "releases",
               json_pack("{s:o, s:o}", "recorded_count",
                         number(s->releases[ORIGIN_RECORDED] + s->releases[ORIGIN_NONE]),
                         "modelled_count", number(s->releases[ORIGIN_MODELLED]))) &&
           put(root, "fences",
               json_pack("{s:o, s:o}", "expected_count", number(s->fence_expected_count),
                         "reached_count", number(s->fence_count)));
}

static bool lists_put(json_t *root, const struct summary *summary)
{
    const struct summary_wait *waits = &summary->cpu_waits;
    const char *durations = summary->notes->durations;

    return put(root, "busy", busy_json(summary)) && put(root, "waits", waits_json(summary)) &&
           put(root, "open_waits", number(summary->open->count)) &&
           put(root, "work_left", open_waits_json(summary->open, summary->log)) &&
           put(root, "cpu_waits",
               json_pack("{s:o, s:o, s:o, s:o}", "recorded_count", number(waits->recorded_count),
                         "inferred_count", number(waits->inferred_count), "waited_count",
                         number(waits->waited_count), "total_ps", time_json(waits->total_ps))) &&
           put(root, "unmodelled", unmodelled_json(summary)) &&
           put(root, "losses", summary_losses_json(&summary->losses)) &&
           put(root, "interrupts", interrupts_json(summary, 0, SUMMARY_ERRORS_FROM)) &&
           put(root, "errors", interrupts_json(summary, SUMMARY_ERRORS_FROM, SUMMARY_INTERRUPTS)) &&
           put(root, "kernel_log", lines_json(summary)) &&
           put(root, "durations", durations ? json_string(durations) : json_null()) &&
           (!summary->notes->assumed ||
            put(root, "assumed", json_string(summary->notes->assumed))) &&
           put(root, "recorded_without_gpu", json_boolean(summary->notes->recorded_without_gpu));
}

bool summary_json(FILE *file, const struct summary *summary)
{
    json_t *root = json_object();
    const char *name = summary->notes->name;
    const bool good =
        put(root, "name", json_text_string(name ? name : event_log_name(summary->log))) &&
        put(root, "run", run_json(summary)) &&
        put(root, "event_count", number(summary->event_count)) &&
        put(root, "simulated_ps", time_json(summary_simulated_ps(summary))) &&
        put(root, "end_ps", time_json(summary->end_ps)) && counts_put(root, summary) &&
        lists_put(root, summary);
    const bool printed = good && json_text_print(file, root);

    json_decref(root);
    return printed;
}
