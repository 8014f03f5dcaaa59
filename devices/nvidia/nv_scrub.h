/* SPDX-License-Identifier: MIT */
/*
 * What of a channel's stream the GPU's front end reads as control, for gfe scrub.
 *
 * Walks segments with nv_decode and tells of each byte of memory that the front end reads what for:
 * pushbuffer headers, data of methods, descriptors of launches, semaphores, conditions.  All that
 * is told so is needed for a replay; what is never told is not.  Data that methods carry without
 * looking at it (listed in nv_scrub.c: inline data, constants of shaders, colours) is not told as
 * read, but as moved, if the stream says where it goes: it may come back as a command or a
 * descriptor.  The list is by class kind and method; a method that is not in it is needed.
 *
 * Followed: inline data in pitch layout (I2M, compute, 3D), constant-buffer loads, inline
 * descriptors, copies from pitch to pitch without remapping.  Counted, not followed: other copies,
 * and what is over NV_SCRUB_COPY_MAX_*.  Not seen: writes by macros and shaders.  So whoever
 * uses this must replay what he makes of it and compare (emu/explore/scrub.h).
 *
 * The places of semaphores and conditions are told once, when a method names them; what the CPU
 * writes there later is needed too.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_SCRUB_H
#define GFE_DEVICES_NVIDIA_NV_SCRUB_H

#include "devices/nvidia/formats/nv_decode.h"

enum nv_scrub_reason {
    NV_SCRUB_HEADER,     /* pushbuffer headers, and what follows one that is no header */
    NV_SCRUB_METHOD,     /* data of methods: addresses, counts, modes, payloads */
    NV_SCRUB_DESCRIPTOR, /* of compute launches (QMD) */
    NV_SCRUB_SEMAPHORE,  /* semaphores, reports and fences */
    NV_SCRUB_CONDITION,  /* what SET_RENDER_ENABLE looks at */
    NV_SCRUB_REASONS
};

/* Copies of more than that, in all of a channel, are not followed. */
#define NV_SCRUB_COPY_MAX_BYTES (UINT64_C(4) << 30)
#define NV_SCRUB_COPY_MAX_LINES (UINT64_C(1) << 22)

/* The channel's memory, and where the findings go.  Addresses are virtual; any may be outside. */
struct nv_scrub_ops {
    bool (*read)(void *context, uint64_t va, void *data, size_t bytes);
    void (*needs)(void *context, uint64_t va, uint64_t bytes, enum nv_scrub_reason reason);
    void (*moves)(void *context, uint64_t to_va, uint64_t from_va, uint64_t bytes);
};

struct nv_scrub {
    struct nv_decode decode;
    struct nv_scrub_ops ops;
    void *context;

    uint64_t dword_va;   /* of the dword that nv_decode read last */
    uint32_t dword_used; /* bytes of it that have been written somewhere */
    struct nv_scrub_run {
        uint64_t va, bytes;
        enum nv_scrub_reason reason;
    } needs; /* not told yet */
    struct nv_scrub_move {
        uint64_t to_va, from_va, bytes;
    } moves; /* likewise */

    uint32_t host[0x100 / 4];                            /* Host's methods, last data */
    uint32_t copy[0x800 / 4];                            /* the copy engine's */
    uint32_t report[NV_DECODE_SUBCHANNELS][3];           /* SET_REPORT_SEMAPHORE_A to C */
    uint32_t inline_semaphore[NV_DECODE_SUBCHANNELS][2]; /* SET_I2M_SEMAPHORE_A, B */
    uint32_t condition[NV_DECODE_SUBCHANNELS][2];        /* SET_RENDER_ENABLE_A, B */
    uint32_t constant[NV_DECODE_SUBCHANNELS][3];         /* selector B, C and the offset */

    bool keep_data;        /* set by the user: no method's data may change */
    bool checks_crc;       /* the stream has CRC_CHECK: then it must be set */
    uint64_t copied_bytes; /* followed */
    uint64_t copied_lines;
    uint64_t copies_unfollowed;
};

/* Start of a channel of that chip. */
void nv_scrub_init(struct nv_scrub *scrub, const struct nv_scrub_ops *ops, void *context,
                   struct nv_decode_chip chip);
/* One segment, as nv_decode_segment(); all findings have been told when it returns. */
void nv_scrub_segment(struct nv_scrub *scrub, uint64_t va, uint32_t dword_count);
/* Is data of this method carried without being looked at? */
bool nv_scrub_is_opaque(uint32_t subchannel, uint32_t class_id, uint32_t method);

#endif
