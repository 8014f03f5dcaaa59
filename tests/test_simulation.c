/* SPDX-License-Identifier: MIT */
/*
 * Whole runs of recorded programs: golden logs, the same log however it is run, and what becomes of
 * it when something that the driver model wrote is changed behind its back.
 *
 * tests/golden/{clear,triangle,compute}.gft are recordings of Mesa's nouveau driver on a stand-in;
 * the words of LOAD_CONSTANT_BUFFER are zeroed in them, because they were memory of the process.
 * gtx680.gft and rtx2060.gft are the compute program on these, and have been through gfe scrub, as
 * has vm.gft.
 */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/program/cmd.h"
#include "emu/views/show.h"
#include "emu/views/show_events.h"
#include "tests/check_trace.h"
#include "tests/golden_text.h"
#include "tests/suites.h"

/* The first three on GP106, then the compute program on a chip without TSGs and with a doorbell,
 * then tests/clients/vm_client.c: VM_BIND and EXEC. */
static const char *const programs[] = {"clear", "triangle", "compute", "gtx680", "rtx2060", "vm"};
enum { POISON = 0x5eed0bad };

static struct replay_input *load(const char *program)
{
    const char *folder = getenv("top_srcdir");
    struct gfe_error error = {0};
    struct replay_input *input;
    char path[4096];

    snprintf(path, sizeof path, "%s/tests/golden/%s.gft", folder ? folder : ".", program);
    input = replay_load(path, &error);
    ck_assert_msg(input != NULL, "%s", error.text);
    return input;
}

/* ---- golden logs ----------------------------------------------------------------------------- */

/* Runs it and opens its log; the caller closes the log and frees the file. */
static struct event_log_reader *log_of(const struct replay_input *input, struct memory_file *file)
{
    struct gfe_error error = {0};
    struct event_log_reader *reader;

    *file = memory_file_new("", 0);
    struct simulation_options options = {.log = chunk_writer_new(file->fd, "log", &error)};
    struct simulation *simulation = check_simulation_new(input, &options);

    ck_assert_msg(simulation_log_head(simulation, "-", &error) &&
                      simulation_run(simulation, GFE_PS_NEVER, &error) &&
                      simulation_log_end(simulation, &error) &&
                      chunk_writer_finish(options.log, &error),
                  "%s", error.text);
    simulation_free(simulation);
    chunk_writer_free(options.log);
    reader = event_log_open(file->path, &error);
    ck_assert_msg(reader != NULL, "%s", error.text);
    return reader;
}

static char *events_as_text(const struct replay_input *input, size_t *bytes)
{
    struct memory_file file;
    struct event_log_reader *reader = log_of(input, &file);
    struct gfe_error error = {0};
    char *text = NULL;
    FILE *memory = open_memstream(&text, bytes);

    ck_assert_msg(memory && show_events(memory, reader, 0, GFE_PS_NEVER, &error), "%s", error.text);
    ck_assert_int_eq(fclose(memory), 0);
    event_log_close(reader);
    memory_file_free(&file);
    return text;
}

START_TEST(a_recorded_program_gives_its_golden_log)
{
    struct replay_input *input = load(programs[_i]);
    char name[64], *text;
    size_t bytes;

    text = events_as_text(input, &bytes);
    snprintf(name, sizeof name, "%s.events", programs[_i]);
    golden_text_check(name, text, bytes);
    free(text);
    replay_input_free(input);
}
END_TEST

/* PROMISE (sim): A replay reaches every fence of a recorded program. */
START_TEST(every_fence_of_a_recorded_program_is_reached)
{
    struct replay_input *input = load(programs[_i]);
    struct check_simulation run;

    check_simulation_run(&run, input, NULL);
    ck_assert_uint_ge(run.simulation->replay->state->fences_checked, 2);
    ck_assert_uint_eq(run.simulation->replay->state->fences_reached,
                      run.simulation->replay->state->fences_checked);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_WAIT_OPEN, CHECK_ANY_RULE), 0);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_NV_PBDMA_INTR, RULE_NV_INTR), 0);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_NV_MMU_FAULT, CHECK_ANY_RULE), 0);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_NV_ENGINE_ERROR, CHECK_ANY_RULE), 0);
    check_simulation_end(&run);
    replay_input_free(input);
}
END_TEST

