/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/engine/arena_watch.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Room for the whole arena: memory is used only as it is touched. */
enum { PAGES_MAX = ARENA_CAPACITY_BYTES / ARENA_PAGE_BYTES };

/* What the handler needs: a fault comes in the thread that writes. */
static _Thread_local struct arena *watched;
static _Thread_local struct sigaction before;

/* Whole pages. */
static size_t arena_watch_bytes(const struct arena_watch *watch)
{
    return (size_t)watch->page_count * ARENA_PAGE_BYTES;
}

static bool arena_watch_take(struct arena *arena, const void *address)
{
    const size_t offset = (size_t)((const uint8_t *)address - arena->base);
    const uint32_t page = (uint32_t)(offset / ARENA_PAGE_BYTES);
    struct arena_watch *watch = arena->watch;

    if ((const uint8_t *)address < arena->base || offset >= arena_watch_bytes(watch) ||
        watch->is_written[page])
        return false;
    watch->is_written[page] = 1;
    watch->pages[watch->count++] = page;
    return mprotect(arena->base + (size_t)page * ARENA_PAGE_BYTES, ARENA_PAGE_BYTES,
                    PROT_READ | PROT_WRITE) == 0;
}

/* Not ours: the same instruction meets the fault again, without us. */
static void arena_watch_fault(int number, siginfo_t *info, void *context)
{
    const int saved = errno;
    struct arena *arena = watched;

    (void)context;
    while (arena && !arena_watch_take(arena, info->si_addr))
        arena = arena->watch->next;
    if (!arena)
        (void)sigaction(number, &before, NULL);
    errno = saved;
}

static bool arena_watch_listen(struct gfe_error *error)
{
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_RESTART};

    action.sa_sigaction = arena_watch_fault;
    (void)sigemptyset(&action.sa_mask);
    return sigaction(SIGSEGV, &action, &before) == 0 ||
           error_set_errno(error, errno, "cannot hear of faults");
}

static void arena_watch_free(struct arena_watch *watch)
{
    if (watch) {
        arena_image_free(watch->base);
        free(watch->pages);
        free(watch->is_written);
    }
    free(watch);
}

bool arena_watch(struct arena *arena, struct gfe_error *error)
{
    struct arena_watch *watch = calloc(1, sizeof *watch);

    assert(!arena->watch);
    if (watch) {
        watch->used_bytes = arena->used_bytes;
        watch->page_count = arena_page_count(arena->used_bytes);
        watch->pages = calloc(PAGES_MAX, sizeof *watch->pages);
        watch->is_written = calloc(PAGES_MAX, sizeof *watch->is_written);
    }
    if (!watch || !watch->pages || !watch->is_written || (!watched && !arena_watch_listen(error))) {
        arena_watch_free(watch);
        return error_set(error, ERROR_SYSTEM, "no memory to watch the machine's state");
    }
    /* The first image from now on has to look at every page. */
    arena_image_free(arena->image);
    arena->image = NULL;
    arena->watch = watch;
    watch->next = watched;
    watched = arena;
    if (mprotect(arena->base, arena_watch_bytes(arena->watch), PROT_READ) == 0)
        return true;
    error_set_errno(error, errno, "cannot watch the machine's state");
    arena_unwatch(arena);
    return false;
}

void arena_unwatch(struct arena *arena)
{
    struct arena **link = &watched;

    if (!arena->watch)
        return;
    while (*link != arena)
        link = &(*link)->watch->next;
    *link = arena->watch->next;
    (void)mprotect(arena->base, arena_watch_bytes(arena->watch), PROT_READ | PROT_WRITE);
    if (!watched)
        (void)sigaction(SIGSEGV, &before, NULL);
    arena_watch_free(arena->watch);
    arena->watch = NULL;
}

/* Zeroes those of the pages that were written, from the end of the first `used_bytes` bytes on. */
static void arena_watch_zero(struct arena *arena, const struct arena_watch *watch)
{
    const size_t used = watch->used_bytes;

    for (uint32_t i = 0; i < watch->count; i++) {
        const size_t start = (size_t)watch->pages[i] * ARENA_PAGE_BYTES;
        const size_t end = start + ARENA_PAGE_BYTES;

        if (end > used)
            memset(arena->base + (start > used ? start : used), 0,
                   end - (start > used ? start : used));
    }
}

