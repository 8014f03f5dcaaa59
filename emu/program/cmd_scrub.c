/* SPDX-License-Identifier: MIT */
/*
 * gfe scrub: a trace without the recorded program's memory that no replay needs.
 */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "emu/explore/scrub.h"
#include "emu/base/json_text.h"
#include "emu/base/args.h"
#include "emu/program/sandbox.h"
#include "emu/program/cmd_gpu.h"
#include "emu/program/cmd.h"
#include "emu/base/output.h"
#include "emu/base/retry.h"
#include "emu/base/visible.h"

enum { OPTION_GPU = ARGS_LONG_ONLY, OPTION_KEEP_HOST, OPTION_STRINGS, OPTION_UNVERIFIED };

static const struct args_option options[] = {
    {'o', "output", "F.gft", "write the new trace to F.gft (needed); - is standard output"},
    {'j', "json", NULL, "print the report as JSON"},
    {OPTION_STRINGS, "strings", "FILE", "list the strings that are left, with their addresses"},
    {OPTION_KEEP_HOST, "keep-host", NULL,
     "keep names of host, program and processes, thread numbers,\n"
     "the time of day, marks and modules"},
    {OPTION_GPU, "gpu", "GPU", "replay on this GPU (default: the one that the trace names)"},
    {OPTION_UNVERIFIED, "unverified", NULL, "do not replay: for traces that cannot be replayed"},
    LIMITS_OPTION_EVENTS,
    LIMITS_OPTION_TIME,
    LIMITS_OPTION_MEMORY,
    LIMITS_OPTION_EXPANSION,
    SANDBOX_OPTION,
    {0},
};

static const struct args_command command = {
    "scrub", "[OPTION...] TRACE -o F.gft",
    "Writes a trace anew without what a replay does not need.  A recording holds memory of the\n"
    "recorded program: pages that its driver uploaded, whole, and words in them that were\n"
    "never initialised.  gfe scrub follows the commands of the trace and zeroes every byte that the\n"
    "GPU's front end does not read as a command, an address, a count, a descriptor or a\n"
    "semaphore: constants, textures, vertices, programs of the GPU, colours, rests of buffers.\n"
    "For ROCm's programs, packets, signals and kernels' descriptors stay; arguments and code of\n"
    "kernels are removed.\n"
    "Then it replays both traces.  Their event logs say the same (gfe hash --events), or the\n"
    "records that make the difference are kept whole, or there is no F.gft.\n"
    "\n"
    "What it keeps can still tell something: addresses, sizes, times, class state, the order of\n"
    "things.  TRACE is read several times, so it must be a file.\n"
    "\n"
    "Exit status: 0 done, 1 the trace is bad, cannot be replayed or not be written, 2 wrong "
    "usage.\n",
    options, false};

struct request {
    const char *input, *output, *strings;
    struct scrub_options options;
    struct cmd_gpu *gpu; /* owned by the command */
    struct limits limits;
    bool json;
};

/* ---- the report ------------------------------------------------------------------------------ */

static const char *const reasons[SCRUB_REASONS] = {
    [NV_SCRUB_HEADER] = "pushbuffer headers",
    [NV_SCRUB_METHOD] = "data of methods",
    [NV_SCRUB_DESCRIPTOR] = "descriptors of launches",
    [NV_SCRUB_SEMAPHORE] = "semaphores",
    [NV_SCRUB_CONDITION] = "conditions",
    [SCRUB_REASON_PHYSICAL] = "by physical address",
    [SCRUB_REASON_COMPLETION] = "completion values",
};

static void report_needed(FILE *file, const struct scrub_plan *plan)
{
    for (uint32_t i = 0; i < SCRUB_REASONS; i++)
        if (plan->origin.needed_count[i] > 0)
            fprintf(file, "                  %" PRIu64 " %s\n", plan->origin.needed_count[i],
                    reasons[i]);
}

