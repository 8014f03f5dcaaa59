/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_pbdma_decode.h"

#include "devices/nvidia/nv_class.h"
#include "devices/nvidia/nv_crc.h"
#include "devices/nvidia/nv_header.h"
#include "devices/nvidia/nv_methods.h"
#include "devices/nvidia/nv_pbdma_regs.h"

/* ---- methods -------------------------------------------------------------------------------- */

static bool nv_pbdma_is_hosts(uint32_t method)
{
    return method < NV_CLASS_HOST_END && method != NVC06F_SET_OBJECT;
}

/* How many of the next `count` methods go where the first one goes. */
static inline uint32_t nv_pbdma_together(const struct nv_pbdma_decoder *decoder, uint32_t count)
{
    uint32_t together = count;

    if (decoder->method >= NV_CLASS_HOST_END || decoder->step == 0)
        return count;
    if (decoder->steps == 0 || !nv_pbdma_is_hosts(decoder->method))
        together = 1;
    else
        together = (NV_CLASS_HOST_END - decoder->method) / 4;
    return together < count ? together : count;
}

/* Methods of one header to one sink, from `count` dwords of its data.  The hot loop of a replay.
 * Returns how many dwords are used; the last of them is refused if `*refused`. */
static inline uint32_t nv_pbdma_run(struct nv_pbdma_decoder *decoder,
                                    const struct nv_pbdma_sinks *sinks, const uint32_t *data,
                                    uint32_t count, bool *refused)
{
    const bool is_hosts = nv_pbdma_is_hosts(decoder->method);
    const uint32_t subchannel = decoder->subchannel, steps = decoder->steps;
    const struct nv_pbdma_sink sink = is_hosts ? sinks->host : sinks->engine[subchannel];
    uint32_t method = decoder->method, step = decoder->step, sent = 0;

    while (sent < count && sink.take(sink.engine, subchannel, method, data[sent])) {
        sent++;
        method += step;
        step = steps;
    }
    if (sinks->crc && !is_hosts)
        decoder->method_crc = nv_crc_methods(sinks->crc, decoder->method_crc, subchannel,
                                             decoder->method, decoder->step, steps, data, sent);
    *refused = sent < count;
    if (*refused) {
        decoder->refused.subchannel = subchannel;
        decoder->refused.method = method;
        decoder->refused.data = data[sent++];
        method += step;
        step = steps;
    }
    decoder->method = method;
    decoder->step = step;
    decoder->left -= sent;
    decoder->method_count += sent;
    return sent;
}

/* One method, from a header with immediate data.  False: refused. */
static bool nv_pbdma_single(struct nv_pbdma_decoder *decoder, const struct nv_pbdma_sinks *sinks,
                            uint32_t data)
{
    const uint32_t method = decoder->method;
    bool refused;

    decoder->left = 1;
    decoder->step = decoder->steps = 0;
    (void)nv_pbdma_run(decoder, sinks, &data, 1, &refused);
    decoder->method = method;
    return !refused;
}

/* ---- instructions --------------------------------------------------------------------------- */

bool nv_pbdma_is_inactive(uint32_t subdevice)
{
    return REG_GET(subdevice, NV_PPBDMA_SUBDEVICE_CHANNEL_DMA) &&
           !REG_GET(subdevice, NV_PPBDMA_SUBDEVICE_STATUS);
}

static enum nv_pbdma_stop nv_pbdma_set_mask(struct nv_pbdma_decoder *decoder, uint32_t mask)
{
    const uint32_t old = decoder->subdevice;
    const bool active = (REG_GET(old, NV_PPBDMA_SUBDEVICE_ID) & mask) != 0;

    if (!REG_GET(old, NV_PPBDMA_SUBDEVICE_CHANNEL_DMA))
        return NV_PBDMA_STOP_BAD;
    decoder->subdevice = REG_PUT(old, NV_PPBDMA_SUBDEVICE_STATUS, active);
    return decoder->subdevice == old ? NV_PBDMA_STOP_DRY : NV_PBDMA_STOP_MASK;
}

/* A header of methods whose data follow: nine in ten instructions.  False: another form, or one
 * whose methods would pass the last; nothing is done. */
static inline bool nv_pbdma_begin(struct nv_pbdma_decoder *decoder, uint32_t dword)
{
    const uint32_t operation = nv_field(dword, NVC06F_DMA_SEC_OP);
    const uint32_t count = nv_field(dword, NVC06F_DMA_METHOD_COUNT);
    const uint32_t method = nv_field(dword, NVC06F_DMA_METHOD_ADDRESS) << 2;
    const bool increments = operation == NVC06F_DMA_SEC_OP_INC_METHOD;

    if (!increments && operation != NVC06F_DMA_SEC_OP_NON_INC_METHOD)
        return false;
    if (count == 0 || (increments && method + 4 * (count - 1) > NV_METHOD_MAX_BYTES))
        return false;
    decoder->instruction = dword;
    decoder->decoded = 1;
    decoder->was_first = decoder->first;
    decoder->first = 0;
    decoder->method = method;
    decoder->subchannel = nv_field(dword, NVC06F_DMA_METHOD_SUBCHANNEL);
    decoder->left = count;
    decoder->step = decoder->steps = increments ? 4 : 0;
    return true;
}

