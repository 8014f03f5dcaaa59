/* SPDX-License-Identifier: MIT */
/* The wiring of a runlist and of its further runqueues: their state, PBDMA and engines. */
#include <config.h>

#include "devices/nvidia/nv_runlist.h"

#include <stdio.h>
#include <string.h>

#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/nv_engine.h"
#include "devices/nvidia/nv_host.h"

enum { NV_RUNLIST_ENTRIES_MAX = 65535 };

static const struct unit_ops nv_runlist_ops = {.event = nv_runlist_event};

static void nv_runlist_wire_copy(struct nv_runlist *runlist)
{
    struct machine *machine = runlist->machine;
    const uint32_t twice = 2 * runlist->host->model->channel_count;
    uint32_t words;

    runlist->capacity = twice < NV_RUNLIST_ENTRIES_MAX ? twice : NV_RUNLIST_ENTRIES_MAX;
    words = (runlist->capacity + 63) / 64;
    runlist->members = machine_alloc(machine, runlist->capacity * sizeof *runlist->members);
    runlist->groups = machine_alloc(machine, runlist->capacity * sizeof *runlist->groups);
    runlist->serviceable = machine_alloc(machine, words * sizeof *runlist->serviceable);
    runlist->summary = machine_alloc(machine, (words + 63) / 64 * sizeof *runlist->summary);
}

uint32_t nv_runlist_queue_count(const struct nv_chip *model, uint32_t runlist_id)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < model->pbdma_count; i++)
        count += model->pbdma_runlists[i] >> runlist_id & 1;
    return count > 0 ? count : 1;
}

/* The n-th PBDMA of the runlist, as PBDMA_MAP has them. */
static void nv_runlist_wire_pbdma(struct nv_runlist *queue)
{
    const struct nv_chip *model = queue->host->model;
    uint32_t n = 0;

    queue->pbdma_id = UINT32_MAX;
    for (uint32_t i = 0; i < model->pbdma_count; i++)
        if (model->pbdma_runlists[i] >> queue->runlist_id & 1 && n++ == queue->runqueue)
            queue->pbdma_id = i;
}

/* All engines of the runlist; of several runqueues the n-th feeds the n-th GRCE alone. */
static void nv_runlist_wire_engines(struct nv_runlist *queue)
{
    const struct nv_chip *model = queue->host->model;
    const bool several = nv_runlist_queue_count(model, queue->runlist_id) > 1;
    uint32_t grces = 0;

    for (uint32_t i = 0; i < model->engine_count; i++) {
        const struct nv_chip_engine *engine = &model->engines[i];

        if (engine->runlist_id != queue->runlist_id ||
            queue->engine_count >= NV_RUNLIST_ENGINES_MAX)
            continue;
        if (engine->kind != NV_CHIP_GRCE || !several || grces++ == queue->runqueue)
            queue->fed |= 1u << queue->engine_count;
        queue->engines[queue->engine_count] = i;
        queue->engine_at[queue->engine_count++] = &queue->host->engines[i];
    }
}

static void nv_runlist_wire_state(struct nv_runlist *queue, struct nv_host *host,
                                  uint32_t runlist_id)
{
    queue->machine = host->machine;
    queue->host = host;
    queue->runlist_id = runlist_id;
    queue->state = machine_alloc(host->machine, sizeof *queue->state);
    queue->state->tsg_id = queue->state->group = queue->state->channel_id = UINT32_MAX;
    queue->state->left_tsg_id = queue->state->preempted_tsg_id = UINT32_MAX;
    queue->state->idle = NV_RUNLIST_ENG_IDLE;
    nv_runlist_wire_copy(queue);
    nv_runlist_wire_pbdma(queue);
    nv_runlist_wire_engines(queue);
}

void nv_runlist_wire(struct nv_runlist *runlist, struct nv_host *host, uint32_t runlist_id)
{
    (void)snprintf(runlist->name, sizeof runlist->name, "nv_runlist%u", runlist_id);
    runlist->head = runlist;
    runlist->unit = machine_add_unit(host->machine, runlist->name, &nv_runlist_ops, runlist);
    nv_runlist_wire_state(runlist, host, runlist_id);
}

void nv_runlist_wire_queue(struct nv_runlist *queue, struct nv_runlist *head)
{
    struct nv_runlist *last = head;

    while (last->next)
        last = last->next;
    last->next = queue;
    queue->runqueue = last->runqueue + 1;
    memcpy(queue->name, head->name, sizeof queue->name);
    queue->head = head;
    queue->unit = head->unit;
    nv_runlist_wire_state(queue, head->host, head->runlist_id);
}
