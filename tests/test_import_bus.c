/* SPDX-License-Identifier: MIT */
/* gfe import bus: what each statement becomes, and what is refused with which words. */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/suites.h"
#include "tests/trace_samples.h"
#include "emu/sim/bare_gpu.h"
#include "traces/import/import_bus.h"
#include "traces/format/trace.h"

#define HEAD "gfe-bus 1\ngpu gtx1060-3gb\n"

static struct gfe_error error;
static struct memory_file file;

static bool import(const char *text)
{
    FILE *in = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    bool done;

    error = (struct gfe_error){0};
    file = memory_file_new("", 0);
    done = import_bus(in, "text", file.fd, "trace", &bare_gpu_chips, &error);
    fclose(in);
    return done;
}

/* The n-th record behind META and CLIENT. */
static struct trace_record record(const char *text, uint32_t n)
{
    static uint8_t data[4096];
    struct trace_reader *reader;
    struct trace_record found;

    ck_assert_msg(import(text), "%s", error.text);
    reader = trace_reader_open(file.path, &error);
    ck_assert_ptr_nonnull(reader);
    for (uint32_t i = 0; i < n + 3; i++)
        ck_assert_int_eq(trace_read(reader, &found, &error), TRACE_GOT);
    if (found.head.kind == TRACE_MEM) {
        memcpy(data, found.mem.data.data, found.mem.data.length);
        found.mem.data.data = data;
    }
    trace_reader_free(reader);
    memory_file_free(&file);
    return found;
}

START_TEST(a_register_becomes_a_write_of_its_word)
{
    struct trace_record found = record(HEAD "2us NV_PFIFO_PREEMPT ID=3 TYPE=TSG\n", 0);

    ck_assert_uint_eq(found.head.kind, TRACE_MMIO_WRITE);
    ck_assert_uint_eq(found.head.time_ns, 2000);
    ck_assert_uint_eq(found.mmio_write.bar, 0);
    ck_assert_uint_eq(found.mmio_write.offset, 0x2634);
    ck_assert_uint_eq(found.mmio_write.size_bytes, 4);
    ck_assert_uint_eq(found.mmio_write.value, 0x01000003);
}
END_TEST

START_TEST(the_head_names_the_gpu_and_the_layer)
{
    struct trace_reader *reader;
    struct trace_record found;

    ck_assert(import(HEAD));
    reader = trace_reader_open(file.path, &error);
    ck_assert_int_eq(trace_read(reader, &found, &error), TRACE_GOT);
    ck_assert_uint_eq(found.meta.chipset, 0x136);
    ck_assert_str_eq(found.meta.gpu.text, "gtx1060-3gb");
    ck_assert_str_eq(found.meta.driver.text, "none");
    ck_assert_int_eq(trace_read(reader, &found, &error), TRACE_GOT);
    ck_assert_uint_eq(found.client.layer, TRACE_LAYER_BUS);
    trace_reader_free(reader);
    memory_file_free(&file);
}
END_TEST

START_TEST(times_are_absolute_or_behind_the_line_before)
{
    static const char text[] = HEAD "1us 0x2630 = 1\n+500ns 0x2630 = 2\n0x2630 = 3 # now\n"
                                    "  +1us\n0x2630 = 4\n7us mark  so  it is\n";

    ck_assert_uint_eq(record(text, 0).head.time_ns, 1000);
    ck_assert_uint_eq(record(text, 1).head.time_ns, 1500);
    ck_assert_uint_eq(record(text, 2).head.time_ns, 1500);
    ck_assert_uint_eq(record(text, 3).head.time_ns, 2500);
    ck_assert_uint_eq(record(text, 4).head.time_ns, 7000);
    ck_assert_uint_eq(record(text, 4).head.kind, TRACE_MARK);
}
END_TEST

START_TEST(words_become_memory_of_an_aperture)
{
    static const char text[] = HEAD "words 0x1000\n  00000001 2\n 0xff\nend\n"
                                    "words 0x2000 sysmem\nabcd\nend\n";
    struct trace_record found = record(text, 0);

    ck_assert_uint_eq(found.mem.as_id, TRACE_AS_PHYSICAL);
    ck_assert_uint_eq(found.mem.address, 0x1000);
    ck_assert_uint_eq(found.mem.data.length, 12);
    ck_assert_mem_eq(found.mem.data.data, "\1\0\0\0\2\0\0\0\xff\0\0", 12);
    found = record(text, 1);
    ck_assert_uint_eq(found.mem.as_id, TRACE_AS_PHYSICAL_SYSTEM);
    ck_assert_uint_eq(found.mem.address, 0x2000);
}
END_TEST

