/* SPDX-License-Identifier: MIT */
/*
 * AMD's kernel driver for compute (KFD, a part of amdgpu) as far as the front end sees it, over
 * memory and doorbells only: processes, their queues, and its packets to the scheduling firmware.
 *
 * A queue gets an MQD (kfd_mqd.h) in memory of the driver's own.  With scheduling by the firmware
 * (choice kfd.sched_policy) each change to the set of queues takes the same steps.  The driver
 * writes UNMAP_QUEUES and QUERY_STATUS into its ring (HIQ), waits for the fence, makes the change,
 * and submits a new list (kfd_runlist.h) with RUN_LIST.  The call holds one lock meanwhile.  If the
 * fence does not come in kfd.preemption_timeout_ps, the driver gives the firmware up.  Every later
 * call fails then, and the GPU is reset (amdgpu.gpu_recovery; kfd_reset.c).  If the fence comes but
 * a doorbell stands in the HIQ's MQD, a queue has not left its slot.  Then the call fails, or
 * (kfd.queue_reset) that queue is reset alone.
 *
 * With no_oversubscription a queue that would be one too many is refused (A.H3).  With no_hws the
 * driver itself gives processes VMIDs and queues slots, one pipe after the other, and loads them.
 *
 * The driver gives an SDMA queue a place on an engine when it makes the queue, whatever gives the
 * slots: first places of all engines, then the second places.  If no place is left, no queue is
 * made.  Its place fixes its doorbell, in a range that compute queues leave alone.  An SDMA queue
 * does not count for over-subscription.
 *
 * The firmware may use the slots that the graphics driver leaves.  Of MEC1's 32 slots the graphics
 * driver takes kfd.num_kcq for its own queues, one of each pipe and then the next of each.
 *
 * Sources: amdkfd kfd_device_queue_manager.c, kfd_process_queue_manager.c, kfd_kernel_queue.c,
 * kfd_doorbell.c; amdgpu amdgpu_amdkfd.c, amdgpu_gfx.c, amdgpu_drv.c.  The newest queue is the
 * first in the list.  So is the process that got its first queue last.  ASSUMED: addresses,
 * doorbells of the driver's own, process ids from 0x8000 up.
 *
 * A process's queues leave their slots for good after a page fault (KFD.EVICT), and for a while
 * when pages of its user pointers move (KFD.USERPTR, kfd_userptr.c).  Not modelled: events, memory
 * management, eviction for want of memory, debuggers; of a reset of the GPU the loss of VRAM, and
 * resets for other reasons.
 */
#ifndef GFE_FIRMWARE_MODELS_KFD_KFD_H
#define GFE_FIRMWARE_MODELS_KFD_KFD_H

#include "devices/amd/amd_chip.h"
#include "devices/amd/amd_inject.h"
#include "emu/engine/machine.h"
#include "firmware-models/extent.h"
#include "firmware-models/kfd/kfd_mqd.h"
#include "firmware-models/kfd/kfd_runlist.h"

#define KFD_NONE UINT32_MAX
/* The address of the driver's memory in its own address space. */
#define KFD_VA   UINT64_C(0xff00000000)

enum {
    KFD_PROCESSES_MAX = 256,
    KFD_QUEUES_MAX = 4096, /* max_num_of_queues_per_device */
    KFD_PROCESS_QUEUES_MAX = 1024,
    KFD_HIQ_BYTES = 2048,
    KFD_HIQ_DWORDS = KFD_HIQ_BYTES / 4,
    KFD_HIQ_DOORBELL = 2,       /* dwords */
    KFD_DOORBELL_DWORDS = 2048, /* of a process: 1,024 of eight bytes; the first are the driver's */
    KFD_FENCE_INIT = 10,
    KFD_FENCE_COMPLETED = 100,
    KFD_PASID_FIRST = 0x8000,
    KFD_SLOTS_MAX = AMD_PIPES_MAX * AMD_QUEUES_PER_PIPE_MAX,
};
/* The least memory that the driver needs, without the queues. */
#define KFD_MEMORY_BYTES_MIN (UINT64_C(1) << 20)

