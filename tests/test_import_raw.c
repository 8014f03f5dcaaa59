/* SPDX-License-Identifier: MIT */
/*
 * gfe import raw: what each statement becomes, what is refused and with which words, and the two
 * pushbuffers of tests/golden/raw that NVK sent to a real TU116.
 */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/formats/nv_decode.h"
#include "traces/format/trace_space.h"
#include "tests/fuzz/fuzz_raw.h"
#include "tests/suites.h"
#include "tests/trace_samples.h"
#include "traces/import/import_raw.h"
#include "traces/format/trace.h"

#define HEAD "gfe-raw 1\ngpu tu106\nchipset 0x166\n"

static struct memory_file trace;

static bool import_named(const char *text, const char *name, struct gfe_error *error)
{
    FILE *file = fmemopen((void *)(uintptr_t)text, strlen(text), "rb");
    bool done;

    ck_assert_ptr_nonnull(file);
    trace = memory_file_new("", 0);
    done = import_raw(file, name, trace.fd, "trace", error);
    fclose(file);
    ck_assert_int_eq(done, error->kind == ERROR_NONE);
    return done;
}

static void import(const char *text)
{
    struct gfe_error error = {0};

    ck_assert_msg(import_named(text, "text", &error), "%s", error.text);
}

/* Record n of that kind. */
static struct trace_reader *find(uint16_t kind, uint32_t n, struct trace_record *record)
{
    struct gfe_error error = {0};
    struct trace_reader *reader = trace_reader_open(trace.path, &error);

    ck_assert_msg(reader != NULL, "%s", error.text);
    while (trace_read(reader, record, &error) == TRACE_GOT)
        if (record->head.kind == kind && n-- == 0)
            return reader;
    ck_abort_msg("no such record");
    return NULL;
}

static void expect_memory(uint32_t n, uint64_t address, const char *data, uint32_t bytes)
{
    struct trace_record record;
    struct trace_reader *reader = find(TRACE_MEM, n, &record);

    ck_assert_uint_eq(record.mem.address, address);
    ck_assert_uint_eq(record.mem.data.length, bytes);
    ck_assert_mem_eq(record.mem.data.data, data, bytes);
    trace_reader_free(reader);
}

/* ---- statements ------------------------------------------------------------------------------ */

START_TEST(the_head_becomes_meta)
{
    struct trace_record record;

    import(HEAD "pci 0x10de1f08\nvram 8G\ndriver nouveau-x\ncompletions stand-in # a comment\n");
    struct trace_reader *reader = find(TRACE_META, 0, &record);
    ck_assert_str_eq(record.meta.gpu.text, "tu106");
    ck_assert_str_eq(record.meta.driver.text, "nouveau-x");
    ck_assert_uint_eq(record.meta.chipset, 0x166);
    ck_assert_uint_eq(record.meta.pci_id, 0x10de1f08);
    ck_assert_uint_eq(record.meta.vram_bytes, UINT64_C(8) << 30);
    ck_assert_uint_eq(record.meta.completions, TRACE_COMPLETIONS_STAND_IN);
    trace_reader_free(reader);
    memory_file_free(&trace);
}
END_TEST

START_TEST(words_and_memory_become_maps_and_mem)
{
    struct trace_record record;

    import(HEAD "memory 0x3ffdf6c000 0x10000 sysmem\nmemory 4096 4096\n"
                "words 0x3ffdf6c010\n 20018040 0x1\n\n 2 # three\nend\n");
    struct trace_reader *reader = find(TRACE_AS_MAP, 0, &record);
    ck_assert_uint_eq(record.as_map.va, 0x3ffdf6c000);
    ck_assert_uint_eq(record.as_map.size_bytes, 0x10000);
    ck_assert_uint_eq(record.as_map.aperture, TRACE_APERTURE_SYSMEM);
    trace_reader_free(reader);
    reader = find(TRACE_AS_MAP, 1, &record);
    ck_assert_uint_eq(record.as_map.aperture, TRACE_APERTURE_VRAM);
    ck_assert_uint_eq(record.as_map.handle, 2);
    trace_reader_free(reader);
    expect_memory(0, 0x3ffdf6c010, "\x40\x80\x01\x20\x01\0\0\0", 8);
    expect_memory(1, 0x3ffdf6c018, "\x02\0\0\0", 4);
    memory_file_free(&trace);
}
END_TEST

