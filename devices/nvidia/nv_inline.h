/* SPDX-License-Identifier: MIT */
/*
 * Inline-to-memory: data in the pushbuffer itself goes to memory.  The class a140 has it alone, the
 * 3D and compute classes contain it.  LAUNCH_DMA starts a transfer of LINE_COUNT lines of
 * LINE_LENGTH_IN bytes, LOAD_INLINE_DATA brings them, and the completion may release a semaphore,
 * or apply a reduction to it.  Constant-buffer loads of the 3D class are the same idea for single
 * words.
 *
 * What LAUNCH_DMA needs it takes from the class state at once: methods between it and the data do
 * not change where they go (ASSUMED).  Data reaches memory in pieces of about NV_INLINE_BYTES, the
 * last one when the transfer is complete; what has come of a transfer also reaches it when another
 * LAUNCH_DMA gives the rest up, or the channel's context is taken away.  At a fault everything in
 * front of the byte without a translation has been written, and the rest of the transfer goes
 * nowhere.
 *
 * Described in open-gpu-doc classes/inline-to-memory/cla140.h.  Without effect, because there are
 * no caches here: COMPLETION_TYPE FLUSH_ONLY, SYSMEMBAR_DISABLE.  INTERRUPT_TYPE raises NOTIFY of
 * the graphics engine (ASSUMED which bit).  Not modelled: conditions (a launch under
 * SET_RENDER_ENABLE that depends on memory is reported and done).  Data without a transfer is
 * reported and goes nowhere.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_INLINE_H
#define GFE_DEVICES_NVIDIA_NV_INLINE_H

#include "devices/nvidia/formats/nv_tile.h"

struct nv_fe;
struct nv_method;

enum { NV_INLINE_BYTES = 4096 };

GFE_STATE_BEGIN
/* The transfer of a subchannel; bytes_left 0: there is none. */
struct nv_inline {
    uint64_t base;
    uint64_t pitch; /* modulo 2^64: it may be negative */
    uint64_t semaphore_address;
    uint64_t bytes_left, bytes_done; /* to come, and come */
    uint64_t gp_sequence;
    struct nv_surface surface;
    uint32_t origin_x, origin_y, layer; /* bytes, rows, slices */
    uint32_t line_bytes;
    uint32_t launch; /* LAUNCH_DMA's data */
    uint32_t payload;
    uint32_t channel_id, space_id, class_id;
    uint32_t packed;         /* 1: words run on from line to line */
    uint32_t buffered_bytes; /* come, but not in memory: the last of bytes_done */
    uint32_t line_done;      /* come of the line, unless packed: bytes_done modulo line_bytes */
};
GFE_STATE_END

void nv_inline_launch(struct nv_fe *fe, const struct nv_method *method);
/* True when the next word of data writes memory, or is one too many. */
bool nv_inline_data_visible(const struct nv_fe *fe, uint32_t subchannel);
void nv_inline_data(struct nv_fe *fe, const struct nv_method *method);
/* Brings into memory what has come of all transfers. */
void nv_inline_flush_all(struct nv_fe *fe);
/* Transfers of a channel have come from its context image, which the guest can write: makes of them
 * something that can be gone on with. */
void nv_inline_restored(struct nv_fe *fe, uint32_t channel_id, uint32_t space_id);
void nv_constant_load(struct nv_fe *fe, const struct nv_method *method);
/* Logs the run of constant-buffer words so far. */
void nv_constant_flush_log(struct nv_fe *fe);

#endif
