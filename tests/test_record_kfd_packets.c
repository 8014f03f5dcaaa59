/* SPDX-License-Identifier: MIT */
/*
 * Packets of the KFD stand-in's queues: what each waits for, does, and leaves in the trace.  AQL
 * packets are those of HSA's system architecture 1.2, section 2.9, with AMD's of hsa_ext_amd.h;
 * amd_signal_t and amd_queue_t those of amd_hsa_signal.h and amd_hsa_queue.h; SDMA's packets those
 * of Linux's vega10_sdma_pkt_open.h.
 */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "tests/check_kfd.h"
#include "tests/suites.h"
#include "traces/record/kfd/record_kfd_private.h"

enum { PM4 = CHECK_KFD_DATA, KERNEL = CHECK_KFD_DATA + CHECK_KFD_PAGE };
enum { ARGUMENTS = CHECK_KFD_DATA + 2 * CHECK_KFD_PAGE };
enum { FROM = CHECK_KFD_DATA + 4 * CHECK_KFD_PAGE, TO = CHECK_KFD_DATA + 6 * CHECK_KFD_PAGE };
enum { VENDOR = 0, DISPATCH = 2, BARRIER_AND = 3, BARRIER_OR = 5 };

static void setup(void)
{
    check_kfd_begin("radeon-vii");
}

static void is_in_trace(const char *words)
{
    if (!check_kfd.text)
        check_kfd_end();
    ck_assert_msg(strstr(check_kfd.text, words) != NULL, "'%s' is not in\n%s", words,
                  check_kfd.text);
}

static unsigned in_trace(const char *words)
{
    unsigned count = 0;

    if (!check_kfd.text)
        check_kfd_end();
    for (const char *at = check_kfd.text; (at = strstr(at, words)) != NULL; at++)
        count++;
    return count;
}

/* The n-th signal: its value is at 8. */
static uint32_t signal_at(unsigned n, int64_t value)
{
    check_kfd_set(CHECK_KFD_SIGNALS + n * 64 + 8, (uint64_t)value);
    return CHECK_KFD_SIGNALS + n * 64;
}

static int64_t value_of(uint32_t signal)
{
    return (int64_t)check_kfd_word(signal + 8);
}

/* An empty packet of a type with a completion signal; its type is written last. */
static uint32_t packet_put(unsigned slot, uint8_t format, uint32_t completion)
{
    const uint32_t at = CHECK_KFD_RING + slot * 64;

    memset(check_kfd.memory + at + 2, 0, 62);
    check_kfd.memory[at + 2] = format;
    if (completion)
        check_kfd_set(at + 56, CHECK_KFD_VA + completion);
    return at;
}

static void type_put(unsigned slot, uint8_t type)
{
    check_kfd.memory[CHECK_KFD_RING + slot * 64] = type;
}

/* ---- AQL ------------------------------------------------------------------------------------- */

/* hsa_signal_condition_t: EQ 0, NE 1, LT 2, GTE 3; (value & mask) is compared. */
START_TEST(a_value_is_waited_for_by_its_condition)
{
    static const struct {
        uint32_t condition;
        int64_t waits_at, goes_at;
    } rows[] = {{0, 6, 5}, {1, 5, 6}, {2, 5, 4}, {2, 6, -1}, {3, 4, 5}, {3, -9, 6}};
    const struct kfd_create_queue queue = check_kfd_queue(KFD_QUEUE_AQL);
    const uint32_t waited = signal_at(0, rows[_i].waits_at), done = signal_at(1, 1);
    const uint32_t at = packet_put(0, 2, done);

    check_kfd_set(at + 8, CHECK_KFD_VA + waited);
    check_kfd_set(at + 16, 5);
    check_kfd_set(at + 24, UINT64_MAX);
    check_kfd_set(at + 32, rows[_i].condition);
    type_put(0, VENDOR);
    check_kfd_ring(&queue, 0);
    ck_assert_int_eq(check_kfd_settle(), RECORD_KFD_WAITING);
    ck_assert_int_eq(value_of(done), 1);
    (void)signal_at(0, rows[_i].goes_at);
    ck_assert_int_eq(check_kfd_settle(), RECORD_KFD_IDLE);
    ck_assert_int_eq(value_of(done), 0);
}
END_TEST

