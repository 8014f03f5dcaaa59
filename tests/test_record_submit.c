/* SPDX-License-Identifier: MIT */
/* Submissions to the stand-in: what is recorded of them, and which are refused. */
#include <config.h>

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "tests/record_client.h"
#include "tests/suites.h"

START_TEST(a_submission_records_memory_pushes_and_completion_in_this_order)
{
    const struct uapi_gem_info pushes = object_new(PAGE, UAPI_DOMAIN_GART);
    const struct uapi_gem_info fence = object_new(PAGE, UAPI_DOMAIN_GART);
    const int32_t channel = channel_new();
    uint32_t *dwords = object_map(&pushes), *value = object_map(&fence);
    struct submission submission;
    unsigned mem = 0, submitted = 0, written = 0;

    submission_of(&submission, channel, &pushes, put_fence(dwords, fence.offset + 8, 41));
    ck_assert_int_eq(submit(&submission), 0);
    ck_assert_uint_eq(value[2], 41);
    ck_assert_uint_eq(submission.buffers[0].presumed.valid, 1);
    ck_assert_uint_eq(submission.buffers[0].presumed.offset, pushes.offset);
    ck_assert_uint_eq(submission.pushbuf.vram_available, 6144ull << 20);
    put_fence(dwords, fence.offset + 8, 42);
    ck_assert_int_eq(submit(&submission), 0);
    ck_assert_uint_eq(value[2], 42);
    trace_end();
    for (unsigned i = 0; i < seen_count; i++) {
        mem = seen[i].kind == TRACE_MEM && !mem ? i : mem;
        submitted = seen[i].kind == TRACE_SUBMIT && !submitted ? i : submitted;
        written = seen[i].kind == TRACE_GPU_WRITE && !written ? i : written;
    }
    ck_assert_uint_gt(mem, 0);
    ck_assert_uint_eq(submitted, mem + 1);
    ck_assert_uint_eq(written, submitted + 1);
    /* The second time only the changed dword, and nothing of what the stand-in wrote. */
    ck_assert_uint_eq(record_count(TRACE_MEM), 2);
    ck_assert_uint_eq(record_at(TRACE_MEM, 1)->a, pushes.offset + 5 * 4);
    ck_assert_uint_eq(record_at(TRACE_MEM, 1)->b, 4);
    ck_assert_uint_eq(record_at(TRACE_GPU_WRITE, 1)->a, fence.offset + 8);
    ck_assert_uint_eq(record_at(TRACE_GPU_WRITE, 1)->c, 42);
    ck_assert_uint_eq(record_at(TRACE_SUBMIT, 0)->b, 0);
    ck_assert_uint_eq(record_at(TRACE_SUBMIT, 1)->b, fence.offset + 8);
    ck_assert_uint_eq(record_at(TRACE_SUBMIT, 1)->c, 41);
}
END_TEST

START_TEST(channels_do_not_share_the_parser)
{
    const struct uapi_gem_info info = object_new(PAGE, UAPI_DOMAIN_GART);
    const int32_t first = channel_new(), second = channel_new();
    uint32_t *dwords = object_map(&info);
    const uint64_t length = put_fence(dwords, info.offset + 0x800, 7);
    struct submission submission;

    /* A header and one of its data here, the other channel's methods, then the rest. */
    ck_assert_int_eq(submit(submission_of(&submission, first, &info, 16)), 0);
    ck_assert_int_eq(submit(submission_of(&submission, second, &info, length)), 0);
    ck_assert_uint_eq(dwords[0x200], 7);
    dwords[0x200] = 0;
    submission_of(&submission, first, &info, length - 16);
    submission.pushes[0].offset = 16;
    ck_assert_int_eq(submit(&submission), 0);
    ck_assert_uint_eq(dwords[0x200], 7);
}
END_TEST

START_TEST(two_pushes_make_one_stream)
{
    const struct uapi_gem_info info = object_new(PAGE, UAPI_DOMAIN_GART);
    const int32_t channel = channel_new();
    uint32_t *dwords = object_map(&info);
    const uint64_t length = put_fence(dwords, info.offset + 0x800, 7);
    struct submission submission;

    submission_of(&submission, channel, &info, 12);
    submission.pushbuf.push_count = 2;
    submission.pushes[1] =
        (struct uapi_pushbuf_push){.offset = 12, .length = (length - 12) | UAPI_PUSH_NO_PREFETCH};
    ck_assert_int_eq(submit(&submission), 0);
    ck_assert_uint_eq(dwords[0x200], 7);
    trace_end();
    ck_assert_uint_eq(record_at(TRACE_SUBMIT, 0)->a, 2);
}
END_TEST

START_TEST(a_submission_without_pushes_is_recorded)
{
    struct submission submission = {.pushbuf = {.channel = (uint32_t)channel_new()}};

    submission.pushbuf.buffer_count = UINT32_MAX; /* not looked at */
    ck_assert_int_eq(submit(&submission), 0);
    ck_assert_uint_eq(record_nouveau_submission(nouveau), 1);
    trace_end();
    ck_assert_uint_eq(record_at(TRACE_SUBMIT, 0)->a, 0);
}
END_TEST

