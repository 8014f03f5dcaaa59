/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/formats/nv_decode_text.h"

#include <inttypes.h>

#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/formats/nv_methods.h"

enum { NAME_CHARS = 128, FIELDS_CHARS = 1024, CLASS_CHARS = 5, NAME_COLUMN = 40 };

static char text_origin(enum nv_decode_origin origin)
{
    return origin == NV_DECODE_RECORDED ? 'R' : 'M';
}

/* The class column: whose table names the method. */
static void text_class(const struct nv_decode_item *item, char out[CLASS_CHARS])
{
    if (item->table_id == 0)
        snprintf(out, CLASS_CHARS, "----");
    else
        snprintf(out, CLASS_CHARS, "%04x", item->table_id);
}

/* What the table cannot say: the class that is bound, the place that is written. */
static void text_method_note(FILE *file, const struct nv_decode_item *item)
{
    const struct nv_class *bound = nv_class_nearest(item->class_id);

    if (item->method == NVA06F_SET_OBJECT && bound && bound->id == item->class_id)
        fprintf(file, " (%s)", bound->name);
    else if (item->method == NVA06F_SET_OBJECT)
        fprintf(file, " (a class without a table%s%s)", bound ? ": read as " : "",
                bound ? bound->name : "");
    if (item->method > NV_METHOD_MAX_BYTES)
        fputs(" (past the last method: PBENTRY)", file);
    if (item->uploads)
        fprintf(file, "-> 0x%" PRIx64, item->upload_va);
}

static void text_method(FILE *file, const struct nv_decode_item *item, bool raw)
{
    char class_id[CLASS_CHARS], name[NAME_CHARS], fields[FIELDS_CHARS];

    /* An immediate's dword has had its line. */
    if (raw && item->header.kind == NV_HEADER_IMMD)
        return;
    text_class(item, class_id);
    nv_class_method_name(item->table_id, item->method, name, sizeof name);
    nv_class_format(item->table_id, item->method, item->data, fields, sizeof fields);
    if (raw)
        fprintf(file, "%c %010" PRIx64 " %08" PRIx32 "   s%u %s %04x %s\n",
                text_origin(item->origin), item->va, item->dword, item->subchannel, class_id,
                item->method, name);
    if (raw)
        return;
    fprintf(file, "%c s%u %s %04x %08" PRIx32 " %-*s %s", text_origin(item->origin),
            item->subchannel, class_id, item->method, item->data, NAME_COLUMN, name,
            item->uploads ? "" : fields);
    text_method_note(file, item);
    fputc('\n', file);
}

static bool text_header_is_method(enum nv_header_kind kind)
{
    return kind == NV_HEADER_INC || kind == NV_HEADER_NON_INC || kind == NV_HEADER_ONE_INC ||
           kind == NV_HEADER_IMMD;
}

static void text_header_raw(FILE *file, const struct nv_decode_item *item)
{
    const struct nv_header *header = &item->header;

    fprintf(file, "%c %010" PRIx64 " %08" PRIx32 " %s", text_origin(item->origin), item->va,
            item->dword, nv_header_kind_name(header->kind));
    if (text_header_is_method(header->kind))
        fprintf(file, " s%u %04x", header->subchannel, header->method);
    if (header->kind == NV_HEADER_IMMD) {
        char name[NAME_CHARS];

        nv_class_method_name(item->table_id, item->method, name, sizeof name);
        fprintf(file, " data=%04x %s", header->immediate, name);
    } else if (text_header_is_method(header->kind)) {
        fprintf(file, " x%u%s", header->count, header->old ? " (old form)" : "");
    }
    fputc('\n', file);
}

/* Method headers say nothing that their methods do not: only the others have a line. */
static void text_header(FILE *file, const struct nv_decode_item *item, bool raw)
{
    const char *name = nv_header_kind_name(item->header.kind);

    if (raw) {
        text_header_raw(file, item);
        return;
    }
    if (text_header_is_method(item->header.kind) || item->header.kind == NV_HEADER_NOP)
        return;
    if (item->header.kind == NV_HEADER_INVALID)
        name = "INVALID: no header (PBENTRY)";
    fprintf(file, "%c -- ---- ---- %08" PRIx32 " %s\n", text_origin(item->origin), item->dword,
            name);
}

