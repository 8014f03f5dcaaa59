/* SPDX-License-Identifier: MIT */
/*
 * Event logs made by hand, with the writer and the lists of events that gfe itself uses.  They
 * serve tests of code that reads logs.  A failure fails the running test.
 */
#ifndef TESTS_LOG_FIXTURE_H
#define TESTS_LOG_FIXTURE_H

#include <stdint.h>

#include "devices/core/core_events.h"
#include "devices/nvidia/nv_events.h"
#include "emu/engine/arena.h"
#include "emu/log/event_list.h"
#include "emu/log/event_log.h"

/* Units that the fixture's head names. */
enum log_fixture_unit {
    UNIT_REPLAY,
    UNIT_DRIVER,
    UNIT_HOST,
    UNIT_PBDMA,
    UNIT_GR,
    UNIT_CE,
    UNIT_COUNT
};

struct log_fixture {
    char folder[64]; /* the fixture's own, so that the file's name does not depend on the run */
    char path[80];   /* FOLDER/test.gfl; log_fixture_remove() removes both */
    int fd;
    struct arena arena;
    struct chunk_writer *writer;
    struct event_log log;
    uint8_t origin; /* of the events added next; ORIGIN_RECORDED at first */
};

/* Returns the JSON head that all fixtures begin with.  The caller frees the head. */
char *log_fixture_head(void);
/* Like log_fixture_head(), with the events of the CUDA runtime's model.  The head has the given
 * program, or none if `program_json` is NULL. */
char *log_fixture_cuda_head(const char *program_json);

/* Like log_fixture_head(), with AMD's events instead of NVIDIA's.  `engine_cus` is the number of
 * CUs of each shader engine: "3 2". */
char *log_fixture_amd_head(const char *engine_cus);

/* Make a new file and write its head: the usual head, or the JSON `head`. */
void log_fixture_begin(struct log_fixture *fixture);
void log_fixture_begin_with(struct log_fixture *fixture, const char *head);
void log_fixture_add(struct log_fixture *fixture, uint64_t time_ps, uint32_t kind, uint32_t rule,
                     uint32_t argument_count, const uint64_t *arguments);
/* LOG_ADD(&fixture, time_ps, EVENT_GRID_START, RULE_NONE, grid_id, channel_id) */
#define LOG_ADD(fixture, time_ps, kind, rule, ...)                                                 \
    log_fixture_add((fixture), (time_ps), (kind), (rule),                                          \
                    sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t),                    \
                    (const uint64_t[]){__VA_ARGS__})
/* Writes the end, which completes the file. */
void log_fixture_end(struct log_fixture *fixture);
void log_fixture_remove(struct log_fixture *fixture);

#endif
