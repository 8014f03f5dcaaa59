/* SPDX-License-Identifier: MIT */
/* gfe import raw: the statements about channels. */
#include <config.h>

#include <inttypes.h>
#include <string.h>

#include "devices/nvidia/formats/nv_header.h"
#include "devices/nvidia/formats/nv_methods.h"
#include "traces/import/import_raw_private.h"

static struct raw_channel *raw_channel(struct raw *raw)
{
    uint32_t channel_id;

    if (!raw_number32(raw, 1, UINT32_MAX - 1, &channel_id))
        return NULL;
    for (uint32_t i = 0; i < raw->channel_count; i++)
        if (raw->channels[i].channel_id == channel_id)
            return &raw->channels[i];
    (void)raw_wrong(raw, "there is no channel %" PRIu32, channel_id);
    return NULL;
}

bool raw_say_channel(struct raw *raw)
{
    uint32_t channel_id, class_id = 0;

    if (!raw_number32(raw, 1, UINT32_MAX - 1, &channel_id) ||
        (raw->word_count > 2 && !raw_number32(raw, 2, UINT16_MAX, &class_id)))
        return false;
    for (uint32_t i = 0; i < raw->channel_count; i++)
        if (raw->channels[i].channel_id == channel_id)
            return raw_wrong(raw, "channel %" PRIu32 " is there already", channel_id);
    if (raw->channel_count == CHANNELS_MAX)
        return raw_wrong(raw, "more than %d channels", CHANNELS_MAX);
    raw->channels[raw->channel_count++] = (struct raw_channel){.channel_id = channel_id};
    return raw_put(
        raw, TRACE_CHANNEL,
        (struct trace_record){.channel = {.channel_id = channel_id, .class_id = class_id}});
}

bool raw_say_bind(struct raw *raw)
{
    struct raw_channel *channel = raw_channel(raw);
    uint32_t subchannel, class_id;

    if (!channel || !raw_number32(raw, 2, SUBCHANNELS - 1, &subchannel) ||
        !raw_number32(raw, 3, UINT16_MAX, &class_id))
        return false;
    channel->class_id[subchannel] = class_id;
    return raw_put(raw, TRACE_OBJECT,
                   (struct trace_record){.object = {.channel_id = channel->channel_id,
                                                    .handle = class_id,
                                                    .class_id = class_id}});
}

static bool raw_push(struct raw *raw, uint64_t va, uint64_t bytes, bool no_prefetch)
{
    const struct raw_region *region = raw_region(raw, va, bytes);

    if (va % 4 || bytes % 4 || bytes == 0 || bytes > PUSH_MAX_BYTES)
        return raw_wrong(raw, "an entry has 1 to 2^21 - 1 whole dwords");
    if (!region)
        return raw_wrong(
            raw, "0x%" PRIx64 " and the %" PRIu64 " bytes there are no memory object's", va, bytes);
    if (raw->push_count == PUSHES_MAX)
        return raw_wrong(raw, "more than %d entries in a submission", PUSHES_MAX);
    raw->pushes[raw->push_count++] =
        (struct trace_push){.handle = region->handle,
                            .flags = no_prefetch ? TRACE_PUSH_NO_PREFETCH : 0,
                            .offset = va - region->va,
                            .length_bytes = bytes};
    return true;
}

bool raw_say_push(struct raw *raw)
{
    uint64_t va, bytes;

    if (!raw_number(raw, 1, GP_VA_END - 1, &va) || !raw_size(raw, 2, &bytes))
        return false;
    if (raw->word_count > 3 && strcmp(raw->words[3], "noprefetch") != 0)
        return raw_wrong(raw, "after the size may stand 'noprefetch'");
    return raw_push(raw, va, bytes, raw->word_count > 3);
}

bool raw_say_ib(struct raw *raw)
{
    struct nv_gp_entry entry;
    uint32_t words[2];

    if (!raw_hex(raw, raw->words[1], &words[0]) || !raw_hex(raw, raw->words[2], &words[1]))
        return false;
    entry = nv_gp_entry_decode(words[0], words[1]);
    if (entry.length_dwords == 0)
        return raw_wrong(raw, "a control entry (opcode %u) is no submission's", entry.opcode);
    if (entry.conditional || entry.privileged || entry.subroutine)
        return raw_wrong(raw, "a submission cannot have a %s GP entry",
                         entry.conditional  ? "conditional"
                         : entry.privileged ? "privileged"
                                            : "subroutine's");
    return raw_push(raw, entry.address, 4 * (uint64_t)entry.length_dwords, entry.sync_wait);
}

