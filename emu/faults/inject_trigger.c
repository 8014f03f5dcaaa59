/* SPDX-License-Identifier: MIT */
/* When a fault acts: the part of its text behind the @ (emu/faults/inject.h). */
#include <config.h>

#include "emu/faults/inject_trigger.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "emu/base/args.h"
#include "emu/engine/random.h"

/* ---- triggers -------------------------------------------------------------------------------- */

static uint32_t inject_event_kind(const struct machine *machine, const char *name)
{
    for (uint32_t t = 0; t < machine->table_count; t++)
        for (uint32_t i = 0; i < machine->tables[t]->event_count; i++)
            if (strcmp(machine->tables[t]->events[i].name, name) == 0)
                return machine->tables[t]->base + i;
    return UINT32_MAX;
}

/* KIND#COUNT or #COUNT. */
static bool inject_count(const struct machine *machine, char *word, char *sharp, bool is_passage,
                         struct inject_trigger *trigger, struct gfe_error *error)
{
    *sharp++ = '\0';
    if (!args_parse_number(sharp, &trigger->count) || trigger->count == 0)
        return error_set(error, ERROR_USAGE, "'#%.60s': they count from #1", sharp);
    if (word[0] == '\0') {
        trigger->when = INJECT_AT_PASSAGE;
        return is_passage ||
               error_set(error, ERROR_USAGE,
                         "nothing passes there: say a time, KIND#N or REGISTER==VALUE");
    }
    trigger->when = INJECT_AT_EVENT;
    trigger->event_kind = inject_event_kind(machine, word);
    return trigger->event_kind != UINT32_MAX ||
           error_set(error, ERROR_USAGE, "no event is called '%.60s'", word);
}

/* REGISTER, or BANK/REGISTER, with .FIELD. */
static bool inject_value_reg(const struct machine *machine, const struct inject_sites *sites,
                             char *place, struct inject_trigger *trigger, struct gfe_error *error)
{
    trigger->site = INJECT_SITE_REGISTER;
    trigger->reg_bank = INJECT_NO_BANK;
    return inject_bank(machine, sites, &place, &trigger->reg_bank, error) &&
           inject_reg(machine, place, &trigger->reg_offset, &trigger->reg_mask, error);
}

/* SITE[.FIELD]:SUBJECT of a vendor's state; *is_one: its site is one. */
static bool inject_value_state(const struct machine *machine, const struct inject_sites *sites,
                               const char *place, bool *is_one, struct inject_trigger *trigger,
                               struct gfe_error *error)
{
    struct inject_fault of = {0};
    char word[INJECT_TEXT_MAX];
    char *colon, *dot;

    (void)snprintf(word, sizeof word, "%s", place);
    colon = strchr(word, ':');
    if (colon)
        *colon++ = '\0';
    dot = strchr(word, '.');
    if (dot)
        *dot++ = '\0';
    trigger->site = inject_site_by_name(sites, word);
    *is_one =
        trigger->site != UINT32_MAX && inject_site(sites, trigger->site)->place == INJECT_VENDOR;
    if (!*is_one)
        return false;
    if (!colon || !args_parse_number(colon, &trigger->subject))
        return error_set(error, ERROR_USAGE, "'@%.60s': %s needs :%s", place, word,
                         inject_site(sites, trigger->site)->subject);
    if (!inject_field_parse(machine, inject_site(sites, trigger->site), dot, &of, error))
        return false;
    trigger->reg_offset = of.bit_low / 32;
    trigger->reg_mask =
        of.bit_count < 32 ? ((UINT32_C(1) << of.bit_count) - 1) << of.bit_low % 32 : UINT32_MAX;
    return of.bit_count <= 32 ||
           error_set(error, ERROR_USAGE, "'@%.60s' has more than 32 bits: name a field", place);
}

static bool inject_condition(const struct machine *machine, const struct inject_sites *sites,
                             char *place, const char *number, struct inject_trigger *trigger,
                             struct gfe_error *error)
{
    uint32_t low;
    uint64_t value;
    bool is_state;

    trigger->when = INJECT_AT_VALUE;
    if (!args_parse_number(number, &value) || value > UINT32_MAX)
        return error_set(error, ERROR_USAGE, "'%.60s' is no number", number);
    if (!inject_value_state(machine, sites, place, &is_state, trigger, error) &&
        (is_state || !inject_value_reg(machine, sites, place, trigger, error)))
        return false;
    low = (uint32_t)__builtin_ctz(trigger->reg_mask | UINT32_C(1) << 31);
    trigger->reg_value = (uint32_t)value << low;
    return value <= trigger->reg_mask >> low ||
           error_set(error, ERROR_USAGE, "'@%.60s' never is 0x%llx: it has %d bits", place,
                     (unsigned long long)value, __builtin_popcount(trigger->reg_mask));
}

bool inject_trigger_parse(const struct machine *machine, const struct inject_sites *sites,
                          char *word, bool is_passage, struct inject_trigger *trigger,
                          struct gfe_error *error)
{
    char *sharp = strchr(word, '#'), *equal = strstr(word, "==");

    if (word[0] == '\0') {
        *trigger = (struct inject_trigger){.when = is_passage ? INJECT_AT_PASSAGE : INJECT_AT_TIME,
                                           .count = 1};
        return true;
    }
    word++;
    if (strncmp(word, "random=", strlen("random=")) == 0) {
        trigger->when = INJECT_AT_RANDOM;
        return args_parse_number(word + strlen("random="), &trigger->count) ||
               error_set(error, ERROR_USAGE, "'%.60s' is no seed", word + strlen("random="));
    }
    if (sharp)
        return inject_count(machine, word, sharp, is_passage, trigger, error);
    if (equal) {
        *equal = '\0';
        return inject_condition(machine, sites, word, equal + 2, trigger, error);
    }
    trigger->when = INJECT_AT_TIME;
    return args_parse_time(word, &trigger->time_ps) ||
           error_set(error, ERROR_USAGE,
                     "'@%.60s' is no trigger: @2ms, @#3, @KIND#3, @REGISTER==VALUE or @random=SEED",
                     word);
}

bool inject_draw(const struct inject_sites *sites, struct inject_fault *fault, uint64_t passed,
                 gfe_ps end_ps)
{
    const bool is_passage = inject_site(sites, fault->site)->place == INJECT_PASSAGE;
    const uint64_t drawn = random_splitmix64(fault->trigger.count);
    size_t at = strlen(fault->text);

    if (fault->trigger.when != INJECT_AT_RANDOM)
        return true;
    if (is_passage && passed == 0)
        return false;
    while (fault->text[at] != '@')
        at--;
    if (is_passage) {
        fault->trigger =
            (struct inject_trigger){.when = INJECT_AT_PASSAGE, .count = 1 + drawn % passed};
        (void)snprintf(fault->text + at, sizeof fault->text - at, "@#%" PRIu64,
                       fault->trigger.count);
    } else {
        fault->trigger =
            (struct inject_trigger){.when = INJECT_AT_TIME, .time_ps = end_ps ? drawn % end_ps : 0};
        (void)snprintf(fault->text + at, sizeof fault->text - at, "@%" PRIu64 "ps",
                       fault->trigger.time_ps);
    }
    return true;
}