static void text_grid_fields(FILE *file, const struct nv_decode_item *item,
                             const struct nv_qmd_layout *layout)
{
    struct nv_qmd_item field = {0};
    char text[NAME_CHARS];

    while (nv_qmd_next(layout, item->qmd_words, &field)) {
        nv_qmd_item_format(&field, text, sizeof text);
        fprintf(file, "%c s%u %04x  qmd   %s\n", text_origin(item->origin), item->subchannel,
                item->class_id, text);
    }
}

static void text_grid_raw(FILE *file, const struct nv_decode_item *item)
{
    for (unsigned i = 0; i < item->qmd_dwords; i++) {
        if (i % 8 == 0)
            fprintf(file, "%c %010" PRIx64 " qmd", text_origin(item->origin), item->qmd_va + 4 * i);
        fprintf(file, " %08" PRIx32 "%s", item->qmd_words[i], i % 8 == 7 ? "\n" : "");
    }
}

static void text_grid(FILE *file, const struct nv_decode_item *item, bool raw)
{
    struct nv_qmd qmd;

    if (raw && item->qmd_words != NULL) {
        text_grid_raw(file, item);
        return;
    }
    fprintf(file, "%c s%u %04x  qmd 0x%" PRIx64, text_origin(item->origin), item->subchannel,
            item->class_id, item->qmd_va);
    if (item->qmd_words == NULL) {
        fputs(" is not in memory\n", file);
        return;
    }
    if (!nv_qmd_decode(item->class_id, item->qmd_words, &qmd)) {
        fprintf(file, " has version bits %02x, unknown\n",
                (unsigned)nv_qmd_version(item->qmd_words));
        return;
    }
    fprintf(file,
            " %s grid=%" PRIu32 "x%" PRIu32 "x%" PRIu32 " block=%" PRIu32 "x%" PRIu32 "x%" PRIu32
            " shared=%" PRIu32 " registers=%" PRIu32 " barriers=%" PRIu32 " program=0x%" PRIx64
            "\n",
            qmd.layout->name, qmd.grid[0], qmd.grid[1], qmd.grid[2], qmd.block[0], qmd.block[1],
            qmd.block[2], qmd.shared_bytes, qmd.registers, qmd.barriers, qmd.program_offset);
    text_grid_fields(file, item, qmd.layout);
}

void nv_decode_print(FILE *file, const struct nv_decode_item *item, bool raw)
{
    switch (item->kind) {
    case NV_DECODE_HEADER:
        text_header(file, item, raw);
        break;
    case NV_DECODE_METHOD:
        text_method(file, item, raw);
        break;
    case NV_DECODE_GRID:
        text_grid(file, item, raw);
        break;
    case NV_DECODE_SKIPPED:
        fprintf(file, "%c -- ---- ---- -------- SKIPPED %" PRIu32 " dwords from 0x%" PRIx64 "\n",
                text_origin(item->origin), item->count, item->va);
        break;
    case NV_DECODE_UNREADABLE:
        fprintf(file,
                "%c -- ---- ---- -------- UNREADABLE %" PRIu32 " dwords from 0x%" PRIx64
                ": not in memory\n",
                text_origin(item->origin), item->count, item->va);
        break;
    }
}

void nv_decode_print_entry(FILE *file, enum nv_decode_origin origin, uint32_t index,
                           const struct nv_gp_entry *entry, const char *note)
{
    const char *opcode = nv_gp_opcode_name(entry->opcode);

    fprintf(file, "%c gp %" PRIu32, text_origin(origin), index);
    if (entry->length_dwords == 0)
        fprintf(file, " OPCODE=%s(%u) OPERAND=0x%" PRIx32, opcode != NULL ? opcode : "unknown",
                entry->opcode, entry->operand);
    else
        fprintf(file, " GET=0x%" PRIx64 " LENGTH=%" PRIu32, entry->address, entry->length_dwords);
    fprintf(file, " SYNC=%s%s%s%s%s%s%s\n", entry->sync_wait ? "WAIT" : "PROCEED",
            entry->subroutine ? " LEVEL=SUBROUTINE" : "",
            entry->conditional ? " FETCH=CONDITIONAL" : "", entry->privileged ? " PRIV=KERNEL" : "",
            nv_gp_entry_valid(entry) ? "" : " (GPENTRY)", note[0] != '\0' ? " " : "", note);
}
