/* SPDX-License-Identifier: MIT */
/*
 * A machine: one GPU with its memory, registers, clock and log, and the models of the software that
 * drives it, as a set of units joined by events.
 *
 * Steps of building a machine: machine_new() makes it empty.  The GPU model's wiring
 * (devices/nvidia/nv_chip.h) adds units, windows and tables.  A driver model and the replay join as
 * units. machine_seal() ends the wiring.  After that, all mutable state lies in the arena and in
 * guest memory.  So machine_take() and machine_restore() work between any two events, also into a
 * second machine that was wired the same way.
 *
 * Units are numbered in the order of wiring, and that number is their rank at equal times.
 */
#ifndef GFE_EMU_ENGINE_MACHINE_H
#define GFE_EMU_ENGINE_MACHINE_H

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

/* Memory of a running program that the GPU sees (emu/live/live_kfd.h).  It lies at physical
 * addresses from MACHINE_HOST_BASE up, in either aperture; its owner on the host reads and writes
 * it.  It is not part of snapshots.  The machine does not see the program's own stores;
 * machine_touched() reports them. */
#define MACHINE_HOST_BASE (UINT64_C(1) << 62)
struct machine_host {
    /* Read and write memory.  Return false if there is none.  Addresses count from
     * MACHINE_HOST_BASE. */
    bool (*read)(void *context, uint64_t address, void *data, size_t bytes);
    bool (*write)(void *context, uint64_t address, const void *data, size_t bytes);
    void *context;
};

/* The operations of a unit.  Members may be NULL.  `unit` is the pointer given to
 * machine_add_unit(). */
struct unit_ops {
    /* Handles an event of the unit's own that is due. */
    void (*event)(void *unit, const struct event *event);
    /* Returns what a reader of the register sees.  `stored` is the word in the window. */
    uint32_t (*read)(void *unit, const struct mmio_window *window, uint32_t offset,
                     uint32_t stored);
    /* Handles a write to a register.  The window already holds what the register's access kind
     * leaves. */
    void (*write)(void *unit, const struct mmio_window *window, uint32_t offset, uint32_t old,
                  uint32_t written);
    /* Handles a store of the CPU into BAR1 (the aperture through which the driver sees memory).
     * The store is already in memory.  For units that snoop. */
    void (*snoop)(void *unit, uint64_t bar_offset, uint32_t value);
    /* Makes the store of a doorbell at the chip's own place.  A doorbell store of layer BUS names
     * the channel. */
    void (*doorbell)(void *unit, uint32_t channel_id, uint64_t value);
    /* Handles a rise of the interrupt line.  Only the driver model's is called. */
    void (*interrupt)(void *unit);
    /* Prepares data that follows from parameters and lies outside the arena.  Called once before
     * the first event that this machine handles, also if its state was restored from another
     * machine. */
    void (*prepare)(void *unit);
    /* Starts the unit.  Called once before the first event of the run. */
    void (*start)(void *unit);
    /* Reports everything that the unit holds and that is not done, with machine_log_open() or
     * machine_log_lost().  Called when no event is left, or by a debugger that looks no further. */
    void (*finish)(void *unit);
};

struct unit {
    const char *name;
    const struct unit_ops *ops;
    void *unit;
};

/* Room for each thread of a program (256), each PBDMA and the driver models, and two for each
 * stream. */
enum { MACHINE_WATCHES_MAX = 320 + 2 * 4096 };

GFE_STATE_BEGIN
/* An event to schedule at the next write to a word of guest memory.  The write removes the watch.
 */
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
    /* number of things that were reported as waiting when nothing was left to do: work is left */
    uint32_t open_count;
    uint32_t reserved;
    struct machine_watch watches[MACHINE_WATCHES_MAX]; /* the first watch_count are in use */
};
GFE_STATE_END

/* Where a page of virtual memory was found.  Not state: an entry is valid only while
 * machine_page_changes() returns the same number. */
struct machine_page {
    uint64_t va;      /* a multiple of MEMORY_PAGE_BYTES */
    uint64_t changes; /* machine_page_changes() when the page was found; 0 if there is none */
    const uint8_t *read;
    uint8_t *write; /* NULL means that the next write has to look up the page */
    uint32_t space_id;
    uint32_t reserved[7]; /* pads the entry to a cache line */
};
enum { MACHINE_PAGE_BITS = 8, MACHINE_PAGES = 1 << MACHINE_PAGE_BITS };

