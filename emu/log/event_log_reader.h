/* SPDX-License-Identifier: MIT */
/* The inside of a reader of event logs.  Private to event_log_reader.c and event_log_tables.c. */
#ifndef GFE_EMU_EVENT_LOG_READER_H
#define GFE_EMU_EVENT_LOG_READER_H

#include <jansson.h>

#include "emu/log/event_log.h"

struct event_log_reader {
    struct chunk_reader *chunks; /* NULL: chunks are fed */
    char *name;
    bool has_head;
    char *head_json, *end_json;
    json_t *head;
    json_t *host; /* CHUNK_LOG_HOST; NULL: none yet */
    struct event_log_kind *kinds;
    struct event_log_rule *rules;
    char **units, **engines;
    uint32_t kind_count, rule_count; /* of the arrays: highest number + 1 */
    uint32_t unit_count, engine_count;

    struct chunk chunk;          /* of events, being decoded */
    uint32_t at;                 /* next byte of it */
    gfe_ps chunk_ps;             /* time of the event before in this chunk */
    struct event_log_last *last; /* of each kind in this chunk */
    gfe_ps last_ps;              /* and in the whole log */
    uint64_t event_count;
    struct gfe_error failure; /* kept: a damaged log stays damaged */
};

/* Says what is wrong with a chunk; false. */
bool event_log_bad(struct event_log_reader *reader, const struct chunk *chunk, const char *what);
bool event_log_no_memory(struct event_log_reader *reader); /* false */
/* The chunk's JSON object, and a copy of its text; NULL with a message. */
json_t *event_log_object(struct event_log_reader *reader, const struct chunk *chunk, char **copy);
/* Reads the tables out of the head. */
bool event_log_tables_load(struct event_log_reader *reader, const struct chunk *chunk);
void event_log_tables_free(struct event_log_reader *reader);

#endif
