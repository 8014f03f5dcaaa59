/* SPDX-License-Identifier: MIT */
/* What gfe explain prints of stories.  docs/explain.md describes the JSON forms; their members keep
 * their names and meanings, others may join them. */
#ifndef GFE_EMU_ANALYSIS_STORY_EXPLAIN_STORY_PRINT_H
#define GFE_EMU_ANALYSIS_STORY_EXPLAIN_STORY_PRINT_H

#include <stdio.h>

#include "emu/analysis/story/explain_story_why.h"

struct story_print {
    FILE *file;
    const struct story *story;
    struct gfe_error *error;
    bool exact; /* text: times in picoseconds */
    bool all;   /* text: all pieces */
};

/* One story in sentences, or as JSON.  All: false when memory is short. */
bool story_text(const struct story_print *print, struct story_subject subject);
bool story_json(const struct story_print *print, struct story_subject subject);
/* A line for each operation, stream by stream. */
bool story_text_list(const struct story_print *print);
bool story_json_list(const struct story_print *print);
/* Launches of HIP threads: for all of a name together what they waited for and with which share,
 * and what it comes to. */
bool story_reasons_print(const struct story_print *print, uint32_t name);

/* ---- for both forms ----------------------------------------------------------------------------
 */

enum { STORY_WORDS_BYTES = 8192 };
/* Text that is cut where it gets too long. */
struct story_words {
    char text[STORY_WORDS_BYTES];
    size_t used;
    bool exact; /* times in picoseconds */
};
void story_add(struct story_words *words, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void story_add_time(struct story_words *words, gfe_ps time_ps);
/* " (T.G1)"; nothing when there is no rule. */
void story_add_rule(struct story_words *words, const struct story *story, uint32_t rule);
void story_add_subject(struct story_words *words, const struct story *story,
                       struct story_subject subject);
/* "K1 ran on SM 0": a piece that is no wait. */
void story_add_service(struct story_words *words, const struct story *story,
                       struct story_subject subject, const struct story_piece *piece);

/* How much is told of a piece. */
enum story_tell {
    STORY_TELL_PIECE, /* only what it says itself */
    STORY_TELL_BRIEF, /* and in short why it lasted */
    STORY_TELL_ALL,   /* and the chain of those who were in the way */
    STORY_TELL_CHAIN, /* it is in a chain */
};
/* "in the queue of kernels (T.X1): K1 was at its head": what follows "waited". */
void story_add_reason(struct story_words *words, const struct story *story,
                      struct story_subject subject, const struct story_piece *piece,
                      const struct story_why *why, enum story_tell tell);
/* Of a rule of what queues of packets wait for (AMD): what follows "waited ", without the rule. */
const char *story_queue_says(const struct story *story, uint32_t rule);
/* A piece of a subject's story as a sentence without its full stop; what is short is told briefly
 * in any case.  False: no memory. */
bool story_sentence(const struct story *story, struct story_subject subject,
                    const struct story_piece *piece, enum story_tell tell,
                    struct story_words *words);
/* Who ran in that piece of the subject's life: of a kernel its last block. */
struct story_subject story_teller(const struct story *story, struct story_subject subject,
                                  const struct story_piece *piece);
/* Sets the error; false. */
bool story_print_no_memory(const struct story_print *print);

#endif
