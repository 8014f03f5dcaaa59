/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/check_machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/base/digest.h"
#include "emu/engine/machine_mark.h"

enum { CHECK_EVENTS_MAX = 4 << 20 };

static void must(bool so, const char *what)
{
    if (!so) {
        fprintf(stderr, "check_machine: %s\n", what);
        abort();
    }
}

/* ---- wiring ---------------------------------------------------------------------------------- */

static void check_woken(void *context)
{
    (void)context;
}

static const struct trace_record *check_record(void *context, uint32_t thread_index)
{
    static const struct trace_record none = {.head.kind = TRACE_MARK};

    (void)context;
    (void)thread_index;
    return &none;
}

static void check_map(struct check_machine *check, uint32_t space_id, uint64_t va,
                      uint64_t physical, uint64_t bytes)
{
    const struct address_space_range range = {
        .va = va, .size_bytes = bytes, .physical = physical, .space_id = space_id};

    must(address_space_map(&check->machine->spaces, &range) == ADDRESS_SPACE_OK, "cannot map");
}

/* What the manuals say of the chip; not taken from the models. */
static void check_generation(struct check_machine *check, uint32_t chip_id)
{
    check->long_entries = chip_id >= 0x140;
    check->runlists_apart = chip_id >= 0x160;
    check->runlist_blocks = chip_id >= 0x170;
    if (chip_id >= 0x140)
        check->doorbell = chip_id >= 0x160 ? 0xbb0090 : 0x810090;
}

static uint32_t check_block(const struct check_machine *check, uint32_t runlist_id)
{
    return check->model->runlists[runlist_id].pri_base;
}

/* Channels' doorbells are heard from here on: VIRTUAL_CHANNEL_CFG(0). */
static void check_enable_doorbells(struct check_machine *check)
{
    for (uint32_t i = 0; i < check->model->runlist_count; i++)
        machine_write32(check->machine, check_block(check, i) + 0x300, 0x800007ff);
}

static void check_begin(struct check_machine *check, const struct nv_chip *model, bool with_nouveau,
                        const uint32_t capacity[2], struct chunk_writer *log)
{
    const struct machine_config config = {
        .gpu = model->name,
        .vram_bytes = model->vram_bytes,
        .sysmem_bytes = model->sysmem_bytes,
        .event_capacity = capacity[0],
        .range_capacity = capacity[1],
        .log = log,
    };
    struct gfe_error error = {0};

    *check = (struct check_machine){.machine = machine_new(&config, &error)};
    must(check->machine != NULL, error.text);
    check->model = model;
    check_generation(check, model->chip_id);
    machine_add_tables(check->machine, &core_tables);
    check->gpu = model->wire(check->machine, model, &error);
    must(check->gpu != NULL, error.text);
    if (with_nouveau) {
        check->nouveau = nouveau_new(check->machine, model->chip_id, &error);
        must(check->nouveau != NULL, error.text);
        /* Nothing is submitted through the driver model here: only its interrupt handler works. */
        check->nouveau->client = (struct driver_client){.woken = check_woken};
        check->nouveau->record = check_record;
    }
    must(machine_seal(check->machine, &error), error.text);
    /* Tests need not bind their objects. */
    check->machine->choices[CHOICE_NV_GR_UNBOUND] = NV_GR_UNBOUND_CHIP;
    /* The first step starts the driver model, which sets up USERD in its own way. */
    (void)machine_run(check->machine, 0);
    check->space_id = address_space_new(&check->machine->spaces, MEMORY_VRAM, CHECK_ROOT);
    check_map(check, check->space_id, CHECK_VA, CHECK_MEMORY, CHECK_MEMORY_BYTES);
    if (!with_nouveau) {
        check_map(check, 0, CHECK_BAR1_USERD, CHECK_USERD, 0x1000);
        if (check->runlist_blocks)
            check_enable_doorbells(check);
        else if (!check->doorbell)
            machine_write32(check->machine, 0x2254, 1u << 28 | CHECK_BAR1_USERD >> 12);
    }
}

