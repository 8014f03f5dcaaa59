/* SPDX-License-Identifier: MIT */
/*
 * GEM_PUSHBUF: checks the caller's arrays, records changed memory, the submission and the
 * completion values that follow from it, and makes those.
 */
#include <config.h>

#include <errno.h>
#include <string.h>

#include "traces/record/nouveau/record_nouveau_private.h"
#include "traces/record/record_user.h"

/* ---- the arrays ------------------------------------------------------------------------------ */

static struct record_nouveau_bo *listed_bo(struct record_nouveau *nouveau, uint32_t index)
{
    return record_nouveau_bo_find(nouveau, nouveau->buffers[index].handle);
}

static struct record_buffer *listed_buffer(struct record_nouveau *nouveau, uint32_t index)
{
    return record_nouveau_bo_buffer(nouveau, listed_bo(nouveau, index));
}

static uint8_t *listed_bytes(struct record_nouveau *nouveau, uint32_t index)
{
    return record_memory_bytes(nouveau->memory, listed_buffer(nouveau, index));
}

/* Every handle is an object's that this process can look into, and none comes twice. */
static int check_buffers(struct record_nouveau *nouveau, uint32_t count)
{
    nouveau->table->list_count++;
    for (uint32_t i = 0; i < count; i++) {
        struct record_nouveau_bo *bo = record_nouveau_bo_find(nouveau, nouveau->buffers[i].handle);

        if (!bo)
            return -ENOENT;
        if (bo->listed_submit == nouveau->table->list_count)
            return -EINVAL;
        bo->listed_submit = nouveau->table->list_count;
        if (!listed_bytes(nouveau, i))
            return -ENOMEM;
    }
    return 0;
}

/* Every push lies in a listed object.  (The kernel leaves the range to the GPU, which faults.) */
static int check_pushes(struct record_nouveau *nouveau, const struct uapi_gem_pushbuf *submit)
{
    for (uint32_t i = 0; i < submit->push_count; i++) {
        const struct uapi_pushbuf_push *push = &nouveau->pushes[i];
        const uint64_t length = push->length & ~(uint64_t)UAPI_PUSH_NO_PREFETCH;
        uint64_t size;

        if (push->buffer >= submit->buffer_count)
            return -EINVAL;
        size = listed_buffer(nouveau, push->buffer)->size_bytes;
        if (push->offset % 4 != 0 || push->offset > size || length > size - push->offset)
            return -EINVAL;
    }
    return 0;
}

static int check_relocs(struct record_nouveau *nouveau, const struct uapi_gem_pushbuf *submit)
{
    for (uint32_t i = 0; i < submit->reloc_count; i++) {
        const struct uapi_pushbuf_reloc *reloc = &nouveau->relocs[i];

        if (reloc->at_buffer >= submit->buffer_count || reloc->buffer >= submit->buffer_count)
            return -EINVAL;
        if (reloc->at_offset >
            listed_buffer(nouveau, reloc->at_buffer)->size_bytes - sizeof(uint32_t))
            return -EINVAL;
    }
    return 0;
}

static int copy_arrays(struct record_nouveau *nouveau, const struct uapi_gem_pushbuf *submit)
{
    if (submit->push_count > UAPI_PUSHBUF_PUSHES_MAX ||
        submit->buffer_count > UAPI_PUSHBUF_BUFFERS_MAX ||
        submit->reloc_count > UAPI_PUSHBUF_RELOCS_MAX)
        return -EINVAL;
    if (!record_user_read(nouveau->buffers, submit->buffers,
                          submit->buffer_count * sizeof nouveau->buffers[0]) ||
        !record_user_read(nouveau->pushes, submit->pushes,
                          submit->push_count * sizeof nouveau->pushes[0]) ||
        !record_user_read(nouveau->relocs, submit->relocs,
                          submit->reloc_count * sizeof nouveau->relocs[0]))
        return -EFAULT;
    return 0;
}

/* ---- what the kernel does with them ---------------------------------------------------------- */

/* Puts addresses where the driver presumed wrong ones; none of GL's on this chip needs it. */
static void apply_relocs(struct record_nouveau *nouveau, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct uapi_pushbuf_reloc *reloc = &nouveau->relocs[i];
        const struct uapi_pushbuf_buffer *listed = &nouveau->buffers[reloc->buffer];
        const struct record_nouveau_bo *bo = listed_bo(nouveau, reloc->buffer);
        const uint64_t va = record_memory_va(record_nouveau_bo_buffer(nouveau, bo));
        uint32_t data = reloc->data;

        if (listed->presumed.valid && listed->presumed.offset == va &&
            (listed->presumed.domain & bo->domain))
            continue;
        if (reloc->flags & UAPI_RELOC_LOW)
            data = (uint32_t)(va + reloc->data);
        else if (reloc->flags & UAPI_RELOC_HIGH)
            data = (uint32_t)((va + reloc->data) >> 32);
        if (reloc->flags & UAPI_RELOC_OR)
            data |= bo->domain == UAPI_DOMAIN_VRAM ? reloc->vram_or : reloc->gart_or;
        memcpy(listed_bytes(nouveau, reloc->at_buffer) + reloc->at_offset, &data, sizeof data);
    }
}

