/* SPDX-License-Identifier: MIT */
/* What gfe explain prints of stories.  docs/explain.md describes the JSON forms.  Their members
 * keep their names and meanings; more members may be added. */
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

/* Print one story, in sentences or as JSON.  All functions of this group return false when memory
 * is short. */
bool story_text(const struct story_print *print, struct story_subject subject);
bool story_json(const struct story_print *print, struct story_subject subject);
/* Print a line or object for each operation, stream by stream. */
bool story_text_list(const struct story_print *print);
bool story_json_list(const struct story_print *print);
/* Prints, for all launches of a name of HIP threads together, what they waited for, with which
 * share, and the sum. */
bool story_reasons_print(const struct story_print *print, uint32_t name);

/* ---- for both forms ----------------------------------------------------------------------------
 */

enum { STORY_WORDS_BYTES = 8192 };
/* A text that is cut where it gets too long. */
struct story_words {
    char text[STORY_WORDS_BYTES];
    size_t used;
    bool exact; /* times in picoseconds */
};
/* The story_add*() functions append to a text. */
void story_add(struct story_words *words, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void story_add_time(struct story_words *words, gfe_ps time_ps);
/* Adds the rule, as in " (T.G1)"; adds nothing if there is no rule. */
void story_add_rule(struct story_words *words, const struct story *story, uint32_t rule);
void story_add_subject(struct story_words *words, const struct story *story,
                       struct story_subject subject);
/* Adds a piece that is no wait, as in "K1 ran on SM 0". */
void story_add_service(struct story_words *words, const struct story *story,
                       struct story_subject subject, const struct story_piece *piece);

/* Adds what follows "waited" of a wait under CORE.GRIDS: which grids were resident. */
void story_add_residents(struct story_words *words, const struct story *story, uint32_t waiter,
                         const struct story_piece *piece);

/* How much the text says of a piece. */
enum story_tell {
    STORY_TELL_PIECE, /* only the piece itself */
    STORY_TELL_BRIEF, /* also why it lasted, in short */
    STORY_TELL_ALL,   /* also the chain of blockers */
    STORY_TELL_CHAIN, /* the piece is part of such a chain */
};
/* Adds what follows "waited", as in "in the queue of kernels (T.X1): K1 was at its head". */
void story_add_reason(struct story_words *words, const struct story *story,
                      struct story_subject subject, const struct story_piece *piece,
                      const struct story_why *why, enum story_tell tell);
/* Returns what follows "waited " for a rule of what queues of packets wait for (AMD), without the
 * rule. */
const char *story_queue_says(const struct story *story, uint32_t rule);
/* Writes a piece of a subject's story as a sentence without its full stop.  A short piece gets a
 * brief sentence in any case.  Returns false when memory is short. */
bool story_sentence(const struct story *story, struct story_subject subject,
                    const struct story_piece *piece, enum story_tell tell,
                    struct story_words *words);
/* Returns the subject that ran in that piece of the life.  For a kernel, it is the kernel's last
 * block. */
struct story_subject story_teller(const struct story *story, struct story_subject subject,
                                  const struct story_piece *piece);
/* Sets the error.  Returns false. */
bool story_print_no_memory(const struct story_print *print);

#endif
