/* SPDX-License-Identifier: MIT */
/* How show_html*.c make a page.  Private to them and to their tests. */
#ifndef GFE_EMU_VIEWS_HTML_SHOW_HTML_PRIVATE_H
#define GFE_EMU_VIEWS_HTML_SHOW_HTML_PRIVATE_H

#include "emu/analysis/explain/explain.h"
#include "emu/analysis/story/explain_story.h"
#include "emu/base/id_map.h"
#include "emu/views/html/show_html.h"

/* A buffer that grows.  Once memory was short, `failed` stays true and appending does nothing. */
struct html_bytes {
    uint8_t *at;
    size_t count, capacity;
    bool failed;
};
void html_bytes_fini(struct html_bytes *bytes);
void html_byte(struct html_bytes *bytes, uint8_t value);
void html_append(struct html_bytes *bytes, const void *data, size_t count);
/* Appends a varint: seven bits a byte, the lowest first.  Bit 7 means that more bytes follow. */
void html_varint(struct html_bytes *bytes, uint64_t value);
/* Appends value - before, modulo 2^64, as a varint with the sign in bit 0: 0, -1, 1 and -2 become
 * 0, 1, 2 and 3. */
void html_difference(struct html_bytes *bytes, uint64_t value, uint64_t before);
void html_print(struct html_bytes *bytes, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Appends a JSON string, or null if `text` is NULL.  Bytes that are not UTF-8 are kept; the reader
 * of the page replaces them. */
void html_json(struct html_bytes *bytes, const char *text);

/* Extends show_operation_kind: an operation that only gfe explain knows. */
enum { HTML_OTHER = SHOW_OPERATION_KINDS };
/* Extends show_track_kind: a stream of a scenario's program, with its operations from call to
 * end. */
enum { HTML_STREAM = SHOW_TRACK_KINDS };

struct html {
    const struct show *show;
    const struct show_html_options *options;
    struct gfe_error *error;
    struct story story;     /* for logs of scenarios and of AMD's GPUs */
    struct explain explain; /* for all other logs */
    bool is_story;
    struct gfe_error untold; /* why gfe explain refuses the log, if there are no stories */
    uint32_t *tells; /* by operation of the page: 1 + index of its story; 0 if it has none */
    uint32_t *is_of; /* by story: its operation of the page; SHOW_NONE if it has none */
    uint32_t operation_count;   /* operations of the page: the show's, then the others */
    struct show_track *streams; /* of kind HTML_STREAM */
    uint32_t stream_count;
};

/* Reads the log again for the stories (show_html_story.c).  Returns false with the error set on
 * failure. */
bool html_stories_load(struct html *html);
void html_stories_fini(struct html *html);
void html_stories_write(struct html *html, struct html_bytes *to);
/* Returns true if the operation of the page has a story. */
bool html_is_told(const struct html *html, uint32_t operation);
/* Returns the name of an operation of the page; `to` is room for it. */
const char *html_name(const struct html *html, uint32_t operation, char to[STORY_NAME_BYTES]);

/* Makes the tracks of streams (show_html_stream.c).  Returns false if memory is short. */
bool html_streams_make(struct html *html);
void html_streams_fini(struct html *html);

/* show_html_items.c */
enum html_column {
    HTML_ITEM_KIND,       /* a byte: show_item_kind; bit 7 means unfinished */
    HTML_ITEM_BEGIN,      /* varint: since the begin of the track's previous item, at first 0 */
    HTML_ITEM_LENGTH,     /* varint */
    HTML_ITEM_OPERATION,  /* difference to the track's previous item; 1 + operation, 0 if none */
    HTML_ITEM_NUMBER,     /* difference */
    HTML_ITEM_PLACE,      /* varint: the union of struct show_item, without a block's height */
    HTML_ITEM_CHANNEL,    /* difference */
    HTML_WAIT_RULE,       /* varint */
    HTML_WAIT_SUBJECT,    /* a byte */
    HTML_WAIT_SUBJECT_ID, /* difference to the previous wait */
    HTML_WAIT_BLOCKER,    /* a byte */
    HTML_WAIT_BLOCKER_ID, /* difference */
    HTML_OP_KIND,         /* a byte: show_operation_kind or HTML_OTHER */
    HTML_OP_ID,           /* difference to the previous operation */
    HTML_OP_QUEUED,       /* difference; the time at which the operation began to exist */
    HTML_OP_START,        /* varint: 1 + time since HTML_OP_QUEUED; 0 if it never started */
    HTML_OP_END,          /* varint: 1 + time since HTML_OP_QUEUED; 0 if it never ended */
    HTML_OP_CHANNEL,      /* difference */
    HTML_OP_COLOUR,       /* varint: colour of its stream, channel or queue */
    HTML_OP_BLOCKS,       /* varint */
    HTML_OP_THREADS,      /* varint: threads of a block */
    HTML_OP_STORY,        /* a byte: 1 if the operation has a story */
    HTML_COLUMNS
};
/* Appends the items part.  Sets to->failed if memory is short. */
void html_items_write(struct html *html, struct html_bytes *to);
/* show_html_head.c */
/* Appends the head part.  Returns false if memory is short. */
bool html_head_write(struct html *html, struct html_bytes *to);

#endif
