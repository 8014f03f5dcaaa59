/* SPDX-License-Identifier: MIT */
/* What the nouveau model writes on chips other than Pascal's: word by word from nouveau's sources.
 */
#include <config.h>

#include <check.h>

#include "devices/nvidia/formats/nv_generation.h"
#include "tests/check_trace.h"
#include "tests/suites.h"
#include "traces/record/nouveau/record_board.h"

/* A report semaphore through Host: value to the start of a buffer. */
#define RELEASE(handle, offset, value)                                                             \
    PB_INC(0, 0x10, 4), (uint32_t)(CHECK_TRACE_BUFFER(handle) >> 32),                              \
        (uint32_t)CHECK_TRACE_BUFFER(handle) + (offset), (value), 0x01100002

static struct replay_input *input;
static struct check_simulation run;

/* Two channels on a GPU, each of which submits. */
static void run_on(const char *gpu, const struct simulation_options *options)
{
    struct check_trace trace;

    check_trace_begin_on(&trace, gpu);
    for (uint32_t handle = 1; handle <= 2; handle++)
        check_trace_map(&trace, handle);
    check_trace_channel(&trace, 7);
    check_trace_channel(&trace, 9);
    CHECK_TRACE_SUBMIT(&trace, 7, 1, RELEASE(1, 64, 5));
    CHECK_TRACE_SUBMIT(&trace, 9, 2, RELEASE(2, 64, 6));
    input = check_trace_end(&trace);
    check_simulation_run(&run, input, options);
}

static void teardown(void)
{
    check_simulation_end(&run);
    replay_input_free(input);
    run = (struct check_simulation){0};
}

static uint32_t vram(uint64_t address)
{
    uint32_t value = 0;

    ck_assert(machine_read(run.simulation->machine, MEMORY_VRAM, address, &value, sizeof value));
    return value;
}

static uint64_t runlist(void)
{
    const struct nouveau_state *state = run.simulation->nouveau->state;

    return state->runlist_memory[0] + MEMORY_PAGE_BYTES * (uint64_t)state->runlist_turn[0];
}

/* ---- the tables ------------------------------------------------------------------------------ */

/* The driver goes by PMC_BOOT_0 and the chip by its Host class: both mean the same hardware. */
/* PROMISE (drivers): The nouveau model and each chip agree on registers and layouts. */
START_TEST(driver_and_chip_agree)
{
    const struct nv_chip *model = nv_chips[_i];
    const struct nouveau_chip *chip = nouveau_chip_find(model->chip_id);
    const struct nv_generation *generation = nv_generation_of(model->class_host, model->chip_id);

    if (!chip) {
        ck_assert_ptr_null(record_board_find(model->name));
        return;
    }
    /* From Turing on nouveau rings in the alias of the virtual function's window. */
    ck_assert_uint_eq(chip->doorbell, generation->virtual_function_base
                                          ? generation->virtual_function_base + 0x30090
                                      : generation->usermode_base ? generation->usermode_base + 0x90
                                                                  : 0);
    ck_assert_int_eq(chip->entry_form == NOUVEAU_ENTRY_GV100,
                     generation->runlist_entry_bytes == 16);
    ck_assert_int_eq(chip->runlists_apart, generation->runlists_submit_apart);
    ck_assert_int_eq(chip->token_has_runlist, generation->token_has_runlist);
    ck_assert(chip->groups || !generation->channels_in_tsgs_only);
    ck_assert_ptr_null(nouveau_chip_find(0x0c0));
    ck_assert_ptr_null(nouveau_chip_find(0x170));
}
END_TEST

/* What is recorded can be replayed: every board has a model, with its chip, classes and figures. */
START_TEST(every_board_has_a_model_of_its_gpu)
{
    const struct record_board *board;
    uint32_t count = 0;

    for (; (board = record_board_at(count)) != NULL; count++) {
        const struct nv_chip *model = nv_chip_by_name(board->gpu);

        ck_assert_ptr_nonnull(model);
        ck_assert_str_eq(model->title, board->name);
        ck_assert_str_eq(model->chip, board->chip_name);
        ck_assert_uint_eq(model->chip_id, board->chipset);
        ck_assert_uint_eq(model->pci_id, (uint32_t)board->pci_vendor << 16 | board->pci_device);
        ck_assert_uint_eq(model->vram_bytes, (uint64_t)board->vram_mib << 20);
        ck_assert_uint_eq(model->gpc_count, board->gpc_count);
        ck_assert_uint_eq(model->tpc_count, board->tpc_count);
        ck_assert_uint_eq(model->sm_count % board->tpc_count, 0);
        ck_assert_uint_eq(model->class_2d, board->classes[0]);
        ck_assert_uint_eq(model->class_inline, board->classes[1]);
        ck_assert_uint_eq(model->class_3d, board->classes[2]);
        ck_assert_uint_eq(model->class_compute, board->classes[3]);
        ck_assert_uint_eq(model->class_copy, board->classes[4]);
    }
    ck_assert_uint_eq(count, 9);
}
END_TEST