START_TEST(a_mask_hides_bits_and_no_signal_holds_nothing_up)
{
    const struct kfd_create_queue queue = check_kfd_queue(KFD_QUEUE_AQL);
    const uint32_t waited = signal_at(0, 0x105), done = signal_at(1, 2);
    uint32_t at = packet_put(0, 2, done);

    check_kfd_set(at + 8, CHECK_KFD_VA + waited);
    check_kfd_set(at + 16, 5);
    check_kfd_set(at + 24, 0xff);
    type_put(0, VENDOR);
    at = packet_put(1, 2, done);
    check_kfd_set(at + 8, 0x1000); /* nobody mapped it */
    check_kfd_set(at + 16, 5);
    type_put(1, VENDOR);
    check_kfd_ring(&queue, 1);
    ck_assert_int_eq(check_kfd_settle(), RECORD_KFD_IDLE);
    ck_assert_int_eq(value_of(done), 0);
    is_in_trace("0x1000 is not mapped");
}
END_TEST

/* A barrier with no dependency, and an OR whose one dependency is nowhere, wait for nothing. */
START_TEST(barriers_wait_for_signals_that_there_are)
{
    const struct kfd_create_queue queue = check_kfd_queue(KFD_QUEUE_AQL);
    const uint32_t done = signal_at(0, 3);
    uint32_t at = packet_put(0, 0, done);

    type_put(0, BARRIER_OR);
    at = packet_put(1, 0, done);
    check_kfd_set(at + 8, 0x1000);
    type_put(1, BARRIER_OR);
    at = packet_put(2, 0, done);
    check_kfd_set(at + 8 + 8 * 4, CHECK_KFD_VA + signal_at(1, 1)); /* the fifth */
    type_put(2, BARRIER_AND);
    check_kfd_ring(&queue, 2);
    ck_assert_int_eq(check_kfd_settle(), RECORD_KFD_WAITING);
    ck_assert_int_eq(value_of(done), 1);
    (void)signal_at(1, 0);
    ck_assert_int_eq(check_kfd_settle(), RECORD_KFD_IDLE);
    ck_assert_int_eq(value_of(done), 0);
}
END_TEST

/* amd_aql_pm4_ib: an INDIRECT_BUFFER at 4, whose address is at 8 and whose dwords at 16. */
START_TEST(an_indirect_buffer_is_in_the_trace)
{
    const struct kfd_create_queue queue = check_kfd_queue(KFD_QUEUE_AQL);
    const uint32_t done = signal_at(0, 4);

    for (unsigned slot = 0; slot < 4; slot++) {
        const uint32_t at = packet_put(slot, slot == 3 ? 9 : 1, done);

        check_kfd_set(at + 8, slot == 1 ? 0x1000 : CHECK_KFD_VA + PM4);
        check_kfd_set(at + 16, slot == 2 ? 0xfffff : 3);
        type_put(slot, VENDOR);
    }
    check_kfd_set(PM4, 0x1122334455667788);
    check_kfd_ring(&queue, 3);
    ck_assert_int_eq(check_kfd_settle(), RECORD_KFD_IDLE);
    ck_assert_int_eq(value_of(done), 0);
    ck_assert_uint_eq(in_trace("what=PM4"), 1); /* not what is nowhere, too long, or another */
    is_in_trace("address=0x7f0000004000 data=12 bytes 88776655 44332211 00000000");
}
END_TEST

