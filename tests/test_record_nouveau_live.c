/* SPDX-License-Identifier: MIT */
/*
 * The nouveau stand-in with a GPU that is emulated: the emulation is this test.  The real one:
 * tests/test_live_nouveau.c.
 */
#include <config.h>

#include <check.h>
#include <errno.h>
#include <string.h>

#include "tests/check_record.h"
#include "tests/suites.h"
#include "traces/record/nouveau/record_nouveau_private.h"

enum { PAGE = 4096, TOOK_NS = 99 };
#define PREP_NS UINT64_C(30000000000) /* nouveau_gem.c waits for 30 s */

/* What the emulation was told, and what it is to answer. */
static struct {
    unsigned acted[256], finished, ran, flushed, last_flushed;
    uint32_t submission_id;
    uint64_t begin_ns, now_ns;
    int result;
    bool is_done;
} gpu;

static int gpu_act(void *live, uint64_t now_ns, const struct trace_record *record,
                   uint64_t *takes_ns)
{
    ck_assert_ptr_eq(live, &gpu);
    gpu.acted[record->head.kind]++;
    gpu.now_ns = now_ns;
    *takes_ns += TOOK_NS;
    return gpu.result;
}

static void gpu_run(void *live, uint64_t now_ns, uint64_t *next_ns)
{
    ck_assert_ptr_eq(live, &gpu);
    gpu.ran++;
    gpu.now_ns = now_ns;
    *next_ns = now_ns + 7;
}

static bool gpu_is_done(void *live, uint64_t now_ns, uint32_t submission_id, uint64_t begin_ns)
{
    ck_assert_ptr_eq(live, &gpu);
    gpu.now_ns = now_ns;
    gpu.submission_id = submission_id;
    gpu.begin_ns = begin_ns;
    return gpu.is_done;
}

static void gpu_finish(void *live, uint64_t now_ns, uint32_t submission_id, uint64_t *takes_ns)
{
    ck_assert_ptr_eq(live, &gpu);
    gpu.now_ns = now_ns;
    gpu.finished++;
    gpu.submission_id = submission_id;
    *takes_ns += TOOK_NS;
}

static void gpu_flush(void *live, uint64_t now_ns, bool last)
{
    ck_assert_ptr_eq(live, &gpu);
    gpu.now_ns = now_ns;
    gpu.flushed++;
    gpu.last_flushed += last;
}

static const struct record_nouveau_live_ops ops = {gpu_act, gpu_run, gpu_is_done, gpu_finish,
                                                   gpu_flush};

static void setup(void)
{
    memset(&gpu, 0, sizeof gpu);
    check_record_begin();
}

static void begin(void)
{
    record_nouveau_live(check_record_nouveau(), &ops, &gpu);
}

START_TEST(without_an_emulation_there_is_nothing_to_do)
{
    uint64_t next_ns = 5;

    ck_assert(!record_nouveau_is_live(check_record_nouveau()));
    record_nouveau_live_run(check_record_nouveau(), 1, &next_ns);
    ck_assert_uint_eq(next_ns, UINT64_MAX);
    record_nouveau_live_flush(check_record_nouveau(), 1, true);
    ck_assert_uint_eq(gpu.ran + gpu.flushed, 0);
    begin();
    ck_assert(record_nouveau_is_live(check_record_nouveau()));
    record_nouveau_live_run(check_record_nouveau(), 11, &next_ns);
    ck_assert_uint_eq(next_ns, 18);
    record_nouveau_live_flush(check_record_nouveau(), 12, false);
    record_nouveau_live_flush(check_record_nouveau(), 13, true);
    ck_assert_uint_eq(gpu.now_ns, 13);
    ck_assert_uint_eq(gpu.flushed, 2);
    ck_assert_uint_eq(gpu.last_flushed, 1);
}
END_TEST