/* The program: grid 5 x 3 x 2 of blocks 32 x 4 x 2 with 1024 bytes, then 7 x 1 x 1; the
 * compilers use as many registers as they like. */
START_TEST(the_compute_program_launches_what_its_source_says)
{
    static const struct {
        const char *program;
        uint32_t registers;
    } chips[] = {{"compute", 8}, {"gtx680", 7}, {"rtx2060", 11}};
    struct replay_input *input = load(chips[_i].program);
    struct check_simulation run;
    const struct log_event *grid;

    check_simulation_run(&run, input, NULL);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_GRID_QUEUE, CHECK_ANY_RULE), 2);
    for (uint32_t i = 0; i < 2; i++) {
        grid = check_simulation_event(&run, EVENT_GRID_QUEUE, i);
        ck_assert_uint_eq(event_grid_queue_of(grid).block_count, i ? 7 : 5 * 3 * 2);
        ck_assert_uint_eq(event_grid_queue_of(grid).block_threads, 32 * 4 * 2);
        ck_assert_uint_eq(event_grid_queue_of(grid).shared_bytes, 1024);
        ck_assert_uint_eq(event_grid_queue_of(grid).registers, chips[_i].registers);
    }
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_BLOCK_START, RULE_T_R1), 37);
    ck_assert_uint_eq(check_simulation_count(&run, EVENT_BLOCK_END, CHECK_ANY_RULE), 37);
    check_simulation_end(&run);
    replay_input_free(input);
}
END_TEST

/* ---- small programs -------------------------------------------------------------------------- */

#define RELEASE(value)                                                                             \
    PB_INC(0, 0x10, 4), (uint32_t)(CHECK_TRACE_BUFFER(2) >> 32), (uint32_t)CHECK_TRACE_BUFFER(2),  \
        (value), 0x01100002
enum { OF_PROGRAM = 0x7700 }; /* values that the program releases: 0x7701 and so on */

/* Two channels, one after the other, with submissions of one and of two entries. */
static struct check_trace two_channels(void)
{
    struct check_trace trace;

    check_trace_begin(&trace);
    check_trace_map(&trace, 1);
    check_trace_map(&trace, 2);
    for (uint32_t i = 1; i <= 2; i++) {
        check_trace_channel(&trace, 6 + i);
        check_trace_submit(&trace, 6 + i, 1, (const uint32_t[]){RELEASE(OF_PROGRAM + i)}, 5, i);
        check_trace_submit(&trace, 6 + i, 1, (const uint32_t[]){RELEASE(OF_PROGRAM + 2 + i)}, 5, 1);
        check_trace_wait(&trace, 6 + i, trace.submission_count, TRACE_WAIT_CALL);
        check_trace_channel_end(&trace, 6 + i);
    }
    return trace;
}

START_TEST(queued_draws_can_be_shown)
{
    struct check_trace trace;
    struct replay_input *input;
    struct event_log_reader *reader;
    struct memory_file file;
    struct gfe_error error = {0};
    struct show show;

    check_trace_begin(&trace);
    check_trace_map(&trace, 1);
    check_trace_channel(&trace, 7);
    CHECK_TRACE_SUBMIT(&trace, 7, 1, PB_IMMD(0, 0x19d0, 1), PB_IMMD(0, 0x19d0, 1));
    input = check_trace_end(&trace);
    reader = log_of(input, &file);
    ck_assert_msg(show_load(&show, reader, 0, GFE_PS_NEVER, &error), "%s", error.text);
    ck_assert_uint_eq(show.operation_count, 2);
    show_fini(&show);
    event_log_close(reader);
    memory_file_free(&file);
    replay_input_free(input);
}
END_TEST

