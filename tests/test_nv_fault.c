/* SPDX-License-Identifier: MIT */
/* What software is told of a fault, by generation: registers, packets, interrupts. */
#include <config.h>

#include <check.h>

#include "devices/nvidia/nv_fault.h"
#include "tests/check_pbdma.h"
#include "tests/suites.h"

enum {
    FAULT_PAGE = 0x5000000, /* not mapped */
    BUFFER = 0x2000000,     /* physical: the fault buffer */
    GV100_LO = 0x100e24,
    TU104_LO = 0xb83000,
};

static void raise_at(uint64_t address, enum nv_access_type access)
{
    const struct nv_fault fault = {.unit_kind = NV_FAULT_HOST,
                                   .instance = 1,
                                   .channel_id = 0,
                                   .address = address,
                                   .access = access};

    nv_fault_raise(&check.gpu->faults, check.gpu->host.unit, &fault);
}

static uint32_t reg(uint32_t offset)
{
    return machine_read32(check.machine, offset);
}

static void write_reg(uint32_t offset, uint32_t value)
{
    machine_write32(check.machine, offset, value);
}

/* ---- up to Pascal ---------------------------------------------------------------------------- */

/* PBDMA 0 is unit 6; client 6 of the HUB is Host. */
START_TEST(pascal_has_registers_for_each_unit)
{
    check_machine_begin_channel(&check, false);
    check_machine_segment(&check, 0, FAULT_PAGE + 0x40, 4, true);
    check_machine_run(&check);
    ck_assert_uint_eq(reg(0x259c), 1u << 6);
    ck_assert_uint_eq(reg(0x2800 + 16 * 6), CHECK_INSTANCES >> 12);
    ck_assert_uint_eq(reg(0x2804 + 16 * 6), FAULT_PAGE);
    ck_assert_uint_eq(reg(0x2808 + 16 * 6), 0);
    ck_assert_uint_eq(reg(0x280c + 16 * 6), 1 << 20 | 6 << 8 | NV_PFAULT_FAULT_TYPE_PDE);
    ck_assert_uint_eq(reg(0x2100) & 3u << 27, 1u << 28);
    check_machine_end(&check);
}
END_TEST

START_TEST(pascal_drops_a_unit_s_second_fault)
{
    check_machine_begin_channel(&check, false);
    raise_at(FAULT_PAGE, NV_PFAULT_ACCESS_TYPE_WRITE);
    raise_at(FAULT_PAGE + 0x1000, NV_PFAULT_ACCESS_TYPE_READ);
    ck_assert_uint_eq(reg(0x2100) & 3u << 27, 3u << 27);
    ck_assert_uint_eq(reg(0x2804 + 16 * 7), FAULT_PAGE);
    ck_assert_uint_eq(reg(0x280c + 16 * 7), 1 << 20 | 1 << 16 | 6 << 8 | NV_PFAULT_FAULT_TYPE_PDE);
    write_reg(0x259c, 1u << 7);
    raise_at(FAULT_PAGE + 0x1000, NV_PFAULT_ACCESS_TYPE_READ);
    ck_assert_uint_eq(reg(0x2804 + 16 * 7), FAULT_PAGE + 0x1000);
    check_machine_end(&check);
}
END_TEST

/* ---- Volta and Turing ------------------------------------------------------------------------ */

static void begin_on(const char *gpu)
{
    check_machine_begin_on(&check, gpu);
    check_machine_channel(&check, 0);
    check_machine_runlist(&check, 0, 1, (const uint32_t[]){0});
}

/* Stride of the two buffers' registers: 20 bytes on Volta, 32 later. */
static void enable_buffer(uint32_t lo, uint32_t packets)
{
    write_reg(lo, BUFFER | 1);
    write_reg(lo + 4, 0);
    write_reg(lo + 0x10, packets | 1u << 31 | 1u << 29);
}

