/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/sim/gpu_from_cuda.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/nvidia/nv_capability.h"
#include "devices/nvidia/nv_chip.h"
#include "emu/base/input.h"
#include "emu/base/json_text.h"
#include "traces/config/examiner_config_spot.h"
#include "traces/config/examiner_text.h"

enum { TEXT_BYTES_MAX = 1 << 16, NAME_BYTES = 64, PAGE_BYTES = 4096, BITS_PER_BYTE = 8 };

/* The properties that are read, by their names in cudaDeviceProp. */
enum {
    MAJOR,
    MINOR,
    SMS,
    MEMORY,
    CLOCK,
    MEMORY_CLOCK,
    BUS,
    THREADS,
    BLOCKS,
    BLOCK_THREADS,
    WARP,
    REGISTERS,
    BLOCK_REGISTERS,
    SHARED,
    OPTIN,
    RESERVED,
    PROPERTIES
};
static const char *const names[PROPERTIES] = {
    [MAJOR] = "major",
    [MINOR] = "minor",
    [SMS] = "multiProcessorCount",
    [MEMORY] = "totalGlobalMem",
    [CLOCK] = "clockRate",
    [MEMORY_CLOCK] = "memoryClockRate",
    [BUS] = "memoryBusWidth",
    [THREADS] = "maxThreadsPerMultiProcessor",
    [BLOCKS] = "maxBlocksPerMultiProcessor",
    [BLOCK_THREADS] = "maxThreadsPerBlock",
    [WARP] = "warpSize",
    [REGISTERS] = "regsPerMultiprocessor",
    [BLOCK_REGISTERS] = "regsPerBlock",
    [SHARED] = "sharedMemPerMultiprocessor",
    [OPTIN] = "sharedMemPerBlockOptin",
    [RESERVED] = "reservedSharedMemPerBlock",
};

/* One figure that CUDA says. */
static json_t *said(int64_t value, const char *property)
{
    char source[100];

    (void)snprintf(source, sizeof source, "cudaGetDeviceProperties: %s", property);
    return json_pack("{sI ss ss}", "value", (json_int_t)value, "basis", "MEASURED", "source",
                     source);
}

static json_t *assumed(int64_t value, const char *source)
{
    return json_pack("{sI ss ss}", "value", (json_int_t)value, "basis", "ASSUMED", "source",
                     source);
}

/* "NVIDIA H100 80GB HBM3" is nvidia-h100-80gb-hbm3. */
static void name_make(const char *text, char name[NAME_BYTES])
{
    size_t used = 0;

    for (; *text && used + 1 < NAME_BYTES; text++)
        if (isalnum((unsigned char)*text))
            name[used++] = (char)tolower((unsigned char)*text);
        else if (used > 0 && name[used - 1] != '-')
            name[used++] = '-';
    while (used > 0 && name[used - 1] == '-')
        used--;
    name[used] = '\0';
}

static json_t *sm_make(const int64_t value[PROPERTIES])
{
    json_t *sm = json_object();

    sm = json_text_set(sm, "threads_per_sm", said(value[THREADS], names[THREADS]));
    sm = json_text_set(sm, "warps_per_sm", said(value[THREADS] / value[WARP], names[THREADS]));
    sm = json_text_set(sm, "blocks_per_sm", said(value[BLOCKS], names[BLOCKS]));
    sm = json_text_set(sm, "registers_per_sm", said(value[REGISTERS], names[REGISTERS]));
    sm = json_text_set(sm, "registers_per_block",
                       said(value[BLOCK_REGISTERS], names[BLOCK_REGISTERS]));
    sm = json_text_set(sm, "threads_per_block", said(value[BLOCK_THREADS], names[BLOCK_THREADS]));
    sm = json_text_set(sm, "shared_bytes_per_sm", said(value[SHARED], names[SHARED]));
    return json_text_set(sm, "shared_bytes_per_block",
                         said(value[OPTIN] + value[RESERVED],
                              "sharedMemPerBlockOptin and reservedSharedMemPerBlock"));
}