/* ---- what it writes -------------------------------------------------------------------------- */

/* gv100_chan_ramfc_write, dword by dword; what is not listed stays 0. */
START_TEST(the_ramfc_of_volta_and_turing_is_the_one_of_the_real_driver)
{
    static const char *const gpus[] = {"v100", "rtx2060"};
    const struct nouveau_channel *channel;
    uint32_t expected[64] = {0};
    struct check_trace trace;
    uint64_t userd, ring;

    check_trace_begin_on(&trace, gpus[_i]);
    check_trace_channel(&trace, 7);
    check_trace_channel(&trace, 9);
    input = check_trace_end(&trace);
    check_simulation_run(&run, input, NULL);
    channel = &run.simulation->nouveau->state->channels[1];
    userd = run.simulation->nouveau->state->userd_pool + 512;
    ring = channel->buffer_va + 0x10000;
    expected[0x08 / 4] = (uint32_t)userd;
    expected[0x0c / 4] = (uint32_t)(userd >> 32);
    expected[0x10 / 4] = 0x0000face;
    expected[0x30 / 4] = 0x7ffff902;
    expected[0x48 / 4] = (uint32_t)ring;
    expected[0x4c / 4] = (uint32_t)(ring >> 32) | 10u << 16;
    expected[0x84 / 4] = 0x20400000;
    expected[0x94 / 4] = 0x30000001;
    expected[0xac / 4] = 0x00030000;
    expected[0xe8 / 4] = 1;
    expected[0xf4 / 4] = 0x00001000;
    expected[0xf8 / 4] = 0x10003080;
    for (uint32_t i = 0; i < 64; i++)
        ck_assert_msg(vram(channel->instance + 4 * i) == expected[i],
                      "RAMFC + 0x%02x is 0x%08x, not 0x%08x", 4 * i,
                      vram(channel->instance + 4 * i), expected[i]);
    /* The page directory's word: version 2, 64 KiB; no ADR_LIMIT any more. */
    ck_assert_uint_eq(vram(channel->instance + 0x200) & 0xc00, 0xc00);
    ck_assert_uint_eq(vram(channel->instance + 0x208), 0);
    ck_assert_uint_eq(vram(channel->instance + 0x20c), 0);
    ck_assert_uint_eq(machine_read32(run.simulation->machine, 0x2254), 0);
}
END_TEST

/* gf100_vmm_join, gm200_vmm_join: which bits PAGE_DIR_BASE has. */
START_TEST(page_tables_are_announced_as_the_chip_has_them)
{
    static const struct {
        const char *gpu;
        uint32_t bits;
    } rows[] = {{"gtx680", 0}, {"gtx980", 0x800}, {"gtx1050", 0xc00}};

    run_on(rows[_i].gpu, NULL);
    ck_assert_uint_eq(vram(run.simulation->nouveau->state->channels[0].instance + 0x200) & 0xc00,
                      rows[_i].bits);
    ck_assert_uint_eq(vram(run.simulation->nouveau->state->channels[0].instance + 0x208),
                      0xffffffff);
}
END_TEST

/* NV.BARE: the channel's number, and on Maxwell where its instance block is. */
START_TEST(kepler_and_maxwell_have_no_tsgs_in_their_runlists)
{
    static const char *const gpus[] = {"gtx680", "gtx980"};
    const struct nouveau_channel *channels;

    run_on(gpus[_i], NULL);
    channels = run.simulation->nouveau->state->channels;
    /* Rotated by one: the second update begins with the second channel. */
    ck_assert_uint_eq(vram(runlist()), 1);
    ck_assert_uint_eq(vram(runlist() + 4), _i ? channels[1].instance >> 12 : 0);
    ck_assert_uint_eq(vram(runlist() + 8), 0);
    ck_assert_uint_eq(vram(runlist() + 12), _i ? channels[0].instance >> 12 : 0);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_DRIVER_CHANNEL, RULE_NV_BARE), 2);
    ck_assert_uint_eq(
        event_nv_runlist_submit_of(check_simulation_event(&run, EVENT_NV_RUNLIST_SUBMIT, 1))
            .entry_count,
        2);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_NV_TSG_START, RULE_NV_RUNLIST), 0);
    /* RAMFC's 0x10003080: 128 << 3 */
    ck_assert_uint_eq(
        event_nv_tsg_start_of(check_simulation_event(&run, EVENT_NV_TSG_START, 0)).timeslice_ps,
        1048576000);
}
END_TEST

