/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_channel_private.h"

#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_tables.h"

/* The watches of a channel are events of Host, told apart by their kinds. */
void nv_channel_wait_acquire(struct nv_host *host, uint32_t channel_id,
                             const struct nv_channel_acquire *acquire)
{
    struct nv_channel *channel = nv_channel_of(host, channel_id);
    const uint32_t slot = nv_channel_slot(host, channel_id);

    channel->acquire_switch = acquire->switches_tsg;
    channel->acquire_failed = channel->acquire_blocked = 1;
    channel->semaphore = acquire->semaphore;
    channel->failed_ps = machine_now(host->machine);
    for (uint32_t half = 0; half <= acquire->wide; half++)
        machine_watch(host->machine, host->unit, NV_HOST_ACQUIRE + 2 * slot + half, channel_id,
                      acquire->aperture, acquire->physical + UINT64_C(4) * half);
    if (acquire->deadline_ps != GFE_PS_NEVER) {
        channel->deadline = 1;
        machine_schedule(host->machine, host->unit, acquire->deadline_ps, NV_HOST_DEADLINE + slot,
                         channel_id);
    }
}

void nv_channel_log_acquire_wait(struct nv_host *host, uint32_t channel_id)
{
    struct nv_channel *channel = nv_channel_of(host, channel_id);

    if (channel->pending_ps < machine_now(host->machine))
        MACHINE_LOG(host->machine, host->unit, EVENT_WAIT, RULE_NV_ACQ, channel->pending_ps,
                    SUBJECT_CHANNEL, channel_id, SUBJECT_SEMAPHORE, channel->semaphore);
    channel->pending_ps = machine_now(host->machine);
}

void nv_channel_stop_acquire(struct nv_host *host, uint32_t channel_id)
{
    struct nv_channel *channel = nv_channel_of(host, channel_id);

    if (channel->deadline)
        (void)machine_cancel(host->machine, host->unit,
                             NV_HOST_DEADLINE + nv_channel_slot(host, channel_id));
    if (channel->pretest)
        (void)machine_cancel(host->machine, host->unit,
                             NV_HOST_PRETEST + nv_channel_slot(host, channel_id));
    channel->deadline = 0;
    channel->pretest = 0;
}

static void nv_channel_acquire_due(struct nv_host *host, uint32_t channel_id)
{
    struct nv_channel *channel = nv_channel_of(host, channel_id);

    if (!channel->acquire_blocked) /* it may still be on its way off the PBDMA */
        return;
    nv_channel_stop_acquire(host, channel_id);
    nv_channel_log_acquire_wait(host, channel_id);
    channel->acquire_blocked = 0;
    nv_channel_stir(host, channel);
    nv_channel_changed(host, channel);
}

void nv_channel_acquire_written(struct nv_host *host, uint32_t channel_id)
{
    struct nv_channel *channel = nv_channel_of(host, channel_id);
    const gfe_ps now = machine_now(host->machine);
    const gfe_ps pretest_ps = nv_host_acq_pretest_ps(host, channel->runlist_id);
    const gfe_ps over = pretest_ps ? (now - channel->failed_ps) % pretest_ps : 0;
    gfe_ps due_ps;

    if (!channel->acquire_blocked || channel->pretest)
        return;
    if (over == 0) {
        nv_channel_acquire_due(host, channel_id);
        return;
    }
    due_ps = clock_add(now, pretest_ps - over);
    if (due_ps == GFE_PS_NEVER)
        return; /* it is not tried again, but for its deadline */
    channel->pretest = 1;
    machine_schedule(host->machine, host->unit, due_ps,
                     NV_HOST_PRETEST + nv_channel_slot(host, channel_id), channel_id);
}

void nv_channel_pretest_over(struct nv_host *host, uint32_t channel_id)
{
    nv_channel_of(host, channel_id)->pretest = 0;
    nv_channel_acquire_due(host, channel_id);
}

void nv_channel_deadline_missed(struct nv_host *host, uint32_t channel_id)
{
    nv_channel_of(host, channel_id)->deadline = 0;
    nv_channel_acquire_due(host, channel_id);
}