/* Tells the driver where the objects are. */
static int answer_buffers(struct record_nouveau *nouveau, const struct uapi_gem_pushbuf *submit)
{
    for (uint32_t i = 0; i < submit->buffer_count; i++) {
        struct uapi_pushbuf_buffer *listed = &nouveau->buffers[i];
        const struct record_nouveau_bo *bo = listed_bo(nouveau, i);

        listed->presumed.valid = 1;
        listed->presumed.domain = bo->domain;
        listed->presumed.offset = record_memory_va(record_nouveau_bo_buffer(nouveau, bo));
    }
    return record_user_write(submit->buffers, nouveau->buffers,
                             submit->buffer_count * sizeof nouveau->buffers[0])
               ? 0
               : -EFAULT;
}

/* ---- what a channel sees --------------------------------------------------------------------- */

/* One piece after the other of what the channel sees at `va`: the GPU writes there, or `read` gets
 * it.  False where nothing is. */
static bool vm_access(struct record_nouveau *nouveau, const struct record_vm *vm, uint64_t va,
                      void *data, uint32_t bytes, bool is_write)
{
    struct record_vm_place place;
    uint8_t *at = data;

    while (bytes > 0) {
        uint32_t part;
        uint64_t where;

        if (!record_vm_find(vm, va, &place))
            return false;
        part = bytes < place.size_bytes ? bytes : (uint32_t)place.size_bytes;
        where = place.buffer ? record_memory_va(place.buffer) + place.offset : 0;
        if (!place.buffer && !is_write)
            memset(at, 0, part);
        else if (place.buffer && is_write)
            (void)record_memory_gpu_write(nouveau->memory, where, at, part);
        else if (place.buffer)
            (void)record_memory_read(nouveau->memory, where, at, part);
        at += part;
        va += part;
        bytes -= part;
    }
    return true;
}

static bool gpu_write(const struct record_nouveau_submission *submission, uint64_t va, void *data,
                      uint32_t bytes)
{
    struct record_nouveau *nouveau = submission->nouveau;
    const struct record_vm *vm =
        record_nouveau_channel_vm(nouveau, &nouveau->table->channels[submission->channel]);

    return vm ? vm_access(nouveau, vm, va, data, bytes, true)
              : record_memory_gpu_write(nouveau->memory, va, data, bytes);
}

static bool gpu_read(const struct record_nouveau_submission *submission, uint64_t va, void *data,
                     uint32_t bytes)
{
    struct record_nouveau *nouveau = submission->nouveau;
    const struct record_vm *vm =
        record_nouveau_channel_vm(nouveau, &nouveau->table->channels[submission->channel]);

    return vm ? vm_access(nouveau, vm, va, data, bytes, false)
              : record_memory_read(nouveau->memory, va, data, bytes);
}

/* ---- recording ------------------------------------------------------------------------------- */

void record_nouveau_record_changed(void *context, const struct record_buffer *buffer, uint64_t va,
                                   const uint8_t *data, uint32_t bytes)
{
    const struct record_nouveau_submission *submission = context;
    struct record_nouveau *nouveau = submission->nouveau;
    struct trace_record record = {0};

    if (nouveau->fault == RECORD_FAULT_PAGES && nouveau->run_count++ % 2 == 1)
        return;
    /* A listed object is mapped where its lister is; others are told where they were made. */
    record.mem.as_id = nouveau->file->has_vm ? buffer->as_id : nouveau->file->as_id;
    record.mem.address = va;
    record.mem.data = (struct trace_bytes){data, bytes};
    record_out_put(nouveau->out, submission->caller, TRACE_MEM, &record);
}

/* A value that the program has overwritten since (the place of a query that it begins again) is
 * nothing to wait for. */
static void forget_overwritten(const struct record_nouveau_submission *submission)
{
    struct record_nouveau *nouveau = submission->nouveau;
    uint32_t value;

    if (gpu_read(submission, nouveau->file->seen_address, &value, sizeof value) &&
        value == nouveau->file->seen_value)
        return;
    nouveau->file->seen_address = 0;
    nouveau->file->seen_value = 0;
}

static void record_submit(const struct record_nouveau_submission *submission, uint32_t push_count)
{
    struct record_nouveau *nouveau = submission->nouveau;
    struct trace_record record = {0};

    for (uint32_t i = 0; i < push_count; i++) {
        const struct uapi_pushbuf_push *push = &nouveau->pushes[i];

        nouveau->trace_pushes[i] = (struct trace_push){
            .handle = listed_bo(nouveau, push->buffer)->number,
            .flags = push->length & UAPI_PUSH_NO_PREFETCH ? TRACE_PUSH_NO_PREFETCH : 0,
            .offset = push->offset,
            .length_bytes = push->length & ~(uint64_t)UAPI_PUSH_NO_PREFETCH,
        };
    }
    forget_overwritten(submission);
    record.submit.channel_id = submission->channel;
    record.submit.submission_id = ++nouveau->table->submission_count;
    record.submit.pushes = (struct trace_pushes){nouveau->trace_pushes, push_count};
    record.submit.seen_address = nouveau->file->seen_address;
    record.submit.seen_value = nouveau->file->seen_value;
    if (nouveau->fault != RECORD_FAULT_SILENT)
        record_out_put(nouveau->out, submission->caller, TRACE_SUBMIT, &record);
}

