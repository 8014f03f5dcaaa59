/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/live/live_kfd.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "devices/amd/amd_inject.h"
#include "devices/amd/amd_tables.h"
#include "emu/sim/live_tables.h"

/* ---- sites ------------------------------------------------------------------------------------
 */

static const struct inject_field map_fields[] = {
    {"va", 63, 0}, {"bytes", 127, 64}, {"aperture", 159, 128}, {NULL, 0, 0}};

static const struct inject_site live_map_row = {
    .name = "map",
    .place = INJECT_PASSAGE,
    .models = INJECT_CHANGES | INJECT_BIT(INJECT_DROP),
    .bytes = 24,
    .subject = "map",
    .fields = map_fields,
    .doc = "an update of the page tables by the driver (drop: the memory is never mapped)"};

struct inject_sites live_kfd_sites(struct inject_site rows[INJECT_SITES_MAX])
{
    struct inject_sites sites = amd_inject_sites;

    assert(INJECT_SITE_VENDOR + amd_inject_sites.count + 1 <= INJECT_SITES_MAX);
    sites.rows = rows;
    memcpy(rows, amd_inject_sites.rows, amd_inject_sites.count * sizeof *rows);
    rows[sites.count++] = live_map_row;
    return sites;
}

/* ---- what the node asks of the program --------------------------------------------------------
 */

static void live_done(void *client, enum kfd_result result)
{
    struct live_kfd *live = client;

    live->is_called = false;
    live->called = result;
}

static void live_interrupt(void *client, uint32_t space_id, uint32_t event_id)
{
    struct live_kfd *live = client;

    if (space_id == live->space_id && !live->base.is_over)
        live->program.event(live->program.program, event_id);
}

static uint32_t live_except(struct live_kfd *live, const struct live_exception *exception)
{
    uint32_t count;

    if (live->base.is_over)
        return 0;
    count = live->program.exception(live->program.program, exception);
    live->was_exception = true;
    MACHINE_LOG(live->machine, live->unit, EVENT_LIVE_EXCEPTION, RULE_NONE, exception->type, count,
                exception->address);
    return count;
}

static uint32_t live_exception(void *client, uint32_t space_id, uint32_t type)
{
    enum { NOT_PRESENT = 3, WRITE = 5 }; /* bits of ring_id: event_interrupt_wq_v9() */
    struct live_kfd *live = client;
    const struct amdgpu_state *amdgpu = live->node.amdgpu.state;
    struct live_exception exception = {.type = type,
                                       .is_reset = live->node.kfd->state->resets != 0};

    if (!exception.is_reset) {
        exception.address = amdgpu->exception_address;
        exception.not_present = amdgpu->exception_ring >> NOT_PRESENT & 1;
        exception.read_only = amdgpu->exception_ring >> WRITE & 1;
    }
    return space_id == live->space_id ? live_except(live, &exception) : 0;
}

static void live_kernel(void *client, const struct amd_mec_kernel *kernel, struct amd_cost *cost)
{
    struct live_kfd *live = client;

    (void)cost;
    if (kernel->space_id == live->space_id && !live->base.is_over)
        live->program.kernel(live->program.program, kernel->address, kernel->arguments);
}

/* ---- the unit ---------------------------------------------------------------------------------
 */

static void live_start(void *unit)
{
    struct live_kfd *live = unit;

    amd_node_start(&live->node);
    live->process = kfd_process_open(live->node.kfd, 0);
}

static void live_on_event(void *unit, const struct event *event)
{
    struct live_kfd *live = unit;

    if (event->kind == LIVE_RING)
        live_kfd_ring_now(live);
}

static const struct unit_ops live_unit = {.event = live_on_event, .start = live_start};

/* ---- making -----------------------------------------------------------------------------------
 */

static bool live_wire(struct live_kfd *live, const struct simulation_options *options,
                      struct gfe_error *error)
{
    struct machine *machine = live->machine;

