/* SPDX-License-Identifier: MIT */
/* What holds for every table, register list and GPU of this build, whoever added it. */
#include <config.h>

#include <check.h>
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "devices/amd/amd_chip.h"
#include "devices/nvidia/nv_chip.h"
#include "emu/engine/passage.h"
#include "emu/faults/outcome.h"
#include "emu/sim/gpus.h"
#include "tests/check_limits.h"
#include "tests/suites.h"

/* ---- rules, parameters, choice points, events --------------------------------------------------
 */

static void expect_words(const char *name, const char *text)
{
    ck_assert_msg(text != NULL && text[0] != '\0', "%s: a text is missing", name);
    for (const char *at = text; *at; at++)
        ck_assert_msg(isprint((unsigned char)*at), "%s: '%s' is not plain text", name, text);
}

/* A number belongs to one family only, in each of the four lists. */
START_TEST(families_number_their_rows_apart)
{
    static const uint32_t ends[] = {TABLE_CORE,
                                    TABLE_NVIDIA,
                                    TABLE_AMD,
                                    TABLE_AMD_MEC,
                                    TABLE_AMD_SDMA,
                                    TABLE_FIRMWARE_NVIDIA,
                                    TABLE_FIRMWARE_NVIDIA_RM,
                                    TABLE_FIRMWARE_AMD,
                                    TABLE_FIRMWARE_NVIDIA_CUDA,
                                    TABLE_HIP,
                                    TABLE_FIRMWARE_AMDGPU,
                                    TABLE_LIVE,
                                    TABLE_BARE,
                                    TABLE_END};

    for (uint32_t i = 0; i < gfe_table_set_count; i++) {
        const struct table_set *set = gfe_table_sets[i];
        uint32_t end = 0;

        expect_words("family", set->name);
        for (size_t e = sizeof ends / sizeof ends[0]; e-- > 0;)
            if (ends[e] > set->base)
                end = ends[e];
        ck_assert_msg(set->base + set->rule_count <= end, "%s: rules", set->name);
        ck_assert_msg(set->base + set->parameter_count <= end, "%s: parameters", set->name);
        ck_assert_msg(set->base + set->choice_count <= end, "%s: choice points", set->name);
        ck_assert_msg(set->base + set->event_count <= end, "%s: events", set->name);
        for (uint32_t other = 0; other < i; other++)
            ck_assert_uint_ne(set->base, gfe_table_sets[other]->base);
    }
}
END_TEST

/* Labels and ids are what users type: one name, one row, over all families. */
static uint32_t times_named(const char *name)
{
    uint32_t count = 0;

    for (uint32_t s = 0; s < gfe_table_set_count; s++) {
        const struct table_set *set = gfe_table_sets[s];

        for (uint32_t i = 0; i < set->rule_count; i++)
            count += strcasecmp(set->rules[i].label, name) == 0;
        for (uint32_t i = 0; i < set->parameter_count; i++)
            count += strcasecmp(set->parameters[i].id, name) == 0;
        for (uint32_t i = 0; i < set->choice_count; i++)
            count += strcasecmp(set->choices[i].id, name) == 0;
        for (uint32_t i = 0; i < set->event_count; i++)
            count += strcasecmp(set->events[i].name, name) == 0;
    }
    return count;
}

START_TEST(every_rule_has_one_label_a_source_and_a_text)
{
    for (uint32_t s = 0; s < gfe_table_set_count; s++)
        for (uint32_t i = 0; i < gfe_table_sets[s]->rule_count; i++) {
            const struct rule *rule = &gfe_table_sets[s]->rules[i];

            expect_words("rule", rule->label);
            expect_words(rule->label, rule->source);
            expect_words(rule->label, rule->text);
            ck_assert_msg(times_named(rule->label) == 1, "%s is there twice", rule->label);
            ck_assert_int_eq(rule->text[strlen(rule->text) - 1], '.');
        }
    ck_assert_str_eq(gfe_table_sets[0]->rules[RULE_NONE].label, "-");
}
END_TEST

static bool last_word_is(const char *text, char separator, const char *word)
{
    const char *last = strrchr(text, separator);

    return strcmp(last ? last + 1 : text, word) == 0;
}

