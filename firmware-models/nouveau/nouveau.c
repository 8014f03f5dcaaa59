/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "firmware-models/nouveau/nouveau.h"

#include <assert.h>
#include <stdlib.h>

#include "devices/nvidia/formats/nv_fe_regs.h"
#include "devices/nvidia/formats/nv_pbdma_regs.h"
#include "devices/nvidia/formats/nv_ram.h"
#include "devices/nvidia/formats/nv_regs.h"
#include "firmware-models/nouveau/nouveau_tables.h"

/* ASSUMED: where the driver puts things. */
#define NOUVEAU_VRAM_RESERVED (UINT64_C(16) << 20) /* left to firmware */
#define NOUVEAU_BAR1_USERD    UINT64_C(0x100000)

bool nouveau_check_parameters(const struct nouveau *nouveau, struct gfe_error *error)
{
    const struct machine *machine = nouveau->machine;
    const uint64_t entries = machine_parameter(machine, PARAM_NOUVEAU_RING_ENTRIES);

    /* One entry always stays free, so that a full ring does not look empty. */
    if (entries < 2 || entries > NOUVEAU_RING_ENTRIES_MAX || (entries & (entries - 1)) != 0)
        return error_set(error, ERROR_USAGE,
                         "nouveau.ring_entries must be a power of two from 2 to %u",
                         NOUVEAU_RING_ENTRIES_MAX);
    if (machine_parameter(machine, PARAM_NOUVEAU_POLL_PS) == 0)
        return error_set(error, ERROR_USAGE, "nouveau.poll_ps must not be 0: time would stand");
    if (machine_parameter(machine, PARAM_NOUVEAU_TIMESLICE_TIMEOUT) > 0xff ||
        machine_parameter(machine, PARAM_NOUVEAU_TIMESLICE_SCALE) > 0xf)
        return error_set(error, ERROR_USAGE,
                         "nouveau.timeslice_timeout is at most 255, nouveau.timeslice_scale 15: "
                         "the fields of a runlist entry");
    return true;
}

static void nouveau_event(void *unit, const struct event *event);
static void nouveau_start(void *unit);
static void nouveau_finish(void *unit);

static const struct unit_ops nouveau_ops = {
    .event = nouveau_event,
    .interrupt = nouveau_interrupt,
    .start = nouveau_start,
    .finish = nouveau_finish,
};

struct nouveau *nouveau_new(struct machine *machine, uint32_t chip_id, struct gfe_error *error)
{
    const struct nouveau_chip *chip = nouveau_chip_find(chip_id);
    struct nouveau *nouveau = chip ? calloc(1, sizeof *nouveau) : NULL;

    if (!chip) {
        error_set(error, ERROR_USAGE, "the driver model does not know chip 0x%x", chip_id);
        return NULL;
    }
    if (!nouveau) {
        error_set(error, ERROR_SYSTEM, "no memory for the driver model");
        return NULL;
    }
    nouveau->chip = chip;
    nouveau->machine = machine;
    machine_add_tables(machine, &nouveau_tables);
    nouveau->unit = machine_add_unit(machine, "nouveau", &nouveau_ops, nouveau);
    machine->interrupt_unit = nouveau->unit;
    nouveau->state = machine_alloc(machine, sizeof *nouveau->state);
    extents_init(&nouveau->state->vram, NOUVEAU_VRAM_RESERVED,
                 machine->config.vram_bytes - NOUVEAU_VRAM_RESERVED);
    extents_init(&nouveau->state->sysmem, 0, machine->config.sysmem_bytes);
    return nouveau;
}

void nouveau_free(struct nouveau *nouveau)
{
    free(nouveau);
}

void nouveau_poke(struct nouveau *nouveau, enum memory_aperture aperture, uint64_t address,
                  uint32_t value)
{
    (void)machine_write(nouveau->machine, aperture, address, &value, sizeof value);
}

/* ---- start-up -------------------------------------------------------------------------------- */

/* One pool of USERD for all channels, seen through BAR1 (gk104_fifo_init). */
static void nouveau_start_userd(struct nouveau *nouveau, uint32_t channel_count)
{
    struct nouveau_state *state = nouveau->state;
    const uint64_t bytes = (uint64_t)channel_count * NV_RAMUSERD_BYTES;
    const struct address_space_range range = {
        .va = NOUVEAU_BAR1_USERD,
        .size_bytes = bytes,
        .physical = extent_take(&state->vram, bytes, MEMORY_PAGE_BYTES),
        .space_id = 0,
        .aperture = MEMORY_VRAM,
    };

    state->userd_pool = range.physical;
    state->userd_bar1 = range.va;
    if (address_space_map(&nouveau->machine->spaces, &range) != ADDRESS_SPACE_OK)
        machine_fail(nouveau->machine, ERROR_LIMIT, "BAR1 has no room for USERD");
    if (nouveau->chip->doorbell == 0)
        machine_write32(nouveau->machine, NV_PFIFO_BASE + NV_PFIFO_BAR1_BASE,
                        REG_PUT((uint32_t)(range.va >> 12), NV_PFIFO_BAR1_BASE_VALID, 1));
}

