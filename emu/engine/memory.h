/* SPDX-License-Identifier: MIT */
/*
 * Guest memory: video memory and system memory, sparse, page by page.  A page to which nothing but
 * zeros was ever written reads as zero and takes no space.
 *
 * Snapshots: memory_take() makes an image that shares all pages; afterwards the first write to a
 * page puts its old contents (the pre-image) into a journal and writes into a fresh copy.
 * Restoring the last image therefore touches only pages written since; restoring another image, or
 * one of another memory, replaces the page table.  Pages are counted references; memories that
 * share images must be used from one thread.
 */
#ifndef GFE_EMU_MEMORY_H
#define GFE_EMU_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/base/error.h"

enum { MEMORY_PAGE_BYTES = 4096 };

enum memory_aperture { MEMORY_VRAM, MEMORY_SYSMEM, MEMORY_APERTURE_COUNT };

struct memory_page;
struct memory_slot;
struct memory_image;

/* Who is told of accesses: of each piece that lies in one page, before it is made. */
enum memory_access { MEMORY_READ, MEMORY_WRITTEN, MEMORY_WATCHED };
struct memory_ear {
    void *context;
    void (*heard)(void *context, enum memory_access access, enum memory_aperture aperture,
                  uint64_t address, size_t bytes);
};

struct memory {
    uint64_t size_bytes[MEMORY_APERTURE_COUNT];
    uint64_t plain_bytes[MEMORY_APERTURE_COUNT]; /* the same; 0 while somebody listens */
    struct memory_ear ear;
    struct memory_slot *slots; /* one per page ever written, in order of first write */
    uint32_t slot_count, slot_capacity;
    uint32_t *table; /* open addressing: slot number + 1, 0 = free */
    uint32_t table_size;
    uint64_t generation; /* of the last image; pages of older generations are shared with it */
    uint32_t *journal;   /* slots written since the last image; their pre-images are in `slots` */
    uint32_t journal_count, journal_capacity;
    struct memory_image *image; /* the last image taken or restored, held; NULL = none */
    uint64_t page_limit;        /* pages that may be allocated */
    uint64_t moves; /* grows when a page's bytes move, or may no more be written in place; not 0 */
};

/* Sizes in bytes, multiples of the page size; `page_limit` bounds the host memory used. */
bool memory_init(struct memory *memory, uint64_t vram_bytes, uint64_t sysmem_bytes,
                 uint64_t page_limit, struct gfe_error *error);
void memory_fini(struct memory *memory);

/* False when the range does not lie inside the aperture: the guest's error, nothing is done. */
bool memory_read(const struct memory *memory, enum memory_aperture aperture, uint64_t address,
                 void *data, size_t bytes);

enum memory_result { MEMORY_OK, MEMORY_OUTSIDE, MEMORY_EXHAUSTED };
/* MEMORY_EXHAUSTED: the host's memory or page_limit is used up; the run must stop. */
enum memory_result memory_write(struct memory *memory, enum memory_aperture aperture,
                                uint64_t address, const void *data, size_t bytes);

/* From now on `ear` is told of each access; one without a function: nobody is.  That somebody waits
 * for a write (MEMORY_WATCHED) has to be said by who lets him: memory_hear(). */
void memory_listen(struct memory *memory, struct memory_ear ear);
static inline void memory_hear(const struct memory *memory, enum memory_access access,
                               enum memory_aperture aperture, uint64_t address, size_t bytes)
{
    if (memory->ear.heard)
        memory->ear.heard(memory->ear.context, access, aperture, address, bytes);
}

/* The bytes of the page at that address, a multiple of the page size inside the aperture
 * (asserted); NULL: it was never written, or somebody listens.  They are there until memory->moves
 * grows, and so long can be written in place if *is_own. */
uint8_t *memory_page_bytes(const struct memory *memory, enum memory_aperture aperture,
                           uint64_t address, bool *is_own);

/* NULL when the host has no memory. */
struct memory_image *memory_take(struct memory *memory);
/* Works for images of this memory and of others with the same aperture sizes.  False when the
 * host's memory or page_limit does not suffice: the memory is then all zeroes. */
bool memory_restore(struct memory *memory, struct memory_image *image);
/* Gives up the caller's hold on an image. */
void memory_image_free(struct memory_image *image);

/* Images piece by piece, for files.  An image without pages; NULL: no memory. */
struct memory_image *memory_image_new(uint64_t vram_bytes, uint64_t sysmem_bytes);
/* Adds a page of MEMORY_PAGE_BYTES that the image does not have yet, inside its aperture, at a
 * multiple of the page size.  False: no memory. */
bool memory_image_put(struct memory_image *image, enum memory_aperture aperture, uint64_t address,
                      const uint8_t *page);
/* As memory_visit(). */
bool memory_image_visit(const struct memory_image *image,
                        void (*visit)(void *context, enum memory_aperture aperture,
                                      uint64_t address, const uint8_t *page),
                        void *context);
uint64_t memory_image_aperture_bytes(const struct memory_image *image,
                                     enum memory_aperture aperture);

/* Calls visit() for every page ever written, in order of aperture and address; pages of zeroes are
 * passed over, so that "written with zeroes" and "never written" look the same. */
bool memory_visit(const struct memory *memory,
                  void (*visit)(void *context, enum memory_aperture aperture, uint64_t address,
                                const uint8_t *page),
                  void *context);
/* Calls visit() for every page whose contents in memory (`here`) are not those in the image, in no
 * order, until it says false.  Pages that both share are not looked at.  False: no memory. */
typedef bool memory_differ_visit(void *context, enum memory_aperture aperture, uint64_t address,
                                 const uint8_t *here, const uint8_t *there);
bool memory_differ(const struct memory *memory, const struct memory_image *image,
                   memory_differ_visit *visit, void *context);

#endif
