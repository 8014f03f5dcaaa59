/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_inspect_log.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emu/base/id_map.h"

/* ---- what is kept of each thing ----------------------------------------------------------------
 */

/* A channel, runlist or PBDMA; each uses the members that its events tell. */
struct thing {
    uint64_t id;
    uint64_t address;    /* instance block, or base of the list */
    uint64_t on;         /* channel: 1 + PBDMA; PBDMA: 1 + channel; runlist: 1 + TSG; 0: nothing */
    uint64_t runlist_id; /* of a PBDMA's channel */
    uint64_t get, put;   /* GP entries, at the last load or save */
    uint64_t count;      /* entries of the list */
    uint64_t timeslice_ps;
    gfe_ps since_ps;
    bool bound, enabled, stopped;
};

struct things {
    struct thing *at;
    uint32_t count, capacity;
    struct id_map map;
};

/* The thing of that number, made if need be; NULL: no memory. */
static struct thing *thing_of(struct things *things, uint64_t id)
{
    const uint32_t index = id_map_find(&things->map, id);

    if (index != ID_MAP_NONE)
        return &things->at[index];
    if (things->count == things->capacity) {
        const uint32_t capacity = things->capacity ? 2 * things->capacity : 64;
        struct thing *at = realloc(things->at, capacity * sizeof *at);

        if (!at)
            return NULL;
        things->at = at;
        things->capacity = capacity;
    }
    if (!id_map_add(&things->map, id, things->count))
        return NULL;
    things->at[things->count] = (struct thing){.id = id};
    return &things->at[things->count++];
}

static int thing_order(const void *a, const void *b)
{
    const struct thing *first = a, *second = b;

    return first->id < second->id ? -1 : first->id > second->id;
}

struct state {
    struct things channels, runlists, pbdmas;
};

static void state_fini(struct state *state)
{
    struct things *all[] = {&state->channels, &state->runlists, &state->pbdmas};

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        free(all[i]->at);
        id_map_fini(&all[i]->map);
    }
}

/* ---- events ------------------------------------------------------------------------------------
 */

static bool take_load(struct state *state, const struct log_event *event, bool loads)
{
    struct thing *channel = thing_of(&state->channels, event->argument[0]);
    struct thing *pbdma = channel ? thing_of(&state->pbdmas, event->argument[1]) : NULL;

    if (!pbdma)
        return false;
    channel = thing_of(&state->channels, event->argument[0]);
    channel->on = loads ? event->argument[1] + 1 : 0;
    channel->get = event->argument[3];
    channel->put = event->argument[4];
    pbdma->on = loads ? event->argument[0] + 1 : 0;
    pbdma->runlist_id = event->argument[2];
    pbdma->get = event->argument[3];
    pbdma->put = event->argument[4];
    pbdma->since_ps = event->time_ps;
    return true;
}

static bool take_channel(struct state *state, const struct log_event *event, const char *kind)
{
    struct thing *channel = thing_of(&state->channels, event->argument[0]);

    if (!channel)
        return false;
    if (strcmp(kind, "NV_CHANNEL_BIND") == 0) {
        channel->bound = true;
        channel->stopped = false;
        channel->address = event->argument[1];
    } else if (strcmp(kind, "NV_CHANNEL_UNBIND") == 0) {
        channel->bound = false;
    } else if (strcmp(kind, "NV_CHANNEL_ENABLE") == 0) {
        channel->enabled = event->argument[1] != 0;
    } else {
        channel->stopped = strcmp(kind, "NV_CHANNEL_STOP") == 0;
    }
    return true;
}

static bool take_runlist(struct state *state, const struct log_event *event, const char *kind)
{
    struct thing *runlist = thing_of(&state->runlists, event->argument[0]);

    if (!runlist)
        return false;
    if (strcmp(kind, "NV_RUNLIST_SUBMIT") == 0) {
        runlist->address = event->argument[1];
        runlist->count = event->argument[2];
    } else if (strcmp(kind, "NV_TSG_START") == 0) {
        runlist->on = event->argument[1] + 1;
        runlist->timeslice_ps = event->argument[2];
        runlist->since_ps = event->time_ps;
    } else {
        runlist->on = 0;
    }
    return true;
}

/* False: no memory. */
static bool take_event(struct state *state, const struct log_event *event,
                       const struct event_log_kind *kind)
{
    static const char *const of_channels[] = {"NV_CHANNEL_BIND", "NV_CHANNEL_UNBIND",
                                              "NV_CHANNEL_ENABLE", "NV_CHANNEL_STOP",
                                              "NV_CHANNEL_GO_ON"};
    static const char *const of_runlists[] = {"NV_RUNLIST_SUBMIT", "NV_TSG_START", "NV_TSG_END"};

    if (strcmp(kind->name, "NV_CHANNEL_LOAD") == 0 || strcmp(kind->name, "NV_CHANNEL_SAVE") == 0)
        return kind->argument_count < 5 ||
               take_load(state, event, strcmp(kind->name, "NV_CHANNEL_LOAD") == 0);
    for (size_t i = 0; i < sizeof of_channels / sizeof of_channels[0]; i++)
        if (strcmp(kind->name, of_channels[i]) == 0)
            return take_channel(state, event, kind->name);
    for (size_t i = 0; i < sizeof of_runlists / sizeof of_runlists[0]; i++)
        if (strcmp(kind->name, of_runlists[i]) == 0)
            return take_runlist(state, event, kind->name);
    return true;
}

