/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/bus_build.h"

#include <check.h>
#include <string.h>

void bus_build_at(struct bus_build *build, const char *time)
{
    bus_build_line(build, "%s", time);
}

void bus_build_copy(struct bus_build *build, struct bus_channel *channel, uint64_t from,
                    uint64_t to, uint32_t bytes)
{
    bus_build_copy_virtual(build, channel, BUS_VA + from, BUS_VA + to, bytes);
}

void bus_build_privileged(struct bus_build *build, const struct bus_channel *channel)
{
    bus_build_words(build, channel->instance + 0xf4, (const uint32_t[]){1u << 8}, 1);
}

struct replay_input *bus_build_end(struct bus_build *build)
{
    const char *text = bus_build_text(build);
    struct gfe_error error = {0};
    struct replay_input *input;

    ck_assert_msg(text != NULL, "%s", build->error.text);
    input = bus_build_load_text(text, strlen(text), "text", &error);
    ck_assert_msg(input != NULL, "%s", error.text);
    bus_build_fini(build);
    return input;
}
