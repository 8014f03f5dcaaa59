/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/faults/inject.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "emu/faults/inject_state.h"
#include "emu/faults/outcome.h"

enum inject_event {
    INJECT_DUE,  /* the time of a fault of state has come; argument: the fault */
    INJECT_HELD, /* what a fault held comes now; argument: the fault */
};

static void inject_event(void *unit, const struct event *event);
static const struct unit_ops inject_ops = {.event = inject_event};

static void inject_interrupt(struct machine *machine, uint32_t unit, uint64_t subject,
                             const void *data)
{
    (void)unit;
    (void)subject;
    (void)data;
    machine_raise_interrupt(machine);
}

const struct inject_site inject_emu_sites[INJECT_SITE_VENDOR] = {
    [INJECT_SITE_MEMORY] = {.name = "memory",
                            .unit = "memory",
                            .place = INJECT_MEMORY,
                            .models = INJECT_CHANGES,
                            .bytes = 4,
                            .subject = "vid:ADDRESS, sys:ADDRESS or SPACE:ADDRESS",
                            .doc = "a word of the GPU's memory, by physical or virtual address"},
    [INJECT_SITE_REGISTER] = {.name = "register",
                              .unit = "registers",
                              .place = INJECT_REGISTER,
                              .models = INJECT_CHANGES,
                              .bytes = 4,
                              .subject = "NAME[i].FIELD",
                              .doc = "a register or its field, by the manual's name (gfe regs)"},
    [INJECT_SITE_MAPPING] = {.name = "mapping",
                             .unit = "MMU",
                             .place = INJECT_MAPPING,
                             .models = INJECT_BIT(INJECT_UNMAP) | INJECT_BIT(INJECT_WRONG_PAGE) |
                                       INJECT_BIT(INJECT_READ_ONLY),
                             .subject = "SPACE:ADDRESS",
                             .doc = "the translation of a page of an address space"},
    [INJECT_SITE_INTERRUPT] = {.name = "interrupt",
                               .unit = "interrupts",
                               .place = INJECT_PASSAGE,
                               .models = INJECT_BIT(INJECT_DROP) | INJECT_BIT(INJECT_DELAY) |
                                         INJECT_BIT(INJECT_SPURIOUS),
                               .doc = "the interrupt line, on its way to the driver",
                               .deliver = inject_interrupt},
};

struct inject *inject_new(struct machine *machine, const struct inject_sites *sites)
{
    struct inject *inject = calloc(1, sizeof *inject);

    assert(INJECT_SITE_VENDOR + sites->count <= INJECT_SITES_MAX);
    if (!inject)
        return NULL;
    inject->machine = machine;
    inject->sites = *sites;
    inject->unit = machine_add_unit(machine, "inject", &inject_ops, inject);
    inject->state = machine_alloc(machine, sizeof *inject->state);
    machine->inject = inject;
    event_log_overhear(&machine->log);
    inject_state_watch(inject);
    return inject;
}

void inject_free(struct inject *inject)
{
    free(inject);
}

/* ---- what a fault does ----------------------------------------------------------------------- */

void inject_acts(struct inject *inject, uint32_t index, uint64_t subject, uint64_t old_value,
                 uint64_t new_value)
{
    const struct inject_fault *fault = &inject->faults[index];
    struct inject_fault_state *state = &inject->state->faults[index];

    if (state->acted++ == 0) {
        state->first_ps = machine_now(inject->machine);
        state->old_value = old_value;
        state->new_value = new_value;
        state->subject = subject;
    }
    MACHINE_LOG(inject->machine, inject->unit, EVENT_FAULT, RULE_NONE, index, fault->site,
                (uint64_t)fault->model, subject, old_value, new_value);
}

static bool inject_is_stuck(const struct inject_fault *fault)
{
    return fault->model == INJECT_STUCK_0 || fault->model == INJECT_STUCK_1;
}

/* ---- passages -------------------------------------------------------------------------------- */

static void inject_hold(struct inject *inject, uint32_t index, uint32_t unit, uint64_t subject,
                        const void *data, size_t bytes)
{
    struct inject_fault_state *state = &inject->state->faults[index];

    assert(bytes <= INJECT_HELD_MAX);
    state->is_holding = 1;
    state->held_unit = unit;
    state->held_subject = subject;
    state->held_bytes = (uint32_t)bytes;
    if (bytes > 0)
        memcpy(state->held, data, bytes);
}

static void inject_release(struct inject *inject, uint32_t index, gfe_ps after_ps)
{
    machine_schedule(inject->machine, inject->unit,
                     clock_add(machine_now(inject->machine), after_ps), INJECT_HELD, index);
}