static void nouveau_start_pbdma(struct nouveau *nouveau, uint32_t pbdma_id)
{
    struct machine *machine = nouveau->machine;
    const uint32_t base = NV_PPBDMA_BASE(pbdma_id);

    machine_write32(machine, base + NV_PPBDMA_INTR_STALL,
                    machine_read32(machine, base + NV_PPBDMA_INTR_STALL) & ~UINT32_C(0x10000100));
    machine_write32(machine, base + NV_PPBDMA_INTR_0, UINT32_MAX);
    machine_write32(machine, base + NV_PPBDMA_INTR_EN_0, 0xfffffeff);
    machine_write32(machine, base + NV_PPBDMA_INTR_1, UINT32_MAX);
    machine_write32(machine, base + NV_PPBDMA_INTR_EN_1, UINT32_MAX);
}

static void nouveau_start(void *unit)
{
    struct nouveau *nouveau = unit;
    struct machine *machine = nouveau->machine;
    struct nouveau_state *state = nouveau->state;
    const uint32_t channels =
        REG_GET(machine_read32(machine, NV_PFIFO_BASE + NV_PFIFO_CFG1), NV_PFIFO_CFG1_NUM_CHANNELS);
    const uint32_t pbdmas =
        REG_GET(machine_read32(machine, NV_PFIFO_BASE + NV_PFIFO_CFG0), NV_PFIFO_CFG0_NUM_PBDMA);

    machine_write32(machine, NV_PMC_BASE + NV_PMC_PBDMA_ENABLE, (1u << pbdmas) - 1);
    for (uint32_t i = 0; i < pbdmas; i++)
        nouveau_start_pbdma(nouveau, i);
    nouveau_start_userd(nouveau, channels);
    machine_write32(machine, NV_PFIFO_BASE + NV_PFIFO_FB_TIMEOUT,
                    machine_read32(machine, NV_PFIFO_BASE + NV_PFIFO_FB_TIMEOUT) | 0xbfffffff);
    machine_write32(machine, NV_PFIFO_BASE + NV_PFIFO_INTR_0, UINT32_MAX);
    machine_write32(machine, NV_PFIFO_BASE + NV_PFIFO_INTR_EN_0, 0x7fffffff);
    nouveau_top_read(nouveau);
    nouveau_faults_start(nouveau);
    machine_write32(machine, NV_PGRAPH_BASE + NV_PGRAPH_INTR, UINT32_MAX);
    machine_write32(machine, NV_PGRAPH_BASE + NV_PGRAPH_INTR_EN, UINT32_MAX);
    /* Two lists for each runlist, used in turn; one page each holds 512 entries. */
    for (uint32_t i = 0; i < NOUVEAU_RUNLISTS; i++)
        state->runlist_memory[i] =
            extent_take(&state->vram, UINT64_C(2) * MEMORY_PAGE_BYTES, MEMORY_PAGE_BYTES);
    state->fence_memory =
        extent_take(&state->vram, UINT64_C(16) * NOUVEAU_CHANNELS_MAX, MEMORY_PAGE_BYTES);
}

/* ---- for the replay -------------------------------------------------------------------------- */

static bool nouveau_fence(void *driver, uint32_t channel_id, uint32_t submission_id,
                          struct driver_fence *fence)
{
    struct nouveau *nouveau = driver;
    uint32_t best = 0;

    for (uint32_t i = 0; i < NOUVEAU_CHANNELS_MAX; i++) {
        const struct nouveau_channel *channel = &nouveau->state->channels[i];

        uint32_t ahead, in_flight = 0;

        if (!channel->used || (channel_id != TRACE_ANY && channel->user_id != channel_id))
            continue;
        ahead = nouveau_in_flight(nouveau, channel, submission_id, &in_flight);
        if (in_flight > best) {
            best = in_flight;
            *fence = (struct driver_fence){channel->fence_physical, MEMORY_VRAM,
                                           channel->fence_value + ahead, channel->fence_va};
        }
        if (in_flight > 0)
            continue;
        for (uint32_t value = channel->fence_value;
             value > 0 && value + NOUVEAU_FENCES > channel->fence_value; value--) {
            const uint32_t submission = channel->fence_submissions[value % NOUVEAU_FENCES];

            if (submission <= submission_id) {
                if (submission > best) {
                    best = submission;
                    *fence = (struct driver_fence){channel->fence_physical, MEMORY_VRAM, value,
                                                   channel->fence_va};
                }
                break;
            }
        }
    }
    return best > 0;
}

