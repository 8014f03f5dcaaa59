/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/import/import_nvt.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "traces/import/import_nvt_private.h"
#include "traces/record/nouveau/record_board.h"

#define NVT_MAGIC 0x5254564eu /* "NVTR" */

enum {
    NVT_HEAD_BYTES = 24,
    NVT_PAYLOAD_MAX_BYTES = 16 << 20, /* PUSHDATA, the longest, has at most 2^23 bytes of dwords */
    PROCESS_ID = 1,
    THREAD_ID = 1,
};

enum nvt_type {
    NVT_DEVICE = 1, /* u32 chipset, pci device, gpc | tpc << 8, rop */
    NVT_BO_NEW,     /* u32 handle, domain; u64 size, va; u32 tile_mode, tile_flags, align, 0 */
    NVT_BO_CLOSE,   /* u32 handle, 0 */
    NVT_CHAN,       /* u32 channel, fb_ctxdma, tt_ctxdma, notifier bo */
    NVT_OBJ,        /* u32 channel, handle, class, via_nvif */
    NVT_SUBMIT,     /* drm_nouveau_gem_pushbuf, its buffers, relocations, pushes */
    NVT_PAGES,      /* u32 handle, length; u64 offset, va; data */
    NVT_PUSHDATA,   /* u32 push index, handle; u64 offset, va, length; dwords */
    NVT_GPUWRITE,   /* u64 va; u32 length, why; data */
    NVT_NVIF = 11,  /* raw argument of an ioctl: nothing that replay needs */
    NVT_VMBIND,     /* VM_INIT; or drm_nouveau_vm_bind and its operations */
    NVT_EXEC,       /* drm_nouveau_exec, its pushes */
};

/* struct drm_nouveau_gem_pushbuf and what it points at (libdrm's nouveau_drm.h). */
enum {
    PUSHBUF_BYTES = 64,
    PUSHBUF_NR_BUFFERS = 4,
    PUSHBUF_NR_RELOCS = 16,
    PUSHBUF_NR_PUSH = 20,
    PUSHBUF_BO_BYTES = 40,
    PUSHBUF_BO_HANDLE = 8,
    PUSHBUF_RELOC_BYTES = 28,
    PUSHBUF_PUSH_BYTES = 24,
    PUSHBUF_BUFFERS_MAX = 1024, /* NOUVEAU_GEM_MAX_BUFFERS */
};
#define PUSH_NO_PREFETCH (1u << 23) /* in the length of a push entry */

#define DOMAIN_VRAM 2u
#define DOMAIN_GART 4u

/* ---- reading the file ------------------------------------------------------------------------ */

bool import_nvt_wrong(const struct import_nvt *importer, const struct nvt_record *record,
                      const char *what)
{
    return error_set(importer->error, ERROR_INPUT, "%s: offset %" PRIu64 ": %s", importer->name,
                     record->file_offset, what);
}

static bool payload_read(struct import_nvt *importer, struct nvt_record *record)
{
    const size_t length = (size_t)record->length;

    if (record->length > NVT_PAYLOAD_MAX_BYTES)
        return import_nvt_wrong(importer, record, "a record claims more than 16 MiB");
    if (length > importer->payload_capacity) {
        free(importer->payload);
        importer->payload_capacity = 0;
        importer->payload = malloc(length);
        if (!importer->payload)
            return error_set_errno(importer->error, ENOMEM, "%s", importer->name);
        importer->payload_capacity = length;
    }
    if (length > 0 && fread(importer->payload, 1, length, importer->file) != length &&
        ferror(importer->file))
        return error_set_errno(importer->error, errno, "%s: cannot read", importer->name);
    if (length > 0 && feof(importer->file))
        return import_nvt_wrong(importer, record, "the file is cut off inside this record");
    record->payload = importer->payload;
    return true;
}

/* Returns false at the end of the file and on errors, which importer->error tells apart. */
static bool record_read(struct import_nvt *importer, struct nvt_record *record)
{
    uint8_t head[NVT_HEAD_BYTES];
    const size_t got = fread(head, 1, sizeof head, importer->file);

    *record = (struct nvt_record){.file_offset = importer->file_offset};
    if (ferror(importer->file))
        return error_set_errno(importer->error, errno, "%s: cannot read", importer->name);
    if (got == 0 && importer->started)
        return false;
    if (got == 0)
        return import_nvt_wrong(importer, record,
                                "the file is empty: a .nvt recording was expected");
    if (got < 4 || get32(head) != NVT_MAGIC)
        return import_nvt_wrong(importer, record,
                                importer->started
                                    ? "damaged: no record begins here (\"NVTR\" expected)"
                                    : "this is no .nvt recording (\"NVTR\" expected)");
    if (got < sizeof head)
        return import_nvt_wrong(importer, record, "the file is cut off inside this record's head");
    record->type = get32(head + 4);
    record->time_ns = get64(head + 8);
    record->length = get64(head + 16);
    if (!payload_read(importer, record))
        return false;
    importer->file_offset += NVT_HEAD_BYTES + record->length;
    return true;
}

