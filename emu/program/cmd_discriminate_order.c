/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/program/cmd_discriminate_order.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

#include "devices/amd/amd_chip.h"
#include "emu/base/json_text.h"
#include "emu/base/output.h"
#include "emu/explore/block_order.h"
#include "emu/sim/gpus.h"

/* What a workload manager takes for a wave: 20 cycles for the 16 of MM1024, from the same file. */
enum { RAMP_WAVES = 16, RAMP_CYCLES = 20 };

static const char *const alternatives[2] = {"staged", "placed"};
static const char *const verdict_names[] = {
    [BLOCK_ORDER_STAGED] = "staged",
    [BLOCK_ORDER_PLACED] = "placed",
    [BLOCK_ORDER_NEITHER] = "neither",
    [BLOCK_ORDER_BOTH] = "both",
};

bool discriminate_order_has(const char *gpu, const struct gpu *described)
{
    const struct gpu_vendor *vendor = described ? described->vendor : gpu_vendor_of(gpu);

    return vendor && vendor->runs_configurations;
}

/* ---- the GPU and the file -------------------------------------------------------------------- */

static bool shape_of(const struct amd_chip *chip, const struct hip_result *result,
                     struct block_order_shape *shape, struct gfe_error *error)
{
    const uint32_t waves = (result->threads - 1) / chip->threads_per_wave + 1;

    for (uint32_t se = 1; se < chip->shader_engine_count; se++)
        if (chip->engine_cus[se] != chip->engine_cus[0])
            return error_set(error, ERROR_INPUT,
                             "%s: shader engines with different numbers of CUs: which blocks were "
                             "the first on their CUs is not known",
                             chip->name);
    *shape = (struct block_order_shape){.engines = chip->shader_engine_count,
                                        .cus = chip->engine_cus[0],
                                        .places = chip->simds_per_cu * chip->waves_per_simd / waves,
                                        .ramp_cycles = (waves * RAMP_CYCLES - 1) / RAMP_WAVES + 1};
    return true;
}

/* ---- text ------------------------------------------------------------------------------------ */

static const char *side_name(const struct discriminate_order_question *question, uint32_t side)
{
    return alternatives[side ^ (question->swapped ? 1u : 0u)];
}

/* A or B, of an alternative. */
static char side_letter(const struct discriminate_order_question *question, uint32_t alternative)
{
    return "AB"[alternative ^ (question->swapped ? 1u : 0u)];
}

static uint32_t clock_count(const struct block_order *order)
{
    uint32_t count = 0;

    for (uint32_t se = 0; se < order->shape.engines; se++)
        count += order->clocks[se].count;
    return count;
}

static int64_t first_offset(const struct block_order *order)
{
    int64_t first = INT64_MAX;

    for (uint32_t se = 0; se < order->shape.engines; se++)
        for (uint32_t i = 0; i < order->clocks[se].count; i++)
            if (order->clocks[se].offsets[i] < first)
                first = order->clocks[se].offsets[i];
    return first;
}

static void print_clocks(const struct block_order *order)
{
    const int64_t first = first_offset(order);

    printf("%" PRIu32 " clocks, each as far ahead of the slowest as it shows (CUs that read it):\n",
           clock_count(order));
    for (uint32_t se = 0; se < order->shape.engines; se++) {
        printf("    shader engine %" PRIu32 " ", se);
        for (uint32_t i = 0; i < order->clocks[se].count; i++)
            printf("%9" PRId64 " (%" PRIu32 ")", order->clocks[se].offsets[i] - first,
                   order->clocks[se].cus[i]);
        putchar('\n');
    }
}

static void print_counts(const char *name, const uint32_t counts[BLOCK_ORDER_WINDOWS])
{
    printf("    %-9s", name);
    for (uint32_t i = 0; i < BLOCK_ORDER_WINDOWS; i++)
        printf("%7" PRIu32, counts[i]);
    putchar('\n');
}

static void print_row(const struct block_order_report *report, uint32_t row)
{
    printf(
        "fewest blocks out of order, by the number from which on an earlier one counts; starts may"
        " be off by %" PRId64 " cycles\n             ",
        report->error_cycles[row]);
    for (uint32_t i = 0; i < BLOCK_ORDER_WINDOWS; i++)
        printf("%7" PRIu32, report->windows[i]);
    putchar('\n');
    print_counts("measured", report->measured.rows[row]);
    for (uint32_t i = 0; i < BLOCK_ORDER_ALTERNATIVES; i++)
        print_counts(alternatives[i], report->predictions[i].counts.rows[row]);
}

static void print_predictions(const struct block_order_report *report)
{
    for (uint32_t i = 0; i < BLOCK_ORDER_ALTERNATIVES; i++)
        printf("replayed as %s: %" PRId64 " cycles, starts recorded late by %" PRIu32
               " cycles in the mean; it %s\n",
               alternatives[i], report->predictions[i].cycles, report->predictions[i].late_cycles,
               report->predictions[i].fits ? "fits" : "does not fit");
}

