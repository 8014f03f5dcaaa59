/* SPDX-License-Identifier: MIT */
/*
 * Submissions to a real driver, and waits for them.  Changed memory is told before the call goes
 * down, so that what the GPU writes then is not taken for the CPU's; the submission is recorded
 * when the driver has taken it.  The methods are read from what was told: that is what the trace
 * has.
 */
#include <config.h>

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "traces/record/nouveau/record_pass_state.h"
#include "traces/record/record_user.h"

/* What a call was given, copied before it went down. */
struct pass_lists {
    struct uapi_gem_pushbuf submit;
    struct uapi_pushbuf_buffer *buffers;
    struct uapi_pushbuf_reloc *relocs;
    struct uapi_pushbuf_push *pushes;
    uint32_t *numbers; /* of the listed objects, 0: not known */
    uint64_t seen_address;
    uint32_t seen_value;

    struct uapi_exec exec;
    struct uapi_exec_push *exec_pushes;
    struct record_nouveau_syncs syncs;

    struct uapi_vm_bind bind;
    struct record_nouveau_bind_lists binds;
};

void record_pass_submit_free(struct record_pass_call *call)
{
    struct pass_lists *lists = call->lists;

    if (!lists)
        return;
    free(lists->buffers);
    free(lists->relocs);
    free(lists->pushes);
    free(lists->numbers);
    free(lists->exec_pushes);
    record_sync_free(&lists->syncs);
    record_nouveau_bind_lists_free(&lists->binds);
    free(lists);
    call->lists = NULL;
}

/* A copy of an array of the caller's, which may be empty; NULL when it cannot be had. */
static void *array_copy(uint64_t from, uint64_t count, size_t bytes)
{
    void *to = calloc(count + 1, bytes);

    if (to && record_user_read(to, from, count * bytes))
        return to;
    free(to);
    return NULL;
}

/* ---- where the GPU writes -------------------------------------------------------------------- */

/* What the callback for completion values needs. */
struct pass_submission {
    struct record_nouveau *nouveau;
    const struct record_caller *caller;
    struct record_nouveau_channel *channel;
    const struct pass_lists *lists;
};

/* Is `va` in the object of a handle of the calling file? */
static bool handle_has(struct record_nouveau *nouveau, uint32_t handle, uint64_t va,
                       struct record_nouveau_bo **bo, uint64_t *offset)
{
    struct record_nouveau_bo *found = record_nouveau_bo_find(nouveau, handle);
    uint64_t begin;

    if (!found)
        return false;
    begin = record_nouveau_handle_va(nouveau, handle);
    if (va < begin || va - begin >= record_nouveau_bo_buffer(nouveau, found)->size_bytes)
        return false;
    *bo = found;
    *offset = va - begin;
    return true;
}

/* The object at an address that the channel sees; false where none is.  *bo is NULL where nothing
 * is kept. */
static bool place_find(const struct pass_submission *submission, uint64_t va,
                       struct record_nouveau_bo **bo, uint64_t *offset)
{
    struct record_nouveau *nouveau = submission->nouveau;
    const struct record_vm *vm = record_nouveau_channel_vm(nouveau, submission->channel);
    struct record_vm_place place;

    if (vm) {
        if (!record_vm_find(vm, va, &place))
            return false;
        *bo = place.buffer
                  ? &nouveau->table->bos[record_memory_number(nouveau->memory, place.buffer)]
                  : NULL;
        *offset = place.offset;
        return true;
    }
    for (uint32_t i = 0; submission->lists && i < submission->lists->submit.buffer_count; i++)
        if (handle_has(nouveau, submission->lists->buffers[i].handle, va, bo, offset))
            return true;
    for (uint32_t i = 0; i < RECORD_NOUVEAU_FILE_PAGES; i++)
        for (uint32_t n = 1; nouveau->file->pages[i] != 0 && n <= RECORD_NOUVEAU_PAGE_HANDLES; n++)
            if (handle_has(nouveau, i * RECORD_NOUVEAU_PAGE_HANDLES + n, va, bo, offset))
                return true;
    return false;
}

