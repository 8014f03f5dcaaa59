/* SPDX-License-Identifier: MIT */
/*
 * What the KFD stand-in writes into the trace of a client's memory and packets, each thing once.
 */
#include <config.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "traces/record/kfd/record_kfd_private.h"

static void tell_device(struct record_kfd *kfd, const struct record_caller *caller, unsigned gpu)
{
    const struct record_kfd_board *board = kfd->gpus[gpu].board;
    struct trace_record record = {0};

    record.device.client_id = kfd->client_id;
    record.device.gpu_id = kfd->gpus[gpu].gpu_id;
    record.device.gpu = record_out_str(board->gpu);
    record.device.gfx_version = board->gfx_version;
    record.device.pci_id = 0x1002u << 16 | board->pci_device;
    record.device.location_id = kfd->gpus[gpu].location_id;
    record.device.vram_bytes = (uint64_t)board->vram_mib << 20;
    record_out_put(kfd->out, caller, TRACE_DEVICE, &record);
}

void record_kfd_tell_client(struct record_kfd *kfd, const struct record_caller *caller)
{
    struct trace_record record = {0};

    if (kfd->is_client)
        return;
    kfd->is_client = true;
    kfd->client_id = kfd->numbers->clients++;
    record.client.client_id = kfd->client_id;
    record.client.layer = TRACE_LAYER_RING;
    record.client.name = record_out_str(program_invocation_short_name);
    record_out_put(kfd->out, caller, TRACE_CLIENT, &record);
    for (unsigned i = 0; i < kfd->gpu_count; i++)
        tell_device(kfd, caller, i);
    record = (struct trace_record){0};
    record.as_create.as_id = record.as_create.client_id = kfd->client_id;
    record_out_put(kfd->out, caller, TRACE_AS_CREATE, &record);
    record_out_flush(kfd->out);
}

void record_kfd_tell_memory(struct record_kfd *kfd, const struct record_caller *caller, uint64_t va,
                            const void *data, uint32_t bytes)
{
    struct trace_record record = {0};

    record.mem.as_id = kfd->client_id;
    record.mem.address = va;
    record.mem.data = (struct trace_bytes){data, bytes};
    record_out_put(kfd->out, caller, TRACE_MEM, &record);
}

/* ---- values that packets wait for ------------------------------------------------------------ */

static struct record_kfd_told *told_place(struct record_kfd_told *told, uint32_t capacity,
                                          uint64_t va)
{
    uint32_t at = (uint32_t)((va * 0x9e3779b97f4a7c15ull) >> 32) & (capacity - 1);

    while (told[at].va != 0 && told[at].va != va)
        at = (at + 1) & (capacity - 1);
    return &told[at];
}

static bool told_grow(struct record_kfd *kfd)
{
    const uint32_t capacity = kfd->told_capacity ? 2 * kfd->told_capacity : 1024;
    struct record_kfd_told *grown = calloc(capacity, sizeof *grown);

    if (!grown)
        return false;
    for (uint32_t i = 0; i < kfd->told_capacity; i++)
        if (kfd->told[i].va != 0)
            *told_place(grown, capacity, kfd->told[i].va) = kfd->told[i];
    free(kfd->told);
    kfd->told = grown;
    kfd->told_capacity = capacity;
    return true;
}

/* True when the trace has another value, or none, there. */
static bool told_note(struct record_kfd *kfd, uint64_t va, uint64_t value)
{
    struct record_kfd_told *told;

    if (2 * kfd->told_count >= kfd->told_capacity && !told_grow(kfd))
        return true;
    told = told_place(kfd->told, kfd->told_capacity, va);
    if (told->va == va && told->value == value)
        return false;
    kfd->told_count += told->va == 0;
    *told = (struct record_kfd_told){va, value};
    return true;
}

void record_kfd_tell_value(struct record_kfd *kfd, const struct record_caller *caller, uint64_t va,
                           uint64_t value)
{
    if (record_kfd_pass_value(kfd, caller, va, value))
        return;
    if (told_note(kfd, va, value))
        record_kfd_tell_memory(kfd, caller, va, &value, sizeof value);
}

void record_kfd_told_value(struct record_kfd *kfd, uint64_t va, uint64_t value)
{
    (void)told_note(kfd, va, value);
}

bool record_kfd_told_find(const struct record_kfd *kfd, uint64_t va, uint64_t *value)
{
    const struct record_kfd_told *told =
        kfd->told_capacity ? told_place(kfd->told, kfd->told_capacity, va) : NULL;

    if (!told || told->va != va)
        return false;
    *value = told->value;
    return true;
}

void record_kfd_tell_gpu_write(struct record_kfd *kfd, const struct record_caller *caller,
                               const struct record_kfd_queue *queue, uint64_t va,
                               enum trace_gpu_write_why why, const void *data, uint32_t bytes)
{
    struct trace_record record = {0};

