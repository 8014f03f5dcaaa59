/* SPDX-License-Identifier: MIT */
/*
 * AMD's kernel driver for compute (KFD, a part of amdgpu) as far as the front end sees it, over
 * memory and doorbells only: processes, their queues, and what it tells the scheduling firmware.
 *
 * A queue gets an MQD (kfd_mqd.h) in memory of the driver's own.  With scheduling by the firmware
 * (choice kfd.sched_policy) each change to what queues there are goes the same way: UNMAP_QUEUES
 * and QUERY_STATUS into the driver's ring (HIQ), wait for the fence, the change, a new list
 * (kfd_runlist.h) and RUN_LIST.  All calls hold one lock meanwhile.  If the fence does not come in
 * kfd.preemption_timeout_ps the firmware is given up, every later call fails, and the GPU is reset
 * (amdgpu.gpu_recovery; kfd_reset.c); if it comes but a doorbell stands in the HIQ's MQD, a queue
 * has not left its slot, and the call fails, or (kfd.queue_reset) the queue is reset alone.
 *
 * With no_oversubscription a queue that would be one too many is refused (A.H3).  With no_hws the
 * driver itself gives processes VMIDs and queues slots, one pipe after the other, and loads them.
 *
 * A queue of SDMA gets a place on an engine when it is made, whoever gives slots: of all engines
 * the first places, then the second; when there is none left no queue is made.  Its doorbell is
 * fixed by its place, in a range that compute queues leave alone.  It counts for no
 * over-subscription.
 *
 * The firmware may use the slots that the graphics driver leaves: of MEC1's 32 it takes kfd.num_kcq
 * for its own queues, one of each pipe and then the next of each.
 *
 * Sources: amdkfd kfd_device_queue_manager.c, kfd_process_queue_manager.c, kfd_kernel_queue.c,
 * kfd_doorbell.c; amdgpu amdgpu_amdkfd.c, amdgpu_gfx.c, amdgpu_drv.c.  The newest queue is the
 * first in the list, and likewise the process that got its first queue last.  ASSUMED: addresses,
 * doorbells of the driver's own, process ids from 0x8000 up.  Not modelled: events, memory
 * management, eviction for want of memory, debuggers; of a reset of the GPU the loss of VRAM, and
 * resets for other reasons.
 */
#ifndef GFE_FIRMWARE_MODELS_KFD_H
#define GFE_FIRMWARE_MODELS_KFD_H

#include "devices/amd/amd_chip.h"
#include "emu/engine/machine.h"
#include "firmware-models/extent.h"
#include "firmware-models/kfd/kfd_mqd.h"
#include "firmware-models/kfd/kfd_runlist.h"

#define KFD_NONE UINT32_MAX
/* Where the driver's memory is in its own address space. */
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
/* Memory that it needs at least, without the queues. */
#define KFD_MEMORY_BYTES_MIN (UINT64_C(1) << 20)

/* What a call comes to: error numbers as the program would see them. */
enum kfd_result {
    KFD_OK,
    KFD_PENDING, /* ops->done() will say */
    KFD_BUSY,    /* another call holds the lock: nothing was done */
    KFD_EPERM,   /* A.H3 */
    KFD_EIO,     /* the firmware hangs */
    KFD_ENOMEM,  /* no VMID, no memory, too many queues, or no place on an SDMA engine */
    KFD_EBUSY,   /* no doorbell, or with no_hws no slot, is free */
    KFD_EINVAL,
    KFD_ETIME, /* a queue has not left its slot, or the firmware has not answered */
};

/* A slot, and what is loaded into it without the firmware. */
struct kfd_hqd {
    uint32_t pipe, slot;
    uint32_t vmid, pasid;
    uint64_t mqd_address; /* of the driver's own space */
};

/* A place on an SDMA engine, likewise. */
struct kfd_sdma {
    uint32_t engine, slot;
    uint32_t vmid, pasid;
    uint64_t mqd_address;   /* of the driver's own space */
    uint64_t write_pointer; /* where the program has it */
};

struct kfd_ops {
    /* The HIQ's MQD is ready to be loaded into its slot (through the KIQ: MAP_QUEUES). */
    void (*map_hiq)(void *engine, uint64_t mqd_address);
    /* A store of 8 bytes to a doorbell, in dwords from the aperture's start. */
    void (*ring)(void *engine, uint32_t doorbell, uint64_t value);
    /* no_hws: registers of a slot: the MQD is loaded; DEQUEUE_REQUEST is written (its values:
     * amd_hqd_regs.h), and kfd_hqd_left() is called when ACTIVE has become 0, from within or later.
     */
    void (*hqd_load)(void *engine, const struct kfd_hqd *hqd);
    void (*hqd_dequeue)(void *engine, const struct kfd_hqd *hqd, uint32_t request);
    /* The same of a queue of an SDMA engine; kfd_sdma_left(). */
    void (*sdma_load)(void *engine, const struct kfd_sdma *sdma);
    void (*sdma_unload)(void *engine, const struct kfd_sdma *sdma);
    /* A queue is no more, and the memory of its MQD is free: what was saved of its waves is lost.
     * May be NULL. */
    void (*gone)(void *engine, uint64_t mqd_address);
    /* A call that was pending has ended; the next may come from within. */
    void (*done)(void *engine, enum kfd_result result);
    /* The GPU is reset: nothing is in any slot any more, no later than amdgpu.reset_ps from now;
     * and processes that have queues are told.  NULL: it cannot be. */
    void (*reset)(void *engine);
    /* What the queue of that number (its doorbell) has taken up is thrown away, and it leaves its
     * slot; its process is told.  NULL: it cannot be. */
    void (*queue_reset)(void *engine, uint32_t queue_id, uint32_t pasid);
};

