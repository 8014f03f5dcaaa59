/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/format/trace_dump.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "emu/log/chunk.h"
#include "traces/format/trace_codec.h"

enum { DUMPED_BYTES = 16 }; /* of data; the rest is counted */

/* ---- values of the schema's enums ------------------------------------------------------------ */

struct value_row {
    const char *of, *name;
    unsigned value;
};

static const struct value_row value_rows[] = {
    {"trace_layer", "API", TRACE_LAYER_API},
    {"trace_layer", "UAPI", TRACE_LAYER_UAPI},
    {"trace_layer", "RING", TRACE_LAYER_RING},
    {"trace_layer", "BUS", TRACE_LAYER_BUS},
    {"trace_completions", "HARDWARE", TRACE_COMPLETIONS_HARDWARE},
    {"trace_completions", "STAND_IN", TRACE_COMPLETIONS_STAND_IN},
    {"trace_aperture", "VRAM", TRACE_APERTURE_VRAM},
    {"trace_aperture", "SYSMEM", TRACE_APERTURE_SYSMEM},
    {"trace_wait_how", "CALL", TRACE_WAIT_CALL},
    {"trace_wait_how", "IOCTL", TRACE_WAIT_IOCTL},
    {"trace_gpu_write_why", "HOST_SEMAPHORE", TRACE_WHY_HOST_SEMAPHORE},
    {"trace_gpu_write_why", "SHORT_REPORT", TRACE_WHY_SHORT_REPORT},
    {"trace_gpu_write_why", "LONG_REPORT", TRACE_WHY_LONG_REPORT},
    {"trace_gpu_write_why", "I2M_SEMAPHORE", TRACE_WHY_I2M_SEMAPHORE},
    {"trace_gpu_write_why", "COPY_SEMAPHORE", TRACE_WHY_COPY_SEMAPHORE},
    {"trace_gpu_write_why", "NOTIFY", TRACE_WHY_NOTIFY},
    {"trace_gpu_write_why", "COUNTER", TRACE_WHY_COUNTER},
    {"trace_gpu_write_why", "SIGNAL", TRACE_WHY_SIGNAL},
    {"trace_gpu_write_why", "MAILBOX", TRACE_WHY_MAILBOX},
    {"trace_gpu_write_why", "SDMA_FENCE", TRACE_WHY_SDMA_FENCE},
    {"trace_bind_op", "MAP", TRACE_BIND_MAP},
    {"trace_bind_op", "UNMAP", TRACE_BIND_UNMAP},
    {"trace_bind_op", "MAP_SPARSE", TRACE_BIND_MAP_SPARSE},
    {"trace_bind_op", "UNMAP_SPARSE", TRACE_BIND_UNMAP_SPARSE},
    {"trace_syncobj_what", "CREATE", TRACE_SYNCOBJ_CREATE},
    {"trace_syncobj_what", "DESTROY", TRACE_SYNCOBJ_DESTROY},
    {"trace_syncobj_what", "RESET", TRACE_SYNCOBJ_RESET},
    {"trace_syncobj_what", "SIGNAL", TRACE_SYNCOBJ_SIGNAL},
    {"trace_syncobj_what", "SIGNAL_POINT", TRACE_SYNCOBJ_SIGNAL_POINT},
    {"trace_syncobj_what", "TRANSFER", TRACE_SYNCOBJ_TRANSFER},
    {"trace_syncobj_what", "FILE", TRACE_SYNCOBJ_FILE},
    {"trace_queue_what", "AQL", TRACE_QUEUE_AQL},
    {"trace_queue_what", "SDMA", TRACE_QUEUE_SDMA},
    {"trace_queue_what", "PM4", TRACE_QUEUE_PM4},
    {"trace_packet_what", "AQL", TRACE_PACKET_AQL},
    {"trace_packet_what", "SDMA", TRACE_PACKET_SDMA},
    {"trace_packet_what", "PM4", TRACE_PACKET_PM4},
    {"trace_kernel_what", "APPLICATION", TRACE_KERNEL_APPLICATION},
    {"trace_kernel_what", "COPY", TRACE_KERNEL_COPY},
    {"trace_kernel_what", "FILL", TRACE_KERNEL_FILL},
    {"trace_scratch_what", "WANTED", TRACE_SCRATCH_WANTED},
    {"trace_scratch_what", "GIVEN", TRACE_SCRATCH_GIVEN},
    {"trace_event_what", "CREATE", TRACE_EVENT_CREATE},
    {"trace_event_what", "DESTROY", TRACE_EVENT_DESTROY},
    {"trace_event_what", "SET", TRACE_EVENT_SET},
    {"trace_event_what", "RESET", TRACE_EVENT_RESET},
    {"trace_end_how", "EXIT", TRACE_END_EXIT},
    {"trace_end_how", "KILLED", TRACE_END_KILLED},
    {"trace_end_how", "RECOVERED", TRACE_END_RECOVERED},
};
#define VALUE_ROW_COUNT (sizeof value_rows / sizeof value_rows[0])