START_TEST(entries_become_a_submission)
{
    struct trace_record record;

    import(HEAD "memory 0x10000 64k\nmemory 0x20000 64k\nchannel 3 0xc46f\n"
                "push 0x20010 8\npush 0x10000 4 noprefetch\nib 00010020 80000400\n"
                "time 500\nsubmit 3\nsubmit 3\nwait 3\nexpect 3 0x10100 7\nmark two words\n");
    struct trace_reader *reader = find(TRACE_CHANNEL, 0, &record);
    ck_assert_uint_eq(record.channel.channel_id, 3);
    ck_assert_uint_eq(record.channel.class_id, 0xc46f);
    trace_reader_free(reader);
    reader = find(TRACE_SUBMIT, 0, &record);
    ck_assert_uint_eq(record.head.time_ns, 500);
    ck_assert_uint_eq(record.submit.pushes.count, 3);
    ck_assert_uint_eq(record.submit.pushes.push[0].handle, 2);
    ck_assert_uint_eq(record.submit.pushes.push[0].offset, 0x10);
    ck_assert_uint_eq(record.submit.pushes.push[0].length_bytes, 8);
    ck_assert_uint_eq(record.submit.pushes.push[1].flags, TRACE_PUSH_NO_PREFETCH);
    ck_assert_uint_eq(record.submit.pushes.push[2].offset, 0x20); /* of 0x10000 */
    ck_assert_uint_eq(record.submit.pushes.push[2].length_bytes, 4);
    ck_assert_uint_eq(record.submit.pushes.push[2].flags, TRACE_PUSH_NO_PREFETCH);
    trace_reader_free(reader);
    reader = find(TRACE_SUBMIT, 1, &record);
    ck_assert_uint_eq(record.submit.pushes.count, 0);
    ck_assert_uint_eq(record.submit.submission_id, 2);
    trace_reader_free(reader);
    reader = find(TRACE_CPU_WAIT, 0, &record);
    ck_assert_uint_eq(record.cpu_wait.submission_id, 2);
    trace_reader_free(reader);
    reader = find(TRACE_GPU_WRITE, 0, &record);
    ck_assert_uint_eq(record.gpu_write.address, 0x10100);
    ck_assert_mem_eq(record.gpu_write.data.data, "\x07\0\0\0", 4);
    trace_reader_free(reader);
    reader = find(TRACE_MARK, 0, &record);
    ck_assert_str_eq(record.mark.text.text, "two words");
    trace_reader_free(reader);
    memory_file_free(&trace);
}
END_TEST

START_TEST(bindings_are_submitted_first_and_once)
{
    struct trace_record record;

    import(HEAD "memory 0x10000 64k\nchannel 3\nbind 3 4 0xc5b5\nbind 3 1 0xc5c0\n"
                "push 0x10000 4\nsubmit 3\npush 0x10000 4\nsubmit 3\nbind 3 0 0xc597\nsubmit 3\n");
    expect_memory(0, IMPORT_RAW_VA,
                  "\x00\x20\x01\x20\xc0\xc5\0\0"
                  "\x00\x80\x01\x20\xb5\xc5\0\0",
                  16);
    expect_memory(1, IMPORT_RAW_VA + 16, "\x00\x00\x01\x20\x97\xc5\0\0", 8);
    struct trace_reader *reader = find(TRACE_SUBMIT, 0, &record);
    ck_assert_uint_eq(record.submit.pushes.count, 1);
    ck_assert_uint_eq(record.submit.pushes.push[0].length_bytes, 16);
    trace_reader_free(reader);
    reader = find(TRACE_SUBMIT, 1, &record);
    ck_assert_uint_eq(record.submit.pushes.push[0].handle, 1);
    trace_reader_free(reader);
    reader = find(TRACE_SUBMIT, 4, &record); /* three of the text, two of the importer */
    ck_assert_uint_eq(record.submit.pushes.count, 0);
    trace_reader_free(reader);
    reader = find(TRACE_OBJECT, 1, &record);
    ck_assert_uint_eq(record.object.class_id, 0xc5c0);
    trace_reader_free(reader);
    memory_file_free(&trace);
}
END_TEST