void check_machine_begin_model(struct check_machine *check, const struct nv_chip *model)
{
    check_begin(check, model, false, (const uint32_t[]){0, 0}, NULL);
}

void check_machine_begin_log(struct check_machine *check, struct chunk_writer *log)
{
    check_begin(check, nv_chip_by_name("gtx1060"), false, (const uint32_t[]){0, 0}, log);
}

struct nv_chip check_machine_ga100(void)
{
    struct nv_chip model = *nv_chip_by_name("rtx2060");

    model.name = "ga100";
    model.chip = "GA100";
    model.chip_id = 0x170;
    model.class_host = 0xc56f;
    model.channel_count = 2048;
    model.runlist_count = 2;
    model.pbdma_count = 3;
    for (uint32_t i = 0; i < NV_CHIP_PBDMAS_MAX; i++)
        model.pbdma_runlists[i] = i == 2 ? 2 : i < 2;
    for (uint32_t i = 0; i < NV_CHIP_RUNLISTS_MAX; i++)
        model.runlists[i] = (struct nv_chip_runlist){i < 2 ? CHECK_BLOCK(i) : 0, i == 0 ? 5 : 9};
    model.engine_count = 4; /* GR0, two GRCEs, LCE2 */
    for (uint32_t i = 0; i < model.engine_count; i++) {
        model.engines[i].runlist_id = i == 3;
        model.engines[i].rleng_id = (uint8_t)(i % 3);
    }
    return model;
}

uint32_t check_machine_channel_ram(struct check_machine *check, uint32_t runlist_id,
                                   uint32_t channel_id)
{
    return (machine_read32(check->machine, check_block(check, runlist_id) + 0x004) & ~15u) +
           4 * channel_id;
}

void check_machine_end(struct check_machine *check)
{
    machine_free(check->machine);
    nv_gpu_unwire(check->gpu);
    nouveau_free(check->nouveau);
    free(check->events);
    *check = (struct check_machine){0};
}

void check_machine_keep(struct check_machine_kept *kept, const struct check_machine *check)
{
    struct gfe_error error = {0};

    kept->check = *check;
    kept->mark = machine_mark_new(check->machine, &error);
    must(kept->mark != NULL, error.text);
}

void check_machine_again(const struct check_machine_kept *kept, struct check_machine *check)
{
    must(machine_mark_return(kept->mark, NULL), "cannot return to the mark");
    *check = kept->check;
}

void check_machine_rest(struct check_machine *check)
{
    free(check->events);
    *check = (struct check_machine){0};
}

void check_machine_kept_end(struct check_machine_kept *kept)
{
    machine_mark_free(kept->mark);
    check_machine_end(&kept->check);
    *kept = (struct check_machine_kept){0};
}

void check_machine_begin(struct check_machine *check, bool with_nouveau)
{
    check_begin(check, nv_chip_by_name("gtx1060"), with_nouveau, (const uint32_t[]){0, 0}, NULL);
}

void check_machine_begin_small(struct check_machine *check, bool with_nouveau)
{
    check_begin(check, nv_chip_by_name("gtx1060"), with_nouveau, (const uint32_t[]){4096, 256},
                NULL);
}

void check_machine_begin_on(struct check_machine *check, const char *gpu)
{
    check_begin(check, nv_chip_by_name(gpu), false, (const uint32_t[]){0, 0}, NULL);
}

/* ---- channels -------------------------------------------------------------------------------- */

static uint64_t check_userd(const struct check_machine *check, uint32_t channel_id)
{
    const uint64_t pool = check->nouveau ? check->nouveau->state->userd_pool : CHECK_USERD;

    return pool + 512 * (uint64_t)channel_id;
}

