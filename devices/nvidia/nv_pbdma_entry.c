/* SPDX-License-Identifier: MIT */
/*
 * A PBDMA processes GP entries in the order of the ring: control entries at once, segments by
 * handing their latched dwords to the decoder.
 */
#include <config.h>

#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_fe.h"
#include "devices/nvidia/formats/nv_header.h"
#include "devices/nvidia/nv_fault.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_inject.h"
#include "devices/nvidia/nv_pbdma_private.h"
#include "devices/nvidia/formats/nv_ram.h"
#include "devices/nvidia/nv_runlist.h"
#include "devices/nvidia/nv_runlist_block.h"
#include "devices/nvidia/formats/nv_runlist_regs.h"
#include "devices/nvidia/nv_tables.h"

static bool nv_pbdma_is_conditional(const struct nv_pbdma_entry *entry)
{
    return nv_gp_entry_decode(entry->word[0], entry->word[1]).conditional;
}

/* ---- GET ------------------------------------------------------------------------------------- */

static void nv_pbdma_set_address(struct nv_pbdma *pbdma, uint32_t low, uint32_t high,
                                 uint64_t address)
{
    nv_pbdma_set_reg(pbdma, low, (uint32_t)address);
    nv_pbdma_set_reg(pbdma, high, (uint32_t)(address >> 32));
}

uint64_t nv_pbdma_get_address(const struct nv_pbdma *pbdma, uint32_t low, uint32_t high)
{
    return (uint64_t)nv_pbdma_reg(pbdma, high) << 32 | nv_pbdma_reg(pbdma, low);
}

void nv_pbdma_store_get(struct nv_pbdma *pbdma)
{
    const struct nv_pbdma_entry *entry = nv_pbdma_current(pbdma);
    const struct nv_gp_entry decoded = nv_gp_entry_decode(entry->word[0], entry->word[1]);
    const uint64_t get = entry->address + 4 * (uint64_t)entry->done;
    const uint64_t fetch = entry->address + 4 * (uint64_t)entry->fetched;
    uint32_t high = (uint32_t)(fetch >> 32);

    nv_pbdma_set_address(pbdma, NV_PPBDMA_GET, NV_PPBDMA_GET_HI, get);
    if (!decoded.subroutine) {
        nv_pbdma_set_reg(pbdma, NV_PPBDMA_TOP_LEVEL_GET, (uint32_t)get);
        nv_pbdma_set_reg(pbdma, NV_PPBDMA_TOP_LEVEL_GET_HI,
                         REG_PUT((uint32_t)(get >> 32), NV_PPBDMA_TOP_LEVEL_GET_HI_VALID, 1));
    }
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_PB_FETCH, (uint32_t)fetch | decoded.conditional);
    high = REG_PUT(high, NV_PPBDMA_PB_FETCH_HI_LEVEL, decoded.subroutine);
    high = REG_PUT(high, NV_PPBDMA_PB_FETCH_HI_SYNC, decoded.sync_wait);
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_PB_FETCH_HI,
                     REG_PUT(high, NV_PPBDMA_PB_FETCH_HI_LENGTH, entry->length - entry->fetched));
}

/* ---- taking ---------------------------------------------------------------------------------- */

/* The entry begins to be processed: its place in the ring is free. */
static void nv_pbdma_commit(struct nv_pbdma *pbdma, struct nv_pbdma_entry *entry)
{
    struct nv_pbdma_state *state = pbdma->state;
    const uint32_t next = (entry->index + 1) & nv_pbdma_ring_mask(pbdma);
    const struct nv_channel *channel = nv_channel_get(pbdma->host, state->channel_id);
    uint32_t reported = next;

    entry->flags |= NV_PBDMA_ENTRY_COMMITTED;
    nv_runlist_progress(nv_pbdma_queue(pbdma));
    nv_runlist_stir(nv_pbdma_queue(pbdma));
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_GP_SHADOW_0, entry->word[0]);
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_GP_SHADOW_1, entry->word[1]);
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_GP_GET, next);
    if (nv_pbdma_passes(pbdma, NV_INJECT_GP_GET, &reported, sizeof reported))
        nv_pbdma_write_userd(pbdma, NV_RAMUSERD_GP_GET, reported);
    MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_NV_GP_FETCH,
                entry->flags & NV_PBDMA_ENTRY_SKIPPED ? RULE_NV_CONDITIONAL : RULE_NV_ORDER,
                state->channel_id, pbdma->pbdma_id, entry->index, entry->address, entry->length,
                entry->word[1], channel->gp_sequence, state->waited_ps);
    state->waited_ps = 0;
    nv_channel_count_entry(pbdma->host, state->channel_id);
}

