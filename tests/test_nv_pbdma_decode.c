/* SPDX-License-Identifier: MIT */
/*
 * The PBDMA's decoder, against the slow one of gfe decode (devices/nvidia/formats/nv_decode.h): on
 * a synthetic stream, on recorded ones, on random ones, and however a stream is cut into segments.
 */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/formats/nv_crc.h"
#include "devices/nvidia/formats/nv_decode.h"
#include "devices/nvidia/nv_pbdma_decode.h"
#include "devices/nvidia/formats/nv_pbdma_regs.h"
#include "emu/engine/random.h"
#include "tests/push_stream.h"
#include "tests/suites.h"

enum { ACTIVE = 1 << 28, MASKED = 1 << 29 }; /* of SUBDEVICE */

/* What came out: a checksum over all of (subchannel, method, data), and how many. */
struct methods {
    uint64_t checksum, count;
    uint32_t crc; /* METHOD_CRC by the slow way */
};

static struct nv_crc crc;

static void setup(void)
{
    nv_crc_init(&crc);
}

static void methods_add(struct methods *methods, uint32_t subchannel, uint32_t method,
                        uint32_t data)
{
    const uint64_t all = (uint64_t)data << 17 | method << 1 | subchannel;

    methods->checksum =
        (methods->checksum << 1 | methods->checksum >> 63) + all * 0x9e3779b97f4a7c15;
    methods->count++;
    if (method >= NV_CLASS_HOST_END || method == 0)
        methods->crc = nv_crc_method(&crc, methods->crc, subchannel, method, data);
}

static bool take(void *engine, uint32_t subchannel, uint32_t method, uint32_t data)
{
    methods_add(engine, subchannel, method, data);
    return true;
}

static struct nv_pbdma_sinks sinks_into(struct methods *methods)
{
    struct nv_pbdma_sinks sinks = {.host = {take, methods}, .crc = &crc};

    for (uint32_t i = 0; i < NV_PBDMA_SUBCHANNELS; i++)
        sinks.engine[i] = sinks.host;
    return sinks;
}

/* ---- the slow decoder ------------------------------------------------------------------------ */

struct slow {
    const uint32_t *dwords;
    uint32_t count;
    struct methods methods;
};

static bool slow_read(void *context, uint64_t va, void *data, size_t bytes)
{
    const struct slow *slow = context;

    if (va + bytes > 4 * (uint64_t)slow->count)
        return false;
    memcpy(data, (const uint8_t *)slow->dwords + va, bytes);
    return true;
}

static bool slow_write(void *context, uint64_t va, const void *data, size_t bytes)
{
    (void)context;
    (void)va;
    (void)data;
    (void)bytes;
    return true;
}

static void slow_found(void *context, const struct nv_decode_item *item)
{
    struct slow *slow = context;

    if (item->kind == NV_DECODE_METHOD)
        methods_add(&slow->methods, item->subchannel, item->method, item->data);
}

static struct methods decode_slowly(const struct push_stream *stream)
{
    static const struct nv_decode_ops ops = {slow_read, slow_write, slow_found};
    struct slow slow = {.dwords = stream->dwords, .count = stream->dword_count};
    struct nv_decode decode;
    uint64_t va = 0;

    nv_decode_init(&decode, &ops, &slow, nv_decode_chip(0x136));
    for (uint32_t i = 0; i < stream->segment_count; i++) {
        nv_decode_segment(&decode, NV_DECODE_RECORDED, va, stream->lengths[i]);
        va += 4 * (uint64_t)stream->lengths[i];
    }
    return slow.methods;
}

static struct methods decode_fast(const struct push_stream *stream, uint32_t *method_crc)
{
    struct methods methods = {0};
    const struct nv_pbdma_sinks sinks = sinks_into(&methods);
    struct nv_pbdma_decoder decoder = {0};
    const uint32_t *dwords = stream->dwords;

