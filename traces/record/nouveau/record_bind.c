/* SPDX-License-Identifier: MIT */
/*
 * VM_INIT and VM_BIND: a client manages its addresses itself (nouveau_uvmm.c).
 */
#include <config.h>

#include <errno.h>
#include <stdlib.h>

#include "traces/record/nouveau/record_nouveau_private.h"
#include "traces/record/record_user.h"

/* ---- VM_INIT --------------------------------------------------------------------------------- */

/* A client that has made a channel or an object before may not; asked again, it begins anew. */
int record_bind_init(struct record_nouveau *nouveau, struct record_nouveau_call *call)
{
    const struct uapi_vm_init *init = call->argument;
    struct record_nouveau_file *file = nouveau->file;

    if (init->kernel_managed_addr > UINT64_MAX - init->kernel_managed_size ||
        init->kernel_managed_addr + init->kernel_managed_size > UAPI_VA_BYTES)
        return -EINVAL;
    if ((file->is_legacy && !file->has_vm) || nouveau->live_ops)
        return -ENOSYS;
    return record_nouveau_bind_begin(nouveau, call);
}

int record_nouveau_bind_begin(struct record_nouveau *nouveau,
                              const struct record_nouveau_call *call)
{
    const struct uapi_vm_init *init = call->argument;
    struct record_nouveau_file *file = nouveau->file;
    struct trace_record record = {0};
    uint32_t as_id;

    record_nouveau_file_client(nouveau, call->caller);
    as_id = nouveau->table->space_count++;
    if (!record_nouveau_space_new(nouveau, as_id, init->kernel_managed_addr,
                                  init->kernel_managed_size))
        return -ENOMEM;
    record.as_create.as_id = as_id;
    record.as_create.client_id = file->client_id;
    record_out_put(nouveau->out, call->caller, TRACE_AS_CREATE, &record);
    record = (struct trace_record){0};
    record.vm_init.as_id = as_id;
    record.vm_init.kernel_address = init->kernel_managed_addr;
    record.vm_init.kernel_size_bytes = init->kernel_managed_size;
    record_out_put(nouveau->out, call->caller, TRACE_VM_INIT, &record);
    record_out_flush(nouveau->out);
    file->as_id = as_id;
    file->has_space = file->has_vm = 1;
    return 0;
}

/* ---- VM_BIND --------------------------------------------------------------------------------- */

void record_nouveau_bind_lists_free(struct record_nouveau_bind_lists *lists)
{
    free(lists->raw);
    free(lists->ops);
    free(lists->binds);
    record_sync_free(&lists->syncs);
}

static int lists_copy(struct record_nouveau_bind_lists *lists, const struct uapi_vm_bind *bind)
{
    if (bind->op_count > RECORD_NOUVEAU_SYNCS_MAX)
        return -ENOMEM;
    lists->raw = calloc(bind->op_count + 1u, sizeof *lists->raw);
    lists->ops = calloc(bind->op_count + 1u, sizeof *lists->ops);
    lists->binds = calloc(bind->op_count + 1u, sizeof *lists->binds);
    if (!lists->raw || !lists->ops || !lists->binds)
        return -ENOMEM;
    return record_user_read(lists->raw, bind->op_ptr, bind->op_count * sizeof *lists->raw)
               ? 0
               : -EFAULT;
}

static int op_take(struct record_nouveau *nouveau, const struct uapi_vm_bind_op *raw,
                   struct record_vm_op *op, struct trace_bind *bind)
{
    const bool sparse = raw->flags & UAPI_VM_BIND_SPARSE;
    struct record_nouveau_bo *bo = NULL;

    if (raw->op > UAPI_VM_BIND_OP_UNMAP)
        return -EINVAL;
    *bind = (struct trace_bind){.handle = TRACE_ANY, .va = raw->addr, .size_bytes = raw->range};
    *op = (struct record_vm_op){.va = raw->addr, .size_bytes = raw->range};
    if (raw->op == UAPI_VM_BIND_OP_UNMAP) {
        op->kind = sparse ? RECORD_VM_UNMAP_SPARSE : RECORD_VM_UNMAP;
        bind->op = sparse ? TRACE_BIND_UNMAP_SPARSE : TRACE_BIND_UNMAP;
        return 0;
    }
    op->kind = sparse ? RECORD_VM_MAP_SPARSE : RECORD_VM_MAP;
    bind->op = sparse ? TRACE_BIND_MAP_SPARSE : TRACE_BIND_MAP;
    if (sparse)
        return 0;
    bo = record_nouveau_bo_find(nouveau, raw->handle);
    if (!bo)
        return -ENOENT;
    op->buffer = record_nouveau_bo_buffer(nouveau, bo);
    op->offset = bind->object_offset = raw->bo_offset;
    bind->handle = bo->number;
    bind->page_kind = raw->flags & UAPI_VM_BIND_KIND;
    return 0;
}

