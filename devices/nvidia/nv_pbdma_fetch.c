/* SPDX-License-Identifier: MIT */
/*
 * A PBDMA reads, ahead of what it processes: GP entries from the ring, dwords from segments.  One
 * request is under way at a time; its latency is paid once, however many entries or dwords it
 * brings (ASSUMED).  Whether there is room is decided by what was processed up to the last event,
 * not by how far a batch has come, so that cutting batches changes nothing.
 */
#include <config.h>

#include <string.h>

#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_fe.h"
#include "devices/nvidia/formats/nv_header.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_inject.h"
#include "devices/nvidia/nv_pbdma_private.h"
#include "devices/nvidia/nv_tables.h"

static struct nv_pbdma_entry *nv_pbdma_entry_at(struct nv_pbdma *pbdma, uint32_t counter)
{
    return &pbdma->state->entries[counter % NV_PBDMA_ENTRIES];
}

void nv_pbdma_forget(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;
    const uint32_t used =
        state->entry_tail < NV_PBDMA_ENTRIES ? state->entry_tail : NV_PBDMA_ENTRIES;

    if (used > 0)
        memset(state->entries, 0, used * sizeof state->entries[0]);
    state->entry_head = state->entry_cursor = state->entry_tail = 0;
    state->fetching = NV_PBDMA_FETCHES_NOTHING;
    state->fetch_serial++;
    state->fetch_late = 0;
    state->fetch_error = 0;
    state->latch_at = state->latch_count = 0;
    state->batch_left = state->batch_taken = 0;
    state->crc_left = 0;
    state->lost = 0;
    state->lost_serial++;
}

/* ---- asking ---------------------------------------------------------------------------------- */

/* Returns false if reading is held at this entry. */
static bool nv_pbdma_may_read(struct nv_pbdma *pbdma, struct nv_pbdma_entry *entry)
{
    const struct nv_pbdma_state *state = pbdma->state;
    const struct nv_gp_entry decoded = nv_gp_entry_decode(entry->word[0], entry->word[1]);
    const uint32_t subdevice = nv_pbdma_reg(pbdma, NV_PPBDMA_SUBDEVICE);

    if (state->entry_cursor != state->entry_head &&
        (decoded.sync_wait || nv_pbdma_cycles(pbdma, PARAM_NV_PREFETCH_DWORDS) == 0)) {
        if (decoded.sync_wait)
            entry->flags |= NV_PBDMA_ENTRY_HELD;
        return false;
    }
    if (entry->fetched == 0 && decoded.conditional && nv_pbdma_is_inactive(subdevice)) {
        entry->flags |= NV_PBDMA_ENTRY_SKIPPED;
        entry->length = 0;
    }
    return true;
}

/* Asks for dwords: of the segments behind the cursor, up to what one request may bring.  Returns
 * how many. */
static uint32_t nv_pbdma_ask_dwords(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;
    const uint64_t ahead = nv_pbdma_cycles(pbdma, PARAM_NV_PREFETCH_DWORDS);
    const uint32_t most =
        ahead > 0 && ahead < NV_PBDMA_REQUEST_DWORDS ? (uint32_t)ahead : NV_PBDMA_REQUEST_DWORDS;
    uint32_t asked = 0;

    if (NV_PBDMA_LATCH_DWORDS - state->latch_count - state->batch_taken < most)
        return 0;
    state->fetch_first = state->entry_cursor;
    while (state->entry_cursor != state->entry_tail && asked < most) {
        struct nv_pbdma_entry *entry = nv_pbdma_entry_at(pbdma, state->entry_cursor);

        if (!nv_pbdma_may_read(pbdma, entry))
            break;
        entry->asked = entry->length - entry->fetched;
        if (entry->asked > most - asked)
            entry->asked = most - asked;
        asked += entry->asked;
        if (entry->fetched + entry->asked < entry->length)
            break;
        state->entry_cursor++;
    }
    return asked;
}

/* Returns true if the ring can be read; if not, fetch_error says what is wrong. */
static bool nv_pbdma_check_ring(struct nv_pbdma *pbdma)
{
    const uint32_t base_hi = nv_pbdma_reg(pbdma, NV_PPBDMA_GP_BASE_HI);
    const uint64_t entries = UINT64_C(1) << REG_GET(base_hi, NV_PPBDMA_GP_BASE_HI_LIMIT2);

    if (nv_pbdma_ring_base(pbdma) + 8 * entries > UINT64_C(1) << 40)
        pbdma->state->fetch_error = NV_PPBDMA_INTR_0_GPFIFO_LO + 1;
    else if (nv_pbdma_reg(pbdma, NV_PPBDMA_GP_PUT) >= entries ||
             nv_pbdma_reg(pbdma, NV_PPBDMA_GP_GET) >= entries ||
             nv_pbdma_reg(pbdma, NV_PPBDMA_GP_FETCH) >= entries)
        pbdma->state->fetch_error = NV_PPBDMA_INTR_0_GPPTR_LO + 1;
    return pbdma->state->fetch_error == 0;
}