/* A client that manages its addresses itself is not modelled: ENOSYS, as of an old kernel. */
START_TEST(requests_go_to_the_emulation_and_take_their_time)
{
    struct uapi_vm_init init = {1ull << 39, 1ull << 39};
    struct uapi_gem_info info;

    begin();
    ck_assert_int_eq(RECORD_CALL(VM_INIT, vm_init, &init), -ENOSYS);
    (void)record_nouveau_live_takes(check_record_nouveau());
    gpu.acted[TRACE_AS_MAP] = 0;
    info = check_record_bo(UAPI_DOMAIN_GART, PAGE, NULL);
    ck_assert_uint_gt(info.handle, 0);
    ck_assert_uint_eq(gpu.acted[TRACE_AS_MAP], 1);
    ck_assert_uint_ge(record_nouveau_live_takes(check_record_nouveau()), TOOK_NS);
    ck_assert_uint_eq(record_nouveau_live_takes(check_record_nouveau()), 0); /* once */
}
END_TEST

static int submit(int channel, const struct uapi_gem_info *info)
{
    struct uapi_pushbuf_buffer buffer = {.handle = info->handle,
                                         .read_domains = UAPI_DOMAIN_GART,
                                         .valid_domains = UAPI_DOMAIN_GART};
    struct uapi_pushbuf_push push = {.length = 16};
    struct uapi_gem_pushbuf pushbuf = {.channel = (uint32_t)channel,
                                       .buffer_count = 1,
                                       .buffers = (uintptr_t)&buffer,
                                       .push_count = 1,
                                       .pushes = (uintptr_t)&push};

    return RECORD_CALL(GEM_PUSHBUF, gem_pushbuf, &pushbuf);
}

START_TEST(a_submission_is_the_emulations_and_may_fail)
{
    struct uapi_gem_info info;
    uint8_t *bytes;
    int channel;

    begin();
    info = check_record_bo(UAPI_DOMAIN_GART, PAGE, &bytes);
    channel = check_record_channel();
    ck_assert_int_ge(channel, 0);
    ck_assert_int_eq(submit(channel, &info), 0);
    ck_assert_uint_eq(gpu.acted[TRACE_SUBMIT], 1);
    gpu.result = -ENODEV;
    ck_assert_int_eq(submit(channel, &info), -ENODEV);
}
END_TEST

/* nouveau_gem_ioctl_cpu_prep(): EBUSY at once with NOWAIT, and otherwise after 30 s. */
START_TEST(cpu_prep_waits_for_at_most_thirty_seconds)
{
    struct record_caller who = {.thread_id = 1, .now_ns = 1000 + PREP_NS - 1, .begin_ns = 1000};
    struct record_nouveau *nouveau = check_record_nouveau();

    begin();
    ck_assert_int_eq(record_nouveau_live_prep(nouveau, &who, 5, true), RECORD_NOUVEAU_AGAIN);
    ck_assert_uint_eq(gpu.submission_id, 5);
    ck_assert_uint_eq(gpu.begin_ns, 1000);
    ck_assert_uint_eq(gpu.now_ns, who.now_ns);
    who.now_ns++;
    ck_assert_int_eq(record_nouveau_live_prep(nouveau, &who, 5, true), -EBUSY);
    ck_assert_int_eq(record_nouveau_live_prep(nouveau, &who, 5, false), -EBUSY);
    ck_assert_uint_eq(gpu.begin_ns, who.now_ns);
    gpu.is_done = true;
    ck_assert_int_eq(record_nouveau_live_prep(nouveau, &who, 5, false), 0);
    ck_assert_int_eq(record_nouveau_live_prep(nouveau, &who, 5, true), 0);
}
END_TEST

START_TEST(a_program_waits_by_cpu_prep)
{
    struct uapi_gem_info info;
    struct uapi_cpu_prep prep = {.flags = UAPI_CPU_PREP_NOWAIT};

    begin();
    info = check_record_bo(UAPI_DOMAIN_GART, PAGE, NULL);
    prep.handle = info.handle;
    ck_assert_int_eq(RECORD_CALL(GEM_CPU_PREP, cpu_prep, &prep), -EBUSY);
    gpu.is_done = true;
    ck_assert_int_eq(RECORD_CALL(GEM_CPU_PREP, cpu_prep, &prep), 0);
    prep.handle = 99;
    ck_assert_int_eq(RECORD_CALL(GEM_CPU_PREP, cpu_prep, &prep), -ENOENT);
}
END_TEST

