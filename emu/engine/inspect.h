/* SPDX-License-Identifier: MIT */
/*
 * Views of a machine that stands still, as gfe inspect prints them.
 *
 * A view is built as one JSON object:
 *
 *     view               its name
 *     rows               list of objects with the same keys, in the order of the columns
 *     not_in_registers   keys whose values no register or memory of the GPU shows: they come from
 *                        the model's state; absent when there are none
 *     notes              list of sentences; absent when there are none
 *
 * It is printed as JSON, or as a table for people, in which the columns of not_in_registers carry a
 * *. A vendor's views are rows of struct inspect_view; views of special forms print themselves.
 */
#ifndef GFE_EMU_ENGINE_INSPECT_H
#define GFE_EMU_ENGINE_INSPECT_H

#include <jansson.h>
#include <stdio.h>

#include "emu/base/error.h"
#include "emu/engine/machine.h"

struct amd_node;
struct nv_chip;

/* The vendors whose GPUs have a view: bits of inspect_view.vendors. */
enum inspect_vendor { INSPECT_NVIDIA = 1, INSPECT_AMD = 2, INSPECT_ALL = 3 };

/* The thing that a view shows. */
struct inspect_subject {
    struct machine *machine;     /* NULL if the GPU's registers are not modelled */
    const struct nv_chip *model; /* model of an NVIDIA GPU; NULL for other vendors */
    struct amd_node *node;       /* node of an AMD GPU, with its driver; NULL for other vendors */
    uint32_t number;             /* number of lce_for_pceN and similar views */
    const char *argument;        /* argument of `regs UNIT`; NULL if there is none */
    struct gfe_error *error;
};

struct inspect_view {
    const char *name; /* without its number */
    /* "N": a number follows the name; "[N]": a number may follow; " UNIT": a word follows; NULL:
     * nothing follows */
    const char *argument;
    const char *doc;
    /* Builds the view.  Returns NULL with *subject->error set, of kind ERROR_USAGE if the thing to
     * view does not exist. */
    json_t *(*build)(const struct inspect_subject *subject);
    /* NULL means that the view is printed as a table */
    void (*print)(FILE *file, const json_t *view);
    bool needs_no_machine; /* true if the model alone suffices */
    uint32_t vendors;      /* enum inspect_vendor, or'ed */
};

/* Returns the view of that name, or NULL if there is none. *number is the number after the name, or
 * UINT32_MAX if there is none. */
const struct inspect_view *inspect_view_find(const struct inspect_view *views, uint32_t count,
                                             const char *name, uint32_t *number);
/* Writes "device_info, runlistN, ..." for messages, cut to fit. */
void inspect_view_names(const struct inspect_view *views, uint32_t count, char *text, size_t bytes);
/* Prints a built view as text. */
void inspect_print(FILE *file, const struct inspect_view *view, const json_t *json);

/* Build a view. inspect_new() returns an empty view, or NULL when memory is short.  The others add
 * a row (which they take over), and a sentence.  They return false when memory is short or `row` is
 * NULL. */
json_t *inspect_new(const char *name);
bool inspect_add(json_t *view, json_t *row);
bool inspect_note(json_t *view, const char *text);
/* Frees the view, sets the message "no memory" and returns NULL. */
json_t *inspect_no_memory(json_t *view, struct gfe_error *error);

#endif
