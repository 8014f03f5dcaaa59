/* SPDX-License-Identifier: MIT */
/*
 * The semaphores that a channel would release if it went on: its commands are read from the GP
 * entry in which it stands, or the one in front of GP_GET if that has moved on, to GP_PUT. Releases
 * of Host, of reports of 3D and compute, and of copies on subchannel 4 count.  What lies in front
 * of where it stands in that first segment counts, too.  Macros are not followed.
 */
#include <config.h>

#include "devices/nvidia/nv_open.h"

#include "devices/core/core_events.h"
#include "devices/nvidia/formats/nv_header.h"
#include "devices/nvidia/formats/nv_methods.h"
#include "devices/nvidia/formats/nv_pbdma_regs.h"
#include "devices/nvidia/formats/nv_ram.h"
#include "devices/nvidia/nv_channel.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_inject_state.h"
#include "devices/nvidia/nv_mmu.h"

enum {
    AHEAD_ENTRIES = 256,
    AHEAD_DWORDS = 1 << 16,
    AHEAD_COPY_SUBCHANNEL = 4,
    AHEAD_HOST_END = 0x100
};

struct nv_ahead {
    struct machine *machine;
    uint32_t unit, channel_id, space_id;
    uint32_t dwords_left;
    uint64_t host_address,
        legacy_address; /* of Host's semaphore methods, from Volta on and before */
    uint64_t report_address[8], copy_address[8]; /* by subchannel */
};

static void nv_ahead_half(uint64_t *address, bool upper, uint32_t data)
{
    *address = upper ? (uint64_t)(data & 0xff) << 32 | (uint32_t)*address
                     : (*address & ~UINT64_C(0xffffffff)) | data;
}

static void nv_ahead_holds(const struct nv_ahead *ahead, uint64_t address)
{
    machine_log_holds(ahead->machine, ahead->unit, SUBJECT_CHANNEL, ahead->channel_id,
                      SUBJECT_SEMAPHORE, address);
}

/* Methods of Host, which all subchannels have. */
static void nv_ahead_host(struct nv_ahead *ahead, uint32_t method, uint32_t data)
{
    switch (method) {
    case NVA06F_SEMAPHOREA:
    case NVA06F_SEMAPHOREB:
        nv_ahead_half(&ahead->legacy_address, method == NVA06F_SEMAPHOREA, data);
        break;
    case NVA06F_SEMAPHORED:
        if (nv_field(data, NVA06F_SEMAPHORED_OPERATION) == NVA06F_SEMAPHORED_OPERATION_RELEASE)
            nv_ahead_holds(ahead, ahead->legacy_address);
        break;
    case NVC36F_SEM_ADDR_LO:
    case NVC36F_SEM_ADDR_HI:
        nv_ahead_half(&ahead->host_address, method == NVC36F_SEM_ADDR_HI, data);
        break;
    case NVC36F_SEM_EXECUTE:
        if (nv_field(data, NVC36F_SEM_EXECUTE_OPERATION) == NVC36F_SEM_EXECUTE_OPERATION_RELEASE)
            nv_ahead_holds(ahead, ahead->host_address);
        break;
    default:
        break;
    }
}

/* Methods of engines: reports of graphics and compute, semaphores of copies. */
static void nv_ahead_engine(struct nv_ahead *ahead, uint32_t subchannel, uint32_t method,
                            uint32_t data)
{
    const bool copies = subchannel == AHEAD_COPY_SUBCHANNEL;

    if (copies && (method == NVA0B5_SET_SEMAPHORE_A || method == NVA0B5_SET_SEMAPHORE_B))
        nv_ahead_half(&ahead->copy_address[subchannel], method == NVA0B5_SET_SEMAPHORE_A, data);
    else if (copies && method == NVC1B5_LAUNCH_DMA &&
             nv_field(data, NVC1B5_LAUNCH_DMA_SEMAPHORE_TYPE) !=
                 NVC1B5_LAUNCH_DMA_SEMAPHORE_TYPE_NONE)
        nv_ahead_holds(ahead, ahead->copy_address[subchannel]);
    else if (!copies &&
             (method == NVA097_SET_REPORT_SEMAPHORE_A || method == NVA097_SET_REPORT_SEMAPHORE_B))
        nv_ahead_half(&ahead->report_address[subchannel], method == NVA097_SET_REPORT_SEMAPHORE_A,
                      data);
    else if (!copies && method == NVA097_SET_REPORT_SEMAPHORE_D &&
             nv_field(data, NVA097_SET_REPORT_SEMAPHORE_D_OPERATION) ==
                 NVA097_SET_REPORT_SEMAPHORE_D_OPERATION_RELEASE)
        nv_ahead_holds(ahead, ahead->report_address[subchannel]);
}

