/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_amd_node.h"

#include <stdlib.h>
#include <string.h>

#include "devices/amd/amd_mec_tables.h"
#include "emu/engine/machine_mark.h"
#include "firmware-models/kfd/kfd_tables.h"

#define US GFE_PS_PER_US

enum {
    FUZZ_SETUP_STEPS_MAX = 100000,
    FUZZ_LOG_BYTES_MAX = 256 << 10,
    /* The second process may take so many times longer than alone. */
    FUZZ_PATIENCE = 200,
    /* Of most inputs, so many events at a time; of one in FUZZ_LONG_EACH all that its target asks
     * for. */
    FUZZ_BRIEF_STEPS = 500,
    FUZZ_LONG_EACH = 16,
    FUZZ_TWICE_EACH = 64,
};

void fuzz_amd_must(bool so)
{
    if (!so)
        abort();
}

#define must fuzz_amd_must

/* ---- the machine ----------------------------------------------------------------------------- */

static struct machine *fuzz_machine(struct fuzz_amd *fuzz)
{
    const struct machine_config config = {.gpu = "radeon-vii",
                                          .vram_bytes = 2 * FUZZ_AMD_BYTES,
                                          .sysmem_bytes = 2 * AMD_NODE_DRIVER_BYTES,
                                          .event_capacity = 4096,
                                          .seed = 1};
    struct gfe_error error = {0};
    struct machine *machine = machine_new(&config, &error);

    must(machine != NULL);
    machine_add_tables(machine, &emu_tables);
    must(amd_node_wire(&fuzz->node, machine, amd_chip_by_name("radeon-vii")));
    must(machine_set_parameter(machine, "amd.block_ps", US));
    /* Larger dispatches would end the run: here they go on until it is cut off. */
    must(machine_set_parameter(machine, "amd.largest_grid_blocks", UINT64_MAX));
    must(machine_seal(machine, &error));
    amd_node_start(&fuzz->node);
    return machine;
}

static void fuzz_write(struct fuzz_amd *fuzz, uint32_t process, uint32_t at, const void *data,
                       size_t bytes)
{
    must(machine_write(fuzz->machine, MEMORY_VRAM, (uint64_t)process * FUZZ_AMD_BYTES + at, data,
                       bytes));
}

static void fuzz_map(struct fuzz_amd *fuzz, uint32_t process)
{
    const uint64_t root = 0x1000 * (process + 1);
    const struct address_space_range range = {
        .va = FUZZ_AMD_VA,
        .size_bytes = FUZZ_AMD_BYTES,
        .physical = (uint64_t)process * FUZZ_AMD_BYTES,
        .space_id = address_space_new(&fuzz->machine->spaces, MEMORY_VRAM, root),
        .aperture = MEMORY_VRAM};
    const uint32_t descriptor[16] = {[12] = 5 | 3 << 6};
    const uint64_t signal[2] = {1, 100};
    const uint16_t invalid = AMD_AQL_TYPE_INVALID;

    must(address_space_map(&fuzz->machine->spaces, &range) == ADDRESS_SPACE_OK);
    fuzz_write(fuzz, process, FUZZ_AMD_KERNEL, descriptor, sizeof descriptor);
    fuzz_write(fuzz, process, FUZZ_AMD_SIGNAL, signal, sizeof signal);
    for (uint32_t i = 0; i < 64; i++)
        fuzz_write(fuzz, process, FUZZ_AMD_AQL + i * AMD_AQL_BYTES, &invalid, sizeof invalid);
    fuzz->process[process] = kfd_process_open(fuzz->node.kfd, root);
    must(fuzz->process[process] != KFD_NONE);
    fuzz->vmid[process] = 14 + process; /* for SDMA: the firmware gives others */
    amd_vm_set(&fuzz->node.gpu.vm, fuzz->vmid[process], range.space_id);
}

static void fuzz_all_events(struct fuzz_amd *fuzz)
{
    for (uint32_t steps = 0; machine_step(fuzz->machine); steps++)
        must(steps < FUZZ_SETUP_STEPS_MAX);
    must(!machine_failed(fuzz->machine));
}

