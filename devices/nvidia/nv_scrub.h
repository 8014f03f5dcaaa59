/* SPDX-License-Identifier: MIT */
/*
 * The parts of a channel's stream that the GPU's front end reads as control, for gfe scrub.
 *
 * Walks segments with nv_decode and reports each byte of memory that the front end reads, with its
 * purpose: pushbuffer headers, data of methods, descriptors of launches, semaphores, conditions.  A
 * replay needs all bytes reported in this way, and no others.  Data that methods carry unread
 * (listed in nv_scrub.c: inline data, constants of shaders, colours) is not reported as read.  It
 * is reported as moved if the stream has its destination, because it may come back as a command or
 * a descriptor.  The list is by class kind and method; the data of a method outside the list is
 * needed.
 *
 * Followed: inline data in pitch layout (I2M, compute, 3D), constant-buffer loads, inline
 * descriptors, copies from pitch to pitch without remapping.  Counted, not followed: other copies,
 * and those over NV_SCRUB_COPY_MAX_*. Not seen: writes by macros and shaders.  So the result must
 * be replayed and compared (emu/explore/scrub.h).
 *
 * The places of semaphores and conditions are reported once, when a method names them.  What the
 * CPU writes there later is needed, too.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_SCRUB_H
#define GFE_DEVICES_NVIDIA_NV_SCRUB_H

#include "devices/nvidia/formats/nv_decode.h"

enum nv_scrub_reason {
    NV_SCRUB_HEADER,     /* pushbuffer headers, and words after an invalid header */
    NV_SCRUB_METHOD,     /* data of methods: addresses, counts, modes, payloads */
    NV_SCRUB_DESCRIPTOR, /* of compute launches (QMD) */
    NV_SCRUB_SEMAPHORE,  /* semaphores, reports and fences */
    NV_SCRUB_CONDITION,  /* memory that SET_RENDER_ENABLE reads */
    NV_SCRUB_REASONS
};

/* Copies beyond these limits, in total for a channel, are not followed. */
#define NV_SCRUB_COPY_MAX_BYTES (UINT64_C(4) << 30)
#define NV_SCRUB_COPY_MAX_LINES (UINT64_C(1) << 22)

/* The channel's memory, and the receivers of the findings.  Addresses are virtual; any may lie
 * outside. */
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
    uint32_t dword_used; /* bytes of that dword that have been written somewhere */
    struct nv_scrub_run {
        uint64_t va, bytes;
        enum nv_scrub_reason reason;
    } needs; /* not reported yet */
    struct nv_scrub_move {
        uint64_t to_va, from_va, bytes;
    } moves; /* not reported yet */

    uint32_t host[0x100 / 4];                            /* Host's methods, last data */
    uint32_t copy[0x800 / 4];                            /* the copy engine's */
    uint32_t report[NV_DECODE_SUBCHANNELS][3];           /* SET_REPORT_SEMAPHORE_A to C */
    uint32_t executed[NV_DECODE_SUBCHANNELS][2];         /* .._ADDRESS_LOWER, UPPER of EXECUTE */
    uint32_t inline_semaphore[NV_DECODE_SUBCHANNELS][2]; /* SET_I2M_SEMAPHORE_A, B */
    uint32_t condition[NV_DECODE_SUBCHANNELS][2];        /* SET_RENDER_ENABLE_A, B */
    uint32_t constant[NV_DECODE_SUBCHANNELS][3];         /* selector B, C and the offset */

    bool keep_data;        /* set by the user: no method's data may change */
    bool checks_crc;       /* true if the stream has CRC_CHECK; keep_data must be set then */
    uint64_t copied_bytes; /* followed */
    uint64_t copied_lines;
    uint64_t copies_unfollowed;
};

/* Starts a channel of that chip. */
void nv_scrub_init(struct nv_scrub *scrub, const struct nv_scrub_ops *ops, void *context,
                   struct nv_decode_chip chip);
/* Processes one segment, like nv_decode_segment().  All findings have been reported when it
 * returns. */
void nv_scrub_segment(struct nv_scrub *scrub, uint64_t va, uint32_t dword_count);
/* Returns true if the front end carries the data of this method unread. */
bool nv_scrub_is_opaque(uint32_t subchannel, uint32_t class_id, uint32_t method);

#endif
