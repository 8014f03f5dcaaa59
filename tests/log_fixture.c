/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/event_log_append.h"
#include "tests/log_fixture.h"

#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "devices/amd/amd_mec_tables.h"
#include "devices/amd/amd_sdma_tables.h"
#include "devices/amd/amd_tables.h"
#include "emu/log/event_log_head.h"
#include "firmware-models/cuda/cuda_tables.h"
#include "firmware-models/hip/hip_tables.h"
#include "firmware-models/kfd/kfd_tables.h"
#include "firmware-models/nouveau/nouveau_tables.h"

/* Sets of its own: these tests do not depend on what the devices put beside their lists. */
static const struct event_kind_row emu_rows[] = {EMU_EVENTS(EVENT_ROW)};
static const struct event_kind_row core_rows[] = {CORE_EVENTS(EVENT_ROW)};
static const struct event_kind_row nv_rows[] = {NV_EVENTS(EVENT_ROW)};
static const struct event_kind_row cuda_rows[] = {CUDA_EVENTS(EVENT_ROW)};
static const struct event_kind_row driver_rows[] = {NOUVEAU_EVENTS(EVENT_ROW)};
static const struct rule core_rule_rows[] = {CORE_RULES(RULE_ROW)};

#define COUNT_OF(array) (uint32_t)(sizeof(array) / sizeof(array)[0])

static const struct table_set fixture_emu = {
    .name = "emu", .base = TABLE_EMU, .events = emu_rows, .event_count = COUNT_OF(emu_rows)};
static const struct table_set fixture_core = {.name = "core",
                                              .base = TABLE_CORE,
                                              .rules = core_rule_rows,
                                              .rule_count = COUNT_OF(core_rule_rows),
                                              .events = core_rows,
                                              .event_count = COUNT_OF(core_rows)};
static const struct table_set fixture_nv = {
    .name = "nvidia", .base = TABLE_NVIDIA, .events = nv_rows, .event_count = COUNT_OF(nv_rows)};
static const struct table_set fixture_driver = {.name = "nouveau",
                                                .base = TABLE_FIRMWARE_NVIDIA,
                                                .events = driver_rows,
                                                .event_count = COUNT_OF(driver_rows)};
/* Not in the usual head: for tests that bring their own. */
static const struct table_set fixture_cuda = {.name = "cuda",
                                              .base = TABLE_FIRMWARE_NVIDIA_CUDA,
                                              .events = cuda_rows,
                                              .event_count = COUNT_OF(cuda_rows)};
/* Those of the CUDA runtime come last: the usual head does without. */
static const struct table_set *const fixture_sets[] = {&fixture_emu, &fixture_core, &fixture_nv,
                                                       &fixture_driver, &fixture_cuda};

/* AMD's, likewise. */
static const struct event_kind_row amd_rows[] = {AMD_EVENTS(EVENT_ROW)};
static const struct event_kind_row amd_mec_rows[] = {AMD_MEC_EVENTS(EVENT_ROW)};
static const struct event_kind_row amd_sdma_rows[] = {AMD_SDMA_EVENTS(EVENT_ROW)};
static const struct event_kind_row kfd_rows[] = {KFD_EVENTS(EVENT_ROW)};
static const struct event_kind_row hip_rows[] = {HIP_EVENTS(EVENT_ROW)};
static const struct rule amd_rule_rows[] = {AMD_RULES(RULE_ROW)};
static const struct rule amd_mec_rule_rows[] = {AMD_MEC_RULES(RULE_ROW)};

static const struct table_set fixture_amd = {.name = "amd",
                                             .base = TABLE_AMD,
                                             .rules = amd_rule_rows,
                                             .rule_count = COUNT_OF(amd_rule_rows),
                                             .events = amd_rows,
                                             .event_count = COUNT_OF(amd_rows)};
static const struct table_set fixture_amd_mec = {.name = "amd_mec",
                                                 .base = TABLE_AMD_MEC,
                                                 .rules = amd_mec_rule_rows,
                                                 .rule_count = COUNT_OF(amd_mec_rule_rows),
                                                 .events = amd_mec_rows,
                                                 .event_count = COUNT_OF(amd_mec_rows)};
static const struct table_set fixture_amd_sdma = {.name = "amd_sdma",
                                                  .base = TABLE_AMD_SDMA,
                                                  .events = amd_sdma_rows,
                                                  .event_count = COUNT_OF(amd_sdma_rows)};
static const struct table_set fixture_kfd = {.name = "kfd",
                                             .base = TABLE_FIRMWARE_AMD,
                                             .events = kfd_rows,
                                             .event_count = COUNT_OF(kfd_rows)};
static const struct table_set fixture_hip = {
    .name = "hip", .base = TABLE_HIP, .events = hip_rows, .event_count = COUNT_OF(hip_rows)};

