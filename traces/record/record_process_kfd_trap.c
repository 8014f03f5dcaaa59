/* SPDX-License-Identifier: MIT */
/*
 * The trap for stores to doorbells, and what a program sees of SIGSEGV: its own action, which it
 * sets and asks for as without us, and which every fault of its own gets.
 */
#undef _FORTIFY_SOURCE
#include <config.h>
#undef _FILE_OFFSET_BITS

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "traces/record/kfd/record_kfd_store.h"
#include "traces/record/record_preload.h"
#include "traces/record/record_process_kfd.h"
#include "traces/record/record_user.h"

/* ---- a fault that is not ours ------------------------------------------------------------------
 */

static void fault_pass(int number, siginfo_t *info, void *context)
{
    struct record_process_state *state = record_process_state();
    const struct sigaction *own = &state->kfd_fault_action;

    if (own->sa_flags & SA_SIGINFO) {
        own->sa_sigaction(number, info, context);
    } else if (own->sa_handler != SIG_DFL && own->sa_handler != SIG_IGN) {
        own->sa_handler(number);
    } else { /* it comes again, and ends the program */
        const struct sigaction standard = {.sa_handler = SIG_DFL};

        record_process_real()->sigaction(SIGSEGV, &standard, NULL);
    }
}

/* ---- a store to a doorbell ---------------------------------------------------------------------
 */

#ifdef __x86_64__

static const int register_places[RECORD_KFD_REGISTERS] = {
    REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
    REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

static bool store_read(const greg_t *places, struct record_kfd_store *store)
{
    uint64_t registers[RECORD_KFD_REGISTERS];
    uint8_t code[RECORD_KFD_CODE_BYTES];
    const uint64_t at = (uint64_t)places[REG_RIP];
    size_t bytes = sizeof code;

    for (int i = 0; i < RECORD_KFD_REGISTERS; i++)
        registers[i] = (uint64_t)places[register_places[i]];
    if (!record_user_read(code, at, bytes)) {
        bytes = 4096 - at % 4096;
        if (bytes >= sizeof code || !record_user_read(code, at, bytes))
            return false;
    }
    return record_kfd_store_decode(code, bytes, registers, store);
}

static void store_make(greg_t *places, const void *address, const struct record_kfd_store *store)
{
    struct record_process_state *state = record_process_state();
    const struct record_caller caller = record_process_caller();
    uint64_t before = 0;

    if (store->exchanged >= 0)
        memcpy(&before, address, store->bytes); /* reading is allowed */
    record_kfd_ring(state->kfd, &caller, address, store->value, store->bytes);
    if (store->exchanged >= 0)
        places[register_places[store->exchanged]] = (greg_t)before;
    places[REG_RIP] += store->length;
}

static void doorbell(const void *address, ucontext_t *context)
{
    struct record_process_state *state = record_process_state();
    greg_t *places = context->uc_mcontext.gregs;
    struct record_process_guard guard;
    struct record_kfd_store store;
    struct record_caller caller;
    size_t bytes = 0;
    void *page;

    record_process_enter(&guard);
    if (record_process_kfd_ready()) {
        if (store_read(places, &store)) {
            store_make(places, address, &store);
        } else { /* it is made again, and works */
            caller = record_process_caller();
            page = record_kfd_poll(state->kfd, &caller, address, &bytes);
            if (page)
                mprotect(page, bytes, PROT_READ | PROT_WRITE);
        }
        if (state->ending)
            record_out_flush(&state->out);
    }
    record_process_leave(&guard);
    record_process_kfd_work();
}

static void fault(int number, siginfo_t *info, void *context)
{
    const struct record_process_state *state = record_process_state();
    const int saved_errno = errno;

    if (info->si_code == SEGV_ACCERR && state->kfd && state->alive && *state->alive &&
        record_kfd_is_doorbell(state->kfd, info->si_addr))
        doorbell(info->si_addr, context);
    else
        fault_pass(number, info, context);
    errno = saved_errno;
}

bool record_process_kfd_trap(void)
{
    struct record_process_state *state = record_process_state();
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_NODEFER};

    if (state->kfd_trapping)
        return true;
    action.sa_sigaction = fault;
    sigemptyset(&action.sa_mask);
    state->kfd_trapping =
        record_process_real()->sigaction(SIGSEGV, &action, &state->kfd_fault_action) == 0;
    return state->kfd_trapping;
}

#else

bool record_process_kfd_trap(void)
{
    return false;
}

#endif

/* ---- what the program asks of SIGSEGV -----------------------------------------------------------
 */

RECORD_EXPORT int sigaction(int number, const struct sigaction *restrict action,
                            struct sigaction *restrict before)
{
    struct record_process_state *state = record_process_state();
    const struct sigaction own = state->kfd_fault_action;

    if (number != SIGSEGV || !state->kfd_trapping)
        return record_process_real()->sigaction(number, action, before);
    if (action)
        state->kfd_fault_action = *action;
    if (before)
        *before = own;
    return 0;
}

RECORD_EXPORT __sighandler_t signal(int number, __sighandler_t handler)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, before;

    sigemptyset(&action.sa_mask);
    return sigaction(number, &action, &before) == 0 ? before.sa_handler : SIG_ERR;
}