/* Devices know no origin: it is that of the GP entry, found by its number. */
START_TEST(a_release_shows_who_wrote_its_entry)
{
    struct check_trace trace = two_channels();
    struct replay_input *input = check_trace_end(&trace);
    uint32_t of_program = 0, of_kernel = 0;
    size_t bytes;
    char *text = events_as_text(input, &bytes), *rest = NULL;

    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        const bool is_programs = strstr(line, " value=0x770") != NULL;

        if (!strstr(line, " NV_RELEASE "))
            continue;
        ck_assert_msg(strstr(line, is_programs ? " RECORDED" : " MODELLED") != NULL, "%s", line);
        of_program += is_programs;
        of_kernel += !is_programs;
    }
    ck_assert_uint_eq(of_program, 1 + 1 + 2 + 1);
    ck_assert_uint_eq(of_kernel, 4);
    free(text);
    replay_input_free(input);
}
END_TEST

/* What `gfe decode` prints about a trace. */
static char *decode_text(const char *path)
{
    char name[] = "decode", dash_o[] = "-o", output[] = "/tmp/gfe-test-simulation-XXXXXX";
    char input[64], *argv[] = {name, dash_o, output, input, NULL}, *text = NULL;
    size_t bytes = 0;
    FILE *file;

    ck_assert_int_eq(close(mkstemp(output)), 0);
    ck_assert_int_eq(unlink(output), 0);
    snprintf(input, sizeof input, "%s", path);
    ck_assert_int_eq(cmd_decode(4, argv), 0);
    file = fopen(output, "rb");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_gt(getdelim(&text, &bytes, '\0', file), 0);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_int_eq(unlink(output), 0);
    return text;
}

/* PROMISE (sim): `gfe decode` and `gfe run` agree on the entries of the kernel driver. */
START_TEST(decode_and_run_agree_on_the_kernels_entries)
{
    struct check_trace trace = two_channels();
    struct replay_input *input = check_trace_end_keep(&trace);
    char *text = decode_text(trace.file.path), *at = text, wanted[64];
    struct check_simulation run;
    uint32_t count = 0;

    check_simulation_run(&run, input, NULL);
    for (uint32_t i = 0; i < run.event_count; i++) {
        const struct log_event *event = &run.events[i];

        if (event->kind != EVENT_DRIVER_GP_ENTRY || event->origin != ORIGIN_MODELLED)
            continue;
        at = strstr(at, "\nM gp ");
        ck_assert_ptr_nonnull(at);
        snprintf(wanted, sizeof wanted, " GET=0x%llx ",
                 (unsigned long long)event_driver_gp_entry_of(event).address);
        ck_assert_msg(strstr(at, wanted) && strstr(at, wanted) < strchr(at + 1, '\n'),
                      "fence %u: no%sin%.80s", count, wanted, at);
        at++;
        count++;
    }
    ck_assert_uint_eq(count, 4);
    ck_assert_ptr_null(strstr(at, "\nM gp "));
    free(text);
    check_simulation_end(&run);
    replay_input_free(input);
    memory_file_free(&trace.file);
}
END_TEST

/* ---- what the log is told -------------------------------------------------------------------- */

static void mark_put(struct check_trace *trace, uint32_t process_id, uint32_t thread_id)
{
    struct gfe_error error = {0};
    const struct trace_record record = {.head = {.kind = TRACE_MARK,
                                                 .time_ns = ++trace->time_ns,
                                                 .process_id = process_id,
                                                 .thread_id = thread_id},
                                        .mark = {.text = {"m", 1}}};

    ck_assert_msg(trace_write(trace->writer, &record, &error), "%s", error.text);
}

