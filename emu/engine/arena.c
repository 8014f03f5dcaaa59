/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/engine/arena.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "emu/engine/arena_watch.h"

bool arena_init(struct arena *arena, struct gfe_error *error)
{
    void *base = mmap(NULL, ARENA_CAPACITY_BYTES, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (base == MAP_FAILED)
        return error_set_errno(error, errno, "cannot reserve memory for the machine's state");
    /* Fewer faults, above all when an image reads what was never written; only a wish. */
    (void)madvise(base, ARENA_CAPACITY_BYTES, MADV_HUGEPAGE);
    *arena = (struct arena){.base = base, .layout = UINT64_C(0xcbf29ce484222325)};
    return true;
}

void arena_fini(struct arena *arena)
{
    arena_unwatch(arena);
    arena_image_free(arena->image);
    if (arena->base)
        (void)munmap(arena->base, ARENA_CAPACITY_BYTES);
    *arena = (struct arena){0};
}

void *arena_alloc(struct arena *arena, size_t bytes)
{
    const size_t offset = arena->used_bytes;

    assert(!arena->sealed);
    assert(bytes <= ARENA_CAPACITY_BYTES - offset - ARENA_ALIGN_BYTES);
    arena->used_bytes += (bytes + ARENA_ALIGN_BYTES - 1) / ARENA_ALIGN_BYTES * ARENA_ALIGN_BYTES;
    /* One step of FNV-1a over whole numbers. */
    arena->layout = (arena->layout ^ bytes) * UINT64_C(0x100000001b3);
    return arena->base + offset;
}

void arena_seal(struct arena *arena)
{
    arena->sealed = true;
}

/* ---- images ---------------------------------------------------------------------------------- */

uint32_t arena_page_count(size_t used_bytes)
{
    return (uint32_t)((used_bytes + ARENA_PAGE_BYTES - 1) / ARENA_PAGE_BYTES);
}

size_t arena_page_bytes(size_t used_bytes, uint32_t page)
{
    const size_t left = used_bytes - (size_t)page * ARENA_PAGE_BYTES;

    return left < ARENA_PAGE_BYTES ? left : ARENA_PAGE_BYTES;
}

bool arena_is_zero(const uint8_t *data, size_t bytes)
{
    static const uint8_t zeroes[ARENA_PAGE_BYTES];

    assert(bytes <= sizeof zeroes);
    return memcmp(data, zeroes, bytes) == 0;
}

/* `bytes` of data, then zeroes. */
static struct arena_page *arena_page_new(const uint8_t *data, size_t bytes)
{
    struct arena_page *page = malloc(sizeof *page);

    if (!page)
        return NULL;
    page->references = 1;
    page->reserved = 0;
    memcpy(page->data, data, bytes);
    memset(page->data + bytes, 0, ARENA_PAGE_BYTES - bytes);
    return page;
}

struct arena_image *arena_image_new(size_t used_bytes)
{
    const uint32_t count = arena_page_count(used_bytes);
    struct arena_image *image = calloc(1, sizeof *image + count * sizeof image->pages[0]);

    if (!image)
        return NULL;
    image->references = 1;
    image->page_count = count;
    image->used_bytes = used_bytes;
    return image;
}

void arena_image_free(struct arena_image *image)
{
    if (!image || --image->references > 0)
        return;
    for (uint32_t i = 0; i < image->page_count; i++)
        if (image->pages[i] && --image->pages[i]->references == 0)
            free(image->pages[i]);
    free(image);
}

static void arena_follow(struct arena *arena, struct arena_image *image)
{
    image->references++;
    arena_image_free(arena->image);
    arena->image = image;
}

bool arena_image_put(struct arena_image *image, uint32_t page, const uint8_t data[ARENA_PAGE_BYTES])
{
    assert(page < image->page_count && !image->pages[page]);
    image->pages[page] = arena_page_new(data, ARENA_PAGE_BYTES);
    return image->pages[page] != NULL;
}

/* True if the last image is of the arena as large as it is now. */
static bool arena_follows(const struct arena *arena)
{
    return arena->image && arena->image->used_bytes == arena->used_bytes;
}

/* True if a page was not written since it is watched. */
static bool arena_is_unwritten(const struct arena *arena, uint32_t page)
{
    const struct arena_watch *watch = arena->watch;

    return watch && watch->base && page < watch->page_count && !watch->is_written[page];
}

/* Takes the page as it is now; *page is NULL if it is all zeroes.  Returns false without memory. */
static bool arena_page_take(const struct arena *arena, uint32_t number, struct arena_page **page)
{
    const uint8_t *data = arena->base + (size_t)number * ARENA_PAGE_BYTES;
    const size_t bytes = arena_page_bytes(arena->used_bytes, number);
    struct arena_page *last = arena_follows(arena) ? arena->image->pages[number] : NULL;

    if (arena_is_zero(data, bytes))
        return true;
    if (last && memcmp(last->data, data, bytes) == 0) {
        last->references++;
        *page = last;
        return true;
    }
    *page = arena_page_new(data, bytes);
    return *page != NULL;
}

/* Pages that were not written since the arena is watched are as in the first image since then, or,
 * if they were allocated later, zero. */
static bool arena_pages_take(const struct arena *arena, struct arena_image *image)
{
    for (uint32_t i = 0; i < image->page_count; i++) {
        if (!arena_is_unwritten(arena, i)) {
            if (!arena_page_take(arena, i, &image->pages[i]))
                return false;
            continue;
        }
        image->pages[i] = i < arena->watch->base->page_count ? arena->watch->base->pages[i] : NULL;
        if (image->pages[i])
            image->pages[i]->references++;
    }
    return true;
}

struct arena_image *arena_take(struct arena *arena)
{
    struct arena_image *image = arena_image_new(arena->used_bytes);

    assert(arena->sealed);
    if (image && !arena_pages_take(arena, image)) {
        arena_image_free(image);
        return NULL;
    }
    if (image)
        arena_follow(arena, image);
    if (image && arena->watch && !arena->watch->base) {
        arena->watch->base = image;
        image->references++;
    }
    return image;
}

/* What is already right is only read: most pages were never touched and stay so. */
static void arena_page_restore(struct arena *arena, const struct arena_image *image,
                               uint32_t number)
{
    uint8_t *data = arena->base + (size_t)number * ARENA_PAGE_BYTES;
    const size_t bytes = arena_page_bytes(arena->used_bytes, number);
    const struct arena_page *page = image->pages[number];

    if (page && memcmp(data, page->data, bytes) != 0)
        memcpy(data, page->data, bytes);
    else if (!page && !arena_is_zero(data, bytes))
        memset(data, 0, bytes);
}

void arena_restore(struct arena *arena, struct arena_image *image)
{
    const struct arena_watch *watch = arena->watch;

    assert(arena->used_bytes == image->used_bytes);
    if (watch && image->page_count <= watch->page_count) {
        for (uint32_t i = 0; i < watch->count; i++)
            if (watch->pages[i] < image->page_count)
                arena_page_restore(arena, image, watch->pages[i]);
    } else {
        for (uint32_t i = 0; i < image->page_count; i++)
            if (!arena_is_unwritten(arena, i))
                arena_page_restore(arena, image, i);
    }
    arena_follow(arena, image);
}

void arena_return(struct arena *arena, struct arena_image *image, uint64_t layout, bool sealed)
{
    assert(image->used_bytes <= arena->used_bytes);
    if (arena->watch && arena->watch->used_bytes == image->used_bytes)
        arena_watch_return(arena);
    else
        memset(arena->base + image->used_bytes, 0, arena->used_bytes - image->used_bytes);
    arena->used_bytes = image->used_bytes;
    arena->layout = layout;
    arena->sealed = sealed;
    arena_restore(arena, image);
}
