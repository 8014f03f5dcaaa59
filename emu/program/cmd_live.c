/* SPDX-License-Identifier: MIT */
/* gfe live: a program above an emulated GPU, with and without faults in it. */
#include <config.h>

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "emu/analysis/open_waits.h"
#include "emu/sim/gpu_file.h"
#include "emu/faults/live_control.h"
#include "emu/live/live_kfd.h"
#include "emu/base/text_stream.h"
#include "emu/live/live_nouveau.h"
#include "emu/sim/gpus.h"
#include "emu/base/args.h"
#include "emu/base/input.h"
#include "emu/program/cmd.h"
#include "emu/program/cmd_inject.h"
#include "emu/program/cmd_live.h"
#include "emu/base/output.h"
#include "traces/record/record_live.h"
#include "traces/record/record_run.h"

enum {
    LIVE_OPTION_GPU = ARGS_LONG_ONLY,
    LIVE_OPTION_SEED,
    LIVE_OPTION_PARAM,
    LIVE_OPTION_POLICY,
    LIVE_OPTION_TIMEOUT,
    LIVE_OPTION_LATE,
    LIVE_OPTION_CONTROLS,
    LIVE_OPTION_LIST,
};
enum {
    LIVE_SETTINGS_MAX = 32,
    LIVE_OUTPUT_MAX = 16 << 20,
    WATCHDOG_TIMES = 4,
    CONTROLS = 2,
    CONTROLS_MAX = 16,
};
#define WATCHDOG_NS   UINT64_C(5000000000)
#define GOLDEN_MAX_NS UINT64_C(300000000000)

static const struct args_option live_options[] = {
    {'f', "fault", "FAULT", "inject this fault; may be repeated (at most 8)"},
    {'o', "output", "FILE",
     "write the event log of the (last) run there (.gfl); of several\n"
     "processes, that of the first that used the GPU"},
    {LIVE_OPTION_GPU, "gpu", "GPU",
     "the GPU: radeon-vii (default), mi50, mi60, mi100 or mi210 for ROCm;\n"
     "gtx1060 or another that gfe record knows for OpenGL"},
    {LIVE_OPTION_TIMEOUT, "timeout", "TIME",
     "kill PROGRAM when it runs longer (default: without faults 300s; with\n"
     "faults 5s and four times what it took without)"},
    {LIVE_OPTION_LATE, "late", "TIME",
     "call it SDC-timing when PROGRAM takes longer by more (default: by what\n"
     "it took without faults, and 1s)"},
    {LIVE_OPTION_CONTROLS, "controls", "N",
     "runs without faults, 1 to 16 (default 2): lines of the output that\n"
     "differ between them are not compared"},
    {LIVE_OPTION_SEED, "seed", "N", "seed of the choice points decided by chance (default 0)"},
    {LIVE_OPTION_PARAM, "param", "ID=N", "set a parameter; may be repeated"},
    {LIVE_OPTION_POLICY, "policy", "ID=NAME",
     "take this alternative at a choice point; may be repeated"},
    {LIVE_OPTION_LIST, "list", NULL, "print all sites, with their fields and models, and stop"},
    {'j', "json", NULL, "print JSON"},
    {0, NULL, NULL, NULL},
};

