/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/check_mec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/amd/formats/amd_cp_regs.h"

enum { STEPS_MAX = 1 << 20 };

static void must(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "check_mec: %s\n", what);
    abort();
}

/* ---- the machine ----------------------------------------------------------------------------- */

static void check_mec_interrupt(void *client, uint32_t source_id, uint32_t ring_id, uint32_t vmid,
                                uint32_t context_id)
{
    struct check_mec *check = client;

    (void)ring_id;
    (void)vmid;
    (void)context_id;
    check->interrupts[check->interrupt_count++ % 8] = source_id;
}

static void check_mec_left(void *client, uint32_t slot_id)
{
    struct check_mec *check = client;

    check->left[check->left_count++ % 8] = slot_id;
}

static void check_mec_rung(void *client, uint32_t doorbell_index)
{
    struct check_mec *check = client;

    check->rung = doorbell_index;
    check->rung_count++;
}

static uint32_t check_mec_space(struct check_mec *check, uint64_t root)
{
    const uint32_t space_id = address_space_new(&check->machine->spaces, MEMORY_VRAM, root);
    const struct address_space_range range = {
        .va = MEC_VA, .size_bytes = MEC_BYTES, .space_id = space_id, .aperture = MEMORY_VRAM};

    must(address_space_map(&check->machine->spaces, &range) == ADDRESS_SPACE_OK, "cannot map");
    return space_id;
}

void check_mec_begin(struct check_mec *check)
{
    const struct machine_config config = {.gpu = "radeon-vii",
                                          .vram_bytes = MEC_BYTES,
                                          .sysmem_bytes = 1 << 20,
                                          .event_capacity = 1024,
                                          .range_capacity = 64,
                                          .seed = 1};
    /* PGM_RSRC1: 24 VGPRs, 32 SGPRs. */
    const uint32_t descriptor[16] = {[12] = 5 | 3 << 6};
    struct gfe_error error = {0};

    *check = (struct check_mec){.machine = machine_new(&config, &error)};
    must(check->machine, error.text);
    check->log.machine = check->machine;
    machine_add_tables(check->machine, &emu_tables);
    amd_gpu_wire(&check->gpu, check->machine, amd_chip_by_name("radeon-vii"));
    check->gpu.mec.client = (struct amd_mec_client){.interrupt = check_mec_interrupt,
                                                    .left = check_mec_left,
                                                    .rung = check_mec_rung,
                                                    .client = check};
    must(machine_seal(check->machine, &error), error.text);
    check->space_id = check_mec_space(check, 0x1000);
    amd_vm_set(&check->gpu.vm, 0, check_mec_space(check, 0x2000));
    amd_vm_set(&check->gpu.vm, MEC_VMID, check->space_id);
    check_mec_poke(check, MEC_KERNEL, descriptor, sizeof descriptor);
}

void check_mec_end(struct check_mec *check)
{
    free(check->log.events);
    machine_free(check->machine);
    *check = (struct check_mec){0};
}

void check_mec_run(struct check_mec *check)
{
    uint32_t steps = 0;

    while (machine_step(check->machine))
        must(++steps < STEPS_MAX, "the run does not end");
    must(!machine_failed(check->machine), check->machine->error.text);
    check_machine_read_log(&check->log);
}

void check_mec_run_to(struct check_mec *check, gfe_ps until_ps)
{
    must(machine_run(check->machine, until_ps), check->machine->error.text);
    check_machine_read_log(&check->log);
}

/* ---- memory and registers -------------------------------------------------------------------- */

void check_mec_poke(struct check_mec *check, uint64_t va, const void *data, size_t bytes)
{
    must(machine_write(check->machine, MEMORY_VRAM, va - MEC_VA, data, bytes), "cannot write");
}

uint64_t check_mec_peek(struct check_mec *check, uint64_t va)
{
    uint64_t value;

    must(machine_read(check->machine, MEMORY_VRAM, va - MEC_VA, &value, sizeof value),
         "cannot read");
    return value;
}

static void check_mec_select(struct check_mec *check, uint32_t slot_id)
{
    /* GRBM_GFX_CNTL: PIPEID 1:0, MEID 3:2, QUEUEID 10:8 */
    machine_write32(check->machine, 0x8088,
                    slot_id / 8 % 4 | (slot_id / 32 + 1) << 2 | slot_id % 8 << 8);
}

uint32_t check_mec_reg(struct check_mec *check, uint32_t slot_id, uint32_t offset)
{
    check_mec_select(check, slot_id);
    return machine_read32(check->machine, offset);
}

