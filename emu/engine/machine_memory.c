/* SPDX-License-Identifier: MIT */
/* Guest memory as a machine's units use it, and the watches on it: see emu/machine.h. */
#include <config.h>

#include "emu/engine/machine.h"

#include <string.h>

/* Apart, as hardly any machine has such memory. */
static __attribute__((noinline)) bool machine_host_read(struct machine *machine, uint64_t address,
                                                        void *data, size_t bytes)
{
    const struct machine_host *host = machine->host;

    return host && address >= MACHINE_HOST_BASE &&
           host->read(host->context, address - MACHINE_HOST_BASE, data, bytes);
}

static __attribute__((noinline)) bool machine_host_write(struct machine *machine, uint64_t address,
                                                         const void *data, size_t bytes)
{
    const struct machine_host *host = machine->host;

    return host && address >= MACHINE_HOST_BASE &&
           host->write(host->context, address - MACHINE_HOST_BASE, data, bytes);
}

bool machine_read(struct machine *machine, enum memory_aperture aperture, uint64_t address,
                  void *data, size_t bytes)
{
    return memory_read(&machine->memory, aperture, address, data, bytes) ||
           machine_host_read(machine, address, data, bytes);
}

void machine_watch(struct machine *machine, uint32_t unit, uint32_t kind, uint64_t argument,
                   enum memory_aperture aperture, uint64_t address)
{
    struct machine_state *state = machine->state;
    uint32_t i = 0;

    memory_hear(&machine->memory, MEMORY_WATCHED, aperture, address, 4);
    while (i < state->watch_count &&
           (state->watches[i].unit != unit || state->watches[i].kind != kind))
        i++;
    if (i == MACHINE_WATCHES_MAX) {
        machine_fail(machine, ERROR_LIMIT, "more than %d units wait for memory",
                     MACHINE_WATCHES_MAX);
        return;
    }
    if (i == state->watch_count)
        state->watch_count++;
    state->watches[i] = (struct machine_watch){
        .address = address, .argument = argument, .aperture = aperture, .unit = unit, .kind = kind};
}

/* Those that remain stay in their order. */
static void machine_unwatch(struct machine_state *state, uint32_t index)
{
    state->watch_count--;
    memmove(&state->watches[index], &state->watches[index + 1],
            (state->watch_count - index) * sizeof state->watches[0]);
    state->watches[state->watch_count] = (struct machine_watch){0};
}

static void machine_trigger_watches(struct machine *machine, enum memory_aperture aperture,
                                    uint64_t address, size_t bytes)
{
    struct machine_state *state = machine->state;
    uint32_t i = 0;

    while (i < state->watch_count) {
        const struct machine_watch watch = state->watches[i];

        if (watch.aperture != aperture || watch.address + 4 <= address ||
            watch.address >= address + bytes) {
            i++;
            continue;
        }
        machine_unwatch(state, i);
        machine_schedule(machine, watch.unit, machine_now(machine), watch.kind, watch.argument);
    }
}

void machine_touched(struct machine *machine, enum memory_aperture aperture, uint64_t address,
                     size_t bytes)
{
    machine_trigger_watches(machine, aperture, address, bytes);
}

static __attribute__((noinline)) void machine_no_memory(struct machine *machine)
{
    const struct memory *memory = &machine->memory;

    if (memory->slot_count >= memory->page_limit)
        machine_fail(machine, ERROR_LIMIT,
                     "the GPU's memory takes more than %llu bytes (--max-memory)",
                     (unsigned long long)memory->page_limit * MEMORY_PAGE_BYTES);
    else
        machine_fail(machine, ERROR_SYSTEM, "the host has no memory for guest memory");
}

static inline bool machine_store(struct machine *machine, enum memory_aperture aperture,
                                 uint64_t address, const void *data, size_t bytes)
{
    const enum memory_result result =
        memory_write(&machine->memory, aperture, address, data, bytes);

    if (result == MEMORY_EXHAUSTED)
        machine_no_memory(machine);
    return result == MEMORY_OK ||
           (result == MEMORY_OUTSIDE && machine_host_write(machine, address, data, bytes));
}

/* A function of its own, so that a write without a watch has fewer registers to save. */
static __attribute__((noinline)) bool machine_write_watched(struct machine *machine,
                                                            enum memory_aperture aperture,
                                                            uint64_t address, const void *data,
                                                            size_t bytes)
{
    if (!machine_store(machine, aperture, address, data, bytes))
        return false;
    machine_trigger_watches(machine, aperture, address, bytes);
    return true;
}

bool machine_write(struct machine *machine, enum memory_aperture aperture, uint64_t address,
                   const void *data, size_t bytes)
{
    return machine->state->watch_count > 0
               ? machine_write_watched(machine, aperture, address, data, bytes)
               : machine_store(machine, aperture, address, data, bytes);
}

/* A piece of a range of virtual addresses that lies in one place. */
struct machine_piece {
    enum memory_aperture aperture;
    uint64_t physical;
    size_t bytes;
};

/* The piece that begins at va, at most `bytes` long.  False when nothing is mapped there, or not
 * for this kind of access (`denied`: which bits of its access flags forbid it), or what is mapped
 * lies behind the end of its aperture. */