/* Lets the fault act at this passage.  Returns false if what passes is lost. */
static bool inject_act(struct inject *inject, uint32_t index, uint32_t unit, uint64_t subject,
                       void *data, size_t bytes)
{
    const struct inject_fault *fault = &inject->faults[index];
    struct inject_fault_state *state = &inject->state->faults[index];
    const uint64_t before = inject_state_peek(fault, data, bytes);

    switch (fault->model) {
    case INJECT_DROP:
        inject_acts(inject, index, subject, before, 0);
        return false;
    case INJECT_DELAY:
    case INJECT_REORDER:
        inject_hold(inject, index, unit, subject, data, bytes);
        if (fault->model == INJECT_DELAY)
            inject_release(inject, index, fault->value);
        inject_acts(inject, index, subject, before, before);
        return false;
    case INJECT_DUPLICATE:
    case INJECT_SPURIOUS:
        if (inject_site(&inject->sites, fault->site)->deliver) {
            inject_hold(inject, index, unit, subject, data, bytes);
            inject_release(inject, index, 0);
        } else {
            inject->state->again = 1;
        }
        inject_acts(inject, index, subject, before, before);
        return true;
    default:
        if (inject_state_change(fault, data, bytes))
            inject_acts(inject, index, subject, before, inject_state_peek(fault, data, bytes));
        else
            state->is_futile = 1;
        return true;
    }
}

/* How often a fault acts; UINT64_MAX: for ever. */
static uint64_t inject_times(const struct inject_fault *fault)
{
    return fault->model == INJECT_DROP ? fault->value : inject_is_stuck(fault) ? UINT64_MAX : 1;
}

/* Will it never act again on what passes? */
static bool inject_is_over(const struct inject *inject, uint32_t index)
{
    const struct inject_fault *fault = &inject->faults[index];
    const struct inject_fault_state *state = &inject->state->faults[index];

    return state->acted >= inject_times(fault) || (state->is_futile && !inject_is_stuck(fault));
}

/* Does the fault's trigger hold at this passage of its subject, the passed-th? */
static bool inject_is_due(const struct inject *inject, uint32_t index)
{
    const struct inject_fault *fault = &inject->faults[index];
    const struct inject_fault_state *state = &inject->state->faults[index];

    if (inject_is_over(inject, index))
        return false;
    switch (fault->trigger.when) {
    case INJECT_AT_PASSAGE:
        return state->passed >= fault->trigger.count;
    case INJECT_AT_TIME:
        return machine_now(inject->machine) >= fault->trigger.time_ps;
    default:
        return state->is_on;
    }
}

/* What a fault held back to let another pass first follows it now. */
static void inject_overtaken(struct inject *inject, uint32_t index)
{
    if (inject->faults[index].model == INJECT_REORDER && inject->state->faults[index].is_holding)
        inject_release(inject, index, 0);
}

bool inject_waits(const struct inject *inject, uint32_t site)
{
    if (inject->ear.passed)
        return true;
    for (uint32_t i = 0; i < inject->fault_count; i++)
        if (inject->faults[i].site == site &&
            (inject->state->faults[i].is_holding || !inject_is_over(inject, i)))
            return true;
    return false;
}

bool inject_pass(struct inject *inject, uint32_t unit, uint32_t site, uint64_t subject, void *data,
                 size_t bytes)
{
    bool goes_on = true;

    assert(bytes <= INJECT_DATA_MAX);
    if (inject->state->delivering)
        return true;
    if (inject->ear.passed)
        inject->ear.passed(inject->ear.context, site, subject, data, bytes);
    for (uint32_t i = 0; goes_on && i < inject->fault_count; i++) {
        const struct inject_fault *fault = &inject->faults[i];

        if (fault->site != site || (fault->subject != INJECT_ANY && fault->subject != subject))
            continue;
        inject->state->faults[i].passed++;
        inject_overtaken(inject, i);
        if (inject_is_due(inject, i))
            goes_on = inject_act(inject, i, unit, subject, data, bytes);
    }
    return goes_on;
}

bool inject_comes_again(struct machine *machine)
{
    struct inject_state *state = machine->inject ? machine->inject->state : NULL;

    if (!state || !state->again)
        return false;
    state->again = 0;
    return true;
}

static void inject_deliver(struct inject *inject, uint32_t index)
{
    struct inject_fault_state *state = &inject->state->faults[index];
    const struct inject_site *site = inject_site(&inject->sites, inject->faults[index].site);

    if (!state->is_holding) /* it has followed another meanwhile */
        return;
    state->is_holding = 0;
    inject->state->delivering = 1;
    site->deliver(inject->machine, state->held_unit, state->held_subject, state->held);
    inject->state->delivering = 0;
}

/* ---- triggers -------------------------------------------------------------------------------- */

static bool inject_is_state(const struct inject *inject, uint32_t index)
{
    return inject_site(&inject->sites, inject->faults[index].site)->place != INJECT_PASSAGE;
}

static void inject_turn_on(struct inject *inject, uint32_t index)
{
    const struct inject_fault *fault = &inject->faults[index];
    struct inject_fault_state *state = &inject->state->faults[index];

    state->is_on = 1;
    if (inject_is_state(inject, index)) {
        inject_state_act(inject, index);
    } else if (fault->model == INJECT_SPURIOUS) { /* nothing has to pass for it */
        const uint64_t subject = fault->subject == INJECT_ANY ? 0 : fault->subject;

        inject_hold(inject, index, inject->unit, subject, NULL, 0);
        inject_acts(inject, index, subject, 0, 0);
        inject_deliver(inject, index);
    }
}

