/* SPDX-License-Identifier: MIT */
/*
 * What the model of a log makes of each kind of event.  A new kind of event is added to the lists
 * of events themselves and to this file, and nowhere else.
 *
 *   - MODEL_*_RECORDS are the types of record that a reader is handed, by family.  Each type names
 *     the struct of model.h that holds its members.
 *   - MODEL_EVENTS says which record a kind of event becomes, and which argument becomes which
 *     member, in the order of the struct.
 *   - MODEL_NOT_FOLDED lists the kinds that become no record of their own, each with the reason.  A
 *     reader gets them as MODEL_OTHER.
 *
 * tests/test_model.c fails for a kind of event that is in neither of the last two lists.
 */
#ifndef GFE_EMU_ANALYSIS_MODEL_MODEL_LIST_H
#define GFE_EMU_ANALYSIS_MODEL_MODEL_LIST_H

/* clang-format off */

/* ---- types of records: (type, member of struct model_record, meaning) ------------------------ */

/* The program and the run as a whole. */
#define MODEL_PROGRAM_RECORDS(RECORD)                                                                 \
    RECORD(SUBMITTED, submission, "a submission is handed to the driver")                             \
    RECORD(SUBMIT_RETURNED, submission, "the driver's call returns; id and thread alone")             \
    RECORD(CPU_WAIT_BEGUN, cpu_wait, "the program starts to wait for the GPU")                        \
    RECORD(CPU_WAIT_OVER, cpu_wait, "the program goes on")                                           \
    RECORD(STORE_SEEN, store, "the program's own writes to memory become visible")                    \
    RECORD(ENTRY_WRITTEN, entry, "the driver writes a GP entry into the ring")                        \
    RECORD(FENCE_PLACED, place, "the driver puts its own fence after the work of a channel")         \
    RECORD(FENCE_CHECKED, fence, "the value of a recorded fence is compared")                         \
    RECORD(UNCOVERED, unmodelled, "something that the model does not cover")                         \
    RECORD(RUN_OVER, run, "the replay has ended")                                                    \
    RECORD(DRIVER_LINE, event, "the driver prints a line: emu/log/event_line.h has its text")            \
    RECORD(ERROR_PRINTED, event, "the driver prints a line about an error, or about what it does for one")

/* Waits: what waited for what, by which rule (the record's). */
#define MODEL_WAIT_RECORDS(RECORD)                                                                    \
    RECORD(WAITED, wait, "a wait ends now")                                                           \
    RECORD(WAIT_UNENDED, wait, "a wait has not ended, and nothing is left to do")                        \
    RECORD(RUN_CUT, cut, "the run is ended from outside: the waits that have not ended might have")  \
    RECORD(WAIT_HOLDS, wait, "something that has not ended would do this if it could: the blocker is what it would do")    \
    RECORD(WAIT_SUSPENDED, wait, "a grid or work goes on: it was off its engine, which another channel had")

/* Operations: grids (dispatches), copies, and work that only has a time (draws).  The record's
 * `operation` says which of the three. */
#define MODEL_OPERATION_RECORDS(RECORD)                                                               \
    RECORD(GRID_HANDED, grid, "a grid is handed to the block dispatcher")                             \
    RECORD(COST, cost, "what is known of its priority")                                          \
    RECORD(COPY_HANDED, copy, "a copy is handed to a copy engine")                                    \
    RECORD(WORK_BEGUN, work, "work starts, which is queued nowhere")                                \
    RECORD(STARTED, done, "the first block of a grid, or a copy, starts")                             \
    RECORD(DISPATCHED, done, "the last block of a grid starts")                                       \
    RECORD(SUSPENDED, done, "its context leaves the engine")                                          \
    RECORD(RESUMED, done, "its context is back")                                                      \
    RECORD(ENDED, done, "it has ended")                                                               \
    RECORD(DROPPED, done, "it will not end: channel stopped or engine reset")                         \
    RECORD(COPY_REFUSED, done, "the copy engine cannot do the copy")                                  \
    RECORD(COPY_LOST, done, "a fault ends it; the log has no event for that")

/* Blocks (workgroups): what is in which slot of which SM or CU from when to when. */
#define MODEL_BLOCK_RECORDS(RECORD)                                                                   \
    RECORD(BLOCK_BEGUN, block, "a block takes its slot")                                            \
    RECORD(BLOCK_DONE, block, "it has ended and leaves the slot")                                    \
    RECORD(BLOCK_STOPPED, block, "its waves are saved; it leaves the slot")                           \
    RECORD(BLOCK_WENT_ON, block, "its waves are restored; it is in a slot again")                     \
    RECORD(BLOCK_OFF, block, "it leaves its slot with its grid's context, or with its grid")          \
    RECORD(BLOCK_BACK, block, "its grid's context is back, and the block in its slot")                \
    RECORD(BLOCK_STAGED, staged, "it waits before a shader engine")                                   \
    RECORD(BLOCK_UNSTAGED, staged, "it does not any more, and has not started")

