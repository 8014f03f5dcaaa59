/* SPDX-License-Identifier: MIT */
/* Value change dumps, read back by a parser of the test's own: the form, and what each unit's
 * signals are at which time.  tests/test_show_vcd.sh compares dumps of whole programs with the CSV.
 */
#include <config.h>

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/amd/amd_mec_tables.h"
#include "devices/amd/amd_tables.h"
#include "emu/views/vcd/show_vcd.h"
#include "tests/show_loaded.h"
#include "tests/suites.h"

/* ---- the parser ------------------------------------------------------------------------------ */

enum { VARS_MAX = 256, CHANGES_MAX = 2048 };

struct var {
    char path[160], code[8];
    bool is_text, has_value;
    int bits;
};

struct change {
    gfe_ps time_ps;
    uint32_t var;
    char value[72]; /* of a vector: decimal */
};

static struct {
    struct var vars[VARS_MAX];
    struct change changes[CHANGES_MAX];
    uint32_t var_count, change_count;
    gfe_ps begin_ps, end_ps;
} dump;

static char *text;
static size_t text_bytes;

static void teardown(void)
{
    free(text);
    text = NULL;
}

/* The next word; NULL: the text is at its end. */
static char *word(char **at)
{
    char *begin = *at + strspn(*at, " \n");

    if (*begin == '\0')
        return NULL;
    *at = begin + strcspn(begin, " \n");
    if (**at)
        *(*at)++ = '\0';
    return begin;
}

static void expect(char **at, const char *wanted)
{
    const char *found = word(at);

    ck_assert_ptr_nonnull(found);
    ck_assert_str_eq(found, wanted);
}

static void declare(char **at, const char *scope)
{
    struct var *var = &dump.vars[dump.var_count++];
    const char *type = word(at);

    ck_assert_uint_lt(dump.var_count, VARS_MAX);
    *var = (struct var){.is_text = strcmp(type, "string") == 0};
    ck_assert(var->is_text || strcmp(type, "wire") == 0);
    var->bits = atoi(word(at));
    ck_assert_int_eq(var->bits == 1, var->is_text);
    (void)snprintf(var->code, sizeof var->code, "%s", word(at));
    (void)snprintf(var->path, sizeof var->path, "%s/%s", scope, word(at));
    for (const char *c = var->code; *c; c++)
        ck_assert(*c >= '!' && *c <= '~');
    for (uint32_t i = 0; i + 1 < dump.var_count; i++) {
        ck_assert_str_ne(dump.vars[i].code, var->code);
        ck_assert_str_ne(dump.vars[i].path, var->path);
    }
    if (!var->is_text) {
        char range[16];
        (void)snprintf(range, sizeof range, "[%d:0]", var->bits - 1);
        expect(at, range);
    }
    expect(at, "$end");
}

static void head_read(char **at)
{
    char scope[128] = "";
    const char *found;

    expect(at, "$version");
    expect(at, "gfe");
    ck_assert_str_eq(word(at), VERSION);
    expect(at, "$end");
    expect(at, "$timescale");
    expect(at, "1");
    expect(at, "ps");
    expect(at, "$end");
    while ((found = word(at)) != NULL && strcmp(found, "$enddefinitions") != 0) {
        if (strcmp(found, "$scope") == 0) {
            expect(at, "module");
            const size_t length = strlen(scope);
            (void)snprintf(scope + length, sizeof scope - length, "/%s", word(at));
            expect(at, "$end");
        } else if (strcmp(found, "$upscope") == 0) {
            ck_assert_ptr_nonnull(strrchr(scope, '/'));
            *strrchr(scope, '/') = '\0';
            expect(at, "$end");
        } else {
            ck_assert_str_eq(found, "$var");
            declare(at, scope);
        }
    }
    ck_assert_str_eq(scope, "");
    expect(at, "$end");
}

static const struct change *last_change(uint32_t var, gfe_ps time_ps)
{
    for (uint32_t i = dump.change_count; i-- > 0;)
        if (dump.changes[i].var == var && dump.changes[i].time_ps <= time_ps)
            return &dump.changes[i];
    return NULL;
}

