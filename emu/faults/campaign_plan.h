/* SPDX-License-Identifier: MIT */
/*
 * Plans of fault campaigns: the programs, the faults, and the number of experiments.  A plan is a
 * JSON object:
 *
 *     programs      paths, from the plan's folder, of traces or configurations
 *     gpu, seed, open_loop, late, owner     as gfe inject has them; may be missing
 *     policies, parameters                  objects of names and values; may be missing
 *     costs         an object of names and times: how long a block of a plugin or benchmark works
 *     faults        a list of objects, each a family of faults:
 *         site          a name of gfe inject --list
 *         models        a list of names
 *         fields        of the site; missing: all bits of the passage
 *         subjects      numbers or names; missing: every subject
 *         words         memory: {"from": "vid:0x1000", "count": 64} in place of subjects
 *         bits          of the field, for flip, stuck0 and stuck1; missing: each
 *         values, delays, drops, pages      the arguments of value, delay, drop and wrong_page
 *         times         a number of times, spread evenly over the run
 *         triggers      a list such as "@2ms" or "@NV_GP_FETCH#4"
 *                       Without times and triggers: each passage; of state: any time.
 *         count         how many different faults of the family act in one experiment; missing: one
 *         rate          how often faults of the family come, relative to the other families' rates
 *       or of families whose faults act together in one experiment:
 *         together      a list of families as above, one fault (or `count`) of each
 *         rate          of all of them together
 *     exhaustive    true: all of them, once; or
 *     samples       a number of experiments, drawn at random; or
 *     margin, confidence     percentages: as many as Leveugle et al. 2009 ask for
 *     early_stop    true: fewer, if a prefix is precise enough (emu/faults/campaign_stats.h)
 *     boundary      context, process or tenant: what reaches beyond is a breach; missing: process
 *     tenants       a list of lists of channels (AMD: queues), one of each tenant
 *     prune         false: also make experiments whose outcome follows from the run without faults
 *                   (emu/faults/campaign_prune.h)
 *
 * An unknown member or value is refused with its place in the file.
 *
 * R. Leveugle, A. Calvez, P. Maistri, P. Vanhauwaert: "Statistical Fault Injection: Quantified
 * Error and Confidence", DATE 2009.
 */
#ifndef GFE_EMU_FAULTS_CAMPAIGN_PLAN_H
#define GFE_EMU_FAULTS_CAMPAIGN_PLAN_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "emu/base/clock.h"
#include "emu/base/error.h"
#include "emu/faults/outcome_reach.h"

enum { CAMPAIGN_PROGRAMS_MAX = 16, CAMPAIGN_ENTRIES_MAX = 256, CAMPAIGN_SETTINGS_MAX = 64 };

/* A list of texts; numbers are kept as texts, too. */
struct campaign_list {
    char **texts;
    uint32_t count;
};

struct campaign_entry {
    const char *site;
    struct campaign_list models, fields, subjects, bits, values, delays, drops, pages, triggers;
    const char *words_from; /* NULL: `subjects` is used */
    uint64_t word_count;
    uint64_t times; /* 0: not given */
    uint64_t count; /* different faults of it in one experiment */
    uint64_t rate;  /* in millionths of the plan's unit; 0: not given */
    /* Families that act together; the members above are then unused. */
    struct campaign_entry *together;
    uint32_t together_count;
};

struct campaign_setting {
    char *id, *value;
};

struct campaign_cost {
    char *name;
    gfe_ps block_ps;
};

enum campaign_size { CAMPAIGN_SAMPLES, CAMPAIGN_MARGIN, CAMPAIGN_EXHAUSTIVE };

struct campaign_plan {
    char *path;
    char *canonical; /* the plan as text, the same for equal plans */
    json_t *json;
    char *programs[CAMPAIGN_PROGRAMS_MAX]; /* paths from the user's directory */
    uint32_t program_count;
    const char *gpu;      /* NULL: as gfe run */
    uint64_t seed, owner; /* owner UINT64_MAX: the subject that each fault first touches */
    bool open_loop, early_stop, prune, has_rates;
    struct outcome_isolation isolation;
    gfe_ps late_ps;
    struct campaign_setting policies[CAMPAIGN_SETTINGS_MAX], parameters[CAMPAIGN_SETTINGS_MAX];
    struct campaign_cost costs[CAMPAIGN_SETTINGS_MAX];
    uint32_t policy_count, parameter_count, cost_count;
    struct campaign_entry *entries;
    uint32_t entry_count;
    enum campaign_size size;
    uint64_t samples;                    /* CAMPAIGN_SAMPLES, and CAMPAIGN_MARGIN */
    uint32_t margin_ppm, confidence_ppm; /* 99 % is 990000; also of the report's intervals */
};

/* Sizes from the command line, which override the plan's.  NULL means that one is not given. */
struct campaign_sizes {
    const char *samples, *margin, *confidence;
};

/* Reads a plan, which the caller frees.  Returns NULL with a message that names the file and the
 * place in it. */
struct campaign_plan *campaign_plan_load(const char *path, const struct campaign_sizes *sizes,
                                         struct gfe_error *error);
/* Like campaign_plan_load(), for a text; `path` is for messages and for the programs' folder. */
struct campaign_plan *campaign_plan_parse(const char *text, size_t bytes, const char *path,
                                          struct gfe_error *error);
void campaign_plan_free(struct campaign_plan *plan);
/* Returns the most faults that act in one experiment. */
uint32_t campaign_plan_faults(const struct campaign_plan *plan);

#endif
