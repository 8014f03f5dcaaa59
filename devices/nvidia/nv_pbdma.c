/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_pbdma.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "devices/gpu_model.h"
#include "devices/nvidia/nv_ce.h"
#include "devices/nvidia/nv_class.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_fe.h"
#include "devices/nvidia/nv_header.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_methods.h"
#include "devices/nvidia/nv_pbdma_regs.h"
#include "devices/nvidia/nv_ram.h"
#include "devices/nvidia/nv_runlist.h"
#include "devices/nvidia/nv_tables.h"

static void nv_pbdma_event(void *unit, const struct event *event);
static void nv_pbdma_write(void *unit, const struct mmio_window *window, uint32_t offset,
                           uint32_t old, uint32_t written);
static void nv_pbdma_finish(void *unit);
static void nv_pbdma_advance(struct nv_pbdma *pbdma);

static const struct unit_ops nv_pbdma_ops = {
    .event = nv_pbdma_event,
    .write = nv_pbdma_write,
    .finish = nv_pbdma_finish,
};

void nv_pbdma_wire(struct nv_pbdma *pbdma, struct nv_host *host, struct nv_fe *fe,
                   uint32_t pbdma_id)
{
    pbdma->machine = host->machine;
    pbdma->model = host->model;
    pbdma->host = host;
    pbdma->runlists = host->runlists;
    pbdma->fe = fe;
    pbdma->pbdma_id = pbdma_id;
    (void)snprintf(pbdma->name, sizeof pbdma->name, "nv_pbdma%u", pbdma_id);
    pbdma->unit = machine_add_unit(host->machine, pbdma->name, &nv_pbdma_ops, pbdma);
    pbdma->regs = machine_add_window(host->machine, pbdma->unit, &nv_pbdma_list,
                                     NV_PPBDMA_BASE(pbdma_id), NV_PPBDMA_BYTES, pbdma_id);
    pbdma->state = machine_alloc(host->machine, sizeof *pbdma->state);
}

bool nv_pbdma_is_free(const struct nv_pbdma *pbdma)
{
    return pbdma->state->phase == NV_PBDMA_EMPTY;
}

/* ---- time ----------------------------------------------------------------------------------- */

static uint64_t nv_pbdma_cycles(const struct nv_pbdma *pbdma, uint32_t parameter)
{
    return machine_parameter(pbdma->machine, parameter);
}

/* The next step is an event, `cycles` after where the private steps have come. */
static void nv_pbdma_schedule(struct nv_pbdma *pbdma, enum nv_pbdma_phase phase, uint64_t cycles)
{
    struct nv_pbdma_state *state = pbdma->state;
    const gfe_ps at = clock_after_cycles(&pbdma->host->clock, state->local_ps,
                                         state->local_cycles + cycles);

    state->phase = phase;
    state->generation++;
    machine_schedule(pbdma->machine, pbdma->unit, at, NV_PBDMA_EVENT_STEP, state->generation);
}

/* Private steps count from now on. */
static void nv_pbdma_start_batch(struct nv_pbdma *pbdma)
{
    pbdma->state->local_ps = machine_now(pbdma->machine);
    pbdma->state->local_cycles = 0;
    pbdma->state->batch_count = 0;
}

/* ---- loading and saving --------------------------------------------------------------------- */

void nv_pbdma_load(struct nv_pbdma *pbdma, uint32_t runlist_id, uint32_t tsg_id,
                   uint32_t channel_id)
{
    struct nv_pbdma_state *state = pbdma->state;
    struct nv_channel *channel = &pbdma->host->state->channels[channel_id];

    assert(nv_pbdma_is_free(pbdma));
    state->runlist_id = runlist_id;
    state->tsg_id = tsg_id;
    state->channel_id = channel_id;
    channel->on_pbdma = 1;
    channel->pbdma_id = (uint8_t)pbdma->pbdma_id;
    nv_pbdma_start_batch(pbdma);
    nv_pbdma_schedule(pbdma, NV_PBDMA_LOADING,
                      nv_pbdma_cycles(pbdma, PARAM_NV_RAMFC_LOAD_CYCLES));
}

