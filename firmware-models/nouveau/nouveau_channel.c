/* SPDX-License-Identifier: MIT */
/* Channels of the nouveau model: instance block, RAMFC, CCSR, runlist. */
#include <config.h>

#include "devices/nvidia/formats/nv_pbdma_regs.h"
#include "devices/nvidia/formats/nv_ram.h"
#include "devices/nvidia/formats/nv_regs.h"
#include "devices/nvidia/nv_runlist.h"
#include "devices/nvidia/nv_tables.h"
#include "firmware-models/nouveau/nouveau.h"
#include "firmware-models/nouveau/nouveau_tables.h"

enum {
    NOUVEAU_CONTEXT_BYTES = 0x11000, /* ASSUMED: graphics context image */
    NOUVEAU_SOFTWARE_CLASS = 0x906e,
};
/* Of NVIF, -7. */
#define NOUVEAU_SOFTWARE_CLASS_NVIF UINT32_C(0xfffffff9)

/* ASSUMED: addresses of the kernel's own mappings, below where user-mode drivers map. */
#define NOUVEAU_CONTEXT_OFFSET 0x40000 /* behind the channel's buffer */

static bool nouveau_channel_refuse(struct nouveau *nouveau, const char *what, uint32_t number)
{
    machine_fail(nouveau->machine, ERROR_INPUT, "%s (channel %u)", what, number);
    return false;
}

struct nouveau_channel *nouveau_channel_by_user(struct nouveau *nouveau, uint32_t user_id)
{
    for (uint32_t i = 0; i < NOUVEAU_CHANNELS_MAX; i++)
        if (nouveau->state->channels[i].used && nouveau->state->channels[i].user_id == user_id)
            return &nouveau->state->channels[i];
    return NULL;
}

/* Lowest free number first, for channels and TSGs alike. */
uint32_t nouveau_channel_id(const struct nouveau *nouveau, const struct nouveau_channel *channel)
{
    return (uint32_t)(channel - nouveau->state->channels);
}

uint32_t nouveau_group_id(const struct nouveau *nouveau, const struct nouveau_channel *channel)
{
    return nouveau->chip->ccsr_runlist ? UINT32_MAX : channel->tsg_id;
}

/* ---- memory of a channel --------------------------------------------------------------------- */

static uint32_t nouveau_log2(uint64_t value)
{
    uint32_t log2 = 0;

    while (value >> (log2 + 1))
        log2++;
    return log2;
}

static bool nouveau_channel_map(struct nouveau *nouveau, const struct nouveau_channel *channel,
                                uint64_t va, enum memory_aperture aperture, uint64_t physical,
                                uint64_t size_bytes)
{
    const struct address_space_range range = {
        .va = va,
        .size_bytes = size_bytes,
        .physical = physical,
        .space_id = channel->space_id,
        .aperture = aperture,
    };

    /* An earlier channel of that number may have left its own there. */
    return address_space_unmap(&nouveau->machine->spaces, range.space_id, va, size_bytes) &&
           address_space_map(&nouveau->machine->spaces, &range) == ADDRESS_SPACE_OK;
}

static uint64_t nouveau_buffer_bytes(const struct nouveau *nouveau)
{
    const uint64_t ring_bytes = 8 * machine_parameter(nouveau->machine, PARAM_NOUVEAU_RING_ENTRIES);

    return (NOUVEAU_PUSH_BYTES + ring_bytes + MEMORY_PAGE_BYTES - 1) / MEMORY_PAGE_BYTES *
           MEMORY_PAGE_BYTES;
}

