/* SPDX-License-Identifier: MIT */
/* Events, rules and parameters of AMD's micro engines of compute (amd_mec.h).  A queue slot's
 * number is (micro engine - 1) * 32 + pipe * 8 + queue.  A queue is named by its doorbell. */
#ifndef GFE_DEVICES_AMD_AMD_MEC_TABLES_H
#define GFE_DEVICES_AMD_AMD_MEC_TABLES_H

#include "emu/log/event_struct.h"
#include "emu/log/rule.h"

/* clang-format off */
#define AMD_MEC_EVENTS(EVENT)                                                                        \
    EVENT(AMD_QUEUE_LOAD, amd_queue_load,                                                            \
          "a slot gets a queue, of AQL packets or of PM4 dwords, and goes on at that one",           \
          slot_id, doorbell_index, vmid, is_aql, ring_address, ring_bytes, read_index)               \
    EVENT(AMD_QUEUE_LEAVE, amd_queue_leave, "the slot is empty again; request: DEQUEUE_REQ",         \
          slot_id, doorbell_index, request, read_index)                                              \
    EVENT(AMD_DOORBELL, amd_doorbell, "a doorbell is rung; the queue may go on up to that one",      \
          doorbell_index, slot_id, write_index)                                                      \
    EVENT(AMD_PACKET, amd_packet,                                                                    \
          "a packet is taken up; code: AQL's type or PM4's opcode; barrier: the bit of AQL's "       \
          "header",                                                                                  \
          slot_id, doorbell_index, packet_index, is_aql, code, packet_address, barrier)              \
    EVENT(AMD_DEPENDS, amd_depends,                                                                  \
          "a barrier packet has been taken up: the value of one of its signals",                     \
          doorbell_index, packet_index, code, signal_address, value)                                 \
    EVENT(AMD_LAUNCH, amd_launch,                                                                    \
          "it dispatches a kernel: the grid, and where its descriptor or code is",                   \
          slot_id, doorbell_index, packet_index, grid_id, kernel_address)                            \
    EVENT(AMD_PACKET_END, amd_packet_end, "what the packet asked for is complete",                   \
          slot_id, doorbell_index, packet_index, code)                                               \
    EVENT(AMD_SIGNAL, amd_signal,                                                                    \
          "a completion signal is decremented; event: of its mailbox, 0 none",                       \
          doorbell_index, packet_index, signal_address, value, event_id)                             \
    EVENT(AMD_WRITE, amd_write, "a PM4 packet writes memory",                                        \
          slot_id, doorbell_index, address, value, byte_count)                                       \
    EVENT(AMD_INTERRUPT, amd_interrupt,                                                              \
          "an interrupt goes to the IH ring; ring_id: as IH entries have it",                        \
          client_id, source_id, ring_id, vmid, context_id)                                           \
    EVENT(AMD_VM_FAULT, amd_vm_fault,                                                                \
          "nothing is mapped where a packet reads or writes; the queue stops",                       \
          slot_id, doorbell_index, vmid, address, is_write)                                          \
    EVENT(AMD_REFUSED, amd_refused,                                                                  \
          "a packet cannot be carried out, and the queue stops; code: for its "                      \
          "queue_inactive_signal; told: 0 nothing was written, 1 the code, 2 memory has no signal",  \
          slot_id, doorbell_index, packet_index, code, told)                                         \
    EVENT(AMD_QUEUE_SAVE, amd_queue_save,                                                            \
          "a queue's waves have been stopped and are saved to memory",                               \
          slot_id, doorbell_index, block_count, wave_count, byte_count, duration_ps)                 \
    EVENT(AMD_SAVE_REFUSED, amd_save_refused,                                                        \
          "they cannot be saved: they go on, and the queue leaves when its dispatches are complete", \
          slot_id, doorbell_index, block_count, wave_count, byte_count)                              \
    EVENT(AMD_QUEUE_RESTORE, amd_queue_restore,                                                      \
          "the waves of a queue that is in a slot again are read from memory",                       \
          slot_id, doorbell_index, block_count, wave_count, byte_count, duration_ps)