static const struct args_command live_command = {
    .name = "live",
    .usage = "[OPTION...] [--fault FAULT]... -- PROGRAM [ARGUMENT...]",
    .summary =
        "Runs PROGRAM, which uses ROCm's libraries (HSA, HIP) or OpenGL through Mesa's nouveau, "
        "above\n"
        "a GPU that is emulated while it runs: a preloaded library is its kernel driver, and the\n"
        "emulation its GPU.  Signals and fences are written and interrupts come when the model says\n"
        "so.  No GPU is needed.\n"
        "\n"
        "With --fault it is run three times: twice without faults, as control, and once with faults "
        "in\n"
        "the emulated GPU.  What became of it is printed: whether each fault acted, how PROGRAM "
        "ended\n"
        "and what it printed, what the kernel driver would have printed, and the outcome:\n"
        "  Masked      PROGRAM ended and printed as without the fault\n"
        "  SDC-timing  PROGRAM ended and printed as without the fault, but took longer (--late)\n"
        "  Detected    the driver said something: a line in the kernel's log, an exception that\n"
        "              PROGRAM's libraries were told of, a call that failed; or PROGRAM ended by "
        "a\n"
        "              signal or with another exit status\n"
        "  SDC-data    other output, and nothing said so\n"
        "  Hang        it had not ended in time, and was killed\n"
        "  Collateral  the driver gave up another channel or queue than the fault's own\n"
        "Only standard output is compared, line by line.  Lines that differ between the runs without\n"
        "faults are not, and the report says how many these are.  A PROGRAM that fails without a "
        "fault\n"
        "is refused, with its exit status.\n"
        "\n"
        "FAULT is SITE[.FIELD][:SUBJECT] MODEL[=ARGUMENT] [@TRIGGER], as of gfe inject:\n"
        "  'doorbell drop @#2'           the second store to a doorbell is lost\n"
        "  'doorbell:1 delay=3ms'        the first of queue 1 comes late\n"
        "  'interrupt drop'              the first interrupt is lost\n"
        "  'map drop @#24'               the 24th piece of memory never gets into the page tables\n"
        "Each process of PROGRAM has a GPU of its own, and the faults in it.\n"
        "\n"
        "Copies, fills, barriers, signals and fences take effect; kernels of PROGRAM, shaders and\n"
        "draws take their time and change nothing, so what it computes with them is wrong with and\n"
        "without the fault.\n"
        "\n"
        "Exit status: with --fault 0 when the runs were made, whatever came of the one with faults;\n"
        "without it, and if PROGRAM fails without a fault, PROGRAM's, or 128 + n if signal n killed\n"
        "it.  It is 3 instead of 0 if something waits for\n"
        "ever on a GPU of PROGRAM (with --fault: of its run without faults) once it has ended, and\n"
        "lines on standard error say what.  To tell that from what the end of PROGRAM cut off, the\n"
        "GPU goes on by itself until it rests: behind the event LIVE_END in the log, and unseen by\n"
        "PROGRAM.\n",
    .options = live_options,
    .operands_end_options = true,
};

struct live_request {
    struct record_run_options run;
    struct simulation_options options;
    struct simulation_setting parameters[LIVE_SETTINGS_MAX], choices[LIVE_SETTINGS_MAX];
    const char *faults[INJECT_FAULTS_MAX];
    bool changes[INJECT_FAULTS_MAX];         /* the fault changes a value */
    const char *subjects[INJECT_FAULTS_MAX]; /* what it is about; NULL: nothing in particular */
    uint32_t fault_count;
    const char *gpu, *log;
    uint64_t timeout_ns, late_ns; /* 0: the default */
    uint64_t controls;            /* runs without faults, at least 1 */
    bool list, json;
};

/* ---- options ----------------------------------------------------------------------------------
 */

static bool live_setting(struct args *args, struct simulation_setting *settings, uint32_t *count)
{
    char *equal = strchr(args->value, '=');

    if (!equal || equal == args->value || *count == LIVE_SETTINGS_MAX) {
        args_wrong(args, equal ? "too many --%s" : "--%s needs ID=VALUE", args->option);
        return false;
    }
    *equal = '\0';
    settings[(*count)++] = (struct simulation_setting){args->value, equal + 1};
    return true;
}

static bool live_fault_option(struct args *args, struct live_request *request)
{
    if (request->fault_count == INJECT_FAULTS_MAX || strchr(args->value, '\n')) {
        args_wrong(args, "at most %d --%s, each of one line", INJECT_FAULTS_MAX, args->option);
        return false;
    }
    request->faults[request->fault_count++] = args->value;
    return true;
}

static bool live_gpu_option(struct args *args, struct live_request *request)
{
    if (gpu_file_is(args->value)) {
        args_wrong(args,
                   "%s: a GPU in a file has no board that a program could find; gfe gpus lists "
                   "those that have (RECORD)",
                   args->value);
        return false;
    }
    request->gpu = args->value;
    request->run.board = record_board_find(args->value);
    if (request->run.board)
        request->gpu = request->run.board->gpu;
    if (request->run.board || record_kfd_board_find(args->value))
        return true;
    args_wrong(args, "there is no GPU '%s' to emulate below a program", args->value);
    return false;
}

static bool live_time_option(struct args *args, uint64_t *ns)
{
    gfe_ps time_ps;

    if (!args_time(args, &time_ps))
        return false;
    *ns = time_ps / GFE_PS_PER_NS;
    if (*ns > 0)
        return true;
    args_wrong(args, "--%s is at least 1ns", args->option);
    return false;
}