START_TEST(files_are_found_beside_the_text)
{
    char folder[] = "/tmp/gfe-raw-XXXXXX", name[64], path[64], text[400];
    struct gfe_error error = {0};
    FILE *file;

    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/words", folder);
    snprintf(name, sizeof name, "%s/text", folder);
    file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    fputs("0123456789", file);
    fclose(file);
    snprintf(text, sizeof text, HEAD "memory 0 4k\nfile 16 words\nfile 0x100 %s 3 4\n", path);
    ck_assert_msg(import_named(text, name, &error), "%s", error.text);
    expect_memory(0, 16, "0123456789", 10);
    expect_memory(1, 0x100, "3456", 4);
    memory_file_free(&trace);
    ck_assert(!import_named(HEAD "memory 0 4k\nfile 16 words 3 8\n", name, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "line 5: words has only 7 bytes there"));
    memory_file_free(&trace);
    error = (struct gfe_error){0};
    ck_assert(!import_named(HEAD "memory 0 4k\nfile 16 .\n", name, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "line 5: . is no file"));
    memory_file_free(&trace);
    remove(path);
    /* A link of the stranger's folder to a file that may be private. */
    ck_assert_int_eq(symlink("/etc/passwd", path), 0);
    error = (struct gfe_error){0};
    ck_assert(!import_named(HEAD "memory 0 4k\nfile 16 words\n", name, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "words lies outside of the folder of the text"));
    memory_file_free(&trace);
    remove(path);
    remove(folder);
}
END_TEST

/* ---- what is refused ------------------------------------------------------------------------- */

static const struct {
    const char *text, *message;
} refused[] = {
    {"", "the text is empty"},
    {"gpu x\n", "line 1: this is no text for gfe import raw"},
    {"\x7f"
     "ELF",
     "line 1: this is no text for gfe import raw"},
    {"gfe-raw 2\n", "line 1: version 2 is not known"},
    {"gfe-raw 1\nchannel 1\n", "line 2: gpu and chipset have to be said before it"},
    {"gfe-raw 1\n", "gpu and chipset have to be said"},
    {HEAD "channel 1\ngpu x\n", "line 5: gpu comes before memory and channels"},
    {HEAD "nonsense\n", "line 4: there is no statement 'nonsense'"},
    {HEAD "submit\n", "line 4: submit needs 1 to 1 words"},
    {HEAD "submit 1 2\n", "line 4: submit needs 1 to 1 words"},
    {HEAD "submit 1\n", "line 4: there is no channel 1"},
    {HEAD "channel x\n", "line 4: 'x' is not a number"},
    {HEAD "channel 1\nchannel 1\n", "line 5: channel 1 is there already"},
    {HEAD "channel 1\nbind 1 8 1\n", "line 5: 8 is more than 0x7"},
    {HEAD "memory 1 4096\n", "line 4: memory has whole pages"},
    {HEAD "memory 0 0\n", "line 4: memory has whole pages"},
    {HEAD "memory 0x1fffffffff000 8k\n", "line 4: memory has whole pages"},
    {HEAD "memory 0x2000000000000 4k\n", "line 4: 0x2000000000000 is more than"},
    {HEAD "memory 0x10000000000 4k\npush 0x10000000000 4\n", "line 5: 0x10000000000 is more than"},
    {HEAD "memory 0 4k disk\n", "line 4: memory is 'vram' or 'sysmem'"},
    {HEAD "memory 0 8k\nmemory 4096 4k\n", "line 5: there is memory at 0x1000 already"},
    {HEAD "memory 0xfffff00000 4k\n", "is the importer's own"},
    {HEAD "words 0\n1\nend\n", "line 5: 0x0 lies in no memory object"},
    {HEAD "memory 0 4k\nwords 0xffc\n1 2\nend\n", "line 6: 0xffc lies in no memory object"},
    {HEAD "memory 0 4k\nwords 2\n", "line 5: dwords lie at multiples of 4"},
    {HEAD "memory 0 4k\nwords 0\n123456789\nend\n", "line 6: '123456789' is not a dword"},
    {HEAD "memory 0 4k\nwords 0\ng\nend\n", "line 6: 'g' is not a dword"},
    {HEAD "memory 0 4k\nwords 0\n1\n", "'end' is missing"},
    {HEAD "memory 0 4k\npush 0 4\n", "the last entries are not submitted"},
    {HEAD "memory 0 4k\npush 0 6\n", "line 5: an entry has 1 to 2^21 - 1 whole dwords"},
    {HEAD "memory 0 4k\npush 0 0\n", "line 5: an entry has 1 to 2^21 - 1 whole dwords"},
    {HEAD "memory 0 4k\npush 0xffc 8\n", "are no memory object's"},
    {HEAD "memory 0 4k\npush 0 4 fast\n", "line 5: after the size may stand 'noprefetch'"},
    {HEAD "ib 0 0\n", "line 4: a control entry (opcode 0)"},
    {HEAD "ib 1 400\n", "line 4: a submission cannot have a conditional GP entry"},
    {HEAD "ib 0 500\n", "line 4: a submission cannot have a privileged GP entry"},
    {HEAD "ib 0 600\n", "line 4: a submission cannot have a subroutine's GP entry"},
    {HEAD "time 5\ntime 4\n", "line 5: time does not go back"},
    {HEAD "completions maybe\n", "line 4: completions are of 'hardware' or 'stand-in'"},
    {HEAD "file 0 /dev/zero\n", "line 4: /dev/zero lies outside of the folder of the text"},
    {HEAD "file 0 /no/such/file\n", "/no/such/file: No such file"},
};