struct gpu;
struct machine_config {
    const char *gpu; /* name, for the log */
    /* For the log, of a GPU that a file describes (emu/sim/gpus.h); NULL for a built-in one. */
    const struct gpu *described;
    uint64_t vram_bytes, sysmem_bytes;
    uint64_t page_limit;     /* guest pages on the host; 0 means the default */
    uint32_t event_capacity; /* 0 means the default */
    uint32_t range_capacity; /* address-space ranges; 0 means the default */
    uint64_t seed;
    uint32_t batch_limit; /* private steps per event; 0 means no limit. Does not change the log */
    /* events that may be handled; one more stops the run with an error. 0 means no limit */
    uint64_t max_events;
    uint64_t lost_event; /* number of the event that is lost on its way, from 1; 0 means none */
    gfe_ps max_time_ps;  /* a later event stops the run with an error. 0 means no limit */
    struct chunk_writer *log; /* NULL means that the log is kept in memory */
};

struct machine {
    struct machine_config config;
    struct arena arena;
    struct machine_state *state;
    struct memory memory;
    struct address_spaces spaces;
    struct event_queue queue;
    struct mmio mmio;
    /* variant of the register lists (emu/engine/reg.h) for windows added after this; 0 means all */
    uint32_t reg_variants;
    struct event_log log;
    struct random_state *random;
    struct unit units[MACHINE_UNITS_MAX];
    uint32_t unit_count;
    uint32_t interrupt_unit; /* the driver model's; MACHINE_UNITS_MAX if there is none */
    uint32_t bar1_unit;      /* the unit that translates and snoops BAR1 */
    const struct table_set *tables[MACHINE_TABLES_MAX];
    uint32_t table_count;
    uint64_t parameters[TABLE_END];     /* by parameter number; constant after the wiring */
    uint32_t choices[TABLE_END];        /* by choice-point number; constant after the wiring */
    uint8_t argument_counts[TABLE_END]; /* by event kind; UINT8_MAX if there is no such kind */
    /* Optional callback, set by the replay: machine_completed() calls it. */
    void (*released)(void *context, uint32_t space_id, uint64_t address, uint32_t value);
    void *released_context;
    const char *duration_sources; /* origin of the execution times, for the summary */
    bool prepared;                /* true after the units' prepare() was called */
    /* Choice points that the run depended on, in the order in which it came to them.  Not state. */
    bool is_met[TABLE_END];
    uint32_t met[TABLE_END], met_count;
    /* why the run had to stop; ERROR_NONE while there is no error */
    struct gfe_error error;
    /* faults (emu/faults/inject.h); NULL if none can be injected */
    struct inject *inject;
    const struct machine_host *host; /* NULL if the GPU sees no program's own memory */
    struct machine_page pages[MACHINE_PAGES];
};

/* ---- wiring ---------------------------------------------------------------------------------- */

/* Creates an empty machine.  Returns NULL, with a message, when the host's memory is short.
 * `config` is copied; its strings are borrowed for the machine's life. */
struct machine *machine_new(const struct machine_config *config, struct gfe_error *error);
void machine_free(struct machine *machine);
/* Gives a machine that has not been started yet its configuration; for machine_new(), and for
 * machines that are used again (emu/engine/machine_mark.h). */
void machine_configure(struct machine *machine, const struct machine_config *config);
/* Adds the tables' rules, events and parameters (with their defaults). */
void machine_add_tables(struct machine *machine, const struct table_set *tables);
/* Adds a unit and returns its number.  `name` is borrowed for the machine's life. */
uint32_t machine_add_unit(struct machine *machine, const char *name, const struct unit_ops *ops,
                          void *unit);
/* Places a unit's register list at a BAR0 offset.  `instance` distinguishes like units.  Returns
 * NULL when the host's memory is short; machine_seal() fails then. */
struct mmio_window *machine_add_window(struct machine *machine, uint32_t unit,
                                       const struct reg_list *list, uint32_t base,
                                       uint32_t size_bytes, uint32_t instance);
/* Places a part of a list: size_bytes from offset `start` up.  `base` is the offset of the whole
 * list.  Hooks get offsets in the list. */
struct mmio_window *machine_add_part(struct machine *machine, uint32_t unit,
                                     const struct reg_list *list, uint32_t base, uint32_t start,
                                     uint32_t size_bytes);
/* Adds a timer (emu/engine/event_queue.h), for an event that is often postponed or cancelled.
 * Returns its number. */
uint32_t machine_add_timer(struct machine *machine);
/* Returns zeroed memory in the arena, for state. */
void *machine_alloc(struct machine *machine, size_t bytes);
/* Returns the row of a parameter, or NULL if there is none of that name. */
const struct parameter *machine_parameter_row(const struct machine *machine, const char *id);
/* Set a parameter or choose an alternative by name.  Return false if there is no such name or
 * alternative. */
