/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/formats/nv_effect.h"

#include <string.h>

#include "devices/nvidia/formats/nv_effect_list.h"

enum { REPORT_OF_COUNTER = 3, OPERATION_ACQUIRE = 1, LOCATION_ALL = 0xf };

/* ---- the lists as data ----------------------------------------------------------------------- */

/* clang-format off */
#define R_ALWAYS(kind, from, to, name, lost) \
    {kind, NV_LOSS_ALWAYS, from, to, 31, 0, 0, 0, name, NULL, lost},
#define R_FIELD(kind, at, name, field, hi, lo, lost) \
    {kind, NV_LOSS_UNLESS, at, at, hi, lo, 0, 0, name, field, lost},
#define R_EQUAL(kind, at, name, field, hi, lo, value, lost) \
    {kind, NV_LOSS_EQUAL, at, at, hi, lo, value, 0, name, field, lost},
#define R_UNLESS(kind, at, name, field, hi, lo, value, lost) \
    {kind, NV_LOSS_UNLESS, at, at, hi, lo, value, 0, name, field, lost},
#define R_ABOVE(kind, at, name, field, hi, lo, value, lost) \
    {kind, NV_LOSS_ABOVE, at, at, hi, lo, value, 0, name, field, lost},
#define R_REPORT(kind, at, name, field, hi, lo, lost) \
    {kind, NV_LOSS_UNLESS, at, at, hi, lo, 0, REPORT_OF_COUNTER, name, field, lost},
#define R_LOCATION(kind, at, name, field, hi, lo, lost) \
    {kind, NV_LOSS_LOCATION, at, at, hi, lo, 0, 0, name, field, lost},
#define R_UNIT(kind, at, name, lost) \
    {kind, NV_LOSS_BY_UNIT, at, at, 31, 0, 0, 0, name, NULL, lost},
static const struct nv_loss losses[] = {NV_LOSSES(R_)};
/* clang-format on */

enum { LOSSES = sizeof losses / sizeof losses[0] };
_Static_assert((int)LOSSES <= (int)NV_LOSS_ROWS_MAX, "struct nv_losses has a byte for a row");

/* Names that are pure state, from a class on back to the first of its kind. */
struct effect_states {
    uint16_t class_id;
    const char *names;
};

struct effect_modelled {
    uint8_t kind;
    const char *name, *fields;
};

struct effect_work {
    uint8_t kind;
    const char *names;
};

struct effect_qmd {
    const char *fields;
    uint32_t harmless; /* a bit for each value that loses nothing */
    const char *lost;
};

#define STATES_ROW(id, names)            {0x##id, names},
#define MODELLED_ROW(kind, name, fields) {kind, name, fields},
#define WORK_ROW(kind, names)            {kind, names},
#define QMD_ROW(fields, harmless, lost)  {fields, harmless, lost},
static const struct effect_states states[] = {NV_STATES(STATES_ROW)};
static const struct effect_modelled modelled[] = {NV_MODELLED(MODELLED_ROW)};
static const struct effect_work works[] = {NV_WORK(WORK_ROW)};
static const struct effect_qmd qmd_losses[] = {NV_QMD_LOSSES(QMD_ROW)};

/* ---- patterns -------------------------------------------------------------------------------- */

/* Does the name have the pattern, which ends at `end`?  A '*' stands for any characters. */
static bool effect_glob(const char *pattern, const char *end, const char *name)
{
    while (pattern < end && *pattern != '*') {
        if (*pattern++ != *name++)
            return false;
    }
    if (pattern == end)
        return *name == '\0';
    for (pattern++;; name++) {
        if (effect_glob(pattern, end, name))
            return true;
        if (*name == '\0')
            return false;
    }
}

static bool effect_matches(const char *patterns, const char *name)
{
    while (*patterns != '\0') {
        const size_t length = strcspn(patterns, " ");

        if (length > 0 && effect_glob(patterns, patterns + length, name))
            return true;
        patterns += length + (patterns[length] == ' ');
    }
    return false;
}

