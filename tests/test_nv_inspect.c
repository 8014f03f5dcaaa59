/* SPDX-License-Identifier: MIT */
/*
 * Views of an NVIDIA GPU: Listing 1 and the tables of Bakita and Anderson 2024, typed from the
 * paper, and what each view says of a machine that a register-level program has set up.
 */
/* PROMISE (debug): `gfe inspect` prints Tables II to IV and Listing 1 of Bakita and Anderson
 * (2024). */
#include <config.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "devices/nvidia/formats/nv_class.h"
#include "emu/debug/inspection.h"
#include "emu/base/json_text.h"
#include "tests/bus_build.h"
#include "tests/check_json.h"
#include "tests/check_trace.h"
#include "tests/suites.h"

static struct gfe_error error;

/* Builds a view of a machine; the caller frees it. */
static json_t *view_of(struct machine *machine, const struct nv_chip *model, const char *name,
                       const char *argument)
{
    struct inspect_subject subject = {
        .machine = machine, .model = model, .argument = argument, .error = &error};
    const struct inspect_view *view = inspection_view_find(name, &subject.number);

    error = (struct gfe_error){0};
    ck_assert_msg(view != NULL, "no view %s", name);
    return view->build(&subject);
}

/* As text; the caller frees it. */
static char *text_of(struct machine *machine, const struct nv_chip *model, const char *name)
{
    json_t *json = view_of(machine, model, name, NULL);
    uint32_t number;
    char *text = NULL;
    size_t bytes;
    FILE *file = open_memstream(&text, &bytes);

    ck_assert_msg(json != NULL, "%s", error.text);
    inspect_print(file, inspection_view_find(name, &number), json);
    fclose(file);
    json_decref(json);
    return text;
}

static const char *string_of(const json_t *view, size_t row, const char *key)
{
    const char *text =
        json_string_value(json_object_get(json_array_get(json_object_get(view, "rows"), row), key));

    return text ? text : "(none)";
}

static json_int_t int_of(const json_t *view, size_t row, const char *key)
{
    const json_t *value = json_object_get(json_array_get(json_object_get(view, "rows"), row), key);

    ck_assert_msg(json_is_integer(value), "row %zu has no number %s", row, key);
    return json_integer_value(value);
}

static size_t rows_of(const json_t *view)
{
    return json_array_size(json_object_get(view, "rows"));
}

/* ---- the paper's tables -----------------------------------------------------------------------
 */

struct table_row {
    const char *engine, *runlist;
};

static const struct table_row table_2[] = {
    {"Graphics/Compute 0", "Runlist 0"},
    {"[Graphics] Copy Engine 0 (GRCE0/LCE0)", "Runlist 0"},
    {"[Graphics] Copy Engine 1 (GRCE1/LCE1)", "Runlist 0"},
    {"Video Decoder 0 (NVDEC0)", "Runlist 1"},
    {"Video Encoder 0 (NVENC0)", "Runlist 2"},
    {"Sequencer", "Runlist 3"},
    {"N/A", "Runlist 4"},
    {"Copy Engine 2 (LCE2)", "Runlist 5"},
    {"Copy Engine 3 (LCE3)", "Runlist 6"},
};

static const struct table_row table_3[] = {
    {"Graphics/Compute 0", "Runlist 0"},
    {"[Graphics] Copy Engine 0 (GRCE0/LCE0)", "Runlist 0"},
    {"[Graphics] Copy Engine 1 (GRCE1/LCE1)", "Runlist 0"},
    {"Copy Engine 2 (LCE2)", "Runlist 1"},
    {"Copy Engine 3 (LCE3)", "Runlist 2"},
    {"Graphics/Compute 1", "Runlist 2"},
};

