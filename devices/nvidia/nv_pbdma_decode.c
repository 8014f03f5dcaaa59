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

/* One call of nv_pbdma_decode(): the messages for METHOD_CRC are gathered, because their CRC costs
 * far less over many at once.  nv_pbdma_gathered() brings METHOD_CRC up to date, at the latest
 * behind so many dwords: none of them makes more than one message. */
enum { NV_PBDMA_MESSAGES = 512 };

struct nv_pbdma_call {
    struct nv_pbdma_decoder *decoder;
    const struct nv_pbdma_sinks *sinks;
    size_t kept;      /* bytes of an engine's method: 0 if METHOD_CRC is not kept */
    bool refused;     /* the last method was */
    uint8_t *message; /* the next */
    uint8_t messages[NV_PBDMA_MESSAGES * NV_CRC_METHOD_BYTES + NV_CRC_MESSAGE_ROOM];
};

static void nv_pbdma_gathered(struct nv_pbdma_call *call)
{
    struct nv_pbdma_decoder *decoder = call->decoder;

    if (call->message != call->messages)
        decoder->method_crc = nv_crc_bytes(call->sinks->crc, decoder->method_crc, call->messages,
                                           (size_t)(call->message - call->messages));
    call->message = call->messages;
}

/* Methods of one header to one sink, from `most` dwords of its data.  The hot loop of a replay.
 * Returns how many dwords are used; the last of them is refused if call->refused. */
static inline uint32_t nv_pbdma_run(struct nv_pbdma_call *call, const struct nv_pbdma_sink *to,
                                    size_t kept, const uint32_t *data, uint32_t most)
{
    struct nv_pbdma_decoder *decoder = call->decoder;
    const uint32_t subchannel = decoder->subchannel, step = decoder->step;
    const uint32_t *at = data, *end = data + (step == decoder->steps ? most : 1);
    const struct nv_pbdma_sink sink = *to;
    const uint64_t further = step * NV_CRC_MESSAGE_STEP;
    uint32_t method = decoder->method;
    uint64_t head = nv_crc_message(subchannel, method, 0);
    uint8_t *message = call->message;

    while (at < end && sink.take(sink.engine, subchannel, method, *at)) {
        nv_crc_put_message(message, head | *at++);
        message += kept;
        head += further;
        method += step;
    }
    call->message = message;
    if (at < end) {
        call->refused = true;
        decoder->refused.subchannel = subchannel;
        decoder->refused.method = method;
        decoder->refused.data = *at++;
        method += step;
    }
    decoder->method = method;
    decoder->step = decoder->steps;
    decoder->left -= (uint32_t)(at - data);
    decoder->method_count += (uint32_t)(at - data);
    return (uint32_t)(at - data);
}

/* The same, of Host's methods, which are rare. */
static __attribute__((noinline)) uint32_t nv_pbdma_run_host(struct nv_pbdma_call *call,
                                                            const uint32_t *data, uint32_t count)
{
    return nv_pbdma_run(call, &call->sinks->host, 0, data, count);
}

