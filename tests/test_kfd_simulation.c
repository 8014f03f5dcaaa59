/* SPDX-License-Identifier: MIT */
/*
 * Recordings of user-mode queues, replayed.  tests/golden/kfd_kernels.gft is `kfd_procs kernels`
 * (tests/clients) on the recorder's stand-in for a Radeon VII, without the names of the host: two
 * queues of one process; in each of three rounds three kernels of the first, and of the second a
 * barrier that waits for their signal, and one more kernel with a signal of its own.  After the
 * second round the program looked at that; after the others it waited for the event.
 */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/sim/kfd_simulation.h"
#include "emu/views/show_events.h"
#include "emu/analysis/summary/summary.h"
#include "tests/check_trace.h"
#include "tests/golden_text.h"
#include "tests/suites.h"

enum { ROUNDS = 3, KERNELS = 4 * ROUNDS, BLOCKS = 8 };

static struct replay_input *input;
static struct event_log_reader *log_;
static struct memory_file file;
static char *text;
static size_t text_bytes;

static void teardown(void)
{
    event_log_close(log_);
    log_ = NULL;
    memory_file_free(&file);
    free(text);
    text = NULL;
    replay_input_free(input);
    input = NULL;
}

static void load_file(const char *name)
{
    const char *folder = getenv("top_srcdir");
    struct gfe_error error = {0};
    char path[4096];

    snprintf(path, sizeof path, "%s/tests/golden/%s", folder ? folder : ".", name);
    input = replay_load(path, &error);
    ck_assert_msg(input != NULL, "%s", error.text);
}

static void load(void)
{
    load_file("kfd_kernels.gft");
}

/* Runs it; false with the message.  The log is then open. */
static bool run(struct simulation_options options, struct gfe_error *error)
{
    struct kfd_simulation *simulation;
    bool done;

    file = memory_file_new("", 0);
    options.log = chunk_writer_new(file.fd, "log", error);
    simulation = kfd_simulation_new(input, &options, error);
    done = simulation && kfd_simulation_run(simulation, error) &&
           chunk_writer_finish(options.log, error);
    kfd_simulation_free(simulation);
    chunk_writer_free(options.log);
    if (done)
        log_ = event_log_open(file.path, error);
    return done;
}

/* And its log as text. */
static void run_input(struct simulation_options options)
{
    struct gfe_error error = {0};
    FILE *memory;

    ck_assert_msg(run(options, &error), "%s", error.text);
    memory = open_memstream(&text, &text_bytes);
    ck_assert_msg(memory && show_events(memory, log_, 0, GFE_PS_NEVER, &error), "%s", error.text);
    ck_assert_int_eq(fclose(memory), 0);
}

static void run_golden(struct simulation_options options)
{
    load();
    run_input(options);
}

/* Lines that hold a piece of text. */
static uint32_t count(const char *piece)
{
    const char *at = text;
    uint32_t n = 0;

    while ((at = strstr(at, piece)) != NULL) {
        n++;
        at += strlen(piece);
    }
    return n;
}

START_TEST(a_recorded_program_gives_its_golden_log)
{
    run_golden((struct simulation_options){0});
    golden_text_check("kfd_kernels.events", text, text_bytes);
}
END_TEST

/* PROMISE (sim): Recordings of ROCm's programs run on the emulated GPU, and their signals end as
 * recorded. */
START_TEST(all_its_kernels_run_and_its_signals_end_as_recorded)
{
    run_golden((struct simulation_options){0});
    ck_assert_uint_eq(count(" GRID_END "), KERNELS);
    ck_assert_uint_eq(count(" BLOCK_END "), KERNELS * BLOCKS);
    ck_assert_uint_eq(count(" KFD_QUEUE "), 2);
    ck_assert_uint_eq(count("reached=1"), 2);
    ck_assert_uint_eq(count("reached=0"), 0);
    ck_assert_uint_eq(count(" WAIT_OPEN "), 0);
    ck_assert_uint_eq(count(" AMD_VM_FAULT "), 0);
}
END_TEST

