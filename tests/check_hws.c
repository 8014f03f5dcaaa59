/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/check_hws.h"

#include <stdio.h>
#include <stdlib.h>

#include "firmware-models/kfd/kfd_tables.h"

enum { CHECK_LEFT, CHECK_PUMP }; /* events */
enum { CHECK_PUMP_PS = 1000000 };

static void must(bool so, const char *what)
{
    if (!so) {
        fprintf(stderr, "check_hws: %s\n", what);
        abort();
    }
}

/* ---- the micro engine ------------------------------------------------------------------------ */

static void check_map(void *unit, const struct hws_queue *queue, const struct hws_place *place)
{
    struct check_hws *check = unit;
    const uint32_t at = place->pipe * HWS_SLOTS_MAX + place->slot;

    check->wrong += at >= CHECK_HWS_SLOTS || check->slots[at % CHECK_HWS_SLOTS].used ||
                    (check->hws.state->slot_mask >> at & 1) == 0;
    check->slots[at % CHECK_HWS_SLOTS] = (struct check_hws_slot){.used = true,
                                                                 .doorbell = queue->doorbell,
                                                                 .pasid = place->pasid,
                                                                 .vmid = place->vmid,
                                                                 .mqd_address = queue->mqd_address};
}

static void check_left(struct check_hws *check, uint32_t at)
{
    check->slots[at].used = false;
    hws_left(&check->hws, at / HWS_SLOTS_MAX, at % HWS_SLOTS_MAX);
}

static void check_preempt(void *unit, const struct hws_place *place, bool reset)
{
    struct check_hws *check = unit;
    const uint32_t at = place->pipe * HWS_SLOTS_MAX + place->slot;

    check->resets += reset;
    check->wrong += !check->slots[at].used;
    if (check->slots[at].doorbell == check->stuck_doorbell)
        return;
    if (check->leave_ps == 0)
        check_left(check, at);
    else
        machine_schedule(check->machine, check->unit, machine_now(check->machine) + check->leave_ps,
                         CHECK_LEFT, at);
}

static bool check_busy(void *unit, const struct hws_queue *queue, const struct hws_place *place)
{
    (void)queue;
    (void)place;
    return ((struct check_hws *)unit)->busy;
}

static void check_refused(void *unit, const struct hws_queue *queue, uint32_t index)
{
    hws_packet_refused(&((struct check_hws *)unit)->packets, queue, index);
}

static void check_pump_later(struct check_hws *check)
{
    (void)machine_cancel(check->machine, check->unit, CHECK_PUMP);
    machine_schedule(check->machine, check->unit, machine_now(check->machine) + CHECK_PUMP_PS,
                     CHECK_PUMP, 0);
}

static void check_unmapped(void *unit)
{
    struct check_hws *check = unit;

    if (check->ring_dwords)
        check_pump_later(check);
}

static const struct hws_ops check_ops = {check_map,     check_preempt,  check_busy,
                                         check_refused, check_unmapped, NULL};

/* ---- the driver's ring ----------------------------------------------------------------------- */

static void check_pump(struct check_hws *check)
{
    while (check->rptr < check->wptr) {
        const uint32_t at = (uint32_t)(check->rptr % check->ring_dwords);
        uint32_t dwords[HWS_PACKET_DWORDS_MAX], used;
        uint32_t count = check->ring_dwords - at;

        if (count > check->wptr - check->rptr)
            count = (uint32_t)(check->wptr - check->rptr);
        if (count > HWS_PACKET_DWORDS_MAX)
            count = HWS_PACKET_DWORDS_MAX;
        for (uint32_t i = 0; i < count; i++)
            dwords[i] = check_hws_peek(check, check->ring + 4 * (uint64_t)(at + i));
        check->result = hws_packet_read(&check->packets, dwords, count, &used);
        if (check->result != HWS_PACKET_DONE)
            return;
        check->rptr += used;
        check_hws_poke(check, check->read_pointer, &(uint32_t){(uint32_t)check->rptr}, 1);
    }
}

