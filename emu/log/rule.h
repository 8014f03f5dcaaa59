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

#include <stdint.h>

enum basis { DOCUMENTED, MEASURED, INFERRED, ASSUMED };
enum enforcer { HARDWARE, FIRMWARE, KERNEL_DRIVER, RUNTIME };

struct rule {
    const char *label; /* the papers' own (T.G3) or gfe's (NV.WFI) */
    enum basis basis;
    enum enforcer enforcer;
    const char *source;
    const char *text;
};

struct parameter {
    const char *id;   /* such as nv.pbdma.method_cycles */
    const char *unit; /* the last word of the id is the unit, too */
    uint64_t value;   /* default; a GPU model may set another value, and --param a third */
    enum basis basis;
    const char *source;
    const char *text;
};

enum { CHOICE_ALTERNATIVES_MAX = 6 };
struct choice_point {
    const char *id; /* such as core.block_to_sm */
    const char *alternatives[CHOICE_ALTERNATIVES_MAX];
    uint32_t default_index;
    enum basis basis;
    const char *source;
    const char *text;
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
    TABLE_FIRMWARE_NVIDIA_CUDA = 480,
    TABLE_HIP = 512,
    TABLE_FIRMWARE_AMDGPU = 544,
    TABLE_LIVE = 576,
    TABLE_BARE = 608,
    TABLE_END = 624,
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

#define RULE_ID(id, label, basis, enforcer, source, text)        id,
#define RULE_ROW(id, label, basis, enforcer, source, text)       {label, basis, enforcer, source, text},
#define PARAMETER_ID(id, name, unit, value, basis, source, text) id,
#define PARAMETER_ROW(id, name, unit, value, basis, source, text)                                  \
    {name, unit, value, basis, source, text},
#define CHOICE_ID(id, name, default_index, basis, source, text, ...) id,
#define CHOICE_ROW(id, name, default_index, basis, source, text, ...)                              \
    {name, {__VA_ARGS__}, default_index, basis, source, text},

/* Returns the highest value that a parameter may be given, by its unit: cycles 2^40 (some 10
 * minutes), ps 10^18 (11 days), bytes 2^44, counts 2^32.  Sums and products of such figures fit in
 * 64 bits. */
uint64_t parameter_highest(const struct parameter *parameter);
/* Returns the number of arguments that a kind has. */
uint32_t event_kind_argument_count(const struct event_kind_row *row);

/* Return the names that logs and listings use. */
const char *rule_basis_name(enum basis basis);
const char *rule_enforcer_name(enum enforcer enforcer);

#endif
