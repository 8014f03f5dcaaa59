/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/live/live_nouveau.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "devices/core/core_events.h"
#include "emu/sim/live_tables.h"
#include "devices/nvidia/nv_inject.h"
#include "firmware-models/nouveau/nouveau_tables.h"

enum live_nouveau_event { LIVE_NOUVEAU_NOW };

/* nouveau_channel_idle(): 15 s. */
#define LIVE_IDLE_MAX_PS (15 * GFE_PS_PER_S)

/* ---- sites ------------------------------------------------------------------------------------
 */

static const struct inject_site nouveau_map_row = {
    .name = "map",
    .unit = "nouveau",
    .place = INJECT_PASSAGE,
    .models = INJECT_BIT(INJECT_DROP),
    .bytes = 8,
    .subject = "map",
    .doc = "an update of the page tables by the driver (drop: the memory is never mapped)"};

struct inject_sites live_nouveau_sites(struct inject_site rows[INJECT_SITES_MAX])
{
    struct inject_sites sites = nv_inject_sites;

    assert(INJECT_SITE_VENDOR + nv_inject_sites.count + 1 <= INJECT_SITES_MAX);
    sites.rows = rows;
    memcpy(rows, nv_inject_sites.rows, nv_inject_sites.count * sizeof *rows);
    rows[sites.count++] = nouveau_map_row;
    return sites;
}

/* ---- what the driver model calls back ---------------------------------------------------------
 */

static void live_nouveau_returned(void *context, uint32_t thread_index)
{
    struct live_nouveau *live = context;

    (void)thread_index;
    live->is_called = false;
}

static void live_nouveau_woke(void *context)
{
    struct live_nouveau *live = context;
    const gfe_ps now_ps = machine_now(live->machine);

    live->woken_ps = now_ps > live->base.ahead_ps ? now_ps - live->base.ahead_ps : 0;
}

static const struct trace_record *live_nouveau_record(void *context, uint32_t thread_index)
{
    const struct live_nouveau *live = context;

    (void)thread_index;
    return &live->record;
}

/* ---- making -----------------------------------------------------------------------------------
 */

static void live_nouveau_event(void *unit, const struct event *event)
{
    (void)unit, (void)event; /* LIVE_NOUVEAU_NOW: nothing comes of it */
}

static const struct unit_ops live_nouveau_unit = {.event = live_nouveau_event};

static bool live_nouveau_drive(struct live_nouveau *live, struct gfe_error *error)
{
    struct nouveau *nouveau = nouveau_new(live->machine, live->model->chip_id, error);

    if (!nouveau)
        return false;
    live->nouveau = nouveau;
    live->driver = nouveau_driver(nouveau);
    nouveau->host_memory = true;
    nouveau->record = live_nouveau_record;
    nouveau->client.context = live;
    nouveau->client.call_returned = live_nouveau_returned;
    nouveau->client.woken = live_nouveau_woke;
    return true;
}

static bool live_nouveau_wire(struct live_nouveau *live, const struct simulation_options *options,
                              struct gfe_error *error)
{
    struct machine *machine = live->machine;

    machine_add_tables(machine, &core_tables);
    live->gpu = live->model->wire(machine, live->model, error);
    if (!live->gpu || !live_nouveau_drive(live, error))
        return false;
    machine_add_tables(machine, &live_tables);
    live->base.unit = machine_add_unit(machine, "program", &live_nouveau_unit, live);
    live->sites = live_nouveau_sites(live->site_rows);
    live->map_site = inject_site_by_name(&live->sites, "map");
    live->base.inject = inject_new(machine, &live->sites);
    if (!live->base.inject)
        return error_set(error, ERROR_SYSTEM, "no memory for an emulation");
    machine->duration_sources =
        "blocks: default cost (core.block_*_cycles); draws: default cost (nv.draw_ps); "
        "copies: rates of engine, link, memory";
    machine->host = &live->host;
    (void)machine_set_choice(machine, "nouveau.recovery", "on");
    return simulation_set(machine, options, error) &&
           nouveau_check_parameters(live->nouveau, error) && machine_seal(machine, error);
}

struct live_nouveau *live_nouveau_new(const char *gpu, const struct simulation_options *options,
                                      const char *const *faults, uint32_t fault_count,
                                      const struct machine_host *host, struct gfe_error *error)
{
    const struct nv_chip *model = nv_chip_by_name(gpu);
    struct live_nouveau *live = model ? calloc(1, sizeof *live) : NULL;
    struct machine_config config = {.seed = options->seed, .log = options->log};

    if (!live) {
        if (model)
            error_set(error, ERROR_SYSTEM, "no memory for an emulation");
        else
            error_set(error, ERROR_INPUT, "there is no model of a GPU '%s'", gpu);
        return NULL;
    }
    live->model = model;
    live->host = *host;
    config.gpu = model->name;
    config.vram_bytes = model->vram_bytes;
    config.sysmem_bytes = model->sysmem_bytes;
    live->base.machine = live->machine = machine_new(&config, error);
    if (live->machine && live_nouveau_wire(live, options, error) &&
        live_machine_arm(&live->base, &live->sites, faults, fault_count, error) &&
        live_machine_head(&live->base, "nouveau", error))
        return live;
    live_nouveau_free(live);
    return NULL;
}

