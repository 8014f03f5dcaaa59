/* SPDX-License-Identifier: MIT */
/*
 * The files of KFD's debugfs: what is printed is read back by a parser that knows the kernel's form
 * only, and compared with the machine: registers, descriptors in memory, the list in memory.
 */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/sim/bare_node.h"
#include "emu/debug/inspection.h"
#include "emu/debug/kfd_inspect.h"
#include "emu/sim/kfd_simulation.h"
#include "tests/check_trace.h"
#include "tests/suites.h"

enum { BLOCKS_MAX = 128, DWORDS_MAX = 4096, HQD_REGS = 56, SDMA_REGS = 42 };

/* ---- the kernel's form ----------------------------------------------------------------------- */

struct block {
    char head[80]; /* the line above */
    uint32_t offset[DWORDS_MAX / 8], value[DWORDS_MAX / 8];
    uint32_t count;
};

static struct block blocks[BLOCKS_MAX];
static uint32_t block_count;
static char first_line[80];

/* "    0000c914: 00000001 ...": false when the line is no such one. */
static bool parse_dwords(const char *line, uint32_t indent, struct block *block)
{
    unsigned offset, value;
    int used;

    if (strspn(line, " ") != indent || sscanf(line + indent, "%8x:%n", &offset, &used) != 1 ||
        used != 9)
        return false;
    ck_assert_uint_gt(block_count, 0);
    for (line += indent + 9; *line == ' '; line += 9, offset += 4) {
        ck_assert_int_eq(sscanf(line, " %8x%n", &value, &used), 1);
        ck_assert_int_eq(used, 9);
        ck_assert_uint_lt(block->count, DWORDS_MAX / 8);
        block->offset[block->count] = offset;
        block->value[block->count++] = value;
    }
    ck_assert_int_eq(*line, '\0');
    return true;
}

/* Lines of dwords are the last head's. */
static void parse(char *text, uint32_t indent)
{
    char *at = text, *line;

    memset(blocks, 0, sizeof blocks);
    block_count = 0;
    line = strsep(&at, "\n");
    snprintf(first_line, sizeof first_line, "%s", line);
    for (; (line = strsep(&at, "\n")) != NULL && (at || *line);) {
        if (block_count > 0 && parse_dwords(line, indent, &blocks[block_count - 1]))
            continue;
        ck_assert_uint_lt(block_count, BLOCKS_MAX);
        snprintf(blocks[block_count++].head, sizeof blocks[0].head, "%s", line);
    }
}

/* ---- machines -------------------------------------------------------------------------------- */

static struct replay_input *input;
static struct kfd_simulation *simulation;
static char *text;
static size_t text_bytes;

static void run_to(gfe_ps until_ps)
{
    const char *folder = getenv("top_srcdir");
    struct gfe_error error = {0};
    char path[4096];

    snprintf(path, sizeof path, "%s/tests/golden/kfd_kernels.gft", folder ? folder : ".");
    input = replay_load(path, &error);
    ck_assert_msg(input != NULL, "%s", error.text);
    simulation = kfd_simulation_new(input, &(struct simulation_options){0}, &error);
    ck_assert_msg(simulation != NULL, "%s", error.text);
    ck_assert_msg(kfd_simulation_run_until(simulation, until_ps, &error), "%s", error.text);
}

static void teardown(void)
{
    kfd_simulation_free(simulation);
    simulation = NULL;
    replay_input_free(input);
    input = NULL;
    free(text);
    text = NULL;
}

static json_t *build(const char *name, struct machine *machine, struct amd_node *node)
{
    struct gfe_error error = {0};
    uint32_t number;
    const struct inspect_view *view = inspection_view_find(name, &number);
    const struct inspect_subject subject = {.machine = machine, .node = node, .error = &error};
    json_t *json;

    ck_assert_ptr_nonnull(view);
    ck_assert_uint_eq(view->vendors, INSPECT_AMD);
    json = view->build(&subject);
    ck_assert_msg(json != NULL, "%s", error.text);
    return json;
}

