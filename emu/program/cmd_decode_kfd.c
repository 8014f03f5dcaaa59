/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/program/cmd_decode_kfd.h"

#include <inttypes.h>
#include <stdlib.h>

#include "devices/amd/formats/amd_aql.h"
#include "devices/amd/formats/amd_decode.h"
#include "devices/amd/formats/amd_kernel.h"
#include "devices/amd/formats/amd_pm4.h"
#include "devices/amd/formats/amd_sdma_packet.h"
#include "traces/format/trace.h"

struct kfd_run {
    FILE *file;
    struct gfe_error *error;
    uint64_t queue_count, kernel_count, doorbell_count;
    uint64_t packet_counts[TRACE_PACKET_PM4 + 1];
};

typedef bool packet_next(struct amd_reader *reader, struct amd_packet *packet);

static packet_next *decode_kfd_decoder(uint8_t what)
{
    switch (what) {
    case TRACE_PACKET_AQL:
        return amd_aql_next;
    case TRACE_PACKET_SDMA:
        return amd_sdma_next;
    case TRACE_PACKET_PM4:
        return amd_pm4_next;
    default:
        return NULL;
    }
}

static const char *decode_kfd_queue_kind(uint8_t what)
{
    return what == TRACE_QUEUE_AQL    ? "AQL"
           : what == TRACE_QUEUE_SDMA ? "SDMA"
           : what == TRACE_QUEUE_PM4  ? "PM4"
                                      : "unknown";
}

/* " time=1.234ms" and the end of the line. */
static void decode_kfd_time(const struct kfd_run *run, const struct trace_record *record)
{
    const uint64_t us = record->head.time_ns / 1000;

    fprintf(run->file, " time=%" PRIu64 ".%03" PRIu64 "ms\n", us / 1000, us % 1000);
}

/* The packets in some bytes that lay at an address.  `count`: of them; NULL = not counted. */
static bool decode_kfd_packets(struct kfd_run *run, const struct trace_bytes *bytes,
                               uint64_t address, packet_next *next, uint64_t *count)
{
    const uint32_t dwords = bytes->length / 4;
    struct amd_packet packet;
    struct amd_reader reader = {.count = dwords};
    uint32_t *data = malloc(dwords > 0 ? dwords * sizeof *data : 1);

    if (!data)
        return error_set(run->error, ERROR_SYSTEM, "no memory for a packet");
    for (uint32_t i = 0; i < dwords; i++)
        data[i] = (uint32_t)bytes->data[4 * i] | (uint32_t)bytes->data[4 * i + 1] << 8 |
                  (uint32_t)bytes->data[4 * i + 2] << 16 | (uint32_t)bytes->data[4 * i + 3] << 24;
    reader.dwords = data;
    while (next(&reader, &packet)) {
        amd_decode_print(run->file, &packet, address + 4 * (uint64_t)packet.at);
        *count += 1;
    }
    free(data);
    return true;
}

static void decode_kfd_queue(struct kfd_run *run, const struct trace_record *record)
{
    const struct trace_queue *queue = &record->queue;

    run->queue_count++;
    fprintf(run->file,
            "QUEUE %" PRIu32 " %s ring=0x%" PRIx64 " bytes=%" PRIu64 " priority=%" PRIu32
            " percentage=%" PRIu32 " doorbell=0x%" PRIx32,
            queue->queue_id, decode_kfd_queue_kind(queue->what), queue->ring_address,
            queue->ring_bytes, queue->priority, queue->percentage, queue->doorbell_offset);
    decode_kfd_time(run, record);
}

static void decode_kfd_cu_mask(struct kfd_run *run, const struct trace_record *record)
{
    const struct trace_cu_mask *mask = &record->cu_mask;

    fprintf(run->file, "CU_MASK queue=%" PRIu32 " bits=%" PRIu32 " mask=", mask->queue_id,
            mask->bit_count);
    for (uint32_t i = mask->mask.length; i > 0; i--)
        fprintf(run->file, "%02x", mask->mask.data[i - 1]);
    decode_kfd_time(run, record);
}