/* Asks for entries: those up to GP_PUT, or to the end of the ring, that fit into a request. */
static uint32_t nv_pbdma_ask_entries(struct nv_pbdma *pbdma)
{
    const struct nv_pbdma_state *state = pbdma->state;
    const uint32_t room = NV_PBDMA_ENTRIES - (state->entry_tail - state->entry_head);
    const uint32_t from = nv_pbdma_reg(pbdma, NV_PPBDMA_GP_FETCH);
    const uint32_t put = nv_pbdma_reg(pbdma, NV_PPBDMA_GP_PUT);
    uint64_t most = nv_pbdma_cycles(pbdma, PARAM_NV_PREFETCH_ENTRIES);
    uint64_t count;

    if (from == put || room < NV_PBDMA_REQUEST_ENTRIES || !nv_pbdma_check_ring(pbdma))
        return 0;
    count = (put > from ? put : nv_pbdma_ring_mask(pbdma) + UINT64_C(1)) - from;
    if (most < 1 || most > NV_PBDMA_REQUEST_ENTRIES)
        most = most < 1 ? 1 : NV_PBDMA_REQUEST_ENTRIES;
    return (uint32_t)(count < most ? count : most);
}

static bool nv_pbdma_reads(const struct nv_pbdma *pbdma)
{
    const struct nv_pbdma_state *state = pbdma->state;

    return state->fetching == NV_PBDMA_FETCHES_NOTHING && state->fetch_error == 0 &&
           !state->preempt && nv_pbdma_processes(pbdma);
}

void nv_pbdma_fetch_more(struct nv_pbdma *pbdma, gfe_ps from_ps)
{
    struct nv_pbdma_state *state = pbdma->state;
    uint64_t cycles;

    if (!nv_pbdma_reads(pbdma))
        return;
    state->fetch_count = nv_pbdma_ask_dwords(pbdma);
    state->fetching = NV_PBDMA_FETCHES_DWORDS;
    /* 32 dwords are the 128 bytes of one latency-buffer entry. */
    cycles = nv_pbdma_cycles(pbdma, PARAM_NV_PB_FETCH_CYCLES) + state->fetch_count / 32;
    if (state->fetch_count == 0) {
        state->fetch_count = nv_pbdma_ask_entries(pbdma);
        state->fetching = state->fetch_count ? NV_PBDMA_FETCHES_ENTRIES : NV_PBDMA_FETCHES_NOTHING;
        cycles = nv_pbdma_cycles(pbdma, PARAM_NV_GP_FETCH_CYCLES);
    }
    if (state->fetching == NV_PBDMA_FETCHES_NOTHING)
        return;
    state->fetch_from_ps = from_ps;
    if (nv_pbdma_lost(pbdma, NV_PBDMA_INJECT_FETCH))
        return;
    machine_schedule(pbdma->machine, pbdma->unit,
                     clock_after_cycles(&pbdma->host->clock, from_ps, cycles), NV_PBDMA_EVENT_FETCH,
                     ++state->fetch_serial);
}

/* ---- answers --------------------------------------------------------------------------------- */

/* For how long processing has waited for the request under way. */
static gfe_ps nv_pbdma_waited(const struct nv_pbdma *pbdma)
{
    const struct nv_pbdma_state *state = pbdma->state;
    const gfe_ps from =
        state->want_from_ps > state->fetch_from_ps ? state->want_from_ps : state->fetch_from_ps;

    return state->phase == NV_PBDMA_FETCH || state->phase == NV_PBDMA_ENTRY
               ? machine_now(pbdma->machine) - from
               : 0;
}

static void nv_pbdma_cannot_read(struct nv_pbdma *pbdma, uint64_t address)
{
    pbdma->state->fault_address = address;
    pbdma->state->fetch_error = NV_PBDMA_FETCH_FAULT;
}