char *log_fixture_amd_head(const char *engine_cus)
{
    static const struct table_set *const sets[] = {
        &fixture_emu,      &fixture_core, &fixture_amd, &fixture_amd_mec,
        &fixture_amd_sdma, &fixture_kfd,  &fixture_hip};
    static const char *const units[] = {"amd"};
    const struct event_log_head_string run[] = {{"gpu", "radeon-vii"},
                                                {"driver_model", "kfd"},
                                                {"seed", "1"},
                                                {"version", "test"},
                                                {"engine_cus", engine_cus}};
    char *json = event_log_head_build(
        &(struct event_log_head){.run = run,
                                 .run_count = COUNT_OF(run) - (engine_cus ? 0 : 1),
                                 .units = units,
                                 .unit_count = COUNT_OF(units),
                                 .gpu = "radeon-vii",
                                 .chip = "Vega 20",
                                 .sets = sets,
                                 .set_count = COUNT_OF(sets)});

    ck_assert_ptr_nonnull(json);
    return json;
}

static char *head_build(uint32_t set_count, const char *program_json)
{
    static const struct event_log_head_string run[] = {
        {"gpu", "gtx1060"}, {"trace", "compute.gft"}, {"seed", "1"}, {"version", "test"}};
    static const char *const units[UNIT_COUNT] = {
        [UNIT_REPLAY] = "replay", [UNIT_DRIVER] = "nouveau", [UNIT_HOST] = "host",
        [UNIT_PBDMA] = "pbdma0",  [UNIT_GR] = "gr0",         [UNIT_CE] = "ce0"};
    char *json = event_log_head_build(&(struct event_log_head){.run = run,
                                                               .run_count = COUNT_OF(run),
                                                               .units = units,
                                                               .unit_count = UNIT_COUNT,
                                                               .gpu = "gtx1060",
                                                               .chip = "GP106",
                                                               .sets = fixture_sets,
                                                               .set_count = set_count,
                                                               .program_json = program_json});

    ck_assert_ptr_nonnull(json);
    return json;
}

char *log_fixture_head(void)
{
    return head_build(COUNT_OF(fixture_sets) - 1, NULL);
}

char *log_fixture_cuda_head(const char *program_json)
{
    return head_build(COUNT_OF(fixture_sets), program_json);
}

void log_fixture_begin(struct log_fixture *fixture)
{
    char *head = log_fixture_head();

    log_fixture_begin_with(fixture, head);
    free(head);
}

void log_fixture_begin_with(struct log_fixture *fixture, const char *head)
{
    const char *parent = getenv("TMPDIR");

    *fixture = (struct log_fixture){.origin = ORIGIN_RECORDED};
    (void)snprintf(fixture->folder, sizeof fixture->folder, "%s/gfe-log-XXXXXX",
                   parent && strlen(parent) < 40 ? parent : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(fixture->folder));
    (void)snprintf(fixture->path, sizeof fixture->path, "%s/test.gfl", fixture->folder);
    fixture->fd = open(fixture->path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
    ck_assert_int_ge(fixture->fd, 0);
    ck_assert(arena_init(&fixture->arena, NULL));
    fixture->writer = chunk_writer_new(fixture->fd, fixture->path, NULL);
    ck_assert_ptr_nonnull(fixture->writer);
    event_log_init(&fixture->log, arena_alloc(&fixture->arena, sizeof *fixture->log.cursor),
                   fixture->writer);
    ck_assert(event_log_head(&fixture->log, head, NULL));
}

/* Arguments that the kind has: those that a test leaves out are 0. */
static uint32_t argument_count_of(uint32_t kind)
{
    const struct table_set *const sets[] = {
        &fixture_emu, &fixture_core,   &fixture_nv,       &fixture_driver, &fixture_cuda,
        &amd_tables,  &amd_mec_tables, &fixture_amd_sdma, &kfd_tables,     &fixture_hip};

    for (size_t i = 0; i < COUNT_OF(sets); i++)
        if (kind >= sets[i]->base && kind < sets[i]->base + sets[i]->event_count)
            return event_kind_argument_count(&sets[i]->events[kind - sets[i]->base]);
    ck_abort_msg("there is no event of kind %u", kind);
}

void log_fixture_add(struct log_fixture *fixture, uint64_t time_ps, uint32_t kind, uint32_t rule,
                     uint32_t argument_count, const uint64_t *arguments)
{
    struct log_event event = {.time_ps = time_ps,
                              .kind = (uint16_t)kind,
                              .rule = (uint16_t)rule,
                              .origin = fixture->origin,
                              .argument_count = (uint8_t)argument_count_of(kind)};

    ck_assert_uint_le(argument_count, event.argument_count);
    memcpy(event.argument, arguments, argument_count * sizeof *arguments);
    event_log_append(&fixture->log, &event);
}

void log_fixture_end(struct log_fixture *fixture)
{
    char end[64];
    struct gfe_error error = {0};

    (void)snprintf(end, sizeof end, "{\"event_count\": %llu}",
                   (unsigned long long)fixture->log.cursor->event_count);
    ck_assert_msg(event_log_finish(&fixture->log, end, &error), "%s", error.text);
    ck_assert_msg(chunk_writer_finish(fixture->writer, &error), "%s", error.text);
    event_log_fini(&fixture->log);
    chunk_writer_free(fixture->writer);
    arena_fini(&fixture->arena);
    ck_assert_int_eq(close(fixture->fd), 0);
}

void log_fixture_remove(struct log_fixture *fixture)
{
    (void)unlink(fixture->path);
    (void)rmdir(fixture->folder);
}
