/* SPDX-License-Identifier: MIT */
/* The firmware's reading of packets, which are written here dword by dword from
 * kfd_pm4_headers_ai.h, not by the driver's model. */
/* PROMISE (drivers): The scheduling firmware reads lists that are chained to themselves or
 * elsewhere, refuses bad ones, and survives any other dwords. */
#include <config.h>

#include <check.h>

#include "firmware-models/kfd/kfd_tables.h"
#include "tests/check_hws.h"
#include "tests/suites.h"

#define MS (1000 * GFE_PS_PER_US)

enum {
    LIST = 0x10000000, /* virtual addresses */
    LIST_2 = 0x10100000,
    FENCE = 0x10200000,
    HIQ_MQD = 0x10201000,
    MQDS = 0x10300000, /* a page each */
    NOWHERE = 0x8000000,
};

static struct check_hws check;
static uint32_t list[512], length;

static void begin(void)
{
    check_hws_begin(&check);
    check_hws_seal(&check, UINT64_C(0xffffffff));
    length = 0;
}

static void teardown(void)
{
    ck_assert_uint_eq(check.wrong, 0);
    check_hws_end(&check);
}

/* ---- packets --------------------------------------------------------------------------------- */

static void process(uint32_t pasid)
{
    list[length++] = 0xc00ea100;
    list[length++] = 0x14000000 | pasid; /* quantum 10 */
    for (uint32_t i = 0; i < 14; i++)
        list[length++] = 0;
}

static void queue(uint32_t number, uint32_t type)
{
    const uint32_t packet[7] = {
        0xc005a200, 0x20000010 | type << 21, number << 3, MQDS + 4096 * number, 0, 0, 0};

    for (uint32_t i = 0; i < 7; i++)
        list[length++] = packet[i];
}

static void chain(uint32_t address, uint32_t dwords)
{
    list[length++] = 0xc002a500;
    list[length++] = address;
    list[length++] = 0;
    list[length++] = 0x08d00000 | dwords;
}

/* Puts the list there and has it run. */
static enum hws_packet_result run_at(uint32_t address, uint32_t dwords)
{
    const uint32_t packet[4] = {0xc002a500, address, 0, 0x08800000 | dwords};

    return check_hws_packets(&check, packet, 4);
}

static enum hws_packet_result run(void)
{
    check_hws_poke(&check, LIST, list, length);
    return run_at(LIST, length);
}

static enum hws_packet_result unmap(uint32_t dword1, uint32_t dword2, uint32_t dword3)
{
    const uint32_t packet[6] = {0xc004a300, dword1, dword2, dword3, 0, 0};

    return check_hws_packets(&check, packet, 6);
}

static const uint32_t query[7] = {0xc005a400, 0x80000000, 0, FENCE, 0, 100, 7};

static uint32_t stops(void)
{
    check_machine_read_log(&check.log);
    return check_machine_count(&check.log, EVENT_HWS_STOP);
}

/* ---- what they do ---------------------------------------------------------------------------- */

START_TEST(a_list_gives_slots)
{
    begin();
    check_hws_poke(&check, MQDS + 4096 * 3 + 134 * 4, &(uint32_t){9}, 1);
    process(0x8001);
    for (uint32_t i = 0; i < 5; i++)
        queue(i, 0);
    list[length++] = 0x80000000; /* fillers */
    list[length++] = 0xffff1000;
    list[length++] = 0xc0001000;
    list[length++] = 0x12345678;
    process(0x8002);
    queue(5, 0);
    ck_assert_int_eq(run(), HWS_PACKET_DONE);
    for (uint32_t i = 0; i < 6; i++)
        ck_assert_uint_eq(check_hws_slot_of(&check, 2 * i), i % 4 * 8 + i / 4);
    ck_assert_uint_eq(check_hws_used(&check), 6);
    ck_assert_uint_eq(check.slots[9].pasid, 0x8002);
    ck_assert_uint_eq(check.slots[9].vmid, 9);
    ck_assert_uint_eq(check.slots[8].mqd_address, MQDS + 4096);
    ck_assert_uint_eq(check.hws.state->queues[3].queue_id, 3);
    ck_assert_uint_eq(check.hws.state->queues[3].priority, 9);
    ck_assert_uint_eq(check.hws.state->processes[0].quantum, 10);
    ck_assert_uint_eq(check.hws.state->chained, 0);
    ck_assert_uint_eq(check.hws.state->process_limit, 8);
    ck_assert_uint_eq(stops(), 0);
}
END_TEST

