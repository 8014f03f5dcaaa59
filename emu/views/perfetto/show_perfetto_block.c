/* SPDX-License-Identifier: MIT */
/* Blocks on SMs: a track for each block that an SM can hold at a time. */
#include <config.h>

#include "emu/views/perfetto/show_perfetto_private.h"

#include <inttypes.h>
#include <stdlib.h>

enum { PLACES_FIRST = 32 };

uint64_t show_perfetto_sm_track(struct show_perfetto *show, struct pf_sm *sm, uint32_t sm_index)
{
    char name[GPU_WORDS_BYTES];

    if (sm->track)
        return sm->track;
    return show_perfetto_track(show, &sm->track,
                               &(struct pf_place){show_perfetto_sm_parent(show, sm_index),
                                                  (int32_t)(PF_RANK_SM + sm_index),
                                                  gpu_words_sm(&show->words, sm_index, name)});
}

/* Returns false with the error set when memory is short. */
static bool places_grow(struct show_perfetto *show, struct pf_sm *sm, uint32_t place)
{
    uint32_t count = sm->place_count ? sm->place_count : PLACES_FIRST;
    uint64_t *places;

    while (count <= place)
        count *= 2;
    places = realloc(sm->places, count * sizeof *places);
    if (!places)
        return show_perfetto_no_memory(show);
    memset(places + sm->place_count, 0, (count - sm->place_count) * sizeof *places);
    sm->places = places;
    sm->place_count = count;
    return true;
}

static uint64_t place_track_new(struct show_perfetto *show, struct pf_sm *sm, uint32_t sm_index,
                                uint32_t place)
{
    char name[40];

    if (place >= sm->place_count && !places_grow(show, sm, place))
        return 0;
    (void)snprintf(name, sizeof name, "slot %" PRIu32, place);
    const struct pf_place at = {show_perfetto_sm_track(show, sm, sm_index), (int32_t)place + 1,
                                name};
    return show_perfetto_track(show, &sm->places[place], &at);
}

/* Returns the track of a place, which is made when its first block leaves; 0 on failure. */
static inline uint64_t place_track(struct show_perfetto *show, struct pf_sm *sm, uint32_t sm_index,
                                   uint32_t place)
{
    return place < sm->place_count && sm->places[place]
               ? sm->places[place]
               : place_track_new(show, sm, sm_index, place);
}

/* A block comes to its SM.  Its grid's name is defined now, because many blocks follow. */
void show_perfetto_block_start(struct show_perfetto *show, const struct model_record *record)
{
    const uint64_t id = record->block.sm;
    struct pf_sm *sm = show_perfetto_find(show->sms, id);

    if (!sm)
        sm = show_perfetto_at(show, &show->sms, id, sizeof *sm);
    if (!sm)
        return;
    if (!record->live)
        (void)show_perfetto_absurd(show, "nothing was queued with number", record->block.grid_id);
    else if (record->sm_place == MODEL_NO_PLACE || record->block.slot >= MODEL_PLACES_MAX)
        (void)show_perfetto_absurd(show, "no SM holds so many blocks: slot", record->block.slot);
    else {
        const uint32_t waves = show_perfetto_own(show, record->live)->waves;

        (void)show_perfetto_operation_name(show, record->live);
        if (waves > 0)
            show_perfetto_amd_waves(show, sm, (uint32_t)id, waves);
    }
}

/* A block that leaves its SM, or that is there at the end of the log. */
struct ending {
    const struct model_live *grid; /* NULL if it ended before its block */
    uint64_t grid_id, index;
    gfe_ps since_ps;
    uint32_t sm, place;
    bool unfinished;
};

/* Makes what is written of a grid that ended before its block. */
static void ended_grid(struct show_perfetto *show, uint64_t grid_id, struct pf_operation *grid)
{
    char label[PF_WORDS_BYTES];

    *grid = (struct pf_operation){0};
    show_perfetto_label(show, MODEL_GRID, grid_id, label, sizeof label);
    grid->block_name =
        perfetto_piece_name(show_perfetto_name_text(show, &grid->name, label), CATEGORY_BLOCK);
    grid->block_grid = perfetto_piece_note(NOTE_GRID, grid_id);
}

/* Inlined, with the members of `ending` in registers: a long log has millions of these. */
static inline __attribute__((always_inline)) void block_end(struct show_perfetto *show,
                                                            const struct ending *ending)
{
    struct pf_sm *sm = show_perfetto_find(show->sms, ending->sm);
    const struct pf_operation *grid = ending->grid ? show_perfetto_own(show, ending->grid) : NULL;
    const uint32_t waves = grid ? grid->waves : 0;
    struct pf_operation ended;
    uint64_t track;

    if (!sm)
        return;
    if (waves > 0 && !ending->unfinished)
        show_perfetto_amd_waves(show, sm, ending->sm, -(int64_t)waves);
    if (!show_perfetto_within(show, ending->since_ps, show->now_ps))
        return;
    track = place_track(show, sm, ending->sm, ending->place);
    if (grid)
        (void)show_perfetto_operation_name(show, ending->grid);
    else
        ended_grid(show, ending->grid_id, &ended);
    grid = grid ? grid : &ended;
    struct perfetto_event event =
        perfetto_event(&show->out, ending->since_ps, PERFETTO_BEGIN, track);
    perfetto_put(&event, &grid->block_name);
    perfetto_note(&event, NOTE_BEGIN, ending->since_ps);
    perfetto_put(&event, &grid->block_grid);
    perfetto_note(&event, NOTE_BLOCK, ending->index);
    if (waves > 0)
        perfetto_note(&event, NOTE_WAVES, waves);
    if (ending->unfinished)
        perfetto_note_flag(&event, NOTE_UNFINISHED);
    show_perfetto_rest(show, &event, track, ending->since_ps, show->now_ps);
}

/* One that has no place began before the log. */
void show_perfetto_block_end(struct show_perfetto *show, const struct model_record *record)
{
    if (record->sm_place != MODEL_NO_PLACE)
        block_end(show, &(struct ending){.grid = record->live,
                                         .grid_id = record->block.grid_id,
                                         .index = record->block.index,
                                         .since_ps = record->since_ps,
                                         .sm = (uint32_t)record->block.sm,
                                         .place = record->sm_place});
}

void show_perfetto_blocks_finish(struct show_perfetto *show)
{
    const struct model_lives *lives = &show->model.lives;

    for (uint32_t sm = 0; sm < lives->sm_count; sm++)
        for (uint32_t place = 0; place < lives->sms[sm].place_count; place++) {
            const struct model_stay *stay = &lives->sms[sm].stays[place];

            if (stay->since_ps != GFE_PS_NEVER)
                block_end(show, &(struct ending){
                                    .grid = model_live(&show->model, MODEL_GRID, stay->grid_id),
                                    .grid_id = stay->grid_id,
                                    .index = stay->index,
                                    .since_ps = stay->since_ps,
                                    .sm = sm,
                                    .place = place,
                                    .unfinished = true});
        }
}