/* Results of a call: error numbers as the program would see them. */
enum kfd_result {
    KFD_OK,
    KFD_PENDING, /* ops->done() will report the result */
    KFD_BUSY,    /* another call holds the lock: nothing was done */
    KFD_EPERM,   /* A.H3 */
    KFD_EIO,     /* the firmware hangs */
    KFD_ENOMEM,  /* no VMID, no memory, too many queues, or no place on an SDMA engine */
    KFD_EBUSY,   /* no doorbell, or with no_hws no slot, is free */
    KFD_EINVAL,
    KFD_ETIME, /* a queue has not left its slot, or the firmware has not answered */
};

/* A slot, and the queue that the driver loads into it without the firmware. */
struct kfd_hqd {
    uint32_t pipe, slot;
    uint32_t vmid, pasid;
    uint64_t mqd_address; /* of the driver's own space */
};

/* A place on an SDMA engine, and the queue that the driver loads into it without the firmware. */
struct kfd_sdma {
    uint32_t engine, slot;
    uint32_t vmid, pasid;
    uint64_t mqd_address;   /* of the driver's own space */
    uint64_t write_pointer; /* its address in the program's space */
};

struct kfd_ops {
    /* Loads the HIQ's MQD into its slot (through the KIQ: MAP_QUEUES). */
    void (*map_hiq)(void *engine, uint64_t mqd_address);
    /* Stores 8 bytes to a doorbell, which is counted in dwords from the aperture's start. */
    void (*ring)(void *engine, uint32_t doorbell, uint64_t value);
    /* Load an MQD into a slot's registers, and write DEQUEUE_REQUEST, with no_hws.  amd_hqd_regs.h
     * has the values of `request`.  kfd_hqd_left() is called when ACTIVE has become 0, from within
     * or later. */
    void (*hqd_load)(void *engine, const struct kfd_hqd *hqd);
    void (*hqd_dequeue)(void *engine, const struct kfd_hqd *hqd, uint32_t request);
    /* Do the same for a queue of an SDMA engine; kfd_sdma_left() is called at the end. */
    void (*sdma_load)(void *engine, const struct kfd_sdma *sdma);
    void (*sdma_unload)(void *engine, const struct kfd_sdma *sdma);
    /* Reports that a queue has ended and the memory of its MQD is free.  The saved state of its
     * waves is lost.  May be NULL. */
    void (*gone)(void *engine, uint64_t mqd_address);
    /* Reports that a call that was pending has ended.  The next call may come from within. */
    void (*done)(void *engine, enum kfd_result result);
    /* Reports that a change of the driver's own has ended: a call that was KFD_BUSY may be tried
     * again, also from within.  May be NULL. */
    void (*lock_free)(void *engine);
    /* Resets the GPU.  All slots are empty no later than amdgpu.reset_ps from now, and the
     * processes that have queues are told.  NULL means that a reset is impossible. */
    void (*reset)(void *engine);
    /* Resets the queue of that number (its doorbell): throws away the work that it has taken up,
     * empties its slot, and reports the loss to its process.  NULL means that such a reset is
     * impossible. */
    void (*queue_reset)(void *engine, uint32_t queue_id, uint32_t pasid);
    /* Returns true if the queue has packets or saved waves, and is neither in a slot nor on the
     * firmware's list; for unit_ops.finish of `log_unit` it then also reports what these would
     * complete (machine_log_holds()).  NULL means that no queue has. */
    bool (*is_stranded)(void *engine, uint32_t queue, uint32_t log_unit);
};

/* The arguments of CREATE_QUEUE and UPDATE_QUEUE; addresses are the program's. */
struct kfd_queue_options {
    uint64_t ring_address, read_pointer, write_pointer;
    uint64_t eop_address, save_address;
    uint32_t ring_bytes; /* a power of two, or 0: the queue is not active */
    uint32_t eop_bytes, save_bytes, control_stack_bytes;
    uint32_t format;   /* enum kfd_mqd_format, but not HIQ */
    uint32_t priority; /* 0 to 15 */
    uint32_t percent;  /* 0: the queue is not active; up to 100 */
};

GFE_STATE_BEGIN
/* Lists are by index, KFD_NONE at their ends. */
struct kfd_process {
    uint64_t page_table;
    uint32_t used, pasid;
    uint32_t vmid; /* no_hws; 0: none */
    uint32_t first_queue, queue_count;
    uint32_t next;            /* of those that have queues */
    uint32_t evicted, evict;  /* its queues are no longer mapped; they have yet to be taken off */
    uint32_t invalid;         /* pages of its user pointers have moved, and are not pinned again */
    uint32_t quiesced;        /* its queues are off for that */
    uint32_t quiesce, resume; /* they have yet to be taken off, or put back */
    gfe_ps restore_ps;        /* when the driver tries to put them back */
    uint32_t doorbells[KFD_PROCESS_QUEUES_MAX / 32]; /* that are taken */
};

