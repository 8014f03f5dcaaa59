/* SPDX-License-Identifier: MIT */
/*
 * An AMD GPU with its driver and firmware, for tests: two processes with memory of their own at the
 * same address, queues with rings in it, and kernels of one block that last 1 ms.
 */
#ifndef TESTS_CHECK_KFD_NODE_H
#define TESTS_CHECK_KFD_NODE_H

#include "emu/sim/amd_node.h"
#include "tests/check_machine.h"

#define CHECK_KFD_VA      UINT64_C(0x200000000)
#define CHECK_KFD_RING(n) (CHECK_KFD_VA + UINT64_C(0x1000) * (n))
#define CHECK_KFD_SIDE(n) (CHECK_KFD_VA + UINT64_C(0x1000) * (n) + 0x800)
#define CHECK_KFD_KERNEL  (CHECK_KFD_VA + 0x800000)
#define CHECK_KFD_SIGNAL  (CHECK_KFD_VA + 0x900000)
#define CHECK_KFD_MAILBOX (CHECK_KFD_VA + 0x980000)
#define CHECK_KFD_NOWHERE UINT64_C(0x7f1234567000) /* mapped for nobody */

enum {
    CHECK_KFD_BYTES = 0x1000000, /* of a process's memory */
    CHECK_KFD_PROCESSES = 2,
    CHECK_KFD_QUEUES = 4,
};

struct check_kfd_node {
    struct check_machine log;
    struct machine *machine;
    struct amd_node node;
    uint32_t process[CHECK_KFD_PROCESSES], spaces[CHECK_KFD_PROCESSES];
    uint32_t queue[CHECK_KFD_QUEUES], owner[CHECK_KFD_QUEUES];
    uint64_t written[CHECK_KFD_QUEUES];
    /* What the node has reported: interrupts, exceptions, calls that have ended, a lock that is
     * free.
     */
    uint32_t told[64], told_space[64], told_count;
    uint32_t excepted[8], exception_count;
    uint32_t ended_count, free_count;
    enum kfd_result ended;
    uint32_t answer; /* how many events an exception sets */
};

/* Makes the node, with that value of kfd.sched_policy, and of a parameter if it is not NULL.  The
 * node must not move. */
void check_kfd_node_begin(struct check_kfd_node *check, const char *policy, const char *parameter,
                          uint64_t value);
void check_kfd_node_end(struct check_kfd_node *check);
/* Runs to the end, or until a time, and reads the log. */
void check_kfd_node_run(struct check_kfd_node *check);
void check_kfd_node_run_to(struct check_kfd_node *check, gfe_ps until_ps);
/* Runs until a call of the driver has ended.  Returns its result. */
enum kfd_result check_kfd_node_call(struct check_kfd_node *check, enum kfd_result result);
/* Makes queue n, of a process. */
void check_kfd_node_queue(struct check_kfd_node *check, uint32_t n, uint32_t of);
/* Submits a kernel of one block to a queue, with that completion signal. */
void check_kfd_node_launch(struct check_kfd_node *check, uint32_t n, uint64_t signal);
/* Returns the signal of a process: 1000 less the kernels that have completed with it. */
uint64_t check_kfd_node_signal(struct check_kfd_node *check, uint32_t process);
uint32_t check_kfd_node_count(const struct check_kfd_node *check, uint32_t kind);

#endif
