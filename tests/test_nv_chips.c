/* SPDX-License-Identifier: MIT */
/* The NVIDIA chips against what is known of them: the tables of Bakita and Anderson 2024, and the
 * counts, ids and maps that NVIDIA publishes. */
/* PROMISE (nvidia): The chips are those of Tables II, III and IV of Bakita and Anderson (2024),
 * row by row. */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "devices/nvidia/nv_chip.h"
#include "tests/suites.h"

/* ---- Bakita and Anderson 2024 -----------------------------------------------------------------
 */

/* A row of Tables II to IV, typed from the paper. */
struct table_row {
    const char *engine; /* NULL: N/A */
    uint32_t runlist;
};

static const struct table_row table_ii[] = {{"Graphics/Compute 0", 0},
                                            {"GRCE0/LCE0", 0},
                                            {"GRCE1/LCE1", 0},
                                            {"Video Decoder 0", 1},
                                            {"Video Encoder 0", 2},
                                            {"Sequencer", 3},
                                            {NULL, 4},
                                            {"LCE2", 5},
                                            {"LCE3", 6}};
static const struct table_row table_iii[] = {
    {"Graphics/Compute 0", 0}, {"GRCE0/LCE0", 0}, {"GRCE1/LCE1", 0}, {"LCE2", 1}, {"LCE3", 2},
    {"Graphics/Compute 1", 2}};
static const struct table_row table_iv[] = {{"Graphics/Compute 0", 0},
                                            {"GRCE0/LCE0", 0},
                                            {"GRCE1/LCE1", 0},
                                            {"LCE2", 1},
                                            {"LCE3", 2},
                                            {"LCE4", 3},
                                            {"Video Decoder 0", 4},
                                            {"Video Decoder 1", 5},
                                            {"Video Decoder 2", 6},
                                            {NULL, 7},
                                            {"Video Encoder 0", 8},
                                            {"Video Encoder 1", 9},
                                            {"Video Encoder 2", 10},
                                            {"JPEG Decoder 0", 11},
                                            {"JPEG Decoder 1", 12},
                                            {"JPEG Decoder 2", 13},
                                            {"JPEG Decoder 3", 14},
                                            {"Optical Flow Accelerator", 15},
                                            {"Sequencer", 16}};

/* Does the paper call this engine so? */
static bool is_called(const struct nv_chip_engine *engine, const char *paper)
{
    static const char *const names[NV_CHIP_ENGINE_KINDS] = {
        [NV_CHIP_GRAPHICS] = "Graphics/Compute",    [NV_CHIP_NVDEC] = "Video Decoder",
        [NV_CHIP_NVENC] = "Video Encoder",          [NV_CHIP_NVJPG] = "JPEG Decoder",
        [NV_CHIP_OFA] = "Optical Flow Accelerator", [NV_CHIP_SEC] = "Sequencer",
    };
    const char *name = names[engine->kind];
    char numbered[40];

    if (!name)
        return strcmp(engine->name, paper) == 0;
    (void)snprintf(numbered, sizeof numbered, "%s %u", name, engine->instance);
    return strcmp(paper, numbered) == 0 || strcmp(paper, name) == 0;
}

/* The table and no more: every row an engine of the model, every engine a row. */
static void expect_table(const char *name, const struct table_row *table, uint32_t row_count)
{
    const struct nv_chip *model = nv_chip_by_name(name);
    uint32_t engines = 0, runlists = 0;

    ck_assert_ptr_nonnull(model);
    for (uint32_t r = 0; r < row_count; r++) {
        uint32_t found = 0;

        for (uint32_t i = 0; i < model->engine_count; i++) {
            const struct nv_chip_engine *engine = &model->engines[i];

            found += table[r].engine ? engine->runlist_id == table[r].runlist &&
                                           is_called(engine, table[r].engine)
                                     : engine->runlist_id == table[r].runlist;
        }
        ck_assert_msg(found == (table[r].engine ? 1 : 0), "%s: row %u", name, r);
        engines += found;
        runlists |= 1u << table[r].runlist;
    }
    ck_assert_uint_eq(engines, model->engine_count);
    ck_assert_uint_eq(runlists, UINT32_MAX >> (32 - model->runlist_count));
}

START_TEST(table_ii_is_gtx1060_3gb)
{
    expect_table("gtx1060-3gb", table_ii, sizeof table_ii / sizeof table_ii[0]);
}
END_TEST

START_TEST(table_iii_is_orin)
{
    expect_table("orin", table_iii, sizeof table_iii / sizeof table_iii[0]);
}
END_TEST

START_TEST(table_iv_is_rtx6000ada)
{
    expect_table("rtx6000ada", table_iv, sizeof table_iv / sizeof table_iv[0]);
}
END_TEST