struct kfd_queue {
    uint64_t mqd_physical, mqd_bytes;
    struct kfd_mqd_queue mqd; /* its current state */
    uint32_t used, process;
    uint32_t active;
    uint32_t pipe, slot; /* no_hws; KFD_NONE: none */
    uint32_t next;
    uint32_t lost;   /* it has been reset: it is never active again */
    uint32_t wanted; /* QUEUE_IS_ACTIVE() but for evictions: it has a ring and a percentage */
};

struct kfd_state {
    struct extents memory;
    uint64_t hiq_write;            /* dwords */
    uint64_t sdma_free, xgmi_free; /* places on SDMA engines: bit slot * engines + engine */
    gfe_ps since_ps;               /* of the wait */
    gfe_ps warned_ps;              /* when `warned` was set */
    struct kfd_mqd_queue change_to;
    uint32_t space_id, started;
    uint32_t hangs;               /* is_hws_hang */
    uint32_t resets, reset_count; /* 1: the GPU is being reset; how often it has been */
    uint32_t listed;              /* active_runlist: its dwords, 0 = there is none */
    uint32_t warned;              /* 1: over-subscription has been reported */
    uint32_t waiting;             /* enum kfd_wait */
    uint32_t change;              /* enum kfd_change of the call that is under way */
    uint32_t change_queue, change_process, change_active;
    uint32_t process_count, queue_count; /* processes that have queues; queues */
    uint32_t active_count, active_sdma_count,
        sdma_count; /* of compute; of SDMA; and all of these */
    uint32_t first_process;
    uint32_t next_pipe, slots; /* no_hws: free slots, bit pipe * 8 + slot */
    uint32_t vmids;            /* no_hws: free ones */
    uint32_t quiesce_failed; /* enum kfd_result: the first failure of a quiesced process's queues */
    struct kfd_process processes[KFD_PROCESSES_MAX];
    struct kfd_queue queues[KFD_QUEUES_MAX];
};
GFE_STATE_END

struct kfd {
    struct machine *machine;
    const struct amd_chip *chip;
    const struct kfd_ops *ops;
    void *engine;
    uint64_t physical, bytes; /* system memory of its own */
    uint32_t unit;
    bool inside; /* ops->hqd_dequeue(), within one event */
    struct kfd_state *state;
};

/* Adds the driver to a machine that is being wired, with kfd_tables already in it.  `ops` and
 * `engine` are borrowed.  [physical, + bytes) of system memory, whole pages and
 * KFD_MEMORY_BYTES_MIN at least (asserted), becomes the driver's own.  Returns NULL if memory is
 * short. */
struct kfd *kfd_new(struct machine *machine, const struct amd_chip *chip, uint64_t physical,
                    uint64_t bytes, const struct kfd_ops *ops, void *engine);
void kfd_free(struct kfd *kfd);
/* Starts the driver: makes its address space and, with scheduling by firmware, the HIQ, and sends
 * SET_RESOURCES.  Call it once, before any of the following functions; the machine must be sealed.
 */
void kfd_start(struct kfd *kfd);
/* Returns the slots of MEC1 that are not the graphics driver's, as bits pipe * 8 + slot. */
uint64_t kfd_slot_mask(const struct kfd *kfd);
/* Returns the VMIDs that are not the graphics driver's. */
uint32_t kfd_vmid_mask(const struct kfd *kfd);
/* Returns how many processes may be on at a time. */
uint32_t kfd_process_limit(const struct kfd *kfd);

/* Opens the device for a process, and returns its index.  KFD_NONE means that there are too many.
 */
uint32_t kfd_process_open(struct kfd *kfd, uint64_t page_table);
/* Ends a process: takes its queues away, and frees its index. */
enum kfd_result kfd_process_close(struct kfd *kfd, uint32_t process);

/* Takes a process's queues off for good, once the lock is free (KFD.EVICT; kfd_evict.c).  Calls
 * nothing back. */
