/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/amd/formats/amd_decode.h"

#include <inttypes.h>

#include "devices/amd/formats/amd_variants.h"

enum {
    DATA_COLUMNS = 8,
    JSON_DWORDS = 512,
    WIDE_BITS = 12 /* fields of registers with more are addresses and masks: hexadecimal */
};

/* ---- text ------------------------------------------------------------------------------------ */

/* Where a line is, and what kind of items it holds. */
struct decode_page {
    FILE *file;
    enum amd_shape shape;
    bool is_cut;         /* a field may be there in part */
    uint32_t data_count; /* dwords of data so far */
};

static void print_field(struct decode_page *page, const struct amd_item *item)
{
    if (page->shape != AMD_SHAPE_PACKET && (item->width > 1 || item->value))
        fprintf(page->file, "\n%15s", "");
    if (item->width == 1 && !item->value_name) {
        if (item->value)
            fprintf(page->file, " %s", item->name);
    } else if (item->value_name) {
        fprintf(page->file, " %s=%s", item->name, item->value_name);
    } else if (item->form == AMD_HEX) {
        fprintf(page->file, " %s=0x%" PRIx64, item->name, item->value);
    } else {
        fprintf(page->file, " %s=%" PRIu64 "%s", item->name, item->value,
                item->form == AMD_LESS1 ? "+1" : "");
    }
}

/* Fields that are 0 are left out: registers have many. */
static void print_register(struct decode_page *page, const struct amd_item *item)
{
    const struct reg_row *row = item->row;

    if (!row) {
        fprintf(page->file, "\n%16sREG_%05" PRIx32 "=%08" PRIx64, "", item->reg, item->value);
        return;
    }
    fprintf(page->file, "\n%16s%s", "", row->name);
    if (row->count > 1)
        fprintf(page->file, "(%" PRIu32 ")", item->index);
    fprintf(page->file, "=%08" PRIx64, item->value);
    while ((row = reg_next_field(item->list, AMD_GFX9, row)) != NULL) {
        const uint32_t value = reg_get((uint32_t)item->value, row->hi, row->lo);
        const char *name = reg_value_name(item->list, row, value);

        if (value != 0 && row->hi - row->lo >= WIDE_BITS)
            fprintf(page->file, " %s=0x%" PRIx32, reg_short_name(row->name, item->row->name),
                    value);
        else if (value != 0)
            fprintf(page->file, " %s=%" PRIu32 "%s%s%s", reg_short_name(row->name, item->row->name),
                    value, name ? "(" : "", name ? name : "", name ? ")" : "");
    }
}

static void print_item(void *context, const struct amd_item *item)
{
    struct decode_page *page = context;

    if (page->shape == AMD_SHAPE_SPARSE && item->value == 0)
        return;
    switch (item->kind) {
    case AMD_ITEM_FIELD:
        print_field(page, item);
        break;
    case AMD_ITEM_REGISTER:
        print_register(page, item);
        break;
    case AMD_ITEM_DATA:
        if (page->data_count++ % DATA_COLUMNS == 0)
            fprintf(page->file, "\n%16s", "");
        else
            fputc(' ', page->file);
        fprintf(page->file, "%08" PRIx64, item->value);
        break;
    case AMD_ITEM_RESERVED:
        fprintf(page->file, "\n%16s%s of dword %" PRIu32 ": %08" PRIx64, "",
                page->is_cut ? "REST" : "RESERVED", item->dword, item->value);
        break;
    }
}

static void print_problem(FILE *file, const struct amd_packet *packet)
{
    const char *name = amd_problem_name(packet->problem);

    if (!name)
        return;
    fprintf(file, "\n%16s!%s: ", "", name);
    switch (packet->problem) {
    case AMD_UNKNOWN:
        fprintf(file, "code 0x%" PRIx32, packet->code);
        break;
    case AMD_TRUNCATED:
        fprintf(file, "%" PRIu32 " of %" PRIu32 " dwords", packet->dword_count,
                packet->said_dwords);
        break;
    default:
        fprintf(file, "%" PRIu32 " dwords, expected %" PRIu32, packet->said_dwords,
                packet->problem == AMD_SHORT ? packet->layout->min_dwords
                                             : packet->layout->max_dwords);
        break;
    }
}

