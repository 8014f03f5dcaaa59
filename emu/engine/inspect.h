/* SPDX-License-Identifier: MIT */
/*
 * Views of a machine that stands still: what gfe inspect prints.
 *
 * A view is built as one JSON object:
 *
 *     view               its name
 *     rows               list of objects with the same keys, in the order of the columns
 *     not_in_registers   keys whose values no register or memory of the GPU shows: they come from
 *                        the model's state; absent when there are none
 *     notes              list of sentences; absent when there are none
 *
 * and printed as such, or as a table for people, in which the columns of not_in_registers carry a
 * *. A vendor's views are rows of struct inspect_view; views of special forms print themselves.
 */
#ifndef GFE_EMU_INSPECT_H
#define GFE_EMU_INSPECT_H

#include <jansson.h>
#include <stdio.h>

#include "emu/base/error.h"
#include "emu/engine/machine.h"

struct amd_node;
struct nv_chip;

/* What a view is of. */
struct inspect_subject {
    struct machine *machine;     /* NULL: the GPU's registers are not modelled */
    const struct nv_chip *model; /* of NVIDIA's; else NULL */
    struct amd_node *node;       /* of AMD's, with its driver; else NULL */
    uint32_t number;             /* of lce_for_pceN and the like */
    const char *argument;        /* of `regs UNIT`; NULL: none */
    struct gfe_error *error;
};

struct inspect_view {
    const char *name;     /* without its number */
    const char *argument; /* "N": a number follows the name; "[N]": it may; " UNIT": a word behind
                           * it; NULL: nothing */
    const char *doc;
    /* NULL with *subject->error set: of kind ERROR_USAGE when there is no such thing to view. */
    json_t *(*build)(const struct inspect_subject *subject);
    void (*print)(FILE *file, const json_t *view); /* NULL: as a table */
    bool needs_no_machine;                         /* it can be built of the model alone */
};

/* The number behind the name, UINT32_MAX when there is none; NULL when no view is called so. */
const struct inspect_view *inspect_view_find(const struct inspect_view *views, uint32_t count,
                                             const char *name, uint32_t *number);
/* "device_info, runlistN, ..." for messages: cut to fit. */
void inspect_view_names(const struct inspect_view *views, uint32_t count, char *text, size_t bytes);
/* Prints a built view as text. */
void inspect_print(FILE *file, const struct inspect_view *view, const json_t *json);

/* For builders: an empty view; NULL when memory is short.  Adds a row (which it takes over), a
 * sentence; both false when memory is short or `row` is NULL. */
json_t *inspect_new(const char *name);
bool inspect_add(json_t *view, json_t *row);
bool inspect_note(json_t *view, const char *text);
/* Frees the view and sets the message "no memory"; NULL. */
json_t *inspect_no_memory(json_t *view, struct gfe_error *error);

#endif