static bool nouveau_lost(void *driver, const struct driver_fence *fence)
{
    const struct nouveau *nouveau = driver;

    for (uint32_t i = 0; i < NOUVEAU_CHANNELS_MAX; i++)
        if (nouveau->state->channels[i].killed &&
            nouveau->state->channels[i].fence_physical == fence->address)
            return true;
    return false;
}

void nouveau_arm(void *driver)
{
    struct nouveau *nouveau = driver;
    const uint32_t address = NV_PFIFO_BASE + NV_PFIFO_INTR_EN_0;
    const uint32_t enabled = machine_read32(nouveau->machine, address);

    if (!REG_GET(enabled, NV_PFIFO_INTR_0_CHANNEL_INTR))
        machine_write32(nouveau->machine, address,
                        REG_PUT(enabled, NV_PFIFO_INTR_0_CHANNEL_INTR, 1));
}

static bool nouveau_locate(void *driver, uint32_t channel_id, uint64_t address,
                           struct driver_fence *place)
{
    struct nouveau *nouveau = driver;
    const struct nouveau_channel *channel = nouveau_channel_by_user(nouveau, channel_id);
    struct address_space_range where;
    uint64_t contiguous;

    if (!channel || !address_space_translate(&nouveau->machine->spaces, channel->space_id, address,
                                             &where, &contiguous))
        return false;
    place->address = where.physical;
    place->aperture = where.aperture;
    return true;
}

static bool nouveau_shows(void *driver, uint32_t channel_id, uint32_t as_id)
{
    const struct nouveau_channel *channel = nouveau_channel_by_user(driver, channel_id);

    return channel && channel->as_id == as_id;
}

static const struct driver_ops nouveau_driver_ops = {
    .name = "nouveau",
    .as_create = nouveau_as_create,
    .as_map = nouveau_as_map,
    .as_unmap = nouveau_as_unmap,
    .channel = nouveau_channel_create,
    .channel_end = nouveau_channel_destroy,
    .object = nouveau_object_create,
    .overwrites = nouveau_overwrites,
    .store = nouveau_store,
    .submit = nouveau_submit,
    .vm_init = nouveau_vm_init,
    .vm_bind = nouveau_vm_bind,
    .exec = nouveau_exec,
    .syncobj = nouveau_syncobj,
    .submitted = nouveau_syncs_submitted,
    .wait_over = nouveau_syncobj_wait_over,
    .shows = nouveau_shows,
    .reports = nouveau_reports,
    .fence = nouveau_fence,
    .lost = nouveau_lost,
    .arm = nouveau_arm,
    .locate = nouveau_locate,
};

struct driver nouveau_driver(struct nouveau *nouveau)
{
    return (struct driver){.ops = &nouveau_driver_ops, .driver = nouveau};
}

static void nouveau_woken(struct nouveau *nouveau)
{
    nouveau->state->jobs.wake_pending = 0;
    nouveau->client.woken(nouveau->client.context);
}

static void nouveau_event(void *unit, const struct event *event)
{
    struct nouveau *nouveau = unit;

    if (event->kind == NOUVEAU_SUBMIT_STEP)
        nouveau_submit_step(unit);
    else if (event->kind == NOUVEAU_RING_MOVED)
        nouveau_ring_moved(unit);
    else if (event->kind == NOUVEAU_TEARDOWN)
        nouveau_channel_teardown(unit, (uint32_t)event->argument);
    else if (event->kind == NOUVEAU_JOB_STEP)
        nouveau_job_step(unit, (uint32_t)event->argument);
    else if (event->kind == NOUVEAU_BIND_CALL)
        nouveau_bind_call(unit, (uint32_t)event->argument);
    else if (event->kind == NOUVEAU_BIND_RETURN)
        nouveau->client.call_returned(nouveau->client.context, (uint32_t)event->argument);
    else if (event->kind == NOUVEAU_WAKE)
        nouveau_woken(nouveau);
    else if (event->kind == NOUVEAU_RECOVER)
        nouveau_recover_step(unit, (uint32_t)event->argument);
    else
        nouveau_interrupt_handler(unit);
}

static void nouveau_finish(void *unit)
{
    nouveau_submit_finish(unit);
    nouveau_jobs_finish(unit);
}
