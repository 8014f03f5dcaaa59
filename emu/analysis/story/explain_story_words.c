/* SPDX-License-Identifier: MIT */
/* The words of a sentence: who did what, or waited for what. */
#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "emu/analysis/story/explain_story_print.h"
#include "emu/base/text.h"

enum {
    SMS_TOLD = 4,
    HOLDERS_TOLD = 4,
    CHANNELS_TOLD = 8,
};

void story_add(struct story_words *words, const char *format, ...)
{
    va_list arguments;
    int length;

    va_start(arguments, format);
    length =
        vsnprintf(words->text + words->used, sizeof words->text - words->used, format, arguments);
    va_end(arguments);
    if (length > 0)
        words->used += (size_t)length;
    if (words->used >= sizeof words->text)
        words->used = sizeof words->text - 1;
}

void story_add_time(struct story_words *words, gfe_ps time_ps)
{
    char text[48];

    if (words->exact)
        story_add(words, "%" PRIu64 " ps", time_ps);
    else
        story_add(words, "%s", text_time(text, sizeof text, time_ps));
}

bool story_print_no_memory(const struct story_print *print)
{
    return error_set_errno(print->error, ENOMEM, "%s", event_log_name(print->story->log));
}

void story_add_rule(struct story_words *words, const struct story *story, uint32_t rule)
{
    if (rule != RULE_NONE)
        story_add(words, " (%s)", story_rule(story, rule));
}

void story_add_subject(struct story_words *words, const struct story *story,
                       struct story_subject subject)
{
    char name[STORY_NAME_BYTES];

    story_add(words, "%s", story_name(story, subject, name));
}

static void add_block(struct story_words *words, const struct story *story, uint32_t block)
{
    const struct story_piece by = {.by = STORY_BY_BLOCK, .by_id = block};
    char name[STORY_NAME_BYTES];

    story_add(words, "%s", story_by_name(story, &by, name));
}

static void add_by(struct story_words *words, const struct story *story,
                   const struct story_piece *piece)
{
    char name[STORY_NAME_BYTES];

    story_add(words, "%s", *story_by_name(story, piece, name) ? name : "others");
}

static void add_stream(struct story_words *words, const struct story *story, uint32_t stream)
{
    char name[STORY_NAME_BYTES];

    story_add(words, "%s", story_stream_name(story, stream, name));
}

/* ---- reasons -----------------------------------------------------------------------------------
 */

/* "K1:0, K1:2 and 3 more" */
static void add_holders(struct story_words *words, const struct story *story,
                        const struct story_lack *lack)
{
    const uint32_t told =
        lack->holder_count <= STORY_HOLDERS_MAX ? lack->holder_count : HOLDERS_TOLD;

    for (uint32_t i = 0; i < told; i++) {
        story_add(words, "%s", i == 0 ? "" : i + 1 == lack->holder_count ? " and " : ", ");
        add_block(words, story, lack->holders[i]);
    }
    if (told < lack->holder_count)
        story_add(words, " and %" PRIu32 " more", lack->holder_count - told);
}

static void add_lacks(struct story_words *words, const struct story *story,
                      const struct story_lack lacks[STORY_SMS_MAX])
{
    uint32_t told = 0, likewise = 0, masked = 0;

    for (uint32_t sm = 0; sm < story->sm_count; sm++) {
        const struct story_lack *lack = &lacks[sm];

        if (lack->lacks == STORY_NOTHING) {
            masked++;
            continue;
        }
        if (told == SMS_TOLD) {
            likewise++;
            continue;
        }
        story_add(words, "%s SM %" PRIu32 " had %" PRIu64 " of %" PRIu64 " %s taken by ",
                  told++ == 0 ? ", but" : ",", sm, lack->used, lack->limit,
                  story_resource_name(lack->lacks));
        add_holders(words, story, lack);
        story_add(words, " and %" PRIu64 " were needed", lack->need);
    }
    if (likewise > 0)
        story_add(words, ", and %" PRIu32 " more SM%s had no room", likewise,
                  likewise == 1 ? "" : "s");
    if (masked > 0)
        story_add(words, "; %" PRIu32 " SM%s not for it (CORE.SM_MASK)", masked,
                  masked == 1 ? " is" : "s are");
}