static bool live_controls_option(struct args *args, uint64_t *controls)
{
    if (!args_number(args, controls))
        return false;
    if (*controls >= 1 && *controls <= CONTROLS_MAX)
        return true;
    args_wrong(args, "--%s is from 1 to %d", args->option, CONTROLS_MAX);
    return false;
}

static bool live_option(struct args *args, struct live_request *request, int option)
{
    switch (option) {
    case 'f':
        return live_fault_option(args, request);
    case 'o':
        request->log = args->value;
        return true;
    case LIVE_OPTION_GPU:
        return live_gpu_option(args, request);
    case LIVE_OPTION_SEED:
        return args_number(args, &request->options.seed);
    case LIVE_OPTION_PARAM:
        return live_setting(args, request->parameters, &request->options.parameter_count);
    case LIVE_OPTION_POLICY:
        return live_setting(args, request->choices, &request->options.choice_count);
    case LIVE_OPTION_TIMEOUT:
        return live_time_option(args, &request->timeout_ns);
    case LIVE_OPTION_LATE:
        return live_time_option(args, &request->late_ns);
    case LIVE_OPTION_CONTROLS:
        return live_controls_option(args, &request->controls);
    case LIVE_OPTION_LIST:
        request->list = true;
        return true;
    default:
        request->json = true;
        return true;
    }
}

/* Nothing of a program: what is asked of it is not there. */
static bool check_read(void *program, uint64_t va, void *data, size_t bytes)
{
    (void)program, (void)va, (void)data, (void)bytes;
    return false;
}

static bool check_write(void *program, uint64_t va, const void *data, size_t bytes)
{
    (void)program, (void)va, (void)data, (void)bytes;
    return false;
}

static void check_faults(struct live_request *request, const struct inject *inject,
                         const struct inject_sites *sites)
{
    for (uint32_t i = 0; i < request->fault_count; i++) {
        const struct inject_fault *fault = &inject->faults[i];
        const struct inject_site *site = inject_site(sites, fault->site);

        request->changes[i] = (INJECT_BIT(fault->model) & INJECT_CHANGES) != 0;
        request->subjects[i] = site->place == INJECT_PASSAGE ? site->subject : NULL;
    }
}

static bool live_check_nouveau(struct live_request *request, struct gfe_error *error)
{
    const struct machine_host host = {.read = check_read, .write = check_write};
    struct live_nouveau *live = live_nouveau_new(request->gpu, &request->options, request->faults,
                                                 request->fault_count, &host, error);

    if (live)
        check_faults(request, live->base.inject, &live->sites);
    live_nouveau_free(live);
    return live != NULL;
}

/* Would the emulation take all this?  It is asked here, where messages can be seen. */
static bool live_check(struct live_request *request, struct gfe_error *error)
{
    const struct live_program program = {.read = check_read, .write = check_write};
    struct live_kfd *live;

    if (request->run.board)
        return live_check_nouveau(request, error);
    live = live_kfd_new(request->gpu, &request->options, request->faults, request->fault_count,
                        &program, error);
    if (live)
        check_faults(request, live->base.inject, &live->sites);
    live_kfd_free(live);
    return live != NULL;
}

/* Returns the orders for the emulation in the program, which the caller frees.  Returns NULL
 * without memory. */
static char *live_orders(const struct live_request *request, bool with_faults)
{
    struct text_stream stream;
    FILE *file = text_stream_open(&stream);

    if (!file)
        return NULL;
    fprintf(file, "seed %" PRIu64 "\n", request->options.seed);
    for (uint32_t i = 0; i < request->options.parameter_count; i++)
        fprintf(file, "param %s=%s\n", request->parameters[i].id, request->parameters[i].value);
    for (uint32_t i = 0; i < request->options.choice_count; i++)
        fprintf(file, "policy %s=%s\n", request->choices[i].id, request->choices[i].value);
    for (uint32_t i = 0; with_faults && i < request->fault_count; i++)
        fprintf(file, "fault %s\n", request->faults[i]);
    return text_stream_close(&stream, file);
}

/* ---- one run ----------------------------------------------------------------------------------
 */

struct live_run {
    const struct live_request *request;
    struct live_observation observation;
    struct record_live live;
    struct output *log; /* NULL: not kept */
    char *errors;
    size_t error_bytes;
    char *work_left; /* what waits for ever on the GPUs, in lines; NULL: nothing */
};

