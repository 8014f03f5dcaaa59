/* SPDX-License-Identifier: MIT */
/*
 * Layer BUS: register accesses and physical memory without a driver, as a program of
 * tests/bus_build.h makes them, on a GPU of each generation.
 */
#include <config.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bus_build.h"
#include "tests/check_trace.h"
#include "tests/golden_text.h"
#include "tests/suites.h"

static struct bus_build build;
static struct check_simulation run;
static struct replay_input *input;

static void finish(const struct simulation_options *options)
{
    input = bus_build_end(&build);
    check_simulation_run(&run, input, options);
}

static void end(void)
{
    check_simulation_end(&run);
    replay_input_free(input);
}

static uint32_t count(uint32_t kind)
{
    return check_simulation_count(&run, kind, CHECK_ANY_RULE);
}

/* ---- registers and memory ---------------------------------------------------------------------
 */

START_TEST(a_register_is_written_at_its_time_without_a_driver)
{
    const struct log_event *event;

    bus_build_begin(&build, "gtx1060-3gb");
    bus_build_line(&build, "7us NV_PPBDMA_INTR_EN_0[1] = 0x1234");
    finish(NULL);
    ck_assert_ptr_null(run.simulation->nouveau);
    ck_assert_uint_eq(machine_read32(run.simulation->machine, 0x4210c), 0x1234);
    for (uint32_t i = 0; (event = check_simulation_event(&run, EVENT_MMIO_WRITE, i)); i++)
        if (event_mmio_write_of(event).offset == 0x4210c) {
            ck_assert_uint_eq(event->time_ps, 7 * GFE_PS_PER_US);
            ck_assert_uint_eq(event_mmio_write_of(event).value, 0x1234);
            ck_assert_uint_eq(event->origin, ORIGIN_RECORDED);
            break;
        }
    ck_assert_ptr_nonnull(event);
    end();
}
END_TEST

START_TEST(a_read_says_whether_it_found_what_was_recorded)
{
    bus_build_begin(&build, "gtx1060-3gb");
    bus_build_line(&build, "read NV_PFIFO_CFG1 = 4096");
    bus_build_line(&build, "read NV_PFIFO_CFG1 = 4095");
    finish(NULL);
    ck_assert_uint_eq(count(EVENT_MMIO_READ), 2);
    ck_assert_uint_eq(event_mmio_read_of(check_simulation_event(&run, EVENT_MMIO_READ, 0)).differs,
                      0);
    ck_assert_uint_eq(event_mmio_read_of(check_simulation_event(&run, EVENT_MMIO_READ, 1)).value,
                      4096);
    ck_assert_uint_eq(
        event_mmio_read_of(check_simulation_event(&run, EVENT_MMIO_READ, 1)).recorded_value, 4095);
    ck_assert_uint_eq(event_mmio_read_of(check_simulation_event(&run, EVENT_MMIO_READ, 1)).differs,
                      1);
    end();
}
END_TEST

START_TEST(memory_is_written_in_the_aperture_that_is_named)
{
    uint32_t video = 1, system = 1;

    bus_build_begin(&build, "gtx1060-3gb");
    bus_build_line(&build, "words 0x12340\nc0ffee\nend\nwords 0x12340 sysmem\nfeedbeef\nend");
    finish(NULL);
    ck_assert(machine_read(run.simulation->machine, MEMORY_VRAM, 0x12340, &video, 4));
    ck_assert(machine_read(run.simulation->machine, MEMORY_SYSMEM, 0x12340, &system, 4));
    ck_assert_uint_eq(video, 0xc0ffee);
    ck_assert_uint_eq(system, 0xfeedbeef);
    end();
}
END_TEST

