/* SPDX-License-Identifier: MIT */
/*
 * The rules of NVIDIA's front end, and the figures that it needs.  Rules of the papers keep their
 * labels; NV.* are gfe's, from NVIDIA's manuals.  Every time here is ASSUMED: no register-level
 * latency of Host or PBDMA is published.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_TABLES_H
#define GFE_DEVICES_NVIDIA_NV_TABLES_H

#include "devices/core/papers.h"
#include "emu/log/rule.h"

/* clang-format off */
#define NV_RULES(RULE)                                                                               \
    RULE(RULE_NV_DOORBELL, "NV.DOORBELL", INFERRED, HARDWARE,                                          \
         "nvgpu hw_fifo_gp10b.h (BAR1_BASE); nouveau uchan.c @0604aa87",                               \
         "Before Volta Host snoops stores into the USERD window of BAR1: a store at 0x8c makes that "  \
         "channel pending.")                                                                           \
    RULE(RULE_B_R3, "B.R3", SEEN_BY_BAKITA, HARDWARE, PAPER_BAKITA "s.V-C",                            \
         "A channel must be on a runlist to be scheduled.")                                            \
    RULE(RULE_B_R4, "B.R4", SEEN_BY_BAKITA, HARDWARE, PAPER_BAKITA "s.V-C",                            \
         "A runlist has up to one task (time-slice group) active on each of its engines.")             \
    RULE(RULE_B_R8, "B.R8", SEEN_BY_BAKITA, HARDWARE, PAPER_BAKITA "s.V-D",                            \
         "A physical copy engine works for one copy at a time: a GRCE and the copy engine whose PCEs " \
         "it shares take turns.")                                                                      \
    RULE(RULE_B_R1, "B.R1", DOCUMENTED, HARDWARE,                                                      \
         PAPER_BAKITA "s.V-B; open-gpu-doc ga100/dev_pbdma.ref.txt",                                   \
         "Every operation that uses an engine goes through a channel; a disabled channel is passed "   \
         "over.")                                                                                      \
    RULE(RULE_B_S1, "B.S1", INFERRED, HARDWARE, "Bakita and Anderson 2024, s.V-C R5(ii), note 16",     \
         "A context stays on its engine, and its work goes on, until a channel of another time-slice " \
         "group needs that engine.")                                                                   \
    RULE(RULE_B_T1, "B.T1", DOCUMENTED, HARDWARE,                                                      \
         "open-gpu-doc tu104/dev_ram.ref.txt; Bakita and Anderson 2024, s.V-C",                        \
         "A time-slice group has its runlist for (TIMEOUT << SCALE) * 1024 ns, then the next one that " \
         "can run; alone it goes on.")                                                                 \
    RULE(RULE_B_T2, "B.T2", DOCUMENTED, HARDWARE, "open-gpu-doc tu104/dev_ram.ref.txt",                \
         "A slice counts from when its context is on a PBDMA and on its engines, and does not count "  \
         "while an engine loads another that the channel needs.")                                      \
    RULE(RULE_NV_TSG, "NV.TSG", DOCUMENTED, HARDWARE, "open-gpu-doc tu104/dev_pbdma.ref.txt",          \
         "Channels of a time-slice group follow each other when one is out of work, fails to acquire, " \
         "yields or, up to Pascal, has had its PB_TIMESLICE.")                                         \
    RULE(RULE_NV_SUBMIT, "NV.SUBMIT", DOCUMENTED, HARDWARE, "open-gpu-doc tu104/dev_ram.ref.txt",      \
         "A new runlist ends the slices of all that the one before has scheduled.")                    \
    RULE(RULE_NV_PREEMPT, "NV.PREEMPT", DOCUMENTED, HARDWARE, "open-gpu-doc tu104/dev_fifo.ref.txt",   \
         "Software takes a channel, a time-slice group or all of a runlist off PBDMAs and engines.")   \
    RULE(RULE_NV_FAULTED, "NV.FAULTED", DOCUMENTED, HARDWARE, "open-gpu-doc tu104/dev_fifo.ref.txt",   \
         "A time-slice group with a faulted channel is not scheduled until the fault is cleared.")     \
    RULE(RULE_NV_CLEAR_FAULTED, "NV.CLEAR_FAULTED", DOCUMENTED, HARDWARE,                              \
         "open-gpu-doc tu104/dev_pbdma.ref.txt",                                                       \
         "CLEAR_FAULTED waits until the fault that it is to clear has been seen, or for its timeout.") \
    RULE(RULE_NV_RUNLIST, "NV.RUNLIST", DOCUMENTED, HARDWARE,                                          \
         "open-gpu-doc tu104/dev_ram.ref.txt",                                                         \
         "A runlist's PBDMA takes the next TSG with a pending, enabled channel, in the order of the "  \
         "entries; finding it takes time.")                                                                                   \
    RULE(RULE_NV_BAD_TSG, "NV.BAD_TSG", DOCUMENTED, HARDWARE, "open-gpu-doc tu104/dev_ram.ref.txt",    \
         "A TSG of length 0, or longer than the runlist, and from Volta on a channel outside TSGs, "  \
         "raises SCHED_ERROR with code BAD_TSG.")       \
    RULE(RULE_NV_ORDER, "NV.ORDER", DOCUMENTED, HARDWARE, "open-gpu-doc tu104/dev_pbdma.ref.txt",      \
         "A PBDMA processes the GP entries and methods of a channel in order.")                        \
    RULE(RULE_NV_SUBCHANNEL, "NV.SUBCHANNEL", DOCUMENTED, HARDWARE,                                    \
         "open-gpu-doc tu104/dev_ram.ref.txt",                                                         \
         "On a graphics runlist subchannels 0 to 3 are 3D, compute, inline-to-memory and 2D, 4 is the "\
         "runqueue's copy engine; on others 0 to 4 are the runlist's engine.  5 to 7 are software's.")  \
    RULE(RULE_NV_SUBCH, "NV.SUBCH", DOCUMENTED, HARDWARE, "open-gpu-doc tu104/dev_ram.ref.txt",        \
         "Switching between the graphics and the copy subchannels waits for the first engine to be "   \
         "idle.")                                                                                      \
    RULE(RULE_NV_WFI, "NV.WFI", DOCUMENTED, HARDWARE, "open-gpu-doc tu104/dev_pbdma.ref.txt",          \
         "A wait-for-idle, explicit or of a semaphore release, waits until the engine is idle.")       \
    RULE(RULE_NV_REPORT, "NV.REPORT", INFERRED, HARDWARE,                                              \
         "open-gpu-doc classes/3d/clc197.h (fields); Mesa nvc0 relies on it",        \
         "A report semaphore is released after the work in front of it; the front end goes on "        \
         "meanwhile.")                                                                                 \
    RULE(RULE_NV_ACQ, "NV.ACQ", DOCUMENTED, HARDWARE, "open-gpu-doc tu104/dev_pbdma.ref.txt",          \
         "A failed semaphore acquire blocks its channel: the value is looked at again every "          \
         "RETRY_MAN << RETRY_EXP cycles until it is there or, with TIMEOUT_EN, the deadline is missed.") \
    RULE(RULE_NV_DEVICE, "NV.DEVICE", DOCUMENTED, HARDWARE, "open-gpu-doc tu104/dev_pbdma.ref.txt",    \
         "A method on subchannels 5 to 7 raises INTR_0 DEVICE and freezes the PBDMA until software "   \
         "has dealt with it.")                                                                         \
    RULE(RULE_NV_PREFETCH, "NV.PREFETCH", DOCUMENTED, HARDWARE, "open-gpu-doc tu104/dev_pbdma.ref.txt", \
         "A PBDMA reads GP entries and segments ahead of what it processes.")                          \
    RULE(RULE_NV_SYNC, "NV.SYNC", DOCUMENTED, HARDWARE, "open-gpu-doc tu104/dev_pbdma.ref.txt",        \
         "The segment of a GP entry with SYNC_WAIT, and what follows it, is not read before all "      \
         "segments in front of it are processed.")                                                     \
    RULE(RULE_NV_CONDITIONAL, "NV.CONDITIONAL", DOCUMENTED, HARDWARE,                                  \
         "open-gpu-doc tu104/dev_pbdma.ref.txt",                                                       \
         "A segment with FETCH_CONDITIONAL is not read while the subdevice is inactive, and what is "  \
         "left of it is ignored when it becomes so.")                                                  \
    RULE(RULE_NV_SUBDEVICE, "NV.SUBDEVICE", DOCUMENTED, HARDWARE,                                      \
         "open-gpu-doc tu104/dev_ram.ref.txt",                                                         \
         "While a subdevice mask does not name this GPU, methods are ignored.")                        \
    RULE(RULE_NV_INTR, "NV.INTR", DOCUMENTED, HARDWARE, "open-gpu-doc tu104/dev_pbdma.ref.txt",        \
         "A PBDMA with a pending interrupt is frozen until the bit is cleared.")                       \
    RULE(RULE_NV_FE_FULL, "NV.FE_FULL", ASSUMED, HARDWARE, "gfe",                                      \
         "The front end takes no further launch, draw or report while its tables are full.")           \
    RULE(RULE_NV_PBDMA_SHARED, "NV.PBDMA_SHARED", INFERRED, HARDWARE,                                  \
         "nvgpu hw_proj_gp106.h @6ecfb593: 4 PBDMAs for 7 runlists",                                   \
         "Runlists that share a PBDMA take turns on it.")                                              \
    RULE(RULE_NV_DRAW, "NV.DRAW", ASSUMED, HARDWARE, "gfe",                                            \
         "Draws, clears and blits run one after another, each for its default cost.")                  \
    RULE(RULE_NV_MEM_OP, "NV.MEM_OP", DOCUMENTED, HARDWARE, "open-gpu-doc tu104/dev_pbdma.ref.txt",    \
         "Host waits for the memory system's answer to a barrier, flush or invalidation before it "    \
         "takes the next method.")                                                                     \
    RULE(RULE_NV_YIELD, "NV.YIELD", DOCUMENTED, HARDWARE, "open-gpu-doc tu104/dev_pbdma.ref.txt",      \
         "YIELD RUNLIST_TIMESLICE leaves the TSG as if its slice were over, if another TSG of the "    \
         "runlist can run.")                                                                        \
    RULE(RULE_NV_FE_ACQ, "NV.FE_ACQ", INFERRED, HARDWARE, "open-gpu-doc classes/3d/clc197.h (fields)",  \
         "A report semaphore of operation ACQUIRE holds the front end until the value is there.")      \
    RULE(RULE_NV_CE_INTR, "NV.CE_INTR", INFERRED, HARDWARE,                                            \
         "open-gpu-doc tu104/dev_ce.ref.txt (BLOCKPIPE, LAUNCHERR); classes/dma-copy/clc1b5.h",        \
         "A copy engine with a blocking interrupt or a launch error takes up nothing until software "  \
         "clears it.")                                                                                  \
    RULE(RULE_NV_NOTIFY, "NV.NOTIFY", DOCUMENTED, HARDWARE,                                            \
         "open-gpu-doc gv100/dev_usermode.ref.txt, tu104/dev_usermode.ref.txt",                        \
         "From Volta on a store of a channel's token to NOTIFY_CHANNEL_PENDING makes it pending.")     \
    RULE(RULE_NV_BARE, "NV.BARE", INFERRED, HARDWARE,                                                  \
         "nvgpu hw_ram_gp10b.h @6ecfb593 (entries); nouveau gk104.c, gm107.c submit such lists",       \
         "Before Volta a channel may stand in a runlist outside TSGs: it takes its turn as a TSG of "  \
         "its own, with the slice of its RAMFC.")                                                      \
    RULE(RULE_NV_CLASS, "NV.CLASS", INFERRED, HARDWARE,                                                \
         "nouveau gr/gf100.c (gf100_gr_intr: ILLEGAL_MTHD, ILLEGAL_CLASS); open-gpu-doc classes; "     \
         "open-gpu-kernel-modules g_gpu_class_list.c",                                                 \
         "A method that its class does not have, and a class that the chip does not have, raise an "   \
         "interrupt of the graphics engine, and stop the channel.")