static void nv_ahead_method(struct nv_ahead *ahead, uint32_t subchannel, uint32_t method,
                            uint32_t data)
{
    if (method < AHEAD_HOST_END)
        nv_ahead_host(ahead, method, data);
    else
        nv_ahead_engine(ahead, subchannel, method, data);
}

static bool nv_ahead_dword(struct nv_ahead *ahead, uint64_t at, uint32_t *dword)
{
    uint64_t fault;

    return ahead->dwords_left-- > 0 &&
           machine_vm_read(ahead->machine, ahead->space_id, at, dword, sizeof *dword, &fault);
}

static bool nv_ahead_segment(struct nv_ahead *ahead, const struct nv_gp_entry *entry)
{
    const uint64_t end = entry->address + UINT64_C(4) * entry->length_dwords;
    uint32_t dword;

    for (uint64_t at = entry->address; at < end; at += 4) {
        struct nv_header header;

        if (!nv_ahead_dword(ahead, at, &dword))
            return false;
        header = nv_header_decode(dword);
        if (header.kind == NV_HEADER_END_SEGMENT || header.kind == NV_HEADER_INVALID)
            return header.kind == NV_HEADER_END_SEGMENT;
        if (header.kind == NV_HEADER_IMMD)
            nv_ahead_method(ahead, header.subchannel, header.method, header.immediate);
        for (uint32_t i = 0; i < header.count && at + 4 < end; i++) {
            at += 4;
            if (!nv_ahead_dword(ahead, at, &dword))
                return false;
            nv_ahead_method(ahead, header.subchannel, nv_header_method(&header, i), dword);
        }
    }
    return true;
}

void nv_open_ahead(struct nv_host *host, uint32_t channel_id)
{
    const struct nv_channel *channel = nv_channel_get(host, channel_id);
    struct nv_ahead ahead = {.machine = host->machine,
                             .unit = host->unit,
                             .channel_id = channel_id,
                             .dwords_left = AHEAD_DWORDS};
    uint32_t base, high, get, put, size;
    uint64_t ring, fault;

    if (!nv_inject_state_ramfc(host->machine, channel_id, NV_PPBDMA_GP_BASE / 4, &base) ||
        !nv_inject_state_ramfc(host->machine, channel_id, NV_PPBDMA_GP_BASE_HI / 4, &high) ||
        !nv_inject_state_userd(host->machine, channel_id, NV_RAMUSERD_GP_GET / 4, &get) ||
        !nv_inject_state_userd(host->machine, channel_id, NV_RAMUSERD_GP_PUT / 4, &put))
        return;
    size = UINT32_C(1) << REG_GET(high, NV_PPBDMA_GP_BASE_HI_LIMIT2);
    ahead.space_id = nv_mmu_space(host->mmu, (enum memory_aperture)channel->instance_aperture,
                                  channel->instance);
    ring = (uint64_t)REG_GET(high, NV_PPBDMA_GP_BASE_HI_OFFSET) << 32 |
           (uint64_t)REG_GET(base, NV_PPBDMA_GP_BASE_OFFSET) << 3;
    get = (get - 1) & (size - 1);
    for (uint32_t i = 0; i < AHEAD_ENTRIES && get != put; i++) {
        struct nv_gp_entry entry;
        uint32_t words[2];

        if (!machine_vm_read(host->machine, ahead.space_id, ring + UINT64_C(8) * get, words,
                             sizeof words, &fault))
            return;
        entry = nv_gp_entry_decode(words[0], words[1]);
        if (entry.length_dwords > 0 && !nv_ahead_segment(&ahead, &entry))
            return;
        get = (get + 1) & (size - 1);
    }
}