/* What no recording of a bus can hold. */
static const struct trace_record wrong_records[] = {
    {.head.kind = TRACE_MMIO_WRITE, .mmio_write = {.bar = 2, .size_bytes = 4}},
    {.head.kind = TRACE_MMIO_WRITE, .mmio_write = {.size_bytes = 2}},
    {.head.kind = TRACE_MMIO_WRITE, .mmio_write = {.offset = 2, .size_bytes = 4}},
    {.head.kind = TRACE_MMIO_WRITE, .mmio_write = {.offset = UINT64_C(1) << 32, .size_bytes = 4}},
    {.head.kind = TRACE_MMIO_WRITE, .mmio_write = {.offset = 0xfffffffc, .size_bytes = 8}},
    {.head.kind = TRACE_MMIO_READ, .mmio_read = {.bar = 9, .size_bytes = 4}},
    {.head.kind = TRACE_MEM, .mem = {.as_id = 0, .data = {(const uint8_t *)"abcd", 4}}},
    {.head.kind = TRACE_MEM,
     .mem = {.as_id = TRACE_AS_PHYSICAL,
             .address = UINT64_C(1) << 45,
             .data = {(const uint8_t *)"abcdefgh", 8}}},
    {.head.kind = TRACE_CHANNEL, .channel = {.channel_id = 1}},
    {.head.kind = TRACE_SUBMIT, .submit = {.channel_id = 1, .submission_id = 1}},
    {.head.kind = TRACE_AS_MAP, .as_map = {.as_id = 1, .size_bytes = 4096, .va = 1}},
    {.head.kind = TRACE_AS_MAP, .as_map = {.as_id = 1, .size_bytes = 0}},
    {.head.kind = TRACE_AS_MAP,
     .as_map = {.as_id = 1, .va = UINT64_MAX - 4095, .size_bytes = 8192}},
    {.head.kind = TRACE_AS_UNMAP, .as_unmap = {.as_id = 1, .va = 1, .size_bytes = 4096}},
};

START_TEST(what_no_bus_carries_ends_the_run_with_a_message)
{
    struct trace_record meta = sample_meta(),
                        client = {.head.kind = TRACE_CLIENT, .client.layer = TRACE_LAYER_BUS};
    struct trace_record last = {.head.kind = TRACE_END};
    struct memory_file file = memory_file_new("", 0);
    struct gfe_error error = {0};
    struct trace_writer *writer = trace_writer_new(file.fd, "trace", &error);

    meta.meta.gpu = (struct trace_str){"gtx1060", 7};
    meta.meta.chipset = 0x136;
    ck_assert(trace_write(writer, &meta, &error) && trace_write(writer, &client, &error) &&
              trace_write(writer, &wrong_records[_i], &error) &&
              trace_write(writer, &last, &error) && trace_writer_finish(writer, &error));
    trace_writer_free(writer);
    input = replay_load(file.path, &error);
    ck_assert_msg(input != NULL, "%s", error.text);
    ck_assert(!check_simulation_finish(&run, check_simulation_new(input, NULL), &error));
    ck_assert_int_eq(error.kind, ERROR_INPUT);
    end();
    memory_file_free(&file);
}
END_TEST

START_TEST(eight_bytes_are_two_registers)
{
    struct trace_record meta = sample_meta(),
                        client = {.head.kind = TRACE_CLIENT, .client.layer = TRACE_LAYER_BUS};
    struct trace_record write = {
        .head.kind = TRACE_MMIO_WRITE,
        .mmio_write = {.offset = 0x4010c, .size_bytes = 8, .value = UINT64_C(0x1111111122222222)}};
    struct trace_record last = {.head.kind = TRACE_END};
    struct memory_file file = memory_file_new("", 0);
    struct gfe_error error = {0};
    struct trace_writer *writer = trace_writer_new(file.fd, "trace", &error);

    meta.meta.gpu = (struct trace_str){"gtx1060", 7};
    meta.meta.chipset = 0x136;
    ck_assert(trace_write(writer, &meta, &error) && trace_write(writer, &client, &error) &&
              trace_write(writer, &write, &error) && trace_write(writer, &last, &error) &&
              trace_writer_finish(writer, &error));
    trace_writer_free(writer);
    input = replay_load(file.path, &error);
    check_simulation_run(&run, input, NULL);
    ck_assert_uint_eq(count(EVENT_MMIO_WRITE), 2);
    ck_assert_uint_eq(machine_read32(run.simulation->machine, 0x4010c), 0x22222222);
    ck_assert_uint_eq(event_mmio_write_of(check_simulation_event(&run, EVENT_MMIO_WRITE, 1)).offset,
                      0x40110);
    ck_assert_uint_eq(event_mmio_write_of(check_simulation_event(&run, EVENT_MMIO_WRITE, 1)).value,
                      0x11111111);
    end();
    memory_file_free(&file);
}
END_TEST

