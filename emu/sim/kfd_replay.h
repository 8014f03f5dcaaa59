/* SPDX-License-Identifier: MIT */
/*
 * Drives an AMD GPU in a replay of layer RING.  The recorded programs' calls of the kernel driver
 * become calls of its model (firmware-models/kfd/kfd.h); their stores to rings and doorbells are
 * made as recorded.
 *
 *     replay (emu/replay/replay_ring.h) -> memory, queues -> kfd -> firmware -> slots ---v
 *                                -> packets, doorbells -------------------> amd_mec -> dispatch
 *                                <- events <- interrupts, signals <---------------'
 *
 * A recorded address space is a process of the driver; its mappings are ranges of the GPU's or the
 * system's memory, zeroes at first, at the recorded addresses.  A queue is made with its recorded
 * addresses, size, priority and share; its doorbell is the model's own choice.  Calls that find the
 * driver's lock taken wait, and are made again in the order of the threads.
 *
 * A program fills its ring with invalid packets before it makes the queue, which no recording
 * shows. So a doorbell makes the places up to its value invalid that have had no packet yet.  With
 * each doorbell the write index moves.
 *
 * SDMA queues are made and run like the others, except that their write index and their doorbells
 * count bytes.  Copies move the contents of the emulated memory.  Data that no packet names is not
 * in a recording, so it is zeroes.
 *
 * Sources: amdkfd kfd_chardev.c, kfd_events.c (an event is set by the interrupt with its number).
 * Not modelled: several GPUs, PM4 queues of programs, processes that end without ending their
 * queues (which stay, idle), old contents of memory that is mapped anew, GWS,
 * and (A.H3) a recorded queue that the model refuses: the run stops.
 */
#ifndef GFE_EMU_SIM_KFD_REPLAY_H
#define GFE_EMU_SIM_KFD_REPLAY_H

#include "emu/sim/amd_node.h"
#include "firmware-models/driver.h"
#include "emu/replay/replay.h"
#include "firmware-models/extent.h"

enum {
    KFD_REPLAY_SPACES_MAX = KFD_PROCESSES_MAX,
    KFD_REPLAY_QUEUES_MAX = REPLAY_CHANNELS_MAX,
    KFD_REPLAY_OBJECTS_MAX = 16384,
    KFD_REPLAY_EVENTS_MAX = 4096, /* of a client, as in the kernel driver */
};

GFE_STATE_BEGIN
struct kfd_replay_space {
    uint32_t used, space_id, process, client_id;
};

struct kfd_replay_object {
    uint64_t va, size_bytes, physical;
    uint32_t as_id, handle;
    uint32_t aperture, reserved;
};

struct kfd_replay_queue {
    uint64_t ring_address, ring_bytes;
    uint64_t read_address, write_address;
    uint64_t placed; /* AQL packets: the next index */
    uint64_t rung;   /* the highest write index */
    uint32_t used, queue_id;
    uint32_t as_id, what; /* enum trace_queue_what */
    uint32_t kfd_queue;   /* of the driver's table */
    uint32_t reserved;
};

struct kfd_replay_state {
    struct extents vram, sysmem;
    uint32_t gpu_id; /* the one GPU; 0: not known yet */
    uint32_t caller; /* 1 + the thread that has a call under way; 0: none */
    uint32_t object_count, queue_count;
    uint32_t waiting[REPLAY_THREADS_MAX]; /* 1: the thread's call waits for the lock */
    struct kfd_replay_space spaces[KFD_REPLAY_SPACES_MAX];
    struct kfd_replay_queue queues[KFD_REPLAY_QUEUES_MAX];
    struct kfd_replay_object objects[KFD_REPLAY_OBJECTS_MAX];
    /* A bit for each event, by client: set if the event is for memory or hardware exceptions. */
    uint32_t memory[KFD_REPLAY_SPACES_MAX][KFD_REPLAY_EVENTS_MAX / 32];
    uint32_t hardware[KFD_REPLAY_SPACES_MAX][KFD_REPLAY_EVENTS_MAX / 32];
};
GFE_STATE_END

struct kfd_replay {
    struct machine *machine;
    struct amd_node *node;
    struct kfd_replay_state *state;
    uint32_t unit;
    /* Set by the replay before the first event: */
    struct driver_client client;
    const struct trace_record *(*record)(void *replay, uint32_t thread_index);
};

/* Adds the unit to a machine that is being wired, with the node already in it, whose client it
 * becomes.  Returns NULL if memory is short. */
struct kfd_replay *kfd_replay_new(struct amd_node *node);
void kfd_replay_free(struct kfd_replay *kfd_replay);
/* Returns its interface for the replay. */
struct driver kfd_replay_driver(struct kfd_replay *kfd_replay);

/* ---- between its parts ------------------------------------------------------------------------
 */

/* Stops the run with a message.  Returns false. */
bool kfd_replay_refuse(struct kfd_replay *kfd_replay, const char *what, uint64_t number);

/* kfd_replay_call.c: returns the last queue of that number, even if it has ended; NULL means that
 * there was none. */
struct kfd_replay_queue *kfd_replay_queue_find(const struct kfd_replay *kfd_replay,
                                               uint32_t queue_id);
/* Returns the queue of that number.  Stops the run if it does not exist. */
struct kfd_replay_queue *kfd_replay_queue_used(struct kfd_replay *kfd_replay, uint32_t queue_id);
/* Makes, changes or ends a queue. */
enum driver_step kfd_replay_call(struct kfd_replay *kfd_replay, const struct trace_record *record,
                                 uint32_t thread_index);
/* unit_ops.finish: reports the threads whose calls wait. kfd_replay_reports() returns true for
 * these (struct driver_ops). */
void kfd_replay_finish(void *kfd_replay);
bool kfd_replay_reports(void *kfd_replay, uint32_t thread_index);
/* Handles the end of a call that was pending, for the node. */
void kfd_replay_call_done(void *client, enum kfd_result result);
/* Tries the calls again that wait for the driver's lock. */
void kfd_replay_lock_free(void *client);

/* kfd_replay_memory.c: the functions of struct driver_ops with those names. */
bool kfd_replay_as_create(void *driver, const struct trace_as_create *record);
bool kfd_replay_as_map(void *driver, const struct trace_as_map *record);
bool kfd_replay_as_unmap(void *driver, const struct trace_as_unmap *record);
bool kfd_replay_store(void *driver, const struct trace_mem *record);
uint32_t kfd_replay_space_of(void *driver, uint32_t as_id);
/* Stores to memory as the program does. */
bool kfd_replay_write(struct kfd_replay *kfd_replay, uint32_t as_id, uint64_t address,
                      const void *data, size_t bytes);

/* kfd_replay_event.c */
enum driver_step kfd_replay_event(struct kfd_replay *kfd_replay, const struct trace_event *record);
/* Handles an interrupt from a process's queue. */
void kfd_replay_fire(void *driver, uint32_t space_id, uint32_t event_id);
/* Handles an exception: sets all events of that type of a process, and returns their number. */
uint32_t kfd_replay_except(void *driver, uint32_t space_id, uint32_t type);

#endif