void check_machine_channel(struct check_machine *check, uint32_t channel_id)
{
    const uint64_t instance = CHECK_INSTANCES + UINT64_C(0x1000) * channel_id;
    const uint64_t userd = check_userd(check, channel_id);
    const uint64_t ring = CHECK_RING(channel_id), context = CHECK_CONTEXT(channel_id);
    const uint32_t target = check->long_entries ? 0x3001f : 0x1f; /* Volta: CTX_VALIDs */
    const struct {
        uint32_t offset;
        uint64_t value;
    } words[] = {
        {0x08, userd & UINT32_MAX}, {0x0c, userd >> 32}, {0x10, 0xface},     {0x48, ring},
        {0x4c, 5u << 16}, /* 2^5 entries */
        {0x84, 0x20400000},         {0xac, target},      {0xe8, channel_id}, {0x200, CHECK_ROOT},
        {0x210, context | 4},
    };

    must(channel_id < CHECK_CHANNELS && 1u << 5 == CHECK_RING_ENTRIES, "no such channel");
    for (uint32_t i = 0; i < sizeof words / sizeof words[0]; i++)
        check_machine_poke_vram(check, instance + words[i].offset, (uint32_t)words[i].value);
    if (check->runlist_blocks) { /* USERD is not for RAMFC to say, nor a register the instance's */
        check_machine_poke_vram(check, instance + 0x08, 0);
        return;
    }
    machine_write32(check->machine, 0x800000 + 8 * channel_id,
                    1u << 31 | (uint32_t)(instance >> 12));
    machine_write32(check->machine, 0x800004 + 8 * channel_id, 0x400);
}

void check_machine_runlist_raw(struct check_machine *check, uint32_t runlist_id, uint32_t count,
                               const uint32_t *words)
{
    const uint64_t base = CHECK_RUNLISTS + UINT64_C(0x1000) * runlist_id;

    for (uint32_t i = 0; i < (check->long_entries ? 4 : 2) * count; i++)
        check_machine_poke_vram(check, base + 4 * i, words[i]);
    if (check->runlist_blocks) {
        machine_write32(check->machine, check_block(check, runlist_id) + 0x080, (uint32_t)base);
        machine_write32(check->machine, check_block(check, runlist_id) + 0x084,
                        (uint32_t)(base >> 32));
        machine_write32(check->machine, check_block(check, runlist_id) + 0x088, count);
        return;
    }
    if (check->runlists_apart) {
        machine_write32(check->machine, 0x2b00 + 16 * runlist_id, (uint32_t)base);
        machine_write32(check->machine, 0x2b04 + 16 * runlist_id, (uint32_t)(base >> 32));
        machine_write32(check->machine, 0x2b08 + 16 * runlist_id, count);
        return;
    }
    machine_write32(check->machine, 0x2270, (uint32_t)(base >> 12));
    machine_write32(check->machine, 0x2274, runlist_id << 20 | count);
}

void check_machine_runlist(struct check_machine *check, uint32_t runlist_id, uint32_t count,
                           const uint32_t *channel_ids)
{
    uint32_t words[8 * CHECK_CHANNELS] = {0};

    must(count <= CHECK_CHANNELS, "too many channels");
    for (uint32_t i = 0; i < count && check->long_entries; i++) {
        words[8 * i] = 128u << 24 | 3 << 16 | 1;
        words[8 * i + 1] = 1;
        words[8 * i + 2] = 32 + channel_ids[i];
        words[8 * i + 6] = channel_ids[i];
    }
    for (uint32_t i = 0; i < count && check->runlist_blocks; i++) {
        words[8 * i + 4] = (uint32_t)check_userd(check, channel_ids[i]);
        words[8 * i + 6] |= CHECK_INSTANCES + 0x1000 * channel_ids[i];
    }
    for (uint32_t i = 0; i < count && !check->long_entries; i++) {
        words[4 * i] = 0x0600e000 | (32 + channel_ids[i]);
        words[4 * i + 1] = 0;
        words[4 * i + 2] = channel_ids[i];
        words[4 * i + 3] = 0;
    }
    check_machine_runlist_raw(check, runlist_id, 2 * count, words);
    for (uint32_t i = 0; i < count; i++) {
        check->runlist_of[channel_ids[i]] = runlist_id;
        if (check->runlist_blocks) /* UPDATE_ENABLE_CHANNEL */
            machine_write32(check->machine,
                            check_machine_channel_ram(check, runlist_id, channel_ids[i]), 2);
    }
}