bool import_nvt_length_is(const struct import_nvt *importer, const struct nvt_record *record,
                          uint64_t length)
{
    return record->length == length ||
           import_nvt_wrong(importer, record, "this record has a wrong length");
}

/* ---- writing the trace ----------------------------------------------------------------------- */

bool import_nvt_emit(struct import_nvt *importer, enum trace_kind kind, struct trace_record *record)
{
    record->head = (struct trace_head){.kind = (uint16_t)kind,
                                       .time_ns = importer->time_ns,
                                       .process_id = PROCESS_ID,
                                       .thread_id = THREAD_ID};
    return trace_write(importer->writer, record, importer->error);
}

struct trace_str import_nvt_str(const char *text)
{
    return (struct trace_str){text, (uint32_t)strlen(text)};
}

/* gfe's name of the board with that PCI device, or else of the first with that chipset; unknown
 * ones are imported all the same. */
static const char *gpu_name(uint32_t chipset, uint32_t pci_device, char text[16])
{
    const struct record_board *board, *found = NULL;

    for (unsigned i = 0; (board = record_board_at(i)) != NULL; i++)
        if (board->chipset == chipset && (!found || board->pci_device == pci_device))
            found = board;
    if (found)
        return found->gpu;
    (void)snprintf(text, 16, "nv%x", chipset);
    return text;
}

static bool import_device(struct import_nvt *importer, const struct nvt_record *nvt)
{
    const uint8_t *at = nvt->payload;
    char text[16];
    struct trace_record meta = {0}, client = {0}, space = {0};

    if (!import_nvt_length_is(importer, nvt, 16))
        return false;
    meta.meta = (struct trace_meta){
        .format = TRACE_FORMAT,
        .driver = import_nvt_str("nouveau"),
        .gpu = import_nvt_str(gpu_name(get32(at), get32(at + 4), text)),
        .chipset = get32(at),
        .pci_id = 0x10deu << 16 | (get32(at + 4) & 0xffff),
        .completions = TRACE_COMPLETIONS_STAND_IN,
        .recorder = import_nvt_str("gfe import nvt"),
        .host = import_nvt_str(""),
        .program = import_nvt_str(""),
    };
    client.client = (struct trace_client){.layer = TRACE_LAYER_UAPI, .name = import_nvt_str("")};
    return import_nvt_emit(importer, TRACE_META, &meta) &&
           import_nvt_emit(importer, TRACE_CLIENT, &client) &&
           import_nvt_emit(importer, TRACE_AS_CREATE, &space);
}

/* Where memory objects lie: mapped by the kernel, or nowhere until they are bound. */
static uint32_t objects_as(const struct import_nvt *importer)
{
    return importer->as_id == 0 ? 0 : TRACE_AS_OBJECTS;
}

static bool import_bo_new(struct import_nvt *importer, const struct nvt_record *nvt)
{
    const uint8_t *at = nvt->payload;
    struct trace_record map = {0};

    if (!import_nvt_length_is(importer, nvt, 40))
        return false;
    const uint32_t domain = get32(at + 4);
    map.as_map = (struct trace_as_map){
        .as_id = objects_as(importer),
        .va = get64(at + 16),
        .size_bytes = get64(at + 8),
        .handle = get32(at),
        .aperture = domain & DOMAIN_VRAM ? TRACE_APERTURE_VRAM : TRACE_APERTURE_SYSMEM,
        .tile_mode = get32(at + 24),
        .tile_flags = get32(at + 28),
    };
    if (!(domain & (DOMAIN_VRAM | DOMAIN_GART)))
        return import_nvt_wrong(importer, nvt, "a buffer in neither VRAM nor GART");
    const char *why =
        nvt_memory_add(&importer->memory, map.as_map.handle, map.as_map.va, map.as_map.size_bytes);
    return why ? import_nvt_wrong(importer, nvt, why)
               : import_nvt_emit(importer, TRACE_AS_MAP, &map);
}