/* Reads GP_PUT from USERD, wherever RAMFC says that is. */
static void nv_pbdma_read_gp_put(struct nv_pbdma *pbdma)
{
    const uint32_t low = nv_pbdma_reg(pbdma, NV_PPBDMA_USERD);
    const uint64_t userd =
        (uint64_t)REG_GET(nv_pbdma_reg(pbdma, NV_PPBDMA_USERD_HI), NV_PPBDMA_USERD_HI_ADDR) << 32 |
        (uint64_t)REG_GET(low, NV_PPBDMA_USERD_ADDR) << 9;
    uint32_t gp_put = 0;

    if (machine_read(pbdma->machine, nv_host_aperture(REG_GET(low, NV_PPBDMA_USERD_TARGET)),
                     userd + NV_RAMUSERD_GP_PUT, &gp_put, sizeof gp_put))
        nv_pbdma_set_reg(pbdma, NV_PPBDMA_GP_PUT, gp_put);
}

static void nv_pbdma_write_userd(struct nv_pbdma *pbdma, uint32_t offset, uint32_t value)
{
    const uint32_t low = nv_pbdma_reg(pbdma, NV_PPBDMA_USERD);
    const uint64_t userd =
        (uint64_t)REG_GET(nv_pbdma_reg(pbdma, NV_PPBDMA_USERD_HI), NV_PPBDMA_USERD_HI_ADDR) << 32 |
        (uint64_t)REG_GET(low, NV_PPBDMA_USERD_ADDR) << 9;

    (void)machine_write(pbdma->machine, nv_host_aperture(REG_GET(low, NV_PPBDMA_USERD_TARGET)),
                        userd + offset, &value, sizeof value);
}

/* The address space by PAGE_DIR_BASE of the instance block. */
static uint32_t nv_pbdma_find_space(struct nv_pbdma *pbdma)
{
    const struct nv_pbdma_state *state = pbdma->state;
    uint32_t base[2];

    if (!machine_read(pbdma->machine, (enum memory_aperture)state->instance_aperture,
                      state->instance + NV_RAMIN_PAGE_DIR_BASE, base, sizeof base))
        return ADDRESS_SPACE_NONE;
    return address_space_by_root(
        &pbdma->machine->spaces,
        nv_host_aperture(REG_GET(base[0], NV_RAMIN_PAGE_DIR_BASE_TARGET)),
        (uint64_t)base[1] << 32 | (uint64_t)REG_GET(base[0], NV_RAMIN_PAGE_DIR_BASE_LO) << 12);
}

/* The next GP entry, or nothing to do. */
static void nv_pbdma_next_entry(struct nv_pbdma *pbdma)
{
    if (nv_pbdma_reg(pbdma, NV_PPBDMA_GP_GET) == nv_pbdma_reg(pbdma, NV_PPBDMA_GP_PUT))
        nv_pbdma_schedule(pbdma, NV_PBDMA_IDLE, nv_pbdma_cycles(pbdma, PARAM_NV_IDLE_CYCLES));
    else
        nv_pbdma_schedule(pbdma, NV_PBDMA_ENTRY,
                          nv_pbdma_cycles(pbdma, PARAM_NV_GP_FETCH_CYCLES));
}

