/* SPDX-License-Identifier: MIT */
/* What each rule of a log is about. */
#include <config.h>

#include <string.h>

#include "emu/analysis/story/explain_story_private.h"

static const struct {
    const char *label;
    enum story_role role;
} roles[] = {
    {"T.G2", STORY_ROLE_STREAM},
    {"T.C1", STORY_ROLE_STREAM},
    {"Y.R2", STORY_ROLE_STREAM},
    {"T.P2", STORY_ROLE_TURN},
    {"T.N1", STORY_ROLE_NULL},
    {"T.N2", STORY_ROLE_NULL},
    {"CUDA.EVENT", STORY_ROLE_EVENT},
    {"B.R2", STORY_ROLE_CHANNEL},
    {"CUDA.CHANNEL_ORDER", STORY_ROLE_ORDER},
    {"CUDA.AHEAD", STORY_ROLE_STREAM},
    {"CUDA.STREAM_ACQUIRE", STORY_ROLE_ACQUIRE},
    {"T.X1", STORY_ROLE_HEAD},
    {"T.A2", STORY_ROLE_HIGHER},
    {"T.R1", STORY_ROLE_RESOURCE},
    {"Y.R1", STORY_ROLE_RESOURCE},
    {"T.R2", STORY_ROLE_RESOURCE},
    {"T.R3", STORY_ROLE_RESOURCE},
    {"T.REG", STORY_ROLE_RESOURCE},
    {"T.SLOT", STORY_ROLE_RESOURCE},
    {"CORE.SM_MASK", STORY_ROLE_RESOURCE},
    {"CORE.CLIENT_SHARE", STORY_ROLE_SHARE},
    {"CORE.GRIDS", STORY_ROLE_GRIDS},
    {"T.P1", STORY_ROLE_TURN},
    {"T.C2", STORY_ROLE_COPY},
    {"T.G4", STORY_ROLE_BLOCKS},
    {"A.Q1", STORY_ROLE_RING},
    {"A.D1", STORY_ROLE_ACE},
    {"A.D2", STORY_ROLE_ENGINE},
    {"A.D3", STORY_ROLE_SLOT},
    {"A.D4", STORY_ROLE_CUT},
    {"A.D5", STORY_ROLE_CU},
    {"A.R1", STORY_ROLE_CU},
    {"AMD.GRACE", STORY_ROLE_GRACE},
    {"A.H1", STORY_ROLE_QUEUE},
    {"A.H2", STORY_ROLE_QUEUE},
    {"A.H.UNMAP", STORY_ROLE_QUEUE},
    {"A.Q3", STORY_ROLE_QUEUE},
    {"AMD.DEPENDS", STORY_ROLE_QUEUE},
    {"AMD.INVALID", STORY_ROLE_QUEUE},
    {"AMD.PIPE", STORY_ROLE_QUEUE},
    {"AMD.WRM", STORY_ROLE_QUEUE},
    {"AMD.FLUSH", STORY_ROLE_QUEUE},
    {"AMD.SCRATCH", STORY_ROLE_QUEUE},
    {"AMD.NO_CU", STORY_ROLE_QUEUE},
    {"AMD.ROOM", STORY_ROLE_QUEUE},
    {"AMD.DEQUEUE", STORY_ROLE_QUEUE},
    {"AMD.SDMA_ENGINE", STORY_ROLE_QUEUE},
    {"AMD.SDMA_POLL", STORY_ROLE_QUEUE},
    {"AMD.SDMA_HALT", STORY_ROLE_QUEUE},
};

void story_roles_find(struct story *story)
{
    for (uint32_t i = 1; i < TABLE_END; i++) {
        const struct event_log_rule *rule = event_log_rule(story->log, i);

        for (size_t k = 0; rule && k < sizeof roles / sizeof roles[0]; k++)
            if (strcmp(rule->label, roles[k].label) == 0)
                story->roles[i] = (uint8_t)roles[k].role;
        if (story->role_rules[story->roles[i]] == RULE_NONE)
            story->role_rules[story->roles[i]] = (uint16_t)i;
        if (story->roles[i] == STORY_ROLE_BLOCKS)
            story->order_rule = i;
    }
}

enum story_role story_role(const struct story *story, uint32_t rule)
{
    return rule < TABLE_END ? (enum story_role)story->roles[rule] : STORY_ROLE_OTHER;
}