static void expect_packet(uint32_t n, uint64_t address)
{
    const uint64_t at = BUFFER + 32u * n;

    ck_assert_uint_eq(check_machine_peek_vram(&check, at), CHECK_INSTANCES);
    ck_assert_uint_eq(check_machine_peek_vram(&check, at + 4), 0);
    ck_assert_uint_eq(check_machine_peek_vram(&check, at + 8), (uint32_t)address);
    ck_assert_uint_eq(check_machine_peek_vram(&check, at + 12), (uint32_t)(address >> 32));
    ck_assert_uint_eq(check_machine_peek_vram(&check, at + 24), 33); /* PBDMA 1 */
    ck_assert_uint_eq(check_machine_peek_vram(&check, at + 28),
                      1u << 31 | 1 << 20 | 1 << 16 | 6 << 8 | NV_PFAULT_FAULT_TYPE_PDE);
}

static void packets_go_around(uint32_t lo)
{
    const uint32_t get = lo + 8, put = lo + 12;

    enable_buffer(lo, 3);
    for (uint32_t i = 0; i < 2; i++)
        raise_at(FAULT_PAGE + 0x1000 * i, NV_PFAULT_ACCESS_TYPE_WRITE);
    expect_packet(0, FAULT_PAGE);
    expect_packet(1, FAULT_PAGE + 0x1000);
    ck_assert_uint_eq(reg(put), 2);
    /* One packet is always free: the third does not fit. */
    raise_at(FAULT_PAGE + 0x2000, NV_PFAULT_ACCESS_TYPE_WRITE);
    ck_assert_uint_eq(reg(put), 1u << 31 | 2);
    ck_assert_uint_eq(reg(get), 1u << 31);
    ck_assert_uint_eq(check_machine_peek_vram(&check, BUFFER + 64 + 28), 0);
    /* Room alone is not enough: OVERFLOW stands until it is cleared. */
    write_reg(get, 2);
    raise_at(FAULT_PAGE + 0x2000, NV_PFAULT_ACCESS_TYPE_WRITE);
    ck_assert_uint_eq(reg(put), 1u << 31 | 2);
    write_reg(get, 1u << 31 | 2);
    ck_assert_uint_eq(reg(get), 2);
    raise_at(FAULT_PAGE + 0x3000, NV_PFAULT_ACCESS_TYPE_WRITE);
    expect_packet(2, FAULT_PAGE + 0x3000);
    ck_assert_uint_eq(reg(put), 0);
    write_reg(get, 3); /* not below SIZE */
    ck_assert_uint_eq(reg(get), 1u << 30 | 3);
}

START_TEST(volta_writes_packets)
{
    begin_on("v100");
    packets_go_around(GV100_LO);
    check_machine_end(&check);
}
END_TEST

START_TEST(turing_writes_packets)
{
    begin_on("rtx2060");
    packets_go_around(TU104_LO);
    check_machine_end(&check);
}
END_TEST

static void line_rose(void *unit)
{
    ++*(unsigned *)unit;
}

/* Bits of NISO_INTR: 29 packets, 30 overflow, 31 the registers. */
START_TEST(volta_s_interrupt_is_pending_while_its_cause_is)
{
    static const struct unit_ops ops = {.interrupt = line_rose};
    unsigned lines = 0;

    begin_on("v100");
    check.machine->interrupt_unit = check.machine->unit_count;
    check.machine->units[check.machine->unit_count] = (struct unit){"software", &ops, &lines};
    enable_buffer(GV100_LO, 2);
    raise_at(FAULT_PAGE, NV_PFAULT_ACCESS_TYPE_READ);
    ck_assert_uint_eq(reg(0x100a20), 1u << 29);
    ck_assert_uint_eq(lines, 0);
    write_reg(0x100a2c, 1u << 29); /* EN_SET */
    ck_assert_uint_eq(reg(0x100a24), 1u << 29);
    ck_assert_uint_eq(lines, 1);
    raise_at(FAULT_PAGE, NV_PFAULT_ACCESS_TYPE_READ);
    ck_assert_uint_eq(reg(0x100a20), 3u << 29);
    write_reg(GV100_LO + 8, 1u << 31 | 1);
    ck_assert_uint_eq(reg(0x100a20), 0);
    write_reg(0x100a34, 1u << 29); /* EN_CLR */
    ck_assert_uint_eq(reg(0x100a24), 0);
    check_machine_end(&check);
}
END_TEST

