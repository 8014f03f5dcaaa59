/* SPDX-License-Identifier: MIT */
/*
 * A PBDMA's instruction processor: pushbuffer dwords become methods.
 *
 * Headers and data are expanded one by one.  Each method is handed, as (subchannel, method, data),
 * to the sink that a table names for its subchannel, and Host's own methods to Host's sink.  A sink
 * takes a method at once if its effect is invisible from outside.  It refuses a visible one; the
 * decoder stops there, and the PBDMA makes an event of it.  The state between two calls is that of
 * PB_HEADER, PB_COUNT, HDR_SHADOW, SUBDEVICE and METHOD_CRC, kept unpacked.  There is no time and
 * no register here: the timed PBDMA (nv_pbdma_method.c), the tests and the benchmark call the same
 * function.
 *
 * Described in open-gpu-doc tu104/dev_ram.ref.txt "FIFO_DMA"; Pascal's older forms in
 * devices/nvidia/nv_header.h.  While SUBDEVICE_STATUS is inactive no methods are made.  Headers are
 * followed, and their form is still checked (ASSUMED).
 */
#ifndef GFE_DEVICES_NVIDIA_NV_PBDMA_DECODE_H
#define GFE_DEVICES_NVIDIA_NV_PBDMA_DECODE_H

#include <stdbool.h>
#include <stdint.h>

struct nv_crc;

/* Takes a method.  Returns true if it was taken.  Returns false, with nothing done, if the method
 * needs an event of its own. */
struct nv_pbdma_sink {
    bool (*take)(void *engine, uint32_t subchannel, uint32_t method, uint32_t data);
    void *engine;
};

enum { NV_PBDMA_SUBCHANNELS = 8 };

struct nv_pbdma_sinks {
    struct nv_pbdma_sink engine[NV_PBDMA_SUBCHANNELS];
    struct nv_pbdma_sink host; /* methods below 0x100, on any subchannel, except SET_OBJECT */
    const struct nv_crc *crc;  /* for METHOD_CRC; NULL if it is not computed */
};

struct nv_pbdma_decoder {
    uint32_t method; /* byte offset of the next method */
    uint32_t subchannel;
    uint32_t left;        /* data dwords of the header that are still missing */
    uint32_t step, steps; /* bytes to the next method, and between the later ones */
    uint32_t instruction; /* the last one, as in the pushbuffer */
    uint32_t first;       /* 1 if no instruction of this segment has been seen yet */
    uint32_t was_first;   /* 1 if the last instruction was the first of its segment */
    uint32_t decoded;     /* 1 if an instruction was seen since nv_pbdma_decoder_load() */
    uint32_t pb_header;   /* the registers at that load */
    uint32_t pb_count;
    uint32_t subdevice;    /* SUBDEVICE as in the register */
    uint32_t method_crc;   /* METHOD_CRC */
    uint32_t method_count; /* number of methods made */
    /* Results of the last call. */
    uint32_t taken; /* number of dwords used */
    /* index of the last instruction in these dwords; UINT32_MAX if there is none */
    uint32_t instruction_at;
    struct {
        uint32_t subchannel, method, data;
    } refused; /* NV_PBDMA_STOP_METHOD */
};

enum nv_pbdma_stop {
    NV_PBDMA_STOP_DRY,         /* all dwords are used */
    NV_PBDMA_STOP_METHOD,      /* a sink refused a method; its dword is used */
    NV_PBDMA_STOP_MASK,        /* an instruction changed SUBDEVICE_STATUS in `subdevice` */
    NV_PBDMA_STOP_END_SEGMENT, /* the rest of the segment is ignored */
    NV_PBDMA_STOP_BAD,         /* PBENTRY; the header is used */
};

/* Returns true if the SUBDEVICE register stops methods: masks are enabled and none is active. */
bool nv_pbdma_is_inactive(uint32_t subdevice);
/* Processes dwords[0..count), and returns why it stopped. */
enum nv_pbdma_stop nv_pbdma_decode(struct nv_pbdma_decoder *decoder,
                                   const struct nv_pbdma_sinks *sinks, const uint32_t *dwords,
                                   uint32_t count);

/* Load PB_HEADER and PB_COUNT into the decoder, and return them.  `attributes` are PB_HEADER's bits
 * of the segment: LEVEL, CONDITIONAL. */
void nv_pbdma_decoder_load(struct nv_pbdma_decoder *decoder, uint32_t pb_header, uint32_t pb_count);
/* Returns true if the missing methods would pass the last method: PBENTRY. */
bool nv_pbdma_decoder_wraps(const struct nv_pbdma_decoder *decoder);
uint32_t nv_pbdma_decoder_header(const struct nv_pbdma_decoder *decoder, uint32_t attributes);
uint32_t nv_pbdma_decoder_count(const struct nv_pbdma_decoder *decoder);

#endif