void live_nouveau_free(struct live_nouveau *live)
{
    if (!live)
        return;
    inject_free(live->base.inject);
    nouveau_free(live->nouveau);
    if (live->gpu)
        live->model->unwire(live->gpu);
    machine_free(live->machine);
    free(live);
}

/* ---- time -------------------------------------------------------------------------------------
 */

static void live_nouveau_news(struct live_nouveau *live)
{
    uint32_t killed_count = 0;

    for (uint32_t i = 0; i < NOUVEAU_CHANNELS_MAX; i++)
        killed_count += live->nouveau->state->channels[i].killed;
    live->is_news |= killed_count > live->killed_count;
    live->killed_count = killed_count;
}

static gfe_ps live_nouveau_advance(struct live_nouveau *live, gfe_ps now_ps)
{
    const gfe_ps at_ps = live_machine_advance(&live->base, now_ps, LIVE_NOUVEAU_NOW);

    live_nouveau_news(live);
    return at_ps;
}

/* ---- fences -----------------------------------------------------------------------------------
 */

static bool live_nouveau_killed(const struct live_nouveau *live, const struct driver_fence *fence)
{
    for (uint32_t i = 0; i < NOUVEAU_CHANNELS_MAX; i++) {
        const struct nouveau_channel *channel = &live->nouveau->state->channels[i];

        if (channel->used && channel->fence_physical == fence->address)
            return channel->killed != 0;
    }
    return true; /* it is gone */
}

/* Does its fence say that the submission is done, or will never be? */
static bool live_nouveau_reached(struct live_nouveau *live, uint32_t submission_id)
{
    struct driver_fence fence = {0};
    uint32_t value = 0;

    if (submission_id == 0 ||
        !live->driver.ops->fence(live->driver.driver, TRACE_ANY, submission_id, &fence))
        return true;
    (void)machine_read(live->machine, (enum memory_aperture)fence.aperture, fence.address, &value,
                       sizeof value);
    return (int32_t)(value - fence.value) >= 0 || live_nouveau_killed(live, &fence);
}

bool live_nouveau_is_done(struct live_nouveau *live, gfe_ps now_ps, uint32_t submission_id,
                          gfe_ps begin_ps)
{
    (void)live_nouveau_advance(live, now_ps);
    if (begin_ps >= now_ps) {
        live->driver.ops->arm(live->driver.driver);
        return live_nouveau_reached(live, submission_id);
    }
    return live->woken_ps >= begin_ps && live_nouveau_reached(live, submission_id);
}

void live_nouveau_finish(struct live_nouveau *live, gfe_ps now_ps, uint32_t submission_id)
{
    gfe_ps until_ps;

    live->base.takes_ps = 0;
    (void)live_nouveau_advance(live, now_ps);
    until_ps = clock_add(machine_now(live->machine), LIVE_IDLE_MAX_PS);
    while (!live_nouveau_reached(live, submission_id) && machine_now(live->machine) < until_ps)
        if (!live_machine_step(&live->base))
            break; /* it hangs */
    live_machine_tell_faults(&live->base);
    live_nouveau_news(live);
    live_machine_take(&live->base, now_ps);
}

/* ---- calls ------------------------------------------------------------------------------------
 */

/* Takes the record, so that it stays until the call has returned; false: that is too much. */
static bool live_nouveau_keep(struct live_nouveau *live, const struct trace_record *record)
{
    live->record = *record;
    if (record->head.kind != TRACE_SUBMIT)
        return true;
    if (record->submit.pushes.count > LIVE_PUSHES_MAX)
        return false;
    memcpy(live->pushes, record->submit.pushes.push,
           record->submit.pushes.count * sizeof live->pushes[0]);
    live->record.submit.pushes.push = live->pushes;
    return true;
}

/* Until the call returns: 0, or -EBUSY when nothing is left that would let it. */
static int live_nouveau_through(struct live_nouveau *live)
{
    while (live->is_called)
        if (!live_machine_step(&live->base))
            return -EBUSY;
    return 0;
}

static const struct nouveau_channel *live_nouveau_channel(const struct live_nouveau *live,
                                                          uint32_t user_id)
{
    return nouveau_channel_by_user(live->nouveau, user_id);
}

/* nouveau_gem_ioctl_pushbuf: ENODEV of a channel that was killed. */
static int live_nouveau_submit(struct live_nouveau *live, const struct trace_record *record)
{
    const struct nouveau_channel *channel = live_nouveau_channel(live, record->submit.channel_id);

    if (!channel)
        return -ENOENT;
    if (channel->killed)
        return -ENODEV;
    if (live_nouveau_through(live) != 0)
        return -EBUSY; /* another is stuck in a ring that is full */
    if (!live_nouveau_keep(live, record))
        return -EINVAL;
    live->is_called = true;
    if (!live->driver.ops->submit(live->driver.driver, &live->record.submit, 0))
        return -EINVAL;
    return live_nouveau_through(live);
}