static void report_text(FILE *file, const struct request *request, const struct scrub_plan *plan,
                        const struct scrub_report *report)
{
    const struct scrub_totals *totals = &report->totals;
    const uint64_t filled = totals->mem_bytes - totals->zero_bytes;
    const uint64_t permille = filled ? totals->removed_bytes * 1000 / filled : 0;
    char input[PATH_MAX], output[PATH_MAX];

    fprintf(file, "%s to %s\n", visible_name(input, sizeof input, request->input),
            visible_name(output, sizeof output, request->output));
    fprintf(file, "  memory          %" PRIu64 " bytes in %" PRIu64 " records, %" PRIu64 " not 0\n",
            totals->mem_bytes, totals->mem_records, filled);
    fprintf(file,
            "  removed         %" PRIu64 " bytes (%" PRIu64 ".%" PRIu64 " %%), %" PRIu64
            " of %" PRIu64 " words\n",
            totals->removed_bytes, permille / 10, permille % 10, totals->removed_words,
            totals->words);
    fprintf(file,
            "  kept            %" PRIu64 " bytes that are not 0, %" PRIu64
            " of them as repetitions; needed\n"
            "                  are, zeroes included:\n",
            totals->kept_bytes, totals->again_bytes);
    report_needed(file, plan);
    if (report->kept_records > 0)
        fprintf(file, "  kept whole      %" PRIu64 " records: without them the log would change\n",
                report->kept_records);
    if (plan->keeps_data)
        fputs("  kept            all data of methods: the stream checks its CRC\n", file);
    if (plan->copies_unfollowed > 0)
        fprintf(file, "  not followed    %" PRIu64 " copies (tiled, remapped, physical or long)\n",
                plan->copies_unfollowed);
    fprintf(file, "  strings         %" PRIu64 " of %d characters and more, %" PRIu64 " are left\n",
            totals->strings, SCRUB_STRING_BYTES, totals->strings_left);
    if (totals->code_bytes > 0)
        fprintf(file, "  kernels         %" PRIu64 " bytes of code removed\n", totals->code_bytes);
    fprintf(file, "  names, texts    %" PRIu64 " removed\n", totals->host_fields);
    if (report->log_hash[0])
        fprintf(file, "  log             %s, before and after (%" PRIu32 " %s)\n", report->log_hash,
                report->tries, report->tries == 1 ? "try" : "tries");
    else
        fputs("  log             not compared\n", file);
}

static bool report_json(FILE *file, const struct scrub_plan *plan,
                        const struct scrub_report *report)
{
    const struct scrub_totals *totals = &report->totals;
    const struct {
        const char *name;
        uint64_t value;
    } rows[] = {
        {"memory_bytes", totals->mem_bytes},
        {"memory_records", totals->mem_records},
        {"zero_bytes", totals->zero_bytes},
        {"removed_bytes", totals->removed_bytes},
        {"kept_bytes", totals->kept_bytes},
        {"kept_bytes_repeated", totals->again_bytes},
        {"words", totals->words},
        {"removed_words", totals->removed_words},
        {"strings", totals->strings},
        {"strings_left", totals->strings_left},
        {"code_bytes_removed", totals->code_bytes},
        {"names_removed", totals->host_fields},
        {"records_kept_whole", report->kept_records},
        {"copies_not_followed", plan->copies_unfollowed},
        {"tries", report->tries},
    };
    json_t *root = json_object(), *needed = json_object();
    bool good = root && needed;

    for (size_t i = 0; good && i < sizeof rows / sizeof rows[0]; i++)
        good =
            json_object_set_new(root, rows[i].name, json_integer((json_int_t)rows[i].value)) == 0;
    for (uint32_t i = 0; good && i < SCRUB_REASONS; i++)
        good = json_object_set_new(needed, reasons[i],
                                   json_integer((json_int_t)plan->origin.needed_count[i])) == 0;
    good = good && json_object_set(root, "needed_bytes", needed) == 0 &&
           json_object_set_new(root, "method_data_kept", json_boolean(plan->keeps_data)) == 0 &&
           json_object_set_new(root, "log_hash",
                               report->log_hash[0] ? json_string(report->log_hash) : json_null()) ==
               0 &&
           json_text_print(file, root);
    json_decref(needed);
    json_decref(root);
    return good;
}

static bool report_print(const struct request *request, const struct scrub_plan *plan,
                         const struct scrub_report *report, struct gfe_error *error)
{
    FILE *file = strcmp(request->output, "-") == 0 ? stderr : stdout;

    if (!request->json)
        report_text(file, request, plan, report);
    else if (!report_json(file, plan, report))
        return error_set(error, ERROR_SYSTEM, "no memory for the report");
    return output_flush_stdout(error);
}

/* ---- files ----------------------------------------------------------------------------------- */