/* ---- losses ---------------------------------------------------------------------------------- */

/* Does the row name this method of a class of its kind, in its field's place? */
static bool loss_names(const struct nv_loss *loss, const struct nv_class_row *method)
{
    if (method->offset < loss->offset || method->offset > loss->last_offset ||
        !effect_matches(loss->name, nv_class_row_name(method)))
        return false;
    if (loss->field == NULL)
        return true;
    for (const struct nv_class_row *field = nv_class_next(method, NV_ROW_FIELD); field;
         field = nv_class_next(field, NV_ROW_FIELD))
        if (field->hi == loss->hi && field->lo == loss->lo &&
            strcmp(nv_class_row_name(field), loss->field) == 0)
            return true;
    return false;
}

const struct nv_loss *nv_loss_row(const struct nv_class *nv_class,
                                  const struct nv_class_row *method, const struct nv_loss *loss)
{
    for (size_t row = loss ? (size_t)(loss - losses) + 1 : 0; row < LOSSES; row++)
        if (losses[row].kind == (nv_class->id & 0xff) && loss_names(&losses[row], method))
            return &losses[row];
    return NULL;
}

static const struct nv_class_row *loss_method_at(const struct nv_class *nv_class, uint32_t offset)
{
    const uint16_t place = nv_class->index->methods[offset / 4];

    return place != 0 ? &nv_class_rows[place] : NULL;
}

/* Notes a row for each element of a method. */
static void losses_note(struct nv_losses *noted, size_t row, const struct nv_class_row *method)
{
    noted->applies[row / 32] |= UINT32_C(1) << row % 32;
    for (uint32_t i = 0; i < method->count; i++) {
        const uint32_t slot = (method->offset + i * method->stride) / 4;

        if (slot < NV_CLASS_METHODS && noted->first[slot] == 0)
            noted->first[slot] = (uint8_t)(row + 1);
    }
}

void nv_losses_fill(struct nv_losses *noted, const struct nv_class *nv_class)
{
    memset(noted, 0, sizeof *noted);
    if (nv_class == NULL)
        return;
    for (size_t row = 0; row < LOSSES; row++) {
        if (losses[row].kind != (nv_class->id & 0xff) || losses[row].when == NV_LOSS_BY_UNIT)
            continue;
        for (uint32_t at = losses[row].offset; at <= losses[row].last_offset; at += 4) {
            const struct nv_class_row *method = loss_method_at(nv_class, at);

            if (method != NULL && loss_names(&losses[row], method))
                losses_note(noted, row, method);
        }
    }
}

/* Is an effect lost by this data word, as far as it says? */
static bool loss_holds(const struct nv_loss *loss, uint32_t data)
{
    const uint32_t value = data >> loss->lo & (UINT32_MAX >> (31 - (loss->hi - loss->lo)));

    if (loss->only != 0 && (data & 3) + 1 != loss->only)
        return false;
    switch ((enum nv_loss_when)loss->when) {
    case NV_LOSS_ALWAYS:
        return true;
    case NV_LOSS_EQUAL:
        return value == loss->value;
    case NV_LOSS_UNLESS:
        return value != loss->value;
    case NV_LOSS_ABOVE:
        return value > loss->value;
    case NV_LOSS_LOCATION:
        return (data & 3) != OPERATION_ACQUIRE && value != 0 && value != LOCATION_ALL;
    default:
        return false;
    }
}

const struct nv_loss *nv_losses_hit(const struct nv_losses *noted, uint32_t offset, uint32_t data)
{
    const uint8_t first = noted->first[offset / 4];

    if (first == 0)
        return NULL;
    for (size_t row = first - 1u; row < LOSSES && losses[row].kind == losses[first - 1u].kind;
         row++)
        if ((noted->applies[row / 32] >> row % 32 & 1) &&
            losses[row].offset <= losses[first - 1u].last_offset &&
            losses[first - 1u].offset <= losses[row].last_offset && loss_holds(&losses[row], data))
            return &losses[row];
    return NULL;
}