/* A dispatch: code and arguments are told, each kernel once; what was loaded anew again. */
START_TEST(a_kernel_is_told_once_unless_it_changed)
{
    const struct kfd_create_queue queue = check_kfd_queue(KFD_QUEUE_AQL);
    const uint32_t done = signal_at(0, 4);
    const uint32_t kernarg_bytes = 24;

    check_kfd_set(KERNEL + 16, 256); /* the entry, from the descriptor on */
    memcpy(check_kfd.memory + KERNEL + 8, &kernarg_bytes, sizeof kernarg_bytes);
    for (unsigned slot = 0; slot < 4; slot++) {
        const uint32_t at = packet_put(slot, 0, done);

        check_kfd_set(at + 32, slot == 3 ? 0x1000 : CHECK_KFD_VA + KERNEL);
        check_kfd_set(at + 40, slot == 3 ? 0x1000 : CHECK_KFD_VA + ARGUMENTS);
        type_put(slot, DISPATCH);
        if (slot == 2)
            check_kfd.memory[KERNEL + 256] = 0xbf;
        check_kfd_ring(&queue, slot);
        ck_assert_int_eq(check_kfd_settle(), RECORD_KFD_IDLE);
    }
    ck_assert_int_eq(value_of(done), 0);
    ck_assert_uint_eq(in_trace(" KERNEL "), 2);
    ck_assert_uint_eq(in_trace("address=0x7f0000006000 data=24 bytes"), 3);
    is_in_trace("entry_address=0x7f0000005100 what=APPLICATION");
}
END_TEST

/* amd_queue_t: queue_inactive_signal at 192, scratch_wave64_lane_byte_size at 176,
 * compute_tmpring_size at 140.  The queue stops with its signal at 1. */
START_TEST(a_kernel_asks_for_more_scratch)
{
    const uint32_t amd_queue = CHECK_KFD_INDICES, lane_bytes = 64, wanted = 256;
    const struct kfd_create_queue queue = check_kfd_queue(KFD_QUEUE_AQL);
    const uint32_t done = signal_at(0, 3), inactive = signal_at(1, 0);

    memcpy(check_kfd.memory + amd_queue + 176, &lane_bytes, sizeof lane_bytes);
    for (unsigned slot = 0; slot < 2; slot++) {
        const uint32_t at = packet_put(slot, 0, done);

        memcpy(check_kfd.memory + at + 24, slot == 0 ? &lane_bytes : &wanted, 4);
        check_kfd_set(at + 32, CHECK_KFD_VA + KERNEL);
        check_kfd_set(at + 40, CHECK_KFD_VA + ARGUMENTS);
        type_put(slot, DISPATCH);
    }
    check_kfd_set(amd_queue + 192, CHECK_KFD_VA + inactive);
    check_kfd_ring(&queue, 1);
    ck_assert_int_eq(check_kfd_settle(), RECORD_KFD_WAITING);
    ck_assert_int_eq(value_of(done), 2); /* the first had enough */
    ck_assert_int_eq(value_of(inactive), 1);
    ck_assert_int_eq(check_kfd_settle(), RECORD_KFD_WAITING);
    (void)signal_at(1, 0); /* the runtime gave what it has */
    ck_assert_int_eq(check_kfd_settle(), RECORD_KFD_IDLE);
    ck_assert_int_eq(value_of(done), 1);
    ck_assert_uint_eq(in_trace(" QUEUE_SCRATCH "), 2);
    is_in_trace("what=WANTED index=1 private_bytes=256 lane_bytes=64");
    is_in_trace("what=GIVEN index=1 private_bytes=256");
}
END_TEST

/* Without an amd_queue_t, or without its signal, the kernel runs with what there is. */
START_TEST(a_queue_without_a_descriptor_gives_no_scratch)
{
    const uint32_t wanted = 256;
    struct kfd_create_queue queue = check_kfd_queue(KFD_QUEUE_AQL);
    struct kfd_destroy_queue end = {queue.queue_id, 0};
    const uint32_t done = signal_at(0, 2);

    for (unsigned turn = 0; turn < 2; turn++) {
        const uint32_t at = packet_put(0, 0, done);

        memcpy(check_kfd.memory + at + 24, &wanted, sizeof wanted);
        type_put(0, DISPATCH);
        check_kfd_ring(&queue, 0);
        ck_assert_int_eq(check_kfd_settle(), RECORD_KFD_IDLE);
        ck_assert_int_eq(CHECK_KFD_CALL(KFD_DESTROY_QUEUE, &end), 0);
        queue.write_address = 0x1000;
        ck_assert_int_eq(CHECK_KFD_CALL(KFD_CREATE_QUEUE, &queue), 0);
        end.queue_id = queue.queue_id;
    }
    ck_assert_int_eq(value_of(done), 0);
    ck_assert_uint_eq(in_trace(" QUEUE_SCRATCH "), 0);
}
END_TEST