/* What CREATE_QUEUE and UPDATE_QUEUE take; addresses are the program's. */
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
    uint32_t next;           /* of those that have queues */
    uint32_t evicted, evict; /* its queues are no more mapped; and have yet to be taken off */
    uint32_t doorbells[KFD_PROCESS_QUEUES_MAX / 32]; /* that are taken */
};

struct kfd_queue {
    uint64_t mqd_physical, mqd_bytes;
    struct kfd_mqd_queue mqd; /* what it is now */
    uint32_t used, process;
    uint32_t active;
    uint32_t pipe, slot; /* no_hws; KFD_NONE: none */
    uint32_t next;
    uint32_t lost; /* it has been reset: it is never active again */
    uint32_t reserved;
};

struct kfd_state {
    struct extents memory;
    uint64_t hiq_write;            /* dwords */
    uint64_t sdma_free, xgmi_free; /* places on SDMA engines: bit slot * engines + engine */
    gfe_ps since_ps;               /* of the wait */
    gfe_ps warned_ps;              /* when it was, if it was */
    struct kfd_mqd_queue change_to;
    uint32_t space_id, started;
    uint32_t hangs;               /* is_hws_hang */
    uint32_t resets, reset_count; /* the GPU is being reset; has been, so often */
    uint32_t listed;              /* active_runlist: its dwords, 0 = there is none */
    uint32_t warned;              /* of over-subscription */
    uint32_t waiting;             /* enum kfd_wait */
    uint32_t change;              /* enum kfd_change of the call that is under way */
    uint32_t change_queue, change_process, change_active;
    uint32_t process_count, queue_count; /* that have queues; queues */
    uint32_t active_count, active_sdma_count,
        sdma_count; /* of compute; of SDMA; and all of these */
    uint32_t first_process;
    uint32_t next_pipe, slots; /* no_hws: free slots, bit pipe * 8 + slot */
    uint32_t vmids, reserved;  /* no_hws: free ones */
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

/* Joins a machine that is being wired, with kfd_tables already in it.  `ops` and `engine` are
 * borrowed; [physical, + bytes) of system memory, whole pages and KFD_MEMORY_BYTES_MIN at least
 * (asserted), becomes the driver's own.  NULL: no memory. */
struct kfd *kfd_new(struct machine *machine, const struct amd_chip *chip, uint64_t physical,
                    uint64_t bytes, const struct kfd_ops *ops, void *engine);
void kfd_free(struct kfd *kfd);
/* The driver begins: its address space and, with scheduling by firmware, the HIQ and SET_RESOURCES.
 * Once, before any of the following; the machine is sealed. */
void kfd_start(struct kfd *kfd);
/* Slots of MEC1, bit pipe * 8 + slot, that are not the graphics driver's. */
uint64_t kfd_slot_mask(const struct kfd *kfd);
/* VMIDs that are not. */
uint32_t kfd_vmid_mask(const struct kfd *kfd);
/* Processes that may be on at a time. */
uint32_t kfd_process_limit(const struct kfd *kfd);

/* A process opens the device; KFD_NONE: too many. */
uint32_t kfd_process_open(struct kfd *kfd, uint64_t page_table);
/* It ends: its queues are taken away, its number is free. */
enum kfd_result kfd_process_close(struct kfd *kfd, uint32_t process);

/* A process's queues are taken off for good, once the lock is free (KFD.EVICT; kfd_evict.c).
 * Nothing is called back. */
void kfd_evict(struct kfd *kfd, uint32_t pasid);

/* ---- queues (kfd_queue.c) -------------------------------------------------------------------- */

/* CREATE_QUEUE: *queue is valid unless the call failed at once with an error other than KFD_EIO and
 * KFD_ETIME; with these two the queue is made, but not on the list of the firmware. */
enum kfd_result kfd_queue_create(struct kfd *kfd, uint32_t process,
                                 const struct kfd_queue_options *options, uint32_t *queue);
/* UPDATE_QUEUE: ring, priority and percentage. */
enum kfd_result kfd_queue_update(struct kfd *kfd, uint32_t queue, uint64_t ring_address,
                                 uint32_t ring_bytes, uint32_t percent, uint32_t priority);
/* SET_CU_MASK: bit_count is a multiple of 32, not 0; the mask is dealt out by A.M1. */
enum kfd_result kfd_queue_set_cu_mask(struct kfd *kfd, uint32_t queue, const uint32_t *mask,
                                      uint32_t bit_count);
/* DESTROY_QUEUE. */
enum kfd_result kfd_queue_destroy(struct kfd *kfd, uint32_t queue);
/* The list that the firmware has been given, in system memory; 0 bytes: none, and the address means
 * nothing. */
uint32_t kfd_list(const struct kfd *kfd, uint64_t *physical);
/* Its MQD as it stands in memory now. */
void kfd_queue_read_mqd(struct kfd *kfd, uint32_t queue, uint32_t mqd[AMD_MQD_DWORDS]);
/* no_hws: the slot is empty (kfd_hqd.c). */
void kfd_hqd_left(struct kfd *kfd, uint32_t pipe, uint32_t slot);
/* The same of an SDMA queue, which has read so many bytes. */
void kfd_sdma_left(struct kfd *kfd, uint32_t engine, uint32_t slot, uint64_t read);

/* ---- between the parts of the model ---------------------------------------------------------- */

enum kfd_wait { KFD_WAIT_NONE, KFD_WAIT_FENCE, KFD_WAIT_HQD };
enum kfd_change {
    KFD_CHANGE_NONE,
    KFD_CHANGE_CREATE,
    KFD_CHANGE_UPDATE,
    KFD_CHANGE_DESTROY,
    KFD_CHANGE_CLOSE,
    KFD_CHANGE_EVICT,
};
enum kfd_event { KFD_FENCE_WRITTEN, KFD_TIMEOUT, KFD_LOCK_FREE, KFD_RESET, KFD_RESET_DONE };

/* kfd_hiq.c: what the firmware is told, and what it answers. */
bool kfd_hiq_put(struct kfd *kfd, const uint32_t *dwords, uint32_t count);
void kfd_hiq_start(struct kfd *kfd);
/* The ring is empty, and the firmware is told what it may use: at the start, and after a reset. */
void kfd_hiq_begin(struct kfd *kfd);
/* kfd_reset.c: the GPU will be reset, if it may be; it is; it has been. */
void kfd_reset_later(struct kfd *kfd);
/* With choice kfd.queue_reset: the compute queue with that doorbell (in dwords), which has not left
 * its slot, is reset alone.  False: it is not. */
bool kfd_reset_queue(struct kfd *kfd, uint32_t doorbell);
void kfd_reset(struct kfd *kfd);
void kfd_reset_done(struct kfd *kfd);
/* Takes the list off.  KFD_OK: there was none; KFD_PENDING: kfd_unmapped() will come. */
enum kfd_result kfd_hiq_unmap(struct kfd *kfd);
/* Writes a new list, if there are active queues, and has it run. */
enum kfd_result kfd_hiq_map(struct kfd *kfd);
void kfd_hiq_fence(struct kfd *kfd);
void kfd_hiq_timeout(struct kfd *kfd);
/* Where the driver's memory is. */
uint64_t kfd_va(const struct kfd *kfd, uint64_t physical);

/* kfd_queue.c: the wait is over. */
void kfd_unmapped(struct kfd *kfd, enum kfd_result result);
uint32_t kfd_pasid(const struct kfd *kfd, const struct kfd_queue *queue);
/* Its number in the log: that of its doorbell, counted in eight bytes. */
uint32_t kfd_queue_id(const struct kfd_queue *queue);

/* kfd_sdma.c: places on SDMA engines, and doorbells. */
void kfd_sdma_start(struct kfd *kfd);
enum kfd_result kfd_sdma_take(struct kfd *kfd, struct kfd_queue *queue);
void kfd_sdma_give(struct kfd *kfd, const struct kfd_queue *queue);
/* The number of its doorbell, of those of its process. */
uint32_t kfd_sdma_doorbell(const struct kfd_queue *queue);
/* Is that number in the range of SDMA and others? */
bool kfd_sdma_keeps(uint32_t doorbell);

void kfd_deactivate(struct kfd *kfd, struct kfd_queue *queue);
/* Begins the change. */
void kfd_change_evict(struct kfd *kfd, uint32_t process);
/* kfd_evict.c: evictions that waited for the lock; and what is done when the queues are off: false:
 * there is another slot to empty. */
void kfd_evict_next(struct kfd *kfd);
bool kfd_evict_settle(struct kfd *kfd, struct kfd_process *process);

/* kfd_hqd.c: slots without the firmware.  A slot, and with the process's first queue a VMID. */
enum kfd_result kfd_take_hqd(struct kfd *kfd, struct kfd_queue *queue);
bool kfd_take_vmid(struct kfd *kfd, struct kfd_queue *queue);
void kfd_hqd_load(struct kfd *kfd, const struct kfd_queue *queue);
/* Has the slot of the queue with that index emptied.  KFD_PENDING: kfd_unmapped() will come. */
enum kfd_result kfd_hqd_unload(struct kfd *kfd, uint32_t index, uint32_t request);
void kfd_hqd_timeout(struct kfd *kfd);

/* kfd.c: the choice. */
bool kfd_has_firmware(const struct kfd *kfd);

#endif
