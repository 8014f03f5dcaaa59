/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <string.h>

#include "devices/amd/amd_chip.h"
#include "devices/nvidia/nv_chip.h"
#include "tests/suites.h"

START_TEST(every_chip_is_found_by_its_name_and_no_other_gpu_has_it)
{
    const struct amd_chip *chip = amd_chips[_i];

    ck_assert_ptr_eq(amd_chip_by_name(chip->name), chip);
    ck_assert_ptr_null(nv_chip_by_name(chip->name));
    ck_assert_ptr_null(amd_chip_by_name("radeon-viii"));
    for (uint32_t i = 0; i < (uint32_t)_i; i++)
        ck_assert_uint_ne(amd_chips[i]->pci_id, chip->pci_id);
}
END_TEST

/* PROMISE (amd): Every figure of an AMD chip has a name, a value and a source. */
START_TEST(every_figure_has_a_name_a_value_and_a_source)
{
    const struct chip_figure *figures = amd_chips[_i]->figures;
    uint32_t count = 0;

    for (; figures[count].name; count++) {
        ck_assert_uint_lt(count, CHIP_FIGURES_MAX - 1);
        ck_assert_str_ne(figures[count].value, "");
        ck_assert_str_ne(figures[count].source, "");
        for (uint32_t i = 0; i < count; i++)
            ck_assert_str_ne(figures[i].name, figures[count].name);
    }
    ck_assert_uint_ge(count, 20);
}
END_TEST

START_TEST(the_cus_of_the_shader_engines_are_those_of_the_chip)
{
    const struct amd_chip *chip = amd_chips[_i];
    uint32_t sum = 0;

    ck_assert_uint_le(chip->shader_engine_count, AMD_SHADER_ENGINES_MAX);
    ck_assert_uint_le(chip->cu_slots_per_engine, AMD_CUS_PER_ENGINE_MAX);
    for (uint32_t i = 0; i < AMD_SHADER_ENGINES_MAX; i++) {
        ck_assert_uint_le(chip->engine_cus[i], chip->cu_slots_per_engine);
        ck_assert_int_eq(chip->engine_cus[i] != 0, i < chip->shader_engine_count);
        sum += chip->engine_cus[i];
    }
    ck_assert_uint_eq(sum, chip->cu_count);
}
END_TEST

/* Waves of a full workgroup fit into a CU, and no unit of allocation is larger than what it parts.
 */
START_TEST(a_workgroup_of_the_highest_size_fits_into_a_cu)
{
    const struct amd_chip *chip = amd_chips[_i];

    ck_assert_uint_le(chip->threads_per_workgroup,
                      chip->simds_per_cu * chip->waves_per_simd * chip->threads_per_wave);
    ck_assert_uint_eq(chip->vgprs_per_simd % chip->vgpr_unit, 0);
    ck_assert_uint_eq(chip->sgprs_per_simd % chip->sgpr_unit, 0);
    ck_assert_uint_eq(chip->lds_bytes_per_cu % chip->lds_unit_bytes, 0);
    ck_assert_uint_le(chip->vgprs_per_wave, chip->vgprs_per_simd);
    ck_assert_uint_le(chip->sgprs_per_wave, chip->sgprs_per_simd);
    ck_assert_uint_le(chip->pipes_per_mec, AMD_PIPES_MAX);
    ck_assert_uint_le(chip->queues_per_pipe, AMD_QUEUES_PER_PIPE_MAX);
    ck_assert_uint_lt(chip->kernel_queues_per_pipe, chip->queues_per_pipe);
    ck_assert_uint_lt(chip->first_kfd_vmid, AMD_VMIDS);
    ck_assert_uint_ge(chip->shader_hz, UINT64_C(1000000000));
    ck_assert_uint_gt(chip->reference_hz, 0);
}
END_TEST

/* Otterness and Anderson 2022: 4 shader engines with 15 CUs, 4 ACEs with 8 queues; KFD has 24. */
START_TEST(radeon_vii_is_the_one_of_the_paper)
{
    const struct amd_chip *chip = amd_chip_by_name("radeon-vii");

    ck_assert_uint_eq(chip->shader_engine_count, 4);
    for (uint32_t i = 0; i < 4; i++)
        ck_assert_uint_eq(chip->engine_cus[i], 15);
    ck_assert_uint_eq(chip->simds_per_cu * chip->waves_per_simd * chip->threads_per_wave, 2560);
    ck_assert_uint_eq(chip->pipes_per_mec * chip->queues_per_pipe, 32);
    ck_assert_uint_eq(chip->pipes_per_mec * (chip->queues_per_pipe - chip->kernel_queues_per_pipe),
                      24);
    ck_assert_uint_eq(chip->vram_bytes, UINT64_C(16) << 30);
    ck_assert_uint_eq(amd_chip_by_name("mi210")->vgprs_per_simd, 512);
    ck_assert_uint_eq(amd_chip_by_name("mi100")->cu_count, 120);
}
END_TEST

Suite *amd_chip_suite(void)
{
    Suite *suite = suite_create("amd_chip");
    TCase *all = tcase_create("every chip"), *one = tcase_create("one");

    tcase_add_loop_test(all, every_chip_is_found_by_its_name_and_no_other_gpu_has_it, 0,
                        (int)amd_chip_count);
    tcase_add_loop_test(all, every_figure_has_a_name_a_value_and_a_source, 0, (int)amd_chip_count);
    tcase_add_loop_test(all, the_cus_of_the_shader_engines_are_those_of_the_chip, 0,
                        (int)amd_chip_count);
    tcase_add_loop_test(all, a_workgroup_of_the_highest_size_fits_into_a_cu, 0,
                        (int)amd_chip_count);
    tcase_add_test(one, radeon_vii_is_the_one_of_the_paper);
    suite_add_tcase(suite, all);
    suite_add_tcase(suite, one);
    return suite;
}