/* TPCs and GPCs, if the card has another number of SMs than the built-in one. */
static json_t *tpcs_add(json_t *file, const struct nv_chip *like, int64_t sm_count)
{
    const uint32_t of_tpc = like->sm_count / like->tpc_count;
    const int64_t tpcs = sm_count % of_tpc ? sm_count : sm_count / of_tpc;

    if (sm_count == like->sm_count)
        return file;
    /* Not what was measured with another number of SMs: carried over by their number. */
    file = json_text_set(file, "context_switch", json_pack("{si}", "load_cycles", 0));
    file = json_text_set(file, "tpc_count", assumed(tpcs, "gfe: CUDA does not say it"));
    if (tpcs < like->gpc_count)
        file = json_text_set(file, "gpc_count", assumed(1, "gfe: CUDA does not say it"));
    file = json_text_set(file, "vgpc_tpcs", json_array());
    return json_text_set(file, "singleton_tpcs", json_integer(0));
}

static json_t *file_make(const struct nv_chip *like, const char *card,
                         const int64_t value[PROPERTIES])
{
    const int64_t hz = value[CLOCK] * 1000;
    json_t *file = json_pack("{si ss}", "gfe_gpu", 1, "inherits", like->name);
    char name[NAME_BYTES];

    name_make(card, name);
    file = json_text_set(file, "name", json_string(name));
    file = json_text_set(file, "card", json_string(card));
    file = json_text_set(file, "vram_bytes",
                         said(value[MEMORY] / PAGE_BYTES * PAGE_BYTES, names[MEMORY]));
    file = json_text_set(file, "sm_hz", said(hz, names[CLOCK]));
    file = json_text_set(file, "host_hz", assumed(hz, "gfe: taken equal to the graphics clock"));
    file = json_text_set(file, "pce_bytes_per_second",
                         assumed(hz * 32, "gfe: a sector of 32 bytes a clock"));
    /* Twice a clock, as the memories of all these cards transfer. */
    file = json_text_set(file, "local_bytes_per_second",
                         said(value[MEMORY_CLOCK] * 1000 * 2 * (value[BUS] / BITS_PER_BYTE),
                              "memoryClockRate, twice a clock, and memoryBusWidth"));
    file = json_text_set(file, "sm_count", said(value[SMS], names[SMS]));
    file = json_text_set(file, "sm", sm_make(value));
    return tpcs_add(file, like, value[SMS]);
}

static json_t *properties_read(const struct spot *root, struct gfe_error *error)
{
    const struct spot card = spot_member(root, "name");
    int64_t value[PROPERTIES];
    const struct nv_chip *like;
    json_t *file;

    if (!json_is_object(root->json)) {
        (void)spot_is_not(root, "an object, as device_properties prints it");
        return NULL;
    }
    if (!json_is_string(card.json)) {
        (void)spot_is_not(&card, "a text");
        return NULL;
    }
    for (int i = 0; i < PROPERTIES; i++) {
        const struct spot spot = spot_member(root, names[i]);

        if (!spot_number(&spot, i == MINOR || i == RESERVED ? 0 : 1, INT64_C(1) << 40,
                         "a whole number", &value[i]))
            return NULL;
    }
    like = nv_capability_chip((uint32_t)value[MAJOR], (uint32_t)value[MINOR], (uint32_t)value[SMS]);
    if (!like) {
        (void)spot_wrong(root, "no built-in GPU has compute capability %" PRId64 ".%" PRId64,
                         value[MAJOR], value[MINOR]);
        return NULL;
    }
    file = file_make(like, json_string_value(card.json), value);
    if (!file)
        error_set(error, ERROR_SYSTEM, "no memory for a GPU file");
    return file;
}

json_t *gpu_from_cuda(const char *path, struct gfe_error *error)
{
    struct examiner_reader reader = {.name = input_name(path), .error = error};
    struct spot root = {.reader = &reader};
    size_t bytes = 0;
    char *text = input_load(path, input_fixed(TEXT_BYTES_MAX), &bytes, error);
    json_t *json =
        text ? examiner_text_json(text, bytes, TEXT_BYTES_MAX, reader.name, error) : NULL;
    json_t *file = NULL;

    free(text);
    root.json = json;
    if (json)
        file = properties_read(&root, error);
    json_decref(json);
    return file;
}