/* A figure with a unit has it at the end of its id, too, and no other figure looks as if it had. */
START_TEST(every_parameter_says_its_unit_in_its_name)
{
    static const char *const units[] = {"ps", "cycles", "bytes", "entries"};

    for (uint32_t s = 0; s < gfe_table_set_count; s++)
        for (uint32_t i = 0; i < gfe_table_sets[s]->parameter_count; i++) {
            const struct parameter *parameter = &gfe_table_sets[s]->parameters[i];

            expect_words("parameter", parameter->id);
            expect_words(parameter->id, parameter->unit);
            expect_words(parameter->id, parameter->source);
            expect_words(parameter->id, parameter->text);
            ck_assert_msg(times_named(parameter->id) == 1, "%s is there twice", parameter->id);
            for (size_t u = 0; u < sizeof units / sizeof units[0]; u++)
                ck_assert_msg(last_word_is(parameter->id, '_', units[u]) ==
                                  last_word_is(parameter->unit, ' ', units[u]),
                              "%s is in %s", parameter->id, parameter->unit);
        }
}
END_TEST

START_TEST(every_choice_point_has_alternatives_and_a_default_among_them)
{
    for (uint32_t s = 0; s < gfe_table_set_count; s++)
        for (uint32_t i = 0; i < gfe_table_sets[s]->choice_count; i++) {
            const struct choice_point *choice = &gfe_table_sets[s]->choices[i];

            expect_words(choice->id, choice->source);
            expect_words(choice->id, choice->text);
            ck_assert_msg(times_named(choice->id) == 1, "%s is there twice", choice->id);
            ck_assert_uint_lt(choice->default_index, CHOICE_ALTERNATIVES_MAX);
            expect_words(choice->id, choice->alternatives[choice->default_index]);
            expect_words(choice->id, choice->alternatives[1]);
        }
}
END_TEST

START_TEST(every_event_and_its_arguments_have_names)
{
    for (uint32_t s = 0; s < gfe_table_set_count; s++)
        for (uint32_t i = 0; i < gfe_table_sets[s]->event_count; i++) {
            const struct event_kind_row *row = &gfe_table_sets[s]->events[i];
            const uint32_t count = event_kind_argument_count(row);

            expect_words("event", row->name);
            ck_assert_msg(times_named(row->name) == 1, "%s is there twice", row->name);
            for (uint32_t a = 0; a < count; a++) {
                expect_words(row->name, row->arguments[a]);
                for (uint32_t b = 0; b < a; b++)
                    ck_assert_str_ne(row->arguments[a], row->arguments[b]);
            }
        }
}
END_TEST

/* ---- register lists
 * ------------------------------------------------------------------------------ */

/* Field by field: all ones come back, and the bits of two fields of a register do not meet on any
 * variant that has both. */
static void expect_field(const struct reg_row *reg, const struct reg_row *field, uint32_t taken[32])
{
    uint32_t mask;

    ck_assert_msg(field->hi <= 31 && field->lo <= field->hi, "%s", field->name);
    mask = reg_put(0, field->hi, field->lo, UINT32_MAX >> (31 - (field->hi - field->lo)));
    ck_assert_msg(reg_get(mask, field->hi, field->lo) == mask >> field->lo, "%s", field->name);
    ck_assert_msg(reg_get(~mask, field->hi, field->lo) == 0, "%s", field->name);
    /* A runlist entry is either a channel's or a TSG's: its fields lie over each other. */
    if (strncmp(reg->name, "NV_RAMRL_", strlen("NV_RAMRL_")) != 0 &&
        strncmp(reg->name, "NV_PTOP_DEVICE_INFO", strlen("NV_PTOP_DEVICE_INFO")) != 0)
        for (uint32_t variant = 0; variant < 32; variant++) {
            if (!((reg->variants & field->variants) >> variant & 1))
                continue;
            ck_assert_msg((taken[variant] & mask) == 0, "%s meets another field", field->name);
            taken[variant] |= mask;
        }
}

