/* SPDX-License-Identifier: MIT */
/*
 * nouveau's line of an error of a PBDMA, which it prints where NVIDIA's driver has Xid 32:
 *
 *     fifo: PBDMA0: 00800000 [DEVICE] ch 6 [003fa78000 rstudio[7618]] subc 7 mthd 1a58 data
 * 80000708
 *
 * Its names of bits are those of a table for Fermi (fifo/gf100.c, gf100_runq_intr_0_names: 21
 * ILLEGAL_MTHD, 23 EMPTY_SUBC) and one for all chips since Kepler (fifo/gk104.c,
 * gk104_runq_intr_0_names: 23 DEVICE).  Bits that give the channel up: fifo/gf100.c
 * (gf100_runq_intr).
 */
#include <config.h>

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/nvidia/formats/nv_generation.h"
#include "devices/nvidia/nv_pbdma_intr.h"
#include "firmware-models/rm/rm_xid.h"

static const uint32_t killing_bits = 0xc67fe000;

enum {
    FERMI_ILLEGAL_MTHD = 1u << 21,
    FERMI_EMPTY_SUBC = 1u << 23,
    BIT_DEVICE = 1u << 23,
    SUBCHANNEL_SOFTWARE = 5, /* the first that no engine has */
};

/* The words of the brackets at `at`, which may hold brackets of their own, as a program's name
 * does. Returns what follows them, or NULL. */
static const char *nouveau_brackets(const char *at, char *words, size_t bytes)
{
    uint32_t depth = 0;
    size_t length = 0;

    if (*at != '[')
        return NULL;
    do {
        depth += *at == '[';
        depth -= *at == ']';
        if (length + 1 < bytes && !(length == 0 && *at == '['))
            words[length++] = *at;
        at++;
    } while (*at && depth > 0);
    words[length > 0 ? length - 1 : 0] = '\0'; /* without the last one */
    return depth == 0 ? at : NULL;
}

/* Manuals of Fermi are not published: the names are the driver's. */
static void nouveau_fermi(struct rm_xid_field *field)
{
    const uint32_t bits = (uint32_t)field->number;

    rm_xid_means(field, "of a Fermi: %s%s%s",
                 bits & FERMI_ILLEGAL_MTHD ? "the method is none of the class's" : "",
                 bits & FERMI_ILLEGAL_MTHD && bits & FERMI_EMPTY_SUBC ? "; " : "",
                 bits & FERMI_EMPTY_SUBC ? "no object is bound to the subchannel" : "");
}

static void nouveau_bits(const struct rm_xid *xid, struct rm_xid_field *field)
{
    const uint32_t generation = nv_generation_of(xid->chip->class_host, xid->chip->chip_id)->bit;
    char text[RM_XID_TEXT_BYTES] = "";
    size_t at = 0;

    for (uint32_t bit = 0; bit < 32 && at < sizeof text; bit++) {
        const struct nv_pbdma_intr *intr = nv_pbdma_intr_of(generation, bit);

        if (field->number >> bit & 1)
            at += (size_t)snprintf(text + at, sizeof text - at, "%s%s", at > 0 ? " " : "",
                                   intr ? intr->name : "(a bit that the chip does not have)");
    }
    rm_xid_means(field, "NV_PPBDMA_INTR_0: %s", text);
}

/* "subc 7 mthd 1a58 data 80000708". */
static bool nouveau_method(struct rm_xid *xid, const char *at, uint32_t bits)
{
    uint32_t subchannel, method, data;
    struct rm_xid_field *field;
    int used = 0;

    if (sscanf(at, " subc %" SCNu32 " mthd %" SCNx32 " data %" SCNx32 "%n", &subchannel, &method,
               &data, &used) != 3)
        return false;
    field = rm_xid_number(xid, "subchannel", subchannel, "d");
    if (bits & BIT_DEVICE && subchannel >= SUBCHANNEL_SOFTWARE)
        rm_xid_means(field, "no engine's: a software object would have to be bound to it");
    rm_xid_number(xid, "method", method, "x");
    rm_xid_number(xid, "data", data, "x");
    return at[used + (int)strspn(at + used, " \t\r\n")] == '\0';
}

bool rm_xid_is_nouveau(const char *line)
{
    const char *at = strstr(line, "PBDMA");

    return at && isdigit((unsigned char)at[5]) && strstr(at, " mthd ");
}

bool rm_xid_nouveau(struct rm_xid *xid, const char *line, struct gfe_error *error)
{
    char names[RM_XID_TEXT_BYTES] = "", who[RM_XID_TEXT_BYTES] = "";
    const char *at = strstr(line, "PBDMA");
    struct rm_xid_field *field;
    uint32_t pbdma, bits;
    int channel, used = 0;
    bool is_fermi;

    xid->name = "PBDMA";
    xid->title = "an error of a PBDMA, in nouveau's words";
    if (!at || sscanf(at, "PBDMA%" SCNu32 ": %" SCNx32 " %n", &pbdma, &bits, &used) != 2 ||
        !(at = nouveau_brackets(at + used, names, sizeof names)) ||
        sscanf(at, " ch %d %n", &channel, &used) != 1 ||
        !(at = nouveau_brackets(at + used, who, sizeof who)))
        return error_set(error, ERROR_INPUT, "no line of nouveau's about a PBDMA: '%s'", line);
    is_fermi = strstr(names, "EMPTY_SUBC") || strstr(names, "ILLEGAL_MTHD");
    rm_xid_number(xid, "pbdma", pbdma, "d");
    field = rm_xid_number(xid, "intr_0", bits, "x");
    if (is_fermi)
        nouveau_fermi(field);
    else
        nouveau_bits(xid, field);
    rm_xid_text(xid, "names", "%s", names);
    field = rm_xid_text(xid, "channel", "%d", channel);
    if (channel < 0)
        rm_xid_means(field, "nouveau has no channel with that instance block");
    else
        rm_xid_means(field, bits & killing_bits ? "is given up" : "goes on");
    rm_xid_means(rm_xid_text(xid, "program", "%s", who), "instance block, name and process");
    return nouveau_method(xid, at, bits) ||
           error_set(error, ERROR_INPUT, "no method at the end of '%s'", line);
}