static bool decode_kfd_packet(struct kfd_run *run, const struct trace_record *record)
{
    const struct trace_packet *packet = &record->packet;
    packet_next *next = decode_kfd_decoder(packet->what);

    fprintf(run->file, "PACKET queue=%" PRIu32 " index=%" PRIu64, packet->queue_id, packet->index);
    decode_kfd_time(run, record);
    return !next || decode_kfd_packets(run, &packet->data, packet->address, next,
                                       &run->packet_counts[packet->what]);
}

/* The runtime's own kernels have descriptors of the form before code objects of version 3. */
static bool decode_kfd_kernel(struct kfd_run *run, const struct trace_record *record)
{
    const struct trace_kernel *kernel = &record->kernel;
    const bool own = kernel->what != TRACE_KERNEL_APPLICATION;

    fprintf(run->file, "KERNEL 0x%" PRIx64 " entry=0x%" PRIx64 " code=%" PRIu32 " bytes%s",
            kernel->kernel_address, kernel->entry_address, kernel->code.length,
            own ? " (the runtime's own)" : "");
    decode_kfd_time(run, record);
    run->kernel_count += own;
    return own || decode_kfd_packets(run, &kernel->descriptor, kernel->kernel_address,
                                     amd_kernel_next, &run->kernel_count);
}

static bool decode_kfd_record(struct kfd_run *run, const struct trace_record *record)
{
    switch (record->head.kind) {
    case TRACE_QUEUE:
        decode_kfd_queue(run, record);
        return true;
    case TRACE_QUEUE_UPDATE:
        fprintf(run->file, "QUEUE_UPDATE %" PRIu32 " priority=%" PRIu32 " percentage=%" PRIu32,
                record->queue_update.queue_id, record->queue_update.priority,
                record->queue_update.percentage);
        decode_kfd_time(run, record);
        return true;
    case TRACE_QUEUE_END:
        fprintf(run->file, "QUEUE_END %" PRIu32, record->queue_end.queue_id);
        decode_kfd_time(run, record);
        return true;
    case TRACE_CU_MASK:
        decode_kfd_cu_mask(run, record);
        return true;
    case TRACE_PACKET:
        return decode_kfd_packet(run, record);
    case TRACE_KERNEL:
        return decode_kfd_kernel(run, record);
    case TRACE_DOORBELL:
        run->doorbell_count++;
        fprintf(run->file, "DOORBELL queue=%" PRIu32 " value=%" PRIu64, record->doorbell.channel_id,
                record->doorbell.value);
        decode_kfd_time(run, record);
        return true;
    default:
        return true;
    }
}

bool decode_kfd(FILE *file, struct trace_reader *reader, struct gfe_error *error)
{
    const struct trace_meta *meta = trace_reader_meta(reader);
    struct kfd_run run = {.file = file, .error = error};
    enum trace_result result;
    struct trace_record record;

    fprintf(file, "# %s: %s, driver %s\n", trace_reader_name(reader), meta->gpu.text,
            meta->driver.text);
    while ((result = trace_read(reader, &record, error)) == TRACE_GOT)
        if (!decode_kfd_record(&run, &record))
            return false;
    if (result != TRACE_AT_END)
        return false;
    fprintf(file,
            "# %" PRIu64 " queues, %" PRIu64 " AQL packets, %" PRIu64 " PM4 packets, %" PRIu64
            " SDMA packets, %" PRIu64 " kernels, %" PRIu64 " doorbells\n",
            run.queue_count, run.packet_counts[TRACE_PACKET_AQL],
            run.packet_counts[TRACE_PACKET_PM4], run.packet_counts[TRACE_PACKET_SDMA],
            run.kernel_count, run.doorbell_count);
    return true;
}
