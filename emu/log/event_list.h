/* SPDX-License-Identifier: MIT */
/*
 * Events of the engine itself: the replayed program, waits, and what the model does not cover.
 * Devices and driver models have lists of their own (devices/core/core_events.h,
 * devices/nvidia/nv_events.h, firmware-models/nouveau/nouveau_tables.h).
 */
#ifndef GFE_EMU_LOG_EVENT_LIST_H
#define GFE_EMU_LOG_EVENT_LIST_H

#include "emu/log/event_struct.h"
#include "emu/log/rule.h"

/* clang-format off */
#define EMU_EVENTS(EVENT)                                                                            \
    EVENT(CPU_SUBMIT, cpu_submit, "the program hands a submission to the driver",                    \
          submission_id, channel_id, push_count, push_bytes, thread_index)                           \
    EVENT(CPU_SUBMIT_RETURN, cpu_submit_return, "the driver's call returns",                         \
          submission_id, channel_id, thread_index)                                                   \
    EVENT(CPU_WAIT_BEGIN, cpu_wait_begin, "the program starts to wait for the GPU",                  \
          wait_id, submission_id, thread_index, inferred)                                            \
    EVENT(CPU_WAIT_END, cpu_wait_end, "the program goes on",                                         \
          wait_id, submission_id, thread_index, waited_ps)                                           \
    EVENT(CPU_STORE, cpu_store, "the program's own writes to memory become visible",                 \
          submission_id, byte_count, page_count)                                                     \
    EVENT(WAIT, wait, "something could run but did not; logged when the wait ends",                  \
          begin_ps, subject_kind, subject_id, blocker_kind, blocker_id)                              \
    EVENT(WAIT_OPEN, wait_open, "a wait that had not ended when nothing was left to do",             \
          begin_ps, subject_kind, subject_id, blocker_kind, blocker_id)                              \
    EVENT(WAIT_HOLDS, wait_holds,                                                                    \
          "what something that waits would do if it went on, when nothing is left to do",            \
          subject_kind, subject_id, held_kind, held_id)                                              \
    EVENT(UNMODELLED, unmodelled, "something is used, or a part of it, that the model does not cover", \
          what, address, value)                                                                      \
    EVENT(FENCE, fence, "a completion value looked up when all is done; addresses are virtual",      \
          channel_id, address, value, found_value, reached)                                          \
    EVENT(RUN_END, run_end, "nothing is left to do",                                                 \
          fence_count, fence_reached_count, recorded_wait_count, inferred_wait_count)                \
    EVENT(MMIO_WRITE, mmio_write, "a register, or memory behind BAR1, is written from outside",      \
          bar, offset, value)                                                                        \
    EVENT(MMIO_READ, mmio_read, "a register is read by the recording, which says what it found",     \
          bar, offset, value, recorded_value, differs)                                               \
    EVENT(MEM_WRITE, mem_write, "memory is written by its physical address (layer BUS)",             \
          aperture, address, byte_count)                                                             \
    EVENT(POKE, poke, "a --poke of the run begins; its register accesses follow",                    \
          poke_index, verb, id)                                                                      \
    EVENT(FAULT, fault,                                                                              \
          "an injected fault acts (emu/faults/inject.h): fault by its place on the command line, "   \
          "site and model by their numbers",                                                         \
          fault_index, site, model, subject_id, old_value, new_value)                                \
    EVENT(RUN_CUT, run_cut,                                                                          \
          "the run is ended from outside; what it logs from here on might have gone on, from next_ps", \
          next_ps)