/* The current entry is processed: what it held back may be read. */
static void nv_pbdma_retire(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;

    *nv_pbdma_current(pbdma) = (struct nv_pbdma_entry){0};
    if (state->entry_cursor == state->entry_head)
        state->entry_cursor++;
    state->entry_head++;
}

/* A check of a CRC: the register, and the interrupt if it is not the operand.  GP_CRC is cleared by
 * its check, PB_CRC by the next segment. */
static uint32_t nv_pbdma_check_crc(struct nv_pbdma *pbdma, const struct nv_gp_entry *entry)
{
    const bool entries = entry->opcode == NV_GP_OPCODE_GP_CRC;
    const uint32_t at = entries ? NV_PPBDMA_GP_CRC : NV_PPBDMA_PB_CRC;
    uint32_t found;

    nv_pbdma_fold_crc(pbdma);
    found = nv_pbdma_reg(pbdma, at);
    if (entries)
        nv_pbdma_set_reg(pbdma, at, 0);
    if (found == entry->operand)
        return 0;
    return entries ? NV_PPBDMA_INTR_0_GPCRC_LO : NV_PPBDMA_INTR_0_PBCRC_LO;
}

/* An entry without dwords to process.  Returns the bit of INTR_0 that it raises, 0 for none. */
static uint32_t nv_pbdma_control(struct nv_pbdma *pbdma, const struct nv_pbdma_entry *entry)
{
    const struct nv_gp_entry decoded = nv_gp_entry_decode(entry->word[0], entry->word[1]);

    if (!nv_gp_entry_valid(&decoded)) { /* GP_CRC is not updated; from Ampere on it is cleared */
        if (pbdma->host->generation->bit & NV_FROM_AMPERE)
            nv_pbdma_set_reg(pbdma, NV_PPBDMA_GP_CRC, 0);
        return NV_PPBDMA_INTR_0_GPENTRY_LO;
    }
    if (decoded.length_dwords == 0 && decoded.opcode == NV_GP_OPCODE_GP_CRC)
        return nv_pbdma_check_crc(pbdma, &decoded); /* not part of what it checks */
    nv_pbdma_set_reg(
        pbdma, NV_PPBDMA_GP_CRC,
        nv_crc_dwords(&pbdma->crc, nv_pbdma_reg(pbdma, NV_PPBDMA_GP_CRC), entry->word, 2));
    return decoded.length_dwords == 0 && decoded.opcode == NV_GP_OPCODE_PB_CRC
               ? nv_pbdma_check_crc(pbdma, &decoded)
               : 0;
}

/* Clearing the bit takes the next entry; on Volta GPENTRY is fatal to the channel when the entry
 * has a length (gv100/dev_pbdma.ref.txt). */
static void nv_pbdma_wrong_entry(struct nv_pbdma *pbdma, uint32_t intr_bit, uint32_t entry1)
{
    const bool fatal = intr_bit == NV_PPBDMA_INTR_0_GPENTRY_LO &&
                       pbdma->host->generation->bit == NV_VOLTA &&
                       nv_gp_entry_decode(0, entry1).length_dwords > 0;

    nv_pbdma_interrupt_in(pbdma, intr_bit, NV_PBDMA_NEXT);
    if (fatal && pbdma->state->phase == NV_PBDMA_BLOCKED)
        pbdma->state->after_block = NV_PBDMA_STOPPED;
}