#define AMD_MEC_RULES(RULE)                                                                          \
    RULE(RULE_A_Q1, "A.Q1", DOCUMENTED, RUNTIME, "Otterness and Anderson 2022, s.4.1; HSA runtime 1.2 s.2.8", \
         "A queue is a ring of packets in memory that the program writes itself; a store to the doorbell tells the hardware.") \
    RULE(RULE_A_Q3, "A.Q3", DOCUMENTED, RUNTIME, "Otterness and Anderson 2022, s.4.1; HSA PRM 1.2 s.2.9",   \
         "A packet with the barrier bit starts when all in front of it in its queue are complete: so streams keep their order.") \
    RULE(RULE_AMD_DEPENDS, "AMD.DEPENDS", DOCUMENTED, HARDWARE, "HSA PRM 1.2 s.2.9.6 and 2.9.7",       \
         "A barrier packet waits for its signals: all of them zero, or any, or a comparison (AMD's own).") \
    RULE(RULE_AMD_INVALID, "AMD.INVALID", DOCUMENTED, HARDWARE, "ROCR-Runtime amd_aql_queue.cpp",      \
         "A packet whose header is still INVALID stops its queue, wherever the doorbell is.")          \
    RULE(RULE_AMD_STOPPED, "AMD.STOPPED", DOCUMENTED, HARDWARE, "ROCR-Runtime amd_aql_queue.cpp (DynamicQueueEventsHandler)", \
         "A queue that an error has stopped takes up nothing more, whatever is written to it.")        \
    RULE(RULE_AMD_PIPE, "AMD.PIPE", INFERRED, HARDWARE, "Otterness and Anderson 2022, s.4.2",           \
         "A pipe takes up packets of its queues one after another, in turn.")                          \
    RULE(RULE_AMD_WRM, "AMD.WRM", DOCUMENTED, HARDWARE, "amdgpu soc15d.h (WAIT_REG_MEM)",              \
         "WAIT_REG_MEM holds its queue until the comparison is true.")                                 \
    RULE(RULE_AMD_FLUSH, "AMD.FLUSH", INFERRED, HARDWARE, "amdgpu gfx_v9_0.c (CS_PARTIAL_FLUSH)",      \
         "CS_PARTIAL_FLUSH holds its queue until its dispatches are complete.")                        \
    RULE(RULE_AMD_SCRATCH, "AMD.SCRATCH", DOCUMENTED, RUNTIME, "ROCR-Runtime amd_aql_queue.cpp",       \
         "A kernel that needs more scratch memory than its queue has waits until the runtime has given it more.") \
    RULE(RULE_AMD_NO_CU, "AMD.NO_CU", DOCUMENTED, HARDWARE, "amdkfd kfd_mqd_manager.c (all-zero masks)", \
         "A queue whose mask leaves it no CU waits for ever with its first dispatch.")                 \
    RULE(RULE_AMD_SCHEDULER, "AMD.SCHEDULER", DOCUMENTED, FIRMWARE, "amdkfd kfd_packet_manager.c",     \
         "The kernel driver's queue goes on when the scheduling firmware has done what its packet says.") \
    RULE(RULE_AMD_ROOM, "AMD.ROOM", ASSUMED, HARDWARE, "gfe",                                          \
         "A queue waits while the tables of what is not complete are full.")                           \
    RULE(RULE_AMD_DEQUEUE, "AMD.DEQUEUE", DOCUMENTED, HARDWARE, "amdgpu gc_9_0_sh_mask.h, amdgpu_amdkfd_gfx_v9.c", \
         "A queue that is to leave its slot takes up no packet, and leaves when its dispatches have ended, are saved or are thrown away.") \
    RULE(RULE_AMD_GRACE, "AMD.GRACE", DOCUMENTED, FIRMWARE, "amdkfd kfd_packet_manager_v9.c (pm_set_grace_period_v9)", \
         "Before the firmware has waves saved it gives them time to end (SCH_WAVE of CP_IQ_WAIT_TIME2).") \
    RULE(RULE_AMD_SAVE_ROOM, "AMD.SAVE_ROOM", ASSUMED, HARDWARE, "gfe",                                \
         "Waves for which the context save area, or the table of what is saved, has no room are not saved: their queue drains.")

