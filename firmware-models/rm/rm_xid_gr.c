/* SPDX-License-Identifier: MIT */
/*
 * Messages of the graphics engine: Xid 13 and 69.
 *
 * Registers of an SM: nvgpu hw_gr_gv11b.h (hww_warp_esr, hww_global_esr, their report masks; errors
 * of a warp).  Where GPCs, TPCs and SMs lie is INFERRED from logs that name them beside the
 * address: 0x8000 and 0x800 apart up to Ada, 0x10000 and 0x1000 on Hopper (tests/hardware, an
 * H100).
 */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "devices/nvidia/formats/nv_class.h"
#include "firmware-models/rm/rm_xid.h"

enum {
    GPC_BASE = 0x500000,
    SM_BYTES = 0x80,
    SM_BASE = 0x700,
    CHIP_GH100 = 0x180,
    WARP_ESR = 0x30,
    GLOBAL_ESR = 0x34,
    WARP_ESR_MASK = 0x28,
    GLOBAL_ESR_MASK = 0x2c,
};

/* ---- classes and methods -----------------------------------------------------------------------
 */

/* Class, offset and data, with the names of the class's table. */
static void gr_method(struct rm_xid *xid, uint32_t class_id, uint32_t method, uint32_t data)
{
    const struct nv_class *nv_class = nv_class_find(class_id);
    struct rm_xid_field *field = rm_xid_number(xid, "class", class_id, "x");
    struct nv_class_method found;
    char text[RM_XID_TEXT_BYTES];

    rm_xid_means(field, "%s",
                 class_id == 0 ? "nothing is bound to the subchannel"
                 : nv_class    ? nv_class->name
                               : "no table of this class");
    field = rm_xid_number(xid, "offset", method, "x");
    if (nv_class && nv_class_lookup(nv_class, method, &found)) {
        (void)nv_class_method_name(class_id, method, text, sizeof text);
        rm_xid_means(field, "%s", text);
        field = rm_xid_number(xid, "data", data, "x");
        (void)nv_class_format(class_id, method, data, text, sizeof text);
        rm_xid_means(field, "%s", text);
        return;
    }
    if (nv_class)
        rm_xid_means(field, "the class has no such method");
    rm_xid_number(xid, "data", data, "x");
}

static bool gr_channel_class(struct rm_xid *xid, const char *at, uint32_t *code)
{
    const char *rest = rm_xid_channel(xid, at);
    uint32_t class_id, method, data;
    int used = 0, more = 0;

    if (!rest || sscanf(rest, ", Class %" SCNx32 ", Offset %" SCNx32 ", Data %" SCNx32 "%n",
                        &class_id, &method, &data, &used) != 3)
        return false;
    gr_method(xid, class_id, method, data);
    if (code)
        return sscanf(rest + used, ", ErrorCode %" SCNx32 "%n", code, &more) == 1 &&
               rest[used + more] == '\0';
    return rest[used] == '\0';
}

bool rm_xid_class(struct rm_xid *xid, const char *message)
{
    static const char head[] = "Class Error: ";
    uint32_t code;

    if (strncmp(message, head, sizeof head - 1) != 0 ||
        !gr_channel_class(xid, message + sizeof head - 1, &code))
        return false;
    rm_xid_number(xid, "error_code", code, "x");
    return true;
}

/* ---- SMs ------------------------------------------------------------------------------------- */

static const char *gr_warp_error(uint32_t error)
{
    static const char *const names[] = {
        [0x00] = "none",
        [0x01] = "stack error",
        [0x02] = "API stack error",
        [0x04] = "PC wrap",
        [0x05] = "misaligned PC",
        [0x06] = "PC overflow",
        [0x08] = "misaligned register",
        [0x09] = "illegal instruction encoding",
        [0x0b] = "illegal instruction parameter",
        [0x0d] = "register out of range",
        [0x0e] = "address out of range",
        [0x0f] = "misaligned address",
        [0x10] = "invalid address space",
        [0x12] = "invalid constant address",
        [0x16] = "stack overflow",
    };

    return error < sizeof names / sizeof names[0] && names[error] ? names[error] : "not named";
}

static void gr_global_errors(struct rm_xid_field *field, uint32_t value)
{
    static const struct {
        uint32_t bit;
        const char *name;
    } bits[] = {{2, "multiple warp errors"},
                {4, "breakpoint interrupt"},
                {5, "breakpoint pause"},
                {6, "single step complete"}};
    char text[RM_XID_TEXT_BYTES] = "";
    size_t at = 0;

    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++)
        if (value >> bits[i].bit & 1)
            at += (size_t)snprintf(text + at, sizeof text - at, ", %s", bits[i].name);
    rm_xid_means(field, "HWW_GLOBAL_ESR%s", text);
}

