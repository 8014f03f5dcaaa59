/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_release.h"

#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_inject.h"

/* Computes the value that the release leaves.  Returns false without a translation. */
static bool nv_release_value(struct machine *machine, uint32_t unit,
                             const struct nv_release *release, uint64_t *value, uint64_t *fault)
{
    const unsigned bits = release->bits == 64 ? 64 : 32;
    uint64_t old = 0;

    *value = bits == 64 ? release->payload : (uint32_t)release->payload;
    if (!release->reduces)
        return true;
    if (!machine_vm_read(machine, release->space_id, release->address, &old, bits / 8, fault))
        return false;
    *value =
        nv_semaphore_reduce(release->reduction, release->is_signed, bits, old, release->payload);
    MACHINE_LOG(machine, unit, EVENT_NV_REDUCTION, release->rule, release->channel_id,
                release->address, release->reduction, release->is_signed, old, release->payload);
    return true;
}

static bool nv_release_make(struct machine *machine, uint32_t unit,
                            const struct nv_release *release, uint64_t *fault_address)
{
    const uint64_t address = release->address;
    /* The upper half of a plain payload of 32 bits is written as 0 when there is a time. */
    const size_t bytes = release->bits == 64 || (release->has_time && !release->reduces) ? 8 : 4;
    uint32_t words[4];
    uint64_t value;

    nv_semaphore_pack(0, machine_now(machine) / GFE_PS_PER_NS, words);
    if (release->has_time &&
        !machine_vm_write(machine, release->space_id, address + 8, &words[2], 8, fault_address))
        return false;
    if (release->has_time)
        machine_vm_wrote_own(machine, release->space_id, address + 8, 8);
    if (!nv_release_value(machine, unit, release, &value, fault_address))
        return false;
    nv_semaphore_pack(value, 0, words);
    if (!machine_vm_write(machine, release->space_id, address, words, bytes, fault_address))
        return false;
    MACHINE_LOG(machine, unit, EVENT_NV_RELEASE, release->rule, release->channel_id, address, value,
                release->has_time ? NV_SEMAPHORE_BYTES : bytes, release->class_id,
                release->gp_sequence);
    machine_completed(machine, release->space_id, address, (uint32_t)value);
    return true;
}

bool nv_release_write(struct machine *machine, uint32_t unit, const struct nv_release *asked,
                      uint64_t *fault_address)
{
    struct nv_release injected;
    const struct nv_release *release = asked;

    if (machine->inject) {
        injected = *asked;
        release = &injected;
        if (!machine_inject(machine, unit, NV_INJECT_RELEASE, asked->channel_id, &injected,
                            sizeof injected))
            return true; /* lost: the releasing unit does not notice */
    }
    return nv_release_make(machine, unit, release, fault_address);
}