    record.gpu_write.channel_id = queue->number;
    record.gpu_write.address = va;
    record.gpu_write.why = (uint8_t)why;
    record.gpu_write.data = (struct trace_bytes){data, bytes};
    record_out_put(kfd->out, caller, TRACE_GPU_WRITE, &record);
}

void record_kfd_tell_packet(struct record_kfd *kfd, const struct record_caller *caller,
                            const struct record_kfd_queue *queue, enum trace_packet_what what,
                            uint64_t index, uint64_t va, const void *data, uint32_t bytes)
{
    struct trace_record record = {0};

    record.packet.queue_id = queue->number;
    record.packet.what = (uint8_t)what;
    record.packet.index = index;
    record.packet.address = va;
    record.packet.data = (struct trace_bytes){data, bytes};
    record_out_put(kfd->out, caller, TRACE_PACKET, &record);
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* The place of a kernel that is known, or a new one; NULL when memory is short. */
static struct record_kfd_kernel *kernel_place(struct record_kfd *kfd, uint64_t address)
{
    for (uint32_t i = 0; i < kfd->kernel_count; i++)
        if (kfd->kernels[i].address == address)
            return &kfd->kernels[i];
    if (kfd->kernel_count == kfd->kernel_capacity) {
        const uint32_t capacity = kfd->kernel_capacity ? 2 * kfd->kernel_capacity : 32;
        struct record_kfd_kernel *grown = realloc(kfd->kernels, capacity * sizeof *grown);

        if (!grown)
            return NULL;
        kfd->kernels = grown;
        kfd->kernel_capacity = capacity;
    }
    kfd->kernels[kfd->kernel_count] = (struct record_kfd_kernel){.address = address};
    return &kfd->kernels[kfd->kernel_count++];
}

static uint64_t word64(const uint8_t *bytes)
{
    uint64_t word;

    memcpy(&word, bytes, sizeof word);
    return word;
}

static void tell_code(struct record_kfd *kfd, const struct record_caller *caller, uint64_t kernel,
                      const uint8_t *descriptor)
{
    struct trace_record record = {0};
    const uint64_t entry = kernel + word64(descriptor + 16);
    uint64_t bytes = 0;
    const struct record_kfd_object *object = record_kfd_object_at(kfd, entry, &bytes);
    struct record_kfd_kernel *known = kernel_place(kfd, kernel);
    const uint8_t *code = object ? object->host + (entry - object->va) : NULL;
    uint32_t crc;

    bytes = bytes < RECORD_KFD_CODE_BYTES_MAX ? bytes : RECORD_KFD_CODE_BYTES_MAX;
    /* Its beginning tells whether another was loaded in its place. */
    crc = (uint32_t)crc32(1, code, code ? (unsigned)(bytes < 256 ? bytes : 256) : 0);
    if (known && known->code_crc == crc && memcmp(known->descriptor, descriptor, 64) == 0)
        return;
    if (known) {
        known->code_crc = crc;
        memcpy(known->descriptor, descriptor, 64);
    }
    record.kernel.as_id = kfd->client_id;
    record.kernel.kernel_address = kernel;
    record.kernel.entry_address = entry;
    record.kernel.what = (uint8_t)record_kfd_blit_what(kfd, caller, kernel);
    record.kernel.descriptor = (struct trace_bytes){descriptor, 64};
    record.kernel.code = (struct trace_bytes){code, code ? (uint32_t)bytes : 0};
    record_out_put(kfd->out, caller, TRACE_KERNEL, &record);
}

void record_kfd_tell_kernel(struct record_kfd *kfd, const struct record_caller *caller,
                            uint64_t kernel, uint64_t arguments)
{
    const uint8_t *descriptor = record_kfd_at(kfd, caller, kernel, 64);
    uint64_t bytes = 0;
    const struct record_kfd_object *object = record_kfd_object_at(kfd, arguments, &bytes);
    uint32_t wanted = 0;

    if (descriptor) {
        memcpy(&wanted, descriptor + 8, sizeof wanted);
        tell_code(kfd, caller, kernel, descriptor);
    }
    if (wanted == 0 || wanted > RECORD_KFD_PAGE_BYTES)
        wanted = RECORD_KFD_KERNARG_BYTES_MAX;
    if (object)
        record_kfd_tell_memory(kfd, caller, arguments, object->host + (arguments - object->va),
                               bytes < wanted ? (uint32_t)bytes : wanted);
}

void record_kfd_tell_forget(struct record_kfd *kfd, uint64_t va, uint64_t bytes)
{
    record_kfd_pass_forget(kfd, va, bytes);
    for (uint32_t i = 0; i < kfd->kernel_count;)
        if (kfd->kernels[i].address - va < bytes)
            kfd->kernels[i] = kfd->kernels[--kfd->kernel_count];
        else
            i++;
    /* A value that is told twice does no harm; one that is not told does. */
    for (uint32_t i = 0; i < kfd->told_capacity; i++)
        if (kfd->told[i].va != 0 && kfd->told[i].va - va < bytes)
            kfd->told[i].value ^= UINT64_MAX;
}