/* A completion value is to be expected; of type record_walk_found. */
static void expect(void *context, const struct record_walk_write *write)
{
    const struct pass_submission *submission = context;
    struct record_nouveau *nouveau = submission->nouveau;
    const uint32_t words = write->reduction ? 1 : write->four_words ? 4 : write->two_words ? 2 : 1;
    struct pass_pending pending = {
        .va = write->va,
        .bytes = words * (uint32_t)sizeof(uint32_t),
        .payload = write->payload,
        .payload_hi = write->payload_hi,
        .file = nouveau->file->serial,
        .channel = (uint32_t)(submission->channel - nouveau->table->channels),
        .number = submission->channel->number,
        .submission_id = nouveau->table->submission_count,
        .why = (uint8_t)write->why,
        .is_unknown =
            write->reduction || write->why == TRACE_WHY_COUNTER || write->why == TRACE_WHY_NOTIFY,
        .two_words = write->two_words,
    };
    struct record_nouveau_bo *bo = NULL;

    if (!place_find(submission, write->va, &bo, &pending.offset)) {
        record_out_mark(nouveau->out, submission->caller,
                        "channel %u: a completion at %#llx is in no buffer object",
                        (unsigned)pending.number, (unsigned long long)write->va);
        return;
    }
    if (!bo || pending.offset + pending.bytes > record_nouveau_bo_buffer(nouveau, bo)->size_bytes)
        return;
    pending.bo = (uint32_t)(bo - nouveau->table->bos);
    pending.bo_number = bo->number;
    record_pass_complete_expect(nouveau, &pending);
}

/* ---- methods --------------------------------------------------------------------------------- */

/* Reads bytes of an object as the trace has them.  Returns false if the trace lacks them. */
static bool told_read(struct record_nouveau *nouveau, const struct record_nouveau_bo *bo,
                      uint64_t offset, void *to, uint64_t bytes)
{
    const struct record_buffer *buffer = record_nouveau_bo_buffer(nouveau, bo);

    return bo->is_mapped && offset <= buffer->size_bytes && bytes <= buffer->size_bytes - offset &&
           record_memory_saved_read(nouveau->memory, buffer, offset, to, bytes);
}

static void unknown_mark(const struct pass_submission *submission)
{
    record_out_mark(submission->nouveau->out, submission->caller,
                    "channel %u: the methods of submission %u are not known",
                    (unsigned)submission->channel->number,
                    (unsigned)submission->nouveau->table->submission_count);
}

static void walk(struct pass_submission *submission, const uint32_t *dwords, uint64_t bytes)
{
    record_walk_segment(&submission->channel->walk, dwords, bytes / sizeof *dwords, expect,
                        submission);
}

static void push_walk(struct pass_submission *submission, const struct uapi_pushbuf_push *push)
{
    const struct pass_lists *lists = submission->lists;
    const uint64_t bytes = push->length & ~(uint64_t)UAPI_PUSH_NO_PREFETCH;
    const struct record_nouveau_bo *bo =
        record_nouveau_bo_find(submission->nouveau, lists->buffers[push->buffer].handle);
    uint32_t *room = bytes < UINT32_MAX ? malloc(bytes + 1) : NULL;

    if (room && bo && told_read(submission->nouveau, bo, push->offset, room, bytes))
        walk(submission, room, bytes);
    else
        unknown_mark(submission);
    free(room);
}

static void exec_push_walk(struct pass_submission *submission, const struct uapi_exec_push *push)
{
    const struct record_vm *vm =
        record_nouveau_channel_vm(submission->nouveau, submission->channel);
    uint8_t *room = malloc((size_t)push->va_len + 1);
    uint64_t done = 0;

    while (room && done < push->va_len) {
        const uint64_t left = push->va_len - done;
        struct record_vm_place place;
        struct record_nouveau_bo *bo = NULL;
        uint64_t offset = 0, part = left;

        if (!place_find(submission, push->va + done, &bo, &offset))
            break;
        if (vm && record_vm_find(vm, push->va + done, &place) && place.size_bytes < left)
            part = place.size_bytes;
        if (!bo)
            memset(room + done, 0, part); /* sparse */
        else if (!told_read(submission->nouveau, bo, offset, room + done, part))
            break;
        done += part;
    }
    if (!room || done < push->va_len)
        unknown_mark(submission);
    if (room)
        walk(submission, (const uint32_t *)(const void *)room, done);
    free(room);
}

