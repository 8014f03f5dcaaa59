/* SPDX-License-Identifier: MIT */
/*
 * A machine: one GPU with its memory, registers, clock and log, and the models of the software that
 * drives it, as a set of units joined by events.
 *
 * Who builds a machine: machine_new() makes it empty; the GPU model's wiring
 * (devices/nvidia/nv_chip.h) adds units, windows and tables; a driver model and the replay join as
 * units; machine_seal() ends the wiring.  From then on all mutable state lies in the arena and in
 * guest memory, so that machine_take() and machine_restore() work between any two events, also into
 * a second machine that was wired the same way.
 *
 * Units are numbered in the order of wiring, and that number is their rank at equal times.
 */
#ifndef GFE_EMU_MACHINE_H
#define GFE_EMU_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "emu/engine/address_space.h"
#include "emu/engine/arena.h"
#include "emu/base/clock.h"
#include "emu/base/error.h"
#include "emu/log/event_list.h"
#include "emu/log/event_log.h"
#include "emu/log/event_log_batch.h"
#include "emu/log/event_struct.h"
#include "emu/engine/event_queue.h"
#include "emu/engine/memory.h"
#include "emu/engine/mmio.h"
#include "emu/engine/random.h"
#include "emu/base/often.h"
#include "emu/log/rule.h"

enum { MACHINE_UNITS_MAX = 128, MACHINE_TABLES_MAX = 12, MACHINE_BARS = 2 };

struct inject;
struct machine;

/* Memory of a running program that the GPU sees (emu/live/live_kfd.h): it lies at physical
 * addresses from MACHINE_HOST_BASE on, in either aperture, and the host's owner reads and writes
 * it.  It is no part of snapshots, and stores of the program are not seen: machine_touched() tells
 * of them. */
#define MACHINE_HOST_BASE (UINT64_C(1) << 62)
struct machine_host {
    /* False: nothing is there.  Addresses count from MACHINE_HOST_BASE. */
    bool (*read)(void *context, uint64_t address, void *data, size_t bytes);
    bool (*write)(void *context, uint64_t address, const void *data, size_t bytes);
    void *context;
};

/* What a unit does.  Members may be NULL.  `unit` is what machine_add_unit() was given. */
struct unit_ops {
    /* An event of the unit's own is due. */
    void (*event)(void *unit, const struct event *event);
    /* A register is read: what the reader sees.  `stored` is the word in the window. */
    uint32_t (*read)(void *unit, const struct mmio_window *window, uint32_t offset,
                     uint32_t stored);
    /* A register was written: the window already holds what its access kind leaves. */
    void (*write)(void *unit, const struct mmio_window *window, uint32_t offset, uint32_t old,
                  uint32_t written);
    /* A store of the CPU into BAR1 (the aperture through which the driver sees memory), already in
     * memory: the snooping units look at it. */
    void (*snoop)(void *unit, uint64_t bar_offset, uint32_t value);
    /* A doorbell store of layer BUS, which names the channel: made where the chip has its doorbell.
     */
    void (*doorbell)(void *unit, uint32_t channel_id, uint64_t value);
    /* The interrupt line rose (asked of the driver model only). */
    void (*interrupt)(void *unit);
    /* Called once before the first event that this machine handles, also where its state is of
     * another: what follows from parameters and lies outside the arena can be made here. */
    void (*prepare)(void *unit);
    /* Called once before the first event of the run. */
    void (*start)(void *unit);
    /* Called when no event is left: log what still waits.  May schedule events. */
    void (*finish)(void *unit);
};

struct unit {
    const char *name;
    const struct unit_ops *ops;
    void *unit;
};

/* Enough for each thread of a program (256), each PBDMA and the driver models, two for each stream.
 */
enum { MACHINE_WATCHES_MAX = 320 + 2 * 4096 };

GFE_STATE_BEGIN
/* An event to schedule at the next write to a word of guest memory; then it is gone. */
struct machine_watch {
    uint64_t address;
    uint64_t argument;
    uint32_t aperture;
    uint32_t unit;
    uint32_t kind;
    uint32_t reserved;
};