/* ---- completion ------------------------------------------------------------------------------ */

void record_nouveau_complete(void *context, const struct record_walk_write *write)
{
    const struct record_nouveau_submission *submission = context;
    struct record_nouveau *nouveau = submission->nouveau;
    const uint64_t now_ns = submission->caller->now_ns;
    uint32_t words[4] = {write->payload, write->payload_hi, (uint32_t)now_ns,
                         (uint32_t)(now_ns >> 32)};
    const uint32_t count = write->reduction ? 1 : write->four_words ? 4 : write->two_words ? 2 : 1;
    const uint32_t bytes = count * (uint32_t)sizeof words[0];
    struct trace_record record = {0};
    uint32_t before;

    if (nouveau->fault == RECORD_FAULT_FENCE)
        return;
    if (write->why == TRACE_WHY_NOTIFY) {
        memcpy(words, &now_ns, sizeof now_ns);
        words[2] = words[3] = 0;
    }
    if (write->reduction && gpu_read(submission, write->va, &before, sizeof before))
        words[0] = record_walk_reduce(write, before);
    if (!gpu_write(submission, write->va, words, bytes)) {
        record_out_mark(nouveau->out, submission->caller,
                        "channel %u: a completion at %#llx is in no buffer object",
                        (unsigned)submission->channel, (unsigned long long)write->va);
        return;
    }
    if (write->why != TRACE_WHY_COUNTER) {
        nouveau->file->seen_address = write->va;
        nouveau->file->seen_value = words[0];
    }
    record.gpu_write.channel_id = submission->channel;
    record.gpu_write.address = write->va;
    record.gpu_write.why = (uint8_t)write->why;
    record.gpu_write.data = (struct trace_bytes){(const uint8_t *)words, bytes};
    if (nouveau->fault != RECORD_FAULT_SILENT)
        record_out_put(nouveau->out, submission->caller, TRACE_GPU_WRITE, &record);
}

static void execute(struct record_nouveau_submission *submission, uint32_t push_count)
{
    struct record_nouveau *nouveau = submission->nouveau;
    struct record_walk *walk = &nouveau->table->channels[submission->channel].walk;

    for (uint32_t i = 0; i < push_count; i++) {
        const struct uapi_pushbuf_push *push = &nouveau->pushes[i];
        const uint8_t *bytes = listed_bytes(nouveau, push->buffer) + push->offset;

        record_walk_segment(walk, (const uint32_t *)(const void *)bytes,
                            nouveau->trace_pushes[i].length_bytes / 4, record_nouveau_complete,
                            submission);
    }
    record_walk_idle(walk, record_nouveau_complete, submission);
}

int record_submit_pushbuf(struct record_nouveau *nouveau, struct record_nouveau_call *call)
{
    struct uapi_gem_pushbuf *submit = call->argument;
    struct record_nouveau_submission submission = {nouveau, call->caller, submit->channel};
    const bool silent = nouveau->fault == RECORD_FAULT_SILENT || nouveau->live_ops;
    int result = 0;

    if (nouveau->file->has_vm)
        return -ENOSYS;
    if (!record_nouveau_channel_find(nouveau, submit->channel))
        return -ENOENT;
    if (submit->push_count == 0)
        submit->buffer_count = submit->reloc_count = 0; /* the kernel does not look at them */
    result = copy_arrays(nouveau, submit);
    if (result == 0)
        result = check_buffers(nouveau, submit->buffer_count);
    if (result == 0)
        result = check_pushes(nouveau, submit);
    if (result == 0)
        result = check_relocs(nouveau, submit);
    if (result != 0)
        return result;

    apply_relocs(nouveau, submit->reloc_count);
    for (uint32_t i = 0; i < submit->buffer_count && !silent; i++)
        record_memory_changes(nouveau->memory, listed_buffer(nouveau, i),
                              record_nouveau_record_changed, &submission);
    record_submit(&submission, submit->push_count);
    if (nouveau->live_result != 0)
        return nouveau->live_result;
    for (uint32_t i = 0; i < submit->buffer_count; i++)
        listed_bo(nouveau, i)->last_submission = nouveau->table->submission_count;
    nouveau->file->last_submission = nouveau->table->submission_count;
    if (!nouveau->live_ops)
        execute(&submission, submit->push_count);
    record_out_flush(nouveau->out);

    submit->suffix0 = submit->suffix1 = 0;
    submit->vram_available = (uint64_t)nouveau->board->vram_mib << 20;
    submit->gart_available = RECORD_NOUVEAU_GART_BYTES;
    return answer_buffers(nouveau, submit);
}