static bool raw_submit(struct raw *raw, struct raw_channel *channel,
                       const struct trace_push *pushes, uint32_t count)
{
    channel->submission_id = ++raw->submission_count;
    return raw_put(raw, TRACE_SUBMIT,
                   (struct trace_record){.submit = {.channel_id = channel->channel_id,
                                                    .submission_id = channel->submission_id,
                                                    .pushes = {pushes, count}}});
}

/* SET_OBJECT for each class that is to be bound, as a submission of its own. */
static bool raw_bindings(struct raw *raw, struct raw_channel *channel)
{
    uint32_t words[2 * SUBCHANNELS], count = 0;
    uint8_t bytes[sizeof words];
    struct trace_push push;

    for (uint32_t s = 0; s < SUBCHANNELS; s++) {
        const struct nv_header header = {.kind = NV_HEADER_INC,
                                         .subchannel = (uint8_t)s,
                                         .method = NVA06F_SET_OBJECT,
                                         .count = 1};

        if (channel->class_id[s] == 0)
            continue;
        words[count++] = nv_header_encode(&header);
        words[count++] = channel->class_id[s];
        channel->class_id[s] = 0;
    }
    if (count == 0)
        return true;
    if (raw->bindings_bytes + 4 * count > BINDINGS_BYTES)
        return raw_wrong(raw, "too many bindings");
    if (raw->bindings_bytes == 0 &&
        !raw_map(raw, IMPORT_RAW_VA, BINDINGS_BYTES, TRACE_APERTURE_SYSMEM))
        return false;
    for (uint32_t i = 0; i < 4 * count; i++)
        bytes[i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
    push = (struct trace_push){
        .handle = raw_region(raw, IMPORT_RAW_VA, 1)->handle,
        .offset = raw->bindings_bytes,
        .length_bytes = 4 * (uint64_t)count,
    };
    raw->bindings_bytes += 4 * (uint64_t)count;
    return raw_store(raw, IMPORT_RAW_VA + push.offset, bytes, 4 * count) &&
           raw_submit(raw, channel, &push, 1);
}

bool raw_say_submit(struct raw *raw)
{
    struct raw_channel *channel = raw_channel(raw);
    const uint32_t count = raw->push_count;

    if (!channel || !raw_bindings(raw, channel))
        return false;
    raw->push_count = 0;
    return raw_submit(raw, channel, raw->pushes, count);
}

bool raw_say_wait(struct raw *raw)
{
    const struct raw_channel *channel = raw_channel(raw);

    return channel &&
           raw_put(raw, TRACE_CPU_WAIT,
                   (struct trace_record){.cpu_wait = {.how = TRACE_WAIT_IOCTL,
                                                      .channel_id = channel->channel_id,
                                                      .handle = TRACE_ANY,
                                                      .submission_id = channel->submission_id,
                                                      .begin_ns = raw->time_ns,
                                                      .end_ns = raw->time_ns,
                                                      .call = raw_str("wait")}});
}

bool raw_say_expect(struct raw *raw)
{
    const struct raw_channel *channel = raw_channel(raw);
    uint8_t bytes[4];
    uint32_t value;
    uint64_t va;

    if (!channel || !raw_number(raw, 2, VA_END - 4, &va) ||
        !raw_number32(raw, 3, UINT32_MAX, &value))
        return false;
    for (int i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
    return raw_put(raw, TRACE_GPU_WRITE,
                   (struct trace_record){.gpu_write = {.channel_id = channel->channel_id,
                                                       .address = va,
                                                       .why = TRACE_WHY_HOST_SEMAPHORE,
                                                       .data = {bytes, sizeof bytes}}});
}

bool raw_say_time(struct raw *raw)
{
    uint64_t time_ns;

    if (!raw_number(raw, 1, UINT64_MAX, &time_ns))
        return false;
    if (time_ns < raw->time_ns)
        return raw_wrong(raw, "time does not go back");
    raw->time_ns = time_ns;
    return true;
}

bool raw_say_mark(struct raw *raw)
{
    char text[LINE_BYTES] = "";

    for (int i = 1; i < raw->word_count; i++) {
        strcat(text, i > 1 ? " " : "");
        strcat(text, raw->words[i]);
    }
    return raw_put(raw, TRACE_MARK, (struct trace_record){.mark.text = raw_str(text)});
}
