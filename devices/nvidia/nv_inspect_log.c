/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_inspect_log.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_runlist.h"
#include "emu/base/id_map.h"
#include "emu/log/event_fields.h"

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

/* Returns the thing of that number, which is made if need be, or NULL without memory. */
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

/* Returns the number of the runlist of which that is a runqueue. */
static uint64_t first_queue(uint64_t runlist_id)
{
    return runlist_id & ((1u << NV_RUNLIST_QUEUE_SHIFT) - 1);
}

/* A load or a save; both have the same members. */
static bool take_load(struct state *state, struct event_nv_channel_load load, gfe_ps time_ps,
                      bool loads)
{
    struct thing *channel = thing_of(&state->channels, load.channel_id);
    struct thing *pbdma = channel ? thing_of(&state->pbdmas, load.pbdma_id) : NULL;

    if (!pbdma)
        return false;
    channel->on = loads ? load.pbdma_id + 1 : 0;
    channel->get = load.gp_get_index;
    channel->put = load.gp_put_index;
    pbdma->on = loads ? load.channel_id + 1 : 0;
    pbdma->runlist_id = first_queue(load.runlist_id);
    pbdma->get = load.gp_get_index;
    pbdma->put = load.gp_put_index;
    pbdma->since_ps = time_ps;
    return true;
}

static bool take_bind(struct state *state, struct event_nv_channel_bind bind)
{
    struct thing *channel = thing_of(&state->channels, bind.channel_id);

    if (!channel)
        return false;
    channel->bound = true;
    channel->stopped = false;
    channel->address = bind.instance_address;
    return true;
}

static bool take_unbind(struct state *state, struct event_nv_channel_unbind unbind)
{
    struct thing *channel = thing_of(&state->channels, unbind.channel_id);

    if (channel)
        channel->bound = false;
    return channel != NULL;
}

static bool take_enable(struct state *state, struct event_nv_channel_enable enable)
{
    struct thing *channel = thing_of(&state->channels, enable.channel_id);

    if (channel)
        channel->enabled = enable.enabled != 0;
    return channel != NULL;
}

static bool take_stop(struct state *state, uint64_t channel_id, bool stopped)
{
    struct thing *channel = thing_of(&state->channels, channel_id);

    if (channel)
        channel->stopped = stopped;
    return channel != NULL;
}

static bool take_submit(struct state *state, struct event_nv_runlist_submit submit)
{
    struct thing *runlist = thing_of(&state->runlists, submit.runlist_id);

    if (!runlist)
        return false;
    runlist->address = submit.base_address;
    runlist->count = submit.entry_count;
    return true;
}

static bool take_tsg_start(struct state *state, struct event_nv_tsg_start start, gfe_ps time_ps)
{
    struct thing *runlist = thing_of(&state->runlists, start.runlist_id);

    if (!runlist)
        return false;
    runlist->on = start.tsg_id + 1;
    runlist->timeslice_ps = start.timeslice_ps;
    runlist->since_ps = time_ps;
    return true;
}

static bool take_tsg_end(struct state *state, struct event_nv_tsg_end end)
{
    struct thing *runlist = thing_of(&state->runlists, end.runlist_id);

    if (runlist)
        runlist->on = 0;
    return runlist != NULL;
}

/* The row of a kind is its number less TABLE_NVIDIA. */
static const struct event_fields_row rows[] = {NV_EVENTS(EVENT_FIELDS_ROW)};
enum { ROWS = sizeof rows / sizeof rows[0] };

/* Applies an event to the state.  Returns false without memory. */
static bool take_event(struct state *state, const struct event_fields *fields,
                       const struct log_event *event)
{
    const uint32_t row = event_fields_row(fields, event->kind);
    uint64_t space[EVENT_ARGUMENTS_MAX];
    const uint64_t *values;

    if (row == EVENT_FIELDS_NONE)
        return true;
    values = event_fields_values(fields, row, event, space);
    switch (TABLE_NVIDIA + row) {
    case EVENT_NV_CHANNEL_LOAD:
        return take_load(state, event_nv_channel_load_from(values), event->time_ps, true);
    case EVENT_NV_CHANNEL_SAVE:
        return take_load(state, event_nv_channel_load_from(values), event->time_ps, false);
    case EVENT_NV_CHANNEL_BIND:
        return take_bind(state, event_nv_channel_bind_from(values));
    case EVENT_NV_CHANNEL_UNBIND:
        return take_unbind(state, event_nv_channel_unbind_from(values));
    case EVENT_NV_CHANNEL_ENABLE:
        return take_enable(state, event_nv_channel_enable_from(values));
    case EVENT_NV_CHANNEL_STOP:
        return take_stop(state, event_nv_channel_stop_from(values).channel_id, true);
    case EVENT_NV_CHANNEL_GO_ON:
        return take_stop(state, event_nv_channel_go_on_from(values).channel_id, false);
    case EVENT_NV_RUNLIST_SUBMIT:
        return take_submit(state, event_nv_runlist_submit_from(values));
    case EVENT_NV_TSG_START:
        return take_tsg_start(state, event_nv_tsg_start_from(values), event->time_ps);
    case EVENT_NV_TSG_END:
        return take_tsg_end(state, event_nv_tsg_end_from(values));
    default:
        return true;
    }
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
        const uint32_t list = id_map_find(&state->runlists.map, first_queue(runlist->id));
        const struct thing *submitted = list == ID_MAP_NONE ? runlist : &state->runlists.at[list];

        if (only != UINT32_MAX && first_queue(runlist->id) != only)
            continue;
        good = inspect_add(
            view, json_pack("{sI so sI so sI sI}", "runlist", (json_int_t)submitted->id, "base",
                            json_sprintf("0x%" PRIx64, submitted->address), "length",
                            (json_int_t)submitted->count, "tsg", number_or_dash(runlist->on),
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
    {"channels", NULL, NULL, NULL, NULL, false, INSPECT_NVIDIA},
    {"runlist", "N", NULL, NULL, NULL, false, INSPECT_NVIDIA},
    {"tsgs", NULL, NULL, NULL, NULL, false, INSPECT_NVIDIA},
    {"pbdma", "N", NULL, NULL, NULL, false, INSPECT_NVIDIA},
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
    struct event_fields fields;
    struct state state = {0};
    struct log_event event;
    gfe_ps last_ps = 0;
    json_t *json = NULL;
    bool good = true;

    if (!event_fields_bind(&fields, log, rows, ROWS, error))
        return NULL;
    for (uint64_t i = 0; i < event_count && good; i++) {
        result = event_log_read(log, &event, error);
        if (result != EVENT_LOG_GOT || event.time_ps > at_ps)
            break;
        last_ps = event.time_ps;
        good = take_event(&state, &fields, &event);
    }
    if (!good)
        error_set(error, ERROR_SYSTEM, "no memory for the view");
    else if (result != EVENT_LOG_FAILED)
        json = build(&state, view->name, number, last_ps, error);
    state_fini(&state);
    event_fields_fini(&fields);
    return json;
}
