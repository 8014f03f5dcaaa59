/* SPDX-License-Identifier: MIT */
/*
 * Packets on a Radeon VII: a queue in a slot, its ring in memory, its doorbell, and all that the
 * packets ask for, the log packed and written to a file.  PM4: NOP, SET_SH_REG, WRITE_DATA,
 * ACQUIRE_MEM, WAIT_REG_MEM that is true, RELEASE_MEM and INDIRECT_BUFFER with four more.  AQL:
 * BARRIER_AND on a signal, and dispatches of one block, each with a completion signal.  As gfe run
 * does it, with a second thread that encodes, packs and writes the log; all of it on one thread;
 * and on one thread with a log that only counts, as with --explore and in campaigns.  Controls:
 * memcpy of the packets; a loop of jumps, which shows how much of a core there was.
 */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "devices/amd/formats/amd_aql.h"
#include "devices/amd/formats/amd_cp_regs.h"
#include "devices/amd/amd_gpu.h"
#include "devices/amd/formats/amd_pm4.h"
#include "devices/core/core_events.h"
#include "emu/log/chunk.h"

#define VA      UINT64_C(0x200000000) /* of all memory, for VMID 8 */
#define BYTES   UINT64_C(0x400000)
#define PROGRAM (VA + 0x300000) /* amd_queue_t */
#define SIGNAL  (VA + 0x301000) /* two of them */
#define KERNEL  (VA + 0x302000)
#define DATA    (VA + 0x303000)
#define IB      (VA + 0x304000)

enum {
    SH_BASE = 0xb000,
    RING_DWORDS = 1 << 17,
    LAPS = 60,
    AQL_PACKETS = RING_DWORDS / AMD_AQL_DWORDS,
    VMID = 8
};

enum log { LOG_THREAD, LOG_SAME_THREAD, LOG_UNHEARD, LOGS };

struct subject {
    struct amd_gpu gpu;
    struct machine *machine;
    FILE *file;
    struct chunk_writer *writer;
    struct gfe_error error;
    uint32_t *ring, *copy; /* RING_DWORDS */
    uint32_t packets;      /* of a lap */
    enum log log;
    bool is_aql, good;
};

/* ---- packets --------------------------------------------------------------------------------- */

struct writer {
    uint32_t *dwords;
    uint32_t count, packets;
};

static void put(struct writer *writer, uint32_t opcode, const uint32_t *body, uint32_t count)
{
    writer->dwords[writer->count++] = 3u << 30 | (count - 1) << 16 | opcode << 8;
    memcpy(&writer->dwords[writer->count], body, count * sizeof *body);
    writer->count += count;
    writer->packets++;
}

