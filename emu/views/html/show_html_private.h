/* SPDX-License-Identifier: MIT */
/* How show_html*.c make a page.  Private to them and to their tests. */
#ifndef GFE_EMU_VIEWS_HTML_SHOW_HTML_PRIVATE_H
#define GFE_EMU_VIEWS_HTML_SHOW_HTML_PRIVATE_H

#include "emu/analysis/explain/explain.h"
#include "emu/analysis/story/explain_story.h"
#include "emu/base/id_map.h"
#include "emu/views/html/show_html.h"

/* Bytes that grow.  What has failed stays so, and takes nothing more. */
struct html_bytes {
    uint8_t *at;
    size_t count, capacity;
    bool failed;
};
void html_bytes_fini(struct html_bytes *bytes);
void html_byte(struct html_bytes *bytes, uint8_t value);
void html_append(struct html_bytes *bytes, const void *data, size_t count);
/* Seven bits a byte, the lowest first; bit 7: more follow. */
void html_varint(struct html_bytes *bytes, uint64_t value);
/* The difference, modulo 2^64, as a varint with the sign in bit 0: 0, -1, 1, -2 are 0, 1, 2, 3. */
void html_difference(struct html_bytes *bytes, uint64_t value, uint64_t before);
void html_print(struct html_bytes *bytes, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A JSON string; NULL: null.  Bytes that are no UTF-8 stay: their reader replaces them. */
void html_json(struct html_bytes *bytes, const char *text);

/* Beyond show_operation_kind: what only gfe explain knows. */
enum { HTML_OTHER = SHOW_OPERATION_KINDS };
/* Beyond show_track_kind: a stream of a scenario's program, its operations from call to end. */
enum { HTML_STREAM = SHOW_TRACK_KINDS };

struct html {
    const struct show *show;
    const struct show_html_options *options;
    struct gfe_error *error;
    struct story story;     /* of a scenario's log, and of AMD's GPUs */
    struct explain explain; /* of others */
    bool is_story;
    struct gfe_error untold; /* why there are no stories: gfe explain refuses the log */
    uint32_t
        *tells; /* of each operation of the page: 1 + which of the former tells of it; 0: none */
    uint32_t *is_of; /* of each of the former: the operation of the page; SHOW_NONE: none */
    uint32_t operation_count;   /* of the page: the show's, then the others */
    struct show_track *streams; /* of kind HTML_STREAM */
    uint32_t stream_count;
};

/* show_html_story.c: reads the log again; false with a message. */
bool html_stories_load(struct html *html);
void html_stories_fini(struct html *html);
void html_stories_write(struct html *html, struct html_bytes *to);
/* Is there a story of that operation of the page? */
bool html_is_told(const struct html *html, uint32_t operation);
/* The name of an operation of the page. */
const char *html_name(const struct html *html, uint32_t operation, char to[STORY_NAME_BYTES]);

/* show_html_stream.c: the tracks of streams; false: no memory. */
bool html_streams_make(struct html *html);
void html_streams_fini(struct html *html);

/* show_html_items.c */
enum html_column {
    HTML_ITEM_KIND,       /* a byte each: show_item_kind; bit 7: unfinished */
    HTML_ITEM_BEGIN,      /* varint: since the begin of the track's item before, at first since 0 */
    HTML_ITEM_LENGTH,     /* varint */
    HTML_ITEM_OPERATION,  /* 1 + operation, 0: none; as a difference to the track's item before */
    HTML_ITEM_NUMBER,     /* difference */
    HTML_ITEM_PLACE,      /* varint: the union of struct show_item, without a block's height */
    HTML_ITEM_CHANNEL,    /* difference */
    HTML_WAIT_RULE,       /* varint */
    HTML_WAIT_SUBJECT,    /* a byte */
    HTML_WAIT_SUBJECT_ID, /* difference to the wait before */
    HTML_WAIT_BLOCKER,    /* a byte */
    HTML_WAIT_BLOCKER_ID, /* difference */
    HTML_OP_KIND,         /* a byte: show_operation_kind or HTML_OTHER */
    HTML_OP_ID,           /* difference to the operation before */
    HTML_OP_QUEUED,       /* difference; it began to exist */
    HTML_OP_START,        /* varint: 1 + how much later; 0: never */
    HTML_OP_END,          /* varint: 1 + how much later than HTML_OP_QUEUED; 0: never */
    HTML_OP_CHANNEL,      /* difference */
    HTML_OP_COLOUR,       /* varint: of its stream, channel or queue */
    HTML_OP_BLOCKS,       /* varint */
    HTML_OP_THREADS,      /* varint: of a block */
    HTML_OP_STORY,        /* a byte: 1: there is one */
    HTML_COLUMNS
};
/* Memory that is short is to->failed. */
void html_items_write(struct html *html, struct html_bytes *to);
/* show_html_head.c */
/* False: no memory. */
bool html_head_write(struct html *html, struct html_bytes *to);

#endif
