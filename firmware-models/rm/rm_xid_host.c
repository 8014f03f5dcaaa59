/* SPDX-License-Identifier: MIT */
/* Messages of Host and of the MMU: Xid 31, 32, 80 and 109. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/formats/nv_generation.h"
#include "devices/nvidia/formats/nv_runlist_regs.h"
#include "devices/nvidia/nv_pbdma_intr.h"
#include "firmware-models/rm/rm_lines.h"
#include "firmware-models/rm/rm_xid.h"

/* ---- Xid 32 and 80 --------------------------------------------------------------------------- */

static uint32_t host_generation(const struct rm_xid *xid)
{
    return nv_generation_of(xid->chip->class_host, xid->chip->chip_id)->bit;
}

/* The bits' names on the chip; a bit that it does not have is a number. */
static void host_bits(const struct rm_xid *xid, struct rm_xid_field *field, uint32_t first)
{
    char text[RM_XID_TEXT_BYTES] = "";
    size_t at = 0;

    for (uint32_t bit = 0; bit < 32 && at < sizeof text; bit++) {
        const struct nv_pbdma_intr *intr = nv_pbdma_intr_of(host_generation(xid), first + bit);

        if (!(field->number >> bit & 1))
            continue;
        at += (size_t)snprintf(text + at, sizeof text - at, at > 0 ? " %s" : "%s",
                               intr ? intr->name : "");
        if (!intr && at < sizeof text)
            at += (size_t)snprintf(text + at, sizeof text - at, "bit %" PRIu32, bit);
    }
    rm_xid_means(field, "NV_PPBDMA_INTR_%d: %s", first ? 1 : 0, text);
}

static const char *host_intr(struct rm_xid *xid, const char *at)
{
    uint32_t bits;
    int used = 0;

    if (sscanf(at, " intr1 %" SCNx32 "%n", &bits, &used) == 1)
        host_bits(xid, rm_xid_number(xid, "intr_1", bits, "x"), NV_PBDMA_INTR_1);
    else if (sscanf(at, " intr0 %" SCNx32 "%n", &bits, &used) == 1 ||
             sscanf(at, " intr %" SCNx32 "%n", &bits, &used) == 1)
        host_bits(xid, rm_xid_number(xid, "intr_0", bits, "x"), 0);
    return used ? at + used : NULL;
}

/* The method that a copy engine did not take. */
static const char *host_hce(struct rm_xid *xid, const char *at)
{
    const uint32_t class_id = xid->chip->class_copy;
    struct rm_xid_field *field;
    char text[RM_XID_TEXT_BYTES];
    uint32_t method, data;
    int used = 0;

    if (sscanf(at, " HCE_DBG0 %" SCNx32 " HCE_DBG1 %" SCNx32 "%n", &method, &data, &used) != 2)
        return at;
    (void)nv_class_method_name(class_id, method, text, sizeof text);
    field = rm_xid_number(xid, "hce_dbg0", method, "x");
    rm_xid_means(field, "method %s of class %" PRIx32, text, class_id);
    (void)nv_class_format(class_id, method, data, text, sizeof text);
    rm_xid_means(rm_xid_number(xid, "hce_dbg1", data, "x"), "its data: %s", text);
    return at + used;
}

bool rm_xid_pbdma(struct rm_xid *xid, const char *message)
{
    const char *rest = rm_xid_channel(xid, message);

    if (rest && *rest)
        rest = host_intr(xid, rest);
    if (rest && *rest)
        rest = host_hce(xid, rest);
    return rest && *rest == '\0';
}

/* ---- Xid 31 ---------------------------------------------------------------------------------- */

/* "2:FAULT_PTE|3:...": the number of a word; false: it is not in the list. */
static bool host_word(const char *list, const char *word, size_t length, uint32_t *number)
{
    while (*list) {
        char *name;
        const uint32_t value = (uint32_t)strtoul(list, &name, 10);
        const size_t room = strcspn(name + 1, "|");

        if (*name == ':' && room == length && memcmp(name + 1, word, length) == 0) {
            *number = value;
            return true;
        }
        list = name[1 + room] ? name + 2 + room : name + 1 + room;
    }
    return false;
}

static void host_fault_type(struct rm_xid *xid, const char *word, size_t length)
{
    static const char *const meanings[] = {
        "no table of pages for the address: nothing near it is mapped",
        "a page directory of another size",
        "the page is not mapped in its table",
        "the address is beyond the address space",
        "the channel's instance block is bound to nothing",
        "a privileged page",
        "a write to a page that is for reading",
        "a read of a page that is for writing",
        "a surface's pitch",
        "work creation",
        "memory that the engine cannot reach",
        "a compressed page",
        "a page kind that the engine does not know",
        "a region of memory",
        "poisoned memory",
        "an atomic on memory that has none",
    };
    struct rm_xid_field *field = rm_xid_text(xid, "fault_type", "%.*s", (int)length, word);
    uint32_t type;

    if (!host_word(RM_FAULT_TYPES, word, length, &type)) {
        rm_xid_means(field, "not a published word");
        return;
    }
    field->number = type;
    field->is_number = true;
    rm_xid_means(field, "%s", meanings[type]);
}

