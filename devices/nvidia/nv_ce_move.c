/* SPDX-License-Identifier: MIT */
/* The bytes of a copy: reads a piece of a line, remaps its components, writes it. */
#include <config.h>

#include <string.h>

#include "devices/core/core_events.h"
#include "devices/nvidia/nv_ce.h"
#include "devices/nvidia/formats/nv_methods.h"

enum { SECTOR_BYTES = 32 };

/* One side while the copy runs, with the range in which its last byte was found. */
struct nv_ce_access {
    struct machine *machine;
    const struct nv_ce_side *side;
    uint32_t space_id;
    enum memory_aperture aperture; /* of the range */
    uint64_t from, bytes;          /* of the range, as the copy addresses it */
    uint64_t physical;             /* of its first byte */
    uint32_t forbids;              /* enum address_space_access */
};

static struct nv_ce_access nv_ce_access(struct machine *machine, const struct nv_ce_copy *copy,
                                        const struct nv_ce_side *side)
{
    struct nv_ce_access access = {.machine = machine, .side = side, .space_id = copy->space_id};

    if (side->aperture != MEMORY_APERTURE_COUNT) {
        access.aperture = (enum memory_aperture)side->aperture;
        access.bytes = machine->memory.size_bytes[side->aperture];
    }
    return access;
}

/* Address of byte x of a line, whose tiled row is `row`; *together is cut to what follows it there.
 */
static uint64_t nv_ce_at(const struct nv_ce_side *side, const struct nv_tile_row *row,
                         uint32_t line, uint32_t x, size_t *together)
{
    uint32_t run;

    if (!side->block_linear)
        return side->base + line * side->pitch + x;
    run = nv_tile_run(side->origin_x + x);
    if (*together > run)
        *together = run;
    return side->base + nv_tile_in_row(row, side->origin_x + x);
}

static struct nv_tile_row nv_ce_row(const struct nv_ce_side *side, uint32_t line)
{
    return side->block_linear ? nv_tile_row(&side->surface, side->origin_y + line, side->layer)
                              : (struct nv_tile_row){0};
}

/* Translates an address, and cuts *together to the bytes that follow it in the same range.  Returns
 * false if there is no translation, or the access is not allowed there. */
static bool nv_ce_find(struct nv_ce_access *access, uint64_t address, bool write,
                       uint64_t *physical, size_t *together)
{
    struct address_space_range where;
    uint64_t contiguous;

    if (address - access->from >= access->bytes) {
        if (access->side->aperture != MEMORY_APERTURE_COUNT ||
            !address_space_translate(&access->machine->spaces, access->space_id, address, &where,
                                     &contiguous))
            return false;
        access->aperture = (enum memory_aperture)where.aperture;
        access->from = address;
        access->bytes = contiguous;
        access->physical = where.physical;
        access->forbids = where.access;
    }
    if (access->forbids & (write ? ADDRESS_SPACE_READ_ONLY : ADDRESS_SPACE_WRITE_ONLY))
        return false;
    *physical = access->physical + (address - access->from);
    if (*together > access->bytes - (address - access->from))
        *together = (size_t)(access->bytes - (address - access->from));
    return true;
}

/* Moves bytes of a line from x on into or out of `data`.  Returns how many, less than `bytes` when
 * the next has no translation: then *fault is its address. */
static size_t nv_ce_transfer(struct nv_ce_access *access, uint32_t line, uint32_t x, uint8_t *data,
                             size_t bytes, bool write, uint64_t *fault)
{
    const struct nv_tile_row row = nv_ce_row(access->side, line);
    size_t done = 0;

    while (done < bytes) {
        size_t together = bytes - done;
        const uint64_t address = nv_ce_at(access->side, &row, line, x + (uint32_t)done, &together);
        uint64_t physical;

        *fault = address;
        if (!nv_ce_find(access, address, write, &physical, &together))
            return done;
        if (!(write ? machine_write(access->machine, access->aperture, physical, data + done,
                                    together)
                    : machine_read(access->machine, access->aperture, physical, data + done,
                                   together)))
            return done;
        done += together;
    }
    return done;
}

/* ---- components ------------------------------------------------------------------------------ */

enum { ELEMENT_BYTES_MAX = 16 };

/* Where each byte of an element of the destination comes from. */
struct nv_ce_remap {
    bool identity;  /* elements go over as they are */
    bool leaves;    /* some byte of the destination is not written */
    uint32_t bytes; /* of an element of the destination */
    struct nv_ce_byte {
        bool copied, written; /* from the source; if not: with `value`, or not at all */
        uint8_t from, value;
    } of[ELEMENT_BYTES_MAX];
};

/* Byte `at` of a component.  A component of the source that the source does not have (the engine
 * refuses it, if it checks) is 0. */
