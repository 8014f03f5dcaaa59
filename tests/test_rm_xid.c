/* SPDX-License-Identifier: MIT */
/*
 * Lines of NVIDIA's driver taken apart.  The lines are real ones: of public reports (NVIDIA's
 * NVSentinel and gpud, their tests and READMEs; relion, open-gpu-kernel-modules and vLLM issues),
 * and of an H100 (tests/hardware/data/h100/faults.log).  Fields by open-gpu-doc
 * tu104/dev_fifo.ref.txt (CTXSW_TIMEOUT_INFO: 13:0, 15:14, 29:16, 31:30), dev_pbdma.ref.txt
 * (INTR_0, INTR_1), and the class headers; whom Xid 109 blames by nouveau fifo/tu102.c
 * (tu102_fifo_intr_ctxsw_timeout_info).
 */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "emu/log/event_line.h"
#include "firmware-models/rm/rm_lines.h"
#include "firmware-models/rm/rm_xid.h"
#include "tests/suites.h"

#define NVRM "NVRM: Xid (PCI:0000:01:00): "
#define FERMI                                                                                      \
    "PBDMA0: 00800000 [EMPTY_SUBC] ch 6 [003fa78000 rstudio[7618]] subc 7 mthd 1a58 data 80000708"
#define KEPLER "nouveau 0000:01:00.0: fifo: PBDMA0: "