bool machine_set_parameter(struct machine *machine, const char *id, uint64_t value);
bool machine_set_choice(struct machine *machine, const char *id, const char *alternative);
/* Ends the wiring.  Returns false if any step of it failed. */
bool machine_seal(struct machine *machine, struct gfe_error *error);

/* ---- running --------------------------------------------------------------------------------- */

/* Runs until nothing is left to do, or the next event lies at or after until_ps.  Returns false
 * when the run had to stop (a bound was reached, or the host's memory is short); machine->error has
 * the reason.  Messages about max_events and max_time_ps name the options of gfe run that set them.
 */
bool machine_run(struct machine *machine, gfe_ps until_ps);
/* Handles one event.  Returns false if there is none, or if the run had to stop. */
bool machine_step(struct machine *machine);
/* Returns the simulated time. */
static inline gfe_ps machine_now(const struct machine *machine)
{
    return event_queue_now_ps(&machine->queue);
}
/* Returns the time of the next event: 0 before the first event, `GFE_PS_NEVER` when nothing is
 * left. */
gfe_ps machine_next_ps(const struct machine *machine);
/* Returns the number of events handled so far. */
uint64_t machine_event_count(const struct machine *machine);
/* Stops the run with a message of kind ERROR_LIMIT or ERROR_INPUT.  The first message is kept. */
void machine_fail(struct machine *machine, enum error_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Returns true if the run had to stop. */
static inline bool machine_failed(const struct machine *machine)
{
    return machine->error.kind != ERROR_NONE;
}

/* ---- for units ------------------------------------------------------------------------------- */

/* Schedules an event of the unit's own, now or later (asserted).  A full queue stops the run. */
void machine_schedule(struct machine *machine, uint32_t unit, gfe_ps at_ps, uint32_t kind,
                      uint64_t argument);
/* Cancels a pending event of the unit; there is at most one of that kind.  Returns false if there
 * is none. */
bool machine_cancel(struct machine *machine, uint32_t unit, uint32_t kind);
/* Sets or resets a timer: an event for the unit, now or later (asserted), with that kind and
 * argument.  At equal times it comes before the unit's other events. */
void machine_set_timer(struct machine *machine, uint32_t timer, uint32_t unit, gfe_ps at_ps,
                       uint32_t kind, uint64_t argument);
/* Stops a timer, if it is set. */
void machine_stop_timer(struct machine *machine, uint32_t timer);
/* Appends an event to the log at the current time.  The kind determines the number of arguments. */
void machine_log_origin(struct machine *machine, uint32_t unit, uint32_t kind, uint32_t rule,
                        enum event_origin origin, const uint64_t arguments[EVENT_ARGUMENTS_MAX]);
/* Appends an event without an origin.  The first arguments are given as values; the rest are 0. */
void machine_log_values(struct machine *machine, uint32_t unit, uint32_t kind, uint32_t rule,
                        uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f,
                        uint64_t g, uint64_t h);
/* Appends an event of `count` arguments, a constant.  If the batch takes the event as it is, each
 * value is stored once, at its place.  Events that nothing reads are only counted, by a few bytes
 * of code after the rest of the function. */
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
 * the name of a kind, such as EVENT_FENCE.  The compiler stops if the number of values is not the
 * kind's number of arguments.
 *
 * MACHINE_LOG_EITHER(machine, unit, is_first, first, second, rule, a, b, ...) logs one of two kinds
 * of event that have the same arguments.
 *
 * MACHINE_LOG_ORIGIN(machine, unit, kind, rule, origin, a, b, ...) also states the origin of the
 * event.
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
/* Something that waits: `kind` and `id` as in EVENT_WAIT (enum event_subject). */
struct machine_wait {
    gfe_ps begin_ps;
    uint32_t subject_kind;
    uint64_t subject_id;
    uint32_t blocker_kind; /* kind of what it waits for; SUBJECT_NONE if that is not known */
    uint64_t blocker_id;
};
/* Reports, for unit_ops.finish, something that waits by `rule` although nothing is left to do.  The
 * run then ends with work left.  Everything that a unit holds has to be reported once, so that no
 * run can end in silence with work undone. */
void machine_log_open(struct machine *machine, uint32_t unit, uint32_t rule,
                      const struct machine_wait *wait);
/* The same for something that is under way and waits for nothing but an event of its own unit
 * (GFE.LOST).  Does nothing while events are pending, since one of them may be that event. */
void machine_log_lost(struct machine *machine, uint32_t unit, const struct machine_wait *wait);
/* Reports what something that waits would do if it went on, such as a release of a semaphore
 * (SUBJECT_SEMAPHORE, its address): so it is seen who waits for whom. */
void machine_log_holds(struct machine *machine, uint32_t unit, uint32_t subject_kind,
                       uint64_t subject_id, uint32_t held_kind, uint64_t held_id);
/* Returns a new number, counted from 1. */
uint64_t machine_operation_id(struct machine *machine);
/* Returns the value of a parameter. */
static inline uint64_t machine_parameter(const struct machine *machine, uint32_t parameter)
{
    return machine->parameters[parameter];
}
/* Lets injected faults act on `bytes` of data that pass a site (emu/faults/inject.h).  They may
 * change the data.  Returns false if the data is lost or comes later.  `site` is a number of the
 * unit's vendor. */
bool inject_pass(struct inject *inject, uint32_t unit, uint32_t site, uint64_t subject, void *data,
                 size_t bytes);
/* Does the work of inject_pass() if the machine has an injector, and otherwise returns true. */
static inline bool machine_inject(struct machine *machine, uint32_t unit, uint32_t site,
                                  uint64_t subject, void *data, size_t bytes)
{
    return !RARELY(machine->inject != NULL) ||
           inject_pass(machine->inject, unit, site, subject, data, bytes);
}
/* Mark bytes written by the device that do not come from the program: a time, or the front end's
 * own state.  The comparison of two runs (emu/faults/outcome.h) ignores them. */
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
/* Notes that the run may depend on a choice point from here on.  Read by code that looks for the
 * choice points that matter to a run. */
static inline void machine_meet_choice(struct machine *machine, uint32_t choice)
{
    if (!RARELY(!machine->is_met[choice]))
        return;
    machine->is_met[choice] = true;
    machine->met[machine->met_count++] = choice;
}
/* Raises the interrupt line.  The driver model takes the interrupt after its own latency. */
void machine_raise_interrupt(struct machine *machine);

/* Access registers as the CPU sees them (BAR0). */
uint32_t machine_read32(struct machine *machine, uint32_t offset);
void machine_write32(struct machine *machine, uint32_t offset, uint32_t value);
/* Access BAR1 through the unit that owns it. */
uint32_t machine_bar1_read32(struct machine *machine, uint64_t offset);
void machine_bar1_write32(struct machine *machine, uint64_t offset, uint32_t value);

/* Rings the doorbell of a channel, as a recording of layer BUS names it.  The unit that has
 * doorbells makes the store.  Returns false if no unit has doorbells. */
bool machine_doorbell(struct machine *machine, uint32_t channel_id, uint64_t value);

/* Access guest memory by physical address.  Return false, with nothing done, outside the aperture.
 * When the host's memory is short, the run stops. */
bool machine_read(struct machine *machine, enum memory_aperture aperture, uint64_t address,
                  void *data, size_t bytes);
bool machine_write(struct machine *machine, enum memory_aperture aperture, uint64_t address,
                   const void *data, size_t bytes);
/* Access guest memory by virtual address.  Return false, with nothing done, if a part is not
 * mapped, or is mapped past the end of the aperture. *fault_address is then the first such address.
 * (A write over its own page tables may be partly done.) Also return false when the host's memory
 * is short, which stops the run. */
bool machine_vm_read_far(struct machine *machine, uint32_t space_id, uint64_t va, void *data,
                         size_t bytes, uint64_t *fault_address);
bool machine_vm_write_far(struct machine *machine, uint32_t space_id, uint64_t va, const void *data,
                          size_t bytes, uint64_t *fault_address);
/* Returns a number that grows whenever pages of virtual memory may have moved. */
static inline uint64_t machine_page_changes(const struct machine *machine)
{
    return machine->memory.moves + machine->spaces.removals;
}
/* Returns the index of a page's entry in machine->pages. */
static inline uint32_t machine_page_index(uint32_t space_id, uint64_t va)
{
    const uint64_t hash = (va / MEMORY_PAGE_BYTES + space_id) * UINT64_C(0x9e3779b97f4a7c15);

    return (uint32_t)(hash >> (64 - MACHINE_PAGE_BITS));
}
/* Returns true if all of these bytes lie in that page. */
static inline bool machine_page_has(const struct machine *machine, const struct machine_page *page,
                                    uint32_t space_id, uint64_t va, size_t bytes)
{
    return bytes <= MEMORY_PAGE_BYTES && va - page->va <= MEMORY_PAGE_BYTES - bytes &&
           page->space_id == space_id && page->changes == machine_page_changes(machine);
}
/* Returns the page that has all of these bytes.  Returns NULL if it has to be looked up. */
static inline const struct machine_page *machine_page(const struct machine *machine,
                                                      uint32_t space_id, uint64_t va, size_t bytes)
{
    const struct machine_page *page = &machine->pages[machine_page_index(space_id, va)];

    return machine_page_has(machine, page, space_id, va, bytes) ? page : NULL;
}
/* Returns the page like machine_page(), for callers that use the same page repeatedly. *near, one
 * of machine->pages, is tried first, and is set to the page found. */
const struct machine_page *machine_page_again(const struct machine *machine,
                                              const struct machine_page **near, uint32_t space_id,
                                              uint64_t va, size_t bytes);
/* Returns machine_page_again(), inline while *near has the bytes. */
static inline const struct machine_page *machine_page_near(const struct machine *machine,
                                                           const struct machine_page **near,
                                                           uint32_t space_id, uint64_t va,
                                                           size_t bytes)
{
    return RARELY(!machine_page_has(machine, *near, space_id, va, bytes))
               ? machine_page_again(machine, near, space_id, va, bytes)
               : *near;
}
/* Read and write like machine_vm_read_far() and machine_vm_write_far(), inline if the page is
 * known. */
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

    /* A unit may wait for what is written. */
    if (RARELY(!page || !page->write || machine->state->watch_count > 0))
        return machine_vm_write_far(machine, space_id, va, data, bytes, fault_address);
    memcpy(page->write + (va - page->va), data, bytes);
    return true;
}