static void nv_pbdma_loaded(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;
    enum memory_aperture aperture;
    gfe_ps context_ps;

    if (!nv_host_instance(pbdma->host, state->channel_id, &state->instance, &aperture) ||
        !machine_read(pbdma->machine, aperture, state->instance, pbdma->regs->storage,
                      NV_RAMFC_BYTES)) {
        nv_pbdma_fault(pbdma, state->instance, false, NV_FAULT_HOST);
        return;
    }
    state->instance_aperture = aperture;
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_CHANNEL,
                     REG_PUT(state->channel_id, NV_PPBDMA_CHANNEL_VALID, 1));
    if (REG_GET(nv_pbdma_reg(pbdma, NV_PPBDMA_SIGNATURE), NV_PPBDMA_SIGNATURE_HW) !=
        NV_PPBDMA_SIGNATURE_HW_VALID) {
        nv_pbdma_interrupt(pbdma, NV_PPBDMA_INTR_0_SIGNATURE_LO);
        return;
    }
    nv_pbdma_read_gp_put(pbdma);
    state->space_id = nv_pbdma_find_space(pbdma);
    state->latched = state->taken = state->segment_left = 0;
    MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_NV_CHANNEL_LOAD, RULE_NONE, state->channel_id,
                pbdma->pbdma_id, state->runlist_id, nv_pbdma_reg(pbdma, NV_PPBDMA_GP_GET),
                nv_pbdma_reg(pbdma, NV_PPBDMA_GP_PUT));
    context_ps = nv_fe_context_load(pbdma->fe, state->channel_id, state->tsg_id,
                                    state->space_id);
    nv_pbdma_start_batch(pbdma);
    state->local_ps = clock_add(state->local_ps, context_ps);
    nv_pbdma_next_entry(pbdma);
}

static void nv_pbdma_saved(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;
    struct nv_channel *channel = &pbdma->host->state->channels[state->channel_id];
    const uint32_t runlist_id = state->runlist_id;

    (void)machine_write(pbdma->machine, (enum memory_aperture)state->instance_aperture,
                        state->instance, pbdma->regs->storage, NV_RAMFC_BYTES);
    nv_pbdma_write_userd(pbdma, NV_RAMUSERD_GET, nv_pbdma_reg(pbdma, NV_PPBDMA_GET));
    nv_pbdma_write_userd(pbdma, NV_RAMUSERD_GET_HI, nv_pbdma_reg(pbdma, NV_PPBDMA_GET_HI));
    MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_NV_CHANNEL_SAVE, RULE_NONE, state->channel_id,
                pbdma->pbdma_id, runlist_id, nv_pbdma_reg(pbdma, NV_PPBDMA_GP_GET),
                nv_pbdma_reg(pbdma, NV_PPBDMA_GP_PUT));
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_CHANNEL, 0);
    channel->on_pbdma = 0;
    state->phase = NV_PBDMA_EMPTY;
    nv_runlist_channel_left(&pbdma->runlists[runlist_id]);
}

void nv_pbdma_doorbell(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;
    struct nv_channel *channel = &pbdma->host->state->channels[state->channel_id];

    switch (state->phase) {
    case NV_PBDMA_LOADING: /* reads GP_PUT later anyway */
    case NV_PBDMA_EMPTY:
        break;
    case NV_PBDMA_SAVING:
        channel->pending = 1;
        channel->pending_ps = machine_now(pbdma->machine);
        break;
    case NV_PBDMA_IDLE:
        nv_pbdma_read_gp_put(pbdma);
        nv_pbdma_start_batch(pbdma);
        nv_pbdma_next_entry(pbdma);
        break;
    default:
        nv_pbdma_read_gp_put(pbdma);
    }
}

/* ---- GP entries and segments ---------------------------------------------------------------- */

static void nv_pbdma_error_due(struct nv_pbdma *pbdma, uint32_t intr_bit)
{
    pbdma->state->due_intr = intr_bit;
    nv_pbdma_schedule(pbdma, NV_PBDMA_ERROR, 0);
}

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
        nv_pbdma_set_reg(pbdma, NV_PPBDMA_TOP_LEVEL_GET_HI,
                         REG_PUT((uint32_t)(entry->address >> 32),
                                 NV_PPBDMA_TOP_LEVEL_GET_HI_VALID, 1));
    }
    state->segment_at = entry->address;
    state->segment_left = entry->length_dwords;
    state->segment_methods = 0;
}