/* "b101 !" or "sTEXT !": a value that is another one than before. */
static void value_read(char *value, char **at, gfe_ps now_ps)
{
    struct change *change = &dump.changes[dump.change_count];
    const char *code = word(at);
    uint32_t var = 0;

    ck_assert_uint_lt(dump.change_count, CHANGES_MAX);
    ck_assert_ptr_nonnull(code);
    while (var < dump.var_count && strcmp(dump.vars[var].code, code) != 0)
        var++;
    ck_assert_uint_lt(var, dump.var_count);
    ck_assert_int_eq(*value, dump.vars[var].is_text ? 's' : 'b');
    *change = (struct change){.time_ps = now_ps, .var = var};
    if (*value == 'b')
        ck_assert_int_le((int)strlen(value + 1), dump.vars[var].bits);
    if (*value == 'b')
        (void)snprintf(change->value, sizeof change->value, "%" PRIu64,
                       (uint64_t)strtoull(value + 1, NULL, 2));
    else
        (void)snprintf(change->value, sizeof change->value, "%s", value + 1);
    const struct change *before = last_change(var, now_ps);
    if (before) {
        ck_assert_uint_lt(before->time_ps + (before->time_ps == dump.begin_ps ? 0 : 1), now_ps + 1);
        ck_assert_str_ne(before->value, change->value);
    }
    dump.vars[var].has_value = true;
    dump.change_count++;
}

static void body_read(char **at)
{
    gfe_ps now_ps = 0;
    char *found;

    found = word(at);
    ck_assert_int_eq(*found, '#');
    dump.begin_ps = now_ps = strtoull(found + 1, NULL, 10);
    expect(at, "$dumpvars");
    while ((found = word(at)) != NULL && strcmp(found, "$end") != 0)
        value_read(found, at, now_ps);
    ck_assert_uint_eq(dump.change_count, dump.var_count);
    for (uint32_t i = 0; i < dump.var_count; i++)
        ck_assert_msg(dump.vars[i].has_value, "%s", dump.vars[i].path);
    while ((found = word(at)) != NULL) {
        if (*found != '#') {
            value_read(found, at, now_ps);
            continue;
        }
        const gfe_ps next_ps = strtoull(found + 1, NULL, 10);
        ck_assert_uint_gt(next_ps, now_ps);
        now_ps = next_ps;
    }
    dump.end_ps = now_ps;
}

static void take_dump(const char *path, gfe_ps from_ps, gfe_ps to_ps)
{
    struct gfe_error error = {0};
    struct event_log_reader *log = event_log_open(path, &error);
    FILE *file = open_memstream(&text, &text_bytes);
    char *at;

    ck_assert_msg(log != NULL, "%s", error.text);
    ck_assert_msg(show_vcd(file, log, from_ps, to_ps, 0, &error), "%s", error.text);
    ck_assert_int_eq(fclose(file), 0);
    event_log_close(log);
    memset(&dump, 0, sizeof dump);
    at = text;
    head_read(&at);
    body_read(&at);
}

static void is(const char *path, gfe_ps time_ps, const char *value)
{
    uint32_t var = 0;

    while (var < dump.var_count && strcmp(dump.vars[var].path, path) != 0)
        var++;
    ck_assert_msg(var < dump.var_count, "there is no %s", path);
    const struct change *change = last_change(var, time_ps);
    ck_assert_ptr_nonnull(change);
    ck_assert_msg(strcmp(change->value, value) == 0, "%s at %" PRIu64 ": %s", path, time_ps,
                  change->value);
}

/* ---- NVIDIA ---------------------------------------------------------------------------------- */