/* Returns the place of these bytes, to be read there until memory changes.  `near` is as above.
 * Returns NULL if the bytes have to be looked up. */
static inline const uint8_t *machine_vm_seen(const struct machine *machine,
                                             const struct machine_page **near, uint32_t space_id,
                                             uint64_t va, size_t bytes)
{
    const struct machine_page *page = machine_page_near(machine, near, space_id, va, bytes);

    return page ? page->read + (va - page->va) : NULL;
}
/* Returns the place of these bytes, for reading and writing.  Returns NULL also while any watch
 * exists. */
static inline uint8_t *machine_vm_here(const struct machine *machine,
                                       const struct machine_page **near, uint32_t space_id,
                                       uint64_t va, size_t bytes)
{
    const struct machine_page *page = machine_page_near(machine, near, space_id, va, bytes);

    return page && page->write && machine->state->watch_count == 0 ? page->write + (va - page->va)
                                                                   : NULL;
}

/* Schedules an event for the unit, at once, at the next write to the four bytes at a physical
 * address.  Replaces an earlier watch of the same unit and kind. */
void machine_watch(struct machine *machine, uint32_t unit, uint32_t kind, uint64_t argument,
                   enum memory_aperture aperture, uint64_t address);
/* Reports a write from outside the machine, and triggers the watches of these bytes. */
void machine_touched(struct machine *machine, enum memory_aperture aperture, uint64_t address,
                     size_t bytes);
