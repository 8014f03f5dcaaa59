/* SPDX-License-Identifier: MIT */
/*
 * The resource-manager model: timeslices, runlists' bytes, the channels of a CUDA context, made by
 * registers and memory, seen by gfe inspect's views, and scheduled.
 */
#include <config.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "devices/core/core_events.h"
#include "emu/debug/inspection.h"
#include "devices/nvidia/nv_events.h"
#include "firmware-models/rm/rm.h"
#include "firmware-models/rm/rm_tables.h"
#include "tests/check_machine.h"
#include "tests/suites.h"

/* A GPU and the model, nothing else. */
struct rm_machine {
    const struct nv_chip *model;
    struct machine *machine;
    void *gpu;
    struct rm *rm;
    struct log_event *events;
    uint32_t event_count;
};

static const struct rm_context_options whole = {.compute_count = RM_CONTEXT_COMPUTE,
                                                .copy_count = RM_CONTEXT_COPY};

static void begin(struct rm_machine *check, const char *gpu)
{
    const struct nv_chip *model = nv_chip_by_name(gpu);
    const struct machine_config config = {
        .gpu = gpu, .vram_bytes = model->vram_bytes, .sysmem_bytes = model->sysmem_bytes};
    struct gfe_error error = {0};

    *check = (struct rm_machine){.model = model, .machine = machine_new(&config, &error)};
    ck_assert_ptr_nonnull(check->machine);
    machine_add_tables(check->machine, &core_tables);
    check->gpu = model->wire(check->machine, model, &error);
    ck_assert_ptr_nonnull(check->gpu);
    check->rm = rm_new(check->machine, model->chip_id, false, &error);
    ck_assert_msg(check->rm != NULL, "%s", error.text);
    ck_assert(machine_seal(check->machine, &error));
}

static void run(struct rm_machine *check)
{
    ck_assert_msg(machine_run(check->machine, GFE_PS_NEVER), "%s", check->machine->error.text);
    free(check->events);
    check->events = check_machine_decode(check->machine, &check->event_count);
}

static void end(struct rm_machine *check)
{
    ck_assert_msg(!machine_failed(check->machine), "%s", check->machine->error.text);
    machine_free(check->machine);
    check->model->unwire(check->gpu);
    rm_free(check->rm);
    free(check->events);
}

static uint32_t peek(struct rm_machine *check, uint64_t address)
{
    uint32_t value = 0;

    ck_assert(machine_read(check->machine, MEMORY_VRAM, address, &value, sizeof value));
    return value;
}

/* ---- timeslices ------------------------------------------------------------------------------ */

/* The table of SET_TIMESLICE's encodings (128 << 3 and 250 << 3 are the papers' slices). */
START_TEST(timeslices_are_shifted_until_they_fit_and_truncated)
{
    static const struct {
        uint64_t units;
        uint32_t timeout, scale;
    } rows[] = {{0, 0, 0},      {255, 255, 0},   {256, 128, 1},      {1000, 250, 2},
                {1024, 128, 3}, {1300, 162, 3},  {2000, 250, 3},     {2600, 162, 4},
                {5200, 162, 5}, {50000, 195, 8}, {8355840, 255, 15}, {UINT64_MAX, 255, 15}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t timeout, scale;

        rm_timeslice_encode(rows[i].units, &timeout, &scale);
        ck_assert_uint_eq(timeout, rows[i].timeout);
        ck_assert_uint_eq(scale, rows[i].scale);
    }
}
END_TEST

/* ---- runlists -------------------------------------------------------------------------------- */

/* A TSG of one channel on runlist 0, scheduled. */
static uint32_t add_tsg(struct rm_machine *check, enum rm_interleave level)
{
    static const struct rm_channel_options options = {
        .page_directory = 0x1000, .gpfifo = 0x200000000, .gpfifo_entries = 1024};
    const uint32_t tsg = rm_tsg_new(check->rm, 0);

    ck_assert_uint_ne(tsg, RM_NONE);
    ck_assert_uint_ne(rm_channel_new(check->rm, tsg, &options), RM_NONE);
    rm_tsg_set_interleave(check->rm, tsg, level);
    ck_assert(rm_tsg_schedule(check->rm, tsg, true));
    return tsg;
}

/* Pascal: 8 bytes an entry.  A TSG with id 0: type 1 << 13, scale 3 << 14, timeout 128 << 18, one
 * channel, 1 << 26 (nvgpu hw_ram_gp10b.h); its channel: number, instance block >> 12. */