/* How many dwords the next read of the segment brings, and what it costs. */
static void nv_pbdma_next_fetch(struct nv_pbdma *pbdma)
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
                pbdma->pbdma_id, index, entry->address, entry->length_dwords, words[1]);
}

/* Reads and commits one GP entry. */
static void nv_pbdma_entry(struct nv_pbdma *pbdma)
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

static void nv_pbdma_fetch(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;
    const uint32_t dwords = state->segment_left < NV_PBDMA_LATCH_DWORDS ? state->segment_left
                                                                        : NV_PBDMA_LATCH_DWORDS;
    uint64_t fault;

    if (!machine_vm_read(pbdma->machine, state->space_id, state->segment_at, state->latch,
                         4 * (size_t)dwords, &fault)) {
        nv_pbdma_fault(pbdma, fault, false, NV_FAULT_HOST);
        return;
    }
    MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_NV_PB_FETCH, RULE_NONE, state->channel_id,
                pbdma->pbdma_id, state->segment_at, dwords);
    state->segment_at += 4 * (uint64_t)dwords;
    state->segment_left -= dwords;
    state->latched = dwords;
    state->taken = 0;
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_GET, (uint32_t)state->segment_at);
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_GET_HI, (uint32_t)(state->segment_at >> 32));
    nv_pbdma_start_batch(pbdma);
    nv_pbdma_advance(pbdma);
}

static void nv_pbdma_segment_end(struct nv_pbdma *pbdma)
{
    const struct nv_pbdma_state *state = pbdma->state;

    MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_NV_SEGMENT_END, RULE_NONE, state->channel_id,
                pbdma->pbdma_id, state->segment_entry, state->segment_methods);
    nv_pbdma_start_batch(pbdma);
    nv_pbdma_next_entry(pbdma);
}

/* ---- dwords to methods ---------------------------------------------------------------------- */

static void nv_pbdma_set_header(struct nv_pbdma *pbdma, const struct nv_header *header)
{
    const uint32_t types[NV_HEADER_KIND_COUNT] = {
        [NV_HEADER_INC] = NV_PPBDMA_PB_HEADER_TYPE_INC,
        [NV_HEADER_NON_INC] = NV_PPBDMA_PB_HEADER_TYPE_NON_INC,
        [NV_HEADER_ONE_INC] = NV_PPBDMA_PB_HEADER_TYPE_INC_ONCE,
        [NV_HEADER_IMMD] = NV_PPBDMA_PB_HEADER_TYPE_IMMD,
    };
    uint32_t word = REG_PUT(0, NV_PPBDMA_PB_HEADER_TYPE, types[header->kind]);

    word = REG_PUT(word, NV_PPBDMA_PB_HEADER_METHOD, header->method / 4u);
    word = REG_PUT(word, NV_PPBDMA_PB_HEADER_SUBCH, header->subchannel);
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_PB_HEADER, REG_PUT(word, NV_PPBDMA_PB_HEADER_FIRST, 1));
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_PB_COUNT, header->count);
}

/* Puts a method into METHOD0 and DATA0. */
static void nv_pbdma_set_method(struct nv_pbdma *pbdma, uint32_t method, uint32_t subchannel,
                                uint32_t data)
{
    uint32_t word = REG_PUT(0, NV_PPBDMA_METHOD0_VALID, 1);

    word = REG_PUT(word, NV_PPBDMA_METHOD0_ADDR, method / 4);
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_METHOD0,
                     REG_PUT(word, NV_PPBDMA_METHOD0_SUBCH, subchannel));
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_DATA0, data);
    pbdma->state->segment_methods++;
}

enum nv_pbdma_dword { NV_DWORD_NOTHING, NV_DWORD_METHOD, NV_DWORD_BAD, NV_DWORD_END_SEGMENT };

/* A dword where a header is expected. */
static enum nv_pbdma_dword nv_pbdma_header(struct nv_pbdma *pbdma, uint32_t dword)
{
    const struct nv_header header = nv_header_decode(dword);