/* More than one turn of a queue takes; a queue without a share (percentage 0) does nothing. */
START_TEST(a_queue_works_in_turns_and_not_without_a_share)
{
    struct kfd_create_queue queue = check_kfd_queue(KFD_QUEUE_AQL);
    struct kfd_update_queue update = {.queue_id = queue.queue_id, .percentage = 0, .priority = 7};
    const uint32_t done = signal_at(0, CHECK_KFD_SLOTS);

    for (unsigned slot = 0; slot < CHECK_KFD_SLOTS; slot++) {
        (void)packet_put(slot, 0, done);
        type_put(slot, BARRIER_AND);
    }
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_UPDATE_QUEUE, &update), 0);
    check_kfd_ring(&queue, CHECK_KFD_SLOTS - 1);
    ck_assert_int_eq(check_kfd_settle(), RECORD_KFD_IDLE);
    ck_assert_int_eq(value_of(done), CHECK_KFD_SLOTS);
    update.percentage = 1;
    ck_assert_int_eq(CHECK_KFD_CALL(KFD_UPDATE_QUEUE, &update), 0);
    ck_assert_int_eq(check_kfd_settle(), RECORD_KFD_IDLE);
    ck_assert_int_eq(value_of(done), 0);
}
END_TEST

/* A signal with a mailbox: its event's number goes there; one whose mailbox is nowhere has none. */
START_TEST(a_completion_has_times_and_a_mailbox)
{
    const struct kfd_create_queue queue = check_kfd_queue(KFD_QUEUE_AQL);
    const uint32_t done = signal_at(0, 1), lost = signal_at(1, 1);

    check_kfd_set(done + 16, CHECK_KFD_VA + PM4);
    check_kfd_set(done + 24, 77);
    check_kfd_set(lost + 16, 0x1000);
    (void)packet_put(0, 0, done);
    type_put(0, BARRIER_AND);
    (void)packet_put(1, 0, lost);
    type_put(1, BARRIER_AND);
    (void)packet_put(2, 0, 0);
    check_kfd_set(CHECK_KFD_RING + 2 * 64 + 56, 0x1000); /* a signal that is nowhere */
    type_put(2, BARRIER_AND);
    check_kfd_ring(&queue, 2);
    ck_assert_int_eq(check_kfd_settle(), RECORD_KFD_IDLE);
    ck_assert_uint_eq(check_kfd_word(PM4), 77);
    ck_assert_int_eq(value_of(lost), 0);
    ck_assert_uint_gt(check_kfd_word(done + 32), 0);
    ck_assert_uint_ge(check_kfd_word(done + 40), check_kfd_word(done + 32));
    is_in_trace("address=0x7f0000004000 why=MAILBOX data=8 bytes 4d000000");
}
END_TEST

/* ---- SDMA ------------------------------------------------------------------------------------ */

static uint32_t put(uint32_t at, const uint32_t *words, uint32_t count)
{
    memcpy(check_kfd.memory + CHECK_KFD_RING + at, words, count * 4);
    return at + count * 4;
}

static uint32_t low(uint32_t at)
{
    return (uint32_t)(CHECK_KFD_VA + at);
}

#define HIGH ((uint32_t)(CHECK_KFD_VA >> 32))