static enum nv_pbdma_stop nv_pbdma_begin_other(struct nv_pbdma_decoder *decoder,
                                               const struct nv_header *header)
{
    decoder->method = header->method;
    decoder->subchannel = header->subchannel;
    decoder->left = header->count;
    decoder->step = header->kind == NV_HEADER_NON_INC ? 0 : 4;
    decoder->steps = header->kind == NV_HEADER_INC ? 4 : 0;
    return nv_pbdma_decoder_wraps(decoder) ? NV_PBDMA_STOP_BAD : NV_PBDMA_STOP_DRY;
}

/* An instruction of any form.  STOP_DRY: go on. */
static enum nv_pbdma_stop nv_pbdma_instruction(struct nv_pbdma_decoder *decoder,
                                               const struct nv_pbdma_sinks *sinks, uint32_t dword)
{
    const struct nv_header header = nv_header_decode(dword);

    if (header.kind == NV_HEADER_NOP) /* leaves PB_HEADER as it is: ASSUMED */
        return NV_PBDMA_STOP_DRY;
    decoder->instruction = dword;
    decoder->decoded = 1;
    decoder->was_first = decoder->first;
    decoder->first = 0;
    switch (header.kind) {
    case NV_HEADER_INC:
    case NV_HEADER_NON_INC:
    case NV_HEADER_ONE_INC:
        return nv_pbdma_begin_other(decoder, &header);
    case NV_HEADER_IMMD:
        decoder->method = header.method;
        decoder->subchannel = header.subchannel;
        return nv_pbdma_is_inactive(decoder->subdevice) ||
                       nv_pbdma_single(decoder, sinks, header.immediate)
                   ? NV_PBDMA_STOP_DRY
                   : NV_PBDMA_STOP_METHOD;
    case NV_HEADER_SET_SUBDEVICE:
        return nv_pbdma_set_mask(decoder, header.subdevice_mask);
    case NV_HEADER_STORE_SUBDEVICE:
        decoder->subdevice =
            REG_PUT(decoder->subdevice, NV_PPBDMA_SUBDEVICE_STORED_MASK, header.subdevice_mask);
        return NV_PBDMA_STOP_DRY;
    case NV_HEADER_USE_SUBDEVICE:
        return nv_pbdma_set_mask(decoder,
                                 REG_GET(decoder->subdevice, NV_PPBDMA_SUBDEVICE_STORED_MASK));
    case NV_HEADER_END_SEGMENT:
        return NV_PBDMA_STOP_END_SEGMENT;
    default:
        return NV_PBDMA_STOP_BAD;
    }
}

enum nv_pbdma_stop nv_pbdma_decode(struct nv_pbdma_decoder *decoder,
                                   const struct nv_pbdma_sinks *sinks, const uint32_t *dwords,
                                   uint32_t count)
{
    enum nv_pbdma_stop stop = NV_PBDMA_STOP_DRY;
    uint32_t at = 0;

    decoder->instruction_at = UINT32_MAX;
    while (at < count && stop == NV_PBDMA_STOP_DRY) {
        const uint32_t data = decoder->left < count - at ? decoder->left : count - at;
        bool refused = false;

        if (data == 0) {
            decoder->instruction_at = at;
            if (!nv_pbdma_begin(decoder, dwords[at]))
                stop = nv_pbdma_instruction(decoder, sinks, dwords[at]);
            at++;
        } else if (!nv_pbdma_is_inactive(decoder->subdevice)) {
            at += nv_pbdma_run(decoder, sinks, dwords + at, nv_pbdma_together(decoder, data),
                               &refused);
        } else {
            decoder->left -= data;
            at += data;
        }
        if (refused)
            stop = NV_PBDMA_STOP_METHOD;
    }
    decoder->taken = at;
    return stop;
}

/* ---- registers ------------------------------------------------------------------------------ */

