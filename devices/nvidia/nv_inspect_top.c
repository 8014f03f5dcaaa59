/* SPDX-License-Identifier: MIT */
/*
 * device_info: the engines as PTOP's rows tell them, in the form of Tables II to IV of Bakita and
 * Anderson 2024: by runlist, with N/A where a runlist has no engine.
 *
 * Rows: open-gpu-doc tu104 dev_top (up to Turing), nvgpu hw_top_ga10b.h (Ampere and later).
 */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/nv_inspect.h"
#include "devices/nvidia/nv_inspect_views.h"
#include "devices/nvidia/nv_top_table.h"

enum { DEVICES_MAX = 128, NO_NUMBER = -1, TYPE_LCE = 19, TYPE_COPY0 = 1, TYPE_COPY2 = 3 };

/* One chain of rows; NO_NUMBER where they do not say. */
struct device {
    int type, instance, engine, runlist, reset, interrupt, fault, rleng;
    int64_t pri_base;
};

struct devices {
    struct device at[DEVICES_MAX];
    uint32_t count;
};

/* The words of PTOP's table. */
struct table {
    uint32_t rows[NV_TOP_ROWS_MAX], count;
    bool is_second; /* DEVICE_INFO2: Ampere and later */
};

static const struct device no_device = {NO_NUMBER, 0,         NO_NUMBER, NO_NUMBER, NO_NUMBER,
                                        NO_NUMBER, NO_NUMBER, NO_NUMBER, NO_NUMBER};

static void devices_add(struct devices *devices, const struct device *device)
{
    if (device->type != NO_NUMBER && devices->count < DEVICES_MAX)
        devices->at[devices->count++] = *device;
}

static int valid(uint32_t word, unsigned valid_bit, unsigned hi, unsigned lo)
{
    return word >> valid_bit & 1 ? (int)reg_get(word, hi, lo) : NO_NUMBER;
}

/* ---- Kepler to Turing ------------------------------------------------------------------------ */

static void device_take(struct device *device, uint32_t word)
{
    switch (word & 3) {
    case 1: /* DATA; with bit 30 set of a form that is not published */
        if (word >> 30 & 1)
            break;
        device->fault = valid(word, 2, 9, 3);
        if (reg_get(word, 23, 12) != 0)
            device->pri_base = (int64_t)reg_get(word, 23, 12) << 12;
        device->instance = (int)reg_get(word, 29, 26);
        break;
    case 2: /* ENUM */
        device->reset = valid(word, 2, 13, 9);
        device->interrupt = valid(word, 3, 19, 15);
        device->runlist = valid(word, 4, 24, 21);
        device->engine = valid(word, 5, 29, 26);
        break;
    case 3: /* ENGINE_TYPE */
        device->type = (int)reg_get(word, 30, 2);
        break;
    default:
        break;
    }
}

/* Rows without an entry may stand anywhere. */
static void devices_read(const struct table *table, struct devices *devices)
{
    struct device device = no_device;

    for (uint32_t i = 0; i < table->count; i++) {
        const uint32_t word = table->rows[i];

        if ((word & 3) == 0)
            continue;
        device_take(&device, word);
        if (word >> 31)
            continue;
        if (device.type >= TYPE_COPY0 && device.type <= TYPE_COPY2)
            device.instance = device.type - TYPE_COPY0;
        devices_add(devices, &device);
        device = no_device;
    }
}

/* ---- Ampere and later ------------------------------------------------------------------------ */

/* Runlists have no number there, but a block of registers: which one, the chip's list of blocks
 * says. */
static int runlist_at(const struct nv_chip *model, uint32_t pri_base)
{

    for (uint32_t i = 0; i < model->runlist_count; i++)
        if (model->runlists[i].pri_base == pri_base)
            return (int)i;
    return NO_NUMBER;
}