static bool nouveau_channel_memory(struct nouveau *nouveau, struct nouveau_channel *channel)
{
    struct nouveau_state *state = nouveau->state;
    const uint32_t id = nouveau_channel_id(nouveau, channel);
    const uint64_t buffer_bytes = nouveau_buffer_bytes(nouveau);
    const uint64_t kernel_va = state->space_kernel_va[channel->as_id];
    struct address_space_range where;
    uint64_t contiguous;

    channel->instance = extent_take(&state->vram, NV_RAMIN_BYTES, MEMORY_PAGE_BYTES);
    channel->buffer = extent_take(&state->sysmem, buffer_bytes, MEMORY_PAGE_BYTES);
    channel->context_physical = extent_take(&state->vram, NOUVEAU_CONTEXT_BYTES, MEMORY_PAGE_BYTES);
    channel->buffer_va = kernel_va + nouveau_buffer_va(id);
    channel->context_va = channel->buffer_va + NOUVEAU_CONTEXT_OFFSET;
    channel->fence_physical = state->fence_memory + UINT64_C(16) * id;
    channel->fence_va = kernel_va + nouveau_fence_va(id);
    if (channel->instance == EXTENT_NONE || channel->buffer == EXTENT_NONE ||
        channel->context_physical == EXTENT_NONE ||
        !nouveau_channel_map(nouveau, channel, channel->buffer_va, MEMORY_SYSMEM, channel->buffer,
                             buffer_bytes) ||
        !nouveau_channel_map(nouveau, channel, channel->context_va, MEMORY_VRAM,
                             channel->context_physical, NOUVEAU_CONTEXT_BYTES))
        return false;
    return address_space_translate(&nouveau->machine->spaces, channel->space_id,
                                   kernel_va + nouveau_fence_va(0), &where, &contiguous) ||
           nouveau_channel_map(nouveau, channel, kernel_va + nouveau_fence_va(0), MEMORY_VRAM,
                               state->fence_memory, MEMORY_PAGE_BYTES);
}

/* A dword of the instance block. */
struct nouveau_word {
    uint32_t offset, value;
};

static void nouveau_write_words(struct nouveau *nouveau, const struct nouveau_channel *channel,
                                const struct nouveau_word *words, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        nouveau_poke(nouveau, MEMORY_VRAM, channel->instance + words[i].offset, words[i].value);
}

/* gk104_chan_ramfc_write up to Pascal, gv100_chan_ramfc_write from Volta on: the values, dword by
 * dword.  From Volta on TARGET says that the contexts of graphics and copies are valid. */
static void nouveau_write_ramfc(struct nouveau *nouveau, const struct nouveau_channel *channel)
{
    const uint32_t id = nouveau_channel_id(nouveau, channel);
    const uint64_t userd = nouveau->state->userd_pool + (uint64_t)id * NV_RAMUSERD_BYTES;
    const uint64_t ring = channel->buffer_va + NOUVEAU_PUSH_BYTES;
    const uint32_t limit2 =
        nouveau_log2(machine_parameter(nouveau->machine, PARAM_NOUVEAU_RING_ENTRIES));
    const bool gv100 = nouveau->chip->gv100_ramfc;
    const struct nouveau_word words[] = {
        {NV_PPBDMA_USERD, (uint32_t)userd},
        {NV_PPBDMA_USERD_HI, (uint32_t)(userd >> 32)},
        {NV_PPBDMA_SIGNATURE, NV_PPBDMA_SIGNATURE_HW_VALID},
        {NV_PPBDMA_ACQUIRE, gv100 ? 0x7ffff902 : 0xfffff902},
        {NV_PPBDMA_GP_BASE, (uint32_t)ring},
        {NV_PPBDMA_GP_BASE_HI, (uint32_t)(ring >> 32) | limit2 << NV_PPBDMA_GP_BASE_HI_LIMIT2_LO},
        {NV_PPBDMA_PB_HEADER, 0x20400000},
        {NV_PPBDMA_SUBDEVICE, 0x30000001},
        {NV_PPBDMA_HCE_CTRL, 0},
        {NV_PPBDMA_CHID, id},
        {NV_PPBDMA_RUNLIST_TIMESLICE, 0x10003080},
    };
    static const struct nouveau_word gk104_words[] = {
        {NV_PPBDMA_FORMATS, 0x00000100},
        {NV_PPBDMA_TARGET, NV_PPBDMA_TARGET_ENGINE_SW},
        {NV_PPBDMA_UNKNOWN_B8, 0xf8000000},
        {NV_PPBDMA_PB_TIMESLICE, 0x10000010},
    };
    static const struct nouveau_word gv100_words[] = {
        {NV_PPBDMA_TARGET,
         1u << NV_PPBDMA_TARGET_ENG_CTX_VALID_LO | 1u << NV_PPBDMA_TARGET_CE_CTX_VALID_LO},
        {NV_PPBDMA_CONFIG, 0x00001000},
    };

    nouveau_write_words(nouveau, channel, words, sizeof words / sizeof words[0]);
    if (gv100)
        nouveau_write_words(nouveau, channel, gv100_words,
                            sizeof gv100_words / sizeof gv100_words[0]);
    else
        nouveau_write_words(nouveau, channel, gk104_words,
                            sizeof gk104_words / sizeof gk104_words[0]);
}