#define NV_PARAMETERS(PARAMETER)                                                                     \
    PARAMETER(PARAM_NV_DOORBELL_CYCLES, "nv.host.doorbell_cycles", "host cycles", 200, ASSUMED, "gfe", \
              "From a GP_PUT store to the channel being pending.")                                     \
    PARAMETER(PARAM_NV_SCHEDULE_CYCLES, "nv.host.schedule_cycles", "host cycles", 300, ASSUMED, "gfe", \
              "Scanning the runlist for a pending channel.")                                           \
    PARAMETER(PARAM_NV_RAMFC_LOAD_CYCLES, "nv.host.ramfc_load_cycles", "host cycles", 400, ASSUMED,    \
              "gfe", "Binding a channel to a PBDMA and loading its RAMFC.")                            \
    PARAMETER(PARAM_NV_RAMFC_SAVE_CYCLES, "nv.host.ramfc_save_cycles", "host cycles", 400, ASSUMED,    \
              "gfe", "Saving a channel's RAMFC.")                                                      \
    PARAMETER(PARAM_NV_IDLE_CYCLES, "nv.host.idle_cycles", "host cycles", 1000, ASSUMED, "gfe",        \
              "How long a channel without work stays on its PBDMA.")                                   \
    PARAMETER(PARAM_NV_GP_FETCH_CYCLES, "nv.pbdma.gp_fetch_cycles", "host cycles", 500, ASSUMED,       \
              "gfe", "Reading a GP entry.")                                                            \
    PARAMETER(PARAM_NV_PB_FETCH_CYCLES, "nv.pbdma.pb_fetch_cycles", "host cycles", 500, ASSUMED,       \
              "gfe", "Reading the first dwords of a pushbuffer segment.")                              \
    PARAMETER(PARAM_NV_PREFETCH_ENTRIES, "nv.pbdma.prefetch_entries", "GP entries", 16, ASSUMED,       \
              "gfe: a latency-buffer entry of 128 bytes", "GP entries read at once, at most 16.")      \
    PARAMETER(PARAM_NV_PREFETCH_DWORDS, "nv.pbdma.prefetch_dwords", "dwords", 1024, ASSUMED, "gfe",    \
              "Dwords of segments read at once and ahead, at most 1024; 0: no segment is read "        \
              "before the one in front of it is processed.")                                           \
    PARAMETER(PARAM_NV_DWORD_CYCLES, "nv.pbdma.dword_cycles", "host cycles", 1, ASSUMED, "gfe",        \
              "Processing one pushbuffer dword.")                                                      \
    PARAMETER(PARAM_NV_MEMORY_CYCLES, "nv.memory_cycles", "host cycles", 400, ASSUMED, "gfe",          \
              "A semaphore or inline write, until it is visible.")                                     \
    PARAMETER(PARAM_NV_LAUNCH_CYCLES, "nv.launch_cycles", "host cycles", 800, ASSUMED, "gfe",          \
              "From SEND_SIGNALING_PCAS_B to the grid being in the dispatcher's queue; on h100 and h200 3,100 " \
              "(1.6 us), MEASURED: tests/hardware/data, launch_times.")                                \
    PARAMETER(PARAM_NV_CONTEXT_LOAD_CYCLES, "nv.gr.context_load_cycles", "host cycles", 20000,         \
              ASSUMED, "gfe: of a GTX 1060", "Loading (and saving) the graphics engine's context; on other "   \
              "GPUs and for the next five, see gfe gpus GPU, context switch.")                   \
    PARAMETER(PARAM_NV_GR_SAVE_CYCLES, "nv.gr.context_save_cycles", "host cycles", 0, ASSUMED, "gfe",   \
              "Saving the graphics engine's context, beside what its size takes; on h100 and h200 "    \
              "285,900 (with the load 154.5 us), MEASURED: tests/hardware/data, slices.")                     \
    PARAMETER(PARAM_NV_GR_STOP_PS, "nv.gr.stop_ps", "ps", 0, ASSUMED,                                  \
              "gfe: not seen; h100 and h200: 40 us, from tests/hardware/data, slices (state)",          \
              "How long blocks run on when their context has to leave the graphics engine.")           \
    PARAMETER(PARAM_NV_GR_SAVE_KIB_PS, "nv.gr.save_ps_per_kib", "ps per KiB", 5333, ASSUMED, "gfe: at " \
              "192 GB/s", "Saving the state of what runs on the graphics engine; on h100 and h200 550, MEASURED, " \
              "as the load: tests/hardware/data, slices.")                     \
    PARAMETER(PARAM_NV_GR_LOAD_KIB_PS, "nv.gr.load_ps_per_kib", "ps per KiB", 5333, ASSUMED, "gfe: at " \
              "192 GB/s", "Loading it again.")                                                         \
    PARAMETER(PARAM_NV_GR_WARPS_KIB_PS, "nv.gr.warps_ps_per_kib", "ps per KiB", 0, ASSUMED,             \
              "gfe: not seen on a GTX 1060; h100 and h200: 79,000, from tests/hardware/data, slices (state)",         \
              "The warps of a block save and load its shared memory, in its context's own slice: what "  \
              "each KiB of a block takes.")                                                            \
    PARAMETER(PARAM_NV_GR_WARP_ALONE_KIB_PS, "nv.gr.warp_alone_ps_per_kib", "ps per KiB", 0, ASSUMED,    \
              "gfe: not seen on a GTX 1060; h100 and h200: 766,000, from tests/hardware/data, slices (state)",        \
              "The same: what each KiB takes more, divided by the warps of the block.")                \
    PARAMETER(PARAM_NV_CE_SAVE_CYCLES, "nv.ce.context_save_cycles", "host cycles", 400, ASSUMED,       \
              "gfe", "Saving a copy engine's context.")                                                \
    PARAMETER(PARAM_NV_CE_LOAD_CYCLES, "nv.ce.context_load_cycles", "host cycles", 400, ASSUMED,       \
              "gfe", "Loading a copy engine's context.")                                               \
    PARAMETER(PARAM_NV_CE_SAVE_KIB_PS, "nv.ce.save_ps_per_kib", "ps per KiB", 5333, ASSUMED, "gfe: at " \
              "192 GB/s, a GTX 1060's", "Saving the state of a copy that stopped midway; on other GPUs " \
              "at the rate of their memory.")                           \
    PARAMETER(PARAM_NV_CE_LOAD_KIB_PS, "nv.ce.load_ps_per_kib", "ps per KiB", 5333, ASSUMED, "gfe: at " \
              "192 GB/s", "Loading it again.")                                                         \
    PARAMETER(PARAM_NV_CTXSW_TIMEOUT_PS, "nv.ctxsw_timeout_ps", "ps", 1024000, INFERRED,               \
              "nvgpu fifo_ctxsw_timeout: milliseconds times 1000", "Unit of PERIOD in ENG_TIMEOUT, "   \
              "after which a context switch is an error.")                                             \
    PARAMETER(PARAM_NV_ACQ_PRETEST_PS, "nv.acq_pretest_ps", "ps", 32000, ASSUMED, "gfe: not published", \
              "Unit of ACQ_PRETEST's TIMEOUT, which holds apart the polls of acquires off PBDMAs.")    \
    PARAMETER(PARAM_NV_DRAW_PS, "nv.draw_ps", "ps", 5000000, ASSUMED, "gfe: of a GTX 1060",            \
              "Default cost of a draw, clear or blit, whatever it draws; on other GPUs by their clock.")                             \
    PARAMETER(PARAM_NV_MEMBAR_CYCLES, "nv.pbdma.membar_cycles", "host cycles", 200, ASSUMED, "gfe",    \
              "A MEM_OP MEMBAR.")                                                                      \
    PARAMETER(PARAM_NV_SYSMEMBAR_CYCLES, "nv.pbdma.sysmembar_cycles", "host cycles", 500, ASSUMED,     \
              "gfe", "A system memory barrier: of MEM_OP, FB_FLUSH, and behind a wait-for-idle of a "  \
              "release or SET_REFERENCE.")                                                             \
    PARAMETER(PARAM_NV_TLB_ENTRIES, "nv.tlb_pages", "pages", 1024, ASSUMED, "gfe: not published", \
              "Translations that the MMU keeps, of all channels.")                                     \
    PARAMETER(PARAM_NV_TLB_INVALIDATE_CYCLES, "nv.pbdma.tlb_invalidate_cycles", "host cycles", 1000,   \
              ASSUMED, "gfe", "A MEM_OP that invalidates translations.")                               \
    PARAMETER(PARAM_NV_L2_OPERATION_CYCLES, "nv.pbdma.l2_operation_cycles", "host cycles", 1000,       \
              ASSUMED, "gfe", "A MEM_OP on the L2 cache.")                                          \
    PARAMETER(PARAM_NV_CE_CREDITS, "nv.ce.credits", "launches", 2, ASSUMED, "gfe",                     \
              "Launches that a copy engine holds, the running one included; 1 to 8.  Host keeps the "  \
              "next one back until there is room.")                                                    \
    PARAMETER(PARAM_NV_CE_FLUSH_CYCLES, "nv.ce.flush_cycles", "host cycles", 200, ASSUMED, "gfe",      \
              "FLUSH_ENABLE of a copy: from its last byte to its semaphore.")                          \
    PARAMETER(PARAM_NV_CE_SPLIT_BYTES, "nv.ce.split_bytes", "bytes", 65536, ASSUMED, "gfe",            \
              "Where Host splits a copy (CE_SPLIT of CONFIG): there another context can take the "     \
              "engine.")                                                                               \
    PARAMETER(PARAM_NV_CE_THROTTLE_PS, "nv.ce.throttle_ps", "ps", 10000000, DOCUMENTED,                \
              "open-gpu-doc tu104/dev_pbdma.ref.txt (CONFIG)",                                         \
              "THROTTLE of CONFIG: what a copy does alone in that time is all that goes on before "    \
              "another context has the engine.")                                                       \
    PARAMETER(PARAM_NV_PCE_TIMESLICE_SHORT, "nv.pce.timeslice_short_ps", "ps", 10000000, ASSUMED,      \
              "gfe: about a split; open-gpu-doc tu104/dev_ce.ref.txt has the name",                    \
              "TIMESLICE SHORT of GRCE_CONFIG: a turn on a shared PCE.  Before Volta too.")            \
    PARAMETER(PARAM_NV_HALF_SM, "nv.half_sm", "flag", 0, INFERRED,                                     \
              "cuda_occupancy.h: partitioned global caching, which is off unless a program asks for it", \
              "1: on chips of compute capability 5.2, 6.1 and 6.2 a block stays in one half of its SM "  \
              "if that can hold it.")                                                                  \
    PARAMETER(PARAM_NV_PCE_TIMESLICE_LONG, "nv.pce.timeslice_long_ps", "ps", 100000000, ASSUMED,       \
              "gfe; open-gpu-doc tu104/dev_ce.ref.txt has the name",                                   \
              "TIMESLICE LONG of GRCE_CONFIG.")

