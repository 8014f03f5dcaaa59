/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_hws.h"

#include <stdlib.h>
#include <string.h>

#include "tests/check_hws.h"

enum {
    FUZZ_STEPS_MAX = 100000,
    FUZZ_RUN_STEPS = 200,
    FUZZ_HIQ_DWORDS = 255,
    FUZZ_MEMORY_DWORDS = 4096,
    FUZZ_STUCK = 2,
    FUZZ_HIQ_MQD = CHECK_HWS_VA + 0x100000,
};

static void must(bool so)
{
    if (!so)
        abort();
}

/* Until the queues that were named have left, or were given up. */
static void fuzz_wait(struct check_hws *check)
{
    uint32_t steps = 0;

    while (check->hws.state->unmapping) {
        must(machine_step(check->machine));
        must(++steps < FUZZ_STEPS_MAX);
    }
}

/* What the firmware and the micro engine know of each slot is the same. */
static void fuzz_look(const struct check_hws *check)
{
    const struct hws_state *state = check->hws.state;
    uint32_t mapped = 0, processes = 0;

    must(check->wrong == 0);
    for (uint32_t i = 0; i < CHECK_HWS_SLOTS; i++) {
        const uint32_t index = state->slots[i];

        if (index == HWS_NONE)
            continue;
        mapped++;
        must(index < state->queue_count && state->queues[index].place == i);
        must(state->queues[index].process < state->process_count);
        must(state->processes[state->queues[index].process].vmid == check->slots[i].vmid);
        must(state->vmids[check->slots[i].vmid] == state->queues[index].process);
    }
    for (uint32_t i = 0; i < state->process_count; i++)
        processes += state->processes[i].mapped;
    must(processes == mapped);
}

static void fuzz_read(struct check_hws *check, const uint32_t *dwords, uint32_t count)
{
    enum hws_packet_result result = HWS_PACKET_DONE;
    uint32_t used;

    for (uint32_t at = 0; at < count; at += used) {
        result = hws_packet_read(&check->packets, dwords + at, count - at, &used);
        must(used <= count - at && (used > 0) == (result == HWS_PACKET_DONE));
        fuzz_look(check);
        if (result == HWS_PACKET_WAITS)
            fuzz_wait(check);
        else if (result != HWS_PACKET_DONE)
            break;
    }
}

int fuzz_hws(const uint8_t *data, size_t bytes)
{
    static struct check_hws check;
    uint32_t hiq[FUZZ_HIQ_DWORDS] = {0}, memory[FUZZ_MEMORY_DWORDS] = {0};
    const uint8_t flags = bytes > 0 ? data[0] : 0;
    const uint32_t count = bytes > 1 ? data[1] : 0;
    size_t at = bytes < 2 ? bytes : 2, part = bytes - at;

    part = part < 4 * (size_t)count ? part : 4 * (size_t)count;
    memcpy(hiq, data + at, part);
    at += part;
    part = bytes - at < sizeof memory ? bytes - at : sizeof memory;
    if (part > 0)
        memcpy(memory, data + at, part);
    check_hws_begin(&check);
    check_hws_seal(&check, flags & 8 ? 0x11 : 0xffffffff);
    check.busy = flags & 1;
    check.leave_ps = flags & 2 ? 1000 * GFE_PS_PER_US : 0;
    check.stuck_doorbell = flags & 4 ? FUZZ_STUCK : HWS_NONE;
    check_hws_poke(&check, CHECK_HWS_VA, memory, FUZZ_MEMORY_DWORDS);
    hws_packet_begin(&check.packets, check.space_id, FUZZ_HIQ_MQD);
    fuzz_read(&check, hiq, count);
    for (uint32_t i = 0; i < FUZZ_RUN_STEPS && machine_step(check.machine); i++)
        fuzz_look(&check);
    fuzz_wait(&check);
    hws_unmap(&check.hws, HWS_ALL, true, NULL, 0);
    fuzz_wait(&check);
    fuzz_look(&check);
    for (uint32_t i = 0; i < CHECK_HWS_SLOTS; i++)
        must(!check.slots[i].used || check.slots[i].doorbell == check.stuck_doorbell);
    must(!machine_failed(check.machine));
    check_hws_end(&check);
    return 0;
}

#ifdef GFE_FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    return fuzz_hws(data, bytes);
}
#endif
