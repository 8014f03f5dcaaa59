/* SPDX-License-Identifier: MIT */
/* gfe selftest: random worlds under invariants. */
#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "emu/base/args.h"
#include "emu/base/output.h"
#include "emu/program/cmd.h"
#include "emu/selftest/selftest.h"
#include "emu/selftest/tally.h"

enum { OPTION_SEEDS = ARGS_LONG_ONLY, OPTION_FIRST, OPTION_TABLE, OPTION_WRITE, OPTION_REFUSED };
enum { SHRINK_TRIES = 3000, SEEDS_DEFAULT = 100, PATH_BYTES = 4096 };

static const struct args_option options[] = {
    {OPTION_SEEDS, "seeds", "N", "try the worlds of N seeds (default 100)"},
    {OPTION_FIRST, "first", "SEED", "begin with this seed (default 1)"},
    {'o', "output", "DIR",
     "make a world that fails small, and write its file into this\nfolder: SEED.json or SEED.bus"},
    {OPTION_WRITE, "write", "FILE",
     "write the world of the first seed there, as it is, and stop;\n- is standard output"},
    {OPTION_REFUSED, "refused", NULL, "say of refused worlds, too, why"},
    {OPTION_TABLE, "table", NULL, "print the summary as Markdown"},
    {0, NULL, NULL, NULL},
};

static const struct args_command command = {
    "selftest", "[OPTION...] [FILE...]",
    "Makes random worlds and tries what has to hold in each: scenarios of CUDA programs and\n"
    "register-level programs on all of NVIDIA's GPUs, configurations of hip_plugin_framework on\n"
    "AMD's, with random policies and parameters, and in some of them register writes on the way,\n"
    "faults in the hardware, or an event that is lost.  A world follows from its seed alone.\n"
    "\n"
    "What has to hold:\n"
    "  ends      a run comes to its end; one with faults may pass a bound\n"
    "  waits     every wait ends and has a rule, or what is not done is left by a named wait\n"
    "  put       no GP entry and no packet is taken up that was not submitted (GET <= PUT)\n"
    "  work      each block, copy, draw and release that is asked for is done, once\n"
    "  slices    the times in which a block runs add up to its work\n"
    "  turns     turns of a runlist follow each other, and end in time\n"
    "  room      no SM holds more than it has\n"
    "  check     gfe check finds no broken rule\n"
    "  explain   the pieces of each operation's life touch and add up\n"
    "  batch     the log is the same with --batch-limit 1\n"
    "  snapshot  a snapshot at any event, in another machine, gives the same rest\n"
    "\n"
    "FILE is a file that -o or --write wrote; it is tried again in place of seeds.  gfe run takes\n"
    "it, too: its comment has the command line (those that end in .bus pass gfe import bus\n"
    "first).  Each world is tried in a process of its own, so a crash is found like the others.\n"
    "\n"
    "Exit status: 0 all holds; 1 something does not, or a file is bad; 2 wrong usage.\n",
    options, false};

struct request {
    uint64_t seeds, first;
    const char *folder, *write;
    bool table, refused;
};

/* ---- one world ------------------------------------------------------------------------------- */

static bool is_failure(const struct selftest_verdict *verdict)
{
    return verdict->result == SELFTEST_CRASH || verdict->result == SELFTEST_BROKEN;
}

static bool file_write(const json_t *world, const char *path, struct gfe_error *error)
{
    const char *slash = strrchr(path, '/');
    struct output output = {0};
    const bool done = output_open_text(&output, path, error) &&
                      world_write(world, slash ? slash + 1 : path, output.file, error) &&
                      output_commit(&output, error);

    output_abort(&output);
    return done;
}

/* Makes the world of a seed small, and writes its file. */
static bool keep_small(const struct request *request, uint64_t seed,
                       struct selftest_verdict *verdict, struct gfe_error *error)
{
    json_t *world = world_make(seed, error);
    char path[PATH_BYTES];
    bool done;

