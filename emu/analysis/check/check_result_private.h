/* SPDX-License-Identifier: MIT */
/* The inside of a check of measurements.  Private to check_result*.c. */
#ifndef GFE_EMU_ANALYSIS_CHECK_CHECK_RESULT_PRIVATE_H
#define GFE_EMU_ANALYSIS_CHECK_CHECK_RESULT_PRIVATE_H

#include "emu/analysis/check/check_private.h"
#include "emu/analysis/check/check_result.h"

enum { CHECK_WHO_BYTES = 32 };

/* A kernel of a file, with its blocks in the order of time. */
struct result_kernel {
    const struct examiner_result_kernel *kernel;
    uint32_t stream;
    gfe_ps before_ps; /* end of the kernels before it in its iteration; 0: it is the first */
    gfe_ps first_ps, last_ps; /* starts of the first and the last block */
    uint32_t last_end_block;  /* the block that ends last */
};

/* A stream; the kernels of a file are those of one stream. */
struct result_stream {
    const struct examiner_result *result;
    char who[CHECK_WHO_BYTES]; /* the name in events: the label, or the name of the file */
    uint32_t first, count;     /* kernels, in launch order */
    /* From the configuration. */
    bool has_priority;
    int32_t priority;   /* the lower the number, the higher the priority */
    bool masked;        /* it has an sm_mask: it is not known whether its kernels let others pass */
    bool in_plain_view; /* only what the files of its process show keeps its kernels waiting */
};

struct result_check {
    const struct check_result_rules *rules;
    struct check_report *report;
    uint32_t stream_count, kernel_count;
    struct result_stream *streams; /* owned */
    struct result_kernel *kernels; /* owned; those of a stream lie together */
};

/* Returns true if `a` is later than `b` by more than the noise. */
static inline bool result_after(gfe_ps a, gfe_ps b, gfe_ps noise_ps)
{
    return a > b && a - b > noise_ps;
}

/* Returns the event that a block starts or ends, as "K1 times[3]: block 5 starts on SM 1". */
struct check_event result_block_event(const struct result_check *check,
                                      const struct result_kernel *kernel, uint32_t block,
                                      bool starts);

/* Returns the first block of the kernel that starts at `start_ps`.  The caller makes sure that
 * there is one. */
uint32_t result_block_at(const struct result_kernel *kernel, gfe_ps start_ps);

/* check_result_config.c: finds the stream of each file in the configuration.  Returns false on an
 * error, which is set. */
bool result_config_match(struct result_check *check, const struct check_result_file *files,
                         struct gfe_error *error);
/* check_result_sm.c: checks what the blocks of the process hold.  Returns false when memory is
 * short. */
bool result_sms_check(struct result_check *check, int32_t pid);
/* check_result_queue.c: checks whose turn it was in the process.  Returns false when memory is
 * short. */
bool result_queue_check(struct result_check *check, int32_t pid);

#endif
