/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/engine/machine.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/log/event_log_batch.h"
#include "emu/engine/event_queue_step.h"
#include "emu/engine/passage.h"

enum {
    MACHINE_EVENT_CAPACITY = 1 << 14,
    MACHINE_RANGE_CAPACITY = 1 << 14,
    MACHINE_SPACE_CAPACITY = 1024,
    MACHINE_PAGE_LIMIT = 4 << 20, /* 16 GiB of guest memory that was really written */
};

/* ---- wiring ---------------------------------------------------------------------------------- */

static bool machine_init(struct machine *machine, struct gfe_error *error)
{
    const struct machine_config *config = &machine->config;

    if (!arena_init(&machine->arena, error) ||
        !memory_init(&machine->memory, config->vram_bytes, config->sysmem_bytes,
                     machine->memory.page_limit, error))
        return false;
    machine->state = arena_alloc(&machine->arena, sizeof *machine->state);
    machine->random = arena_alloc(&machine->arena, sizeof *machine->random);
    random_seed(machine->random, config->seed, 0);
    event_queue_init(&machine->queue, &machine->arena,
                     config->event_capacity ? config->event_capacity : MACHINE_EVENT_CAPACITY,
                     MACHINE_UNITS_MAX);
    address_spaces_init(&machine->spaces, &machine->arena, MACHINE_SPACE_CAPACITY,
                        config->range_capacity ? config->range_capacity : MACHINE_RANGE_CAPACITY);
    mmio_init(&machine->mmio, &machine->arena);
    event_log_init(&machine->log, arena_alloc(&machine->arena, sizeof *machine->log.cursor),
                   config->log);
    machine->state->next_operation_id = 1;
    return true;
}

void machine_configure(struct machine *machine, const struct machine_config *config)
{
    machine->config = *config;
    if (config->max_events == 0)
        machine->config.max_events = UINT64_MAX;
    if (config->max_time_ps == 0)
        machine->config.max_time_ps = GFE_PS_NEVER;
    memory_limit(&machine->memory, config->page_limit ? config->page_limit : MACHINE_PAGE_LIMIT);
}

struct machine *machine_new(const struct machine_config *config, struct gfe_error *error)
{
    struct machine *machine = calloc(1, sizeof *machine);

    if (!machine) {
        error_set(error, ERROR_SYSTEM, "no memory for a machine");
        return NULL;
    }
    machine_configure(machine, config);
    memset(machine->argument_counts, UINT8_MAX, sizeof machine->argument_counts);
    machine->interrupt_unit = MACHINE_UNITS_MAX;
    machine->bar1_unit = MACHINE_UNITS_MAX;
    if (!machine_init(machine, error)) {
        machine_free(machine);
        return NULL;
    }
    machine_add_tables(machine, &emu_tables);
    return machine;
}

void machine_free(struct machine *machine)
{
    if (!machine)
        return;
    event_log_fini(&machine->log);
    mmio_fini(&machine->mmio);
    memory_fini(&machine->memory);
    arena_fini(&machine->arena);
    free(machine);
}

void machine_add_tables(struct machine *machine, const struct table_set *tables)
{
    assert(machine->table_count < MACHINE_TABLES_MAX);
    machine->tables[machine->table_count++] = tables;
    for (uint32_t i = 0; i < tables->parameter_count; i++)
        machine->parameters[tables->base + i] = tables->parameters[i].value;
    for (uint32_t i = 0; i < tables->choice_count; i++)
        machine->choices[tables->base + i] = tables->choices[i].default_index;
    for (uint32_t i = 0; i < tables->event_count; i++) {
        machine->argument_counts[tables->base + i] =
            (uint8_t)event_kind_argument_count(&tables->events[i]);
    }
}

uint32_t machine_add_unit(struct machine *machine, const char *name, const struct unit_ops *ops,
                          void *unit)
{
    assert(machine->unit_count < MACHINE_UNITS_MAX);
    machine->units[machine->unit_count] = (struct unit){name, ops, unit};
    return machine->unit_count++;
}

