/* SPDX-License-Identifier: MIT */
/*
 * Pages of a process's user pointers move: its queues leave, and come back when the driver has
 * pinned them again.  Right: amdgpu amdgpu_amdkfd_gpuvm.c (amdgpu_amdkfd_evict_userptr,
 * amdgpu_amdkfd_restore_userptr_worker, AMDGPU_USERPTR_RESTORE_DELAY_MS 1), amdkfd kfd_process.c
 * (kfd_process_evict_queues) and kfd_device_queue_manager.c (evict_process_queues_cpsch,
 * restore_process_queues_cpsch and those of nocpsch), of Linux 5.5 to 6.x.
 */
#include <config.h>

#include <check.h>

#include "devices/amd/amd_mec_tables.h"
#include "firmware-models/kfd/amdgpu_tables.h"
#include "firmware-models/kfd/kfd_tables.h"
#include "tests/check_kfd_node.h"
#include "tests/golden_log.h"
#include "tests/suites.h"

#define MS (1000 * GFE_PS_PER_US)
enum { SIGNAL_BEGIN = 1000 };

static struct check_kfd_node check;

static void teardown(void)
{
    check_kfd_node_end(&check);
}

static uint32_t count(uint32_t kind)
{
    return check_kfd_node_count(&check, kind);
}

static gfe_ps time_of(uint32_t kind)
{
    return check_machine_event(&check.log, kind, 0)->time_ps;
}

static void invalidate(uint32_t process)
{
    kfd_userptr_invalidate(check.node.kfd, KFD_PASID_FIRST + process);
}

/* Three queues of two processes, with `kernels` of 1 ms in each. */
static void begin(const char *policy, uint32_t kernels)
{
    check_kfd_node_begin(&check, policy, NULL, 0);
    check_kfd_node_queue(&check, 0, 0);
    check_kfd_node_queue(&check, 1, 0);
    check_kfd_node_queue(&check, 2, 1);
    check_kfd_node_run(&check);
    for (uint32_t i = 0; i < kernels; i++)
        for (uint32_t n = 0; n < 3; n++)
            check_kfd_node_launch(&check, n, CHECK_KFD_SIGNAL);
}

static gfe_ps now(void)
{
    return machine_now(check.machine);
}

/* PROMISE (drivers): When pages of user pointers move, the queues of the process leave the GPU
 * until the driver has pinned them again; those of others go on. */
START_TEST(the_queues_leave_for_a_while)
{
    gfe_ps from_ps;

    begin("hws", 3);
    from_ps = now();
    check_kfd_node_run_to(&check, from_ps + 100 * GFE_PS_PER_US);
    invalidate(0);
    invalidate(0); /* the first page counts */
    invalidate(7);
    /* Waves are not saved here: each queue's kernel comes to its end, and no other begins. */
    check_kfd_node_run_to(&check, from_ps + 1900 * GFE_PS_PER_US);
    ck_assert_uint_eq(check.node.kfd->state->active_count, 1);
    ck_assert_uint_eq(check_kfd_node_signal(&check, 0), SIGNAL_BEGIN - 2);
    check_kfd_node_run(&check);
    ck_assert_uint_eq(check_kfd_node_signal(&check, 0), SIGNAL_BEGIN - 6);
    ck_assert_uint_eq(check_kfd_node_signal(&check, 1), SIGNAL_BEGIN - 3);
    ck_assert_uint_eq(check.node.kfd->state->active_count, 3);
    ck_assert_uint_eq(check_machine_count_rule(&check.log, EVENT_KFD_QUIESCE, RULE_KFD_USERPTR), 1);
    ck_assert_uint_eq(count(EVENT_KFD_RESUME), 1);
    ck_assert_uint_eq(
        event_kfd_quiesce_of(check_machine_event(&check.log, EVENT_KFD_QUIESCE, 0)).queue_count, 2);
    ck_assert_uint_eq(
        event_kfd_resume_of(check_machine_event(&check.log, EVENT_KFD_RESUME, 0)).queue_count, 2);
    ck_assert_uint_eq(count(EVENT_KFD_QUIESCE_FAILED) + count(EVENT_KFD_RESUME_FAILED), 0);
    /* The worker comes 1 ms after the queues are off, which is when the kernels have ended. */
    ck_assert_uint_ge(time_of(EVENT_KFD_RESUME), from_ps + 2 * MS);
    ck_assert_uint_lt(time_of(EVENT_KFD_RESUME), from_ps + 2 * MS + 50 * GFE_PS_PER_US);
    golden_log_check(&check.log, "rule_kfd_userptr.events");
    invalidate(0); /* and again: the pages were pinned */
    check_kfd_node_run(&check);
    ck_assert_uint_eq(count(EVENT_KFD_QUIESCE), 2);
    ck_assert_uint_eq(check.node.kfd->state->active_count, 3);
}
END_TEST