/* Numbered as they occur; a log of one process has no such line, as it never had. */
START_TEST(the_log_tells_the_process_of_each_thread)
{
    for (uint32_t processes = 1; processes <= 2; processes++) {
        struct check_trace trace;
        struct memory_file file;
        check_trace_begin(&trace);
        check_trace_map(&trace, 1);
        check_trace_channel(&trace, 0);
        for (uint32_t thread = 2; thread < 6; thread++)
            mark_put(&trace, processes == 2 && thread % 2 ? 777 : 1, thread);
        struct replay_input *input = check_trace_end(&trace);
        struct event_log_reader *log = log_of(input, &file);
        const char *said = event_log_run(log, "processes");
        if (processes == 1)
            ck_assert_ptr_null(said);
        else
            ck_assert_str_eq(said, "0 0 1 0 1");
        event_log_close(log);
        memory_file_free(&file);
        replay_input_free(input);
    }
}
END_TEST

/* ---- the same, however it is run ------------------------------------------------------------- */

/* PROMISE (sim): A log is the same for every batch limit. */
START_TEST(no_batch_limit_changes_the_log)
{
    static const uint32_t limits[] = {1, 2, 7, 100};
    struct replay_input *input = load(programs[_i]);
    struct check_simulation unlimited;

    check_simulation_run(&unlimited, input, NULL);
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        const struct simulation_options options = {.batch_limit = limits[i]};
        struct check_simulation limited;

        check_simulation_run(&limited, input, &options);
        ck_assert_str_eq(limited.log_hash, unlimited.log_hash);
        check_simulation_end(&limited);
    }
    check_simulation_end(&unlimited);
    replay_input_free(input);
}
END_TEST

START_TEST(the_seed_alone_decides_where_random_blocks_go)
{
    const struct simulation_setting choice = {"core.block_to_sm", "random"};
    struct replay_input *input = load("compute");
    char hashes[3][65];

    for (uint32_t i = 0; i < 3; i++) {
        const struct simulation_options options = {
            .seed = i == 2 ? 8 : 7, .choices = &choice, .choice_count = 1};
        struct check_simulation run;

        check_simulation_run(&run, input, &options);
        memcpy(hashes[i], run.log_hash, sizeof run.log_hash);
        check_simulation_end(&run);
    }
    ck_assert_str_eq(hashes[0], hashes[1]);
    ck_assert_str_ne(hashes[0], hashes[2]);
    replay_input_free(input);
}
END_TEST

/* ---- what the recorder wrote for the GPU ----------------------------------------------------- */

static struct replay_input *poisoned(const char *program)
{
    const char *folder = getenv("top_srcdir");
    const uint32_t poison[4] = {POISON, POISON, POISON, POISON};
    struct memory_file file = memory_file_new("", 0);
    struct gfe_error error = {0};
    struct trace_writer *writer = trace_writer_new(file.fd, "test", &error);
    struct trace_reader *reader;
    struct trace_record record;
    struct replay_input *input;
    uint32_t count = 0;
    char path[4096];

    snprintf(path, sizeof path, "%s/tests/golden/%s.gft", folder ? folder : ".", program);
    reader = trace_reader_open(path, &error);
    ck_assert_msg(writer && reader, "%s", error.text);
    while (trace_read(reader, &record, &error) == TRACE_GOT) {
        if (record.head.kind == TRACE_GPU_WRITE) {
            ck_assert_uint_le(record.gpu_write.data.length, sizeof poison);
            record.gpu_write.data.data = (const uint8_t *)poison;
            count++;
        }
        ck_assert_msg(trace_write(writer, &record, &error), "%s", error.text);
    }
    ck_assert_uint_gt(count, 0);
    ck_assert_msg(trace_writer_finish(writer, &error), "%s", error.text);
    input = replay_load(file.path, &error);
    ck_assert_msg(input != NULL, "%s", error.text);
    trace_reader_free(reader);
    trace_writer_free(writer);
    memory_file_free(&file);
    return input;
}

static void look_for_poison(void *context, enum memory_aperture aperture, uint64_t address,
                            const uint8_t *page)
{
    uint32_t word;

    (void)aperture;
    (void)address;
    for (uint32_t i = 0; i < MEMORY_PAGE_BYTES; i += 4) {
        memcpy(&word, page + i, sizeof word);
        *(uint32_t *)context += word == POISON;
    }
}