static void print_verdict(const struct discriminate_order_question *question,
                          const struct block_order_report *report)
{
    switch (report->verdict) {
    case BLOCK_ORDER_STAGED:
    case BLOCK_ORDER_PLACED:
        printf("verdict: %s=%s (%c)\n", DISCRIMINATE_ORDER_POINT, alternatives[report->verdict],
               side_letter(question, report->verdict));
        break;
    case BLOCK_ORDER_NEITHER:
        puts("verdict: neither: blocks start in an order that no alternative of the two has");
        break;
    case BLOCK_ORDER_BOTH:
        puts("verdict: both fit: the timeline does not tell them apart");
        break;
    }
}

static void print_text(const struct discriminate_order_question *question,
                       const struct hip_result *result, const struct block_order *order,
                       const struct block_order_report *report)
{
    printf("%s on %s: %s (A) or %s (B)?\n", DISCRIMINATE_ORDER_POINT, question->gpu,
           side_name(question, 0), side_name(question, 1));
    printf("%" PRIu32 " blocks of %" PRIu32 " threads, %" PRIu32 " on a CU\n", result->block_count,
           result->threads, order->shape.places);
    print_clocks(order);
    for (uint32_t i = 0; i < BLOCK_ORDER_ERRORS; i++)
        print_row(report, i);
    print_predictions(report);
    print_verdict(question, report);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *json_counts(const uint32_t counts[BLOCK_ORDER_WINDOWS])
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < BLOCK_ORDER_WINDOWS; i++)
        list = json_text_append(list, json_integer(counts[i]));
    return list;
}

static json_t *json_rows(const struct block_order_counts *counts)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < BLOCK_ORDER_ERRORS; i++)
        list = json_text_append(list, json_counts(counts->rows[i]));
    return list;
}

static json_t *json_prediction(const struct block_order_prediction *prediction)
{
    return json_text_pack("{si sI so sb}", "late_cycles", (int)prediction->late_cycles, "cycles",
                          (json_int_t)prediction->cycles, "counts", json_rows(&prediction->counts),
                          "fits", prediction->fits);
}

static json_t *json_errors(const struct block_order_report *report)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < BLOCK_ORDER_ERRORS; i++)
        list = json_text_append(list, json_integer((json_int_t)report->error_cycles[i]));
    return list;
}

static json_t *json_clocks(const struct block_order *order)
{
    const int64_t first = first_offset(order);
    json_t *list = json_array();

    for (uint32_t se = 0; se < order->shape.engines; se++)
        for (uint32_t i = 0; i < order->clocks[se].count; i++)
            list = json_text_append(
                list, json_text_pack("{si si sI}", "shader_engine", (int)se, "cus",
                                     (int)order->clocks[se].cus[i], "offset_cycles",
                                     (json_int_t)(order->clocks[se].offsets[i] - first)));
    return list;
}

static bool print_json(const struct discriminate_order_question *question,
                       const struct hip_result *result, const struct block_order *order,
                       const struct block_order_report *report)
{
    json_t *root = json_text_pack(
        "{si ss ss ss ss si si so so so so so so ss}", "format", 1, "choice_point",
        DISCRIMINATE_ORDER_POINT, "a", side_name(question, 0), "b", side_name(question, 1), "gpu",
        question->gpu, "blocks", (int)result->block_count, "threads", (int)result->threads,
        "clocks", json_clocks(order), "windows", json_counts(report->windows), "error_cycles",
        json_errors(report), "measured", json_rows(&report->measured), "staged",
        json_prediction(&report->predictions[BLOCK_ORDER_STAGED]), "placed",
        json_prediction(&report->predictions[BLOCK_ORDER_PLACED]), "verdict",
        verdict_names[report->verdict]);
    const bool good = root && json_text_print(stdout, root);

    json_decref(root);
    return good;
}

/* ---- the command ----------------------------------------------------------------------------- */

static bool print(const struct discriminate_order_question *question,
                  const struct hip_result *result, const struct block_order *order,
                  const struct block_order_report *report, struct gfe_error *error)
{
    if (!question->json)
        print_text(question, result, order, report);
    else if (!print_json(question, result, order, report))
        return error_set(error, ERROR_SYSTEM, "no memory for JSON");
    return output_flush_stdout(error);
}

bool discriminate_order(const struct discriminate_order_question *question, const char *path,
                        bool *decided, struct gfe_error *error)
{
    const struct amd_chip *chip = gpu_find_amd(question->gpu, question->described);
    struct block_order_report report = {0};
    struct block_order_shape shape;
    struct block_order order;
    struct hip_result result;
    const bool good = hip_result_load(&result, path, error) &&
                      shape_of(chip, &result, &shape, error) &&
                      block_order_init(&order, &shape, &result, path, error) &&
                      block_order_judge(&order, &report, error) &&
                      print(question, &result, &order, &report, error);

    *decided = report.verdict == BLOCK_ORDER_STAGED || report.verdict == BLOCK_ORDER_PLACED;
    hip_result_free(&result);
    return good;
}
