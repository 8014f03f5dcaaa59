/* SPDX-License-Identifier: MIT */
/* Shares of clients of MPS (CUDA_CLIENT): on how many SMs the blocks of each are. */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>

#include "emu/analysis/check/check_private.h"

enum { CLIENTS_MAX = 64 };

static struct check_client *client_of(const struct check *check, const struct check_grid *grid)
{
    return check->clients && grid->process < CLIENTS_MAX ? &check->clients[grid->process] : NULL;
}

void check_client_new(struct check *check, const uint64_t *values)
{
    const struct check_event event =
        check_event_at(check->now, "process %" PRIu64 " is a client of MPS", values[0]);

    if (values[0] >= CLIENTS_MAX || values[1] == 0) {
        check_violation(check, "LOG", NULL, &event, "there are not so many, or it has no SM");
        return;
    }
    if (values[1] >= check->limits->sm_count)
        return;
    if (!check->clients)
        check->clients = calloc(CLIENTS_MAX, sizeof *check->clients);
    if (check->clients)
        check->clients[values[0]].sm_limit = (uint32_t)values[1];
    else
        check->no_memory = true;
}

void check_client_take(struct check *check, const struct check_grid *grid, uint32_t sm, bool takes)
{
    struct check_client *client = client_of(check, grid);

    if (!client)
        return;
    client->sm_count += takes && client->blocks[sm] == 0;
    client->blocks[sm] += takes ? 1 : UINT32_MAX; /* modulo 2^32 */
    client->sm_count -= !takes && client->blocks[sm] == 0;
}

void check_client_share(struct check *check, const struct check_grid *grid,
                        const struct check_event *event)
{
    const struct check_client *client = client_of(check, grid);

    if (client && client->sm_limit > 0 && client->sm_count > client->sm_limit)
        check_violation(check, "CORE.CLIENT_SHARE", &grid->queued, event,
                        "process %" PRIu64 " has blocks on %" PRIu32 " SMs, of at most %" PRIu32,
                        grid->process, client->sm_count, client->sm_limit);
}

bool check_client_passed(const struct check *check, const struct check_grid *waits,
                         const struct check_grid *other)
{
    const struct check_client *client = client_of(check, waits);

    return client && client->sm_limit > 0 && client->sm_count >= client->sm_limit &&
           waits->process != other->process;
}
