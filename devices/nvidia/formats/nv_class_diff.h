/* SPDX-License-Identifier: MIT */
#ifndef DEVICES_NVIDIA_NV_CLASS_DIFF_H
#define DEVICES_NVIDIA_NV_CLASS_DIFF_H

#include <stdio.h>

#include "devices/nvidia/formats/nv_class.h"

/*
 * The differences between a class and the class before it in its family ("what is new in Ada?"),
 * and classes as pages to read (`gfe regs --class`, `gfe regs --new`).
 *
 * Methods are compared by byte offset.  A method with only another name counts as changed, not as
 * removed and added.  A count of elements is an upper bound (nv_class.h), so it may change because
 * of the methods around an array.
 */

/* A method that differs.  `before` is NULL for one that was added, `now` for one that was removed.
 */
struct nv_class_diff {
    const struct nv_class_row *before, *now;
    size_t slot; /* where the search continues; 0 at the start */
};

struct nv_class_diff_counts {
    uint32_t added, changed, removed;
};

/* Finds the next method that differs, in order of offset; `diff` is {0} at the start.  Returns
 * false after the last, and for the first class of a family. */
bool nv_class_diff_next(const struct nv_class *nv_class, struct nv_class_diff *diff);

/* Counts the methods that differ, by kind of difference. */
struct nv_class_diff_counts nv_class_diff_count(const struct nv_class *nv_class);

/* Returns true if the method has a row equal to `row`.  Fields are equal if name and bits are;
 * values are equal if name and number are, in fields of one name. */
bool nv_class_diff_has(const struct nv_class_row *method, const struct nv_class_row *row);

/* Prints one line: id, name, number of methods, and the number that differ from the class before.
 */
void nv_class_print_line(FILE *file, const struct nv_class *nv_class);

/* Counts the methods and formats whose names contain `word`; case is ignored.  NULL means all. */
uint32_t nv_class_methods_named(const struct nv_class *nv_class, const char *word);

/* Prints the class's name, and the methods and formats whose names contain `word`, with their
 * fields and values, and what the model ignores of their effects.  Case is ignored; NULL means all.
 */
void nv_class_print(FILE *file, const struct nv_class *nv_class, const char *word);

/* Prints the rows that the class has and the class before lacks, and those that were removed.  If
 * there are none, prints a sentence that says so. */
void nv_class_print_new(FILE *file, const struct nv_class *nv_class);

#endif