/* The view as text. */
static void show(const char *name, struct machine *machine, struct amd_node *node)
{
    json_t *json = build(name, machine, node);
    uint32_t number;
    FILE *file;

    free(text);
    file = open_memstream(&text, &text_bytes);
    ck_assert_ptr_nonnull(file);
    inspect_print(file, inspection_view_find(name, &number), json);
    ck_assert_int_eq(fclose(file), 0);
    json_decref(json);
}

/* ---- hqds ------------------------------------------------------------------------------------ */

static void check_slot(const struct block *block, uint32_t me, uint32_t pipe, uint32_t queue)
{
    char head[80];

    if (me == 2)
        snprintf(head, sizeof head, "   Inst 0, HIQ on MEC 2 Pipe 0 Queue 0");
    else
        snprintf(head, sizeof head, " Inst 0,  CP Pipe %u, Queue %u", pipe, queue);
    ck_assert_str_eq(block->head, head);
    ck_assert_uint_eq(block->count, HQD_REGS);
    for (uint32_t i = 0; i < HQD_REGS; i++) {
        ck_assert_uint_eq(block->offset[i], 0xc914 + 4 * i);
        ck_assert_uint_eq(
            block->value[i],
            *amd_gc_hqd(&simulation->node->gpu.gc, amd_slot_id(me, pipe, queue), 0xc914 + 4 * i));
    }
}

/* The HIQ, 24 slots, 2 * 8 queues of SDMA: 41 blocks, as the kernel orders them. */
/* PROMISE (debug): `gfe inspect` hqds, mqds and rls print what registers and memory hold, in the
 * form of Linux 6.6. */
START_TEST(hqds_are_the_slots_registers)
{
    uint32_t n = 1, active = 0;

    run_to(2000 * GFE_PS_PER_US);
    show("hqds", simulation->machine, simulation->node);
    parse(text, 4);
    ck_assert_str_eq(first_line, "Node 1, gpu_id 8707:");
    ck_assert_uint_eq(block_count, 1 + 24 + 16);
    check_slot(&blocks[0], 2, 0, 0);
    ck_assert_uint_eq(blocks[0].value[2], 1); /* the HIQ's ACTIVE */
    for (uint32_t pipe = 0; pipe < 4; pipe++)
        for (uint32_t queue = 2; queue < 8; queue++, n++) {
            check_slot(&blocks[n], 1, pipe, queue);
            active += blocks[n].value[2];
        }
    ck_assert_uint_eq(active, 2); /* the program's */
    ck_assert_uint_eq(blocks[1].value[3] & 0xf, 8);
    ck_assert_uint_eq(blocks[7].value[3] & 0xf, 8);
}
END_TEST

/* The addresses of the four pieces that the kernel dumps, eight a line from where each begins. */
START_TEST(sdma_queues_are_four_pieces)
{
    static const uint32_t firsts[] = {0x500, 0x5a0, 0x5bc, 0x600}, counts[] = {19, 6, 7, 10};
    char head[80];

    run_to(1000 * GFE_PS_PER_US);
    machine_write32(simulation->machine, 0x6180 + 0x500 + 3 * 384 + 0x24,
                    0xabcd0000); /* RPTR_ADDR */
    show("hqds", simulation->machine, simulation->node);
    ck_assert_ptr_nonnull(strstr(text, "  SDMA Engine 0, RLC 0\n    00004e80: "));
    parse(text, 4);
    for (uint32_t engine = 0; engine < 2; engine++)
        for (uint32_t queue = 0; queue < 8; queue++) {
            const struct block *block = &blocks[25 + 8 * engine + queue];
            const uint32_t base = (engine ? 0x6180 : 0x4980) + 384 * queue;

            snprintf(head, sizeof head, "  SDMA Engine %u, RLC %u", engine, queue);
            ck_assert_str_eq(block->head, head);
            ck_assert_uint_eq(block->count, SDMA_REGS);
            for (uint32_t part = 0, i = 0; part < 4; part++)
                for (uint32_t r = 0; r < counts[part]; r++, i++) {
                    const uint32_t at = base + firsts[part] + 4 * r;

                    ck_assert_uint_eq(block->offset[i], at);
                    ck_assert_uint_eq(block->value[i], machine_read32(simulation->machine, at));
                }
        }
    ck_assert_uint_eq(blocks[25 + 8 + 3].value[9], 0xabcd0000);
}
END_TEST