START_TEST(without_the_firmware_too)
{
    gfe_ps from_ps;

    begin("no_hws", 3);
    from_ps = now();
    check_kfd_node_run_to(&check, from_ps + 100 * GFE_PS_PER_US);
    invalidate(0);
    /* One slot after the other: the second queue's next kernel has begun meanwhile. */
    check_kfd_node_run_to(&check, from_ps + 2500 * GFE_PS_PER_US);
    ck_assert_uint_eq(check.node.kfd->state->active_count, 1);
    ck_assert_uint_eq(count(EVENT_AMD_QUEUE_LEAVE), 2);
    ck_assert_uint_eq(check_kfd_node_signal(&check, 0), SIGNAL_BEGIN - 3);
    check_kfd_node_run(&check);
    ck_assert_uint_eq(check.node.kfd->state->active_count, 3);
    ck_assert_uint_eq(check_kfd_node_signal(&check, 0), SIGNAL_BEGIN - 6);
}
END_TEST

/* A queue that is made meanwhile is evicted, too; one that has no percentage stays off. */
START_TEST(what_changes_meanwhile)
{
    struct kfd *kfd;

    begin("hws", 0);
    kfd = check.node.kfd;
    invalidate(0);
    check_kfd_node_run_to(&check, now() + 200 * GFE_PS_PER_US);
    check_kfd_node_queue(&check, 3, 0);
    ck_assert_uint_eq(kfd->state->active_count, 1);
    ck_assert_int_eq(check_kfd_node_call(&check, kfd_queue_update(kfd, check.queue[1],
                                                                  CHECK_KFD_RING(1), 1024, 0, 7)),
                     KFD_OK);
    check_kfd_node_launch(&check, 3, CHECK_KFD_SIGNAL);
    check_kfd_node_run_to(&check, now() + 200 * GFE_PS_PER_US);
    ck_assert_uint_eq(check_kfd_node_signal(&check, 0), SIGNAL_BEGIN);
    check_kfd_node_run(&check);
    ck_assert_uint_eq(check_kfd_node_signal(&check, 0), SIGNAL_BEGIN - 1);
    ck_assert_uint_eq(kfd->state->active_count, 3);
    ck_assert_int_eq(check_kfd_node_call(&check, kfd_queue_update(kfd, check.queue[1],
                                                                  CHECK_KFD_RING(1), 1024, 100, 7)),
                     KFD_OK);
    ck_assert_uint_eq(kfd->state->active_count, 4);
    invalidate(0);
    ck_assert_int_eq(check_kfd_node_call(&check, kfd_process_close(kfd, check.process[0])),
                     KFD_BUSY);
    check_kfd_node_run_to(&check, now() + 200 * GFE_PS_PER_US);
    ck_assert_uint_eq(check.free_count, 3); /* two changes of the first time, and this one */
    ck_assert_int_eq(check_kfd_node_call(&check, kfd_process_close(kfd, check.process[0])), KFD_OK);
    check_kfd_node_run(&check); /* the worker finds nothing */
    ck_assert_uint_eq(count(EVENT_KFD_RESUME), 1);
}
END_TEST

