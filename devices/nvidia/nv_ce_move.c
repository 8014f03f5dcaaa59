/* SPDX-License-Identifier: MIT */
/* The bytes of a copy: reads a piece of a line, remaps its components, writes it. */
#include <config.h>

#include <string.h>

#include "devices/core/core_events.h"
#include "devices/nvidia/nv_ce.h"
#include "devices/nvidia/nv_methods.h"

enum { SECTOR_BYTES = 32, COMPONENT_BYTES_MAX = 4 };

/* One side while the copy runs, with the range in which its last byte was found. */
struct nv_ce_access {
    struct machine *machine;
    const struct nv_ce_side *side;
    uint32_t space_id;
    enum memory_aperture aperture; /* of the range */
    uint64_t from, bytes;          /* of the range, as the copy addresses it */
    uint64_t physical;             /* of its first byte */
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

/* Where an address lies; *together is cut to what follows it in the same range. */
static bool nv_ce_find(struct nv_ce_access *access, uint64_t address, uint64_t *physical,
                       size_t *together)
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
    }
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
        if (!nv_ce_find(access, address, &physical, &together))
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

/* ---- components ----------------------------------------------------------------------------- */

struct nv_ce_remap {
    uint32_t component_bytes, to; /* bytes of a component, components of the destination */
    uint32_t what[4];             /* of each: source component, constant, nothing */
    uint8_t constants[2][COMPONENT_BYTES_MAX];
    bool identity; /* elements go over as they are */
    bool leaves;   /* some component of the destination is not written */
};

static struct nv_ce_remap nv_ce_remap(const struct nv_ce_copy *copy)
{
    const uint32_t word = copy->remap;
    const uint32_t from = REG_GET(word, NVC1B5_SET_REMAP_COMPONENTS_NUM_SRC_COMPONENTS) + 1;
    struct nv_ce_remap remap = {
        .component_bytes = REG_GET(word, NVC1B5_SET_REMAP_COMPONENTS_COMPONENT_SIZE) + 1,
        .to = REG_GET(word, NVC1B5_SET_REMAP_COMPONENTS_NUM_DST_COMPONENTS) + 1,
        .identity = true,
    };

    if (!REG_GET(copy->launch, NVC1B5_LAUNCH_DMA_REMAP_ENABLE))
        return remap;
    remap.identity = from == remap.to;
    for (uint32_t i = 0; i < remap.to; i++) {
        remap.what[i] = word >> (4 * i) & 7;
        remap.identity = remap.identity && remap.what[i] == i;
        remap.leaves = remap.leaves || remap.what[i] >= NVC1B5_SET_REMAP_COMPONENTS_DST_X_NO_WRITE;
    }
    for (uint32_t i = 0; i < COMPONENT_BYTES_MAX; i++) {
        remap.constants[0][i] = (uint8_t)(copy->constant_a >> 8 * i);
        remap.constants[1][i] = (uint8_t)(copy->constant_b >> 8 * i);
    }
    return remap;
}

/* One element; of components that are not written `to` keeps what it has.  A component of the
 * source that the source does not have (the engine refuses it, if it checks) is 0. */
static void nv_ce_remap_element(const struct nv_ce_remap *remap, const uint8_t *from,
                                uint32_t from_bytes, uint8_t *to)
{
    const uint32_t size = remap->component_bytes;

    for (uint32_t i = 0; i < remap->to; i++) {
        const uint32_t what = remap->what[i];

        if (what >= NVC1B5_SET_REMAP_COMPONENTS_DST_X_NO_WRITE)
            continue;
        if (what >= NVC1B5_SET_REMAP_COMPONENTS_DST_X_CONST_A)
            memcpy(to + i * size,
                   remap->constants[what - NVC1B5_SET_REMAP_COMPONENTS_DST_X_CONST_A], size);
        else if ((what + 1) * size <= from_bytes)
            memcpy(to + i * size, from + what * size, size);
        else
            memset(to + i * size, 0, size);
    }
}

/* ---- lines ---------------------------------------------------------------------------------- */

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
            nv_ce_remap_element(&mover->remap, mover->piece_from + i * size_from, size_from,
                                out + i * size_to);
    }
    written = nv_ce_transfer(&mover->to, line, at * size_to, out, wanted, true, &fault_to);
    *is_write = written < wanted;
    *fault = *is_write ? fault_to : fault_from;
    return !*is_write && got == (size_t)count * size_from;
}

bool nv_ce_move(struct machine *machine, const struct nv_ce_copy *copy, uint64_t *fault_address,
                bool *is_write)
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

    for (uint32_t line = 0; line < copy->line_count; line++)
        for (uint32_t at = 0; at < copy->line_elements;) {
            uint32_t count = copy->line_elements - at;

            if (count > NV_CE_PIECE_BYTES / widest)
                count = NV_CE_PIECE_BYTES / widest;
            if (!nv_ce_move_piece(&mover, line, at, count, fault_address, is_write))
                return false;
            at += count;
        }
    return true;
}

/* ---- traffic -------------------------------------------------------------------------------- */

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
                 nv_ce_find(&access, nv_ce_at(side, &row, 0, 0, &together), &physical, &together) &&
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