static void nouveau_write_instance(struct nouveau *nouveau, const struct nouveau_channel *channel)
{
    const struct address_space *space = &nouveau->machine->spaces.spaces[channel->space_id];
    const struct nouveau_chip *chip = nouveau->chip;
    uint32_t base = (uint32_t)space->root;

    base = REG_PUT(base, NV_RAMIN_PAGE_DIR_BASE_USE_VER2_PT, chip->page_tables_2);
    base = REG_PUT(base, NV_RAMIN_PAGE_DIR_BASE_BIG_PAGE_SIZE, chip->big_pages_bit);
    nouveau_poke(nouveau, MEMORY_VRAM, channel->instance + NV_RAMIN_PAGE_DIR_BASE, base);
    nouveau_poke(nouveau, MEMORY_VRAM, channel->instance + NV_RAMIN_PAGE_DIR_BASE_HI,
                 (uint32_t)(space->root >> 32));
    if (!chip->gv100_ramfc) {
        nouveau_poke(nouveau, MEMORY_VRAM, channel->instance + NV_RAMIN_ADR_LIMIT, UINT32_MAX);
        nouveau_poke(nouveau, MEMORY_VRAM, channel->instance + NV_RAMIN_ADR_LIMIT_HI, 0xff);
    }
    nouveau_poke(nouveau, MEMORY_VRAM, channel->instance + NV_RAMIN_GR_WFI,
                 REG_PUT((uint32_t)channel->context_va, NV_RAMIN_GR_WFI_MODE, 1));
    nouveau_poke(nouveau, MEMORY_VRAM, channel->instance + NV_RAMIN_GR_WFI_PTR_HI,
                 (uint32_t)(channel->context_va >> 32));
    nouveau_write_ramfc(nouveau, channel);
}

/* New memory of the kernel's is zeroed: it may have been another's. */
static void nouveau_clear(struct nouveau *nouveau, enum memory_aperture aperture, uint64_t address,
                          uint64_t size_bytes)
{
    static const uint8_t zeroes[MEMORY_PAGE_BYTES];

    for (uint64_t at = 0; at < size_bytes; at += MEMORY_PAGE_BYTES)
        (void)machine_write(nouveau->machine, aperture, address + at, zeroes, sizeof zeroes);
}