#define AMD_MEC_PARAMETERS(PARAMETER)                                                                \
    PARAMETER(PARAM_AMD_PACKET_PS, "amd.packet_ps", "ps", 1000000, ASSUMED,                             \
              "gfe; gem5's HSADevice.cc has 4.4 us for a whole packet of a Kaveri",                    \
              "What a pipe takes for an AQL packet, up to its dispatch.")                              \
    PARAMETER(PARAM_AMD_PM4_PS, "amd.pm4_ps", "ps", 100000, ASSUMED, "gfe",                            \
              "What a pipe takes for a PM4 packet.")                                                   \
    PARAMETER(PARAM_AMD_DOORBELL_PS, "amd.doorbell_ps", "ps", 500000, ASSUMED, "gfe",                  \
              "From a store to a doorbell until the pipe sees it.")                                    \
    PARAMETER(PARAM_AMD_EOP_PS, "amd.eop_ps", "ps", 1000000, ASSUMED, "gfe",                           \
              "From the end of a dispatch's last wave to its signal: the release of caches.")          \
    PARAMETER(PARAM_AMD_SLOT_LOAD_PS, "amd.slot_load_ps", "ps", 2000000, ASSUMED, "gfe",               \
              "What the firmware takes to load a slot from its MQD, or to save it.")                   \
    PARAMETER(PARAM_AMD_BLOCK_PS, "amd.block_ps", "ps", 10000000, ASSUMED, "gfe",                      \
              "Work of a block, in time of a whole CU, of a kernel of which nothing is known.")        \
    PARAMETER(PARAM_AMD_SAVE_PS, "amd.save_ps", "ps", 5000000, ASSUMED, "gfe",                         \
              "What saving a queue's waves takes besides their bytes: the trap handler.")              \
    PARAMETER(PARAM_AMD_RESTORE_PS, "amd.restore_ps", "ps", 5000000, ASSUMED, "gfe",                   \
              "What restoring them takes besides their bytes.")                                        \
    PARAMETER(PARAM_AMD_SAVE_BYTES_PER_US, "amd.save_bytes_per_us", "bytes per us", 200000, ASSUMED,   \
              "gfe: a fifth of what the memory of a Radeon VII has",                                   \
              "How fast waves are written to memory, and read from it.")                               \
    PARAMETER(PARAM_AMD_GRACE_CYCLES, "amd.grace_cycles", "shader cycles", 1000, DOCUMENTED,           \
              "amdkfd kfd_device_queue_manager.c (grace period of gfx9.4.3); whose cycles is ASSUMED", \
              "What a unit of SCH_WAVE of CP_IQ_WAIT_TIME2 lasts; the register's reset value is 64.")
/* clang-format on */

enum { EVENT_AMD_MEC_FIRST_ = TABLE_AMD_MEC - 1, AMD_MEC_EVENTS(EVENT_ID) };
AMD_MEC_EVENTS(EVENT_STRUCT)
enum { RULE_AMD_MEC_FIRST_ = TABLE_AMD_MEC - 1, AMD_MEC_RULES(RULE_ID) };
enum { PARAM_AMD_MEC_FIRST_ = TABLE_AMD_MEC - 1, AMD_MEC_PARAMETERS(PARAMETER_ID) };

extern const struct table_set amd_mec_tables;

#endif