/* ---- work -------------------------------------------------------------------------------------
 */

/* Channels 1 to n of runlist 0, each in a TSG and an address space of its own. */
static void tasks(struct bus_channel *channels, uint32_t n, const char *gpu)
{
    struct bus_tsg tsgs[8] = {{0}};

    bus_build_begin(&build, gpu);
    for (uint32_t i = 0; i < n; i++) {
        channels[i] = bus_build_channel(&build, 0, 1 + i, bus_build_space(&build));
        tsgs[i] = (struct bus_tsg){
            .id = 8 + i, .timeout = 250, .scale = 3, .channels = {&channels[i]}, .count = 1};
    }
    bus_build_runlist(&build, 0, tsgs, n);
}

START_TEST(a_grid_launched_through_registers_alone_runs_to_its_end)
{
    const struct nv_chip *model = nv_chips[_i];
    struct bus_channel channel;

    struct gfe_error error = {0};
    struct bare_gpu bare;
    const bool modelled = bare_gpu_init(&bare, model, &error);

    bare_gpu_fini(&bare);
    ck_assert(modelled || error.kind == ERROR_LIMIT);
    if (!modelled || model->class_compute == 0 || model->chip_id < 0x130)
        return; /* without its registers; bus_build's layouts begin with Pascal */
    if (model->sm.one_pool)
        return; /* no real SM: a block of 64 threads does not fit */
    tasks(&channel, 1, model->name);
    bus_build_launch(&build, &channel, &(struct bus_launch){.grid = 3, .threads = 64});
    bus_build_at(&build, "+10us");
    bus_build_kick(&build, &channel);
    finish(NULL);
    ck_assert_msg(count(EVENT_BLOCK_END) == 3, "%s: %u blocks", model->name,
                  count(EVENT_BLOCK_END));
    ck_assert_uint_eq(
        count(EVENT_NV_MMU_FAULT) + count(EVENT_NV_PBDMA_INTR) + count(EVENT_WAIT_OPEN), 0);
    end();
}
END_TEST

START_TEST(a_copy_through_registers_alone_moves_its_bytes)
{
    static const uint32_t words[] = {1, 2, 3, 4, 5, 6, 7, 8};
    struct bus_channel channel;
    uint32_t found[8] = {0};
    uint64_t from, to;

    tasks(&channel, 1, "gtx1060-3gb");
    from = bus_build_alloc(&build, sizeof words);
    to = bus_build_alloc(&build, sizeof words);
    bus_build_words(&build, from, words, 8);
    bus_build_copy(&build, &channel, from, to, sizeof words);
    bus_build_kick(&build, &channel);
    finish(NULL);
    ck_assert(machine_read(run.simulation->machine, MEMORY_VRAM, to, found, sizeof found));
    ck_assert_mem_eq(found, words, sizeof words);
    end();
}
END_TEST

