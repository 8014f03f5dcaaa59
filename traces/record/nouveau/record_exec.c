/* SPDX-License-Identifier: MIT */
/*
 * EXEC: a submission by virtual addresses, with what it waits for and signals (nouveau_exec.c).
 * There is no list of buffers, so all memory is looked through for what the CPU changed.
 */
#include <config.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "traces/record/nouveau/record_nouveau_private.h"
#include "traces/record/record_user.h"

static int check_pushes(const struct uapi_exec_push *pushes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (pushes[i].va_len > UAPI_EXEC_PUSH_BYTES_MAX)
            return -EINVAL;
    return 0;
}

/* ---- recording ------------------------------------------------------------------------------- */

void record_nouveau_exec_record(const struct record_nouveau_submission *submission,
                                const struct uapi_exec *exec, const struct uapi_exec_push *pushes,
                                const struct record_nouveau_syncs *syncs)
{
    struct record_nouveau *nouveau = submission->nouveau;
    struct trace_record record = {0};

    for (uint32_t i = 0; i < exec->push_count; i++)
        nouveau->trace_pushes[i] = (struct trace_push){
            .handle = TRACE_ANY,
            .flags = pushes[i].flags & UAPI_EXEC_PUSH_NO_PREFETCH ? TRACE_PUSH_NO_PREFETCH : 0,
            .offset = pushes[i].va,
            .length_bytes = pushes[i].va_len,
        };
    record.exec.channel_id = exec->channel;
    record.exec.submission_id = ++nouveau->table->submission_count;
    record.exec.pushes = (struct trace_pushes){nouveau->trace_pushes, exec->push_count};
    record.exec.waits = (struct trace_syncs){syncs->waits, syncs->wait_count};
    record.exec.signals = (struct trace_syncs){syncs->signals, syncs->signal_count};
    record_out_put(nouveau->out, submission->caller, TRACE_EXEC, &record);
}

/* ---- completion ------------------------------------------------------------------------------ */

/* The dwords of a push, wherever they lie; those behind the first address where nothing is are left
 * out.  `room` has place for all. */
static uint64_t push_read(struct record_nouveau *nouveau, const struct record_vm *vm,
                          const struct uapi_exec_push *push, uint8_t *room)
{
    struct record_vm_place place;
    uint64_t done = 0;

    while (done < push->va_len && record_vm_find(vm, push->va + done, &place)) {
        const uint64_t left = push->va_len - done;
        const uint64_t part = left < place.size_bytes ? left : place.size_bytes;

        if (place.buffer)
            (void)record_memory_read(nouveau->memory, record_memory_va(place.buffer) + place.offset,
                                     room + done, (uint32_t)part);
        else
            memset(room + done, 0, part);
        done += part;
    }
    return done;
}

static void push_walk(struct record_nouveau_submission *submission,
                      const struct uapi_exec_push *push, uint32_t *room)
{
    struct record_nouveau *nouveau = submission->nouveau;
    struct record_nouveau_channel *channel = &nouveau->table->channels[submission->channel];
    const struct record_vm *vm = record_nouveau_channel_vm(nouveau, channel);
    const uint64_t bytes = vm ? push_read(nouveau, vm, push, (uint8_t *)room) : 0;

    if (bytes < push->va_len)
        record_out_mark(nouveau->out, submission->caller,
                        "channel %u: the push at %#llx is not bound from %#llx on",
                        (unsigned)submission->channel, (unsigned long long)push->va,
                        (unsigned long long)(push->va + bytes));
    record_walk_segment(&channel->walk, room, bytes / 4, record_nouveau_complete, submission);
}

static void exec_walk(struct record_nouveau_submission *submission,
                      const struct uapi_exec_push *pushes, uint32_t count)
{
    struct record_nouveau *nouveau = submission->nouveau;
    uint32_t most = 0;
    uint32_t *room;

    for (uint32_t i = 0; i < count; i++)
        most = pushes[i].va_len > most ? pushes[i].va_len : most;
    room = malloc((size_t)most + 1);
    if (!room) {
        record_out_mark(nouveau->out, submission->caller,
                        "no memory to look for completions of channel %u",
                        (unsigned)submission->channel);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        push_walk(submission, &pushes[i], room);
    record_walk_idle(&nouveau->table->channels[submission->channel].walk, record_nouveau_complete,
                     submission);
    free(room);
}

/* ---- the call -------------------------------------------------------------------------------- */

static int exec_submit(struct record_nouveau *nouveau, const struct record_nouveau_call *call,
                       const struct uapi_exec_push *pushes)
{
    const struct uapi_exec *exec = call->argument;
    const struct record_nouveau_sync_lists lists = {exec->wait_ptr, exec->sig_ptr, exec->wait_count,
                                                    exec->sig_count};
    struct record_nouveau_submission submission = {nouveau, call->caller, exec->channel};
    struct record_nouveau_syncs syncs = {0};
    int result = check_pushes(pushes, exec->push_count);

    if (result == 0)
        result = record_sync_take(nouveau, &lists, &syncs);
    if (result == 0) {
        record_memory_all_changes(nouveau->memory, record_nouveau_record_changed, &submission);
        record_nouveau_exec_record(&submission, exec, pushes, &syncs);
        nouveau->file->last_submission = nouveau->table->submission_count;
        exec_walk(&submission, pushes, exec->push_count);
        record_sync_done(nouveau, &syncs);
        record_out_flush(nouveau->out);
    }
    record_sync_free(&syncs);
    return result;
}

int record_exec_ioctl(struct record_nouveau *nouveau, struct record_nouveau_call *call)
{
    const struct uapi_exec *exec = call->argument;
    struct uapi_exec_push *pushes;
    int result;

    if (!record_nouveau_client_vm(nouveau))
        return -ENOSYS;
    if (!record_nouveau_channel_find(nouveau, exec->channel))
        return -ENOENT;
    if (exec->push_count > UAPI_EXEC_PUSH_MAX)
        return -EINVAL;
    pushes = calloc(exec->push_count + 1u, sizeof *pushes);
    if (!pushes)
        return -ENOMEM;
    if (record_user_read(pushes, exec->push_ptr, exec->push_count * sizeof *pushes))
        result = exec_submit(nouveau, call, pushes);
    else
        result = -EFAULT;
    free(pushes);
    return result;
}