START_TEST(what_is_wrong_is_named_with_its_line)
{
    struct gfe_error error = {0};

    ck_assert(!import_named(refused[_i].text[0] ? refused[_i].text : "\n", "text", &error));
    ck_assert_msg(strstr(error.text, refused[_i].message), "'%s' lacks '%s'", error.text,
                  refused[_i].message);
    ck_assert_ptr_nonnull(strstr(error.text, "text"));
    ck_assert_ptr_null(strchr(error.text, '\n'));
    memory_file_free(&trace);
    fuzz_raw((const uint8_t *)refused[_i].text, strlen(refused[_i].text));
}
END_TEST

START_TEST(a_line_has_an_end)
{
    char text[8000] = HEAD "mark ";
    struct gfe_error error = {0};

    memset(text + strlen(text), 'x', sizeof text - 1 - strlen(text));
    ck_assert(!import_named(text, "text", &error));
    ck_assert_ptr_nonnull(strstr(error.text, "line 4: the line is longer than"));
    memory_file_free(&trace);
}
END_TEST

/* ---- pushbuffers of a real card -------------------------------------------------------------- */

struct walk {
    struct trace_spaces spaces;
    struct nv_decode decode;
    uint32_t headers, unnamed, unreadable, macros, grids, launches;
    uint32_t qmd[NV_QMD_DWORDS];
};

static bool walk_read(void *context, uint64_t va, void *data, size_t bytes)
{
    struct walk *walk = context;

    return trace_space_read(trace_space(&walk->spaces, 0, NULL), va, data, bytes);
}

static bool walk_write(void *context, uint64_t va, const void *data, size_t bytes)
{
    struct walk *walk = context;

    return trace_space_write(trace_space(&walk->spaces, 0, NULL), va, data, bytes, NULL);
}

static void walk_found(void *context, const struct nv_decode_item *item)
{
    struct walk *walk = context;
    struct nv_class_method method;

    walk->headers += item->kind == NV_DECODE_HEADER;
    walk->unreadable += item->kind == NV_DECODE_UNREADABLE || item->kind == NV_DECODE_SKIPPED;
    if (item->kind == NV_DECODE_GRID && item->qmd_words) {
        walk->grids++;
        memcpy(walk->qmd, item->qmd_words, sizeof walk->qmd);
    }
    if (item->kind != NV_DECODE_METHOD)
        return;
    const uint32_t class_id =
        nv_class_of_method(walk->decode.host_class, item->class_id, item->method);
    walk->unnamed +=
        !nv_class_lookup(nv_class_find(class_id), item->method, &method) || method.beyond;
    walk->macros += item->subchannel == 0 && item->method >= 0x3800 && item->method % 8 == 0;
    walk->launches += item->subchannel == 4 && item->method == 0x300 && item->data == 0x705;
}