static bool row_is_of(const struct value_row *row, const char *field_doc)
{
    const size_t length = strlen(row->of);

    if (strncmp(field_doc, "enum ", 5) != 0 || strncmp(field_doc + 5, row->of, length) != 0)
        return false;
    return !isalnum((unsigned char)field_doc[5 + length]) && field_doc[5 + length] != '_';
}

const char *trace_dump_value_name(const char *field_doc, uint64_t value)
{
    for (size_t i = 0; i < VALUE_ROW_COUNT; i++)
        if (value_rows[i].value == value && row_is_of(&value_rows[i], field_doc))
            return value_rows[i].name;
    return NULL;
}

/* ---- one line -------------------------------------------------------------------------------- */

/* Addresses and codes read better in hexadecimal, counts and times in decimal. */
static bool in_hex(const char *name)
{
    static const char *const parts[] = {"address", "offset", "value", "class_id", "chipset",
                                        "pci_id",  "tile",   "userd", "flags"};

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (strstr(name, parts[i]))
            return true;
    return strcmp(name, "va") == 0;
}

static void dump_number(FILE *file, const struct trace_field *field, uint64_t value)
{
    const char *name = trace_dump_value_name(field->doc, value);

    if (name)
        fputs(name, file);
    else if (strstr(field->doc, "TRACE_ANY") && value == TRACE_ANY)
        fputs("any", file);
    else if (strstr(field->doc, "TRACE_AS_...") && value == TRACE_AS_PHYSICAL)
        fputs("physical", file);
    else if (strstr(field->doc, "TRACE_AS_...") && value == TRACE_AS_PHYSICAL_SYSTEM)
        fputs("physical-system", file);
    else if (strstr(field->doc, "TRACE_AS_") && value == TRACE_AS_OBJECTS)
        fputs("objects", file);
    else
        fprintf(file, in_hex(field->name) ? "0x%" PRIx64 : "%" PRIu64, value);
}

static void dump_str(FILE *file, const struct trace_str *str)
{
    fputc('"', file);
    for (uint32_t i = 0; i < str->length; i++) {
        const unsigned char c = (unsigned char)str->text[i];
        if (c < ' ' || c == 0x7f || c == '"' || c == '\\')
            fprintf(file, "\\x%02x", c);
        else
            fputc(c, file);
    }
    fputc('"', file);
}

static void dump_bytes(FILE *file, const struct trace_bytes *bytes)
{
    fprintf(file, "%" PRIu32 " bytes", bytes->length);
    for (uint32_t i = 0; i < bytes->length && i < DUMPED_BYTES; i++)
        fprintf(file, "%s%02x", i % 4 == 0 ? " " : "", bytes->data[i]);
    if (bytes->length > DUMPED_BYTES)
        fputs(" ...", file);
}

static void dump_pushes(FILE *file, const struct trace_pushes *pushes)
{
    fputc('[', file);
    for (uint32_t i = 0; i < pushes->count; i++) {
        const struct trace_push *push = &pushes->push[i];
        fputs(i > 0 ? ", " : "", file);
        if (push->handle != TRACE_ANY)
            fprintf(file, "%" PRIu32 "+", push->handle);
        fprintf(file, "0x%" PRIx64 " %" PRIu64 " bytes%s", push->offset, push->length_bytes,
                push->flags & TRACE_PUSH_NO_PREFETCH ? " no-prefetch" : "");
    }
    fputc(']', file);
}

static void dump_syncs(FILE *file, const struct trace_syncs *syncs)
{
    fputc('[', file);
    for (uint32_t i = 0; i < syncs->count; i++) {
        const struct trace_sync *sync = &syncs->sync[i];
        fprintf(file, "%s%" PRIu32, i > 0 ? ", " : "", sync->syncobj_id);
        if (sync->flags & TRACE_SYNC_TIMELINE)
            fprintf(file, "@%" PRIu64, sync->point);
    }
    fputc(']', file);
}