/* The barrier of one queue waits for kernels of the other: AMD.DEPENDS, once a round.  And the
 * program: the event of the first round; the signals before it sets them anew. */
START_TEST(waits_are_of_the_emulated_gpu)
{
    run_golden((struct simulation_options){0});
    ck_assert_uint_eq(count("[AMD.DEPENDS]"), ROUNDS);
    ck_assert_uint_ge(count("CPU_WAIT_END"), 2);
    ck_assert_uint_ge(count("[GFE.INFERRED]"), 1);
    ck_assert_uint_ge(count("[GFE.PROGRAM]"), 1);
    ck_assert_uint_eq(count(" AMD_INTERRUPT "), ROUNDS);
}
END_TEST

START_TEST(an_open_loop_waits_for_nothing)
{
    run_golden((struct simulation_options){.open_loop = true});
    ck_assert_uint_eq(count("CPU_WAIT_BEGIN"), 0);
}
END_TEST

/* A slower GPU slows the program. */
START_TEST(durations_are_a_parameter)
{
    const struct simulation_setting slow = {"amd.block_ps", "100000000"};

    run_golden((struct simulation_options){.parameters = &slow, .parameter_count = 1});
    ck_assert_uint_eq(count("reached=1"), 2);
    ck_assert_uint_eq(count(" GRID_END "), KERNELS);
}
END_TEST

/* tests/golden/hip_streams.gft is `hip_client streams 2` with a kernel (tests/clients), scrubbed:
 * two HIP streams, each with a copy to the GPU, four kernels behind it, and a copy back.  HIP has
 * the kernels wait for the copy by a barrier packet, and the copy back for the kernels by
 * POLL_REGMEM. */
START_TEST(hip_streams_copy_launch_and_copy_back)
{
    load_file("hip_streams.gft");
    run_input((struct simulation_options){.open_loop = _i != 0});
    ck_assert_uint_eq(count("reached=1"), 13);
    ck_assert_uint_eq(count("reached=0"), 0);
    ck_assert_uint_eq(count(" WAIT_OPEN "), 0);
    ck_assert_uint_eq(count(" KFD_SDMA_QUEUE "), 2);
    ck_assert_uint_eq(count(" COPY_END "), 4);
    ck_assert_uint_eq(count(" GRID_END "), 10); /* and two of the runtime's own */
    ck_assert_uint_ge(count("[A.Q3]"), 8);
    if (!_i)
        ck_assert_uint_eq(count("[AMD.SDMA_POLL]"), 2);
}
END_TEST

/* ---- what cannot be replayed ------------------------------------------------------------------
 */

START_TEST(a_recording_is_for_its_own_gpu)
{
    const struct simulation_options options = {.gpu = _i ? "gtx1060" : "mi25-of-nobody"};
    struct gfe_error error = {0};

    load();
    ck_assert(!run(options, &error));
    ck_assert_msg(strstr(error.text, _i ? "whose programs gtx1060 cannot run"
                                        : "no GPU is called 'mi25-of-nobody'"),
                  "%s", error.text);
}
END_TEST

/* ---- traces by hand ---------------------------------------------------------------------------
 */

enum { RING = 0x100000, SIGNAL = 0x102000, MAILBOX = 0x102080, EVENT = 3 };
static struct memory_file trace;
static struct trace_writer *writer;
static uint32_t thread_id;

static struct trace_record head_of(uint16_t kind)
{
    return (struct trace_record){
        .head = {.kind = kind, .process_id = 1, .thread_id = thread_id, .time_ns = 1000}};
}

static void put(struct trace_record record)
{
    struct gfe_error error = {0};

    ck_assert_msg(trace_write(writer, &record, &error), "%s", error.text);
}

#define STR(text) ((struct trace_str){(text), sizeof(text) - 1})