    nv_pbdma_set_reg(pbdma, NV_PPBDMA_HDR_SHADOW, dword);
    switch (header.kind) {
    case NV_HEADER_INC:
    case NV_HEADER_NON_INC:
    case NV_HEADER_ONE_INC:
        if (nv_header_method(&header, header.count - 1u) > NV_METHOD_MAX_BYTES)
            return NV_DWORD_BAD;
        nv_pbdma_set_header(pbdma, &header);
        return NV_DWORD_NOTHING;
    case NV_HEADER_IMMD:
        nv_pbdma_set_header(pbdma, &header);
        nv_pbdma_set_method(pbdma, header.method, header.subchannel, header.immediate);
        return NV_DWORD_METHOD;
    case NV_HEADER_END_SEGMENT:
        return NV_DWORD_END_SEGMENT;
    case NV_HEADER_INVALID:
        return NV_DWORD_BAD;
    default:
        return NV_DWORD_NOTHING; /* NOP; subdevice masks: this GPU is always the one addressed */
    }
}

/* A dword that is data of the current header. */
static void nv_pbdma_data(struct nv_pbdma *pbdma, uint32_t dword, uint32_t count)
{
    uint32_t header = nv_pbdma_reg(pbdma, NV_PPBDMA_PB_HEADER);
    const uint32_t type = REG_GET(header, NV_PPBDMA_PB_HEADER_TYPE);
    const uint32_t method = REG_GET(header, NV_PPBDMA_PB_HEADER_METHOD);

    nv_pbdma_set_method(pbdma, 4 * method, REG_GET(header, NV_PPBDMA_PB_HEADER_SUBCH), dword);
    if (type != NV_PPBDMA_PB_HEADER_TYPE_NON_INC)
        header = REG_PUT(header, NV_PPBDMA_PB_HEADER_METHOD, (method + 1) & 0xfff);
    if (type == NV_PPBDMA_PB_HEADER_TYPE_INC_ONCE)
        header = REG_PUT(header, NV_PPBDMA_PB_HEADER_TYPE, NV_PPBDMA_PB_HEADER_TYPE_NON_INC);
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_PB_HEADER, REG_PUT(header, NV_PPBDMA_PB_HEADER_FIRST, 0));
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_PB_COUNT, count - 1);
}

/* ---- methods -------------------------------------------------------------------------------- */

static struct nv_method nv_pbdma_method(const struct nv_pbdma *pbdma)
{
    const uint32_t word = nv_pbdma_reg(pbdma, NV_PPBDMA_METHOD0);
    const struct nv_pbdma_state *state = pbdma->state;

    return (struct nv_method){
        .channel_id = state->channel_id,
        .space_id = state->space_id,
        .tsg_id = state->tsg_id,
        .pbdma_id = pbdma->pbdma_id,
        .subchannel = REG_GET(word, NV_PPBDMA_METHOD0_SUBCH),
        .method = 4 * REG_GET(word, NV_PPBDMA_METHOD0_ADDR),
        .data = nv_pbdma_reg(pbdma, NV_PPBDMA_DATA0),
        .gp_sequence = pbdma->host->state->channels[state->channel_id].gp_sequence - 1,
    };
}

static bool nv_pbdma_is_host(const struct nv_method *method)
{
    return method->method < NV_CLASS_HOST_END && method->method != NVC06F_SET_OBJECT;
}

/* Engine number in TARGET that a subchannel stands for. */
static uint32_t nv_pbdma_engine(const struct nv_pbdma *pbdma, uint32_t subchannel)
{
    if (subchannel < 4)
        return NV_TARGET_GR;
    if (subchannel == 4 && pbdma->ce)
        return pbdma->ce->engine_id;
    return NV_PPBDMA_TARGET_ENGINE_SW;
}

static bool nv_pbdma_switches(const struct nv_pbdma *pbdma, uint32_t engine)
{
    const uint32_t target =
        REG_GET(nv_pbdma_reg(pbdma, NV_PPBDMA_TARGET), NV_PPBDMA_TARGET_ENGINE);

    return target != engine && target != NV_PPBDMA_TARGET_ENGINE_SW;
}

