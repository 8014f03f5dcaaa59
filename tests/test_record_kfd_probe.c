/* SPDX-License-Identifier: MIT */
/*
 * What is found of a topology: that of the stand-in, made in a directory, and others.
 */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/suites.h"
#include "traces/record/kfd/record_kfd_probe.h"
#include "traces/record/kfd/record_kfd_tree.h"
#include "traces/record/record_tree.h"

#define TOPOLOGY "/sys/devices/virtual/kfd/kfd/topology"

static char root[40];
static char topology[200];

static void setup(void)
{
    const struct record_kfd_board *boards[] = {record_kfd_board_find("mi60"),
                                               record_kfd_board_find("mi210")};
    struct gfe_error error = {0};

    strcpy(root, "/tmp/gfe-test-probe-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(root));
    ck_assert(record_kfd_tree_make(root, boards, 2, &error));
    snprintf(topology, sizeof topology, "%s" TOPOLOGY, root);
}

static void teardown(void)
{
    ck_assert(record_tree_remove(root));
}

static void write_file(const char *name, const char *words)
{
    char path[300];
    FILE *file;

    snprintf(path, sizeof path, "%s/nodes/%s", topology, name);
    file = fopen(path, "w");
    ck_assert_msg(file != NULL, "%s", path);
    fputs(words, file);
    fclose(file);
}

START_TEST(gpus_are_found_with_their_names)
{
    struct record_kfd_device device = {0};
    struct gfe_error error = {0};

    ck_assert(record_kfd_probe_topology(topology, NULL, &device, &error));
    ck_assert_uint_eq(device.gpu_count, 2); /* node 0 is the CPU */
    ck_assert_str_eq(device.gpus[0].gpu, "mi60");
    ck_assert_str_eq(device.gpus[1].gpu, "mi210");
    for (unsigned i = 0; i < 2; i++) {
        const struct record_kfd_board *board = record_kfd_board_find(device.gpus[i].gpu);

        ck_assert_uint_eq(device.gpus[i].gpu_id, record_kfd_gpu_id(i));
        ck_assert_uint_eq(device.gpus[i].location_id, record_kfd_location(i));
        ck_assert_uint_eq(device.gpus[i].gfx_version, board->gfx_version);
        ck_assert_uint_eq(device.gpus[i].pci_device, board->pci_device);
        ck_assert_uint_eq(device.gpus[i].vram_mib, board->vram_mib);
    }
}
END_TEST

START_TEST(names_that_are_given_count)
{
    struct record_kfd_device device = {0};
    struct gfe_error error = {0};

    ck_assert(record_kfd_probe_topology(topology, "radeon-vii", &device, &error));
    ck_assert_str_eq(device.gpus[0].gpu, "radeon-vii");
    ck_assert_str_eq(device.gpus[1].gpu, "mi210");
}
END_TEST

/* A GPU that is another's tells no number; one of an unknown kind has no name. */
START_TEST(others_are_passed_over)
{
    struct record_kfd_device device = {0};
    struct gfe_error error = {0};

    write_file("1/gpu_id", "0\n");
    write_file("2/properties", "device_id 1\nvendor_id 4098\ngfx_target_version 110000\n");
    ck_assert(record_kfd_probe_topology(topology, NULL, &device, &error));
    ck_assert_uint_eq(device.gpu_count, 1);
    ck_assert_str_eq(device.gpus[0].gpu, "");
    ck_assert_uint_eq(device.gpus[0].gfx_version, 110000);
    ck_assert_uint_eq(device.gpus[0].vram_mib, 0);
    write_file("2/properties", "vendor_id 1\n");
    ck_assert(!record_kfd_probe_topology(topology, NULL, &device, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "/nodes has no GPU of AMD's that may be used"));
}
END_TEST

START_TEST(without_a_topology_there_is_none)
{
    struct record_kfd_device device = {0};
    struct gfe_error error = {0};

    ck_assert(!record_kfd_probe_topology("/nowhere", NULL, &device, &error));
    ck_assert_str_eq(error.text,
                     "--passthrough: /nowhere/nodes has no GPU of AMD's that may be used");
}
END_TEST

/* Of the banks of memory only the GPU's own count (Linux's kfd_topology.h: HSA_MEM_HEAP_TYPE_SYSTEM
 * is 0, the system's); a bank that cannot be read is none, and the last line may lack its end. */
START_TEST(memory_is_that_of_the_gpus_banks)
{
    struct record_kfd_device device = {0};
    struct gfe_error error = {0};

    write_file("1/properties", "vendor_id 4098\nmem_banks_count 3\nvendor_idea 7\ndevice_id 26273");
    write_file("1/mem_banks/0/properties", "heap_type 0\nsize_in_bytes 1073741824\n");
    ck_assert(record_kfd_probe_topology(topology, NULL, &device, &error));
    ck_assert_uint_eq(device.gpus[0].vram_mib, 0);
    ck_assert_uint_eq(device.gpus[0].pci_device, 26273);
    ck_assert_uint_eq(device.gpus[0].location_id, 0);
    ck_assert_str_eq(device.gpus[0].gpu, ""); /* a board's number of another architecture */
    write_file("1/mem_banks/0/properties", "heap_type 1\nsize_in_bytes 1073741824\n");
    ck_assert(record_kfd_probe_topology(topology, NULL, &device, &error));
    ck_assert_uint_eq(device.gpus[0].vram_mib, 1024);
}
END_TEST

/* As many as there is room for. */
START_TEST(more_gpus_than_there_is_room_for_are_left_out)
{
    struct record_kfd_device device = {0};
    struct gfe_error error = {0};
    char name[300];

    for (unsigned i = 3; i < RECORD_KFD_GPUS_MAX + 3; i++) {
        snprintf(name, sizeof name, "%s/nodes/%u", topology, i);
        ck_assert_int_eq(mkdir(name, 0700), 0);
        snprintf(name, sizeof name, "%u/gpu_id", i);
        write_file(name, "77\n");
        snprintf(name, sizeof name, "%u/properties", i);
        write_file(name, "vendor_id 4098\n");
    }
    ck_assert(record_kfd_probe_topology(topology, NULL, &device, &error));
    ck_assert_uint_eq(device.gpu_count, RECORD_KFD_GPUS_MAX);
    snprintf(name, sizeof name, "%s/nodes/3/properties", topology);
    ck_assert_int_eq(unlink(name), 0); /* another's: the next one takes its place */
    ck_assert(record_kfd_probe_topology(topology, NULL, &device, &error));
    ck_assert_uint_eq(device.gpu_count, RECORD_KFD_GPUS_MAX);
}
END_TEST

Suite *record_kfd_probe_suite(void)
{
    Suite *suite = suite_create("record_kfd_probe");
    TCase *tcase = tcase_create("record_kfd_probe");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, gpus_are_found_with_their_names);
    tcase_add_test(tcase, names_that_are_given_count);
    tcase_add_test(tcase, others_are_passed_over);
    tcase_add_test(tcase, without_a_topology_there_is_none);
    tcase_add_test(tcase, memory_is_that_of_the_gpus_banks);
    tcase_add_test(tcase, more_gpus_than_there_is_room_for_are_left_out);
    suite_add_tcase(suite, tcase);
    return suite;
}