/* In a chain: what they lacked and who held it, of all SMs together. */
static void add_lacks_short(struct story_words *words, const struct story *story, uint32_t work,
                            const struct story_lack lacks[STORY_SMS_MAX])
{
    struct story_lack all = {.lacks = STORY_NOTHING};
    bool own = true;

    for (uint32_t sm = 0; sm < story->sm_count; sm++) {
        if (lacks[sm].lacks == STORY_NOTHING)
            continue;
        all.lacks = lacks[sm].lacks;
        all.holder_count += lacks[sm].holder_count;
    }
    for (uint32_t sm = 0, told = 0; sm < story->sm_count; sm++)
        for (uint32_t i = 0; lacks[sm].lacks != STORY_NOTHING && i < lacks[sm].holder_count &&
                             i < STORY_HOLDERS_MAX;
             i++) {
            own &= story->blocks[lacks[sm].holders[i]].work == work;
            if (told < STORY_HOLDERS_MAX)
                all.holders[told++] = lacks[sm].holders[i];
        }
    if (all.holder_count == 0)
        return;
    story_add(words, " and lacked %s, held by %s", story_resource_name(all.lacks),
              own ? "its own kernel's " : "");
    add_holders(words, story, &all);
}

static void add_resource(struct story_words *words, const struct story *story,
                         struct story_subject subject, const struct story_piece *piece,
                         const struct story_why *why, enum story_tell tell)
{
    const uint32_t work = story->operations[subject.operation].work;
    const bool share = story_role(story, piece->rule) == STORY_ROLE_SHARE;
    struct story_lack lacks[STORY_SMS_MAX];

    story_add(words, "for room on %s (%s)", share ? "its client's share of the SMs" : "an SM",
              story_rule(story, piece->rule));
    if (why->lacking != STORY_NONE) {
        story_add(words, ": ");
        add_block(words, story, why->lacking);
        story_add(words, " was the next");
    }
    if (tell != STORY_TELL_PIECE && work != STORY_NONE && !share &&
        story_lacks(story, work, piece->begin_ps, lacks)) {
        if (tell == STORY_TELL_ALL)
            add_lacks(words, story, lacks);
        else
            add_lacks_short(words, story, work, lacks);
    }
    if (why->freed == STORY_NONE)
        return;
    story_add(words, ", until ");
    add_block(words, story, why->freed);
    story_add(words, " ended at ");
    story_add_time(words, piece->end_ps);
}

static void add_head(struct story_words *words, const struct story *story,
                     const struct story_piece *piece, const struct story_why *why)
{
    const bool higher = story_role(story, piece->rule) == STORY_ROLE_HIGHER;

    story_add(words, "in the queue of kernels (%s)", story_rule(story, piece->rule));
    if (why->head == STORY_NONE)
        return;
    story_add(words, ": ");
    add_by(words, story, piece);
    story_add(words, " was ");
    if (higher)
        story_add(words, "in the queue of priority %" PRIu32 ", which is higher,",
                  story->works[why->head].priority);
    else
        story_add(words, "at its head");
    story_add(words, " with %" PRIu64 " of its %" PRIu64 " blocks unassigned", why->unassigned,
              story->works[why->head].block_count);
}

/* "stream 1 (K1), stream 2 (K3)": who holds the context's channels at that time. */
static void add_channel_holders(struct story_words *words, const struct story *story,
                                uint32_t context, gfe_ps time_ps)
{
    uint32_t told = 0;

    for (uint32_t i = 0; i < story->hold_count && story->holds[i].from_ps <= time_ps; i++) {
        const struct story_hold *hold = &story->holds[i];

        if (story->streams[hold->stream].context != context || hold->to_ps <= time_ps)
            continue;
        if (told++ == CHANNELS_TOLD) {
            story_add(words, " and others");
            return;
        }
        story_add(words, "%s", told == 1 ? " by " : ", ");
        add_stream(words, story, hold->stream);
    }
}

static void add_channel(struct story_words *words, const struct story *story, uint32_t operation,
                        const struct story_piece *piece, const struct story_why *why)
{
    const uint32_t stream = story->operations[operation].stream;

    story_add(words, "for a channel (%s): all %" PRIu32 " were held",
              story_rule(story, piece->rule), why->held_count);
    add_channel_holders(words, story, story->streams[stream].context, piece->begin_ps);
    if (why->freed_stream == STORY_NONE)
        return;
    story_add(words, "; ");
    add_stream(words, story, why->freed_stream);
    story_add(words, " gave channel %" PRIu32 " back at ", why->channel);
    story_add_time(words, why->got_ps);
    if (why->blocker.operation != STORY_NONE) {
        story_add(words, ", as ");
        story_add_subject(words, story, (struct story_subject){why->blocker.operation, STORY_NONE});
        story_add(words, " had been dispatched (B.C1)");
    }
    story_add(words, ", and ");
    add_stream(words, story, stream);
    story_add(words, " got it (%s", story_rule(story, why->got_rule));
    if (*story_choice(story, "cuda.channel_next"))
        story_add(words, ", %s", story_choice(story, "cuda.channel_next"));
    story_add(words, "), of %" PRIu32 " that waited", why->waiting_count);
}

static void add_stream_wait(struct story_words *words, const struct story *story,
                            uint32_t operation, const struct story_piece *piece)
{
    story_add(words, "for ");
    add_by(words, story, piece);
    story_add(words, " in the queue of ");
    add_stream(words, story, story->operations[operation].stream);
    story_add(words, " (%s)", story_rule(story, piece->rule));
}