/* Notes what waits for ever in the log of a process.  A log that was cut off, because its process
 * was killed, says nothing. */
static bool run_open_waits(struct live_run *run, const char *path, struct gfe_error *error)
{
    struct open_waits *open = calloc(1, sizeof *open);
    struct event_log_reader *log = open ? event_log_open(path, error) : NULL;
    struct gfe_error cut = {0};
    struct text_stream stream;
    FILE *file;

    if (!open)
        return error_set_errno(error, ENOMEM, "live");
    if (log && open_waits_read(open, log, &cut) && open->count > 0) {
        file = text_stream_open(&stream);
        if (file) {
            fputs(run->work_left ? run->work_left : "", file);
            open_waits_print(file, open, log);
            free(run->work_left);
            run->work_left = text_stream_close(&stream, file);
        }
    }
    if (log)
        event_log_close(log);
    free(open);
    return log != NULL;
}

/* Returns the exit status of a run that ended with `status`, and says what is left. */
static int run_status(const struct live_run *run, int status)
{
    if (status != 0 || !run->work_left)
        return status;
    fprintf(stderr, "gfe live: %s ended, and on its GPU\n%s", run->request->run.program[0],
            run->work_left);
    return CMD_WORK_LEFT;
}

static bool log_copy(const char *path, struct output *output, struct gfe_error *error)
{
    FILE *from = fopen(path, "re");
    char room[1 << 14];
    size_t bytes;

    if (!from)
        return error_set_errno(error, errno, "%s", path);
    while ((bytes = fread(room, 1, sizeof room, from)) > 0)
        if (fwrite(room, 1, bytes, output->file) != bytes)
            break;
    (void)fclose(from);
    return bytes == 0 ? output_commit(output, error)
                      : error_set_errno(error, errno, "%s", output->path);
}

static int is_log(const struct dirent *entry)
{
    return fnmatch("live-*.gfl", entry->d_name, 0) == 0;
}

/* Each process has left a log. */
static bool run_collect(void *context, const char *directory, struct gfe_error *error)
{
    struct live_run *run = context;
    struct dirent **entries = NULL;
    const int count = scandir(directory, &entries, is_log, alphasort);
    bool good = count >= 0 || error_set_errno(error, errno, "%s", directory);

    for (int i = 0; i < count; i++) {
        char *path = NULL;

        if (asprintf(&path, "%s/%s", directory, entries[i]->d_name) < 0)
            path = NULL;
        good = good && (path || error_set_errno(error, ENOMEM, "live")) &&
               live_observe_log(&run->observation, path, error) &&
               run_open_waits(run, path, error) &&
               (i > 0 || !run->log || log_copy(path, run->log, error));
        free(path);
        free(entries[i]);
    }
    free(entries);
    return good;
}

/* What was written into a descriptor, which is closed; false with a message. */
static bool text_take(int fd, char **text, size_t *bytes, struct gfe_error *error)
{
    const off_t end = lseek(fd, 0, SEEK_END);
    const size_t wanted = end < 0 ? 0 : end < LIVE_OUTPUT_MAX ? (size_t)end : LIVE_OUTPUT_MAX;
    ssize_t done = -1;

    *text = malloc(wanted + 1);
    if (*text)
        done = input_at(fd, *text, wanted, 0);
    *bytes = done > 0 ? (size_t)done : 0;
    if (done < 0)
        (void)error_set_errno(error, errno, "live: what the program printed");
    close(fd);
    return done >= 0;
}

static void run_ended(struct live_run *run)
{
    struct live_observation *observation = &run->observation;
    const int status = run->live.wait_status;

    observation->timed_out = run->live.timed_out;
    observation->was_killed = WIFSIGNALED(status);
    observation->status = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    observation->took_ns = run->live.took_ns;
}

