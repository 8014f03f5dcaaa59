/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/replay/replay_bus.h"

#include <inttypes.h>

static bool bus_wrong(struct machine *machine, const char *what, uint64_t number)
{
    machine_fail(machine, ERROR_INPUT, "%s (0x%" PRIx64 ")", what, number);
    return false;
}

/* ---- registers ------------------------------------------------------------------------------- */

/* Registers are words; eight bytes are two of them, the lower first. */
static bool bus_access_fits(struct machine *machine, uint8_t bar, uint64_t offset,
                            uint8_t size_bytes)
{
    if (bar >= MACHINE_BARS)
        return bus_wrong(machine, "an access to a BAR that the GPU does not have", bar);
    if ((size_bytes != 4 && size_bytes != 8) || offset % 4)
        return bus_wrong(machine, "an access that is not of whole aligned words", offset);
    if (bar == 0 && offset > UINT32_MAX - size_bytes + 1)
        return bus_wrong(machine, "an access beyond the end of BAR0", offset);
    return true;
}

static void bus_write_word(struct machine *machine, uint32_t unit, uint8_t bar, uint64_t offset,
                           uint32_t value)
{
    MACHINE_LOG_ORIGIN(machine, unit, EVENT_MMIO_WRITE, RULE_NONE, ORIGIN_RECORDED, bar, offset,
                       value);
    if (bar == 0)
        machine_write32(machine, (uint32_t)offset, value);
    else
        machine_bar1_write32(machine, offset, value);
}

static bool bus_write(struct machine *machine, uint32_t unit, const struct trace_mmio_write *write)
{
    if (!bus_access_fits(machine, write->bar, write->offset, write->size_bytes))
        return false;
    for (uint32_t at = 0; at < write->size_bytes; at += 4)
        bus_write_word(machine, unit, write->bar, write->offset + at,
                       (uint32_t)(write->value >> 8 * at));
    return true;
}

static void bus_read_word(struct machine *machine, uint32_t unit, uint8_t bar, uint64_t offset,
                          uint32_t recorded)
{
    const uint32_t found =
        bar == 0 ? machine_read32(machine, (uint32_t)offset) : machine_bar1_read32(machine, offset);

    MACHINE_LOG_ORIGIN(machine, unit, EVENT_MMIO_READ, RULE_NONE, ORIGIN_RECORDED, bar, offset,
                       found, recorded, found != recorded);
}

static bool bus_read(struct machine *machine, uint32_t unit, const struct trace_mmio_read *read)
{
    if (!bus_access_fits(machine, read->bar, read->offset, read->size_bytes))
        return false;
    for (uint32_t at = 0; at < read->size_bytes; at += 4)
        bus_read_word(machine, unit, read->bar, read->offset + at,
                      (uint32_t)(read->value >> 8 * at));
    return true;
}

static bool bus_doorbell(struct machine *machine, const struct trace_doorbell *doorbell)
{
    return machine_doorbell(machine, doorbell->channel_id, doorbell->value) ||
           bus_wrong(machine, "a doorbell of a GPU that has none", doorbell->channel_id);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static bool bus_mem(struct machine *machine, uint32_t unit, const struct trace_mem *mem)
{
    const enum memory_aperture aperture =
        mem->as_id == TRACE_AS_PHYSICAL ? MEMORY_VRAM : MEMORY_SYSMEM;

    if (!trace_as_is_physical(mem->as_id))
        return bus_wrong(machine, "memory of an address space: at layer BUS it is physical",
                         mem->as_id);
    if (!machine_write(machine, aperture, mem->address, mem->data.data, mem->data.length))
        return bus_wrong(machine, "memory beyond the end of what the GPU has", mem->address);
    MACHINE_LOG_ORIGIN(machine, unit, EVENT_MEM_WRITE, RULE_NONE, ORIGIN_RECORDED, aperture,
                       mem->address, mem->data.length);
    return true;
}

/* The space whose root lies in that page of video memory; BAR1 is space 0 from the start. */
static uint32_t bus_space(struct machine *machine, uint32_t as_id)
{
    const uint64_t root = (uint64_t)as_id * MEMORY_PAGE_BYTES;
    uint32_t space_id;

    if (as_id == 0)
        return 0;
    space_id = address_space_by_root(&machine->spaces, MEMORY_VRAM, root);
    return space_id != ADDRESS_SPACE_NONE ? space_id
                                          : address_space_new(&machine->spaces, MEMORY_VRAM, root);
}

static bool bus_map(struct machine *machine, const struct trace_as_map *map)
{
    const struct address_space_range range = {
        .va = map->va,
        .size_bytes = map->size_bytes,
        .physical = map->object_offset,
        .space_id = bus_space(machine, map->as_id),
        .aperture = map->aperture == TRACE_APERTURE_SYSMEM ? MEMORY_SYSMEM : MEMORY_VRAM,
        .page_kind = map->tile_flags >> 8 & 0xff,
    };

    if (range.space_id == ADDRESS_SPACE_NONE)
        return bus_wrong(machine, "too many address spaces", map->as_id);
    if (map->size_bytes == 0 || map->va + map->size_bytes < map->va)
        return bus_wrong(machine, "a mapping of no size, or beyond the last address", map->va);
    switch (address_space_map(&machine->spaces, &range)) {
    case ADDRESS_SPACE_OK:
        return true;
    case ADDRESS_SPACE_OVERLAP:
        return bus_wrong(machine, "something is mapped there already", map->va);
    case ADDRESS_SPACE_MISALIGNED:
        return bus_wrong(machine, "a mapping is not of whole pages", map->va);
    default:
        return bus_wrong(machine, "too many pieces of memory are mapped", map->va);
    }
}

static bool bus_unmap(struct machine *machine, const struct trace_as_unmap *unmap)
{
    const uint32_t space_id = bus_space(machine, unmap->as_id);

    return (space_id != ADDRESS_SPACE_NONE &&
            address_space_unmap(&machine->spaces, space_id, unmap->va, unmap->size_bytes)) ||
           bus_wrong(machine, "what is to be unmapped is not of whole pages", unmap->va);
}

bool replay_bus_apply(struct machine *machine, uint32_t unit, const struct trace_record *record)
{
    switch (record->head.kind) {
    case TRACE_MMIO_WRITE:
        return bus_write(machine, unit, &record->mmio_write);
    case TRACE_MMIO_READ:
        return bus_read(machine, unit, &record->mmio_read);
    case TRACE_DOORBELL:
        return bus_doorbell(machine, &record->doorbell);
    case TRACE_MEM:
        return bus_mem(machine, unit, &record->mem);
    case TRACE_AS_MAP:
        return bus_map(machine, &record->as_map);
    case TRACE_AS_UNMAP:
        return bus_unmap(machine, &record->as_unmap);
    case TRACE_CLIENT:
    case TRACE_MARK:
    case TRACE_AS_CREATE:
    case TRACE_MODULE:
    case TRACE_DURATION:
        return true;
    default:
        return bus_wrong(machine, "a record that does not belong to layer BUS, of kind",
                         record->head.kind);
    }
}