void kfd_evict(struct kfd *kfd, uint32_t pasid);
/* Takes a process's queues off, and puts them back kfd.userptr_restore_ps later (KFD.USERPTR;
 * kfd_userptr.c), each once the lock is free: what the MMU notifier of one of its user pointers
 * asks for.  A process that has such a pointer already is left alone. */
void kfd_userptr_invalidate(struct kfd *kfd, uint32_t pasid);

/* ---- queues (kfd_queue.c) -------------------------------------------------------------------- */

/* Carries out CREATE_QUEUE.  *queue is valid unless the call failed at once with an error other
 * than KFD_EIO and KFD_ETIME.  With these two the queue is made, but is not on the firmware's list.
 */
enum kfd_result kfd_queue_create(struct kfd *kfd, uint32_t process,
                                 const struct kfd_queue_options *options, uint32_t *queue);
/* Carries out UPDATE_QUEUE: changes ring, priority and percentage. */
enum kfd_result kfd_queue_update(struct kfd *kfd, uint32_t queue, uint64_t ring_address,
                                 uint32_t ring_bytes, uint32_t percent, uint32_t priority);
/* Carries out SET_CU_MASK.  bit_count is a multiple of 32, not 0.  A.M1 deals the mask out. */
enum kfd_result kfd_queue_set_cu_mask(struct kfd *kfd, uint32_t queue, const uint32_t *mask,
                                      uint32_t bit_count);
/* Carries out DESTROY_QUEUE. */
enum kfd_result kfd_queue_destroy(struct kfd *kfd, uint32_t queue);
/* Finds the list that the firmware was given.  Returns its length, and sets *physical to its
 * address in system memory.  0 means that there is no list; *physical is then meaningless. */
uint32_t kfd_list(const struct kfd *kfd, uint64_t *physical);
/* Reads the queue's MQD as it stands in memory now. */
void kfd_queue_read_mqd(struct kfd *kfd, uint32_t queue, uint32_t mqd[AMD_MQD_DWORDS]);
/* Notes, with no_hws, that the slot is empty (kfd_hqd.c). */
void kfd_hqd_left(struct kfd *kfd, uint32_t pipe, uint32_t slot);
/* Notes that an SDMA queue has left its place; `read` is how many bytes of its ring it has read. */
void kfd_sdma_left(struct kfd *kfd, uint32_t engine, uint32_t slot, uint64_t read);

/* ---- between the parts of the model ---------------------------------------------------------- */

enum kfd_wait { KFD_WAIT_NONE, KFD_WAIT_FENCE, KFD_WAIT_HQD };
enum kfd_change {
    KFD_CHANGE_NONE,
    KFD_CHANGE_CREATE,
    KFD_CHANGE_UPDATE,
    KFD_CHANGE_DESTROY,
    KFD_CHANGE_CLOSE,
    /* The driver begins these by itself; no program's call waits for their end. */
    KFD_CHANGE_EVICT,
    KFD_CHANGE_QUIESCE,
    KFD_CHANGE_RESUME,
};
enum kfd_event {
    KFD_FENCE_WRITTEN,
    KFD_TIMEOUT,
    KFD_LOCK_FREE,
    KFD_RESET,
    KFD_RESET_DONE,
    KFD_RESTORE,                          /* pages are pinned again */
    KFD_MOVED = AMD_INJECT_USERPTR_MOVED, /* pages have moved; the argument is the PASID */
};

/* kfd_hiq.c: packets to the firmware, and its answers. */
bool kfd_hiq_put(struct kfd *kfd, const uint32_t *dwords, uint32_t count);
void kfd_hiq_start(struct kfd *kfd);
/* Empties the ring, and sends SET_RESOURCES: at the start, and after a reset. */
void kfd_hiq_begin(struct kfd *kfd);
/* kfd_reset.c: kfd_reset_later() schedules a reset of the GPU where one is allowed; kfd_reset()
 * begins it; kfd_reset_done() ends it. */
void kfd_reset_later(struct kfd *kfd);
/* Resets, with choice kfd.queue_reset, the compute queue with that doorbell (in dwords), which has
 * not left its slot.  Returns false if no queue was reset. */
bool kfd_reset_queue(struct kfd *kfd, uint32_t doorbell);
void kfd_reset(struct kfd *kfd);
void kfd_reset_done(struct kfd *kfd);
/* Takes the list off.  Returns KFD_OK if there was none.  KFD_PENDING means that kfd_unmapped()
 * will be called. */