/* Two channels of two TSGs; the second takes the SMs away from the first's grid for a while. */
static void nvidia_scene(struct log_fixture *f)
{
    LOG_ADD(f, NS(1), EVENT_NV_CHANNEL_BIND, RULE_NONE, 3, 0x1000);
    LOG_ADD(f, NS(2), EVENT_NV_CHANNEL_ENABLE, RULE_NONE, 3, 1);
    LOG_ADD(f, NS(3), EVENT_NV_RUNLIST_SUBMIT, RULE_NONE, 0, 0x2000, 4);
    LOG_ADD(f, NS(4), EVENT_CPU_SUBMIT, RULE_NONE, 1, 3, 1, 64, 0);
    LOG_ADD(f, NS(4), EVENT_NV_DOORBELL, RULE_NONE, 3, 1);
    LOG_ADD(f, NS(5), EVENT_CPU_SUBMIT_RETURN, RULE_NONE, 1, 3, 0);
    LOG_ADD(f, NS(5), EVENT_NV_TSG_START, RULE_NONE, 0, 8, US(2));
    LOG_ADD(f, NS(6), EVENT_NV_CHANNEL_LOAD, RULE_NONE, 3, 0, 0, 0, 1);
    LOG_ADD(f, NS(7), EVENT_NV_CONTEXT_LOAD, RULE_NONE, 0, 8, 3, 0);
    LOG_ADD(f, NS(8), EVENT_NV_GP_FETCH, RULE_NONE, 3, 0, 0, 0x100, 16, 0, 1, 0);
    LOG_ADD(f, NS(9), EVENT_GRID_QUEUE, RULE_NONE, 1, 3, 3, 256, 0, 8, 1, 0);
    LOG_ADD(f, NS(10), EVENT_NV_SEGMENT_END, RULE_NONE, 3, 0, 0, 16, 1);
    LOG_ADD(f, NS(11), EVENT_GRID_START, RULE_NONE, 1, 3);
    LOG_ADD(f, NS(11), EVENT_BLOCK_START, RULE_NONE, 1, 0, 0, 0);
    LOG_ADD(f, NS(11), EVENT_BLOCK_START, RULE_NONE, 1, 1, 0, 1);
    LOG_ADD(f, NS(11), EVENT_BLOCK_START, RULE_NONE, 1, 2, 1, 0);
    LOG_ADD(f, NS(12), EVENT_NV_TSG_END, RULE_NONE, 0, 8, 0, 0);
    LOG_ADD(f, NS(12), EVENT_GRID_SUSPEND, RULE_NONE, 1, 3, 3);
    LOG_ADD(f, NS(13), EVENT_NV_CHANNEL_SAVE, RULE_NONE, 3, 0, 0, 1, 1);
    LOG_ADD(f, NS(13), EVENT_COPY_QUEUE, RULE_NONE, 5, 4, 2, 4096, 0, 0, 1);
    LOG_ADD(f, NS(14), EVENT_COPY_START, RULE_NONE, 5, 4, 2, 4096, 4096, 0, 1);
    LOG_ADD(f, NS(20), EVENT_GRID_RESUME, RULE_T_P1, 1, 3, NS(12), 4);
    LOG_ADD(f, NS(20), EVENT_NV_PBDMA_INTR, RULE_NONE, 4, 0, 3, 0, 0);
    LOG_ADD(f, NS(21), EVENT_NV_PBDMA_INTR_CLEAR, RULE_NONE, 4, 0, 8);
    LOG_ADD(f, NS(22), EVENT_WAIT, RULE_T_P1, NS(12), SUBJECT_GRID, 1, SUBJECT_CHANNEL, 4);
    LOG_ADD(f, NS(23), EVENT_BLOCK_END, RULE_NONE, 1, 0, 0, 0);
    LOG_ADD(f, NS(24), EVENT_COPY_END, RULE_NONE, 5, 4, 2, 4096, 0);
    LOG_ADD(f, NS(25), EVENT_BLOCK_END, RULE_NONE, 1, 1, 0, 1);
    LOG_ADD(f, NS(25), EVENT_BLOCK_END, RULE_NONE, 1, 2, 1, 0);
    LOG_ADD(f, NS(25), EVENT_GRID_END, RULE_NONE, 1, 3, 0, 0);
    LOG_ADD(f, NS(30), EVENT_NV_CHANNEL_STOP, RULE_NONE, 3, 1);
}

#define TOP "/gtx1060"

static void nvidia_begin(struct log_fixture *fixture)
{
    log_fixture_begin(fixture);
    nvidia_scene(fixture);
    log_fixture_end(fixture);
}