/* ---- rows --------------------------------------------------------------------------------------
 */

static json_t *number_or_dash(uint64_t number_and_one)
{
    return number_and_one == 0 ? json_string("-") : json_integer((json_int_t)(number_and_one - 1));
}

static bool add_channels(json_t *view, const struct state *state)
{
    bool good = true;

    for (uint32_t i = 0; i < state->channels.count && good; i++) {
        const struct thing *channel = &state->channels.at[i];

        good = inspect_add(view,
                           json_pack("{sI sb sb sb so so sI sI}", "channel",
                                     (json_int_t)channel->id, "bound", channel->bound, "enabled",
                                     channel->enabled, "stopped", channel->stopped, "instance",
                                     json_sprintf("0x%" PRIx64, channel->address), "pbdma",
                                     number_or_dash(channel->on), "gp_get",
                                     (json_int_t)channel->get, "gp_put", (json_int_t)channel->put));
    }
    return good;
}

static bool add_runlists(json_t *view, const struct state *state, uint32_t only)
{
    bool good = true;

    for (uint32_t i = 0; i < state->runlists.count && good; i++) {
        const struct thing *runlist = &state->runlists.at[i];

        if (only != UINT32_MAX && runlist->id != only)
            continue;
        good = inspect_add(view,
                           json_pack("{sI so sI so sI sI}", "runlist", (json_int_t)runlist->id,
                                     "base", json_sprintf("0x%" PRIx64, runlist->address), "length",
                                     (json_int_t)runlist->count, "tsg", number_or_dash(runlist->on),
                                     "timeslice_ps", (json_int_t)runlist->timeslice_ps, "since_ps",
                                     (json_int_t)runlist->since_ps));
    }
    return good;
}

static bool add_pbdmas(json_t *view, const struct state *state, uint32_t only)
{
    bool good = true;

    for (uint32_t i = 0; i < state->pbdmas.count && good; i++) {
        const struct thing *pbdma = &state->pbdmas.at[i];

        if (only == UINT32_MAX || pbdma->id == only)
            good = inspect_add(
                view, json_pack("{sI so sI sI sI sI}", "pbdma", (json_int_t)pbdma->id, "channel",
                                number_or_dash(pbdma->on), "runlist", (json_int_t)pbdma->runlist_id,
                                "gp_get", (json_int_t)pbdma->get, "gp_put", (json_int_t)pbdma->put,
                                "since_ps", (json_int_t)pbdma->since_ps));
    }
    return good;
}

static const struct inspect_view log_views[] = {
    {"channels", NULL, NULL, NULL, NULL, false},
    {"runlist", "N", NULL, NULL, NULL, false},
    {"tsgs", NULL, NULL, NULL, NULL, false},
    {"pbdma", "N", NULL, NULL, NULL, false},
};

const struct inspect_view *nv_inspect_log_view(const struct inspect_view *view)
{
    for (size_t i = 0; i < sizeof log_views / sizeof log_views[0]; i++)
        if (strcmp(log_views[i].name, view->name) == 0)
            return &log_views[i];
    return NULL;
}

static void sort(struct things *things)
{
    if (things->count > 0)
        qsort(things->at, things->count, sizeof things->at[0], thing_order);
}

static json_t *build(struct state *state, const char *name, uint32_t number, gfe_ps last_ps,
                     struct gfe_error *error)
{
    json_t *view = inspect_new(name);
    bool good = view != NULL;

    sort(&state->channels);
    sort(&state->runlists);
    sort(&state->pbdmas);
    if (good && strcmp(name, "channels") == 0)
        good = add_channels(view, state);
    else if (good && strcmp(name, "pbdma") == 0)
        good = add_pbdmas(view, state, number);
    else if (good)
        good = add_runlists(view, state, strcmp(name, "tsgs") == 0 ? UINT32_MAX : number);
    good = good && json_object_set_new(view, "time_ps", json_integer((json_int_t)last_ps)) == 0 &&
           inspect_note(view, "from the log's events alone: gp_get and gp_put are those of the "
                              "last load or save, entries of runlists are not known");
    return good ? view : inspect_no_memory(view, error);
}

json_t *nv_inspect_log_build(struct event_log_reader *log, const struct inspect_view *view,
                             uint32_t number, gfe_ps at_ps, uint64_t event_count,
                             struct gfe_error *error)
{
    enum event_log_result result = EVENT_LOG_AT_END;
    struct state state = {0};
    struct log_event event;
    gfe_ps last_ps = 0;
    json_t *json = NULL;
    bool good = true;

    for (uint64_t i = 0; i < event_count && good; i++) {
        result = event_log_read(log, &event, error);
        if (result != EVENT_LOG_GOT || event.time_ps > at_ps)
            break;
        last_ps = event.time_ps;
        good = take_event(&state, &event, event_log_kind(log, event.kind));
    }
    if (!good)
        error_set(error, ERROR_SYSTEM, "no memory for the view");
    else if (result != EVENT_LOG_FAILED)
        json = build(&state, view->name, number, last_ps, error);
    state_fini(&state);
    return json;
}