/* The last value that the program could see when it made the call.  One that it has overwritten
 * since is nothing to wait for. */
static void seen_take(const struct pass_submission *submission, struct pass_lists *lists)
{
    struct record_nouveau *nouveau = submission->nouveau;
    struct record_nouveau_bo *bo = NULL;
    uint64_t offset;
    uint32_t value;

    if (nouveau->file->seen_address != 0 &&
        place_find(submission, nouveau->file->seen_address, &bo, &offset) && bo &&
        record_pass_memory_read(nouveau, submission->caller, bo, offset, &value, sizeof value) &&
        value == nouveau->file->seen_value) {
        lists->seen_address = nouveau->file->seen_address;
        lists->seen_value = value;
        return;
    }
    nouveau->file->seen_address = 0;
    nouveau->file->seen_value = 0;
}

/* ---- GEM_PUSHBUF ----------------------------------------------------------------------------- */

/* Copies the arrays; false when the kernel will not take them either. */
static bool pushbuf_copy(struct pass_lists *lists)
{
    struct uapi_gem_pushbuf *submit = &lists->submit;

    if (submit->push_count == 0)
        submit->buffer_count = submit->reloc_count = 0; /* the kernel does not look at them */
    if (submit->push_count > UAPI_PUSHBUF_PUSHES_MAX ||
        submit->buffer_count > UAPI_PUSHBUF_BUFFERS_MAX ||
        submit->reloc_count > UAPI_PUSHBUF_RELOCS_MAX)
        return false;
    lists->buffers = array_copy(submit->buffers, submit->buffer_count, sizeof *lists->buffers);
    lists->pushes = array_copy(submit->pushes, submit->push_count, sizeof *lists->pushes);
    lists->relocs = array_copy(submit->relocs, submit->reloc_count, sizeof *lists->relocs);
    lists->numbers = calloc(submit->buffer_count + 1u, sizeof *lists->numbers);
    if (!lists->buffers || !lists->pushes || !lists->relocs || !lists->numbers)
        return false;
    for (uint32_t i = 0; i < submit->push_count; i++)
        if (lists->pushes[i].buffer >= submit->buffer_count)
            return false;
    return true;
}

static void pushbuf_before(struct record_nouveau *nouveau, const struct record_caller *caller,
                           struct pass_lists *lists)
{
    for (uint32_t i = 0; i < lists->submit.buffer_count; i++) {
        const uint32_t handle = lists->buffers[i].handle;
        struct record_nouveau_bo *bo = record_nouveau_bo_find(nouveau, handle);

        if (!bo)
            continue;
        lists->numbers[i] = bo->number;
        record_pass_memory_tell(nouveau, caller, bo, nouveau->file->as_id,
                                record_nouveau_handle_va(nouveau, handle));
    }
}

/* The kernel has put addresses where the driver presumed wrong ones: those words changed. */
static void relocs_tell(struct record_nouveau *nouveau, const struct record_caller *caller,
                        const struct pass_lists *lists)
{
    for (uint32_t i = 0; i < lists->submit.reloc_count; i++) {
        const uint32_t at = lists->relocs[i].at_buffer;
        struct record_nouveau_bo *bo =
            at < lists->submit.buffer_count
                ? record_nouveau_bo_find(nouveau, lists->buffers[at].handle)
                : NULL;

        if (bo)
            record_pass_memory_tell(nouveau, caller, bo, nouveau->file->as_id,
                                    record_nouveau_handle_va(nouveau, lists->buffers[at].handle));
    }
}