const struct nv_loss *nv_loss_next(uint32_t class_id, uint32_t offset, uint32_t data,
                                   const struct nv_loss *loss)
{
    const struct nv_loss *by_unit = NULL, *row = loss;
    struct nv_class_method method;

    if (!nv_class_lookup(nv_class_find(class_id), offset, &method))
        return NULL;
    while ((row = nv_loss_row(method.nv_class, method.row, row)) != NULL) {
        if (loss_holds(row, data))
            return row;
        if (row->when == NV_LOSS_BY_UNIT)
            by_unit = row;
    }
    return loss == NULL ? by_unit : NULL;
}

/* ---- lists ----------------------------------------------------------------------------------- */

/* The id of the first class of the kind that has the method, by this name in this place. */
static uint32_t effect_since(const struct nv_class *nv_class, const struct nv_class_row *method)
{
    const char *name = nv_class_row_name(method);

    for (size_t i = 0; i < nv_class_count() && nv_class_at(i) != nv_class; i++) {
        const struct nv_class *older = nv_class_at(i);
        const struct nv_class_row *row;

        if ((older->id & 0xff) != (nv_class->id & 0xff))
            continue;
        row = loss_method_at(older, method->offset);
        if (row != NULL && strcmp(nv_class_row_name(row), name) == 0)
            return older->id;
    }
    return nv_class->id;
}

static const struct effect_modelled *effect_find_modelled(uint32_t class_id, const char *name)
{
    for (size_t i = 0; i < sizeof modelled / sizeof modelled[0]; i++)
        if (modelled[i].kind == (class_id & 0xff) && effect_matches(modelled[i].name, name))
            return &modelled[i];
    return NULL;
}

static bool effect_is_work(uint32_t class_id, const char *name)
{
    for (size_t i = 0; i < sizeof works / sizeof works[0]; i++)
        if (works[i].kind == (class_id & 0xff) && effect_matches(works[i].names, name))
            return true;
    return false;
}

enum nv_effect nv_effect_of_method(const struct nv_class *nv_class,
                                   const struct nv_class_row *method)
{
    const char *name = nv_class_row_name(method);
    uint32_t since;

    if (effect_find_modelled(nv_class->id, name) != NULL)
        return NV_EFFECT_MODELLED;
    if (effect_is_work(nv_class->id, name))
        return NV_EFFECT_WORK;
    for (size_t i = 0; i < LOSSES; i++)
        if (losses[i].kind == (nv_class->id & 0xff) && losses[i].when == NV_LOSS_ALWAYS &&
            loss_names(&losses[i], method))
            return NV_EFFECT_LOST;
    since = effect_since(nv_class, method);
    for (size_t i = 0; i < sizeof states / sizeof states[0]; i++)
        if ((states[i].class_id & 0xff) == (nv_class->id & 0xff) && since <= states[i].class_id &&
            effect_matches(states[i].names, name))
            return NV_EFFECT_STATE;
    return NV_EFFECT_UNLISTED;
}

bool nv_effect_has_field(const struct nv_class *nv_class, const struct nv_class_row *method,
                         const struct nv_class_row *field)
{
    const struct effect_modelled *row =
        effect_find_modelled(nv_class->id, nv_class_row_name(method));
    const char *name = nv_class_row_name(field);

    if (row != NULL && effect_matches(row->fields, name))
        return true;
    for (size_t i = 0; i < LOSSES; i++)
        if (losses[i].kind == (nv_class->id & 0xff) && losses[i].field != NULL &&
            strcmp(losses[i].field, name) == 0 && losses[i].hi == field->hi &&
            losses[i].lo == field->lo && loss_names(&losses[i], method))
            return true;
    return false;
}

/* ---- descriptors ----------------------------------------------------------------------------- */

/* RELEASE_ENABLE has an element for each release; two are modelled. */
enum { RELEASES = 2 };

