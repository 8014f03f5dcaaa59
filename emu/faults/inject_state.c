/* SPDX-License-Identifier: MIT */
/* What a fault changes, and state that it is in: see emu/inject.h. */
#include <config.h>

#include "emu/faults/inject_state.h"

#include <string.h>

/* ---- bits ------------------------------------------------------------------------------------ */

uint64_t inject_state_peek(const struct inject_fault *fault, const uint8_t *data, size_t bytes)
{
    const uint32_t bit = fault->bits_given > 0 ? fault->bits[0] : fault->bit_low;
    const size_t from = bit / 32 * 4;
    uint64_t word = 0;

    if (from < bytes)
        memcpy(&word, data + from, bytes - from < 4 ? bytes - from : 4);
    return word;
}

static void state_set_bit(uint8_t *data, uint32_t bit, bool one)
{
    const uint8_t mask = (uint8_t)(1u << bit % 8);

    data[bit / 8] = (uint8_t)(one ? data[bit / 8] | mask : data[bit / 8] & ~mask);
}

bool inject_state_change(const struct inject_fault *fault, uint8_t *data, size_t bytes)
{
    uint8_t before[INJECT_DATA_MAX];
    const size_t bits = 8 * bytes;

    memcpy(before, data, bytes);
    if (fault->model == INJECT_VALUE)
        for (uint32_t i = 0; i < fault->bit_count && fault->bit_low + i < bits; i++)
            state_set_bit(data, fault->bit_low + i, i < 64 && fault->value >> i & 1);
    else if (fault->bits_given == 0)
        for (uint32_t i = 0; i < fault->bit_count && fault->bit_low + i < bits; i++)
            state_set_bit(data, fault->bit_low + i, fault->model == INJECT_STUCK_1);
    for (uint32_t i = 0; i < fault->bits_given && fault->bits[i] < bits; i++)
        if (fault->model == INJECT_FLIP)
            data[fault->bits[i] / 8] ^= (uint8_t)(1u << fault->bits[i] % 8);
        else
            state_set_bit(data, fault->bits[i], fault->model == INJECT_STUCK_1);
    return memcmp(before, data, bytes) != 0;
}

bool inject_would_change(const struct inject_fault *fault, const void *data, size_t bytes)
{
    uint8_t copy[INJECT_DATA_MAX];

    memcpy(copy, data, bytes);
    return inject_state_change(fault, copy, bytes);
}

static void state_futile(struct inject *inject, uint32_t index)
{
    inject->state->faults[index].is_futile = 1;
}

/* ---- memory and registers -------------------------------------------------------------------- */

static void state_memory(struct inject *inject, uint32_t index)
{
    const struct inject_fault *fault = &inject->faults[index];
    struct machine *machine = inject->machine;
    enum memory_aperture aperture = (enum memory_aperture)fault->aperture;
    uint64_t address = fault->address;
    uint8_t data[4];
    uint64_t before;

    if (fault->aperture == MEMORY_APERTURE_COUNT) {
        const struct address_space_range *range =
            address_space_locate(&machine->spaces, fault->space_id, address);

        if (!range)
            return;
        aperture = (enum memory_aperture)range->aperture;
        address = range->physical + (address - range->va);
    }
    if (!machine_read(machine, aperture, address, data, sizeof data))
        return;
    before = inject_state_peek(fault, data, sizeof data);
    if (!inject_state_change(fault, data, sizeof data)) {
        state_futile(inject, index);
        return;
    }
    (void)machine_write(machine, aperture, address, data, sizeof data);
    inject_acts(inject, index, address, before, inject_state_peek(fault, data, sizeof data));
}

/* The stored word is changed, and the unit is told as if it had been written so: many units keep
 * what a register says elsewhere. */
static void state_register_shown(struct inject *inject, uint32_t index)
{
    const struct inject_fault *fault = &inject->faults[index];
    struct machine *machine = inject->machine;
    struct mmio_window *window = mmio_find(&machine->mmio, fault->reg_offset);
    const uint32_t offset = fault->reg_offset - window->base;
    const struct reg_row *row = window->row_of_word[mmio_word(window, offset)];
    const struct unit *unit = &machine->units[window->unit];
    uint32_t *stored, old, now;

    if (!row)
        return;
    stored = &window->storage[mmio_word(window, reg_held_at(row, offset))];
    old = now = *stored;
    if (!inject_state_change(fault, (uint8_t *)&now, sizeof now)) {
        state_futile(inject, index);
        return;
    }
    *stored = now;
    if (unit->ops->write)
        unit->ops->write(unit->unit, window, offset, old, now);
    inject_acts(inject, index, fault->reg_offset, old, now);
}

static void state_register(struct inject *inject, uint32_t index)
{
    const uint32_t bank = inject->faults[index].reg_bank;
    uint32_t before;

    if (bank == INJECT_NO_BANK) {
        state_register_shown(inject, index);
    } else if (inject->sites.bank_select(inject->machine, bank, &before)) {
        state_register_shown(inject, index);
        (void)inject->sites.bank_select(inject->machine, before, &before);
    }
}

/* ---- translations ---------------------------------------------------------------------------- */

static bool state_page_changes(const struct inject_fault *fault,
                               const struct address_space_range *page)
{
    return fault->model == INJECT_READ_ONLY    ? !(page->access & ADDRESS_SPACE_READ_ONLY)
           : fault->model == INJECT_WRONG_PAGE ? fault->value != 0
                                               : true;
}