    for (uint32_t i = 0; i < stream->segment_count; i++) {
        enum nv_pbdma_stop stop = nv_pbdma_decode(&decoder, &sinks, dwords, stream->lengths[i]);

        ck_assert(stop == NV_PBDMA_STOP_DRY || stop == NV_PBDMA_STOP_END_SEGMENT);
        dwords += stream->lengths[i];
    }
    ck_assert_uint_eq(decoder.method_count, methods.count);
    *method_crc = decoder.method_crc;
    return methods;
}

static void expect_same(const struct push_stream *stream)
{
    uint32_t method_crc;
    const struct methods slow = decode_slowly(stream), fast = decode_fast(stream, &method_crc);

    ck_assert_uint_eq(fast.count, slow.count);
    ck_assert_uint_eq(fast.checksum, slow.checksum);
    ck_assert_uint_eq(method_crc, slow.crc);
}

START_TEST(a_synthetic_stream_gives_the_methods_of_the_slow_decoder)
{
    struct push_stream stream;

    ck_assert_uint_eq(PUSH_STREAM_SEGMENT, 61);
    ck_assert(push_stream_synthetic(&stream, 100));
    ck_assert_uint_eq(stream.dword_count, 6100);
    expect_same(&stream);
    push_stream_fini(&stream);
}
END_TEST

static const char *const recordings[] = {"clear", "triangle", "compute"};

/* PROMISE (nvidia): The fast decoder of pushbuffers gives the methods of the slow one of `gfe
 * decode`. */
START_TEST(a_recorded_stream_gives_the_methods_of_the_slow_decoder)
{
    const char *top = getenv("top_srcdir");
    struct gfe_error error = {0};
    struct push_stream stream;
    char path[4096];

    snprintf(path, sizeof path, "%s/tests/golden/%s.gft", top ? top : ".", recordings[_i]);
    ck_assert_msg(push_stream_recorded(&stream, path, &error), "%s", error.text);
    ck_assert_uint_gt(stream.dword_count, 100);
    expect_same(&stream);
    push_stream_fini(&stream);
}
END_TEST

/* ---- random streams, cut anywhere ------------------------------------------------------------ */

enum { RANDOM_DWORDS = 300 };

/* Valid instructions of all forms that make methods; the last may want more data than there are. */
static void random_stream(struct random_state *random, uint32_t *dwords)
{
    uint32_t at = 0;

    while (at < RANDOM_DWORDS) {
        const uint32_t count = (uint32_t)random_below(random, 7);
        const uint32_t where =
            (uint32_t)random_below(random, 8) << 13 |
            (uint32_t)random_below(random, random_below(random, 2) ? 0x48 : 0xff0);
        static const uint32_t operations[] = {1, 3, 4, 5, 0, 2};
        const uint32_t operation = operations[random_below(random, 6)];

        if (operation == 0 || operation == 2) /* the old forms: byte addresses, TERT_OP 0 */
            dwords[at++] = operation << 29 | count << 18 | (where & 0xe000) | (where & 0x7ff) << 2;
        else
            dwords[at++] = operation << 29 | count << 16 | where;
        for (uint32_t i = 0; i < count && operation != 4 && at < RANDOM_DWORDS; i++)
            dwords[at++] = (uint32_t)random_next(random);
    }
}

START_TEST(however_a_stream_is_cut_it_gives_the_same_methods)
{
    uint32_t dwords[RANDOM_DWORDS], lengths[RANDOM_DWORDS + 1];
    struct push_stream stream = {dwords, RANDOM_DWORDS, lengths, 1};
    struct random_state random;
    struct methods whole, cut;
    uint32_t crc_whole, crc_cut;

    random_seed(&random, (uint64_t)_i, 0);
    random_stream(&random, dwords);
    lengths[0] = RANDOM_DWORDS;
    expect_same(&stream);
    whole = decode_fast(&stream, &crc_whole);
    stream.segment_count = 2;
    for (uint32_t at = 0; at <= RANDOM_DWORDS; at++) { /* in two, at every place */
        lengths[0] = at;
        lengths[1] = RANDOM_DWORDS - at;
        cut = decode_fast(&stream, &crc_cut);
        ck_assert_uint_eq(cut.checksum, whole.checksum);
        ck_assert_uint_eq(crc_cut, crc_whole);
    }
    stream.segment_count = RANDOM_DWORDS; /* and dword by dword */
    for (uint32_t i = 0; i < RANDOM_DWORDS; i++)
        lengths[i] = 1;
    cut = decode_fast(&stream, &crc_cut);
    ck_assert_uint_eq(cut.checksum, whole.checksum);
    ck_assert_uint_eq(crc_cut, crc_whole);
}
END_TEST