/* Memory is not given back before the emulation has let go of it. */
START_TEST(an_object_that_ends_is_finished_first)
{
    struct uapi_gem_info info;
    struct uapi_gem_close close_it;
    int channel;

    begin();
    info = check_record_bo(UAPI_DOMAIN_GART, PAGE, NULL);
    channel = check_record_channel();
    ck_assert_int_eq(submit(channel, &info), 0);
    gpu.finished = 0;
    close_it = (struct uapi_gem_close){.handle = info.handle};
    ck_assert_int_eq(RECORD_CALL(GEM_CLOSE, gem_close, &close_it), 0);
    ck_assert_uint_ge(gpu.finished, 1);
    ck_assert_uint_eq(gpu.submission_id, record_nouveau_submission(check_record_nouveau()));
}
END_TEST

/* ---- memory ---------------------------------------------------------------------------------- */

START_TEST(objects_are_read_and_written_at_any_place)
{
    static const size_t lengths[] = {1, 3, 4, 8, 9, 100};
    uint8_t put[100], got[100], *bytes;
    struct uapi_gem_info info;

    begin();
    info = check_record_bo(UAPI_DOMAIN_GART, PAGE, &bytes);
    for (size_t i = 0; i < sizeof put; i++)
        put[i] = (uint8_t)(i * 5 + 1);
    for (size_t n = 0; n < sizeof lengths / sizeof lengths[0]; n++)
        for (uint64_t at = 0; at < 9; at++) {
            memset(bytes, 0, 128);
            ck_assert(record_nouveau_live_write(check_record_nouveau(), info.offset + at, put,
                                                lengths[n]));
            ck_assert_mem_eq(bytes + at, put, lengths[n]);
            ck_assert_uint_eq(bytes[at + lengths[n]], 0);
            memset(got, 0, sizeof got);
            ck_assert(record_nouveau_live_read(check_record_nouveau(), info.offset + at, got,
                                               lengths[n]));
            ck_assert_mem_eq(got, put, lengths[n]);
        }
}
END_TEST

/* Two objects side by side: what begins in one ends in the next; what is behind is nowhere. */
START_TEST(memory_goes_on_in_the_next_object)
{
    uint8_t put[64], got[64], *first, *second;
    struct uapi_gem_info info, next;

    begin();
    info = check_record_bo(UAPI_DOMAIN_GART, PAGE, &first);
    next = check_record_bo(UAPI_DOMAIN_GART, PAGE, &second);
    for (size_t i = 0; i < sizeof put; i++)
        put[i] = (uint8_t)(i + 1);
    if (next.offset == info.offset + PAGE) {
        ck_assert(record_nouveau_live_write(check_record_nouveau(), next.offset - 20, put, 64));
        ck_assert_mem_eq(first + PAGE - 20, put, 20);
        ck_assert_mem_eq(second, put + 20, 44);
        ck_assert(record_nouveau_live_read(check_record_nouveau(), next.offset - 20, got, 64));
        ck_assert_mem_eq(got, put, 64);
    }
    ck_assert(!record_nouveau_live_read(check_record_nouveau(), 0x10, got, 8));
    ck_assert(!record_nouveau_live_write(check_record_nouveau(), 0x10, put, 8));
    ck_assert(!record_nouveau_live_read(check_record_nouveau(), next.offset + PAGE - 8, got, 64));
    ck_assert(!record_nouveau_live_write(check_record_nouveau(), next.offset + PAGE - 8, put, 64));
}
END_TEST

Suite *record_nouveau_live_suite(void)
{
    Suite *suite = suite_create("record_nouveau_live");
    TCase *cases = tcase_create("live");

    tcase_add_checked_fixture(cases, setup, check_record_free);
    tcase_add_test(cases, without_an_emulation_there_is_nothing_to_do);
    tcase_add_test(cases, requests_go_to_the_emulation_and_take_their_time);
    tcase_add_test(cases, a_submission_is_the_emulations_and_may_fail);
    tcase_add_test(cases, cpu_prep_waits_for_at_most_thirty_seconds);
    tcase_add_test(cases, a_program_waits_by_cpu_prep);
    tcase_add_test(cases, an_object_that_ends_is_finished_first);
    tcase_add_test(cases, objects_are_read_and_written_at_any_place);
    tcase_add_test(cases, memory_goes_on_in_the_next_object);
    suite_add_tcase(suite, cases);
    return suite;
}