/* Synchronous jobs have no lists: the call is the wait. */
int record_nouveau_bind_lists_take(struct record_nouveau *nouveau,
                                   struct record_nouveau_bind_lists *lists,
                                   const struct uapi_vm_bind *bind)
{
    const struct record_nouveau_sync_lists syncs = {bind->wait_ptr, bind->sig_ptr, bind->wait_count,
                                                    bind->sig_count};
    int result = lists_copy(lists, bind);

    if (result == 0 && !(bind->flags & UAPI_VM_BIND_RUN_ASYNC) &&
        bind->wait_count + (uint64_t)bind->sig_count > 0)
        result = -EINVAL;
    if (result == 0)
        result = record_sync_take(nouveau, &syncs, &lists->syncs);
    for (uint32_t i = 0; i < bind->op_count && result == 0; i++)
        result = op_take(nouveau, &lists->raw[i], &lists->ops[i], &lists->binds[i]);
    return result;
}

void record_nouveau_bind_record(struct record_nouveau *nouveau,
                                const struct record_nouveau_call *call,
                                const struct record_nouveau_bind_lists *lists)
{
    const struct uapi_vm_bind *bind = call->argument;
    struct trace_record record = {0};

    record.vm_bind.as_id = nouveau->file->as_id;
    record.vm_bind.bind_id = ++nouveau->table->bind_count;
    record.vm_bind.flags = bind->flags & UAPI_VM_BIND_RUN_ASYNC ? TRACE_BIND_ASYNC : 0;
    record.vm_bind.binds = (struct trace_binds){lists->binds, bind->op_count};
    record.vm_bind.waits = (struct trace_syncs){lists->syncs.waits, lists->syncs.wait_count};
    record.vm_bind.signals = (struct trace_syncs){lists->syncs.signals, lists->syncs.signal_count};
    record_out_put(nouveau->out, call->caller, TRACE_VM_BIND, &record);
    record_out_flush(nouveau->out);
}

int record_bind_ioctl(struct record_nouveau *nouveau, struct record_nouveau_call *call)
{
    const struct uapi_vm_bind *bind = call->argument;
    struct record_vm *vm = record_nouveau_client_vm(nouveau);
    struct record_nouveau_bind_lists lists = {0};
    int result;

    if (!vm)
        return -ENOSYS;
    result = record_nouveau_bind_lists_take(nouveau, &lists, bind);
    if (result == 0)
        result = record_vm_bind(vm, lists.ops, bind->op_count);
    if (result == 0) {
        record_nouveau_bind_record(nouveau, call, &lists);
        record_sync_done(nouveau, &lists.syncs);
        record_bind_sweep(nouveau);
    }
    record_nouveau_bind_lists_free(&lists);
    return result;
}

bool record_bind_shows(const struct record_nouveau *nouveau, const struct record_nouveau_bo *bo)
{
    for (uint32_t i = 0; i < nouveau->space_count; i++)
        if (nouveau->spaces[i].file == nouveau->file->serial &&
            record_vm_shows(nouveau->spaces[i].vm, record_nouveau_bo_buffer(nouveau, bo)))
            return true;
    return false;
}

void record_bind_sweep(struct record_nouveau *nouveau)
{
    bool left = false;

    for (uint32_t i = 0; i < RECORD_MEMORY_BUFFERS_MAX && i < nouveau->table->bo_count; i++) {
        struct record_nouveau_bo *bo = &nouveau->table->bos[i];

        if (bo->number == 0 || bo->bound_by != nouveau->file->serial ||
            record_bind_shows(nouveau, bo))
            continue;
        bo->bound_by = 0;
        left = left || bo->handle_count == 0;
    }
    if (left)
        record_nouveau_bo_sweep(nouveau);
}
