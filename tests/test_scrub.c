/* SPDX-License-Identifier: MIT */
/*
 * gfe scrub on whole traces: the recordings of tests/golden, and small ones with secrets in them.
 * What breaks the plan on purpose is found by the replay.
 */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/nvidia/formats/nv_methods.h"
#include "emu/explore/scrub.h"
#include "emu/log/chunk.h"
#include "tests/check_trace.h"
#include "tests/suites.h"

enum { PUSH = 1, DATA = 2, OTHER = 3, S_3D = 0, S_COMPUTE = 1, S_INLINE = 2, COPY = 4 };
#define SECRET "correct horse battery"

static const struct limits limits = LIMITS_DEFAULT;
static const struct scrub_options defaults = {.limits = &limits};

/* A trace's plan, and what it becomes. */
struct scrubbed {
    struct scrub_plan plan;
    struct scrub_report report;
    struct memory_file file;
};

static void scrubbed_plan(struct scrubbed *scrubbed, const char *path)
{
    struct gfe_error error = {0};

    scrubbed->file = memory_file_new("", 0);
    ck_assert_msg(scrub_plan_make(&scrubbed->plan, path, &limits, &error), "%s", error.text);
}

static void scrubbed_apply(struct scrubbed *scrubbed, const char *path)
{
    struct gfe_error error = {0};

    ck_assert_msg(scrub_apply(&scrubbed->plan, path, &defaults, scrubbed->file.fd, "new",
                              &scrubbed->report, &error),
                  "%s", error.text);
}

static void scrubbed_end(struct scrubbed *scrubbed)
{
    scrub_plan_fini(&scrubbed->plan);
    memory_file_free(&scrubbed->file);
}

/* Is the text in the memory that the trace holds? */
static bool holds(const char *path, const char *text)
{
    struct gfe_error error = {0};
    struct trace_reader *reader = trace_reader_open(path, &error);
    struct trace_record record;
    bool found = false;

    ck_assert_msg(reader != NULL, "%s", error.text);
    while (trace_read(reader, &record, &error) == TRACE_GOT)
        if (record.head.kind == TRACE_MEM &&
            memmem(record.mem.data.data, record.mem.data.length, text, strlen(text)))
            found = true;
    ck_assert_msg(error.kind == ERROR_NONE, "%s", error.text);
    trace_reader_free(reader);
    return found;
}

static void log_hash(const char *path, char hex[HASH_HEX_BYTES])
{
    struct gfe_error error = {0};

    ck_assert_msg(scrub_log_hash(path, &defaults, hex, &error), "%s", error.text);
}

/* ---- recordings ------------------------------------------------------------------------------ */

/* What may be left of them: thousandths of the bytes that are not 0, and strings.  The last two
 * were scrubbed before they came here; one has six bytes of methods that look like a string. */
static const struct {
    const char *name;
    uint32_t at_most, strings;
} recordings[] = {{"clear", 420, 0}, {"compute", 150, 0}, {"triangle", 490, 0},
                  {"upload", 50, 0}, {"gtx680", 1000, 0}, {"rtx2060", 1000, 1}};

/* PROMISE (explore): A scrubbed recording has the log of the original. */
START_TEST(a_recording_keeps_its_log)
{
    const char *folder = getenv("top_srcdir");
    char path[4096], before[HASH_HEX_BYTES], after[HASH_HEX_BYTES];
    struct scrubbed scrubbed;
    const struct scrub_totals *totals = &scrubbed.report.totals;

    snprintf(path, sizeof path, "%s/tests/golden/%s.gft", folder ? folder : ".",
             recordings[_i].name);
    scrubbed_plan(&scrubbed, path);
    scrubbed_apply(&scrubbed, path);
    log_hash(path, before);
    log_hash(scrubbed.file.path, after);
    ck_assert_str_eq(before, after);
    ck_assert_str_eq(before, scrubbed.report.log_hash);
    ck_assert_uint_eq(scrubbed.report.tries, 1);
    ck_assert_uint_eq(scrubbed.report.kept_records, 0);
    ck_assert_uint_eq(totals->zero_bytes + totals->removed_bytes + totals->kept_bytes,
                      totals->mem_bytes);
    ck_assert_uint_le(totals->kept_bytes * 1000,
                      recordings[_i].at_most * (totals->mem_bytes - totals->zero_bytes));
    ck_assert_uint_eq(totals->strings_left, recordings[_i].strings);
    scrubbed_end(&scrubbed);
}
END_TEST