static bool import_bo_close(struct import_nvt *importer, const struct nvt_record *nvt)
{
    struct trace_record unmap = {0};

    if (!import_nvt_length_is(importer, nvt, 8))
        return false;
    const struct nvt_bo *bo = nvt_memory_bo(&importer->memory, get32(nvt->payload));
    if (!bo)
        return import_nvt_wrong(importer, nvt, "BO_CLOSE of a buffer that is not there");
    unmap.as_unmap = (struct trace_as_unmap){.as_id = objects_as(importer),
                                             .va = bo->va,
                                             .size_bytes = bo->size_bytes,
                                             .handle = bo->handle};
    nvt_memory_remove(&importer->memory, bo->handle);
    return import_nvt_emit(importer, TRACE_AS_UNMAP, &unmap);
}

static bool import_chan(struct import_nvt *importer, const struct nvt_record *nvt)
{
    struct trace_record channel = {0};

    if (!import_nvt_length_is(importer, nvt, 16))
        return false;
    importer->channel_id = get32(nvt->payload);
    importer->has_channel = true;
    channel.channel.channel_id = importer->channel_id;
    channel.channel.as_id = importer->as_id;
    channel.channel.engine = get32(nvt->payload + 8);
    return import_nvt_emit(importer, TRACE_CHANNEL, &channel);
}

static bool import_obj(struct import_nvt *importer, const struct nvt_record *nvt)
{
    struct trace_record object = {0};

    if (!import_nvt_length_is(importer, nvt, 16))
        return false;
    if (!importer->has_channel) /* the device itself, made before there is a channel */
        return true;
    object.object = (struct trace_object){.channel_id = get32(nvt->payload),
                                          .handle = get32(nvt->payload + 4),
                                          .class_id = get32(nvt->payload + 8)};
    return import_nvt_emit(importer, TRACE_OBJECT, &object);
}

/* ---- submissions ----------------------------------------------------------------------------- */

static bool pushes_take(struct import_nvt *importer, const struct nvt_record *nvt)
{
    const uint32_t bo_count = get32(nvt->payload + PUSHBUF_NR_BUFFERS);
    const uint8_t *bos = nvt->payload + PUSHBUF_BYTES;
    const uint8_t *push = bos + (size_t)bo_count * PUSHBUF_BO_BYTES;

    importer->push_count = get32(nvt->payload + PUSHBUF_NR_PUSH);
    for (uint32_t i = 0; i < importer->push_count; i++, push += PUSHBUF_PUSH_BYTES) {
        const uint32_t bo_index = get32(push);
        const uint64_t offset = get64(push + 8), length = get64(push + 16);

        if (bo_index >= bo_count)
            return import_nvt_wrong(importer, nvt,
                                    "a push entry names a buffer that is not in the list");
        const uint32_t handle =
            get32(bos + (size_t)bo_index * PUSHBUF_BO_BYTES + PUSHBUF_BO_HANDLE);
        const struct nvt_bo *bo = nvt_memory_bo(&importer->memory, handle);
        const uint64_t length_bytes = length & ~(uint64_t)PUSH_NO_PREFETCH;
        if (!bo)
            return import_nvt_wrong(importer, nvt, "a push entry in a buffer that is not there");
        if (offset > bo->size_bytes || length_bytes > bo->size_bytes - offset)
            return import_nvt_wrong(importer, nvt,
                                    "a push entry reaches past the end of its buffer");
        importer->pushes[i] = (struct trace_push){
            .handle = handle,
            .flags = length & PUSH_NO_PREFETCH ? TRACE_PUSH_NO_PREFETCH : 0,
            .offset = offset,
            .length_bytes = length_bytes,
        };
    }
    return true;
}

static bool import_submit(struct import_nvt *importer, const struct nvt_record *nvt)
{
    struct trace_record submit = {0};

    if (nvt->length < PUSHBUF_BYTES)
        return import_nvt_wrong(importer, nvt, "a SUBMIT shorter than its fixed part");
    const uint64_t bo_count = get32(nvt->payload + PUSHBUF_NR_BUFFERS);
    const uint64_t reloc_count = get32(nvt->payload + PUSHBUF_NR_RELOCS);
    const uint64_t push_count = get32(nvt->payload + PUSHBUF_NR_PUSH);
    if (bo_count > PUSHBUF_BUFFERS_MAX || push_count > PUSHBUF_PUSHES_MAX)
        return import_nvt_wrong(importer, nvt,
                                "a SUBMIT of more buffers or pushes than nouveau allows");
    if (!import_nvt_length_is(importer, nvt,
                              PUSHBUF_BYTES + bo_count * PUSHBUF_BO_BYTES +
                                  reloc_count * PUSHBUF_RELOC_BYTES +
                                  push_count * PUSHBUF_PUSH_BYTES))
        return false;
    if (reloc_count > 0)
        return import_nvt_wrong(importer, nvt, "a SUBMIT with relocations; these are not imported");
    if (!importer->has_channel)
        return import_nvt_wrong(importer, nvt, "a SUBMIT before any channel");
    if (!pushes_take(importer, nvt))
        return false;

    importer->channel_id = get32(nvt->payload);
    submit.submit = (struct trace_submit){
        .channel_id = importer->channel_id,
        .submission_id = ++importer->submission_count,
        .pushes = {importer->pushes, importer->push_count},
        .seen_address = importer->seen_address,
        .seen_value = importer->seen_value,
    };
    return import_nvt_emit(importer, TRACE_SUBMIT, &submit);
}