void check_mec_set_reg(struct check_mec *check, uint32_t slot_id, uint32_t offset, uint32_t value)
{
    check_mec_select(check, slot_id);
    machine_write32(check->machine, offset, value);
}

void check_mec_load(struct check_mec *check, uint32_t slot_id, uint32_t n, bool is_aql)
{
    const uint64_t ring = MEC_RING(n) >> 8, program = MEC_PROGRAM(n) + 0x80;
    const struct {
        uint32_t offset, value;
    } writes[] = {
        {0xc920, MEC_VMID},                       /* CP_HQD_VMID */
        {0xc934, (uint32_t)ring},                 /* PQ_BASE */
        {0xc938, (uint32_t)(ring >> 32)},         /* PQ_BASE_HI */
        {0xc93c, 0},                              /* PQ_RPTR */
        {0xc940, is_aql ? (uint32_t)program : 0}, /* PQ_RPTR_REPORT_ADDR */
        {0xc944, is_aql ? (uint32_t)(program >> 32) : 0},
        {0xc950, 2 * (n + 1) << 2 | 1u << 30}, /* PQ_DOORBELL_CONTROL */
        {0xc958, 9},                           /* PQ_CONTROL: 2 << 9 dwords */
        {0xc9e8, is_aql},                      /* AQL_CONTROL */
        {0xc9ec, 0},                           /* PQ_WPTR */
        {0xc9f0, 0},
        {0xc91c, 1}, /* ACTIVE */
    };
    const uint16_t invalid = 1;

    check->is_aql[n] = is_aql;
    for (uint32_t i = 0; is_aql && i < MEC_PACKETS; i++)
        check_mec_poke(check, MEC_RING(n) + 64 * i, &invalid, sizeof invalid);
    for (uint32_t i = 0; i < sizeof writes / sizeof writes[0]; i++)
        check_mec_set_reg(check, slot_id, writes[i].offset, writes[i].value);
}

/* ---- packets --------------------------------------------------------------------------------- */

void check_mec_ring(struct check_mec *check, uint32_t n)
{
    amd_mec_doorbell(&check->gpu.mec, n + 1, check->written[n] - check->is_aql[n]);
}

void check_mec_aql(struct check_mec *check, uint32_t n, const uint32_t packet[16], bool quiet)
{
    const uint64_t number = check->written[n]++;
    const uint64_t at = MEC_RING(n) + 64 * (number % MEC_PACKETS);

    check_mec_poke(check, at + 4, packet + 1, 60);
    check_mec_poke(check, at, packet, 4);
    if (!quiet)
        check_mec_ring(check, n);
}

void check_mec_pm4(struct check_mec *check, uint32_t n, const uint32_t *dwords, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        check_mec_poke(check, MEC_RING(n) + 4 * ((check->written[n] + i) % MEC_RING_DWORDS),
                       &dwords[i], 4);
    check->written[n] += count;
    check_mec_ring(check, n);
}

void check_mec_kernel(uint32_t packet[16], uint32_t blocks, uint64_t signal, bool barrier)
{
    memset(packet, 0, 64);
    packet[0] = 2 | (uint32_t)barrier << 8 | 1 << 16; /* KERNEL_DISPATCH, 1 dimension */
    packet[1] = 64 | 1 << 16;
    packet[2] = 1;
    packet[3] = 64 * blocks;
    packet[4] = packet[5] = 1;
    packet[8] = (uint32_t)MEC_KERNEL;
    packet[9] = (uint32_t)(MEC_KERNEL >> 32);
    packet[14] = (uint32_t)signal;
    packet[15] = (uint32_t)(signal >> 32);
}

void check_mec_signal(struct check_mec *check, uint32_t n, uint64_t value)
{
    const uint64_t words[8] = {1, value};

    check_mec_poke(check, MEC_SIGNAL(n), words, sizeof words);
}

uint64_t check_mec_signal_value(struct check_mec *check, uint32_t n)
{
    return check_mec_peek(check, MEC_SIGNAL(n) + 8);
}

void check_mec_pass(struct check_mec *check)
{
    enum { SLOT = 31, QUEUE = 15 };
    uint32_t packet[16];

    if (check->written[QUEUE] == 0)
        check_mec_load(check, SLOT, QUEUE, true);
    check_mec_kernel(packet, 1, 0, false);
    check_mec_aql(check, QUEUE, packet, false);
    check_mec_run(check);
}
