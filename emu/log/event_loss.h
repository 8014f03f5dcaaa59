/* SPDX-License-Identifier: MIT */
/*
 * Names of what a run used and the model left out: what an UNMODELLED event (enum unmodelled_what)
 * says in numbers of a vendor.
 */
#ifndef GFE_EMU_LOG_EVENT_LOSS_H
#define GFE_EMU_LOG_EVENT_LOSS_H

#include <stdbool.h>
#include <stdint.h>

enum { EVENT_LOSS_NAME_BYTES = 72 };

struct event_loss {
    char name[EVENT_LOSS_NAME_BYTES]; /* of the method, field or packet */
    const char *lost;                 /* what the model leaves out */
};

struct event_loss_names {
    /* Finds the n-th thing that the event names; most name one.  Returns false if there is none:
     * registers, engines and memory have no names. */
    bool (*find)(uint64_t what, uint64_t address, uint64_t value, uint32_t n,
                 struct event_loss *loss);
    /* Names the method of a class by which work starts, of which only the time is modelled.
     * Returns false if there is no such method. */
    bool (*work)(uint64_t class_id, uint64_t method, struct event_loss *loss);
};

/* Of all vendors.  Defined in emu/sim/event_losses.c. */
extern const struct event_loss_names gfe_event_losses;

#endif