struct mmio_window *machine_add_window(struct machine *machine, uint32_t unit,
                                       const struct reg_list *list, uint32_t base,
                                       uint32_t size_bytes, uint32_t instance)
{
    const struct mmio_window window = {
        .name = machine->units[unit].name,
        .list = list,
        .base = base,
        .size_bytes = size_bytes,
        .unit = unit,
        .instance = instance,
        .variants = machine->reg_variants,
    };

    return mmio_add(&machine->mmio, &machine->arena, window, &machine->error);
}

struct mmio_window *machine_add_part(struct machine *machine, uint32_t unit,
                                     const struct reg_list *list, uint32_t base, uint32_t start,
                                     uint32_t size_bytes)
{
    const struct mmio_window window = {
        .name = machine->units[unit].name,
        .list = list,
        .base = base,
        .start = start,
        .size_bytes = size_bytes,
        .unit = unit,
        .is_part = true,
        .variants = machine->reg_variants,
    };

    return mmio_add(&machine->mmio, &machine->arena, window, &machine->error);
}

uint32_t machine_add_timer(struct machine *machine)
{
    return event_queue_add_timer(&machine->queue);
}

void *machine_alloc(struct machine *machine, size_t bytes)
{
    return arena_alloc(&machine->arena, bytes);
}

const struct parameter *machine_parameter_row(const struct machine *machine, const char *id)
{
    for (uint32_t t = 0; t < machine->table_count; t++)
        for (uint32_t i = 0; i < machine->tables[t]->parameter_count; i++)
            if (strcmp(machine->tables[t]->parameters[i].id, id) == 0)
                return &machine->tables[t]->parameters[i];
    return NULL;
}

bool machine_set_parameter(struct machine *machine, const char *id, uint64_t value)
{
    for (uint32_t t = 0; t < machine->table_count; t++)
        for (uint32_t i = 0; i < machine->tables[t]->parameter_count; i++)
            if (strcmp(machine->tables[t]->parameters[i].id, id) == 0) {
                machine->parameters[machine->tables[t]->base + i] = value;
                return true;
            }
    return false;
}

bool machine_set_choice(struct machine *machine, const char *id, const char *alternative)
{
    for (uint32_t t = 0; t < machine->table_count; t++)
        for (uint32_t i = 0; i < machine->tables[t]->choice_count; i++) {
            const struct choice_point *choice = &machine->tables[t]->choices[i];

            for (uint32_t a = 0; a < CHOICE_ALTERNATIVES_MAX && choice->alternatives[a]; a++)
                if (strcmp(choice->id, id) == 0 &&
                    strcmp(choice->alternatives[a], alternative) == 0) {
                    machine->choices[machine->tables[t]->base + i] = a;
                    return true;
                }
        }
    return false;
}

bool machine_seal(struct machine *machine, struct gfe_error *error)
{
    arena_seal(&machine->arena);
    if (machine_failed(machine))
        return error_set(error, machine->error.kind, "%s", machine->error.text);
    return true;
}

/* ---- running --------------------------------------------------------------------------------- */

static void machine_prepare(struct machine *machine)
{
    machine->prepared = true;
    for (uint32_t i = 0; i < machine->unit_count; i++)
        if (machine->units[i].ops->prepare)
            machine->units[i].ops->prepare(machine->units[i].unit);
}

static void machine_start(struct machine *machine)
{
    if (!machine->prepared)
        machine_prepare(machine);
    if (machine->state->started)
        return;
    machine->state->started = 1;
    for (uint32_t i = 0; i < machine->unit_count; i++)
        if (machine->units[i].ops->start)
            machine->units[i].ops->start(machine->units[i].unit);
}

/* Returns the number of events after which one more passes the bound, or is the one to be lost. */
static uint64_t machine_event_limit(const struct machine *machine)
{
    const struct machine_config *config = &machine->config;

    if (config->lost_event <= machine->queue.state->popped_count ||
        config->lost_event > config->max_events)
        return config->max_events;
    return config->lost_event - 1;
}

/* Handles the next event if it lies before end_ps and fewer than `event_limit` have been handled;
 * the machine has not failed.  False when it did not, or has failed by it. */
static inline bool machine_handle(struct machine *machine, gfe_ps end_ps, uint64_t event_limit)
{
    const struct event_queue_first first = event_queue_first(&machine->queue);
    const struct unit *unit;
    struct event event;

    if (~first.urgency.time >= end_ps || /* GFE_PS_NEVER when there is none */
        machine->queue.state->popped_count >= event_limit)
        return false;
    event_queue_take(&machine->queue, first, &event);
    unit = &machine->units[event.unit];
    unit->ops->event(unit->unit, &event);
    if (RARELY(machine->inject != NULL))
        inject_look(machine->inject);
    event_queue_settle(&machine->queue);
    return !machine_failed(machine);
}