struct machine_state {
    uint32_t interrupt_line; /* 1 while raised and not yet taken by the driver model */
    uint32_t started;
    uint64_t next_operation_id;
    uint32_t watch_count;
    uint32_t ended; /* 1 when nothing is left to do and the end is logged (emu/sim/simulation.h) */
    struct machine_watch watches[MACHINE_WATCHES_MAX]; /* the first watch_count */
};
GFE_STATE_END

/* Where a page of virtual memory was found: not state, for an entry holds only as long as nothing
 * that it was found by has changed (machine_page_changes()). */
struct machine_page {
    uint64_t va;      /* a multiple of MEMORY_PAGE_BYTES */
    uint64_t changes; /* as it was found; 0: there is none */
    const uint8_t *read;
    uint8_t *write; /* NULL: the first write has to look */
    uint32_t space_id;
    uint32_t reserved[7]; /* as long as a line of a cache */
};
enum { MACHINE_PAGE_BITS = 8, MACHINE_PAGES = 1 << MACHINE_PAGE_BITS };

struct machine_config {
    const char *gpu; /* name, for the log */
    uint64_t vram_bytes, sysmem_bytes;
    uint64_t page_limit;     /* guest pages on the host; 0 = default */
    uint32_t event_capacity; /* 0 = default */
    uint32_t range_capacity; /* address-space ranges; 0 = default */
    uint64_t seed;
    uint32_t batch_limit; /* private steps per event; 0 = no limit.  Changes nothing in the log */
    uint64_t max_events;  /* the run stops with an error before it handles more; 0 = no limit */
    gfe_ps max_time_ps;   /* likewise before an event later than this; 0 = no limit */
    struct chunk_writer *log; /* NULL: the log is kept in memory */
};

struct machine {
    struct machine_config config;
    struct arena arena;
    struct machine_state *state;
    struct memory memory;
    struct address_spaces spaces;
    struct event_queue queue;
    struct mmio mmio;
    uint32_t reg_variants; /* which variant of the register lists (emu/engine/reg.h) the windows
                            * added from now on have; 0 = all */
    struct event_log log;
    struct random_state *random;
    struct unit units[MACHINE_UNITS_MAX];
    uint32_t unit_count;
    uint32_t interrupt_unit; /* the driver model's; MACHINE_UNITS_MAX = none */
    uint32_t bar1_unit;      /* who translates and snoops BAR1 */
    const struct table_set *tables[MACHINE_TABLES_MAX];
    uint32_t table_count;
    uint64_t parameters[TABLE_END];     /* by parameter number; constant after the wiring */
    uint32_t choices[TABLE_END];        /* by choice-point number; likewise */
    uint8_t argument_counts[TABLE_END]; /* by event kind; UINT8_MAX: there is none */
    /* Optional callback, set by the replay: machine_completed() calls it. */
    void (*released)(void *context, uint32_t space_id, uint64_t address, uint32_t value);
    void *released_context;
    const char *duration_sources; /* where execution times came from, for the summary */
    bool prepared;                /* units' prepare() was called */
    /* Choice points that the run depended on, in the order in which it came to them; no state. */
    bool is_met[TABLE_END];
    uint32_t met[TABLE_END], met_count;
    struct gfe_error error;          /* why the run had to stop; ERROR_NONE while all is well */
    struct inject *inject;           /* faults (emu/faults/inject.h); NULL: none can be injected */
    const struct machine_host *host; /* NULL: the GPU sees no program's own memory */
    struct machine_page pages[MACHINE_PAGES];
};

/* ---- wiring ---------------------------------------------------------------------------------- */

/* An empty machine; NULL with a message when the host has no memory.  `config` is copied, its
 * strings are borrowed for the machine's life. */
struct machine *machine_new(const struct machine_config *config, struct gfe_error *error);
void machine_free(struct machine *machine);
/* Adds the tables' rules, events and parameters (with their defaults). */
void machine_add_tables(struct machine *machine, const struct table_set *tables);
/* Returns the unit's number.  `name` is borrowed for the machine's life. */
uint32_t machine_add_unit(struct machine *machine, const char *name, const struct unit_ops *ops,
                          void *unit);