static const struct table_row table_4[] = {
    {"Graphics/Compute 0", "Runlist 0"},
    {"[Graphics] Copy Engine 0 (GRCE0/LCE0)", "Runlist 0"},
    {"[Graphics] Copy Engine 1 (GRCE1/LCE1)", "Runlist 0"},
    {"Copy Engine 2 (LCE2)", "Runlist 1"},
    {"Copy Engine 3 (LCE3)", "Runlist 2"},
    {"Copy Engine 4 (LCE4)", "Runlist 3"},
    {"Video Decoder 0 (NVDEC0)", "Runlist 4"},
    {"Video Decoder 1 (NVDEC1)", "Runlist 5"},
    {"Video Decoder 2 (NVDEC2)", "Runlist 6"},
    {"N/A", "Runlist 7"},
    {"Video Encoder 0 (NVENC0)", "Runlist 8"},
    {"Video Encoder 1 (NVENC1)", "Runlist 9"},
    {"Video Encoder 2 (NVENC2)", "Runlist 10"},
    {"JPEG Decoder 0 (NVJPG0)", "Runlist 11"},
    {"JPEG Decoder 1 (NVJPG1)", "Runlist 12"},
    {"JPEG Decoder 2 (NVJPG2)", "Runlist 13"},
    {"JPEG Decoder 3 (NVJPG3)", "Runlist 14"},
    {"Optical Flow Accelerator", "Runlist 15"},
    {"Sequencer", "Runlist 16"},
};

static void expect_table(const char *gpu, const struct table_row *rows, size_t count)
{
    const struct nv_chip *model = nv_chip_by_name(gpu);
    struct bare_gpu bare;
    json_t *view;

    ck_assert_msg(model != NULL, "no GPU %s", gpu);
    /* Some chips' registers are not modelled: then the rows are the model's. */
    view = view_of(bare_gpu_init(&bare, model, &error) ? bare.machine : NULL, model, "device_info",
                   NULL);
    ck_assert_ptr_nonnull(view);
    ck_assert_uint_eq(rows_of(view), count);
    for (size_t i = 0; i < count; i++) {
        ck_assert_str_eq(string_of(view, i, "Engine Name"), rows[i].engine);
        ck_assert_str_eq(string_of(view, i, "Runlist"), rows[i].runlist);
    }
    json_decref(view);
    bare_gpu_fini(&bare);
}

START_TEST(device_info_of_the_gtx_1060_3gb_is_table_ii)
{
    expect_table("gtx1060-3gb", table_2, sizeof table_2 / sizeof table_2[0]);
}
END_TEST

START_TEST(device_info_of_the_jetson_orin_is_table_iii)
{
    expect_table("orin", table_3, sizeof table_3 / sizeof table_3[0]);
}
END_TEST

START_TEST(device_info_of_the_rtx_6000_ada_is_table_iv)
{
    expect_table("rtx6000ada", table_4, sizeof table_4 / sizeof table_4[0]);
}
END_TEST

/* ---- Listing 1 --------------------------------------------------------------------------------
 */

static struct bus_build build;
static struct bus_channel channels[2];
static struct check_simulation run;
static struct replay_input *input;

/* Channel 1 in TSG 1 of runlist 0, timeslice 128 << 3, enabled and idle, as the listing has it; and
 * channel 5 on nothing. */
static void listing_machine(const char *gpu)
{
    struct bus_tsg tsg = {.id = 1, .timeout = 128, .scale = 3, .count = 1};
    uint64_t root;

    bus_build_begin(&build, gpu);
    root = bus_build_space(&build);
    channels[0] = bus_build_channel(&build, 0, 1, root);
    channels[1] = bus_build_channel(&build, 0, 5, root);
    tsg.channels[0] = &channels[0];
    bus_build_runlist(&build, 0, &tsg, 1);
    input = bus_build_end(&build);
    check_simulation_run(&run, input, NULL);
}

static void end(void)
{
    check_simulation_end(&run);
    replay_input_free(input);
}

static const char listing_1[] = "+---- TSG Entry 1  ---+\n"
                                "| Scale: 3            |\n"
                                "| Timeout: 128        |\n"
                                "| Length: 1           |\n"
                                "+---------------------+\n"
                                "+- Channel Info 1    -+\n"
                                "| Enabled:           1|\n"
                                "| Next:              0|\n"
                                "| Force CTX Reload:  0|\n"
                                "| Enable set:        0|\n"
                                "| Enable clear:      0|\n"
                                "| PBDMA Faulted:     0|\n"
                                "| ENG Faulted:       0|\n"
                                "| Status:            0|\n"
                                "| Busy:              0|\n";