/* One thing wrong in a submission that is otherwise right. */
static void wrong_channel(struct submission *s)
{
    s->pushbuf.channel = 9;
}
static void wrong_handle(struct submission *s)
{
    s->buffers[0].handle = 99;
}
static void same_handle_twice(struct submission *s)
{
    s->buffers[1].handle = s->buffers[0].handle;
    s->pushbuf.buffer_count = 2;
}
static void push_of_no_buffer(struct submission *s)
{
    s->pushes[0].buffer = 1;
}
static void push_past_the_end(struct submission *s)
{
    s->pushes[0].length = PAGE + 4;
}
static void push_that_wraps(struct submission *s)
{
    s->pushes[0].offset = 8;
    s->pushes[0].length = UINT64_MAX - 7;
}
static void push_from_far(struct submission *s)
{
    s->pushes[0].offset = UINT64_MAX - 3;
}
static void push_between_dwords(struct submission *s)
{
    s->pushes[0].offset = 2;
}
static void too_many_pushes(struct submission *s)
{
    s->pushbuf.push_count = UAPI_PUSHBUF_PUSHES_MAX + 1;
}
static void too_many_buffers(struct submission *s)
{
    s->pushbuf.buffer_count = UINT32_MAX;
}
static void too_many_relocs(struct submission *s)
{
    s->pushbuf.reloc_count = UAPI_PUSHBUF_RELOCS_MAX + 1;
}
static void buffers_nowhere(struct submission *s)
{
    s->pushbuf.buffers = 16;
}
static void pushes_nowhere(struct submission *s)
{
    s->pushbuf.pushes = UINT64_MAX - 15;
}
static void reloc_past_the_end(struct submission *s)
{
    s->pushbuf.reloc_count = 1;
    s->relocs[0].at_offset = PAGE - 3;
}
static void reloc_to_no_buffer(struct submission *s)
{
    s->pushbuf.reloc_count = 1;
    s->relocs[0].buffer = 1;
}

static const struct {
    void (*spoil)(struct submission *submission);
    int result;
} spoiled[] = {
    {wrong_channel, -ENOENT},     {wrong_handle, -ENOENT},        {same_handle_twice, -EINVAL},
    {push_of_no_buffer, -EINVAL}, {push_past_the_end, -EINVAL},   {push_that_wraps, -EINVAL},
    {push_from_far, -EINVAL},     {push_between_dwords, -EINVAL}, {too_many_pushes, -EINVAL},
    {too_many_buffers, -EINVAL},  {too_many_relocs, -EINVAL},     {buffers_nowhere, -EFAULT},
    {pushes_nowhere, -EFAULT},    {reloc_past_the_end, -EINVAL},  {reloc_to_no_buffer, -EINVAL},
};

START_TEST(a_spoiled_submission_is_refused_and_changes_nothing)
{
    const struct uapi_gem_info info = object_new(PAGE, UAPI_DOMAIN_GART);
    const int32_t channel = channel_new();
    uint32_t *dwords = object_map(&info);
    const uint64_t length = put_fence(dwords, info.offset + 0x800, 7);
    struct submission submission;

    submission_of(&submission, channel, &info, length);
    spoiled[_i].spoil(&submission);
    ck_assert_int_eq(submit(&submission), spoiled[_i].result);
    ck_assert_uint_eq(dwords[0x200], 0);
    ck_assert_int_eq(submit(submission_of(&submission, channel, &info, length)), 0);
    ck_assert_uint_eq(dwords[0x200], 7);
    trace_end();
    ck_assert_uint_eq(record_count(TRACE_SUBMIT), 1);
}
END_TEST

START_TEST(wrongly_presumed_addresses_are_put_right)
{
    const struct uapi_gem_info info = object_new(PAGE, UAPI_DOMAIN_GART);
    const int32_t channel = channel_new();
    uint32_t *dwords = object_map(&info);
    struct submission submission;

    submission_of(&submission, channel, &info, 0);
    submission.pushbuf.reloc_count = 1;
    submission.relocs[0] = (struct uapi_pushbuf_reloc){
        .at_offset = 64, .flags = UAPI_RELOC_HIGH | UAPI_RELOC_OR, .gart_or = 0x100};
    ck_assert_int_eq(submit(&submission), 0);
    ck_assert_uint_eq(dwords[16], 0x100 | (uint32_t)(info.offset >> 32));
    dwords[16] = 0;
    ck_assert_int_eq(submit(&submission), 0); /* now they were presumed rightly */
    ck_assert_uint_eq(dwords[16], 0);
}
END_TEST