/* Walks the submission behind the bindings. */
static void walk_capture(struct walk *walk, const char *name, uint32_t bytes)
{
    static const struct nv_decode_ops ops = {walk_read, walk_write, walk_found};
    const char *folder = getenv("top_srcdir");
    struct gfe_error error = {0};
    struct trace_record record;
    char path[4096];
    FILE *file;

    snprintf(path, sizeof path, "%s/tests/golden/raw/%s.raw", folder ? folder : ".", name);
    file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "%s", path);
    trace = memory_file_new("", 0);
    ck_assert_msg(import_raw(file, path, trace.fd, "trace", &error), "%s", error.text);
    fclose(file);

    struct trace_reader *reader = trace_reader_open(trace.path, &error);
    *walk = (struct walk){0};
    nv_decode_init(&walk->decode, &ops, walk, nv_decode_chip(0x168));
    while (trace_read(reader, &record, &error) == TRACE_GOT) {
        uint64_t va;

        ck_assert(trace_spaces_record(&walk->spaces, &record, &error));
        if (record.head.kind != TRACE_SUBMIT)
            continue;
        ck_assert(trace_spaces_push_va(&walk->spaces, 0, record.submit.pushes.push, &va));
        nv_decode_segment(&walk->decode, NV_DECODE_RECORDED, va,
                          (uint32_t)(record.submit.pushes.push[0].length_bytes / 4));
        if (record.submit.submission_id == 1)
            walk->headers = 0;
        else
            ck_assert_uint_eq(record.submit.pushes.push[0].length_bytes, bytes);
    }
    trace_reader_free(reader);
    trace_spaces_fini(&walk->spaces);
    memory_file_free(&trace);
}

START_TEST(a_draw_of_a_real_tu116_decodes)
{
    struct walk walk;

    walk_capture(&walk, "tu116_render", 1648);
    ck_assert_uint_eq(walk.headers, 141);
    ck_assert_uint_eq(walk.unnamed, 0);
    ck_assert_uint_eq(walk.unreadable, 0);
    ck_assert_uint_eq(walk.macros, 9);
    ck_assert_uint_eq(walk.launches, 1);
    ck_assert_uint_eq(walk.decode.data_left, 0);
}
END_TEST

START_TEST(a_dispatch_of_a_real_tu116_decodes)
{
    struct nv_qmd qmd;
    struct walk walk;

    walk_capture(&walk, "tu116_compute", 60);
    ck_assert_uint_eq(walk.headers, 9);
    ck_assert_uint_eq(walk.unnamed, 0);
    ck_assert_uint_eq(walk.unreadable, 0);
    ck_assert_uint_eq(walk.macros, 1);
    ck_assert_uint_eq(walk.grids, 1);
    ck_assert(nv_qmd_decode(0xc5c0, walk.qmd, &qmd));
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert_uint_eq(qmd.grid[i], 1);
        ck_assert_uint_eq(qmd.block[i], 1);
    }
    ck_assert_uint_eq(qmd.registers, 24);
    ck_assert_uint_eq(qmd.shared_bytes, 0);
    ck_assert_uint_eq(qmd.barriers, 0);
    ck_assert_uint_eq(qmd.program_offset, 0x3ffdf9c780);
    ck_assert(qmd.constant_buffers[0].valid && qmd.constant_buffers[1].valid);
    ck_assert(!qmd.constant_buffers[2].valid);
    ck_assert_uint_eq(qmd.constant_buffers[0].address, 0x3ffdf5c000);
    ck_assert_uint_eq(qmd.constant_buffers[1].address, 0x3ffdf7cfc0);
}
END_TEST

Suite *import_raw_suite(void)
{
    Suite *suite = suite_create("import_raw");
    TCase *tests = tcase_create("import_raw");

    tcase_add_test(tests, the_head_becomes_meta);
    tcase_add_test(tests, words_and_memory_become_maps_and_mem);
    tcase_add_test(tests, entries_become_a_submission);
    tcase_add_test(tests, bindings_are_submitted_first_and_once);
    tcase_add_test(tests, files_are_found_beside_the_text);
    tcase_add_loop_test(tests, what_is_wrong_is_named_with_its_line, 0,
                        (int)(sizeof refused / sizeof refused[0]));
    tcase_add_test(tests, a_line_has_an_end);
    tcase_add_test(tests, a_draw_of_a_real_tu116_decodes);
    tcase_add_test(tests, a_dispatch_of_a_real_tu116_decodes);
    suite_add_tcase(suite, tests);
    return suite;
}