/* Another call has the lock: pages that move meanwhile wait for it, and so does the worker. */
START_TEST(each_waits_for_the_lock)
{
    struct kfd *kfd;

    begin("hws", 0);
    kfd = check.node.kfd;
    ck_assert_int_eq(kfd_queue_update(kfd, check.queue[2], CHECK_KFD_RING(2), 1024, 100, 3),
                     KFD_PENDING);
    invalidate(0);
    ck_assert_uint_eq(kfd->state->active_count, 3);
    check_kfd_node_run(&check);
    ck_assert_uint_eq(count(EVENT_KFD_QUIESCE), 1);
    ck_assert_uint_eq(count(EVENT_KFD_RESUME), 1);
    ck_assert_uint_eq(kfd->state->active_count, 3);
    invalidate(0);
    invalidate(1); /* one after the other */
    check_kfd_node_run(&check);
    ck_assert_uint_eq(count(EVENT_KFD_QUIESCE), 3);
    ck_assert_uint_eq(count(EVENT_KFD_RESUME), 3);
    ck_assert_uint_eq(kfd->state->active_count, 3);
}
END_TEST

/* Evictions are counted: what a page fault has taken off for good does not come back. */
START_TEST(a_page_fault_stays)
{
    begin("hws", 1);
    check_kfd_node_run(&check);
    invalidate(0);
    check_kfd_node_run_to(&check, now() + 200 * GFE_PS_PER_US);
    kfd_evict(check.node.kfd, KFD_PASID_FIRST);
    check_kfd_node_run(&check);
    ck_assert_uint_eq(check.node.kfd->state->active_count, 1);
    invalidate(0);
    check_kfd_node_run(&check);
    ck_assert_uint_eq(check.node.kfd->state->active_count, 1);
    ck_assert_uint_eq(count(EVENT_KFD_QUIESCE), 1);
}
END_TEST

/* The firmware hangs (debugfs: hang_hws).  The lines come in the order of a public report of
 * Linux 5.8 (bugzilla.kernel.org's mail on dri-devel of a Ryzen 4750G, October 2020): "qcm fence
 * wait loop timeout expired", "The cp might be in an unrecoverable state", "Failed to evict process
 * queues", "Failed to quiesce KFD", "GPU reset begin!".  tests/test_inject.sh has the words. */
START_TEST(a_firmware_that_does_not_answer)
{
    static const uint32_t hang[7] = {0x55555555, 0x55555555, 0x55555555, 0x55555555,
                                     0x55555555, 0x55555555, 0x55555555};
    static const uint32_t order[] = {EVENT_KFD_QUIESCE, EVENT_KFD_FENCE_TIMEOUT, EVENT_KFD_HANG,
                                     EVENT_KFD_QUIESCE_FAILED, EVENT_KFD_RESET};
    uint32_t next = 0;

    begin("hws", 0);
    if (_i == 1) /* nobody resets it, and the worker fails, too: it does not try again */
        machine_set_choice(check.machine, "amdgpu.gpu_recovery", "off");
    ck_assert(kfd_hiq_put(check.node.kfd, hang, 7));
    invalidate(0);
    check_kfd_node_run(&check);
    for (uint32_t i = 0; i < check.log.event_count && next < 5; i++)
        next += check.log.events[i].kind == order[next];
    ck_assert_uint_eq(next, _i == 0 ? 5 : 4);
    ck_assert_uint_eq(
        event_kfd_quiesce_failed_of(check_machine_event(&check.log, EVENT_KFD_QUIESCE_FAILED, 0))
            .errno_number,
        62);                                             /* ETIME */
    ck_assert_uint_eq(count(EVENT_KFD_RESUME), _i == 1); /* the reset has taken them off for good */
    ck_assert_uint_eq(count(EVENT_KFD_RESUME_FAILED), _i == 1);
    if (_i == 1)
        ck_assert_uint_eq(
            event_kfd_resume_failed_of(check_machine_event(&check.log, EVENT_KFD_RESUME_FAILED, 0))
                .errno_number,
            5); /* EIO: is_hws_hang */
}
END_TEST

Suite *kfd_userptr_suite(void)
{
    Suite *suite = suite_create("kfd_userptr");
    TCase *tcase = tcase_create("all");

    tcase_add_checked_fixture(tcase, NULL, teardown);
    tcase_add_test(tcase, the_queues_leave_for_a_while);
    tcase_add_test(tcase, without_the_firmware_too);
    tcase_add_test(tcase, what_changes_meanwhile);
    tcase_add_test(tcase, each_waits_for_the_lock);
    tcase_add_test(tcase, a_page_fault_stays);
    tcase_add_loop_test(tcase, a_firmware_that_does_not_answer, 0, 2);
    suite_add_tcase(suite, tcase);
    return suite;
}
