/* SPDX-License-Identifier: MIT */
/*
 * What the replay asks of a driver model: the calls that a recorded program made, turned into
 * register and memory writes by a model in firmware-models/.  A driver model is a unit of the
 * machine; its state lies in the arena like any other's.
 */
#ifndef GFE_EMU_DRIVER_H
#define GFE_EMU_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/engine/machine.h"
#include "traces/format/trace.h"

/* Where a completion value stands, and which value means "done". */
struct driver_fence {
    uint64_t address; /* physical */
    uint32_t aperture;
    uint32_t value; /* reached when (int32_t)(memory - value) >= 0 */
    uint64_t va;    /* what the driver's own channel sees there; logs name it so */
};

/* The model calls back; `context` is the replay. */
struct driver_client {
    /* The call that was started for this thread (submit, channel_end) returns now. */
    void (*call_returned)(void *context, uint32_t thread_index);
    /* The driver's interrupt handler woke whoever sleeps in the kernel. */
    void (*woken)(void *context);
    /* Layer RING: it has set an event of a client. */
    void (*fired)(void *context, uint32_t client_id, uint32_t event_id);
    void *context;
};

/* What came of a call. */
enum driver_step {
    DRIVER_REFUSED, /* machine_fail() was called with the reason */
    DRIVER_DONE,
    DRIVER_CALLS, /* it takes time: call_returned() ends it */
};

struct driver_ops {
    const char *name;
    /* Each returns false when the recording asks for something that the model does not have or that
     * makes no sense (machine_fail() was called with the reason). */
    bool (*as_create)(void *driver, const struct trace_as_create *record);
    bool (*as_map)(void *driver, const struct trace_as_map *record);
    bool (*as_unmap)(void *driver, const struct trace_as_unmap *record);
    bool (*channel)(void *driver, const struct trace_channel *record);
    /* Starts; ends with call_returned(), when the GPU has let the channel go. */
    bool (*channel_end)(void *driver, const struct trace_channel_end *record,
                        uint32_t thread_index);
    bool (*object)(void *driver, const struct trace_object *record);
    /* Would a write of the program change dwords that the GPU was given and has not fetched yet?
     * *fence is then what tells that it has. */
    bool (*overwrites)(void *driver, const struct trace_mem *record, struct driver_fence *fence);
    /* The program wrote memory. */
    bool (*store)(void *driver, const struct trace_mem *record);
    /* Starts a submission.  The record stays valid until call_returned(), which ends it: until then
     * it is the thread's, and the replay gives it again by the thread's number. */
    bool (*submit)(void *driver, const struct trace_submit *record, uint32_t thread_index);
    /* A client takes over an address space; binds in it, as a call that returns with
     * call_returned(); hands over a job: likewise. */
    bool (*vm_init)(void *driver, const struct trace_vm_init *record);
    bool (*vm_bind)(void *driver, const struct trace_vm_bind *record, uint32_t thread_index);
    bool (*exec)(void *driver, const struct trace_exec *record, uint32_t thread_index);
    bool (*syncobj)(void *driver, const struct trace_syncobj *record);
    /* Has what an EXEC, VM_BIND or SYNCOBJ needs been submitted, so that it can be handed over? */
    bool (*submitted)(void *driver, const struct trace_record *record);
    /* Is the wait over?  If not, *submission_id is one that it waits for, 0 = none. */
    bool (*wait_over)(void *driver, const struct trace_syncobj_wait *record,
                      uint32_t *submission_id);
    /* Has the channel that address space? */
    bool (*shows)(void *driver, uint32_t channel_id, uint32_t as_id);
    /* The driver's own completion of the last submission up to submission_id on a channel
     * (TRACE_ANY: any).  False: there was none. */
    bool (*fence)(void *driver, uint32_t channel_id, uint32_t submission_id,
                  struct driver_fence *fence);
    /* Will it never be reached, because its channel was given up?  Who waits for it in the kernel
     * is told so by woken(), and waits no more. */
    bool (*lost)(void *driver, const struct driver_fence *fence);
    /* Somebody sleeps in the kernel: make sure that an interrupt wakes him. */
    void (*arm)(void *driver);
    /* Where a virtual address of the program lies.  False: nowhere. */
    bool (*locate)(void *driver, uint32_t channel_id, uint64_t address, struct driver_fence *place);

    /* Layer RING alone; a driver of other layers has none of these. */

    /* A device, a queue, what changes it, its packets, kernels or doorbells.  The record
     * stays valid until the call has returned, and is given again by the thread's number. */
    enum driver_step (*ring)(void *driver, const struct trace_record *record,
                             uint32_t thread_index);
    /* Where the packet lies is free once the fence is reached; false: it is free in any case. */
    bool (*ring_place)(void *driver, const struct trace_packet *packet, struct driver_fence *fence);
    /* The machine's number of an address space, ADDRESS_SPACE_NONE. */
    uint32_t (*space)(void *driver, uint32_t as_id);
};

struct driver {
    const struct driver_ops *ops;
    void *driver;
};

#endif