/* The fields of USERD that the driver clears. */
static void nouveau_clear_userd(struct nouveau *nouveau, uint32_t channel_id)
{
    static const uint32_t fields[] = {0x40, 0x44, 0x48, 0x4c, 0x50, 0x58, 0x5c, 0x60, 0x88, 0x8c};
    const uint64_t userd = nouveau->state->userd_pool + (uint64_t)channel_id * NV_RAMUSERD_BYTES;

    for (uint32_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        nouveau_poke(nouveau, MEMORY_VRAM, userd + fields[i], 0);
}

/* ---- runlist --------------------------------------------------------------------------------- */

static uint32_t nouveau_timeslice(const struct nouveau *nouveau, uint32_t parameter)
{
    return (uint32_t)machine_parameter(nouveau->machine, parameter);
}

/* Kepler to Pascal: entries of two words.  Returns how many. */
static uint32_t nouveau_runlist_gk104(struct nouveau *nouveau, uint64_t at,
                                      const struct nouveau_channel *channel)
{
    const bool has_instance = nouveau->chip->entry_form == NOUVEAU_ENTRY_INSTANCE;
    uint32_t tsg = REG_PUT(channel->tsg_id, NV_RAMRL_ENTRY_TYPE, NV_RAMRL_ENTRY_TYPE_TSG);
    uint32_t count = 0;

    tsg = REG_PUT(tsg, NV_RAMRL_ENTRY_TSG_LENGTH, 1);
    tsg = REG_PUT(tsg, NV_RAMRL_ENTRY_TSG_TIMESLICE_TIMEOUT,
                  nouveau_timeslice(nouveau, PARAM_NOUVEAU_TIMESLICE_TIMEOUT));
    tsg = REG_PUT(tsg, NV_RAMRL_ENTRY_TSG_TIMESLICE_SCALE,
                  nouveau_timeslice(nouveau, PARAM_NOUVEAU_TIMESLICE_SCALE));
    if (nouveau->chip->groups) {
        nouveau_poke(nouveau, MEMORY_VRAM, at, tsg);
        nouveau_poke(nouveau, MEMORY_VRAM, at + 4, 0);
        count++;
    }
    nouveau_poke(nouveau, MEMORY_VRAM, at + 8 * count, nouveau_channel_id(nouveau, channel));
    nouveau_poke(nouveau, MEMORY_VRAM, at + 8 * count + 4,
                 has_instance ? (uint32_t)(channel->instance >> 12) : 0);
    return count + 1;
}

/* Volta and Turing: a TSG and its channel, four words each. */
static uint32_t nouveau_runlist_gv100(struct nouveau *nouveau, uint64_t at,
                                      const struct nouveau_channel *channel)
{
    const uint32_t id = nouveau_channel_id(nouveau, channel);
    const uint64_t userd = nouveau->state->userd_pool + (uint64_t)id * NV_RAMUSERD_BYTES;
    uint32_t tsg = NV_RAMRL_GV100_ENTRY_TYPE_TSG;

    tsg = REG_PUT(tsg, NV_RAMRL_GV100_ENTRY_TSG_TIMESLICE_TIMEOUT,
                  nouveau_timeslice(nouveau, PARAM_NOUVEAU_TIMESLICE_TIMEOUT));
    tsg = REG_PUT(tsg, NV_RAMRL_GV100_ENTRY_TSG_TIMESLICE_SCALE,
                  nouveau_timeslice(nouveau, PARAM_NOUVEAU_TIMESLICE_SCALE));
    const uint32_t words[] = {tsg,
                              1,
                              channel->tsg_id,
                              0,
                              (uint32_t)userd,
                              (uint32_t)(userd >> 32),
                              (uint32_t)channel->instance | id,
                              (uint32_t)(channel->instance >> 32)};

    for (uint32_t i = 0; i < sizeof words / sizeof words[0]; i++)
        nouveau_poke(nouveau, MEMORY_VRAM, at + 4 * i, words[i]);
    return 2;
}

static void nouveau_runlist_commit(struct nouveau *nouveau, uint32_t runlist_id, uint64_t base,
                                   uint32_t entries)
{
    const uint32_t at = NV_PFIFO_BASE + 16 * runlist_id;

    if (nouveau->chip->runlists_apart) {
        machine_write32(nouveau->machine, at + NV_PFIFO_RUNLIST_BASE_LO, (uint32_t)base);
        machine_write32(nouveau->machine, at + NV_PFIFO_RUNLIST_BASE_HI, (uint32_t)(base >> 32));
        machine_write32(nouveau->machine, at + NV_PFIFO_RUNLIST_SUBMIT, entries);
        return;
    }
    machine_write32(nouveau->machine, NV_PFIFO_BASE + NV_PFIFO_RUNLIST_BASE,
                    (uint32_t)(base >> 12));
    machine_write32(nouveau->machine, NV_PFIFO_BASE + NV_PFIFO_RUNLIST,
                    REG_PUT(entries, NV_PFIFO_RUNLIST_ID, runlist_id));
}

void nouveau_runlist_update(struct nouveau *nouveau, uint32_t runlist_id)
{
    struct nouveau_state *state = nouveau->state;
    const uint64_t base = state->runlist_memory[runlist_id] +
                          (state->runlist_turn[runlist_id] ^= 1) * (uint64_t)MEMORY_PAGE_BYTES;
    const bool gv100 = nouveau->chip->entry_form == NOUVEAU_ENTRY_GV100;
    const uint64_t entry_bytes = gv100 ? NV_RAMRL_GV100_ENTRY_BYTES : NV_RAMRL_ENTRY_BYTES;
    uint32_t members[NOUVEAU_CHANNELS_MAX], member_count = 0, entries = 0;

    for (uint32_t i = 0; i < NOUVEAU_CHANNELS_MAX; i++)
        if (state->channels[i].used && !state->channels[i].removed &&
            state->channels[i].runlist_id == runlist_id)
            members[member_count++] = i;
    for (uint32_t n = 0; n < member_count; n++) {
        const uint32_t member = members[(n + state->runlist_rotation[runlist_id]) % member_count];
        const uint64_t at = base + entry_bytes * entries;

        entries += gv100 ? nouveau_runlist_gv100(nouveau, at, &state->channels[member])
                         : nouveau_runlist_gk104(nouveau, at, &state->channels[member]);
    }
    state->runlist_rotation[runlist_id]++;
    nouveau_runlist_commit(nouveau, runlist_id, base, entries);
}

void nouveau_ring(struct nouveau *nouveau, const struct nouveau_channel *channel)
{
    const uint32_t id = nouveau_channel_id(nouveau, channel);

    if (nouveau->chip->doorbell)
        machine_write32(nouveau->machine, nouveau->chip->doorbell,
                        nouveau->chip->token_has_runlist ? channel->runlist_id << 16 | id : id);
}

/* ---- create, destroy ------------------------------------------------------------------------- */

static uint32_t nouveau_ccsr(uint32_t channel_id, uint32_t offset)
{
    return NV_PCCSR_BASE + offset + 8 * channel_id;
}

static void nouveau_channel_log(struct nouveau *nouveau, const struct nouveau_channel *channel)
{
    const bool groups = nouveau->chip->groups;
    const uint32_t id = nouveau_channel_id(nouveau, channel);

    MACHINE_LOG_ORIGIN(nouveau->machine, nouveau->unit, EVENT_DRIVER_CHANNEL,
                       groups ? RULE_NOUVEAU_TSG : RULE_NV_BARE, ORIGIN_MODELLED, id,
                       groups ? channel->tsg_id : NV_RUNLIST_NO_TSG + id, channel->runlist_id,
                       channel->instance, channel->buffer_va + NOUVEAU_PUSH_BYTES,
                       nouveau->state->userd_pool + (uint64_t)id * NV_RAMUSERD_BYTES);
}

/* Bind, start, insert (uchan.c). */
static void nouveau_channel_start(struct nouveau *nouveau, const struct nouveau_channel *channel)
{
    struct machine *machine = nouveau->machine;
    const uint32_t id = nouveau_channel_id(nouveau, channel);
    const uint32_t ccsr = nouveau_ccsr(id, NV_PCCSR_CHANNEL);

    if (nouveau->chip->ccsr_runlist)
        machine_write32(
            machine, ccsr,
            REG_PUT(machine_read32(machine, ccsr), NV_PCCSR_CHANNEL_RUNLIST, channel->runlist_id));
    machine_write32(machine, nouveau_ccsr(id, NV_PCCSR_CHANNEL_INST),
                    REG_PUT((uint32_t)(channel->instance >> 12), NV_PCCSR_CHANNEL_INST_BIND, 1));
    machine_write32(machine, ccsr,
                    REG_PUT(machine_read32(machine, ccsr), NV_PCCSR_CHANNEL_ENABLE_SET, 1));
    if (nouveau->chip->token_has_runlist)
        nouveau_ring(nouveau, channel);
    nouveau_runlist_update(nouveau, channel->runlist_id);
}

/* Takes the channel's TSG off its PBDMA, or the channel where there are no TSGs. */
static void nouveau_channel_preempt(struct nouveau *nouveau, const struct nouveau_channel *channel)
{
    const bool groups = nouveau->chip->groups;
    const uint32_t id = groups ? channel->tsg_id : nouveau_channel_id(nouveau, channel);

    machine_write32(nouveau->machine, NV_PFIFO_BASE + NV_PFIFO_PREEMPT,
                    REG_PUT(id, NV_PFIFO_PREEMPT_TYPE,
                            groups ? NV_PFIFO_PREEMPT_TYPE_TSG : NV_PFIFO_PREEMPT_TYPE_CHANNEL));
}

bool nouveau_channel_create(void *driver, const struct trace_channel *record)
{
    struct nouveau *nouveau = driver;
    struct nouveau_state *state = nouveau->state;
    struct nouveau_channel *channel = NULL;
    uint32_t id = 0;

    /* Mesa asks for engine 0 or 1: graphics (NV_DEVICE_HOST_RUNLIST_ENGINES_GR). */
    if (record->engine > 1)
        return nouveau_channel_refuse(nouveau, "only graphics channels are modelled yet",
                                      record->channel_id);
    if (record->as_id >= NOUVEAU_SPACES_MAX || state->space_ids[record->as_id] == 0 ||
        nouveau_channel_by_user(nouveau, record->channel_id))
        return nouveau_channel_refuse(
            nouveau, "the trace creates a channel twice, or without an address space",
            record->channel_id);
    while (id < NOUVEAU_CHANNELS_MAX && (state->channels[id].used || state->channels[id].going))
        id++;
    if (id == NOUVEAU_CHANNELS_MAX)
        return nouveau_channel_refuse(nouveau, "too many channels", record->channel_id);
    channel = &state->channels[id];
    *channel = (struct nouveau_channel){
        .used = 1,
        .user_id = record->channel_id,
        .tsg_id = id,
        .as_id = record->as_id,
        .space_id = state->space_ids[record->as_id],
    };
    if (!nouveau_channel_memory(nouveau, channel))
        return nouveau_channel_refuse(nouveau, "no room for the channel's buffers",
                                      record->channel_id);
    /* The fence's word outlives channels: the sequence goes on from it (nv84_fence_context_new). */
    (void)machine_read(nouveau->machine, MEMORY_VRAM, channel->fence_physical,
                       &channel->fence_value, sizeof channel->fence_value);
    nouveau_clear(nouveau, MEMORY_VRAM, channel->instance, NV_RAMIN_BYTES);
    nouveau_clear(nouveau, MEMORY_VRAM, channel->context_physical, NOUVEAU_CONTEXT_BYTES);
    nouveau_clear(nouveau, MEMORY_SYSMEM, channel->buffer, nouveau_buffer_bytes(nouveau));
    nouveau_clear_userd(nouveau, id);
    nouveau_write_instance(nouveau, channel);
    nouveau_channel_log(nouveau, channel);
    nouveau_channel_start(nouveau, channel);
    return true;
}

void nouveau_channel_kill(struct nouveau *nouveau, struct nouveau_channel *channel, uint32_t rule,
                          uint32_t intr_bits)
{
    const uint32_t ccsr = nouveau_ccsr(nouveau_channel_id(nouveau, channel), NV_PCCSR_CHANNEL);

    MACHINE_LOG(nouveau->machine, nouveau->unit, EVENT_DRIVER_KILL, rule,
                nouveau_channel_id(nouveau, channel), nouveau_group_id(nouveau, channel), intr_bits,
                channel->runlist_id);
    machine_write32(
        nouveau->machine, ccsr,
        REG_PUT(machine_read32(nouveau->machine, ccsr), NV_PCCSR_CHANNEL_ENABLE_CLR, 1));
    channel->killed = 1;
    nouveau_jobs_look(nouveau);
    nouveau_wake_later(nouveau);
}

/* ENABLE_CLR, preempt, remove from the runlist; the rest waits until it is off (uchan.c, fini). */
bool nouveau_channel_destroy(void *driver, const struct trace_channel_end *record,
                             uint32_t thread_index)
{
    struct nouveau *nouveau = driver;
    struct nouveau_channel *channel = nouveau_channel_by_user(nouveau, record->channel_id);
    uint32_t id;

    if (!channel)
        return nouveau_channel_refuse(nouveau, "the trace ends a channel that does not exist",
                                      record->channel_id);
    id = nouveau_channel_id(nouveau, channel);
    machine_write32(nouveau->machine, nouveau_ccsr(id, NV_PCCSR_CHANNEL),
                    REG_PUT(machine_read32(nouveau->machine, nouveau_ccsr(id, NV_PCCSR_CHANNEL)),
                            NV_PCCSR_CHANNEL_ENABLE_CLR, 1));
    channel->used = 0;
    channel->going = 1 + thread_index;
    channel->going_since_ps = machine_now(nouveau->machine);
    nouveau_runlist_update(nouveau, channel->runlist_id);
    nouveau_channel_preempt(nouveau, channel);
    machine_schedule(nouveau->machine, nouveau->unit, machine_now(nouveau->machine),
                     NOUVEAU_TEARDOWN, id);
    return true;
}

static void nouveau_channel_free(struct nouveau *nouveau, struct nouveau_channel *channel)
{
    struct nouveau_state *state = nouveau->state;
    struct address_spaces *spaces = &nouveau->machine->spaces;
    const uint64_t buffer_bytes = nouveau_buffer_bytes(nouveau);
    const bool good =
        address_space_unmap(spaces, channel->space_id, channel->buffer_va, buffer_bytes) &&
        address_space_unmap(spaces, channel->space_id, channel->context_va,
                            NOUVEAU_CONTEXT_BYTES) &&
        extent_give(&state->sysmem, channel->buffer, buffer_bytes) &&
        extent_give(&state->vram, channel->context_physical, NOUVEAU_CONTEXT_BYTES) &&
        extent_give(&state->vram, channel->instance, NV_RAMIN_BYTES);

    if (!good)
        machine_fail(nouveau->machine, ERROR_LIMIT, "too many pieces of memory");
    *channel = (struct nouveau_channel){0};
}

void nouveau_channel_teardown(struct nouveau *nouveau, uint32_t channel_id)
{
    struct machine *machine = nouveau->machine;
    struct nouveau_channel *channel = &nouveau->state->channels[channel_id];
    const uint32_t preempt = machine_read32(machine, NV_PFIFO_BASE + NV_PFIFO_PREEMPT);
    const gfe_ps waited_ps = machine_now(machine) - channel->going_since_ps;
    uint32_t thread_index;

    if (REG_GET(preempt, NV_PFIFO_PREEMPT_PENDING) &&
        REG_GET(preempt, NV_PFIFO_PREEMPT_ID) == channel->tsg_id &&
        waited_ps < machine_parameter(machine, PARAM_NOUVEAU_PREEMPT_TIMEOUT_PS)) {
        machine_schedule(machine, nouveau->unit,
                         clock_add(machine_now(machine),
                                   machine_parameter(machine, PARAM_NOUVEAU_PREEMPT_POLL_PS)),
                         NOUVEAU_TEARDOWN, channel_id);
        return;
    }
    machine_write32(machine, nouveau_ccsr(channel_id, NV_PCCSR_CHANNEL_INST), 0);
    thread_index = channel->going - 1;
    nouveau_channel_free(nouveau, channel);
    nouveau->client.call_returned(nouveau->client.context, thread_index);
}

bool nouveau_object_create(void *driver, const struct trace_object *record)
{
    struct nouveau *nouveau = driver;
    struct nouveau_channel *channel = nouveau_channel_by_user(nouveau, record->channel_id);

    /* The device object itself (class 0x80) belongs to no channel.  Older recordings have the
     * driver's own number of the software class, NVIF_CLASS_SW_GF100 (nvif/class.h). */
    if (channel && (record->class_id == NOUVEAU_SOFTWARE_CLASS ||
                    record->class_id == NOUVEAU_SOFTWARE_CLASS_NVIF))
        channel->has_software_object = 1;
    return true;
}