static const struct {
    const char *gpu, *line, *field, *value, *meaning;
} fields[] = {
    /* The words that the issue trackers show most: switch, save. */
    {"rtx6000ada", "Xid 109 \xe2\x80\xa6 Info 0x1c016", "ctxsw_state", "SWITCH", "15:14"},
    {"rtx6000ada", "Xid 109 \xe2\x80\xa6 Info 0x1c016", "prev_tsgid", "22", "13:0"},
    {"rtx6000ada", "Xid 109 ... Info 0x1c016", "next_tsgid", "1", "29:16"},
    {"rtx6000ada", "Xid 109 Info 0x1c016", "blamed_tsg", "22", "did not leave"},
    {"rtx6000ada", "Xid 109 Info 0x2c02c", "blamed_tsg", "44", "did not leave"},
    {"rtx6000ada", "Xid 109 Info 0xac00d", "next_tsgid", "10", ""},
    {"h100",
     NVRM
     "109, pid=1797828, name=pt_main_thread, Ch 00000008, errorString CTX SWITCH TIMEOUT, Info 0x58005",
     "ctxsw_state", "SAVE", "not been saved"},
    {"h100",
     NVRM
     "109, pid=1797828, name=pt_main_thread, Ch 00000008, errorString CTX SWITCH TIMEOUT, Info 0x58005",
     "blamed_tsg", "5", "did not leave"},
    {"h100",
     NVRM
     "109, pid=860236, name=HogwartsLegacy., channel 0x00000015, errorString CTX SWITCH TIMEOUT, Info 0x1c018",
     "channel", "0x15", ""},
    {"h100",
     NVRM
     "109, pid=860236, name=HogwartsLegacy., channel 0x00000015, errorString CTX SWITCH TIMEOUT, Info 0x1c018",
     "name", "HogwartsLegacy.", ""},
    {"rtx2060", "Xid 109 Info 0x84000", "ctxsw_state", "LOAD", "loaded"},
    {"rtx2060", "Xid 109 Info 0x84000", "blamed_tsg", "8", "did not come"},
    {"rtx2060", "Xid 109 Info 0x84000", "info", "0x84000", "NV_PFIFO_INTR_CTXSW_TIMEOUT_INFO"},
    {"a100", "Xid 109 Info 0x8001c016", "status", "ACK_RECEIVED", "nothing is to be done"},
    /* PBDMAs: bit 20 is XBARCONNECT up to Pascal, CLEAR_FAULTED_ERROR on Volta and Turing. */
    {"gtx1060", NVRM "32, Channel ID 00000000 intr 00800000", "intr_0", "0x800000", "DEVICE"},
    {"gtx1060", NVRM "32, Channel ID 00000000 intr 00004000", "intr_0", "0x4000", "GPPTR"},
    {"gtx1060", "Xid 32, Channel ID 00000000 intr 00100000", "intr_0", "0x100000", "XBARCONNECT"},
    {"rtx2060", "Xid 32, Channel ID 00000000 intr 00100000", "intr_0", "0x100000",
     "CLEAR_FAULTED_ERROR"},
    {"a100", "Xid 32, channel 0x0100001c intr0 00040000", "intr_0", "0x40000", "PBENTRY"},
    {"rtx6000ada",
     NVRM
     "32, pid=2096908, name=kf-phys-oracle, channel 0x00000007 intr1 00000004 HCE_DBG0 00000300 HCE_DBG1 0000118e",
     "intr_1", "0x4", "HCE_PRIV"},
    {"rtx6000ada",
     NVRM
     "32, pid=2096908, name=kf-phys-oracle, channel 0x00000007 intr1 00000004 HCE_DBG0 00000300 HCE_DBG1 0000118e",
     "hce_dbg0", "0x300", "LAUNCH_DMA"},
    /* The graphics engine. */
    {"h100",
     NVRM
     "13, pid=2519562, name=python3, Graphics Exception: ChID 000c, Class 0000cbc0, Offset 00000000, Data 00000000",
     "class", "0xcbc0", "HOPPER_COMPUTE_A"},
    {"rtx2060",
     NVRM
     "13, pid=108743, name=python, Graphics Exception: channel 0x0000000b, Class 0000c5c0, Offset 00000158, Data 0000cafe",
     "offset", "0x158", "no such method"},
    {"h100",
     "Xid (PCI:0001:ab:cd): 69, pid=1310987, name=train.3, Class Error: ChId 0008, Class 0000cbc0, Offset 00000184, Data ffffffff, ErrorCode 00000004",
     "offset", "0x184", "LINE_COUNT"},
    {"h100",
     NVRM
     "13, pid='<unknown>', name=<unknown>, Graphics Exception: ESR 0x57c730=0xc04000b 0x57c734=0x24 0x57c728=0x1f81fb60 0x57c72c=0x1174",
     "sm", "GPC 7, TPC 7, SM 0", "h100"},
    {"h100",
     NVRM
     "13, pid='<unknown>', name=<unknown>, Graphics Exception: ESR 0x57c730=0xc04000b 0x57c734=0x24 0x57c728=0x1f81fb60 0x57c72c=0x1174",
     "0x57c730", "0xc04000b", "illegal instruction parameter, warp 4"},
    {"titanv",
     NVRM
     "13, Graphics Exception: ESR 0x50c730=0x30009 0x50c734=0x24 0x50c728=0x4c1eb72 0x50c72c=0x174",
     "sm", "GPC 1, TPC 0, SM 0", ""},
    {"titanv",
     NVRM
     "13, Graphics Exception: ESR 0x50c730=0x30009 0x50c734=0x24 0x50c728=0x4c1eb72 0x50c72c=0x174",
     "0x50c730", "0x30009", "illegal instruction encoding, warp 3"},
    {"gtx1060", NVRM "13, Graphics Exception: ESR 0x404490=0x80000001", "0x404490", "0x80000001",
     "macro engine"},
    {"gtx1060", NVRM "13, Graphics Exception: MISSING_MACRO_DATA", "exception",
     "MISSING_MACRO_DATA", ""},
    {"gtx1060", NVRM "13, Graphics SM Warp Exception on (GPC 0, TPC 0): Out Of Range Address", "sm",
     "GPC 0, TPC 0", ""},
    {"h100", NVRM "13, Graphics SM Global Exception on (GPC 0, TPC 4, SM 1): Multiple Warp Errors",
     "exception", "Multiple Warp Errors", "HWW_GLOBAL_ESR"},
    /* MMU faults. */
    {"h100",
     "Xid (PCI:...): 31, pid=552, name=fault_times, channel 0x0000000b, intr 00000000. MMU Fault: ENGINE GRAPHICS GPC6 GPCCLIENT_T1_1 faulted @ 0x0_00000000. Fault is of type FAULT_PDE ACCESS_TYPE_VIRT_WRITE",
     "client", "GPC6 GPCCLIENT_T1_1", "TPC 1 in GPC 6"},
    {"h100",
     "Xid (PCI:...): 31, pid=552, name=fault_times, channel 0x0000000b, intr 00000000. MMU Fault: ENGINE GRAPHICS GPC6 GPCCLIENT_T1_1 faulted @ 0x0_00000000. Fault is of type FAULT_PDE ACCESS_TYPE_VIRT_WRITE",
     "fault_type", "FAULT_PDE", "no table"},
    {"gtx1060",
     "Xid 31, Ch 00000001, intr 10000000. MMU Fault: ENGINE HOST0 HUBCLIENT_HOST faulted @ 0x7_12345000. Fault is of type FAULT_PTE ACCESS_TYPE_WRITE",
     "address", "0x712345000", "virtual"},
    {"gtx1060", "Xid 31, Ch 00000003, engmask 00000101, intr 10000000", "engmask", "0x101", ""},
    {"gtx1060", NVRM "43, Ch 00000020, engmask 00000101", "channel", "0x20", ""},
    {"h100", NVRM "43, pid=1814139, name=cuda_assert_64b, Ch 00000018", "pid", "1814139", ""},
    {"h100", NVRM "45, pid=1818990, name=python3, Ch 00000001 caused by previous Xid 149",
     "previous_xid", "149", ""},
    {"gtx1060", NVRM "80, pid='<unknown>', name=<unknown>, Channel ID 00000001 intr 00010000",
     "intr_0", "0x10000", "GPCRC"},
    /* nouveau: a public report of a Fermi (Debian's mailing list of bugs, rstudio), whose bit 23
     * has another name (fifo/gf100.c), and the same of a later chip (fifo/gk104.c). */
    {"gtx1060", FERMI, "intr_0", "0x800000", "no object is bound"},
    {"gtx1060", FERMI, "subchannel", "7", "software object"},
    {"gtx1060", FERMI, "program", "003fa78000 rstudio[7618]", ""},
    {"gtx1060", FERMI, "method", "0x1a58", ""},
    {"gtx1060", FERMI, "channel", "6", "goes on"},
    {"gtx1060", KEPLER "00800000 [DEVICE] ch 6 [003fa78000 x] subc 7 mthd 1a58 data 0", "intr_0",
     "0x800000", "NV_PPBDMA_INTR_0: DEVICE"},
    {"gtx1060", KEPLER "00240000 [PBENTRY METHOD] ch -1 [003fa78000 x] subc 0 mthd 0 data 0",
     "intr_0", "0x240000", "PBENTRY METHOD"},
    {"gtx1060", KEPLER "00040000 [PBENTRY] ch 3 [003fa78000 x] subc 0 mthd 0 data 0", "channel",
     "3", "given up"},
};