static void nv_pbdma_begin_segment(struct nv_pbdma *pbdma, struct nv_pbdma_entry *entry)
{
    struct nv_pbdma_state *state = pbdma->state;
    struct nv_pbdma_decoder decoder = {0};

    nv_pbdma_set_address(pbdma, NV_PPBDMA_PUT, NV_PPBDMA_PUT_HI,
                         entry->address + 4 * (uint64_t)entry->length);
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_PB_CRC, 0);
    state->crc_left = 0;
    nv_pbdma_store_get(pbdma);
    state->segment_methods = 0;
    state->first = 1;
    nv_pbdma_decoder_load(&decoder, nv_pbdma_reg(pbdma, NV_PPBDMA_PB_HEADER),
                          nv_pbdma_reg(pbdma, NV_PPBDMA_PB_COUNT));
    if (decoder.left > 0 && nv_pbdma_is_conditional(entry))
        nv_pbdma_interrupt_in(pbdma, NV_PPBDMA_INTR_0_PBSEG_LO, NV_PBDMA_SEGMENT);
    else
        nv_pbdma_segment(pbdma);
}

/* No entry is at hand: one is being read, the ring is wrong, or there is nothing to do. */
static void nv_pbdma_want_entry(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;
    const uint32_t error = state->fetch_error;

    if (error == NV_PBDMA_FETCH_FAULT) {
        nv_pbdma_fault(pbdma, state->fault_address, false, NV_FAULT_HOST);
    } else if (error) {
        state->fetch_error = 0;
        nv_pbdma_interrupt_in(pbdma, error - 1, NV_PBDMA_NEXT);
    } else if (state->fetching != NV_PBDMA_FETCHES_NOTHING) {
        state->phase = NV_PBDMA_ENTRY;
        state->generation++;
        state->want_from_ps = nv_pbdma_local(pbdma);
    } else {
        nv_pbdma_schedule(pbdma, NV_PBDMA_IDLE,
                          nv_runlist_block_idle_cycles(nv_pbdma_queue(pbdma)->head));
    }
}

void nv_pbdma_next_entry(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;

    for (;;) {
        struct nv_pbdma_entry *entry = nv_pbdma_current(pbdma);
        uint32_t intr_bit, entry1;

        if (state->preempt) {
            nv_pbdma_leave(pbdma);
            return;
        }
        nv_pbdma_fetch_more(pbdma, nv_pbdma_local(pbdma));
        if (state->entry_head == state->entry_tail) {
            nv_pbdma_want_entry(pbdma);
            return;
        }
        nv_pbdma_commit(pbdma, entry);
        intr_bit = nv_pbdma_control(pbdma, entry);
        if (entry->length > 0) {
            nv_pbdma_begin_segment(pbdma, entry);
            return;
        }
        entry1 = entry->word[1];
        nv_pbdma_retire(pbdma);
        if (intr_bit) {
            nv_pbdma_wrong_entry(pbdma, intr_bit, entry1);
            return;
        }
    }
}

/* ---- segments -------------------------------------------------------------------------------- */

bool nv_pbdma_is_at_end(struct nv_pbdma *pbdma)
{
    const struct nv_pbdma_entry *entry = nv_pbdma_current(pbdma);

    return entry->done == entry->length && !pbdma->state->bad_header;
}

void nv_pbdma_segment(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;
    struct nv_pbdma_entry *entry = nv_pbdma_current(pbdma);

    if (nv_pbdma_is_at_end(pbdma)) { /* also where it has to leave: nothing comes back for it */
        nv_pbdma_schedule(pbdma, NV_PBDMA_SEGMENT_END, 0);
    } else if (state->preempt && !state->bad_header) {
        nv_pbdma_leave(pbdma);
    } else if (entry->fetched > entry->done || state->bad_header) {
        state->batch_left = entry->fetched - entry->done;
        state->batch_taken = 0;
        nv_pbdma_fetch_more(pbdma, nv_pbdma_local(pbdma));
        nv_pbdma_advance(pbdma);
    } else if (entry->flags & NV_PBDMA_ENTRY_FAULT) {
        nv_pbdma_fault(pbdma, state->fault_address, false, NV_FAULT_HOST);
    } else {
        state->batch_taken = 0;
        nv_pbdma_fetch_more(pbdma, nv_pbdma_local(pbdma));
        state->phase = NV_PBDMA_FETCH;
        state->generation++;
        state->want_from_ps = nv_pbdma_local(pbdma);
    }
}

