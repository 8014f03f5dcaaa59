/* SPDX-License-Identifier: MIT */
/*
 * The tables that say why: rules, parameters and choice points.
 *
 * A rule is something the model obeys; every decision names one.  A parameter is a figure of the
 * model.  A choice point is a decision whose way in hardware is not published: its alternatives
 * have names, one is the default, and `--policy` selects another.  Each has a basis and a source.
 * The lists of the vendors and of the driver models are X-macros beside the code that uses them.  A
 * machine gathers the lists that it was wired with, in a fixed order, into one numbering.
 */
#ifndef GFE_EMU_LOG_RULE_H
#define GFE_EMU_LOG_RULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a row rests on.  DOCUMENTED: a text or code of the vendor, or a standard.  PUBLISHED: a
 * paper of others.  docs/sources.md has all of them.  What a paper shows, or somebody measured, was
 * seen on some GPUs: such a row writes PUBLISHED_ON(gpus) or MEASURED_ON(gpus) for its basis.  The
 * list has names of chips or of GPUs as `gfe gpus` prints them, apart by commas, each with the card
 * in parentheses if that helps: "GP10B (Jetson TX2), GV100".  On other GPUs the row is printed as
 * carried over from them. */
enum basis { DOCUMENTED, PUBLISHED, MEASURED, INFERRED, ASSUMED };
#define PUBLISHED_ON(gpus) PUBLISHED, .seen_on = (gpus)
#define MEASURED_ON(gpus)  MEASURED, .seen_on = (gpus)
/* The basis of a choice point whose default was inferred by evidence that leaves other alternatives
 * open: what is predicted says what these would do, too. */
#define INFERRED_OPEN      INFERRED, .is_left_open = true
enum enforcer { HARDWARE, FIRMWARE, KERNEL_DRIVER, RUNTIME };

struct rule {
    const char *label; /* the papers' own (T.G3) or gfe's (NV.WFI) */
    enum basis basis;
    enum enforcer enforcer;
    const char *source;
    const char *text;
    const char *seen_on; /* of PUBLISHED and MEASURED; else NULL */
};

struct parameter {
    const char *id;   /* such as nv.pbdma.method_cycles */
    const char *unit; /* the last word of the id is the unit, too */
    uint64_t value;   /* default; a GPU model may set another value, and --param a third */
    enum basis basis;
    const char *source;
    const char *text;
    const char *seen_on; /* as a rule's */
};

enum { CHOICE_ALTERNATIVES_MAX = 6 };
struct choice_point {
    const char *id; /* such as core.block_to_sm */
    const char *alternatives[CHOICE_ALTERNATIVES_MAX];
    uint32_t default_index;
    enum basis basis;
    const char *source;
    const char *text;
    const char *seen_on; /* as a rule's */
    bool is_left_open;   /* INFERRED_OPEN */
};

/* A kind of event that can stand in a log: its name, and the names of its arguments.  The names end
 * in the unit that the arguments count (_ps, _bytes, _count, _id, _index). */
enum { EVENT_ARGUMENTS_MAX = 8 };
struct event_kind_row {
    const char *name;
    const char *arguments[EVENT_ARGUMENTS_MAX];
    const char *doc;
};

/* First number of each family, for rules, parameters, choice points and event kinds alike.  A log
 * carries its own tables, so these numbers may change. */
enum table_base {
    TABLE_EMU = 0,
    TABLE_CORE = 64,
    TABLE_NVIDIA = 128,
    TABLE_AMD = 256,
    TABLE_AMD_MEC = 320,
    TABLE_AMD_SDMA = 352,
    TABLE_FIRMWARE_NVIDIA = 384,
    TABLE_FIRMWARE_NVIDIA_RM = 416,
    TABLE_FIRMWARE_AMD = 448,
    TABLE_FIRMWARE_NVIDIA_CUDA = 512,
    TABLE_HIP = 544,
    TABLE_FIRMWARE_AMDGPU = 576,
    TABLE_LIVE = 608,
    TABLE_BARE = 640,
    TABLE_END = 656,
};

/* Number 0 means that no rule was needed. */
#define RULE_NONE 0

/* The lists of one family. */
struct table_set {
    const char *name;
    uint32_t base; /* number of the first row of each list */
    const struct rule *rules;
    const struct parameter *parameters;
    const struct choice_point *choices;
    const struct event_kind_row *events;
    uint32_t rule_count, parameter_count, choice_count, event_count;
};

#define RULE_ID(id, label, basis, enforcer, source, text) id,
#define RULE_ROW(constant, label_, basis_, enforcer_, source_, text_)                              \
    {.label = (label_),                                                                            \
     .basis = basis_,                                                                              \
     .enforcer = (enforcer_),                                                                      \
     .source = (source_),                                                                          \
     .text = (text_)},
#define PARAMETER_ID(id, name, unit, value, basis, source, text) id,
#define PARAMETER_ROW(constant, name_, unit_, value_, basis_, source_, text_)                      \
    {.id = (name_),                                                                                \
     .unit = (unit_),                                                                              \
     .value = (value_),                                                                            \
     .basis = basis_,                                                                              \
     .source = (source_),                                                                          \
     .text = (text_)},
#define CHOICE_ID(id, name, default_index, basis, source, text, ...) id,
#define CHOICE_ROW(constant, name_, default_index_, basis_, source_, text_, ...)                   \
    {.id = (name_),                                                                                \
     .alternatives = {__VA_ARGS__},                                                                \
     .default_index = (default_index_),                                                            \
     .basis = basis_,                                                                              \
     .source = (source_),                                                                          \
     .text = (text_)},

/* Returns the highest value that a parameter may be given, by its unit: cycles 2^40 (some 10
 * minutes), ps 10^18 (11 days), bytes 2^44, counts 2^32.  Sums and products of such figures fit in
 * 64 bits. */
uint64_t parameter_highest(const struct parameter *parameter);
/* Returns the number of arguments that a kind has. */
uint32_t event_kind_argument_count(const struct event_kind_row *row);

/* Returns true if `seen_on` of a row names the chip or the GPU.  Either may be NULL, which no list
 * names. */
bool rule_is_seen_on(const char *seen_on, const char *chip, const char *gpu);
/* Writes what is printed of a basis: its name, and if `seen_on` is not NULL, "seen on" or, if
 * `carried_over`, "carried over from" those GPUs.  Cuts it to `bytes`, as snprintf() does, and
 * returns the whole length. */
size_t rule_basis_words(char *to, size_t bytes, const char *basis, const char *seen_on,
                        bool carried_over);

/* Returns true if alternatives other than the default are as likely as far as is known: the choice
 * is ASSUMED or INFERRED_OPEN. */
bool choice_is_open(const struct choice_point *choice);

/* Return the names that logs and listings use. */
const char *rule_basis_name(enum basis basis);
const char *rule_enforcer_name(enum enforcer enforcer);

#endif
