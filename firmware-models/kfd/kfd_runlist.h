/* SPDX-License-Identifier: MIT */
/*
 * The packets from AMD's kernel driver (KFD) to the scheduling firmware of gfx9: lists of queues in
 * memory (runlists), and the packets of its own ring (HIQ).
 *
 * A runlist is an indirect buffer: MAP_PROCESS for each process, then MAP_QUEUES for each of its
 * queues.  Over-subscription means that there are more queues than the hardware has slots, or more
 * processes than may be on at a time.  Then RUN_LIST at the list's end points to its own beginning,
 * and the firmware begins again.  In the HIQ, RUN_LIST has the list's address.  UNMAP_QUEUES takes
 * queues off, and a QUERY_STATUS after it writes a fence when they are off.  Queues of SDMA engines
 * are in the list like others, but are not counted, because they take none of the slots. ENGINE_SEL
 * names the engine; for engines after the second EXTENDED_ENGINE_SEL is set, and ENGINE_SEL is the
 * engine's number.
 *
 * Sources: amdkfd kfd_packet_manager.c, kfd_packet_manager_v9.c, kfd_pm4_headers_ai.h.  Not
 * modelled: the longer MAP_PROCESS of gfx90a, queues of debuggers and with global wave sync, the
 * grace period, trap handlers.
 */
#ifndef GFE_FIRMWARE_MODELS_KFD_KFD_RUNLIST_H
#define GFE_FIRMWARE_MODELS_KFD_KFD_RUNLIST_H

#include <stdbool.h>
#include <stdint.h>

/* Dwords of the packets. */
enum {
    KFD_SET_RESOURCES_DWORDS = 8,
    KFD_MAP_PROCESS_DWORDS = 16,
    KFD_MAP_PROCESS_GFX90A_DWORDS = 21, /* with a debugger's fields for each process */
    KFD_MAP_QUEUES_DWORDS = 7,
    KFD_UNMAP_QUEUES_DWORDS = 6,
    KFD_QUERY_STATUS_DWORDS = 7,
    KFD_RUN_LIST_DWORDS = 4,
    KFD_PACKET_DWORDS_MAX = KFD_MAP_PROCESS_GFX90A_DWORDS,
};

enum {
    KFD_PROCESS_QUANTUM = 10,
    KFD_SDMA_ENGINES_MAX = 8,
    KFD_UNMAP_LATENCY = 40, /* of 100 ms: KFD_UNMAP_LATENCY_MS is 4,000 */
};

struct kfd_runlist_process {
    uint32_t pasid;       /* 16 bits */
    uint32_t queue_count; /* 10 bits */
    uint64_t page_table;  /* VM_CONTEXT_PAGE_TABLE_BASE */
    uint32_t sh_mem_bases, sh_mem_config;
    uint32_t is_gfx90a; /* the longer packet */
};

struct kfd_runlist_queue {
    uint32_t doorbell; /* dwords from the aperture's start */
    uint32_t is_static;
    uint32_t
        engine; /* 0: compute; else 1 + number of the SDMA engine, below KFD_SDMA_ENGINES_MAX */
    uint64_t mqd_address, write_pointer;
};

/* The counts that a list is built for. */
struct kfd_runlist_counts {
    uint32_t process_count; /* those that have queues */
    uint32_t queue_count;   /* their active compute queues */
    uint32_t slot_count;    /* slots that the firmware may use */
    uint32_t process_limit; /* processes on at a time */
    uint32_t sdma_count;    /* their active SDMA queues, which take no slots */
    uint32_t is_gfx90a;     /* processes take the longer packet */
};

/* Returns true if there are more than fit, so that the list is chained to its beginning. */
bool kfd_runlist_oversubscribed(const struct kfd_runlist_counts *counts);
/* Returns the list's length in dwords. */
uint32_t kfd_runlist_dwords(const struct kfd_runlist_counts *counts);

/* Write packets.  Each function writes as many dwords as the enum above says; kfd_map_process()
 * returns how many it wrote. */
uint32_t kfd_map_process(uint32_t *dwords, const struct kfd_runlist_process *process);
void kfd_map_queues(uint32_t *dwords, const struct kfd_runlist_queue *queue);
/* Writes RUN_LIST for a list of list_dwords (20 bits) at `address`.  `chained` is true for the
 * packet at the list's own end. */
void kfd_run_list(uint32_t *dwords, uint64_t address, uint32_t list_dwords,
                  const struct kfd_runlist_counts *counts, bool chained);
/* Writes SET_RESOURCES: the VMIDs and slots (bit pipe * 8 + slot) that may be used. */
void kfd_set_resources(uint32_t *dwords, uint32_t vmid_mask, uint64_t slot_mask);
/* Writes UNMAP_QUEUES for all queues but static ones; with `all` for static ones too. */
void kfd_unmap_queues(uint32_t *dwords, bool all, bool reset);
/* Writes UNMAP_QUEUES for the queues of an SDMA engine. */
void kfd_unmap_sdma(uint32_t *dwords, uint32_t engine);
/* Writes UNMAP_QUEUES for the queues of one process. */
void kfd_unmap_process(uint32_t *dwords, uint32_t pasid, bool reset);
/* Writes QUERY_STATUS: the fence `value` at `address` when all packets before it are done. */
void kfd_query_status(uint32_t *dwords, uint64_t address, uint64_t value);

/* A list that is being written packet by packet; put() stores the packets. */
struct kfd_runlist {
    void (*put)(void *context, uint32_t at_dword, const uint32_t *dwords, uint32_t count);
    void *context;
    uint64_t address; /* of the list, as the firmware sees it */
    uint32_t dwords;  /* so far */
};

void kfd_runlist_process(struct kfd_runlist *list, const struct kfd_runlist_process *process);
void kfd_runlist_queue(struct kfd_runlist *list, const struct kfd_runlist_queue *queue);
/* Ends the list, with the chain if it has one.  The list must be as long as kfd_runlist_dwords()
 * said (asserted). */
void kfd_runlist_end(struct kfd_runlist *list, const struct kfd_runlist_counts *counts);

#endif