static void device_take_2(const struct nv_chip *model, struct device *device, uint32_t word,
                          uint32_t row)
{
    switch (row) {
    case 0:
        device->fault = (int)reg_get(word, 10, 0);
        device->instance = (int)reg_get(word, 23, 16);
        device->type = (int)reg_get(word, 30, 24);
        break;
    case 1:
        device->reset = (int)reg_get(word, 7, 0);
        if (reg_get(word, 25, 8) != 0)
            device->pri_base = (int64_t)reg_get(word, 25, 8) << 8;
        break;
    case 2:
        device->rleng = (int)reg_get(word, 1, 0);
        device->runlist = runlist_at(model, reg_get(word, 25, 10) << 10);
        break;
    default:
        break;
    }
}

static void devices_read_2(const struct table *table, const struct nv_chip *model,
                           struct devices *devices)
{
    struct device device = no_device;
    uint32_t row = 0;

    for (uint32_t i = 0; i < table->count; i++) {
        const uint32_t word = table->rows[i];

        if (word == 0)
            continue;
        device_take_2(model, &device, word, row++);
        if (word >> 31)
            continue;
        devices_add(devices, &device);
        device = no_device;
        row = 0;
    }
}

/* ---- names ----------------------------------------------------------------------------------- */

static const struct {
    int type;
    const char *name, *unit; /* unit NULL: the name has no number */
} type_names[] = {
    {0, "Graphics/Compute", ""},
    {8, "Video Picture Decoder", "MSPDEC"},
    {9, "Video Post-Processor", "MSPPP"},
    {10, "Video Bitstream Decoder", "MSVLD"},
    {11, "Video Encoder", "MSENC"},
    {12, "Video Image Compositor", "VIC"},
    {13, "Sequencer", NULL},
    {14, "Video Encoder", "NVENC"},
    {15, "Video Encoder", "NVENC"},
    {16, "Video Decoder", "NVDEC"},
    {18, "I/O Controller", "IOCTRL"},
    {20, "GPU System Processor", "GSP"},
    {21, "JPEG Decoder", "NVJPG"},
    {22, "Optical Flow Accelerator", NULL},
};

static bool is_copy(const struct device *device)
{
    return device->type == TYPE_LCE || (device->type >= TYPE_COPY0 && device->type <= TYPE_COPY2);
}

static void device_name(const struct device *device, bool graphics_runlist, char *text,
                        size_t bytes)
{
    const int instance = device->type == 15 ? 1 : device->instance;

    (void)snprintf(text, bytes, "Engine of type %d, %d", device->type, instance);
    if (is_copy(device) && graphics_runlist)
        (void)snprintf(text, bytes, "[Graphics] Copy Engine %d (GRCE%d/LCE%d)", instance, instance,
                       instance);
    else if (is_copy(device))
        (void)snprintf(text, bytes, "Copy Engine %d (LCE%d)", instance, instance);
    for (size_t i = 0; i < sizeof type_names / sizeof type_names[0]; i++) {
        if (type_names[i].type != device->type)
            continue;
        if (!type_names[i].unit)
            (void)snprintf(text, bytes, "%s", type_names[i].name);
        else if (type_names[i].unit[0] == '\0')
            (void)snprintf(text, bytes, "%s %d", type_names[i].name, instance);
        else
            (void)snprintf(text, bytes, "%s %d (%s%d)", type_names[i].name, instance,
                           type_names[i].unit, instance);
    }
}

/* ---- the table ------------------------------------------------------------------------------- */

/* By runlist, copy engines by number; else in the order of their rows. */
static bool device_after(const struct device *a, const struct device *b)
{
    const unsigned a_runlist = (unsigned)a->runlist, b_runlist = (unsigned)b->runlist;

    if (a_runlist != b_runlist)
        return a_runlist > b_runlist;
    return is_copy(a) && is_copy(b) && a->instance > b->instance;
}

static void devices_sort(struct devices *devices)
{
    for (uint32_t i = 1; i < devices->count; i++) {
        const struct device device = devices->at[i];
        uint32_t at = i;

        for (; at > 0 && device_after(&devices->at[at - 1], &device); at--)
            devices->at[at] = devices->at[at - 1];
        devices->at[at] = device;
    }
}

