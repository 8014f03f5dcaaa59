/* SPDX-License-Identifier: MIT */
/*
 * The packets that the scheduling firmware (hws.h) reads from the kernel driver's ring, the HIQ:
 * SET_RESOURCES, RUN_LIST with the list that it points to, UNMAP_QUEUES, QUERY_STATUS.
 *
 * Packets follow each other.  After UNMAP_QUEUES nothing is read before the last queue has left.
 * So the fence that a QUERY_STATUS after it writes means that all queues have left.  When RUN_LIST
 * comes, the list is read from beginning to end.  A RUN_LIST with CHAIN inside the list continues
 * it at another place.  If that place is the list's own beginning, the list ends there and is
 * worked through again and again (hws.h).
 *
 * Any dwords may come.  At the first packet that makes no sense the firmware stops (HWS_STOP in the
 * log) and reads nothing more, as hardware does after a write to the driver's debugfs file
 * hang_hws. The driver notices when its fence does not come.  Queues that such a list named before
 * that packet stay without slots (ASSUMED).
 *
 * The queue's number in the log is the number of its doorbell, counted in eight bytes from the
 * aperture's start, because packets have no other number.
 *
 * Sources: amdkfd kfd_pm4_headers_ai.h, kfd_packet_manager_v9.c, kfd_device_queue_manager.c.
 * ASSUMED: the doorbells in the HIQ's MQD are cleared when an UNMAP_QUEUES begins; page tables and
 * other contents of MAP_PROCESS belong to the slot, and are read when it is loaded.  Not modelled,
 * and refused by name: queues of debuggers, disabling a process, preempting without taking
 * off.  The micro engine handles other packets that the HIQ may hold (WRITE_DATA and others).
 */
#ifndef GFE_FIRMWARE_MODELS_HWS_HWS_PACKET_H
#define GFE_FIRMWARE_MODELS_HWS_HWS_PACKET_H

#include "firmware-models/hws/hws.h"

enum {
    HWS_PACKET_DWORDS_MAX = 21,  /* MAP_PROCESS of gfx90a */
    HWS_PACKET_BUFFERS_MAX = 16, /* buffers of one list */
};

enum hws_packet_result {
    HWS_PACKET_DONE,
    HWS_PACKET_WAITS,    /* for queues to leave: nothing was read */
    HWS_PACKET_MORE,     /* the packet is longer than the dwords that are there: nothing was read */
    HWS_PACKET_STOPPED,  /* after one of the following: nothing more is read */
    HWS_PACKET_BAD_TYPE, /* neither type 3 nor type 2 */
    HWS_PACKET_BAD_OPCODE,  /* not one that may stand here */
    HWS_PACKET_BAD_LENGTH,  /* not that of its opcode */
    HWS_PACKET_BAD_FIELD,   /* a value that means nothing, or something that is not modelled */
    HWS_PACKET_BAD_ADDRESS, /* no memory is there */
    HWS_PACKET_TRUNCATED,   /* the list ends within it */
    HWS_PACKET_BAD_CHAIN,   /* more than HWS_PACKET_BUFFERS_MAX, or round without the beginning */
    HWS_PACKET_BAD_LIST,    /* a queue before any process, or more than there is room for */
};

GFE_STATE_BEGIN
struct hws_packet_state {
    uint64_t hiq_mqd;     /* virtual; 0: none yet */
    uint64_t query_count; /* of QUERY_STATUS packets that asked for an interrupt */
    uint32_t space_id;    /* the driver's own address space (VMID 0) */
    uint32_t reserved;
    uint32_t stopped; /* enum hws_packet_result of the packet; 0: goes on */
    uint32_t header;  /* of that packet */
};
GFE_STATE_END

struct hws_packets {
    struct hws *hws;
    struct hws_packet_state *state;
};

/* Adds the packet reader to a machine that is being wired; call it together with hws_add(). */
void hws_packet_add(struct hws_packets *packets, struct hws *hws);
/* Restarts the reader for an HIQ that was just mapped.  space_id is the address space of lists,
 * MQDs and fences; hiq_mqd is the HIQ's MQD. */
void hws_packet_begin(struct hws_packets *packets, uint32_t space_id, uint64_t hiq_mqd);

/* Reads the packet that begins at dwords[0]; `count` dwords are there, at least 1.  *used is the
 * packet's length in dwords; 0 unless the result is HWS_PACKET_DONE. */
enum hws_packet_result hws_packet_read(struct hws_packets *packets, const uint32_t *dwords,
                                       uint32_t count, uint32_t *used);
/* Notes the doorbell of a refused queue in the HIQ's MQD, for ops->refused() of hws.h. */
void hws_packet_refused(struct hws_packets *packets, const struct hws_queue *queue, uint32_t index);

#endif
