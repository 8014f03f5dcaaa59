/* SPDX-License-Identifier: MIT */
/* The internals of a debugging session.  Private to emu/debug/debug*.c. */
#ifndef GFE_EMU_DEBUG_DEBUG_PRIVATE_H
#define GFE_EMU_DEBUG_DEBUG_PRIVATE_H

#include "emu/debug/debug.h"
#include "emu/engine/reg_assign.h"

enum {
    DEBUG_MARKS = 64,
    DEBUG_STOPS_MAX = 64,
    DEBUG_POKES_MAX = 256,
    DEBUG_TEXT_BYTES = 200,
    DEBUG_ARGUMENTS_MAX = 4, /* conditions of one breakpoint */
    DEBUG_WATCH_BYTES = 64,
    DEBUG_FIRST_STRIDE = 32, /* steps from a mark to the next, at first */
    DEBUG_PBDMAS_MAX = 64,
    DEBUG_CHANNELS = 4096, /* whose classes are known */
    DEBUG_AHEAD_STEPS = 400000,
};

/* ---- places (debug_place.c) ------------------------------------------------------------------ */

/* A register or a piece of memory.  Virtual addresses become physical ones when they are named. */
struct debug_place {
    bool is_register;
    struct reg_assign reg; /* mask: of a field */
    uint32_t bank;         /* of AMD's slots, or INJECT_NO_BANK */
    enum memory_aperture aperture;
    uint64_t address;
    uint32_t bytes;
};

/* Parses [ME.PIPE.QUEUE/]REGISTER[.FIELD]. */
bool debug_place_register(struct debug *debug, const char *text, struct debug_place *place,
                          struct gfe_error *error);
/* Parses vid:ADDRESS, sys:ADDRESS or SPACE:ADDRESS.  Returns false if it is no such place, or is
 * not mapped. */
bool debug_place_memory(struct debug *debug, const char *text, uint32_t bytes,
                        struct debug_place *place, struct gfe_error *error);
/* Reads the present contents, `bytes` of them (a register's word is four); 0 where nothing is. */
void debug_place_read(struct debug *debug, const struct debug_place *place, uint8_t *to);
/* Writes a value as text: "0x00000001 ENABLE=1(TRUE)" for a register's word, hexadecimal dwords for
 * memory. */
void debug_place_text(const struct debug_place *place, const uint8_t *value, char *text,
                      size_t bytes);

/* ---- breakpoints ----------------------------------------------------------------------------- */

enum debug_stop_kind {
    DEBUG_STOP_EVENT,
    DEBUG_STOP_RULE,
    DEBUG_STOP_CHANNEL,
    DEBUG_STOP_METHOD,
    DEBUG_STOP_ADDRESS,
    DEBUG_STOP_PLACE, /* a register or memory changes */
    DEBUG_STOP_FAULT,
};

struct debug_stop {
    uint32_t number;
    enum debug_stop_kind kind;
    bool is_watch;
    char text[DEBUG_TEXT_BYTES];
    uint32_t event_kind, rule;
    uint64_t value; /* a channel's number, a method's offset */
    char name[64];  /* a method's; "": by its offset */
    struct {
        uint8_t at; /* argument of the event */
        uint64_t value;
    } arguments[DEBUG_ARGUMENTS_MAX];
    uint32_t argument_count;
    struct debug_place place;
    uint8_t before[DEBUG_WATCH_BYTES]; /* the contents after the step before */
};

/* ---- the session ----------------------------------------------------------------------------- */

struct debug_mark {
    uint64_t position;
    struct machine_snapshot *snapshot; /* before the pokes of its position */
};

struct debug_poke_row {
    uint64_t position;
    char text[DEBUG_TEXT_BYTES];
};

/* The place of a PBDMA in its channel's stream (debug_stream.c). */
struct debug_stream {
    uint32_t pbdma_id;
    bool is_loaded; /* it has a channel */
    bool in_segment;
    bool is_in_method; /* the last dword's method is in METHOD0 */
    uint32_t channel_id, space_id;
    uint64_t segment; /* address of the segment that it works on */
    uint32_t length;  /* dwords of the segment */
    uint32_t done;    /* dwords processed */
    uint32_t entry;   /* counter of its GP entry */
};

/* Classes on subchannels, from the log so far. */
struct debug_classes {
    struct event_log_cursor read; /* the log has been read up to there */
    uint16_t of[DEBUG_CHANNELS][8];
};

struct debug {
    struct any_simulation simulation;
    struct machine *machine;
    bool is_amd;
    uint64_t position;
    struct debug_mark marks[DEBUG_MARKS];
    uint32_t mark_count;
    uint64_t stride;
    struct event_log_cursor seen;   /* the log has been examined up to there */
    struct event_log_reader *words; /* its head only: names of kinds, rules, units */
    struct debug_stop stops[DEBUG_STOPS_MAX];
    uint32_t stop_count, last_number;
    struct debug_poke_row pokes[DEBUG_POKES_MAX]; /* by position */
    uint32_t poke_count;
    bool (*interrupt)(void *context);
    void *interrupt_context;
    char failure[500]; /* why the last step could not be made; "" if it was made */
    /* The last step that was examined: */
    uint32_t units;                         /* bits of enum debug_unit that it was */
    struct log_event first_of[DEBUG_UNITS]; /* the first event that made it such a unit */
    uint32_t logged;                        /* number of its events */
    uint8_t units_of[TABLE_END];            /* by kind of event */
    bool is_fault[TABLE_END];
    struct debug_stream streams[DEBUG_PBDMAS_MAX];
    uint32_t ahead_steps;        /* of why and who */
    struct debug_nvidia *nvidia; /* state of streams; NULL on AMD's GPUs */
};