static const char *const listing_gpus[] = {"gtx1060-3gb", "titanv", "rtx2060"};

START_TEST(runlist_prints_the_lines_of_listing_1)
{
    char *text;

    listing_machine(listing_gpus[_i]);
    text = text_of(run.simulation->machine, run.simulation->model, "runlist0");
    ck_assert_msg(strncmp(text, listing_1, sizeof listing_1 - 1) == 0, "%s", text);
    /* What follows is marked as ours, but for the box's end. */
    for (char *line = strtok(text + sizeof listing_1 - 1, "\n"); line; line = strtok(NULL, "\n"))
        ck_assert_msg(strstr(line, "(gfe)") || strcmp(line, "+---------------------+") == 0, "%s",
                      line);
    free(text);
    end();
}
END_TEST

START_TEST(an_empty_runlist_prints_nothing)
{
    char *text;

    listing_machine("gtx1060-3gb");
    text = text_of(run.simulation->machine, run.simulation->model, "runlist5");
    ck_assert_str_eq(text, "");
    free(text);
    ck_assert_ptr_null(view_of(run.simulation->machine, run.simulation->model, "runlist99", NULL));
    ck_assert_str_eq(error.text, "this GPU has no runlist 99");
    end();
}
END_TEST

/* ---- channels, TSGs ----------------------------------------------------------------------------
 */

START_TEST(channels_say_what_ccsr_and_the_instance_block_say)
{
    json_t *view;

    listing_machine(listing_gpus[_i]);
    view = view_of(run.simulation->machine, run.simulation->model, "channels", NULL);
    ck_assert_uint_eq(rows_of(view), 2);
    ck_assert_int_eq(int_of(view, 0, "channel"), 1);
    ck_assert_int_eq(int_of(view, 0, "runlist"), 0);
    ck_assert_int_eq(int_of(view, 0, "tsg"), 1);
    ck_assert_int_eq(int_of(view, 0, "enabled"), 1);
    ck_assert_str_eq(string_of(view, 0, "status"), "IDLE");
    ck_assert_int_eq(int_of(view, 1, "channel"), 5);
    ck_assert_str_eq(string_of(view, 1, "runlist"), "-");
    ck_assert_uint_eq(strtoull(string_of(view, 0, "instance"), NULL, 16), channels[0].instance);
    ck_assert_uint_eq(strtoull(string_of(view, 1, "page_directory"), NULL, 16), channels[1].root);
    json_decref(view);
    end();
}
END_TEST

START_TEST(tsgs_have_their_timeslice_and_channels)
{
    json_t *view;

    listing_machine(listing_gpus[_i]);
    view = view_of(run.simulation->machine, run.simulation->model, "tsgs", NULL);
    ck_assert_uint_eq(rows_of(view), 1);
    ck_assert_int_eq(int_of(view, 0, "tsg"), 1);
    ck_assert_int_eq(int_of(view, 0, "timeslice_ps"), 1048576000);
    ck_assert_uint_eq(json_array_size(json_object_get(
                          json_array_get(json_object_get(view, "rows"), 0), "channels")),
                      1);
    json_decref(view);
    end();
}
END_TEST

/* ---- units --------------------------------------------------------------------------------------
 */

START_TEST(regs_shows_each_register_with_its_fields)
{
    struct bare_gpu bare;
    json_t *view;

    ck_assert(bare_gpu_init(&bare, nv_chip_by_name("gtx1060-3gb"), &error));
    machine_write32(bare.machine, 0x4210c, 0x80000000);
    view = view_of(bare.machine, bare.model, "pbdma1", NULL);
    ck_assert_ptr_nonnull(view);
    for (size_t i = 0; i < rows_of(view); i++)
        if (strcmp(string_of(view, i, "register"), "NV_PPBDMA_INTR_EN_0") == 0) {
            ck_assert_str_eq(string_of(view, i, "value"), "0x80000000");
            ck_assert_str_eq(string_of(view, i, "offset"), "0x04210c");
            json_decref(view);
            view = NULL;
            break;
        }
    ck_assert_msg(view == NULL, "INTR_EN_0 is not shown");
    ck_assert_ptr_null(view_of(bare.machine, bare.model, "pbdma9", NULL));
    ck_assert_str_eq(error.text, "this GPU has no PBDMA 9");
    bare_gpu_fini(&bare);
}
END_TEST

