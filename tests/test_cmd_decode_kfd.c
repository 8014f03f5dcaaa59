/* SPDX-License-Identifier: MIT */
/* gfe decode of a trace of KFD: a dispatch, an indirect buffer, a copy and a kernel, as ROCr wrote
 * them. */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "emu/program/cmd_decode_kfd.h"
#include "tests/amd_object.h"
#include "tests/suites.h"
#include "traces/format/trace.h"

static const uint32_t dispatch[16] = {0x00011502, 0x00010040, 1,      0x00100000, 1,      1, 0,
                                      0,          0x4647c7c0, 0x7fde, 0x4645a000, 0x7fde, 0, 0,
                                      0x46a87c80, 0x7fde};
static const uint32_t buffer[7] = {0xc0055800, 0x28840000, 0xffffffff, 0xff};
static const uint32_t copies[11] = {1, 4095, 0, 0x1000, 0, 0x2000, 0, 5, 0x3000, 0, 7};

static void put(struct trace_writer *writer, struct trace_record record)
{
    record.head.time_ns = 1234567;
    ck_assert(trace_write(writer, &record, NULL));
}

static struct trace_bytes bytes_of(const uint32_t *dwords, uint32_t count, uint8_t *bytes)
{
    for (uint32_t i = 0; i < 4 * count; i++)
        bytes[i] = (uint8_t)(dwords[i / 4] >> 8 * (i % 4));
    return (struct trace_bytes){bytes, 4 * count};
}

static void put_packet(struct trace_writer *writer, uint32_t queue, uint8_t what, uint64_t address,
                       const uint32_t *dwords, uint32_t count)
{
    uint8_t bytes[64];

    put(writer, (struct trace_record){.head = {.kind = TRACE_PACKET},
                                      .packet = {.queue_id = queue,
                                                 .what = what,
                                                 .index = 5,
                                                 .address = address,
                                                 .data = bytes_of(dwords, count, bytes)}});
}

static void put_kernel(struct trace_writer *writer, uint8_t what, uint64_t address)
{
    uint8_t bytes[64];

    put(writer, (struct trace_record){.head = {.kind = TRACE_KERNEL},
                                      .kernel = {.kernel_address = address,
                                                 .entry_address = address + 0x1140,
                                                 .what = what,
                                                 .descriptor = bytes_of(amd_object_axpy, 16, bytes),
                                                 .code = {bytes, 8}}});
}

static void put_all(struct trace_writer *writer, uint32_t pci_id)
{
    static const uint8_t mask[8] = {0xff, 0, 0, 0, 1, 0, 0, 0x80};

    put(writer, (struct trace_record){.head = {.kind = TRACE_META},
                                      .meta = {.format = TRACE_FORMAT,
                                               .driver = {"kfd", 3},
                                               .gpu = {"radeon-vii", 10},
                                               .pci_id = pci_id}});
    put(writer, (struct trace_record){.head = {.kind = TRACE_QUEUE},
                                      .queue = {.queue_id = 3,
                                                .what = TRACE_QUEUE_AQL,
                                                .ring_address = 0x10000,
                                                .ring_bytes = 4096,
                                                .priority = 7,
                                                .percentage = 100,
                                                .doorbell_offset = 0x1008}});
    put(writer, (struct trace_record){.head = {.kind = TRACE_CU_MASK},
                                      .cu_mask = {3, 64, {mask, sizeof mask}}});
    put_packet(writer, 3, TRACE_PACKET_AQL, 0x10140, dispatch, 16);
    put_packet(writer, 3, TRACE_PACKET_PM4, 0x20000, buffer, 7);
    put_packet(writer, 4, TRACE_PACKET_SDMA, 0x30000, copies, 11);
    put_packet(writer, 4, 99, 0x30000, copies, 11);
    put_kernel(writer, TRACE_KERNEL_APPLICATION, 0x40000);
    put_kernel(writer, TRACE_KERNEL_COPY, 0x50000);
    put(writer, (struct trace_record){.head = {.kind = TRACE_DOORBELL}, .doorbell = {3, 5}});
    put(writer,
        (struct trace_record){.head = {.kind = TRACE_QUEUE_END}, .queue_end = {.queue_id = 3}});
    put(writer, (struct trace_record){.head = {.kind = TRACE_END}});
}