/* SDMA_PKT_POLL_REGMEM: func 0 always, 1 <, 2 <=, 3 ==, 4 !=, 5 >=, 6 >; of (memory & mask). */
START_TEST(memory_is_polled_by_its_function)
{
    static const struct {
        uint32_t func, waits_at, goes_at;
    } rows[] = {{1, 5, 4}, {2, 6, 5}, {3, 6, 5}, {4, 5, 6}, {5, 4, 5}, {6, 5, 6}};
    const struct kfd_create_queue queue = check_kfd_queue(KFD_QUEUE_SDMA);
    const uint32_t func = rows[_i].func;
    const uint32_t poll[] = {1u << 31 | func << 28 | 8, low(PM4), HIGH, 5, 0xff, 0};
    const uint32_t fence[] = {5, low(TO), HIGH, 4321};

    check_kfd_set(PM4, 0x100 | rows[_i].waits_at);
    check_kfd_ring(&queue, put(put(0, poll, 6), fence, 4));
    ck_assert_int_eq(check_kfd_settle(), RECORD_KFD_WAITING);
    ck_assert_uint_eq(check_kfd_word(TO), 0);
    check_kfd_set(PM4, 0x200 | rows[_i].goes_at);
    ck_assert_int_eq(check_kfd_settle(), RECORD_KFD_IDLE);
    ck_assert_uint_eq(check_kfd_word(TO), 4321);
}
END_TEST

START_TEST(a_poll_of_nothing_or_always_goes_on)
{
    const struct kfd_create_queue queue = check_kfd_queue(KFD_QUEUE_SDMA);
    const uint32_t always[] = {1u << 31 | 8, low(PM4), HIGH, 5, 0xff, 0};
    const uint32_t nowhere[] = {1u << 31 | 3u << 28 | 8, 0x1000, 0, 5, 0xff, 0};
    const uint32_t flush[] = {8, 0, 0, 0, 0, 0}; /* of HDP: not of memory */
    const uint32_t end = put(put(put(0, always, 6), nowhere, 6), flush, 6);

    check_kfd_ring(&queue, end);
    ck_assert_int_eq(check_kfd_settle(), RECORD_KFD_IDLE);
    ck_assert_uint_eq(check_kfd_word(CHECK_KFD_INDICES + 128), end);
}
END_TEST

/* SDMA_PKT_COPY_LINEAR: as many bytes as the count says, and one; across two objects. */
START_TEST(copies_are_exact_to_the_byte)
{
    const struct kfd_create_queue queue = check_kfd_queue(KFD_QUEUE_SDMA);
    const uint32_t one[] = {1, 0, 0, low(FROM), HIGH, low(TO), HIGH};
    const uint32_t odd[] = {1, 98, 0, low(FROM), HIGH, low(TO + 512), HIGH};
    const uint32_t over[] = {1, 98, 0, low(CHECK_KFD_BYTES - 50), HIGH, low(TO + 1024), HIGH};
    struct kfd_alloc_memory next =
        check_kfd_object(CHECK_KFD_VA + CHECK_KFD_BYTES, CHECK_KFD_PAGE, KFD_MEMORY_GTT);
    const struct record_kfd_object *object;
    uint64_t there;

    object = record_kfd_object_at(check_kfd.kfd, next.va, &there);
    for (unsigned i = 0; i < 256; i++) {
        check_kfd.memory[FROM + i] = (uint8_t)(i + 1);
        object->host[i] = (uint8_t)(i + 50);
        if (i < 50)
            check_kfd.memory[CHECK_KFD_BYTES - 50 + i] = (uint8_t)i;
    }
    check_kfd_ring(&queue, put(put(put(0, one, 7), odd, 7), over, 7));
    ck_assert_int_eq(check_kfd_settle(), RECORD_KFD_IDLE);
    ck_assert(check_kfd.memory[TO] == 1 && check_kfd.memory[TO + 1] == 0);
    ck_assert_mem_eq(check_kfd.memory + TO + 512, check_kfd.memory + FROM, 99);
    ck_assert_uint_eq(check_kfd.memory[TO + 512 + 99], 0);
    for (unsigned i = 0; i < 99; i++)
        ck_assert_uint_eq(check_kfd.memory[TO + 1024 + i], i);
    ck_assert_uint_eq(check_kfd.memory[TO + 1024 + 99], 0);
}
END_TEST