/* Between CREATE_QUEUE and the list an MQD is there and no slot; looking changes nothing. */
START_TEST(looking_at_slots_leaves_the_run_as_it_was)
{
    struct gfe_error error = {0};
    uint64_t looked, events;

    run_to(500 * GFE_PS_PER_US);
    show("hqds", simulation->machine, simulation->node);
    show("mqds", simulation->machine, simulation->node);
    show("rls", simulation->machine, simulation->node);
    ck_assert(kfd_simulation_run_until(simulation, GFE_PS_NEVER, &error));
    looked = machine_now(simulation->machine);
    events = simulation->machine->log.cursor->event_count;
    teardown();
    run_to(GFE_PS_NEVER);
    ck_assert_uint_eq(machine_now(simulation->machine), looked);
    ck_assert_uint_eq(simulation->machine->log.cursor->event_count, events);
}
END_TEST

START_TEST(json_has_registers_and_fields_by_name)
{
    const json_t *row, *reg;
    json_t *view;

    run_to(2000 * GFE_PS_PER_US);
    view = build("hqds", simulation->machine, simulation->node);
    row = json_array_get(json_object_get(view, "rows"), 1);
    ck_assert_str_eq(json_string_value(json_object_get(row, "block")), "CP");
    reg = json_array_get(json_object_get(row, "registers"), 3);
    ck_assert_str_eq(json_string_value(json_object_get(reg, "register")), "CP_HQD_VMID");
    ck_assert_int_eq(json_integer_value(json_object_get(reg, "offset")), 0xc920);
    ck_assert_int_eq(json_integer_value(json_object_get(json_object_get(reg, "fields"), "VMID")),
                     8);
    ck_assert(json_is_null(json_object_get(json_array_get(json_object_get(row, "registers"), 16),
                                           "register"))); /* of no name */
    json_decref(view);
}
END_TEST

/* ---- mqds ------------------------------------------------------------------------------------ */

START_TEST(mqds_are_the_descriptors_in_memory)
{
    const struct kfd_state *state;
    uint32_t index, n = 0, mqd[AMD_MQD_DWORDS];

    run_to(2000 * GFE_PS_PER_US);
    state = simulation->node->kfd->state;
    show("mqds", simulation->machine, simulation->node);
    parse(text, 4);
    ck_assert_str_eq(first_line, "Process 1 PASID 0x8000:");
    ck_assert_uint_eq(block_count, 2);
    for (index = state->processes[0].first_queue; index != KFD_NONE;
         index = state->queues[index].next, n++) {
        ck_assert_str_eq(blocks[n].head, "  Compute queue on device 8707");
        ck_assert_uint_eq(blocks[n].count, AMD_MQD_DWORDS);
        ck_assert(machine_read(simulation->machine, MEMORY_SYSMEM,
                               state->queues[index].mqd_physical, mqd, sizeof mqd));
        for (uint32_t i = 0; i < AMD_MQD_DWORDS; i++) {
            ck_assert_uint_eq(blocks[n].offset[i], 4 * i);
            ck_assert_uint_eq(blocks[n].value[i], mqd[i]);
        }
        ck_assert_uint_eq(blocks[n].value[0], 0xc0310800);
    }
    ck_assert_uint_eq(n, 2);
}
END_TEST

