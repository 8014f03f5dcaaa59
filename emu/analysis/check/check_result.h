/* SPDX-License-Identifier: MIT */
/*
 * Checks whether measurements of a real GPU obey the rules.
 *
 * This is the same second opinion as check.h, for result files of cuda_scheduling_examiner
 * (traces/config/examiner_result.h).  The files of one run are one experiment.
 *
 * The files say when each block started and ended, and on which SM.  They say when each launch call
 * was made, and when the CPU had copied in and out.  They say nothing of registers, of the queues
 * inside the GPU, of copies between kernels, or of other programs on the GPU.
 *
 * So only what is proven is a violation:
 *
 *   - T.R2, T.R3, T.SLOT: an SM has blocks of one process at a time when it cannot hold them all.
 *     Or the GPU has threads beyond max_resident_threads.  Blocks of different processes are not
 *     added up: a block that was preempted for another process runs on in its own times (Amert et
 *     al. 2017, appendix A).  A block notes its start and end within the time in which it holds its
 *     SM.  So the files never show an SM with more than it held.
 *   - T.X1, T.A2: a kernel was given blocks while another kernel of its process, ahead of it, had
 *     blocks to come.  Which one is ahead depends on the priorities of their streams, and only the
 *     configuration has them.
 *       Without the configuration, the violation is that each of two kernels was given a block
 *       between two blocks of the other.  No priorities allow that.
 *       With the configuration, there are two violations.  The first is a block between two blocks
 *       of a kernel whose priority is no lower.  The second is a block before the last one of a
 *       kernel that was at the head of its stream when the launch call of the other began.
 *       The second counts only where nothing unseen can be in the way.  That is so if all
 *       benchmarks of the run spin and do not copy, and none uses the null stream.  There must
 *       also be a channel for each stream (rule R2 of Bakita and Anderson 2024).
 *     Streams with an sm_mask, which only the configuration has, too, are left out.
 *   - T.G4: a kernel begins before an earlier one of its stream has ended.  Or a wait for the
 *     stream ends before its kernel.
 *   - T.C1, T.C4: a copy out ends before the kernel ahead of it.  Or a kernel begins before the
 *     copy in, ahead of it, has ended.
 *   - LOG, what cannot be: a block that ends before it starts, or that starts before the launch
 *     call of its kernel; an SM that does not exist; calls out of order; an iteration before its
 *     release.
 *
 * The check shares no code with what schedules.
 */
#ifndef GFE_EMU_ANALYSIS_CHECK_CHECK_RESULT_H
#define GFE_EMU_ANALYSIS_CHECK_CHECK_RESULT_H

#include "emu/analysis/check/check.h"
#include "traces/config/examiner_config.h"
#include "traces/config/examiner_result.h"

/*
 * Defaults of the two noises below.
 *
 * %globaltimer moves in steps, whose length the vendor does not publish: about 1 us on some GPUs
 * and 32 ns on others.  All SMs read one clock, so steps alone turn no order round.  But a block
 * reads the clock some hundred cycles after it was assigned.  The default tolerance for that is two
 * steps of the coarser kind (ASSUMED).
 *
 * The tool stretches the GPU's time by a factor that holds the cost of one launch and wait, some 10
 * to 100 us, over two seconds.  That is up to 50 ppm, or 1 ms in 20 s (INFERRED from its
 * src/task_host_utilities.cu).
 */
#define CHECK_RESULT_TOLERANCE_PS   (UINT64_C(2) * GFE_PS_PER_US)
#define CHECK_RESULT_CLOCK_ERROR_PS (UINT64_C(1000) * GFE_PS_PER_US)

/* A result file; both pointers are borrowed. */
struct check_result_file {
    const char *path; /* for messages, and to find it in the configuration by its log_name */
    const struct examiner_result *result;
};

/* What the check knows besides the files; all pointers are borrowed. */
struct check_result_rules {
    const struct check_limits *limits;
    gfe_ps tolerance_ps; /* between two times of one clock: a violation that is no longer than this
                            does not count */
    gfe_ps clock_error_ps; /* the same between a time of the CPU's clock and one of the GPU's; the
                              moment when a launch reaches its queue is such a time */
    const struct examiner_config *config; /* that the files were made from; NULL: not known */
    uint32_t channel_count;               /* compute channels of a process (B.R2) */
};

/*
 * Checks one or more files together.
 *
 * Returns false, with a message, in one of these cases:
 *
 *   - the files are not of one run of the tool: they are of two scenarios, or one file stands
 *     twice;
 *   - the files are not of this GPU or configuration (ERROR_INPUT);
 *   - memory is short.
 *
 * Violations stand in the report.  The caller releases the report with check_report_fini() in
 * either case.  Its event_count counts the starts and ends of blocks and the launch calls; its
 * copy_count is 0.
 */
bool check_results(const struct check_result_file *files, uint32_t count,
                   const struct check_result_rules *rules, struct check_report *report,
                   struct gfe_error *error);

#endif
