/* SPDX-License-Identifier: MIT */
/* Names of operations, of services and of blockers. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "emu/analysis/explain/explain.h"
#include "emu/analysis/explain/operation_name.h"

/* Which unit works, at what, and the parameters by which the model knows how long that takes. */
const struct explain_what_row explain_whats[EXPLAIN_WHATS] = {
    [EXPLAIN_UNATTRIBUTED] = {"-", "unattributed", {NULL, NULL}},
    [EXPLAIN_WAIT] = {"-", "wait", {NULL, NULL}},
    [EXPLAIN_DRIVER_CALL] = {"driver",
                             "call, up to the first GP entry",
                             {"nouveau.submit_ps", NULL}},
    [EXPLAIN_DRIVER_ENTRY] = {"driver", "writes the next GP entry", {"nouveau.entry_ps", NULL}},
    [EXPLAIN_DRIVER_RETURN] = {"driver", "returns", {"nouveau.return_ps", NULL}},
    [EXPLAIN_DOORBELL] = {"Host", "doorbell", {"nv.host.doorbell_cycles", NULL}},
    [EXPLAIN_SCAN] = {"runlist", "looks for a channel", {"nv.host.schedule_cycles", NULL}},
    [EXPLAIN_RAMFC_LOAD] = {"PBDMA", "loads RAMFC", {"nv.host.ramfc_load_cycles", NULL}},
    [EXPLAIN_RAMFC_SAVE] = {"PBDMA", "saves RAMFC", {"nv.host.ramfc_save_cycles", NULL}},
    [EXPLAIN_CONTEXT_LOAD] = {"engine", "loads the context", {"nv.gr.context_load_cycles", NULL}},
    [EXPLAIN_GP_FETCH] = {"PBDMA", "reads the GP entry", {"nv.pbdma.gp_fetch_cycles", NULL}},
    [EXPLAIN_PB_FETCH] = {"PBDMA", "reads pushbuffer", {"nv.pbdma.pb_fetch_cycles", NULL}},
    [EXPLAIN_METHODS] = {"PBDMA", "methods", {"nv.pbdma.dword_cycles", NULL}},
    [EXPLAIN_BARRIER] = {"PBDMA",
                         "memory barrier",
                         {"nv.pbdma.sysmembar_cycles", "nv.pbdma.membar_cycles"}},
    [EXPLAIN_MEM_OP] = {"PBDMA",
                        "memory operation",
                        {"nv.pbdma.tlb_invalidate_cycles", "nv.pbdma.l2_operation_cycles"}},
    [EXPLAIN_START] = {"front end", "hands the launch over", {"nv.launch_cycles", NULL}},
    [EXPLAIN_PLACE] = {"dispatcher", "places blocks", {"core.dispatch_cycles", NULL}},
    [EXPLAIN_EXECUTE] = {"SM",
                         "runs the block",
                         {"core.block_base_cycles", "core.block_warp_cycles"}},
    [EXPLAIN_DRAWING] = {"engine", "draws", {"nv.draw_ps", NULL}},
    [EXPLAIN_COPYING] = {"copy engine",
                         "copies",
                         {"core.copy_setup_cycles", "core.copy_rate_percent"}},
    [EXPLAIN_WRITE] = {"front end", "writes to memory", {"nv.memory_cycles", NULL}},
};

static const char *const kind_names[EXPLAIN_KINDS] = {[EXPLAIN_SUBMISSION] = "submission",
                                                      [EXPLAIN_ENTRY] = "gp",
                                                      [EXPLAIN_LAUNCH] = "launch",
                                                      [EXPLAIN_DRAW] = "draw",
                                                      [EXPLAIN_COPY] = "copy",
                                                      [EXPLAIN_SEMAPHORE] = "semaphore",
                                                      [EXPLAIN_BLOCK] = "block"};

const char *explain_kind_name(enum explain_kind kind)
{
    return kind_names[kind];
}

const char *explain_rule(const struct explain *explain, uint32_t rule)
{
    const struct event_log_rule *row =
        rule == RULE_NONE ? NULL : event_log_rule(explain->log, rule);

    return row ? row->label : "-";
}