static void add_null_wait(struct story_words *words, const struct story *story, uint32_t operation,
                          const struct story_piece *piece)
{
    story_add(words, "at the head of ");
    add_stream(words, story, story->operations[operation].stream);
    story_add(words, " (%s): ", story_rule(story, piece->rule));
    add_by(words, story, piece);
    if (piece->by == STORY_BY_OPERATION) {
        story_add(words, ", at the head of ");
        add_stream(words, story, story->operations[piece->by_id].stream);
        story_add(words, ",");
    }
    story_add(words, " had been launched before");
}

/* A false dependency. */
static void add_channel_order(struct story_words *words, const struct story *story,
                              uint32_t operation, const struct story_piece *piece)
{
    story_add(words, "behind ");
    add_by(words, story, piece);
    if (piece->by == STORY_BY_OPERATION) {
        story_add(words, " of ");
        add_stream(words, story, story->operations[piece->by_id].stream);
    }
    story_add(words, " in the channel that ");
    add_stream(words, story, story->operations[operation].stream);
    story_add(words, " has, too (%s): a false dependency", story_rule(story, piece->rule));
}

/* Whose context had the SMs. */
static void add_turn(struct story_words *words, const struct story *story,
                     const struct story_piece *piece, bool in_run)
{
    story_add(words, "%s(%s)", in_run ? "as it had been suspended " : "for its context's turn ",
              story_rule(story, piece->rule));
    if (piece->by != STORY_BY_CHANNEL)
        return;
    for (uint32_t i = story->work_count; i-- > 0;)
        if (story->works[i].channel == piece->by_id && story->works[i].operation != STORY_NONE) {
            story_add(words, ": process %" PRIu32 " had the SMs", story_process(story, i));
            return;
        }
    story_add(words, ": the context of channel %" PRIu64 " had the SMs", piece->by_id);
}

/* Why a shader engine's slot stays taken. */
static void add_taken(struct story_words *words, const struct story *story, uint32_t rule,
                      const struct story_piece *piece)
{
    const enum story_role role = story_role(story, rule);

    if (role == STORY_ROLE_CUT) {
        story_add(words, "blocks of ");
        add_by(words, story, piece);
        story_add(words, " cut ahead (%s)", story_rule(story, rule));
        return;
    }
    story_add(words,
              role == STORY_ROLE_SLOT ? "the workload manager was not done with others (%s)"
                                      : "no CU had room (%s)",
              story_rule(story, rule));
    if (piece->by == STORY_BY_NOBODY || role == STORY_ROLE_SLOT)
        return;
    story_add(words, ", most of it ");
    add_by(words, story, piece);
    story_add(words, "'s");
}

/* Adds what a dispatch on an AMD GPU waited for (explain_story_dispatch.h). */
static void add_engine(struct story_words *words, const struct story *story,
                       const struct story_piece *piece)
{
    const enum story_role role = story_role(story, piece->rule);

    if (role == STORY_ROLE_ACE || role == STORY_ROLE_RING) {
        story_add(words,
                  role == STORY_ROLE_ACE ? "for its turn at its ACE (%s), because of "
                                         : "in its queue's ring (%s) for ",
                  story_rule(story, piece->rule));
        add_by(words, story, piece);
        return;
    }
    story_add(words, "for SE %" PRIu32, piece->engine);
    if (role == STORY_ROLE_ENGINE)
        story_add(words, ", whose turn it was (%s), though another SE had an empty slot: there ",
                  story_rule(story, piece->rule));
    else
        story_add(words, ": ");
    add_taken(words, story, role == STORY_ROLE_ENGINE ? piece->via : piece->rule, piece);
}

static bool runs(const struct story *story, struct story_subject subject, gfe_ps time_ps)
{
    return subject.block != STORY_NONE && story->blocks[subject.block].start_ps <= time_ps;
}