START_TEST(every_row_of_every_register_list_is_sound)
{
    const struct reg_list *list = gfe_reg_lists[_i];
    const struct reg_row *field = NULL, *reg = NULL;
    uint32_t taken[32] = {0}, index;

    expect_words("list", list->name);
    expect_words(list->name, list->source);
    for (uint32_t i = 0; i < list->row_count; i++) {
        const struct reg_row *row = &list->rows[i];

        expect_words(list->name, row->name);
        ck_assert_ptr_nonnull(row->doc);
        if (row->kind == ROW_REG) {
            reg = row;
            field = NULL;
            memset(taken, 0, sizeof taken);
            ck_assert_msg(row->number % 4 == 0 && row->count > 0, "%s", row->name);
            ck_assert_msg(row->count == 1 || (row->stride_bytes >= 4 && row->stride_bytes % 4 == 0),
                          "%s", row->name);
            for (uint32_t n = 0; n < row->count; n++) {
                ck_assert_msg(reg_find(list, row->variants, row->number + n * row->stride_bytes,
                                       &index) == row,
                              "%s lies on another register", row->name);
                ck_assert_uint_eq(index, n);
            }
        } else if (row->kind == ROW_FIELD) {
            field = row;
            ck_assert_msg(reg != NULL, "%s belongs to no register", row->name);
            expect_field(reg, row, taken);
            ck_assert_msg(reg->variants & row->variants, "%s is on no variant", row->name);
        } else {
            ck_assert_msg(field != NULL, "%s belongs to no field", row->name);
            ck_assert_msg(row->number <= UINT32_MAX >> (31 - (field->hi - field->lo)),
                          "%s does not fit in %s", row->name, field->name);
        }
        for (uint32_t other = 0; other < i; other++)
            ck_assert_str_ne(row->name, list->rows[other].name);
    }
}
END_TEST

/* What `gfe regs` can be asked for must be unambiguous. */
START_TEST(register_lists_have_names_of_their_own)
{
    for (uint32_t i = 0; i < gfe_reg_list_count; i++)
        for (uint32_t other = 0; other < i; other++)
            ck_assert_int_ne(strcasecmp(gfe_reg_lists[i]->name, gfe_reg_lists[other]->name), 0);
}
END_TEST

/* ---- chips
 * ----------------------------------------------------------------------------------------- */

START_TEST(every_gpu_is_found_by_its_name_and_its_figures_have_sources)
{
    const struct nv_chip *model = nv_chips[_i];

    ck_assert_ptr_eq(nv_chip_by_name(model->name), model);
    expect_words(model->name, model->title);
    expect_words(model->name, model->chip);
    ck_assert_ptr_nonnull(model->figures[0].name);
    for (const struct chip_figure *figure = model->figures; figure->name; figure++) {
        expect_words(model->name, figure->name);
        expect_words(figure->name, figure->value);
        expect_words(figure->name, figure->source);
    }
    ck_assert_ptr_null(nv_chip_by_name("no such card"));
}
END_TEST

START_TEST(every_engine_of_a_gpu_can_be_reached)
{
    const struct nv_chip *model = nv_chips[_i];
    uint32_t served = 0;

    ck_assert_uint_le(model->engine_count, NV_CHIP_ENGINES_MAX);
    ck_assert_uint_le(model->pbdma_count, NV_CHIP_PBDMAS_MAX);
    ck_assert_uint_le(model->runlist_count, NV_CHIP_RUNLISTS_MAX);
    for (uint32_t p = 0; p < model->pbdma_count; p++)
        served |= model->pbdma_runlists[p];
    ck_assert_uint_eq(served, UINT32_MAX >> (32 - model->runlist_count));
    for (uint32_t i = 0; i < model->engine_count; i++) {
        ck_assert_uint_lt(model->engines[i].runlist_id, model->runlist_count);
        for (uint32_t other = 0; other < i; other++)
            ck_assert_uint_ne(model->engines[i].engine_id, model->engines[other].engine_id);
    }
    ck_assert_uint_gt(model->sm_count, 0);
    ck_assert_uint_gt(model->sm_hz, 0);
    ck_assert_uint_gt(model->host_hz, 0);
    ck_assert_uint_eq(model->vram_bytes % MEMORY_PAGE_BYTES, 0);
}
END_TEST

