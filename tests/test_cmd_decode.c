/* SPDX-License-Identifier: MIT */
/* gfe decode from a trace to its text: the recorded program of tests/golden/compute_136.h. */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "emu/program/cmd.h"
#include "tests/golden/compute_136.h"
#include "tests/suites.h"
#include "traces/format/trace.h"

enum { HANDLE_PUSH = 2, CHANNEL = 5, BUFFER_BYTES = 1 << 20 };
#define SEGMENT_COUNT (sizeof compute_136_segments / sizeof compute_136_segments[0])
#define PUSH_VA       0x100000000ull

/* What is wrong with the trace, to see it reported. */
enum flaw { FLAW_NONE, FLAW_VENDOR, FLAW_NO_CHANNEL, FLAW_UNMAPPED, FLAW_LONG, FLAW_FAR_MEMORY };

/* A trace in memory. */
struct memory_trace {
    int fd;
    char path[40];
};

static void put(struct trace_writer *writer, struct trace_record record)
{
    ck_assert(trace_write(writer, &record, NULL));
}

static void put_dwords(struct trace_writer *writer, uint64_t va, const uint32_t *dwords,
                       uint32_t count)
{
    uint8_t *bytes = malloc(4ull * count);

    ck_assert_ptr_nonnull(bytes);
    for (uint32_t i = 0; i < 4 * count; i++)
        bytes[i] = (uint8_t)(dwords[i / 4] >> 8 * (i % 4));
    put(writer, (struct trace_record){.head = {.kind = TRACE_MEM},
                                      .mem = {.address = va, .data = {bytes, 4 * count}}});
    free(bytes);
}

static void put_start(struct trace_writer *writer, enum flaw flaw)
{
    put(writer,
        (struct trace_record){.head = {.kind = TRACE_META},
                              .meta = {.format = TRACE_FORMAT,
                                       .driver = {"nouveau", 7},
                                       .gpu = {"gtx1060", 7},
                                       .chipset = 0x136,
                                       .pci_id = flaw == FLAW_VENDOR ? 0x80860000u : 0x10de1c03u}});
    if (flaw != FLAW_NO_CHANNEL)
        put(writer, (struct trace_record){.head = {.kind = TRACE_CHANNEL},
                                          .channel = {.channel_id = CHANNEL}});
    put(writer, (struct trace_record){
                    .head = {.kind = TRACE_AS_MAP},
                    .as_map = {.va = PUSH_VA, .size_bytes = BUFFER_BYTES, .handle = HANDLE_PUSH}});
    if (flaw == FLAW_UNMAPPED)
        put(writer,
            (struct trace_record){
                .head = {.kind = TRACE_AS_UNMAP},
                .as_unmap = {.va = PUSH_VA, .size_bytes = BUFFER_BYTES, .handle = HANDLE_PUSH}});
    for (size_t i = 0; i < 2; i++)
        put_dwords(writer, compute_136_qmd_va[i] | (flaw == FLAW_FAR_MEMORY ? 1ull << 49 : 0),
                   compute_136_qmds[i], 64);
}

/* The segments in buffer HANDLE_PUSH, one after the other, a submission each. */
static struct memory_trace trace_new(enum flaw flaw)
{
    struct memory_trace file = {.fd = memfd_create("test", MFD_CLOEXEC)};
    struct trace_writer *writer = trace_writer_new(file.fd, "test", NULL);
    uint64_t offset = 0;

    ck_assert_ptr_nonnull(writer);
    snprintf(file.path, sizeof file.path, "/proc/self/fd/%d", file.fd);
    put_start(writer, flaw);
    for (uint32_t i = 0; i < SEGMENT_COUNT; i++) {
        const struct compute_136_segment *segment = &compute_136_segments[i];
        const struct trace_push push = {
            .handle = HANDLE_PUSH,
            .offset = offset,
            .length_bytes = flaw == FLAW_LONG ? 0x800000 : 4ull * segment->dword_count,
        };

        put_dwords(writer, PUSH_VA + offset, segment->dwords, segment->dword_count);
        put(writer,
            (struct trace_record){
                .head = {.kind = TRACE_SUBMIT, .time_ns = 1234567890},
                .submit = {.channel_id = CHANNEL, .submission_id = i + 1, .pushes = {&push, 1}}});
        offset += 4ull * segment->dword_count;
    }
    put(writer, (struct trace_record){.head = {.kind = TRACE_END}});
    ck_assert(trace_writer_finish(writer, NULL));
    trace_writer_free(writer);
    return file;
}

/* Runs the command; its output, terminated, in *text (to be freed), or NULL when it made none. */
static int decode(const struct memory_trace *trace, const char *option, char **text)
{
    char name[] = "decode", dash_o[] = "-o", flag[16], input[64];
    char output[] = "/tmp/gfe-test-decode-XXXXXX";
    char *argv[] = {name, dash_o, output, input, NULL, NULL};
    int argc = 4;

    ck_assert_int_eq(close(mkstemp(output)), 0);
    ck_assert_int_eq(unlink(output), 0);
    snprintf(input, sizeof input, "%s", trace->path);
    if (option != NULL) {
        snprintf(flag, sizeof flag, "%s", option);
        argv[argc++] = flag;
    }
    ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr));
    const int status = cmd_decode(argc, argv);

    FILE *file = fopen(output, "rb");
    size_t bytes = 0;
    *text = NULL;
    if (file != NULL) {
        ck_assert_int_gt(getdelim(text, &bytes, '\0', file), 0);
        ck_assert_int_eq(fclose(file), 0);
        ck_assert_int_eq(unlink(output), 0);
    }
    return status;
}

