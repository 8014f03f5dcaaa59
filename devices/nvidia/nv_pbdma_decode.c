/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_pbdma_decode.h"

#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/formats/nv_crc.h"
#include "devices/nvidia/formats/nv_header.h"
#include "devices/nvidia/formats/nv_methods.h"
#include "devices/nvidia/formats/nv_pbdma_regs.h"

/* ---- methods --------------------------------------------------------------------------------- */

static bool nv_pbdma_is_hosts(uint32_t method)
{
    return method < NV_CLASS_HOST_END && method != NVA06F_SET_OBJECT;
}

/* What is still to come of a header: in the decoder between two calls, apart while at it. */
struct nv_pbdma_methods {
    uint32_t method, subchannel, left, step, steps;
};

static inline struct nv_pbdma_methods nv_pbdma_methods(const struct nv_pbdma_decoder *decoder)
{
    return (struct nv_pbdma_methods){decoder->method, decoder->subchannel, decoder->left,
                                     decoder->step, decoder->steps};
}

static inline void nv_pbdma_keep(struct nv_pbdma_decoder *decoder,
                                 const struct nv_pbdma_methods *methods)
{
    decoder->method = methods->method;
    decoder->subchannel = methods->subchannel;
    decoder->left = methods->left;
    decoder->step = methods->step;
    decoder->steps = methods->steps;
}

/* How many of the next `count` methods go where the first one goes, `step` bytes apart. */
static inline uint32_t nv_pbdma_together(const struct nv_pbdma_methods *methods, uint32_t count)
{
    uint32_t together = 1;

    if (methods->step == methods->steps) {
        if (methods->method >= NV_CLASS_HOST_END || methods->step == 0)
            return count;
        if (nv_pbdma_is_hosts(methods->method))
            together = (NV_CLASS_HOST_END - methods->method) / 4;
    }
    return together < count ? together : count;
}

/* One call of nv_pbdma_decode(): the messages for METHOD_CRC are gathered, because their CRC costs
 * far less over many at once.  nv_pbdma_gathered() brings METHOD_CRC up to date, at the latest
 * after this number of dwords, because no dword makes more than one message. */
enum { NV_PBDMA_MESSAGES = 512 };

struct nv_pbdma_call {
    struct nv_pbdma_decoder *decoder;
    const struct nv_pbdma_sinks *sinks;
    bool kept;     /* METHOD_CRC is */
    bool inactive; /* SUBDEVICE stops methods */
    enum nv_pbdma_stop stop;
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

/* `count` methods of one header to one sink.  The hot loop of a replay.  Returns how many dwords
 * are used; the last of them is refused if call->stop says so. */
static inline uint32_t nv_pbdma_run(struct nv_pbdma_call *call, struct nv_pbdma_methods *methods,
                                    const struct nv_pbdma_sink *to, const uint32_t *data,
                                    uint32_t count)
{
    const uint32_t subchannel = methods->subchannel, step = methods->step;
    const uint64_t further = step * NV_CRC_MESSAGE_STEP;
    const uint32_t *at = data, *const end = data + count;
    uint32_t method = methods->method;
    uint64_t head = nv_crc_message(subchannel, method, 0);
    uint8_t *message = call->message;

    while (at < end && to->take(to->engine, subchannel, method, *at)) {
        nv_crc_put_message(message, head | *at++);
        message += NV_CRC_METHOD_BYTES;
        head += further;
        method += step;
    }
    if (call->kept)
        call->message = message;
    if (at < end) {
        call->stop = NV_PBDMA_STOP_METHOD;
        call->decoder->refused.subchannel = subchannel;
        call->decoder->refused.method = method;
        call->decoder->refused.data = *at++;
        method += step;
    }
    count = (uint32_t)(at - data);
    methods->method = method;
    methods->step = methods->steps;
    methods->left -= count;
    call->decoder->method_count += count;
    return count;
}

/* The same of Host's methods, which are rare and not in METHOD_CRC; what is to come of the header
 * is in the decoder. */
static __attribute__((noinline)) uint32_t nv_pbdma_run_host(struct nv_pbdma_call *call,
                                                            const uint32_t *data, uint32_t count)
{
    struct nv_pbdma_methods methods = nv_pbdma_methods(call->decoder);
    uint8_t *const message = call->message;
    const uint32_t used = nv_pbdma_run(call, &methods, &call->sinks->host, data, count);

    call->message = message;
    nv_pbdma_keep(call->decoder, &methods);
    return used;
}

/* The next of a header's data, from up to `most` dwords.  Returns how many are used. */
static inline uint32_t nv_pbdma_data(struct nv_pbdma_call *call, struct nv_pbdma_methods *methods,
                                     const uint32_t *data, uint32_t most)
{
    const uint32_t count = methods->left < most ? methods->left : most;
    uint32_t together;

    if (call->inactive) {
        methods->left -= count;
        return count;
    }
    together = nv_pbdma_together(methods, count);
    if (!nv_pbdma_is_hosts(methods->method))
        return nv_pbdma_run(call, methods, &call->sinks->engine[methods->subchannel], data,
                            together);
    nv_pbdma_keep(call->decoder, methods);
    together = nv_pbdma_run_host(call, data, together);
    *methods = nv_pbdma_methods(call->decoder);
    return together;
}

/* ---- instructions ---------------------------------------------------------------------------- */

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

static inline void nv_pbdma_instruction_seen(struct nv_pbdma_decoder *decoder, uint32_t dword)
{
    decoder->instruction = dword;
    decoder->decoded = 1;
    decoder->was_first = decoder->first;
    decoder->first = 0;
}

/* Begins a header of methods whose data follow: nine in ten instructions.  Returns false, and does
 * nothing, for other forms, and for a header whose methods would pass the last method. */
static inline bool nv_pbdma_begin(struct nv_pbdma_decoder *decoder, uint32_t dword,
                                  struct nv_pbdma_methods *methods)
{
    const uint32_t operation = nv_field(dword, NVA06F_DMA_SEC_OP);
    const uint32_t count = nv_field(dword, NVA06F_DMA_METHOD_COUNT);
    const uint32_t method = nv_field(dword, NVA06F_DMA_METHOD_ADDRESS) << 2;
    const bool increments = operation == NVA06F_DMA_SEC_OP_INC_METHOD;
    const uint32_t step = increments ? 4 : 0;