/* FAULT_ADDR and so on: 0x100e4c on Volta, 0xb83080 on Turing. */
static void registers_hold_one(uint32_t at)
{
    raise_at(FAULT_PAGE, NV_PFAULT_ACCESS_TYPE_READ);
    raise_at(FAULT_PAGE + 0x1000, NV_PFAULT_ACCESS_TYPE_READ);
    ck_assert_uint_eq(reg(at), FAULT_PAGE);
    ck_assert_uint_eq(reg(at + 4), 0);
    ck_assert_uint_eq(reg(at + 8), CHECK_INSTANCES | 33);
    ck_assert_uint_eq(reg(at + 12), 0);
    ck_assert_uint_eq(reg(at + 16), 1u << 31 | 1 << 20 | 6 << 8 | NV_PFAULT_FAULT_TYPE_PDE);
    ck_assert_uint_eq(reg(at + 20), 1u << 31 | 1 << 7);
    write_reg(at + 20, 1u << 31 | 1 << 7);
    ck_assert_uint_eq(reg(at + 20), 0);
    ck_assert_uint_eq(reg(at + 16) >> 31, 0);
    raise_at(FAULT_PAGE + 0x1000, NV_PFAULT_ACCESS_TYPE_READ);
    ck_assert_uint_eq(reg(at), FAULT_PAGE + 0x1000);
}

START_TEST(without_a_buffer_registers_hold_one_fault)
{
    begin_on("v100");
    registers_hold_one(0x100e4c);
    check_machine_end(&check);
    begin_on("rtx2060");
    registers_hold_one(0xb83080);
    check_machine_end(&check);
}
END_TEST

START_TEST(a_size_may_be_left_to_the_chip)
{
    begin_on("v100");
    write_reg(GV100_LO + 0x10, 1u << 30);
    ck_assert_uint_eq(reg(GV100_LO + 0x10), 256);
    check_machine_end(&check);
}
END_TEST

/* A buffer in BAR2 is not modelled: said, not stored anywhere. */
START_TEST(a_virtual_buffer_is_reported)
{
    begin_on("v100");
    enable_buffer(GV100_LO, 4);
    write_reg(GV100_LO, BUFFER);
    raise_at(FAULT_PAGE, NV_PFAULT_ACCESS_TYPE_READ);
    check_machine_read_log(&check);
    ck_assert_uint_ge(check_machine_count(&check, EVENT_UNMODELLED), 1);
    ck_assert_uint_eq(check_machine_peek_vram(&check, BUFFER + 28), 0);
    ck_assert_uint_eq(reg(GV100_LO + 12), 1);
    check_machine_end(&check);
}
END_TEST

/* From Volta on the fault is no interrupt of PFIFO. */
START_TEST(a_channel_s_fault_goes_into_the_buffer)
{
    begin_on("v100");
    enable_buffer(GV100_LO, 4);
    check_machine_segment(&check, 0, FAULT_PAGE, 4, true);
    check_machine_run(&check);
    ck_assert_uint_eq(reg(GV100_LO + 12), 1);
    ck_assert_uint_eq(check_machine_peek_vram(&check, BUFFER + 24), 32); /* PBDMA 0 */
    ck_assert_uint_eq(reg(0x2100) & 3u << 27, 0);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_STOP), 1);
    check_machine_end(&check);
}
END_TEST

/* ---- faulted bits ---------------------------------------------------------------------------- */

enum { PBDMA_FAULTED = 1 << 22, ENG_FAULTED = 1 << 23 };
#define HOST_RELEASE(va) PB_INC(0, 0x10, 4), (uint32_t)((va) >> 32), (uint32_t)(va), 7, 0x01100002

static const char *const faulted_gpus[] = {"gtx1060", "v100", "rtx2060"};

/* From Volta on the PBDMA saves the channel out, and others go on; its TSG does not, before the bit
 * is cleared.  Pascal's keeps it. */
