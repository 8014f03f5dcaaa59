/* SPDX-License-Identifier: MIT */
/* What the view of queues is made of.  Private to inspect_queues*.c. */
#ifndef GFE_EMU_ANALYSIS_INSPECT_QUEUES_PRIVATE_H
#define GFE_EMU_ANALYSIS_INSPECT_QUEUES_PRIVATE_H

#include <jansson.h>

#include "emu/analysis/model/model.h"
#include "emu/log/gpu_words.h"
#include "emu/base/id_map.h"
#include "emu/analysis/streams.h"

#define QUEUES_NONE UINT64_MAX

enum { QUEUES_TASKS_MAX = 4, QUEUES_BLOCKS_MAX = 4096, QUEUES_NAME_BYTES = STREAMS_NAME_BYTES };

struct queues_stream {
    uint64_t id, process, kind, priority;
    uint64_t channel_id; /* QUEUES_NONE: holds none */
    uint32_t tasks[QUEUES_TASKS_MAX], task_count;
};

enum queues_state { QUEUES_QUEUED, QUEUES_STARTED, QUEUES_DISPATCHED, QUEUES_GONE };

struct queues_grid {
    uint64_t id, channel_id, block_count, assigned, priority;
    enum queues_state state;
    uint32_t rule; /* that it waits for then; RULE_NONE: it does not */
    bool suspended, has_priority;
};

/* A queue of an AMD GPU. */
struct queues_queue {
    uint64_t id, slot_id;    /* QUEUES_NONE: in none */
    uint64_t written, taken; /* packets of its ring */
    uint32_t rule;
    bool is_pm4, is_used; /* its ring counts dwords; it is a program's and had a packet */
    uint64_t streams[QUEUES_TASKS_MAX];
    uint32_t stream_count;
};

struct queues_copy {
    uint64_t id, channel_id, engine;
    enum queues_state state;
    uint32_t rule;
    bool suspended;
};

struct queues_block {
    uint64_t grid_id, index;
};

struct queues_sm {
    uint64_t id;
    struct queues_block *blocks;
    uint32_t block_count, block_capacity;
};

/* Things of one kind, in the order in which they came. */
struct queues_list {
    void *at;
    uint32_t count, capacity;
    struct id_map map;
};

struct queues {
    const struct event_log_reader *log;
    struct streams streams;
    struct model model;
    struct gpu_words words;
    struct queues_list queue_list; /* AMD */
    struct queues_list stream_list, grid_list, copy_list, engine_list, sm_list;
    uint32_t *rules; /* of each operation of the streams */
    gfe_ps last_ps;  /* of the last event that was taken */
    gfe_ps at_ps;    /* the time that is looked at; */
    bool
        is_after; /* the events after it come now: of them only waits count, logged when they end */
    bool mps;     /* processes are clients of one MPS server */
};

/* The thing of that number in a list; NULL: there is none. */
const void *queues_find(const struct queues_list *list, size_t bytes, uint64_t id);
/* The same, made of zeroes when it is new; NULL: no memory. */
void *queues_find_or_add(struct queues_list *list, size_t bytes, uint64_t id);

/* inspect_queues_amd.c: records that are AMD's alone.  All return false when memory is short. */
bool queues_amd_loaded(struct queues *queues, const struct model_queue *record);
bool queues_amd_left(struct queues *queues, const struct model_queue *record);
bool queues_amd_rang(struct queues *queues, const struct model_ring *record);
bool queues_amd_submitted(struct queues *queues, const struct model_hip_submit *record);
bool queues_amd_packet(struct queues *queues, const struct model_packet *record);
bool queues_amd_stream(struct queues *queues, const struct model_hip_queue *record);
/* False: no memory. */
bool queues_amd_json(const struct queues *queues, json_t *list);
const char *queues_grid_state(const struct queues_grid *grid);
void queues_amd_print(FILE *file, const json_t *view);

/* The name of a grid or copy. */
char *queues_name(const struct queues *queues, enum streams_hardware hardware, uint64_t id,
                  char to[QUEUES_NAME_BYTES]);
/* The rule's label; NULL: none. */
const char *queues_rule(const struct queues *queues, uint32_t rule);
/* All of it as JSON; NULL: no memory. */
json_t *queues_json(struct queues *queues, gfe_ps at_ps);
/* As text. */
void queues_print(FILE *file, const json_t *view);

#endif