/* PROMISE (views): Value change dumps have the signals of each kind of unit at the right times. */
START_TEST(signals_of_nvidias_units)
{
    struct log_fixture fixture;

    nvidia_begin(&fixture);
    take_dump(fixture.path, 0, GFE_PS_NEVER);
    is(TOP "/channels/channel_3/state", NS(0), "known");
    is(TOP "/channels/channel_3/state", NS(1), "bound");
    is(TOP "/channels/channel_3/state", NS(2), "enabled");
    is(TOP "/channels/channel_3/state", NS(6), "on_pbdma");
    is(TOP "/channels/channel_3/state", NS(13), "enabled");
    is(TOP "/channels/channel_3/state", NS(30), "stopped");
    is(TOP "/channels/channel_3/gp_put", NS(4), "1");
    is(TOP "/channels/channel_3/running", NS(11), "1");
    is(TOP "/channels/channel_3/running", NS(12), "0");
    is(TOP "/channels/channel_3/running", NS(20), "1");
    is(TOP "/channels/channel_3/last_wait", NS(21), "none");
    is(TOP "/channels/channel_3/last_wait", NS(22), "T.P1");
    is(TOP "/gpu/all/last_wait", NS(22), "T.P1");
    is(TOP "/program/thread_0/state", NS(4), "in_driver");
    is(TOP "/program/thread_0/state", NS(5), "runs");
    is(TOP "/tsgs/tsg_8/state", NS(5), "on");
    is(TOP "/tsgs/tsg_8/state", NS(12), "off");
    is(TOP "/tsgs/tsg_8/runlist", NS(12), "runlist_0");
    is(TOP "/runlists/runlist_0/entries", NS(3), "4");
    is(TOP "/runlists/runlist_0/tsg", NS(11), "tsg_8");
    is(TOP "/runlists/runlist_0/tsg", NS(12), "none");
    is(TOP "/pbdmas/PBDMA_0/state", NS(6), "loaded");
    is(TOP "/pbdmas/PBDMA_0/state", NS(9), "methods");
    is(TOP "/pbdmas/PBDMA_0/state", NS(10), "loaded");
    is(TOP "/pbdmas/PBDMA_0/state", NS(13), "idle");
    is(TOP "/pbdmas/PBDMA_0/state", NS(20), "frozen");
    is(TOP "/pbdmas/PBDMA_0/state", NS(21), "idle");
    is(TOP "/pbdmas/PBDMA_0/channel", NS(12), "channel_3");
    is(TOP "/engines/engine_0/context", NS(7), "tsg_8");
    is(TOP "/engines/engine_0/operation", NS(11), "K1");
    is(TOP "/engines/engine_0/state", NS(12), "idle");
    is(TOP "/engines/engine_0/state", NS(24), "busy");
    is(TOP "/engines/engine_0/operation", NS(25), "none");
    is(TOP "/sms/SM_0/blocks", NS(11), "2");
    is(TOP "/sms/SM_0/threads", NS(11), "512");
    is(TOP "/sms/SM_0/blocks", NS(12), "0");
    is(TOP "/sms/SM_0/blocks", NS(20), "2");
    is(TOP "/sms/SM_0/blocks", NS(23), "1");
    is(TOP "/sms/SM_1/threads", NS(24), "256");
    is(TOP "/gpu/all/blocks", NS(11), "3");
    is(TOP "/gpu/all/busy_sms", NS(11), "2");
    is(TOP "/gpu/all/busy_sms", NS(25), "0");
    is(TOP "/gpu/all/grids", NS(25), "0");
    is(TOP "/gpu/all/copies", NS(14), "1");
    ck_assert_uint_eq(dump.begin_ps, 0);
    ck_assert_uint_eq(dump.end_ps, NS(30));
    log_fixture_remove(&fixture);
}
END_TEST

/* What holds at its beginning is told there, what changes behind its end is not. */
START_TEST(a_window_begins_with_what_holds)
{
    struct log_fixture fixture;

    nvidia_begin(&fixture);
    take_dump(fixture.path, NS(15), NS(22));
    ck_assert_uint_eq(dump.begin_ps, NS(15));
    ck_assert_uint_eq(dump.end_ps, NS(22));
    is(TOP "/channels/channel_3/state", NS(15), "enabled");
    is(TOP "/engines/engine_0/context", NS(15), "tsg_8");
    is(TOP "/sms/SM_0/blocks", NS(15), "0");
    is(TOP "/sms/SM_0/blocks", NS(22), "2");
    is(TOP "/channels/channel_3/last_wait", NS(22), "T.P1");
    for (uint32_t i = 0; i < dump.change_count; i++)
        ck_assert_uint_le(dump.changes[i].time_ps, NS(22));
    teardown();
    take_dump(fixture.path, NS(14), NS(14)); /* a moment */
    is(TOP "/gpu/all/copies", NS(14), "1");
    teardown();
    take_dump(fixture.path, US(1), US(2)); /* behind its end */
    is(TOP "/channels/channel_3/state", US(1), "stopped");
    log_fixture_remove(&fixture);
}
END_TEST