START_TEST(resources)
{
    static const uint32_t packet[8] = {0xc006a000, 0x2005f000, 0x11, 0, 0, 0, 0, 0};

    begin();
    ck_assert_int_eq(check_hws_packets(&check, packet, 8), HWS_PACKET_DONE);
    ck_assert_uint_eq(check.hws.state->vmid_mask, 0xf000);
    ck_assert_uint_eq(check.hws.state->unmap_latency, 5);
    process(1);
    for (uint32_t i = 0; i < 3; i++)
        queue(i, 0);
    ck_assert_int_eq(run(), HWS_PACKET_DONE);
    ck_assert_uint_eq(check_hws_used(&check), 2);
    ck_assert(check.slots[0].used && check.slots[4].used);
    ck_assert_uint_eq(check.slots[0].vmid, 12);
}
END_TEST

START_TEST(a_list_that_ends_with_its_beginning_goes_round)
{
    begin();
    check.busy = true;
    process(1);
    for (uint32_t i = 0; i < 33; i++)
        queue(i, 0);
    chain(LIST, length + 4);
    ck_assert_int_eq(run(), HWS_PACKET_DONE);
    ck_assert_uint_eq(check.hws.state->chained, 1);
    ck_assert_uint_eq(check.hws.state->queue_count, 33);
    ck_assert_uint_eq(check_hws_slot_of(&check, 64), HWS_NONE);
    check_hws_run(&check, 10 * MS + 1);
    ck_assert_uint_ne(check_hws_slot_of(&check, 64), HWS_NONE);
}
END_TEST

START_TEST(a_list_may_go_on_elsewhere)
{
    begin();
    process(1);
    queue(0, 0);
    chain(LIST_2, 11);
    check_hws_poke(&check, LIST, list, length);
    length = 0;
    queue(1, 0);
    chain(LIST, 27);
    check_hws_poke(&check, LIST_2, list, length);
    ck_assert_int_eq(run_at(LIST, 27), HWS_PACKET_DONE);
    ck_assert_uint_eq(check.hws.state->queue_count, 2);
    ck_assert_uint_eq(check.hws.state->chained, 1);
}
END_TEST

START_TEST(the_fence_comes_after_the_last_has_left)
{
    begin();
    check.leave_ps = MS;
    process(1);
    queue(0, 0);
    queue(1, 0);
    ck_assert_int_eq(run(), HWS_PACKET_DONE);
    ck_assert_int_eq(unmap(0x30, 0, 0), HWS_PACKET_DONE);
    ck_assert_int_eq(check_hws_packets(&check, query, 7), HWS_PACKET_WAITS);
    ck_assert_uint_eq(check_hws_peek(&check, FENCE), 0);
    check_hws_run(&check, 2 * MS);
    ck_assert_uint_eq(check_hws_used(&check), 0);
    ck_assert_int_eq(check_hws_packets(&check, query, 7), HWS_PACKET_DONE);
    ck_assert_uint_eq(check_hws_peek(&check, FENCE), 100);
    ck_assert_uint_eq(check_hws_peek(&check, FENCE + 4), 7);
    ck_assert_uint_eq(stops(), 0);
    ck_assert_uint_eq(check_machine_count(&check.log, EVENT_HWS_FENCE), 1);
}
END_TEST

START_TEST(commands_of_query_status)
{
    static const struct {
        uint32_t command, fence, interrupts;
    } with[] = {{0, 0, 1}, {1, 100, 0}, {2, 100, 0}, {3, 100, 1}};
    uint32_t packet[7];

    begin();
    memcpy(packet, query, sizeof packet);
    packet[1] = with[_i].command << 30;
    ck_assert_int_eq(check_hws_packets(&check, packet, 7), HWS_PACKET_DONE);
    ck_assert_uint_eq(check_hws_peek(&check, FENCE), with[_i].fence);
    ck_assert_uint_eq(check.packets.state->query_count, with[_i].interrupts);
}
END_TEST

START_TEST(queues_by_doorbell_or_process)
{
    begin();
    process(1);
    for (uint32_t i = 0; i < 4; i++)
        queue(i, 0);
    process(2);
    queue(4, 0);
    queue(5, 0);
    ck_assert_int_eq(run(), HWS_PACKET_DONE);
    ck_assert_int_eq(unmap(0x40000000, 1 << 3, 3 << 3), HWS_PACKET_DONE); /* two doorbells */
    ck_assert_uint_eq(check_hws_used(&check), 4);
    ck_assert_uint_eq(check_hws_slot_of(&check, 2), HWS_NONE);
    ck_assert_uint_eq(check_hws_slot_of(&check, 6), HWS_NONE);
    ck_assert_uint_eq(check.resets, 0);
    ck_assert_int_eq(unmap(0x11, 2, 0), HWS_PACKET_DONE); /* process 2, with a reset */
    ck_assert_uint_eq(check_hws_used(&check), 2);
    ck_assert_uint_eq(check.resets, 2);
    ck_assert_int_eq(unmap(0x20, 0, 0), HWS_PACKET_DONE); /* all */
    ck_assert_uint_eq(check_hws_used(&check), 0);
}
END_TEST