/* False with a message, or with one that was printed: *status is then that of gfe. */
static bool run_make(struct live_run *run, const struct live_request *request, bool with_faults,
                     bool keeps_output, uint64_t timeout_ns, int *status, struct gfe_error *error)
{
    struct record_run_options options = request->run;
    char *orders = live_orders(request, with_faults);
    bool good = orders || error_set_errno(error, ENOMEM, "live");

    run->request = request;
    run->live = (struct record_live){.orders = orders,
                                     .timeout_ns = timeout_ns,
                                     .out_fd = -1,
                                     .err_fd = -1,
                                     .collect = run_collect,
                                     .context = run};
    if (good && keeps_output) {
        run->live.out_fd = memfd_create("stdout", MFD_CLOEXEC);
        run->live.err_fd = memfd_create("stderr", MFD_CLOEXEC);
        good = (run->live.out_fd >= 0 && run->live.err_fd >= 0) ||
               error_set_errno(error, errno, "live");
    }
    options.live = &run->live;
    if (good) {
        *status = record_run(&options);
        good = run->live.has_run;
        run_ended(run);
    }
    if (run->live.out_fd >= 0)
        good = text_take(run->live.out_fd, &run->observation.output, &run->observation.output_bytes,
                         error) &&
               good;
    if (run->live.err_fd >= 0)
        good = text_take(run->live.err_fd, &run->errors, &run->error_bytes, error) && good;
    free(orders);
    return good;
}

/* It must have had the emulated GPU. */
static bool run_check(const struct live_run *run, struct gfe_error *error)
{
    if (run->live.problem[0])
        return error_set(error, ERROR_INPUT, "%s", run->live.problem);
    if (run->observation.process_count == 0 && run->live.opened)
        return error_set(error, ERROR_INPUT,
                         "%s opened the GPU (/dev/kfd or a render node) and asked nothing of it",
                         run->request->run.program[0]);
    if (run->observation.process_count == 0)
        return error_set(error, ERROR_INPUT, "%s never opened the GPU (%s)",
                         run->request->run.program[0],
                         run->request->run.board ? "a render node of nouveau's" : "/dev/kfd");
    return true;
}

static void run_fini(struct live_run *run)
{
    live_observation_fini(&run->observation);
    free(run->work_left);
    free(run->errors);
}

/* ---- the command ------------------------------------------------------------------------------
 */

static bool live_report(const struct live_request *request, const struct live_run *golden,
                        const struct live_run *faulty, struct gfe_error *error)
{
    struct live_question question = {.fault_count = request->fault_count,
                                     .late_ns = request->late_ns};
    struct live_outcome outcome;
    const struct live_report report = {
        .gpu = request->gpu,
        .program = request->run.program[0],
        .faults = request->faults,
        .changes = request->changes,
        .subjects = request->subjects,
        .fault_count = request->fault_count,
        .golden = &golden->observation,
        .faulty = &faulty->observation,
        .outcome = &outcome,
        .output = faulty->observation.output,
        .output_bytes = faulty->observation.output_bytes,
        .errors = faulty->errors,
        .error_bytes = faulty->error_bytes,
        .left_count = faulty->live.left_count,
    };

    for (uint32_t i = 0; i < request->fault_count; i++)
        question.subjects[i] = request->subjects[i];
    outcome = live_judge(&golden->observation, &faulty->observation, &question);
    if (request->json && !live_print_json(stdout, &report))
        return error_set(error, ERROR_SYSTEM, "no memory");
    if (!request->json)
        live_print(stdout, &report);
    return output_flush_stdout(error);
}

/* What a fault does to a program that fails anyway cannot be told. */
static bool control_check(const struct live_run *run, struct gfe_error *error)
{
    const struct live_observation *seen = &run->observation;
    const char *program = run->request->run.program[0];

    if (seen->timed_out)
        return error_set(error, ERROR_INPUT, "%s did not end in time without a fault", program);
    if (seen->was_killed)
        return error_set(
            error, ERROR_INPUT,
            "%s: signal %d (%s) ends it without a fault: nothing can be said of faults "
            "(gfe live without --fault shows its output)",
            program, seen->status, strsignal(seen->status));
    return seen->status == 0 ||
           error_set(error, ERROR_INPUT,
                     "%s fails without a fault, with exit status %d: nothing can be said of faults "
                     "(gfe live without --fault shows its output)",
                     program, seen->status);
}

/* One run without faults.  Returns false if it did not go well: *status is then the program's, or 0
 * if that is not known. */
static bool control_make(struct live_run *run, const struct live_request *request, int *status,
                         struct gfe_error *error)
{
    const uint64_t timeout_ns = request->timeout_ns ? request->timeout_ns : GOLDEN_MAX_NS;

