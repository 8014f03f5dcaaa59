/* SPDX-License-Identifier: MIT */
/*
 * The fit of parameters (emu/fit/calibrate.h): a GPU that is gfe itself, with other values, is
 * found again; what the measurements do not determine is said.
 */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/fit/calibrate.h"
#include "tests/check_long.h"
#include "tests/suites.h"

enum { TIMESLICE, LOAD, SUBMIT, DRAW, PARAMETERS, NUMBER_BYTES = 24, TEXT_BYTES = 4096 };

static const char *const ids[PARAMETERS] = {
    "rm.compute_timeslice_units", "nv.gr.context_load_cycles", "cuda.submit_ps", "nv.draw_ps"};
static const uint64_t defaults[PARAMETERS] = {2000, 20000, 1000000, 5000000};

static struct fit_calibration calibration;

/* Two processes that share the GPU, and kernels one behind the other.  The times are to be
 * replaced. */
static void experiments_read(void)
{
    static const char share[] =
        "{\"experiment\":\"two\",\"process\":\"%c\",\"blocks\":20,\"ms\":12,\"shared\":0,\"watched\":[{"
        "\"block\":0,\"start\":%d,\"end\":100,\"gaps\":[[50,60],[70,80]]}]}\n";
    struct gfe_error error = {0};
    char text[TEXT_BYTES], *at = text;

    at += sprintf(at, share, 'a', 10);
    at += sprintf(at, share, 'b', 20);
    at += sprintf(at, "{\"experiment\":\"many\",\"kernels\":[");
    for (int i = 0; i < 20; i++)
        at += sprintf(at,
                      "%s{\"name\":\"k%d\",\"stream\":\"s\",\"threads\":32,\"spin_ns\":3000,"
                      "\"host_ns\":%d,\"blocks\":[[%d,%d,0]]}",
                      i ? "," : "", i, 200 * i, i, i + 1);
    (void)sprintf(at, "]}\n");
    ck_assert_msg(fit_measured_parse(&calibration.measured, text, strlen(text), "f", &error), "%s",
                  error.text);
}

/* What the emulation did is what was measured. */
static void take_for_measured(struct fit_experiment *experiment)
{
    for (uint32_t i = 0; i < experiment->part_count; i++)
        for (uint32_t k = 0; k < experiment->parts[i].operation_count; k++) {
            struct fit_operation *operation = &experiment->parts[i].operations[k];

            fit_seen_free(&operation->real);
            operation->real = operation->emulated;
            operation->emulated = (struct fit_seen){0};
        }
}

static const struct simulation_setting save = {"nv.gr.context_save_cycles", "15000"};

static void measure_gfe(const uint64_t values[PARAMETERS], bool with_save)
{
    struct simulation_setting settings[PARAMETERS + 1] = {[PARAMETERS] = save};
    const struct fit_machine machine = {.model = nv_chip_by_name("gtx1060"),
                                        .parameters = settings,
                                        .parameter_count = PARAMETERS + with_save};
    char numbers[PARAMETERS][NUMBER_BYTES];
    struct gfe_error error = {0};

    for (uint32_t i = 0; i < PARAMETERS; i++) {
        (void)snprintf(numbers[i], NUMBER_BYTES, "%llu", (unsigned long long)values[i]);
        settings[i] = (struct simulation_setting){ids[i], numbers[i]};
    }
    for (uint32_t i = 0; i < calibration.measured.experiment_count; i++) {
        ck_assert_msg(fit_experiment_run(&calibration.measured.experiments[i], &machine,
                                         fit_begin_of(0), &error),
                      "%s", error.text);
        take_for_measured(&calibration.measured.experiments[i]);
    }
}

/* A value from 0.6 to 1.7 times the default. */
static uint64_t another(uint64_t value, uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return value * (600 + (*state >> 8) % 1100) / 1000;
}

START_TEST(gfe_finds_its_own_values_again)
{
    const struct fit_machine machine = {.model = nv_chip_by_name("gtx1060")};
    uint64_t values[PARAMETERS];
    struct gfe_error error = {0};
    uint32_t state = (uint32_t)_i + 1;

    calibration = (struct fit_calibration){0};
    experiments_read();
    for (uint32_t i = 0; i < PARAMETERS; i++)
        values[i] = another(defaults[i], &state);
    measure_gfe(values, false);
    ck_assert_msg(fit_calibrate_measured(&calibration, ids, PARAMETERS, &machine, &error), "%s",
                  error.text);
    for (uint32_t i = 0; i < DRAW; i++) {
        const struct fit_parameter *found = &calibration.parameters[i];
        const uint64_t apart =
            found->value > values[i] ? found->value - values[i] : values[i] - found->value;

        ck_assert_uint_eq(found->before, defaults[i]);
        ck_assert_msg(found->verdict == FIT_DETERMINED, "%s: spread %g", ids[i], found->spread);
        ck_assert_msg(apart * 100 <= values[i], "%s: %llu in place of %llu", ids[i],
                      (unsigned long long)found->value, (unsigned long long)values[i]);
    }
    ck_assert_uint_eq(calibration.parameters[DRAW].verdict, FIT_NO_FIGURE);
    ck_assert_uint_eq(calibration.parameters[DRAW].value, defaults[DRAW]);
    ck_assert(calibration.error_after < 0.001 &&
              calibration.error_after < calibration.error_before);
    fit_calibration_free(&calibration);
}
END_TEST

/* Saving and loading a context take their time one behind the other: only the sum can be seen. */
START_TEST(what_makes_up_for_another_is_not_determined)
{
    static const char *const both[] = {"nv.gr.context_load_cycles", "nv.gr.context_save_cycles"};
    const struct fit_machine machine = {
        .model = nv_chip_by_name("gtx1060"), .parameters = &save, .parameter_count = 1};
    struct gfe_error error = {0};

    calibration = (struct fit_calibration){0};
    experiments_read();
    measure_gfe(defaults, true);
    ck_assert_msg(fit_calibrate_measured(&calibration, both, 2, &machine, &error), "%s",
                  error.text);
    ck_assert_uint_eq(calibration.parameters[1].before, 15000);
    for (uint32_t i = 0; i < 2; i++) {
        ck_assert_uint_eq(calibration.parameters[i].verdict, FIT_EXCHANGEABLE);
        ck_assert_uint_eq(calibration.parameters[i].value, calibration.parameters[i].before);
    }
    fit_calibration_free(&calibration);
}
END_TEST

START_TEST(a_name_that_is_none)
{
    static const char *const none[] = {"nv.nothing"};
    const struct fit_machine machine = {.model = nv_chip_by_name("gtx1060")};
    struct gfe_error error = {0};

    calibration = (struct fit_calibration){0};
    experiments_read();
    ck_assert(!fit_calibrate_measured(&calibration, none, 1, &machine, &error));
    ck_assert_str_eq(error.text,
                     "no parameter of this GPU is called 'nv.nothing'; gfe rules lists them");
    fit_calibration_free(&calibration);
}
END_TEST

Suite *calibrate_suite(void)
{
    Suite *suite = suite_create("calibrate");
    TCase *tests = tcase_create("all");

    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, gfe_finds_its_own_values_again, 0, (int)check_long(20, 3));
    tcase_add_test(tests, what_makes_up_for_another_is_not_determined);
    tcase_add_test(tests, a_name_that_is_none);
    suite_add_tcase(suite, tests);
    return suite;
}
