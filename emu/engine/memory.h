/* SPDX-License-Identifier: MIT */
/*
 * Guest memory: video memory and system memory, stored sparsely page by page.  A page to which only
 * zeroes were ever written reads as zero and takes no space.
 *
 * Snapshots: memory_take() makes an image that shares all pages.  Afterwards the first write to a
 * page keeps its old contents (the pre-image) in a journal and goes to a fresh copy.  So restoring
 * the last image touches only pages written since.  Restoring another image, or one of another
 * memory, replaces the page table.  Pages have reference counts; memories that share images must be
 * used from one thread.
 */
#ifndef GFE_EMU_ENGINE_MEMORY_H
#define GFE_EMU_ENGINE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/base/error.h"

enum { MEMORY_PAGE_BYTES = 4096 };

enum memory_aperture { MEMORY_VRAM, MEMORY_SYSMEM, MEMORY_APERTURE_COUNT };

struct memory_page;
struct memory_slot;
struct memory_image;

/* A listener to accesses.  It is called for each piece that lies in one page, before the access. */
enum memory_access { MEMORY_READ, MEMORY_WRITTEN, MEMORY_WATCHED };
struct memory_ear {
    void *context;
    void (*heard)(void *context, enum memory_access access, enum memory_aperture aperture,
                  uint64_t address, size_t bytes);
};

struct memory {
    uint64_t size_bytes[MEMORY_APERTURE_COUNT];
    /* same as size_bytes; 0 while there is a listener */
    uint64_t plain_bytes[MEMORY_APERTURE_COUNT];
    struct memory_ear ear;
    struct memory_slot *slots; /* one for each page ever written, in order of first write */
    uint32_t slot_count, slot_capacity;
    uint32_t *table; /* open addressing: slot number + 1; 0 means free */
    uint32_t table_size;
    uint64_t generation; /* of the last image; pages of older generations are shared with it */
    uint32_t *journal;   /* slots written since the last image, whose pre-images are in `slots` */
    uint32_t journal_count, journal_capacity;
    struct memory_image *image; /* the last image taken or restored, held; NULL if none */
    uint64_t page_limit;        /* number of pages that may be allocated */
    uint64_t moves; /* grows when a page's bytes move or become read-only in place; never 0 */
};

/* Creates the memory.  Sizes are in bytes, multiples of the page size; `page_limit` bounds the host
 * memory used.  Returns false after an error. */
bool memory_init(struct memory *memory, uint64_t vram_bytes, uint64_t sysmem_bytes,
                 uint64_t page_limit, struct gfe_error *error);
void memory_fini(struct memory *memory);
/* Sets the number of pages that may be allocated. */
void memory_limit(struct memory *memory, uint64_t page_limit);

/* Returns true if the range lies inside the aperture, has only zeroes, which take no space, and has
 * no listener.  A copy from such a range to another one changes nothing.  False means unknown.
 * `bytes` is not 0. */
bool memory_is_untouched(const struct memory *memory, enum memory_aperture aperture,
                         uint64_t address, uint64_t bytes);
/* Reads guest memory.  Returns false, with nothing done, if the range does not lie inside the
 * aperture; that is the guest's error. */
bool memory_read(const struct memory *memory, enum memory_aperture aperture, uint64_t address,
                 void *data, size_t bytes);

enum memory_result { MEMORY_OK, MEMORY_OUTSIDE, MEMORY_EXHAUSTED };
/* Writes guest memory.  `MEMORY_EXHAUSTED` means that the host's memory or page_limit is used up;
 * the run must stop.  `MEMORY_OUTSIDE` means that the range does not lie inside the aperture. */
enum memory_result memory_write(struct memory *memory, enum memory_aperture aperture,
                                uint64_t address, const void *data, size_t bytes);

/* Sets the listener for all accesses; an `ear` without a function removes it.  The memory does not
 * know of waits for a write (MEMORY_WATCHED): the code that sets up a wait must report it by
 * memory_hear(). */
void memory_listen(struct memory *memory, struct memory_ear ear);
/* Reports an access to the listener. */
static inline void memory_hear(const struct memory *memory, enum memory_access access,
                               enum memory_aperture aperture, uint64_t address, size_t bytes)
{
    if (memory->ear.heard)
        memory->ear.heard(memory->ear.context, access, aperture, address, bytes);
}

/* Returns the bytes of the page at that address, which must be a multiple of the page size inside
 * the aperture (asserted).  Returns NULL if the page was never written, or if there is a listener.
 * The bytes stay in place until memory->moves grows; until then they may be written in place if
 * *is_own. */
uint8_t *memory_page_bytes(const struct memory *memory, enum memory_aperture aperture,
                           uint64_t address, bool *is_own);

/* Takes an image, which the caller releases.  Returns NULL when the host's memory is short. */
struct memory_image *memory_take(struct memory *memory);
/* Restores an image of this memory, or of another one with the same aperture sizes.  Returns false
 * if the host's memory or page_limit does not suffice; the memory is then all zeroes. */
bool memory_restore(struct memory *memory, struct memory_image *image);
/* Releases the caller's reference to an image. */
void memory_image_free(struct memory_image *image);

/* Access to images piece by piece, for files.  Creates an image without pages.  Returns NULL when
 * memory is short. */
struct memory_image *memory_image_new(uint64_t vram_bytes, uint64_t sysmem_bytes);
/* Adds a page of MEMORY_PAGE_BYTES.  It must be new to the image and lie inside its aperture, at a
 * multiple of the page size.  Returns false when memory is short. */
bool memory_image_put(struct memory_image *image, enum memory_aperture aperture, uint64_t address,
                      const uint8_t *page);
/* Visits the pages of an image, like memory_visit(). */
bool memory_image_visit(const struct memory_image *image,
                        void (*visit)(void *context, enum memory_aperture aperture,
                                      uint64_t address, const uint8_t *page),
                        void *context);
/* Returns the size of an aperture in the image. */
uint64_t memory_image_aperture_bytes(const struct memory_image *image,
                                     enum memory_aperture aperture);

/* Calls visit() for every page ever written, in order of aperture and address.  Pages of zeroes are
 * skipped, so that "written with zeroes" and "never written" look the same.  Returns false when
 * memory is short. */
bool memory_visit(const struct memory *memory,
                  void (*visit)(void *context, enum memory_aperture aperture, uint64_t address,
                                const uint8_t *page),
                  void *context);
/* Calls visit() for every page whose contents in memory (`here`) differ from those in the image
 * (`there`).  The order is undefined; the visits end when visit() returns false.  Pages that both
 * share are skipped.  Returns false when memory is short. */
typedef bool memory_differ_visit(void *context, enum memory_aperture aperture, uint64_t address,
                                 const uint8_t *here, const uint8_t *there);
bool memory_differ(const struct memory *memory, const struct memory_image *image,
                   memory_differ_visit *visit, void *context);

#endif