    if (!amd_node_wire(&live->node, machine, live->chip))
        return error_set(error, ERROR_SYSTEM, "no memory for an emulation");
    machine_add_tables(machine, &live_tables);
    live->unit = machine_add_unit(machine, "program", &live_unit, live);
    live->sites = live_kfd_sites(live->site_rows);
    live->map_site = inject_site_by_name(&live->sites, "map");
    live->base.unit = live->unit;
    live->base.inject = inject_new(machine, &live->sites);
    if (!live->base.inject)
        return error_set(error, ERROR_SYSTEM, "no memory for an emulation");
    machine->duration_sources = "blocks: amd.block_ps; copies: figures of the GPU";
    live->host.context = live->program.program;
    live->host.read = live->program.read;
    live->host.write = live->program.write;
    machine->host = &live->host;
    live->node.done = live_done;
    live->node.interrupt = live_interrupt;
    live->node.exception = live_exception;
    live->node.cost = live_kernel;
    live->node.client = live;
    if (!simulation_set(machine, options, error) || !machine_seal(machine, error))
        return false;
    live->space_id = address_space_new(&machine->spaces, MEMORY_VRAM, 0);
    return live->space_id != ADDRESS_SPACE_NONE ||
           error_set(error, ERROR_SYSTEM, "no memory for an emulation");
}

struct live_kfd *live_kfd_new(const char *gpu, const struct simulation_options *options,
                              const char *const *faults, uint32_t fault_count,
                              const struct live_program *program, struct gfe_error *error)
{
    const struct amd_chip *chip = amd_chip_by_name(gpu);
    struct live_kfd *live = chip ? calloc(1, sizeof *live) : NULL;
    struct machine_config config = {.seed = options->seed, .log = options->log};

    if (!live) {
        if (chip)
            error_set(error, ERROR_SYSTEM, "no memory for an emulation");
        else
            error_set(error, ERROR_INPUT, "there is no model of an AMD GPU '%s'", gpu);
        return NULL;
    }
    live->chip = chip;
    live->program = *program;
    config.gpu = chip->name;
    config.vram_bytes = chip->vram_bytes;
    config.sysmem_bytes = chip->sysmem_bytes;
    config.range_capacity = LIVE_MAPS_MAX;
    live->base.machine = live->machine = machine_new(&config, error);
    if (live->machine && live_wire(live, options, error) &&
        live_machine_arm(&live->base, &live->sites, faults, fault_count, error) &&
        live_machine_head(&live->base, "kfd", error))
        return live;
    live_kfd_free(live);
    return NULL;
}

void live_kfd_free(struct live_kfd *live)
{
    if (!live)
        return;
    if (live->node.machine)
        amd_node_unwire(&live->node);
    inject_free(live->base.inject);
    machine_free(live->machine);
    free(live);
}

/* ---- running ----------------------------------------------------------------------------------
 */

gfe_ps live_kfd_advance(struct live_kfd *live, gfe_ps now_ps)
{
    return live_machine_advance(&live->base, now_ps, LIVE_NOW);
}

/* No earlier than any time stamp that was written, no later than any that will be of what the
 * program asks for from now on. */
uint64_t live_kfd_clock(const struct live_kfd *live, gfe_ps now_ps)
{
    const struct clock_domain clock = {.frequency_hz = live->chip->reference_hz};

    return clock_cycle_at(&clock, live_machine_time(&live->base, now_ps));
}

/* Before it can end the program. */
void live_kfd_flush_exception(struct live_kfd *live)
{
    if (live->was_exception && live->machine->log.writer) {
        live_machine_tell_faults(&live->base);
        event_log_flush(&live->machine->log);
    }
    live->was_exception = false;
}

bool live_kfd_run(struct live_kfd *live, gfe_ps now_ps, gfe_ps *next_ps, bool *waits,
                  struct gfe_error *error)
{
    struct machine *machine = live->machine;
    gfe_ps next;

    (void)live_kfd_advance(live, now_ps);
    *waits = live_kfd_look(live);
    next = event_queue_next_ps(&machine->queue);
    if (next <= machine_now(machine))
        (void)live_kfd_advance(live, now_ps);
    *next_ps = live_machine_next(&live->base);
    live_kfd_flush_exception(live);
    return !machine_failed(machine) ||
           error_set(error, machine->error.kind, "%s", machine->error.text);
}

bool live_kfd_end(struct live_kfd *live, gfe_ps now_ps, struct gfe_error *error)
{
    if (!live->machine->state->ended) {
        (void)live_kfd_advance(live, now_ps);
        (void)live_kfd_look(live); /* at the program's last stores */
    }
    return live_machine_end(&live->base, now_ps, LIVE_NOW, error);
}