void check_machine_begin_channel(struct check_machine *check, bool with_nouveau)
{
    const uint32_t channel_id = 0;

    check_machine_begin(check, with_nouveau);
    check_machine_channel(check, channel_id);
    check_machine_runlist(check, 0, 1, &channel_id);
}

/* ---- submitting ------------------------------------------------------------------------------ */

uint64_t check_machine_dwords(struct check_machine *check, uint32_t channel_id,
                              const uint32_t *dwords, uint32_t count)
{
    const uint64_t address = CHECK_PUSH(channel_id) + check->push_at[channel_id];

    must(check->push_at[channel_id] + 4 * count <= 0x80000, "the pushbuffer is full");
    check_machine_fill(check, address, dwords, 4 * (size_t)count);
    check->push_at[channel_id] += 4 * count;
    return address;
}

void check_machine_ring(struct check_machine *check, uint32_t channel_id)
{
    const uint64_t bar1 = check->nouveau ? check->nouveau->state->userd_bar1 : CHECK_BAR1_USERD;

    machine_bar1_write32(check->machine, bar1 + 512 * (uint64_t)channel_id + 0x8c,
                         check->put[channel_id]);
    if (check->runlist_blocks)
        channel_id |= check->model->runlists[check->runlist_of[channel_id]].doorbell_id << 16;
    if (check->doorbell)
        machine_write32(check->machine, check->doorbell, channel_id);
}

void check_machine_entry(struct check_machine *check, uint32_t channel_id, uint32_t entry0,
                         uint32_t entry1, bool ring)
{
    const uint64_t at = CHECK_RING(channel_id) + 8 * (uint64_t)check->put[channel_id];

    check_machine_poke(check, at, entry0);
    check_machine_poke(check, at + 4, entry1);
    check->put[channel_id] = (check->put[channel_id] + 1) % CHECK_RING_ENTRIES;
    if (ring)
        check_machine_ring(check, channel_id);
}

void check_machine_segment(struct check_machine *check, uint32_t channel_id, uint64_t address,
                           uint32_t count, bool ring)
{
    check_machine_entry(check, channel_id, (uint32_t)address,
                        (uint32_t)(address >> 32) | count << 10, ring);
}

void check_machine_submit(struct check_machine *check, uint32_t channel_id, const uint32_t *dwords,
                          uint32_t count)
{
    check_machine_segment(check, channel_id, check_machine_dwords(check, channel_id, dwords, count),
                          count, true);
}

void check_machine_run(struct check_machine *check)
{
    uint32_t steps = 0;

    while (machine_step(check->machine))
        must(++steps < CHECK_EVENTS_MAX, "the run does not end");
    must(!machine_failed(check->machine), check->machine->error.text);
    check_machine_read_log(check);
}

/* ---- the log --------------------------------------------------------------------------------- */

static uint64_t check_varint(const uint8_t *bytes, uint64_t *at)
{
    uint64_t value = 0;

    for (unsigned shift = 0;; shift += 7) {
        const uint8_t byte = bytes[(*at)++];

        value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return value;
    }
}

static uint32_t check_arguments(const struct machine *machine, uint32_t kind)
{
    for (uint32_t t = 0; t < machine->table_count; t++) {
        const struct table_set *set = machine->tables[t];

        if (kind >= set->base && kind - set->base < set->event_count)
            return event_kind_argument_count(&set->events[kind - set->base]);
    }
    must(false, "the log holds an event of no kind");
    return 0;
}

struct log_event *check_machine_decode(const struct machine *machine, uint32_t *count)
{
    uint64_t bytes, at = 0, chunk = 0, time = 0;
    const uint8_t *log = event_log_bytes(&machine->log, &bytes);
    struct log_event *events = calloc(machine->log.cursor->event_count + 1, sizeof *events);
    struct log_event *before = calloc(EVENT_LOG_KINDS_MAX, sizeof *before); /* of each kind */