void arena_watch_return(struct arena *arena)
{
    struct arena_watch *watch = arena->watch;
    const size_t watched_bytes = arena_watch_bytes(watch);
    const uint32_t pages = arena_page_count(arena->used_bytes);
    const size_t after = (size_t)pages * ARENA_PAGE_BYTES;

    arena_watch_zero(arena, watch);
    if (after <= watched_bytes)
        return;
    memset(arena->base + watched_bytes, 0, after - watched_bytes);
    if (mprotect(arena->base + watched_bytes, after - watched_bytes, PROT_READ) == 0)
        watch->page_count = pages;
}

void arena_watch_renew(struct arena *arena)
{
    struct arena_watch *watch = arena->watch;

    assert(watch && watch->used_bytes == arena->used_bytes && watch->base &&
           arena->image == watch->base);
    if (mprotect(arena->base, arena_watch_bytes(watch), PROT_READ) != 0)
        return; /* what is written again is already in the list */
    for (uint32_t i = 0; i < watch->count; i++)
        watch->is_written[watch->pages[i]] = 0;
    watch->count = 0;
}

/* ---- comparing ------------------------------------------------------------------------------- */

static const uint8_t zeroes[ARENA_PAGE_BYTES];

/* Compares bytes of a page.  If they differ, *at is the place of the first difference. */
static bool bytes_equal(const uint8_t *data, const uint8_t *other, size_t from, size_t to,
                        size_t *at)
{
    if (memcmp(data + from, other + from, to - from) == 0)
        return true;
    while (data[from] == other[from])
        from++;
    *at = from;
    return false;
}

static bool page_equals(const struct arena *arena, const struct arena_image *image, uint32_t number,
                        const struct arena_range *except, uint32_t except_count, size_t *at)
{
    const size_t start = (size_t)number * ARENA_PAGE_BYTES;
    const size_t end = arena_page_bytes(arena->used_bytes, number);
    const uint8_t *data = arena->base + start;
    const uint8_t *other = image->pages[number] ? image->pages[number]->data : zeroes;
    size_t from = 0;

    for (uint32_t i = 0; i < except_count; i++) {
        const size_t left = except[i].from > start ? except[i].from - start : 0;

        if (except[i].to <= start || left >= end)
            continue;
        if (left > from && !bytes_equal(data, other, from, left, at))
            return false;
        from = except[i].to - start < end ? except[i].to - start : end;
    }
    return from >= end || bytes_equal(data, other, from, end, at);
}

static bool is_excepted(size_t offset, const struct arena_range *except, uint32_t except_count)
{
    for (uint32_t i = 0; i < except_count; i++)
        if (offset >= except[i].from && offset < except[i].to)
            return true;
    return false;
}

/* One byte decides nearly always: what has once differed mostly stays so. */
static bool hint_differs(const struct arena *arena, const struct arena_image *image, size_t hint)
{
    const struct arena_page *page = image->pages[hint / ARENA_PAGE_BYTES];

    return arena->base[hint] != (page ? page->data[hint % ARENA_PAGE_BYTES] : 0);
}

bool arena_equals(const struct arena *arena, const struct arena_image *image,
                  const struct arena_range *except, uint32_t except_count, size_t *hint)
{
    struct arena_watch *watch = arena->watch;
    size_t at;

    assert(watch && watch->used_bytes == arena->used_bytes && arena->sealed);
    assert(image->used_bytes == arena->used_bytes && *hint < arena->used_bytes);
    if (!is_excepted(*hint, except, except_count) && hint_differs(arena, image, *hint))
        return false;
    for (uint32_t i = 0; i < watch->count; i++)
        if (!page_equals(arena, image, watch->pages[i], except, except_count, &at)) {
            const uint32_t page = watch->pages[i];

            *hint = (size_t)page * ARENA_PAGE_BYTES + at;
            watch->pages[i] = watch->pages[i / 2]; /* nearer to the front, as it is found again */
            watch->pages[i / 2] = page;
            return false;
        }
    return true;
}
