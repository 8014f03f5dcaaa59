/* SPDX-License-Identifier: MIT */
/*
 * Bare channels, for captures that have pushbuffers, GP entries and memory and nothing else: no
 * kernel driver and none of its rules.
 *
 * Memory is mapped where the capture has it.  A channel is made at its first submission, when its
 * objects are known: instance block, RAMFC, USERD and runlist are written as firmware-models/rm
 * writes them (rm_new_bare(), Kepler to Hopper).  A submission writes the recorded GP entries into
 * the channel's ring, stores GP_PUT and rings the doorbell; nothing is added to the stream, and no
 * time passes.  A count of the entries that Host has fetched follows GP_GET, which is the channel's
 * only completion value.  Interrupts stay unanswered: a channel with an error stays stopped.
 *
 * What a capture does not say is ASSUMED and has a name: BARE.TSG, BARE.RUNLIST, BARE.RING,
 * BARE.WAIT, bare.timeslice_units, bare.ring_entries (bare_tables.h).  bare_assumed() lists them.
 *
 * Not modelled: binds and jobs of a client that manages its address space (VM_BIND, EXEC).
 */
#ifndef GFE_FIRMWARE_MODELS_BARE_BARE_H
#define GFE_FIRMWARE_MODELS_BARE_BARE_H

#include "firmware-models/driver.h"
#include "firmware-models/extent.h"
#include "firmware-models/rm/rm.h"

struct nv_chip;

enum {
    BARE_SPACES_MAX = 64,
    BARE_CHANNELS_MAX = 256,
    BARE_OBJECTS_MAX = 4096,
    BARE_CALLS_MAX = 256, /* threads that submit at once */
    BARE_RING_ENTRIES_MAX = 4096,
    BARE_SUBMISSIONS = 64, /* last submissions of a channel whose ends are known */
    BARE_CLASSES = 8,
};

GFE_STATE_BEGIN
struct bare_object {
    uint64_t va, size_bytes, physical;
    uint32_t handle, as_id, aperture, reserved;
};

struct bare_submission {
    uint32_t submission_id;
    uint32_t end; /* entries of the channel up to its end; they count from 1 */
};

struct bare_channel {
    uint32_t used, recorded_id, as_id;
    uint32_t made;       /* 1 + rm's index; 0: not yet */
    uint32_t has_copies; /* has an object of a copy class */
    uint32_t has_others; /* has an object of another class */
    uint32_t written;    /* entries written into the ring so far */
    uint32_t fetched;    /* of them, fetched so far */
    uint64_t ring;       /* physical, video memory */
    uint64_t ring_va;
    uint64_t count_physical; /* a word that has `fetched`, for who waits */
    struct bare_submission submissions[BARE_SUBMISSIONS];
    uint32_t submission_count, reserved;
};

/* A submission that a thread makes. */
struct bare_call {
    uint32_t active, thread_index, channel, next_push;
    gfe_ps wait_from_ps; /* for room in the ring; GFE_PS_NEVER: does not wait */
};

struct bare_state {
    struct extents vram, sysmem;
    uint64_t count_page;                 /* physical: the channels' words */
    uint32_t space_ids[BARE_SPACES_MAX]; /* by as_id; 0: none */
    uint32_t object_count, asleep;       /* asleep: a thread sleeps until woken */
    struct bare_object objects[BARE_OBJECTS_MAX];
    struct bare_channel channels[BARE_CHANNELS_MAX];
    struct bare_call calls[BARE_CALLS_MAX];
};
GFE_STATE_END

struct bare {
    struct machine *machine;
    struct rm *rm;
    struct driver_client client;
    /* Returns the record of the call that a thread of the replay is in, as of struct nouveau. */
    const struct trace_record *(*record)(void *context, uint32_t thread_index);
    uint32_t unit;
    struct bare_state *state;
    char assumed[640];
};

/* Adds the model as a unit to a machine that is being wired.  `rm` is of rm_new_bare() and stays
 * the caller's.  ASSUMED: the map of physical copy engines is as after a reset.  Returns NULL with
 * a message on error. */
struct bare *bare_new(struct machine *machine, struct rm *rm, const struct nv_chip *model,
                      struct gfe_error *error);
void bare_free(struct bare *bare);
/* Checks the parameters once they are set.  Returns false with a message if the channels cannot be
 * made with them. */
bool bare_check_parameters(const struct bare *bare, struct gfe_error *error);
/* Returns the interface for the replay. */
struct driver bare_driver(struct bare *bare);
/* Returns a text that lists what is assumed, with the parameters' values. */
const char *bare_assumed(struct bare *bare);

/* ---- between the parts of the model ---------------------------------------------------------- */

enum bare_event { BARE_STEP, BARE_GET_MOVED }; /* the argument: a call; a channel */

/* bare_memory.c */
bool bare_as_create(void *bare, const struct trace_as_create *record);
bool bare_as_map(void *bare, const struct trace_as_map *record);
bool bare_as_unmap(void *bare, const struct trace_as_unmap *record);
bool bare_store(void *bare, const struct trace_mem *record);
/* Returns the object that has the handle in an address space; NULL means that there is none. */
const struct bare_object *bare_object_find(const struct bare *bare, uint32_t as_id,
                                           uint32_t handle);
/* bare_channel.c */
bool bare_channel(void *bare, const struct trace_channel *record);
bool bare_channel_end(void *bare, const struct trace_channel_end *record, uint32_t thread_index);
bool bare_object(void *bare, const struct trace_object *record);
/* Returns true if entries that Host has not fetched yet lie in bytes of the address space. */
bool bare_unfetched(const struct bare *bare, const struct bare_channel *channel, uint64_t va,
                    uint64_t bytes);
struct bare_channel *bare_channel_find(const struct bare *bare, uint32_t recorded_id);
bool bare_submit(void *bare, const struct trace_submit *record, uint32_t thread_index);
/* Goes on with a call: writes the entries that the ring has room for. */
void bare_step(struct bare *bare, uint32_t call);
/* Handles a write of GP_GET. */
void bare_get_moved(struct bare *bare, uint32_t channel);

#endif
