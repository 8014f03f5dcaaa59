/* SPDX-License-Identifier: MIT */
/*
 * Completion values that a real GPU writes.  The methods say what a value will be; memory says
 * whether it is there.  The contents of counters, times and results of reductions cannot be known.
 * They are taken to be there once a later value of their channel is there.
 */
#include <config.h>

#include <string.h>

#include "traces/record/nouveau/record_pass_state.h"

/* The last value of a channel that has come: its place in the list + 1, and its submission. */
struct last {
    uint32_t place, submission_id;
};

/* When there are too many, the oldest is given up. */
void record_pass_complete_expect(struct record_nouveau *nouveau, const struct pass_pending *pending)
{
    struct record_pass *pass = nouveau->pass;

    if (pass->pending_count == PASS_PENDING_MAX)
        memmove(pass->pending, pass->pending + 1, --pass->pending_count * sizeof pass->pending[0]);
    pass->pending[pass->pending_count++] = *pending;
    record_memory_gpu_writes(nouveau->memory, record_memory_at(nouveau->memory, pending->bo),
                             pending->offset, pending->bytes);
}

static struct record_nouveau_bo *pending_bo(const struct record_nouveau *nouveau,
                                            const struct pass_pending *pending)
{
    struct record_nouveau_bo *bo = &nouveau->table->bos[pending->bo];

    return bo->number == pending->bo_number ? bo : NULL;
}

/* Is the value in `bytes` of memory that begin where it is to be? */
static bool has_come(const struct pass_pending *pending, const uint8_t *bytes)
{
    uint32_t words[2] = {0};

    memcpy(words, bytes, pending->bytes < sizeof words ? pending->bytes : sizeof words);
    return !pending->is_unknown && words[0] == pending->payload &&
           (!pending->two_words || words[1] == pending->payload_hi);
}

static bool pending_read(struct record_nouveau *nouveau, const struct record_caller *caller,
                         const struct pass_pending *pending, uint8_t bytes[16])
{
    struct record_nouveau_bo *bo = pending_bo(nouveau, pending);
    const bool can_map = nouveau->file && nouveau->file->serial == pending->file;

    return bo && (can_map || record_pass_memory_is_mapped(nouveau, bo)) &&
           record_pass_memory_read(nouveau, caller, bo, pending->offset, bytes, pending->bytes);
}

static void value_record(struct record_nouveau *nouveau, const struct record_caller *caller,
                         const struct pass_pending *pending, const uint8_t *bytes)
{
    struct record_nouveau_file *file = record_nouveau_file_find(nouveau, pending->file);
    struct trace_record record = {0};

    if (file && !pending->is_unknown) {
        file->seen_address = pending->va;
        file->seen_value = pending->payload;
    }
    record.gpu_write.channel_id = pending->number;
    record.gpu_write.address = pending->va;
    record.gpu_write.why = pending->why;
    record.gpu_write.data = (struct trace_bytes){bytes, pending->bytes};
    record_out_put(nouveau->out, caller, TRACE_GPU_WRITE, &record);
    record_memory_save(nouveau->memory, record_memory_at(nouveau->memory, pending->bo),
                       pending->offset, bytes, pending->bytes);
}

/* What becomes of an expected value, when `last` is its channel's last that has come. */
static bool is_settled(struct record_nouveau *nouveau, const struct record_caller *caller,
                       uint32_t place, const struct last *last)
{
    const struct pass_pending *pending = &nouveau->pass->pending[place];
    uint8_t bytes[16];

    if (!pending_bo(nouveau, pending))
        return true;
    if (place >= last->place)
        return false;
    if (pending_read(nouveau, caller, pending, bytes) &&
        (pending->is_unknown || has_come(pending, bytes))) {
        value_record(nouveau, caller, pending, bytes);
        return true;
    }
    /* The value has been overwritten, or cannot be read: it was there, but was not seen. */
    return pending->submission_id < last->submission_id;
}

void record_pass_look(struct record_nouveau *nouveau, const struct record_caller *caller)
{
    struct record_pass *pass = nouveau->pass;
    struct last last[RECORD_NOUVEAU_CHANNELS_MAX] = {{0}};
    uint8_t bytes[16];
    uint32_t kept = 0;

    for (uint32_t i = 0; i < pass->pending_count; i++) {
        const struct pass_pending *pending = &pass->pending[i];

        if (!pending->is_unknown && pending_read(nouveau, caller, pending, bytes) &&
            has_come(pending, bytes))
            last[pending->channel] = (struct last){i + 1, pending->submission_id};
    }
    for (uint32_t i = 0; i < pass->pending_count; i++)
        if (!is_settled(nouveau, caller, i, &last[pass->pending[i].channel]))
            pass->pending[kept++] = pass->pending[i];
    pass->pending_count = kept;
}

/* No descriptor is at hand through which something could be mapped. */
void record_pass_look_idle(struct record_nouveau *nouveau, const struct record_caller *caller)
{
    nouveau->file = NULL;
    record_pass_look(nouveau, caller);
}

void record_pass_complete_hide(struct record_nouveau *nouveau, const struct record_nouveau_bo *bo,
                               uint64_t offset, uint8_t *live, uint64_t bytes)
{
    const struct record_pass *pass = nouveau->pass;
    const struct record_buffer *buffer =
        record_nouveau_bo_buffer((struct record_nouveau *)nouveau, bo);

    for (uint32_t i = 0; i < pass->pending_count; i++) {
        const struct pass_pending *pending = &pass->pending[i];

        if (pending->bo_number != bo->number || pending->offset < offset ||
            pending->offset - offset + pending->bytes > bytes)
            continue;
        if (pending->is_unknown || has_come(pending, live + (pending->offset - offset)))
            (void)record_memory_saved_read(nouveau->memory, buffer, pending->offset,
                                           live + (pending->offset - offset), pending->bytes);
    }
}