/* Nothing more can go: neither bytes nor names. */
START_TEST(scrubbing_again_changes_nothing)
{
    const char *folder = getenv("top_srcdir");
    char path[4096], once[HASH_HEX_BYTES], twice[HASH_HEX_BYTES];
    struct scrubbed first, second;
    struct gfe_error error = {0};

    snprintf(path, sizeof path, "%s/tests/golden/compute.gft", folder ? folder : ".");
    scrubbed_plan(&first, path);
    scrubbed_apply(&first, path);
    scrubbed_plan(&second, first.file.path);
    scrubbed_apply(&second, first.file.path);
    ck_assert_uint_eq(second.report.totals.removed_bytes, 0);
    ck_assert_uint_eq(second.report.totals.host_fields, 0);
    ck_assert(hash_file_within(first.file.path, CHUNK_UNPACKED_MAX_BYTES, once, &error));
    ck_assert(hash_file_within(second.file.path, CHUNK_UNPACKED_MAX_BYTES, twice, &error));
    ck_assert_str_eq(once, twice);
    scrubbed_end(&first);
    scrubbed_end(&second);
}
END_TEST

/* ---- traces of our own ----------------------------------------------------------------------- */

static struct check_trace trace;
static struct replay_input *input;

static void put_bytes(uint64_t va, const void *data, uint32_t bytes)
{
    check_trace_put(&trace, (struct trace_record){.head.kind = TRACE_MEM,
                                                  .mem = {.address = va, .data = {data, bytes}}});
}

static void begin(void)
{
    check_trace_begin(&trace);
    check_trace_map(&trace, PUSH);
    check_trace_map(&trace, DATA);
    check_trace_map(&trace, OTHER);
    check_trace_channel(&trace, 0);
}

static void end(void)
{
    input = check_trace_end_keep(&trace);
    replay_input_free(input);
}

static void finish(struct scrubbed *scrubbed)
{
    scrubbed_end(scrubbed);
    memory_file_free(&trace.file);
}

/* A page that is only uploaded, a text in constants, one behind the commands of a buffer. */
START_TEST(secrets_vanish)
{
    struct scrubbed scrubbed;
    uint32_t dwords[64] = {PB_INC(S_3D, 0, 1), PASCAL_B,
                           PB_NON_INC(S_3D, NVA097_LOAD_CONSTANT_BUFFER, 6)};

    begin();
    put_bytes(CHECK_TRACE_BUFFER(DATA) + 100, SECRET, sizeof SECRET);
    put_bytes(CHECK_TRACE_BUFFER(PUSH) + 0x800, SECRET, sizeof SECRET);
    memcpy(dwords + 3, SECRET, sizeof SECRET);
    check_trace_submit(&trace, 0, PUSH, dwords, 9, 1);
    end();
    ck_assert(holds(trace.file.path, SECRET));
    ck_assert(holds(trace.file.path, "horse"));
    scrubbed_plan(&scrubbed, trace.file.path);
    scrubbed_apply(&scrubbed, trace.file.path);
    ck_assert(!holds(scrubbed.file.path, "horse"));
    ck_assert_uint_eq(scrubbed.report.totals.strings, 3);
    ck_assert_uint_eq(scrubbed.report.totals.strings_left, 0);
    ck_assert_uint_eq(scrubbed.report.totals.kept_bytes, 2 + 2 + 4);
    finish(&scrubbed);
}
END_TEST

/* QMD of one block: 1 x 1 x 1 of 32 x 1 x 1 threads (nv_qmd_layouts.h, V02_01). */
static void put_descriptor(uint32_t words[NV_QMD_DWORDS])
{
    memset(words, 0, NV_QMD_BYTES);
    words[12] = words[13] = words[14] = 1;
    words[18] = 32 << 16;
    words[19] = 1 | 1 << 16;
}