START_TEST(a_pbdmas_fault_sets_the_channels_bit)
{
    const bool saves = _i > 0;
    const struct log_event *end;

    check_machine_begin_on(&check, faulted_gpus[_i]);
    for (uint32_t i = 0; i < 2; i++)
        check_machine_channel(&check, i);
    check_machine_runlist(&check, 0, 2, (const uint32_t[]){0, 1});
    CHECK_SUBMIT(&check, 0, HOST_RELEASE(UINT64_C(0x712345000)));
    check_machine_run(&check);
    CHECK_SUBMIT(&check, 1, HOST_RELEASE(CHECK_DATA));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_MMU_FAULT), 1);
    ck_assert_uint_eq(reg(0x800004) & (PBDMA_FAULTED | ENG_FAULTED), saves ? PBDMA_FAULTED : 0);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 7);
    ck_assert_uint_eq(reg(0x80000c) & (PBDMA_FAULTED | ENG_FAULTED), 0);
    if (saves) {
        end = check_machine_event(&check, EVENT_NV_TSG_END, 0);
        ck_assert_uint_eq(event_nv_tsg_end_of(end).tsg_id, 32);
        ck_assert_uint_eq(end->rule, RULE_NV_FAULTED);
        write_reg(0x800004, PBDMA_FAULTED);
        ck_assert_uint_eq(reg(0x800004) & PBDMA_FAULTED, 0);
    }
    check_machine_end(&check);
}
END_TEST

/* A copy from nowhere: LINE_LENGTH_IN 4, LINE_COUNT 1, OFFSET_IN unmapped. */
START_TEST(a_copy_engines_fault_is_the_engines)
{
    const bool has_bit = _i > 0;
    uint32_t faulted = 0;

    check_machine_begin_on(&check, faulted_gpus[_i]);
    check_machine_channel(&check, 0);
    check_machine_runlist(&check, 0, 1, (const uint32_t[]){0});
    CHECK_SUBMIT(&check, 0, PB_INC(4, 0, 1), check.model->class_copy, PB_INC(4, 0x400, 8), 7,
                 0x12345000, 0, (uint32_t)CHECK_DATA, 4, 4, 4, 1, PB_INC(4, 0x300, 1), 0x382);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_MMU_FAULT), 1);
    ck_assert_uint_eq(reg(0x800004) & (PBDMA_FAULTED | ENG_FAULTED), has_bit ? ENG_FAULTED : 0);
    for (uint32_t i = 0; i < 16; i++) /* FAULTED of ENGINE_STATUS */
        faulted |= (reg(0x2640 + 8 * i) >> 30 & 1) << i;
    ck_assert_uint_eq(faulted != 0, has_bit);
    write_reg(0x800004, ENG_FAULTED);
    for (uint32_t i = 0; i < 16; i++)
        ck_assert_uint_eq(reg(0x2640 + 8 * i) >> 30 & 1, 0);
    check_machine_end(&check);
}
END_TEST

/* ---- what a cleared bit lets go on ------------------------------------------------------------
 */

enum { GO_PASCAL, GO_VOLTA, GO_TURING, GO_AMPERE, GO_GPUS };
static const char *const go_gpus[GO_GPUS] = {"gtx1060", "v100", "rtx2060", "a100"};
static uint32_t go_gpu;
#define NOWHERE     UINT64_C(0x712345000)
#define END_OF_HEAP (CHECK_VA + CHECK_MEMORY_BYTES)

static void begin_going(int which)
{
    go_gpu = (uint32_t)which;
    check_machine_begin_on(&check, go_gpus[which]);
    check_machine_channel(&check, 0);
    check_machine_runlist(&check, 0, 1, (const uint32_t[]){0});
}

static void clear_faulted(bool engine)
{
    if (go_gpu == GO_AMPERE)
        write_reg(check_machine_channel_ram(&check, 0, 0), engine ? 0x21 : 0x11);
    else
        write_reg(0x800004, engine ? ENG_FAULTED : PBDMA_FAULTED);
}

/* Software gives NOWHERE a page, at the end of what is mapped. */
static void map_nowhere(void)
{
    const struct address_space_range range = {.va = NOWHERE,
                                              .size_bytes = 4096,
                                              .physical = 0x2000000,
                                              .space_id = check.space_id,
                                              .aperture = MEMORY_VRAM};

    ck_assert_int_eq(address_space_map(&check.machine->spaces, &range), ADDRESS_SPACE_OK);
}