/* A program with that much memory at RING. */
static void hand_begin(uint64_t map_bytes)
{
    struct gfe_error error = {0};
    struct trace_record record;

    trace = memory_file_new("", 0);
    writer = trace_writer_new(trace.fd, "trace", &error);
    ck_assert_ptr_nonnull(writer);
    thread_id = 1;
    record = head_of(TRACE_META);
    record.meta = (struct trace_meta){.format = TRACE_FORMAT,
                                      .driver = STR("kfd 1.8"),
                                      .gpu = STR("radeon-vii"),
                                      .completions = TRACE_COMPLETIONS_STAND_IN};
    put(record);
    record = head_of(TRACE_CLIENT);
    record.client.layer = TRACE_LAYER_RING;
    put(record);
    record = head_of(TRACE_DEVICE);
    record.device.gpu_id = 1;
    record.device.gpu = STR("radeon-vii");
    put(record);
    put(head_of(TRACE_AS_CREATE));
    record = head_of(TRACE_AS_MAP);
    record.as_map = (struct trace_as_map){
        .va = RING, .size_bytes = map_bytes, .aperture = TRACE_APERTURE_SYSMEM};
    if (map_bytes)
        put(record);
}

static void hand_queue(uint32_t gpu_id, uint32_t as_id, uint8_t what)
{
    struct trace_record record = head_of(TRACE_QUEUE);

    record.queue = (struct trace_queue){.gpu_id = gpu_id,
                                        .as_id = as_id,
                                        .what = what,
                                        .ring_address = RING,
                                        .ring_bytes = 4096,
                                        .write_address = RING + 0x1038,
                                        .read_address = RING + 0x1080,
                                        .percentage = 100};
    put(record);
}

static void hand_store(uint64_t address, uint64_t value)
{
    struct trace_record record = head_of(TRACE_MEM);

    record.mem.address = address;
    record.mem.data = (struct trace_bytes){(const uint8_t *)&value, sizeof value};
    put(record);
}

static void hand_gpu_write(uint64_t address, uint8_t why, uint64_t value)
{
    struct trace_record record = head_of(TRACE_GPU_WRITE);

    record.gpu_write.address = address;
    record.gpu_write.why = why;
    record.gpu_write.data = (struct trace_bytes){(const uint8_t *)&value, sizeof value};
    put(record);
}

static void hand_end(void)
{
    struct gfe_error error = {0};

    put(head_of(TRACE_END));
    ck_assert_msg(trace_writer_finish(writer, &error), "%s", error.text);
    trace_writer_free(writer);
    input = replay_load(trace.path, &error);
    memory_file_free(&trace);
    ck_assert_msg(input != NULL, "%s", error.text);
}

/* A signal counts down: what is above its recorded value is not done. */
START_TEST(a_signal_that_stays_above_is_not_reached)
{
    hand_begin(65536);
    hand_queue(1, 0, TRACE_QUEUE_AQL);
    hand_store(SIGNAL + 8, 5);
    hand_gpu_write(SIGNAL + 8, TRACE_WHY_SIGNAL, _i ? 5 : 4);
    hand_end();
    run_input((struct simulation_options){0});
    ck_assert_uint_eq(count("reached=1"), _i ? 1 : 0);
    ck_assert_uint_eq(count(" FENCE "), 1);
}
END_TEST

static void hand_packet(uint64_t index, const uint32_t *dwords, uint32_t count)
{
    struct trace_record record = head_of(TRACE_PACKET);

    record.packet = (struct trace_packet){.what = TRACE_PACKET_SDMA,
                                          .index = index,
                                          .address = RING + index,
                                          .data = {(const uint8_t *)dwords, 4 * count}};
    put(record);
}

static void hand_doorbell(uint64_t value)
{
    struct trace_record record = head_of(TRACE_DOORBELL);

    record.doorbell.value = value;
    put(record);
}

static void hand_event_wait(uint32_t event)
{
    struct trace_record record = head_of(TRACE_EVENT_WAIT);

    record.event_wait = (struct trace_event_wait){
        .events = {(const uint8_t *)&event, sizeof event}, .all = 1, .end_ns = 60000};
    put(record);
}

