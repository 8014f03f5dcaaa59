/* SPDX-License-Identifier: MIT */
/*
 * Semaphore releases that reach memory: of Host, of a report, of a copy, of inline-to-memory, of a
 * compute grid.  A release with a time writes sixteen bytes, the time before the payload, so that a
 * reader that sees the payload sees its time.  A reduction reads, computes and writes in one step,
 * like the L2 cache.  Described in open-gpu-doc turing/tu104/dev_pbdma.ref.txt.
 *
 * ASSUMED: a reduction with a time leaves the upper half of the payload's eight bytes unchanged,
 * and the engines' semaphores have Host's layout.  Not modelled: what nv_semaphore.h lists.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_RELEASE_H
#define GFE_DEVICES_NVIDIA_NV_RELEASE_H

#include "devices/nvidia/nv_semaphore.h"
#include "emu/engine/machine.h"

GFE_STATE_BEGIN
struct nv_release {
    uint64_t address; /* virtual */
    uint64_t payload;
    uint64_t gp_sequence;
    uint32_t channel_id, space_id;
    uint32_t class_id; /* class that makes the release, for the log */
    uint32_t rule;     /* rule by which it happens now, for the log */
    unsigned bits;     /* size of payload and value: 32 or 64; 0 means 32 */
    bool has_time;     /* sixteen bytes */
    bool reduces, is_signed;
    bool reserved;
    enum nv_reduction reduction; /* if it reduces */
    uint32_t reserved_end;
};
GFE_STATE_END

/* Writes a release in the name of `unit`.  Logs NV_RELEASE (with the value that memory has then),
 * and NV_REDUCTION before it.  Returns false if there is no translation at *fault_address; nothing
 * is logged then. */
bool nv_release_write(struct machine *machine, uint32_t unit, const struct nv_release *release,
                      uint64_t *fault_address);

#endif