START_TEST(a_chips_numbers_are_its_own)
{
    const struct nv_chip *model = nv_chips[_i];

    for (uint32_t i = 0; i < model->engine_count; i++) {
        const struct nv_chip_engine *a = &model->engines[i];

        ck_assert_uint_lt(a->engine_id, 64);
        for (uint32_t other = 0; other < i; other++) {
            const struct nv_chip_engine *b = &model->engines[other];

            ck_assert_msg(a->reset_id != b->reset_id, "%s: reset %u", model->name, a->reset_id);
            ck_assert_msg(a->intr_id != b->intr_id, "%s: interrupt %u", model->name, a->intr_id);
            ck_assert_msg(a->fault_id == NV_CHIP_ID_NONE || a->fault_id != b->fault_id,
                          "%s: fault %u", model->name, a->fault_id);
            ck_assert_msg(a->runlist_id != b->runlist_id || a->rleng_id != b->rleng_id,
                          "%s: %s and %s", model->name, a->name, b->name);
            ck_assert_str_ne(a->name, b->name);
        }
    }
    for (uint32_t r = 0; r < model->runlist_count; r++) {
        ck_assert_uint_eq(model->runlists[r].pri_base % 1024, 0);
        ck_assert_int_eq(model->runlists[r].pri_base != 0, model->runlists[0].pri_base != 0);
        for (uint32_t other = 0; other < r; other++) {
            ck_assert_uint_ne(model->runlists[r].doorbell_id, model->runlists[other].doorbell_id);
            ck_assert(model->runlists[0].pri_base == 0 ||
                      model->runlists[r].pri_base != model->runlists[other].pri_base);
        }
    }
}
END_TEST

/* NVIDIA's own limits: a runlist block has two PBDMAs and three engines, DEVICE_INFO four bits for
 * an engine and a runlist, and what is on a runlist with graphics is a GRCE (nvgpu device.c). */
START_TEST(a_chip_keeps_to_what_its_registers_can_say)
{
    const struct nv_chip *model = nv_chips[_i];
    const bool has_blocks = model->runlists[0].pri_base != 0;

    for (uint32_t i = 0; i < model->engine_count; i++) {
        const struct nv_chip_engine *engine = &model->engines[i];
        const bool copies = engine->kind == NV_CHIP_GRCE || engine->kind == NV_CHIP_LCE;

        ck_assert_uint_lt(engine->rleng_id, 3);
        if (!has_blocks)
            ck_assert(engine->engine_id < 16 && engine->runlist_id < 16);
        if (copies)
            ck_assert_int_eq(engine->kind == NV_CHIP_GRCE, engine->runlist_id == 0);
    }
    for (uint32_t r = 0; has_blocks && r < model->runlist_count; r++) {
        uint32_t pbdmas = 0;

        for (uint32_t p = 0; p < model->pbdma_count; p++)
            pbdmas += model->pbdma_runlists[p] >> r & 1;
        ck_assert_uint_le(pbdmas, 2);
    }
}
END_TEST

/* Each PCE serves an LCE of the chip, and a GRCE shares an LCE that has a PCE. */
START_TEST(the_copy_engines_map_names_engines_that_are_there)
{
    const struct nv_chip *model = nv_chips[_i];
    uint32_t lces = 0, served = 0;

    for (uint32_t i = 0; i < model->engine_count; i++)
        if (model->engines[i].kind == NV_CHIP_GRCE || model->engines[i].kind == NV_CHIP_LCE)
            lces |= 1u << model->engines[i].instance;
    ck_assert_uint_le(model->pce_count, NV_CHIP_PCES_MAX);
    for (uint32_t i = 0; i < model->pce_count; i++)
        if (model->pce_to_lce[i] != NV_CHIP_PCE_UNUSED) {
            ck_assert_uint_lt(model->pce_to_lce[i], 32);
            served |= 1u << model->pce_to_lce[i];
        }
    ck_assert_uint_eq(served & ~lces, 0);
    for (uint32_t i = 0; i < NV_CHIP_GRCES_MAX; i++)
        if (model->grce[i].is_shared) {
            ck_assert_uint_eq(served >> model->grce[i].shared_lce & 1, 1);
            ck_assert_uint_eq(served >> i & 1, 0); /* or it would need no other's */
            ck_assert_uint_eq(lces >> i & 1, 1);
        }
}
END_TEST