static bool import_pushdata(struct import_nvt *importer, const struct nvt_record *nvt)
{
    enum { FIXED_BYTES = 32 };
    const uint8_t *at = nvt->payload;

    if (nvt->length < FIXED_BYTES)
        return import_nvt_wrong(importer, nvt, "a PUSHDATA shorter than its fixed part");
    const uint32_t index = get32(at);
    const uint64_t offset = get64(at + 8);
    const uint64_t length_bytes = get64(at + 24) & ~(uint64_t)PUSH_NO_PREFETCH;
    if (nvt->length - FIXED_BYTES != length_bytes)
        return import_nvt_wrong(importer, nvt, "a PUSHDATA whose length is not that of its data");
    const struct trace_push *push = &importer->pushes[index < importer->push_count ? index : 0];
    const bool by_va = push->handle == TRACE_ANY; /* of an EXEC */
    if (index >= importer->push_count || (!by_va && push->handle != get32(at + 4)) ||
        push->offset != (by_va ? get64(at + 16) : offset) || push->length_bytes != length_bytes)
        return import_nvt_wrong(importer, nvt,
                                "a PUSHDATA that is no push entry of the SUBMIT or EXEC before it");
    const struct nvt_bo *bo = nvt_memory_bo(&importer->memory, get32(at + 4));
    if (!bo || !nvt_memory_equals(bo, offset, at + FIXED_BYTES, (uint32_t)length_bytes))
        return import_nvt_wrong(importer, nvt, "PUSHDATA differs from the memory that PAGES gave");
    return true;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* What the CPU wrote, run by run: bytes that still hold what was written for the GPU are no CPU
 * writes, though the recorder saves whole pages. */
static bool import_pages(struct import_nvt *importer, const struct nvt_record *nvt)
{
    enum { FIXED_BYTES = 24 };
    const uint8_t *at = nvt->payload;
    const uint8_t *data = at + FIXED_BYTES;
    struct nvt_run run = {0, 0};

    if (nvt->length < FIXED_BYTES || nvt->length - FIXED_BYTES != get32(at + 4))
        return import_nvt_wrong(importer, nvt, "a PAGES whose length is not that of its data");
    const uint32_t length = get32(at + 4);
    struct nvt_bo *bo = nvt_memory_bo(&importer->memory, get32(at));
    const uint64_t offset = get64(at + 8);
    if (!bo)
        return import_nvt_wrong(importer, nvt, "PAGES of a buffer that is not there");
    if (offset > bo->size_bytes || length > bo->size_bytes - offset)
        return import_nvt_wrong(importer, nvt, "PAGES reach past the end of their buffer");
    if (get64(at + 16) != bo->va + offset)
        return import_nvt_wrong(importer, nvt, "PAGES whose address is not that of their buffer");

    while (nvt_memory_cpu_run(bo, offset, data, length, &run)) {
        struct trace_record mem = {0};
        mem.mem.as_id = objects_as(importer);
        mem.mem.address = bo->va + offset + run.first;
        mem.mem.data = (struct trace_bytes){data + run.first, run.length};
        if (!import_nvt_emit(importer, TRACE_MEM, &mem))
            return false;
    }
    return nvt_memory_write(bo, offset, data, length, NVT_CPU) ||
           error_set_errno(importer->error, ENOMEM, "%s", importer->name);
}

static bool import_gpuwrite(struct import_nvt *importer, const struct nvt_record *nvt)
{
    enum { FIXED_BYTES = 16 };
    const uint8_t *at = nvt->payload;
    struct trace_record write = {0};

    if (nvt->length < FIXED_BYTES || nvt->length - FIXED_BYTES != get32(at + 8))
        return import_nvt_wrong(importer, nvt, "a GPUWRITE whose length is not that of its data");
    const uint32_t why = get32(at + 12);
    if (importer->as_id != 0)
        return import_nvt_wrong(importer, nvt,
                                "a GPUWRITE in a recording of VM_BIND: whose address it is, is "
                                "not known");
    if (why < TRACE_WHY_HOST_SEMAPHORE || why > TRACE_WHY_LONG_REPORT)
        return import_nvt_wrong(importer, nvt, "a GPUWRITE of unknown cause");
    write.gpu_write = (struct trace_gpu_write){
        .channel_id = importer->channel_id,
        .address = get64(at),
        .why = (uint8_t)why, /* both formats number the causes alike */
        .data = {at + FIXED_BYTES, get32(at + 8)},
    };
    if (write.gpu_write.data.length >= 4) {
        importer->seen_address = write.gpu_write.address;
        importer->seen_value = get32(at + FIXED_BYTES);
    }
    struct nvt_bo *bo =
        nvt_memory_bo_at(&importer->memory, write.gpu_write.address, write.gpu_write.data.length);
    if (!bo)
        return import_nvt_wrong(importer, nvt, "a GPUWRITE outside all buffers");
    if (!nvt_memory_write(bo, write.gpu_write.address - bo->va, write.gpu_write.data.data,
                          write.gpu_write.data.length, NVT_GPU))
        return error_set_errno(importer->error, ENOMEM, "%s", importer->name);
    return import_nvt_emit(importer, TRACE_GPU_WRITE, &write);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static bool import_record(struct import_nvt *importer, const struct nvt_record *nvt)
{
    switch (nvt->type) {
    case NVT_DEVICE:
        return import_nvt_wrong(importer, nvt, "a second DEVICE");
    case NVT_BO_NEW:
        return import_bo_new(importer, nvt);
    case NVT_BO_CLOSE:
        return import_bo_close(importer, nvt);
    case NVT_CHAN:
        return import_chan(importer, nvt);
    case NVT_OBJ:
        return import_obj(importer, nvt);
    case NVT_SUBMIT:
        return import_submit(importer, nvt);
    case NVT_PAGES:
        return import_pages(importer, nvt);
    case NVT_PUSHDATA:
        return import_pushdata(importer, nvt);
    case NVT_GPUWRITE:
        return import_gpuwrite(importer, nvt);
    case NVT_NVIF:
        return true;
    case NVT_VMBIND:
        return import_nvt_vm_bind(importer, nvt);
    case NVT_EXEC:
        return import_nvt_exec(importer, nvt);
    default:
        return import_nvt_wrong(importer, nvt, "a record of unknown type");
    }
}

/* Times count from the first record. */
static bool time_take(struct import_nvt *importer, const struct nvt_record *nvt)
{
    if (!importer->started)
        importer->start_ns = nvt->time_ns;
    if (nvt->time_ns < importer->start_ns + importer->time_ns)
        return import_nvt_wrong(importer, nvt, "a record earlier than the one before it");
    importer->time_ns = nvt->time_ns - importer->start_ns;
    return true;
}

static bool import_all(struct import_nvt *importer)
{
    struct nvt_record nvt;
    struct trace_record end = {.end = {.how = TRACE_END_EXIT}};

    while (record_read(importer, &nvt)) {
        if (!time_take(importer, &nvt))
            return false;
        if (!importer->started && nvt.type != NVT_DEVICE)
            return import_nvt_wrong(importer, &nvt, "DEVICE was expected, the first record");
        if (!(importer->started ? import_record : import_device)(importer, &nvt))
            return false;
        importer->started = true;
    }
    return importer->error->kind == ERROR_NONE && import_nvt_emit(importer, TRACE_END, &end) &&
           trace_writer_finish(importer->writer, importer->error);
}

bool import_nvt(FILE *file, const char *name, int fd, const char *output_name,
                struct gfe_error *error)
{
    struct import_nvt *importer = calloc(1, sizeof *importer); /* the list of pushes is large */
    bool done = false;

    assert(error->kind == ERROR_NONE);
    if (!importer)
        return error_set_errno(error, ENOMEM, "%s", name);
    importer->file = file;
    importer->name = name;
    importer->error = error;
    importer->writer = trace_writer_new(fd, output_name, error);
    if (importer->writer)
        done = import_all(importer);
    trace_writer_free(importer->writer);
    nvt_memory_free(&importer->memory);
    free(importer->payload);
    free(importer);
    return done;
}
