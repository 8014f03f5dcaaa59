/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "firmware-models/bare/bare.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "devices/nvidia/nv_chip.h"
#include "firmware-models/bare/bare_tables.h"

/* ASSUMED: the first 16 MiB of video memory belong to firmware; rm's are at its end. */
#define BARE_VRAM_RESERVED (UINT64_C(16) << 20)

static void bare_event(void *unit, const struct event *event)
{
    if (event->kind == BARE_STEP)
        bare_step(unit, (uint32_t)event->argument);
    else
        bare_get_moved(unit, (uint32_t)event->argument);
}

/* Whose submission still waits for room in a ring. */
static void bare_finish(void *unit)
{
    struct bare *bare = unit;

    for (uint32_t i = 0; i < BARE_CALLS_MAX; i++) {
        const struct bare_call *call = &bare->state->calls[i];

        if (call->active && call->wait_from_ps != GFE_PS_NEVER)
            MACHINE_LOG(
                bare->machine, bare->unit, EVENT_WAIT_OPEN, RULE_BARE_RING, call->wait_from_ps,
                SUBJECT_THREAD, call->thread_index, SUBJECT_CHANNEL,
                rm_channel_full_id(bare->rm, bare->state->channels[call->channel].made - 1));
    }
}

static const struct unit_ops bare_ops = {.event = bare_event, .finish = bare_finish};

struct bare *bare_new(struct machine *machine, struct rm *rm, const struct nv_chip *model,
                      struct gfe_error *error)
{
    struct bare *bare = calloc(1, sizeof *bare);

    if (!bare) {
        error_set(error, ERROR_SYSTEM, "no memory for the bare-channel model");
        return NULL;
    }
    bare->machine = machine;
    bare->rm = rm;
    for (uint32_t i = 0; i < model->pce_count; i++)
        if (model->pce_to_lce[i] != NV_CHIP_PCE_UNUSED)
            rm->lce_mask |= UINT64_C(1) << model->pce_to_lce[i];
    machine_add_tables(machine, &bare_tables);
    bare->unit = machine_add_unit(machine, "bare", &bare_ops, bare);
    bare->state = machine_alloc(machine, sizeof *bare->state);
    extents_init(&bare->state->vram, BARE_VRAM_RESERVED,
                 machine->config.vram_bytes - BARE_VRAM_RESERVED - RM_VRAM_BYTES);
    extents_init(&bare->state->sysmem, 0, machine->config.sysmem_bytes);
    bare->state->count_page = extent_take(&bare->state->vram, MEMORY_PAGE_BYTES, MEMORY_PAGE_BYTES);
    return bare;
}

void bare_free(struct bare *bare)
{
    free(bare);
}

bool bare_check_parameters(const struct bare *bare, struct gfe_error *error)
{
    const uint64_t entries = machine_parameter(bare->machine, PARAM_BARE_RING_ENTRIES);

    if (entries < 2 || entries > BARE_RING_ENTRIES_MAX || (entries & (entries - 1)) != 0)
        return error_set(error, ERROR_USAGE,
                         "bare.ring_entries must be a power of two from 2 to %u",
                         BARE_RING_ENTRIES_MAX);
    return true;
}

const char *bare_assumed(struct bare *bare)
{
    (void)snprintf(
        bare->assumed, sizeof bare->assumed,
        "bare channels, no driver: each is alone in a TSG (BARE.TSG) of %" PRIu64
        " units of 1,024 ns (bare.timeslice_units); channels with copy objects alone are on the "
        "first runlist of copies, others on the graphics engine's (BARE.RUNLIST); rings have %" PRIu64
        " entries (bare.ring_entries, BARE.RING); a wait ends when all entries are fetched "
        "(BARE.WAIT)",
        machine_parameter(bare->machine, PARAM_BARE_TIMESLICE_UNITS),
        machine_parameter(bare->machine, PARAM_BARE_RING_ENTRIES));
    return bare->assumed;
}

/* ---- for the replay -------------------------------------------------------------------------- */

/* The entries of a submission that is still being written are not known; its channel's last that is
 * known is what there is. */
static bool bare_fence(void *driver, uint32_t channel_id, uint32_t submission_id,
                       struct driver_fence *fence)
{
    const struct bare *bare = driver;
    uint32_t best = 0;

