/* SPDX-License-Identifier: MIT */
/*
 * Event logs made by hand, through the writer that gfe itself uses and with its real lists of
 * events, for the tests of whatever reads logs.  Any failure fails the running test.
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
    char folder[64]; /* of its own, so that the file's name does not depend on the run */
    char path[80];   /* FOLDER/test.gfl; log_fixture_remove() removes both */
    int fd;
    struct arena arena;
    struct chunk_writer *writer;
    struct event_log log;
    uint8_t origin; /* of the events added next; ORIGIN_RECORDED at first */
};

/* The JSON head that all fixtures begin with; the caller frees it. */
char *log_fixture_head(void);
/* The same with the events of the CUDA runtime's model, and with a program or (NULL) without. */
char *log_fixture_cuda_head(const char *program_json);

/* The same with AMD's events instead of NVIDIA's: a GPU with shader engines of so many CUs ("3 2").
 */
char *log_fixture_amd_head(const char *engine_cus);

/* A new file with its head written: the usual one, or this JSON. */
void log_fixture_begin(struct log_fixture *fixture);
void log_fixture_begin_with(struct log_fixture *fixture, const char *head);
void log_fixture_add(struct log_fixture *fixture, uint64_t time_ps, uint32_t kind, uint32_t rule,
                     uint32_t argument_count, const uint64_t *arguments);
/* LOG_ADD(&fixture, time_ps, EVENT_GRID_START, RULE_NONE, grid_id, channel_id) */
#define LOG_ADD(fixture, time_ps, kind, rule, ...)                                                 \
    log_fixture_add((fixture), (time_ps), (kind), (rule),                                          \
                    sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t),                    \
                    (const uint64_t[]){__VA_ARGS__})
/* Writes the end; the file is complete. */
void log_fixture_end(struct log_fixture *fixture);
void log_fixture_remove(struct log_fixture *fixture);

#endif