/* PB_HEADER and PB_COUNT hold all that the decoder needs between two dwords. */
/* PROMISE (nvidia): Between any two dwords the registers hold the whole state of the decoder. */
START_TEST(the_registers_hold_the_state_between_any_two_dwords)
{
    uint32_t dwords[RANDOM_DWORDS], lengths[] = {RANDOM_DWORDS}, crc_whole;
    const struct push_stream stream = {dwords, RANDOM_DWORDS, lengths, 1};
    struct nv_pbdma_decoder decoder = {0};
    struct methods whole, methods = {0};
    const struct nv_pbdma_sinks sinks = sinks_into(&methods);
    struct random_state random;

    random_seed(&random, (uint64_t)_i, 1);
    random_stream(&random, dwords);
    whole = decode_fast(&stream, &crc_whole);
    for (uint32_t i = 0; i < RANDOM_DWORDS; i++) {
        const uint32_t header = nv_pbdma_decoder_header(&decoder, 0);
        const uint32_t count = nv_pbdma_decoder_count(&decoder), method_crc = decoder.method_crc;

        decoder = (struct nv_pbdma_decoder){.method_crc = method_crc};
        nv_pbdma_decoder_load(&decoder, header, count);
        ck_assert_uint_eq(nv_pbdma_decoder_header(&decoder, 0), header);
        ck_assert_uint_eq(nv_pbdma_decoder_count(&decoder), count);
        ck_assert_int_eq(nv_pbdma_decode(&decoder, &sinks, &dwords[i], 1), NV_PBDMA_STOP_DRY);
    }
    ck_assert_uint_eq(methods.checksum, whole.checksum);
    ck_assert_uint_eq(decoder.method_crc, crc_whole);
}
END_TEST

/* ---- instructions ---------------------------------------------------------------------------- */

/* Decodes dwords with SUBDEVICE as given. */
static enum nv_pbdma_stop decode(struct nv_pbdma_decoder *decoder, struct methods *methods,
                                 const uint32_t *dwords, uint32_t count)
{
    const struct nv_pbdma_sinks sinks = sinks_into(methods);

    return nv_pbdma_decode(decoder, &sinks, dwords, count);
}

START_TEST(a_mask_without_this_subdevice_stops_methods_but_not_control_entries)
{
    const uint32_t dwords[] = {
        0x00010020, /* SET_SUBDEVICE_MASK 2 */
        1u << 29 | 2u << 16 | 0x188 / 4,
        1,
        2,                               /* not made */
        0x00020010,                      /* STORE_SUBDEVICE_MASK 1 */
        4u << 29 | 7u << 16 | 0x188 / 4, /* not made */
        0x00030000,                      /* USE_SUBDEVICE_MASK */
        4u << 29 | 8u << 16 | 0x188 / 4,
    };
    struct nv_pbdma_decoder decoder = {.subdevice = MASKED | ACTIVE | 1};
    struct methods methods = {0};

    ck_assert_int_eq(decode(&decoder, &methods, dwords, 8), NV_PBDMA_STOP_MASK);
    ck_assert_uint_eq(decoder.taken, 1);
    ck_assert_uint_eq(decoder.subdevice, MASKED | 1);
    ck_assert_int_eq(decode(&decoder, &methods, dwords + 1, 7), NV_PBDMA_STOP_MASK);
    ck_assert_uint_eq(decoder.taken, 6);
    ck_assert_uint_eq(methods.count, 0);
    ck_assert_uint_eq(decoder.subdevice, MASKED | ACTIVE | 1u << 16 | 1);
    ck_assert_int_eq(decode(&decoder, &methods, dwords + 7, 1), NV_PBDMA_STOP_DRY);
    ck_assert_uint_eq(methods.count, 1);
}
END_TEST

