/* SPDX-License-Identifier: MIT */
/*
 * The scheduling firmware with a stand-in for the micro engine that runs it.  The stand-in has
 * slots that remember what was loaded into them, and a loop that reads the kernel driver's ring.
 * Queues do no work.  The test decides whether they are busy, and whether they leave their slots at
 * once, after a while, or never.
 *
 * CHECK_HWS_BYTES of system memory are mapped in the driver's own space at CHECK_HWS_VA.  Does not
 * use Check, because fuzz targets use it too.
 */
#ifndef TESTS_CHECK_HWS_H
#define TESTS_CHECK_HWS_H

#include "firmware-models/hws/hws_packet.h"
#include "tests/check_machine.h"

enum {
    CHECK_HWS_SLOTS = HWS_PIPES_MAX * HWS_SLOTS_MAX,
    CHECK_HWS_BYTES = 64 << 20,
    CHECK_HWS_VA = 0x10000000,
};

struct check_hws_slot {
    bool used;
    uint32_t doorbell, pasid, vmid;
    uint64_t mqd_address;
};

struct check_hws {
    struct check_machine log;
    struct machine *machine;
    struct hws hws;
    struct hws_packets packets;
    uint32_t unit, space_id;
    struct check_hws_slot slots[CHECK_HWS_SLOTS];
    bool busy;               /* all queues have work */
    gfe_ps leave_ps;         /* time that a queue takes to leave its slot */
    uint32_t stuck_doorbell; /* doorbell of a queue that does not leave; HWS_NONE if none */
    uint32_t resets;         /* queues that had to leave with a reset */
    uint32_t wrong;          /* errors: two queues in a slot, a slot out of the mask */
    /* The driver's ring.  ring_dwords is 0 if there is no ring. */
    uint64_t ring, read_pointer; /* virtual addresses */
    uint32_t ring_dwords;
    uint64_t rptr, wptr;           /* in dwords */
    enum hws_packet_result result; /* of the last packet */
};

/* Begins to wire a machine with the tables.  The caller may add to the machine, then seals it. */
void check_hws_begin(struct check_hws *check);
/* Seals the machine.  The firmware may use the slots of `slot_mask` and VMIDs 8 to 15. */
void check_hws_seal(struct check_hws *check, uint64_t slot_mask);
void check_hws_end(struct check_hws *check);
/* Runs the machine until until_ps.  Ends the program if the run fails. */
void check_hws_run(struct check_hws *check, gfe_ps until_ps);
/* Processes packets as if they were in the ring.  Stops at a packet that is not done and drops the
 * rest.  Returns the result of the last packet processed. */
enum hws_packet_result check_hws_packets(struct check_hws *check, const uint32_t *dwords,
                                         uint32_t count);
/* Rings the doorbell of the driver's ring with `wptr`. */
void check_hws_ring(struct check_hws *check, uint64_t wptr);
/* Write and read memory by virtual address of the driver's space. */
void check_hws_poke(struct check_hws *check, uint64_t va, const uint32_t *dwords, uint32_t count);
uint32_t check_hws_peek(struct check_hws *check, uint64_t va);
/* Return the number of slots that have a queue, and the slot of a doorbell's queue, or HWS_NONE if
 * the queue has no slot. */
uint32_t check_hws_used(const struct check_hws *check);
uint32_t check_hws_slot_of(const struct check_hws *check, uint32_t doorbell);

#endif