static bool print_registers(FILE *file, void *context)
{
    const struct bare_gpu *bare = context;
    json_t *view;
    bool done;

    check_json_start();
    view = view_of(bare->machine, bare->model, "pbdma1", NULL);
    done = view && json_text_print(file, view);
    json_decref(view);
    return done;
}

START_TEST(registers_are_shown_with_all_fields_or_not)
{
    struct bare_gpu bare;

    ck_assert(bare_gpu_init(&bare, nv_chip_by_name("gtx1060-3gb"), &error));
    check_json_last(print_registers, &bare, 1000, 1);
    bare_gpu_fini(&bare);
}
END_TEST

START_TEST(regs_needs_a_unit_of_this_gpu)
{
    struct bare_gpu bare;
    json_t *view;
    size_t all;

    ck_assert(bare_gpu_init(&bare, nv_chip_by_name("gtx1060-3gb"), &error));
    ck_assert_ptr_null(view_of(bare.machine, bare.model, "regs", NULL));
    ck_assert_int_eq(error.kind, ERROR_USAGE);
    ck_assert_ptr_nonnull(strstr(error.text, "nv_pfifo"));
    ck_assert_ptr_null(view_of(bare.machine, bare.model, "regs", "nv_nothing"));
    ck_assert_ptr_null(view_of(bare.machine, bare.model, "regs", "nv_pbdma[9]"));
    ck_assert_ptr_null(view_of(bare.machine, bare.model, "regs", "nv_pbdma[x]"));
    view = view_of(bare.machine, bare.model, "regs", "nv_pbdma");
    all = rows_of(view);
    json_decref(view);
    view = view_of(bare.machine, bare.model, "regs", "NV_PBDMA[2]");
    ck_assert_uint_eq(all, 4 * rows_of(view));
    json_decref(view);
    bare_gpu_fini(&bare);
}
END_TEST

START_TEST(copy_engine_views_read_the_maps)
{
    struct bare_gpu bare;
    char *text;

    ck_assert(bare_gpu_init(&bare, nv_chip_by_name("gtx1060-3gb"), &error));
    text = text_of(bare.machine, bare.model, "pce_map");
    ck_assert_str_eq(text, "0xf\n");
    free(text);
    text = text_of(bare.machine, bare.model, "lce_for_pce2");
    ck_assert_str_eq(text, "0x2\n");
    free(text);
    text = text_of(bare.machine, bare.model, "shared_lce_for_grce1");
    ck_assert_str_eq(text, "none\n");
    free(text);
    machine_write32(bare.machine, 0x10402c, 0x7210);
    machine_write32(bare.machine, 0x104034, 0x0b00);
    text = text_of(bare.machine, bare.model, "lce_for_pce3");
    ck_assert_str_eq(text, "none\n");
    free(text);
    text = text_of(bare.machine, bare.model, "shared_lce_for_grce1");
    ck_assert_str_eq(text, "0x3\n");
    free(text);
    ck_assert_ptr_null(view_of(bare.machine, bare.model, "lce_for_pce4", NULL));
    ck_assert_ptr_null(view_of(bare.machine, bare.model, "shared_lce_for_grce9", NULL));
    bare_gpu_fini(&bare);
}
END_TEST

/* What the copy engines' registers hold after reset on each chip that has them, typed from
 * published tables: "none" where an LCE's number is -1.
 *   rtx6000ada   open-gpu-doc manuals/ampere/ga102/dev_ce.ref.txt, INIT values of PCE2LCE_CONFIG
 *                and GRCE_CONFIG (GA102, six PCEs)
 *   rtx2060      open-gpu-doc manuals/turing/tu104/dev_ce.ref.txt, the same of TU104, four PCEs
 *   rtx2080ti    open-gpu-kernel-modules kernel_ce_tu102.c, first row of its table
 *   a100         kernel_ce_ga100.c, first row: PCEs 16 and 17
 *   h100, h200   kernel_ce_gh100.c, first row
 *   gtx1060-3gb, gtx1080ti   Bakita and Anderson 2024, Fig. 11: each copy engine has its own PCE
 */