/* Poisoned completion values change what the fences are compared with, and nothing else. */
START_TEST(replay_takes_no_write_that_the_recorder_made_for_the_gpu)
{
    struct replay_input *input = load(programs[_i]), *bad = poisoned(programs[_i]);
    struct check_simulation run, bad_run;
    uint32_t found = 0;

    check_simulation_run(&run, input, NULL);
    check_simulation_run(&bad_run, bad, NULL);
    ck_assert(memory_visit(&bad_run.simulation->machine->memory, look_for_poison, &found));
    ck_assert_uint_eq(found, 0);
    ck_assert_uint_eq(run.event_count, bad_run.event_count);
    for (uint32_t i = 0; i < run.event_count; i++)
        if (run.events[i].kind != EVENT_FENCE && run.events[i].kind != EVENT_RUN_END)
            ck_assert_mem_eq(&run.events[i], &bad_run.events[i], sizeof run.events[i]);
    ck_assert_uint_lt(bad_run.simulation->replay->state->fences_reached,
                      bad_run.simulation->replay->state->fences_checked);
    check_simulation_end(&run);
    check_simulation_end(&bad_run);
    replay_input_free(input);
    replay_input_free(bad);
}
END_TEST

/* ---- corruption ------------------------------------------------------------------------------ */

/* Each changes one word that the driver model wrote, when the first submission is in the ring with
 * its fence and the GPU has not looked at it yet. */
static void flip(struct simulation *simulation, enum memory_aperture aperture, uint64_t address,
                 uint32_t bits)
{
    uint32_t value;

    ck_assert(machine_read(simulation->machine, aperture, address, &value, sizeof value));
    value ^= bits;
    ck_assert(machine_write(simulation->machine, aperture, address, &value, sizeof value));
}

static const struct nouveau_channel *first_channel(const struct simulation *simulation)
{
    return &simulation->nouveau->state->channels[0];
}

static void corrupt_nothing(struct simulation *simulation)
{
    flip(simulation, MEMORY_VRAM, first_channel(simulation)->instance + 0x48, 0);
}

static void corrupt_gp_base(struct simulation *simulation)
{
    flip(simulation, MEMORY_VRAM, first_channel(simulation)->instance + 0x48, 0x1000);
}

static void corrupt_ring_limit(struct simulation *simulation)
{
    flip(simulation, MEMORY_VRAM, first_channel(simulation)->instance + 0x4c, 10u << 16);
}

static void corrupt_userd_pointer(struct simulation *simulation)
{
    flip(simulation, MEMORY_VRAM, first_channel(simulation)->instance + 0x08, 0x200);
}

static void corrupt_gp_put(struct simulation *simulation)
{
    flip(simulation, MEMORY_VRAM, simulation->nouveau->state->userd_pool + 0x8c, 0x3);
}

static void corrupt_runlist_entry(struct simulation *simulation)
{
    const struct nouveau_state *state = simulation->nouveau->state;

    flip(simulation, MEMORY_VRAM,
         state->runlist_memory[0] + MEMORY_PAGE_BYTES * (uint64_t)state->runlist_turn[0] + 8, 1);
    /* It was read when it was submitted. */
    machine_write32(simulation->machine, 0x2274, machine_read32(simulation->machine, 0x2274));
}

static void corrupt_ccsr_inst(struct simulation *simulation)
{
    machine_write32(simulation->machine, 0x800000,
                    machine_read32(simulation->machine, 0x800000) ^ 1);
}

static void corrupt_pushbuffer_dword(struct simulation *simulation)
{
    uint32_t words[2];
    struct address_space_range where;
    uint64_t contiguous;

    ck_assert(machine_read(simulation->machine, MEMORY_SYSMEM,
                           first_channel(simulation)->buffer + 0x10000, words, sizeof words));
    ck_assert(address_space_translate(
        &simulation->machine->spaces, first_channel(simulation)->space_id,
        (uint64_t)(words[1] & 0xff) << 32 | (words[0] & ~3u), &where, &contiguous));
    flip(simulation, (enum memory_aperture)where.aperture, where.physical, 0xe0000000);
}

