/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_amd_packets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/amd/formats/amd_aql.h"
#include "devices/amd/formats/amd_decode.h"
#include "devices/amd/formats/amd_kernel.h"
#include "devices/amd/formats/amd_mqd.h"
#include "devices/amd/formats/amd_pm4.h"
#include "devices/amd/formats/amd_sdma_mqd.h"
#include "devices/amd/formats/amd_sdma_packet.h"

enum { HEAD_BYTES = 4 };

static void must(bool so)
{
    if (!so)
        abort();
}

static void fuzz_or(uint32_t *dwords, uint32_t bits, uint64_t value)
{
    must((amd_get(dwords, bits) & value) == 0);
    amd_put(dwords, bits, amd_get(dwords, bits) | value);
}

/* What is shown behind the fields, and the registers among them. */
static void fuzz_item(void *context, const struct amd_item *item)
{
    uint32_t *dwords = context;

    if (item->kind != AMD_ITEM_FIELD)
        fuzz_or(dwords, AMD_BITS(item->dword, 0, 32, 0), item->value);
}

/* Values of registers are items of their own for the generation whose registers are known. */
static void fuzz_fields(uint32_t *dwords, const struct amd_packet *packet,
                        const struct amd_field *fields, uint32_t count)
{
    const bool has_registers = packet->generation == AMD_GENERATION_GFX9;

    for (uint32_t i = 0; i < count; i++)
        if (!(fields[i].reg && has_registers) &&
            AMD_BITS_DWORDS(fields[i].bits) <= packet->dword_count &&
            AMD_BITS_DWORDS(fields[i].bits) <= packet->said_dwords)
            fuzz_or(dwords, fields[i].bits, amd_get(packet->dwords, fields[i].bits));
}

/* Header, fields, data and reserved bits make the packet again. */
static void fuzz_rebuild(const struct amd_packet *packet)
{
    uint32_t *dwords = calloc(packet->dword_count, sizeof *dwords);

    must(dwords != NULL);
    dwords[0] = packet->dwords[0] & packet->header_bits;
    amd_packet_items(packet, fuzz_item, dwords);
    fuzz_fields(dwords, packet, packet->head, packet->head_count);
    if (packet->layout)
        fuzz_fields(dwords, packet, packet->layout->fields, packet->layout->field_count);
    must(memcmp(dwords, packet->dwords, packet->dword_count * sizeof *dwords) == 0);
    free(dwords);
}

/* Of two packets of an input one comes as JSON, the other as text: each kind comes as both. */
static void fuzz_packet(FILE *sink, const struct amd_packet *packet, bool as_json)
{
    must(packet->name != NULL && packet->dword_count > 0);
    must((packet->problem == AMD_TRUNCATED) == (packet->dword_count < packet->said_dwords));
    if (as_json) {
        json_t *json = amd_decode_json(packet, packet->at * 4ull);

        must(json != NULL);
        json_decref(json);
    } else {
        amd_decode_print(sink, packet, packet->at * 4ull);
    }
    fuzz_rebuild(packet);
}

int fuzz_amd_packets(const uint8_t *data, size_t bytes)
{
    static bool (*const next[])(struct amd_reader *, struct amd_packet *) = {
        amd_pm4_next, amd_aql_next,    amd_sdma_next,    amd_mqd_next,
        amd_hqd_next, amd_kernel_next, amd_sdma_mqd_next};
    struct amd_reader reader = {0};
    struct amd_packet packet;
    uint32_t *dwords, at = 0;
    bool as_json;
    FILE *sink;

    if (bytes < HEAD_BYTES + 4)
        return 0;
    reader.count = (uint32_t)((bytes - HEAD_BYTES) / 4);
    dwords = malloc(reader.count * sizeof *dwords);
    sink = fopen("/dev/null", "we");
    must(sink != NULL && dwords != NULL);
    memcpy(dwords, data + HEAD_BYTES, reader.count * sizeof *dwords);
    reader.dwords = dwords;
    reader.generation =
        (enum amd_generation)(data[0] / (sizeof next / sizeof next[0]) % AMD_GENERATIONS);
    as_json = data[1] % 2 == 0;
    while (next[data[0] % (sizeof next / sizeof next[0])](&reader, &packet)) {
        must(packet.at == at);
        fuzz_packet(sink, &packet, as_json);
        as_json = !as_json;
        at += packet.dword_count;
    }
    must(at == reader.count);
    free(dwords);
    fclose(sink);
    return 0;
}

#ifdef GFE_FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    return fuzz_amd_packets(data, bytes);
}
#endif
