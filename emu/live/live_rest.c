/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/live/live_rest.h"

#include <stdlib.h>
#include <string.h>

#include "emu/base/id_map.h"
#include "emu/engine/memory.h"

struct rest_page {
    uint8_t bytes[MEMORY_PAGE_BYTES];
};

/* The program's memory with the pages that were written since its end. */
struct rest_memory {
    const struct machine_host *below;
    struct id_map index_of; /* of a page's address */
    struct rest_page **pages;
    uint32_t count;
    bool is_full; /* a page was left out */
};

static size_t piece_of(uint64_t address, size_t bytes)
{
    const size_t left = MEMORY_PAGE_BYTES - address % MEMORY_PAGE_BYTES;

    return bytes < left ? bytes : left;
}

static bool rest_read(void *context, uint64_t address, void *data, size_t bytes)
{
    const struct rest_memory *memory = context;
    uint8_t *to = data;

    for (size_t done = 0, piece; done < bytes; done += piece) {
        const uint64_t at = address + done, into = at % MEMORY_PAGE_BYTES;
        const uint32_t index = id_map_find(&memory->index_of, at - into);

        piece = piece_of(at, bytes - done);
        if (index != ID_MAP_NONE)
            memcpy(to + done, memory->pages[index]->bytes + into, piece);
        else if (!memory->below->read(memory->below->context, at, to + done, piece))
            return false;
    }
    return true;
}

/* The copy of the page at an address; NULL if there is no such memory, or no room. */
static struct rest_page *rest_page(struct rest_memory *memory, uint64_t address)
{
    const uint32_t index = id_map_find(&memory->index_of, address);
    struct rest_page *page;

    if (index != ID_MAP_NONE)
        return memory->pages[index];
    page = memory->count < LIVE_REST_PAGES ? malloc(sizeof *page) : NULL;
    if (!page) {
        memory->is_full = true;
        return NULL;
    }
    if (!memory->below->read(memory->below->context, address, page->bytes, sizeof page->bytes)) {
        free(page);
        return NULL;
    }
    if (!id_map_add(&memory->index_of, address, memory->count)) {
        memory->is_full = true;
        free(page);
        return NULL;
    }
    memory->pages[memory->count++] = page;
    return page;
}

static bool rest_write(void *context, uint64_t address, const void *data, size_t bytes)
{
    struct rest_memory *memory = context;
    const uint8_t *from = data;

    for (size_t done = 0, piece; done < bytes; done += piece) {
        const uint64_t at = address + done, into = at % MEMORY_PAGE_BYTES;
        struct rest_page *page = rest_page(memory, at - into);

        piece = piece_of(at, bytes - done);
        if (!page)
            return false;
        memcpy(page->bytes + into, from + done, piece);
    }
    return true;
}

static bool rest_run(struct machine *machine, const struct rest_memory *memory)
{
    const gfe_ps end_ps = clock_add(machine_now(machine), LIVE_REST_PS);
    const uint64_t limit = machine_event_count(machine) + LIVE_REST_EVENTS;
    gfe_ps next_ps;

    while ((next_ps = machine_next_ps(machine)) != GFE_PS_NEVER)
        if (next_ps > end_ps || memory->is_full || machine_event_count(machine) >= limit ||
            !machine_step(machine))
            return false;
    return !memory->is_full && !machine_failed(machine);
}

bool live_rest(struct machine *machine)
{
    struct rest_memory memory = {.below = machine->host};
    const struct machine_host host = {rest_read, rest_write, &memory};
    bool rests;

    memory.pages = calloc(LIVE_REST_PAGES, sizeof *memory.pages);
    if (!memory.pages)
        return false;
    if (machine->host)
        machine->host = &host;
    rests = rest_run(machine, &memory);
    machine->host = memory.below;
    for (uint32_t i = 0; i < memory.count; i++)
        free(memory.pages[i]);
    free(memory.pages);
    id_map_fini(&memory.index_of);
    return rests;
}
