/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emu/views/vcd/show_vcd_private.h"

/* clang-format off */
const struct vcd_field vcd_fields[VCD_GROUPS][VCD_FIELDS_MAX + 1] = {
    [VCD_GPU] = {{"last_wait", "none", 0}, {"grids", NULL, 32}, {"copies", NULL, 32},
                 {"blocks", NULL, 32}, {"threads", NULL, 32}, {"busy_sms", NULL, 32}},
    [VCD_THREAD] = {{"state", "runs", 0}, {"submission", NULL, 32}},
    [VCD_CHANNEL] = {{"state", "known", 0}, {"running", NULL, 32}, {"gp_put", NULL, 32},
                     {"gp_entry", NULL, 32}, {"last_wait", "none", 0}},
    [VCD_QUEUE] = {{"state", "out", 0}, {"slot", "none", 0}, {"write_index", NULL, 64},
                   {"read_index", NULL, 64}, {"running", NULL, 32}, {"last_wait", "none", 0}},
    [VCD_TSG] = {{"state", "off", 0}, {"runlist", "none", 0}},
    [VCD_RUNLIST] = {{"tsg", "none", 0}, {"entries", NULL, 32}, {"scheduler", "on", 0}},
    [VCD_PBDMA] = {{"state", "idle", 0}, {"channel", "none", 0}, {"gp_entry", NULL, 32}},
    [VCD_SLOT] = {{"state", "empty", 0}, {"queue", "none", 0}},
    [VCD_ACE] = {{"queue_index", NULL, 32}, {"grid", "none", 0}},
    [VCD_ENGINE] = {{"state", "idle", 0}, {"context", "none", 0}, {"operation", "none", 0},
                    {"running", NULL, 32}},
    [VCD_SE] = {{"blocks", NULL, 32}, {"threads", NULL, 32}, {"staged", NULL, 32}},
    [VCD_SM] = {{"blocks", NULL, 32}, {"threads", NULL, 32}},
};
/* clang-format on */

void vcd_word(char *to, size_t bytes, const char *from)
{
    size_t at = 0;

    for (; *from && at + 1 < bytes; from++)
        to[at++] = *from > ' ' && *from < 0x7f ? *from : '_';
    if (at == 0)
        to[at++] = '_';
    to[at] = '\0';
}

/* ---- units ----------------------------------------------------------------------------------- */

/* Letters, digits and "_", as names in the file are. */
static void name_make(const struct show_vcd *vcd, struct vcd_unit *unit)
{
    static const char *const fronts[VCD_GROUPS] = {
        [VCD_THREAD] = "thread", [VCD_CHANNEL] = "channel", [VCD_QUEUE] = "queue",
        [VCD_PBDMA] = "PBDMA",   [VCD_ACE] = "ACE",         [VCD_SE] = "SE"};
    const char *engine = unit->group == VCD_ENGINE ? event_log_engine(vcd->log, unit->id) : NULL;

    if (unit->group == VCD_GPU)
        (void)snprintf(unit->name, sizeof unit->name, "all");
    else if (engine)
        (void)snprintf(unit->name, sizeof unit->name, "%s", engine);
    else if (unit->group == VCD_ENGINE)
        (void)snprintf(unit->name, sizeof unit->name, "%s_%" PRIu64,
                       vcd->words.is_amd ? vcd->words.copier : "engine", unit->id);
    else if (unit->group == VCD_SLOT)
        (void)gpu_words_slot(unit->id, unit->name);
    else if (unit->group == VCD_RUNLIST)
        (void)gpu_words_runlist(unit->id, unit->name);
    else if (unit->group == VCD_SM)
        (void)gpu_words_sm(&vcd->words, (uint32_t)unit->id, unit->name);
    else if (unit->group == VCD_TSG && unit->id >= UINT32_C(1) << 30) /* outside TSGs */
        (void)snprintf(unit->name, sizeof unit->name, "channel_%" PRIu64,
                       unit->id - (UINT32_C(1) << 30));
    else
        (void)snprintf(unit->name, sizeof unit->name, "%s_%" PRIu64,
                       unit->group == VCD_TSG ? "tsg" : fronts[unit->group], unit->id);
    for (char *c = unit->name; *c; c++)
        if (!((*c >= '0' && *c <= '9') || (*c >= 'A' && *c <= 'Z') || (*c >= 'a' && *c <= 'z')))
            *c = '_';
}