START_TEST(a_pascal_runlist_has_these_bytes_and_two_buffers)
{
    struct rm_machine check;
    struct rm_list first, second;

    begin(&check, "gtx1060");
    add_tsg(&check, RM_INTERLEAVE_LOW);
    rm_runlist_find(check.rm, 0, &first);
    ck_assert_uint_eq(first.length, 2);
    ck_assert_uint_eq(peek(&check, first.base), 1u << 13 | 3u << 14 | 128u << 18 | 1u << 26);
    ck_assert_uint_eq(peek(&check, first.base + 4), 0);
    ck_assert_uint_eq(peek(&check, first.base + 8), 0);
    ck_assert_uint_eq(peek(&check, first.base + 12),
                      (uint32_t)(check.rm->state->channels[0].instance >> 12));
    add_tsg(&check, RM_INTERLEAVE_LOW);
    rm_runlist_find(check.rm, 0, &second);
    ck_assert_uint_eq(second.length, 4);
    ck_assert(second.base != first.base);
    ck_assert_uint_eq(peek(&check, first.base), 1u << 13 | 3u << 14 | 128u << 18 | 1u << 26);
    ck_assert_uint_eq(peek(&check, second.base + 16),
                      1u << 13 | 3u << 14 | 128u << 18 | 1u << 26 | 1);
    rm_tsg_set_timeslice(check.rm, 1, 2000);
    rm_runlist_find(check.rm, 0, &second);
    ck_assert(second.base == first.base);
    ck_assert_uint_eq(peek(&check, second.base + 16),
                      1u << 13 | 3u << 14 | 250u << 18 | 1u << 26 | 1);
    end(&check);
}
END_TEST

/* Ampere: 16 bytes; the entries say where USERD and instance block are (ga100 dev_ram). */
START_TEST(an_ampere_runlist_has_these_bytes)
{
    struct rm_machine check;
    const struct rm_channel *channel;
    struct rm_list list;

    begin(&check, "a100");
    add_tsg(&check, RM_INTERLEAVE_LOW);
    channel = &check.rm->state->channels[0];
    rm_runlist_find(check.rm, 0, &list);
    ck_assert_uint_eq(list.length, 2);
    ck_assert_uint_eq(peek(&check, list.base), 1 | 3u << 16 | 128u << 24);
    ck_assert_uint_eq(peek(&check, list.base + 4), 1);
    ck_assert_uint_eq(peek(&check, list.base + 8), 0);
    ck_assert_uint_eq(peek(&check, list.base + 16), (uint32_t)channel->userd);
    ck_assert_uint_eq(peek(&check, list.base + 20), (uint32_t)(channel->userd >> 32));
    ck_assert_uint_eq(peek(&check, list.base + 24), (uint32_t)channel->instance);
    ck_assert_uint_eq(peek(&check, list.base + 28), (uint32_t)(channel->instance >> 32));
    end(&check);
}
END_TEST

/* TSGs 0 and 1 LOW, 2 MEDIUM, 3 HIGH: before each LOW the MEDIUM, behind its own HIGH, and HIGH. */
START_TEST(higher_levels_stand_before_each_of_the_lower)
{
    static const enum rm_interleave levels[] = {RM_INTERLEAVE_LOW, RM_INTERLEAVE_LOW,
                                                RM_INTERLEAVE_MEDIUM, RM_INTERLEAVE_HIGH};
    static const uint32_t expected[] = {3, 2, 3, 0, 3, 2, 3, 1};
    struct rm_machine check;
    struct rm_entry entry;
    struct rm_list list;

    begin(&check, "gtx1060");
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++)
        add_tsg(&check, levels[i]);
    rm_runlist_find(check.rm, 0, &list);
    ck_assert_uint_eq(list.length, 2 * sizeof expected / sizeof expected[0]);
    for (uint32_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        ck_assert(rm_runlist_entry(check.rm, &list, 2 * i, &entry));
        ck_assert(entry.is_tsg);
        ck_assert_uint_eq(entry.id, expected[i]);
    }
    /* Without LOW the list begins with MEDIUM, and without that HIGH stands alone. */
    ck_assert(rm_tsg_schedule(check.rm, 0, false));
    ck_assert(rm_tsg_schedule(check.rm, 1, false));
    rm_runlist_find(check.rm, 0, &list);
    ck_assert_uint_eq(list.length, 4);
    ck_assert(rm_tsg_schedule(check.rm, 2, false));
    rm_runlist_find(check.rm, 0, &list);
    ck_assert_uint_eq(list.length, 2);
    ck_assert(rm_runlist_entry(check.rm, &list, 0, &entry));
    ck_assert_uint_eq(entry.id, 3);
    end(&check);
}
END_TEST

