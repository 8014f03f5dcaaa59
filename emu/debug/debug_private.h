/* SPDX-License-Identifier: MIT */
/* The inside of a debugging session.  Private to emu/debug/debug*.c. */
#ifndef GFE_DEVICES_DEBUG_PRIVATE_H
#define GFE_DEVICES_DEBUG_PRIVATE_H

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

/* [ME.PIPE.QUEUE/]REGISTER[.FIELD] */
bool debug_place_register(struct debug *debug, const char *text, struct debug_place *place,
                          struct gfe_error *error);
/* vid:ADDRESS, sys:ADDRESS, SPACE:ADDRESS; false when it is none or not mapped. */
bool debug_place_memory(struct debug *debug, const char *text, uint32_t bytes,
                        struct debug_place *place, struct gfe_error *error);
/* What stands there now, `bytes` of it (a register's word is four); 0 where nothing is. */
void debug_place_read(struct debug *debug, const struct debug_place *place, uint8_t *to);
/* "0x00000001 ENABLE=1(TRUE)" of a register's word; hexadecimal dwords of memory. */
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
    uint8_t before[DEBUG_WATCH_BYTES]; /* what stood there behind the step before */
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

/* Where a PBDMA stands in its channel's stream (debug_stream.c). */
struct debug_stream {
    uint32_t pbdma_id;
    bool is_loaded; /* it has a channel */
    bool in_segment;
    bool is_in_method; /* the last dword's method is in METHOD0 */
    uint32_t channel_id, space_id;
    uint64_t segment; /* address of the segment that it works on */
    uint32_t length;  /* its dwords */
    uint32_t done;    /* of them processed */
    uint32_t entry;   /* counter of its GP entry */
};

/* Classes on subchannels, as the log so far tells. */
struct debug_classes {
    struct event_log_cursor read; /* up to there */
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
    struct event_log_cursor seen;   /* up to there the log has been looked at */
    struct event_log_reader *words; /* its head only: names of kinds, rules, units */
    struct debug_stop stops[DEBUG_STOPS_MAX];
    uint32_t stop_count, last_number;
    struct debug_poke_row pokes[DEBUG_POKES_MAX]; /* by position */
    uint32_t poke_count;
    bool (*interrupt)(void *context);
    void *interrupt_context;
    char failure[500]; /* why the last step could not be made; "": it could */
    /* Behind the last step that was looked at. */
    uint32_t units;                         /* bits of enum debug_unit that it was */
    struct log_event first_of[DEBUG_UNITS]; /* the first event that made it one */
    uint32_t logged;                        /* events of it */
    uint8_t units_of[TABLE_END];            /* by kind of event */
    bool is_fault[TABLE_END];
    struct debug_stream streams[DEBUG_PBDMAS_MAX];
    uint32_t ahead_steps;        /* of why and who */
    struct debug_nvidia *nvidia; /* what is known of streams; NULL: nobody has asked */
};

/* debug.c: one step; false when there is none, or the run could not make it (failure). */
bool debug_advance(struct debug *debug);
/* Restores the mark at or before that position: *position is the mark's.  False: no memory. */
bool debug_restore(struct debug *debug, uint64_t position, struct gfe_error *error);
/* To a position that the run has, without looking.  False with a message: no memory. */
bool debug_move(struct debug *debug, uint64_t position, struct gfe_error *error);
/* A machine that is put back afterwards; NULL with a message. */
struct machine_snapshot *debug_hold(struct debug *debug, struct gfe_error *error);
bool debug_put_back(struct debug *debug, struct machine_snapshot *snapshot,
                    struct gfe_error *error);
/* Marks behind a position are of another run now. */
void debug_forget_marks(struct debug *debug, uint64_t position);

/* debug_log.c: the next event of the log behind the cursor, which moves; false: there is none. */
bool debug_log_next(const struct debug *debug, struct event_log_cursor *at,
                    struct log_event *event);
/* The last `count` events, or fewer, oldest first; how many.  UINT32_MAX: no memory. */
uint32_t debug_log_last(const struct debug *debug, struct log_event *events, uint32_t count);
/* "45093.207000 nv_host NV_DOORBELL channel_id=0 ..." */
void debug_log_print(const struct debug *debug, FILE *file, const struct log_event *event);
/* All of the log so far, to be read from its start; NULL with a message. */
struct event_log_reader *debug_log_open(struct debug *debug, struct gfe_error *error);
bool debug_words_load(struct debug *debug, struct gfe_error *error);
/* Numbers of names, in the machine's tables; UINT32_MAX: there is none. */
uint32_t debug_kind(const struct debug *debug, const char *name);
uint32_t debug_rule(const struct debug *debug, const char *label);
/* The place of an argument in events of a kind; EVENT_ARGUMENTS_MAX: it has none. */
uint32_t debug_argument(const struct debug *debug, uint32_t kind, const char *name);

/* debug_stop.c: from here on changes count. */
void debug_look_begin(struct debug *debug);
/* At what the last step did: the first breakpoint that it meets, or NULL; sets debug->units. */
struct debug_stop *debug_look(struct debug *debug, bool with_methods, struct debug_halt *halt);
void debug_kinds_init(struct debug *debug);
bool debug_has_method_stops(const struct debug *debug);

/* debug_poke.c: those of the present position. */
void debug_pokes_apply(struct debug *debug);

/* debug_stream.c: of all PBDMAs; how many there are (none on AMD's GPUs). */
uint32_t debug_streams(const struct debug *debug, struct debug_stream streams[DEBUG_PBDMAS_MAX]);
/* Has a PBDMA processed a dword between the two? */
bool debug_stream_moved(const struct debug_stream *before, const struct debug_stream *after);
/* The last method in the dwords that it has processed between the two; false: there is none.
 * `name`: NVIDIA's. */
bool debug_stream_method(struct debug *debug, const struct debug_stream *before,
                         const struct debug_stream *stream, uint32_t *offset, char *name,
                         size_t bytes);
/* The run is another: what is known of its streams does not hold. */
void debug_stream_forget(struct debug *debug);
/* Decoded lines around where it stands, marked. */
bool debug_stream_print(struct debug *debug, const struct debug_stream *stream, uint32_t context,
                        FILE *file, struct gfe_error *error);

/* debug_slot.c: of AMD's queues that have something to do, where they stand, and `context` packets
 * behind the one at hand. */
bool debug_slots_print(struct debug *debug, uint32_t context, FILE *file, struct gfe_error *error);

/* ---- words (debug_command.c) ----------------------------------------------------------------- */

struct debug_shell;
struct debug_command_row {
    const char *name, *brief; /* brief: NULL = none */
    const char *arguments, *doc;
    bool (*run)(struct debug_shell *shell, const char *text, FILE *file, struct gfe_error *error);
};
/* The rows in their order; NULL behind the last. */
const struct debug_command_row *debug_command_at(uint32_t i);
/* By its name, its short name, or what only its name begins with; NULL with a message. */
const struct debug_command_row *debug_command_find(const char *word, struct gfe_error *error);

#endif
