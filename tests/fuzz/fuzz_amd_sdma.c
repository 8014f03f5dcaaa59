/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_amd_sdma.h"

#include <string.h>

#include "tests/fuzz/fuzz_amd_node.h"

enum { FUZZ_STEPS = 4000, FUZZ_FIRST_STEPS = 100 };
enum { FUZZ_FAR = 1, FUZZ_FIRST = 2, FUZZ_UNMAP = 4, FUZZ_UNLOAD = 8 };

static void fuzz_ring(struct fuzz_amd *fuzz, const uint8_t *head, uint64_t more)
{
    for (uint32_t engine = 0; engine < 2; engine++) {
        const uint32_t dwords = head[1 + 2 * engine] | (uint32_t)head[2 + 2 * engine] << 8;
        const uint64_t far = head[0] & FUZZ_FAR ? UINT64_C(1) << 40 : 0;

        if (dwords)
            amd_node_doorbell(&fuzz->node, FUZZ_AMD_SDMA_DOORBELL + engine,
                              far + 4 * dwords + more);
    }
}

static void fuzz_unload(struct fuzz_amd *fuzz)
{
    for (uint32_t engine = 0; engine < 2; engine++) {
        struct amd_sdma *sdma = &fuzz->node.gpu.sdma[engine];
        const struct amd_sdma_ring ring = {
            .address = FUZZ_AMD_VA + (engine == 0 ? FUZZ_AMD_SDMA : FUZZ_AMD_SDMA_2),
            .byte_count = FUZZ_AMD_SDMA_BYTES / 2,
            .read_report = FUZZ_AMD_VA + FUZZ_AMD_SIDE,
            .write_poll = FUZZ_AMD_VA + FUZZ_AMD_SIDE + 8,
            .vmid = fuzz->vmid[0],
            .doorbell_index = FUZZ_AMD_SDMA_DOORBELL + engine,
            .has_doorbell = true};

        amd_sdma_unload(sdma, 0);
        (void)amd_sdma_load(sdma, 0, &ring); /* not while it leaves */
    }
}

static void fuzz_once(struct fuzz_amd *fuzz, const uint8_t *data, size_t bytes)
{
    uint8_t head[FUZZ_AMD_SDMA_HEAD] = {0};
    const size_t part = bytes < sizeof head ? bytes : sizeof head;

    if (part > 0)
        memcpy(head, data, part);
    fuzz_amd_begin(fuzz);
    if (bytes > part)
        fuzz_amd_patch(fuzz, data + part, bytes - part);
    if (!(head[0] & FUZZ_FIRST))
        fuzz_amd_work(fuzz);
    fuzz_ring(fuzz, head, 0);
    fuzz_amd_run(fuzz, FUZZ_FIRST_STEPS);
    if (head[0] & FUZZ_UNMAP)
        fuzz_amd_unmap(fuzz);
    if (head[0] & FUZZ_UNLOAD)
        fuzz_unload(fuzz);
    if (head[0] & FUZZ_FIRST)
        fuzz_amd_work(fuzz);
    fuzz_ring(fuzz, head, FUZZ_AMD_SDMA_BYTES);
    fuzz_amd_run(fuzz, FUZZ_STEPS);
    fuzz_amd_check(fuzz, 0, false);
}

void fuzz_amd_sdma_hash(const uint8_t *data, size_t bytes, bool fresh,
                        struct check_machine_hashes *hashes)
{
    fuzz_amd_hash(fuzz_once, data, bytes, fresh, hashes);
}

int fuzz_amd_sdma(const uint8_t *data, size_t bytes)
{
    fuzz_amd_input(fuzz_once, data, bytes);
    return 0;
}

#ifdef GFE_FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    return fuzz_amd_sdma(data, bytes);
}
#endif