static void fuzz_queue(struct fuzz_amd *fuzz, enum fuzz_amd_queue which, uint32_t process, bool aql)
{
    const uint32_t side = FUZZ_AMD_VA + (aql ? FUZZ_AMD_SIDE : FUZZ_AMD_SIDE_2);
    const struct kfd_queue_options options = {.ring_address =
                                                  FUZZ_AMD_VA + (aql ? FUZZ_AMD_AQL : FUZZ_AMD_PM4),
                                              .read_pointer = side + 0x80,
                                              .write_pointer = side + 0x38,
                                              .save_address = FUZZ_AMD_VA + 0x100000,
                                              .ring_bytes = 4096,
                                              .save_bytes = 0x1a00000,
                                              .control_stack_bytes = 0x5000,
                                              .format = aql ? KFD_MQD_AQL : KFD_MQD_PM4,
                                              .priority = 7,
                                              .percent = 100};
    const enum kfd_result result =
        kfd_queue_create(fuzz->node.kfd, fuzz->process[process], &options, &fuzz->queue[which]);

    must(result == KFD_OK || result == KFD_PENDING);
    fuzz_all_events(fuzz);
    fuzz->doorbell[which] = kfd_queue_id(&fuzz->node.kfd->state->queues[fuzz->queue[which]]);
}

static void fuzz_sdma(struct fuzz_amd *fuzz, uint32_t engine, uint32_t process)
{
    const struct amd_sdma_ring ring = {
        .address = FUZZ_AMD_VA + (engine == 0 ? FUZZ_AMD_SDMA : FUZZ_AMD_SDMA_2),
        .byte_count = FUZZ_AMD_SDMA_BYTES,
        .vmid = fuzz->vmid[process],
        .doorbell_index = (process ? FUZZ_AMD_VICTIM_DOORBELL : FUZZ_AMD_SDMA_DOORBELL) + engine,
        .has_doorbell = true};

    must(amd_sdma_load(&fuzz->node.gpu.sdma[engine], process, &ring));
}

/* ---- the second process ---------------------------------------------------------------------- */

/* A kernel with a signal, a barrier that waits for it to come to its end, and another kernel; on
 * each engine a copy and a fence. */
void fuzz_amd_work(struct fuzz_amd *fuzz)
{
    const uint32_t kernel = FUZZ_AMD_VA + FUZZ_AMD_KERNEL, signal = FUZZ_AMD_VA + FUZZ_AMD_SIGNAL;
    const uint32_t own = FUZZ_AMD_VA + FUZZ_AMD_DATA, one[4] = {1, 0, 1, 0}; /* a signal of 1 */
    const uint32_t dispatch = AMD_AQL_TYPE_KERNEL_DISPATCH | 1 << 16;
    const uint32_t packets[3][16] = {
        {dispatch, 64 | 1 << 16, 1, 512, 1, 1, 0, 0, kernel, 0, 0, 0, 0, 0, own, 0},
        {AMD_AQL_TYPE_BARRIER_AND, 0, own, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, signal, 0},
        {dispatch, 64 | 1 << 16, 1, 256, 1, 1, 0, 0, kernel, 0, 0, 0, 0, 0, signal, 0}};
    const uint64_t written = 3;

    fuzz_write(fuzz, 1, FUZZ_AMD_DATA, one, sizeof one);
    fuzz_write(fuzz, 1, FUZZ_AMD_AQL, packets, sizeof packets);
    fuzz_write(fuzz, 1, FUZZ_AMD_SIDE + 0x38, &written, sizeof written);
    for (uint32_t engine = 0; engine < 2; engine++) {
        const uint32_t to = FUZZ_AMD_VA + 0x7000 + 0x800 * engine;
        const uint32_t words[] = {1, 1023,       0, kernel,    0, to, 0, /* COPY_LINEAR */
                                  5, to + 0x400, 0, 7 + engine};         /* FENCE */

        fuzz_write(fuzz, 1, engine ? FUZZ_AMD_SDMA_2 : FUZZ_AMD_SDMA, words, sizeof words);
        amd_node_doorbell(&fuzz->node, FUZZ_AMD_VICTIM_DOORBELL + engine, sizeof words);
    }
    amd_node_doorbell(&fuzz->node, fuzz->doorbell[FUZZ_AMD_VICTIM], 2);
}

static void fuzz_bank(const struct fuzz_amd *fuzz, uint32_t slot_id, uint32_t bank[FUZZ_AMD_BANK])
{
    for (uint32_t i = 0; i < AMD_HQD_DWORDS; i++)
        bank[i] = *amd_gc_hqd(&fuzz->node.gpu.gc, slot_id, AMD_HQD_BASE + 4 * i);
    for (uint32_t i = 0; i < AMD_COMPUTE_DWORDS; i++)
        bank[AMD_HQD_DWORDS + i] =
            *amd_gc_compute(&fuzz->node.gpu.gc, slot_id, AMD_COMPUTE_BASE + 4 * i);
}