static struct nv_ce_byte nv_ce_remap_byte(const struct nv_ce_copy *copy, uint32_t what,
                                          uint32_t component_bytes, uint32_t at)
{
    const uint32_t from = what * component_bytes + at;

    switch (what) {
    case NVA0B5_SET_REMAP_COMPONENTS_DST_X_CONST_A:
        return (struct nv_ce_byte){.written = true, .value = (uint8_t)(copy->constant_a >> 8 * at)};
    case NVA0B5_SET_REMAP_COMPONENTS_DST_X_CONST_B:
        return (struct nv_ce_byte){.written = true, .value = (uint8_t)(copy->constant_b >> 8 * at)};
    case NVA0B5_SET_REMAP_COMPONENTS_DST_X_SRC_X:
    case NVA0B5_SET_REMAP_COMPONENTS_DST_X_SRC_Y:
    case NVA0B5_SET_REMAP_COMPONENTS_DST_X_SRC_Z:
    case NVA0B5_SET_REMAP_COMPONENTS_DST_X_SRC_W:
        return (struct nv_ce_byte){
            .copied = from < copy->from.element_bytes, .written = true, .from = (uint8_t)from};
    default:
        return (struct nv_ce_byte){0};
    }
}

static struct nv_ce_remap nv_ce_remap(const struct nv_ce_copy *copy)
{
    const uint32_t size = REG_GET(copy->remap, NVA0B5_SET_REMAP_COMPONENTS_COMPONENT_SIZE) + 1;
    struct nv_ce_remap remap = {.identity = copy->from.element_bytes == copy->to.element_bytes,
                                .bytes = copy->to.element_bytes};

    if (!REG_GET(copy->launch, NVC1B5_LAUNCH_DMA_REMAP_ENABLE))
        return remap;
    for (uint32_t i = 0; i < remap.bytes; i++) {
        remap.of[i] = nv_ce_remap_byte(copy, copy->remap >> (i / size * 4) & 7, size, i % size);
        remap.identity = remap.identity && remap.of[i].copied && remap.of[i].from == i;
        remap.leaves = remap.leaves || !remap.of[i].written;
    }
    return remap;
}

/* One element; bytes that are not written keep what `to` has. */
static void nv_ce_remap_element(const struct nv_ce_remap *remap, const uint8_t *from, uint8_t *to)
{
    for (uint32_t i = 0; i < remap->bytes; i++)
        if (remap->of[i].copied)
            to[i] = from[remap->of[i].from];
        else if (remap->of[i].written)
            to[i] = remap->of[i].value;
}

/* ---- lines ----------------------------------------------------------------------------------- */

struct nv_ce_mover {
    struct nv_ce_access from, to;
    struct nv_ce_remap remap;
    bool reads_source;
    uint8_t piece_from[NV_CE_PIECE_BYTES], piece_to[NV_CE_PIECE_BYTES];
};

/* Moves `count` elements of a line from element `at` on; what lies in front of a byte without a
 * translation is moved.  *is_write: it was the destination's. */
static bool nv_ce_move_piece(struct nv_ce_mover *mover, uint32_t line, uint32_t at, uint32_t count,
                             uint64_t *fault, bool *is_write)
{
    const uint32_t size_from = mover->from.side->element_bytes;
    const uint32_t size_to = mover->to.side->element_bytes;
    uint64_t fault_from = 0, fault_to = 0;
    size_t got = (size_t)count * size_from, wanted = (size_t)count * size_to, written;
    uint8_t *out = mover->remap.identity ? mover->piece_from : mover->piece_to;

    if (mover->reads_source)
        got = nv_ce_transfer(&mover->from, line, at * size_from, mover->piece_from, got, false,
                             &fault_from);
    if (mover->remap.identity) {
        wanted = got;
    } else {
        wanted = got / size_from * size_to;
        if (mover->remap.leaves) {
            written = nv_ce_transfer(&mover->to, line, at * size_to, out, wanted, false, &fault_to);
            memset(out + written, 0, wanted - written);
        }
        for (size_t i = 0; i < wanted / size_to; i++)
            nv_ce_remap_element(&mover->remap, mover->piece_from + i * size_from,
                                out + i * size_to);
    }
    written = nv_ce_transfer(&mover->to, line, at * size_to, out, wanted, true, &fault_to);
    *is_write = written < wanted;
    *fault = *is_write ? fault_to : fault_from;
    return !*is_write && got == (size_t)count * size_from;
}

enum { NV_CE_SKIP_BYTES = 1 << 16 }; /* fewer are moved sooner than looked for */