/* One method, from a header with immediate data.  False: refused. */
static __attribute__((noinline)) bool nv_pbdma_single(struct nv_pbdma_call *call, uint32_t data)
{
    struct nv_pbdma_decoder *decoder = call->decoder;
    const uint32_t method = decoder->method;

    decoder->left = 1;
    decoder->step = decoder->steps = 0;
    if (nv_pbdma_is_hosts(method))
        (void)nv_pbdma_run_host(call, &data, 1);
    else
        (void)nv_pbdma_run(call, &call->sinks->engine[decoder->subchannel], call->kept, &data, 1);
    decoder->method = method;
    return !call->refused;
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
static enum nv_pbdma_stop nv_pbdma_instruction(struct nv_pbdma_call *call, uint32_t dword)
{
    struct nv_pbdma_decoder *decoder = call->decoder;
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
        return nv_pbdma_is_inactive(decoder->subdevice) || nv_pbdma_single(call, header.immediate)
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

/* Dwords from `*at` on, up to `end`. */
static enum nv_pbdma_stop nv_pbdma_decode_some(struct nv_pbdma_call *call, const uint32_t *dwords,
                                               uint32_t *from, uint32_t end)
{
    struct nv_pbdma_decoder *decoder = call->decoder;
    enum nv_pbdma_stop stop = NV_PBDMA_STOP_DRY;
    uint32_t at = *from;

    while (at < end && stop == NV_PBDMA_STOP_DRY) {
        const uint32_t data = decoder->left < end - at ? decoder->left : end - at;

        if (data == 0) {
            decoder->instruction_at = at;
            if (!nv_pbdma_begin(decoder, dwords[at]))
                stop = nv_pbdma_instruction(call, dwords[at]);
            at++;
        } else if (nv_pbdma_is_inactive(decoder->subdevice)) {
            decoder->left -= data;
            at += data;
        } else if (nv_pbdma_is_hosts(decoder->method)) {
            at += nv_pbdma_run_host(call, dwords + at, nv_pbdma_together(decoder, data));
        } else {
            at += nv_pbdma_run(call, &call->sinks->engine[decoder->subchannel], call->kept,
                               dwords + at, nv_pbdma_together(decoder, data));
        }
        if (call->refused)
            stop = NV_PBDMA_STOP_METHOD;
    }
    *from = at;
    return stop;
}

enum nv_pbdma_stop nv_pbdma_decode(struct nv_pbdma_decoder *decoder,
                                   const struct nv_pbdma_sinks *sinks, const uint32_t *dwords,
                                   uint32_t count)
{
    enum nv_pbdma_stop stop = NV_PBDMA_STOP_DRY;
    struct nv_pbdma_call call;

    call.decoder = decoder;
    call.sinks = sinks;
    call.kept = sinks->crc ? NV_CRC_METHOD_BYTES : 0;
    call.refused = false;
    call.message = call.messages;
    decoder->instruction_at = UINT32_MAX;
    decoder->taken = 0;
    while (decoder->taken < count && stop == NV_PBDMA_STOP_DRY) {
        const uint32_t left = count - decoder->taken;

        stop = nv_pbdma_decode_some(&call, dwords, &decoder->taken,
                                    decoder->taken +
                                        (left < NV_PBDMA_MESSAGES ? left : NV_PBDMA_MESSAGES));
        nv_pbdma_gathered(&call);
    }
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

/* Behind the last method there is is the first: the field has no more bits. */
static uint32_t nv_pbdma_put_method(uint32_t word, const struct nv_pbdma_decoder *decoder)
{
    const uint32_t bits = NV_PPBDMA_PB_HEADER_METHOD_HI - NV_PPBDMA_PB_HEADER_METHOD_LO + 1;

    return REG_PUT(word, NV_PPBDMA_PB_HEADER_METHOD, decoder->method >> 2 & ((1u << bits) - 1));
}

uint32_t nv_pbdma_decoder_header(const struct nv_pbdma_decoder *decoder, uint32_t attributes)
{
    const struct nv_header header = nv_header_decode(decoder->instruction);
    uint32_t word = decoder->pb_header;

    if (!decoder->decoded) {
        if (REG_GET(word, NV_PPBDMA_PB_HEADER_TYPE) == NV_PPBDMA_PB_HEADER_TYPE_INC_ONCE &&
            decoder->step == 0)
            word = REG_PUT(word, NV_PPBDMA_PB_HEADER_TYPE, NV_PPBDMA_PB_HEADER_TYPE_NON_INC);
        return nv_pbdma_put_method(word, decoder);
    }
    word = REG_PUT(attributes, NV_PPBDMA_PB_HEADER_TYPE, nv_pbdma_header_type(decoder, &header));
    word = REG_PUT(word, NV_PPBDMA_PB_HEADER_FIRST, decoder->was_first);
    if (header.kind == NV_HEADER_SET_SUBDEVICE || header.kind == NV_HEADER_STORE_SUBDEVICE)
        return word | (uint32_t)header.subdevice_mask << 4; /* SDMASK, over METHOD */
    if (header.kind == NV_HEADER_USE_SUBDEVICE || header.kind == NV_HEADER_END_SEGMENT)
        return word;
    word = REG_PUT(word, NV_PPBDMA_PB_HEADER_SUBCH, decoder->subchannel);
    return nv_pbdma_put_method(word, decoder);
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