/* What machine_handle() did not handle before until_ps would pass a bound that the user has set. */
static void machine_check_limits(struct machine *machine, gfe_ps until_ps)
{
    const struct machine_config *config = &machine->config;

    if (machine_failed(machine) || event_queue_next_ps(&machine->queue) >= until_ps)
        return;
    if (machine->queue.state->popped_count >= config->max_events)
        machine_fail(machine, ERROR_LIMIT, "the run has more than %llu events (--max-events)",
                     (unsigned long long)config->max_events);
    else
        machine_fail(machine, ERROR_LIMIT, "simulated time passes %llu ps (--max-time)",
                     (unsigned long long)config->max_time_ps);
}

/* Before this time events are handled: before until_ps, and not later than max_time_ps. */
static gfe_ps machine_end_ps(const struct machine *machine, gfe_ps until_ps)
{
    return until_ps <= machine->config.max_time_ps ? until_ps : machine->config.max_time_ps + 1;
}

/* Takes the next event away, before end_ps, if it is the one to be lost. */
static bool machine_lose(struct machine *machine, gfe_ps end_ps)
{
    const struct event_queue_first first = event_queue_first(&machine->queue);
    struct event event;

    if (~first.urgency.time >= end_ps || machine_failed(machine) ||
        machine->queue.state->popped_count + 1 != machine->config.lost_event ||
        machine->config.lost_event > machine->config.max_events)
        return false;
    event_queue_take(&machine->queue, first, &event);
    event_queue_settle(&machine->queue);
    return true;
}

bool machine_step(struct machine *machine)
{
    const gfe_ps end_ps = machine_end_ps(machine, GFE_PS_NEVER);

    machine_start(machine);
    if (machine_failed(machine))
        return false;
    if (machine_handle(machine, end_ps, machine_event_limit(machine)) ||
        machine_lose(machine, end_ps))
        return true;
    machine_check_limits(machine, GFE_PS_NEVER);
    return false;
}

OFTEN bool machine_run(struct machine *machine, gfe_ps until_ps)
{
    const gfe_ps end_ps = machine_end_ps(machine, until_ps);

    machine_start(machine);
    if (!machine_failed(machine)) {
        do {
            const uint64_t event_limit = machine_event_limit(machine);

            while (machine_handle(machine, end_ps, event_limit))
                continue;
        } while (machine_lose(machine, end_ps));
    }
    machine_check_limits(machine, until_ps);
    return !machine_failed(machine);
}

void machine_finish(struct machine *machine)
{
    const gfe_ps next_ps = event_queue_next_ps(&machine->queue);

    machine->state->open_count = 0;
    if (next_ps != GFE_PS_NEVER)
        MACHINE_LOG(machine, 0, EVENT_RUN_CUT, RULE_NONE, next_ps);
    for (uint32_t i = 0; i < machine->unit_count; i++)
        if (machine->units[i].ops->finish)
            machine->units[i].ops->finish(machine->units[i].unit);
}

void machine_log_open(struct machine *machine, uint32_t unit, uint32_t rule,
                      const struct machine_wait *wait)
{
    machine->state->open_count++;
    MACHINE_LOG(machine, unit, EVENT_WAIT_OPEN, rule, wait->begin_ps, wait->subject_kind,
                wait->subject_id, wait->blocker_kind, wait->blocker_id);
}

void machine_log_lost(struct machine *machine, uint32_t unit, const struct machine_wait *wait)
{
    if (event_queue_next_ps(&machine->queue) == GFE_PS_NEVER)
        machine_log_open(machine, unit, RULE_GFE_LOST, wait);
}

void machine_log_holds(struct machine *machine, uint32_t unit, uint32_t subject_kind,
                       uint64_t subject_id, uint32_t held_kind, uint64_t held_id)
{
    MACHINE_LOG(machine, unit, EVENT_WAIT_HOLDS, RULE_NONE, subject_kind, subject_id, held_kind,
                held_id);
}