/* The descriptor is inline data, copied to where the launch finds it: needed all the way back. */
START_TEST(a_descriptor_is_kept_wherever_it_comes_from)
{
    uint32_t dwords[160], words[NV_QMD_DWORDS], n = 0;
    struct scrubbed scrubbed;

    begin();
    put_descriptor(words);
    const uint32_t head[] = {PB_INC(S_INLINE, 0, 1),
                             KEPLER_INLINE_TO_MEMORY_B,
                             PB_INC(S_INLINE, NVA040_LINE_LENGTH_IN, 4),
                             NV_QMD_BYTES + 64,
                             1,
                             1,
                             (uint32_t)CHECK_TRACE_BUFFER(DATA),
                             PB_INC(S_INLINE, NVA040_LAUNCH_DMA, 1),
                             0x11,
                             PB_NON_INC(S_INLINE, NVA040_LOAD_INLINE_DATA, NV_QMD_DWORDS + 16)};
    const uint32_t tail[] = {PB_INC(COPY, NVC0B5_OFFSET_IN_UPPER, 8),
                             1,
                             (uint32_t)CHECK_TRACE_BUFFER(DATA),
                             1,
                             (uint32_t)CHECK_TRACE_BUFFER(OTHER),
                             0,
                             0,
                             NV_QMD_BYTES + 64,
                             1,
                             PB_INC(COPY, NVC1B5_LAUNCH_DMA, 1),
                             1 << 7 | 1 << 8 | 2,
                             PB_INC(S_COMPUTE, 0, 1),
                             PASCAL_COMPUTE_B,
                             PB_INC(S_COMPUTE, NVA0C0_SEND_PCAS_A, 1),
                             (uint32_t)(CHECK_TRACE_BUFFER(OTHER) >> 8),
                             PB_INC(S_COMPUTE, NVA0C0_SEND_SIGNALING_PCAS_B, 1),
                             3};
    memcpy(dwords, head, sizeof head);
    n = sizeof head / 4;
    memcpy(dwords + n, words, sizeof words);
    memset(dwords + n + NV_QMD_DWORDS, 'x', 64);
    n += NV_QMD_DWORDS + 16;
    memcpy(dwords + n, tail, sizeof tail);
    n += sizeof tail / 4;
    check_trace_submit(&trace, 0, PUSH, dwords, n, 1);
    end();
    scrubbed_plan(&scrubbed, trace.file.path);
    ck_assert_uint_eq(scrubbed.plan.origin.needed_count[NV_SCRUB_DESCRIPTOR], NV_QMD_BYTES);
    scrubbed_apply(&scrubbed, trace.file.path);
    ck_assert_uint_eq(scrubbed.report.tries, 1); /* the plan was right */
    ck_assert(!holds(scrubbed.file.path, "xxxx"));
    finish(&scrubbed);
}
END_TEST

static void compute_trace(void)
{
    uint32_t words[NV_QMD_DWORDS];

    begin();
    put_descriptor(words);
    put_bytes(CHECK_TRACE_BUFFER(OTHER) + 0x100, SECRET, sizeof SECRET);
    put_bytes(CHECK_TRACE_BUFFER(DATA), words, sizeof words);
    CHECK_TRACE_SUBMIT(&trace, 0, PUSH, PB_INC(S_COMPUTE, 0, 1), PASCAL_COMPUTE_B,
                       PB_INC(S_COMPUTE, NVA0C0_SEND_PCAS_A, 1),
                       (uint32_t)(CHECK_TRACE_BUFFER(DATA) >> 8),
                       PB_INC(S_COMPUTE, NVA0C0_SEND_SIGNALING_PCAS_B, 1), 3);
    end();
}

/* Byte of all MEM's, counted, that holds the grid's width. */
enum { WIDTH_BYTE = sizeof SECRET + 12 * 4 };

static void forget(struct scrub_plan *plan, uint64_t byte)
{
    ck_assert(scrub_origin_is_needed(&plan->origin, byte));
    plan->origin.needed[byte / 8] &= (uint8_t) ~(1 << byte % 8);
}

