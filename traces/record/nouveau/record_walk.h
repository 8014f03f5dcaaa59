/* SPDX-License-Identifier: MIT */
/*
 * Walks the methods of a channel's submissions and finds the writes of completion values.  Nothing
 * else in the stream has an effect in the stand-in.
 *
 *   Host         SEMAPHOREA..D with RELEASE or REDUCTION       (clc06f.h)
 *                from Volta on SEM_ADDR_LO..SEM_EXECUTE with RELEASE or REDUCTION; not reductions
 *                of 64 bits (clc36f.h)
 *   3D, compute  SET_REPORT_SEMAPHORE_A..D, one or four words  (clc197.h, clc1c0.h)
 *   I2M, compute LAUNCH_DMA with COMPLETION_TYPE RELEASE_SEMAPHORE, after the data  (cla140.h)
 *   copy         LAUNCH_DMA with a SEMAPHORE_TYPE              (clc1b5.h)
 *   2D and the others  NOTIFY                                  (cl902d.h)
 *
 * The low byte of the class that SET_OBJECT gave the subchannel distinguishes the classes.
 * Subchannel 4 has the copy class from the start, because no stream binds it.  The parser's state
 * is kept across push entries and submissions: a header and its data may lie in different ones.
 *
 * Four words are {payload, 0, time in ns}, as in the Host's 16-byte release.  A report with a
 * counter gets 0 for the counter; with 64 bits it also gets 0 for the payload that it replaces
 * (nv_report.h). The notifier is taken to be {time in ns, 0, 0} (ASSUMED, the class headers do not
 * say).  Not modelled: acquires (they never wait), traps, writes made by macros.
 */
#ifndef GFE_TRACES_RECORD_NOUVEAU_RECORD_WALK_H
#define GFE_TRACES_RECORD_NOUVEAU_RECORD_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "devices/nvidia/formats/nv_header.h"
#include "traces/format/trace_schema.h"

enum { RECORD_WALK_SUBCHANNELS = 8, RECORD_WALK_COPY_SUBCHANNEL = 4 };

/* A write to make for the GPU. */
struct record_walk_write {
    uint64_t va;
    enum trace_gpu_write_why why;
    uint32_t payload;
    uint32_t payload_hi;  /* of a payload of 64 bits, else 0 */
    bool four_words;      /* else one */
    bool two_words;       /* unless four: both halves of the payload */
    bool reduction;       /* payload is an operand */
    uint8_t reduction_op; /* enum record_walk_op */
    bool reduction_signed;
};

/* The operations of all kinds of reductions. */
enum record_walk_op {
    RECORD_WALK_MIN,
    RECORD_WALK_MAX,
    RECORD_WALK_XOR,
    RECORD_WALK_AND,
    RECORD_WALK_OR,
    RECORD_WALK_ADD,
    RECORD_WALK_INC,
    RECORD_WALK_DEC,
    RECORD_WALK_OP_COUNT /* one that is not modelled: the value stays */
};

typedef void record_walk_found(void *context, const struct record_walk_write *write);

struct record_walk_semaphore {
    uint32_t upper, lower, payload, payload_hi;
};

/* One subchannel's object. */
struct record_walk_object {
    uint16_t class_id; /* 0: nothing bound */
    struct record_walk_semaphore report, inline_data, copy, notify;
    uint32_t line_length, line_count; /* inline to memory: the box that LAUNCH_DMA opens */
    uint64_t inline_left_bytes;       /* until the semaphore; 0: none pending */
    uint32_t inline_launch;           /* LAUNCH_DMA's data */
    bool notify_armed;                /* the notifier is written when the next method comes */
};

struct record_walk {
    struct nv_header header; /* the header of the data that comes next */
    uint32_t data_index, data_left;
    struct record_walk_semaphore host;
    struct record_walk_object objects[RECORD_WALK_SUBCHANNELS];
};

/* Sets up the state of a new channel.  `copy_class` is the chip's, see above. */
void record_walk_init(struct record_walk *walk, uint16_t copy_class);

/* Walks one push entry's dwords.  Calls `found` for each write, in the stream's order. */
void record_walk_segment(struct record_walk *walk, const uint32_t *dwords, uint64_t count,
                         record_walk_found *found, void *context);
/* Makes the write that is still pending if no more methods come: an armed notifier. */
void record_walk_idle(struct record_walk *walk, record_walk_found *found, void *context);

/* Returns the dword that a reduction leaves in place of `before`. */
uint32_t record_walk_reduce(const struct record_walk_write *write, uint32_t before);

#endif