/* The first row is number 0, RULE_NONE, so that every log can name "no rule". */
#define EMU_RULES(RULE)                                                                              \
    RULE(RULE_NONE_ROW, "-", ASSUMED, HARDWARE, "gfe", "No rule was needed.")                          \
    RULE(RULE_GFE_PROGRAM, "GFE.PROGRAM", INFERRED, RUNTIME, "gfe, docs/design.md section 4",          \
         "A thread goes on after a wait once the GPU has done what it waited for.")                    \
    RULE(RULE_GFE_INFERRED, "GFE.INFERRED", INFERRED, RUNTIME, "gfe, docs/design.md section 4",        \
         "A program whose waits make no call goes on once the completion that it saw is in memory.")   \
    RULE(RULE_GFE_UNMAP, "GFE.UNMAP", INFERRED, KERNEL_DRIVER,                                         \
         "nouveau nouveau_gem.c (nouveau_gem_object_unmap)",                                           \
         "A memory object is unmapped when the GPU is done with it; here the thread waits for that.")  \
    RULE(RULE_GFE_OVERWRITE, "GFE.OVERWRITE", INFERRED, RUNTIME, "gfe, docs/design.md section 4",      \
         "A program does not change commands that the GPU has not fetched: it waits for their fence.") \
    RULE(RULE_GFE_LOST, "GFE.LOST", INFERRED, RUNTIME, "gfe, docs/design.md section 5",                \
         "What would end it never came: it is under way, and nothing is left that could happen.")      \
    RULE(RULE_GFE_SUBMITTED, "GFE.SUBMITTED", INFERRED, RUNTIME, "gfe, docs/design.md section 4",      \
         "A call comes when what it waits for has been submitted by another thread, as it had been.")
/* clang-format on */

/* Upper bound of channel numbers: Ampere and later have 65,536 channels for each of 64 runlists. */
enum { EVENT_CHANNEL_IDS = 1 << 22 };

enum { EMU_RULES(RULE_ID) RULE_EMU_END };
enum { EVENT_EMU_FIRST_ = TABLE_EMU - 1, EMU_EVENTS(EVENT_ID) EVENT_EMU_END };
EMU_EVENTS(EVENT_STRUCT)

/* Values of subject_kind and blocker_kind of EVENT_WAIT. */
enum event_subject {
    SUBJECT_NONE,
    SUBJECT_CHANNEL,    /* channel id */
    SUBJECT_SUBMISSION, /* submission id */
    SUBJECT_GRID,       /* grid id */
    SUBJECT_WORK,       /* opaque work id */
    SUBJECT_COPY,       /* copy id */
    SUBJECT_ENGINE,     /* engine id */
    SUBJECT_RING,       /* channel id */
    SUBJECT_SEMAPHORE,  /* address */
    SUBJECT_THREAD,     /* thread index */
    SUBJECT_BIND,       /* bind id: a job of VM_BIND */
    SUBJECT_OPERATION,  /* operation id: of a CUDA stream */
    SUBJECT_QUEUE,      /* doorbell of a queue (AMD) */
    SUBJECT_INTERRUPT,  /* entry of the ring of interrupts (AMD) */
    SUBJECT_KINDS,
};

/* Values of `what` of EVENT_UNMODELLED. */
enum unmodelled_what {
    UNMODELLED_REGISTER_READ,
    UNMODELLED_REGISTER_WRITE,
    UNMODELLED_METHOD,
    UNMODELLED_FIELD,
    UNMODELLED_MACRO,
    UNMODELLED_ENGINE,        /* address: number of the engine << 16 | method */
    UNMODELLED_SPARSE,        /* address and value: a sparse range that is too large to back */
    UNMODELLED_REGISTER_BITS, /* value: bits written that are reserved or have no effect here */
    /* The following, and methods, fields and macros, are logged each time.  What is lost by an
     * address and a value: devices/nvidia/formats/nv_effect.h, devices/amd/formats/amd_effect.h. */
    UNMODELLED_QMD, /* address: nv_qmd_name(); value: of the field */
    UNMODELLED_PM4, /* address: opcode, or amd_loss_name(); value: the packet's header */
    UNMODELLED_SDMA,
};

/* Values of `origin` of an event: it comes from the recording, from a driver model, or from a
 * --poke of the user. */
enum event_origin { ORIGIN_NONE, ORIGIN_RECORDED, ORIGIN_MODELLED, ORIGIN_POKE };

extern const struct table_set emu_tables;

#endif