/* A file without a name, in which the new trace stands until it is verified. */
static int spool_open(struct gfe_error *error)
{
    const char *folder = getenv("TMPDIR");
    char path[4096];
    int fd = -1;

    if (!folder || !*folder)
        folder = "/tmp";
    if ((size_t)snprintf(path, sizeof path, "%s/gfe-XXXXXX", folder) < sizeof path) {
        fd = mkostemp(path, O_CLOEXEC);
        if (fd >= 0)
            (void)unlink(path);
    } else {
        errno = ENAMETOOLONG;
    }
    if (fd < 0)
        error_set_errno(error, errno, "%s: cannot keep the new trace meanwhile (TMPDIR)", folder);
    return fd;
}

static bool spool_copy(int fd, FILE *file, const char *name, struct gfe_error *error)
{
    static const size_t room = 1 << 16;
    char *buffer = malloc(room);
    ssize_t bytes = -1;
    off_t at = 0;

    while (buffer) {
        RETRY(bytes, pread(fd, buffer, room, at));
        if (bytes <= 0 || fwrite(buffer, 1, (size_t)bytes, file) != (size_t)bytes)
            break;
        at += bytes;
    }
    if (bytes != 0 || fflush(file) != 0)
        error_set_errno(error, buffer ? errno : ENOMEM, "%s", name);
    free(buffer);
    return error->kind == ERROR_NONE;
}

static bool input_is_file(const char *path, struct gfe_error *error)
{
    struct stat status;

    if (strcmp(path, "-") != 0 && stat(path, &status) != 0)
        return error_set_errno(error, errno, "%s", path);
    if (strcmp(path, "-") == 0 || !S_ISREG(status.st_mode))
        return error_set(error, ERROR_USAGE, "%s: is read several times, so it must be a file",
                         path);
    return true;
}

/* ---- the command ----------------------------------------------------------------------------- */

static bool scrub_planned(const struct request *request, const struct scrub_plan *plan,
                          FILE *strings, struct gfe_error *error)
{
    struct scrub_options scrub = request->options;
    struct output output = {0};
    struct scrub_report report;
    const int fd = spool_open(error);
    bool done = false;

    scrub.pool = simulation_pool_new(error); /* some dozens of replays on the same GPU */
    scrub.limits = &request->limits;
    scrub.strings = strings;
    if (fd >= 0 && output_open(&output, request->output, error))
        done = scrub.pool &&
               scrub_apply(plan, request->input, &scrub, fd, output.path, &report, error) &&
               spool_copy(fd, output.file, output.path, error) && output_commit(&output, error) &&
               report_print(request, plan, &report, error);
    output_abort(&output);
    simulation_pool_free(scrub.pool);
    if (fd >= 0)
        close(fd);
    return done;
}

static bool scrub_file(const struct request *request, struct gfe_error *error)
{
    struct output strings = {0};
    struct scrub_plan plan = {0};
    bool done;

    done = input_is_file(request->input, error) &&
           output_differs(request->output, request->input, error) &&
           (!request->strings || (output_differs(request->strings, request->input, error) &&
                                  output_open_private(&strings, request->strings, error))) &&
           scrub_plan_make(&plan, request->input, &request->limits, error) &&
           scrub_planned(request, &plan, strings.file, error) &&
           (!request->strings || output_commit(&strings, error));
    output_abort(&strings);
    scrub_plan_fini(&plan);
    return done;
}

static bool option_take(struct args *args, int id, struct request *request)
{
    if (limits_is(id))
        return limits_take(args, id, &request->limits);
    switch (id) {
    case 'o':
        request->output = args->value;
        break;
    case 'j':
        request->json = true;
        break;
    case OPTION_GPU:
        if (!cmd_gpu_take(args, request->gpu))
            return false;
        request->options.gpu = request->gpu->name;
        request->options.described = request->gpu->described;
        break;
    case OPTION_KEEP_HOST:
        request->options.keep_host = true;
        break;
    case OPTION_STRINGS:
        request->strings = args->value;
        break;
    default:
        request->options.unverified = true;
        break;
    }
    return true;
}

int cmd_scrub(int argc, char **argv)
{
    struct cmd_gpu gpu CMD_GPU_OWNED = {0};
    struct request request = {.limits = LIMITS_DEFAULT, .gpu = &gpu};
    struct gfe_error error = {0};
    struct args args;
    int id;

    args_start(&args, &command, argc, argv);
    while ((id = args_next(&args)) > 0)
        if (!option_take(&args, id, &request))
            return args.status;
    if (id == ARGS_STOP || !args_operands(&args, 1, 1))
        return args.status;
    if (!request.output)
        return args_wrong(&args, "-o F.gft is needed");
    request.input = args.operands[0];
    return scrub_file(&request, &error) ? 0 : args_failed(&args, &error);
}