void nv_pbdma_discard_segment(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;
    struct nv_pbdma_entry *entry = nv_pbdma_current(pbdma);
    const uint32_t latched = entry->fetched - entry->done;

    if (latched > 0)
        nv_pbdma_fold_crc(pbdma);
    state->latch_at = (state->latch_at + latched) % NV_PBDMA_LATCH_DWORDS;
    state->latch_count -= latched;
    state->batch_left = 0;
    if (entry->flags & NV_PBDMA_ENTRY_FAULT)
        state->fetch_error = 0; /* the dwords that met it are dropped */
    entry->flags &= ~(uint32_t)NV_PBDMA_ENTRY_FAULT;
    entry->asked = 0;
    entry->fetched = entry->length = entry->done;
}

void nv_pbdma_segment_end(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;
    const struct nv_pbdma_entry *entry = nv_pbdma_current(pbdma);

    nv_pbdma_discard_segment(pbdma);
    nv_pbdma_set_address(pbdma, NV_PPBDMA_GET, NV_PPBDMA_GET_HI,
                         nv_pbdma_get_address(pbdma, NV_PPBDMA_PUT, NV_PPBDMA_PUT_HI));
    if (nv_pbdma_has_graphics(pbdma))
        nv_constant_flush_channel(pbdma->fe, state->channel_id);
    MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_NV_SEGMENT_END, RULE_NONE, state->channel_id,
                pbdma->pbdma_id, entry->index, state->segment_methods,
                nv_channel_get(pbdma->host, state->channel_id)->gp_sequence - 1);
    state->batch_taken = 0;
    nv_pbdma_retire(pbdma);
    nv_pbdma_start_batch(pbdma);
    nv_pbdma_next_entry(pbdma);
}

/* ---- going on -------------------------------------------------------------------------------- */

/* What is left of the segment in which the channel left, from GET to PUT, as an entry. */
static void nv_pbdma_take_up(struct nv_pbdma *pbdma, uint64_t get, uint64_t put)
{
    struct nv_pbdma_state *state = pbdma->state;
    const uint32_t fetch = nv_pbdma_reg(pbdma, NV_PPBDMA_PB_FETCH);
    const uint32_t fetch_hi = nv_pbdma_reg(pbdma, NV_PPBDMA_PB_FETCH_HI);
    struct nv_pbdma_entry *entry = nv_pbdma_current(pbdma);
    const struct nv_gp_entry decoded = {
        .address = get & NV_VA_LAST_DWORD,
        .length_dwords = (uint32_t)((put - get) / 4) & 0x1fffff,
        .conditional = REG_GET(fetch, NV_PPBDMA_PB_FETCH_CONDITIONAL),
        .subroutine = REG_GET(fetch_hi, NV_PPBDMA_PB_FETCH_HI_LEVEL),
    };

    *entry = (struct nv_pbdma_entry){
        .address = get,
        .index = (nv_pbdma_reg(pbdma, NV_PPBDMA_GP_GET) - 1) & nv_pbdma_ring_mask(pbdma),
        .flags = NV_PBDMA_ENTRY_COMMITTED,
        .length = decoded.length_dwords,
    };
    nv_gp_entry_encode(&decoded, entry->word);
    state->entry_tail = 1;
}

void nv_pbdma_continue(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;
    const struct nv_channel *channel = nv_channel_get(pbdma->host, state->channel_id);
    const uint64_t get = nv_pbdma_get_address(pbdma, NV_PPBDMA_GET, NV_PPBDMA_GET_HI);
    const uint64_t put = nv_pbdma_get_address(pbdma, NV_PPBDMA_PUT, NV_PPBDMA_PUT_HI);
    const bool method = REG_GET(nv_pbdma_reg(pbdma, NV_PPBDMA_METHOD0), NV_PPBDMA_METHOD0_VALID);

    if (nv_pbdma_reg(pbdma, NV_PPBDMA_GP_FETCH) <= nv_pbdma_ring_mask(pbdma))
        nv_pbdma_set_reg(pbdma, NV_PPBDMA_GP_FETCH, nv_pbdma_reg(pbdma, NV_PPBDMA_GP_GET));
    state->segment_methods = channel->segment_methods;
    state->first = channel->segment_first;
    if (get < put || method)
        nv_pbdma_take_up(pbdma, get, put);
    if (method)
        nv_pbdma_schedule(pbdma, NV_PBDMA_METHOD, 0);
    else if (get < put)
        nv_pbdma_segment(pbdma);
    else
        nv_pbdma_next_entry(pbdma);
}
