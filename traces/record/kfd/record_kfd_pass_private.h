/* SPDX-License-Identifier: MIT */
/*
 * What record_kfd_pass.c and record_kfd_pass_complete.c share.
 */
#ifndef GFE_TRACES_RECORD_KFD_RECORD_KFD_PASS_PRIVATE_H
#define GFE_TRACES_RECORD_KFD_RECORD_KFD_PASS_PRIVATE_H

#include "traces/record/kfd/record_kfd_private.h"

/* What a packet that was shown will write. */
struct record_kfd_pending {
    uint64_t va, shown_ns;
    uint32_t queue; /* its index */
    uint64_t value; /* of a fence; of a wait the packet's index, or byte */
    enum record_kfd_pending_what what;
};

struct record_kfd_pass {
    struct record_kfd_next next;
    int render_fd[RECORD_KFD_GPUS_MAX]; /* the program's, -1: none yet */
    struct record_kfd_pending *pending; /* in the order in which they were shown */
    uint32_t pending_count, pending_capacity;
    bool moved; /* something came in this round */
};

/* Tells the completion values that have come; true when there are some to come. */
bool record_kfd_pass_look(struct record_kfd *kfd, const struct record_caller *caller);

#endif