/* ---- rls ------------------------------------------------------------------------------------- */

/* One MAP_PROCESS, two MAP_QUEUES; the write pointers end in 0x38 (amd_queue_t). */
START_TEST(rls_is_the_list_in_memory)
{
    uint64_t physical;
    uint32_t dwords[30], bytes;
    json_t *view;

    run_to(2000 * GFE_PS_PER_US);
    bytes = kfd_list(simulation->node->kfd, &physical);
    ck_assert_uint_eq(bytes, sizeof dwords);
    ck_assert(machine_read(simulation->machine, MEMORY_SYSMEM, physical, dwords, bytes));
    show("rls", simulation->machine, simulation->node);
    ck_assert_int_eq(strncmp(text, "Node 1, gpu_id 8707:\n  00000000: c00ea100 ", 42), 0);
    block_count = 1; /* lines of dwords belong to the node */
    memset(blocks, 0, sizeof blocks);
    for (char *at = text, *line = strsep(&at, "\n"); (line = strsep(&at, "\n")) && *line;)
        ck_assert(parse_dwords(line, 2, &blocks[0]));
    ck_assert_uint_eq(blocks[0].count, 30);
    for (uint32_t i = 0; i < 30; i++)
        ck_assert_uint_eq(blocks[0].value[i], dwords[i]);
    ck_assert_uint_eq(blocks[0].value[16], 0xc005a200);
    ck_assert_uint_eq(blocks[0].value[21] & 0xfff, 0x038);
    view = build("rls", simulation->machine, simulation->node);
    ck_assert_uint_eq(json_array_size(json_object_get(view, "rows")), 3);
    ck_assert_str_eq(json_string_value(
                         json_object_get(json_array_get(json_object_get(view, "rows"), 1), "name")),
                     "MAP_QUEUES");
    json_decref(view);
}
END_TEST

START_TEST(before_the_first_queue_there_is_no_list)
{
    run_to(1);
    show("rls", simulation->machine, simulation->node);
    ck_assert_ptr_nonnull(strstr(text, ":\n  No active runlist\n"));
}
END_TEST

/* ---- without a run --------------------------------------------------------------------------- */

START_TEST(a_bare_gpu_shows_its_reset_values)
{
    static const struct {
        const char *name;
        uint32_t block_count;
    } chips[] = {{"radeon-vii", 41}, {"mi60", 41}, {"mi100", 89}, {"mi210", 65}};
    struct gfe_error error = {0};
    struct bare_node bare;

    ck_assert_msg(bare_node_init(&bare, amd_chip_by_name(chips[_i].name), &error), "%s",
                  error.text);
    show("hqds", bare.machine, &bare.node);
    parse(text, 4);
    ck_assert_uint_eq(block_count, chips[_i].block_count);
    for (uint32_t i = 0; i < 25; i++) {
        ck_assert_uint_eq(blocks[i].value[2], 0);
        ck_assert_uint_eq(blocks[i].value[4], 0x0be05301);
    }
    show("mqds", bare.machine, &bare.node);
    ck_assert_str_eq(text, "");
    show("rls", bare.machine, &bare.node);
    ck_assert_str_eq(text, "Node 1, gpu_id 8707:\n  No active runlist\n");
    bare_node_fini(&bare);
}
END_TEST

/* ---- a log, made again ----------------------------------------------------------------------- */

static struct memory_file log_file;
static struct gfe_error error_;

static void write_log(const char *block_ps)
{
    const struct simulation_setting slow = {"amd.block_ps", block_ps};
    struct simulation_options options = {.parameters = &slow, .parameter_count = 1};
    struct kfd_simulation *run;

    log_file = memory_file_new("", 0);
    options.log = chunk_writer_new(log_file.fd, log_file.path, &error_);
    run = kfd_simulation_new(input, &options, &error_);
    ck_assert(run && kfd_simulation_run(run, &error_) && chunk_writer_finish(options.log, &error_));
    kfd_simulation_free(run);
    chunk_writer_free(options.log);
}