bool nv_pbdma_target_idle(struct nv_pbdma *pbdma)
{
    const uint32_t target =
        REG_GET(nv_pbdma_reg(pbdma, NV_PPBDMA_TARGET), NV_PPBDMA_TARGET_ENGINE);

    if (target == NV_TARGET_GR)
        return nv_fe_idle(pbdma->fe, pbdma->pbdma_id);
    return !pbdma->ce || target != pbdma->ce->engine_id ||
           nv_ce_idle(pbdma->ce, pbdma->pbdma_id);
}

/* True when nobody outside can see the method being executed. */
static bool nv_pbdma_private(struct nv_pbdma *pbdma)
{
    const struct nv_method method = nv_pbdma_method(pbdma);
    const uint32_t engine = nv_pbdma_engine(pbdma, method.subchannel);

    if (nv_pbdma_is_host(&method)) {
        if (!nv_pbdma_host_private(method.method))
            return false;
        (void)nv_pbdma_host_method(pbdma, method.method, method.data);
        return true;
    }
    if (engine == NV_PPBDMA_TARGET_ENGINE_SW || nv_pbdma_switches(pbdma, engine))
        return false;
    if (engine == NV_TARGET_GR) {
        if (nv_fe_visible(pbdma->fe, method.subchannel, method.method))
            return false;
        nv_fe_private(pbdma->fe, &method);
    } else {
        if (nv_ce_visible(pbdma->ce, method.method))
            return false;
        nv_ce_private(pbdma->ce, &method);
    }
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_TARGET,
                     REG_PUT(nv_pbdma_reg(pbdma, NV_PPBDMA_TARGET), NV_PPBDMA_TARGET_ENGINE,
                             engine));
    return true;
}

/* Works through latched dwords until something can be seen from outside. */
static void nv_pbdma_advance(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;
    const uint32_t limit = pbdma->machine->config.batch_limit;
    const uint64_t cost = nv_pbdma_cycles(pbdma, PARAM_NV_DWORD_CYCLES);

    state->phase = NV_PBDMA_DWORDS;
    while (state->taken < state->latched) {
        const uint32_t count = nv_pbdma_reg(pbdma, NV_PPBDMA_PB_COUNT);
        enum nv_pbdma_dword what = NV_DWORD_METHOD;
        uint32_t dword;

        if (limit && state->batch_count == limit) {
            nv_pbdma_schedule(pbdma, NV_PBDMA_DWORDS, 0);
            return;
        }
        dword = state->latch[state->taken++];
        state->batch_count++;
        state->local_cycles += cost;
        if (count > 0)
            nv_pbdma_data(pbdma, dword, count);
        else
            what = nv_pbdma_header(pbdma, dword);
        if (what == NV_DWORD_BAD) {
            nv_pbdma_error_due(pbdma, NV_PPBDMA_INTR_0_PBENTRY_LO);
            return;
        }
        if (what == NV_DWORD_END_SEGMENT) {
            state->taken = state->latched;
            state->segment_left = 0;
        } else if (what == NV_DWORD_METHOD && !nv_pbdma_private(pbdma)) {
            nv_pbdma_schedule(pbdma, NV_PBDMA_METHOD, 0);
            return;
        }
    }
    if (state->segment_left > 0)
        nv_pbdma_next_fetch(pbdma);
    else
        nv_pbdma_schedule(pbdma, NV_PBDMA_SEGMENT_END, 0);
}