/* Every figure: the ones that tests of gfe check use are those of the chip.  One by one, as the
 * structure has padding. */
START_TEST(limits_are_those_of_the_chip)
{
    struct check_limits is;
    const bool found = gpu_find_limits("tx2", NULL, &is);
    const struct check_limits *want = &check_limits_tx2;
    const uint64_t pairs[][2] = {
        {is.sm_count, want->sm_count},
        {is.threads_per_sm, want->threads_per_sm},
        {is.warps_per_sm, want->warps_per_sm},
        {is.blocks_per_sm, want->blocks_per_sm},
        {is.registers_per_sm, want->registers_per_sm},
        {is.registers_per_block, want->registers_per_block},
        {is.registers_per_thread, want->registers_per_thread},
        {is.shared_bytes_per_sm, want->shared_bytes_per_sm},
        {is.shared_bytes_per_block, want->shared_bytes_per_block},
        {is.threads_per_block, want->threads_per_block},
        {is.threads_per_warp, want->threads_per_warp},
        {is.register_unit, want->register_unit},
        {is.partitions, want->partitions},
        {is.shared_unit_bytes, want->shared_unit_bytes},
        {is.driver_shared_bytes, want->driver_shared_bytes},
        {is.grids, want->grids},
        {is.engine_count, 0}, /* what else is AMD's hangs on this */
    };

    ck_assert(found);
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        ck_assert_msg(pairs[i][0] == pairs[i][1], "figure %zu is %llu, not %llu", i,
                      (unsigned long long)pairs[i][0], (unsigned long long)pairs[i][1]);
}
END_TEST

/* ---- vendors --------------------------------------------------------------------------------- */

START_TEST(each_gpu_has_its_vendor)
{
    for (uint32_t i = 0; i < nv_chip_count; i++) {
        ck_assert_ptr_eq(gpu_vendor_of(nv_chips[i]->name), &gpu_nvidia);
        if (nv_chips[i]->alias)
            ck_assert_ptr_eq(gpu_vendor_of(nv_chips[i]->alias), &gpu_nvidia);
    }
    for (uint32_t i = 0; i < amd_chip_count; i++)
        ck_assert_ptr_eq(gpu_vendor_of(amd_chips[i]->name), &gpu_amd);
    ck_assert_ptr_null(gpu_vendor_of("no such card"));
    ck_assert_ptr_null(gpu_vendor_of(""));
    ck_assert_ptr_null(gpu_vendor_of(NULL));
}
END_TEST

START_TEST(vendors_share_neither_gpus_nor_views)
{
    uint32_t views = 0;
    struct gpu gpu;

    for (uint32_t i = 0; i < GPU_VENDORS; i++) {
        const struct gpu_vendor *vendor = gpu_vendors[i];

        expect_words("vendor", vendor->name);
        ck_assert_ptr_eq(gpu_vendor_of(vendor->default_gpu), vendor);
        ck_assert_uint_ne(vendor->views, 0);
        ck_assert_uint_eq(views & vendor->views, 0);
        views |= vendor->views;
        ck_assert(gpu_find(vendor->default_gpu, NULL, &gpu));
        ck_assert_uint_ne(vendor->reg_variants(&gpu), 0);
        for (uint32_t other = 0; other < i; other++) {
            ck_assert_str_ne(vendor->name, gpu_vendors[other]->name);
            ck_assert(!gpu_vendors[other]->find(vendor->default_gpu, &gpu));
        }
    }
    ck_assert_uint_eq(views, INSPECT_ALL);
}
END_TEST

/* Faults have owners on each vendor's GPUs: channels or queues, which most sites name. */
START_TEST(what_owns_faults_is_a_subject_of_sites)
{
    const struct inject_sites *sites = gpu_vendors[_i]->sites;
    uint32_t named = 0;

    ck_assert_uint_ne(outcome_owner(sites->holder, 1), UINT64_MAX);
    for (uint32_t i = 0; i < sites->count; i++)
        named += sites->rows[i].subject && strcmp(sites->rows[i].subject, sites->holder) == 0;
    ck_assert_uint_ge(2 * named, sites->count);
}
END_TEST