/* gv100_runl_insert_cgrp, gv100_runl_insert_chan */
START_TEST(volta_and_turing_have_entries_of_four_words)
{
    static const char *const gpus[] = {"titan-v", "rtx2060"};
    const struct nouveau_state *state;
    uint32_t words[8];

    run_on(gpus[_i], NULL);
    state = run.simulation->nouveau->state;
    for (uint32_t i = 0; i < 8; i++)
        words[i] = vram(runlist() + 4 * i);
    ck_assert_uint_eq(words[0], 0x80030001);
    ck_assert_uint_eq(words[1], 1);
    ck_assert_uint_eq(words[2], 1);
    ck_assert_uint_eq(words[3], 0);
    ck_assert_uint_eq(words[4], (uint32_t)state->userd_pool + 512);
    ck_assert_uint_eq(words[5], state->userd_pool >> 32);
    ck_assert_uint_eq(words[6], state->channels[1].instance | 1);
    ck_assert_uint_eq(words[7], state->channels[1].instance >> 32);
    ck_assert_uint_eq(
        event_nv_runlist_submit_of(check_simulation_event(&run, EVENT_NV_RUNLIST_SUBMIT, 1))
            .entry_count,
        4);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_NV_BIND_ERROR, CHECK_ANY_RULE), 0);
}
END_TEST

/* Each GP_PUT is followed by the token; on Turing a channel is rung when it starts, too. */
START_TEST(volta_and_turing_are_rung)
{
    static const struct {
        const char *gpu;
        uint32_t at_start;
    } rows[] = {{"v100", 0}, {"rtx2060", 1}};

    run_on(rows[_i].gpu, NULL);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_DRIVER_KICK, CHECK_ANY_RULE), 4);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_NV_NOTIFY_PENDING, RULE_NV_NOTIFY),
                      4 + 2 * rows[_i].at_start);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_NV_DOORBELL, CHECK_ANY_RULE), 0);
}
END_TEST

/* nouveau.volta_fence: four bytes instead of sixteen, from segments of eight dwords; not before
 * Volta, where Host does not have the method. */
START_TEST(fences_can_be_those_of_later_kernels)
{
    static const struct {
        const char *gpu;
        uint32_t bytes, dwords;
    } rows[] = {{"v100", 4, 8}, {"rtx2060", 4, 8}, {"gtx1060", 16, 6}};
    const struct simulation_setting later = {"nouveau.volta_fence", "sem_execute"};
    const struct simulation_options options = {.choices = &later, .choice_count = 1};
    const struct log_event *entry = NULL, *release = NULL;

    run_on(rows[_i].gpu, &options);
    for (uint32_t n = 0; n < 2; n++) {
        entry = check_simulation_event(&run, EVENT_DRIVER_GP_ENTRY, 2 * n + 1);
        ck_assert_uint_eq(event_driver_gp_entry_of(entry).dword_count, rows[_i].dwords);
        release = check_simulation_event(&run, EVENT_NV_RELEASE, 2 * n + 1);
        ck_assert_uint_eq(event_nv_release_of(release).byte_count, rows[_i].bytes);
        ck_assert_uint_eq(event_nv_release_of(release).value, 1);
    }
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_NV_PBDMA_INTR, CHECK_ANY_RULE), 0);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_NV_CHANNEL_INTR, CHECK_ANY_RULE), 2);
}
END_TEST

Suite *nouveau_chip_suite(void)
{
    Suite *suite = suite_create("nouveau_chip");
    TCase *tables = tcase_create("tables"), *writes = tcase_create("what it writes");

    tcase_add_loop_test(tables, driver_and_chip_agree, 0, (int)nv_chip_count);
    tcase_add_test(tables, every_board_has_a_model_of_its_gpu);
    suite_add_tcase(suite, tables);
    tcase_add_checked_fixture(writes, NULL, teardown);
    tcase_add_loop_test(writes, the_ramfc_of_volta_and_turing_is_the_one_of_the_real_driver, 0, 2);
    tcase_add_loop_test(writes, page_tables_are_announced_as_the_chip_has_them, 0, 3);
    tcase_add_loop_test(writes, kepler_and_maxwell_have_no_tsgs_in_their_runlists, 0, 2);
    tcase_add_loop_test(writes, volta_and_turing_have_entries_of_four_words, 0, 2);
    tcase_add_loop_test(writes, volta_and_turing_are_rung, 0, 2);
    tcase_add_loop_test(writes, fences_can_be_those_of_later_kernels, 0, 3);
    suite_add_tcase(suite, writes);
    return suite;
}
