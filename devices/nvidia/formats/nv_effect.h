/* SPDX-License-Identifier: MIT */
#ifndef DEVICES_NVIDIA_NV_EFFECT_H
#define DEVICES_NVIDIA_NV_EFFECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/formats/nv_qmd.h"

/*
 * What the model does with each method of the class tables, and with each field of a QMD.
 *
 *   STATE     The method sets a register (or a word of a RAM) that only other methods, draws,
 *             programs or macros read.  Writing it is all that happens.
 *   MODELLED  A unit acts on the method.
 *   WORK      The method starts a draw, a clear or a blit: opaque work, of which only the time is
 *             modelled.
 *   LOST      The method, or a value of one of its fields, has an effect that the model ignores.
 *             Each occurrence is logged (UNMODELLED); `lost` says what is lost.
 *   UNLISTED  Nobody has decided: tests/test_nv_effect.c fails.
 *
 * The lists are in nv_effect_list.h, by kind of class (the low byte of its id).  A pattern of pure
 * state holds for the methods that the class named beside it, or an older one, introduced: a newer
 * class's new methods are in no list until somebody has looked at them.  What the hardware does
 * with a method is INFERRED from its name and its fields in open-gpu-doc, and from what Mesa
 * (nouveau, NVK) does with it, unless another source stands beside the row.
 */

enum nv_effect {
    NV_EFFECT_UNLISTED,
    NV_EFFECT_STATE,
    NV_EFFECT_MODELLED,
    NV_EFFECT_WORK,
    NV_EFFECT_LOST,
};

/* Which data words of a method lose an effect. */
enum nv_loss_when {
    NV_LOSS_ALWAYS,
    NV_LOSS_EQUAL,    /* the field has the value */
    NV_LOSS_UNLESS,   /* the field has another value */
    NV_LOSS_ABOVE,    /* the field is greater than the value */
    NV_LOSS_LOCATION, /* of a report: the place in the pipeline is neither ALL nor NONE */
    NV_LOSS_BY_UNIT,  /* the data word does not say: the unit knows */
};

/* One row: a method of a kind of class, or one of its fields. */
struct nv_loss {
    uint8_t kind; /* low byte of the ids of its classes */
    uint8_t when; /* enum nv_loss_when */
    /* the methods are in these places, of their first elements, by a name that has the pattern */
    uint16_t offset, last_offset;
    uint8_t hi, lo; /* of the field; 31:0 means the whole word */
    uint8_t value;
    uint8_t only; /* of a report: 1 + the value of OPERATION (bits 1:0) to which this is limited */
    const char *name;
    const char *field; /* NULL means the whole word */
    const char *lost;
};

enum { NV_LOSS_ROWS_MAX = 255 };

/* The rows of one class, as a unit keeps them.  Made from the tables, never state. */
struct nv_losses {
    const struct nv_class *nv_class;
    uint32_t
        applies[(NV_LOSS_ROWS_MAX + 31) / 32]; /* a bit for each row that holds for the class */
    uint8_t first[NV_CLASS_METHODS]; /* 1 + the method's first row; 0 means that it has none */
};

/* Returns the next row after `loss` (NULL means the first) of a method of the class, or NULL. */
const struct nv_loss *nv_loss_row(const struct nv_class *nv_class,
                                  const struct nv_class_row *method, const struct nv_loss *loss);

/* Fills the rows of a class, which may be NULL. */
void nv_losses_fill(struct nv_losses *losses, const struct nv_class *nv_class);

/* Returns true if some data words of the method (its byte offset) lose an effect. */
static inline bool nv_losses_has(const struct nv_losses *losses, uint32_t offset)
{
    return losses->first[offset / 4] != 0;
}

/* Returns the first row by which this data word of the method loses an effect, or NULL.  Rows that
 * only the unit can judge are left out. */
const struct nv_loss *nv_losses_hit(const struct nv_losses *losses, uint32_t offset, uint32_t data);

/*
 * Returns the next row after `loss` (NULL means the first) by which this data word of a method of
 * the class loses an effect, or NULL.  A row that only the unit can judge is returned if there is
 * no other.
 */
const struct nv_loss *nv_loss_next(uint32_t class_id, uint32_t offset, uint32_t data,
                                   const struct nv_loss *loss);

/* Returns what the model does with a method of the class (row kind NV_ROW_METHOD).  A method of
 * which only some values lose an effect is MODELLED or STATE. */
enum nv_effect nv_effect_of_method(const struct nv_class *nv_class,
                                   const struct nv_class_row *method);

/* Returns true if a unit acts on this field of a MODELLED method, or a row says what is lost. */
bool nv_effect_has_field(const struct nv_class *nv_class, const struct nv_class_row *method,
                         const struct nv_class_row *field);

/* Returns what is lost if element `index` of this field of a QMD has that value, or NULL. */
const char *nv_qmd_lost(const struct nv_qmd_row *field, unsigned index, uint32_t value);

/* Returns MODELLED, STATE or LOST (some value loses something) for a field of a QMD. */
enum nv_effect nv_effect_of_qmd_field(const struct nv_qmd_row *field);

/* The fields of one layout that can lose something, as a unit keeps them. */
enum { NV_QMD_WATCHED_MAX = 64, NV_QMD_LAYOUTS_MAX = 24 };
struct nv_qmd_watch {
    const struct nv_qmd_layout *layout;
    const struct nv_qmd_row *type; /* QMD_TYPE, or NULL */
    uint32_t count;
    const struct nv_qmd_row *fields[NV_QMD_WATCHED_MAX];
    uint32_t harmless[NV_QMD_WATCHED_MAX]; /* a bit for each value that loses nothing */
};
/* Fills in the fields of a layout.  With `splits` that of an SM's split is none of them. */
void nv_qmd_watch_fill(struct nv_qmd_watch *watch, const struct nv_qmd_layout *layout, bool splits);

/* Returns a number for an element of a field of a class's descriptors, for the log. */
uint64_t nv_qmd_name(uint32_t class_id, const struct nv_qmd_layout *layout,
                     const struct nv_qmd_row *field, unsigned index);
/* Finds the field of such a number.  Returns NULL if there is none. */
const struct nv_qmd_row *nv_qmd_named(uint64_t name, unsigned *index);

#endif