START_TEST(a_gpu_alone_is_wired_by_its_vendor)
{
    const struct gpu_vendor *vendor = gpu_vendors[_i];
    struct gfe_error error = {0};
    struct gpu_bare bare;
    struct gpu gpu;

    ck_assert(gpu_find(vendor->default_gpu, NULL, &gpu));
    ck_assert_msg(vendor->bare_open(&gpu, &bare, &error), "%s", error.text);
    ck_assert_str_eq(bare.gpu, vendor->default_gpu);
    ck_assert_str_eq(bare.subject.machine->config.gpu, vendor->default_gpu);
    ck_assert_int_ne(bare.subject.model == NULL, bare.subject.node == NULL);
    vendor->bare_close(&bare);
}
END_TEST

START_TEST(an_alias_leads_to_the_gpus_own_name)
{
    struct gfe_error error = {0};
    struct gpu_bare bare;
    struct gpu gpu;

    ck_assert(gpu_find("titanv", NULL, &gpu));
    ck_assert_msg(gpu_nvidia.bare_open(&gpu, &bare, &error), "%s", error.text);
    ck_assert_str_eq(bare.gpu, "titan-v");
    ck_assert_str_eq(bare.subject.model->name, "titan-v");
    gpu_nvidia.bare_close(&bare);
}
END_TEST

START_TEST(a_missing_gpu_is_told_from_another_vendors)
{
    struct gfe_error error = {0};

    ck_assert(!gpu_missing("mi100", NULL, &error));
    ck_assert_str_eq(error.text, "mi100 is an AMD GPU, which runs recordings of ROCm's libraries "
                                 "and configurations of hip_plugin_framework");
    error = (struct gfe_error){0};
    ck_assert(!gpu_missing("no such card", NULL, &error));
    ck_assert_str_eq(error.text, "no GPU is called 'no such card'; gfe gpus lists them");
}
END_TEST

Suite *gpus_suite(void)
{
    Suite *suite = suite_create("gpus");
    TCase *tables = tcase_create("tables");
    TCase *lists = tcase_create("register lists");
    TCase *chips = tcase_create("chips");
    TCase *vendors = tcase_create("vendors");

    tcase_add_test(tables, families_number_their_rows_apart);
    tcase_add_test(tables, every_rule_has_one_label_a_source_and_a_text);
    tcase_add_test(tables, every_parameter_says_its_unit_in_its_name);
    tcase_add_test(tables, every_choice_point_has_alternatives_and_a_default_among_them);
    tcase_add_test(tables, every_event_and_its_arguments_have_names);
    suite_add_tcase(suite, tables);
    tcase_add_loop_test(lists, every_row_of_every_register_list_is_sound, 0,
                        (int)gfe_reg_list_count);
    tcase_add_test(lists, register_lists_have_names_of_their_own);
    tcase_add_test(lists, limits_are_those_of_the_chip);
    suite_add_tcase(suite, lists);
    tcase_add_loop_test(chips, every_gpu_is_found_by_its_name_and_its_figures_have_sources, 0,
                        (int)nv_chip_count);
    tcase_add_loop_test(chips, every_engine_of_a_gpu_can_be_reached, 0, (int)nv_chip_count);
    tcase_add_loop_test(chips, a_chips_numbers_are_its_own, 0, (int)nv_chip_count);
    tcase_add_loop_test(chips, a_chip_keeps_to_what_its_registers_can_say, 0, (int)nv_chip_count);
    tcase_add_loop_test(chips, the_copy_engines_map_names_engines_that_are_there, 0,
                        (int)nv_chip_count);
    suite_add_tcase(suite, chips);
    tcase_add_test(vendors, each_gpu_has_its_vendor);
    tcase_add_test(vendors, vendors_share_neither_gpus_nor_views);
    tcase_add_loop_test(vendors, what_owns_faults_is_a_subject_of_sites, 0, GPU_VENDORS);
    tcase_add_loop_test(vendors, a_gpu_alone_is_wired_by_its_vendor, 0, GPU_VENDORS);
    tcase_add_test(vendors, an_alias_leads_to_the_gpus_own_name);
    tcase_add_test(vendors, a_missing_gpu_is_told_from_another_vendors);
    suite_add_tcase(suite, vendors);
    return suite;
}