/* Memory of the driver's own, and of the program's that it has taken away. */
START_TEST(copies_within_the_drivers_memory)
{
    const struct kfd_create_queue queue = check_kfd_queue(KFD_QUEUE_SDMA);
    struct kfd_alloc_memory object =
        check_kfd_object(CHECK_KFD_VA + (1ull << 30), 2 * CHECK_KFD_PAGE, KFD_MEMORY_GTT);
    const uint32_t at = (uint32_t)object.va, high = (uint32_t)(object.va >> 32);
    const uint32_t copy[] = {1, 63, 0, at, high, at + 32, high}; /* they overlap */
    const uint32_t away[] = {1, 63, 0, low(FROM), HIGH, at, high};
    const uint32_t fill[] = {2u << 30 | 11, low(FROM), HIGH, 5, 7};
    const uint32_t fence[] = {5, low(PM4), HIGH, 9};
    const struct record_kfd_object *found;
    uint64_t there;

    found = record_kfd_object_at(check_kfd.kfd, object.va, &there);
    for (unsigned i = 0; i < 96; i++)
        found->host[i] = (uint8_t)i;
    check_kfd_ring(&queue, put(0, copy, 7));
    ck_assert_int_eq(check_kfd_settle(), RECORD_KFD_IDLE);
    for (unsigned i = 0; i < 64; i++)
        ck_assert_uint_eq(found->host[32 + i], i);
    ck_assert_int_eq(mprotect(check_kfd.memory + FROM, CHECK_KFD_PAGE, PROT_NONE), 0);
    check_kfd_ring(&queue, put(put(put(28, away, 7), fill, 5), fence, 4));
    ck_assert_int_eq(check_kfd_settle(), RECORD_KFD_IDLE);
    ck_assert_uint_eq(check_kfd_word(PM4), 9); /* the queue went on */
}
END_TEST

/* SDMA_PKT_COPY_LINEAR_SUBWIN: elements of 4 bytes, 3 x 2 x 2 of them, between unlike pitches. */
START_TEST(windows_are_copied_line_by_line)
{
    enum { WIDE = 8, FLAT = 32, NARROW = 4, SLICE = 12 };
    const struct kfd_create_queue queue = check_kfd_queue(KFD_QUEUE_SDMA);
    const uint32_t rect[] = {2u << 29 | 4 << 8 | 1,
                             low(FROM),
                             HIGH,
                             1 | 1 << 16,          /* from x, y */
                             0 | (WIDE - 1) << 13, /* z, pitch */
                             FLAT - 1,             /* slice */
                             low(TO),
                             HIGH,
                             0 | 1 << 16,
                             0 | (NARROW - 1) << 13,
                             SLICE - 1,
                             (3 - 1) | (2 - 1) << 16, /* x, y */
                             2 - 1};                  /* z */
    uint32_t from[2 * FLAT], to[2 * SLICE];

    for (uint32_t i = 0; i < 2 * FLAT; i++)
        from[i] = i + 1;
    memcpy(check_kfd.memory + FROM, from, sizeof from);
    check_kfd_ring(&queue, put(0, rect, 13));
    ck_assert_int_eq(check_kfd_settle(), RECORD_KFD_IDLE);
    memcpy(to, check_kfd.memory + TO, sizeof to);
    for (uint32_t z = 0; z < 2; z++)
        for (uint32_t y = 0; y < SLICE / NARROW; y++)
            for (uint32_t x = 0; x < NARROW; x++)
                ck_assert_uint_eq(to[z * SLICE + y * NARROW + x],
                                  x < 3 && y >= 1 && y < 3 ? from[z * FLAT + y * WIDE + x + 1] : 0);
}
END_TEST

