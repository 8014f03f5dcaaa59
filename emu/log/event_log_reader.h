/* SPDX-License-Identifier: MIT */
/* The inside of a reader of event logs.  Private to event_log_reader.c and event_log_tables.c. */
#ifndef GFE_EMU_LOG_EVENT_LOG_READER_H
#define GFE_EMU_LOG_EVENT_LOG_READER_H

#include <jansson.h>

#include "emu/log/event_log.h"

struct event_log_reader {
    struct chunk_reader *chunks; /* NULL means that chunks are fed */
    char *name;
    const struct event_log_reader *like; /* NULL, or whose tables may be these */
    bool has_head;
    bool shares; /* the tables are those of `like` */
    char *head_json, *end_json;
    json_t *head;
    json_t *host; /* CHUNK_LOG_HOST; NULL if not read yet */
    struct event_log_kind *kinds;
    struct event_log_rule *rules;
    char **units, **engines;
    uint32_t kind_count, rule_count; /* sizes of the arrays: highest number + 1 */
    uint32_t unit_count, engine_count;
    char *texts; /* of the rows above, one after the other */
    size_t texts_used, texts_bytes;
    uint16_t *kind_slots; /* kinds by name: 1 + number, or 0 */
    uint32_t kind_slot_count;

    struct chunk chunk;          /* chunk of events that is being decoded */
    uint32_t at;                 /* next byte of that chunk */
    gfe_ps chunk_ps;             /* time of the previous event in this chunk */
    struct event_log_last *last; /* last event of each kind in this chunk */
    gfe_ps last_ps;              /* time of the previous event in the whole log */
    uint64_t event_count;
    struct gfe_error failure; /* kept: a damaged log stays damaged */
};

/* Records what is wrong with a chunk and returns false. */
bool event_log_bad(struct event_log_reader *reader, const struct chunk *chunk, const char *what);
/* Records that memory is short and returns false. */
bool event_log_no_memory(struct event_log_reader *reader);
/* Returns the chunk's JSON object, and a copy of its text in *copy.  Returns NULL with a message.
 */
json_t *event_log_object(struct event_log_reader *reader, const struct chunk *chunk, char **copy);
/* Reads the tables out of the head.  Returns false after recording an error. */
bool event_log_tables_load(struct event_log_reader *reader, const struct chunk *chunk);
void event_log_tables_free(struct event_log_reader *reader);
/* Returns true if the head is the one that the reader has read. */
bool event_log_tables_are(const struct event_log_reader *reader, const struct chunk *chunk);
/* Takes the tables of `like`.  Returns false after recording an error. */
bool event_log_tables_share(struct event_log_reader *reader);

#endif