const char *explain_log_name(const struct explain *explain)
{
    const char *name = event_log_name(explain->log);
    const char *slash = strrchr(name, '/');

    return slash && slash[1] ? slash + 1 : name;
}

static void channel_name(const struct explain_channel *channel, char *to, size_t bytes)
{
    if (channel->binding == 0)
        (void)snprintf(to, bytes, "%" PRIu32, channel->id);
    else
        (void)snprintf(to, bytes, "%" PRIu32 ".%" PRIu32, channel->id, channel->binding);
}

char *explain_name(const struct explain *explain, struct explain_ref ref,
                   char to[EXPLAIN_NAME_BYTES])
{
    char channel[24];

    if (ref.kind == EXPLAIN_BLOCK) {
        const struct explain_block *block = &explain->blocks[ref.index];
        (void)snprintf(to, EXPLAIN_NAME_BYTES, "block:%" PRIu64 ".%" PRIu32,
                       explain->operations[block->launch].id, block->index);
        return to;
    }
    const struct explain_operation *operation = &explain->operations[ref.index];
    if (ref.kind == EXPLAIN_ENTRY) {
        channel_name(&explain->channels[operation->channel], channel, sizeof channel);
        (void)snprintf(to, EXPLAIN_NAME_BYTES, "gp:%s:%" PRIu64, channel, operation->id);
    } else if (operation->id == UINT64_MAX) {
        /* A launch that has not got its number when the log ends. */
        (void)snprintf(to, EXPLAIN_NAME_BYTES, "%s:?%" PRIu32, kind_names[ref.kind],
                       operation->number);
    } else {
        (void)snprintf(to, EXPLAIN_NAME_BYTES, "%s:%" PRIu64, kind_names[ref.kind], operation->id);
    }
    return to;
}

char *explain_by_name(const struct explain *explain, struct explain_by by,
                      char to[EXPLAIN_NAME_BYTES])
{
    const char *engine;
    char channel[24];

    *to = 0;
    switch (by.kind) {
    case EXPLAIN_BY_NOBODY:
        break;
    case EXPLAIN_BY_OPERATION:
        return explain_name(
            explain, (struct explain_ref){explain->operations[by.id].kind, (uint32_t)by.id}, to);
    case EXPLAIN_BY_BLOCK:
        return explain_name(explain, (struct explain_ref){EXPLAIN_BLOCK, (uint32_t)by.id}, to);
    case EXPLAIN_BY_CHANNEL:
    case EXPLAIN_BY_RING:
        channel_name(&explain->channels[by.id], channel, sizeof channel);
        (void)snprintf(to, EXPLAIN_NAME_BYTES, "%schannel %s",
                       by.kind == EXPLAIN_BY_RING ? "the ring of " : "", channel);
        break;
    case EXPLAIN_BY_ENGINE:
        engine = event_log_engine(explain->log, by.id);
        if (engine)
            (void)snprintf(to, EXPLAIN_NAME_BYTES, "%.40s", engine);
        else
            (void)snprintf(to, EXPLAIN_NAME_BYTES, "engine %" PRIu64, by.id);
        break;
    case EXPLAIN_BY_THREAD:
        (void)snprintf(to, EXPLAIN_NAME_BYTES, "CPU thread %" PRIu64, by.id);
        break;
    case EXPLAIN_BY_DRIVER:
        (void)snprintf(to, EXPLAIN_NAME_BYTES, "the driver's interrupt handler");
        break;
    case EXPLAIN_BY_ADDRESS:
        (void)snprintf(to, EXPLAIN_NAME_BYTES, "a value at 0x%" PRIx64, by.id);
        break;
    case EXPLAIN_BY_GRIDS:
        explain_resident_words(explain, by.id, to);
        break;
    case EXPLAIN_BY_OTHERS:
        (void)snprintf(to, EXPLAIN_NAME_BYTES, "and others");
        break;
    }
    return to;
}

/* ---- what it is ------------------------------------------------------------------------------ */