/* One needed byte is taken for one that is not: the log is another, and the record stays whole. */
/* PROMISE (explore): A scrubbing plan that misses a byte is found out. */
START_TEST(a_plan_that_misses_a_byte_is_found_out)
{
    char before[HASH_HEX_BYTES], after[HASH_HEX_BYTES];
    struct gfe_error error = {0};
    struct scrub_totals totals;
    struct scrubbed scrubbed;

    compute_trace();
    scrubbed_plan(&scrubbed, trace.file.path);
    forget(&scrubbed.plan, WIDTH_BYTE);
    const struct scrub_write_options write = {.origin = &scrubbed.plan.origin,
                                              .limit_bytes = limits.memory_bytes,
                                              .expansion_bytes = limits.expansion_bytes};
    ck_assert_msg(scrub_write(trace.file.path, &write, scrubbed.file.fd, "new", &totals, &error),
                  "%s", error.text);
    log_hash(trace.file.path, before);
    log_hash(scrubbed.file.path, after);
    ck_assert_str_ne(before, after);

    scrubbed_apply(&scrubbed, trace.file.path);
    ck_assert_uint_gt(scrubbed.report.tries, 1);
    ck_assert_uint_eq(scrubbed.report.kept_records, 1);
    log_hash(scrubbed.file.path, after);
    ck_assert_str_eq(before, after);
    ck_assert(!holds(scrubbed.file.path, "horse")); /* the others are scrubbed all the same */
    finish(&scrubbed);
}
END_TEST

START_TEST(all_that_a_replay_needs_can_be_missed)
{
    char before[HASH_HEX_BYTES], after[HASH_HEX_BYTES];
    struct scrubbed scrubbed;

    compute_trace();
    scrubbed_plan(&scrubbed, trace.file.path);
    memset(scrubbed.plan.origin.needed, 0, (size_t)scrubbed.plan.origin.capacity_bytes);
    scrubbed_apply(&scrubbed, trace.file.path);
    ck_assert_uint_eq(scrubbed.report.kept_records, 2);
    log_hash(trace.file.path, before);
    log_hash(scrubbed.file.path, after);
    ck_assert_str_eq(before, after);
    finish(&scrubbed);
}
END_TEST

/* The second record repeats the first submission's commands; they must not become 0 under it. */
START_TEST(repeated_commands_stay)
{
    static const uint32_t both[] = {PB_INC(S_3D, 0, 1), PASCAL_B, PB_INC(S_3D, NVC197_BEGIN, 1), 4};
    struct scrubbed scrubbed;
    struct trace_push push = {.handle = PUSH, .offset = 8, .length_bytes = 8};

    begin();
    check_trace_submit(&trace, 0, PUSH, both, 2, 1);
    put_bytes(CHECK_TRACE_BUFFER(PUSH), both, sizeof both);
    check_trace_put(&trace,
                    (struct trace_record){.head.kind = TRACE_SUBMIT,
                                          .submit = {.submission_id = 2, .pushes = {&push, 1}}});
    end();
    scrubbed_plan(&scrubbed, trace.file.path);
    ck_assert(scrub_origin_is_repeated(&scrubbed.plan.origin, 8));
    ck_assert(!scrub_origin_is_repeated(&scrubbed.plan.origin, 16));
    scrubbed_apply(&scrubbed, trace.file.path);
    ck_assert_uint_eq(scrubbed.report.tries, 1);
    ck_assert_uint_eq(scrubbed.report.totals.removed_bytes, 0);
    finish(&scrubbed);
}
END_TEST

/* With a checksum of its own over the methods, a stream keeps all their data. */
START_TEST(a_stream_with_crc_checks_keeps_its_data)
{
    uint32_t dwords[] = {PB_INC(S_3D, 0, 1),
                         PASCAL_B,
                         PB_INC(S_3D, NVA097_SET_COLOR_CLEAR_VALUE, 1),
                         0x12345678,
                         PB_INC(S_3D, NVA06F_CRC_CHECK, 1),
                         0x1111};
    struct scrubbed scrubbed;

    begin();
    put_bytes(CHECK_TRACE_BUFFER(DATA), SECRET, sizeof SECRET);
    check_trace_submit(&trace, 0, PUSH, dwords, 6, 1);
    end();
    scrubbed_plan(&scrubbed, trace.file.path);
    ck_assert(scrubbed.plan.keeps_data);
    scrubbed_apply(&scrubbed, trace.file.path);
    ck_assert_uint_eq(scrubbed.report.tries, 1);
    ck_assert(holds(scrubbed.file.path, "\x78\x56\x34\x12"));
    ck_assert(!holds(scrubbed.file.path, "horse"));
    finish(&scrubbed);
}
END_TEST

