/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_amd_mqd.h"

#include <string.h>

#include "devices/amd/formats/amd_cp_regs.h"
#include "devices/amd/formats/amd_hqd_regs.h"
#include "devices/amd/amd_mec_tables.h"
#include "devices/amd/formats/amd_mqd.h"
#include "tests/fuzz/fuzz_amd_node.h"

enum {
    FUZZ_STEPS = 4000,
    FUZZ_FIRST_STEPS = 300,
    FUZZ_HALF = FUZZ_AMD_MQD_HEAD / 2,
    FUZZ_CALL_STEPS_MAX = 100000,
};
enum { FUZZ_BY_REGISTERS = 1, FUZZ_BY_LIST = 2, FUZZ_CHANGE = 4, FUZZ_UNMAP = 8, FUZZ_RESET = 16 };

/* An input. */
struct fuzz_mqd {
    uint8_t flags;
    uint32_t written;
    uint32_t offset, bits; /* of the register that changes */
    uint32_t mqd[AMD_MQD_DWORDS];
    uint32_t slot_id;
};

static uint32_t *fuzz_reg(struct fuzz_mqd *input, uint32_t offset)
{
    return &input->mqd[AMD_MQD_HQD + (offset - AMD_HQD_BASE) / 4];
}

static uint64_t fuzz_mqd_physical(const struct fuzz_amd *fuzz)
{
    return fuzz->node.kfd->state->queues[fuzz->queue[FUZZ_AMD_QUEUE_AQL]].mqd_physical;
}

/* Returns what is left of the input. */
static size_t fuzz_parse(struct fuzz_mqd *input, const uint8_t *data, size_t bytes)
{
    size_t at = FUZZ_AMD_MQD_HEAD + 1;

    if (bytes < at)
        return bytes;
    input->flags = data[0];
    input->written = data[1] | (uint32_t)data[2] << 8;
    input->offset = AMD_HQD_BASE + 4u * (data[3] % AMD_HQD_DWORDS);
    memcpy(&input->bits, &data[4], sizeof input->bits);
    for (uint32_t i = 0; i < data[FUZZ_AMD_MQD_HEAD] && bytes - at >= FUZZ_AMD_MQD_PATCH; i++) {
        const uint32_t dword = (data[at] | (uint32_t)data[at + 1] << 8) % AMD_MQD_DWORDS;

        memcpy(&input->mqd[dword], &data[at + 2], 4);
        at += FUZZ_AMD_MQD_PATCH;
    }
    return at;
}

/* ---- into a slot ----------------------------------------------------------------------------- */

static void fuzz_select(struct fuzz_amd *fuzz, uint32_t slot_id)
{
    uint32_t control = 0;

    if (slot_id != AMD_NO_SLOT) {
        control = REG_PUT(control, GRBM_GFX_CNTL__MEID, 1);
        control = REG_PUT(control, GRBM_GFX_CNTL__PIPEID, slot_id / AMD_QUEUES_PER_PIPE_MAX);
        control = REG_PUT(control, GRBM_GFX_CNTL__QUEUEID, slot_id % AMD_QUEUES_PER_PIPE_MAX);
    }
    machine_write32(fuzz->machine, GRBM_GFX_CNTL, control);
}

/* As the driver does without firmware. */
static void fuzz_by_registers(struct fuzz_amd *fuzz, struct fuzz_mqd *input)
{
    uint32_t *vmid = fuzz_reg(input, CP_HQD_VMID);

    *vmid = REG_PUT(*vmid, CP_HQD_VMID__VMID, fuzz->vmid[0]);
    fuzz_select(fuzz, input->slot_id);
    for (uint32_t i = 0; i < AMD_HQD_DWORDS; i++)
        if (AMD_HQD_BASE + 4 * i != CP_HQD_ACTIVE)
            machine_write32(fuzz->machine, AMD_HQD_BASE + 4 * i, input->mqd[AMD_MQD_HQD + i]);
    machine_write32(fuzz->machine, CP_HQD_ACTIVE, 1);
    machine_write32(fuzz->machine, CP_PQ_WPTR_POLL_CNTL1, UINT32_C(1) << input->slot_id);
    fuzz_select(fuzz, AMD_NO_SLOT);
}

static void fuzz_put(struct fuzz_amd *fuzz, const struct fuzz_mqd *input)
{
    fuzz_amd_must(machine_write(fuzz->machine, MEMORY_SYSMEM, fuzz_mqd_physical(fuzz), input->mqd,
                                sizeof input->mqd));
}

/* The driver takes all queues off and writes a new list; the MQD is another one when the firmware
 * comes to it. */
static void fuzz_by_list(struct fuzz_amd *fuzz, const struct fuzz_mqd *input)
{
    const uint32_t mask[2] = {UINT32_MAX, UINT32_MAX};

    fuzz_amd_must(fuzz_amd_call(fuzz,
                                kfd_queue_set_cu_mask(fuzz->node.kfd,
                                                      fuzz->queue[FUZZ_AMD_QUEUE_AQL], mask, 64),
                                FUZZ_CALL_STEPS_MAX) == KFD_OK);
    fuzz_put(fuzz, input);
}

