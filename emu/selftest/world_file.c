/* SPDX-License-Identifier: MIT */
/* Files of worlds. */
#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emu/base/json_text.h"
#include "emu/base/text_stream.h"
#include "emu/selftest/world.h"
#include "emu/selftest/world_bus.h"

enum { WORLD_BYTES_MAX = 4 << 20 };
#define BUS_COMMENT "# world "

/* ---- writing --------------------------------------------------------------------------------- */

static void options_print(const json_t *world, const char *key, const char *option, FILE *file)
{
    const json_t *text;
    size_t i;

    json_array_foreach(json_object_get(world, key), i, text)
        fprintf(file, " %s '%s'", option, json_string_value(text));
}

/* The command line that makes the same run. */
static void command_print(const json_t *world, const char *name, FILE *file)
{
    const bool has_faults = json_array_size(json_object_get(world, "faults")) > 0;
    const json_t *seed = json_object_get(world, "seed"),
                 *lost = json_object_get(world, "lose_event");

    fprintf(file, "gfe %s --gpu %s", has_faults ? "inject" : "run", world_gpu(world));
    if (seed)
        fprintf(file, " --seed %" JSON_INTEGER_FORMAT, json_integer_value(seed));
    options_print(world, "policies", "--policy", file);
    options_print(world, "parameters", "--param", file);
    options_print(world, "pokes", "--poke", file);
    options_print(world, "faults", "--fault", file);
    if (lost)
        fprintf(file, " --lose-event %" JSON_INTEGER_FORMAT, json_integer_value(lost));
    fprintf(file, " %s", name);
}

static char *command_text(const json_t *world, const char *name)
{
    struct text_stream stream;
    FILE *file = text_stream_open(&stream);

    if (file)
        command_print(world, name, file);
    return text_stream_close(&stream, file);
}

/* A scenario or a configuration, with the rest of the world in members that are free there. */
static bool json_write(const json_t *world, const char *name, FILE *file)
{
    char *command = command_text(world, name);
    json_t *rest = json_copy((json_t *)(uintptr_t)world), *whole = json_object();
    bool good = command && rest && whole && json_object_del(rest, "program") == 0 &&
                json_object_set_new(whole, "comment", json_string(command)) == 0 &&
                json_object_set(whole, "comment_world", rest) == 0 &&
                json_object_update(whole, (json_t *)(uintptr_t)world_program(world)) == 0 &&
                json_text_print(file, whole);

    free(command);
    json_decref(rest);
    json_decref(whole);
    return good;
}

static bool bus_write(const json_t *world, const char *name, FILE *file, struct gfe_error *error)
{
    char *text = world_bus_text(world_program(world), world_gpu(world), error);
    char *command = command_text(world, "world.gft");
    char *json = json_text(world, JSON_COMPACT);
    const bool good = text && command && json;

    if (good)
        fprintf(file, "# gfe import bus -o world.gft %s && %s\n" BUS_COMMENT "%s\n%s", name,
                command, json, text);
    else if (text)
        error_set(error, ERROR_SYSTEM, "no memory for a world");
    free(text);
    free(command);
    free(json);
    return good;
}

bool world_write(const json_t *world, const char *name, FILE *file, struct gfe_error *error)
{
    if (world_kind(world) == WORLD_BUS)
        return bus_write(world, name, file, error);
    return json_write(world, name, file) || error_set(error, ERROR_SYSTEM, "no memory for a world");
}

/* ---- reading --------------------------------------------------------------------------------- */

static json_t *bus_read(const char *text)
{
    const char *line = strstr(text, BUS_COMMENT);
    const char *end = line ? strchr(line, '\n') : NULL;
    json_error_t cause;

    if (!end)
        return NULL;
    line += strlen(BUS_COMMENT);
    return json_text_load(line, (size_t)(end - line), 0, &cause);
}

static json_t *json_read(const char *text, size_t bytes)
{
    json_error_t cause;
    json_t *program = json_text_load(text, bytes, 0, &cause);
    json_t *world = json_incref(json_object_get(program, "comment_world"));

    if (json_is_object(world)) {
        (void)json_object_del(program, "comment_world");
        (void)json_object_del(program, "comment");
        if (json_object_set(world, "program", program) != 0) {
            json_decref(world);
            world = NULL;
        }
    }
    json_decref(program);
    return world;
}

static char *text_read(const char *path, size_t *bytes, struct gfe_error *error)
{
    FILE *file = fopen(path, "rbe");
    char *text = file ? calloc(1, WORLD_BYTES_MAX + 1) : NULL;

    if (text)
        *bytes = fread(text, 1, WORLD_BYTES_MAX, file);
    if (!text || ferror(file)) {
        error_set_errno(error, errno, "%s", path);
        free(text);
        text = NULL;
    }
    if (file)
        (void)fclose(file);
    return text;
}

json_t *world_read(const char *path, struct gfe_error *error)
{
    size_t bytes = 0;
    char *text = text_read(path, &bytes, error);
    json_t *world;

    if (!text)
        return NULL;
    world = text[0] == '{' ? json_read(text, bytes) : bus_read(text);
    free(text);
    if (json_is_object(world) && world_kind(world) != WORLD_KINDS)
        return world;
    error_set(error, ERROR_INPUT, "%s: holds no world of gfe selftest", path);
    json_decref(world);
    return NULL;
}