/* Which engine of the chip it is: its runlist. */
static void host_fault_engine(struct rm_xid *xid, const char *word, size_t length)
{
    struct rm_xid_field *field = rm_xid_text(xid, "engine", "%.*s", (int)length, word);
    const struct nv_chip *chip = xid->chip;
    unsigned instance = 0;
    const bool is_ce = sscanf(word, "CE%u", &instance) == 1;

    if (sscanf(word, "HOST%u", &instance) == 1) {
        rm_xid_means(field, "Host itself: PBDMA %u", instance);
        return;
    }
    for (uint32_t i = 0; i < chip->engine_count; i++) {
        const struct nv_chip_engine *engine = &chip->engines[i];
        const bool copies = engine->kind == NV_CHIP_LCE || engine->kind == NV_CHIP_GRCE;

        if (is_ce ? copies && engine->instance == instance
                  : strncmp(word, "GRAPHICS", 8) == 0 && engine->kind == NV_CHIP_GRAPHICS) {
            rm_xid_means(field, "%s of %s, runlist %u", engine->name, chip->name,
                         engine->runlist_id);
            return;
        }
    }
}

/* Is that number of NV_PFAULT_CLIENT_HUB_* the name's on the chip?  dev_fault.h by chip
 * (open-gpu-kernel-modules, hwref and swref/published): HSCE0 to HSCE9 since Volta, HSCE10 to
 * HSCE15 of GA100 and GH100, CE3 of GH100; on others the number is not published, or has another
 * name. */
static bool host_client_known(const struct nv_chip *chip, uint32_t number)
{
    enum { CE3 = 0x0c, HSCE0 = 0x20, HSCE10 = 0x40, GA100 = 0x170, GH100 = 0x180 };

    if (number == CE3)
        return chip->chip_id == GH100;
    if (number >= HSCE10)
        return chip->chip_id == GA100 || chip->chip_id == GH100;
    return number < HSCE0 || chip->class_host >= VOLTA_CHANNEL_GPFIFO_A;
}

static void host_fault_client(struct rm_xid *xid, const char *word, size_t length)
{
    struct rm_xid_field *field = rm_xid_text(xid, "client", "%.*s", (int)length, word);
    unsigned gpc, tpc, which;
    char text[64] = "not published of this chip";
    uint32_t number;

    if (sscanf(word, "GPC%u GPCCLIENT_T1_%u", &gpc, &tpc) == 2)
        rm_xid_means(field, "the L1 cache of TPC %u in GPC %u", tpc, gpc);
    else if (host_word(RM_FAULT_CLIENTS, word, length, &number)) {
        if (host_client_known(xid->chip, number))
            (void)snprintf(text, sizeof text, "NV_PFAULT_CLIENT_HUB 0x%" PRIx32, number);
        if (sscanf(word, "HUBCLIENT_HSCE%u", &which) == 1)
            rm_xid_means(field, "the hub's port of copy engine %u, %s", which, text);
        else
            rm_xid_means(field, "%s", text);
    }
}

/* "ENGINE GRAPHICS GPC6 GPCCLIENT_T1_1 faulted @ 0x0_00000000. Fault is of type FAULT_PDE
 * ACCESS_TYPE_VIRT_WRITE" */
static bool host_fault(struct rm_xid *xid, const char *at)
{
    static const char access[] = " ACCESS_TYPE_";
    const char *client = strchr(at, ' '), *faulted = strstr(at, " faulted @ ");
    uint64_t high;
    uint32_t low;
    int used = 0;
    size_t length;

    if (!client || !faulted || client >= faulted)
        return false;
    host_fault_engine(xid, at, (size_t)(client - at));
    host_fault_client(xid, client + 1, (size_t)(faulted - client - 1));
    if (sscanf(faulted, " faulted @ 0x%" SCNx64 "_%" SCNx32 ". Fault is of type %n", &high, &low,
               &used) != 2 ||
        used == 0)
        return false;
    rm_xid_means(rm_xid_number(xid, "address", high << 32 | low, "x"), "%s",
                 high == 0 && low < 0x10000 ? "a null pointer and an offset" : "virtual");
    at = faulted + used;
    length = strcspn(at, " ");
    host_fault_type(xid, at, length);
    if (strncmp(at + length, access, sizeof access - 1) != 0)
        return at[length] == '\0';
    rm_xid_text(xid, "access", "%s", at + length + sizeof access - 1);
    return true;
}

