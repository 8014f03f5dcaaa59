/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/base/handoff.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

struct handoff {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint32_t first, ready; /* slots first to first + ready - 1 are filled */
    bool stopped;
    void (*work)(struct handoff *handoff, void *context);
    void *context;
};

static void *handoff_main(void *context)
{
    struct handoff *handoff = context;

    handoff->work(handoff, handoff->context);
    return NULL;
}

struct handoff *handoff_start(void (*work)(struct handoff *handoff, void *context), void *context)
{
    struct handoff *handoff = calloc(1, sizeof *handoff);
    sigset_t all, before;
    int result;

    if (!handoff)
        return NULL;
    handoff->work = work;
    handoff->context = context;
    (void)pthread_mutex_init(&handoff->lock, NULL);
    (void)pthread_cond_init(&handoff->changed, NULL);
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    result = pthread_create(&handoff->thread, NULL, handoff_main, handoff);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (result == 0)
        return handoff;
    (void)pthread_cond_destroy(&handoff->changed);
    (void)pthread_mutex_destroy(&handoff->lock);
    free(handoff);
    return NULL;
}

uint32_t handoff_fill(struct handoff *handoff)
{
    uint32_t slot = HANDOFF_NONE;

    (void)pthread_mutex_lock(&handoff->lock);
    while (handoff->ready == HANDOFF_SLOTS && !handoff->stopped)
        (void)pthread_cond_wait(&handoff->changed, &handoff->lock);
    if (!handoff->stopped)
        slot = (handoff->first + handoff->ready) % HANDOFF_SLOTS;
    (void)pthread_mutex_unlock(&handoff->lock);
    return slot;
}

void handoff_filled(struct handoff *handoff)
{
    (void)pthread_mutex_lock(&handoff->lock);
    handoff->ready++;
    (void)pthread_cond_signal(&handoff->changed);
    (void)pthread_mutex_unlock(&handoff->lock);
}

uint32_t handoff_take(struct handoff *handoff)
{
    uint32_t slot = HANDOFF_NONE;

    (void)pthread_mutex_lock(&handoff->lock);
    while (handoff->ready == 0 && !handoff->stopped)
        (void)pthread_cond_wait(&handoff->changed, &handoff->lock);
    if (handoff->ready > 0)
        slot = handoff->first;
    (void)pthread_mutex_unlock(&handoff->lock);
    return slot;
}

void handoff_taken(struct handoff *handoff)
{
    (void)pthread_mutex_lock(&handoff->lock);
    handoff->first = (handoff->first + 1) % HANDOFF_SLOTS;
    handoff->ready--;
    /* The thread that fills slots goes on only when several are free, or it would soon wait again.
     */
    if (handoff->ready <= HANDOFF_SLOTS / 2)
        (void)pthread_cond_signal(&handoff->changed);
    (void)pthread_mutex_unlock(&handoff->lock);
}

void handoff_stop(struct handoff *handoff)
{
    (void)pthread_mutex_lock(&handoff->lock);
    handoff->stopped = true;
    (void)pthread_cond_signal(&handoff->changed);
    (void)pthread_mutex_unlock(&handoff->lock);
}

void handoff_end(struct handoff *handoff)
{
    (void)pthread_join(handoff->thread, NULL);
    (void)pthread_cond_destroy(&handoff->changed);
    (void)pthread_mutex_destroy(&handoff->lock);
    free(handoff);
}
