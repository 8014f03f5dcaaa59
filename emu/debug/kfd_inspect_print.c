/* SPDX-License-Identifier: MIT */
/* The files of KFD's debugfs, to the last blank. */
#include <config.h>

#include <inttypes.h>
#include <string.h>

#include "emu/debug/kfd_inspect.h"

enum { PER_LINE = 8 };

static json_int_t int_of(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

static void print_node(FILE *file, const json_t *view)
{
    fprintf(file, "Node %" JSON_INTEGER_FORMAT ", gpu_id %" PRIx64 ":\n", int_of(view, "node"),
            (uint64_t)int_of(view, "gpu_id"));
}

/* seq_hex_dump(): offsets from 0, eight dwords a line. */
static void print_hex(FILE *file, const char *indent, const json_t *dwords)
{
    const json_t *dword;
    size_t i;

    json_array_foreach(dwords, i, dword)
    {
        if (i % PER_LINE == 0)
            fprintf(file, "%s%s%08zx:", i > 0 ? "\n" : "", indent, 4 * i);
        fprintf(file, " %08" PRIx64, (uint64_t)json_integer_value(dword));
    }
    fputc('\n', file);
}

/* seq_reg_dump(): a line begins where the address does not follow on, and after eight. */
static void print_registers(FILE *file, const json_t *registers)
{
    json_int_t last = 0;
    uint32_t on_line = 0;
    const json_t *reg;
    size_t i;

    json_array_foreach(registers, i, reg)
    {
        const json_int_t offset = int_of(reg, "offset");

        if (on_line == PER_LINE || i == 0 || offset != last + 4) {
            fprintf(file, "%s    %08" PRIx64 ":", i > 0 ? "\n" : "", (uint64_t)offset);
            on_line = 0;
        }
        fprintf(file, " %08" PRIx64, (uint64_t)int_of(reg, "value"));
        on_line++;
        last = offset;
    }
    fputc('\n', file);
}

void kfd_inspect_print_hqds(FILE *file, const json_t *view)
{
    const json_t *row;
    size_t i;

    print_node(file, view);
    json_array_foreach(json_object_get(view, "rows"), i, row)
    {
        const char *block = json_string_value(json_object_get(row, "block"));
        const int inst = (int)int_of(row, "inst"), pipe = (int)int_of(row, "pipe"),
                  queue = (int)int_of(row, "queue");

        if (strcmp(block, "HIQ") == 0)
            fprintf(file, "   Inst %d, HIQ on MEC %d Pipe %d Queue %d\n", inst,
                    (int)int_of(row, "mec"), pipe, queue);
        else if (strcmp(block, "CP") == 0)
            fprintf(file, " Inst %d,  CP Pipe %d, Queue %d\n", inst, pipe, queue);
        else
            fprintf(file, "  SDMA Engine %d, RLC %d\n", (int)int_of(row, "engine"), queue);
        print_registers(file, json_object_get(row, "registers"));
    }
}

void kfd_inspect_print_mqds(FILE *file, const json_t *view)
{
    const json_t *row, *queue;
    size_t i, q;

    json_array_foreach(json_object_get(view, "rows"), i, row)
    {
        fprintf(file, "Process %d PASID 0x%x:\n", (int)int_of(row, "process"),
                (unsigned)int_of(row, "pasid"));
        json_array_foreach(json_object_get(row, "queues"), q, queue)
        {
            fprintf(file, "  %s queue on device %x\n",
                    strcmp(json_string_value(json_object_get(queue, "type")), "sdma") == 0
                        ? "SDMA"
                        : "Compute",
                    (unsigned)int_of(queue, "gpu_id"));
            print_hex(file, "    ", json_object_get(queue, "dwords"));
        }
    }
}

void kfd_inspect_print_rls(FILE *file, const json_t *view)
{
    print_node(file, view);
    if (json_is_true(json_object_get(view, "active")))
        print_hex(file, "  ", json_object_get(view, "dwords"));
    else
        fputs("  No active runlist\n", file);
}
