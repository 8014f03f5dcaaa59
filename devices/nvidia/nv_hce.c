/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_hce.h"

#include <assert.h>

void nv_hce_wire(struct nv_hce *hce, struct machine *machine, uint32_t channel_count,
                 const uint32_t known[NV_HCE_METHODS_END / 32])
{
    hce->channel_count = channel_count;
    hce->method_count = 0;
    for (uint32_t method = 0; method < NV_HCE_METHODS_END; method++) {
        if (!(known[method / 32] >> (method % 32) & 1))
            continue;
        assert(hce->method_count < NV_HCE_METHODS);
        hce->methods[hce->method_count++] = (uint16_t)method;
    }
    hce->records = machine_alloc(machine, channel_count * sizeof *hce->records);
}

void nv_hce_save(struct nv_hce *hce, uint32_t channel, uint64_t instance, uint32_t binding,
                 const uint32_t *shadow)
{
    struct nv_hce_record *record = &hce->records[channel];

    assert(channel < hce->channel_count);
    record->instance = instance;
    record->binding = binding;
    record->valid = 1;
    for (uint32_t i = 0; i < hce->method_count; i++)
        record->words[i] = shadow[hce->methods[i]];
}

void nv_hce_save_nothing(struct nv_hce *hce, uint32_t channel)
{
    assert(channel < hce->channel_count);
    if (hce->records[channel].valid)
        hce->records[channel] = (struct nv_hce_record){0};
}

bool nv_hce_has(const struct nv_hce *hce, uint32_t channel, uint64_t instance, uint32_t binding)
{
    const struct nv_hce_record *record = &hce->records[channel];

    assert(channel < hce->channel_count);
    return record->valid && record->instance == instance && record->binding == binding;
}

bool nv_hce_load(const struct nv_hce *hce, uint32_t channel, uint64_t instance, uint32_t binding,
                 uint32_t *shadow)
{
    const struct nv_hce_record *record = &hce->records[channel];
    const bool kept = nv_hce_has(hce, channel, instance, binding);

    for (uint32_t i = 0; i < hce->method_count; i++)
        shadow[hce->methods[i]] = kept ? record->words[i] : 0;
    return kept;
}