gfe_ps machine_next_ps(const struct machine *machine)
{
    return machine->state->started ? event_queue_next_ps(&machine->queue) : 0;
}

uint64_t machine_event_count(const struct machine *machine)
{
    return machine->queue.state->popped_count;
}

void machine_fail(struct machine *machine, enum error_kind kind, const char *format, ...)
{
    char text[sizeof machine->error.text];
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    error_set(&machine->error, kind, "%s", text);
}

/* ---- for units ------------------------------------------------------------------------------- */

/* Says why the queue refused an event. */
static void machine_refused(struct machine *machine, uint32_t unit)
{
    const struct event_queue_state *state = machine->queue.state;

    if (state->count == state->capacity)
        machine_fail(machine, ERROR_LIMIT,
                     "more than %u events are pending: a unit floods the queue", state->capacity);
    else
        machine_fail(machine, ERROR_LIMIT, "%s has had all the %llu events that it can have",
                     machine->units[unit].name, (unsigned long long)EVENT_QUEUE_SEQUENCES_MAX);
}

static void machine_past_time(struct machine *machine)
{
    machine_fail(machine, ERROR_LIMIT, "simulated time passes the 213 days that it can count");
}

OFTEN void machine_schedule(struct machine *machine, uint32_t unit, gfe_ps at_ps, uint32_t kind,
                            uint64_t argument)
{
    const struct event event = {.time_ps = at_ps, .unit = unit, .kind = kind, .argument = argument};

    if (RARELY(at_ps == GFE_PS_NEVER))
        machine_past_time(machine);
    else if (RARELY(!event_queue_push_here(&machine->queue, &event)))
        machine_refused(machine, unit);
}

bool machine_cancel(struct machine *machine, uint32_t unit, uint32_t kind)
{
    return event_queue_cancel(&machine->queue, unit, kind);
}

OFTEN void machine_set_timer(struct machine *machine, uint32_t timer, uint32_t unit, gfe_ps at_ps,
                             uint32_t kind, uint64_t argument)
{
    const struct event event = {.time_ps = at_ps, .unit = unit, .kind = kind, .argument = argument};

    if (RARELY(at_ps == GFE_PS_NEVER))
        machine_past_time(machine);
    else
        event_queue_set_timer(&machine->queue, timer, &event);
}

void machine_stop_timer(struct machine *machine, uint32_t timer)
{
    event_queue_stop_timer(&machine->queue, timer);
}

static inline struct event_log_source machine_log_source(const struct machine *machine,
                                                         uint32_t unit, uint32_t kind,
                                                         uint32_t rule, enum event_origin origin)
{
    return (struct event_log_source){
        .time_ps = machine_now(machine),
        .kind = (uint16_t)kind,
        .unit = (uint16_t)unit,
        .rule = (uint16_t)rule,
        .origin = (uint8_t)origin,
        .argument_count = machine->argument_counts[kind],
    };
}

/* Any event, where it is not just noted in line. */
static void machine_log_rest(struct machine *machine, uint32_t unit, uint32_t kind, uint32_t rule,
                             enum event_origin origin, const uint64_t *arguments)
{
    const struct event_log_source source = machine_log_source(machine, unit, kind, rule, origin);

    if (!event_log_put(&machine->log, source, arguments) &&
        !event_log_put_rest(&machine->log, source, arguments))
        machine_fail(machine, machine->log.error.kind, "%s", machine->log.error.text);
    if (machine->inject)
        inject_logged(machine->inject, kind, rule, arguments);
}

void machine_log_origin(struct machine *machine, uint32_t unit, uint32_t kind, uint32_t rule,
                        enum event_origin origin, const uint64_t arguments[EVENT_ARGUMENTS_MAX])
{
    machine_log_rest(machine, unit, kind, rule, origin, arguments);
}

void machine_log_values(struct machine *machine, uint32_t unit, uint32_t kind, uint32_t rule,
                        uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f,
                        uint64_t g, uint64_t h)
{
    const uint64_t arguments[EVENT_ARGUMENTS_MAX] = {a, b, c, d, e, f, g, h};

    machine_log_rest(machine, unit, kind, rule, ORIGIN_NONE, arguments);
}

uint64_t machine_operation_id(struct machine *machine)
{
    return machine->state->next_operation_id++;
}

