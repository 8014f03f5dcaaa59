/* SPDX-License-Identifier: MIT */
/*
 * Inline-to-memory: data in the pushbuffer itself goes to memory.  The class a140 has only this
 * function; the 3D and compute classes contain it.  LAUNCH_DMA starts a transfer of LINE_COUNT
 * lines of LINE_LENGTH_IN bytes.  LOAD_INLINE_DATA brings the bytes.  The completion may release a
 * semaphore, or apply a reduction to it.  Constant-buffer loads of the 3D class work in the same
 * way for single words.
 *
 * LAUNCH_DMA takes its parameters from the class state at once: methods between it and the data do
 * not change the destination (ASSUMED).  Data reaches memory in pieces of about NV_INLINE_BYTES,
 * and the last piece when the transfer is complete.  The data so far also reaches memory when
 * another LAUNCH_DMA ends an incomplete transfer, or when the channel's context is taken away.  At
 * a fault everything before the byte without a translation has been written, and the rest of the
 * transfer is lost.
 *
 * Described in open-gpu-doc classes/inline-to-memory/cla140.h.  Without effect, because there are
 * no caches here: COMPLETION_TYPE FLUSH_ONLY, SYSMEMBAR_DISABLE.  INTERRUPT_TYPE raises NOTIFY of
 * the graphics engine (the bit is ASSUMED).  Not modelled: conditions (each
 * SET_RENDER_ENABLE is logged, and what is under it is done).  Data without a transfer is logged
 * and lost.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_INLINE_H
#define GFE_DEVICES_NVIDIA_NV_INLINE_H

#include "devices/nvidia/formats/nv_tile.h"

struct nv_fe;
struct nv_fe_pipe;
struct nv_method;

enum { NV_INLINE_BYTES = 4096 };

GFE_STATE_BEGIN
/* The transfer of a subchannel. bytes_left 0 means that there is none. */
struct nv_inline {
    uint64_t base;
    uint64_t pitch; /* modulo 2^64: it may be negative */
    uint64_t semaphore_address;
    uint64_t bytes_left, bytes_done; /* bytes that are missing, and bytes received */
    uint64_t gp_sequence;
    struct nv_surface surface;
    uint32_t origin_x, origin_y, layer; /* bytes, rows, slices */
    uint32_t line_bytes;
    uint32_t launch; /* LAUNCH_DMA's data */
    uint32_t payload;
    uint32_t channel_id, space_id, class_id;
    uint32_t packed;         /* 1 if words continue from line to line */
    uint32_t buffered_bytes; /* received, but not in memory: the last of bytes_done */
    uint32_t line_done;      /* received of the line, unless packed: bytes_done modulo line_bytes */
};
GFE_STATE_END

/* Starts a transfer: LAUNCH_DMA. */
void nv_inline_launch(struct nv_fe *fe, const struct nv_method *method);
/* Returns true if the next word of data writes memory, or exceeds the transfer. */
bool nv_inline_data_visible(const struct nv_fe *fe, uint32_t subchannel);
/* Takes a word of LOAD_INLINE_DATA. */
void nv_inline_data(struct nv_fe *fe, const struct nv_method *method);
/* Does the same in a batch, for a word that is not visible.  The transfer stays that of the GP
 * entry whose method was visible last. */
void nv_inline_data_private(struct nv_fe *fe, uint32_t subchannel, uint32_t data);
/* Writes the received data of all transfers of a pipe to memory. */
void nv_inline_flush_all(struct nv_fe *fe, struct nv_fe_pipe *pipe);
/* Makes the transfers of a pipe valid that were loaded from a channel's context image, which the
 * guest can write. */
void nv_inline_restored(struct nv_fe_pipe *pipe, uint32_t channel_id, uint32_t space_id);
/* Writes a word of LOAD_CONSTANT_BUFFER to the selected buffer. */
void nv_constant_load(struct nv_fe *fe, const struct nv_method *method);
/* Log the run of constant-buffer words so far: of a pipe, of a channel, and of all. */
void nv_constant_flush_log(struct nv_fe *fe, struct nv_fe_pipe *pipe);
void nv_constant_flush_channel(struct nv_fe *fe, uint32_t channel_id);
void nv_constant_flush_all(struct nv_fe *fe);

#endif