static void dump_binds(FILE *file, const struct trace_binds *binds)
{
    fputc('[', file);
    for (uint32_t i = 0; i < binds->count; i++) {
        const struct trace_bind *bind = &binds->bind[i];
        const char *name = trace_dump_value_name("enum trace_bind_op", bind->op);
        fprintf(file, "%s%s 0x%" PRIx64 " %" PRIu64 " bytes", i > 0 ? ", " : "", name ? name : "?",
                bind->va, bind->size_bytes);
        if (bind->handle != TRACE_ANY)
            fprintf(file, " of %" PRIu32 "+0x%" PRIx64, bind->handle, bind->object_offset);
        if (bind->page_kind)
            fprintf(file, " kind 0x%" PRIx32, bind->page_kind);
    }
    fputc(']', file);
}

static void dump_field(FILE *file, const struct trace_record *record,
                       const struct trace_field *field)
{
    const void *member = (const uint8_t *)&record->meta + field->offset;

    fprintf(file, " %s=", field->name);
    switch (field->type) {
    case TRACE_U8:
        dump_number(file, field, *(const uint8_t *)member);
        break;
    case TRACE_U16:
        dump_number(file, field, *(const uint16_t *)member);
        break;
    case TRACE_U32:
        dump_number(file, field, *(const uint32_t *)member);
        break;
    case TRACE_U64:
        dump_number(file, field, *(const uint64_t *)member);
        break;
    case TRACE_STR:
        dump_str(file, member);
        break;
    case TRACE_BYTES:
        dump_bytes(file, member);
        break;
    case TRACE_PUSHES:
        dump_pushes(file, member);
        break;
    case TRACE_SYNCS:
        dump_syncs(file, member);
        break;
    case TRACE_BINDS:
        dump_binds(file, member);
        break;
    }
}

void trace_dump(FILE *file, const struct trace_record *record)
{
    const struct trace_head *head = &record->head;
    const struct trace_record_row *row = trace_record_row(head->kind);

    fprintf(file, "%6" PRIu64 " %" PRIu64 ".%09" PRIu64 " s %" PRIu32 "/%" PRIu32 " %s",
            head->sequence, head->time_ns / 1000000000, head->time_ns % 1000000000,
            head->process_id, head->thread_id, row->name);
    for (uint32_t i = 0; i < row->field_count; i++)
        dump_field(file, record, &row->fields[i]);
    fputc('\n', file);
}

/* ---- the format's description ---------------------------------------------------------------- */

static const char *const type_names[] = {
    [TRACE_U8] = "u8",         [TRACE_U16] = "u16",     [TRACE_U32] = "u32",
    [TRACE_U64] = "u64",       [TRACE_STR] = "str",     [TRACE_BYTES] = "bytes",
    [TRACE_PUSHES] = "pushes", [TRACE_SYNCS] = "syncs", [TRACE_BINDS] = "binds",
};

static void print_chunks(FILE *file)
{
    fprintf(
        file,
        "# The trace format (.gft)\n"
        "\n"
        "Printed by `gfe hash --schema` from the tables in `traces/format/trace_schema.h`; do not edit.\n"
        "This is format %u. Everything is little endian and without padding.\n"
        "\n"
        "## Chunks\n"
        "\n"
        "A trace is a stream of chunks. Each chunk is packed and checked on its own:\n"
        "\n"
        "| offset | size | field |\n"
        "|---|---|---|\n"
        "| 0 | 4 | magic `gfeC` |\n"
        "| 4 | 2 | version of the chunk layer: %u |\n"
        "| 6 | 2 | kind: %u trace records, %u index (%u to %u belong to event logs) |\n"
        "| 8 | 4 | raw size in bytes, at most %u |\n"
        "| 12 | 4 | stored size in bytes |\n"
        "| 16 | 4 | CRC-32 of the raw data |\n"
        "| 20 | 4 | CRC-32 of the twenty bytes above |\n"
        "| 24 | | zlib data |\n"
        "\n"
        "The index ends the file: u32 count, then u64 file offset and u32 kind of each chunk\n"
        "before it. An index of more than one chunk repeats that form in each. A trace that lacks\n"
        "its index or END was cut off; its complete chunks are still valid.\n",
        (unsigned)TRACE_FORMAT, (unsigned)CHUNK_VERSION, (unsigned)CHUNK_TRACE,
        (unsigned)CHUNK_INDEX, (unsigned)CHUNK_LOG_HEAD, (unsigned)CHUNK_LOG_END,
        (unsigned)CHUNK_RAW_MAX_BYTES);
}