#define NV_CHOICES(CHOICE)                                                                           \
    CHOICE(CHOICE_NV_ENGINES_NEEDED, "nv.runlist.engines_needed", 0, INFERRED,                         \
           "Bakita and Anderson 2024, s.V-C R5(ii), note 16: copies on TX2 are cut by compute slices", \
           "For which engines a channel takes them from others as soon as it is on its PBDMA: those "  \
           "that it has a context on or might send copies to, or only those that its methods go to.",  \
           "possible", "used")                                                                         \
    CHOICE(CHOICE_NV_CE_LAUNCH_CHECKS, "nv.ce.launch_checks", 0, INFERRED,                             \
           "open-gpu-doc tu104/dev_ce.ref.txt (LAUNCHERR): codes without their conditions",            \
           "Whether a copy that cannot be right raises LAUNCHERR or is done as well as can be.",       \
           "raise", "ignore")                                                                          \
    CHOICE(CHOICE_NV_PITCH_SIGN, "nv.pitch_sign", 0, INFERRED,                                   \
           "open-gpu-doc tu104/dev_ce.ref.txt: LAUNCHERR has codes for lines that exceed a negative pitch", \
           "How copies and inline-to-memory take a pitch of 2^31 and more.", "signed", "unsigned")                  \
    CHOICE(CHOICE_NV_CE_RENDER_DISABLED, "nv.ce.render_disabled", 0, ASSUMED, "gfe",                   \
           "What a launch leaves out while SET_RENDER_ENABLE switches copies off: only the bytes, or " \
           "semaphore and interrupt too.", "transfer", "launch")                                       \
    CHOICE(CHOICE_NV_BLOCK_SHRINK, "nv.block_shrink", 0, ASSUMED,                                      \
           "envytools docs/hw/memory/g80-surface.rst @f102b823 (of textures)",                         \
           "Whether copies and inline-to-memory make the blocks of small surfaces smaller themselves, " \
           "as the texture units do.", "programmed", "shrunk")                                         \
    CHOICE(CHOICE_NV_TURING_GOB, "nv.turing_gob", 0, INFERRED,                                         \
           "Mesa nil/copy.rs @c0c84ae7: its code says turing, its comment fermi",                      \
           "In which order of bytes Turing's copies and inline-to-memory see a GOB.",                  \
           "turing", "fermi")                                                                          \
    CHOICE(CHOICE_NV_INLINE_PADDING, "nv.inline.line_padding", 0, INFERRED,                            \
           "emulators of Tegra X1 differ: Skyline pads lines, yuzu does not",                          \
           "Whether a line of inline data that is no whole number of words is padded to one.",         \
           "padded", "packed")                                                                         \
    CHOICE(CHOICE_NV_DRAW_PREEMPTION, "nv.gr.draw_preemption", 0, ASSUMED,                             \
           "gfe: Pascal's drivers can ask for either; before it draws always end first",               \
           "Where a draw of a context that has to leave the graphics engine stops.",                   \
           "inside", "end")                                                                            \
    CHOICE(CHOICE_NV_GR_UNBOUND, "nv.gr.unbound", NV_GR_UNBOUND_NOTHING, INFERRED,                     \
           "reports of nouveau's ILLEGAL_CLASS with class 0000",                                       \
           "What subchannels 0 to 3 of the graphics engine hold before SET_OBJECT: nothing, or the "   \
           "chip's class for each, for pushbuffers that begin later than their bindings.",             \
           "nothing", "chip")                                                                          \
    CHOICE(CHOICE_NV_GR_CLASS_ERROR, "nv.gr.class_error", NV_GR_CLASS_ERROR_HALT, ASSUMED,             \
           "gfe; nouveau gr/gf100.c (gf100_gr_intr: writes 0x400500, and once emulated methods)",      \
           "What follows a method or class that does not exist, under a driver that only clears the "  \
           "interrupt: its channel stays there, or goes on with the next method.",                     \
           "halt", "skip")                                                                             \
    CHOICE(CHOICE_NV_SM_SPLIT, "nv.sm_split", NV_SM_SPLIT_FREE, INFERRED,                              \
           "tests/hardware/data: sm_order, carve_out: held, on an H100 and an H200; not seen on others",    \
           "Whether an SM keeps the split of L1 and shared memory that the first kernel on it chose "  \
           "(CORE.SM_SPLIT), or all its shared memory is there for all; on h100 and h200 by default held.", \
           "free", "held")
/* clang-format on */

/* nv.gr.unbound, nv.gr.class_error */
enum { NV_GR_UNBOUND_NOTHING, NV_GR_UNBOUND_CHIP };
enum { NV_GR_CLASS_ERROR_HALT, NV_GR_CLASS_ERROR_SKIP };
/* nv.sm_split */
enum { NV_SM_SPLIT_FREE, NV_SM_SPLIT_HELD };

enum { RULE_NV_FIRST_ = TABLE_NVIDIA - 1, NV_RULES(RULE_ID) RULE_NV_END };
enum { PARAM_NV_FIRST_ = TABLE_NVIDIA - 1, NV_PARAMETERS(PARAMETER_ID) PARAM_NV_END };
enum { CHOICE_NV_FIRST_ = TABLE_NVIDIA - 1, NV_CHOICES(CHOICE_ID) CHOICE_NV_END };

extern const struct table_set nv_tables;

#endif
