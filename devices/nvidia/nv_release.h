/* SPDX-License-Identifier: MIT */
/*
 * A semaphore release reaches memory: of Host, of a report, of a copy, of inline-to-memory, of a
 * compute grid.  With a time sixteen bytes are written, the time before the payload, so that who
 * sees the payload sees the time that belongs to it.  A reduction reads, computes and writes in one
 * step, as the L2 cache does it.  Described in open-gpu-doc turing/tu104/dev_pbdma.ref.txt.
 *
 * ASSUMED: a reduction with a time leaves the upper half of the payload's eight bytes as it was,
 * and the engines' semaphores are laid out as Host's.
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
    uint32_t class_id; /* whose release it is, for the log */
    uint32_t rule;     /* by which it happens now, for the log */
    unsigned bits;     /* of payload and value: 32 or 64; 0 is 32 */
    bool has_time;     /* sixteen bytes */
    bool reduces, is_signed;
    bool reserved;
    enum nv_reduction reduction; /* if it reduces */
    uint32_t reserved_end;
};
GFE_STATE_END

/* Writes and logs NV_RELEASE (with the value that memory has then), and NV_REDUCTION before it, in
 * the name of `unit`.  False: no translation at *fault_address; nothing is logged. */
bool nv_release_write(struct machine *machine, uint32_t unit, const struct nv_release *release,
                      uint64_t *fault_address);

#endif
