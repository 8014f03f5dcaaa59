/* SPDX-License-Identifier: MIT */
/*
 * Checks whether the events of a log obey the rules.
 *
 * The check is a second opinion: it shares no code with what schedules (devices/core/dispatch.h,
 * exec_pool.h and the units of a vendor).  It reads only what happened: a kernel was queued, a
 * block started on that SM, a copy ended.  It keeps its own account of SMs, queues and copy
 * engines.  It does not trust the waits of the log.  It never judges which SM gets a block.
 *
 * Measurements of real GPUs are checked by check_result.h.
 *
 * Rules of every log (gfe rules LABEL):
 *
 *   T.X1, T.A1, T.A2, T.G3, T.G4, T.R2, T.R3, T.REG, T.SLOT, T.P1, T.C2, T.C3, B.R4,
 *   CORE.BLOCK_ORDER
 *
 * Rules of a log of a scenario, which has streams, in addition:
 *
 *   T.G2, T.G4, T.C1, T.C4, T.N1, T.N2, B.R2, B.C1, CUDA.CHANNEL_TURN, CUDA.CHANNEL_ORDER
 *
 * LOG is the label for what no GPU could do:
 *
 *   - the end of something that never began;
 *   - a block on an SM that does not exist;
 *   - a wait that begins after its end.
 *
 * LIVE is the label for work that is left: what WAIT_OPEN says waits although nothing is left to
 * happen.  In a run that was ended early (RUN_CUT, by Ctrl-C) something was left to happen, and
 * what waited is not judged; the report says so.
 *
 * Two kernels share a queue if their channels were loaded under one time-slice group.  A log that
 * has no groups has one queue.  The check does not cover:
 *
 *   - that a block which could start does start (the rules say when a block may start);
 *   - waits for events;
 *   - times of slices;
 *   - registers.
 *
 * Rules of a GPU of AMD's (limits->engine_count is not 0), in check_dispatch.h:
 *
 *   - A.D1: turns of an ACE's queues;
 *   - A.O1, A.D2: the order of blocks and of shader engines;
 *   - A.D3: one block in a slot;
 *   - A.D4: one ACE does not overtake twice a block that fits;
 *   - A.D5: what CUs hold;
 *   - A.M1: masks;
 *   - A.H1: slots and VMIDs;
 *   - A.Q1: packets of a ring;
 *   - A.Q3: the barrier bit;
 *   - AMD.DEPENDS: signals of barriers;
 *   - AMD.CWSR: a queue leaves when its waves are saved;
 *   - A.H2 (hws.swap=list): all queues have to leave when a quantum is over, and not before; no
 *     queue comes before the last has left; no queue is passed over.
 *
 * Rules of SDMA: A.H1 for its slots, A.Q1 for its rings, AMD.SDMA_ENGINE (one packet of an engine
 * at a time), and copies as fast as their bytes allow.  The check of an AMD GPU does not cover how
 * long turns of ACEs are, that a quantum begins when a queue waits, and grace periods.
 */
#ifndef GFE_EMU_ANALYSIS_CHECK_CHECK_H
#define GFE_EMU_ANALYSIS_CHECK_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/log/event_log.h"

enum { CHECK_ENGINES_OF_CUS = 8 };

/* The limits of the GPU, as its vendor gives them.  Registers are given to a warp in multiples of
 * `register_unit`, from the equal parts that the SM's sub-partitions (`partitions`; 0 stands for 1)
 * have.  Whether a block may be launched at all is decided with its warps rounded up to them.
 * Shared memory is given to a block in multiples of `shared_unit_bytes`. */
struct check_limits {
    uint32_t sm_count;
    uint32_t threads_per_sm, warps_per_sm, blocks_per_sm;
    uint32_t registers_per_sm, registers_per_block, registers_per_thread;
    uint32_t shared_bytes_per_sm, shared_bytes_per_block;
    uint32_t threads_per_block, threads_per_warp;
    uint32_t register_unit, partitions, shared_unit_bytes;
    uint32_t grids;               /* of one address space that may have blocks; 0: not known */
    uint32_t driver_shared_bytes; /* what CUDA's driver adds to the shared memory of each block */
    /* AMD: an SM is a CU, and a warp is a wave.  Registers are those of a SIMD, and are given to a
     * wave in units.  Vector registers are counted for one lane. */
    uint32_t engine_count; /* shader engines; 0: the GPU is not AMD's */
    uint8_t engine_cus[CHECK_ENGINES_OF_CUS];
    uint32_t ace_count, queues_per_ace;
    uint32_t simds_per_cu, waves_per_simd;
    uint32_t vgprs_per_simd, vgpr_unit, sgprs_per_simd, sgpr_unit;
    uint32_t first_vmid, vmid_count; /* VMIDs of programs */
    /* For copies by SDMA; 0 means that the value is not known. */
    uint64_t shader_hz, system_bytes_per_second, local_bytes_per_second;
};

/* Returns how many warps with that many registers (of all threads, rounded) an SM has registers
 * for: as many as each sub-partition, times the sub-partitions (cuda_occupancy.h of the CUDA
 * toolkit).  Returns UINT32_MAX if they have none. */
uint32_t check_warps_of_registers(const struct check_limits *limits, uint32_t warp_registers);

enum { CHECK_FINDINGS_MAX = 1000, CHECK_TEXT_BYTES = 120 };

/* An event of a finding: one of the two that clash. */
struct check_event {
    gfe_ps time_ps;
    char text[CHECK_TEXT_BYTES]; /* empty: there is no such event */
};

struct check_finding {
    const char *rule;            /* its label; static */
    char says[CHECK_TEXT_BYTES]; /* what is wrong */
    struct check_event first, second;
};

struct check_report {
    struct check_finding *findings; /* the first CHECK_FINDINGS_MAX of them */
    uint32_t finding_count;
    uint64_t violation_count; /* of all violations, also of those beyond `findings` */
    uint64_t event_count, kernel_count, block_count, copy_count;
    bool ended_early; /* the run was, so LIVE could not be judged */
};

/* Reads a log to its end and checks it.  Returns false, with a message, if the log is damaged or
 * memory is short.  A violation is not an error: violations stand in the report.  The caller
 * releases the report with check_report_fini() in either case. */
bool check_log(struct event_log_reader *log, const struct check_limits *limits,
               struct check_report *report, struct gfe_error *error);
void check_report_fini(struct check_report *report);

#endif