START_TEST(a_queue_that_does_not_leave_is_noted_in_the_mqd)
{
    begin();
    hws_packet_begin(&check.packets, check.space_id, HIQ_MQD);
    check.stuck_doorbell = 2;
    process(1);
    queue(0, 0);
    queue(1, 0);
    ck_assert_int_eq(run(), HWS_PACKET_DONE);
    ck_assert_int_eq(unmap(0x30, 0, 0), HWS_PACKET_DONE);
    check_hws_run(&check, 3999 * MS);
    ck_assert_uint_eq(check_hws_peek(&check, HIQ_MQD + 4 * 240), 0);
    check_hws_run(&check, 4001 * MS);
    ck_assert_uint_eq(check_hws_peek(&check, HIQ_MQD + 4 * 240), 2);
    ck_assert_uint_eq(check_hws_peek(&check, HIQ_MQD + 4 * 241), 0);
    ck_assert_int_eq(unmap(0x30, 0, 0), HWS_PACKET_DONE);
    ck_assert_uint_eq(check_hws_peek(&check, HIQ_MQD + 4 * 240), 0);
}
END_TEST

/* Static queues stay when the list changes, whatever stands between them. */
START_TEST(static_queues_of_one_process_stay_together)
{
    begin();
    process(1);
    queue(0, 2);
    process(2);
    queue(1, 2);
    process(1); /* again */
    queue(2, 3);
    ck_assert_int_eq(run(), HWS_PACKET_DONE);
    for (uint32_t i = 0; i < 2; i++) {
        ck_assert_int_eq(unmap(0x30, 0, 0), HWS_PACKET_DONE);
        ck_assert_uint_eq(check_hws_used(&check), 3);
        length = 0;
        process(3);
        queue(3, 0);
        ck_assert_int_eq(run(), HWS_PACKET_DONE);
        ck_assert_uint_eq(check.hws.state->process_count, 3);
        ck_assert_uint_eq(check_hws_used(&check), 4);
    }
    ck_assert_int_eq(unmap(0x20, 0, 0), HWS_PACKET_DONE);
    ck_assert_uint_eq(check_hws_used(&check), 0);
    for (uint32_t vmid = 0; vmid < 16; vmid++)
        ck_assert_uint_eq(check.hws.state->vmids[vmid], HWS_NONE);
}
END_TEST

/* ---- what makes no sense --------------------------------------------------------------------- */

START_TEST(a_bad_packet_stops_the_firmware)
{
    static const struct {
        enum hws_packet_result result;
        uint32_t count, dwords[7];
    } with[] = {
        {HWS_PACKET_BAD_TYPE, 7, {0x55555555, 0x55555555}}, /* the driver's hang_hws */
        {HWS_PACKET_BAD_TYPE, 1, {0x00001234}},
        {HWS_PACKET_BAD_OPCODE, 2, {0xc0001500, 0}},
        {HWS_PACKET_BAD_OPCODE, 7, {0xc005a200, 0x20000010}}, /* MAP_QUEUES outside a list */
        {HWS_PACKET_BAD_LENGTH, 6, {0xc004a400}},
        {HWS_PACKET_BAD_FIELD, 6, {0xc004a300, 0x32}},       /* disable process */
        {HWS_PACKET_BAD_FIELD, 6, {0xc004a300, 0x08000030}}, /* SDMA */
        {HWS_PACKET_BAD_FIELD, 6, {0xc004a300, 0xa0000000}}, /* five doorbells */
        {HWS_PACKET_BAD_ADDRESS, 7, {0xc005a400, 0x80000000, 0, NOWHERE, 0, 100, 0}},
        {HWS_PACKET_BAD_ADDRESS, 4, {0xc002a500, NOWHERE, 0, 0x08800010}},
        {HWS_PACKET_BAD_FIELD, 4, {0xc002a500, LIST, 0, 0x08000010}}, /* not valid */
        {HWS_PACKET_BAD_FIELD, 4, {0xc002a500, LIST, 0, 0x08900010}}, /* chained */
    };
    uint32_t used;

    begin();
    ck_assert_int_eq(check_hws_packets(&check, with[_i].dwords, with[_i].count), with[_i].result);
    ck_assert_int_eq(check_hws_packets(&check, query, 7), HWS_PACKET_STOPPED);
    ck_assert_uint_eq(check_hws_peek(&check, FENCE), 0);
    ck_assert_uint_eq(stops(), 1);
    ck_assert_uint_eq(event_hws_stop_of(check_machine_event(&check.log, EVENT_HWS_STOP, 0)).result,
                      with[_i].result);
    ck_assert_uint_eq(event_hws_stop_of(check_machine_event(&check.log, EVENT_HWS_STOP, 0)).header,
                      with[_i].dwords[0]);
    hws_packet_begin(&check.packets, check.space_id, 0); /* mapped anew */
    ck_assert_int_eq(hws_packet_read(&check.packets, query, 7, &used), HWS_PACKET_DONE);
    ck_assert_uint_eq(used, 7);
    ck_assert_int_eq(hws_packet_read(&check.packets, query, 6, &used), HWS_PACKET_MORE);
    ck_assert_uint_eq(used, 0);
    ck_assert_int_eq(hws_packet_read(&check.packets, query, 7, &used), HWS_PACKET_DONE);
}
END_TEST