void inject_logged(struct inject *inject, uint32_t kind, uint32_t rule, const uint64_t *arguments)
{
    if (inject->observer)
        outcome_take(inject->observer, kind, rule, arguments);
    if (inject->ear.logged)
        inject->ear.logged(inject->ear.context, kind);
    for (uint32_t i = 0; i < inject->fault_count; i++)
        if (inject->faults[i].trigger.when == INJECT_AT_EVENT &&
            inject->faults[i].trigger.event_kind == kind)
            inject->state->faults[i].events++;
}

/* Reads the word of a trigger's register, or of a vendor's state.  Returns false if there is none
 * at present. */
static bool inject_word(struct inject *inject, const struct inject_trigger *trigger, uint32_t *word)
{
    const struct inject_sites *sites = &inject->sites;
    uint32_t before;

    if (trigger->site != INJECT_SITE_REGISTER)
        return inject_site(sites, trigger->site)
            ->read_state(inject->machine, trigger->subject, trigger->reg_offset, word);
    if (trigger->reg_bank == INJECT_NO_BANK) {
        *word = machine_read32(inject->machine, trigger->reg_offset);
        return true;
    }
    if (!sites->bank_select(inject->machine, trigger->reg_bank, &before))
        return false;
    *word = machine_read32(inject->machine, trigger->reg_offset);
    (void)sites->bank_select(inject->machine, before, &before);
    return true;
}

static bool inject_has_come(struct inject *inject, uint32_t index)
{
    const struct inject_trigger *trigger = &inject->faults[index].trigger;
    uint32_t word;

    if (trigger->when == INJECT_AT_EVENT)
        return inject->state->faults[index].events >= trigger->count;
    return trigger->when == INJECT_AT_VALUE && inject_word(inject, trigger, &word) &&
           (word & trigger->reg_mask) == trigger->reg_value;
}

void inject_look(struct inject *inject)
{
    for (uint32_t i = 0; i < inject->fault_count; i++) {
        if (!inject->state->faults[i].is_on) {
            if (inject_has_come(inject, i))
                inject_turn_on(inject, i);
        } else if (inject_is_state(inject, i) && inject_is_stuck(&inject->faults[i])) {
            inject_state_act(inject, i);
        }
    }
}

static void inject_event(void *unit, const struct event *event)
{
    struct inject *inject = unit;

    if (event->kind == INJECT_HELD)
        inject_deliver(inject, (uint32_t)event->argument);
    else
        inject_turn_on(inject, (uint32_t)event->argument);
}

void inject_wrote_own(struct inject *inject, enum memory_aperture aperture, uint64_t address,
                      uint32_t bytes)
{
    if (inject->observer)
        outcome_take_own(inject->observer, aperture, address, bytes);
}

void inject_vm_wrote_own(struct inject *inject, uint32_t space_id, uint64_t va, uint32_t bytes)
{
    while (bytes > 0) {
        const struct address_space_range *range =
            address_space_locate(&inject->machine->spaces, space_id, va);
        const uint64_t left = range ? range->size_bytes - (va - range->va) : 0;
        const uint32_t here = left < bytes ? (uint32_t)left : bytes;

        if (!range)
            return;
        inject_wrote_own(inject, (enum memory_aperture)range->aperture,
                         range->physical + (va - range->va), here);
        va += here;
        bytes -= here;
    }
}

void inject_arm(struct inject *inject, const struct inject_fault *faults, uint32_t count)
{
    const gfe_ps now = machine_now(inject->machine);

    assert(count <= INJECT_FAULTS_MAX);
    memcpy(inject->faults, faults, count * sizeof *faults);
    inject->fault_count = count;
    memset(inject->state->faults, 0, sizeof inject->state->faults);
    for (uint32_t i = 0; i < count; i++) {
        const gfe_ps at_ps = faults[i].trigger.time_ps;

        if (faults[i].trigger.when == INJECT_AT_TIME &&
            (inject_is_state(inject, i) || faults[i].model == INJECT_SPURIOUS))
            machine_schedule(inject->machine, inject->unit, at_ps > now ? at_ps : now, INJECT_DUE,
                             i);
    }
}

bool inject_spent(const struct inject *inject)
{
    for (uint32_t i = 0; i < inject->fault_count; i++) {
        const struct inject_fault *fault = &inject->faults[i];
        const struct inject_fault_state *state = &inject->state->faults[i];

        if (state->is_holding || inject_is_stuck(fault))
            return false;
        if (state->acted > 0 && inject_state_is_walked(inject, fault))
            return false;
        if (inject_is_state(inject, i) ? !state->is_on : !inject_is_over(inject, i))
            return false;
    }
    return true;
}