static const struct rm_xid_field *field_of(const struct rm_xid *xid, const char *name)
{
    for (uint32_t i = 0; i < xid->field_count; i++)
        if (strcmp(xid->fields[i].name, name) == 0)
            return &xid->fields[i];
    return NULL;
}

/* PROMISE (drivers): gfe xid takes lines of public logs apart as the manuals have them. */
START_TEST(a_line_is_taken_apart)
{
    struct gfe_error error = {0};
    struct rm_xid xid;
    const struct rm_xid_field *field;

    ck_assert_msg(rm_xid_parse(&xid, nv_chip_by_name(fields[_i].gpu), fields[_i].line, &error),
                  "%s", error.text);
    field = field_of(&xid, fields[_i].field);
    ck_assert_msg(field != NULL, "%s", fields[_i].field);
    ck_assert_str_eq(field->value, fields[_i].value);
    ck_assert_msg(strstr(field->meaning, fields[_i].meaning) != NULL, "%s", field->meaning);
}
END_TEST

static const char *const unknown[] = {
    "nothing of the kind",
    "Xid",
    "Xid (PCI:0000:01:00",
    "Xid 79, GPU has fallen off the bus.",
    "Xid 109, Info",
    "Xid 109, Info 0x1c016 and more",
    "Xid 31, Ch 00000001, intr 0. MMU Fault: ENGINE",
    "Xid 31, Ch 00000001, intr 0. MMU Fault: ENGINE X faulted @ 0x1",
    "Xid 32, Channel ID",
    "Xid 32, Channel ID 1 intr x",
    "Xid 13, Graphics Exception: ",
    "Xid 13, Graphics Exception: ChID 1, Class 2",
    "Xid 13, Graphics Exception: ESR 0x1=",
    "Xid 13, Graphics SM Warp Exception on (GPC",
    "Xid 69, Class Error: ChId 1, Class 2, Offset 3, Data 4",
    "Xid 45, caused",
    "PBDMA0: no Xid, and no mthd",
    "PBDMA0: 1 mthd ",
    "PBDMA0: 1 [X ch 1 mthd ",
    "PBDMA0: 1 [X] ch x mthd ",
    "PBDMA0: 1 [X] ch 1 [y subc 1 mthd 2 data 3",
    "PBDMA0: 1 [X] ch 1 [y] subc 1 mthd 2 data",
};