void check_hws_ring(struct check_hws *check, uint64_t wptr)
{
    check->wptr = wptr;
    check_pump_later(check);
}

static void check_event(void *unit, const struct event *event)
{
    struct check_hws *check = unit;

    if (event->kind == CHECK_LEFT)
        check_left(check, (uint32_t)event->argument);
    else
        check_pump(check);
}

static const struct unit_ops check_unit_ops = {.event = check_event};

enum hws_packet_result check_hws_packets(struct check_hws *check, const uint32_t *dwords,
                                         uint32_t count)
{
    uint32_t used;

    for (uint32_t at = 0; at < count; at += used) {
        check->result = hws_packet_read(&check->packets, dwords + at, count - at, &used);
        if (check->result != HWS_PACKET_DONE)
            break;
    }
    return check->result;
}

/* ---- the fixture ----------------------------------------------------------------------------- */

void check_hws_begin(struct check_hws *check)
{
    const struct machine_config config = {.gpu = "test",
                                          .vram_bytes = 4096,
                                          .sysmem_bytes = CHECK_HWS_BYTES,
                                          .event_capacity = 4096,
                                          .range_capacity = 64};
    struct gfe_error error = {0};

    *check = (struct check_hws){.stuck_doorbell = HWS_NONE};
    check->machine = check->log.machine = machine_new(&config, &error);
    must(check->machine != NULL, "no machine");
    machine_add_tables(check->machine, &emu_tables);
    machine_add_tables(check->machine, &kfd_tables);
    check->unit = machine_add_unit(check->machine, "mec", &check_unit_ops, check);
    hws_add(&check->hws, check->machine, HWS_PIPES_MAX, &check_ops, check);
    hws_packet_add(&check->packets, &check->hws);
}

void check_hws_seal(struct check_hws *check, uint64_t slot_mask)
{
    struct gfe_error error = {0};

    must(machine_seal(check->machine, &error), error.text);
    check->space_id = address_space_new(&check->machine->spaces, MEMORY_SYSMEM, 0);
    must(address_space_map(&check->machine->spaces,
                           &(struct address_space_range){.va = CHECK_HWS_VA,
                                                         .size_bytes = CHECK_HWS_BYTES,
                                                         .space_id = check->space_id,
                                                         .aperture = MEMORY_SYSMEM}) ==
             ADDRESS_SPACE_OK,
         "no mapping");
    hws_packet_begin(&check->packets, check->space_id, 0);
    hws_set_resources(&check->hws, 0xff00, slot_mask, 40);
}

void check_hws_end(struct check_hws *check)
{
    free(check->log.events);
    machine_free(check->machine);
    *check = (struct check_hws){0};
}

void check_hws_run(struct check_hws *check, gfe_ps until_ps)
{
    must(machine_run(check->machine, until_ps), check->machine->error.text);
}

void check_hws_poke(struct check_hws *check, uint64_t va, const uint32_t *dwords, uint32_t count)
{
    uint64_t fault;

    must(machine_vm_write(check->machine, check->space_id, va, dwords, 4 * (size_t)count, &fault),
         "a store outside memory");
}

uint32_t check_hws_peek(struct check_hws *check, uint64_t va)
{
    uint32_t value;
    uint64_t fault;

    must(machine_vm_read(check->machine, check->space_id, va, &value, sizeof value, &fault),
         "a load outside memory");
    return value;
}

uint32_t check_hws_used(const struct check_hws *check)
{
    uint32_t used = 0;

    for (uint32_t i = 0; i < CHECK_HWS_SLOTS; i++)
        used += check->slots[i].used;
    return used;
}

uint32_t check_hws_slot_of(const struct check_hws *check, uint32_t doorbell)
{
    for (uint32_t i = 0; i < CHECK_HWS_SLOTS; i++)
        if (check->slots[i].used && check->slots[i].doorbell == doorbell)
            return i;
    return HWS_NONE;
}