START_TEST(reads_doorbells_bar1_and_maps_become_their_records)
{
    struct trace_record found = record(HEAD "read NV_PPBDMA_GP_GET[1] = 7\n", 0);

    ck_assert_uint_eq(found.head.kind, TRACE_MMIO_READ);
    ck_assert_uint_eq(found.mmio_read.offset, 0x42014);
    ck_assert_uint_eq(found.mmio_read.value, 7);
    found = record(HEAD "bar1 0x10008c = 9\n", 0);
    ck_assert_uint_eq(found.mmio_write.bar, 1);
    ck_assert_uint_eq(found.mmio_write.offset, 0x10008c);
    ck_assert_uint_eq(found.mmio_write.value, 9);
    found = record(HEAD "doorbell 5 0x10005\n", 0);
    ck_assert_uint_eq(found.doorbell.channel_id, 5);
    ck_assert_uint_eq(found.doorbell.value, 0x10005);
    found = record(HEAD "map 0x7000 0x100000 64k 0x200000 sysmem\n", 0);
    ck_assert_uint_eq(found.as_map.as_id, 7);
    ck_assert_uint_eq(found.as_map.va, 0x100000);
    ck_assert_uint_eq(found.as_map.size_bytes, 65536);
    ck_assert_uint_eq(found.as_map.object_offset, 0x200000);
    ck_assert_uint_eq(found.as_map.aperture, TRACE_APERTURE_SYSMEM);
    found = record(HEAD "unmap 0 0x1000 0x1000\n", 0);
    ck_assert_uint_eq(found.as_unmap.as_id, 0);
    ck_assert_uint_eq(found.as_unmap.size_bytes, 0x1000);
}
END_TEST

static const struct {
    const char *text, *said;
} wrong[] = {
    {"", "text: line 0: the text ends before it names a GPU"},
    {"0x2630 = 1\n", "text: line 1: this is no text for gfe import bus: 'gfe-bus 1' was expected"},
    {"gfe-bus 2\n", "text: line 1: version 2 is not known: only 1 is"},
    {"gfe-bus 1\n0x2630 = 1\n", "text: line 2: 'gpu NAME' comes first"},
    {"gfe-bus 1\ngpu voodoo\n", "text: line 2: no GPU is called 'voodoo'; gfe gpus lists them"},
    {HEAD "gpu gtx1060\n", "text: line 3: the GPU is said already"},
    {HEAD "\nNV_NOTHING = 1\n", "text: line 4: this GPU has no register 'NV_NOTHING'"},
    {HEAD "NV_PFIFO_PREEMPT.TYPE = 1\n", "text: line 3: one field alone cannot be written here"},
    {HEAD "2us\n1us 0x2630 = 1\n", "text: line 4: time does not go back"},
    {HEAD "1500ps 0x2630 = 1\n", "text: line 3: times have whole nanoseconds: '1500ps' has not"},
    {HEAD "+soon 0x2630 = 1\n", "text: line 3: '+soon' is no time"},
    {HEAD "213days\n", "text: line 3: '213days' is neither"},
    {HEAD "words 2\n", "text: line 3: dwords lie at multiples of 4"},
    {HEAD "words 0 rom\n", "text: line 3: memory is 'vram' or 'sysmem', not 'rom'"},
    {HEAD "words 0\n1\n", "text: line 4: 'end' is missing"},
    {HEAD "words 0\nxyz\n", "text: line 4: 'xyz' is not a dword in hexadecimal"},
    {HEAD "words 0\n123456789\n", "text: line 4: '123456789' is not a dword in hexadecimal"},
    {HEAD "map 1 0 4k 0\n", "text: line 3: root, address and size are of whole pages"},
    {HEAD "map 0x1000 0 0 0\n", "text: line 3: root, address and size are of whole pages"},
    {HEAD "map 0x1000 0 4k 1\n", "text: line 3: 1 is not the address of a page"},
    {HEAD "map 0x1000 0 4k\n", "text: line 3: map needs 4 to 5 words after it"},
    {HEAD "map 0x1000 0x2000000000000 4k 0\n",
     "text: line 3: 0x2000000000000 is more than 0x1ffffffffffff"},
    {HEAD "bar1 4 5 6\n", "text: line 3: 'bar1 OFFSET = NUMBER' was expected"},
    {HEAD "bar1 2 = 6\n", "text: line 3: 'bar1 OFFSET = NUMBER' was expected"},
    {HEAD "doorbell 1\n", "text: line 3: doorbell needs 2 to 2 words after it"},
    {HEAD "read NV_PFIFO_CFG0\n", "text: line 3: '= VALUE' is missing"},
};

START_TEST(what_means_nothing_is_refused_with_its_line)
{
    ck_assert_msg(!import(wrong[_i].text), "%s", wrong[_i].text);
    ck_assert_msg(strncmp(error.text, wrong[_i].said, strlen(wrong[_i].said)) == 0, "%s",
                  error.text);
    memory_file_free(&file);
}
END_TEST

START_TEST(long_lines_are_refused)
{
    char text[8192];

    memset(text, 'x', sizeof text);
    memcpy(text, HEAD, sizeof HEAD - 1);
    text[sizeof text - 1] = '\0';
    ck_assert(!import(text));
    ck_assert_str_eq(error.text, "text: line 3: the line is longer than 4094 characters");
    memory_file_free(&file);
}
END_TEST

Suite *import_bus_suite(void)
{
    Suite *suite = suite_create("import_bus");
    TCase *tcase = tcase_create("statements");

    tcase_add_test(tcase, a_register_becomes_a_write_of_its_word);
    tcase_add_test(tcase, the_head_names_the_gpu_and_the_layer);
    tcase_add_test(tcase, times_are_absolute_or_behind_the_line_before);
    tcase_add_test(tcase, words_become_memory_of_an_aperture);
    tcase_add_test(tcase, reads_doorbells_bar1_and_maps_become_their_records);
    tcase_add_loop_test(tcase, what_means_nothing_is_refused_with_its_line, 0,
                        (int)(sizeof wrong / sizeof wrong[0]));
    tcase_add_test(tcase, long_lines_are_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
