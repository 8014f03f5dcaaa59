/* SPDX-License-Identifier: MIT */
/* Copies on their engines, and time-slice groups on their runlists. */
#include <config.h>

#include <inttypes.h>

#include "emu/analysis/check/check_private.h"
#include "emu/log/event_list.h"

enum check_copy_state { COPY_QUEUED, COPY_RUNS, COPY_STOPPED, COPY_OVER };

bool check_copy_is_over(const struct check *check, uint32_t index)
{
    return check->copies[index].state == COPY_OVER;
}

static struct check_copy *copy_of(struct check *check, const uint64_t *values, const char *what)
{
    const uint32_t index = id_map_find(&check->copy_ids, values[0]);
    const struct check_event event =
        check_event_at(check->now, "copy %" PRIu64 " %s", values[0], what);

    if (index != ID_MAP_NONE && check->copies[index].state != COPY_OVER)
        return &check->copies[index];
    check_violation(check, "LOG", index != ID_MAP_NONE ? &check->copies[index].queued : NULL,
                    &event, index != ID_MAP_NONE ? "it is over" : "no such copy was queued");
    return NULL;
}

static struct check_engine *engine_of(struct check *check, uint64_t engine_id)
{
    struct check_engine *engines;

    for (uint32_t i = 0; i < check->engine_count; i++)
        if (check->engines[i].engine_id == engine_id)
            return &check->engines[i];
    engines = check_room(check, check->engines, check->engine_count, &check->engine_capacity,
                         sizeof *check->engines);
    if (!engines)
        return NULL;
    check->engines = engines;
    engines[check->engine_count] = (struct check_engine){.engine_id = engine_id};
    return &engines[check->engine_count++];
}

static struct check_fifo *fifo_of(struct check *check, const struct check_copy *copy)
{
    const uint64_t id = copy->channel_id * CHECK_ENGINES_MAX + copy->engine_id;
    const uint32_t index = id_map_find(&check->fifo_ids, id);
    struct check_fifo *fifos;

    if (index != ID_MAP_NONE)
        return &check->fifos[index];
    fifos =
        check_room(check, check->fifos, check->fifo_count, &check->fifo_capacity, sizeof *fifos);
    if (!fifos)
        return NULL;
    check->fifos = fifos;
    if (!id_map_add(&check->fifo_ids, id, check->fifo_count)) {
        check->no_memory = true;
        return NULL;
    }
    fifos[check->fifo_count] = (struct check_fifo){0};
    return &fifos[check->fifo_count++];
}

static void fifo_push(struct check *check, uint32_t index)
{
    struct check_fifo *fifo = fifo_of(check, &check->copies[index]);
    uint32_t *copies =
        fifo ? check_room(check, fifo->copies, fifo->count, &fifo->capacity, sizeof *copies) : NULL;

    if (!copies)
        return;
    fifo->copies = copies;
    copies[fifo->count++] = index;
}

/* The first that has not started. */
static struct check_copy *fifo_head(struct check *check, const struct check_copy *of)
{
    struct check_fifo *fifo = fifo_of(check, of);

    if (!fifo)
        return NULL;
    while (fifo->first < fifo->count &&
           check->copies[fifo->copies[fifo->first]].state != COPY_QUEUED)
        fifo->first++;
    return fifo->first < fifo->count ? &check->copies[fifo->copies[fifo->first]] : NULL;
}

void check_copy_queue(struct check *check, const uint64_t *values)
{
    const struct check_event event = check_event_at(
        check->now, "copy %" PRIu64 " of channel %" PRIu64 " is queued", values[0], values[1]);
    const uint32_t before = id_map_find(&check->copy_ids, values[0]);
    struct check_copy *copies;

    if (before != ID_MAP_NONE) {
        check_violation(check, "LOG", &check->copies[before].queued, &event,
                        "that number has been given before");
        return;
    }
    if (values[1] >= EVENT_CHANNEL_IDS || values[2] >= CHECK_ENGINES_MAX) {
        check_violation(check, "LOG", NULL, &event, "no GPU has so many channels or engines");
        return;
    }
    copies =
        check_room(check, check->copies, check->copy_count, &check->copy_capacity, sizeof *copies);
    if (!copies)
        return;
    check->copies = copies;
    copies[check->copy_count] = (struct check_copy){
        .copy_id = values[0], .channel_id = values[1], .engine_id = values[2], .queued = event};
    if (!id_map_add(&check->copy_ids, values[0], check->copy_count)) {
        check->no_memory = true;
        return;
    }
    check->report->copy_count++;
    check_operation_work(check, false, check->copy_count, values[1], values[3]);
    fifo_push(check, check->copy_count++);
}