    if (!increments && operation != NVA06F_DMA_SEC_OP_NON_INC_METHOD)
        return false;
    if (count == 0 || method + step * (count - 1) > NV_METHOD_MAX_BYTES)
        return false;
    nv_pbdma_instruction_seen(decoder, dword);
    *methods = (struct nv_pbdma_methods){method, nv_field(dword, NVA06F_DMA_METHOD_SUBCHANNEL),
                                         count, step, step};
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

static void nv_pbdma_immediate(struct nv_pbdma_call *call, const struct nv_header *header)
{
    struct nv_pbdma_methods methods = {header->method, header->subchannel, 1, 0, 0};
    const uint32_t data = header->immediate;

    (void)nv_pbdma_data(call, &methods, &data, 1);
    nv_pbdma_keep(call->decoder, &methods);
}

/* An instruction of any form.  STOP_DRY: go on. */
static enum nv_pbdma_stop nv_pbdma_instruction(struct nv_pbdma_call *call, uint32_t dword)
{
    struct nv_pbdma_decoder *decoder = call->decoder;
    const struct nv_header header = nv_header_decode(dword);

    if (header.kind == NV_HEADER_NOP) /* leaves PB_HEADER as it is: ASSUMED */
        return NV_PBDMA_STOP_DRY;
    nv_pbdma_instruction_seen(decoder, dword);
    switch (header.kind) {
    case NV_HEADER_INC:
    case NV_HEADER_NON_INC:
    case NV_HEADER_ONE_INC:
        return nv_pbdma_begin_other(decoder, &header);
    case NV_HEADER_IMMD:
        nv_pbdma_immediate(call, &header);
        return call->stop;
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

/* Dwords from `at` on, up to `end`.  Returns how far it has come. */
static uint32_t nv_pbdma_decode_some(struct nv_pbdma_call *call, const uint32_t *dwords,
                                     uint32_t at, uint32_t end)
{
    struct nv_pbdma_decoder *decoder = call->decoder;
    struct nv_pbdma_methods methods = nv_pbdma_methods(decoder);

    while (at < end && call->stop == NV_PBDMA_STOP_DRY) {
        if (methods.left == 0) {
            const uint32_t dword = dwords[at];

            decoder->instruction_at = at++;
            if (!nv_pbdma_begin(decoder, dword, &methods)) {
                nv_pbdma_keep(decoder, &methods);
                call->stop = nv_pbdma_instruction(call, dword);
                methods = nv_pbdma_methods(decoder);
                continue;
            }
        }
        at += nv_pbdma_data(call, &methods, dwords + at, end - at);
    }
    nv_pbdma_keep(decoder, &methods);
    return at;
}

enum nv_pbdma_stop nv_pbdma_decode(struct nv_pbdma_decoder *decoder,
                                   const struct nv_pbdma_sinks *sinks, const uint32_t *dwords,
                                   uint32_t count)
{
    struct nv_pbdma_call call;

    call.decoder = decoder;
    call.sinks = sinks;
    call.kept = sinks->crc != NULL;
    call.inactive = nv_pbdma_is_inactive(decoder->subdevice);
    call.stop = NV_PBDMA_STOP_DRY;
    call.message = call.messages;
    decoder->instruction_at = UINT32_MAX;
    decoder->taken = 0;
    while (decoder->taken < count && call.stop == NV_PBDMA_STOP_DRY) {
        const uint32_t left = count - decoder->taken;

        decoder->taken = nv_pbdma_decode_some(
            &call, dwords, decoder->taken,
            decoder->taken + (left < NV_PBDMA_MESSAGES ? left : NV_PBDMA_MESSAGES));
        nv_pbdma_gathered(&call);
    }
    return call.stop;
}

/* ---- registers ------------------------------------------------------------------------------- */

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