bool rm_xid_mmu(struct rm_xid *xid, const char *message)
{
    const char *rest = rm_xid_channel(xid, message);
    uint32_t mask, bits;
    int used = 0;

    if (!rest)
        return false;
    if (sscanf(rest, ", engmask %" SCNx32 "%n", &mask, &used) == 1) {
        rm_xid_number(xid, "engmask", mask, "x");
        rest += used;
    }
    used = 0;
    if (sscanf(rest, ", intr %" SCNx32 "%n", &bits, &used) != 1)
        return false;
    rm_xid_number(xid, "intr", bits, "x");
    rest += used;
    used = 0;
    (void)sscanf(rest, ". MMU Fault: ENGINE %n", &used);
    return *rest == '\0' || (used > 0 && host_fault(xid, rest + used));
}

/* ---- Xid 109 --------------------------------------------------------------------------------- */

static void host_info_state(struct rm_xid *xid, uint32_t info)
{
    static const struct {
        const char *name, *meaning;
    } states[] = {
        {"0", "not a state of this register"},
        {"LOAD", "the context that comes has not been loaded"},
        {"SAVE", "the context that leaves has stopped, and has not been saved"},
        {"SWITCH", "the engine has not stopped the context that is on it"},
    };
    const uint32_t state = REG_GET(info, NV_RUNLIST_ENGINE_CTXSW_TIMEOUT_INFO_CTXSW_STATE);
    struct rm_xid_field *field = rm_xid_text(xid, "ctxsw_state", "%s", states[state].name);

    field->number = state;
    field->is_number = true;
    rm_xid_means(field, "bits 15:14: %s", states[state].meaning);
}

static void host_info_status(struct rm_xid *xid, uint32_t info)
{
    static const struct {
        const char *name, *meaning;
    } status[] = {
        {"AWAITING_ACK", "the engine has not answered"},
        {"ENG_WAS_RESET", "the engine was reset before it answered"},
        {"ACK_RECEIVED", "it has answered since: nothing is to be done"},
        {"DROPPED_TIMEOUT", "it has answered, and a later switch timed out, too"},
    };
    const uint32_t value = REG_GET(info, NV_RUNLIST_ENGINE_CTXSW_TIMEOUT_INFO_STATUS);
    struct rm_xid_field *field = rm_xid_text(xid, "status", "%s", status[value].name);

    field->number = value;
    field->is_number = true;
    rm_xid_means(field, "bits 31:30: %s", status[value].meaning);
}

static void host_info(struct rm_xid *xid, uint32_t info)
{
    const uint32_t previous = REG_GET(info, NV_RUNLIST_ENGINE_CTXSW_TIMEOUT_INFO_PREV_TSGID);
    const uint32_t next = REG_GET(info, NV_RUNLIST_ENGINE_CTXSW_TIMEOUT_INFO_NEXT_TSGID);
    const bool loads = REG_GET(info, NV_RUNLIST_ENGINE_CTXSW_TIMEOUT_INFO_CTXSW_STATE) ==
                       NV_RUNLIST_ENGINE_CTXSW_TIMEOUT_INFO_CTXSW_STATE_LOAD;
    const uint32_t bit = host_generation(xid);
    struct rm_xid_field *field = rm_xid_number(xid, "info", info, "x");

    rm_xid_means(field, "%s (INFERRED)",
                 bit & NV_FROM_AMPERE   ? "NV_RUNLIST_ENGINE_CTXSW_TIMEOUT_INFO"
                 : bit & NV_FROM_TURING ? "NV_PFIFO_INTR_CTXSW_TIMEOUT_INFO"
                                        : "this chip has no such register: made of ENGINE_STATUS");
    rm_xid_means(rm_xid_number(xid, "prev_tsgid", previous, "d"), "bits 13:0: the TSG that was on");
    host_info_state(xid, info);
    rm_xid_means(rm_xid_number(xid, "next_tsgid", next, "d"),
                 "bits 29:16: the TSG that was to come");
    host_info_status(xid, info);
    rm_xid_means(rm_xid_number(xid, "blamed_tsg", loads ? next : previous, "d"), "%s",
                 loads ? "the next one, which did not come onto its engine"
                       : "the one before, which did not leave its engine");
    rm_xid_means(rm_xid_text(xid, "engine", "not told"),
                 "each engine has such a word, and the line does not say whose it is");
}

/* "Ch 00000008, errorString CTX SWITCH TIMEOUT, Info 0x58005"; or the last part alone. */
bool rm_xid_ctxsw(struct rm_xid *xid, const char *message)
{
    const char *rest = rm_xid_channel(xid, message);
    uint32_t info;
    int used = 0;

    rest = rest ? rest : message;
    rest += strspn(rest, ", ");
    (void)sscanf(rest, "errorString CTX SWITCH TIMEOUT%n", &used);
    rest += used;
    rest += strspn(rest, ", ");
    used = 0;
    if (sscanf(rest, "Info %" SCNx32 "%n", &info, &used) != 1 || rest[used] != '\0')
        return false;
    host_info(xid, info);
    return true;
}