enum kfd_result kfd_hiq_unmap(struct kfd *kfd);
/* Writes a new list and submits it, if there are active queues. */
enum kfd_result kfd_hiq_map(struct kfd *kfd);
void kfd_hiq_fence(struct kfd *kfd);
void kfd_hiq_timeout(struct kfd *kfd);
/* Returns the virtual address of a place in the driver's memory. */
uint64_t kfd_va(const struct kfd *kfd, uint64_t physical);

/* kfd_queue.c: goes on with the call after the wait; `result` is the wait's outcome. */
void kfd_unmapped(struct kfd *kfd, enum kfd_result result);
/* Returns the number of errno.h. */
uint32_t kfd_errno(enum kfd_result result);
uint32_t kfd_pasid(const struct kfd *kfd, const struct kfd_queue *queue);
/* Returns the queue's number in the log: that of its doorbell, counted in eight bytes. */
uint32_t kfd_queue_id(const struct kfd_queue *queue);

/* kfd_sdma.c: places on SDMA engines, and doorbells. */
void kfd_sdma_start(struct kfd *kfd);
enum kfd_result kfd_sdma_take(struct kfd *kfd, struct kfd_queue *queue);
void kfd_sdma_give(struct kfd *kfd, const struct kfd_queue *queue);
/* Returns the number of the queue's doorbell among those of its process. */
uint32_t kfd_sdma_doorbell(const struct kfd_queue *queue);
/* Returns true if that number is in the range reserved for SDMA and others. */
bool kfd_sdma_keeps(uint32_t doorbell);

void kfd_deactivate(struct kfd *kfd, struct kfd_queue *queue);
/* Returns true if nothing keeps the queue off. */
bool kfd_may_run(const struct kfd *kfd, const struct kfd_queue *queue);
/* Makes the queue active if nothing keeps it off. */
void kfd_activate(struct kfd *kfd, struct kfd_queue *queue);
/* Begins a change of the driver's own for a process. */
void kfd_change_own(struct kfd *kfd, enum kfd_change change, uint32_t process);
/* Returns the value of DEQUEUE_REQUEST that saves the queue's waves, or lets them end where there
 * is no room for them. */
uint32_t kfd_save_request(const struct kfd_queue *queue);
/* Returns the next active queue of the process, or KFD_NONE if it has none. */
uint32_t kfd_next_active(const struct kfd *kfd, const struct kfd_process *process);
/* kfd_userptr.c: begin a quiescence or its end that waited for the lock; quiesce_settle() does what
 * kfd_evict_settle() does, and resume_settle() makes the queues active again.  ended() is told how
 * a change has ended. */
void kfd_userptr_next(struct kfd *kfd, uint32_t process);
bool kfd_quiesce_settle(struct kfd *kfd, struct kfd_process *process, enum kfd_result result);
void kfd_resume_settle(struct kfd *kfd, struct kfd_process *process);
void kfd_userptr_ended(struct kfd *kfd, enum kfd_change change, struct kfd_process *process,
                       enum kfd_result result);
void kfd_userptr_restore(struct kfd *kfd);
/* kfd_evict.c: kfd_evict_next() begins an eviction that waited for the lock.  kfd_evict_settle()
 * deactivates the process's queues once they are off, and returns false while another slot has to
 * be emptied first. */
void kfd_evict_next(struct kfd *kfd);
bool kfd_evict_settle(struct kfd *kfd, struct kfd_process *process);

/* kfd_open.c: unit_ops.finish */
void kfd_finish(void *kfd);

/* kfd_hqd.c: gives a queue a slot without the firmware, and a VMID with the process's first queue.
 */
enum kfd_result kfd_take_hqd(struct kfd *kfd, struct kfd_queue *queue);
bool kfd_take_vmid(struct kfd *kfd, struct kfd_queue *queue);
void kfd_hqd_load(struct kfd *kfd, const struct kfd_queue *queue);
/* Begins to empty the slot of the queue with that index.  KFD_PENDING means that kfd_unmapped()
 * will be called. */
enum kfd_result kfd_hqd_unload(struct kfd *kfd, uint32_t index, uint32_t request);
void kfd_hqd_timeout(struct kfd *kfd);

/* kfd.c: returns true if the firmware schedules (choice kfd.sched_policy). */
bool kfd_has_firmware(const struct kfd *kfd);

#endif
