/* SPDX-License-Identifier: MIT */
#ifndef DEVICES_NVIDIA_NV_DECODE_H
#define DEVICES_NVIDIA_NV_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "devices/nvidia/formats/nv_header.h"
#include "devices/nvidia/formats/nv_qmd.h"

/*
 * Walks one channel's pushbuffer segments, for reading them: each header and method with the class
 * that gets it, and each compute grid with its descriptor.  There are no time, no registers and no
 * waiting: the emulated PBDMA is another unit.
 *
 * The parser's state is kept from one segment to the next, as in hardware: a header and its data
 * may lie in different GP entries and different submissions.  Subchannel 4 belongs to the copy
 * engine from the start, by wiring; no stream binds it (open-gpu-doc tu104 dev_ram "FIFO_DMA").
 * Subchannels 5 to 7 are software's.
 *
 * A descriptor is read from memory at SEND_SIGNALING_PCAS_B.  For that, the walker writes the data
 * that the stream itself uploads: inline data of I2M, compute and 3D in pitch layout, and
 * LOAD_INLINE_QMD_DATA.  Lines of inline data follow each other without padding (ASSUMED).  Not
 * modelled: block-linear uploads, copies, writes by shaders and macros, subdevice masks.
 */

#define NV_DECODE_SUBCHANNELS     8
#define NV_DECODE_COPY_SUBCHANNEL 4

enum nv_decode_origin {
    NV_DECODE_RECORDED, /* in the trace: the driver library wrote it */
    NV_DECODE_MODELLED  /* added by gfe's model of the kernel driver */
};

enum nv_decode_kind {
    NV_DECODE_HEADER,     /* header; also NOP, END_SEGMENT, INVALID and the subdevice kinds */
    NV_DECODE_METHOD,     /* subchannel, class_id, method, data; upload_va if it uploads */
    NV_DECODE_GRID,       /* after the method that schedules it: qmd_va and qmd_words */
    NV_DECODE_SKIPPED,    /* count dwords are skipped: after END_SEGMENT or INVALID */
    NV_DECODE_UNREADABLE, /* count dwords from va on are not in memory */
};

/* A finding.  Members that the kind does not name are 0. */
struct nv_decode_item {
    enum nv_decode_kind kind;
    enum nv_decode_origin origin;
    uint64_t va;             /* of the dword in the pushbuffer */
    uint32_t dword;          /* HEADER: the header; METHOD: the dword with the data */
    uint32_t count;          /* SKIPPED, UNREADABLE */
    struct nv_header header; /* of METHOD too */
    uint8_t subchannel;
    uint16_t class_id; /* bound to the subchannel; 0 if none */
    /* HEADER, METHOD: class whose table names the method (nv_class_of_method()) */
    uint16_t table_id;
    uint16_t method; /* byte offset; may pass NV_METHOD_MAX_BYTES, where PBENTRY is raised */
    uint32_t data;
    bool uploads; /* METHOD: data went to upload_va */
    uint64_t upload_va;
    uint64_t qmd_va;
    uint32_t qmd_dwords;       /* that are in memory: NV_QMD_DWORDS or NV_QMD_MAX_DWORDS */
    const uint32_t *qmd_words; /* NV_QMD_MAX_DWORDS of them, the others 0; NULL if none is there */
};

/* The channel's memory, and the receiver of the items. read and write return false where there is
 * no memory. */
struct nv_decode_ops {
    bool (*read)(void *context, uint64_t va, void *data, size_t bytes);
    bool (*write)(void *context, uint64_t va, const void *data, size_t bytes);
    void (*found)(void *context, const struct nv_decode_item *item);
};

/* Inline to memory: data of methods, and the box that LAUNCH_DMA opened with it. */
struct nv_decode_upload {
    uint32_t upper, lower, line_bytes, line_count, pitch_bytes;
    struct nv_decode_box {
        uint64_t va, size_bytes, done_bytes; /* size 0 means that no box is open */
        uint32_t line_bytes, pitch_bytes;
        bool pitch_layout; /* false means block linear: the data is not written here */
    } box;
};

struct nv_decode {
    struct nv_decode_ops ops;
    void *context;

    /* State of Host and the engines. */
    struct nv_header header; /* header whose data comes next */
    uint32_t data_index, data_left;
    uint16_t host_class;
    uint16_t class_id[NV_DECODE_SUBCHANNELS];
    struct nv_decode_upload uploads[NV_DECODE_SUBCHANNELS];
    uint32_t pcas_a[NV_DECODE_SUBCHANNELS];        /* address >> 8 of the next grid */
    uint32_t inline_qmd[NV_DECODE_SUBCHANNELS][2]; /* upper, lower (>> 8) */
};

/* Facts about the chip that no stream has. 0 means unknown. */
struct nv_decode_chip {
    uint16_t host_class;
    uint16_t copy_class; /* on subchannel 4 from the start */
};

/* Returns the facts by nouveau's chipset number, such as 0x136: Fermi to Blackwell.  For other
 * chips all are unknown. */
struct nv_decode_chip nv_decode_chip(uint32_t chipset);

/* The same for a channel of a class that is recorded: Host has that class's names.  0 for the
 * class, or one that is not Host's, means the chip's. */
struct nv_decode_chip nv_decode_chip_of(uint32_t chipset, uint32_t channel_class);

/* Starts a channel. */
void nv_decode_init(struct nv_decode *decode, const struct nv_decode_ops *ops, void *context,
                    struct nv_decode_chip chip);

/*
 * Decodes one segment of the channel: dwords at va, read through ops.read as it walks.  So a stream
 * that writes its own segment is seen as written.  `origin` goes into each item.
 */
void nv_decode_segment(struct nv_decode *decode, enum nv_decode_origin origin, uint64_t va,
                       uint32_t dword_count);

#endif