/* Entries one by one, so that those in front of an unmapped page are still taken. */
static void nv_pbdma_entries_here(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;

    for (uint32_t i = 0; i < state->fetch_count; i++) {
        struct nv_pbdma_entry *entry = nv_pbdma_entry_at(pbdma, state->entry_tail);
        const uint32_t index = nv_pbdma_reg(pbdma, NV_PPBDMA_GP_FETCH);
        const uint64_t at = nv_pbdma_ring_base(pbdma) + 8 * (uint64_t)index;
        struct nv_gp_entry decoded;
        uint64_t fault = at;

        *entry = (struct nv_pbdma_entry){.index = index};
        if (state->space_id == ADDRESS_SPACE_NONE ||
            !machine_vm_read(pbdma->machine, state->space_id, at, entry->word, sizeof entry->word,
                             &fault)) {
            nv_pbdma_cannot_read(pbdma, fault);
            return;
        }
        if (!nv_pbdma_passes(pbdma, NV_INJECT_GP_ENTRY, entry->word, sizeof entry->word))
            memset(entry->word, 0, sizeof entry->word); /* a control entry that does nothing */
        decoded = nv_gp_entry_decode(entry->word[0], entry->word[1]);
        entry->address = decoded.address;
        entry->length = nv_gp_entry_valid(&decoded) ? decoded.length_dwords : 0;
        state->entry_tail++;
        if (!inject_comes_again(pbdma->machine))
            nv_pbdma_set_reg(pbdma, NV_PPBDMA_GP_FETCH, (index + 1) & nv_pbdma_ring_mask(pbdma));
    }
}

/* Latches the dwords asked of one entry.  Returns false if they could not be read. */
static bool nv_pbdma_latch(struct nv_pbdma *pbdma, struct nv_pbdma_entry *entry, gfe_ps waited_ps)
{
    struct nv_pbdma_state *state = pbdma->state;
    const uint32_t rule = entry->flags & NV_PBDMA_ENTRY_HELD        ? RULE_NV_SYNC
                          : entry->flags & NV_PBDMA_ENTRY_COMMITTED ? RULE_NONE
                                                                    : RULE_NV_PREFETCH;
    const uint64_t address = entry->address + 4 * (uint64_t)entry->fetched;
    const uint32_t at = (state->latch_at + state->latch_count) % NV_PBDMA_LATCH_DWORDS;
    const uint32_t to_end = NV_PBDMA_LATCH_DWORDS - at;
    const uint32_t first = entry->asked < to_end ? entry->asked : to_end;
    uint64_t fault;

    if (!machine_vm_read(pbdma->machine, state->space_id, address, &state->latch[at],
                         4 * (size_t)first, &fault) ||
        (entry->asked > first &&
         !machine_vm_read(pbdma->machine, state->space_id, address + 4 * (uint64_t)first,
                          state->latch, 4 * (size_t)(entry->asked - first), &fault))) {
        entry->flags |= NV_PBDMA_ENTRY_FAULT;
        nv_pbdma_cannot_read(pbdma, fault);
        return false;
    }
    MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_NV_PB_FETCH, rule, state->channel_id,
                pbdma->pbdma_id, address, entry->asked, waited_ps);
    entry->fetched += entry->asked;
    state->latch_count += entry->asked;
    return true;
}

/* An entry whose segment was ended early has nothing asked of it any more. */
static void nv_pbdma_dwords_here(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;
    const uint32_t head = state->entry_head;
    const uint32_t behind = state->fetch_first - head;
    uint32_t at = behind > NV_PBDMA_ENTRIES ? head : state->fetch_first;
    gfe_ps waited_ps = nv_pbdma_waited(pbdma);
    bool good = true;

    if (state->latch_count + state->crc_left + state->fetch_count > NV_PBDMA_LATCH_DWORDS)
        nv_pbdma_fold_crc(pbdma); /* before its dwords are overwritten */
    for (; at != state->entry_tail && at != state->entry_cursor + 1; at++) {
        struct nv_pbdma_entry *entry = nv_pbdma_entry_at(pbdma, at);

        if (good && entry->asked > 0) {
            good = nv_pbdma_latch(pbdma, entry, waited_ps);
            waited_ps = 0;
        }
        entry->asked = 0;
    }
}

void nv_pbdma_fetched(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;
    const bool entries = state->fetching == NV_PBDMA_FETCHES_ENTRIES;

    if (nv_pbdma_frozen(pbdma)) {
        state->fetch_late = 1;
        return;
    }
    state->fetch_late = 0;
    state->fetching = NV_PBDMA_FETCHES_NOTHING;
    state->waited_ps = entries ? nv_pbdma_waited(pbdma) : 0;
    if (entries)
        nv_pbdma_entries_here(pbdma);
    else
        nv_pbdma_dwords_here(pbdma);
    if (state->phase == NV_PBDMA_ENTRY || state->phase == NV_PBDMA_FETCH) {
        nv_pbdma_start_batch(pbdma);
        if (state->phase == NV_PBDMA_ENTRY)
            nv_pbdma_next_entry(pbdma);
        else
            nv_pbdma_segment(pbdma);
    }
    nv_pbdma_fetch_more(pbdma, machine_now(pbdma->machine));
}