/* The engine's own writes: a signal counts down, a fence stands in the mailbox, TRAP sets the event
 * for which the program sleeps; what the trace has of the GPU is looked up, and put nowhere. */
START_TEST(an_sdma_queue_runs_its_packets)
{
    static const uint32_t atomic[] = {10 | 47u << 25, SIGNAL + 8, 0, UINT32_MAX,
                                      UINT32_MAX,     0,          0, 0};
    static const uint32_t fence[] = {5, MAILBOX, 0, EVENT}, trap[] = {6, EVENT};

    hand_begin(65536);
    hand_queue(1, 0, TRACE_QUEUE_SDMA);
    hand_store(SIGNAL + 8, 1);
    hand_packet(0, atomic, 8);
    hand_packet(32, fence, 4);
    hand_packet(48, trap, 2);
    hand_doorbell(56);
    thread_id = 2;
    hand_gpu_write(SIGNAL + 8, TRACE_WHY_SIGNAL, _i ? 77 : 0);
    hand_gpu_write(MAILBOX, TRACE_WHY_SDMA_FENCE, EVENT);
    thread_id = 1;
    hand_event_wait(EVENT);
    hand_end();
    run_input((struct simulation_options){0});
    ck_assert_uint_eq(count("UNMODELLED"), 0);
    ck_assert_uint_eq(count(" AMD_SDMA_PACKET "), 3);
    ck_assert_uint_eq(count("reached=1"), _i ? 1 : 2);
    ck_assert_uint_eq(count(" CPU_WAIT_END "), 1);
    ck_assert_uint_eq(count(" WAIT_OPEN "), 0);
    ck_assert(strstr(text, " CPU_SUBMIT ") < strstr(text, " AMD_SDMA_WRITE "));
}
END_TEST

/* A packet whose place in the ring the engine has not read yet waits for it. */
START_TEST(a_full_ring_holds_the_program_up)
{
    static const uint32_t copy[] = {1, 0x7ff, 0, RING + 0x4000, 0, RING + 0x6000, 0};
    static const uint32_t nop[] = {(1024 - 8) << 16};
    uint32_t filler[1024 - 7];

    memset(filler, 0xff, sizeof filler);
    filler[0] = nop[0];
    hand_begin(65536);
    hand_queue(1, 0, TRACE_QUEUE_SDMA);
    hand_packet(0, copy, 7);
    hand_packet(28, filler, 1024 - 7);
    hand_doorbell(4096);
    hand_packet(4096, copy, 7);
    hand_doorbell(4096 + 28);
    hand_end();
    run_input((struct simulation_options){.open_loop = _i != 0});
    ck_assert_uint_eq(count("[GFE.OVERWRITE]") > 0, _i == 0);
    ck_assert_uint_eq(count(" COPY_END "), _i ? count(" COPY_END ") : 2);
}
END_TEST

/* A kernel is loaded by a copy, of bytes that the trace does not have: its record comes behind the
 * copy, however long that takes, or the copy would take it away. */
START_TEST(a_kernel_comes_behind_the_copy_that_loads_it)
{
    enum { KERNEL = RING + 0x8000 };
    static const uint32_t copy[] = {1, 0x3fff, 0, RING + 0x4000, 0, KERNEL, 0};
    static const uint32_t atomic[] = {10 | 47u << 25, SIGNAL + 8, 0, UINT32_MAX,
                                      UINT32_MAX,     0,          0, 0};
    const uint8_t descriptor[64] = {[48] = 0xab};
    struct trace_record record;

    hand_begin(65536);
    hand_queue(1, 0, TRACE_QUEUE_SDMA);
    hand_store(SIGNAL + 8, 1);
    hand_packet(0, copy, 7);
    hand_packet(28, atomic, 8);
    hand_doorbell(60);
    hand_gpu_write(SIGNAL + 8, TRACE_WHY_SIGNAL, 0);
    record = head_of(TRACE_KERNEL);
    record.kernel.kernel_address = _i ? KERNEL : KERNEL + 0x4000;
    record.kernel.descriptor = (struct trace_bytes){descriptor, sizeof descriptor};
    put(record);
    hand_end();
    run_input((struct simulation_options){0});
    ck_assert_uint_eq(count("[GFE.INFERRED]") > 0, _i != 0);
    ck_assert_uint_eq(count("reached=1"), 1);
}
END_TEST