/* Puts the copy on its engine, which must have no other copy. */
static void copy_on(struct check *check, struct check_copy *copy, const struct check_event *event)
{
    struct check_engine *engine = engine_of(check, copy->engine_id);

    if (!engine)
        return;
    if (engine->busy)
        check_violation(check, "T.C2", &engine->start, event,
                        "copy %" PRIu64 " is on engine %" PRIu64, engine->copy_id,
                        engine->engine_id);
    *engine = (struct check_engine){copy->engine_id, copy->copy_id, true, *event};
    copy->state = COPY_RUNS;
}

static void copy_off(struct check *check, const struct check_copy *copy)
{
    struct check_engine *engine = engine_of(check, copy->engine_id);

    if (engine && engine->copy_id == copy->copy_id)
        engine->busy = false;
}

void check_copy_start(struct check *check, const uint64_t *values)
{
    struct check_copy *copy = copy_of(check, values, "starts");
    const struct check_event event =
        check_event_at(check->now, "copy %" PRIu64 " starts", values[0]);
    const struct check_copy *head;

    if (!copy)
        return;
    if (copy->state != COPY_QUEUED)
        check_violation(check, "T.C3", &copy->queued, &event, "it has left its queue before");
    head = fifo_head(check, copy);
    if (copy->state == COPY_QUEUED && head && head != copy)
        check_violation(check, "T.C2", &head->queued, &event,
                        "copy %" PRIu64 " of the same channel is before it", head->copy_id);
    copy_on(check, copy, &event);
}

void check_copy_stop(struct check *check, const uint64_t *values)
{
    struct check_copy *copy = copy_of(check, values, "stops");
    const struct check_event event =
        check_event_at(check->now, "copy %" PRIu64 " stops", values[0]);

    if (!copy)
        return;
    if (copy->state != COPY_RUNS)
        check_violation(check, "LOG", &copy->queued, &event, "it did not run");
    copy_off(check, copy);
    copy->state = COPY_STOPPED;
}

void check_copy_resume(struct check *check, const uint64_t *values)
{
    struct check_copy *copy = copy_of(check, values, "goes on");
    const struct check_event event =
        check_event_at(check->now, "copy %" PRIu64 " goes on", values[0]);

    if (!copy)
        return;
    if (copy->state != COPY_STOPPED)
        check_violation(check, "LOG", &copy->queued, &event, "it was not suspended");
    copy_on(check, copy, &event);
}

void check_copy_end(struct check *check, const uint64_t *values)
{
    struct check_copy *copy = copy_of(check, values, "ends");
    const struct check_event event = check_event_at(check->now, "copy %" PRIu64 " ends", values[0]);

    if (!copy)
        return;
    if (copy->state != COPY_RUNS)
        check_violation(check, "LOG", &copy->queued, &event, "it did not run");
    copy_off(check, copy);
    copy->state = COPY_OVER;
}

void check_copy_drop(struct check *check, const uint64_t *values)
{
    struct check_copy *copy = copy_of(check, values, "is lost");

    if (!copy)
        return;
    copy_off(check, copy);
    copy->state = COPY_OVER;
}

/* ---- time-slice groups ----------------------------------------------------------------------- */

void check_tsg_start(struct check *check, const uint64_t *values)
{
    const uint64_t runlist = values[0];
    const struct check_event event = check_event_at(
        check->now, "TSG %" PRIu64 " starts on runlist %" PRIu64, values[1], runlist);

    if (runlist >= CHECK_RUNLISTS_MAX) {
        check_violation(check, "LOG", NULL, &event, "no GPU has so many runlists");
        return;
    }
    if (check->tsg_on[runlist])
        check_violation(check, "B.R4", &check->tsgs[runlist], &event,
                        "TSG %" PRIu64 " is active on the runlist", check->tsg_ids[runlist]);
    check->tsg_on[runlist] = true;
    check->tsg_ids[runlist] = values[1];
    check->tsgs[runlist] = event;
}

void check_tsg_end(struct check *check, const uint64_t *values)
{
    const uint64_t runlist = values[0];
    const struct check_event event =
        check_event_at(check->now, "TSG %" PRIu64 " leaves runlist %" PRIu64, values[1], runlist);

    if (runlist >= CHECK_RUNLISTS_MAX || !check->tsg_on[runlist] ||
        check->tsg_ids[runlist] != values[1]) {
        check_violation(check, "LOG", NULL, &event, "it is not active");
        return;
    }
    check->tsg_on[runlist] = false;
}