static const char expected[] =
    "QUEUE 3 AQL ring=0x10000 bytes=4096 priority=7 percentage=100 doorbell=0x1008 time=1.234ms\n"
    "CU_MASK queue=3 bits=64 mask=80000001000000ff time=1.234ms\n"
    "PACKET queue=3 index=5 time=1.234ms\n"
    "010140 00011502 KERNEL_DISPATCH BARRIER ACQUIRE=SYSTEM RELEASE=SYSTEM DIMENSIONS=1 "
    "WORKGROUP_SIZE_X=64 WORKGROUP_SIZE_Y=1 WORKGROUP_SIZE_Z=1 GRID_SIZE_X=1048576 GRID_SIZE_Y=1 "
    "GRID_SIZE_Z=1 PRIVATE_SEGMENT_SIZE=0 GROUP_SEGMENT_SIZE=0 KERNEL_OBJECT=0x7fde4647c7c0 "
    "KERNARG_ADDRESS=0x7fde4645a000 COMPLETION_SIGNAL=0x7fde46a87c80\n"
    "PACKET queue=3 index=5 time=1.234ms\n"
    "020000 c0055800 ACQUIRE_MEM TC_WB_ACTION TC_ACTION SH_KCACHE_ACTION SH_ICACHE_ACTION "
    "ENGINE_SEL=PFP COHER_SIZE=0xffffffffff COHER_BASE=0x0 POLL_INTERVAL=0\n"
    "PACKET queue=4 index=5 time=1.234ms\n"
    "030000 00000001 COPY_LINEAR COUNT=4095+1 DST_SW=0 SRC_SW=0 SRC_ADDR=0x1000 DST_ADDR=0x2000\n"
    "03001c 00000005 FENCE ADDR=0x3000 DATA=0x7\n"
    "PACKET queue=4 index=5 time=1.234ms\n"
    "KERNEL 0x40000 entry=0x41140 code=8 bytes time=1.234ms\n"
    "040000 00000000 KERNEL_DESCRIPTOR\n"
    "                GROUP_SEGMENT_FIXED_SIZE=0\n"
    "                PRIVATE_SEGMENT_FIXED_SIZE=0\n"
    "                KERNARG_SIZE=24\n"
    "                CODE_ENTRY_BYTE_OFFSET=0x1140\n"
    "                COMPUTE_PGM_RSRC3=0x0\n"
    "                COMPUTE_PGM_RSRC1=00af0041 VGPRS=1 SGPRS=1 FLOAT_MODE=240 DX10_CLAMP=1 "
    "IEEE_MODE=1\n"
    "                COMPUTE_PGM_RSRC2=0000008c USER_SGPR=6 TGID_X_EN=1\n"
    "                SGPR_PRIVATE_SEGMENT_BUFFER\n"
    "                SGPR_KERNARG_SEGMENT_PTR\n"
    "                KERNARG_PRELOAD_LENGTH=0\n"
    "                KERNARG_PRELOAD_OFFSET=0\n"
    "KERNEL 0x50000 entry=0x51140 code=8 bytes (the runtime's own) time=1.234ms\n"
    "DOORBELL queue=3 value=5 time=1.234ms\n"
    "QUEUE_END 3 time=1.234ms\n"
    "# 1 queues, 1 AQL packets, 1 PM4 packets, 2 SDMA packets, 2 kernels, 1 doorbells\n";

START_TEST(each_packet_of_each_queue_is_printed)
{
    const int fd = memfd_create("test", MFD_CLOEXEC);
    struct trace_writer *writer = trace_writer_new(fd, "test", NULL);
    struct gfe_error error = {0};
    struct trace_reader *reader;
    char path[40], *text = NULL;
    const char *rest;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);

    ck_assert_ptr_nonnull(writer);
    ck_assert_ptr_nonnull(file);
    put_all(writer, 0x100266af);
    ck_assert(trace_writer_finish(writer, NULL));
    trace_writer_free(writer);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    reader = trace_reader_open(path, &error);
    ck_assert_msg(reader != NULL, "%s", error.text);
    ck_assert_msg(decode_kfd(file, reader, &error), "%s", error.text);
    ck_assert_int_eq(fclose(file), 0);
    rest = strchr(text, '\n');
    ck_assert_ptr_nonnull(rest);
    ck_assert_ptr_nonnull(strstr(text, ": radeon-vii, driver kfd\n"));
    ck_assert_str_eq(rest + 1, expected);
    trace_reader_free(reader);
    free(text);
    ck_assert_int_eq(close(fd), 0);
}
END_TEST

Suite *cmd_decode_kfd_suite(void)
{
    Suite *suite = suite_create("cmd_decode_kfd");
    TCase *traces = tcase_create("traces");

    tcase_add_test(traces, each_packet_of_each_queue_is_printed);
    suite_add_tcase(suite, traces);
    return suite;
}