/* Changes the page as the fault says.  Returns false if there is no page any more. */
static bool state_page(const struct inject_fault *fault, struct address_space_range *page)
{
    if (fault->model == INJECT_WRONG_PAGE)
        page->physical += fault->value * MEMORY_PAGE_BYTES;
    else if (fault->model == INJECT_READ_ONLY)
        page->access |= ADDRESS_SPACE_READ_ONLY;
    return fault->model != INJECT_UNMAP;
}

static void state_page_cut(struct address_space_range *page, uint64_t va)
{
    const uint64_t cut = (va & ~(uint64_t)(MEMORY_PAGE_BYTES - 1)) - page->va;

    page->va += cut;
    page->physical += cut;
    page->size_bytes = MEMORY_PAGE_BYTES;
}

/* address_space_walker.changed: a larger page with one that a fault has changed is found in pieces,
 * so that the others of it stay as they are. */
static bool state_found(void *context, uint32_t space_id, uint64_t va,
                        struct address_space_range *page)
{
    const struct inject *inject = context;

    for (uint32_t i = 0; i < inject->fault_count; i++) {
        const struct inject_fault *fault = &inject->faults[i];

        if (fault->site != INJECT_SITE_MAPPING || fault->space_id != space_id ||
            inject->state->faults[i].acted == 0 || fault->address - page->va >= page->size_bytes)
            continue;
        state_page_cut(page, va);
        if (fault->address - page->va < page->size_bytes && !state_page(fault, page))
            return false;
    }
    return true;
}

void inject_state_watch(struct inject *inject)
{
    inject->machine->spaces.walker.changed = state_found;
    inject->machine->spaces.walker.injector = inject;
}

bool inject_state_is_walked(const struct inject *inject, const struct inject_fault *fault)
{
    const struct address_spaces *spaces = &inject->machine->spaces;

    return fault->site == INJECT_SITE_MAPPING && fault->space_id < spaces->state->space_count &&
           spaces->spaces[fault->space_id].form != 0;
}

static void state_mapping(struct inject *inject, uint32_t index)
{
    const struct inject_fault *fault = &inject->faults[index];
    struct address_spaces *spaces = &inject->machine->spaces;
    const struct address_space_range *range =
        address_space_locate(spaces, fault->space_id, fault->address);
    struct address_space_range page;
    uint64_t before;

    if (!range)
        return;
    page = *range;
    state_page_cut(&page, fault->address);
    before = page.physical;
    if (!state_page_changes(fault, &page)) {
        state_futile(inject, index);
        return;
    }
    if (inject_state_is_walked(inject, fault)) {
        address_space_invalidate(spaces, fault->space_id, &page.va); /* state_found() comes next */
        (void)state_page(fault, &page);
    } else if (!address_space_unmap(spaces, fault->space_id, page.va, MEMORY_PAGE_BYTES)) {
        return; /* the table is full */
    } else if (state_page(fault, &page)) {
        (void)address_space_map(spaces, &page);
    }
    inject_acts(inject, index, page.va, before, fault->model == INJECT_UNMAP ? 0 : page.physical);
}

/* ---- a vendor's ------------------------------------------------------------------------------ */

/* The words in which the fault's bits lie, [*first, *last]. */
static void state_words(const struct inject_fault *fault, uint32_t *first, uint32_t *last)
{
    uint32_t low = fault->bit_low, high = fault->bit_low + fault->bit_count - 1;

    for (uint32_t i = 0; i < fault->bits_given; i++) {
        low = i == 0 || fault->bits[i] < low ? fault->bits[i] : low;
        high = i == 0 || fault->bits[i] > high ? fault->bits[i] : high;
    }
    *first = low / 32;
    *last = high / 32;
}

/* What has not changed although it was written cannot be changed there. */
static void state_vendor(struct inject *inject, uint32_t index)
{
    const struct inject_fault *fault = &inject->faults[index];
    const struct inject_site *site = inject_site(&inject->sites, fault->site);
    uint32_t old[INJECT_DATA_MAX / 4], now[INJECT_DATA_MAX / 4], first, last;
    uint32_t written = UINT32_MAX;

    state_words(fault, &first, &last);
    memset(old, 0, (last + 1) * sizeof *old);
    for (uint32_t i = first; i <= last; i++)
        if (!site->read_state(inject->machine, fault->subject, i, &old[i]))
            return;
    memcpy(now, old, (last + 1) * sizeof *old);
    if (!inject_state_change(fault, (uint8_t *)now, (last + 1) * sizeof *now)) {
        state_futile(inject, index);
        return;
    }
    for (uint32_t i = first; i <= last; i++) {
        uint32_t word = old[i];

        if (now[i] == old[i])
            continue;
        site->write_state(inject->machine, fault->subject, i, now[i]);
        (void)site->read_state(inject->machine, fault->subject, i, &word);
        if (word != old[i] && written == UINT32_MAX)
            written = i;
    }
    if (written != UINT32_MAX)
        inject_acts(inject, index, fault->subject, old[written], now[written]);
    else
        state_futile(inject, index);
}

void inject_state_act(struct inject *inject, uint32_t index)
{
    switch (inject_site(&inject->sites, inject->faults[index].site)->place) {
    case INJECT_MEMORY:
        state_memory(inject, index);
        break;
    case INJECT_REGISTER:
        state_register(inject, index);
        break;
    case INJECT_MAPPING:
        state_mapping(inject, index);
        break;
    default:
        state_vendor(inject, index);
        break;
    }
}