START_TEST(a_line_that_is_not_known_is_refused)
{
    struct gfe_error error = {0};
    struct rm_xid xid;

    ck_assert(!rm_xid_parse(&xid, nv_chip_by_name("h100"), unknown[_i], &error));
    ck_assert_int_eq(error.kind, ERROR_INPUT);
    ck_assert_msg(strstr(error.text, "Xid") || strstr(error.text, "PBDMA"), "%s", error.text);
}
END_TEST

/* However long the line is: every field and message has a bound. */
START_TEST(a_long_line_is_cut)
{
    static char line[1 << 16];
    struct gfe_error error = {0};
    struct rm_xid xid;
    size_t at = (size_t)snprintf(line, sizeof line, "Xid 13, Graphics Exception: ESR");

    while (at + 32 < sizeof line)
        at += (size_t)snprintf(line + at, sizeof line - at, " 0x505730=0x301000e");
    (void)rm_xid_parse(&xid, nv_chip_by_name("h100"), line, &error);
    ck_assert_uint_le(xid.field_count, RM_XID_FIELDS_MAX);
}
END_TEST

/* open-gpu-kernel-modules kern_gmmu_gp100.c (kgmmuGetFaultTypeString) and nouveau fifo/gv100.c
 * (gv100_fifo_mmu_fault_reason); reports of an RTX 4090 and a CMP card have the first two. */
static const struct {
    uint32_t type;
    const char *rm, *nouveau;
} types[] = {
    {12, "FAULT_INFO_TYPE_UNSUPPORTED_KIND", "UNSUPPORTED_KIND"},
    {13, "FAULT_INFO_TYPE_REGION_VIOLATION", "REGION_VIOLATION"},
    {14, "FAULT_INFO_TYPE_POISONED", "POISONED"},
    {15, "FAULT_INFO_TYPE_ATOMIC_VIOLATION", "ATOMIC_VIOLATION"},
};

/* The row of a driver's line for this kind of event has the word for the value of that argument. */
static void expect_word(const char *kind, const char *argument, uint32_t value, const char *word)
{
    const struct event_line_row *row = gfe_event_lines;
    char wanted[96];

    while (row->kind && strcmp(row->kind, kind) != 0)
        row++;
    ck_assert_ptr_nonnull(row->kind);
    ck_assert_ptr_nonnull(strstr(row->text, argument));
    (void)snprintf(wanted, sizeof wanted, "|%u:%s", value, word);
    ck_assert_msg(strstr(row->text, wanted) != NULL, "%s", wanted);
    ck_assert_msg(strchr("|}", strstr(row->text, wanted)[strlen(wanted)]) != NULL, "%s", wanted);
}

