/* SPDX-License-Identifier: MIT */
/*
 * Helpers of the generators of random worlds: chance, and JSON values made of it.
 *
 * A maker keeps a failure: once memory was short, `failed` is true and what is made is not whole.
 * Lists and objects are built with the functions below only, which take NULL for a value that
 * could not be made.
 */
#ifndef GFE_EMU_SELFTEST_WORLD_MAKE_H
#define GFE_EMU_SELFTEST_WORLD_MAKE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "emu/engine/random.h"
#include "emu/log/rule.h"

struct maker {
    struct random_state random;
    bool failed;       /* memory was short */
    bool has_clusters; /* kernels may have clusters of blocks: the chip knows them */
};

/* Returns a number from `lowest` to `highest`, each as likely. */
uint32_t maker_between(struct maker *maker, uint32_t lowest, uint32_t highest);
/* Returns a number from 1 to `highest`, small ones more often: the bound is drawn first. */
uint32_t maker_small(struct maker *maker, uint32_t highest);
/* Returns true in `percent` of a hundred cases. */
bool maker_chance(struct maker *maker, uint32_t percent);

/* Make values.  Return NULL, with maker->failed set, when memory is short. */
json_t *maker_object(struct maker *maker);
json_t *maker_array(struct maker *maker);
json_t *maker_number(struct maker *maker, uint64_t number);
json_t *maker_text(struct maker *maker, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Makes a JSON number of seconds out of nanoseconds. */
json_t *maker_seconds(struct maker *maker, uint64_t ns);
/* Set a member, append to a list: take the value over. */
void maker_set(struct maker *maker, json_t *object, const char *key, json_t *value);
void maker_add(struct maker *maker, json_t *list, json_t *value);

/* A parameter that worlds set, and between which values. */
struct maker_parameter {
    const char *id;
    uint32_t lowest, highest;
    uint32_t unit; /* the values are multiples of it */
};
/* Adds "policies" and "parameters" to a world: alternatives of some of the choice points whose
 * names begin with one of the prefixes (NULL ends them), and values of some of the parameters. */
void maker_settings(struct maker *maker, json_t *world, const char *const *prefixes,
                    const struct maker_parameter *parameters, uint32_t parameter_count);

/* The generators: add "gpu", "program" and settings to a world of their kind. */
void world_make_cuda(struct maker *maker, json_t *world);
void world_make_hip(struct maker *maker, json_t *world);
void world_make_bus(struct maker *maker, json_t *world);
/* Adds "faults", texts of gfe inject, and "pokes", texts of gfe run --poke.  They need not be
 * possible on the world's machine (world_settle()). */
void world_make_faults(struct maker *maker, json_t *world);
void world_make_pokes(struct maker *maker, json_t *world);

#endif