/* NVIDIA: channels and groups on runlists, PBDMAs and engines. */
#define MODEL_CHANNEL_RECORDS(RECORD)                                                                 \
    RECORD(CHANNEL_BOUND, channel, "the channel gets its instance block")                             \
    RECORD(CHANNEL_UNBOUND, channel, "it has none any more")                                          \
    RECORD(CHANNEL_ENABLED, channel, "it may run, or may not: `enabled`")                             \
    RECORD(CHANNEL_LOADED, loaded, "a PBDMA holds the channel from now on")                           \
    RECORD(CHANNEL_SAVED, loaded, "the PBDMA does not hold it any more")                              \
    RECORD(CHANNEL_STOPPED, stopped, "the channel is stopped by an error")                            \
    RECORD(CHANNEL_KILLED, stopped, "the driver gives the channel up, and prints a line")             \
    RECORD(CHANNEL_WENT_ON, channel, "the channel goes on after a stop")                              \
    RECORD(CHANNEL_INTERRUPTED, channel, "the channel asks for the driver")                           \
    RECORD(RUNLIST_SUBMITTED, runlist, "the driver hands over a runlist")                             \
    RECORD(RUNLIST_DISABLED, runlist, "scheduling of the runlist is off, or on again: `disabled`")    \
    RECORD(RUNLIST_ERROR, runlist, "the runlist cannot be scheduled")                                 \
    RECORD(SLICE_BEGUN, slice, "a time slice of a group (TSG) begins")                                \
    RECORD(SLICE_ENDED, slice, "it ends")                                                             \
    RECORD(SLICE_PAUSED, slice, "it does not count while the group has nothing to do")                \
    RECORD(CONTEXT_LOADED, context, "an engine holds the group's context from now on")                \
    RECORD(ENGINE_RESET, reset, "the engine is in reset, or is not any more: `in_reset`")             \
    RECORD(BIND_ERROR, fault, "the channel cannot be bound")                                          \
    RECORD(ENGINE_ERROR, fault, "an engine cannot do a method")                                       \
    RECORD(MMU_FAULT, fault, "an address has no page")                                                \
    RECORD(PBDMA_STOPPED, pbdma, "a PBDMA stops with an interrupt")                                   \
    RECORD(PBDMA_CLEARED, pbdma, "the driver clears it")

/* NVIDIA: what a channel's pushbuffer does. */
#define MODEL_METHOD_RECORDS(RECORD)                                                                  \
    RECORD(DOORBELL, doorbell, "new GP entries are made known")                                       \
    RECORD(NOTIFY_PENDING, doorbell, "the channel is made known as pending: `value` is the token")    \
    RECORD(ENTRY_FETCHED, fetched, "a GP entry is read")                                              \
    RECORD(PUSH_FETCHED, fetched, "more of its segment is read; no entry's numbers")                  \
    RECORD(SEGMENT_ENDED, segment, "the entry's methods are done")                                    \
    RECORD(MEM_OP, mem_op, "a memory operation of Host takes its time")                               \
    RECORD(OBJECT_SET, object, "a subchannel gets a class")                                          \
    RECORD(LAUNCHED, method, "a compute launch is handed over")                                       \
    RECORD(REPORTED, method, "an engine will write a report")                                         \
    RECORD(RELEASED, method, "a semaphore is released")                                               \
    RECORD(ACQUIRED, method, "an acquire is satisfied")                                               \
    RECORD(INLINE_WRITTEN, method, "data of the pushbuffer is written: byte_count of it")             \
    RECORD(NOTIFIED, method, "a notifier is written")                                                 \
    RECORD(REDUCED, method, "an atomic operation of Host is done")

/* AMD: queues in the hardware's slots, their packets and dispatches. */
#define MODEL_QUEUE_RECORDS(RECORD)                                                                   \
    RECORD(SLOT_MAPPED, slot, "the firmware starts to load a queue into a slot")                      \
    RECORD(SLOT_PREEMPTED, slot, "it asks the queue in a slot to leave")                              \
    RECORD(QUEUE_LOADED, queue, "a slot holds the queue from now on")                                 \
    RECORD(QUEUE_LEFT, queue, "the slot does not hold it any more")                                   \
    RECORD(QUEUE_SAVED, queue, "its waves are being saved")                                           \
    RECORD(QUEUE_SAVE_REFUSED, queue, "its waves have no room in memory")                             \
    RECORD(QUEUE_RESTORED, queue, "its waves are being restored")                                     \
    RECORD(QUEUE_LOST, queue, "the driver resets a queue that does not leave: its work is lost")      \
    RECORD(QUEUE_RANG, ring, "its doorbell is written: packets up to write_index")                    \
    RECORD(PACKET_BEGUN, packet, "a packet is taken up")                                              \
    RECORD(PACKET_ENDED, packet, "it is done")                                                        \
    RECORD(PACKET_LAUNCHED, packet, "a grid becomes of it: grid_id")                                  \
    RECORD(QUEUE_SIGNALLED, written, "a signal is written")                                           \
    RECORD(QUEUE_WROTE, written, "memory is written")                                                 \
    RECORD(QUEUE_FAULTED, written, "an address has no page")                                          \
    RECORD(QUEUE_REFUSED, written, "a packet cannot be carried out; address: the code that says why")  \
    RECORD(DISPATCH_BEGUN, dispatch, "an ACE gets the dispatch")                                      \
    RECORD(ACE_TURN, turn, "the ACE works on that queue's dispatch")                                  \
    RECORD(QUEUE_MADE, event, "the driver makes a queue")

/* AMD: queues of SDMA engines. */
#define MODEL_SDMA_RECORDS(RECORD)                                                                    \
    RECORD(SDMA_MAPPED, sdma, "the firmware starts to load a queue; engine and slot alone")           \
    RECORD(SDMA_LOADED, sdma, "the engine's slot holds the queue from now on")                        \
    RECORD(SDMA_LEFT, sdma, "it does not any more")                                                   \
    RECORD(SDMA_RANG, ring, "the queue's doorbell is written")                                        \
    RECORD(SDMA_PACKET, sdma, "a packet is taken up: the ring is read up to read_index")              \
    RECORD(SDMA_WROTE, written, "memory is written")                                                  \
    RECORD(SDMA_FAULTED, written, "an address has no page")                                           \
    RECORD(SDMA_MADE, event, "the driver makes a queue")