void story_add_reason(struct story_words *words, const struct story *story,
                      struct story_subject subject, const struct story_piece *piece,
                      const struct story_why *why, enum story_tell tell)
{
    switch (story_role(story, piece->rule)) {
    case STORY_ROLE_STREAM:
        add_stream_wait(words, story, subject.operation, piece);
        return;
    case STORY_ROLE_NULL:
        add_null_wait(words, story, subject.operation, piece);
        return;
    case STORY_ROLE_CHANNEL:
        add_channel(words, story, subject.operation, piece, why);
        return;
    case STORY_ROLE_ACQUIRE:
        story_add(words, "in its channel for ");
        add_by(words, story, piece);
        story_add(words, ", in front of it in its stream (%s)", story_rule(story, piece->rule));
        return;
    case STORY_ROLE_ORDER:
        add_channel_order(words, story, subject.operation, piece);
        return;
    case STORY_ROLE_HEAD:
    case STORY_ROLE_HIGHER:
        add_head(words, story, piece, why);
        return;
    case STORY_ROLE_RESOURCE:
    case STORY_ROLE_SHARE:
        add_resource(words, story, subject, piece, why, tell);
        return;
    case STORY_ROLE_GRIDS:
        story_add_residents(words, story, story->operations[subject.operation].work, piece);
        return;
    case STORY_ROLE_TURN:
        add_turn(words, story, piece, runs(story, subject, piece->begin_ps));
        return;
    case STORY_ROLE_EVENT:
        story_add(words, "for an event (%s), recorded by ", story_rule(story, piece->rule));
        add_by(words, story, piece);
        return;
    case STORY_ROLE_RING:
    case STORY_ROLE_ACE:
    case STORY_ROLE_ENGINE:
    case STORY_ROLE_SLOT:
    case STORY_ROLE_CUT:
    case STORY_ROLE_CU:
        add_engine(words, story, piece);
        return;
    case STORY_ROLE_BLOCKS:
        story_add(words, "for its kernel's other blocks (%s)", story_rule(story, piece->rule));
        break;
    case STORY_ROLE_GRACE:
    case STORY_ROLE_QUEUE:
        story_add(words, "%s (%s)", story_queue_says(story, piece->rule),
                  story_rule(story, piece->rule));
        if (piece->signal != 0)
            story_add(words, " at 0x%" PRIx64, piece->signal);
        break;
    case STORY_ROLE_COPY:
        story_add(words, "for the copy engine (%s)", story_rule(story, piece->rule));
        break;
    case STORY_ROLE_OTHER:
    case STORY_ROLES:
        story_add(words, "%s(%s)",
                  story->operations[subject.operation].submitted_ps <= piece->begin_ps
                      ? "on the GPU "
                      : "",
                  story_rule(story, piece->rule));
        break;
    }
    if (piece->by != STORY_BY_NOBODY) {
        story_add(words, ", because of ");
        add_by(words, story, piece);
    }
}

/* ---- services ----------------------------------------------------------------------------------
 */

void story_add_service(struct story_words *words, const struct story *story,
                       struct story_subject subject, const struct story_piece *piece)
{
    const struct story_operation *operation = &story->operations[subject.operation];
    const bool software = operation->submitted_ps == GFE_PS_NEVER;

    story_add_subject(words, story, subject);
    switch (piece->what) {
    case STORY_RUNTIME:
        if (story->streams[operation->stream].is_hip)
            story_add(words, " went through the runtime and to the head of its HSA queue");
        else if (software)
            story_add(words, " was in the runtime's hands");
        else
            story_add(words, " was handed to channel %" PRIu32 " by the runtime",
                      operation->channel);
        story_add_rule(words, story, operation->submit_rule);
        break;
    case STORY_FRONT_END:
        story_add(words, story->streams[operation->stream].is_sdma
                             ? " went through the front end: doorbell, packet"
                         : story->dispatch_count > 0
                             ? " went through the front end: doorbell, queue slot, packet, launch"
                             : " went through the front end: doorbell, runlist, PBDMA, launch");
        break;
    case STORY_SETUP:
        story_add(words, " was taken by the copy engine");
        break;
    case STORY_PLACE:
        story_add(words, " was served by the dispatcher, which places blocks one by one");
        break;
    case STORY_RUN:
        if (subject.block != STORY_NONE)
            story_add(words, " ran on %s %" PRIu32, story->dispatch_count > 0 ? "CU" : "SM",
                      piece->by == STORY_BY_CU ? (uint32_t)piece->by_id
                                               : story->blocks[subject.block].sm);
        else
            story_add(words, " ran");
        break;
    case STORY_SAVE:
        story_add(words, " stood still: its queue was to leave its slot, and its waves were saved "
                         "(AMD.CWSR)");
        break;
    case STORY_RESTORE:
        story_add(words,
                  " stood still: its queue was in a slot again, and its waves were read back "
                  "(AMD.CWSR)");
        break;
    case STORY_REST:
        story_add(words, " was over, and other blocks of its kernel were not");
        break;
    case STORY_COPYING:
        if (story->streams[operation->stream].is_sdma)
            story_add(words, " was carried out by SDMA engine %" PRIu32,
                      story->streams[operation->stream].hsa_queue);
        else
            story_add(words, " was carried out by the copy engine");
        break;
    case STORY_COMPLETION:
        story_add(words, " was over on the GPU, and the runtime heard of it");
        story_add_rule(words, story, operation->complete_rule);
        break;
    case STORY_UNATTRIBUTED:
    case STORY_WAIT:
    case STORY_WHATS:
        story_add(words, " did something of which the log does not tell");
        break;
    }
}
