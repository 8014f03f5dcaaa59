/* SPDX-License-Identifier: MIT */
/* State and functions that the parts of import_nvt share.  Private to import_nvt*.c. */
#ifndef GFE_TRACES_IMPORT_IMPORT_NVT_PRIVATE_H
#define GFE_TRACES_IMPORT_IMPORT_NVT_PRIVATE_H

#include <stdio.h>

#include "traces/import/import_nvt_memory.h"
#include "traces/format/trace.h"

enum {
    PUSHBUF_PUSHES_MAX = 512, /* NOUVEAU_GEM_MAX_PUSH */
    VM_BIND_OPS_MAX = 4096,
};

struct nvt_record {
    uint32_t type;
    uint64_t time_ns, length;
    uint64_t file_offset;
    const uint8_t *payload;
};

struct import_nvt {
    FILE *file;
    const char *name;
    uint64_t file_offset;
    uint8_t *payload;
    size_t payload_capacity;
    struct gfe_error *error;

    struct trace_writer *writer;
    uint64_t start_ns, time_ns;
    bool started, has_channel;
    uint32_t channel_id; /* of the newest submission, or else the newest channel */
    uint32_t submission_count;
    uint64_t seen_address;
    uint32_t seen_value;
    struct nvt_memory memory;
    struct trace_push pushes[PUSHBUF_PUSHES_MAX]; /* of the newest submission */
    uint32_t push_count;
    /* The following are used for a recording of VM_BIND and EXEC. */
    uint32_t as_id; /* of the client that began last; 0: none manages its addresses */
    uint32_t bind_count;
    struct trace_bind binds[VM_BIND_OPS_MAX]; /* of the newest VM_BIND */
};

static inline uint32_t get32(const uint8_t *from)
{
    return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

static inline uint64_t get64(const uint8_t *from)
{
    return get32(from) | (uint64_t)get32(from + 4) << 32;
}

/* Sets a message with the record's place and `what` is wrong with it.  Returns false. */
bool import_nvt_wrong(const struct import_nvt *importer, const struct nvt_record *record,
                      const char *what);
bool import_nvt_length_is(const struct import_nvt *importer, const struct nvt_record *record,
                          uint64_t length);
/* Writes a record of the trace with the present time; fills in the head. */
bool import_nvt_emit(struct import_nvt *importer, enum trace_kind kind,
                     struct trace_record *record);
/* Returns a trace_str of the text, which is borrowed. */
struct trace_str import_nvt_str(const char *text);

/* ---- import_nvt_vm.c ------------------------------------------------------------------------- */

bool import_nvt_vm_bind(struct import_nvt *importer, const struct nvt_record *nvt);
bool import_nvt_exec(struct import_nvt *importer, const struct nvt_record *nvt);

#endif
