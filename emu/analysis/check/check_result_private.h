/* SPDX-License-Identifier: MIT */
/* The inside of a check of measurements.  Private to check_result*.c. */
#ifndef GFE_EMU_ANALYSIS_CHECK_CHECK_RESULT_PRIVATE_H
#define GFE_EMU_ANALYSIS_CHECK_CHECK_RESULT_PRIVATE_H

#include "emu/analysis/check/check_private.h"
#include "emu/analysis/check/check_result.h"

enum { CHECK_WHO_BYTES = 32 };

/* A kernel of a file, with its blocks by time. */
struct result_kernel {
    const struct examiner_result_kernel *kernel;
    uint32_t stream;
    gfe_ps before_ps;         /* end of those before it in its iteration; 0: it is the first */
    gfe_ps first_ps, last_ps; /* starts of the first and the last block */
    uint32_t last_end_block;  /* that ends last */
};

/* The kernels of a file are those of a stream. */
struct result_stream {
    const struct examiner_result *result;
    char who[CHECK_WHO_BYTES]; /* its name in events: the label, or the file's */
    uint32_t first, count;     /* kernels, in launch order */
    /* As the configuration has it. */
    bool has_priority;
    int32_t priority;   /* the lower the number, the higher */
    bool masked;        /* whether its kernels let others pass is not known */
    bool in_plain_view; /* nothing but what its process's files tell of keeps its kernels waiting */
};

struct result_check {
    const struct check_result_rules *rules;
    struct check_report *report;
    uint32_t stream_count, kernel_count;
    struct result_stream *streams; /* owned */
    struct result_kernel *kernels; /* owned; those of a stream lie together */
};

/* a is later than b, by more than the noise. */
static inline bool result_after(gfe_ps a, gfe_ps b, gfe_ps noise_ps)
{
    return a > b && a - b > noise_ps;
}

/* "K1 times[3]: block 5 starts on SM 1", or ends. */
struct check_event result_block_event(const struct result_check *check,
                                      const struct result_kernel *kernel, uint32_t block,
                                      bool starts);

/* The first block that starts at that time; there is one. */
uint32_t result_block_at(const struct result_kernel *kernel, gfe_ps start_ps);

/* check_result_config.c: finds the stream of each file in the configuration.  False: an error. */
bool result_config_match(struct result_check *check, const struct check_result_file *files,
                         struct gfe_error *error);
/* check_result_sm.c: what the blocks of the process hold.  False: no memory. */
bool result_sms_check(struct result_check *check, int32_t pid);
/* check_result_queue.c: whose turn it was, in the process.  False: no memory. */
bool result_queue_check(struct result_check *check, int32_t pid);

#endif
