/* SPDX-License-Identifier: MIT */
/*
 * The interface between the replay and a driver model.  The replay passes the calls that a recorded
 * program made; a model in firmware-models/ turns them into register and memory writes.  A driver
 * model is a unit of the machine; its state lies in the arena like any other unit's.
 */
#ifndef GFE_FIRMWARE_MODELS_DRIVER_H
#define GFE_FIRMWARE_MODELS_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/engine/machine.h"
#include "traces/format/trace.h"

/* The place of a completion value, and the value that means "done". */
struct driver_fence {
    uint64_t address; /* physical */
    uint32_t aperture;
    uint32_t value; /* reached when (int32_t)(memory - value) >= 0 */
    uint64_t va;    /* the same place in the address space of the driver's own channel, for logs */
};

/* Callbacks from the model; `context` is the replay. */
struct driver_client {
    /* Reports that the call which was started for this thread (submit, channel_end) returns now. */
    void (*call_returned)(void *context, uint32_t thread_index);
    /* Reports that the driver's interrupt handler woke the threads that sleep in the kernel. */
    void (*woken)(void *context);
    /* Reports, at layer RING, that the driver has set an event of a client. */
    void (*fired)(void *context, uint32_t client_id, uint32_t event_id);
    void *context;
};

/* The outcome of a call. */
enum driver_step {
    DRIVER_REFUSED, /* machine_fail() was called with the reason */
    DRIVER_DONE,
    DRIVER_CALLS, /* the call takes time: call_returned() ends it */
};

struct driver_ops {
    const char *name;
    /* Carries out a recorded call.  Each of these functions returns false if the recording asks for
     * something that the model lacks or that makes no sense, after machine_fail() with the reason.
     */
    bool (*as_create)(void *driver, const struct trace_as_create *record);
    bool (*as_map)(void *driver, const struct trace_as_map *record);
    bool (*as_unmap)(void *driver, const struct trace_as_unmap *record);
    bool (*channel)(void *driver, const struct trace_channel *record);
    /* Starts to end a channel.  call_returned() ends the call when the GPU has let the channel go.
     */
    bool (*channel_end)(void *driver, const struct trace_channel_end *record,
                        uint32_t thread_index);
    bool (*object)(void *driver, const struct trace_object *record);
    /* Returns true if a write of the program would change dwords that the GPU was given and has not
     * fetched yet.  *fence is then reached once the GPU has fetched them. */
    bool (*overwrites)(void *driver, const struct trace_mem *record, struct driver_fence *fence);
    /* Writes memory as the program did. */
    bool (*store)(void *driver, const struct trace_mem *record);
    /* Starts a submission, which call_returned() ends.  The record stays valid until then; the
     * replay returns it again for the thread's index. */
    bool (*submit)(void *driver, const struct trace_submit *record, uint32_t thread_index);
    /* Let a client manage an address space, bind memory in it, and hand over a job. call_returned()
     * ends the calls of vm_bind() and exec(). */
    bool (*vm_init)(void *driver, const struct trace_vm_init *record);
    bool (*vm_bind)(void *driver, const struct trace_vm_bind *record, uint32_t thread_index);
    bool (*exec)(void *driver, const struct trace_exec *record, uint32_t thread_index);
    bool (*syncobj)(void *driver, const struct trace_syncobj *record);
    /* Returns true if all that an EXEC, VM_BIND or SYNCOBJ depends on has been submitted.  The
     * record can be handed over only then. */
    bool (*submitted)(void *driver, const struct trace_record *record);
    /* Returns true if the wait is over.  Otherwise *submission_id is a submission that it waits
     * for; 0 means none. */
    bool (*wait_over)(void *driver, const struct trace_syncobj_wait *record,
                      uint32_t *submission_id);
    /* Returns true if the channel uses that address space. */
    bool (*shows)(void *driver, uint32_t channel_id, uint32_t as_id);
    /* Finds the driver's own completion value of the last submission up to submission_id on a
     * channel.  TRACE_ANY stands for any submission.  Returns false if there was none. */
    bool (*fence)(void *driver, uint32_t channel_id, uint32_t submission_id,
                  struct driver_fence *fence);
    /* Returns true if the fence will never be reached because its channel was given up.  woken()
     * then ends the waits for it in the kernel. */
    bool (*lost)(void *driver, const struct driver_fence *fence);
    /* Makes sure that an interrupt wakes the thread that sleeps in the kernel. */
    void (*arm)(void *driver);
    /* Translates a virtual address of the program.  Returns false if nothing is mapped there. */
    bool (*locate)(void *driver, uint32_t channel_id, uint64_t address, struct driver_fence *place);

    /* Returns true if the driver itself reports, when nothing is left to happen, why the call that
     * the thread is in does not return.  NULL means that it never does. */
    bool (*reports)(void *driver, uint32_t thread_index);

    /* The following exist at layer RING only; they are NULL in a driver of another layer. */

    /* Carries out a record of a device, a queue, a change to a queue, packets, kernels or
     * doorbells. The record stays valid until the call has returned; the replay returns it again
     * for the thread's index. */
    enum driver_step (*ring)(void *driver, const struct trace_record *record,
                             uint32_t thread_index);
    /* Finds the fence after which the packet's place in the ring is free.  Returns false if the
     * place is free already. */
    bool (*ring_place)(void *driver, const struct trace_packet *packet, struct driver_fence *fence);
    /* Returns the machine's number of an address space, or ADDRESS_SPACE_NONE. */
    uint32_t (*space)(void *driver, uint32_t as_id);
};

struct driver {
    const struct driver_ops *ops;
    void *driver;
};

#endif
