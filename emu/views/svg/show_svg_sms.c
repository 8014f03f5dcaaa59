/* SPDX-License-Identifier: MIT */
/* The picture of SMs: a row for each, with its blocks; copies; launches; and the time. */
#include <config.h>

#include "emu/views/svg/show_svg_sms.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emu/base/markup.h"
#include "emu/views/show_lists.h"

enum {
    SM_GAP = 3, /* pixels */
    COPY_GAP = 6,
    CU_GAP = 1,
    ENGINE_GAP = 7,
    LAUNCH_GAP = 2,
    IDLE_DRAWN_MAX = 32, /* SMs of a chip, up to which idle ones are drawn */
    LABELLED_HEIGHT = 40,
};

/* ---- what there is --------------------------------------------------------------------------- */

/* Copy engines and SMs, and AMD's slots, are the last tracks: of the others nothing is drawn. */
static void tracks_choose(struct svg_sms *sms)
{
    struct show *view = &sms->view;
    const enum show_track_kind from = view->words.is_amd ? SHOW_SLOT : SHOW_CE;
    uint32_t first = 0, kept = 0;

    while (first < view->track_count && view->tracks[first].kind < from)
        first++;
    if (first > 0) /* a log without tracks has none to point at */
        view->tracks += first;
    view->track_count -= first;
    for (uint32_t t = 0; t < view->track_count; t++)
        kept += view->tracks[t].item_count;
    view->item_count = kept;
}

static void row_add(struct svg_sms *sms, const struct show_track *track, uint32_t id)
{
    if (sms->row_count == SMS_ROWS_MAX)
        sms->beyond_count++;
    else
        sms->rows[sms->row_count++] = (struct sms_row){track, id, 0};
}

static bool has_blocks(const struct show *view)
{
    for (uint32_t t = 0; t < view->track_count; t++)
        if (view->tracks[t].kind == SHOW_SM && view->tracks[t].item_count > 0)
            return true;
    return false;
}

/* SMs that the chip has; 0: not known. */
static uint32_t sms_known(const struct svg_sms *sms)
{
    const struct gpu_words *words = &sms->view.words;

    return words->engine_count > 0 ? words->first_cu[words->engine_count] : sms->options->sm_count;
}

/* Idle SMs of a small chip have a row, too: they could have been used.  Where no SM is, none has.
 */
static void rows_find(struct svg_sms *sms)
{
    const struct show *view = &sms->view;
    const uint32_t known = sms_known(sms);
    const bool with_idle = known <= IDLE_DRAWN_MAX && has_blocks(view);
    uint32_t next = 0;

    for (uint32_t t = 0; t < view->track_count; t++) {
        const struct show_track *track = &view->tracks[t];
        if (track->kind != SHOW_SM || track->item_count == 0)
            continue;
        for (; with_idle && next < track->id && next < known; next++)
            row_add(sms, NULL, next);
        row_add(sms, track, track->id);
        next = track->id + 1;
    }
    for (; with_idle && next < known; next++)
        row_add(sms, NULL, next);
    if (!with_idle && known > sms->row_count + sms->beyond_count)
        sms->idle_count = known - sms->row_count - sms->beyond_count;
}

static void window_hold(gfe_ps at_ps, gfe_ps *first, gfe_ps *last)
{
    *first = at_ps < *first ? at_ps : *first;
    *last = at_ps > *last ? at_ps : *last;
}

/* From the first launch, block or copy to the last, within what was asked for. */
static void window_fit(struct svg_sms *sms)
{
    struct show *view = &sms->view;
    gfe_ps first = GFE_PS_NEVER, last = 0;

    for (uint32_t i = 0; i < sms->launch_count; i++)
        window_hold(sms->launches[i].time_ps, &first, &last);
    for (uint32_t t = 0; t < view->track_count; t++)
        for (uint32_t i = 0; view->tracks[t].kind != SHOW_SLOT && i < view->tracks[t].item_count;
             i++) {
            window_hold(view->tracks[t].items[i].begin_ps, &first, &last);
            window_hold(view->tracks[t].items[i].end_ps, &first, &last);
        }
    if (first == GFE_PS_NEVER)
        return;
    view->from_ps = first > view->asked_from_ps ? first : view->asked_from_ps;
    view->to_ps = last < view->asked_to_ps ? last : view->asked_to_ps;
}

