/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/suites.h"
#include "tests/trace_samples.h"
#include "traces/format/trace_dump.h"

START_TEST(the_tables_know_each_kind_and_no_other)
{
    ck_assert_ptr_null(trace_record_row(0));
    ck_assert_ptr_null(trace_record_row(TRACE_KINDS + 1));
    for (uint16_t kind = TRACE_META; kind <= TRACE_KINDS; kind++) {
        const struct trace_record_row *row = trace_record_row(kind);
        ck_assert_uint_eq(row->kind, kind);
        for (uint32_t i = 0; i < row->field_count; i++)
            ck_assert_int_eq(row->fields[i].host, strncmp(row->fields[i].doc, "HOST:", 5) == 0);
    }
    ck_assert(trace_record_row(TRACE_META)->fields[7].host);
    ck_assert_str_eq(trace_record_row(TRACE_META)->fields[7].name, "recorder");
}
END_TEST

START_TEST(each_kind_is_printed_as_one_line_with_all_its_fields)
{
    for (uint16_t kind = TRACE_META; kind <= TRACE_KINDS; kind++) {
        const struct trace_record_row *row = trace_record_row(kind);
        struct trace_record record = sample_record(kind, 0);
        char *text = NULL;
        size_t bytes = 0;
        if (kind == TRACE_MARK)
            record.mark.text = (struct trace_str){"two\nlines", 9};
        FILE *file = open_memstream(&text, &bytes);
        trace_dump(file, &record);
        fclose(file);
        ck_assert_ptr_eq(strchr(text, '\n'), text + bytes - 1);
        ck_assert_ptr_nonnull(strstr(text, row->name));
        for (uint32_t i = 0; i < row->field_count; i++) {
            char field[80];
            snprintf(field, sizeof field, " %s=", row->fields[i].name);
            ck_assert_msg(strstr(text, field) != NULL, "%s lacks %s", text, field);
        }
        free(text);
    }
}
END_TEST

START_TEST(the_description_of_the_format_is_the_one_that_the_tables_print)
{
    const char *srcdir = getenv("top_srcdir");
    char path[4096], *printed = NULL, *kept;
    size_t printed_bytes = 0, kept_bytes;

    snprintf(path, sizeof path, "%s/docs/trace-format.md", srcdir ? srcdir : ".");
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "%s", path);
    kept = calloc(1, 1 << 20);
    kept_bytes = fread(kept, 1, (1 << 20) - 1, file);
    fclose(file);
    file = open_memstream(&printed, &printed_bytes);
    trace_dump_schema(file);
    fclose(file);
    ck_assert_msg(strcmp(kept, printed) == 0,
                  "docs/trace-format.md is old: gfe hash --schema > docs/trace-format.md");
    ck_assert_uint_eq(kept_bytes, printed_bytes);
    free(kept);
    free(printed);
}
END_TEST

Suite *trace_dump_suite(void)
{
    Suite *suite = suite_create("trace_dump");
    TCase *tcase = tcase_create("trace_dump");

    tcase_add_test(tcase, the_tables_know_each_kind_and_no_other);
    tcase_add_test(tcase, each_kind_is_printed_as_one_line_with_all_its_fields);
    tcase_add_test(tcase, the_description_of_the_format_is_the_one_that_the_tables_print);
    suite_add_tcase(suite, tcase);
    return suite;
}