START_TEST(a_window_that_leaves_memory_ends_there)
{
    const struct kfd_create_queue queue = check_kfd_queue(KFD_QUEUE_SDMA);
    const uint32_t rect[] = {4 << 8 | 1, low(FROM), HIGH, 0, 0,           0, 0x1000,
                             0,          0,         0,    0, 3 | 3 << 16, 0};
    const uint32_t fence[] = {5, low(PM4), HIGH, 9};

    check_kfd_ring(&queue, put(put(0, rect, 13), fence, 4));
    ck_assert_int_eq(check_kfd_settle(), RECORD_KFD_IDLE);
    ck_assert_uint_eq(check_kfd_word(PM4), 9);
    is_in_trace("0x1000 is not mapped");
}
END_TEST

/* What the stand-in does not know is told whole, and passed over. */
START_TEST(unknown_packets_are_told_and_passed_over)
{
    const struct kfd_create_queue queue = check_kfd_queue(KFD_QUEUE_SDMA);
    const uint32_t unknown[] = {0x33, 1, 2, 3, 4, 5};
    const uint32_t tiled[] = {1 << 8 | 1, 0, 0};
    uint32_t end = put(0, unknown, 6);

    check_kfd_ring(&queue, end);
    ck_assert_int_eq(check_kfd_settle(), RECORD_KFD_IDLE);
    ck_assert_uint_eq(check_kfd_word(CHECK_KFD_INDICES + 128), end);
    end = put(end, tiled, 3);
    check_kfd_ring(&queue, end);
    ck_assert_int_eq(check_kfd_settle(), RECORD_KFD_IDLE);
    ck_assert_uint_eq(check_kfd_word(CHECK_KFD_INDICES + 128), end);
    is_in_trace("SDMA's packet 0x33 is not modelled: passed over");
    is_in_trace("SDMA's packet 0x101 is not modelled: passed over");
    is_in_trace("what=SDMA index=0 address=0x7f0000000000 data=24 bytes 33000000");
    is_in_trace("what=SDMA index=24 address=0x7f0000000018 data=12 bytes 01010000");
}
END_TEST

/* SDMA_PKT_ATOMIC: 47 is a 64-bit addition. */
START_TEST(atomics_fences_and_time_stamps_have_their_place)
{
    const struct kfd_create_queue queue = check_kfd_queue(KFD_QUEUE_SDMA);
    const uint32_t add[] = {47u << 25 | 10, low(PM4), HIGH, 5, 1, 0, 0, 0};
    const uint32_t other[] = {48u << 25 | 10, low(PM4), HIGH, 5, 1, 0, 0, 0};
    const uint32_t lost[] = {47u << 25 | 10, 0x1000, 0, 5, 1, 0, 0, 0};
    const uint32_t fence_lost[] = {5, 0x1000, 0, 1};
    const uint32_t stamp[] = {2 << 8 | 13, low(TO), HIGH};
    const uint32_t stamp_lost[] = {2 << 8 | 13, 0x1000, 0};
    const uint32_t gcr[] = {17, 0, 0, 0, 0};
    uint32_t end = put(put(put(put(0, add, 8), other, 8), lost, 8), fence_lost, 4);

    end = put(put(put(end, stamp, 3), stamp_lost, 3), gcr, 5);
    check_kfd_set(PM4, 7);
    check_kfd_ring(&queue, end);
    ck_assert_int_eq(check_kfd_settle(), RECORD_KFD_IDLE);
    ck_assert_uint_eq(check_kfd_word(PM4), (1ull << 32) + 12);
    ck_assert_uint_gt(check_kfd_word(TO), 0);
    ck_assert_uint_eq(check_kfd_word(CHECK_KFD_INDICES + 128), end);
    is_in_trace("SDMA's atomic operation 48 is not modelled");
    is_in_trace("why=SIGNAL data=8 bytes 0c000000 01000000");
}
END_TEST