/* Room for one more unit with all its signals. */
static bool room_make(struct show_vcd *vcd)
{
    if (vcd->unit_count == vcd->unit_capacity) {
        const uint32_t capacity = vcd->unit_capacity ? 2 * vcd->unit_capacity : 64;
        struct vcd_unit *units = realloc(vcd->units, capacity * sizeof *units);
        if (!units)
            return false;
        vcd->units = units;
        vcd->unit_capacity = capacity;
    }
    if (vcd->signal_count + VCD_FIELDS_MAX > vcd->signal_capacity) {
        const uint32_t capacity = vcd->signal_capacity ? 2 * vcd->signal_capacity : 256;
        struct vcd_signal *signals = realloc(vcd->signals, capacity * sizeof *signals);
        uint32_t *changed;
        if (signals)
            vcd->signals = signals;
        changed = signals ? realloc(vcd->changed, capacity * sizeof *changed) : NULL;
        if (!changed)
            return false;
        vcd->changed = changed;
        vcd->signal_capacity = capacity;
    }
    return true;
}

static void unit_init(struct show_vcd *vcd, enum vcd_group group, uint64_t id)
{
    struct vcd_unit *unit = &vcd->units[vcd->unit_count++];

    *unit = (struct vcd_unit){.group = group, .id = id, .first_signal = vcd->signal_count};
    name_make(vcd, unit);
    for (const struct vcd_field *field = vcd_fields[group]; field->name; field++) {
        struct vcd_signal *signal = &vcd->signals[vcd->signal_count++];
        memset(signal, 0, sizeof *signal);
        signal->is_text = field->first != NULL;
        signal->bits = field->bits;
        if (field->first)
            (void)snprintf(signal->now.text, sizeof signal->now.text, "%s", field->first);
        signal->written = signal->initial = signal->now;
    }
}

uint32_t vcd_unit_find(const struct show_vcd *vcd, enum vcd_group group, uint64_t id)
{
    return id_map_find(&vcd->unit_of[group], id);
}

uint32_t vcd_unit(struct show_vcd *vcd, enum vcd_group group, uint64_t id)
{
    const uint32_t found = vcd_unit_find(vcd, group, id);

    if (found != ID_MAP_NONE || vcd->error->kind != ERROR_NONE)
        return found;
    if (vcd->unit_count == SHOW_VCD_UNITS_MAX)
        error_set(vcd->error, ERROR_LIMIT, "%s: more than %d units", event_log_name(vcd->log),
                  SHOW_VCD_UNITS_MAX);
    else if (!room_make(vcd) || !id_map_add(&vcd->unit_of[group], id, vcd->unit_count))
        error_set_errno(vcd->error, ENOMEM, "%s", event_log_name(vcd->log));
    if (vcd->error->kind != ERROR_NONE)
        return VCD_NONE;
    unit_init(vcd, group, id);
    return vcd->unit_count - 1;
}

/* ---- values ---------------------------------------------------------------------------------- */

static struct vcd_signal *signal_of(const struct show_vcd *vcd, uint32_t unit, uint32_t field)
{
    return unit == VCD_NONE ? NULL : &vcd->signals[vcd->units[unit].first_signal + field];
}

static void changed_note(struct show_vcd *vcd, struct vcd_signal *signal)
{
    if (!signal->is_changed)
        vcd->changed[vcd->changed_count++] = (uint32_t)(signal - vcd->signals);
    signal->is_changed = true;
}