/* Runtimes: streams and their operations, tasks of a scenario. */
#define MODEL_STREAM_RECORDS(RECORD)                                                                  \
    RECORD(CLIENT, client, "a process is a client of another's context (MPS)")                        \
    RECORD(STREAM, stream, "a stream is made")                                                        \
    RECORD(STREAM_CALLED, stream_operation, "an operation is put into a stream")                      \
    RECORD(STREAM_HELD, stream_channel, "a stream gets a channel")                                    \
    RECORD(STREAM_FREED, stream_channel, "it gives the channel back")                                 \
    RECORD(STREAM_SUBMITTED, stream_operation_submit, "an operation is submitted")                    \
    RECORD(STREAM_COMPLETED, stream_operation, "an operation is known to be complete; its id alone")  \
    RECORD(TASK, task, "a task of the scenario is released")                                          \
    RECORD(TASK_CALLED, task, "a call of the task returns; begin_ps: when it was made")               \
    RECORD(TASK_ITERATED, task, "an iteration of the task ends; begin_ps: when it began")             \
    RECORD(HIP_STREAM, hip_queue, "a HIP stream gets its HSA queue")                                   \
    RECORD(HIP_CALLED, hip_launch, "a thread launches its kernel")                                  \
    RECORD(HIP_PACKET, hip_submit, "a packet of the stream stands in the queue")                   \
    RECORD(HIP_DONE, hip_launch, "the thread knows that its kernel is complete")

#define MODEL_OTHER_RECORDS(RECORD)                                                                   \
    RECORD(OTHER, event, "a kind of event that the model makes no record of")

#define MODEL_RECORDS(RECORD)                                                                         \
    MODEL_PROGRAM_RECORDS(RECORD) MODEL_WAIT_RECORDS(RECORD) MODEL_OPERATION_RECORDS(RECORD)          \
    MODEL_BLOCK_RECORDS(RECORD) MODEL_CHANNEL_RECORDS(RECORD) MODEL_METHOD_RECORDS(RECORD)            \
    MODEL_QUEUE_RECORDS(RECORD) MODEL_SDMA_RECORDS(RECORD) MODEL_STREAM_RECORDS(RECORD)               \
    MODEL_OTHER_RECORDS(RECORD)

/* Makes a case of a type of record, for a switch over enum model_type.  A reader that passes over a
 * whole family writes `MODEL_SDMA_RECORDS(MODEL_CASE)`.  A switch has no `default`: the compiler
 * then names each type that a reader forgot. */
#define MODEL_CASE(type, member, meaning) case MODEL_##type:

/* ---- kinds of events: (name, type, operation, the arguments in the struct's order) ----------- */