static bool qmd_is_third(const struct nv_qmd_row *field, unsigned index)
{
    return index >= RELEASES && strcmp(field->name, "RELEASE_ENABLE") == 0;
}

const char *nv_qmd_lost(const struct nv_qmd_row *field, unsigned index, uint32_t value)
{
    if (qmd_is_third(field, index))
        return value != 0 ? LOST_THIRD : NULL;
    for (size_t i = 0; i < sizeof qmd_losses / sizeof qmd_losses[0]; i++)
        if ((value > 31 || !(qmd_losses[i].harmless >> value & 1)) &&
            effect_matches(qmd_losses[i].fields, field->name))
            return qmd_losses[i].lost;
    return NULL;
}

enum nv_effect nv_effect_of_qmd_field(const struct nv_qmd_row *field)
{
    for (size_t i = 0; i < sizeof qmd_losses / sizeof qmd_losses[0]; i++)
        if (effect_matches(qmd_losses[i].fields, field->name))
            return NV_EFFECT_LOST;
    if (effect_matches(NV_QMD_MODELLED, field->name))
        return NV_EFFECT_MODELLED;
    return effect_matches(NV_QMD_STATE, field->name) ? NV_EFFECT_STATE : NV_EFFECT_UNLISTED;
}

/* Returns the values of a field that lose nothing, or UINT32_MAX for a field of no row. */
static uint32_t qmd_harmless(const struct nv_qmd_row *field)
{
    uint32_t harmless = qmd_is_third(field, field->count - 1u) ? 1 : UINT32_MAX;

    for (size_t i = 0; i < sizeof qmd_losses / sizeof qmd_losses[0]; i++)
        if (effect_matches(qmd_losses[i].fields, field->name))
            harmless &= qmd_losses[i].harmless;
    return harmless;
}

void nv_qmd_watch_fill(struct nv_qmd_watch *watch, const struct nv_qmd_layout *layout, bool splits)
{
    *watch = (struct nv_qmd_watch){.layout = layout, .type = nv_qmd_find(layout, "QMD_TYPE")};
    for (size_t i = 0; i < layout->row_count && watch->count < NV_QMD_WATCHED_MAX; i++) {
        const struct nv_qmd_row *field = &layout->rows[i];
        const uint32_t harmless =
            field->kind == NV_QMD_ROW_FIELD ? qmd_harmless(field) : UINT32_MAX;

        if (harmless == UINT32_MAX ||
            (splits && strstr(field->name, "TARGET_SM_CONFIG_SHARED_MEM_SIZE")))
            continue;
        watch->fields[watch->count] = field;
        watch->harmless[watch->count++] = harmless;
    }
}

enum { NAME_CLASS = 32, NAME_MAJOR = 28, NAME_MINOR = 24, NAME_INDEX = 16 };

uint64_t nv_qmd_name(uint32_t class_id, const struct nv_qmd_layout *layout,
                     const struct nv_qmd_row *field, unsigned index)
{
    return (uint64_t)class_id << NAME_CLASS | (uint32_t)layout->major << NAME_MAJOR |
           (uint32_t)layout->minor << NAME_MINOR | index << NAME_INDEX | field->lo;
}

const struct nv_qmd_row *nv_qmd_named(uint64_t name, unsigned *index)
{
    *index = (unsigned)(name >> NAME_INDEX & 0xff);
    for (size_t i = 0; i < nv_qmd_layout_count(); i++) {
        const struct nv_qmd_layout *layout = nv_qmd_layout_at(i);

        if (layout->major != (name >> NAME_MAJOR & 0xf) ||
            layout->minor != (name >> NAME_MINOR & 0xf))
            continue;
        for (size_t row = 0; row < layout->row_count; row++)
            if (layout->rows[row].kind == NV_QMD_ROW_FIELD &&
                layout->rows[row].lo == (name & 0xffff) && layout->rows[row].count > *index &&
                nv_effect_of_qmd_field(&layout->rows[row]) != NV_EFFECT_STATE)
                return &layout->rows[row];
    }
    return NULL;
}
