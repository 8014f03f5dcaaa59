/* SPDX-License-Identifier: MIT */
/*
 * The members of a chip's struct, one row each: name in a GPU file, place, and range.  The vendors'
 * lists (nv_chip_fields, amd_chip_fields) describe all of a chip, so that one reader, one writer
 * and the JSON schema follow from them (emu/sim/gpu_file.h).
 */
#ifndef GFE_DEVICES_CORE_CHIP_FIELD_H
#define GFE_DEVICES_CORE_CHIP_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "devices/core/chip_figure.h"

enum chip_field_kind {
    CHIP_TEXT,   /* const char * */
    CHIP_NUMBER, /* unsigned, of `bytes` bytes */
    CHIP_FLAG,   /* a number of `bytes` bytes that is 0 or 1: false or true */
    CHIP_WORD,   /* a number of `bytes` bytes, which is the index of one of `words` */
    CHIP_BITS,   /* uint32_t; a list of the numbers of its bits, from `least` to `most` */
    CHIP_GROUP,  /* a struct: an object with `fields` */
    CHIP_LIST,   /* an array whose elements have `fields` */
};

/* Values of count_at that are no place. */
#define CHIP_LIST_IS_FULL  SIZE_MAX       /* the list always has `capacity` elements */
#define CHIP_LIST_HAS_NULL (SIZE_MAX - 1) /* a first member that is NULL ends the list */

struct chip_field {
    const char *name; /* "": the element itself, of a list of plain values; NULL ends the list */
    enum chip_field_kind kind;
    size_t at;    /* bytes from the start of the struct that has the member */
    size_t bytes; /* of the member; of a list, of an element */
    /* Range of a number, or of a list's number of elements. */
    uint64_t least, most;
    uint64_t multiple_of; /* of a number; 0 means any */
    uint64_t none;        /* the value that is null in a file, if may_lack; a text's is NULL */
    bool may_lack;        /* null is allowed, and a file may leave the member out */
    bool is_hex;          /* written as "0x..." */
    size_t count_at;      /* of a list: place of its count, a uint32_t, or one of the two above */
    const char *const *words;        /* CHIP_WORD; ends with NULL */
    const struct chip_field *fields; /* of a group or a list */
    const char *figure; /* a word in the names of the figures that speak of it; or NULL */
    const char *doc;
};

/* Why a chip cannot be: the place in a GPU file, such as "sm.partitions", and what is wrong. */
struct chip_fault {
    char path[80], text[200];
};
/* Sets place and text, which a format makes.  Returns false. */
bool chip_fault_set(struct chip_fault *fault, const char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The members of struct chip_figure. */
extern const struct chip_field chip_figure_fields[];

#endif