static void fuzz_load(struct fuzz_amd *fuzz, struct fuzz_mqd *input)
{
    input->slot_id = fuzz->free_slot;
    if (input->flags & FUZZ_BY_LIST) {
        fuzz_by_list(fuzz, input);
        return;
    }
    if (input->flags & FUZZ_BY_REGISTERS) {
        fuzz_by_registers(fuzz, input);
        return;
    }
    fuzz_put(fuzz, input);
    fuzz_amd_must(
        amd_mec_map(&fuzz->node.gpu.mec, input->slot_id,
                    fuzz->node.kfd->state->queues[fuzz->queue[FUZZ_AMD_QUEUE_AQL]].mqd.mqd_address,
                    fuzz->vmid[0]));
}

/* ---- one input ------------------------------------------------------------------------------- */

/* A descriptor that is the kernel driver's own business: it may do anything, or takes another
 * queue's doorbell. */
static bool fuzz_is_trusted(const struct fuzz_amd *fuzz, struct fuzz_mqd *input)
{
    const uint32_t doorbell = REG_GET(*fuzz_reg(input, CP_HQD_PQ_DOORBELL_CONTROL),
                                      CP_HQD_PQ_DOORBELL_CONTROL__DOORBELL_OFFSET) /
                              2;

    return REG_GET(*fuzz_reg(input, CP_HQD_PQ_CONTROL), CP_HQD_PQ_CONTROL__PRIV_STATE) ||
           doorbell == fuzz->doorbell[FUZZ_AMD_VICTIM] || doorbell == KFD_HIQ_DOORBELL / 2 ||
           (doorbell >= FUZZ_AMD_VICTIM_DOORBELL && doorbell < FUZZ_AMD_VICTIM_DOORBELL + 2);
}

static void fuzz_halfway(struct fuzz_amd *fuzz, const struct fuzz_mqd *input)
{
    if (input->flags & FUZZ_UNMAP)
        fuzz_amd_unmap(fuzz);
    if (!(input->flags & FUZZ_CHANGE))
        return;
    fuzz_select(fuzz, input->slot_id);
    machine_write32(fuzz->machine, input->offset,
                    machine_read32(fuzz->machine, input->offset) ^ input->bits);
    fuzz_select(fuzz, AMD_NO_SLOT);
}

static void fuzz_once(struct fuzz_amd *fuzz, const uint8_t *data, size_t bytes)
{
    struct fuzz_mqd input = {0};
    bool trusted;
    size_t at;

    fuzz_amd_begin(fuzz);
    fuzz_amd_work(fuzz);
    fuzz_amd_must(machine_read(fuzz->machine, MEMORY_SYSMEM, fuzz_mqd_physical(fuzz), input.mqd,
                               sizeof input.mqd));
    at = fuzz_parse(&input, data, bytes);
    trusted = fuzz_is_trusted(fuzz, &input) || input.flags & FUZZ_CHANGE;
    if (at < bytes)
        fuzz_amd_patch(fuzz, data + at, bytes - at);
    fuzz_load(fuzz, &input);
    amd_node_doorbell(&fuzz->node, fuzz->doorbell[FUZZ_AMD_QUEUE_AQL], input.written);
    fuzz_amd_run(fuzz, FUZZ_FIRST_STEPS);
    fuzz_halfway(fuzz, &input);
    amd_node_doorbell(&fuzz->node, fuzz->doorbell[FUZZ_AMD_QUEUE_AQL], input.written + 1);
    fuzz_amd_run(fuzz, FUZZ_STEPS);
    if (!(input.flags & FUZZ_BY_LIST))
        amd_mec_unmap(&fuzz->node.gpu.mec, input.slot_id,
                      input.flags & FUZZ_RESET ? AMD_DEQUEUE_RESET : AMD_DEQUEUE_SAVE);
    fuzz_amd_run(fuzz, FUZZ_STEPS);
    if (!trusted)
        fuzz_amd_check(fuzz,
                       input.flags & FUZZ_BY_LIST
                           ? UINT64_MAX
                           : UINT64_C(1) << input.slot_id | UINT64_C(1) << fuzz->slot[0],
                       true);
}

void fuzz_amd_mqd_hash(const uint8_t *data, size_t bytes, bool fresh,
                       struct check_machine_hashes *hashes)
{
    fuzz_amd_hash(fuzz_once, data, bytes, fresh, hashes);
}

int fuzz_amd_mqd(const uint8_t *data, size_t bytes)
{
    fuzz_amd_input(fuzz_once, data, bytes);
    return 0;
}

#ifdef GFE_FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    return fuzz_amd_mqd(data, bytes);
}
#endif