static void fuzz_memory(const struct fuzz_amd *fuzz, uint8_t memory[FUZZ_AMD_BYTES])
{
    must(machine_read(fuzz->machine, MEMORY_VRAM, FUZZ_AMD_BYTES, memory, FUZZ_AMD_BYTES));
}

static bool fuzz_is_done(const struct fuzz_amd *fuzz)
{
    uint8_t memory[FUZZ_AMD_BYTES];

    fuzz_memory(fuzz, memory);
    return memcmp(memory, fuzz->memory, sizeof memory) == 0;
}

/* What comes of it when the first process does nothing. */
static void fuzz_calm(struct fuzz_amd *fuzz)
{
    uint64_t value;

    fuzz_amd_begin(fuzz);
    fuzz_amd_work(fuzz);
    fuzz_all_events(fuzz);
    fuzz->calm_ps = machine_now(fuzz->machine);
    fuzz_memory(fuzz, fuzz->memory);
    memcpy(&value, &fuzz->memory[FUZZ_AMD_SIGNAL + 8], sizeof value);
    must(value == 98 && fuzz->memory[0x7400] == 7 && fuzz->memory[0x7c00] == 8);
    for (uint32_t slot_id = 0; slot_id < AMD_SLOTS; slot_id++)
        fuzz_bank(fuzz, slot_id, fuzz->banks[slot_id]);
}

/* ---- for the targets ------------------------------------------------------------------------- */

void fuzz_amd_make(struct fuzz_amd *fuzz)
{
    struct gfe_error error = {0};

    memset(fuzz, 0, sizeof *fuzz);
    fuzz->machine = fuzz_machine(fuzz);
    fuzz_all_events(fuzz);
    for (uint32_t process = 0; process < 2; process++)
        fuzz_map(fuzz, process);
    fuzz_queue(fuzz, FUZZ_AMD_QUEUE_AQL, 0, true);
    fuzz_queue(fuzz, FUZZ_AMD_QUEUE_PM4, 0, false);
    fuzz_queue(fuzz, FUZZ_AMD_VICTIM, 1, true);
    for (uint32_t i = 0; i < FUZZ_AMD_QUEUES; i++) {
        fuzz->slot[i] = amd_mec_slot_of(&fuzz->node.gpu.mec, fuzz->doorbell[i]);
        must(fuzz->slot[i] != AMD_NO_SLOT);
    }
    /* On the pipe of the second process's queue. */
    fuzz->free_slot = fuzz->slot[FUZZ_AMD_VICTIM] + 1;
    must(fuzz->node.gpu.mec.state->queues[fuzz->free_slot].phase == AMD_QUEUE_EMPTY);
    for (uint32_t engine = 0; engine < 2; engine++)
        for (uint32_t process = 0; process < 2; process++)
            fuzz_sdma(fuzz, engine, process);
    fuzz_all_events(fuzz);
    fuzz->mark = machine_mark_new(fuzz->machine, &error);
    must(fuzz->mark != NULL);
    fuzz_calm(fuzz);
}

void fuzz_amd_end(struct fuzz_amd *fuzz)
{
    machine_mark_free(fuzz->mark);
    amd_node_unwire(&fuzz->node);
    machine_free(fuzz->machine);
}

struct fuzz_amd *fuzz_amd_get(void)
{
    static struct fuzz_amd fuzz;

    if (!fuzz.machine)
        fuzz_amd_make(&fuzz);
    return &fuzz;
}

void fuzz_amd_begin(struct fuzz_amd *fuzz)
{
    must(machine_mark_return(fuzz->mark, NULL));
}

void fuzz_amd_patch(struct fuzz_amd *fuzz, const uint8_t *data, size_t bytes)
{
    while (bytes > 4) {
        uint16_t head[2];
        size_t at, part;

        memcpy(head, data, sizeof head);
        data += sizeof head;
        bytes -= sizeof head;
        at = 4 * (size_t)head[0] % FUZZ_AMD_BYTES;
        part = 4 * (size_t)head[1];
        part = part < bytes ? part : bytes;
        part = part < FUZZ_AMD_BYTES - at ? part : FUZZ_AMD_BYTES - at;
        fuzz_write(fuzz, 0, (uint32_t)at, data, part);
        data += part;
        bytes -= part;
    }
}

