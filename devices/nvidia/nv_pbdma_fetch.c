/* SPDX-License-Identifier: MIT */
/* A PBDMA reads: GP entries from the ring, dwords from segments. */
#include <config.h>

#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_fe.h"
#include "devices/nvidia/nv_header.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_pbdma.h"
#include "devices/nvidia/nv_pbdma_regs.h"
#include "devices/nvidia/nv_ram.h"
#include "devices/nvidia/nv_tables.h"

static void nv_pbdma_begin_segment(struct nv_pbdma *pbdma, const struct nv_gp_entry *entry)
{
    struct nv_pbdma_state *state = pbdma->state;
    const uint64_t end = entry->address + 4 * (uint64_t)entry->length_dwords;

    nv_pbdma_set_reg(pbdma, NV_PPBDMA_GET, (uint32_t)entry->address);
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_GET_HI, (uint32_t)(entry->address >> 32));
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_PUT, (uint32_t)end);
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_PUT_HI, (uint32_t)(end >> 32));
    if (!entry->subroutine) {
        nv_pbdma_set_reg(pbdma, NV_PPBDMA_TOP_LEVEL_GET, (uint32_t)entry->address);
        nv_pbdma_set_reg(
            pbdma, NV_PPBDMA_TOP_LEVEL_GET_HI,
            REG_PUT((uint32_t)(entry->address >> 32), NV_PPBDMA_TOP_LEVEL_GET_HI_VALID, 1));
    }
    state->segment_at = entry->address;
    state->segment_left = entry->length_dwords;
    state->segment_methods = 0;
}

/* How many dwords the next read of the segment brings, and what it costs. */
void nv_pbdma_next_fetch(struct nv_pbdma *pbdma)
{
    const uint32_t left = pbdma->state->segment_left;
    const uint32_t dwords = left < NV_PBDMA_LATCH_DWORDS ? left : NV_PBDMA_LATCH_DWORDS;

    /* 32 dwords are the 128 bytes of one latency-buffer entry. */
    nv_pbdma_schedule(pbdma, NV_PBDMA_FETCH,
                      nv_pbdma_cycles(pbdma, PARAM_NV_PB_FETCH_CYCLES) + dwords / 32);
}

static void nv_pbdma_log_entry(struct nv_pbdma *pbdma, uint32_t index, const uint32_t words[2],
                               const struct nv_gp_entry *entry)
{
    const struct nv_pbdma_state *state = pbdma->state;

    MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_NV_GP_FETCH, RULE_NV_ORDER, state->channel_id,
                pbdma->pbdma_id, index, entry->address, entry->length_dwords, words[1],
                pbdma->host->state->channels[state->channel_id].gp_sequence,
                machine_now(pbdma->machine) - state->fetch_from_ps);
}

/* Reads and commits one GP entry. */
void nv_pbdma_entry(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;
    const uint32_t base_hi = nv_pbdma_reg(pbdma, NV_PPBDMA_GP_BASE_HI);
    const uint32_t mask = (1u << REG_GET(base_hi, NV_PPBDMA_GP_BASE_HI_LIMIT2)) - 1;
    const uint32_t index = nv_pbdma_reg(pbdma, NV_PPBDMA_GP_GET);
    const uint64_t base =
        (uint64_t)REG_GET(base_hi, NV_PPBDMA_GP_BASE_HI_OFFSET) << 32 |
        (uint64_t)REG_GET(nv_pbdma_reg(pbdma, NV_PPBDMA_GP_BASE), NV_PPBDMA_GP_BASE_OFFSET) << 3;
    struct nv_gp_entry entry;
    uint32_t words[2];
    uint64_t fault = base;

    if (index > mask || nv_pbdma_reg(pbdma, NV_PPBDMA_GP_PUT) > mask) {
        nv_pbdma_interrupt(pbdma, NV_PPBDMA_INTR_0_GPPTR_LO);
        return;
    }
    if (state->space_id == ADDRESS_SPACE_NONE ||
        !machine_vm_read(pbdma->machine, state->space_id, base + 8 * (uint64_t)index, words,
                         sizeof words, &fault)) {
        nv_pbdma_fault(pbdma, fault, false, NV_FAULT_HOST);
        return;
    }
    entry = nv_gp_entry_decode(words[0], words[1]);
    state->segment_entry = index;
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_GP_SHADOW_0, words[0]);
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_GP_SHADOW_1, words[1]);
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_GP_GET, (index + 1) & mask);
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_GP_FETCH, (index + 1) & mask);
    nv_pbdma_write_userd(pbdma, NV_RAMUSERD_GP_GET, (index + 1) & mask);
    nv_pbdma_log_entry(pbdma, index, words, &entry);
    pbdma->host->state->channels[state->channel_id].gp_sequence++;
    nv_pbdma_start_batch(pbdma);
    if (!nv_gp_entry_valid(&entry)) {
        nv_pbdma_interrupt(pbdma, NV_PPBDMA_INTR_0_GPENTRY_LO);
    } else if (entry.length_dwords == 0) {
        if (entry.opcode != NV_GP_OPCODE_NOP)
            MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_UNMODELLED, RULE_NONE, UNMODELLED_FIELD,
                        entry.opcode, entry.operand);
        nv_pbdma_next_entry(pbdma);
    } else {
        nv_pbdma_begin_segment(pbdma, &entry);
        nv_pbdma_next_fetch(pbdma);
    }
}

void nv_pbdma_fetch(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;
    const uint32_t dwords =
        state->segment_left < NV_PBDMA_LATCH_DWORDS ? state->segment_left : NV_PBDMA_LATCH_DWORDS;
    uint64_t fault;

    if (!machine_vm_read(pbdma->machine, state->space_id, state->segment_at, state->latch,
                         4 * (size_t)dwords, &fault)) {
        nv_pbdma_fault(pbdma, fault, false, NV_FAULT_HOST);
        return;
    }
    MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_NV_PB_FETCH, RULE_NONE, state->channel_id,
                pbdma->pbdma_id, state->segment_at, dwords,
                machine_now(pbdma->machine) - state->fetch_from_ps);
    state->segment_at += 4 * (uint64_t)dwords;
    state->segment_left -= dwords;
    state->latched = dwords;
    state->taken = 0;
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_GET, (uint32_t)state->segment_at);
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_GET_HI, (uint32_t)(state->segment_at >> 32));
    nv_pbdma_start_batch(pbdma);
    nv_pbdma_advance(pbdma);
}

void nv_pbdma_segment_end(struct nv_pbdma *pbdma)
{
    const struct nv_pbdma_state *state = pbdma->state;

    nv_constant_flush_log(pbdma->fe);
    MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_NV_SEGMENT_END, RULE_NONE, state->channel_id,
                pbdma->pbdma_id, state->segment_entry, state->segment_methods,
                pbdma->host->state->channels[state->channel_id].gp_sequence - 1);
    nv_pbdma_start_batch(pbdma);
    nv_pbdma_next_entry(pbdma);
}