static uint32_t count_lines(const char *text, const char *start)
{
    uint32_t count = strncmp(text, start, strlen(start)) == 0;
    char with_newline[64];

    snprintf(with_newline, sizeof with_newline, "\n%s", start);
    for (const char *at = strstr(text, with_newline); at; at = strstr(at + 1, with_newline))
        count++;
    return count;
}

START_TEST(the_recorded_program_is_printed_method_by_method)
{
    struct memory_trace trace = trace_new(FLAW_NONE);
    char *text;

    ck_assert_int_eq(decode(&trace, NULL, &text), 0);
    ck_assert_ptr_nonnull(text);
    ck_assert_uint_eq(count_lines(text, "SUBMIT "), SEGMENT_COUNT);
    ck_assert_uint_eq(count_lines(text, "R gp "), SEGMENT_COUNT);
    ck_assert_uint_eq(count_lines(text, "R s0 c197 "), 794);
    ck_assert_uint_eq(count_lines(text, "R s1 c1c0 "), 286 + 2 * 24);
    ck_assert_uint_eq(count_lines(text, "R s2 a140 "), 604);
    ck_assert_uint_eq(count_lines(text, "R s3 902d "), 10);
    ck_assert_uint_eq(count_lines(text, "R s4 c1b5 "), 12);
    ck_assert_uint_eq(count_lines(text, "R s7 906e "), 1);
    ck_assert_ptr_nonnull(strstr(text, "SUBMIT 1 channel=5 time=1234.567ms entries=1\n"
                                       "R gp 0 GET=0x100000000 LENGTH=1064 SYNC=PROCEED "
                                       "buffer=2+0x0\n"
                                       "R s7 906e 0000 0000906e SET_OBJECT"));
    ck_assert_ptr_nonnull(strstr(text, "# subchannel 0 class c197: 794 methods\n"
                                       "# subchannel 1 class c1c0: 286 methods\n"));
    ck_assert_ptr_nonnull(strstr(text, "# 1707 methods, 2 grids\n"));
    free(text);
    ck_assert_int_eq(close(trace.fd), 0);
}
END_TEST

START_TEST(its_two_grids_are_spelled_out)
{
    struct memory_trace trace = trace_new(FLAW_NONE);
    char *text;

    ck_assert_int_eq(decode(&trace, NULL, &text), 0);
    ck_assert_ptr_nonnull(text);
    ck_assert_uint_eq(count_lines(text, "R s1 c1c0  qmd 0x"), 2);
    ck_assert_ptr_nonnull(strstr(text, " qmd 0x102e40000 V02_01 grid=5x3x2 block=32x4x2 "
                                       "shared=1024 registers=8 barriers=1 "));
    ck_assert_ptr_nonnull(strstr(text, " qmd 0x102e40200 V02_01 grid=7x1x1 block=32x4x2 "));
    free(text);
    ck_assert_int_eq(close(trace.fd), 0);
}
END_TEST

/* Every dword of every segment has a line of its own; 8 lines more for each descriptor. */
START_TEST(raw_prints_each_dword_once)
{
    struct memory_trace trace = trace_new(FLAW_NONE);
    uint32_t dword_count = 0;
    char *text;

    for (size_t i = 0; i < SEGMENT_COUNT; i++)
        dword_count += compute_136_segments[i].dword_count;
    ck_assert_int_eq(decode(&trace, "--raw", &text), 0);
    ck_assert_ptr_nonnull(text);
    ck_assert_uint_eq(count_lines(text, "R 01"), dword_count + 2 * 8);
    free(text);
    ck_assert_int_eq(close(trace.fd), 0);
}
END_TEST

START_TEST(a_bad_trace_gives_status_1_and_no_output)
{
    static const enum flaw flaws[] = {FLAW_VENDOR, FLAW_NO_CHANNEL, FLAW_UNMAPPED, FLAW_LONG,
                                      FLAW_FAR_MEMORY};

    for (size_t i = 0; i < sizeof flaws / sizeof flaws[0]; i++) {
        struct memory_trace trace = trace_new(flaws[i]);
        char *text;

        ck_assert_int_eq(decode(&trace, NULL, &text), 1);
        ck_assert_ptr_null(text);
        ck_assert_int_eq(close(trace.fd), 0);
    }
}
END_TEST

START_TEST(a_wrong_command_line_gives_status_2)
{
    char name[] = "decode", option[] = "--no-such-option";
    char *argv[] = {name, option, NULL};

    ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr));
    ck_assert_int_eq(cmd_decode(2, argv), 2);
    ck_assert_int_eq(cmd_decode(1, argv), 2);
}
END_TEST

Suite *cmd_decode_suite(void)
{
    Suite *suite = suite_create("cmd_decode");
    TCase *tcase = tcase_create("command");

    tcase_add_test(tcase, the_recorded_program_is_printed_method_by_method);
    tcase_add_test(tcase, its_two_grids_are_spelled_out);
    tcase_add_test(tcase, raw_prints_each_dword_once);
    tcase_add_test(tcase, a_bad_trace_gives_status_1_and_no_output);
    tcase_add_test(tcase, a_wrong_command_line_gives_status_2);
    suite_add_tcase(suite, tcase);
    return suite;
}