static int live_nouveau_channel_end(struct live_nouveau *live, const struct trace_record *record)
{
    const gfe_ps until_ps = clock_add(machine_now(live->machine), LIVE_IDLE_MAX_PS);
    const struct nouveau_channel *channel =
        live_nouveau_channel(live, record->channel_end.channel_id);

    if (!channel)
        return -ENOENT;
    while (!channel->killed && machine_now(live->machine) < until_ps &&
           live_machine_step(&live->base))
        ;
    if (live->is_called)
        return -EBUSY;
    live->record = *record;
    live->is_called = true;
    return live->driver.ops->channel_end(live->driver.driver, &live->record.channel_end, 0)
               ? live_nouveau_through(live)
               : -EINVAL;
}

/* Page tables that an injected fault has lost are as if nothing had been mapped. */
static int live_nouveau_map(struct live_nouveau *live, const struct trace_as_map *record)
{
    const struct driver_ops *ops = live->driver.ops;
    const uint32_t number = live->map_count++;
    uint64_t va = record->va;
    bool lost;

    if (!ops->as_map(live->driver.driver, record))
        return -EINVAL;
    lost = !machine_inject(live->machine, live->base.unit, live->map_site, number, &va, sizeof va);
    if (lost)
        (void)address_space_unmap(&live->machine->spaces,
                                  live->nouveau->state->space_ids[record->as_id], record->va,
                                  record->size_bytes);
    MACHINE_LOG(live->machine, live->base.unit, EVENT_LIVE_MAP, RULE_NONE, number, record->va,
                record->size_bytes,
                record->aperture == TRACE_APERTURE_VRAM ? MEMORY_VRAM : MEMORY_SYSMEM, lost);
    return 0;
}

static int live_nouveau_call(struct live_nouveau *live, const struct trace_record *record)
{
    const struct driver_ops *ops = live->driver.ops;
    void *driver = live->driver.driver;

    switch (record->head.kind) {
    case TRACE_AS_CREATE:
        return ops->as_create(driver, &record->as_create) ? 0 : -EINVAL;
    case TRACE_AS_MAP:
        return record->as_map.as_id == TRACE_AS_OBJECTS ? -ENOSYS
                                                        : live_nouveau_map(live, &record->as_map);
    case TRACE_AS_UNMAP:
        /* What another process made is not here. */
        if (!nouveau_object_find(live->nouveau, record->as_unmap.as_id, record->as_unmap.handle))
            return 0;
        return ops->as_unmap(driver, &record->as_unmap) ? 0 : -EINVAL;
    case TRACE_CHANNEL:
        return ops->channel(driver, &record->channel) ? 0 : -EINVAL;
    case TRACE_CHANNEL_END:
        return live_nouveau_channel_end(live, record);
    case TRACE_OBJECT:
        return ops->object(driver, &record->object) ? 0 : -EINVAL;
    case TRACE_SUBMIT:
        return live_nouveau_submit(live, record);
    case TRACE_VM_INIT:
        return -ENOSYS;
    default:
        return 0;
    }
}

/* Records of which nothing comes move no time. */
static bool live_nouveau_counts(uint32_t kind)
{
    return kind == TRACE_AS_CREATE || kind == TRACE_AS_MAP || kind == TRACE_AS_UNMAP ||
           kind == TRACE_CHANNEL || kind == TRACE_CHANNEL_END || kind == TRACE_OBJECT ||
           kind == TRACE_SUBMIT || kind == TRACE_VM_INIT;
}

int live_nouveau_do(struct live_nouveau *live, gfe_ps now_ps, const struct trace_record *record)
{
    gfe_ps begin_ps;
    int result;

    live->base.takes_ps = 0;
    if (!live_nouveau_counts(record->head.kind))
        return 0;
    begin_ps = live_nouveau_advance(live, now_ps);
    result = live_nouveau_call(live, record);
    live_machine_tell_faults(&live->base);
    live_nouveau_news(live);
    live_machine_take(&live->base, now_ps);
    if (result != 0 || record->head.kind == TRACE_SUBMIT || record->head.kind == TRACE_CHANNEL_END)
        MACHINE_LOG(live->machine, live->base.unit, EVENT_LIVE_CALL, RULE_NONE, record->head.kind,
                    record->head.kind == TRACE_SUBMIT ? record->submit.channel_id : 0,
                    (uint64_t)-result, machine_now(live->machine) - begin_ps);
    live->is_news |= result != 0;
    return result;
}

bool live_nouveau_run(struct live_nouveau *live, gfe_ps now_ps, gfe_ps *next_ps,
                      struct gfe_error *error)
{
    struct machine *machine = live->machine;

    (void)live_nouveau_advance(live, now_ps);
    *next_ps = live_machine_next(&live->base);
    return !machine_failed(machine) ||
           error_set(error, machine->error.kind, "%s", machine->error.text);
}

bool live_nouveau_end(struct live_nouveau *live, gfe_ps now_ps, struct gfe_error *error)
{
    return live_machine_end(&live->base, now_ps, LIVE_NOUVEAU_NOW, error);
}