/* ---- work that is left ------------------------------------------------------------------------
 */

enum { LOST_EVENT = 50 /* the end of a kernel */ };
enum { SECOND = 0x4000, SIGNALS = RING + 0x8000, SIGNAL_BYTES = 64 };

/* A queue of AQL packets, and in it a BARRIER_AND that waits for one signal and completes another.
 */
static void hand_barrier(uint32_t queue_id, uint32_t depends, uint32_t completes)
{
    const uint64_t base = RING + queue_id * (uint64_t)SECOND;
    const uint64_t of[2] = {SIGNALS + depends * (uint64_t)SIGNAL_BYTES,
                            SIGNALS + completes * (uint64_t)SIGNAL_BYTES};
    uint8_t packet[64] = {3};
    struct trace_record record = head_of(TRACE_QUEUE);

    memcpy(&packet[8], &of[0], sizeof of[0]);
    memcpy(&packet[56], &of[1], sizeof of[1]);
    record.queue = (struct trace_queue){.gpu_id = 1,
                                        .queue_id = queue_id,
                                        .what = TRACE_QUEUE_AQL,
                                        .ring_address = base,
                                        .ring_bytes = 4096,
                                        .write_address = base + 0x1038,
                                        .read_address = base + 0x1080,
                                        .percentage = 100};
    put(record);
    hand_store(of[1] + 8, 1);
    record = head_of(TRACE_PACKET);
    record.packet = (struct trace_packet){.what = TRACE_PACKET_AQL,
                                          .queue_id = queue_id,
                                          .address = base,
                                          .data = {packet, sizeof packet}};
    put(record);
    record = head_of(TRACE_DOORBELL);
    record.doorbell.channel_id = queue_id;
    put(record);
}

static char *summary_text(bool json)
{
    const struct summary_notes notes = {0};
    struct gfe_error error = {0};
    char *summary;
    size_t bytes;
    FILE *memory = open_memstream(&summary, &bytes);

    event_log_close(log_);
    log_ = event_log_open(file.path, &error);
    ck_assert_msg(log_ && memory && summary_print(memory, log_, &notes, json, &error), "%s",
                  error.text);
    ck_assert_int_eq(fclose(memory), 0);
    return summary;
}

/* A barrier-AND packet is processed when all its signals have become 0 (HSA Platform System
 * Architecture Specification 1.2, 2.9.6), and its own goes down after that.  So two queues whose
 * barriers wait for each other's completion never go on: a cycle of waits. */
START_TEST(barriers_that_wait_for_each_other_are_a_deadlock)
{
    char *summary;

    hand_begin(65536);
    hand_barrier(0, 1, 0);
    hand_barrier(1, 0, 1);
    hand_end();
    run_input((struct simulation_options){0});
    ck_assert_uint_eq(count(" WAIT_OPEN "), 2);
    ck_assert_uint_eq(count("[AMD.DEPENDS]"), 2);
    summary = summary_text(false);
    ck_assert_msg(strstr(summary, "work is left: 2 things wait for ever\n") != NULL, "%s", summary);
    ck_assert_msg(strstr(summary,
                         "  a deadlock: each waits for the next one, the last for the "
                         "first\n  +-> queue 1025 waits for semaphore at 0x108000") != NULL,
                  "%s", summary);
    ck_assert_msg(strstr(summary, "  |   queue 1024 waits for semaphore at 0x108040") != NULL, "%s",
                  summary);
    free(summary);
    summary = summary_text(true);
    ck_assert_msg(strstr(summary, "\"deadlock\"") != NULL, "%s", summary);
    free(summary);
}
END_TEST