static const struct copy_map {
    const char *gpu;
    uint32_t pce_count;
    int lce[18], grce[2];
} copy_maps[] = {
    {"gtx1060-3gb", 4, {0, 1, 2, 3}, {-1, -1}},
    {"gtx1080ti", 4, {0, 1, 2, 3}, {-1, -1}},
    {"rtx2060", 4, {1, 4, 2, 3}, {1, -1}},
    {"rtx2080ti", 4, {-1, 4, 2, 3}, {4, 3}},
    {"a100", 18, {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 2, 3}, {2, 3}},
    {"rtx6000ada", 6, {-1, -1, -1, -1, 2, 3}, {3, 2}},
    {"h100", 16, {4, 6, 4, 6, 4, 6, 4, 6, 4, 4, 4, 6, 4, 6, 4, 6}, {4, 6}},
    {"h200", 16, {4, 6, 4, 6, 4, 6, 4, 6, 4, 4, 4, 6, 4, 6, 4, 6}, {4, 6}},
};

/* Compares a view's line with an LCE's number, below 0 for none. */
static void expect_lce(const struct bare_gpu *bare, const char *view, uint32_t n, int lce)
{
    char name[32], expected[16], *text;

    (void)snprintf(name, sizeof name, "%s%u", view, n);
    (void)snprintf(expected, sizeof expected, lce < 0 ? "none\n" : "0x%x\n", (unsigned)lce);
    text = text_of(bare->machine, bare->model, name);
    ck_assert_msg(strcmp(text, expected) == 0, "%s of %s: %s", name, bare->model->name, text);
    free(text);
}

START_TEST(copy_engine_views_show_the_published_maps)
{
    const struct copy_map *map = &copy_maps[_i];
    struct bare_gpu bare;
    char *text, expected[16];

    ck_assert(bare_gpu_init(&bare, nv_chip_by_name(map->gpu), &error));
    text = text_of(bare.machine, bare.model, "pce_map");
    (void)snprintf(expected, sizeof expected, "0x%x\n", (1u << map->pce_count) - 1);
    ck_assert_str_eq(text, expected);
    free(text);
    for (uint32_t i = 0; i < map->pce_count; i++)
        expect_lce(&bare, "lce_for_pce", i, map->lce[i]);
    for (uint32_t i = 0; i < 2; i++)
        expect_lce(&bare, "shared_lce_for_grce", i, map->grce[i]);
    (void)snprintf(expected, sizeof expected, "lce_for_pce%u", map->pce_count);
    ck_assert_ptr_null(view_of(bare.machine, bare.model, expected, NULL));
    ck_assert_ptr_null(view_of(bare.machine, bare.model, "shared_lce_for_grce2", NULL));
    bare_gpu_fini(&bare);
}
END_TEST

/* Addresses at which nvdebug reads (copy_topology_procfs.c, nvdebug.h): the word of PCE and of GRCE
 * i from Volta and from Ampere on.  What software writes there is what each chip's views show. */
START_TEST(copy_engine_views_read_where_nvdebug_reads)
{
    const struct nv_chip *model = nv_chips[_i];
    const bool ampere = model->class_host >= AMPERE_CHANNEL_GPFIFO_A;
    const uint32_t pce = ampere ? 0x104100 : 0x104040, grce = ampere ? 0x1041c0 : 0x104034;
    struct bare_gpu bare;

    if (model->class_host < VOLTA_CHANNEL_GPFIFO_A)
        return;
    ck_assert(bare_gpu_init(&bare, model, &error));
    for (uint32_t i = 0; i < model->pce_count; i++)
        machine_write32(bare.machine, pce + 4 * i, i % 3 == 2 ? 0xf : i % 5);
    machine_write32(bare.machine, grce, 0x40000002);
    machine_write32(bare.machine, grce + 4, 0xf);
    for (uint32_t i = 0; i < model->pce_count; i++)
        expect_lce(&bare, "lce_for_pce", i, i % 3 == 2 ? -1 : (int)(i % 5));
    expect_lce(&bare, "shared_lce_for_grce", 0, 2);
    expect_lce(&bare, "shared_lce_for_grce", 1, -1);
    bare_gpu_fini(&bare);
}
END_TEST

