/* SPDX-License-Identifier: MIT */
/* What gfe live prints for programs, of two runs made by hand. */
#include <config.h>

#include <check.h>
#include <string.h>

#include "emu/faults/live_outcome.h"
#include "emu/program/cmd_live.h"
#include "tests/check_json.h"
#include "tests/suites.h"

static bool print(FILE *file, void *context)
{
    check_json_start();
    return live_print_json(file, context);
}

START_TEST(json_is_whole_or_refused)
{
    static const char *const faults[] = {"doorbell drop"};
    static struct live_observation golden, faulty;
    struct live_outcome outcome = {.outcome = OUTCOME_COLLATERAL, .detected_by = "kernel log"};
    struct live_report report = {.gpu = "gtx1060",
                                 .program = "client",
                                 .faults = faults,
                                 .fault_count = 1,
                                 .golden = &golden,
                                 .faulty = &faulty,
                                 .outcome = &outcome,
                                 .output = "frame 1\n",
                                 .output_bytes = 8,
                                 .errors = ""};

    outcome.classes[OUTCOME_DETECTED] = outcome.classes[OUTCOME_COLLATERAL] = true;
    faulty.line_count = 2;
    (void)strcpy(faulty.lines[0].text, "fifo: fault");
    (void)strcpy(faulty.lines[1].text, "channel 1: killed");
    faulty.faults[0].acted = 1;
    check_json_whole(print, &report);
}
END_TEST

Suite *cmd_live_print_suite(void)
{
    Suite *suite = suite_create("cmd_live_print");
    TCase *tcase = tcase_create("all");

    tcase_add_test(tcase, json_is_whole_or_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
