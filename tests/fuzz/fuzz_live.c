/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_live.h"

#include <stdlib.h>
#include <string.h>

#include "emu/log/event_list.h"
#include "emu/log/event_log.h"
#include "emu/log/event_log_head.h"
#include "emu/sim/live_tables.h"
#include "tests/fuzz/fuzz_file.h"

/* Made once: the input does not change it. */
static const char *live_head(void)
{
    static const struct table_set *sets[2];
    static const char *const units[] = {"gpu", "kfd", "live"};
    static char *head;

    sets[0] = &emu_tables;
    sets[1] = &live_tables;
    if (!head)
        head = event_log_head_build(&(struct event_log_head){
            .units = units, .unit_count = 3, .sets = sets, .set_count = 2});
    fuzz_must(head != NULL);
    return head;
}

static void events_read(struct event_log_reader *log)
{
    struct gfe_error error = {0};
    enum event_log_result result;
    struct log_event event;
    gfe_ps last_ps = 0;

    while ((result = event_log_read(log, &event, &error)) == EVENT_LOG_GOT) {
        const struct event_log_kind *kind = event_log_kind(log, event.kind);

        fuzz_must(kind && kind->argument_count == event.argument_count);
        fuzz_must(event.time_ps >= last_ps && event_log_unit(log, event.unit) != NULL);
        fuzz_must(event.rule == 0 || event_log_rule(log, event.rule) != NULL);
        last_ps = event.time_ps;
    }
    fuzz_error_check(&error, result != EVENT_LOG_FAILED);
}

int fuzz_live(const uint8_t *data, size_t bytes)
{
    static const uint16_t kinds[] = {CHUNK_LOG_HEAD, CHUNK_LOG_EVENTS, CHUNK_LOG_END,
                                     CHUNK_LOG_HOST, CHUNK_LOG_HEAD};
    struct gfe_error error = {0};
    struct event_log_reader *log = event_log_reader_new("live", &error);
    bool good = true;

    fuzz_must(log != NULL);
    while (good && bytes > 3) {
        size_t length = data[1] | (size_t)data[2] << 8;
        struct chunk chunk = {.kind = kinds[data[0] % 5]};

        length = length < bytes - 3 ? length : bytes - 3;
        chunk.raw = data[0] % 5 == 4 ? (const uint8_t *)live_head() : data + 3;
        chunk.raw_bytes = (uint32_t)(data[0] % 5 == 4 ? strlen(live_head()) : length);
        good = event_log_feed(log, &chunk, &error);
        fuzz_error_check(&error, good);
        if (good && chunk.kind == CHUNK_LOG_EVENTS)
            events_read(log);
        data += 3 + length;
        bytes -= 3 + length;
    }
    event_log_close(log);
    return 0;
}

#ifdef GFE_FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    return fuzz_live(data, bytes);
}
#endif
