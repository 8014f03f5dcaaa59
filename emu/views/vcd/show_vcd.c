/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/views/vcd/show_vcd.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emu/log/event_log_ahead.h"
#include "emu/views/vcd/show_vcd_private.h"

/* ---- declarations ---------------------------------------------------------------------------- */

/* As all units of a group are called together. */
static const char *group_name(const struct show_vcd *vcd, enum vcd_group group)
{
    static const char *const names[VCD_GROUPS] = {
        [VCD_GPU] = "gpu",        [VCD_THREAD] = "program",    [VCD_CHANNEL] = "channels",
        [VCD_QUEUE] = "queues",   [VCD_TSG] = "tsgs",          [VCD_RUNLIST] = "runlists",
        [VCD_PBDMA] = "pbdmas",   [VCD_SLOT] = "slots",        [VCD_ACE] = "aces",
        [VCD_ENGINE] = "engines", [VCD_SE] = "shader_engines", [VCD_SM] = "sms"};

    return group == VCD_SM && vcd->words.is_amd ? "cus" : names[group];
}

static int unit_order(const void *left, const void *right)
{
    const struct vcd_unit *a = left, *b = right;

    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

static void unit_declare(FILE *file, const struct vcd_unit *unit)
{
    char code[8];

    fprintf(file, "$scope module %s $end\n", unit->name);
    for (uint32_t i = 0; vcd_fields[unit->group][i].name; i++) {
        const struct vcd_field *field = &vcd_fields[unit->group][i];
        vcd_code(unit->first_signal + i, code);
        if (field->first)
            fprintf(file, "$var string 1 %s %s $end\n", code, field->name);
        else
            fprintf(file, "$var wire %" PRIu32 " %s %s [%" PRIu32 ":0] $end\n", field->bits, code,
                    field->name, field->bits - 1);
    }
    fputs("$upscope $end\n", file);
}

/* Sorts the units; vcd_unit() finds none of them after that. */
static void head_put(FILE *file, struct show_vcd *vcd)
{
    const char *gpu = event_log_run(vcd->log, "gpu");
    char name[VCD_TEXT_BYTES];
    enum vcd_group group = VCD_GROUPS;

    vcd_word(name, sizeof name, gpu ? gpu : "gpu");
    fprintf(file, "$version gfe %s $end\n$timescale 1 ps $end\n$scope module %s $end\n", VERSION,
            name);
    qsort(vcd->units, vcd->unit_count, sizeof *vcd->units, unit_order);
    for (uint32_t i = 0; i < vcd->unit_count; i++) {
        if (vcd->units[i].group != group && group != VCD_GROUPS)
            fputs("$upscope $end\n", file);
        if (vcd->units[i].group != group)
            fprintf(file, "$scope module %s $end\n", group_name(vcd, vcd->units[i].group));
        group = vcd->units[i].group;
        unit_declare(file, &vcd->units[i]);
    }
    fprintf(file, "$upscope $end\n$upscope $end\n$enddefinitions $end\n#%" PRIu64 "\n$dumpvars\n",
            vcd->from_ps);
    for (uint32_t i = 0; i < vcd->signal_count; i++)
        vcd_value_put(file, &vcd->signals[i], &vcd->signals[i].initial, i);
    fputs("$end\n", file);
}

static bool body_copy(FILE *file, struct show_vcd *vcd)
{
    char buffer[1 << 16];
    size_t bytes;

    if (fflush(vcd->body) != 0 || ferror(vcd->body) || fseek(vcd->body, 0, SEEK_SET) != 0)
        return error_set_errno(vcd->error, errno ? errno : EIO, "a temporary file");
    while ((bytes = fread(buffer, 1, sizeof buffer, vcd->body)) > 0)
        if (fwrite(buffer, 1, bytes, file) != bytes)
            return true; /* ferror(file) tells */
    return !ferror(vcd->body) || error_set_errno(vcd->error, EIO, "a temporary file");
}

/* ---- the log --------------------------------------------------------------------------------- */

static bool events_take(struct show_vcd *vcd, struct event_log_reader *log, gfe_ps to_ps)
{
    struct event_log_ahead *ahead = event_log_ahead_new(log, vcd->error);
    enum event_log_result result = EVENT_LOG_FAILED;
    const struct log_event *events;
    bool good = ahead != NULL, inside = true;
    uint32_t count;

    while (good && inside &&
           (result = event_log_ahead_read(ahead, &events, &count, vcd->error)) == EVENT_LOG_GOT)
        for (uint32_t i = 0; good && inside && i < count; i++) {
            inside = events[i].time_ps <= to_ps;
            vcd_advance(vcd, inside ? events[i].time_ps : to_ps);
            good = !inside || model_take(&vcd->model, &events[i]);
        }
    event_log_ahead_free(ahead);
    return good && (!inside || result == EVENT_LOG_AT_END);
}

/* The time at which it ends stands last, so that viewers show all of it. */
static void end_put(struct show_vcd *vcd)
{
    const gfe_ps end_ps = vcd->now_ps;

    vcd_advance(vcd, GFE_PS_NEVER);
    if (end_ps > vcd->written_ps)
        fprintf(vcd->body, "#%" PRIu64 "\n", end_ps);
}

bool show_vcd(FILE *file, struct event_log_reader *log, gfe_ps from_ps, gfe_ps to_ps,
              uint32_t threads_per_sm, struct gfe_error *error)
{
    struct gfe_error own = {0};
    struct show_vcd vcd = {.log = log,
                           .error = &own,
                           .from_ps = from_ps,
                           .written_ps = from_ps,
                           .threads_per_sm = threads_per_sm};
    bool good;

    gpu_words_init(&vcd.words, log);
    vcd.body = tmpfile();
    if (!vcd.body)
        return error_set_errno(error, errno, "a temporary file");
    vcd.gpu = vcd_unit(&vcd, VCD_GPU, 0);
    good = own.kind == ERROR_NONE && model_init(&vcd.model, log, vcd_take, &vcd, &own) &&
           events_take(&vcd, log, to_ps);
    if (good) {
        end_put(&vcd);
        head_put(file, &vcd);
        good = body_copy(file, &vcd);
    }
    if (model_no_memory(&vcd.model))
        error_set_errno(&own, ENOMEM, "%s", event_log_name(log));
    (void)fclose(vcd.body);
    model_fini(&vcd.model);
    vcd_signals_fini(&vcd);
    return good || error_set(error, own.kind, "%s", own.text);
}