/* NOPs of any length, zeros to the end of the ring, and a doorbell of no whole dword. */
START_TEST(padding_leads_round_the_ring)
{
    const struct kfd_create_queue queue = check_kfd_queue(KFD_QUEUE_SDMA);
    const uint32_t nop[] = {3 << 16, 1, 2, 3};
    const uint32_t fence[] = {5, low(PM4), HIGH, 9};

    (void)put(0, nop, 4);
    memset(check_kfd.memory + CHECK_KFD_RING + 16, 0, CHECK_KFD_PAGE - 16);
    check_kfd_ring(&queue, CHECK_KFD_PAGE + 2);
    ck_assert_int_eq(check_kfd_settle(), RECORD_KFD_IDLE);
    ck_assert_uint_eq(check_kfd_word(CHECK_KFD_INDICES + 128), CHECK_KFD_PAGE);
    (void)put(0, fence, 4);
    check_kfd_ring(&queue, CHECK_KFD_PAGE + 16);
    ck_assert_int_eq(check_kfd_settle(), RECORD_KFD_IDLE);
    ck_assert_uint_eq(check_kfd_word(PM4), 9);
    is_in_trace("what=SDMA index=0 address=0x7f0000000000 data=16 bytes");
    is_in_trace("what=SDMA index=16 address=0x7f0000000010 data=4080 bytes");
    is_in_trace("what=SDMA index=4096 address=0x7f0000000000 data=16 bytes");
}
END_TEST

/* A ring that nobody mapped: nothing is told or done, and the stand-in lives. */
START_TEST(a_ring_that_is_nowhere_stands_still)
{
    static const uint32_t types[] = {KFD_QUEUE_SDMA, KFD_QUEUE_AQL};
    struct kfd_create_queue queue = {.ring_address = 0x100000,
                                     .ring_bytes = CHECK_KFD_PAGE,
                                     .write_address = 0x200000,
                                     .read_address = 0x200008,
                                     .gpu_id = record_kfd_gpu_id(0),
                                     .type = types[_i],
                                     .percentage = 100};

    ck_assert_int_eq(CHECK_KFD_CALL(KFD_CREATE_QUEUE, &queue), 0);
    check_kfd_ring(&queue, 64);
    ck_assert_int_eq(check_kfd_settle(), RECORD_KFD_WAITING);
    ck_assert_uint_eq(in_trace(" PACKET "), 0);
    is_in_trace("0x100000 is not mapped");
}
END_TEST

Suite *record_kfd_packets_suite(void)
{
    Suite *suite = suite_create("record_kfd_packets");
    TCase *tcase = tcase_create("packets");

    tcase_add_checked_fixture(tcase, setup, check_kfd_free);
    tcase_add_loop_test(tcase, a_value_is_waited_for_by_its_condition, 0, 6);
    tcase_add_test(tcase, a_mask_hides_bits_and_no_signal_holds_nothing_up);
    tcase_add_test(tcase, barriers_wait_for_signals_that_there_are);
    tcase_add_test(tcase, an_indirect_buffer_is_in_the_trace);
    tcase_add_test(tcase, a_kernel_is_told_once_unless_it_changed);
    tcase_add_test(tcase, a_kernel_asks_for_more_scratch);
    tcase_add_test(tcase, a_queue_without_a_descriptor_gives_no_scratch);
    tcase_add_test(tcase, a_queue_works_in_turns_and_not_without_a_share);
    tcase_add_test(tcase, a_completion_has_times_and_a_mailbox);
    tcase_add_loop_test(tcase, memory_is_polled_by_its_function, 0, 6);
    tcase_add_test(tcase, a_poll_of_nothing_or_always_goes_on);
    tcase_add_test(tcase, copies_are_exact_to_the_byte);
    tcase_add_test(tcase, copies_within_the_drivers_memory);
    tcase_add_test(tcase, windows_are_copied_line_by_line);
    tcase_add_test(tcase, a_window_that_leaves_memory_ends_there);
    tcase_add_test(tcase, unknown_packets_are_told_and_passed_over);
    tcase_add_test(tcase, atomics_fences_and_time_stamps_have_their_place);
    tcase_add_test(tcase, padding_leads_round_the_ring);
    tcase_add_loop_test(tcase, a_ring_that_is_nowhere_stands_still, 0, 2);
    suite_add_tcase(suite, tcase);
    return suite;
}
