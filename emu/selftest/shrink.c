/* SPDX-License-Identifier: MIT */
/*
 * Makes a failing world small.  A world is a tree of JSON, and whatever part of it is not needed is
 * taken away: stretches of lists, long ones first, then members of objects, then numbers become
 * smaller.  A world that gfe refuses does not fail in the same way, so what has to be there stays.
 */
#include <config.h>

#include <string.h>

#include "emu/base/json_text.h"
#include "emu/selftest/selftest.h"

struct shrink {
    json_t *world;
    bool (*fails)(void *context, const json_t *world);
    void *context;
    uint32_t tries_left;
    bool failed;  /* memory was short */
    bool changed; /* in this pass */
};

/* Returns true if the world as it is now still fails. */
static bool still_fails(struct shrink *shrink)
{
    if (shrink->failed || shrink->tries_left == 0)
        return false;
    shrink->tries_left--;
    if (!shrink->fails(shrink->context, shrink->world))
        return false;
    shrink->changed = true;
    return true;
}

static void shrink_value(struct shrink *shrink, json_t *value);

/* Keeps `list` without `count` elements from `at` on, if that still fails. */
static bool cut(struct shrink *shrink, json_t *list, size_t at, size_t count)
{
    json_t *whole = json_copy(list);

    if (!whole) {
        shrink->failed = true;
        return false;
    }
    for (size_t i = 0; i < count; i++)
        (void)json_array_remove(list, at);
    const bool kept = still_fails(shrink);
    if (!kept) {
        (void)json_array_clear(list);
        shrink->failed = json_array_extend(list, whole) != 0 || shrink->failed;
    }
    json_decref(whole);
    return kept;
}

static void shrink_list(struct shrink *shrink, json_t *list)
{
    for (size_t length = json_array_size(list); length > 0; length /= 2)
        for (size_t end = json_array_size(list); end >= length && end > 0;) {
            (void)cut(shrink, list, end - length, length);
            end -= length;
        }
    for (size_t i = 0; i < json_array_size(list); i++)
        shrink_value(shrink, json_array_get(list, i));
}

/* A number of seconds: a microsecond will do. */
static void shrink_seconds(struct shrink *shrink, json_t *object, const char *key, json_t *value)
{
    json_t *small = json_text_loads("[0.000001]");

    if (small && !json_equal(json_array_get(small, 0), value)) {
        shrink->failed =
            json_object_set(object, key, json_array_get(small, 0)) != 0 || shrink->failed;
        if (!still_fails(shrink))
            shrink->failed = json_object_set(object, key, value) != 0 || shrink->failed;
    }
    json_decref(small);
}

static void shrink_member(struct shrink *shrink, json_t *object, const char *key)
{
    json_t *value = json_incref(json_object_get(object, key));

    (void)json_object_del(object, key);
    if (!still_fails(shrink)) {
        shrink->failed = json_object_set(object, key, value) != 0 || shrink->failed;
        if (json_is_real(value))
            shrink_seconds(shrink, object, key, value);
        else
            shrink_value(shrink, value);
    }
    json_decref(value);
}

static void shrink_object(struct shrink *shrink, json_t *object)
{
    json_t *keys = json_array();
    const char *key;
    json_t *value;
    size_t i;

    json_object_foreach(object, key, value)(void) json_array_append_new(keys, json_string(key));
    json_array_foreach(keys, i, value) shrink_member(shrink, object, json_string_value(value));
    json_decref(keys);
}

/* 1, or about half of it, again and again. */
static void shrink_number(struct shrink *shrink, json_t *value)
{
    const json_int_t whole = json_integer_value(value);

    if (whole <= 1)
        return;
    (void)json_integer_set(value, 1);
    if (still_fails(shrink))
        return;
    (void)json_integer_set(value, whole);
    for (json_int_t cut = whole / 2; cut > 0; cut /= 2) {
        const json_int_t old = json_integer_value(value);

        (void)json_integer_set(value, old - cut);
        if (old - cut < 1 || !still_fails(shrink))
            (void)json_integer_set(value, old);
    }
}

static void shrink_value(struct shrink *shrink, json_t *value)
{
    if (json_is_array(value))
        shrink_list(shrink, value);
    else if (json_is_object(value))
        shrink_object(shrink, value);
    else if (json_is_integer(value))
        shrink_number(shrink, value);
}

bool selftest_shrink_by(json_t *world, uint32_t tries,
                        bool (*fails)(void *context, const json_t *world), void *context)
{
    struct shrink shrink = {
        .world = world, .fails = fails, .context = context, .tries_left = tries, .changed = true};

    while (shrink.changed && !shrink.failed && shrink.tries_left > 0) {
        shrink.changed = false;
        shrink_object(&shrink, world);
    }
    return !shrink.failed;
}

/* ---- by a verdict ---------------------------------------------------------------------------- */

struct failure {
    struct selftest_verdict *verdict; /* of the smallest so far */
    struct gfe_error *error;          /* set: no process could be made */
};

bool selftest_says_the_same(const char *first, const char *second)
{
    for (;;) {
        first += strspn(first, "0123456789");
        second += strspn(second, "0123456789");
        if (*first != *second)
            return false;
        if (*first == '\0')
            return true;
        first++;
        second++;
    }
}

static bool fails_the_same(void *context, const json_t *world)
{
    const struct failure *failure = context;
    struct selftest_verdict verdict;

    if (failure->error->kind != ERROR_NONE || !selftest_world(world, &verdict, failure->error) ||
        verdict.result != failure->verdict->result ||
        (verdict.result == SELFTEST_BROKEN && verdict.invariant != failure->verdict->invariant) ||
        !selftest_says_the_same(verdict.says, failure->verdict->says))
        return false;
    *failure->verdict = verdict;
    return true;
}

bool selftest_shrink(json_t *world, uint32_t tries, struct selftest_verdict *verdict,
                     struct gfe_error *error)
{
    struct failure failure = {verdict, error};

    return (selftest_shrink_by(world, tries, fails_the_same, &failure) ||
            error_set(error, ERROR_SYSTEM, "no memory for a world")) &&
           error->kind == ERROR_NONE;
}