void nv_pbdma_decoder_load(struct nv_pbdma_decoder *decoder, uint32_t pb_header, uint32_t pb_count)
{
    const uint32_t type = REG_GET(pb_header, NV_PPBDMA_PB_HEADER_TYPE);

    decoder->pb_header = pb_header;
    decoder->pb_count = pb_count;
    decoder->decoded = 0;
    decoder->method = REG_GET(pb_header, NV_PPBDMA_PB_HEADER_METHOD) << 2;
    decoder->subchannel = REG_GET(pb_header, NV_PPBDMA_PB_HEADER_SUBCH);
    decoder->left = 0;
    decoder->step = type == NV_PPBDMA_PB_HEADER_TYPE_NON_INC ? 0 : 4;
    decoder->steps = type == NV_PPBDMA_PB_HEADER_TYPE_INC ? 4 : 0;
    if (type == NV_PPBDMA_PB_HEADER_TYPE_INC || type == NV_PPBDMA_PB_HEADER_TYPE_NON_INC ||
        type == NV_PPBDMA_PB_HEADER_TYPE_INC_ONCE)
        decoder->left = REG_GET(pb_count, NV_PPBDMA_PB_COUNT_VALUE);
}

bool nv_pbdma_decoder_wraps(const struct nv_pbdma_decoder *decoder)
{
    const uint32_t last = decoder->left > 0 ? decoder->left - 1 : 0;

    return decoder->method + (decoder->steps ? 4 * last
                              : last         ? decoder->step
                                             : 0) >
           NV_METHOD_MAX_BYTES;
}

/* TYPE of PB_HEADER for the last instruction. */
static uint32_t nv_pbdma_header_type(const struct nv_pbdma_decoder *decoder,
                                     const struct nv_header *header)
{
    switch (header->kind) {
    case NV_HEADER_INC:
        return NV_PPBDMA_PB_HEADER_TYPE_INC;
    case NV_HEADER_ONE_INC:
        return decoder->step ? NV_PPBDMA_PB_HEADER_TYPE_INC_ONCE : NV_PPBDMA_PB_HEADER_TYPE_NON_INC;
    case NV_HEADER_IMMD:
        return NV_PPBDMA_PB_HEADER_TYPE_IMMD;
    case NV_HEADER_SET_SUBDEVICE:
        return NV_PPBDMA_PB_HEADER_TYPE_SSDM;
    case NV_HEADER_STORE_SUBDEVICE:
        return NV_PPBDMA_PB_HEADER_TYPE_STORE_SDM;
    case NV_HEADER_USE_SUBDEVICE:
        return NV_PPBDMA_PB_HEADER_TYPE_USE_SDM;
    case NV_HEADER_END_SEGMENT:
        return NV_PPBDMA_PB_HEADER_TYPE_END_SEG;
    default:
        return NV_PPBDMA_PB_HEADER_TYPE_NON_INC;
    }
}

uint32_t nv_pbdma_decoder_header(const struct nv_pbdma_decoder *decoder, uint32_t attributes)
{
    const struct nv_header header = nv_header_decode(decoder->instruction);
    uint32_t word = decoder->pb_header;

    if (!decoder->decoded) {
        if (REG_GET(word, NV_PPBDMA_PB_HEADER_TYPE) == NV_PPBDMA_PB_HEADER_TYPE_INC_ONCE &&
            decoder->step == 0)
            word = REG_PUT(word, NV_PPBDMA_PB_HEADER_TYPE, NV_PPBDMA_PB_HEADER_TYPE_NON_INC);
        return REG_PUT(word, NV_PPBDMA_PB_HEADER_METHOD, decoder->method >> 2);
    }
    word = REG_PUT(attributes, NV_PPBDMA_PB_HEADER_TYPE, nv_pbdma_header_type(decoder, &header));
    word = REG_PUT(word, NV_PPBDMA_PB_HEADER_FIRST, decoder->was_first);
    if (header.kind == NV_HEADER_SET_SUBDEVICE || header.kind == NV_HEADER_STORE_SUBDEVICE)
        return word | (uint32_t)header.subdevice_mask << 4; /* SDMASK, over METHOD */
    if (header.kind == NV_HEADER_USE_SUBDEVICE || header.kind == NV_HEADER_END_SEGMENT)
        return word;
    word = REG_PUT(word, NV_PPBDMA_PB_HEADER_SUBCH, decoder->subchannel);
    return REG_PUT(word, NV_PPBDMA_PB_HEADER_METHOD, decoder->method >> 2);
}

uint32_t nv_pbdma_decoder_count(const struct nv_pbdma_decoder *decoder)
{
    const struct nv_header header = nv_header_decode(decoder->instruction);

    if (decoder->decoded && header.kind == NV_HEADER_IMMD)
        return header.immediate;
    /* Immediate data stays in the register until another instruction comes. */
    if (!decoder->decoded &&
        REG_GET(decoder->pb_header, NV_PPBDMA_PB_HEADER_TYPE) == NV_PPBDMA_PB_HEADER_TYPE_IMMD)
        return decoder->pb_count;
    return decoder->left;
}