/* SEM_EXECUTE's release, where there is one; it writes 7. */
static void release_nowhere(void)
{
    if (go_gpu < GO_VOLTA)
        CHECK_SUBMIT(&check, 0, HOST_RELEASE(NOWHERE), HOST_RELEASE(CHECK_DATA));
    else
        CHECK_SUBMIT(&check, 0, PB_INC(0, 0x5c, 5), (uint32_t)NOWHERE, (uint32_t)(NOWHERE >> 32), 7,
                     0, 1, PB_INC(0, 0x5c, 5), (uint32_t)CHECK_DATA, 0, 7, 0, 1);
}

/* The release that failed is done again, and what comes behind it. */
START_TEST(a_release_is_tried_again_when_the_bit_is_cleared)
{
    begin_going(_i);
    release_nowhere();
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_MMU_FAULT), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_SAVE), _i > GO_PASCAL);
    map_nowhere();
    check_machine_ring(&check, 0);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_LOAD), 1);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 0);
    clear_faulted(false);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_MMU_FAULT), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_GO_ON), _i > GO_PASCAL);
    ck_assert_uint_eq(check_machine_peek_vram(&check, 0x2000000), _i > GO_PASCAL ? 7 : 0);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), _i > GO_PASCAL ? 7 : 0);
    check_machine_end(&check);
}
END_TEST

/* Nothing was done about it. */
START_TEST(it_faults_again_if_nothing_has_changed)
{
    begin_going(_i);
    release_nowhere();
    for (uint32_t n = 1; n <= 3; n++) {
        check_machine_run(&check);
        ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_MMU_FAULT), n);
        ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_STOP), n);
        ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_SAVE), n);
        clear_faulted(false);
    }
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 0);
    check_machine_end(&check);
}
END_TEST

/* Its instance block is behind the end of video memory: there is no place where it could go on. */
START_TEST(a_channel_without_ramfc_does_not_go_on)
{
    begin_going(_i);
    write_reg(0x800000, 1u << 31 | 0xffffff0);
    CHECK_SUBMIT(&check, 0, HOST_RELEASE(CHECK_DATA));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_MMU_FAULT), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_STOP), 1);
    write_reg(0x800000, 1u << 31 | CHECK_INSTANCES >> 12);
    clear_faulted(false);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_GO_ON), 0);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_LOAD), 0);
    check_machine_end(&check);
}
END_TEST

/* A segment, or the ring, that could not be read; the segment from its second page on. */
START_TEST(what_could_not_be_read_is_read_again)
{
    uint64_t from = NOWHERE;

    begin_going(_i);
    if (_i == GO_VOLTA) { /* methods of the first page are done before the fault */
        from = END_OF_HEAP - 4096;
        check_machine_poke(&check, from, PB_INC(0, 0x50, 1)); /* REF */
        check_machine_poke(&check, from + 4, 5);
        check_machine_segment(&check, 0, from, 1024 + 2, true);
    } else {
        check_machine_segment(&check, 0, from, 2, true);
    }
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_MMU_FAULT), 1);
    check_machine_poke_vram(&check, 0x2000000, PB_INC(0, 0x50, 1));
    check_machine_poke_vram(&check, 0x2000004, 9);
    if (_i == GO_VOLTA) {
        const struct address_space_range range = {.va = END_OF_HEAP,
                                                  .size_bytes = 4096,
                                                  .physical = 0x2000000,
                                                  .space_id = check.space_id,
                                                  .aperture = MEMORY_VRAM};

        ck_assert_uint_eq(check_machine_peek_vram(&check, CHECK_INSTANCES + 0x28), 5);
        ck_assert_int_eq(address_space_map(&check.machine->spaces, &range), ADDRESS_SPACE_OK);
    } else {
        map_nowhere();
    }
    clear_faulted(false);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_MMU_FAULT), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_SEGMENT_END), 1);
    ck_assert_uint_eq(check_machine_peek_vram(&check, CHECK_INSTANCES + 0x28), 9);
    check_machine_end(&check);
}
END_TEST

/* Turing can set the bits itself: both have to be clear. */
/* PROMISE (nvidia): A faulted channel goes on when its bits are clear. */
START_TEST(a_channel_goes_on_when_both_bits_are_clear)
{
    begin_going(GO_TURING);
    release_nowhere();
    check_machine_run(&check);
    map_nowhere();
    write_reg(0x800004, 1 << 21); /* FORCE_ENG_FAULTED */
    clear_faulted(false);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_GO_ON), 0);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 0);
    clear_faulted(true);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_GO_ON), 1);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 7);
    check_machine_end(&check);
}
END_TEST

