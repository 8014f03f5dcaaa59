/* SPDX-License-Identifier: MIT */
/* A piece of a story as a sentence, with the chain of operations that were in the way. */
#include <config.h>

#include <inttypes.h>

#include "emu/analysis/story/explain_story_print.h"

/* What is shorter than so much of a story is told without its chain. */
enum { BRIEF = 1000 };

/* What is told: `since_ps`: where the story begins; depth: of the chain. */
struct chain {
    const struct story *story;
    struct story_words *words;
    gfe_ps since_ps;
    uint32_t depth;
    enum story_tell tell;
};

static bool add_piece(const struct chain *chain, struct story_subject subject,
                      const struct story_piece *piece, const struct story_most *of);

struct story_subject story_teller(const struct story *story, struct story_subject subject,
                                  const struct story_piece *piece)
{
    const uint32_t work = story->operations[subject.operation].work;
    const uint32_t last = work == STORY_NONE ? STORY_NONE : story->works[work].last_ended;

    if (subject.block != STORY_NONE || last == STORY_NONE ||
        story->works[work].end_ps == GFE_PS_NEVER || piece->begin_ps < story->blocks[last].start_ps)
        return subject;
    if (piece->what == STORY_RUN || story_role(story, piece->rule) == STORY_ROLE_TURN)
        subject.block = last;
    return subject;
}

/* What the blocker did in the meantime, and, if it was served, what had made it late. */
static bool add_meantime(const struct chain *chain, struct story_subject blocker,
                         const struct story_life *life, const struct story_most *most)
{
    struct story_most late;

    if (!add_piece(chain, story_teller(chain->story, blocker, &most->piece), &most->piece, most))
        return false;
    if (!most->is_root)
        return true;
    if (!story_late(life, chain->since_ps, most, &late)) {
        story_add(chain->words, ": the root");
        return true;
    }
    story_add(chain->words, "; before that, ");
    return add_piece(chain, blocker, &late.piece, &late);
}

/* [What the blocker did in the meantime.] */
static bool add_chain(const struct chain *before, struct story_subject blocker, gfe_ps from_ps,
                      gfe_ps to_ps)
{
    struct chain chain = *before;
    struct story_life life = {0};
    struct story_most most;
    bool good = story_life(chain.story, blocker, &life);

    chain.tell = STORY_TELL_CHAIN;
    if (good && story_most(&life, from_ps, to_ps, &most)) {
        story_add(chain.words, " [");
        if (++chain.depth > STORY_DEPTH_MAX)
            story_add(chain.words, "and so on");
        else
            good = add_meantime(&chain, blocker, &life, &most);
        story_add(chain.words, "]");
    }
    story_life_fini(&life);
    return good;
}

static void add_served(const struct chain *chain, struct story_subject subject,
                       const struct story_piece *piece, const struct story_most *of)
{
    story_add_service(chain->words, chain->story, subject, piece);
    if (!of)
        return;
    story_add(chain->words, " for ");
    story_add_time(chain->words, of->sum_ps);
}

/* Adds a piece of a story as a sentence.  In a chain `of` is the part of the piece that is told.
 * If `of` is NULL, all of the piece is told, and there is no chain yet. */
static bool add_piece(const struct chain *chain, struct story_subject subject,
                      const struct story_piece *piece, const struct story_most *of)
{
    struct story_words *words = chain->words;
    struct story_why why = STORY_WHY_NONE;

    if (piece->what != STORY_WAIT) {
        add_served(chain, subject, piece, of);
        return true;
    }
    if (chain->tell != STORY_TELL_PIECE)
        story_why(chain->story, subject, piece, &why);
    story_add_subject(words, chain->story, subject);
    story_add(words, of ? " had waited " : " waited ");
    if (of) {
        story_add_time(words, of->sum_ps);
        if (of->count > 1)
            story_add(words, ", %" PRIu32 " times, the longest", of->count);
        story_add(words, " ");
    }
    story_add_reason(words, chain->story, subject, piece, &why, chain->tell);
    return why.blocker.operation == STORY_NONE || chain->tell == STORY_TELL_BRIEF ||
           add_chain(chain, why.blocker, of ? of->from_ps : piece->begin_ps,
                     of ? of->to_ps : piece->end_ps);
}

bool story_sentence(const struct story *story, struct story_subject subject,
                    const struct story_piece *piece, enum story_tell tell,
                    struct story_words *words)
{
    const struct story_operation *operation = &story->operations[subject.operation];
    const gfe_ps end_ps =
        operation->completed_ps == GFE_PS_NEVER ? story->end_ps : operation->completed_ps;
    const bool is_long = piece->end_ps - piece->begin_ps >= (end_ps - operation->called_ps) / BRIEF;
    const struct chain chain = {.story = story,
                                .words = words,
                                .since_ps = operation->called_ps,
                                .tell =
                                    tell == STORY_TELL_ALL && !is_long ? STORY_TELL_BRIEF : tell};

    return add_piece(&chain, story_teller(story, subject, piece), piece, NULL);
}