START_TEST(a_mask_where_masks_are_disabled_is_a_bad_entry)
{
    const uint32_t set = 0x00010010, use = 0x00030000, store = 0x00020010;
    struct nv_pbdma_decoder decoder = {.subdevice = 1};
    struct methods methods = {0};

    ck_assert_int_eq(decode(&decoder, &methods, &set, 1), NV_PBDMA_STOP_BAD);
    ck_assert_int_eq(decode(&decoder, &methods, &use, 1), NV_PBDMA_STOP_BAD);
    ck_assert_int_eq(decode(&decoder, &methods, &store, 1), NV_PBDMA_STOP_DRY);
}
END_TEST

/* Instructions, and what becomes of them. */
static const struct {
    uint32_t dword;
    enum nv_pbdma_stop stop;
    uint32_t left, method_count;
} instructions[] = {
    {0, NV_PBDMA_STOP_DRY, 0, 0},                           /* the universal NOP */
    {1u << 29 | 0x62, NV_PBDMA_STOP_DRY, 0, 0},             /* INC, count 0 */
    {3u << 29 | 0x62, NV_PBDMA_STOP_DRY, 0, 0},             /* NON_INC, count 0 */
    {5u << 29 | 0x62, NV_PBDMA_STOP_DRY, 0, 0},             /* ONE_INC, count 0 */
    {1u << 29 | 9u << 16 | 0x62, NV_PBDMA_STOP_DRY, 9, 0},  /* INC */
    {4u << 29 | 9u << 16 | 0x62, NV_PBDMA_STOP_DRY, 0, 1},  /* IMMD */
    {4u << 29 | 0x62, NV_PBDMA_STOP_DRY, 0, 1},             /* IMMD of 0 is a method */
    {2u << 18 | 0x188, NV_PBDMA_STOP_DRY, 2, 0},            /* GRP0: INC of old */
    {2u << 29 | 3u << 18 | 0x188, NV_PBDMA_STOP_DRY, 3, 0}, /* GRP2: NON_INC of old */
    {2u << 29 | 1u << 16 | 0x188, NV_PBDMA_STOP_BAD, 0, 0}, /* GRP2 has no other form */
    {6u << 29, NV_PBDMA_STOP_BAD, 0, 0},                    /* RESERVED6 */
    {7u << 29, NV_PBDMA_STOP_END_SEGMENT, 0, 0},
    {1u << 29 | 2u << 16 | 0xffe, NV_PBDMA_STOP_DRY, 2, 0}, /* up to the last method */
    {1u << 29 | 3u << 16 | 0xffe, NV_PBDMA_STOP_BAD, 3, 0}, /* past it */
    {5u << 29 | 1u << 16 | 0xfff, NV_PBDMA_STOP_DRY, 1, 0},
    {5u << 29 | 2u << 16 | 0xfff, NV_PBDMA_STOP_BAD, 2, 0},
    {3u << 29 | 9u << 16 | 0xfff, NV_PBDMA_STOP_DRY, 9, 0}, /* NON_INC never passes it */
};

/* PROMISE (nvidia): Every header type, mask, count of 0, wrap and reserved form does what the
 * manual says. */
START_TEST(each_form_of_instruction_does_what_the_manual_says)
{
    struct nv_pbdma_decoder decoder = {.subdevice = MASKED | ACTIVE | 1};
    struct methods methods = {0};

    ck_assert_int_eq(decode(&decoder, &methods, &instructions[_i].dword, 1), instructions[_i].stop);
    ck_assert_uint_eq(decoder.left, instructions[_i].left);
    ck_assert_uint_eq(decoder.method_count, instructions[_i].method_count);
}
END_TEST