static void pushbuf_record(const struct pass_submission *submission)
{
    struct record_nouveau *nouveau = submission->nouveau;
    const struct pass_lists *lists = submission->lists;
    struct trace_record record = {0};

    for (uint32_t i = 0; i < lists->submit.push_count; i++) {
        const struct uapi_pushbuf_push *push = &lists->pushes[i];

        nouveau->trace_pushes[i] = (struct trace_push){
            .handle = lists->numbers[push->buffer],
            .flags = push->length & UAPI_PUSH_NO_PREFETCH ? TRACE_PUSH_NO_PREFETCH : 0,
            .offset = push->offset,
            .length_bytes = push->length & ~(uint64_t)UAPI_PUSH_NO_PREFETCH,
        };
    }
    record.submit.channel_id = submission->channel->number;
    record.submit.submission_id = ++nouveau->table->submission_count;
    record.submit.pushes = (struct trace_pushes){nouveau->trace_pushes, lists->submit.push_count};
    record.submit.seen_address = lists->seen_address;
    record.submit.seen_value = lists->seen_value;
    record_out_put(nouveau->out, submission->caller, TRACE_SUBMIT, &record);
    for (uint32_t i = 0; i < lists->submit.buffer_count; i++) {
        struct record_nouveau_bo *bo = record_nouveau_bo_find(nouveau, lists->buffers[i].handle);

        if (bo)
            bo->last_submission = nouveau->table->submission_count;
    }
}

static void pushbuf_after(struct record_nouveau *nouveau, const struct record_caller *caller,
                          const struct pass_lists *lists, struct record_nouveau_channel *channel)
{
    struct pass_submission submission = {nouveau, caller, channel, lists};

    for (uint32_t i = 0; i < lists->submit.push_count; i++)
        if (lists->numbers[lists->pushes[i].buffer] == 0) {
            record_out_mark(nouveau->out, caller, "a submission of an unknown object is left out");
            return;
        }
    relocs_tell(nouveau, caller, lists);
    pushbuf_record(&submission);
    for (uint32_t i = 0; i < lists->submit.push_count; i++)
        push_walk(&submission, &lists->pushes[i]);
    record_walk_idle(&channel->walk, expect, &submission);
}

/* ---- EXEC, VM_BIND --------------------------------------------------------------------------- */

static bool exec_copy(struct record_nouveau *nouveau, struct pass_lists *lists)
{
    const struct uapi_exec *exec = &lists->exec;
    const struct record_nouveau_sync_lists syncs = {exec->wait_ptr, exec->sig_ptr, exec->wait_count,
                                                    exec->sig_count};

    if (exec->push_count > UAPI_PUSHBUF_PUSHES_MAX)
        return false;
    lists->exec_pushes = array_copy(exec->push_ptr, exec->push_count, sizeof *lists->exec_pushes);
    return lists->exec_pushes && record_sync_take(nouveau, &syncs, &lists->syncs) == 0;
}

static void exec_after(struct record_nouveau *nouveau, const struct record_caller *caller,
                       const struct pass_lists *lists, struct record_nouveau_channel *channel)
{
    const struct record_nouveau_submission recorded = {nouveau, caller, channel->number};
    struct pass_submission submission = {nouveau, caller, channel, NULL};

    record_nouveau_exec_record(&recorded, &lists->exec, lists->exec_pushes, &lists->syncs);
    for (uint32_t i = 0; i < lists->exec.push_count; i++)
        exec_push_walk(&submission, &lists->exec_pushes[i]);
    record_walk_idle(&channel->walk, expect, &submission);
}

static void bind_after(struct record_nouveau *nouveau, const struct record_caller *caller,
                       struct pass_lists *lists)
{
    const struct record_nouveau_call call = {
        .caller = caller, .argument = &lists->bind, .bytes = sizeof lists->bind};
    struct record_vm *vm = record_nouveau_client_vm(nouveau);

