/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_log_head.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "emu/log/event_log.h"
#include "tests/fuzz/fuzz_file.h"

enum { NUMBERS_MAX = 1024 };

/* All that can be asked of the head. */
static void head_ask(const struct event_log_reader *log)
{
    static const char *const keys[] = {"gpu", "trace", "driver model", "loop", "pokes", "\""};
    uint64_t value;

    fuzz_must(event_log_head_json(log) != NULL);
    for (uint32_t i = 0; i < NUMBERS_MAX; i++) {
        const struct event_log_kind *kind = event_log_kind(log, i);
        const struct event_log_rule *rule = event_log_rule(log, i);

        (void)event_log_unit(log, i);
        (void)event_log_engine(log, i);
        if (kind && kind->name)
            fuzz_must(event_log_kind_by_name(log, kind->name) != UINT32_MAX &&
                      kind->argument_count <= EVENT_ARGUMENTS_MAX);
        if (rule && rule->label)
            fuzz_must(strlen(rule->label) > 0 || rule->label[0] == 0);
    }
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        (void)event_log_run(log, keys[i]);
        (void)event_log_host(log, keys[i]);
        (void)event_log_parameter(log, keys[i], &value);
    }
}

int fuzz_log_head(const uint8_t *data, size_t bytes)
{
    static const uint8_t events[] = {2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    char path[FUZZ_PATH_BYTES];
    const int fd = fuzz_file_new(path);
    struct gfe_error error = {0};
    struct event_log_reader *log;
    struct log_event event;

    fuzz_log_write(fd, data, bytes > 0 ? bytes : 0, events, sizeof events);
    log = event_log_open(path, &error);
    fuzz_error_check(&error, log != NULL);
    if (log) {
        head_ask(log);
        while (event_log_read(log, &event, &error) == EVENT_LOG_GOT)
            ;
    }
    event_log_close(log);
    close(fd);
    return 0;
}

#ifdef GFE_FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    return fuzz_log_head(data, bytes);
}
#endif