/* A kernel that is under way, and whose end never comes (RULE_GFE_LOST). */
START_TEST(what_is_under_way_and_does_not_come_is_lost)
{
    load();
    run_input((struct simulation_options){.lost_event = LOST_EVENT});
    ck_assert_uint_ge(count("[GFE.LOST]"), 1);
    ck_assert_uint_lt(count(" GRID_END "), KERNELS);
}
END_TEST

/* A queue behind another: a chain, and no cycle. */
START_TEST(a_barrier_whose_signal_nobody_completes_is_no_deadlock)
{
    char *summary;

    hand_begin(65536);
    hand_barrier(0, 2, 0);
    hand_store(SIGNALS + 2 * SIGNAL_BYTES + 8, 1);
    hand_barrier(1, 0, 1);
    hand_end();
    run_input((struct simulation_options){0});
    summary = summary_text(false);
    ck_assert_msg(strstr(summary, "work is left: 2 things wait for ever\n"
                                  "      queue 1025 waits for semaphore at 0x108000") != NULL,
                  "%s", summary);
    ck_assert_msg(strstr(summary, "\n        queue 1024 waits for semaphore at 0x108080") != NULL,
                  "%s", summary);
    ck_assert_ptr_null(strstr(summary, "a deadlock"));
    free(summary);
}
END_TEST

/* A completion signal where nothing is mapped: the lines of the kernel's log, in the summary; and
 * the program, which waits for its event of memory exceptions, goes on. */
START_TEST(a_page_fault_is_told_as_the_kernel_tells_it)
{
    static const char *const lines[] = {
        "amdgpu 0000:03:00.0: amdgpu: [gfxhub0] no-retry page fault (src_id:0 ring:24 vmid:8 "
        "pasid:32768, for process  pid 0 thread  pid 0)\n",
        "amdgpu 0000:03:00.0: amdgpu:   in page starting at address 0x00007f1234567000 from IH "
        "client 0x1b (UTCL2)\n",
        "amdgpu 0000:03:00.0: amdgpu: VM_L2_PROTECTION_FAULT_STATUS:0x00800A30\n",
        "amdgpu 0000:03:00.0: amdgpu: \t Faulty UTCL2 client ID: CPC (0x5)\n",
        "amdgpu 0000:03:00.0: amdgpu: \t MORE_FAULTS: 0x0\n",
        "amdgpu 0000:03:00.0: amdgpu: \t WALKER_ERROR: 0x0\n",
        "amdgpu 0000:03:00.0: amdgpu: \t PERMISSION_FAULTS: 0x3\n",
        "amdgpu 0000:03:00.0: amdgpu: \t MAPPING_ERROR: 0x0\n",
        "amdgpu 0000:03:00.0: amdgpu: \t RW: 0x0\n",
        "amdgpu: Evicting PASID 0x8000 queues\n"};
    static const uint32_t event = EVENT;
    static const uint8_t barrier[64] = {
        3, [57] = 0x70, [58] = 0x56, [59] = 0x34, [60] = 0x12, [61] = 0x7f};
    const struct summary_notes notes = {0};
    struct gfe_error error = {0};
    struct trace_record record;
    char *summary, *at;
    size_t bytes;
    FILE *memory;

    hand_begin(65536);
    record = head_of(TRACE_EVENT);
    record.event = (struct trace_event){.what = TRACE_EVENT_CREATE, .event_id = EVENT, .kind = 8};
    put(record);
    hand_queue(1, 0, TRACE_QUEUE_AQL);
    record = head_of(TRACE_PACKET);
    record.packet = (struct trace_packet){
        .what = TRACE_PACKET_AQL, .address = RING, .data = {barrier, sizeof barrier}};
    put(record);
    put(head_of(TRACE_DOORBELL));
    record = head_of(TRACE_EVENT_WAIT);
    record.event_wait = (struct trace_event_wait){
        .events = {(const uint8_t *)&event, sizeof event}, .all = 1, .end_ns = 60000};
    put(record);
    hand_end();
    run_input((struct simulation_options){0});
    ck_assert_uint_eq(count(" AMDGPU_VM_FAULT "), 1);
    ck_assert_msg(strstr(text, "type=8 event_count=1 address=0x7f1234567000") != NULL, "%s", text);
    ck_assert_uint_eq(count(" WAIT_OPEN "), 0); /* the program was woken */
    event_log_close(log_);
    log_ = event_log_open(file.path, &error);
    memory = open_memstream(&summary, &bytes);
    ck_assert_msg(summary_print(memory, log_, &notes, false, &error), "%s", error.text);
    ck_assert_int_eq(fclose(memory), 0);
    at = summary;
    for (uint32_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        at = strstr(at, lines[i]);
        ck_assert_msg(at != NULL, "%s\n%s", lines[i], summary);
    }
    free(summary);
}
END_TEST