static const struct corruption {
    const char *what;
    void (*corrupt)(struct simulation *simulation);
    bool stays_good; /* all fences are reached all the same: the next GP_PUT store repairs it */
} corruptions[] = {
    {"GP_BASE", corrupt_gp_base, false},
    {"LIMIT2", corrupt_ring_limit, false},
    {"USERD pointer", corrupt_userd_pointer, false},
    {"GP_PUT", corrupt_gp_put, true},
    {"runlist entry", corrupt_runlist_entry, false},
    {"CCSR INST", corrupt_ccsr_inst, false},
    {"pushbuffer dword", corrupt_pushbuffer_dword, false},
};
enum { CORRUPTIONS = sizeof corruptions / sizeof corruptions[0] };

static void run_corrupted(struct check_simulation *run, const struct replay_input *input,
                          void (*corrupt)(struct simulation *simulation))
{
    struct simulation *simulation = check_simulation_new(input, NULL);
    struct gfe_error error = {0};

    while (first_channel(simulation)->fence_value == 0)
        ck_assert(machine_step(simulation->machine));
    corrupt(simulation);
    ck_assert_msg(check_simulation_finish(run, simulation, &error), "%s", error.text);
}

START_TEST(whatever_the_driver_wrote_is_what_the_gpu_goes_by)
{
    const struct corruption *corruption = &corruptions[_i];
    struct replay_input *input = load("compute");
    struct check_simulation good, control, bad;
    const struct replay_state *state;

    check_simulation_run(&good, input, NULL);
    run_corrupted(&control, input, corrupt_nothing);
    ck_assert_str_eq(control.log_hash, good.log_hash);
    run_corrupted(&bad, input, corruption->corrupt);
    ck_assert_msg(strcmp(bad.log_hash, good.log_hash) != 0, "%s changed nothing", corruption->what);
    state = bad.simulation->replay->state;
    ck_assert_msg((state->fences_reached == state->fences_checked) == corruption->stays_good,
                  "%s: %u of %u fences", corruption->what, state->fences_reached,
                  state->fences_checked);
    check_simulation_end(&good);
    check_simulation_end(&control);
    check_simulation_end(&bad);
    replay_input_free(input);
}
END_TEST

Suite *simulation_suite(void)
{
    Suite *suite = suite_create("simulation");
    TCase *golden = tcase_create("golden");
    TCase *small = tcase_create("small");
    TCase *same = tcase_create("same");
    TCase *corruption = tcase_create("corruption");

    tcase_add_loop_test(golden, a_recorded_program_gives_its_golden_log, 0, 6);
    tcase_add_loop_test(golden, every_fence_of_a_recorded_program_is_reached, 0, 6);
    tcase_add_loop_test(golden, the_compute_program_launches_what_its_source_says, 0, 3);
    suite_add_tcase(suite, golden);
    tcase_add_test(small, queued_draws_can_be_shown);
    tcase_add_test(small, a_release_shows_who_wrote_its_entry);
    tcase_add_test(small, the_log_tells_the_process_of_each_thread);
    tcase_add_test(small, decode_and_run_agree_on_the_kernels_entries);
    suite_add_tcase(suite, small);
    tcase_add_loop_test(same, no_batch_limit_changes_the_log, 0, 6);
    tcase_add_test(same, the_seed_alone_decides_where_random_blocks_go);
    tcase_add_loop_test(same, replay_takes_no_write_that_the_recorder_made_for_the_gpu, 0, 6);
    suite_add_tcase(suite, same);
    tcase_add_loop_test(corruption, whatever_the_driver_wrote_is_what_the_gpu_goes_by, 0,
                        CORRUPTIONS);
    suite_add_tcase(suite, corruption);
    return suite;
}
