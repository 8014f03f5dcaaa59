/* SPDX-License-Identifier: MIT */
/* Operations that have not ended, by kind and number.  Open addressing; what is removed makes room,
 * as what stands behind it moves up (Knuth, The Art of Computer Programming 6.4, algorithm R). */
#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "emu/views/vcd/show_vcd_private.h"

static uint32_t home_of(const struct show_vcd *vcd, enum vcd_kind kind, uint64_t id)
{
    const uint64_t mixed = (id * VCD_KINDS + kind + 1) * UINT64_C(0x9e3779b97f4a7c15);

    return (uint32_t)(mixed >> 32) & (vcd->live_capacity - 1);
}

struct vcd_live *vcd_live_find(struct show_vcd *vcd, enum vcd_kind kind, uint64_t id)
{
    const uint32_t mask = vcd->live_capacity - 1;

    if (vcd->live_capacity == 0)
        return NULL;
    for (uint32_t at = home_of(vcd, kind, id); vcd->live[at].used; at = (at + 1) & mask)
        if (vcd->live[at].id == id && vcd->live[at].kind == kind)
            return &vcd->live[at];
    return NULL;
}

static struct vcd_live *place(struct show_vcd *vcd, const struct vcd_live *live)
{
    uint32_t at = home_of(vcd, live->kind, live->id);

    while (vcd->live[at].used)
        at = (at + 1) & (vcd->live_capacity - 1);
    vcd->live[at] = *live;
    return &vcd->live[at];
}

static bool grow(struct show_vcd *vcd)
{
    struct vcd_live *old = vcd->live;
    const uint32_t count = vcd->live_capacity, capacity = count ? 2 * count : 64;
    struct vcd_live *live = calloc(capacity, sizeof *live);

    if (!live)
        return false;
    vcd->live = live;
    vcd->live_capacity = capacity;
    for (uint32_t i = 0; i < count; i++)
        if (old[i].used)
            (void)place(vcd, &old[i]);
    free(old);
    return true;
}

struct vcd_live *vcd_live_add(struct show_vcd *vcd, enum vcd_kind kind, uint64_t id)
{
    struct vcd_live *old = vcd_live_find(vcd, kind, id);

    if (old)
        vcd_live_remove(vcd, old);
    if (vcd->live_count == SHOW_VCD_LIVE_MAX)
        error_set(vcd->error, ERROR_LIMIT, "%s: more than %d operations at a time",
                  event_log_name(vcd->log), SHOW_VCD_LIVE_MAX);
    else if (2 * vcd->live_count >= vcd->live_capacity && !grow(vcd))
        error_set_errno(vcd->error, ENOMEM, "%s", event_log_name(vcd->log));
    if (vcd->error->kind != ERROR_NONE)
        return NULL;
    vcd->live_count++;
    return place(vcd, &(struct vcd_live){.id = id,
                                         .kind = kind,
                                         .used = true,
                                         .number = ++vcd->numbers[kind],
                                         .holder = VCD_NONE,
                                         .engine = VCD_NONE});
}

void vcd_live_remove(struct show_vcd *vcd, struct vcd_live *live)
{
    const uint32_t mask = vcd->live_capacity - 1;
    uint32_t hole = (uint32_t)(live - vcd->live);

    vcd->grids_on_sms -= live->blocks != NULL;
    free(live->blocks);
    for (uint32_t at = (hole + 1) & mask; vcd->live[at].used; at = (at + 1) & mask) {
        const uint32_t home = home_of(vcd, vcd->live[at].kind, vcd->live[at].id);
        if (((at - home) & mask) < ((at - hole) & mask))
            continue; /* it is found from its home without passing the hole */
        vcd->live[hole] = vcd->live[at];
        hole = at;
    }
    vcd->live[hole] = (struct vcd_live){.used = false};
    vcd->live_count--;
}

uint32_t *vcd_live_blocks(struct show_vcd *vcd, struct vcd_live *grid, uint32_t sm)
{
    if (sm < grid->sm_count)
        return &grid->blocks[sm];
    if (!grid->blocks && vcd->grids_on_sms == SHOW_VCD_GRIDS_MAX) {
        error_set(vcd->error, ERROR_LIMIT, "%s: blocks of more than %d grids at a time",
                  event_log_name(vcd->log), SHOW_VCD_GRIDS_MAX);
        return NULL;
    }
    const uint32_t count = (sm + 32) & ~UINT32_C(31);
    uint32_t *blocks = realloc(grid->blocks, count * sizeof *blocks);
    if (!blocks) {
        error_set_errno(vcd->error, ENOMEM, "%s", event_log_name(vcd->log));
        return NULL;
    }
    vcd->grids_on_sms += grid->blocks == NULL;
    for (uint32_t i = grid->sm_count; i < count; i++)
        blocks[i] = 0;
    grid->blocks = blocks;
    grid->sm_count = count;
    return &blocks[sm];
}

void vcd_live_name(const struct vcd_live *live, char to[16])
{
    static const char letters[VCD_KINDS] = {'K', 'C', 'D'};

    (void)snprintf(to, 16, "%c%" PRIu32, letters[live->kind], live->number);
}

void vcd_live_fini(struct show_vcd *vcd)
{
    for (uint32_t i = 0; i < vcd->live_capacity; i++)
        free(vcd->live[i].blocks);
    free(vcd->live);
}