static bool put_number(json_t *row, const char *key, int64_t number)
{
    return json_object_set_new(row, key,
                               number == NO_NUMBER ? json_string("-") : json_integer(number)) == 0;
}

static json_t *device_row(const char *name, int runlist, const struct device *device)
{
    json_t *row = json_object();
    bool good = row && json_object_set_new(row, "Engine Name", json_string(name)) == 0;

    good = good &&
           json_object_set_new(row, "Runlist",
                               runlist == NO_NUMBER ? json_string("-")
                                                    : json_sprintf("Runlist %d", runlist)) == 0;
    good = good && put_number(row, "engine", device->engine) &&
           put_number(row, "runlist_engine", device->rleng) &&
           put_number(row, "reset", device->reset) &&
           put_number(row, "interrupt", device->interrupt) &&
           put_number(row, "fault", device->fault);
    good = good && json_object_set_new(row, "pri_base",
                                       device->pri_base == NO_NUMBER
                                           ? json_string("-")
                                           : json_sprintf("0x%06" PRIx64, device->pri_base)) == 0;
    if (good)
        return row;
    json_decref(row);
    return NULL;
}

/* The runlist of the graphics engine: its copy engines are GRCEs. */
static int graphics_runlist(const struct devices *devices)
{
    for (uint32_t i = 0; i < devices->count; i++)
        if (devices->at[i].type == 0)
            return devices->at[i].runlist;
    return NO_NUMBER;
}

static bool devices_print(json_t *view, const struct devices *devices, uint32_t runlist_count)
{
    const int graphics = graphics_runlist(devices);
    int next = 0; /* runlist that has not had a row */
    bool good = true;
    char name[80];

    for (uint32_t i = 0; i < devices->count && good; i++) {
        const struct device *device = &devices->at[i];

        for (; device->runlist != NO_NUMBER && next < device->runlist && good; next++)
            good = inspect_add(view, device_row("N/A", next, &no_device));
        if (device->runlist == next)
            next++;
        device_name(device, device->runlist != NO_NUMBER && device->runlist == graphics, name,
                    sizeof name);
        good = good && inspect_add(view, device_row(name, device->runlist, device));
    }
    for (; next < (int)runlist_count && good; next++)
        good = inspect_add(view, device_row("N/A", next, &no_device));
    return good;
}

/* PTOP's rows from its registers; of a GPU that has none here, as its model fills them in. */
static void table_take(const struct inspect_subject *subject, struct table *table)
{
    const uint32_t any = REG_ASSIGN_ANY_UNIT;
    const char *name = "NV_PTOP_DEVICE_INFO";

    table->is_second = nv_top_form_of(subject->model) == NV_TOP_DEVICE_INFO2;
    if (!subject->machine) {
        table->count = nv_top_fill(subject->model, table->rows);
        return;
    }
    if (table->is_second)
        name = "NV_PTOP_DEVICE_INFO2";
    while (table->count < NV_TOP_ROWS_MAX &&
           nv_inspect_has(subject->machine, name, any, table->count)) {
        table->rows[table->count] = nv_inspect_word(subject->machine, name, any, table->count);
        table->count++;
    }
}

json_t *nv_inspect_build_device_info(const struct inspect_subject *subject)
{
    struct devices *devices = calloc(1, sizeof *devices);
    struct table *table = calloc(1, sizeof *table);
    json_t *view = devices && table ? inspect_new("device_info") : NULL;
    bool good = view != NULL;

    if (good) {
        table_take(subject, table);
        if (table->is_second)
            devices_read_2(table, subject->model, devices);
        else
            devices_read(table, devices);
        devices_sort(devices);
        good = devices_print(view, devices, subject->model->runlist_count) &&
               (subject->machine ||
                inspect_note(view, "the registers of this GPU are not modelled: these are PTOP's "
                                   "rows as its model has them"));
    }
    free(table);
    free(devices);
    return good ? view : inspect_no_memory(view, subject->error);
}