/* debug.c: makes one step.  Returns false if there is none, or if the run could not make it
 * (failure).
 */
bool debug_advance(struct debug *debug);
/* Restores the mark at or before that position; the session's position is then the mark's.  Returns
 * false with a message if memory is short. */
bool debug_restore(struct debug *debug, uint64_t position, struct gfe_error *error);
/* Moves to a position of the run, and ignores breakpoints.  Returns false with a message if memory
 * is short. */
bool debug_move(struct debug *debug, uint64_t position, struct gfe_error *error);
/* Takes a snapshot to which debug_put_back() restores the machine.  Returns NULL with a message on
 * error. */
struct machine_snapshot *debug_hold(struct debug *debug, struct gfe_error *error);
bool debug_put_back(struct debug *debug, struct machine_snapshot *snapshot,
                    struct gfe_error *error);
/* Returns false with a message if the machine has failed because the host's memory is short.  A
 * machine that has failed for another reason has come to its end. */
bool debug_machine_is_well(const struct debug *debug, struct gfe_error *error);
/* Drops the marks after a position, because they belong to another run now. */
void debug_forget_marks(struct debug *debug, uint64_t position);

/* debug_log.c: reads the next event of the log after the cursor, and moves the cursor.  Returns
 * false if there is none. */
bool debug_log_next(const struct debug *debug, struct event_log_cursor *at,
                    struct log_event *event);
/* Reads the last `count` events, or fewer, oldest first.  Returns how many; UINT32_MAX means that
 * memory is short. */
uint32_t debug_log_last(const struct debug *debug, struct log_event *events, uint32_t count);
/* Prints an event: "45093.207000 nv_host NV_DOORBELL channel_id=0 ..." */
void debug_log_print(const struct debug *debug, FILE *file, const struct log_event *event);
/* Writes the same into a text, without the newline, which is cut where `bytes` end. */
void debug_log_words(const struct debug *debug, const struct log_event *event, char *text,
                     size_t bytes);
/* Opens all of the log so far, to be read from its start.  Returns NULL with a message on error. */
struct event_log_reader *debug_log_open(struct debug *debug, struct gfe_error *error);
bool debug_words_load(struct debug *debug, struct gfe_error *error);
/* Return the numbers of names in the machine's tables; UINT32_MAX means that there is none. */
uint32_t debug_kind(const struct debug *debug, const char *name);
uint32_t debug_rule(const struct debug *debug, const char *label);
/* Returns the place of an argument in events of a kind; EVENT_ARGUMENTS_MAX means that there is
 * none. */
uint32_t debug_argument(const struct debug *debug, uint32_t kind, const char *name);

/* debug_stop.c: begins to watch for changes from here on. */
void debug_look_begin(struct debug *debug);
/* Examines the last step.  Returns the first breakpoint that it meets, or NULL; sets debug->units.
 */
struct debug_stop *debug_look(struct debug *debug, bool with_methods, struct debug_halt *halt);
void debug_kinds_init(struct debug *debug);
bool debug_has_method_stops(const struct debug *debug);

/* debug_poke.c: makes the pokes of the present position.  Returns false with a message if memory is
 * short. */
bool debug_pokes_apply(struct debug *debug, struct gfe_error *error);

/* debug_stream.c: makes the state of the streams.  Returns false with a message if memory is short.
 */
bool debug_stream_init(struct debug *debug, struct gfe_error *error);
void debug_stream_fini(struct debug *debug);
/* Writes the places of all PBDMAs.  Returns how many there are (none on AMD's
 * GPUs). */
uint32_t debug_streams(const struct debug *debug, struct debug_stream streams[DEBUG_PBDMAS_MAX]);
/* Returns true if a PBDMA has processed a dword between the two. */
bool debug_stream_moved(const struct debug_stream *before, const struct debug_stream *after);
/* Finds the last method in the dwords that a PBDMA has processed between the two.  `name` gets
 * NVIDIA's name.  Returns false if there is none. */
bool debug_stream_method(struct debug *debug, const struct debug_stream *before,
                         const struct debug_stream *stream, uint32_t *offset, char *name,
                         size_t bytes);
/* Forgets the state of the streams, because the run has changed. */
void debug_stream_forget(struct debug *debug);
/* Prints decoded lines around a PBDMA's place, which is marked. */
bool debug_stream_print(struct debug *debug, const struct debug_stream *stream, uint32_t context,
                        FILE *file, struct gfe_error *error);

/* debug_slot.c: prints the places of AMD's queues that have work, and `context` packets after the
 * current one. */
bool debug_slots_print(struct debug *debug, uint32_t context, FILE *file, struct gfe_error *error);

/* ---- words (debug_command.c) ----------------------------------------------------------------- */

struct debug_shell;
struct debug_command_row {
    const char *name, *brief; /* brief: NULL = none */
    const char *arguments, *doc;
    bool (*run)(struct debug_shell *shell, const char *text, FILE *file, struct gfe_error *error);
};
/* Returns the rows in their order; NULL after the last. */
const struct debug_command_row *debug_command_at(uint32_t i);
/* Finds a command by its name, its short name, or an unambiguous beginning of its name.  Returns
 * NULL with a message if there is none. */
const struct debug_command_row *debug_command_find(const char *word, struct gfe_error *error);

#endif