/* A forced bit has stopped nothing; an error that is no fault keeps the channel stopped. */
START_TEST(what_no_fault_has_stopped_is_left_as_it_is)
{
    begin_going(GO_TURING);
    write_reg(0x800004, 1 << 20); /* FORCE_PBDMA_FAULTED */
    clear_faulted(false);
    CHECK_SUBMIT(&check, 0, PB_INC(4, 0, 1), check.model->class_copy, PB_INC(4, 0x400, 8), 7,
                 0x12345000, 0, (uint32_t)CHECK_DATA, 4, 4, 4, 1, PB_INC(4, 0x300, 1), 0x382);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_GO_ON), 0);
    nv_host_stop_channel(&check.gpu->host, 0, 0);
    clear_faulted(true);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_GO_ON), 0);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_STOP), 2);
    check_machine_end(&check);
}
END_TEST

/* The copy that failed, and the one behind it, are lost; the channel's next is done. */
START_TEST(behind_a_copys_fault_the_channel_goes_on)
{
    const uint64_t data = CHECK_DATA;

    begin_going(_i);
    check_machine_poke(&check, data + 64, 77);
    CHECK_SUBMIT(&check, 0, PB_INC(4, 0, 1), check.model->class_copy, PB_INC(4, 0x400, 8), 7,
                 0x12345000, 0, (uint32_t)data, 4, 4, 4, 1, PB_INC(4, 0x300, 1), 0x182,
                 PB_INC(4, 0x300, 1), 0x182);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_MMU_FAULT), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_DROP), 1);
    CHECK_SUBMIT(&check, 0, PB_INC(4, 0x400, 8), 0, (uint32_t)data + 64, 0, (uint32_t)data + 128, 4,
                 4, 4, 1, PB_INC(4, 0x300, 1), 0x182);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, data + 128), 0);
    clear_faulted(true);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, data + 128), _i > GO_PASCAL ? 77 : 0);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_COPY_END), _i > GO_PASCAL);
    check_machine_end(&check);
}
END_TEST

Suite *nv_fault_suite(void)
{
    Suite *suite = suite_create("nv_fault");
    TCase *tcase = tcase_create("faults");

    tcase_add_test(tcase, pascal_has_registers_for_each_unit);
    tcase_add_test(tcase, pascal_drops_a_unit_s_second_fault);
    tcase_add_test(tcase, volta_writes_packets);
    tcase_add_test(tcase, turing_writes_packets);
    tcase_add_test(tcase, volta_s_interrupt_is_pending_while_its_cause_is);
    tcase_add_test(tcase, without_a_buffer_registers_hold_one_fault);
    tcase_add_test(tcase, a_size_may_be_left_to_the_chip);
    tcase_add_test(tcase, a_virtual_buffer_is_reported);
    tcase_add_test(tcase, a_channel_s_fault_goes_into_the_buffer);
    tcase_add_loop_test(tcase, a_pbdmas_fault_sets_the_channels_bit, 0, 3);
    tcase_add_loop_test(tcase, a_copy_engines_fault_is_the_engines, 0, 3);
    tcase_add_loop_test(tcase, a_release_is_tried_again_when_the_bit_is_cleared, 0, GO_GPUS);
    tcase_add_loop_test(tcase, it_faults_again_if_nothing_has_changed, GO_VOLTA, GO_GPUS);
    tcase_add_loop_test(tcase, a_channel_without_ramfc_does_not_go_on, GO_VOLTA, GO_AMPERE);
    tcase_add_loop_test(tcase, what_could_not_be_read_is_read_again, GO_VOLTA, GO_GPUS);
    tcase_add_test(tcase, a_channel_goes_on_when_both_bits_are_clear);
    tcase_add_test(tcase, what_no_fault_has_stopped_is_left_as_it_is);
    tcase_add_loop_test(tcase, behind_a_copys_fault_the_channel_goes_on, 0, GO_GPUS);
    suite_add_tcase(suite, tcase);
    return suite;
}