/* The paper's text against its Table III: one engine on every runlist but the first. */
START_TEST(the_other_reading_of_table_iii_differs_in_gr1_alone)
{
    const struct nv_chip *printed = nv_chip_by_name("orin");
    const struct nv_chip *text = nv_chip_by_name("orin-runlist3");
    uint32_t on_runlist[NV_CHIP_RUNLISTS_MAX] = {0};

    ck_assert_uint_eq(text->runlist_count, printed->runlist_count + 1);
    for (uint32_t i = 0; i < text->engine_count; i++) {
        const bool is_gr1 = strcmp(text->engines[i].name, "GR1") == 0;

        ck_assert_str_eq(text->engines[i].name, printed->engines[i].name);
        ck_assert_uint_eq(text->engines[i].runlist_id, is_gr1 ? 3 : printed->engines[i].runlist_id);
        on_runlist[text->engines[i].runlist_id]++;
    }
    for (uint32_t r = 1; r < text->runlist_count; r++)
        ck_assert_uint_eq(on_runlist[r], 1);
}
END_TEST

/* Figs. 10 and 11: both GRCEs of the RTX 6000 Ada share, those of the two Pascal cards, which are
 * connected alike, do not. */
START_TEST(grces_share_where_the_paper_saw_them_share)
{
    const struct nv_chip *ada = nv_chip_by_name("rtx6000ada");
    const struct nv_chip *gtx1080ti = nv_chip_by_name("gtx1080ti");
    const struct nv_chip *gtx1060 = nv_chip_by_name("gtx1060-3gb");

    ck_assert(ada->grce[0].is_shared && ada->grce[1].is_shared);
    ck_assert(!gtx1080ti->grce[0].is_shared && !gtx1080ti->grce[1].is_shared);
    ck_assert_uint_eq(gtx1080ti->pce_count, gtx1060->pce_count);
    ck_assert_mem_eq(gtx1080ti->pce_to_lce, gtx1060->pce_to_lce, sizeof gtx1060->pce_to_lce);
}
END_TEST

/* ---- counts that NVIDIA publishes -------------------------------------------------------------
 */

/* nvgpu hw_proj_*.h and hw_fifo_*.h @6ecfb593; open RM turing/tu102/hwproject.h, dev_ce_base.h of
 * GA100 and GH100; GA100's interrupt map; facts of SMs by compute capability. */
/* PROMISE (nvidia): Counts, ids and maps of engines are those that NVIDIA publishes. */
START_TEST(counts_are_those_that_nvidia_publishes)
{
    static const struct {
        const char *name;
        uint32_t chip_id, engines, runlists, pbdmas, pces, sms, threads, blocks, shared_kib;
    } rows[] = {
        {"tx2", 0x13b, 2, 1, 1, 1, 2, 2048, 32, 64},
        {"gtx1080ti", 0x132, 9, 7, 4, 4, 28, 2048, 32, 96},
        {"titan-v", 0x140, 15, 13, 14, 8, 80, 2048, 32, 96},
        {"xavier", 0x15b, 4, 2, 3, 3, 8, 2048, 32, 96},
        {"rtx2080ti", 0x162, 9, 11, 12, 4, 68, 1024, 16, 64},
        {"a100", 0x170, 26, 24, 32, 18, 108, 2048, 32, 164},
        {"orin-runlist3", 0x17b, 6, 4, 6, 4, 16, 1536, 16, 164},
        {"rtx6000ada", 0x192, 18, 17, 18, 6, 142, 1536, 24, 100},
        {"h100", 0x180, 34, 32, 40, 16, 132, 2048, 32, 228},
        {"h200", 0x180, 34, 32, 40, 16, 132, 2048, 32, 228},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct nv_chip *model = nv_chip_by_name(rows[i].name);

        ck_assert_ptr_nonnull(model);
        ck_assert_uint_eq(model->chip_id, rows[i].chip_id);
        ck_assert_uint_eq(model->engine_count, rows[i].engines);
        ck_assert_uint_eq(model->runlist_count, rows[i].runlists);
        ck_assert_uint_eq(model->pbdma_count, rows[i].pbdmas);
        ck_assert_uint_eq(model->pce_count, rows[i].pces);
        ck_assert_uint_eq(model->sm_count, rows[i].sms);
        ck_assert_uint_eq(model->sm.threads_per_sm, rows[i].threads);
        ck_assert_uint_eq(model->sm.blocks_per_sm, rows[i].blocks);
        ck_assert_uint_eq(model->sm.shared_bytes_per_sm, rows[i].shared_kib << 10);
    }
    ck_assert_uint_eq(nv_chip_by_name("tx2")->sm.registers_per_block, 32768);
    ck_assert_ptr_eq(nv_chip_by_name("titanv"), nv_chip_by_name("titan-v"));
}
END_TEST