#define PUT(writer, opcode, ...)                                                                   \
    put((writer), (opcode), (const uint32_t[]){__VA_ARGS__},                                       \
        sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
#define LO(address) (uint32_t)(address), (uint32_t)((address) >> 32)

/* Four packets, and three more in the ring: the last one calls an indirect buffer. */
static void put_group(struct writer *writer, uint32_t number, const struct writer *ib)
{
    PUT(writer, AMD_PM4_NOP, 1, 2, 3, 4);
    PUT(writer, AMD_PM4_SET_SH_REG, (COMPUTE_USER_DATA_0 - SH_BASE) / 4, number, number + 1,
        number + 2);
    PUT(writer, AMD_PM4_WRITE_DATA, 5u << 8 | 1u << 20, LO(DATA), 7);
    PUT(writer, AMD_PM4_ACQUIRE_MEM, 0x28c40000, UINT32_MAX, 0xff, 0, 0, 10);
    if (!ib)
        return;
    PUT(writer, AMD_PM4_WAIT_REG_MEM, 3 | 1u << 4, LO(DATA), 7, UINT32_MAX, 4);
    PUT(writer, AMD_PM4_RELEASE_MEM, 0x14 | 5u << 8, 2u << 29, LO(DATA + 8), number, 0, 0);
    PUT(writer, AMD_PM4_INDIRECT_BUFFER, LO(IB), ib->count | 1u << 23);
}

/* Returns the packets of a lap. */
static uint32_t put_pm4(struct subject *subject, uint32_t ib[64])
{
    struct writer ring = {.dwords = subject->ring}, in_ib = {.dwords = ib};
    uint32_t groups = 0;

    put_group(&in_ib, 1000, NULL);
    while (ring.count + 64 < RING_DWORDS)
        put_group(&ring, groups++, &in_ib);
    put(&ring, AMD_PM4_NOP, subject->ring, RING_DWORDS - ring.count - 1);
    return ring.packets + groups * in_ib.packets;
}

static void put_aql(uint32_t *ring)
{
    for (uint32_t i = 0; i < AQL_PACKETS; i++) {
        uint32_t *packet = &ring[i * AMD_AQL_DWORDS];
        const uint64_t signal = SIGNAL + 64;
        const uint32_t barrier[] = {AMD_AQL_TYPE_BARRIER_AND, 0, LO(SIGNAL)};
        const uint32_t dispatch[] = {
            AMD_AQL_TYPE_KERNEL_DISPATCH | 1u << 16, 64 | 1u << 16, 1, 64, 1, 1, 0, 0, LO(KERNEL)};

        memcpy(packet, i % 2 ? barrier : dispatch, i % 2 ? sizeof barrier : sizeof dispatch);
        packet[14] = (uint32_t)signal;
        packet[15] = (uint32_t)(signal >> 32);
    }
}

/* ---- the machine ----------------------------------------------------------------------------- */

static bool poke(struct subject *subject, uint64_t va, const void *data, size_t bytes)
{
    return machine_write(subject->machine, MEMORY_VRAM, va - VA, data, bytes);
}

/* Loads slot 0 as the kernel driver does. */
static void load(struct subject *subject)
{
    const uint64_t report = PROGRAM + 0x80;
    const struct {
        uint32_t offset, value;
    } writes[] = {{CP_HQD_VMID, VMID},
                  {CP_HQD_PQ_BASE, (uint32_t)(VA >> 8)},
                  {CP_HQD_PQ_BASE_HI, (uint32_t)(VA >> 40)},
                  {CP_HQD_PQ_RPTR_REPORT_ADDR, (uint32_t)report},
                  {CP_HQD_PQ_RPTR_REPORT_ADDR_HI, (uint32_t)(report >> 32)},
                  {CP_HQD_PQ_DOORBELL_CONTROL, 2 << 2 | 1u << 30},
                  {CP_HQD_PQ_CONTROL, 16}, /* 2 << 16 dwords */
                  {CP_HQD_AQL_CONTROL, subject->is_aql},
                  {CP_HQD_ACTIVE, 1}};

    machine_write32(subject->machine, GRBM_GFX_CNTL, 1u << 2);
    for (uint32_t i = 0; i < sizeof writes / sizeof writes[0]; i++)
        machine_write32(subject->machine, writes[i].offset, writes[i].value);
}

static bool begin_memory(struct subject *subject)
{
    const uint32_t space_id = address_space_new(&subject->machine->spaces, MEMORY_VRAM, 0x3f0000);
    const struct address_space_range range = {
        .va = VA, .size_bytes = BYTES, .space_id = space_id, .aperture = MEMORY_VRAM};
    const uint64_t signals[16] = {[0] = 1, [8] = 1};
    const uint32_t descriptor[16] = {[12] = 5 | 3 << 6}; /* 24 VGPRs, 32 SGPRs */
    uint32_t ib[64] = {0};

    if (address_space_map(&subject->machine->spaces, &range) != ADDRESS_SPACE_OK)
        return false;
    amd_vm_set(&subject->gpu.vm, VMID, space_id);
    subject->packets = AQL_PACKETS;
    if (subject->is_aql)
        put_aql(subject->ring);
    else
        subject->packets = put_pm4(subject, ib);
    return poke(subject, IB, ib, sizeof ib) && poke(subject, VA, subject->ring, 4 * RING_DWORDS) &&
           poke(subject, SIGNAL, signals, sizeof signals) &&
           poke(subject, KERNEL, descriptor, sizeof descriptor);
}

static void end(struct subject *subject)
{
    machine_free(subject->machine);
    chunk_writer_free(subject->writer);
    if (subject->file)
        (void)fclose(subject->file);
    subject->machine = NULL;
    subject->writer = NULL;
    subject->file = NULL;
}

static void prepare(void *context)
{
    struct subject *subject = context;
    struct machine_config config = {.gpu = "radeon-vii",
                                    .vram_bytes = BYTES,
                                    .sysmem_bytes = 1 << 20,
                                    .event_capacity = 1024,
                                    .range_capacity = 64};

    end(subject);
    subject->good = false;
    subject->file = tmpfile();
    subject->writer =
        subject->file ? chunk_writer_new(subject->log == LOG_UNHEARD ? -1 : fileno(subject->file),
                                         "the event log", &subject->error)
                      : NULL;
    if (!subject->writer)
        return;
    if (subject->log == LOG_THREAD)
        chunk_writer_use_thread(subject->writer);
    config.log = subject->writer;
    subject->machine = machine_new(&config, &subject->error);
    if (!subject->machine)
        return;
    machine_add_tables(subject->machine, &emu_tables);
    amd_gpu_wire(&subject->gpu, subject->machine, amd_chip_by_name("radeon-vii"));
    if (!machine_seal(subject->machine, &subject->error) || !begin_memory(subject) ||
        !event_log_head(&subject->machine->log, "{}", &subject->error))
        return;
    load(subject);
    subject->good = true;
}

/* A lap is written again, as the packets' processor has made the headers INVALID. */
static bool write_lap(struct subject *subject)
{
    return !subject->is_aql || poke(subject, VA, subject->ring, 4 * RING_DWORDS);
}

static uint64_t run(void *context)
{
    struct subject *subject = context;
    const uint64_t lap = subject->is_aql ? AQL_PACKETS : RING_DWORDS;

    for (uint64_t i = 1; subject->good && i <= LAPS; i++) {
        subject->good = write_lap(subject);
        amd_gpu_doorbell(&subject->gpu, 1, i * lap - subject->is_aql);
        subject->good = subject->good && machine_run(subject->machine, GFE_PS_NEVER) &&
                        subject->gpu.mec.state->queues[0].read == i * lap &&
                        !amd_mec_busy(&subject->gpu.mec, 0);
    }
    if (!subject->good || !event_log_finish(&subject->machine->log, "{}", &subject->error) ||
        !chunk_writer_finish(subject->writer, &subject->error))
        return 0;
    return LAPS * (uint64_t)subject->packets;
}

static uint64_t run_copy(void *context)
{
    struct subject *subject = context;
    uint32_t sum = 0;

    for (uint32_t i = 0; i < LAPS; i++) {
        memcpy(subject->copy, subject->ring, RING_DWORDS * sizeof *subject->ring);
        sum += subject->copy[i * 97]; /* so that compilers leave it there */
        subject->ring[i] ^= sum & 0;
    }
    return LAPS * (uint64_t)subject->packets;
}

int main(void)
{
    static const char *const names[LOGS][2] = {
        [LOG_THREAD] = {"PM4 packets", "AQL packets"},
        [LOG_SAME_THREAD] = {"PM4 packets, log and all on one thread",
                             "AQL packets, log and all on one thread"},
        [LOG_UNHEARD] = {"PM4 packets, one thread, log that only counts",
                         "AQL packets, one thread, log that only counts"}};
    static struct subject subjects[LOGS * 2];
    struct bench *bench = bench_begin("bench_amd_packets");

    for (uint32_t i = 0; i < LOGS * 2; i++) {
        struct subject *subject = &subjects[i];

        subject->is_aql = i % 2;
        subject->log = (enum log)(i / 2);
        subject->ring = calloc(RING_DWORDS, sizeof *subject->ring);
        subject->copy = calloc(RING_DWORDS, sizeof *subject->copy);
        if (!subject->ring || !subject->copy)
            return 1;
        bench_run(bench, &(struct bench_case){.name = names[subject->log][subject->is_aql],
                                              .unit = "packets/s",
                                              .target = 5e6,
                                              .repeats = 5,
                                              .subject = {"gfe", prepare, run, subject, 0},
                                              .controls = {{"memcpy", NULL, run_copy, subject, 0},
                                                           {"jumps", NULL, bench_jumps, NULL, 0}}});
        end(subject);
        free(subject->ring);
        free(subject->copy);
    }
    return bench_end(bench);
}