    must(events && before, "no memory");
    for (*count = 0; at < bytes; (*count)++) {
        struct log_event *event = &events[*count];
        uint64_t head;

        if (at - chunk >= 256 << 10) { /* differences start anew in each chunk */
            chunk = at;
            time = 0;
            memset(before, 0, EVENT_LOG_KINDS_MAX * sizeof *before);
        }
        head = check_varint(log, &at);
        *event = before[head >> 1];
        event->kind = (uint16_t)(head >> 1);
        event->time_ps = time += check_varint(log, &at);
        if (!(head & 1)) {
            const uint64_t source = check_varint(log, &at);
            event->unit = (uint16_t)(source >> 2);
            event->origin = source & 3;
            event->rule = (uint16_t)check_varint(log, &at);
        }
        event->argument_count = (uint8_t)check_arguments(machine, event->kind);
        for (uint32_t i = 0; i < event->argument_count; i++) {
            const uint64_t folded = check_varint(log, &at);
            event->argument[i] += folded & 1 ? ~(folded >> 1) : folded >> 1;
        }
        before[event->kind] = *event;
    }
    free(before);
    must(*count == machine->log.cursor->event_count, "events are missing in the log");
    return events;
}

void check_machine_read_log(struct check_machine *check)
{
    free(check->events);
    check->events = check_machine_decode(check->machine, &check->event_count);
}

const struct log_event *check_machine_event(const struct check_machine *check, uint32_t kind,
                                            uint32_t n)
{
    for (uint32_t i = 0; i < check->event_count; i++)
        if (check->events[i].kind == kind && n-- == 0)
            return &check->events[i];
    return NULL;
}

uint32_t check_machine_count(const struct check_machine *check, uint32_t kind)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < check->event_count; i++)
        count += check->events[i].kind == kind;
    return count;
}

uint32_t check_machine_count_rule(const struct check_machine *check, uint32_t kind, uint32_t rule)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < check->event_count; i++)
        count += check->events[i].kind == kind && check->events[i].rule == rule;
    return count;
}

void check_machine_log_hash(const struct machine *machine, char hex[65])
{
    uint64_t bytes;
    const uint8_t *log = event_log_bytes(&machine->log, &bytes);
    struct digest digest;

    digest_start(&digest);
    digest_add(&digest, log, (size_t)bytes);
    digest_end_hex(&digest, hex);
}

/* ---- memory ---------------------------------------------------------------------------------- */

void check_machine_fill(struct check_machine *check, uint64_t va, const void *data, size_t bytes)
{
    uint64_t fault;

    must(machine_vm_write(check->machine, check->space_id, va, data, bytes, &fault), "not mapped");
}

void check_machine_fetch(struct check_machine *check, uint64_t va, void *data, size_t bytes)
{
    uint64_t fault;

    must(machine_vm_read(check->machine, check->space_id, va, data, bytes, &fault), "not mapped");
}

uint32_t check_machine_peek(struct check_machine *check, uint64_t va)
{
    uint32_t value;

    check_machine_fetch(check, va, &value, sizeof value);
    return value;
}

void check_machine_poke(struct check_machine *check, uint64_t va, uint32_t value)
{
    check_machine_fill(check, va, &value, sizeof value);
}

uint32_t check_machine_peek_vram(struct check_machine *check, uint64_t address)
{
    uint32_t value = 0;

    must(machine_read(check->machine, MEMORY_VRAM, address, &value, sizeof value), "outside");
    return value;
}

void check_machine_poke_vram(struct check_machine *check, uint64_t address, uint32_t value)
{
    must(machine_write(check->machine, MEMORY_VRAM, address, &value, sizeof value), "outside");
}

void check_machine_hash(struct machine *machine, struct check_machine_hashes *hashes)
{
    check_machine_log_hash(machine, hashes->log);
    must(machine_hash(machine, hashes->machine), "no memory for a hash");
}