void machine_raise_interrupt(struct machine *machine)
{
    const struct unit *unit;

    if (machine->state->interrupt_line || machine->interrupt_unit == MACHINE_UNITS_MAX)
        return;
    /* A message that is lost leaves no trace: the next cause sends another. */
    if (!machine_inject(machine, machine->interrupt_unit, INJECT_SITE_INTERRUPT, 0, NULL, 0))
        return;
    machine->state->interrupt_line = 1;
    unit = &machine->units[machine->interrupt_unit];
    unit->ops->interrupt(unit->unit);
}

/* ---- registers ------------------------------------------------------------------------------- */

/* Reports an access to something that no list names, and says whether there is a register. */
static struct mmio_window *machine_window(struct machine *machine, uint32_t offset,
                                          const struct reg_row **row, bool is_write, uint32_t value)
{
    struct mmio_window *window = mmio_find(&machine->mmio, offset);

    *row = window ? window->row_of_word[mmio_word(window, offset - window->base)] : NULL;
    if (*row)
        return window;
    if (mmio_report_once(&machine->mmio, offset, is_write))
        MACHINE_LOG(machine, 0, EVENT_UNMODELLED, RULE_NONE,
                    is_write ? UNMODELLED_REGISTER_WRITE : UNMODELLED_REGISTER_READ, offset, value);
    return NULL;
}

uint32_t machine_read32(struct machine *machine, uint32_t offset)
{
    const struct reg_row *row;
    const struct mmio_window *window = machine_window(machine, offset, &row, false, 0);
    const struct unit *unit;
    uint32_t stored;

    if (!window)
        return 0;
    unit = &machine->units[window->unit];
    stored = window->storage[mmio_word(window, reg_held_at(row, offset - window->base))] &
             mmio_masks(window, offset - window->base)->readable;
    return unit->ops->read ? unit->ops->read(unit->unit, window, offset - window->base, stored)
                           : stored;
}

/* Bits of a register that mean nothing, or nothing here. */
static void machine_report_bits(struct machine *machine, const struct reg_masks *masks,
                                uint32_t offset, uint32_t old, uint32_t value)
{
    uint32_t bits = (value & masks->reserved) | ((old ^ value) & masks->inert);

    if (bits != 0)
        bits = mmio_report_bits_once(&machine->mmio, offset, bits);
    if (bits != 0)
        MACHINE_LOG(machine, 0, EVENT_UNMODELLED, RULE_NONE, UNMODELLED_REGISTER_BITS, offset,
                    bits);
}

void machine_write32(struct machine *machine, uint32_t offset, uint32_t value)
{
    const struct reg_masks *masks;
    const struct reg_row *row;
    const struct mmio_window *window = machine_window(machine, offset, &row, true, value);
    const struct unit *unit;
    uint32_t *word, old;

    if (!window)
        return;
    unit = &machine->units[window->unit];
    word = &window->storage[mmio_word(window, reg_held_at(row, offset - window->base))];
    old = *word;
    masks = mmio_masks(window, offset - window->base);
    machine_report_bits(machine, masks, offset, old, value);
    *word = mmio_stored_by_write(masks, old, value);
    if (unit->ops->write)
        unit->ops->write(unit->unit, window, offset - window->base, old, value);
}

uint32_t machine_bar1_read32(struct machine *machine, uint64_t offset)
{
    uint32_t value = 0;
    uint64_t fault;

    (void)machine_vm_read(machine, 0, offset, &value, sizeof value, &fault);
    return value;
}

void machine_bar1_write32(struct machine *machine, uint64_t offset, uint32_t value)
{
    uint64_t fault;

    (void)machine_vm_write(machine, 0, offset, &value, sizeof value, &fault);
    if (machine->bar1_unit != MACHINE_UNITS_MAX) {
        const struct unit *unit = &machine->units[machine->bar1_unit];

        unit->ops->snoop(unit->unit, offset, value);
    }
}

bool machine_doorbell(struct machine *machine, uint32_t channel_id, uint64_t value)
{
    for (uint32_t i = 0; i < machine->unit_count; i++)
        if (machine->units[i].ops->doorbell) {
            machine->units[i].ops->doorbell(machine->units[i].unit, channel_id, value);
            return true;
        }
    return false;
}