static const struct {
    uint32_t gpu_id, as_id;
    uint8_t what;
    uint64_t map_bytes; /* 0: no memory */
    const char *message;
} wrong[] = {
    {1, 0, TRACE_QUEUE_PM4, 65536, "PM4 packets is not modelled yet"},
    {2, 0, TRACE_QUEUE_AQL, 65536, "second GPU"},
    {1, 7, TRACE_QUEUE_AQL, 65536, "a queue comes to be twice, nowhere"},
    {1, 0, TRACE_QUEUE_AQL, 0, "not mapped"},
    {1, 0, TRACE_QUEUE_AQL, 100, "not by whole pages"},
};

START_TEST(what_is_not_modelled_says_so_in_one_line)
{
    static const uint8_t packet[64] = {3};
    struct gfe_error error = {0};
    struct trace_record record;

    hand_begin(wrong[_i].map_bytes);
    hand_queue(wrong[_i].gpu_id, wrong[_i].as_id, wrong[_i].what);
    record = head_of(TRACE_PACKET);
    record.packet = (struct trace_packet){
        .what = TRACE_PACKET_AQL, .address = RING, .data = {packet, sizeof packet}};
    put(record);
    hand_end();
    ck_assert(!run((struct simulation_options){0}, &error));
    ck_assert_msg(strstr(error.text, wrong[_i].message) != NULL, "%s", error.text);
    ck_assert_ptr_null(strchr(error.text, '\n'));
}
END_TEST

Suite *kfd_simulation_suite(void)
{
    Suite *suite = suite_create("kfd_simulation");
    TCase *tcase = tcase_create("all");

    tcase_add_checked_fixture(tcase, NULL, teardown);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, a_recorded_program_gives_its_golden_log);
    tcase_add_test(tcase, all_its_kernels_run_and_its_signals_end_as_recorded);
    tcase_add_test(tcase, waits_are_of_the_emulated_gpu);
    tcase_add_test(tcase, an_open_loop_waits_for_nothing);
    tcase_add_test(tcase, durations_are_a_parameter);
    tcase_add_loop_test(tcase, hip_streams_copy_launch_and_copy_back, 0, 2);
    tcase_add_loop_test(tcase, a_recording_is_for_its_own_gpu, 0, 2);
    tcase_add_loop_test(tcase, a_signal_that_stays_above_is_not_reached, 0, 2);
    tcase_add_test(tcase, what_is_under_way_and_does_not_come_is_lost);
    tcase_add_test(tcase, barriers_that_wait_for_each_other_are_a_deadlock);
    tcase_add_test(tcase, a_barrier_whose_signal_nobody_completes_is_no_deadlock);
    tcase_add_test(tcase, a_page_fault_is_told_as_the_kernel_tells_it);
    tcase_add_loop_test(tcase, an_sdma_queue_runs_its_packets, 0, 2);
    tcase_add_loop_test(tcase, a_full_ring_holds_the_program_up, 0, 2);
    tcase_add_loop_test(tcase, a_kernel_comes_behind_the_copy_that_loads_it, 0, 2);
    tcase_add_loop_test(tcase, what_is_not_modelled_says_so_in_one_line, 0,
                        sizeof wrong / sizeof wrong[0]);
    suite_add_tcase(suite, tcase);
    return suite;
}