START_TEST(two_address_spaces_are_apart)
{
    struct bus_channel channels[2];
    struct address_space_range where;
    uint64_t contiguous;

    tasks(channels, 2, "gtx1060-3gb");
    bus_build_line(&build, "unmap 0x%llx 0x%llx 4k", (unsigned long long)channels[0].root,
                   (unsigned long long)(BUS_VA + BUS_HEAP));
    finish(NULL);
    struct address_spaces *spaces = &run.simulation->machine->spaces;
    const uint32_t a = address_space_by_root(spaces, MEMORY_VRAM, channels[0].root);
    const uint32_t b = address_space_by_root(spaces, MEMORY_VRAM, channels[1].root);
    ck_assert(!address_space_translate(spaces, a, BUS_VA + BUS_HEAP, &where, &contiguous));
    ck_assert(address_space_translate(spaces, b, BUS_VA + BUS_HEAP, &where, &contiguous));
    ck_assert_uint_eq(where.physical, BUS_HEAP);
    end();
}
END_TEST

/* The text that tests/test_inspect.sh and docs/inspect.md use: Fig. 6 of Bakita and Anderson 2024,
 * two tasks that compute on one GPU, with the slices that CUDA asks for (250 << 3). */
START_TEST(the_program_of_two_tasks_is_the_one_in_the_golden_folder)
{
    struct bus_channel channels[2];
    const char *text;

    tasks(channels, 2, "gtx1060-3gb");
    for (uint32_t i = 0; i < 2; i++) {
        bus_build_line(&build, "# task %u: one grid, a block for each SM", i + 1);
        bus_build_launch(&build, &channels[i], &(struct bus_launch){.grid = 9, .threads = 1024});
    }
    for (uint32_t i = 0; i < 2; i++) {
        bus_build_at(&build, i ? "110us" : "100us");
        bus_build_kick(&build, &channels[i]);
    }
    text = bus_build_text(&build);
    golden_text_check("two_tasks.bus", text, strlen(text));
    finish(NULL);
    ck_assert_uint_eq(count(EVENT_GRID_END), 2);
    ck_assert_uint_eq(count(EVENT_BLOCK_END), 18);
    end();
}
END_TEST

START_TEST(the_log_is_the_same_with_any_batch_limit)
{
    struct bus_channel channels[2];
    char first[65];

    for (uint32_t pass = 0; pass < 2; pass++) {
        const struct simulation_options options = {.batch_limit = pass};

        tasks(channels, 2, "gtx1060-3gb");
        for (uint32_t i = 0; i < 2; i++) {
            bus_build_launch(&build, &channels[i], &(struct bus_launch){.grid = 9, .threads = 64});
            bus_build_kick(&build, &channels[i]);
        }
        finish(&options);
        if (pass == 0)
            memcpy(first, run.log_hash, sizeof first);
        ck_assert_str_eq(first, run.log_hash);
        end();
    }
}
END_TEST

Suite *replay_bus_suite(void)
{
    Suite *suite = suite_create("replay_bus");
    TCase *access = tcase_create("accesses"), *work = tcase_create("work");

    tcase_add_test(access, a_register_is_written_at_its_time_without_a_driver);
    tcase_add_test(access, a_read_says_whether_it_found_what_was_recorded);
    tcase_add_test(access, memory_is_written_in_the_aperture_that_is_named);
    tcase_add_loop_test(access, what_no_bus_carries_ends_the_run_with_a_message, 0,
                        (int)(sizeof wrong_records / sizeof wrong_records[0]));
    tcase_add_test(access, eight_bytes_are_two_registers);
    suite_add_tcase(suite, access);
    tcase_add_loop_test(work, a_grid_launched_through_registers_alone_runs_to_its_end, 0,
                        (int)nv_chip_count);
    tcase_add_test(work, a_copy_through_registers_alone_moves_its_bytes);
    tcase_add_test(work, two_address_spaces_are_apart);
    tcase_add_test(work, the_program_of_two_tasks_is_the_one_in_the_golden_folder);
    tcase_add_test(work, the_log_is_the_same_with_any_batch_limit);
    suite_add_tcase(suite, work);
    return suite;
}