/* Sends METHOD0 to its engine.  False: it waits or an interrupt was raised. */
static bool nv_pbdma_send(struct nv_pbdma *pbdma, const struct nv_method *method)
{
    const uint32_t engine = nv_pbdma_engine(pbdma, method->subchannel);
    uint32_t rule = RULE_NONE;
    bool done;

    if (engine == NV_PPBDMA_TARGET_ENGINE_SW) {
        nv_pbdma_interrupt(pbdma, NV_PPBDMA_INTR_0_DEVICE_LO);
        return false;
    }
    if (nv_pbdma_switches(pbdma, engine) && !nv_pbdma_target_idle(pbdma)) {
        nv_pbdma_block(pbdma, RULE_NV_SUBCH);
        return false;
    }
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_TARGET,
                     REG_PUT(nv_pbdma_reg(pbdma, NV_PPBDMA_TARGET), NV_PPBDMA_TARGET_ENGINE,
                             engine));
    if (engine != NV_TARGET_GR)
        done = nv_ce_visible(pbdma->ce, method->method)
                   ? nv_ce_method(pbdma->ce, method, &rule)
                   : (nv_ce_private(pbdma->ce, method), true);
    else
        done = nv_fe_visible(pbdma->fe, method->subchannel, method->method)
                   ? nv_fe_method(pbdma->fe, method, &rule)
                   : (nv_fe_private(pbdma->fe, method), true);
    if (!done)
        nv_pbdma_block(pbdma, rule);
    return done;
}

/* Executes METHOD0, which can be seen from outside. */
static void nv_pbdma_execute(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;
    const struct nv_method method = nv_pbdma_method(pbdma);
    const bool valid = REG_GET(nv_pbdma_reg(pbdma, NV_PPBDMA_METHOD0), NV_PPBDMA_METHOD0_VALID);
    bool done = true;

    if (valid)
        done = nv_pbdma_is_host(&method)
                   ? nv_pbdma_host_method(pbdma, method.method, method.data)
                   : nv_pbdma_send(pbdma, &method);
    if (!done || state->phase == NV_PBDMA_STOPPED)
        return;
    if (state->block_rule != RULE_NONE && state->block_from_ps < machine_now(pbdma->machine))
        MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_WAIT, state->block_rule,
                    state->block_from_ps, SUBJECT_CHANNEL, state->channel_id, SUBJECT_ENGINE,
                    REG_GET(nv_pbdma_reg(pbdma, NV_PPBDMA_TARGET), NV_PPBDMA_TARGET_ENGINE));
    state->block_rule = RULE_NONE;
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_METHOD0, 0);
    nv_pbdma_start_batch(pbdma);
    nv_pbdma_advance(pbdma);
}

/* ---- waiting, errors ------------------------------------------------------------------------ */

void nv_pbdma_block(struct nv_pbdma *pbdma, uint32_t rule)
{
    struct nv_pbdma_state *state = pbdma->state;

    if (state->block_rule == RULE_NONE)
        state->block_from_ps = machine_now(pbdma->machine);
    state->block_rule = rule;
    state->phase = NV_PBDMA_BLOCKED;
    state->generation++;
}

void nv_pbdma_resume(struct nv_pbdma *pbdma)
{
    if (pbdma->state->phase != NV_PBDMA_BLOCKED ||
        nv_pbdma_reg(pbdma, NV_PPBDMA_INTR_0) != 0)
        return;
    nv_pbdma_start_batch(pbdma);
    nv_pbdma_schedule(pbdma, NV_PBDMA_BLOCKED, 0);
}

void nv_pbdma_interrupt(struct nv_pbdma *pbdma, uint32_t intr_bit)
{
    struct nv_pbdma_state *state = pbdma->state;
    const struct nv_method method = nv_pbdma_method(pbdma);

    nv_pbdma_set_reg(pbdma, NV_PPBDMA_INTR_0,
                     nv_pbdma_reg(pbdma, NV_PPBDMA_INTR_0) | 1u << intr_bit);
    MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_NV_PBDMA_INTR,
                intr_bit == NV_PPBDMA_INTR_0_DEVICE_LO ? RULE_NV_DEVICE : RULE_NV_INTR,
                state->channel_id, pbdma->pbdma_id, intr_bit, method.method, method.data);
    if (intr_bit == NV_PPBDMA_INTR_0_DEVICE_LO) {
        nv_pbdma_block(pbdma, RULE_NV_DEVICE);
    } else {
        state->phase = NV_PBDMA_STOPPED;
        state->generation++;
        nv_host_stop_channel(pbdma->host, state->channel_id, 1u << intr_bit);
    }
    nv_host_pbdma_interrupt_changed(pbdma->host);
}