START_TEST(a_bad_list_gives_no_slots)
{
    static const struct {
        enum hws_packet_result result;
        uint32_t at, value; /* a dword of the list that is changed */
        uint32_t cut;
    } with[] = {
        {HWS_PACKET_BAD_OPCODE, 16, 0xc005a400, 0}, /* QUERY_STATUS in a list */
        {HWS_PACKET_BAD_TYPE, 16, 0x4005a200, 0},
        {HWS_PACKET_BAD_LENGTH, 0, 0xc00fa100, 0},
        {HWS_PACKET_BAD_LENGTH, 16, 0xc004a200, 0},
        {HWS_PACKET_TRUNCATED, 16, 0xc005a200, 1},
        {HWS_PACKET_TRUNCATED, 0, 0xc00ea100, 22},
        {HWS_PACKET_TRUNCATED, 16, 0xc0061000, 0}, /* NOP */
        {HWS_PACKET_BAD_FIELD, 17, 0x20200010, 0}, /* a debugger's queue */
        {HWS_PACKET_BAD_FIELD, 17, 0x28000010, 0}, /* SDMA's */
        {HWS_PACKET_BAD_FIELD, 17, 0x20000000, 0}, /* a slot that was specified */
        {HWS_PACKET_BAD_FIELD, 17, 0x40000010, 0}, /* two */
        {HWS_PACKET_BAD_ADDRESS, 19, NOWHERE, 0},  /* its MQD */
    };

    begin();
    process(1);
    queue(0, 0);
    list[with[_i].at] = with[_i].value;
    check_hws_poke(&check, LIST, list, length);
    ck_assert_int_eq(run_at(LIST, length - with[_i].cut), with[_i].result);
    ck_assert_uint_eq(check_hws_used(&check), 0);
    ck_assert_uint_eq(stops(), 1);
}
END_TEST

START_TEST(a_queue_needs_a_process)
{
    begin();
    queue(0, 0);
    ck_assert_int_eq(run(), HWS_PACKET_BAD_LIST);
}
END_TEST

/* Chains that never come back to the beginning end all the same. */
START_TEST(an_endless_chain_is_cut)
{
    begin();
    chain(LIST_2, 4);
    check_hws_poke(&check, LIST, list, length);
    check_hws_poke(&check, LIST_2, list, length); /* round on itself */
    ck_assert_int_eq(run_at(LIST, 4), HWS_PACKET_BAD_CHAIN);
    ck_assert_uint_eq(stops(), 1);
}
END_TEST

Suite *hws_packet_suite(void)
{
    Suite *suite = suite_create("hws_packet");
    TCase *tcase = tcase_create("packets");

    tcase_add_checked_fixture(tcase, NULL, teardown);
    tcase_add_test(tcase, a_list_gives_slots);
    tcase_add_test(tcase, resources);
    tcase_add_test(tcase, a_list_that_ends_with_its_beginning_goes_round);
    tcase_add_test(tcase, a_list_may_go_on_elsewhere);
    tcase_add_test(tcase, the_fence_comes_after_the_last_has_left);
    tcase_add_loop_test(tcase, commands_of_query_status, 0, 4);
    tcase_add_test(tcase, queues_by_doorbell_or_process);
    tcase_add_test(tcase, a_queue_that_does_not_leave_is_noted_in_the_mqd);
    tcase_add_test(tcase, static_queues_of_one_process_stay_together);
    tcase_add_loop_test(tcase, a_bad_packet_stops_the_firmware, 0, 12);
    tcase_add_loop_test(tcase, a_bad_list_gives_no_slots, 0, 12);
    tcase_add_test(tcase, a_queue_needs_a_process);
    tcase_add_test(tcase, an_endless_chain_is_cut);
    suite_add_tcase(suite, tcase);
    return suite;
}