/* Places a unit's register list at a BAR0 offset; `instance` tells like units apart.  NULL when the
 * host has no memory: machine_seal() then fails. */
struct mmio_window *machine_add_window(struct machine *machine, uint32_t unit,
                                       const struct reg_list *list, uint32_t base,
                                       uint32_t size_bytes, uint32_t instance);
/* The same for a part of a list, size_bytes from offset `start` on; the list is at `base`.  Hooks
 * get offsets in the list. */
struct mmio_window *machine_add_part(struct machine *machine, uint32_t unit,
                                     const struct reg_list *list, uint32_t base, uint32_t start,
                                     uint32_t size_bytes);
/* A timer (emu/engine/event_queue.h), for an event that is often put off or taken back.  Returns
 * its number. */
uint32_t machine_add_timer(struct machine *machine);
void *machine_alloc(struct machine *machine, size_t bytes); /* state, in the arena, zeroed */
/* The row of a parameter; NULL when there is none of that name. */
const struct parameter *machine_parameter_row(const struct machine *machine, const char *id);
/* Sets a parameter or chooses an alternative by name; false: no such name or alternative. */
bool machine_set_parameter(struct machine *machine, const char *id, uint64_t value);
bool machine_set_choice(struct machine *machine, const char *id, const char *alternative);
/* Ends the wiring.  False if anything failed on the way. */
bool machine_seal(struct machine *machine, struct gfe_error *error);

/* ---- running --------------------------------------------------------------------------------- */

/* Runs until nothing is left to do, or the next event lies at or after until_ps.  False when the
 * run had to stop (a bound was reached, the host has no memory): machine->error says why.  Messages
 * about max_events and max_time_ps name the options of gfe run that set them. */
