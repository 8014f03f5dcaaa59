/* SPDX-License-Identifier: MIT */
/* Names of operations, of services and of who is in the way. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "emu/args.h"
#include "emu/explain.h"

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
    case EXPLAIN_BY_OTHERS:
        (void)snprintf(to, EXPLAIN_NAME_BYTES, "and others");
        break;
    }
    return to;
}

/* ---- what it is ----------------------------------------------------------------------------- */

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

/* The scenario's name for it; NULL: it has none. */
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
        (void)snprintf(to, bytes, "%s, %" PRIu32 " block%s of %" PRIu32 " threads", label,
                       operation->launch.block_count, operation->launch.block_count == 1 ? "" : "s",
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
        (void)snprintf(to, bytes, "on SM %" PRIu32, explain->blocks[ref.index].sm);
        break;
    case EXPLAIN_KINDS:
        break;
    }
    return to;
}

/* ---- finding -------------------------------------------------------------------------------- */

/* A decimal number up to `end`, which is a character or 0; moves *text behind it. */
static bool number_take(const char **text, char end, uint64_t *value)
{
    char digits[24];
    size_t length = 0;

    while ((*text)[length] >= '0' && (*text)[length] <= '9')
        length++;
    if (length == 0 || length >= sizeof digits || (*text)[length] != end)
        return false;
    memcpy(digits, *text, length);
    digits[length] = 0;
    *text += length + (end != 0);
    return args_parse_number(digits, value);
}

static bool entry_find(const struct explain *explain, const char *text, struct explain_ref *ref)
{
    uint64_t channel, binding = 0, sequence;
    const char *with_binding = text;

    if (number_take(&with_binding, '.', &channel)) {
        text = with_binding;
        if (!number_take(&text, ':', &binding))
            return false;
    } else if (!number_take(&text, ':', &channel)) {
        return false;
    }
    if (!number_take(&text, 0, &sequence) || sequence >> 44)
        return false;
    for (uint32_t i = 0; i < explain->channel_count; i++)
        if (explain->channels[i].id == channel && explain->channels[i].binding == binding) {
            ref->index = id_map_find(&explain->by_id[EXPLAIN_ENTRY], (uint64_t)i << 44 ^ sequence);
            return ref->index != ID_MAP_NONE;
        }
    return false;
}

static bool block_find(const struct explain *explain, const char *text, struct explain_ref *ref)
{
    uint64_t launch, index;
    uint32_t operation;

    if (!number_take(&text, '.', &launch) || !number_take(&text, 0, &index) || index > UINT32_MAX)
        return false;
    operation = id_map_find(&explain->by_id[EXPLAIN_LAUNCH], launch);
    ref->index = operation == ID_MAP_NONE
                     ? ID_MAP_NONE
                     : id_map_find(&explain->block_by_id, (uint64_t)operation << 32 ^ index);
    return ref->index != ID_MAP_NONE;
}

/* "K4", "S1/copy", as the scenario's program has it; the first one's number may be said. */
static bool label_find(const struct explain *explain, const char *name, struct explain_ref *ref)
{
    const size_t bytes = strlen(name);
    const bool is_first = bytes > 2 && strcmp(name + bytes - 2, "#1") == 0;
    char label[STREAMS_NAME_BYTES];

    for (uint32_t i = 0; i < explain->operation_count; i++) {
        const struct explain_operation *operation = &explain->operations[i];

        if (!label_of(explain, operation->kind, operation, label))
            continue;
        if (strcmp(label, name) != 0 &&
            !(is_first && strlen(label) == bytes - 2 && strncmp(label, name, bytes - 2) == 0))
            continue;
        *ref = (struct explain_ref){operation->kind, i};
        return true;
    }
    return false;
}

/* K1, C2, D3, as gfe show numbers them. */
static bool short_find(const struct explain *explain, const char *name, struct explain_ref *ref)
{
    char label[STREAMS_NAME_BYTES];
    static const char letters[EXPLAIN_KINDS + 1] = "--KDC--";
    const char *letter = strchr(letters, *name);
    uint64_t number;

    if (!letter || *name == 0 || *name == '-' || (name++, !number_take(&name, 0, &number)))
        return false;
    ref->kind = (enum explain_kind)(letter - letters);
    for (uint32_t i = 0; i < explain->operation_count; i++)
        if (explain->operations[i].kind == ref->kind && explain->operations[i].number == number &&
            !label_of(explain, ref->kind, &explain->operations[i], label)) {
            ref->index = i;
            return true;
        }
    return false;
}

bool explain_find(const struct explain *explain, const char *name, struct explain_ref *ref)
{
    const char *colon = strchr(name, ':');
    const char *number = colon ? colon + 1 : "";
    uint64_t id;

    for (uint32_t kind = 0; colon && kind < EXPLAIN_KINDS; kind++) {
        if (strlen(kind_names[kind]) != (size_t)(colon - name) ||
            strncmp(kind_names[kind], name, (size_t)(colon - name)) != 0)
            continue;
        ref->kind = (enum explain_kind)kind;
        if (kind == EXPLAIN_ENTRY)
            return entry_find(explain, number, ref);
        if (kind == EXPLAIN_BLOCK)
            return block_find(explain, number, ref);
        if (!number_take(&number, 0, &id))
            return false;
        ref->index = id_map_find(&explain->by_id[kind], id);
        return ref->index != ID_MAP_NONE;
    }
    if (explain->streams.operation_count > 0 && label_find(explain, name, ref))
        return true;
    return !colon && short_find(explain, name, ref);
}
