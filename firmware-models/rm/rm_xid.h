/* SPDX-License-Identifier: MIT */
/*
 * Takes a line of NVIDIA's kernel driver apart: "Xid (PCI:...): number, pid=..., name=...,
 * message".
 *
 * The forms are those that rm_lines.h prints, with both names of a channel ("Ch %08x", "channel
 * 0x%08x" and others), and those of SMs and classes, as public logs of drivers 3xx to 595 have them
 * (tests/test_rm_xid.c quotes them).  What the fields mean is the chip's: bits of a PBDMA, methods
 * of a class, and the place of an SM's registers differ.
 *
 * INFERRED: the Info word of Xid 109 is the register that holds the state of an engine's context
 * switch when it timed out (open-gpu-doc tu104/dev_fifo.ref.txt, NV_PFIFO_INTR_CTXSW_TIMEOUT_INFO;
 * ga100/dev_runlist.ref.txt).  Whom it blames is what nouveau (fifo/tu102.c) and nvgpu
 * (ctxsw_timeout_gv11b_fusa.c) read from that register.
 */
#ifndef GFE_FIRMWARE_MODELS_RM_RM_XID_H
#define GFE_FIRMWARE_MODELS_RM_RM_XID_H

#include <stdbool.h>
#include <stdint.h>

#include "devices/nvidia/nv_chip.h"
#include "emu/base/error.h"

enum { RM_XID_FIELDS_MAX = 48, RM_XID_TEXT_BYTES = 200, RM_XID_NAME_BYTES = 40 };

/* A part of the line. */
struct rm_xid_field {
    char name[RM_XID_NAME_BYTES];
    char value[RM_XID_TEXT_BYTES];   /* as it stands there, or by name */
    char meaning[RM_XID_TEXT_BYTES]; /* "" if the value says it all */
    uint64_t number;
    bool is_number;
};

struct rm_xid {
    const struct nv_chip *chip; /* the fields' meaning is this chip's */
    uint32_t number;            /* of nverror.h; 0 for a line of nouveau's */
    const char *name, *title;   /* "ROBUST_CHANNEL_PBDMA_ERROR", "an error of a PBDMA" */
    uint32_t field_count;
    struct rm_xid_field fields[RM_XID_FIELDS_MAX];
};

/* Takes the line apart.  Returns false with a message if it has no Xid, or one whose form is not
 * known. */
bool rm_xid_parse(struct rm_xid *xid, const struct nv_chip *chip, const char *line,
                  struct gfe_error *error);

/* Returns true for a line of nouveau's about a PBDMA, which rm_xid_parse() takes apart, too. */
bool rm_xid_is_nouveau(const char *line);

/* ---- between its files ----------------------------------------------------------------------- */

/* Adds a field with a text, or one with a number that is shown as `format` says. */
struct rm_xid_field *rm_xid_text(struct rm_xid *xid, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
struct rm_xid_field *rm_xid_number(struct rm_xid *xid, const char *name, uint64_t number,
                                   const char *format);
/* Sets the meaning of a field. */
void rm_xid_means(struct rm_xid_field *field, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Takes what names a channel at `at`, and adds it.  Returns what follows, or NULL. */
const char *rm_xid_channel(struct rm_xid *xid, const char *at);
/* rm_xid_gr.c, rm_xid_host.c: take the messages of the engine (13, 69) and of Host and the MMU (31,
 * 32, 80, 109) apart.  Return false if the form is not known. */
bool rm_xid_gr(struct rm_xid *xid, const char *message);
bool rm_xid_class(struct rm_xid *xid, const char *message);
bool rm_xid_mmu(struct rm_xid *xid, const char *message);
bool rm_xid_pbdma(struct rm_xid *xid, const char *message);
bool rm_xid_ctxsw(struct rm_xid *xid, const char *message);
/* rm_xid_nouveau.c: takes a whole line of nouveau's apart.  Returns false with a message. */
bool rm_xid_nouveau(struct rm_xid *xid, const char *line, struct gfe_error *error);

#endif