/* PROMISE (drivers): Fault types 12 to 15 have the words that NVIDIA and nouveau publish. */
START_TEST(words_of_fault_types_are_those_that_are_published)
{
    struct gfe_error error = {0};
    struct rm_xid xid;
    char line[256];

    expect_word("RM_XID_MMU_FAULT", "{fault_type=", types[_i].type, types[_i].rm);
    expect_word("DRIVER_FAULT_GV100", "{reason=", types[_i].type, types[_i].nouveau);
    (void)snprintf(
        line, sizeof line,
        "Xid 31, Ch 00000001, intr 00000000. MMU Fault: ENGINE GRAPHICS GPC1 GPCCLIENT_T1_0 "
        "faulted @ 0x7f8_00000000. Fault is of type %s ACCESS_TYPE_VIRT_ATOMIC",
        types[_i].rm);
    ck_assert_msg(rm_xid_parse(&xid, nv_chip_by_name("h100"), line, &error), "%s", error.text);
    ck_assert_uint_eq(field_of(&xid, "fault_type")->number, types[_i].type);
    ck_assert_str_eq(field_of(&xid, "access")->value, "VIRT_ATOMIC");
}
END_TEST

/* dev_fault.h of the open kernel modules @df1c9a3d, NV_PFAULT_CLIENT_HUB_*, by chip: hwref of
 * tu102, ga100 and gh100, and for CE0 to CE2 of a GP106 swref/published of gp100. */
static const struct {
    const char *gpu, *name, *meaning;
} clients[] = {
    {"gtx1060", "CE0", "HUB 0x1"},
    {"gtx1060", "CE2", "HUB 0x18"},
    {"gtx1060", "HSCE0", "not published"},
    {"rtx2060", "HSCE0", "0, NV_PFAULT_CLIENT_HUB 0x20"},
    {"rtx2060", "HSCE9", "HUB 0x29"},
    {"rtx2060", "HSCE10", "not published"},
    {"rtx2060", "CE3", "not published"},
    {"a100", "HSCE2", "HUB 0x22"},
    {"a100", "HSCE10", "HUB 0x40"},
    {"a100", "HSCE15", "15, NV_PFAULT_CLIENT_HUB 0x45"},
    {"a100", "CE3", "not published"},
    {"h100", "HSCE12", "HUB 0x42"},
    {"h100", "CE3", "HUB 0xc"},
};

/* PROMISE (drivers): Client numbers of copy engines are those that NVIDIA publishes of the chip. */
START_TEST(clients_of_copy_engines_are_those_of_the_chip)
{
    struct gfe_error error = {0};
    struct rm_xid xid;
    char line[256];

    (void)snprintf(
        line, sizeof line,
        "Xid 31, Ch 00000001, intr 00000000. MMU Fault: ENGINE CE0 HUBCLIENT_%s faulted @ "
        "0x7f8_00000000. Fault is of type FAULT_PDE ACCESS_TYPE_VIRT_READ",
        clients[_i].name);
    ck_assert_msg(rm_xid_parse(&xid, nv_chip_by_name(clients[_i].gpu), line, &error), "%s",
                  error.text);
    ck_assert_msg(strstr(field_of(&xid, "client")->meaning, clients[_i].meaning) != NULL,
                  "%s of %s: %s", clients[_i].name, clients[_i].gpu,
                  field_of(&xid, "client")->meaning);
}
END_TEST

Suite *rm_xid_suite(void)
{
    Suite *suite = suite_create("rm_xid");
    TCase *tcase = tcase_create("lines");

    tcase_add_loop_test(tcase, a_line_is_taken_apart, 0, (int)(sizeof fields / sizeof fields[0]));
    tcase_add_loop_test(tcase, a_line_that_is_not_known_is_refused, 0,
                        (int)(sizeof unknown / sizeof unknown[0]));
    tcase_add_test(tcase, a_long_line_is_cut);
    tcase_add_loop_test(tcase, words_of_fault_types_are_those_that_are_published, 0,
                        (int)(sizeof types / sizeof types[0]));
    tcase_add_loop_test(tcase, clients_of_copy_engines_are_those_of_the_chip, 0,
                        (int)(sizeof clients / sizeof clients[0]));
    suite_add_tcase(suite, tcase);
    return suite;
}
