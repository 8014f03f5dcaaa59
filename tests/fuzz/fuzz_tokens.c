/* SPDX-License-Identifier: MIT */
/*
 * Prints a dictionary for libFuzzer from the tables:
 *
 *     tests/fuzz/fuzz_tokens methods    headers of all methods of GP106's classes, alone and with
 *                                       each named value; GP entries
 *     tests/fuzz/fuzz_tokens records    heads of trace records; chunk heads
 *     tests/fuzz/fuzz_tokens names      names of a log's tables and events
 */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "devices/core/core_events.h"
#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/nv_events.h"
#include "emu/log/event_list.h"
#include "traces/format/trace.h"

static void bytes_print(const void *data, size_t bytes)
{
    const unsigned char *byte = data;

    for (size_t i = 0; i < bytes; i++)
        printf("\\x%02x", byte[i]);
}

static void dwords_print(const uint32_t *dwords, uint32_t count)
{
    printf("\"");
    for (uint32_t i = 0; i < count; i++) {
        const unsigned char bytes[] = {(unsigned char)dwords[i], (unsigned char)(dwords[i] >> 8),
                                       (unsigned char)(dwords[i] >> 16),
                                       (unsigned char)(dwords[i] >> 24)};
        bytes_print(bytes, sizeof bytes);
    }
    printf("\"\n");
}

/* ---- methods --------------------------------------------------------------------------------- */

/* An incrementing header for one dword, in the form of class GPFIFO_A. */
static uint32_t method_header(uint32_t subchannel, uint32_t offset)
{
    return 1u << 29 | 1u << 16 | subchannel << 13 | offset >> 2;
}

static void method_print(const struct nv_class_row *method, uint32_t subchannel)
{
    const struct nv_class_row *field = NULL;
    uint32_t dwords[2] = {method_header(subchannel, method->offset), 0};

    dwords_print(dwords, 1);
    for (const struct nv_class_row *row = method + 1;; row++) {
        if (row->kind == NV_ROW_METHOD || row->kind == NV_ROW_FORMAT)
            return;
        if (row->kind == NV_ROW_FIELD) {
            field = row;
        } else if (field) {
            dwords[1] = row->number << field->lo;
            dwords_print(dwords, 2);
        }
    }
}

static void methods_print(void)
{
    static const struct {
        uint32_t class_id, subchannel;
    } bound[] = {{0xc06f, 0}, {0xc197, 0}, {0xc1c0, 1}, {0xa140, 2}, {0x902d, 3}, {0xc1b5, 4}};

    for (size_t i = 0; i < sizeof bound / sizeof bound[0]; i++) {
        const struct nv_class *nv_class = nv_class_find(bound[i].class_id);
        const struct nv_class_row *row = NULL;

        while ((row = nv_class_row_after(nv_class, row)) != NULL)
            if (row->kind == NV_ROW_METHOD)
                method_print(row, bound[i].subchannel);
    }
}

/* ---- records --------------------------------------------------------------------------------- */

static void records_print(void)
{
#define RECORD_TOKEN(upper, lower, number, doc) printf("\"\\x%02x\\x00\\x00\\x00\"\n", number);
    TRACE_RECORDS(RECORD_TOKEN)
    printf("\"gfeC\"\n\"\\x01\\x00\\x01\\x00\"\n\"\\x01\\x00\\x05\\x00\"\n");
    printf("\"nouveau\"\n\"gtx1060\"\n\"\\x36\\x01\\x00\\x00\"\n\"\\x6f\\xc0\\x00\\x00\"\n");
    printf("\"\\xff\\xff\\xff\\xff\"\n\"\\x00\\x00\\x00\\x80\"\n");
}

/* ---- names ----------------------------------------------------------------------------------- */

static void names_print(void)
{
    static const struct event_kind_row rows[] = {EMU_EVENTS(EVENT_ROW)};
    static const struct event_kind_row core_rows[] = {CORE_EVENTS(EVENT_ROW)};
    static const struct event_kind_row nv_rows[] = {NV_EVENTS(EVENT_ROW)};
    static const char *const words[] = {"run",  "units", "rules", "events", "arguments",
                                        "name", "id",    "seed",  "gpu",    "parameters"};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        printf("\"%s\"\n", rows[i].name);
    for (size_t i = 0; i < sizeof core_rows / sizeof core_rows[0]; i++)
        printf("\"%s\"\n", core_rows[i].name);
    for (size_t i = 0; i < sizeof nv_rows / sizeof nv_rows[0]; i++)
        printf("\"%s\"\n", nv_rows[i].name);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        printf("\"\\\"%s\\\":\"\n", words[i]);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "methods") == 0) {
        methods_print();
    } else if (argc == 2 && strcmp(argv[1], "records") == 0) {
        records_print();
    } else if (argc == 2 && strcmp(argv[1], "names") == 0) {
        names_print();
    } else {
        fprintf(stderr, "usage: fuzz_tokens methods|records|names\n");
        return 2;
    }
    return 0;
}
