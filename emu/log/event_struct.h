/* SPDX-License-Identifier: MIT */
/*
 * An event of a log, and what is made from a list of events.
 *
 * A family of events is one X-macro list, such as EMU_EVENTS (emu/log/event_list.h):
 *
 *     EVENT(FENCE, fence, "a completion value looked up when all is done; addresses are virtual",
 *           channel_id, address, value, found_value, reached)
 *
 * The first word names the kind in a log, the second is the same word in small letters.  The rest
 * are the names of the arguments, in the order in which a log has them, at most
 * EVENT_ARGUMENTS_MAX.  Three macros turn such a row into C:
 *
 *   EVENT_ID      the number of the kind, EVENT_FENCE, as a member of an enum
 *   EVENT_ROW     the row of the log's tables, a struct event_kind_row
 *   EVENT_STRUCT  struct event_fence with a uint64_t for each argument,
 *                 EVENT_FENCE_ARGUMENTS, the number of arguments,
 *                 event_fence_of() and event_fence_from()
 *
 * Numbers of kinds hold within one build.  A log that another build wrote has numbers of its own:
 * event_fence_of() is for events of this build's machines, and a reader of files looks kinds
 * and arguments up by name (emu/log/event_fields.h).
 */
#ifndef GFE_EMU_LOG_EVENT_STRUCT_H
#define GFE_EMU_LOG_EVENT_STRUCT_H

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "emu/base/clock.h"
#include "emu/log/rule.h"

struct log_event {
    gfe_ps time_ps;
    uint16_t kind;
    uint16_t unit;
    uint16_t rule;  /* RULE_NONE, or the rule that decided */
    uint8_t origin; /* enum event_origin */
    uint8_t argument_count;
    uint64_t argument[EVENT_ARGUMENTS_MAX];
};

#define EVENT_ID(id, name, doc, ...)  EVENT_##id,
#define EVENT_ROW(id, name, doc, ...) {#id, {EVENT_EACH(EVENT_STRING, __VA_ARGS__)}, doc},

/* event_NAME_from() takes the arguments alone, in the order of the list. event_NAME_of() takes an
 * event and asserts that it is of that kind. */
#define EVENT_STRUCT(id, name, doc, ...)                                                           \
    struct event_##name {                                                                          \
        EVENT_EACH(EVENT_MEMBER, __VA_ARGS__)                                                      \
    };                                                                                             \
    enum { EVENT_##id##_ARGUMENTS = EVENT_COUNT(__VA_ARGS__) };                                    \
    static inline struct event_##name event_##name##_from(const uint64_t *arguments)               \
    {                                                                                              \
        struct event_##name event;                                                                 \
                                                                                                   \
        memcpy(&event, arguments, sizeof event);                                                   \
        return event;                                                                              \
    }                                                                                              \
    static inline struct event_##name event_##name##_of(const struct log_event *event)             \
    {                                                                                              \
        assert(event->kind == EVENT_##id);                                                         \
        return event_##name##_from(event->argument);                                               \
    }

/* Stops the compiler if the number of values is not the kind's number of arguments.  `kind` must be
 * the name of a kind, such as EVENT_FENCE; a variable does not compile. */
#define EVENT_TAKES(kind, ...)                                                                     \
    _Static_assert(sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t) == kind##_ARGUMENTS, \
                   #kind " has another number of arguments")

/* EVENT_COUNT is the length of a list of at most EVENT_ARGUMENTS_MAX words.  EVENT_EACH applies
 * `each` to every word. */
#define EVENT_COUNT(...)                            EVENT_NINTH(__VA_ARGS__, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define EVENT_NINTH(a, b, c, d, e, f, g, h, i, ...) i
#define EVENT_EACH(each, ...)                       EVENT_EACH_OF(EVENT_COUNT(__VA_ARGS__), each, __VA_ARGS__)
#define EVENT_EACH_OF(count, each, ...)             EVENT_EACH_PASTE(count, each, __VA_ARGS__)
#define EVENT_EACH_PASTE(count, each, ...)          EVENT_EACH_##count(each, __VA_ARGS__)
#define EVENT_EACH_1(each, a)                       each(a)
#define EVENT_EACH_2(each, a, ...)                  each(a) EVENT_EACH_1(each, __VA_ARGS__)
#define EVENT_EACH_3(each, a, ...)                  each(a) EVENT_EACH_2(each, __VA_ARGS__)
#define EVENT_EACH_4(each, a, ...)                  each(a) EVENT_EACH_3(each, __VA_ARGS__)
#define EVENT_EACH_5(each, a, ...)                  each(a) EVENT_EACH_4(each, __VA_ARGS__)
#define EVENT_EACH_6(each, a, ...)                  each(a) EVENT_EACH_5(each, __VA_ARGS__)
#define EVENT_EACH_7(each, a, ...)                  each(a) EVENT_EACH_6(each, __VA_ARGS__)
#define EVENT_EACH_8(each, a, ...)                  each(a) EVENT_EACH_7(each, __VA_ARGS__)
#define EVENT_STRING(word)                          #word,
#define EVENT_MEMBER(word)                          uint64_t word;

#endif