#define MODEL_EVENTS(EVENT)                                                                           \
    EVENT("BLOCK_START", BLOCK_BEGUN, NO_OPERATION, "grid_id", "block_index", "sm_index",           \
          "slot_index")                                                                               \
    EVENT("BLOCK_END", BLOCK_DONE, NO_OPERATION, "grid_id", "block_index", "sm_index",               \
          "slot_index")                                                                               \
    EVENT("AMD_BLOCK_STOP", BLOCK_STOPPED, NO_OPERATION, "grid_id", "block_index", "sm_index",        \
          "slot_index")                                                                               \
    EVENT("AMD_BLOCK_GO_ON", BLOCK_WENT_ON, NO_OPERATION, "grid_id", "block_index", "sm_index",       \
          "slot_index")                                                                               \
    EVENT("AMD_BLOCK_STAGE", BLOCK_STAGED, NO_OPERATION, "grid_id", "block_index", "se_index",        \
          "ace_index")                                                                                \
    EVENT("AMD_BLOCK_UNSTAGE", BLOCK_UNSTAGED, NO_OPERATION, "grid_id", "block_index", "se_index",    \
          "ace_index")                                                                                \
                                                                                                      \
    EVENT("CPU_SUBMIT", SUBMITTED, NO_OPERATION, "submission_id", "thread_index", "channel_id",       \
          "push_count", "push_bytes")                                                                 \
    EVENT("CPU_SUBMIT_RETURN", SUBMIT_RETURNED, NO_OPERATION, "submission_id", "thread_index")        \
    EVENT("CPU_WAIT_BEGIN", CPU_WAIT_BEGUN, NO_OPERATION, "wait_id", "thread_index",                  \
          "submission_id", "inferred")                                                                \
    EVENT("CPU_WAIT_END", CPU_WAIT_OVER, NO_OPERATION, "wait_id", "thread_index",                    \
          "submission_id", "", "waited_ps")                                                           \
    EVENT("CPU_STORE", STORE_SEEN, NO_OPERATION, "submission_id", "byte_count")                       \
    EVENT("DRIVER_GP_ENTRY", ENTRY_WRITTEN, NO_OPERATION, "channel_id", "gp_sequence", "gp_index",    \
          "address", "dword_count", "submission_id")                                                  \
    EVENT("BARE_GP_ENTRY", ENTRY_WRITTEN, NO_OPERATION, "channel_id", "gp_sequence", "gp_index",      \
          "address", "dword_count", "submission_id")                                                  \
    EVENT("DRIVER_FENCE", FENCE_PLACED, NO_OPERATION, "channel_id", "address")                        \
    EVENT("FENCE", FENCE_CHECKED, NO_OPERATION, "reached")                                            \
    EVENT("UNMODELLED", UNCOVERED, NO_OPERATION, "what", "address", "value")                         \
    EVENT("RUN_END", RUN_OVER, NO_OPERATION, "recorded_wait_count", "inferred_wait_count")           \
                                                                                                      \
    EVENT("WAIT", WAITED, NO_OPERATION, "begin_ps", "subject_kind", "subject_id", "blocker_kind",     \
          "blocker_id")                                                                               \
    EVENT("WAIT_OPEN", WAIT_UNENDED, NO_OPERATION, "begin_ps", "subject_kind", "subject_id",             \
          "blocker_kind", "blocker_id")                                                               \
    EVENT("RUN_CUT", RUN_CUT, NO_OPERATION, "next_ps")                                                      \
    EVENT("WAIT_HOLDS", WAIT_HOLDS, NO_OPERATION, "", "subject_kind", "subject_id", "held_kind",     \
          "held_id")                                                                                  \
                                                                                                      \
    EVENT("GRID_QUEUE", GRID_HANDED, GRID, "grid_id", "channel_id", "block_count", "block_threads",   \
          "shared_bytes", "registers", "gp_sequence")                                                 \
    EVENT("GRID_COST", COST, GRID, "grid_id", "priority")                                        \
    EVENT("GRID_START", STARTED, GRID, "grid_id")                                                     \
    EVENT("GRID_DISPATCHED", DISPATCHED, GRID, "grid_id")                                             \
    EVENT("GRID_SUSPEND", SUSPENDED, GRID, "grid_id")                                                 \
    EVENT("GRID_RESUME", RESUMED, GRID, "grid_id", "", "", "", "from_ps", "by_channel_id")            \
    EVENT("GRID_END", ENDED, GRID, "grid_id")                                                         \
    EVENT("GRID_DROP", DROPPED, GRID, "grid_id")                                                      \
    EVENT("COPY_QUEUE", COPY_HANDED, COPY, "copy_id", "channel_id", "engine_id", "byte_count",        \
          "gp_sequence")                                                                              \
    EVENT("COPY_START", STARTED, COPY, "copy_id", "engine_id", "limited_by", "pce_bits")              \
    EVENT("COPY_SUSPEND", SUSPENDED, COPY, "copy_id", "engine_id")                                    \
    EVENT("COPY_RESUME", RESUMED, COPY, "copy_id", "engine_id", "limited_by", "pce_bits")             \
    EVENT("COPY_END", ENDED, COPY, "copy_id", "engine_id")                                            \
    EVENT("COPY_DROP", DROPPED, COPY, "copy_id", "engine_id")                                         \
    EVENT("NV_CE_LAUNCHERR", COPY_REFUSED, COPY, "copy_id", "engine_id")                              \
    EVENT("WORK_START", WORK_BEGUN, WORK, "work_id", "channel_id", "engine_id", "class_id",         \
          "method", "gp_sequence")                                                                    \
    EVENT("WORK_SUSPEND", SUSPENDED, WORK, "work_id", "engine_id")                                    \
    EVENT("WORK_RESUME", RESUMED, WORK, "work_id", "engine_id", "", "", "from_ps", "by_channel_id")   \
    EVENT("WORK_END", ENDED, WORK, "work_id", "engine_id")                                            \
    EVENT("WORK_DROP", DROPPED, WORK, "work_id", "engine_id")                                         \
                                                                                                      \
    EVENT("NV_CHANNEL_BIND", CHANNEL_BOUND, NO_OPERATION, "channel_id")                               \
    EVENT("NV_CHANNEL_UNBIND", CHANNEL_UNBOUND, NO_OPERATION, "channel_id")                           \
    EVENT("NV_CHANNEL_ENABLE", CHANNEL_ENABLED, NO_OPERATION, "channel_id", "enabled")                \
    EVENT("NV_CHANNEL_LOAD", CHANNEL_LOADED, NO_OPERATION, "channel_id", "pbdma_id", "runlist_id")    \
    EVENT("NV_CHANNEL_SAVE", CHANNEL_SAVED, NO_OPERATION, "channel_id", "pbdma_id", "runlist_id")     \
    EVENT("NV_CHANNEL_STOP", CHANNEL_STOPPED, NO_OPERATION, "channel_id", "intr_bits")                \
    EVENT("NV_CHANNEL_GO_ON", CHANNEL_WENT_ON, NO_OPERATION, "channel_id")                            \
    EVENT("NV_CHANNEL_INTR", CHANNEL_INTERRUPTED, NO_OPERATION, "channel_id")                         \
    EVENT("NV_RUNLIST_SUBMIT", RUNLIST_SUBMITTED, NO_OPERATION, "runlist_id", "entry_count")          \
    EVENT("NV_SCHED_DISABLE", RUNLIST_DISABLED, NO_OPERATION, "runlist_id", "", "disabled")           \
    EVENT("NV_SCHED_ERROR", RUNLIST_ERROR, NO_OPERATION, "runlist_id")                                \
    EVENT("NV_TSG_START", SLICE_BEGUN, NO_OPERATION, "runlist_id", "tsg_id", "timeslice_ps")          \
    EVENT("NV_TSG_END", SLICE_ENDED, NO_OPERATION, "runlist_id", "tsg_id")                            \
    EVENT("NV_SLICE_PAUSE", SLICE_PAUSED, NO_OPERATION, "runlist_id", "tsg_id")                       \
    EVENT("NV_CONTEXT_LOAD", CONTEXT_LOADED, NO_OPERATION, "engine_id", "channel_id", "tsg_id",       \
          "load_ps")                                                                                  \
    EVENT("NV_ENGINE_RESET", ENGINE_RESET, NO_OPERATION, "engine_id", "in_reset")                     \
    EVENT("NV_BIND_ERROR", BIND_ERROR, NO_OPERATION, "channel_id", "", "code")                        \
    EVENT("NV_ENGINE_ERROR", ENGINE_ERROR, NO_OPERATION, "channel_id", "method", "code")              \
    EVENT("NV_MMU_FAULT", MMU_FAULT, NO_OPERATION, "channel_id", "address", "fault_type")             \
    EVENT("NV_PBDMA_INTR", PBDMA_STOPPED, NO_OPERATION, "channel_id", "pbdma_id", "method",           \
          "intr_bit")                                                                                 \
    EVENT("NV_PBDMA_INTR_CLEAR", PBDMA_CLEARED, NO_OPERATION, "channel_id", "pbdma_id")               \
                                                                                                      \
    EVENT("NV_DOORBELL", DOORBELL, NO_OPERATION, "channel_id", "gp_put_index")                        \
    EVENT("NV_NOTIFY_PENDING", NOTIFY_PENDING, NO_OPERATION, "channel_id", "token")                   \
    EVENT("NV_GP_FETCH", ENTRY_FETCHED, NO_OPERATION, "channel_id", "pbdma_id", "gp_index",           \
          "address", "dword_count", "entry1_flags", "gp_sequence", "fetch_ps")                        \
    EVENT("NV_PB_FETCH", PUSH_FETCHED, NO_OPERATION, "channel_id", "pbdma_id", "", "address",         \
          "dword_count", "", "", "fetch_ps")                                                          \
    EVENT("NV_SEGMENT_END", SEGMENT_ENDED, NO_OPERATION, "channel_id", "pbdma_id", "gp_index",        \
          "gp_sequence")                                                                              \
    EVENT("NV_MEM_OP", MEM_OP, NO_OPERATION, "channel_id", "operation", "took_ps")                    \
    EVENT("NV_SET_OBJECT", OBJECT_SET, NO_OPERATION, "channel_id", "subchannel", "class_id")                                    \
    EVENT("NV_LAUNCH", LAUNCHED, NO_OPERATION, "channel_id", "", "", "", "", "gp_sequence")           \
    EVENT("NV_REPORT", REPORTED, NO_OPERATION, "channel_id", "address", "", "", "", "gp_sequence")    \
    EVENT("NV_RELEASE", RELEASED, NO_OPERATION, "channel_id", "address", "value", "byte_count",       \
          "source_class", "gp_sequence")                                                              \
    EVENT("NV_ACQUIRE", ACQUIRED, NO_OPERATION, "channel_id", "address", "value")                     \
    EVENT("NV_INLINE_WRITE", INLINE_WRITTEN, NO_OPERATION, "channel_id", "address", "",               \
          "byte_count")                                                                               \
    EVENT("NV_NOTIFY", NOTIFIED, NO_OPERATION, "channel_id", "address")                               \
    EVENT("NV_REDUCTION", REDUCED, NO_OPERATION, "channel_id", "address")                             \
                                                                                                      \
    EVENT("HWS_MAP", SLOT_MAPPED, NO_OPERATION, "pipe_index", "slot_index", "queue_id")               \
    EVENT("HWS_PREEMPT", SLOT_PREEMPTED, NO_OPERATION, "pipe_index", "slot_index", "queue_id",        \
          "busy")                                                                                     \
    EVENT("AMD_QUEUE_LOAD", QUEUE_LOADED, NO_OPERATION, "slot_id", "doorbell_index", "read_index",    \
          "is_aql", "vmid")                                                                           \
    EVENT("AMD_QUEUE_LEAVE", QUEUE_LEFT, NO_OPERATION, "slot_id", "doorbell_index")                   \
    EVENT("AMD_QUEUE_SAVE", QUEUE_SAVED, NO_OPERATION, "slot_id", "doorbell_index", "", "", "",       \
          "byte_count", "duration_ps")                                                                \
    EVENT("AMD_SAVE_REFUSED", QUEUE_SAVE_REFUSED, NO_OPERATION, "slot_id", "doorbell_index")          \
    EVENT("AMD_QUEUE_RESTORE", QUEUE_RESTORED, NO_OPERATION, "slot_id", "doorbell_index", "", "", "", \
          "byte_count", "duration_ps")                                                                \
    EVENT("KFD_QUEUE_RESET", QUEUE_LOST, NO_OPERATION, "", "queue_id")                                \
    EVENT("AMD_DOORBELL", QUEUE_RANG, NO_OPERATION, "doorbell_index", "write_index")                  \
    EVENT("AMD_PACKET", PACKET_BEGUN, NO_OPERATION, "doorbell_index", "packet_index", "is_aql",       \
          "code")                                                                                     \
    EVENT("AMD_PACKET_END", PACKET_ENDED, NO_OPERATION, "doorbell_index", "packet_index")             \
    EVENT("AMD_LAUNCH", PACKET_LAUNCHED, NO_OPERATION, "doorbell_index", "packet_index", "", "",      \
          "grid_id")                                                                                  \
    EVENT("AMD_SIGNAL", QUEUE_SIGNALLED, NO_OPERATION, "doorbell_index", "signal_address", "value",   \
          "", "packet_index")                                                                         \
    EVENT("AMD_WRITE", QUEUE_WROTE, NO_OPERATION, "doorbell_index", "address", "", "byte_count")      \
    EVENT("AMD_VM_FAULT", QUEUE_FAULTED, NO_OPERATION, "doorbell_index", "address")                   \
    EVENT("AMD_REFUSED", QUEUE_REFUSED, NO_OPERATION, "doorbell_index", "code")                       \
    EVENT("AMD_DISPATCH", DISPATCH_BEGUN, NO_OPERATION, "grid_id", "ace_index", "queue_index",        \
          "wave_count", "cu_mask_lo", "cu_mask_hi")                                                   \
    EVENT("AMD_ACE_TURN", ACE_TURN, NO_OPERATION, "ace_index", "queue_index", "grid_id")              \
    EVENT("KFD_QUEUE", QUEUE_MADE, NO_OPERATION, NULL)                                                 \
                                                                                                      \
    EVENT("HWS_SDMA_MAP", SDMA_MAPPED, NO_OPERATION, "engine_index", "slot_index")                    \
    EVENT("AMD_SDMA_LOAD", SDMA_LOADED, NO_OPERATION, "engine_index", "queue_index",                  \
          "doorbell_index", "read_index", "write_index")                                              \
    EVENT("AMD_SDMA_LEAVE", SDMA_LEFT, NO_OPERATION, "engine_index", "queue_index",                   \
          "doorbell_index", "read_index")                                                             \
    EVENT("AMD_SDMA_DOORBELL", SDMA_RANG, NO_OPERATION, "doorbell_index", "write_index")              \
    EVENT("AMD_SDMA_PACKET", SDMA_PACKET, NO_OPERATION, "engine_index", "queue_index",                \
          "doorbell_index", "read_index")                                                             \
    EVENT("AMD_SDMA_WRITE", SDMA_WROTE, NO_OPERATION, "doorbell_index", "address", "",                \
          "byte_count")                                                                               \
    EVENT("AMD_SDMA_FAULT", SDMA_FAULTED, NO_OPERATION, "doorbell_index", "address")                  \
    EVENT("KFD_SDMA_QUEUE", SDMA_MADE, NO_OPERATION, NULL)                                       \
                                                                                                      \
    EVENT("CUDA_CLIENT", CLIENT, NO_OPERATION, "process_id", "context_id")                            \
    EVENT("CUDA_STREAM", STREAM, NO_OPERATION, "stream_id", "process_id", "kind", "priority")         \
    EVENT("CUDA_OPERATION", STREAM_CALLED, NO_OPERATION, "operation_id", "stream_id", "task_id",      \
          "call_id", "iteration")                                                                     \
    EVENT("CUDA_CHANNEL", STREAM_HELD, NO_OPERATION, "stream_id", "channel_id")                       \
    EVENT("CUDA_STREAM_CHANNEL", STREAM_HELD, NO_OPERATION, "stream_id", "channel_id")                \
    EVENT("CUDA_CHANNEL_FREE", STREAM_FREED, NO_OPERATION, "stream_id", "channel_id")                 \
    EVENT("CUDA_SUBMIT", STREAM_SUBMITTED, NO_OPERATION, "operation_id", "channel_id",                \
          "gp_sequence")                                                                              \
    EVENT("CUDA_RECORD", STREAM_SUBMITTED, NO_OPERATION, "operation_id", "channel_id",                \
          "gp_sequence")                                                                              \
    EVENT("CUDA_COMPLETE", STREAM_COMPLETED, NO_OPERATION, "operation_id", "stream_id")               \
    EVENT("CUDA_TASK", TASK, NO_OPERATION, "task_id")                                                 \
    EVENT("CUDA_CALL", TASK_CALLED, NO_OPERATION, "task_id", "call_id", "begin_ps")                   \
    EVENT("CUDA_ITERATION", TASK_ITERATED, NO_OPERATION, "task_id", "", "begin_ps")                   \
    EVENT("HIP_QUEUE", HIP_STREAM, NO_OPERATION, "stream_index", "hsa_queue_index",                    \
          "doorbell_index", "process_index", "has_mask")                                              \
    EVENT("HIP_LAUNCH", HIP_CALLED, NO_OPERATION, "plugin_index", "iteration_index")                \
    EVENT("HIP_SUBMIT", HIP_PACKET, NO_OPERATION, "stream_index", "doorbell_index",                \
          "packet_index", "code")                                                                     \
    EVENT("HIP_RETURN", HIP_DONE, NO_OPERATION, "plugin_index", "iteration_index")                \
                                                                                                      \
    EVENT("DRIVER_FAULT", DRIVER_LINE, NO_OPERATION, NULL)                                            \
    EVENT("DRIVER_FAULT_GV100", ERROR_PRINTED, NO_OPERATION, NULL)                                      \
    EVENT("DRIVER_PBDMA", ERROR_PRINTED, NO_OPERATION, NULL) \
    EVENT("DRIVER_PBDMA_1", ERROR_PRINTED, NO_OPERATION, NULL) \
    EVENT("DRIVER_CTXNOTVALID", ERROR_PRINTED, NO_OPERATION, NULL) \
    EVENT("DRIVER_GR_ERROR", ERROR_PRINTED, NO_OPERATION, NULL) \
    EVENT("DRIVER_GR_TRAP", ERROR_PRINTED, NO_OPERATION, NULL) \
    EVENT("DRIVER_SCHED_ERROR", ERROR_PRINTED, NO_OPERATION, NULL)                                      \
    EVENT("DRIVER_RC", ERROR_PRINTED, NO_OPERATION, NULL)                                               \
    EVENT("DRIVER_KILL", CHANNEL_KILLED, NO_OPERATION, "channel_id", "intr_bits")                                             \
    EVENT("RM_XID_MMU_FAULT", ERROR_PRINTED, NO_OPERATION, NULL)                                        \
    EVENT("RM_XID_GR", ERROR_PRINTED, NO_OPERATION, NULL) \
    EVENT("RM_XID_PBDMA", ERROR_PRINTED, NO_OPERATION, NULL)                                            \
    EVENT("RM_XID_PBDMA_1", ERROR_PRINTED, NO_OPERATION, NULL)                                          \
    EVENT("RM_XID_REMOVAL", ERROR_PRINTED, NO_OPERATION, NULL)                                          \
    EVENT("RM_XID_CRC", ERROR_PRINTED, NO_OPERATION, NULL)                                              \
    EVENT("RM_XID_CTXSW", ERROR_PRINTED, NO_OPERATION, NULL)                                            \
    EVENT("KFD_OVERSUBSCRIBED", DRIVER_LINE, NO_OPERATION, NULL)                                      \
    EVENT("KFD_FENCE_TIMEOUT", ERROR_PRINTED, NO_OPERATION, NULL)                                       \
    EVENT("KFD_HANG", ERROR_PRINTED, NO_OPERATION, NULL)                                                \
    EVENT("KFD_RESET", ERROR_PRINTED, NO_OPERATION, NULL)                                               \
    EVENT("KFD_RESET_END", DRIVER_LINE, NO_OPERATION, NULL)                                           \
    EVENT("KFD_NOT_PREEMPTED", ERROR_PRINTED, NO_OPERATION, NULL)                                       \
    EVENT("KFD_CREATE_FAILED", ERROR_PRINTED, NO_OPERATION, NULL) \
    EVENT("KFD_CREATE_FAILED_PID", ERROR_PRINTED, NO_OPERATION, NULL) \
    EVENT("KFD_SUSPEND_FAILED", ERROR_PRINTED, NO_OPERATION, NULL) \
    EVENT("KFD_QUIESCE", DRIVER_LINE, NO_OPERATION, NULL) \
    EVENT("KFD_QUIESCE_FAILED", ERROR_PRINTED, NO_OPERATION, NULL) \
    EVENT("KFD_RESUME", DRIVER_LINE, NO_OPERATION, NULL) \
    EVENT("KFD_RESUME_FAILED", ERROR_PRINTED, NO_OPERATION, NULL) \
    EVENT("KFD_HQD_TIMEOUT", ERROR_PRINTED, NO_OPERATION, NULL)                                         \
    EVENT("KFD_SDMA_FULL", DRIVER_LINE, NO_OPERATION, NULL)                                           \
    EVENT("KFD_XGMI_FULL", DRIVER_LINE, NO_OPERATION, NULL)                                           \
    EVENT("KFD_SDMA_TIMEOUT", ERROR_PRINTED, NO_OPERATION, NULL)                                        \
    EVENT("AMDGPU_VM_FAULT", ERROR_PRINTED, NO_OPERATION, NULL)                                         \
    EVENT("AMDGPU_IH_OVERFLOW", DRIVER_LINE, NO_OPERATION, NULL)                                      \
    EVENT("AMDGPU_CP_ERROR", ERROR_PRINTED, NO_OPERATION, NULL)                                         \
    EVENT("KFD_NO_PASID", DRIVER_LINE, NO_OPERATION, NULL)                                            \
    EVENT("KFD_EVICT", DRIVER_LINE, NO_OPERATION, NULL)                                               \
    EVENT("KFD_UNHANDLED", DRIVER_LINE, NO_OPERATION, NULL)