void fuzz_amd_unmap(struct fuzz_amd *fuzz)
{
    must(address_space_unmap(&fuzz->machine->spaces,
                             amd_vm_space(&fuzz->node.gpu.vm, fuzz->vmid[0]),
                             FUZZ_AMD_VA + FUZZ_AMD_DATA, FUZZ_AMD_BYTES - FUZZ_AMD_DATA));
}

static void fuzz_call_end(void *client, enum kfd_result result)
{
    struct fuzz_amd *fuzz = client;

    fuzz->call_ended = 1;
    fuzz->call_result = result;
}

enum kfd_result fuzz_amd_call(struct fuzz_amd *fuzz, enum kfd_result result, uint32_t steps)
{
    if (result != KFD_PENDING)
        return result;
    fuzz->call_ended = 0;
    fuzz->node.client = fuzz;
    fuzz->node.done = fuzz_call_end;
    for (; steps > 0 && !fuzz->call_ended && machine_step(fuzz->machine); steps--)
        ;
    fuzz->node.done = NULL;
    must(!machine_failed(fuzz->machine));
    return fuzz->call_ended ? fuzz->call_result : KFD_PENDING;
}

void fuzz_amd_run(struct fuzz_amd *fuzz, uint32_t steps)
{
    if (fuzz->runs_brief && steps > FUZZ_BRIEF_STEPS)
        steps = FUZZ_BRIEF_STEPS;
    for (uint32_t i = 0; i < steps && machine_step(fuzz->machine) &&
                         fuzz->machine->log.cursor->byte_count < FUZZ_LOG_BYTES_MAX;
         i++)
        ;
    must(!machine_failed(fuzz->machine));
}

void fuzz_amd_check(struct fuzz_amd *fuzz, uint64_t mine, bool trusts)
{
    const struct kfd_state *kfd = fuzz->node.kfd->state;
    const bool ended = machine_next_ps(fuzz->machine) == GFE_PS_NEVER;
    uint32_t bank[FUZZ_AMD_BANK];

    if (trusts && (kfd->hangs || kfd->waiting != KFD_WAIT_NONE))
        return; /* a queue that cannot be saved: all wait until the firmware gives it up */

    if (!ended && machine_now(fuzz->machine) < FUZZ_PATIENCE * fuzz->calm_ps)
        return; /* cut off before it is its time */
    must(fuzz_is_done(fuzz));
    if (kfd->processes[fuzz->process[0]].evicted)
        return; /* the second process's queue may have come to another slot */
    for (uint32_t slot_id = 0; slot_id < AMD_SLOTS; slot_id++) {
        if (mine >> slot_id & 1)
            continue;
        fuzz_bank(fuzz, slot_id, bank);
        must(memcmp(bank, fuzz->banks[slot_id], sizeof bank) == 0);
    }
}

/* By this some inputs are run twice, and others longer: the choice is the input's. */
static uint32_t fuzz_sum(const uint8_t *data, size_t bytes)
{
    uint32_t sum = 0;

    for (size_t i = 0; i < bytes; i++)
        sum = sum * 31 + data[i];
    return sum;
}

static void fuzz_run(struct fuzz_amd *fuzz, fuzz_amd_once *once, const uint8_t *data, size_t bytes)
{
    fuzz->runs_brief = fuzz_sum(data, bytes) % FUZZ_LONG_EACH != 0;
    once(fuzz, data, bytes);
}

void fuzz_amd_input(fuzz_amd_once *once, const uint8_t *data, size_t bytes)
{
    struct fuzz_amd *fuzz = fuzz_amd_get();
    char first[65], second[65];

    fuzz_run(fuzz, once, data, bytes);
    if (fuzz_sum(data, bytes) % FUZZ_TWICE_EACH != 0)
        return;
    must(machine_hash(fuzz->machine, first));
    fuzz_run(fuzz, once, data, bytes);
    must(machine_hash(fuzz->machine, second));
    must(strcmp(first, second) == 0);
}

void fuzz_amd_hash(fuzz_amd_once *once, const uint8_t *data, size_t bytes, bool fresh,
                   struct check_machine_hashes *hashes)
{
    struct fuzz_amd own, *fuzz = fresh ? &own : fuzz_amd_get();

    if (fresh)
        fuzz_amd_make(fuzz);
    fuzz_run(fuzz, once, data, bytes);
    check_machine_hash(fuzz->machine, hashes);
    if (fresh)
        fuzz_amd_end(fuzz);
}