static void describe_semaphore(const struct explain_operation *semaphore, char *to, size_t bytes)
{
    static const char *const words[] = {[EXPLAIN_RELEASE] = "release",
                                        [EXPLAIN_ACQUIRE] = "acquire",
                                        [EXPLAIN_REPORT] = "report",
                                        [EXPLAIN_NOTIFY] = "notify"};

    if (semaphore->semaphore.type == EXPLAIN_NOTIFY)
        (void)snprintf(to, bytes, "notify at 0x%" PRIx64, semaphore->semaphore.address);
    else
        (void)snprintf(to, bytes, "%s of 0x%" PRIx64 " at 0x%" PRIx64,
                       words[semaphore->semaphore.type & 3], semaphore->semaphore.value,
                       semaphore->semaphore.address);
}

/* Returns the scenario's name for the operation, or NULL if it has none. */
static const char *label_of(const struct explain *explain, enum explain_kind kind,
                            const struct explain_operation *operation, char to[STREAMS_NAME_BYTES])
{
    const struct streams_operation *made =
        kind == EXPLAIN_LAUNCH ? streams_of_hardware(&explain->streams, STREAMS_GRID, operation->id)
        : kind == EXPLAIN_COPY ? streams_of_hardware(&explain->streams, STREAMS_COPY, operation->id)
                               : NULL;

    return made ? streams_name(&explain->streams, made, to) : NULL;
}

static void describe_label(const struct explain *explain, enum explain_kind kind,
                           const struct explain_operation *operation, char to[STREAMS_NAME_BYTES])
{
    if (!label_of(explain, kind, operation, to))
        (void)snprintf(to, STREAMS_NAME_BYTES, "%c%" PRIu32, kind == EXPLAIN_LAUNCH ? 'K' : 'C',
                       operation->number);
}

static void describe_copy(const struct explain *explain, const struct explain_operation *copy,
                          char *to, size_t bytes)
{
    char engine[EXPLAIN_NAME_BYTES], label[STREAMS_NAME_BYTES];

    explain_by_name(explain, (struct explain_by){EXPLAIN_BY_ENGINE, copy->work.engine}, engine);
    describe_label(explain, EXPLAIN_COPY, copy, label);
    (void)snprintf(to, bytes, "%s, %" PRIu64 " bytes on %s", label, copy->work.byte_count, engine);
}

/* With the name that it has in pictures. */
static void describe_block(const struct explain *explain, const struct explain_block *block,
                           char *to, size_t bytes)
{
    char label[STREAMS_NAME_BYTES];

    describe_label(explain, EXPLAIN_LAUNCH, &explain->operations[block->launch], label);
    (void)snprintf(to, bytes, "%s:%" PRIu32 ", on SM %" PRIu32, label, block->index, block->sm);
}

char *explain_describe(const struct explain *explain, struct explain_ref ref,
                       char to[EXPLAIN_WORDS_BYTES])
{
    const size_t bytes = EXPLAIN_WORDS_BYTES;
    const struct explain_operation *operation = &explain->operations[ref.index];
    char label[STREAMS_NAME_BYTES];

    switch (ref.kind) {
    case EXPLAIN_SUBMISSION:
        (void)snprintf(
            to, bytes, "%" PRIu32 " push%s, %" PRIu64 " bytes", operation->submission.push_count,
            operation->submission.push_count == 1 ? "" : "es", operation->submission.byte_count);
        break;
    case EXPLAIN_ENTRY:
        (void)snprintf(to, bytes, "%" PRIu32 " dwords%s", operation->entry.dword_count,
                       operation->entry.is_modelled ? ", the driver's own" : "");
        break;
    case EXPLAIN_LAUNCH:
        describe_label(explain, EXPLAIN_LAUNCH, operation, label);
        if (operation->id == UINT64_MAX)
            (void)snprintf(to, bytes, "%s, not yet in the dispatcher's queue", label);
        else
            (void)snprintf(to, bytes, "%s, %" PRIu32 " block%s of %" PRIu32 " threads", label,
                           operation->launch.block_count,
                           operation->launch.block_count == 1 ? "" : "s",
                           operation->launch.block_threads);
        break;
    case EXPLAIN_DRAW:
        (void)snprintf(to, bytes, "D%" PRIu32 ", class %04x, method 0x%x", operation->number,
                       (unsigned)operation->work.class_id, (unsigned)operation->work.method);
        break;
    case EXPLAIN_COPY:
        describe_copy(explain, operation, to, bytes);
        break;
    case EXPLAIN_SEMAPHORE:
        describe_semaphore(operation, to, bytes);
        break;
    case EXPLAIN_BLOCK:
        describe_block(explain, &explain->blocks[ref.index], to, bytes);
        break;
    case EXPLAIN_KINDS:
        break;
    }
    return to;
}