START_TEST(a_tsg_takes_no_more_channels_than_its_entry_can_count)
{
    static const struct rm_channel_options options = {.gpfifo_entries = 2};
    struct rm_machine check;
    uint32_t tsg, count = 0;

    begin(&check, "gtx1060");
    tsg = rm_tsg_new(check.rm, 0);
    while (rm_channel_new(check.rm, tsg, &options) != RM_NONE)
        count++;
    ck_assert_uint_eq(count, 32);
    ck_assert_uint_eq(rm_tsg_new(check.rm, 31), RM_NONE);
    end(&check);
}
END_TEST

/* ---- a CUDA context -------------------------------------------------------------------------- */

/* All of a view's rows of the first two are counted: of the others that takes long. */
static const char *const context_gpus[] = {"gtx1060", "orin", "a100",      "rtx2080ti",
                                           "titanv",  "h100", "rtx6000ada"};
enum { VIEWED_GPUS = 2 };

static json_t *view_of(struct rm_machine *check, const char *name)
{
    struct gfe_error error = {0};
    struct inspect_subject subject = {
        .machine = check->machine, .model = check->model, .error = &error};
    const struct inspect_view *view = inspection_view_find(name, &subject.number);
    json_t *json = view->build(&subject);

    ck_assert_msg(json != NULL, "%s: %s", name, error.text);
    return json;
}

/* Rows of a view in which `key` is `value`, where value is not negative; else all. */
static uint32_t rows(const json_t *view, const char *key, json_int_t value)
{
    uint32_t count = 0;
    const json_t *row;
    size_t i;

    json_array_foreach(json_object_get(view, "rows"), i, row) count +=
        value < 0 || json_integer_value(json_object_get(row, key)) == value;
    return count;
}

/* PROMISE (drivers): The resource manager gives a CUDA context its four TSGs and twenty
 * channels. */
START_TEST(a_cuda_context_is_four_tsgs_and_twenty_channels)
{
    struct rm_machine check;
    struct rm_cuda_context context;
    json_t *view;

    begin(&check, context_gpus[_i]);
    ck_assert_msg(rm_cuda_context_build_with(check.rm, &context, &whole), "%s",
                  check.machine->error.text);
    run(&check);
    if (_i < VIEWED_GPUS) {
        view = view_of(&check, "channels");
        ck_assert_uint_eq(rows(view, "", -1), RM_CONTEXT_CHANNELS);
        json_decref(view);
    }
    view = view_of(&check, "tsgs");
    ck_assert_uint_eq(rows(view, "", -1), RM_CONTEXT_TSGS);
    ck_assert_uint_eq(rows(view, "length", 8), 1);
    ck_assert_uint_eq(rows(view, "length", 4), 3);
    ck_assert_uint_eq(rows(view, "timeslice_ps", 2048000000), 1);
    ck_assert_uint_eq(rows(view, "timeslice_ps", 1048576000), 3);
    json_decref(view);
    view = view_of(&check, "runlist0");
    json_decref(view);
    end(&check);
}
END_TEST

/* A release of `value` to `address` by Host's own semaphore, without waiting for an engine. */
static uint32_t release(const struct rm_machine *check, uint32_t *dwords, uint64_t address,
                        uint32_t value)
{
    if (check->rm->chip->form == RM_RUNLIST_GP100) {
        dwords[0] = PB_INC(0, 0x10, 4);
        dwords[1] = (uint32_t)(address >> 32);
        dwords[2] = (uint32_t)address;
        dwords[3] = value;
        dwords[4] = 2 | 1u << 20 | 1u << 24;
        return 5;
    }
    dwords[0] = PB_INC(0, 0x5c, 5);
    dwords[1] = (uint32_t)address;
    dwords[2] = (uint32_t)(address >> 32);
    dwords[3] = value;
    dwords[4] = 0;
    dwords[5] = 1;
    return 6;
}