/* ---- kinds of events that become no record of their own: (name, reason) ---------------------- */

#define MODEL_REGISTER_ACCESS "an access from outside: what it does, other events say"
#define MODEL_FAULT_INJECTED  "an injected fault acts: emu/faults reads it, with the run that it is of"
#define MODEL_DRIVER_STEP     "a step inside the driver: what it does to a channel or queue, the GPU's events say"
#define MODEL_FIRMWARE_STEP   "a step inside the firmware: the slot's own events say what comes of it"
#define MODEL_DETAIL          "a detail of what another record says; changes no operation, occupancy or wait"

#define MODEL_NOT_FOLDED(KIND)                                                                        \
    KIND("MMIO_WRITE", MODEL_REGISTER_ACCESS)                                                         \
    KIND("MMIO_READ", MODEL_REGISTER_ACCESS)                                                          \
    KIND("MEM_WRITE", MODEL_REGISTER_ACCESS)                                                          \
    KIND("POKE", MODEL_REGISTER_ACCESS)                                                               \
    KIND("FAULT", MODEL_FAULT_INJECTED)                                                               \
    KIND("LIVE_FAULT", MODEL_FAULT_INJECTED)                                                          \
    KIND("NV_PBDMA_INJECT", MODEL_FAULT_INJECTED)                                                     \
    KIND("LIVE_MAP", MODEL_DRIVER_STEP)                                                               \
    KIND("LIVE_CALL", MODEL_DRIVER_STEP)                                                              \
    KIND("LIVE_EXCEPTION", MODEL_DRIVER_STEP)                                                         \
    KIND("LIVE_END", MODEL_DRIVER_STEP)                                                               \
    KIND("AMD_DEPENDS", MODEL_DETAIL)                                                                 \
    KIND("AMD_INTERRUPT", MODEL_DETAIL)                                                               \
    KIND("NV_PREEMPT", MODEL_DETAIL)                                                                  \
    KIND("NV_SUBDEVICE", MODEL_DETAIL)                                                                \
    KIND("NV_CE_CONDITION", MODEL_DETAIL)                                                             \
    KIND("NV_CE_INTR", MODEL_DETAIL)                                                                  \
    KIND("NV_YIELD", MODEL_DETAIL)                                                                    \
    KIND("NV_GR_INTR", MODEL_DETAIL)                                                                  \
    KIND("NV_CTXSW_TIMEOUT", MODEL_DETAIL)                                                            \
    KIND("NV_CLEAR_FAULTED", MODEL_DETAIL)                                                            \
    KIND("COPY_SPEED", MODEL_DETAIL)                                                                  \
    KIND("GRID_CLUSTER", MODEL_DETAIL)                                                                \
    KIND("GRID_MASK", MODEL_DETAIL)                                                                   \
    KIND("GRID_SPLIT", MODEL_DETAIL)                                                                  \
    KIND("BARE_RUNLIST", MODEL_DRIVER_STEP)                                                           \
    KIND("BARE_CHANNEL_MADE", MODEL_DRIVER_STEP)                                                      \
    KIND("BARE_KICK", MODEL_DRIVER_STEP)                                                              \
    KIND("BARE_FETCHED", MODEL_DRIVER_STEP)                                                           \
    KIND("RM_CHANNEL", MODEL_DRIVER_STEP)                                                             \
    KIND("RM_RUNLIST", MODEL_DRIVER_STEP)                                                             \
    KIND("RM_TIMESLICE", MODEL_DRIVER_STEP)                                                           \
    KIND("RM_CONTEXT_INIT", MODEL_DRIVER_STEP)                                                        \
    KIND("RM_ALLOCATION", MODEL_DRIVER_STEP)                                                          \
    KIND("RM_CONTEXT_READY", MODEL_DRIVER_STEP)                                                       \
    KIND("RM_RC_BEGIN", MODEL_DRIVER_STEP)                                                            \
    KIND("RM_RC_SCHED_DISABLE", MODEL_DRIVER_STEP)                                                    \
    KIND("RM_RC_DISABLE", MODEL_DRIVER_STEP)                                                          \
    KIND("RM_RC_PREEMPT", MODEL_DRIVER_STEP)                                                          \
    KIND("RM_RC_CLEAR", MODEL_DRIVER_STEP)                                                            \
    KIND("RM_RC_OFF", MODEL_DRIVER_STEP)                                                              \
    KIND("RM_RC_RESET", MODEL_DRIVER_STEP)                                                            \
    KIND("RM_RC_CLEAR_FAULTED", MODEL_DRIVER_STEP)                                                    \
    KIND("RM_RC_REMOVE", MODEL_DRIVER_STEP)                                                           \
    KIND("RM_RC_NOTIFIER", MODEL_DRIVER_STEP)                                                         \
    KIND("RM_RC_END", MODEL_DRIVER_STEP)                                                              \
    KIND("RM_SW_METHOD", MODEL_DRIVER_STEP)                                                           \
    KIND("RM_ENGINE", MODEL_DRIVER_STEP)                                                              \
    KIND("RM_TSG", MODEL_DRIVER_STEP)                                                                 \
    KIND("HWS_RUN_LIST", MODEL_FIRMWARE_STEP)                                                         \
    KIND("HWS_UNMAP", MODEL_FIRMWARE_STEP)                                                            \
    KIND("HWS_REFUSED", MODEL_FIRMWARE_STEP)                                                          \
    KIND("HWS_FENCE", MODEL_FIRMWARE_STEP)                                                            \
    KIND("HWS_STOP", MODEL_FIRMWARE_STEP)                                                             \
    KIND("HWS_QUANTUM", MODEL_FIRMWARE_STEP)                                                          \
    KIND("HWS_SDMA_PREEMPT", MODEL_FIRMWARE_STEP)                                                     \
    KIND("HWS_SDMA_UNMAP", MODEL_FIRMWARE_STEP)                                                       \
    KIND("HWS_SDMA_REFUSED", MODEL_FIRMWARE_STEP)                                                     \
    KIND("KFD_QUEUE_CHANGE", MODEL_DRIVER_STEP)                                                       \
    KIND("KFD_QUEUE_GONE", MODEL_DRIVER_STEP)                                                         \
    KIND("KFD_EXCEPTION", MODEL_DRIVER_STEP)                                                          \
    KIND("KFD_REFUSED", MODEL_DRIVER_STEP)                                                            \
    KIND("KFD_RUN_LIST", MODEL_DRIVER_STEP)                                                           \
    KIND("KFD_UNMAP", MODEL_DRIVER_STEP)                                                              \
    KIND("KFD_UNMAPPED", MODEL_DRIVER_STEP)                                                           \
    KIND("KFD_HQD_LOAD", MODEL_DRIVER_STEP)                                                           \
    KIND("KFD_SDMA_LOAD", MODEL_DRIVER_STEP)                                                          \
    KIND("HIP_OWN_QUEUE", MODEL_DRIVER_STEP)                                                          \
    KIND("HIP_CU_MASK", MODEL_DRIVER_STEP)                                                            \
    KIND("DRIVER_CHANNEL", MODEL_DRIVER_STEP)                                                         \
    KIND("DRIVER_KICK", MODEL_DRIVER_STEP)                                                            \
    KIND("DRIVER_INTERRUPT", MODEL_DRIVER_STEP)                                                       \
    KIND("DRIVER_SW_METHOD", MODEL_DRIVER_STEP)                                                       \
    KIND("DRIVER_ERROR", MODEL_DRIVER_STEP)                                                           \
    KIND("DRIVER_CE_INTERRUPT", MODEL_DRIVER_STEP)                                                    \
    KIND("DRIVER_GR_INTERRUPT", MODEL_DRIVER_STEP)                                                    \
    KIND("DRIVER_JOB", MODEL_DRIVER_STEP)                                                             \
    KIND("DRIVER_JOB_DONE", MODEL_DRIVER_STEP)                                                        \
    KIND("DRIVER_BIND", MODEL_DRIVER_STEP)                                                            \
    KIND("DRIVER_RC_TRIGGER", MODEL_DRIVER_STEP)                                                      \
    KIND("DRIVER_RC_RESET", MODEL_DRIVER_STEP)                                                        \
    KIND("DRIVER_RC_END", MODEL_DRIVER_STEP)                                                          \
    KIND("DRIVER_REFUSED", MODEL_DRIVER_STEP)
/* clang-format on */

#endif