static inline bool machine_vm_piece(struct machine *machine, uint32_t space_id, uint64_t va,
                                    size_t bytes, uint32_t denied, struct machine_piece *piece)
{
    const struct address_space_range *range = address_space_locate(&machine->spaces, space_id, va);
    uint64_t into, end, left;

    if (!range || (range->access & denied) != 0)
        return false;
    piece->aperture = (enum memory_aperture)range->aperture;
    into = va - range->va;
    end = machine->memory.size_bytes[piece->aperture];
    if (range->physical >= end || into >= end - range->physical) {
        if (!machine->host || range->physical < MACHINE_HOST_BASE)
            return false;
        end = UINT64_MAX;
    }
    piece->physical = range->physical + into;
    left = range->size_bytes - into;
    if (left > end - piece->physical)
        left = end - piece->physical;
    piece->bytes = left < bytes ? (size_t)left : bytes;
    return true;
}

/* True when there is memory behind the whole range. */
static bool machine_vm_check(struct machine *machine, uint32_t space_id, uint64_t va, size_t bytes,
                             uint32_t denied, uint64_t *fault_address)
{
    struct machine_piece piece;

    for (size_t done = 0; done < bytes; done += piece.bytes) {
        *fault_address = va + done;
        if (va + done < va ||
            !machine_vm_piece(machine, space_id, va + done, bytes - done, denied, &piece))
            return false;
    }
    return true;
}

/* Keeps where the page lies in which an access of one piece begins, which has been made: mappings
 * are of whole pages. */
static void machine_page_keep(struct machine *machine, uint32_t space_id, uint64_t va)
{
    const uint64_t begin = va - va % MEMORY_PAGE_BYTES;
    const struct address_space_range *range = address_space_locate(&machine->spaces, space_id, va);
    uint8_t *bytes;
    bool is_own;

    if (!range || (range->access & ADDRESS_SPACE_WRITE_ONLY) != 0 ||
        range->physical >= MACHINE_HOST_BASE)
        return;
    bytes = memory_page_bytes(&machine->memory, (enum memory_aperture)range->aperture,
                              range->physical + (begin - range->va), &is_own);
    if (bytes)
        machine->pages[machine_page_index(space_id, va)] = (struct machine_page){
            .va = begin,
            .changes = machine_page_changes(machine),
            .read = bytes,
            .write = is_own && !(range->access & ADDRESS_SPACE_READ_ONLY) ? bytes : NULL,
            .space_id = space_id};
}

const struct machine_page *machine_page_again(const struct machine *machine,
                                              const struct machine_page **near, uint32_t space_id,
                                              uint64_t va, size_t bytes)
{
    const struct machine_page *page = machine_page(machine, space_id, va, bytes);

    if (page)
        *near = page;
    return page;
}

bool machine_vm_read_far(struct machine *machine, uint32_t space_id, uint64_t va, void *data,
                         size_t bytes, uint64_t *fault_address)
{
    struct machine_piece piece = {0};
    uint8_t *to = data;

    /* Nearly always there is one piece, and nothing to check before it. */
    if (machine_vm_piece(machine, space_id, va, bytes, ADDRESS_SPACE_WRITE_ONLY, &piece) &&
        piece.bytes == bytes) {
        machine_page_keep(machine, space_id, va);
        return machine_read(machine, piece.aperture, piece.physical, to, bytes);
    }
    if (!machine_vm_check(machine, space_id, va, bytes, ADDRESS_SPACE_WRITE_ONLY, fault_address))
        return false;
    for (; bytes > 0; bytes -= piece.bytes) {
        (void)machine_vm_piece(machine, space_id, va, bytes, ADDRESS_SPACE_WRITE_ONLY, &piece);
        (void)machine_read(machine, piece.aperture, piece.physical, to, piece.bytes);
        to += piece.bytes;
        va += piece.bytes;
    }
    return true;
}

bool machine_vm_write_far(struct machine *machine, uint32_t space_id, uint64_t va, const void *data,
                          size_t bytes, uint64_t *fault_address)
{
    struct machine_piece piece = {0};
    const uint8_t *from = data;

    *fault_address = va;
    if (machine_vm_piece(machine, space_id, va, bytes, ADDRESS_SPACE_READ_ONLY, &piece) &&
        piece.bytes == bytes) {
        if (!machine_write(machine, piece.aperture, piece.physical, from, bytes))
            return false;
        if (machine->state->watch_count == 0)
            machine_page_keep(machine, space_id, va);
        return true;
    }
    if (!machine_vm_check(machine, space_id, va, bytes, ADDRESS_SPACE_READ_ONLY, fault_address))
        return false;
    for (; bytes > 0; bytes -= piece.bytes) {
        *fault_address = va;
        /* The page may be gone if what was written lay over its own page tables; or the host has no
         * memory, and the run stops. */
        if (!machine_vm_piece(machine, space_id, va, bytes, ADDRESS_SPACE_READ_ONLY, &piece) ||
            !machine_write(machine, piece.aperture, piece.physical, from, piece.bytes))
            return false;
        from += piece.bytes;
        va += piece.bytes;
    }
    return true;
}
