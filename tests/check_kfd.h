/* SPDX-License-Identifier: MIT */
/*
 * The KFD stand-in in this process, without preloading: calls as a client makes them, queues in
 * this process's memory, doorbells rung by hand, and the resulting records as text
 * (traces/format/trace_dump.h).  Uses Check.
 */
#ifndef TESTS_CHECK_KFD_H
#define TESTS_CHECK_KFD_H

#include "traces/record/kfd/record_kfd.h"
#include "traces/record/kfd/record_kfd_uapi.h"

/* What lies in the memory, in bytes from its beginning. */
enum {
    CHECK_KFD_PAGE = 4096,
    CHECK_KFD_BYTES = 16 * CHECK_KFD_PAGE,
    CHECK_KFD_RING = 0,
    CHECK_KFD_INDICES = CHECK_KFD_PAGE, /* of amd_queue_t */
    CHECK_KFD_SIGNALS = 2 * CHECK_KFD_PAGE,
    CHECK_KFD_DATA = 4 * CHECK_KFD_PAGE,
    CHECK_KFD_SLOTS = CHECK_KFD_PAGE / 64,
};
#define CHECK_KFD_VA 0x7f0000000000ull

/* Of the stand-in that check_kfd_begin() made. */
extern struct check_kfd {
    struct record_kfd *kfd;
    struct record_out out;
    uint8_t *memory;             /* the program's; the GPU sees it at CHECK_KFD_VA */
    uint64_t *doorbells;         /* of the first GPU, as the program sees them */
    struct record_kfd_wait wait; /* of the one call at a time */
    char *text;                  /* of the records, after check_kfd_end() */
} check_kfd;

/* Begins a stand-in for a list of boards ("mi50,mi50"), with memory and doorbells.  Only one may
 * exist at a time. */
void check_kfd_begin(const char *gpus);
void check_kfd_free(void);
/* Returns a caller one microsecond later than the last. */
struct record_caller check_kfd_caller(void);
/* Carries out a call, and returns 0 or a negative errno. */
int check_kfd_call(unsigned nr, void *argument, size_t bytes);
#define CHECK_KFD_CALL(nr, argument) check_kfd_call((nr), (argument), sizeof *(argument))
/* Makes an object of the first GPU, mapped on it. */
struct kfd_alloc_memory check_kfd_object(uint64_t va, uint64_t bytes, uint32_t flags);
/* Makes a queue of a type with its ring and its indices in the memory. */
struct kfd_create_queue check_kfd_queue(uint32_t type);
/* Read and write 8 bytes of the memory. */
uint64_t check_kfd_word(uint32_t at);
void check_kfd_set(uint32_t at, uint64_t value);
/* Stores a value to the queue's doorbell. */
void check_kfd_ring(const struct kfd_create_queue *queue, uint64_t value);
/* Lets the queues work, as their thread does, until nothing moves. */
enum record_kfd_left check_kfd_settle(void);
/* Ends the trace and returns the text of all its records, one a line. */
const char *check_kfd_end(void);

#endif
