/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <elf.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "devices/amd/amd_chip.h"
#include "devices/amd/formats/amd_kernel.h"
#include "tests/amd_object.h"
#include "tests/suites.h"

struct found {
    struct amd_kernel kernels[4];
    uint32_t count, wanted;
};

static bool take(void *context, const struct amd_kernel *kernel)
{
    struct found *found = context;

    ck_assert_uint_lt(found->count, 4);
    found->kernels[found->count++] = *kernel;
    return found->count != found->wanted;
}

/* The object with one word changed. */
static bool walk_changed(size_t at, uint32_t word, size_t bytes, struct found *found,
                         struct gfe_error *error)
{
    unsigned char *object = malloc(AMD_OBJECT_BYTES);
    bool done;

    ck_assert_ptr_nonnull(object);
    amd_object_make(object);
    if (at != 0)
        memcpy(object + at, &word, sizeof word);
    memset(found, 0, sizeof *found);
    memset(error, 0, sizeof *error);
    done = amd_kernel_walk(object, bytes, take, found, error);
    free(object);
    return done;
}

START_TEST(a_code_object_gives_its_kernels)
{
    struct gfe_error error;
    struct found found;

    ck_assert_msg(walk_changed(0, 0, AMD_OBJECT_BYTES, &found, &error), "%s", error.text);
    ck_assert_uint_eq(found.count, 2);
    ck_assert_str_eq(found.kernels[0].name, "axpy");
    ck_assert_uint_eq(found.kernels[0].address, AMD_OBJECT_RODATA);
    ck_assert_mem_eq(found.kernels[0].descriptor, amd_object_axpy, AMD_KERNEL_BYTES);
    ck_assert_str_eq(found.kernels[1].name, "gemm");
    ck_assert_mem_eq(found.kernels[1].descriptor, amd_object_gemm, AMD_KERNEL_BYTES);
}
END_TEST

START_TEST(the_walk_ends_when_the_caller_has_enough)
{
    unsigned char object[AMD_OBJECT_BYTES];
    struct found found = {.wanted = 1};
    struct gfe_error error = {0};

    amd_object_make(object);
    ck_assert(amd_kernel_walk(object, sizeof object, take, &found, &error));
    ck_assert_uint_eq(found.count, 1);
}
END_TEST

START_TEST(damage_is_told)
{
    static const struct {
        size_t at;
        uint32_t word;
        const char *says;
    } rows[] = {
        {18, 62, "not a code object of AMD GPUs"}, /* e_machine: x86-64 */
        {0x200 + 24 + 8, 0x00000fff, "outside of its section"},
        {0x200 + 24 + 8, 0x00000080, "lies in no section"},
        {0x200 + 24 + 8, AMD_OBJECT_RODATA + 64, NULL}, /* still inside */
        {0x200 + 48 + 8, AMD_OBJECT_RODATA + 65, "outside of its section"},
        {0x200 + 24 + 4, 0x00090011, "lies in no section"}, /* st_shndx 9 */
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct gfe_error error;
        struct found found;
        const bool done = walk_changed(rows[i].at, rows[i].word, AMD_OBJECT_BYTES, &found, &error);

        ck_assert_msg(done == (rows[i].says == NULL), "row %zu: %s", i, error.text);
        ck_assert_msg(!rows[i].says || strstr(error.text, rows[i].says) != NULL, "row %zu: %s", i,
                      error.text);
        ck_assert(done || error.kind == ERROR_INPUT);
    }
}
END_TEST

/* At any length it is read or refused, and never a kernel given that is not there. */
START_TEST(a_code_object_that_is_cut_off_is_no_accident)
{
    for (size_t bytes = 0; bytes < AMD_OBJECT_BYTES; bytes += 7) {
        struct gfe_error error;
        struct found found;

        if (!walk_changed(0, 0, bytes, &found, &error))
            ck_assert_int_eq(error.kind, ERROR_INPUT);
        ck_assert_uint_le(found.count, 2);
    }
}
END_TEST

/* EF_AMDGPU_MACH of LLVM's AMDGPUUsage ("AMDGPU Machine"): 0x20 to 0x2b are gfx6 to gfx8, 0x33 to
 * 0x3e and 0x41 on gfx10 and later, apart from those named here. */
START_TEST(gfx9_is_known_by_the_machine_of_its_code)
{
    static const uint32_t gfx9[] = {0x2c, 0x2d, 0x2e, 0x2f, 0x30, 0x31, 0x32,
                                    0x3f, 0x40, 0x4b, 0x4c, 0x4f, 0x51, 0x5f};

    for (uint32_t code = 1; code < 256; code++) {
        unsigned char header[sizeof(Elf64_Ehdr)] = {0};
        uint32_t machine = 0;
        bool is = false;

        header[offsetof(Elf64_Ehdr, e_flags)] = (unsigned char)code;
        for (size_t i = 0; i < sizeof gfx9 / sizeof gfx9[0]; i++)
            is = is || gfx9[i] == code;
        ck_assert_msg(amd_kernel_is_gfx9(header, sizeof header, &machine) == is, "%#x", code);
        ck_assert_uint_eq(machine, code);
    }
}
END_TEST

START_TEST(waves_take_registers_in_the_units_of_the_chip)
{
    const struct amd_chip *vega20 = amd_chip_by_name("radeon-vii");
    const struct amd_chip *mi210 = amd_chip_by_name("mi210");

    ck_assert_uint_eq(amd_kernel_vgprs(vega20->vgpr_unit, amd_object_axpy), 8);
    ck_assert_uint_eq(amd_kernel_sgprs(vega20->sgpr_unit, amd_object_axpy), 16);
    ck_assert_uint_eq(amd_kernel_vgprs(vega20->vgpr_unit, amd_object_gemm), 20);
    ck_assert_uint_eq(amd_kernel_sgprs(vega20->sgpr_unit, amd_object_gemm), 48);
    ck_assert_uint_eq(amd_kernel_vgprs(mi210->vgpr_unit, amd_object_gemm), 40);
}
END_TEST

Suite *amd_kernel_suite(void)
{
    Suite *suite = suite_create("amd_kernel");
    TCase *objects = tcase_create("code objects");

    tcase_add_test(objects, a_code_object_gives_its_kernels);
    tcase_add_test(objects, the_walk_ends_when_the_caller_has_enough);
    tcase_add_test(objects, damage_is_told);
    tcase_add_test(objects, a_code_object_that_is_cut_off_is_no_accident);
    tcase_add_test(objects, gfx9_is_known_by_the_machine_of_its_code);
    tcase_add_test(objects, waves_take_registers_in_the_units_of_the_chip);
    suite_add_tcase(suite, objects);
    return suite;
}
