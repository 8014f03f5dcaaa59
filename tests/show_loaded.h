/* SPDX-License-Identifier: MIT */
/* Loads a log of a scene (tests/log_scenes.h) for drawing.  Uses Check. */
#ifndef TESTS_SHOW_LOADED_H
#define TESTS_SHOW_LOADED_H

#include <check.h>
#include <stdlib.h>

#include "emu/views/show.h"
#include "tests/log_scenes.h"

#define NS(n) ((uint64_t)(n)*1000)
#define US(n) ((uint64_t)(n)*1000000)
#define MS(n) ((uint64_t)(n)*1000000000)

/* A finished log and its loaded contents. */
struct loaded {
    struct log_fixture fixture;
    struct event_log_reader *log;
    struct show show;
};

static inline void load(struct loaded *loaded, gfe_ps from_ps, gfe_ps to_ps)
{
    struct gfe_error error = {0};

    log_fixture_end(&loaded->fixture);
    loaded->log = event_log_open(loaded->fixture.path, &error);
    ck_assert_msg(loaded->log != NULL, "%s", error.text);
    ck_assert_msg(show_load(&loaded->show, loaded->log, from_ps, to_ps, &error), "%s", error.text);
}

static inline void load_scene(struct loaded *loaded, void (*scene)(struct log_fixture *))
{
    log_fixture_begin(&loaded->fixture);
    scene(&loaded->fixture);
    load(loaded, 0, GFE_PS_NEVER);
}

static inline void load_amd(struct loaded *loaded, const char *engine_cus)
{
    char *head = log_fixture_amd_head(engine_cus);

    log_fixture_begin_with(&loaded->fixture, head);
    free(head);
    log_scene_amd(&loaded->fixture);
    load(loaded, 0, GFE_PS_NEVER);
}

static inline void unload(struct loaded *loaded)
{
    show_fini(&loaded->show);
    event_log_close(loaded->log);
    log_fixture_remove(&loaded->fixture);
}

#endif