static uint32_t sm_height(uint32_t sm_count)
{
    static const struct {
        uint32_t count, height;
    } rows[] = {{2, 160}, {4, 110}, {8, 72}, {16, 46}, {32, 30}, {64, 20}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (sm_count <= rows[i].count)
            return rows[i].height;
    return 14;
}

/* CUs are many: their rows are low, and those of a shader engine close together. */
static uint32_t cu_height(uint32_t cu_count)
{
    return cu_count <= 32 ? sm_height(cu_count) : cu_count <= 64 ? 12 : 8;
}

static void rows_place(struct svg_sms *sms)
{
    struct svg_page *page = &sms->page;
    uint32_t top = 0;

    page->sm_height =
        sms->view.words.is_amd ? cu_height(sms->row_count) : sm_height(sms->row_count);
    for (uint32_t i = 0; i < sms->row_count; i++) {
        if (i > 0 && sms_engine_of(sms, i) == SHOW_NONE)
            top += SM_GAP;
        else if (i > 0)
            top += sms_engine_of(sms, i) == sms_engine_of(sms, i - 1) ? CU_GAP : ENGINE_GAP;
        sms->rows[i].top = top;
        top += page->sm_height;
    }
    sms->rows_height = top;
}

static void copies_use(struct svg_sms *sms)
{
    for (uint32_t t = 0; t < sms->view.track_count; t++) {
        const struct show_track *track = &sms->view.tracks[t];
        for (uint32_t i = 0; track->kind == SHOW_CE && i < track->item_count; i++) {
            const struct show_item *item = &track->items[i];
            if (sms->owner_of[item->operation] != SHOW_NONE)
                sms->owners[sms->owner_of[item->operation]].used = true;
            sms->narrow_copies += svg_x(&sms->page, item->end_ps) <
                                  svg_x(&sms->page, item->begin_ps) + sms->page.least_x;
        }
    }
}

static bool sms_init(struct svg_sms *sms, struct gfe_error *error)
{
    struct svg_page *page = &sms->page;

    tracks_choose(sms);
    if (!sms_owners_init(sms, error) || !sms_queues_init(sms, error) ||
        !sms_launches_init(sms, error))
        return false;
    page->owners = sms->owner_of;
    rows_find(sms);
    window_fit(sms);
    page->sm_count = sms->row_count;
    rows_place(sms);
    if (!show_scale_init(&page->scale, page->show, (page->width - SVG_LEFT - SVG_RIGHT) * SVG_X,
                         SVG_CUT_WIDTH * SVG_X, !sms->options->to_scale, error) ||
        !sms_blocks_init(sms, error) || !sms_arrows_init(sms, error))
        return false;
    copies_use(sms);
    sms_queues_use(sms);
    return true;
}

static void sms_fini(struct svg_sms *sms)
{
    show_scale_fini(&sms->page.scale);
    show_stack_fini(&sms->stack);
    free(sms->owners);
    free(sms->owner_of);
    free(sms->queue_owners);
    id_map_fini(&sms->queue_map);
    free(sms->launches);
    free(sms->arrows);
    free(sms->loads);
    free(sms->tops);
}

/* ---- rows ------------------------------------------------------------------------------------ */

void sms_threads_put(struct svg_sms *sms, uint32_t top)
{
    const uint32_t height = sms->page.sm_height;

    if (height < LABELLED_HEIGHT)
        return;
    markup_print(sms->page.file,
                 "<text class=\"threads\" x=\"%d\" y=\"%" PRIu32 "\">%" PRIu32
                 "</text><text class=\"threads\" x=\"%d\" y=\"%" PRIu32 "\">0</text>"
                 "<path class=\"grid\" d=\"M%d %" PRIu32 ".5H%" PRIu32 "\"/>\n",
                 SVG_LEFT - 3, top + 8, sms->page.threads_top, SVG_LEFT - 3, top + height, SVG_LEFT,
                 top + height / 2, sms->page.width - SVG_RIGHT);
}

static void sm_lanes(struct svg_sms *sms, uint32_t top)
{
    if (sms->view.words.engine_count > 0) {
        sms_engine_lanes(sms, top);
        return;
    }
    for (uint32_t i = 0; i < sms->row_count; i++) {
        char name[GPU_WORDS_BYTES];
        svg_band(&sms->page, gpu_words_sm(&sms->view.words, sms->rows[i].id, name),
                 top + sms->rows[i].top, sms->page.sm_height, sms->page.sm_height / 2);
        sms_threads_put(sms, top + sms->rows[i].top);
    }
}

static bool sm_rows(struct svg_sms *sms, uint32_t top, struct gfe_error *error)
{
    for (uint32_t i = 0; i < sms->row_count; i++)
        if (sms->rows[i].track &&
            !sms_blocks(sms, sms->rows[i].track, top + sms->rows[i].top, error))
            return false;
    return true;
}

/* Copy engines with copies, one below the other: bands, or what is on them.  Returns where they
 * end. */
static uint32_t copy_rows(struct svg_sms *sms, uint32_t top, bool bands, bool draw)
{
    for (uint32_t t = 0; t < sms->view.track_count; t++) {
        const struct show_track *track = &sms->view.tracks[t];
        const uint32_t height = svg_track_height(&sms->page, track);
        if (track->kind != SHOW_CE || track->item_count == 0)
            continue;
        if (draw && bands) {
            svg_band(&sms->page, "copies", top, height, 5);
            markup_print(sms->page.file,
                         "<text class=\"threads\" x=\"%d\" y=\"%" PRIu32 "\">%s</text>\n",
                         SVG_LEFT - 8, top + 18, track->name);
        } else if (draw)
            svg_track(&sms->page, track, top);
        top += height + SM_GAP;
    }
    return top;
}

/* ---- words ----------------------------------------------------------------------------------- */

enum { WORDS_MAX = 7, WORDS_BYTES = SVG_BLOCK_WORDS + 60 };

static uint64_t draws_of(const struct show *show)
{
    uint64_t count = 0;

    for (uint32_t i = 0; i < show->operation_count; i++)
        count += show->operations[i].kind == SHOW_WORK;
    return count;
}

/* "Not drawn: 12 SMs without blocks, 1 draw": adds what there is. */
static void left_out(char *to, size_t bytes, uint64_t count, const char *one, const char *many)
{
    const size_t used = strlen(to);

    if (count > 0)
        (void)snprintf(to + used, bytes - used, "%s%" PRIu64 " %s",
                       used ? ", " : "Not drawn: ", count, count == 1 ? one : many);
}

static void block_words(const struct svg_sms *sms, char to[WORDS_BYTES])
{
    const bool has_calls = sms->view.streams.program.call_count > 0;
    char words[SVG_BLOCK_WORDS];

    svg_block_words(&sms->page, words);
    (void)snprintf(to, WORDS_BYTES, "%s Arrows: when the %s.", words,
                   has_calls ? "program launches a kernel" : "GPU queues a kernel");
}

/* What boxes and arrows mean, and what is not drawn. */
static uint32_t words_find(const struct svg_sms *sms, char words[WORDS_MAX][WORDS_BYTES])
{
    const bool is_amd = sms->view.words.is_amd;
    const uint64_t draws = draws_of(&sms->view), blocks = sms->merged_blocks;
    const uint64_t copies = sms->narrow_copies;
    uint32_t count = 0;

    for (uint32_t i = 0; i < WORDS_MAX; i++)
        words[i][0] = '\0';
    if (sms->row_count == 0)
        (void)snprintf(words[count++], WORDS_BYTES, "No %s has a block here.", sms->view.words.sm);
    else
        block_words(sms, words[count++]);
    if (is_amd)
        (void)snprintf(words[count++], WORDS_BYTES,
                       "ACE p.q is slot q of pipe p: the number of the queue that it holds, in the "
                       "colour of whom alone the queue is of.");
    if (sms->in_pieces)
        (void)snprintf(words[count++], WORDS_BYTES,
                       "A block that no gap between others holds is drawn in pieces.");
    if (blocks > 0)
        (void)snprintf(words[count++], WORDS_BYTES,
                       "%" PRIu64 " block%s too narrow for a box: %s merged to areas as high as "
                       "the threads are on average.",
                       blocks, blocks == 1 ? " is" : "s are", blocks == 1 ? "it is" : "they are");
    if (copies > 0)
        (void)snprintf(words[count++], WORDS_BYTES,
                       "%" PRIu64 " cop%s narrower than a pixel: drawn a pixel wide, or merged.",
                       copies, copies == 1 ? "y is" : "ies are");
    left_out(words[count], WORDS_BYTES, sms->row_count > 0 ? sms->idle_count : 0,
             is_amd ? "CU without blocks" : "SM without blocks",
             is_amd ? "CUs without blocks" : "SMs without blocks");
    left_out(words[count], WORDS_BYTES, sms->beyond_count, is_amd ? "CU more" : "SM more",
             is_amd ? "CUs more" : "SMs more");
    left_out(words[count], WORDS_BYTES, draws, "draw (see --view all)", "draws (see --view all)");
    count += words[count][0] != '\0';
    if (sms->owner_count > SVG_OWNER_STYLES)
        (void)snprintf(words[count++], WORDS_BYTES, "Colours repeat after %d streams.",
                       SVG_OWNER_STYLES);
    return count;
}

/* From y on; where they end. */
static uint32_t words_put(struct svg_sms *sms, uint32_t y)
{
    char words[WORDS_MAX][WORDS_BYTES];
    const uint32_t count = words_find(sms, words);

    for (uint32_t i = 0; i < count; i++)
        y = svg_words(&sms->page, y, words[i], true);
    return y;
}

/* ---- the page -------------------------------------------------------------------------------- */

static bool page_draw(struct svg_sms *sms, struct gfe_error *error)
{
    const char *about = sms->view.words.is_amd ? "Blocks of kernels on the CUs of a GPU over time, "
                                                 "coloured by stream, with copies, the "
                                                 "slots of queues and launches"
                                               : "Blocks of kernels on the SMs of a GPU over time, "
                                                 "coloured by stream, with copies and "
                                                 "launches";
    struct svg_page *page = &sms->page;
    const uint32_t top = SVG_TITLE_HEIGHT + (page->scale.cut_count ? SVG_CUT_LABEL_HEIGHT : 0);
    const uint32_t copies = top + sms->rows_height + SM_GAP + COPY_GAP;
    const uint32_t slots = copy_rows(sms, copies, false, false);
    const uint32_t launches = sms_slots(sms, slots, false, false) + LAUNCH_GAP;
    const uint32_t bottom = launches + sms_launches_height(sms);
    const uint32_t legend = bottom + SVG_AXIS_HEIGHT + 8;
    const uint32_t used = sms_slots_kinds(sms);
    uint32_t words, rules;
    bool good;

    if (!svg_body_begin(page))
        return error_set_errno(error, ENOMEM, "%s", event_log_name(sms->view.log));
    sms_owners_style(sms);
    sm_lanes(sms, top);
    (void)copy_rows(sms, copies, true, true);
    (void)sms_slots(sms, slots, true, true);
    svg_axis(page, top, bottom);
    good = sm_rows(sms, top, error);
    (void)copy_rows(sms, copies, false, true);
    (void)sms_slots(sms, slots, false, true);
    sms_launches(sms, launches);
    svg_cuts(page, top, bottom);
    words = sms_legend(sms, legend, true);
    words = (used ? svg_legend(page, words, used, true) : words) + 2;
    rules = words_put(sms, words) + 4;
    svg_rules(page, rules);
    page->height = rules - SVG_LINE_HEIGHT + 8 + svg_rules_height(page);
    if (!svg_body_end(page, about) && good)
        good = error_set_errno(error, ENOMEM, "%s", event_log_name(sms->view.log));
    return good;
}

bool show_svg_sms(FILE *file, const struct show *show, const struct show_svg_options *options,
                  struct gfe_error *error)
{
    struct svg_sms *sms = calloc(1, sizeof *sms);
    bool good;

    if (!sms)
        return error_set_errno(error, ENOMEM, "%s", event_log_name(show->log));
    sms->view = *show;
    sms->options = options;
    sms->page = (struct svg_page){
        .file = file,
        .show = &sms->view,
        .title = options->title,
        .width = options->width,
        .least_x = SVG_X,
    };
    good = sms_init(sms, error) && page_draw(sms, error);
    sms_fini(sms);
    free(sms);
    return good;
}
