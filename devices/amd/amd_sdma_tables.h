/* SPDX-License-Identifier: MIT */
/* Events, rules, parameters and choice points of AMD's SDMA engines (amd_sdma.h).  Pointers into
 * rings count bytes.  A queue is named by its doorbell.  Copies have the events of devices/core. */
#ifndef GFE_DEVICES_AMD_AMD_SDMA_TABLES_H
#define GFE_DEVICES_AMD_AMD_SDMA_TABLES_H

#include "emu/log/event_struct.h"
#include "emu/log/rule.h"

/* clang-format off */
#define AMD_SDMA_EVENTS(EVENT)                                                                       \
    EVENT(AMD_SDMA_LOAD, amd_sdma_load, "a queue of an SDMA engine gets a ring",                     \
          engine_index, queue_index, doorbell_index, vmid, ring_address, ring_bytes, read_index,     \
          write_index)                                                                               \
    EVENT(AMD_SDMA_LEAVE, amd_sdma_leave, "it has none any more",                                    \
          engine_index, queue_index, doorbell_index, read_index)                                     \
    EVENT(AMD_SDMA_DOORBELL, amd_sdma_doorbell,                                                      \
          "a doorbell is rung; the queue may go on up to there",                                     \
          doorbell_index, engine_index, queue_index, write_index)                                    \
    EVENT(AMD_SDMA_PACKET, amd_sdma_packet,                                                          \
          "a packet is taken up; code: opcode, and sub-opcode << 8",                                 \
          engine_index, queue_index, doorbell_index, read_index, code, packet_address)               \
    EVENT(AMD_SDMA_WRITE, amd_sdma_write, "a packet writes a word of memory",                        \
          engine_index, queue_index, doorbell_index, address, value, byte_count)                     \
    EVENT(AMD_SDMA_FAULT, amd_sdma_fault,                                                            \
          "nothing is mapped where it reads or writes; the queue stops",                             \
          engine_index, queue_index, doorbell_index, vmid, address, is_write)

#define AMD_SDMA_RULES(RULE)                                                                         \
    RULE(RULE_AMD_SDMA_ENGINE, "AMD.SDMA_ENGINE", INFERRED, HARDWARE, "amdgpu sdma_v4_0.c (AUTO_CTXSW_ENABLE)", \
         "An SDMA engine works on one packet of one of its queues at a time; the others wait for their turn.") \
    RULE(RULE_AMD_SDMA_POLL, "AMD.SDMA_POLL", DOCUMENTED, HARDWARE, "amdgpu vega10_sdma_pkt_open.h (POLL_REGMEM, ATOMIC)", \
         "POLL_REGMEM, and a compare-and-swap that loops, hold their queue until the comparison is true.") \
    RULE(RULE_AMD_SDMA_HALT, "AMD.SDMA_HALT", DOCUMENTED, HARDWARE, "amdgpu sdma_v4_0.c, sdma_v4_0_enable", \
         "An SDMA engine takes up nothing while HALT of its F32_CNTL is set, as after a reset.")

#define AMD_SDMA_PARAMETERS(PARAMETER)                                                               \
    PARAMETER(PARAM_AMD_SDMA_PACKET_PS, "amd.sdma_packet_ps", "ps", 200000, ASSUMED, "gfe",            \
              "What an SDMA engine takes for a packet, before its bytes move.")                        \
    PARAMETER(PARAM_AMD_SDMA_DOORBELL_PS, "amd.sdma_doorbell_ps", "ps", 500000, ASSUMED, "gfe",        \
              "From a store to a doorbell, or to the polled write pointer, until the engine sees it.") \
    PARAMETER(PARAM_AMD_SDMA_CLOCK_BYTES, "amd.sdma_clock_bytes", "bytes", 32, ASSUMED, "gfe",         \
              "What an SDMA engine reads and writes at most in a cycle of the shader clock.")

#define AMD_SDMA_CHOICES(CHOICE)                                                                     \
    CHOICE(CHOICE_AMD_SDMA_TURN, "amd.sdma_turn", 0, ASSUMED,                                          \
           "gfe: the driver sets time slices (PHASE0_QUANTUM), of which the unit is not published",    \
           "When an SDMA engine turns to its next queue with work: after each packet, or once this one has none or waits.", \
           "packet", "idle")                                                                           \
    CHOICE(CHOICE_AMD_SDMA_WAIT, "amd.sdma_wait", 0, ASSUMED, "gfe",                                   \
           "Whether a queue that polls memory leaves its engine to the other queues, or keeps it.",    \
           "yield", "hold")
/* clang-format on */

enum { EVENT_AMD_SDMA_FIRST_ = TABLE_AMD_SDMA - 1, AMD_SDMA_EVENTS(EVENT_ID) };
AMD_SDMA_EVENTS(EVENT_STRUCT)
enum { RULE_AMD_SDMA_FIRST_ = TABLE_AMD_SDMA - 1, AMD_SDMA_RULES(RULE_ID) };
enum { PARAM_AMD_SDMA_FIRST_ = TABLE_AMD_SDMA - 1, AMD_SDMA_PARAMETERS(PARAMETER_ID) };
enum { CHOICE_AMD_SDMA_FIRST_ = TABLE_AMD_SDMA - 1, AMD_SDMA_CHOICES(CHOICE_ID) };

extern const struct table_set amd_sdma_tables;

#endif