/* ---- finding --------------------------------------------------------------------------------- */

static bool entry_find(const struct explain *explain, const struct operation_name *name,
                       struct explain_ref *ref)
{
    if (name->number >> 44)
        return false;
    for (uint32_t i = 0; i < explain->channel_count; i++)
        if (explain->channels[i].id == name->channel &&
            explain->channels[i].binding == name->binding) {
            ref->index =
                id_map_find(&explain->by_id[EXPLAIN_ENTRY], (uint64_t)i << 44 ^ name->number);
            return ref->index != ID_MAP_NONE;
        }
    return false;
}

/* "K4", "S1/copy", as the scenario's program has it; the first one's number may be said. */
static bool label_find(const struct explain *explain, const char *name, size_t bytes,
                       struct explain_ref *ref)
{
    const bool is_first = bytes > 2 && strncmp(name + bytes - 2, "#1", 2) == 0;
    char label[STREAMS_NAME_BYTES];

    for (uint32_t i = 0; explain->streams.operation_count > 0 && i < explain->operation_count;
         i++) {
        const struct explain_operation *operation = &explain->operations[i];
        const char *of = label_of(explain, operation->kind, operation, label);
        const size_t length = of ? strlen(of) : 0;

        if (!of || strncmp(of, name, length) != 0 ||
            !(length == bytes || (is_first && length == bytes - 2)))
            continue;
        *ref = (struct explain_ref){operation->kind, i};
        return true;
    }
    return false;
}

/* K1, C2, D3, as gfe show numbers them: those that have no label. */
static bool turn_find(const struct explain *explain, const struct operation_name *name,
                      struct explain_ref *ref)
{
    char label[STREAMS_NAME_BYTES];

    for (uint32_t i = 0; i < explain->operation_count; i++) {
        const struct explain_operation *operation = &explain->operations[i];

        if (operation->kind == name->kind && operation->number == name->number &&
            !label_of(explain, name->kind, operation, label)) {
            *ref = (struct explain_ref){name->kind, i};
            return true;
        }
    }
    return false;
}

/* The operation, or that whose block is meant. */
static bool operation_find(const struct explain *explain, const char *text,
                           const struct operation_name *name, struct explain_ref *ref)
{
    if (name->form != OPERATION_BY_NUMBER)
        return label_find(explain, text, name->bytes, ref) ||
               (name->form == OPERATION_BY_TURN && turn_find(explain, name, ref));
    ref->kind = name->kind;
    if (name->kind == EXPLAIN_ENTRY)
        return entry_find(explain, name, ref);
    ref->index = id_map_find(&explain->by_id[name->kind], name->number);
    return ref->index != ID_MAP_NONE;
}

bool explain_find(const struct explain *explain, const char *text, struct explain_ref *ref)
{
    struct operation_name name;

    if (!operation_name_read(text, &name))
        return false;
    /* A label may have a colon of its own. */
    if (name.form != OPERATION_BY_NUMBER && label_find(explain, text, strlen(text), ref))
        return true;
    if (!operation_find(explain, text, &name, ref))
        return false;
    if (!name.has_block)
        return true;
    if (ref->kind != EXPLAIN_LAUNCH)
        return false;
    *ref = (struct explain_ref){
        EXPLAIN_BLOCK, id_map_find(&explain->block_by_id, (uint64_t)ref->index << 32 ^ name.block)};
    return ref->index != ID_MAP_NONE;
}