    if (!run_make(run, request, false, true, timeout_ns, status, error))
        return false;
    if (!run_check(run, error)) {
        *status = 0;
        return false;
    }
    if (run->live.interrupted) {
        *status = 128 + run->live.interrupted;
        return false;
    }
    return control_check(run, error);
}

/* All runs without faults: the first, widened by what the others did in another way. */
static bool controls_make(struct live_run *golden, const struct live_request *request, int *status,
                          struct gfe_error *error)
{
    bool good = control_make(golden, request, status, error);

    for (uint64_t i = 1; good && i < request->controls; i++) {
        struct live_run control = {0};

        good = control_make(&control, request, status, error) &&
               (live_control_add(&golden->observation, &control.observation) ||
                error_set_errno(error, ENOMEM, "live"));
        run_fini(&control);
    }
    return good;
}

/* Without and with the faults.  The exit status. */
static int live_compare(const struct live_request *request, struct output *log,
                        struct gfe_error *error)
{
    struct live_run golden = {0}, faulty = {.log = log};
    uint64_t timeout_ns = request->timeout_ns;
    int status = 1;
    bool good = controls_make(&golden, request, &status, error);

    if (!request->timeout_ns)
        timeout_ns = WATCHDOG_NS + WATCHDOG_TIMES * golden.observation.took_ns;
    if (good && (!run_make(&faulty, request, true, true, timeout_ns, &status, error) ||
                 !run_check(&faulty, error)))
        good = false, status = 1;
    if (good && faulty.live.interrupted)
        status = 128 + faulty.live.interrupted, good = false;
    if (good)
        status = live_report(request, &golden, &faulty, error) ? run_status(&golden, 0) : 1;
    run_fini(&golden);
    run_fini(&faulty);
    return status;
}

/* Without a fault; the output is the program's own.  Its exit status. */
static int live_once(const struct live_request *request, struct output *log,
                     struct gfe_error *error)
{
    struct live_run run = {.log = log};
    int status = 1;

    if (run_make(&run, request, false, false, request->timeout_ns, &status, error))
        (void)run_check(&run, error);
    if (run.live.timed_out)
        fprintf(stderr, "gfe: %s did not end in time, and was killed\n", request->run.program[0]);
    status = run_status(&run, status);
    run_fini(&run);
    return status;
}

static int live_do(struct live_request *request, struct args *args)
{
    struct gfe_error error = {0};
    struct output log = {0};
    int status = 0, failed;

    request->options.parameters = request->parameters;
    request->options.choices = request->choices;
    if (live_check(request, &error) && (!request->log || output_open(&log, request->log, &error)))
        status = request->fault_count > 0
                     ? live_compare(request, request->log ? &log : NULL, &error)
                     : live_once(request, request->log ? &log : NULL, &error);
    output_abort(&log);
    if (!error.text[0])
        return status;
    failed = args_failed(args, &error);
    return status ? status : failed;
}

static int live_list(const struct live_request *request, struct args *args)
{
    struct inject_site rows[INJECT_SITES_MAX];
    const bool nouveau = request->run.board != NULL;
    const struct inject_sites sites = nouveau ? live_nouveau_sites(rows) : live_kfd_sites(rows);
    const struct inject_vendor vendor = {(nouveau ? &gpu_nvidia : &gpu_amd)->name, &sites};
    struct gfe_error error = {0};

    if (!request->json)
        inject_list(stdout, &vendor, 1);
    else if (!inject_list_json(stdout, &vendor, 1))
        error_set(&error, ERROR_SYSTEM, "no memory");
    return error.text[0] || !output_flush_stdout(&error) ? args_failed(args, &error) : 0;
}

int cmd_live(int argc, char **argv)
{
    struct live_request request = {.gpu = gpu_amd.default_gpu, .controls = CONTROLS};
    struct args args;
    int option;

    args_start(&args, &live_command, argc, argv);
    while ((option = args_next(&args)) > 0)
        if (!live_option(&args, &request, option))
            return args.status;
    if (option == ARGS_STOP || !args_operands(&args, request.list ? 0 : 1, request.list ? 0 : -1))
        return args.status;
    if (request.list)
        return live_list(&request, &args);
    request.run.program = args.operands;
    request.run.gpu = request.gpu;
    if (!request.run.board)
        request.run.kfd_board_count = record_kfd_board_list(request.gpu, request.run.kfd_boards);
    request.run.quiet = true;
    return live_do(&request, &args);
}