/* Kepler and Maxwell have no LCEs (nvdebug: "LCEs only exist on Pascal+"). */
static bool has_view(const struct nv_chip *model, const char *name)
{
    const bool of_pces = strstr(name, "pce") || strstr(name, "grce");

    return !of_pces || model->class_host >= PASCAL_CHANNEL_GPFIFO_A;
}

/* Each view of each GPU has content, or the hardware has no such thing. */
START_TEST(every_view_of_every_gpu)
{
    static const char *const names[] = {
        "device_info", "runlist0", "pce_map", "lce_for_pce0", "shared_lce_for_grce0",
        "channels",    "tsgs",     "pbdma0",  "engines",      "engines0"};
    const struct nv_chip *model = nv_chips[_i];
    struct bare_gpu bare;

    ck_assert_msg(bare_gpu_init(&bare, model, &error), "%s", error.text);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        json_t *view = view_of(bare.machine, model, names[i], NULL);

        ck_assert_msg((view != NULL) == has_view(model, names[i]), "%s of %s: %s", names[i],
                      model->name, error.text);
        if (!view)
            ck_assert_int_eq(error.kind, ERROR_USAGE);
        json_decref(view);
    }
    bare_gpu_fini(&bare);
}
END_TEST

START_TEST(names_of_views_are_exact)
{
    uint32_t number;

    ck_assert_ptr_nonnull(inspection_view_find("runlist12", &number));
    ck_assert_uint_eq(number, 12);
    ck_assert_ptr_nonnull(inspection_view_find("engines", &number));
    ck_assert_uint_eq(number, UINT32_MAX);
    ck_assert_ptr_null(inspection_view_find("runlist", &number));
    ck_assert_ptr_null(inspection_view_find("runlistx", &number));
    ck_assert_ptr_null(inspection_view_find("runlist-1", &number));
    ck_assert_ptr_null(inspection_view_find("channels1", &number));
    ck_assert_ptr_null(inspection_view_find("pbdma4294967295", &number));
    ck_assert_ptr_null(inspection_view_find("", &number));
}
END_TEST

Suite *nv_inspect_suite(void)
{
    Suite *suite = suite_create("nv_inspect");
    TCase *paper = tcase_create("paper"), *views = tcase_create("views");
    const int gpus = (int)(sizeof listing_gpus / sizeof listing_gpus[0]);

    tcase_add_test(paper, device_info_of_the_gtx_1060_3gb_is_table_ii);
    tcase_add_test(paper, device_info_of_the_jetson_orin_is_table_iii);
    tcase_add_test(paper, device_info_of_the_rtx_6000_ada_is_table_iv);
    tcase_add_loop_test(paper, runlist_prints_the_lines_of_listing_1, 0, gpus);
    tcase_add_test(paper, an_empty_runlist_prints_nothing);
    suite_add_tcase(suite, paper);
    tcase_add_loop_test(views, channels_say_what_ccsr_and_the_instance_block_say, 0, gpus);
    tcase_add_loop_test(views, tsgs_have_their_timeslice_and_channels, 0, gpus);
    tcase_add_test(views, regs_shows_each_register_with_its_fields);
    tcase_add_test(views, registers_are_shown_with_all_fields_or_not);
    tcase_add_test(views, regs_needs_a_unit_of_this_gpu);
    tcase_add_test(views, copy_engine_views_read_the_maps);
    tcase_add_loop_test(views, copy_engine_views_show_the_published_maps, 0,
                        (int)(sizeof copy_maps / sizeof copy_maps[0]));
    tcase_add_loop_test(views, copy_engine_views_read_where_nvdebug_reads, 0, (int)nv_chip_count);
    tcase_add_loop_test(views, every_view_of_every_gpu, 0, (int)nv_chip_count);
    tcase_add_test(views, names_of_views_are_exact);
    suite_add_tcase(suite, views);
    return suite;
}