/* As when a query is begun again: the replay could wait for ever for a value that is gone. */
START_TEST(a_completion_that_the_program_overwrote_is_not_seen_any_more)
{
    const struct uapi_gem_info info = object_new(PAGE, UAPI_DOMAIN_GART);
    const int32_t channel = channel_new();
    uint32_t *dwords = object_map(&info);
    struct submission submission;

    submission_of(&submission, channel, &info, put_fence(dwords, info.offset + 0x800, 7));
    ck_assert_int_eq(submit(&submission), 0);
    dwords[0x200] = 0;
    ck_assert_int_eq(submit(&submission), 0);
    ck_assert_int_eq(submit(&submission), 0);
    trace_end();
    ck_assert_uint_eq(record_at(TRACE_SUBMIT, 1)->b, 0);
    ck_assert_uint_eq(record_at(TRACE_SUBMIT, 1)->c, 0);
    ck_assert_uint_eq(record_at(TRACE_SUBMIT, 2)->b, info.offset + 0x800);
    ck_assert_uint_eq(record_at(TRACE_SUBMIT, 2)->c, 7);
}
END_TEST

/* A query's counter of 64 bits is written, but no program learns from it that work is done. */
START_TEST(a_counter_is_no_completion_that_the_program_has_seen)
{
    const struct uapi_gem_info info = object_new(PAGE, UAPI_DOMAIN_GART);
    const int32_t channel = channel_new();
    uint32_t *dwords = object_map(&info);
    struct submission submission;
    uint64_t bytes;

    submission_of(&submission, channel, &info, put_fence(dwords, info.offset + 0x800, 7));
    ck_assert_int_eq(submit(&submission), 0);
    bytes = put_fence(dwords, info.offset + 0x900, 8);
    dwords[bytes / 4 - 1] = 0x09005002; /* primitives generated */
    dwords[0x240] = 99;
    ck_assert_int_eq(submit(&submission), 0);
    ck_assert_uint_eq(dwords[0x240], 0);
    ck_assert_int_eq(submit(&submission), 0);
    trace_end();
    ck_assert_uint_eq(record_at(TRACE_GPU_WRITE, 1)->a, info.offset + 0x900);
    ck_assert_uint_eq(record_at(TRACE_GPU_WRITE, 1)->b, 16);
    ck_assert_uint_eq(record_at(TRACE_SUBMIT, 2)->b, info.offset + 0x800);
    ck_assert_uint_eq(record_at(TRACE_SUBMIT, 2)->c, 7);
}
END_TEST

START_TEST(a_completion_that_lies_nowhere_is_noted)
{
    const struct uapi_gem_info info = object_new(PAGE, UAPI_DOMAIN_GART);
    const int32_t channel = channel_new();
    struct submission submission;

    submission_of(&submission, channel, &info, put_fence(object_map(&info), 0x5000, 7));
    ck_assert_int_eq(submit(&submission), 0);
    trace_end();
    ck_assert_uint_eq(record_count(TRACE_GPU_WRITE), 0);
    ck_assert_ptr_nonnull(strstr(record_at(TRACE_MARK, 0)->text, "0x5000"));
}
END_TEST

START_TEST(a_full_disk_stops_recording_and_not_the_answers)
{
    const struct uapi_gem_info info = object_new(PAGE, UAPI_DOMAIN_GART);
    const int32_t channel = channel_new();
    uint32_t *dwords = object_map(&info);
    struct submission submission;

    submission_of(&submission, channel, &info, put_fence(dwords, info.offset + 0x800, 7));
    ck_assert_int_ge(dup2(open("/dev/full", O_WRONLY), trace_fd), 0);
    ck_assert_int_eq(submit(&submission), 0);
    ck_assert(out.failed);
    ck_assert_ptr_nonnull(strstr(out.error.text, strerror(ENOSPC)));
    ck_assert_uint_eq(dwords[0x200], 7);
}
END_TEST

Suite *record_submit_suite(void)
{
    Suite *suite = suite_create("record_submit");
    TCase *tcase = tcase_create("all");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, a_submission_records_memory_pushes_and_completion_in_this_order);
    tcase_add_test(tcase, channels_do_not_share_the_parser);
    tcase_add_test(tcase, two_pushes_make_one_stream);
    tcase_add_test(tcase, a_submission_without_pushes_is_recorded);
    tcase_add_loop_test(tcase, a_spoiled_submission_is_refused_and_changes_nothing, 0,
                        sizeof spoiled / sizeof spoiled[0]);
    tcase_add_test(tcase, wrongly_presumed_addresses_are_put_right);
    tcase_add_test(tcase, a_completion_that_the_program_overwrote_is_not_seen_any_more);
    tcase_add_test(tcase, a_counter_is_no_completion_that_the_program_has_seen);
    tcase_add_test(tcase, a_completion_that_lies_nowhere_is_noted);
    tcase_add_test(tcase, a_full_disk_stops_recording_and_not_the_answers);
    suite_add_tcase(suite, tcase);
    return suite;
}