/* Each channel writes its number with a pushbuffer of its own. */
START_TEST(every_channel_of_a_cuda_context_runs)
{
    struct rm_machine check;
    struct rm_cuda_context context;
    uint32_t slices[2] = {0};

    begin(&check, context_gpus[_i]);
    ck_assert(rm_cuda_context_build_with(check.rm, &context, &whole));
    for (uint32_t i = 0; i < RM_CONTEXT_CHANNELS; i++) {
        const struct rm_context_channel *channel = &context.channels[i];
        const uint64_t push = context.heap_va + 0x10000 + 0x100 * (uint64_t)i;
        uint32_t dwords[8];
        const uint32_t count = release(&check, dwords, context.heap_va + 16 * (uint64_t)i, 100 + i);

        for (uint32_t n = 0; n < count; n++)
            rm_poke(check.rm,
                    context.heap_physical + 0x10000 + UINT64_C(0x100) * i + UINT64_C(4) * n,
                    dwords[n]);
        rm_poke(check.rm, channel->ring_physical, (uint32_t)push);
        rm_poke(check.rm, channel->ring_physical + 4, (uint32_t)(push >> 32) | count << 10);
        rm_channel_kick(check.rm, channel->channel, 1);
    }
    run(&check);
    for (uint32_t i = 0; i < RM_CONTEXT_CHANNELS; i++)
        ck_assert_msg(peek(&check, context.heap_physical + 16 * (uint64_t)i) == 100 + i,
                      "%s: channel %u did not run", context_gpus[_i], i);
    for (uint32_t i = 0; i < check.event_count; i++) {
        const struct log_event *event = &check.events[i];

        if (event->kind == EVENT_NV_TSG_START) /* B.T3, B.T1 */
            slices[event_nv_tsg_start_of(event).timeslice_ps == 2048000000]++;
        if (event->kind == EVENT_NV_TSG_START)
            ck_assert(event_nv_tsg_start_of(event).timeslice_ps == 2048000000 ||
                      event_nv_tsg_start_of(event).timeslice_ps == 1048576000);
        if (event->kind == EVENT_RM_TIMESLICE)
            ck_assert_uint_eq(event->rule, RULE_B_T3);
    }
    ck_assert_uint_ge(slices[0], 3);
    ck_assert_uint_ge(slices[1], 1);
    end(&check);
}
END_TEST

START_TEST(a_second_context_has_numbers_and_memory_of_its_own)
{
    struct rm_machine check;
    struct rm_cuda_context first, second;
    json_t *view;

    begin(&check, context_gpus[_i]);
    ck_assert(rm_cuda_context_build_with(check.rm, &first, &whole));
    ck_assert(rm_cuda_context_build_with(check.rm, &second, &whole));
    ck_assert_uint_ne(first.space_id, second.space_id);
    ck_assert(first.heap_physical + first.heap_bytes <= second.heap_physical);
    run(&check);
    view = view_of(&check, "channels");
    ck_assert_uint_eq(rows(view, "", -1), 2 * RM_CONTEXT_CHANNELS);
    json_decref(view);
    view = view_of(&check, "tsgs");
    ck_assert_uint_eq(rows(view, "", -1), 2 * RM_CONTEXT_TSGS);
    json_decref(view);
    end(&check);
}
END_TEST

Suite *rm_suite(void)
{
    Suite *suite = suite_create("rm");
    TCase *tcase = tcase_create("rm");
    const int gpus = sizeof context_gpus / sizeof context_gpus[0];

    tcase_add_test(tcase, timeslices_are_shifted_until_they_fit_and_truncated);
    tcase_add_test(tcase, a_pascal_runlist_has_these_bytes_and_two_buffers);
    tcase_add_test(tcase, an_ampere_runlist_has_these_bytes);
    tcase_add_test(tcase, higher_levels_stand_before_each_of_the_lower);
    tcase_add_test(tcase, a_tsg_takes_no_more_channels_than_its_entry_can_count);
    tcase_add_loop_test(tcase, a_cuda_context_is_four_tsgs_and_twenty_channels, 0, gpus);
    tcase_add_loop_test(tcase, every_channel_of_a_cuda_context_runs, 0, gpus);
    tcase_add_loop_test(tcase, a_second_context_has_numbers_and_memory_of_its_own, 0, VIEWED_GPUS);
    suite_add_tcase(suite, tcase);
    return suite;
}