/* ---- AMD ------------------------------------------------------------------------------------- */

START_TEST(signals_of_amds_units)
{
    struct loaded loaded;

    load_amd(&loaded, "3 2");
    take_dump(loaded.fixture.path, 0, GFE_PS_NEVER);
    is("/radeon-vii/slots/ACE_0_2/state", US(2), "loading");
    is("/radeon-vii/slots/ACE_0_2/state", US(3), "loaded");
    is("/radeon-vii/slots/ACE_0_2/queue", US(3), "queue_1024");
    is("/radeon-vii/queues/queue_1024/slot", US(3), "ACE_0_2");
    is("/radeon-vii/queues/queue_1024/state", US(3), "in_slot");
    is("/radeon-vii/queues/queue_1024/read_index", US(61), "2");
    is("/radeon-vii/queues/queue_1024/last_wait", US(62), "A.Q3");
    is("/radeon-vii/queues/queue_1280/write_index", US(50), "64");
    is("/radeon-vii/engines/SDMA_1/operation", US(50), "C1");
    is("/radeon-vii/engines/SDMA_1/state", US(55), "idle");
    is("/radeon-vii/cus/CU_1_1/blocks", US(59), "1");
    is("/radeon-vii/shader_engines/SE_1/blocks", US(59), "1");
    is("/radeon-vii/cus/CU_1_1/blocks", US(60), "0");
    is("/radeon-vii/gpu/all/blocks", US(60), "0");
    unload(&loaded);
}
END_TEST

/* Every count is as the timeline has it, at every time at which one changes. */
START_TEST(blocks_are_those_of_the_timeline)
{
    struct loaded loaded;

    load_amd(&loaded, "3 2");
    take_dump(loaded.fixture.path, 0, GFE_PS_NEVER);
    for (uint32_t t = 0; t < loaded.show.track_count; t++) {
        const struct show_track *track = &loaded.show.tracks[t];
        char path[64], name[32], count[16];

        if (track->kind != SHOW_SM)
            continue;
        (void)snprintf(name, sizeof name, "%s", track->name);
        for (char *c = name; *c; c++)
            *c = *c == ' ' || *c == '.' ? '_' : *c;
        (void)snprintf(path, sizeof path, "/radeon-vii/cus/%s/blocks", name);
        for (uint32_t c = 0; c < dump.change_count; c++) {
            const gfe_ps at = dump.changes[c].time_ps;
            uint32_t blocks = 0;
            for (uint32_t i = 0; i < track->item_count; i++)
                blocks += track->items[i].kind == SHOW_BLOCK && track->items[i].begin_ps <= at &&
                          track->items[i].end_ps > at;
            (void)snprintf(count, sizeof count, "%" PRIu32, blocks);
            is(path, at, count);
        }
    }
    unload(&loaded);
}
END_TEST

/* ---- what no machine does -------------------------------------------------------------------- */

START_TEST(what_was_never_begun_changes_nothing)
{
    struct log_fixture fixture;

    log_fixture_begin(&fixture);
    LOG_ADD(&fixture, 1, EVENT_GRID_START, RULE_NONE, 7, 3);
    LOG_ADD(&fixture, 2, EVENT_BLOCK_START, RULE_NONE, 7, 0, 0, 0);
    LOG_ADD(&fixture, 3, EVENT_GRID_QUEUE, RULE_NONE, 8, 3, 1, 64, 0, 8, 1, 0);
    LOG_ADD(&fixture, 4, EVENT_BLOCK_END, RULE_NONE, 8, 0, 0, 0);
    LOG_ADD(&fixture, 4, EVENT_BLOCK_START, RULE_NONE, 8, 0, UINT32_MAX, 0);
    LOG_ADD(&fixture, 5, EVENT_GRID_RESUME, RULE_NONE, 8, 3, 0, 4);
    LOG_ADD(&fixture, 6, EVENT_COPY_SUSPEND, RULE_NONE, 1, 3, 2, 0);
    LOG_ADD(&fixture, 7, EVENT_GRID_END, RULE_NONE, 8, 3, 0, 0);
    LOG_ADD(&fixture, 8, EVENT_GRID_END, RULE_NONE, 8, 3, 0, 0);
    log_fixture_end(&fixture);
    take_dump(fixture.path, 0, GFE_PS_NEVER);
    is(TOP "/gpu/all/blocks", 8, "0");
    is(TOP "/gpu/all/grids", 8, "0");
    is(TOP "/channels/channel_3/running", 8, "0");
    log_fixture_remove(&fixture);
}
END_TEST

