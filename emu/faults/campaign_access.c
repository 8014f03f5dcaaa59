/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/faults/campaign_access.h"

#include <stdlib.h>

enum { WORD_BYTES = 4 };

static uint64_t page_of(enum memory_aperture aperture, uint64_t address)
{
    return (uint64_t)aperture << 63 | address / MEMORY_PAGE_BYTES;
}

static bool access_grow(struct campaign_accesses *accesses)
{
    const uint32_t capacity = accesses->capacity ? 2 * accesses->capacity : 1024;
    void *rows;

    if (accesses->count < accesses->capacity)
        return true;
    rows = capacity <= CAMPAIGN_ACCESSES_MAX
               ? realloc(accesses->rows, capacity * sizeof *accesses->rows)
               : NULL;
    if (!rows)
        return false;
    accesses->rows = rows;
    accesses->capacity = capacity;
    return true;
}

static void access_heard(void *context, enum memory_access access, enum memory_aperture aperture,
                         uint64_t address, size_t bytes)
{
    struct campaign_accesses *accesses = context;

    if (accesses->too_many || !access_grow(accesses)) {
        accesses->too_many = true;
        return;
    }
    accesses->rows[accesses->count] =
        (struct campaign_access){.page = page_of(aperture, address),
                                 .time_ps = machine_now(accesses->machine),
                                 .offset = (uint16_t)(address % MEMORY_PAGE_BYTES),
                                 .bytes = (uint16_t)bytes,
                                 .kind = (uint16_t)access,
                                 .number = accesses->count};
    accesses->count++;
}

void campaign_access_begin(struct campaign_accesses *accesses, struct machine *machine)
{
    *accesses = (struct campaign_accesses){.machine = machine};
    memory_listen(&machine->memory, (struct memory_ear){accesses, access_heard});
}

static int access_order(const void *a, const void *b)
{
    const struct campaign_access *x = a, *y = b;

    if (x->page != y->page)
        return x->page < y->page ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

void campaign_access_end(struct campaign_accesses *accesses, struct machine *machine)
{
    memory_listen(&machine->memory, (struct memory_ear){0});
    if (accesses->count > 0)
        qsort(accesses->rows, accesses->count, sizeof *accesses->rows, access_order);
}

void campaign_access_fini(struct campaign_accesses *accesses)
{
    free(accesses->rows);
    *accesses = (struct campaign_accesses){0};
}

/* ---- questions ------------------------------------------------------------------------------- */

/* The first access to a page or a later one. */
static uint32_t access_first(const struct campaign_accesses *accesses, uint64_t page)
{
    uint32_t low = 0, high = accesses->count;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (accesses->rows[middle].page < page)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Which bytes of the word an access covers. */
static uint32_t access_covers(const struct campaign_access *access, uint32_t offset)
{
    uint32_t bytes = 0;

    for (uint32_t i = 0; i < WORD_BYTES; i++)
        if (offset + i >= access->offset && offset + i < (uint32_t)access->offset + access->bytes)
            bytes |= 1u << i;
    return bytes;
}

enum campaign_fate campaign_access_fate(const struct campaign_accesses *accesses,
                                        enum memory_aperture aperture, uint64_t address,
                                        uint32_t bytes, gfe_ps time_ps, gfe_ps *met_ps)
{
    const uint64_t page = page_of(aperture, address);
    const uint32_t offset = (uint32_t)(address % MEMORY_PAGE_BYTES);
    uint32_t left = bytes;
    bool is_read = false;

    *met_ps = GFE_PS_NEVER;
    if (accesses->too_many)
        return CAMPAIGN_FATE_UNKNOWN;
    for (uint32_t i = access_first(accesses, page);
         i < accesses->count && accesses->rows[i].page == page; i++) {
        const struct campaign_access *row = &accesses->rows[i];
        const uint32_t met = access_covers(row, offset);

        if (row->kind == MEMORY_WATCHED && met != 0)
            return CAMPAIGN_FATE_UNKNOWN;
        if (row->time_ps < time_ps || (met & bytes) == 0)
            continue;
        if (*met_ps == GFE_PS_NEVER)
            *met_ps = row->time_ps;
        is_read |= row->kind == MEMORY_READ && (met & left) != 0;
        if (row->kind == MEMORY_WRITTEN && row->time_ps > time_ps)
            left &= ~met;
    }
    return is_read ? CAMPAIGN_FATE_READ : left ? CAMPAIGN_FATE_LEFT : CAMPAIGN_FATE_DEAD;
}