static const struct nv_chip_engine *engine_of(const char *gpu, const char *name)
{
    const struct nv_chip *model = nv_chip_by_name(gpu);

    for (uint32_t i = 0; i < model->engine_count; i++)
        if (strcmp(model->engines[i].name, name) == 0)
            return &model->engines[i];
    ck_abort_msg("%s has no %s", gpu, name);
    return NULL;
}

/* NV_PFAULT_MMU_ENG_ID_* of dev_fault.h, typed from the open kernel driver @df1c9a3d. */
START_TEST(fault_ids_are_those_that_nvidia_publishes)
{
    static const struct {
        const char *gpu, *engine;
        uint32_t id;
    } rows[] = {
        {"titan-v", "GR0", 64},       {"titan-v", "LCE8", 23},
        {"xavier", "LCE2", 17},       {"rtx2080ti", "NVDEC0", 10},
        {"rtx2080ti", "NVENC0", 11},  {"rtx2080ti", "SEC2", 14},
        {"rtx2060", "NVDEC2", 26},    {"a100", "GRCE0/LCE0", 15},
        {"a100", "LCE9", 24},         {"a100", "NVDEC4", 29},
        {"a100", "NVJPG0", 30},       {"a100", "OFA0", 10},
        {"rtx6000ada", "NVDEC0", 25}, {"rtx6000ada", "NVENC2", 13},
        {"rtx6000ada", "NVJPG0", 21}, {"rtx6000ada", "NVJPG3", 24},
        {"rtx6000ada", "OFA0", 10},   {"rtx6000ada", "SEC", 14},
        {"h100", "GR0", 384},         {"h100", "GRCE0/LCE0", 43},
        {"h100", "LCE9", 52},         {"h100", "NVDEC6", 25},
        {"h100", "NVJPG6", 33},       {"h200", "OFA0", 53},
        {"h200", "SEC2", 6},          {"h200", "GR7", NV_CHIP_ID_NONE},
        {"gtx680", "CE2", 27},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        ck_assert_msg(engine_of(rows[i].gpu, rows[i].engine)->fault_id == rows[i].id, "%s %s",
                      rows[i].gpu, rows[i].engine);
}
END_TEST

/* What the open kernel driver @df1c9a3d programs by default: kernel_ce_tu102.c, kernel_ce_ga100.c,
 * kernel_ce_gh100.c; and GA102's reset state, open-gpu-doc ga102/dev_ce.ref.txt. */
START_TEST(the_copy_engines_are_connected_as_nvidia_publishes)
{
    enum { NONE = NV_CHIP_PCE_UNUSED };
    static const struct {
        const char *gpu;
        uint8_t lce[18];
        uint8_t grce[2];
    } rows[] = {
        {"rtx2080ti", {NONE, 4, 2, 3}, {4, 3}},
        {"a100",
         {NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE,
          NONE, 2, 3},
         {2, 3}},
        {"rtx6000ada", {NONE, NONE, NONE, NONE, 2, 3}, {3, 2}},
        {"h100", {4, 6, 4, 6, 4, 6, 4, 6, 4, 4, 4, 6, 4, 6, 4, 6}, {4, 6}},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct nv_chip *model = nv_chip_by_name(rows[i].gpu);

        ck_assert_mem_eq(model->pce_to_lce, rows[i].lce, model->pce_count);
        for (uint32_t g = 0; g < 2; g++) {
            ck_assert(model->grce[g].is_shared);
            ck_assert_uint_eq(model->grce[g].shared_lce, rows[i].grce[g]);
        }
    }
}
END_TEST

Suite *nv_chips_suite(void)
{
    Suite *suite = suite_create("nv_chips");
    TCase *paper = tcase_create("Bakita and Anderson 2024"), *published = tcase_create("published");

    tcase_add_test(paper, table_ii_is_gtx1060_3gb);
    tcase_add_test(paper, table_iii_is_orin);
    tcase_add_test(paper, table_iv_is_rtx6000ada);
    tcase_add_test(paper, the_other_reading_of_table_iii_differs_in_gr1_alone);
    tcase_add_test(paper, grces_share_where_the_paper_saw_them_share);
    suite_add_tcase(suite, paper);
    tcase_add_test(published, counts_are_those_that_nvidia_publishes);
    tcase_add_test(published, fault_ids_are_those_that_nvidia_publishes);
    tcase_add_test(published, the_copy_engines_are_connected_as_nvidia_publishes);
    suite_add_tcase(suite, published);
    return suite;
}