/* The CPU releases the GPU: the word is read again and again, whenever it was written. */
START_TEST(a_word_that_is_waited_for_is_kept_when_it_comes_later)
{
    static const uint32_t one = 1, other = 0x6f6f6f6f;
    struct scrubbed scrubbed;

    begin();
    CHECK_TRACE_SUBMIT(&trace, 0, PUSH, PB_INC(S_3D, NVA06F_SEMAPHOREA, 4), 1,
                       (uint32_t)CHECK_TRACE_BUFFER(DATA), 1, 1 /* acquire */);
    trace.time_ns = 1000000;
    put_bytes(CHECK_TRACE_BUFFER(DATA), &one, sizeof one);
    put_bytes(CHECK_TRACE_BUFFER(DATA) + 16, &other, sizeof other);
    end();
    scrubbed_plan(&scrubbed, trace.file.path);
    scrubbed_apply(&scrubbed, trace.file.path);
    ck_assert_uint_eq(scrubbed.report.tries, 1);
    ck_assert_uint_eq(scrubbed.plan.origin.needed_count[NV_SCRUB_SEMAPHORE], 4);
    ck_assert(!holds(scrubbed.file.path, "oooo"));
    finish(&scrubbed);
}
END_TEST

/* ---- a client that manages its addresses (VM_BIND, EXEC) ------------------------------------- */

#define OBJECT_VA(handle) (UINT64_C(0x200000000) + UINT64_C(0x10000) * (handle))
#define KERNEL_VA         UINT64_C(0x8000000000)

static void vm_object(uint32_t handle, uint64_t va)
{
    const struct trace_bind bind = {
        .op = TRACE_BIND_MAP, .handle = handle, .va = va, .size_bytes = 0x10000};
    static uint32_t bind_id;

    check_trace_put(
        &trace,
        (struct trace_record){.head.kind = TRACE_VM_BIND,
                              .vm_bind = {.as_id = 1, .bind_id = ++bind_id, .binds = {&bind, 1}}});
}

static void vm_begin(void)
{
    check_trace_begin(&trace);
    check_trace_put(&trace,
                    (struct trace_record){.head.kind = TRACE_AS_CREATE, .as_create = {.as_id = 1}});
    check_trace_put(&trace, (struct trace_record){.head.kind = TRACE_VM_INIT,
                                                  .vm_init = {.as_id = 1,
                                                              .kernel_address = KERNEL_VA,
                                                              .kernel_size_bytes = KERNEL_VA}});
    for (uint32_t handle = PUSH; handle <= OTHER; handle++)
        check_trace_put(&trace, (struct trace_record){.head.kind = TRACE_AS_MAP,
                                                      .as_map = {.as_id = TRACE_AS_OBJECTS,
                                                                 .va = OBJECT_VA(handle),
                                                                 .size_bytes = 0x10000,
                                                                 .handle = handle,
                                                                 .aperture = TRACE_APERTURE_VRAM}});
    check_trace_put(&trace, (struct trace_record){.head.kind = TRACE_CHANNEL,
                                                  .channel = {.channel_id = 7, .as_id = 1}});
}

static void vm_store(uint32_t handle, uint64_t offset, const void *data, uint32_t bytes)
{
    check_trace_put(&trace, (struct trace_record){.head.kind = TRACE_MEM,
                                                  .mem = {.as_id = TRACE_AS_OBJECTS,
                                                          .address = OBJECT_VA(handle) + offset,
                                                          .data = {data, bytes}}});
}

/* The CPU writes the descriptor into an object that is bound twice; the launch names the second
 * address.  The object's number for both is one. */