void vcd_text(struct show_vcd *vcd, uint32_t unit, uint32_t field, const char *text)
{
    struct vcd_signal *signal = signal_of(vcd, unit, field);

    if (!signal)
        return;
    memset(&signal->now, 0, sizeof signal->now);
    vcd_word(signal->now.text, sizeof signal->now.text, text);
    changed_note(vcd, signal);
}

void vcd_number(struct show_vcd *vcd, uint32_t unit, uint32_t field, uint64_t number)
{
    struct vcd_signal *signal = signal_of(vcd, unit, field);

    if (!signal)
        return;
    signal->now.number = signal->bits == 32 ? (uint32_t)number : number;
    changed_note(vcd, signal);
}

uint64_t vcd_get(const struct show_vcd *vcd, uint32_t unit, uint32_t field)
{
    const struct vcd_signal *signal = signal_of(vcd, unit, field);

    return signal ? signal->now.number : 0;
}

bool vcd_is(const struct show_vcd *vcd, uint32_t unit, uint32_t field, const char *text)
{
    const struct vcd_signal *signal = signal_of(vcd, unit, field);

    return signal && strcmp(signal->now.text, text) == 0;
}

void vcd_add(struct show_vcd *vcd, uint32_t unit, uint32_t field, int64_t difference)
{
    const uint64_t now = vcd_get(vcd, unit, field);
    const uint64_t less = difference < 0 ? (uint64_t)-difference : 0;

    vcd_number(vcd, unit, field,
               less == 0    ? now + (uint64_t)difference
               : now > less ? now - less
                            : 0);
}

/* ---- changes --------------------------------------------------------------------------------- */

void vcd_code(uint32_t signal, char to[8])
{
    uint32_t at = 0;

    do {
        to[at++] = (char)('!' + signal % 94);
        signal /= 94;
    } while (signal > 0);
    to[at] = '\0';
}

void vcd_value_put(FILE *file, const struct vcd_signal *signal, const union vcd_value *value,
                   uint32_t number)
{
    char code[8], digits[65];
    uint32_t at = sizeof digits - 1;
    uint64_t left = value->number;

    vcd_code(number, code);
    if (signal->is_text) {
        fprintf(file, "s%s %s\n", value->text, code);
        return;
    }
    digits[at] = '\0';
    do {
        digits[--at] = (char)('0' + (left & 1));
        left >>= 1;
    } while (left > 0);
    fprintf(file, "b%s %s\n", &digits[at], code);
}

static bool differs(const struct vcd_signal *signal)
{
    return signal->is_text ? strcmp(signal->now.text, signal->written.text) != 0
                           : signal->now.number != signal->written.number;
}

void vcd_advance(struct show_vcd *vcd, gfe_ps now_ps)
{
    const bool before = vcd->now_ps < vcd->from_ps;

    for (uint32_t i = 0; i < vcd->changed_count && now_ps != vcd->now_ps; i++) {
        struct vcd_signal *signal = &vcd->signals[vcd->changed[i]];
        signal->is_changed = false;
        if (before)
            signal->written = signal->initial = signal->now;
        if (!differs(signal))
            continue;
        if (vcd->written_ps != vcd->now_ps)
            fprintf(vcd->body, "#%" PRIu64 "\n", vcd->now_ps);
        vcd->written_ps = vcd->now_ps;
        vcd_value_put(vcd->body, signal, &signal->now, vcd->changed[i]);
        signal->written = signal->now;
    }
    if (now_ps != vcd->now_ps)
        vcd->changed_count = 0;
    vcd->now_ps = now_ps;
}

void vcd_signals_fini(struct show_vcd *vcd)
{
    for (uint32_t i = 0; i < VCD_GROUPS; i++)
        id_map_fini(&vcd->unit_of[i]);
    free(vcd->units);
    free(vcd->signals);
    free(vcd->changed);
}