/* Reports to the replay that the GPU has written a completion value to a virtual address. */
static inline void machine_completed(struct machine *machine, uint32_t space_id, uint64_t va,
                                     uint32_t value)
{
    if (machine->released)
        machine->released(machine->released_context, space_id, va, value);
}

/* Lets every unit log its open waits.  Logs RUN_CUT before them if something is left to happen. */
void machine_finish(struct machine *machine);

/* ---- snapshots ------------------------------------------------------------------------------- */

struct machine_snapshot;
/* Takes state, memory and the log so far, between two events.  The cost is the changes since the
 * last snapshot taken or restored, and a look at every page of the arena.  Returns NULL when the
 * host's memory is short. emu/engine/snapshot.h writes files of snapshots. */
struct machine_snapshot *machine_take(struct machine *machine);
/* Restores a snapshot into this machine, or into one wired the same way, which then continues as
 * the first did.  The caller has compared identities; the arena's size is asserted.  The machine's
 * log must be kept in memory.  Returns false when the host's memory is short; the machine can then
 * only be restored again. */
bool machine_restore(struct machine *machine, const struct machine_snapshot *snapshot);
void machine_snapshot_free(struct machine_snapshot *snapshot);
/* Computes SHA-256 over arena and guest memory, as hexadecimal digits.  Returns false when the
 * host's memory is short. */
bool machine_hash(struct machine *machine, char hex[65]);

#endif