START_TEST(an_object_that_is_bound_twice_is_one)
{
    static const uint32_t dwords[] = {PB_INC(S_COMPUTE, 0, 1),
                                      PASCAL_COMPUTE_B,
                                      PB_INC(S_COMPUTE, NVA0C0_SEND_PCAS_A, 1),
                                      0x300000,
                                      PB_INC(S_COMPUTE, NVA0C0_SEND_SIGNALING_PCAS_B, 1),
                                      3};
    const struct trace_push push = {
        .handle = TRACE_ANY, .offset = 0x10000000, .length_bytes = sizeof dwords};
    char before[HASH_HEX_BYTES], after[HASH_HEX_BYTES];
    uint32_t words[NV_QMD_DWORDS];
    struct scrubbed scrubbed;

    vm_begin();
    vm_object(PUSH, 0x10000000);
    vm_object(DATA, 0x20000000);
    vm_object(DATA, 0x30000000);
    put_descriptor(words);
    vm_store(DATA, 0, words, sizeof words);
    vm_store(DATA, 0x1000, SECRET, sizeof SECRET);
    vm_store(PUSH, 0, dwords, sizeof dwords);
    vm_store(PUSH, 0x100, SECRET, sizeof SECRET);
    check_trace_put(
        &trace,
        (struct trace_record){.head.kind = TRACE_EXEC,
                              .exec = {.channel_id = 7, .submission_id = 1, .pushes = {&push, 1}}});
    end();
    scrubbed_plan(&scrubbed, trace.file.path);
    ck_assert_uint_eq(scrubbed.plan.origin.needed_count[NV_SCRUB_DESCRIPTOR], NV_QMD_BYTES);
    scrubbed_apply(&scrubbed, trace.file.path);
    ck_assert_uint_eq(scrubbed.report.tries, 1);
    ck_assert(!holds(scrubbed.file.path, "horse"));
    log_hash(trace.file.path, before);
    log_hash(scrubbed.file.path, after);
    ck_assert_str_eq(before, after);
    finish(&scrubbed);
}
END_TEST

/* ---- what is refused ------------------------------------------------------------------------- */

static void put_client(uint8_t layer)
{
    check_trace_put(&trace, (struct trace_record){.head.kind = TRACE_CLIENT,
                                                  .client = {.layer = layer, .name = {"", 0}}});
}

START_TEST(a_trace_of_another_layer_is_refused)
{
    struct scrub_plan plan;
    struct gfe_error error = {0};

    begin();
    put_client(_i ? TRACE_LAYER_RING : TRACE_LAYER_BUS);
    if (_i)
        put_client(TRACE_LAYER_UAPI);
    check_trace_put(&trace, (struct trace_record){.head.kind = TRACE_END});
    ck_assert(trace_writer_finish(trace.writer, &error));
    trace_writer_free(trace.writer);
    ck_assert(!scrub_plan_make(&plan, trace.file.path, &limits, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "layer"));
    scrub_plan_fini(&plan);
    memory_file_free(&trace.file);
}
END_TEST

START_TEST(a_trace_that_cannot_be_replayed_is_not_verified)
{
    const struct scrub_options options = {.limits = &limits, .gpu = "nothing"};
    const struct scrub_options unverified = {.limits = &limits, .unverified = true};
    struct gfe_error error = {0};
    struct scrubbed scrubbed;

    compute_trace();
    scrubbed_plan(&scrubbed, trace.file.path);
    ck_assert(!scrub_apply(&scrubbed.plan, trace.file.path, &options, scrubbed.file.fd, "new",
                           &scrubbed.report, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "nothing"));
    error = (struct gfe_error){0};
    ck_assert(scrub_apply(&scrubbed.plan, trace.file.path, &unverified, scrubbed.file.fd, "new",
                          &scrubbed.report, &error));
    ck_assert_str_eq(scrubbed.report.log_hash, "");
    ck_assert(!holds(scrubbed.file.path, "horse"));
    finish(&scrubbed);
}
END_TEST

Suite *scrub_suite(void)
{
    Suite *suite = suite_create("scrub");
    TCase *tests = tcase_create("scrub");

    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, a_recording_keeps_its_log, 0,
                        (int)(sizeof recordings / sizeof recordings[0]));
    tcase_add_test(tests, scrubbing_again_changes_nothing);
    tcase_add_test(tests, secrets_vanish);
    tcase_add_test(tests, a_descriptor_is_kept_wherever_it_comes_from);
    tcase_add_test(tests, a_plan_that_misses_a_byte_is_found_out);
    tcase_add_test(tests, all_that_a_replay_needs_can_be_missed);
    tcase_add_test(tests, repeated_commands_stay);
    tcase_add_test(tests, a_stream_with_crc_checks_keeps_its_data);
    tcase_add_test(tests, a_word_that_is_waited_for_is_kept_when_it_comes_later);
    tcase_add_test(tests, an_object_that_is_bound_twice_is_one);
    tcase_add_loop_test(tests, a_trace_of_another_layer_is_refused, 0, 2);
    tcase_add_test(tests, a_trace_that_cannot_be_replayed_is_not_verified);
    suite_add_tcase(suite, tests);
    return suite;
}