/* Operations in the thousands that end in any order; numbers that begin again. */
START_TEST(operations_come_and_go)
{
    enum { COPIES = 3000 };
    struct log_fixture fixture;
    gfe_ps now_ps = 0;

    log_fixture_begin(&fixture);
    for (uint64_t i = 0; i < COPIES; i++) {
        LOG_ADD(&fixture, now_ps, EVENT_COPY_QUEUE, RULE_NONE, i * 64, i % 4, 2, 1, 0, 0, 0);
        LOG_ADD(&fixture, now_ps, EVENT_COPY_START, RULE_NONE, i * 64, i % 4, 2, 1, 1, 0, 0);
    }
    now_ps = 10;
    for (uint64_t i = 0; i < COPIES; i++) /* 1,009 is no divisor */
        LOG_ADD(&fixture, now_ps + i / 1500, EVENT_COPY_END, RULE_NONE, i * 1009 % COPIES * 64, 0,
                2, 1, 0);
    log_fixture_end(&fixture);
    take_dump(fixture.path, 0, GFE_PS_NEVER);
    is(TOP "/gpu/all/copies", 0, "3000");
    is(TOP "/gpu/all/copies", 10, "1500");
    is(TOP "/gpu/all/copies", 11, "0");
    log_fixture_remove(&fixture);
}
END_TEST

/* A fault ends the copy of its unit: the engine is idle, and the log has no event for that. */
START_TEST(a_lost_copy_leaves_its_engine)
{
    struct log_fixture fixture;

    log_fixture_begin(&fixture);
    LOG_ADD(&fixture, 1, EVENT_COPY_QUEUE, RULE_NONE, 4, 1, 2, 4096, 0, 0, 0);
    LOG_ADD(&fixture, 2, EVENT_COPY_START, RULE_NONE, 4, 1, 2, 4096);
    LOG_ADD(&fixture, 5, EVENT_NV_MMU_FAULT, RULE_NONE, 1, 0x1000, 1, 0, 0);
    LOG_ADD(&fixture, 9, EVENT_FENCE, RULE_NONE, 0, 0x1000, 5, 4, 1);
    log_fixture_end(&fixture);
    take_dump(fixture.path, 0, GFE_PS_NEVER);
    is(TOP "/gpu/all/copies", 4, "1");
    is(TOP "/gpu/all/copies", 5, "0");
    log_fixture_remove(&fixture);
}
END_TEST

START_TEST(units_are_bounded)
{
    struct gfe_error error = {0};
    struct log_fixture fixture;
    struct event_log_reader *log;
    FILE *file = open_memstream(&text, &text_bytes);

    log_fixture_begin(&fixture);
    for (uint64_t i = 0; i < SHOW_VCD_UNITS_MAX; i++)
        LOG_ADD(&fixture, 0, EVENT_NV_CHANNEL_BIND, RULE_NONE, i, 0);
    log_fixture_end(&fixture);
    log = event_log_open(fixture.path, &error);
    ck_assert(!show_vcd(file, log, 0, GFE_PS_NEVER, 0, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "more than 65536 units"));
    (void)fclose(file);
    event_log_close(log);
    log_fixture_remove(&fixture);
}
END_TEST

Suite *show_vcd_suite(void)
{
    Suite *suite = suite_create("show_vcd");
    TCase *tcase = tcase_create("dumps");

    tcase_add_checked_fixture(tcase, NULL, teardown);
    tcase_add_test(tcase, signals_of_nvidias_units);
    tcase_add_test(tcase, a_window_begins_with_what_holds);
    tcase_add_test(tcase, signals_of_amds_units);
    tcase_add_test(tcase, blocks_are_those_of_the_timeline);
    tcase_add_test(tcase, what_was_never_begun_changes_nothing);
    tcase_add_test(tcase, operations_come_and_go);
    tcase_add_test(tcase, a_lost_copy_leaves_its_engine);
    tcase_add_test(tcase, units_are_bounded);
    suite_add_tcase(suite, tcase);
    return suite;
}