bool machine_run(struct machine *machine, gfe_ps until_ps);
/* Handles one event; false when there is none or the run had to stop. */
bool machine_step(struct machine *machine);
static inline gfe_ps machine_now(const struct machine *machine)
{
    return event_queue_now_ps(&machine->queue);
}
/* When the next event is due; before the first, 0; GFE_PS_NEVER when nothing is left. */
gfe_ps machine_next_ps(const struct machine *machine);
/* Events handled so far. */
uint64_t machine_event_count(const struct machine *machine);
/* Stops the run with a message of kind ERROR_LIMIT or ERROR_INPUT.  The first one stays. */
void machine_fail(struct machine *machine, enum error_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static inline bool machine_failed(const struct machine *machine)
{
    return machine->error.kind != ERROR_NONE;
}

/* ---- for units ------------------------------------------------------------------------------- */

/* An event of the unit's own, now or later (asserted).  A full queue stops the run. */
void machine_schedule(struct machine *machine, uint32_t unit, gfe_ps at_ps, uint32_t kind,
                      uint64_t argument);
/* Takes back an event of the unit that has not come, of which there is at most one of that kind;
 * false when there is none. */
bool machine_cancel(struct machine *machine, uint32_t unit, uint32_t kind);
/* Sets a timer, or sets it anew: an event for the unit, now or later (asserted), with that kind and
 * argument.  At equal times it comes before the unit's other events. */
void machine_set_timer(struct machine *machine, uint32_t timer, uint32_t unit, gfe_ps at_ps,
                       uint32_t kind, uint64_t argument);
void machine_stop_timer(struct machine *machine, uint32_t timer);
/* Appends to the log at the current time; argument count comes from the kind. */
void machine_log_origin(struct machine *machine, uint32_t unit, uint32_t kind, uint32_t rule,
                        enum event_origin origin, const uint64_t arguments[EVENT_ARGUMENTS_MAX]);
/* The same of no origin and by values, of which the first `count`, a constant, are there and the
 * rest are 0. */
void machine_log_values(struct machine *machine, uint32_t unit, uint32_t kind, uint32_t rule,
                        uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f,
                        uint64_t g, uint64_t h);
/* In line where a batch takes the event as it is: each value is then stored once, where it belongs.
 * Where nobody hears of events they are counted behind the rest of the function, a few bytes each.
 */
static inline __attribute__((always_inline)) void
machine_log_here(struct machine *machine, uint32_t unit, uint32_t kind, uint32_t rule,
                 uint32_t count, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e,
                 uint64_t f, uint64_t g, uint64_t h)
{
    struct event_log *const log = &machine->log;
    const struct event_log_source source = {.time_ps = machine_now(machine),
                                            .kind = (uint16_t)kind,
                                            .unit = (uint16_t)unit,
                                            .rule = (uint16_t)rule,
                                            .argument_count = (uint8_t)count};

    if (log->is_quiet) {
        log->cursor->event_count++;
        return;
    }
    if (RARELY(log->notes.next >= log->notes.full)) {
        machine_log_values(machine, unit, kind, rule, a, b, c, d, e, f, g, h);
        return;
    }
    log->cursor->event_count++;
    event_log_note_here(&log->notes, source,
                        (const uint64_t[EVENT_ARGUMENTS_MAX]){a, b, c, d, e, f, g, h}, count);
}
/*
 * MACHINE_LOG(machine, unit, kind, rule, a, b, ...) logs an event with these arguments.  `kind` is
 * the name of a kind, such as EVENT_BLOCK_START, and the compiler stops unless there are as many
 * values as that kind has arguments.
 *
 * MACHINE_LOG_EITHER(machine, unit, is_first, first, second, rule, a, b, ...) logs one of two kinds
 * of event that have the same arguments.
 *
 * MACHINE_LOG_ORIGIN(machine, unit, kind, rule, origin, a, b, ...) says where the event comes from.
 */
#define MACHINE_LOG(machine, unit, kind, rule, ...)                                                \
    do {                                                                                           \
        EVENT_TAKES(kind, __VA_ARGS__);                                                            \
        MACHINE_LOG_PADDED((machine), (unit), (kind), (rule), kind##_ARGUMENTS, __VA_ARGS__, 0, 0, \
                           0, 0, 0, 0, 0, 0);                                                      \
    } while (0)
#define MACHINE_LOG_EITHER(machine, unit, is_first, first, second, rule, ...)                      \
    do {                                                                                           \
        EVENT_TAKES(first, __VA_ARGS__);                                                           \
        EVENT_TAKES(second, __VA_ARGS__);                                                          \
        MACHINE_LOG_PADDED((machine), (unit), (is_first) ? (first) : (second), (rule),             \
                           first##_ARGUMENTS, __VA_ARGS__, 0, 0, 0, 0, 0, 0, 0, 0);                \
    } while (0)
#define MACHINE_LOG_PADDED(machine, unit, kind, rule, count, a, b, c, d, e, f, g, h, ...)          \
    machine_log_here((machine), (unit), (kind), (rule), (count), (a), (b), (c), (d), (e), (f),     \
                     (g), (h))
#define MACHINE_LOG_ORIGIN(machine, unit, kind, rule, origin, ...)                                 \
    do {                                                                                           \
        EVENT_TAKES(kind, __VA_ARGS__);                                                            \
        machine_log_origin((machine), (unit), (kind), (rule), (origin),                            \
                           (const uint64_t[EVENT_ARGUMENTS_MAX]){__VA_ARGS__});                    \
    } while (0)
uint64_t machine_operation_id(struct machine *machine); /* a new number, from 1 */
static inline uint64_t machine_parameter(const struct machine *machine, uint32_t parameter)
{
    return machine->parameters[parameter];
}
/* Something passes a place where faults are injected (emu/faults/inject.h): `bytes` of data may be
 * changed. False: it is lost, or comes later.  `site` is a number of the unit's vendor. */
bool inject_pass(struct inject *inject, uint32_t unit, uint32_t site, uint64_t subject, void *data,
                 size_t bytes);
static inline bool machine_inject(struct machine *machine, uint32_t unit, uint32_t site,
                                  uint64_t subject, void *data, size_t bytes)
{
    return !RARELY(machine->inject != NULL) ||
           inject_pass(machine->inject, unit, site, subject, data, bytes);
}
/* What the device has written there says nothing about the program: a time, or the front end's own
 * state.  Who compares two runs (emu/faults/outcome.h) leaves it out. */
void inject_wrote_own(struct inject *inject, enum memory_aperture aperture, uint64_t address,
                      uint32_t bytes);
void inject_vm_wrote_own(struct inject *inject, uint32_t space_id, uint64_t va, uint32_t bytes);
static inline void machine_wrote_own(struct machine *machine, enum memory_aperture aperture,
                                     uint64_t address, uint32_t bytes)
{
    if (RARELY(machine->inject != NULL))
        inject_wrote_own(machine->inject, aperture, address, bytes);
}
static inline void machine_vm_wrote_own(struct machine *machine, uint32_t space_id, uint64_t va,
                                        uint32_t bytes)
{
    if (RARELY(machine->inject != NULL))
        inject_vm_wrote_own(machine->inject, space_id, va, bytes);
}
/* From here on the run may depend on a choice point.  For who looks which ones matter to it. */
static inline void machine_meet_choice(struct machine *machine, uint32_t choice)
{
    if (!RARELY(!machine->is_met[choice]))
        return;
    machine->is_met[choice] = true;
    machine->met[machine->met_count++] = choice;
}
/* Raises the interrupt line; the driver model takes it after its own latency. */
void machine_raise_interrupt(struct machine *machine);

/* Registers as the CPU sees them (BAR0). */
uint32_t machine_read32(struct machine *machine, uint32_t offset);
void machine_write32(struct machine *machine, uint32_t offset, uint32_t value);
/* BAR1, through the unit that owns it. */
uint32_t machine_bar1_read32(struct machine *machine, uint64_t offset);
void machine_bar1_write32(struct machine *machine, uint64_t offset, uint32_t value);

/* A doorbell of the channel, as a recording of layer BUS names it: the unit that has doorbells
 * makes the store.  False: no unit has. */
bool machine_doorbell(struct machine *machine, uint32_t channel_id, uint64_t value);

/* Guest memory by physical address.  False: outside the aperture (nothing done).  A host out of
 * memory stops the run. */
bool machine_read(struct machine *machine, enum memory_aperture aperture, uint64_t address,
                  void *data, size_t bytes);
bool machine_write(struct machine *machine, enum memory_aperture aperture, uint64_t address,
                   const void *data, size_t bytes);
/* Guest memory by virtual address.  False: *fault_address is the first address behind which there
 * is no memory, because it is not mapped or mapped past the end of the aperture, and nothing was
 * done; or the host is out of memory, which stops the run. */
bool machine_vm_read_far(struct machine *machine, uint32_t space_id, uint64_t va, void *data,
                         size_t bytes, uint64_t *fault_address);
bool machine_vm_write_far(struct machine *machine, uint32_t space_id, uint64_t va, const void *data,
                          size_t bytes, uint64_t *fault_address);
/* Grows whenever pages of virtual memory may be elsewhere. */
static inline uint64_t machine_page_changes(const struct machine *machine)
{
    return machine->memory.moves + machine->spaces.removals;
}
static inline uint32_t machine_page_index(uint32_t space_id, uint64_t va)
{
    const uint64_t hash = (va / MEMORY_PAGE_BYTES + space_id) * UINT64_C(0x9e3779b97f4a7c15);

    return (uint32_t)(hash >> (64 - MACHINE_PAGE_BITS));
}
/* Are all of these bytes in that page? */
static inline bool machine_page_has(const struct machine *machine, const struct machine_page *page,
                                    uint32_t space_id, uint64_t va, size_t bytes)
{
    return bytes <= MEMORY_PAGE_BYTES && va - page->va <= MEMORY_PAGE_BYTES - bytes &&
           page->space_id == space_id && page->changes == machine_page_changes(machine);
}
/* Where the page with all of these bytes was found; NULL: it has to be looked for. */
static inline const struct machine_page *machine_page(const struct machine *machine,
                                                      uint32_t space_id, uint64_t va, size_t bytes)
{
    const struct machine_page *page = &machine->pages[machine_page_index(space_id, va)];

    return machine_page_has(machine, page, space_id, va, bytes) ? page : NULL;
}
/* The same for who looks at the same page again and again: *near, one of machine->pages, is tried
 * first, and is the one that was found afterwards. */
const struct machine_page *machine_page_again(const struct machine *machine,
                                              const struct machine_page **near, uint32_t space_id,
                                              uint64_t va, size_t bytes);
static inline const struct machine_page *machine_page_near(const struct machine *machine,
                                                           const struct machine_page **near,
                                                           uint32_t space_id, uint64_t va,
                                                           size_t bytes)
{
    return RARELY(!machine_page_has(machine, *near, space_id, va, bytes))
               ? machine_page_again(machine, near, space_id, va, bytes)
               : *near;
}
static inline bool machine_vm_read(struct machine *machine, uint32_t space_id, uint64_t va,
                                   void *data, size_t bytes, uint64_t *fault_address)
{
    const struct machine_page *page = machine_page(machine, space_id, va, bytes);

    if (RARELY(!page))
        return machine_vm_read_far(machine, space_id, va, data, bytes, fault_address);
    memcpy(data, page->read + (va - page->va), bytes);
    return true;
}
static inline bool machine_vm_write(struct machine *machine, uint32_t space_id, uint64_t va,
                                    const void *data, size_t bytes, uint64_t *fault_address)
{
    const struct machine_page *page = machine_page(machine, space_id, va, bytes);

    /* Somebody may wait for what is written. */
    if (RARELY(!page || !page->write || machine->state->watch_count > 0))
        return machine_vm_write_far(machine, space_id, va, data, bytes, fault_address);
    memcpy(page->write + (va - page->va), data, bytes);
    return true;
}

/* Where these bytes are, to be read in place until something else happens to memory; `near` as
 * above.  NULL: they have to be looked for. */
static inline const uint8_t *machine_vm_seen(const struct machine *machine,
                                             const struct machine_page **near, uint32_t space_id,
                                             uint64_t va, size_t bytes)
{
    const struct machine_page *page = machine_page_near(machine, near, space_id, va, bytes);

    return page ? page->read + (va - page->va) : NULL;
}
/* The same, to be written too.  NULL also when somebody may wait for what is written there. */
static inline uint8_t *machine_vm_here(const struct machine *machine,
                                       const struct machine_page **near, uint32_t space_id,
                                       uint64_t va, size_t bytes)
{
    const struct machine_page *page = machine_page_near(machine, near, space_id, va, bytes);

    return page && page->write && machine->state->watch_count == 0 ? page->write + (va - page->va)
                                                                   : NULL;
}

/* Schedules an event for the unit, at once, when the four bytes at a physical address are written
 * next.  A watch of the same unit and kind is replaced. */
void machine_watch(struct machine *machine, uint32_t unit, uint32_t kind, uint64_t argument,
                   enum memory_aperture aperture, uint64_t address);
/* Somebody other than the machine has written there: who watches is told. */
void machine_touched(struct machine *machine, enum memory_aperture aperture, uint64_t address,
                     size_t bytes);
/* Tells the replay that the GPU has written a completion value to a virtual address. */
static inline void machine_completed(struct machine *machine, uint32_t space_id, uint64_t va,
                                     uint32_t value)
{
    if (machine->released)
        machine->released(machine->released_context, space_id, va, value);
}

/* Asks every unit to log its open waits. */
void machine_finish(struct machine *machine);

/* ---- snapshots ------------------------------------------------------------------------------- */

struct machine_snapshot;
/* State, memory and the log so far, between two events.  It costs what has changed since the last
 * one that was taken or restored, and a look at every page of the arena.  NULL when the host's
 * memory is short.  emu/engine/snapshot.h makes files of it. */
struct machine_snapshot *machine_take(struct machine *machine);
/* Into this machine or one wired the same way (the caller has compared identities; the arena's size
 * is asserted), which then goes on as the first did.  The machine's log must be kept in memory.
 * False when the host's memory is short: the machine can then do nothing but be restored again. */
bool machine_restore(struct machine *machine, const struct machine_snapshot *snapshot);
void machine_snapshot_free(struct machine_snapshot *snapshot);
/* SHA-256 over arena and guest memory, as hexadecimal digits.  False: the host's memory is short.
 */
bool machine_hash(struct machine *machine, char hex[65]);

#endif
