/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/bus_build.h"

#include <check.h>

struct replay_input *bus_build_end(struct bus_build *build)
{
    struct gfe_error error = {0};
    struct replay_input *input = bus_build_load(build, &error);

    ck_assert_msg(input != NULL, "%s", error.text);
    return input;
}
