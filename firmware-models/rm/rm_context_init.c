/* SPDX-License-Identifier: MIT */
/*
 * What making a CUDA context does to others (B.D1).  While the context is initialised, the kernel
 * of another process is interrupted several times, for about 100 ms (Bakita and Anderson 2024, Fig.
 * 6, on a GTX 1060 3GB).  What the driver sends meanwhile is not published.  ASSUMED: a number of
 * pieces at equal distances, each of which needs the graphics engine with the new context.  Each
 * is a release after a wait for idle, in the last of the compute channels.  The interruption itself
 * is not coded: it follows from the scheduling of that channel.
 *
 * Compute "is also briefly interrupted when copy_monitor does large, GPU-device-mapped memory
 * allocations" (their note 14).  ASSUMED: one such piece, for an allocation of
 * rm.large_allocation_bytes and more.
 */
#include <config.h>

#include "firmware-models/rm/rm.h"
#include "firmware-models/rm/rm_tables.h"

/* The first half of its page is for the releases, the second half for the dwords that are sent. */
enum { RM_INIT_DWORDS = 6, RM_INIT_PIECES_MAX = 64 };

static uint32_t rm_init_header(uint32_t method, uint32_t count)
{
    return 1u << 29 | count << 16 | method >> 2;
}

/* A release of `value` by Host's semaphore methods, on subchannel 0; the number of dwords. */
static uint32_t rm_init_release(const struct rm *rm, uint64_t address, uint32_t value,
                                uint32_t dwords[RM_INIT_DWORDS])
{
    if (rm->chip->form == RM_RUNLIST_GP100) {
        dwords[0] = rm_init_header(0x10, 4); /* SEMAPHOREA to D */
        dwords[1] = (uint32_t)(address >> 32);
        dwords[2] = (uint32_t)address;
        dwords[3] = value;
        dwords[4] = 2 | 1u << 24; /* RELEASE, WFI, 4 bytes */
        return 5;
    }
    dwords[0] = rm_init_header(0x5c, 5); /* SEM_ADDR_LO to SEM_EXECUTE */
    dwords[1] = (uint32_t)address;
    dwords[2] = (uint32_t)(address >> 32);
    dwords[3] = value;
    dwords[4] = 0;
    dwords[5] = 1 | 1u << 20; /* RELEASE, WFI */
    return 6;
}

/* Sends a piece as GP entry `put` of the channel. */
static void rm_init_piece(struct rm *rm, const struct rm_context_init *init, uint32_t put)
{
    const uint32_t at = MEMORY_PAGE_BYTES / 2 + 4 * RM_INIT_DWORDS * (put % RM_INIT_PIECES_MAX);
    uint32_t dwords[RM_INIT_DWORDS];
    const uint32_t count = rm_init_release(rm, init->va, put + 1, dwords);

    for (uint32_t i = 0; i < count; i++)
        rm_poke(rm, init->physical + at + UINT64_C(4) * i, dwords[i]);
    rm_poke(rm, init->ring_physical + UINT64_C(8) * put, (uint32_t)(init->va + at));
    rm_poke(rm, init->ring_physical + UINT64_C(8) * put + 4,
            (uint32_t)((init->va + at) >> 32) | count << 10);
    rm_channel_kick(rm, init->channel, (put + 1) % RM_CONTEXT_RING_ENTRIES);
}

static void rm_init_send(struct rm *rm, struct rm_context_init *init)
{
    const struct rm_tsg *tsg = &rm->state->tsgs[rm->state->channels[init->channel].tsg];

    MACHINE_LOG(rm->machine, rm->unit, EVENT_RM_CONTEXT_INIT, RULE_B_D1, tsg->runlist_id,
                tsg->tsg_id, rm->state->channels[init->channel].chid, init->piece, init->pieces);
    rm_init_piece(rm, init, init->piece++);
}

/* The next piece, or the end. */
static void rm_init_schedule(struct rm *rm, uint32_t index)
{
    const struct rm_context_init *init = &rm->state->inits[index];
    const gfe_ps all_ps = machine_parameter(rm->machine, PARAM_RM_CONTEXT_INIT_PS);
    const gfe_ps at_ps = init->piece < init->pieces ? all_ps / init->pieces * init->piece : all_ps;

    machine_schedule(rm->machine, rm->unit, clock_add(init->since_ps, at_ps), RM_CONTEXT_INIT,
                     index);
}

void rm_context_init_step(struct rm *rm, uint32_t index)
{
    struct rm_context_init *init = &rm->state->inits[index];
    const struct rm_tsg *tsg = &rm->state->tsgs[rm->state->channels[init->channel].tsg];

    if (init->piece < init->pieces) {
        rm_init_send(rm, init);
        rm_init_schedule(rm, index);
        return;
    }
    MACHINE_LOG(rm->machine, rm->unit, EVENT_RM_CONTEXT_READY, RULE_B_D1, tsg->runlist_id,
                tsg->tsg_id, machine_now(rm->machine) - init->since_ps);
    init->used = 0;
}

/* Where a context's pieces go. */
static struct rm_context_init rm_init_of(const struct rm_cuda_context *context)
{
    const struct rm_context_channel *last = &context->channels[context->compute_count - 1];

    return (struct rm_context_init){
        .channel = last->channel,
        .ring_physical = last->ring_physical,
        .physical = context->init_physical,
        .va = context->init_va,
    };
}

bool rm_cuda_context_init(struct rm *rm, const struct rm_cuda_context *context)
{
    const uint64_t pieces = machine_parameter(rm->machine, PARAM_RM_CONTEXT_INIT_PIECES);
    uint32_t index = 0;

    while (index < RM_CONTEXT_INITS_MAX && rm->state->inits[index].used)
        index++;
    if (index == RM_CONTEXT_INITS_MAX || pieces > RM_INIT_PIECES_MAX) {
        machine_fail(rm->machine, ERROR_LIMIT, "a CUDA context: %s",
                     index == RM_CONTEXT_INITS_MAX ? "too many are made at a time"
                                                   : "rm.context_init_pieces is above 64");
        return false;
    }
    rm->state->inits[index] = rm_init_of(context);
    rm->state->inits[index].used = 1;
    rm->state->inits[index].pieces = (uint32_t)pieces;
    rm->state->inits[index].since_ps = machine_now(rm->machine);
    rm_init_schedule(rm, index);
    return true;
}

bool rm_cuda_context_allocate(struct rm *rm, const struct rm_cuda_context *context, uint32_t put,
                              uint64_t bytes)
{
    const struct rm_context_init piece = rm_init_of(context);
    const struct rm_channel *channel = &rm->state->channels[piece.channel];
    const struct rm_tsg *tsg = &rm->state->tsgs[channel->tsg];

    if (bytes < machine_parameter(rm->machine, PARAM_RM_LARGE_ALLOCATION_BYTES))
        return false;
    MACHINE_LOG(rm->machine, rm->unit, EVENT_RM_ALLOCATION, RULE_B_D1, tsg->runlist_id, tsg->tsg_id,
                channel->chid, bytes);
    rm_init_piece(rm, &piece, put);
    return true;
}
