/* SPDX-License-Identifier: MIT */
/* The parts of the view of queues.  Private to inspect_queues*.c. */
#ifndef GFE_EMU_ANALYSIS_INSPECT_QUEUES_PRIVATE_H
#define GFE_EMU_ANALYSIS_INSPECT_QUEUES_PRIVATE_H

#include <jansson.h>

#include "emu/analysis/model/model.h"
#include "emu/log/gpu_words.h"
#include "emu/base/id_map.h"
#include "emu/analysis/streams.h"

#define QUEUES_NONE UINT64_MAX

enum { QUEUES_TASKS_MAX = 4, QUEUES_NAME_BYTES = STREAMS_NAME_BYTES };

struct queues_stream {
    uint64_t id, process, kind, priority;
    uint64_t channel_id; /* QUEUES_NONE: the stream holds none */
    uint32_t tasks[QUEUES_TASKS_MAX], task_count;
};

enum queues_state { QUEUES_QUEUED, QUEUES_STARTED, QUEUES_DISPATCHED, QUEUES_GONE };

struct queues_grid {
    uint64_t id, channel_id, block_count, assigned, priority;
    enum queues_state state;
    uint32_t rule; /* the rule that the grid waits for at that time; RULE_NONE: it waits for none */
    bool suspended, has_priority;
};

/* A queue of an AMD GPU. */
struct queues_queue {
    uint64_t id, slot_id;    /* QUEUES_NONE: the queue is in no slot */
    uint64_t written, taken; /* packets of the queue's ring */
    uint32_t rule;
    bool is_pm4, is_used; /* is_pm4: the ring counts dwords; is_used: the queue is a program's and
                             had a packet */
    uint64_t streams[QUEUES_TASKS_MAX];
    uint32_t stream_count;
};

struct queues_copy {
    uint64_t id, channel_id, engine;
    enum queues_state state;
    uint32_t rule;
    bool suspended;
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
    struct queues_list stream_list, grid_list, copy_list, engine_list;
    json_t *sms;     /* the SMs with their blocks at that time */
    uint32_t *rules; /* for each operation of the streams */
    gfe_ps last_ps;  /* time of the last event that was taken */
    gfe_ps at_ps;    /* the time that the view shows */
    bool is_after;   /* the events after at_ps come now; only waits count, because they are logged
                        when they end */
    bool mps;        /* processes are clients of one MPS server */
};

/* Returns the element of a list by its number, or NULL if the list has none.  `bytes` is the size
 * of an element. */
const void *queues_find(const struct queues_list *list, size_t bytes, uint64_t id);
/* Like queues_find(), but adds an element of zeroes if the list has none.  Returns NULL when memory
 * is short. */
void *queues_find_or_add(struct queues_list *list, size_t bytes, uint64_t id);

/* inspect_queues_amd.c: takes of records that only AMD's GPUs have.  All return false when memory
 * is short. */
bool queues_amd_loaded(struct queues *queues, const struct model_queue *record);
bool queues_amd_left(struct queues *queues, const struct model_queue *record);
bool queues_amd_rang(struct queues *queues, const struct model_ring *record);
bool queues_amd_submitted(struct queues *queues, const struct model_hip_submit *record);
bool queues_amd_packet(struct queues *queues, const struct model_packet *record);
bool queues_amd_stream(struct queues *queues, const struct model_hip_queue *record);
/* Appends the queues of an AMD GPU to the JSON list.  Returns false when memory is short. */
bool queues_amd_json(const struct queues *queues, json_t *list);
/* Returns the word for the state of a grid, a static string. */
const char *queues_grid_state(const struct queues_grid *grid);
void queues_amd_print(FILE *file, const json_t *view);

/* Writes the name of a grid or copy to `to`, and returns `to`. */
char *queues_name(const struct queues *queues, enum streams_hardware hardware, uint64_t id,
                  char to[QUEUES_NAME_BYTES]);
/* Returns the rule's label, or NULL if there is no rule. */
const char *queues_rule(const struct queues *queues, uint32_t rule);
/* Returns the SMs that have had blocks, with the blocks that are there now, as a list that the
 * caller owns.  Returns NULL when memory is short. */
json_t *queues_sms_json(const struct queues *queues);
/* Returns the whole view as JSON, which the caller owns.  Returns NULL when memory is short. */
json_t *queues_json(struct queues *queues, gfe_ps at_ps);
/* Prints the view as text. */
void queues_print(FILE *file, const json_t *view);

#endif
