/* SPDX-License-Identifier: MIT */
/*
 * Do measurements of a real GPU obey the rules?
 *
 * The same second opinion as check.h, of result files of cuda_scheduling_examiner
 * (traces/config/examiner_result.h): the files of one run are one experiment.  They tell when each
 * block started and ended, and on which SM; when each launch call was made; and when the CPU had
 * copied in and out.  They do not tell of registers, of the queues inside the GPU, of copies that
 * stand between kernels, or of other programs on the GPU.  So only what is proven is a violation:
 *
 *   - T.R2, T.R3, T.SLOT: blocks of one process on an SM at a time that it cannot hold, or threads
 *     on the GPU beyond max_resident_threads.  Not across processes: a block that was preempted for
 *     another process runs on in its own times (Amert et al. 2017, appendix A).  A block notes its
 *     start and end within the time in which it holds its SM, so an SM is never seen to hold more
 *     than it did;
 *   - T.X1, T.A2: a kernel was given blocks while another one of its process, ahead of it, had
 *     blocks to come.  Which one is ahead depends on the priorities of their streams, which only
 *     the configuration tells.  Without it: each of two kernels was given a block between two of
 *     the other, which no priorities allow.  With it: a block between two of a kernel whose
 *     priority is no lower; or before the last of one that was at the head of its stream when the
 *     launch call of the other began.  That last one only where nothing unseen can be in the way:
 *     all benchmarks of the run spin and do not copy, none uses the null stream, and there is a
 *     channel for each stream (rule R2 of Bakita and Anderson 2024).  Streams with an sm_mask,
 * which again only the configuration tells, are left out;
 *   - T.G4: a kernel begins before an earlier one of its stream has ended, or a wait for the stream
 *     ends before its kernel;
 *   - T.C1, T.C4: a copy out ends before the kernel in front of it; a kernel begins before the copy
 *     in, in front of it, has ended;
 *   - LOG, what cannot be: a block that ends before it starts, or starts before the launch call of
 *     its kernel; an SM that does not exist; calls out of order; an iteration before its release.
 *
 * Shares no code with what schedules.
 */
#ifndef GFE_EMU_ANALYSIS_CHECK_CHECK_RESULT_H
#define GFE_EMU_ANALYSIS_CHECK_CHECK_RESULT_H

#include "emu/analysis/check/check.h"
#include "traces/config/examiner_config.h"
#include "traces/config/examiner_result.h"

/*
 * Defaults of the two noises below.  %globaltimer moves in steps, which the vendor does not tell:
 * about 1 us on some GPUs and 32 ns on others.  All SMs read one clock, so steps alone turn no
 * order round, but a block reads it some hundred cycles after it was assigned.  Two steps of the
 * coarser kind are taken for that (ASSUMED).  The tool stretches the GPU's time by a factor that
 * holds the cost of one launch and wait, some 10 to 100 us, over two seconds: up to 50 ppm, 1 ms in
 * 20 s (INFERRED from its src/task_host_utilities.cu).
 */
#define CHECK_RESULT_TOLERANCE_PS   (UINT64_C(2) * GFE_PS_PER_US)
#define CHECK_RESULT_CLOCK_ERROR_PS (UINT64_C(1000) * GFE_PS_PER_US)

/* A file; both are borrowed. */
struct check_result_file {
    const char *path; /* for messages, and to find it in the configuration by its log_name */
    const struct examiner_result *result;
};

/* What is known besides the files; all borrowed. */
struct check_result_rules {
    const struct check_limits *limits;
    gfe_ps tolerance_ps;   /* two times of one clock: a violation of that length or less is none */
    gfe_ps clock_error_ps; /* the same of a time of the CPU's clock and one of the GPU's, which the
                              moment is when a launch reaches its queue */
    const struct examiner_config *config; /* that the files were made from; NULL: not known */
    uint32_t channel_count;               /* compute channels of a process (B.R2) */
};

/*
 * Checks the files, one or more, together.  False, with a message: they are not of one run of the
 * tool (of two scenarios, or one twice), not of this GPU or configuration (ERROR_INPUT), or memory
 * is short.  Violations stand in the report, which check_report_fini() frees in either case; in it
 * event_count counts the starts and ends of blocks and the launch calls, copy_count is 0.
 */
bool check_results(const struct check_result_file *files, uint32_t count,
                   const struct check_result_rules *rules, struct check_report *report,
                   struct gfe_error *error);

#endif
