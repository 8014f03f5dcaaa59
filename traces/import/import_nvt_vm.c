/* SPDX-License-Identifier: MIT */
/* VM_INIT, VM_BIND and EXEC in a .nvt recording. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>

#include "traces/import/import_nvt_private.h"

/* struct drm_nouveau_vm_init, _vm_bind, _vm_bind_op, _exec, _exec_push (Linux 6.6). */
enum {
    VM_INIT_BYTES = 16,
    VM_BIND_BYTES = 40,
    VM_BIND_OP_BYTES = 40,
    VM_BIND_OP_UNMAP = 1,
    VM_BIND_SPARSE = 1 << 8,
    EXEC_BYTES = 40,
    EXEC_PUSH_BYTES = 16,
};

static bool import_vm_init(struct import_nvt *importer, const struct nvt_record *nvt)
{
    struct trace_record space = {0}, init = {0};

    space.as_create.as_id = init.vm_init.as_id = ++importer->as_id;
    init.vm_init.kernel_address = get64(nvt->payload);
    init.vm_init.kernel_size_bytes = get64(nvt->payload + 8);
    return import_nvt_emit(importer, TRACE_AS_CREATE, &space) &&
           import_nvt_emit(importer, TRACE_VM_INIT, &init);
}

static struct trace_bind bind_of(const uint8_t *op)
{
    const uint32_t flags = get32(op + 4);
    const bool unmap = get32(op) == VM_BIND_OP_UNMAP, sparse = flags & VM_BIND_SPARSE;
    struct trace_bind bind = {
        .handle = TRACE_ANY, .va = get64(op + 16), .size_bytes = get64(op + 32)};

    bind.op = unmap ? TRACE_BIND_UNMAP : TRACE_BIND_MAP;
    if (sparse)
        bind.op = unmap ? TRACE_BIND_UNMAP_SPARSE : TRACE_BIND_MAP_SPARSE;
    if (bind.op == TRACE_BIND_MAP) {
        bind.handle = get32(op + 8);
        bind.object_offset = get64(op + 24);
        bind.page_kind = flags & 0xff;
    }
    return bind;
}

/* What a job waited for and signalled is not in the file, only how much. */
static bool import_syncs(struct import_nvt *importer, const char *call, uint32_t number,
                         const uint8_t *counts)
{
    struct trace_record mark = {0};
    char text[120];

    if (get32(counts) + (uint64_t)get32(counts + 4) == 0)
        return true;
    (void)snprintf(text, sizeof text,
                   "%s %" PRIu32 " had lists of %" PRIu32 " waits and %" PRIu32
                   " signals; the recording does not hold them",
                   call, number, get32(counts), get32(counts + 4));
    mark.mark.text = import_nvt_str(text);
    return import_nvt_emit(importer, TRACE_MARK, &mark);
}

bool import_nvt_vm_bind(struct import_nvt *importer, const struct nvt_record *nvt)
{
    struct trace_record bind = {0};

    if (nvt->length == VM_INIT_BYTES)
        return import_vm_init(importer, nvt);
    if (nvt->length < VM_BIND_BYTES)
        return import_nvt_wrong(importer, nvt, "a VM_BIND shorter than its fixed part");
    const uint32_t count = get32(nvt->payload);
    if (count > VM_BIND_OPS_MAX)
        return import_nvt_wrong(importer, nvt, "a VM_BIND of more than 4096 operations");
    if (!import_nvt_length_is(importer, nvt, VM_BIND_BYTES + (uint64_t)count * VM_BIND_OP_BYTES))
        return false;
    if (importer->as_id == 0)
        return import_nvt_wrong(importer, nvt, "a VM_BIND before any VM_INIT");
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *op = nvt->payload + VM_BIND_BYTES + (size_t)i * VM_BIND_OP_BYTES;

        if (get32(op) > VM_BIND_OP_UNMAP)
            return import_nvt_wrong(importer, nvt, "an unknown operation of VM_BIND");
        importer->binds[i] = bind_of(op);
        if (importer->binds[i].op == TRACE_BIND_MAP &&
            !nvt_memory_bo(&importer->memory, importer->binds[i].handle))
            return import_nvt_wrong(importer, nvt, "a VM_BIND of a buffer that is not there");
    }
    bind.vm_bind = (struct trace_vm_bind){.as_id = importer->as_id,
                                          .bind_id = ++importer->bind_count,
                                          .flags = get32(nvt->payload + 4) & TRACE_BIND_ASYNC,
                                          .binds = {importer->binds, count}};
    return import_nvt_emit(importer, TRACE_VM_BIND, &bind) &&
           import_syncs(importer, "VM_BIND", importer->bind_count, nvt->payload + 8);
}

bool import_nvt_exec(struct import_nvt *importer, const struct nvt_record *nvt)
{
    struct trace_record exec = {0};

    if (nvt->length < EXEC_BYTES)
        return import_nvt_wrong(importer, nvt, "an EXEC shorter than its fixed part");
    importer->push_count = get32(nvt->payload + 4);
    if (importer->push_count > PUSHBUF_PUSHES_MAX)
        return import_nvt_wrong(importer, nvt, "an EXEC of more pushes than nouveau allows");
    if (!import_nvt_length_is(importer, nvt,
                              EXEC_BYTES + (uint64_t)importer->push_count * EXEC_PUSH_BYTES))
        return false;
    if (importer->as_id == 0 || !importer->has_channel)
        return import_nvt_wrong(importer, nvt, "an EXEC before any VM_INIT or channel");
    for (uint32_t i = 0; i < importer->push_count; i++) {
        const uint8_t *push = nvt->payload + EXEC_BYTES + (size_t)i * EXEC_PUSH_BYTES;

        importer->pushes[i] =
            (struct trace_push){.handle = TRACE_ANY,
                                .flags = get32(push + 12) & 1 ? TRACE_PUSH_NO_PREFETCH : 0,
                                .offset = get64(push),
                                .length_bytes = get32(push + 8)};
    }
    importer->channel_id = get32(nvt->payload);
    exec.exec = (struct trace_exec){.channel_id = importer->channel_id,
                                    .submission_id = ++importer->submission_count,
                                    .pushes = {importer->pushes, importer->push_count}};
    return import_nvt_emit(importer, TRACE_EXEC, &exec) &&
           import_syncs(importer, "EXEC", importer->submission_count, nvt->payload + 8);
}