    for (uint32_t i = 0; i < BARE_CHANNELS_MAX; i++) {
        const struct bare_channel *channel = &bare->state->channels[i];
        const uint32_t count = channel->submission_count;

        if (!channel->used || (channel_id != TRACE_ANY && channel->recorded_id != channel_id))
            continue;
        for (uint32_t n = count; n > 0 && count - n < BARE_SUBMISSIONS; n--) {
            const struct bare_submission *known = &channel->submissions[(n - 1) % BARE_SUBMISSIONS];

            if (known->submission_id <= submission_id && known->submission_id > best) {
                best = known->submission_id;
                *fence = (struct driver_fence){channel->count_physical, MEMORY_VRAM, known->end,
                                               channel->count_physical};
            }
        }
    }
    return best > 0;
}

/* Words of entries that are not fetched yet may be written over only after they are. */
static bool bare_overwrites(void *driver, const struct trace_mem *record,
                            struct driver_fence *fence)
{
    const struct bare *bare = driver;

    for (uint32_t i = 0; i < BARE_CHANNELS_MAX; i++) {
        const struct bare_channel *channel = &bare->state->channels[i];

        if (channel->used && channel->as_id == record->as_id &&
            bare_unfetched(bare, channel, record->address, record->data.length)) {
            *fence = (struct driver_fence){channel->count_physical, MEMORY_VRAM, channel->written,
                                           channel->count_physical};
            return true;
        }
    }
    return false;
}

static bool bare_locate(void *driver, uint32_t channel_id, uint64_t address,
                        struct driver_fence *place)
{
    const struct bare *bare = driver;
    const struct bare_channel *channel = bare_channel_find(bare, channel_id);
    struct address_space_range where;
    uint64_t contiguous;

    if (!channel ||
        !address_space_translate(&bare->machine->spaces, bare->state->space_ids[channel->as_id],
                                 address, &where, &contiguous))
        return false;
    place->address = where.physical;
    place->aperture = where.aperture;
    return true;
}

static bool bare_shows(void *driver, uint32_t channel_id, uint32_t as_id)
{
    const struct bare_channel *channel = bare_channel_find(driver, channel_id);

    return channel && channel->as_id == as_id;
}

/* Nothing answers interrupts, so nothing gives a channel up. */
static bool bare_lost(void *driver, const struct driver_fence *fence)
{
    (void)driver;
    (void)fence;
    return false;
}

static void bare_arm(void *driver)
{
    ((struct bare *)driver)->state->asleep = 1;
}

static bool bare_no_binds(void *driver)
{
    machine_fail(((struct bare *)driver)->machine, ERROR_INPUT,
                 "the trace binds memory itself (VM_BIND, EXEC), which bare channels do not: its "
                 "driver has to be nouveau");
    return false;
}

static bool bare_vm_init(void *driver, const struct trace_vm_init *record)
{
    (void)record;
    return bare_no_binds(driver);
}

static bool bare_vm_bind(void *driver, const struct trace_vm_bind *record, uint32_t thread_index)
{
    (void)record;
    (void)thread_index;
    return bare_no_binds(driver);
}

static bool bare_exec(void *driver, const struct trace_exec *record, uint32_t thread_index)
{
    (void)record;
    (void)thread_index;
    return bare_no_binds(driver);
}

static bool bare_syncobj(void *driver, const struct trace_syncobj *record)
{
    (void)record;
    return bare_no_binds(driver);
}

static bool bare_submitted(void *driver, const struct trace_record *record)
{
    (void)driver;
    (void)record;
    return true;
}

static bool bare_wait_over(void *driver, const struct trace_syncobj_wait *record,
                           uint32_t *submission_id)
{
    (void)record;
    *submission_id = 0;
    return !bare_no_binds(driver);
}

static const struct driver_ops bare_driver_ops = {
    .name = "bare",
    .as_create = bare_as_create,
    .as_map = bare_as_map,
    .as_unmap = bare_as_unmap,
    .channel = bare_channel,
    .channel_end = bare_channel_end,
    .object = bare_object,
    .overwrites = bare_overwrites,
    .store = bare_store,
    .submit = bare_submit,
    .vm_init = bare_vm_init,
    .vm_bind = bare_vm_bind,
    .exec = bare_exec,
    .syncobj = bare_syncobj,
    .submitted = bare_submitted,
    .wait_over = bare_wait_over,
    .shows = bare_shows,
    .fence = bare_fence,
    .lost = bare_lost,
    .arm = bare_arm,
    .locate = bare_locate,
};

struct driver bare_driver(struct bare *bare)
{
    return (struct driver){.ops = &bare_driver_ops, .driver = bare};
}