/* The log knows its trace, its parameters, and is compared with what is made again. */
START_TEST(a_run_of_kfd_is_made_again_by_its_log)
{
    struct inspection *inspection;
    struct any_simulation again;

    run_to(1);
    write_log("20000000");
    inspection = inspection_open(log_file.path, NULL, UINT64_C(1) << 30, &error_);
    ck_assert_msg(inspection && inspection->input, "%s",
                  inspection ? inspection->trace_error.text : error_.text);
    for (gfe_ps at = 0; at < 4000 * GFE_PS_PER_US; at += 1000 * GFE_PS_PER_US) {
        const struct inspection_run run = {.when = {.at_ps = at, .event = UINT64_MAX},
                                           .max_memory_bytes = UINT64_C(1) << 30};

        ck_assert_msg(inspection_rerun(inspection, &run, &again, &error_), "%s", error_.text);
        ck_assert_uint_le(machine_now(again.machine), at);
        any_simulation_free(&again);
    }
    for (uint64_t event = 1; event < 200; event += 60) {
        const struct inspection_run run = {.when = {.at_ps = GFE_PS_NEVER, .event = event},
                                           .max_memory_bytes = UINT64_C(1) << 30};

        ck_assert_msg(inspection_rerun(inspection, &run, &again, &error_), "%s", error_.text);
        ck_assert_uint_ge(again.machine->log.cursor->event_count, event);
        any_simulation_free(&again);
    }
    inspection_close(inspection);
    memory_file_free(&log_file);
}
END_TEST

/* Another parameter than the head says: the events differ. */
/* PROMISE (debug): An inspection notices a log that is not of its run. */
START_TEST(a_log_that_is_not_of_its_run_is_found_out)
{
    const struct inspection_run run = {.when = {.at_ps = GFE_PS_NEVER, .event = UINT64_MAX},
                                       .max_memory_bytes = UINT64_C(1) << 30};
    struct inspection *inspection;
    struct any_simulation again;
    json_t *row;
    size_t i;

    run_to(1);
    write_log("20000000");
    inspection = inspection_open(log_file.path, NULL, UINT64_C(1) << 30, &error_);
    ck_assert_ptr_nonnull(inspection);
    json_array_foreach(json_object_get(inspection->head, "parameters"), i, row)
    {
        if (strcmp(json_string_value(json_object_get(row, "name")), "amd.block_ps") == 0)
            json_object_set_new(row, "value", json_integer(20000001));
    }
    ck_assert(!inspection_rerun(inspection, &run, &again, &error_));
    ck_assert_ptr_nonnull(strstr(error_.text, "made again, its run is another"));
    inspection_close(inspection);
    memory_file_free(&log_file);
}
END_TEST

Suite *kfd_inspect_suite(void)
{
    Suite *suite = suite_create("kfd_inspect");
    TCase *tests = tcase_create("kfd_inspect");

    tcase_add_checked_fixture(tests, NULL, teardown);
    tcase_add_test(tests, hqds_are_the_slots_registers);
    tcase_add_test(tests, sdma_queues_are_four_pieces);
    tcase_add_test(tests, looking_at_slots_leaves_the_run_as_it_was);
    tcase_add_test(tests, json_has_registers_and_fields_by_name);
    tcase_add_test(tests, mqds_are_the_descriptors_in_memory);
    tcase_add_test(tests, rls_is_the_list_in_memory);
    tcase_add_test(tests, before_the_first_queue_there_is_no_list);
    tcase_add_loop_test(tests, a_bare_gpu_shows_its_reset_values, 0, 4);
    tcase_add_test(tests, a_run_of_kfd_is_made_again_by_its_log);
    tcase_add_test(tests, a_log_that_is_not_of_its_run_is_found_out);
    suite_add_tcase(suite, tests);
    return suite;
}