/* Which SM's registers those are; false: none of an SM. */
static bool gr_sm_of(const struct nv_chip *chip, uint32_t address, uint32_t place[3],
                     uint32_t *offset)
{
    const bool hopper = chip->chip_id == CHIP_GH100;
    const uint32_t gpc_bytes = hopper ? 0x10000 : 0x8000, tpc_bytes = hopper ? 0x1000 : 0x800;
    const uint32_t tpc_base = hopper ? 0x5000 : 0x4000;
    uint32_t rest = address - GPC_BASE;

    if (address < GPC_BASE || address >= 0x600000)
        return false;
    place[0] = rest / gpc_bytes;
    rest %= gpc_bytes;
    if (rest < tpc_base)
        return false;
    place[1] = (rest - tpc_base) / tpc_bytes;
    rest = (rest - tpc_base) % tpc_bytes;
    if (rest < SM_BASE || rest >= SM_BASE + 2 * SM_BYTES)
        return false;
    place[2] = (rest - SM_BASE) / SM_BYTES;
    *offset = (rest - SM_BASE) % SM_BYTES;
    return true;
}

static void gr_sm_register(struct rm_xid_field *field, uint32_t offset, uint32_t value)
{
    switch (offset) {
    case WARP_ESR:
        rm_xid_means(field, "HWW_WARP_ESR: %s, warp %" PRIu32, gr_warp_error(value & 0xffff),
                     value >> 16 & 0xff);
        break;
    case GLOBAL_ESR:
        gr_global_errors(field, value);
        break;
    case WARP_ESR_MASK:
        rm_xid_means(field, "HWW_WARP_ESR_REPORT_MASK");
        break;
    case GLOBAL_ESR_MASK:
        rm_xid_means(field, "HWW_GLOBAL_ESR_REPORT_MASK");
        break;
    default:
        break;
    }
}

/* Units in front of the SMs. */
static const char *gr_unit_of(uint32_t address)
{
    static const struct {
        uint32_t address;
        const char *name;
    } units[] = {{0x404000, "FE_HWW_ESR: the front end"},
                 {0x404490, "MME_HWW_ESR: the macro engine"},
                 {0x404600, "MEMFMT_HWW_ESR: inline data"},
                 {0x405840, "DS_HWW_ESR: the data stage"},
                 {0x406018, "PD_HWW_ESR: the primitive distributor"},
                 {0x407020, "SKED_HWW_ESR: the scheduler of compute work"},
                 {0x408030, "SCC_HWW_ESR: the state cache"}};

    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (units[i].address == address)
            return units[i].name;
    return "";
}

/* "0x505730=0x301000e 0x505734=0x24 ...". */
static bool gr_esr(struct rm_xid *xid, const char *at)
{
    bool told = false;
    uint32_t address, value;
    int used;

    while (sscanf(at, " %" SCNx32 "=%" SCNx32 "%n", &address, &value, &used) == 2) {
        char name[RM_XID_NAME_BYTES];
        uint32_t place[3], offset;
        struct rm_xid_field *field;
        const bool is_sm = gr_sm_of(xid->chip, address, place, &offset);

        if (is_sm && !told)
            rm_xid_means(rm_xid_text(xid, "sm", "GPC %" PRIu32 ", TPC %" PRIu32 ", SM %" PRIu32,
                                     place[0], place[1], place[2]),
                         "by the registers' addresses on %s", xid->chip->name);
        told |= is_sm;
        (void)snprintf(name, sizeof name, "0x%" PRIx32, address);
        field = rm_xid_number(xid, name, value, "x");
        if (is_sm)
            gr_sm_register(field, offset, value);
        else
            rm_xid_means(field, "%s", gr_unit_of(address));
        at += used;
    }
    return *at == '\0';
}

/* "Graphics SM Warp Exception on (GPC 0, TPC 0, SM 0): Out Of Range Address"; older ones have no
 * SM. */
static bool gr_sm_line(struct rm_xid *xid, const char *message)
{
    char what[16];
    unsigned gpc, tpc, sm = 0;
    int used = 0;

    if (sscanf(message, "Graphics SM %15s Exception on (GPC %u, TPC %u, SM %u): %n", what, &gpc,
               &tpc, &sm, &used) != 4 ||
        used == 0) {
        if (sscanf(message, "Graphics SM %15s Exception on (GPC %u, TPC %u): %n", what, &gpc, &tpc,
                   &used) != 3 ||
            used == 0)
            return false;
        rm_xid_text(xid, "sm", "GPC %u, TPC %u", gpc, tpc);
    } else {
        rm_xid_text(xid, "sm", "GPC %u, TPC %u, SM %u", gpc, tpc, sm);
    }
    rm_xid_means(rm_xid_text(xid, "exception", "%s", message + used), "of %s",
                 strcmp(what, "Warp") == 0 ? "a warp: HWW_WARP_ESR"
                                           : "the SM as a whole: HWW_GLOBAL_ESR");
    return true;
}

bool rm_xid_gr(struct rm_xid *xid, const char *message)
{
    static const char head[] = "Graphics Exception: ", esr[] = "ESR ";
    const char *at = message + sizeof head - 1;

    if (strncmp(message, head, sizeof head - 1) != 0)
        return gr_sm_line(xid, message);
    if (strncmp(at, esr, sizeof esr - 1) == 0)
        return gr_esr(xid, at + sizeof esr - 1);
    if (strncmp(at, "Ch", 2) == 0 || strncmp(at, "ch", 2) == 0)
        return gr_channel_class(xid, at, NULL);
    rm_xid_text(xid, "exception", "%s", at);
    return *at != '\0';
}