void nv_pbdma_fault(struct nv_pbdma *pbdma, uint64_t address, bool is_write, uint32_t unit_kind)
{
    struct nv_pbdma_state *state = pbdma->state;

    /* Fault type 2: PTE; 4: UNBOUND_INST (open-gpu-doc tu104/dev_fault.ref.txt). */
    MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_NV_MMU_FAULT, RULE_NONE, state->channel_id,
                address, state->space_id == ADDRESS_SPACE_NONE ? 4 : 2, is_write, unit_kind);
    state->phase = NV_PBDMA_STOPPED;
    state->generation++;
    nv_host_stop_channel(pbdma->host, state->channel_id, 0);
}

/* Software writes a register: clearing INTR_0 lets the PBDMA go on. */
static void nv_pbdma_write(void *unit, const struct mmio_window *window, uint32_t offset,
                           uint32_t old, uint32_t written)
{
    struct nv_pbdma *pbdma = unit;

    if (offset == NV_PPBDMA_INTR_0) {
        MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_NV_PBDMA_INTR_CLEAR, RULE_NONE,
                    pbdma->state->channel_id, pbdma->pbdma_id, old & written);
        nv_host_pbdma_interrupt_changed(pbdma->host);
        nv_pbdma_resume(pbdma);
    } else if (offset == NV_PPBDMA_INTR_EN_0) {
        nv_host_pbdma_interrupt_changed(pbdma->host);
    }
    (void)window;
}

/* A channel that waits when nothing is left to happen waits for ever: the log says for what. */
static void nv_pbdma_finish(void *unit)
{
    struct nv_pbdma *pbdma = unit;
    const struct nv_pbdma_state *state = pbdma->state;

    if (state->phase == NV_PBDMA_BLOCKED)
        MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_WAIT_OPEN, state->block_rule,
                    state->block_from_ps, SUBJECT_CHANNEL, state->channel_id, SUBJECT_NONE, 0);
}

static void nv_pbdma_event(void *unit, const struct event *event)
{
    struct nv_pbdma *pbdma = unit;
    struct nv_pbdma_state *state = pbdma->state;

    if (event->kind == NV_PBDMA_EVENT_WATCH) {
        nv_pbdma_resume(pbdma);
        return;
    }
    if (event->argument != state->generation)
        return; /* overtaken by a doorbell, an interrupt or an error */
    switch (state->phase) {
    case NV_PBDMA_LOADING:
        nv_pbdma_loaded(pbdma);
        break;
    case NV_PBDMA_ENTRY:
        nv_pbdma_entry(pbdma);
        break;
    case NV_PBDMA_FETCH:
        nv_pbdma_fetch(pbdma);
        break;
    case NV_PBDMA_DWORDS:
        state->batch_count = 0;
        nv_pbdma_advance(pbdma);
        break;
    case NV_PBDMA_METHOD:
    case NV_PBDMA_BLOCKED:
        nv_pbdma_execute(pbdma);
        break;
    case NV_PBDMA_ERROR:
        nv_pbdma_interrupt(pbdma, state->due_intr);
        break;
    case NV_PBDMA_SEGMENT_END:
        nv_pbdma_segment_end(pbdma);
        break;
    case NV_PBDMA_IDLE:
        nv_pbdma_start_batch(pbdma);
        nv_pbdma_schedule(pbdma, NV_PBDMA_SAVING,
                          nv_pbdma_cycles(pbdma, PARAM_NV_RAMFC_SAVE_CYCLES));
        break;
    case NV_PBDMA_SAVING:
        nv_pbdma_saved(pbdma);
        break;
    default:
        break; /* EMPTY, STOPPED: nothing to do */
    }
}