/* Returns true if a unit waits for a word of the range to be written. */
static bool nv_ce_is_watched(const struct machine *machine, enum memory_aperture aperture,
                             uint64_t address, uint64_t bytes)
{
    for (uint32_t i = 0; i < machine->state->watch_count; i++) {
        const struct machine_watch *watch = &machine->state->watches[i];

        if (watch->aperture == aperture && watch->address + 4 > address &&
            watch->address < address + bytes)
            return true;
    }
    return false;
}

/* Returns how many of the next elements of the line need not be moved: both sides are zeroes that
 * take no space, so nothing would change.  Programs of scenarios copy gigabytes of them. */
static uint32_t nv_ce_untouched(struct nv_ce_mover *mover, uint32_t line, uint32_t at,
                                uint32_t count)
{
    const struct nv_ce_side *from = mover->from.side, *to = mover->to.side;
    const uint32_t size = to->element_bytes;
    struct machine *machine = mover->to.machine;
    size_t bytes = (size_t)count * size;
    uint64_t source, target;

    if (bytes < NV_CE_SKIP_BYTES || !mover->remap.identity || !mover->reads_source ||
        from->block_linear || to->block_linear)
        return 0;
    if (!nv_ce_find(&mover->from, from->base + line * from->pitch + (uint64_t)at * size, false,
                    &source, &bytes) ||
        !nv_ce_find(&mover->to, to->base + line * to->pitch + (uint64_t)at * size, true, &target,
                    &bytes))
        return 0;
    bytes -= bytes % size;
    return bytes >= NV_CE_SKIP_BYTES &&
                   memory_is_untouched(&machine->memory, mover->from.aperture, source, bytes) &&
                   memory_is_untouched(&machine->memory, mover->to.aperture, target, bytes) &&
                   !nv_ce_is_watched(machine, mover->to.aperture, target, bytes)
               ? (uint32_t)(bytes / size)
               : 0;
}

bool nv_ce_move(struct machine *machine, const struct nv_ce_copy *copy, uint64_t end,
                uint64_t *fault_address, bool *is_write)
{
    struct nv_ce_mover mover = {
        .from = nv_ce_access(machine, copy, &copy->from),
        .to = nv_ce_access(machine, copy, &copy->to),
        .remap = nv_ce_remap(copy),
        .reads_source = copy->reads_source,
    };
    const uint32_t widest = copy->from.element_bytes > copy->to.element_bytes
                                ? copy->from.element_bytes
                                : copy->to.element_bytes;
    uint64_t element = copy->moved / copy->to.element_bytes;
    const uint64_t last = end / copy->to.element_bytes;

    while (element < last) {
        const uint32_t line = (uint32_t)(element / copy->line_elements);
        const uint32_t at = (uint32_t)(element % copy->line_elements);
        uint32_t count = copy->line_elements - at;

        if (count > last - element)
            count = (uint32_t)(last - element);
        const uint32_t skipped = nv_ce_untouched(&mover, line, at, count);
        if (skipped > 0) {
            element += skipped;
            continue;
        }
        if (count > NV_CE_PIECE_BYTES / widest)
            count = NV_CE_PIECE_BYTES / widest;
        if (!nv_ce_move_piece(&mover, line, at, count, fault_address, is_write))
            return false;
        element += count;
    }
    return true;
}

/* ---- traffic --------------------------------------------------------------------------------- */

static uint64_t nv_ce_side_traffic(struct machine *machine, const struct nv_ce_copy *copy,
                                   const struct nv_ce_side *side, bool *in_system)
{
    const uint64_t line_bytes = (uint64_t)copy->line_elements * side->element_bytes;
    const uint32_t sector = SECTOR_BYTES;
    const struct nv_tile_row row = nv_ce_row(side, 0);
    struct nv_ce_access access = nv_ce_access(machine, copy, side);
    size_t together = 1;
    uint64_t physical;

    *in_system = copy->line_count > 0 &&
                 nv_ce_find(&access, nv_ce_at(side, &row, 0, 0, &together), side == &copy->to,
                            &physical, &together) &&
                 access.aperture == MEMORY_SYSMEM;
    if (side->block_linear)
        return nv_tile_sector_bytes(side->origin_x, side->origin_y, (uint32_t)line_bytes,
                                    copy->line_count);
    return copy_lines_sector_bytes(side->base, side->pitch, line_bytes, copy->line_count, sector);
}

/* Where a side lies is where its first byte lies. */
struct copy_traffic nv_ce_traffic(struct machine *machine, const struct nv_ce_copy *copy)
{
    struct copy_traffic traffic = {0};

    if (copy->reads_source)
        traffic.read_bytes = nv_ce_side_traffic(machine, copy, &copy->from, &traffic.reads_system);
    traffic.written_bytes = nv_ce_side_traffic(machine, copy, &copy->to, &traffic.writes_system);
    return traffic;
}