    (void)snprintf(path, sizeof path, "%s/%" PRIu64 ".%s", request->folder, seed,
                   verdict->kind == WORLD_BUS ? "bus" : "json");
    done = world && selftest_shrink(world, SHRINK_TRIES, verdict, error) &&
           file_write(world, path, error);
    if (done)
        printf("  %s: %s\n", path, verdict->says);
    json_decref(world);
    return done;
}

static void print_failure(const char *what, const struct selftest_verdict *verdict)
{
    printf("%s: %s on %s (%s): %s\n", what, selftest_name(verdict), verdict->gpu,
           world_disturbance_name(verdict->disturbance), verdict->says);
    (void)fflush(stdout);
}

/* ---- many ------------------------------------------------------------------------------------ */

/* Makes the folder for files of worlds if it is not there. */
static bool folder_make(const char *folder, struct gfe_error *error)
{
    struct stat status;

    if (!folder || mkdir(folder, 0777) == 0)
        return true;
    if (errno == EEXIST && stat(folder, &status) == 0 && !S_ISDIR(status.st_mode))
        errno = ENOTDIR;
    else if (errno == EEXIST)
        return true;
    return error_set_errno(error, errno, "%s", folder);
}

static bool try_seeds(const struct request *request, struct tally *tally, struct gfe_error *error)
{
    if (!folder_make(request->folder, error))
        return false;
    for (uint64_t i = 0; i < request->seeds; i++) {
        const uint64_t seed = request->first + i;
        struct selftest_verdict verdict;
        char what[32];

        if (!selftest_seed(seed, &verdict, error))
            return false;
        tally_add(tally, &verdict);
        (void)snprintf(what, sizeof what, "seed %" PRIu64, seed);
        if (is_failure(&verdict) || (request->refused && verdict.result != SELFTEST_HOLDS))
            print_failure(what, &verdict);
        if (is_failure(&verdict) && request->folder && verdict.gpu[0] &&
            !keep_small(request, seed, &verdict, error))
            return false;
    }
    return true;
}

static bool try_files(char **paths, int count, struct tally *tally, struct gfe_error *error)
{
    for (int i = 0; i < count; i++) {
        json_t *world = world_read(paths[i], error);
        struct selftest_verdict verdict;
        const bool tried = world && selftest_world(world, &verdict, error);

        json_decref(world);
        if (!tried)
            return false;
        tally_add(tally, &verdict);
        if (verdict.result != SELFTEST_HOLDS)
            print_failure(paths[i], &verdict);
    }
    return true;
}

static bool write_world(const struct request *request, struct gfe_error *error)
{
    json_t *world = world_make(request->first, error);
    const bool done = world && file_write(world, request->write, error);

    json_decref(world);
    return done;
}

static bool option_take(struct args *args, int id, struct request *request)
{
    switch (id) {
    case OPTION_SEEDS:
        return args_number_within(args, 1, UINT32_MAX, &request->seeds);
    case OPTION_FIRST:
        return args_number(args, &request->first);
    case 'o':
        request->folder = args->value;
        return true;
    case OPTION_WRITE:
        request->write = args->value;
        return true;
    case OPTION_REFUSED:
        request->refused = true;
        return true;
    default:
        request->table = true;
        return true;
    }
}

int cmd_selftest(int argc, char **argv)
{
    struct request request = {.seeds = SEEDS_DEFAULT, .first = 1};
    struct gfe_error error = {0};
    struct tally tally = {0};
    struct args args;
    int id;

    args_start(&args, &command, argc, argv);
    while ((id = args_next(&args)) > 0)
        if (!option_take(&args, id, &request))
            return args.status;
    if (id == ARGS_STOP || !args_operands(&args, 0, -1))
        return args.status;
    if (request.write)
        return write_world(&request, &error) ? EXIT_SUCCESS : args_failed(&args, &error);
    if (!(args.operand_count > 0 ? try_files(args.operands, args.operand_count, &tally, &error)
                                 : try_seeds(&request, &tally, &error)))
        return args_failed(&args, &error);
    tally_print(&tally, request.table, stdout);
    if (!output_flush_stdout(&error))
        return args_failed(&args, &error);
    return tally.failed > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
