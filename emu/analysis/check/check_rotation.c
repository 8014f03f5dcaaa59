/* SPDX-License-Identifier: MIT */
/* More queues than slots (AMD): who leaves when a quantum is over, and who comes. */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>

#include "emu/analysis/check/check_dispatch.h"

static struct rotation_queue *queue_of(struct check *check, uint64_t queue_id)
{
    struct check_rotation *rotation = &check->dispatch->rotation;
    const uint32_t found = id_map_find(&rotation->queue_ids, queue_id);
    struct rotation_queue *queues;

    if (found != ID_MAP_NONE)
        return &rotation->queues[found];
    queues = check_room(check, rotation->queues, rotation->queue_count, &rotation->queue_capacity,
                        sizeof *queues);
    if (!queues)
        return NULL;
    rotation->queues = queues;
    if (!id_map_add(&rotation->queue_ids, queue_id, rotation->queue_count)) {
        check->no_memory = true;
        return NULL;
    }
    queues[rotation->queue_count] = (struct rotation_queue){.queue_id = queue_id};
    return &queues[rotation->queue_count++];
}

/* chained: a new list, from its beginning on */
void check_rotation_list(struct check *check, const uint64_t *values)
{
    struct check_rotation *rotation = &check->dispatch->rotation;

    rotation->changing = false;
    rotation->chained = values[0] != 0;
    rotation->leaving = 0;
    rotation->quantum_end_ps = GFE_PS_NEVER;
    for (uint32_t i = 0; i < rotation->queue_count; i++) {
        rotation->queues[i].mapped_at = rotation->queues[i].left_at = 0;
        rotation->queues[i].leaves = false;
    }
}

/* The driver has the list taken off. */
void check_rotation_change(struct check *check, const uint64_t *values)
{
    (void)values;
    check->dispatch->rotation.changing = true;
    check->dispatch->rotation.quantum_end_ps = GFE_PS_NEVER;
}

/* The GPU is reset: what runs on it ends, and queues come with a new list only. */
void check_rotation_reset(struct check *check, const uint64_t *values)
{
    check_rotation_change(check, values);
    for (uint32_t i = 0; i < SDMA_ENGINES; i++)
        check->dispatch->sdma.engines[i].busy = false;
}

/* duration */
void check_rotation_quantum(struct check *check, const uint64_t *values)
{
    struct check_rotation *rotation = &check->dispatch->rotation;

    rotation->began = check_event_at(check->now, "a quantum of %" PRIu64 " ps begins", values[0]);
    if (!rotation->changing)
        rotation->quantum_end_ps = clock_add(check->now, values[0]);
}

void check_rotation_time(struct check *check, const char *what)
{
    struct check_rotation *rotation = &check->dispatch->rotation;
    struct check_event event;

    if (check->now <= rotation->quantum_end_ps)
        return;
    event = check_event_at(check->now, "%s", what);
    if (rotation->in_order)
        check_violation(check, "A.H2", &rotation->began, &event,
                        "it is over, and no queue has been told to leave");
    rotation->quantum_end_ps = GFE_PS_NEVER;
}

/* queue: it has to leave */
void check_rotation_preempt(struct check *check, uint64_t queue_id)
{
    struct check_rotation *rotation = &check->dispatch->rotation;
    const struct check_event event =
        check_event_at(check->now, "queue %" PRIu64 " has to leave its slot", queue_id);
    struct rotation_queue *queue = queue_of(check, queue_id);

    if (!queue || rotation->changing || !rotation->chained)
        return;
    if (check->now < rotation->quantum_end_ps && rotation->quantum_end_ps != GFE_PS_NEVER)
        check_violation(check, "A.H2", &rotation->began, &event, "the quantum is not over");
    check_rotation_time(check, "a queue has to leave its slot");
    if (check->now >= rotation->quantum_end_ps)
        rotation->quantum_end_ps = GFE_PS_NEVER;
    if (queue->mapped_at == 0 || queue->leaves)
        return;
    queue->leaves = true;
    rotation->leaving++;
}

/* queue: it has left, or will not */
void check_rotation_left(struct check *check, uint64_t queue_id)
{
    struct check_rotation *rotation = &check->dispatch->rotation;
    struct rotation_queue *queue = queue_of(check, queue_id);

    if (!queue || queue->mapped_at == 0)
        return;
    if (queue->leaves)
        rotation->leaving--;
    queue->leaves = false;
    queue->left_at = queue->mapped_at;
    queue->mapped_at = 0;
}

/* queue, of which the driver makes a new one, or that is gone */
void check_rotation_forget(struct check *check, const uint64_t *values)
{
    struct rotation_queue *queue = queue_of(check, values[0]);

    if (queue)
        queue->left_at = queue->mapped_at = 0;
}

/* queue: it keeps its slot; the check does not follow it any more */
void check_rotation_refused(struct check *check, const uint64_t *values)
{
    check_rotation_left(check, values[0]);
    check_rotation_forget(check, values);
}

/* queue: it gets a slot */
void check_rotation_map(struct check *check, uint64_t queue_id)
{
    struct check_rotation *rotation = &check->dispatch->rotation;
    const struct check_event event =
        check_event_at(check->now, "queue %" PRIu64 " gets a slot", queue_id);
    struct rotation_queue *queue = queue_of(check, queue_id);

    if (!queue)
        return;
    if (rotation->chained && !rotation->changing && rotation->leaving > 0)
        check_violation(check, "A.H2", NULL, &event, "%" PRIu32 " that have to leave have not left",
                        rotation->leaving);
    for (uint32_t i = 0; i < rotation->queue_count && rotation->in_order; i++) {
        const struct rotation_queue *other = &rotation->queues[i];

        if (other->mapped_at == 0 && other->left_at != 0 && other->left_at < queue->left_at) {
            check_violation(check, "A.H2", NULL, &event,
                            "queue %" PRIu64 " had its slot before it, and waits", other->queue_id);
            break;
        }
    }
    queue->mapped_at = ++rotation->map_count;
}

void check_rotation_fini(struct check *check)
{
    id_map_fini(&check->dispatch->rotation.queue_ids);
    free(check->dispatch->rotation.queues);
}