void amd_decode_print(FILE *file, const struct amd_packet *packet, uint64_t at_bytes)
{
    struct decode_page page = {.file = file,
                               .shape = packet->shape,
                               .is_cut = packet->problem == AMD_TRUNCATED ||
                                         packet->problem == AMD_SHORT};

    fprintf(file, "%06" PRIx64 " %08" PRIx32 " %s", at_bytes, packet->dwords[0], packet->name);
    amd_packet_items(packet, print_item, &page);
    print_problem(file, packet);
    fputc('\n', file);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

struct decode_object {
    json_t *fields, *names, *registers, *data, *reserved;
    bool failed;
};

static json_t *json_number(enum amd_form form, uint64_t value)
{
    char text[24];

    if (form != AMD_HEX && value <= INT64_MAX)
        return json_integer((json_int_t)value);
    (void)snprintf(text, sizeof text, "0x%" PRIx64, value);
    return json_string(text);
}

static json_t *json_dword(uint64_t value)
{
    char text[24];

    (void)snprintf(text, sizeof text, "%08" PRIx64, value);
    return json_string(text);
}

static json_t *json_register(const struct amd_item *item)
{
    json_t *fields = json_object();
    bool done = fields != NULL;

    for (const struct reg_row *row = item->row;
         done && row && (row = reg_next_field(item->list, AMD_GFX9, row)) != NULL;) {
        done = json_object_set_new(
                   fields, reg_short_name(row->name, item->row->name),
                   json_integer(reg_get((uint32_t)item->value, row->hi, row->lo))) == 0;
    }
    if (!done) {
        json_decref(fields);
        return NULL;
    }
    return json_pack("{so so so so so}", "name",
                     item->row ? json_string(item->row->name) : json_null(), "index",
                     json_integer(item->index), "offset", json_number(AMD_HEX, item->reg), "value",
                     json_dword(item->value), "fields", fields);
}

static void json_item(void *context, const struct amd_item *item)
{
    struct decode_object *object = context;
    char dword[16];
    int done = 0;

    switch (item->kind) {
    case AMD_ITEM_FIELD:
        done =
            json_object_set_new(object->fields, item->name, json_number(item->form, item->value));
        if (item->value_name)
            done |= json_object_set_new(object->names, item->name, json_string(item->value_name));
        break;
    case AMD_ITEM_REGISTER:
        done = json_array_append_new(object->registers, json_register(item));
        break;
    case AMD_ITEM_DATA:
        done = json_array_append_new(object->data, json_dword(item->value));
        break;
    case AMD_ITEM_RESERVED:
        (void)snprintf(dword, sizeof dword, "%" PRIu32, item->dword);
        done = json_object_set_new(object->reserved, dword, json_dword(item->value));
        break;
    }
    object->failed |= done != 0;
}

static json_t *json_dwords(const struct amd_packet *packet)
{
    json_t *dwords = json_array();
    bool done = dwords != NULL;

    for (uint32_t i = 0; i < packet->dword_count && i < JSON_DWORDS; i++)
        done &= json_array_append_new(dwords, json_dword(packet->dwords[i])) == 0;
    if (done)
        return dwords;
    json_decref(dwords);
    return NULL;
}

json_t *amd_decode_json(const struct amd_packet *packet, uint64_t at_bytes)
{
    struct decode_object object = {json_object(), json_object(), json_array(),
                                   json_array(),  json_object(), false};
    const char *problem = amd_problem_name(packet->problem);
    json_t *json = NULL;

    amd_packet_items(packet, json_item, &object);
    if (!object.failed)
        json = json_pack("{sI ss sI so sO sO sO sO sO so}", "offset", (json_int_t)at_bytes, "name",
                         packet->name, "code", (json_int_t)packet->code, "dwords",
                         json_dwords(packet), "fields", object.fields, "names", object.names,
                         "registers", object.registers, "data", object.data, "reserved",
                         object.reserved, "problem", problem ? json_string(problem) : json_null());
    json_decref(object.fields);
    json_decref(object.names);
    json_decref(object.registers);
    json_decref(object.data);
    json_decref(object.reserved);
    return json;
}