/* TYPE, FIRST and the address as PB_HEADER has them after an instruction and some data. */
START_TEST(pb_header_says_what_was_decoded)
{
    const uint32_t dwords[] = {5u << 29 | 3u << 16 | 1u << 13 | 0x188 / 4, 1, 2, 0x00010ff0};
    struct nv_pbdma_decoder decoder = {.subdevice = MASKED | ACTIVE | 1, .first = 1};
    struct methods methods = {0};

    (void)decode(&decoder, &methods, dwords, 1);
    ck_assert_uint_eq(nv_pbdma_decoder_header(&decoder, 1u << 20),
                      5u << 29 | 1u << 22 | 1u << 20 | 1u << 16 | 0x188);
    ck_assert_uint_eq(nv_pbdma_decoder_count(&decoder), 3);
    (void)decode(&decoder, &methods, dwords + 1, 1); /* INC_ONCE becomes NON_INC */
    ck_assert_uint_eq(nv_pbdma_decoder_header(&decoder, 0), 3u << 29 | 1u << 22 | 1u << 16 | 0x18c);
    ck_assert_uint_eq(nv_pbdma_decoder_count(&decoder), 2);
    decoder.left = 0;
    (void)decode(&decoder, &methods, dwords + 3, 1);
    ck_assert_uint_eq(nv_pbdma_decoder_header(&decoder, 0), 0xff0); /* SSDM and its mask */
}
END_TEST

static bool refuse_odd(void *engine, uint32_t subchannel, uint32_t method, uint32_t data)
{
    if (data % 2)
        return false;
    methods_add(engine, subchannel, method, data);
    return true;
}

START_TEST(the_decoder_stops_at_what_a_sink_refuses)
{
    const uint32_t dwords[] = {1u << 29 | 3u << 16 | 2u << 13 | 0x188 / 4, 10, 11, 12};
    struct nv_pbdma_decoder decoder = {0};
    struct methods methods = {0};
    struct nv_pbdma_sinks sinks = sinks_into(&methods);

    sinks.engine[2].take = refuse_odd;
    ck_assert_int_eq(nv_pbdma_decode(&decoder, &sinks, dwords, 4), NV_PBDMA_STOP_METHOD);
    ck_assert_uint_eq(decoder.taken, 3);
    ck_assert_uint_eq(decoder.refused.subchannel, 2);
    ck_assert_uint_eq(decoder.refused.method, 0x18c);
    ck_assert_uint_eq(decoder.refused.data, 11);
    ck_assert_uint_eq(methods.count, 1);
    ck_assert_uint_eq(decoder.method_crc, methods.crc); /* the refused one is not in it */
    ck_assert_int_eq(nv_pbdma_decode(&decoder, &sinks, dwords + 3, 1), NV_PBDMA_STOP_DRY);
    ck_assert_uint_eq(methods.count, 2);
}
END_TEST

Suite *nv_pbdma_decode_suite(void)
{
    Suite *suite = suite_create("nv_pbdma_decode");
    TCase *tcase = tcase_create("decoder");

    tcase_add_checked_fixture(tcase, setup, NULL);
    tcase_add_test(tcase, a_synthetic_stream_gives_the_methods_of_the_slow_decoder);
    tcase_add_loop_test(tcase, a_recorded_stream_gives_the_methods_of_the_slow_decoder, 0, 3);
    tcase_add_loop_test(tcase, however_a_stream_is_cut_it_gives_the_same_methods, 0, 8);
    tcase_add_loop_test(tcase, the_registers_hold_the_state_between_any_two_dwords, 0, 8);
    tcase_add_test(tcase, a_mask_without_this_subdevice_stops_methods_but_not_control_entries);
    tcase_add_test(tcase, a_mask_where_masks_are_disabled_is_a_bad_entry);
    tcase_add_loop_test(tcase, each_form_of_instruction_does_what_the_manual_says, 0,
                        sizeof instructions / sizeof instructions[0]);
    tcase_add_test(tcase, pb_header_says_what_was_decoded);
    tcase_add_test(tcase, the_decoder_stops_at_what_a_sink_refuses);
    suite_add_tcase(suite, tcase);
    return suite;
}