static void print_records_intro(FILE *file)
{
    fprintf(
        file,
        "\n"
        "## Records\n"
        "\n"
        "Chunks of trace records hold whole records, back to back. Each begins with %u bytes:\n"
        "u16 kind, u16 zero, u32 size of the fields that follow, u64 time in ns since the start\n"
        "of the recording, u32 process, u32 thread, u64 sequence number. Sequence numbers grow.\n"
        "The first record is META, the last is END. Records that belong to a submission, mostly\n"
        "MEM, stand in front of the submission.\n"
        "\n"
        "| type | form |\n"
        "|---|---|\n"
        "| `u8` `u16` `u32` `u64` | a number |\n"
        "| `str` | u32 length, that many bytes, none of them zero |\n"
        "| `bytes` | u32 length, that many bytes |\n"
        "| `pushes` | u32 count, that many {u32 memory object, u32 flags (%u = no prefetch), "
        "u64 offset, u64 length in bytes} |\n"
        "| `syncs` | u32 count, that many {u32 synchronisation object, u32 flags (%u = a point of "
        "a "
        "timeline), u64 point} |\n"
        "| `binds` | u32 count, that many {u32 enum trace_bind_op, u32 memory object, u64 virtual "
        "address, u64 offset into the object, u64 size in bytes, u32 page kind, u32 zero} |\n"
        "\n"
        "Fields marked HOST describe the machine that recorded. The identity of a trace\n"
        "(`gfe hash`) leaves them out. In the identity, process and thread numbers are replaced\n"
        "by running numbers in the order of their first appearance.\n"
        "\n"
        "The data of MEM are at most %u bytes, and no multiple of %u lies between their first\n"
        "address and their last. In place of the bytes the file may have a reference: u32 length\n"
        "with bit 31 set, u64 number of the chunk that holds the same bytes (counted from 0), u32\n"
        "offset in that chunk's raw data. The bytes lie at most %u MiB in front of the record,\n"
        "counted in raw bytes of chunks.\n",
        (unsigned)TRACE_HEAD_BYTES, (unsigned)TRACE_PUSH_NO_PREFETCH, (unsigned)TRACE_SYNC_TIMELINE,
        (unsigned)TRACE_PIECE_BYTES, (unsigned)TRACE_PIECE_BYTES, TRACE_WINDOW_BYTES >> 20);
}

/* A bar would end the table's cell. */
static void print_cell(FILE *file, const char *text)
{
    for (; *text; text++)
        fprintf(file, *text == '|' ? "\\%c" : "%c", *text);
}

static void print_record(FILE *file, const struct trace_record_row *row)
{
    fprintf(file, "\n### %u %s\n\n%c%s.\n\n| type | field | |\n|---|---|---|\n", row->kind,
            row->name, toupper((unsigned char)row->doc[0]), row->doc + 1);
    for (uint32_t i = 0; i < row->field_count; i++) {
        fprintf(file, "| %s | `%s` | ", type_names[row->fields[i].type], row->fields[i].name);
        print_cell(file, row->fields[i].doc);
        fputs(" |\n", file);
    }
}

static void print_values(FILE *file)
{
    fputs("\n## Values\n\n| enum | value | name |\n|---|---|---|\n", file);
    for (size_t i = 0; i < VALUE_ROW_COUNT; i++)
        fprintf(file, "| `%s` | %u | %s |\n", value_rows[i].of, value_rows[i].value,
                value_rows[i].name);
    fprintf(
        file,
        "\n`TRACE_ANY` and `TRACE_AS_PHYSICAL` are 0x%x. A push entry whose memory object is\n"
        "`TRACE_ANY` holds a virtual address in place of the offset.\n"
        "\n`TRACE_AS_OBJECTS`, 0x%x, is the space of memory objects that are mapped nowhere yet.\n"
        "The objects lie there one after another. AS_MAP makes an object, AS_UNMAP ends its\n"
        "handle, and MEM names its bytes by their address in that space.\n"
        "\nMEM in `TRACE_AS_PHYSICAL` is video memory by its physical address. MEM in\n"
        "`TRACE_AS_PHYSICAL_SYSTEM`, 0x%x, is system memory.\n"
        "\nAt layer BUS there is no driver: a recording has register accesses, doorbells and\n"
        "physical memory, which includes page tables. Where a recording lacks the page tables,\n"
        "AS_MAP replaces them: `as_id` is the address of the space's root >> 12 in video memory,\n"
        "as the instance block's PAGE_DIR_BASE names it, or 0 for BAR1. `object_offset` is the\n"
        "physical address.\n",
        TRACE_ANY, TRACE_AS_OBJECTS, TRACE_AS_PHYSICAL_SYSTEM);
}

void trace_dump_schema(FILE *file)
{
#define PRINT_RECORD(upper, lower, number, doc) print_record(file, trace_record_row(number));
    print_chunks(file);
    print_records_intro(file);
    TRACE_RECORDS(PRINT_RECORD)
    print_values(file);
}
