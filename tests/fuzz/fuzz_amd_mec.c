/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_amd_mec.h"

#include <string.h>

#include "tests/fuzz/fuzz_amd_node.h"

enum { FUZZ_STEPS = 4000, FUZZ_FIRST_STEPS = 300 };
enum { FUZZ_FAR = 1, FUZZ_FIRST = 2, FUZZ_UNMAP = 4, FUZZ_NO_CU = 8, FUZZ_DESTROY = 16 };

static void fuzz_ring(struct fuzz_amd *fuzz, const uint8_t *head, uint8_t flags)
{
    const uint64_t far = flags & FUZZ_FAR ? UINT64_C(1) << 40 : 0;
    const uint64_t dwords = (uint64_t)head[2] << 8 | head[1];

    if (head[0])
        amd_node_doorbell(&fuzz->node, fuzz->doorbell[FUZZ_AMD_QUEUE_AQL], far + head[0] - 1);
    if (dwords)
        amd_node_doorbell(&fuzz->node, fuzz->doorbell[FUZZ_AMD_QUEUE_PM4], far + dwords);
}

/* No CU for the AQL queue. */
static void fuzz_no_cu(struct fuzz_amd *fuzz)
{
    static const uint32_t masks[] = {COMPUTE_STATIC_THREAD_MGMT_SE0, COMPUTE_STATIC_THREAD_MGMT_SE1,
                                     COMPUTE_STATIC_THREAD_MGMT_SE2,
                                     COMPUTE_STATIC_THREAD_MGMT_SE3};

    for (uint32_t i = 0; i < sizeof masks / sizeof masks[0]; i++)
        *amd_gc_compute(&fuzz->node.gpu.gc, fuzz->slot[FUZZ_AMD_QUEUE_AQL], masks[i]) = 0;
}

static void fuzz_once(struct fuzz_amd *fuzz, const uint8_t *data, size_t bytes)
{
    uint8_t head[FUZZ_AMD_MEC_HEAD] = {0};
    const size_t part = bytes < sizeof head ? bytes : sizeof head;
    enum kfd_result result = KFD_OK;

    if (part > 0)
        memcpy(head, data, part);
    fuzz_amd_begin(fuzz);
    if (bytes > part)
        fuzz_amd_patch(fuzz, data + part, bytes - part);
    if (!(head[0] & FUZZ_FIRST))
        fuzz_amd_work(fuzz);
    if (head[0] & FUZZ_NO_CU)
        fuzz_no_cu(fuzz);
    fuzz_ring(fuzz, head + 1, head[0]);
    fuzz_amd_run(fuzz, FUZZ_FIRST_STEPS);
    if (head[0] & FUZZ_UNMAP)
        fuzz_amd_unmap(fuzz);
    if (head[0] & FUZZ_FIRST)
        fuzz_amd_work(fuzz);
    fuzz_ring(fuzz, head + 4, head[0]);
    if (head[0] & FUZZ_DESTROY)
        result = fuzz_amd_call(
            fuzz, kfd_queue_destroy(fuzz->node.kfd, fuzz->queue[FUZZ_AMD_QUEUE_AQL]), FUZZ_STEPS);
    fuzz_amd_run(fuzz, FUZZ_STEPS);
    if (result != KFD_OK)
        return; /* a queue has not left its slot: the driver has given the firmware up */
    fuzz_amd_check(fuzz,
                   head[0] & FUZZ_DESTROY /* slots are given anew */
                       ? UINT64_MAX
                       : UINT64_C(1) << fuzz->slot[FUZZ_AMD_QUEUE_AQL] |
                             UINT64_C(1) << fuzz->slot[FUZZ_AMD_QUEUE_PM4],
                   false);
}

void fuzz_amd_mec_hash(const uint8_t *data, size_t bytes, bool fresh,
                       struct check_machine_hashes *hashes)
{
    fuzz_amd_hash(fuzz_once, data, bytes, fresh, hashes);
}

int fuzz_amd_mec(const uint8_t *data, size_t bytes)
{
    fuzz_amd_input(fuzz_once, data, bytes);
    return 0;
}

#ifdef GFE_FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    return fuzz_amd_mec(data, bytes);
}
#endif