    if (!vm || record_vm_bind(vm, lists->binds.ops, lists->bind.op_count) != 0)
        record_out_mark(nouveau->out, caller, "a VM_BIND that the recorder cannot follow");
    record_nouveau_bind_record(nouveau, &call, &lists->binds);
    record_bind_sweep(nouveau);
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* Copies what a call is given and tells what the CPU changed; false when it is not to be recorded.
 */
static bool lists_make(struct record_nouveau *nouveau, const struct record_caller *caller,
                       const struct record_pass_call *call, struct pass_lists *lists)
{
    struct pass_submission submission = {nouveau, caller, NULL, lists};

    switch (_IOC_NR(call->request)) {
    case UAPI_GEM_PUSHBUF:
        memcpy(&lists->submit, call->words, sizeof lists->submit);
        record_pass_look(nouveau, caller);
        submission.channel = record_nouveau_channel_find(nouveau, lists->submit.channel);
        if (!submission.channel || !pushbuf_copy(lists))
            return false;
        seen_take(&submission, lists);
        pushbuf_before(nouveau, caller, lists);
        return true;
    case UAPI_EXEC:
        memcpy(&lists->exec, call->words, sizeof lists->exec);
        record_pass_look(nouveau, caller);
        if (!record_nouveau_channel_find(nouveau, lists->exec.channel) ||
            !exec_copy(nouveau, lists))
            return false;
        record_pass_memory_tell_all(nouveau, caller);
        return true;
    default:
        memcpy(&lists->bind, call->words, sizeof lists->bind);
        return record_nouveau_client_vm(nouveau) &&
               record_nouveau_bind_lists_take(nouveau, &lists->binds, &lists->bind) == 0;
    }
}

void record_pass_submit_before(struct record_nouveau *nouveau, const struct record_caller *caller,
                               struct record_pass_call *call)
{
    const unsigned nr = _IOC_NR(call->request);
    struct uapi_cpu_prep prep;
    const struct record_nouveau_bo *bo;

    if (nr == UAPI_VM_INIT)
        return;
    if (nr == UAPI_GEM_CPU_PREP) {
        memcpy(&prep, call->words, sizeof prep);
        bo = record_nouveau_bo_find(nouveau, prep.handle);
        call->number = bo ? bo->number : 0;
        call->submission_id = bo ? bo->last_submission : 0;
        return;
    }
    call->lists = calloc(1, sizeof(struct pass_lists));
    if (call->lists && lists_make(nouveau, caller, call, call->lists))
        return;
    record_pass_submit_free(call);
}

static void cpu_prep_after(struct record_nouveau *nouveau, const struct record_caller *caller,
                           const struct record_pass_call *call)
{
    struct uapi_cpu_prep prep;

    memcpy(&prep, call->words, sizeof prep);
    record_pass_look(nouveau, caller);
    /* With NOWAIT the program asks and goes on whatever the answer: not a wait. */
    if (call->number == 0 || (prep.flags & UAPI_CPU_PREP_NOWAIT))
        return;
    record_nouveau_wait_record(nouveau, caller,
                               &(struct trace_cpu_wait){
                                   .how = TRACE_WAIT_IOCTL,
                                   .channel_id = TRACE_ANY,
                                   .handle = call->number,
                                   .submission_id = call->submission_id,
                                   .begin_ns = call->begin_ns,
                                   .call = record_out_str("GEM_CPU_PREP"),
                               });
}

static void submission_after(struct record_nouveau *nouveau, const struct record_caller *caller,
                             struct record_pass_call *call)
{
    struct pass_lists *lists = call->lists;
    const bool is_exec = _IOC_NR(call->request) == UAPI_EXEC;
    struct record_nouveau_channel *channel =
        record_nouveau_channel_find(nouveau, is_exec ? lists->exec.channel : lists->submit.channel);

    if (!channel)
        return; /* another thread has ended it */
    if (is_exec)
        exec_after(nouveau, caller, lists, channel);
    else
        pushbuf_after(nouveau, caller, lists, channel);
    nouveau->file->last_submission = nouveau->table->submission_count;
    record_pass_look(nouveau, caller);
    record_out_flush(nouveau->out);
}

void record_pass_submit_after(struct record_nouveau *nouveau, const struct record_caller *caller,
                              struct record_pass_call *call, int result)
{
    const struct record_nouveau_call plain = {
        .caller = caller, .argument = call->words, .bytes = sizeof call->words};

    if (result < 0)
        return;
    switch (_IOC_NR(call->request)) {
    case UAPI_VM_INIT:
        (void)record_nouveau_bind_begin(nouveau, &plain);
        break;
    case UAPI_GEM_CPU_PREP:
        cpu_prep_after(nouveau, caller, call);
        break;
    case UAPI_VM_BIND:
        if (call->lists)
            bind_after(nouveau, caller, call->lists);
        break;
    default:
        if (call->lists)
            submission_after(nouveau, caller, call);
        else
            record_out_mark(nouveau->out, caller, "a submission that the recorder cannot follow");
        break;
    }
}
