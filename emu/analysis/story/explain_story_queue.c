/* SPDX-License-Identifier: MIT */
/* What a queue of packets (AMD) waits for, in words. */
#include <config.h>

#include <string.h>

#include "emu/analysis/story/explain_story_print.h"

/* Behind "waited ". */
static const struct {
    const char *label, *says;
} queue_waits[] = {
    {"A.H1", "for its queue to get a slot"},
    {"A.H2", "while its queue was in no slot, as there are more queues than slots"},
    {"A.H.UNMAP", "while its queue was in no slot, as the driver changed the list of queues"},
    {"A.Q3", "at the barrier: all packets before it had to be complete"},
    {"AMD.DEPENDS", "for the signals of a barrier packet"},
    {"AMD.INVALID", "for a packet whose header was still invalid"},
    {"AMD.PIPE", "while the pipe worked on packets of its other queues"},
    {"AMD.WRM", "for memory or a register to change"},
    {"AMD.FLUSH", "for dispatches before it to be complete"},
    {"AMD.SCRATCH", "for the runtime to give its queue more scratch memory"},
    {"AMD.NO_CU", "for ever: its queue's mask leaves it no CU"},
    {"AMD.ROOM", "for room in the tables of what is not complete"},
    {"AMD.DEQUEUE", "as its queue was to leave its slot, and took up no packet"},
    {"AMD.SDMA_ENGINE", "while its SDMA engine worked for other queues"},
    {"AMD.SDMA_POLL", "for memory that it polled to change"},
    {"AMD.SDMA_HALT", "as its SDMA engine was halted"},
    {"AMD.GRACE", "as its queue was to leave its slot, and no more blocks were staged"},
};

const char *story_queue_says(const struct story *story, uint32_t rule)
{
    const char *label = story_rule(story, rule);

    for (size_t i = 0; i < sizeof queue_waits / sizeof queue_waits[0]; i++)
        if (strcmp(label, queue_waits[i].label) == 0)
            return queue_waits[i].says;
    return "on the GPU";
}
