/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/record/record_run.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "emu/base/text_stream.h"
#include "emu/base/output.h"
#include "emu/base/retry.h"
#include "traces/record/record_directory.h"
#include "traces/record/record_finish.h"
#include "traces/record/kfd/record_kfd_probe.h"
#include "traces/record/kfd/record_kfd_tree.h"
#include "traces/record/record_live.h"
#include "traces/record/nouveau/record_pass_probe.h"
#include "traces/record/record_preload.h"
#include "traces/record/record_program.h"
#include "traces/record/record_shared.h"
#include "traces/record/record_tree.h"

enum { SIGNAL_STATUS = 128 };

/* One recording on its way. */
struct run {
    const struct record_run_options *options;
    struct record_directory directory;
    struct record_shared *shared;
    bool is_kfd;                      /* it is KFD that is stood in for, or recorded above */
    struct record_pass_device device; /* with --passthrough */
    struct record_kfd_device kfd_device;
    struct record_memory_files files; /* open as long as processes may come for them */
    char *library;                    /* as LD_PRELOAD needs it */
    struct output output;
    pid_t program;
    int wait_status;
};

/* ---- words ----------------------------------------------------------------------------------- */

static void __attribute__((format(printf, 1, 2))) say(const char *format, ...)
{
    va_list arguments;

    fputs("gfe: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

static int fail(const struct gfe_error *error)
{
    say("%s", error->text);
    return error_exit_status(error);
}

/* Prints the summary of a program that has user-mode queues. */
static void say_ring_summary(const char *output, const struct record_totals *totals)
{
    say("%s: %llu queues of %u clients, %llu doorbells, %llu packets, %llu bytes of memory, %llu "
        "waits, %llu completions; %s; the trace can hold private memory of the program",
        output, (unsigned long long)totals->queues, (unsigned)totals->clients,
        (unsigned long long)totals->doorbells, (unsigned long long)totals->packets,
        (unsigned long long)totals->memory_bytes, (unsigned long long)totals->waits,
        (unsigned long long)totals->completions,
        totals->on_hardware
            ? "completion values are those that were seen of the real driver's GPU"
            : "no GPU ran: copies, fills and barriers took effect, kernels of the program were not "
              "executed");
}

static void say_summary(const char *output, const struct record_totals *totals)
{
    char who[60] = "";

    if (totals->is_ring) {
        say_ring_summary(output, totals);
        return;
    }
    if (totals->clients > 1)
        snprintf(who, sizeof who, " of %u clients", (unsigned)totals->clients);
    say("%s: %llu submissions%s, %llu dwords of methods, %llu bytes of memory, %llu waits, %llu "
        "completions; %s; the trace can hold private memory of the program%s (see gfe scrub)",
        output, (unsigned long long)totals->submissions, who,
        (unsigned long long)(totals->pushed_bytes / 4), (unsigned long long)totals->memory_bytes,
        (unsigned long long)totals->waits, (unsigned long long)totals->completions,
        totals->on_hardware ? "completion values are those that were seen of the real driver's GPU"
                            : "no GPU ran: completion values, and what the program read back, are "
                              "the stand-in's",
        totals->on_hardware ? ", and what the GPU wrote there" : "");
}

static void say_swept(const char *path)
{
    say("%s: removed (left behind by a gfe record that was killed)", path);
}

/* ---- the library ----------------------------------------------------------------------------- */

/* "<directory of this program>/middle/NAME" if it can be read. */
static char *library_beside(const char *middle, const char *name)
{
    char *program = realpath("/proc/self/exe", NULL);
    char *path = NULL;
    char *slash = program ? strrchr(program, '/') : NULL;

    if (slash) {
        *slash = 0;
        if (asprintf(&path, "%s%s/%s", program, middle, name) < 0)
            path = NULL;
    }
    free(program);
    if (path && access(path, R_OK) == 0)
        return path;
    free(path);
    return NULL;
}

/* Path of that library: beside this program or where it is installed.  Allocated; NULL with a
 * message. */
static char *library_find(const char *name, struct gfe_error *error)
{
    char *path = library_beside("", name), *installed = NULL;

    if (!path) /* installed, and moved since */
        path = library_beside("/../lib/" PACKAGE, name);
    if (path)
        return path;
    if (asprintf(&installed, "%s/%s", GFE_PKGLIBDIR, name) < 0)
        installed = NULL;
    if (!installed)
        error_set_errno(error, ENOMEM, "record");
    else if (access(installed, R_OK) == 0)
        return installed;
    else
        error_set(error, ERROR_SYSTEM, "%s: not there; is gfe installed completely?", installed);
    free(installed);
    return NULL;
}

char *record_run_library(struct gfe_error *error)
{
    const char *wanted = getenv("GFE_RECORD_LIBRARY");
    char *path;

    if (wanted && *wanted) {
        path = realpath(wanted, NULL);
        if (!path)
            error_set_errno(error, errno, "%s (GFE_RECORD_LIBRARY)", wanted);
        return path;
    }
    return library_find("libgfe-record.so", error);
}

/* A blank or a colon would end the path in LD_PRELOAD. */
static bool preload_can_name(const char *path)
{
    return strpbrk(path, " :\t\n") == NULL;
}

static bool library_prepare(struct run *run, struct gfe_error *error)
{
    char *path =
        run->options->live ? library_find("libgfe-live.so", error) : record_run_library(error);

    if (!path || preload_can_name(path)) {
        run->library = path;
        return path != NULL;
    }
    run->library = record_directory_file(&run->directory, "libgfe-record.so");
    if (!run->library)
        error_set_errno(error, ENOMEM, "record");
    else if (!preload_can_name(run->library))
        error_set(error, ERROR_INPUT, "%s: TMPDIR has a blank or a colon in its name",
                  run->directory.path);
    else if (symlink(path, run->library) != 0)
        error_set_errno(error, errno, "%s", run->library);
    free(path);
    return !error->text[0];
}

/* ---- the program ----------------------------------------------------------------------------- */

/* The command line with blanks between its words; NULL when memory is short. */
static char *command_line(char **words)
{
    struct text_stream stream;
    FILE *file = text_stream_open(&stream);

    for (char **word = words; file && *word; word++)
        fprintf(file, "%s%s", word > words ? " " : "", *word);
    return text_stream_close(&stream, file);
}

/* A trace has the command line only if it was asked for. */
static bool command_set(const struct record_run_options *options)
{
    char *line;
    bool done;

    if (!options->keep_command_line)
        return unsetenv(RECORD_ENV_COMMAND) == 0;
    line = command_line(options->program);
    done = line && setenv(RECORD_ENV_COMMAND, line, 1) == 0;
    free(line);
    return done;
}

static bool environment_set(const struct run *run)
{
    const char *already = getenv("LD_PRELOAD");
    char *preload = NULL;
    char *node = NULL;
    bool done;

    if (run->options->passthrough
            ? asprintf(&node, "%u:%u:%u", run->is_kfd ? run->kfd_device.major : run->device.major,
                       run->is_kfd ? run->kfd_device.minor : run->device.minor,
                       run->is_kfd ? run->kfd_device.gpu_count : 0) < 0
            : asprintf(&node, "%llu:%llu", (unsigned long long)run->shared->memory_device,
                       (unsigned long long)run->shared->memory_inode) < 0)
        return false;
    if (asprintf(&preload, "%s%s%s", run->library, already && *already ? ":" : "",
                 already ? already : "") < 0) {
        free(node);
        return false;
    }
    done =
        setenv("LD_PRELOAD", preload, 1) == 0 &&
        setenv(RECORD_ENV_DIRECTORY, run->directory.path, 1) == 0 &&
        (run->options->passthrough
             ? setenv(RECORD_ENV_PASSING, node, 1) == 0
             : setenv(RECORD_ENV_GPU,
                      run->options->board ? run->options->board->gpu : run->options->gpu, 1) == 0 &&
                   setenv(RECORD_ENV_NODE, node, 1) == 0 && unsetenv(RECORD_ENV_PASSING) == 0) &&
        command_set(run->options) &&
        /* A cached shader would not be compiled, and the cache is the user's. */
        setenv("MESA_SHADER_CACHE_DISABLE", "1", 1) == 0;
    free(preload);
    free(node);
    return done;
}

/* In the child: does not return. */
static void program_exec(const struct run *run, const sigset_t *mask, int report_fd)
{
    ssize_t written;
    int error;

    sigprocmask(SIG_SETMASK, mask, NULL);
    if (environment_set(run) && (!run->options->live || record_live_child(run->options->live)))
        execvp(run->options->program[0], run->options->program);
    error = errno;
    RETRY(written, write(report_fd, &error, sizeof error)); /* a pipe takes it whole */
    _exit(written < 0 ? 126 : 127);
}

/* Starts the program; the signals that are to be passed on are blocked here, not there. */
static bool program_start(struct run *run, const sigset_t *blocked, sigset_t *before,
                          struct gfe_error *error)
{
    int report[2], child_errno = 0;
    ssize_t bytes;
    pid_t ended;

    if (pipe2(report, O_CLOEXEC) != 0)
        return error_set_errno(error, errno, "record");
    sigprocmask(SIG_BLOCK, blocked, before);
    run->program = fork();
    if (run->program == 0)
        program_exec(run, before, report[1]);
    close(report[1]);
    if (run->program < 0) {
        close(report[0]);
        sigprocmask(SIG_SETMASK, before, NULL);
        return error_set_errno(error, errno, "%s", run->options->program[0]);
    }
    RETRY(bytes, read(report[0], &child_errno, sizeof child_errno));
    close(report[0]);
    if (bytes != sizeof child_errno)
        return true; /* the pipe closed with the exec */
    RETRY(ended, waitpid(run->program, &run->wait_status, 0));
    sigprocmask(SIG_SETMASK, before, NULL);
    return error_set_errno(error, child_errno, "%s: does not start", run->options->program[0]);
}

/* The terminal sends its signals to the program too. */
static bool typed_at_terminal(const siginfo_t *info)
{
    return (info->si_signo == SIGINT || info->si_signo == SIGQUIT) && info->si_code == SI_KERNEL;
}

static void program_wait(struct run *run, const sigset_t *blocked)
{
    siginfo_t info;
    pid_t ended;

    for (;;) {
        RETRY(ended, waitpid(run->program, &run->wait_status, WNOHANG));
        if (ended != 0)
            return;
        if (sigwaitinfo(blocked, &info) < 0 || info.si_signo == SIGCHLD)
            continue;
        if (!typed_at_terminal(&info))
            kill(run->program, info.si_signo);
    }
}

static bool program_run(struct run *run, struct gfe_error *error)
{
    const struct sigaction standard = {.sa_handler = SIG_DFL};
    sigset_t blocked, before;

    sigemptyset(&blocked);
    sigaddset(&blocked, SIGCHLD);
    sigaddset(&blocked, SIGTERM);
    sigaddset(&blocked, SIGHUP);
    sigaddset(&blocked, SIGINT);
    sigaddset(&blocked, SIGQUIT);
    sigaction(SIGCHLD, &standard, NULL); /* ignored, it would take the exit status away */
    if (!program_start(run, &blocked, &before, error))
        return false;
    if (run->options->live)
        run->wait_status = record_live_wait(run->options->live, run->program, &blocked);
    else
        program_wait(run, &blocked);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return true;
}

static int program_status(const struct run *run)
{
    return WIFSIGNALED(run->wait_status) ? SIGNAL_STATUS + WTERMSIG(run->wait_status)
                                         : WEXITSTATUS(run->wait_status);
}

/* ---- afterwards ------------------------------------------------------------------------------ */

/* The reason that the recorded process left for stopping, into `text`; false when there is none. */
static bool problem_read(const struct record_directory *directory, char *text, size_t room)
{
    char *path = record_directory_file(directory, RECORD_NAME_PROBLEM);
    ssize_t bytes = -1, done;
    int fd = -1;

    if (path)
        RETRY(fd, open(path, O_RDONLY | O_CLOEXEC));
    if (fd >= 0)
        for (bytes = 0; (size_t)bytes < room - 1; bytes += done) {
            RETRY(done, read(fd, text + bytes, room - 1 - (size_t)bytes));
            if (done <= 0)
                break;
        }
    if (fd >= 0)
        close(fd);
    free(path);
    if (bytes < 0)
        return false;
    text[bytes] = 0;
    return true;
}

static int names_order(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void names_free(char **names, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
}

/* Paths of the parts in the directory, in the order of their numbers; NULL when there are none, or
 * with a message.  Their number is in *count. */
static char **parts_list(const struct record_directory *directory, uint32_t *count,
                         struct gfe_error *error)
{
    DIR *stream = opendir(directory->path);
    char **names = NULL;

    *count = 0;
    if (!stream)
        error_set_errno(error, errno, "%s", directory->path);
    for (struct dirent *entry = stream ? readdir(stream) : NULL; entry; entry = readdir(stream)) {
        char **grown;

        if (fnmatch(RECORD_PART_PATTERN, entry->d_name, 0) != 0)
            continue;
        grown = realloc(names, (*count + 1) * sizeof *names);
        if (grown) {
            names = grown;
            names[*count] = record_directory_file(directory, entry->d_name);
        }
        if (!grown || !names[*count]) {
            error_set_errno(error, ENOMEM, "%s", directory->path);
            break;
        }
        ++*count;
    }
    if (stream)
        closedir(stream);
    if (*count > 0 && !error->text[0]) {
        qsort(names, *count, sizeof *names, names_order);
        return names;
    }
    names_free(names, *count);
    return NULL;
}

/* Makes the trace of what is in the directory, which has parts. */
static bool trace_make(const struct record_directory *directory, struct output *output,
                       const char *name, const struct trace_end *end, struct record_totals *totals,
                       struct gfe_error *error)
{
    uint32_t count;
    char **parts = parts_list(directory, &count, error);
    const bool done = parts && record_finish(parts, count, output->fd, name, end, totals, error) &&
                      output_commit(output, error);

    names_free(parts, parts ? count : 0);
    return done;
}

static bool parts_exist(const struct record_directory *directory)
{
    struct gfe_error error = {0};
    uint32_t count;
    char **parts = parts_list(directory, &count, &error);

    names_free(parts, parts ? count : 0);
    return parts || error.text[0];
}

/* A program that was built for the other vendor's GPUs looks for another node. */
static void say_nothing(const struct run *run)
{
    const char *program = run->options->program[0];

    if (run->options->passthrough)
        say("%s never used the GPU (%s): nothing was recorded", program,
            run->is_kfd ? RECORD_KFD_NODE : run->device.path);
    else if (run->shared->opened)
        say("%s opened the GPU (" RECORD_KFD_NODE
            " or a render node) and asked nothing of it: nothing was recorded",
            program);
    else if (run->is_kfd)
        say("%s never opened the GPU (" RECORD_KFD_NODE
            "): nothing was recorded; a program of OpenGL "
            "or Vulkan needs --gpu gtx1060 or the like, and rocminfo needs lsmod (Debian's kmod)",
            program);
    else
        say("%s never opened the GPU (" RECORD_TREE_NODE
            "): nothing was recorded; a program of HIP or "
            "ROCm needs --gpu radeon-vii or the like",
            program);
}

/* The program has ended: the exit status of gfe record. */
static int run_end(struct run *run)
{
    const int status = program_status(run);
    const struct trace_end end = {
        .exit_status = (uint32_t)run->wait_status,
        .how = WIFSIGNALED(run->wait_status) ? TRACE_END_KILLED : TRACE_END_EXIT,
    };
    struct record_totals totals;
    struct gfe_error error = {0};
    char problem[500];

    if (run->options->live) {
        run->options->live->opened = run->shared->opened;
        (void)problem_read(&run->directory, run->options->live->problem,
                           sizeof run->options->live->problem);
        return record_live_collect(run->options->live, run->directory.path, &error) ? status
                                                                                    : fail(&error);
    }
    record_shared_lock(run->shared);
    run->shared->over = 1;
    record_shared_unlock(run->shared);
    if (!parts_exist(&run->directory)) {
        if (problem_read(&run->directory, problem, sizeof problem))
            say("%s", problem);
        else
            say_nothing(run);
        return status ? status : 1;
    }
    if (!trace_make(&run->directory, &run->output, run->options->output, &end, &totals, &error)) {
        say("%s", error.text);
        return status ? status : 1;
    }
    if (!record_directory_alone(&run->directory))
        say("%s: a recorded process goes on; what it does from here is not recorded",
            run->options->output);
    if (problem_read(&run->directory, problem, sizeof problem)) {
        say("%s: incomplete: %s", run->options->output, problem);
        return status ? status : 1;
    }
    if (!run->options->quiet)
        say_summary(run->options->output, &totals);
    return status;
}

/* ---- the two ways in ------------------------------------------------------------------------- */

static bool output_prepare(struct output *output, const char *path, struct gfe_error *error)
{
    if (strcmp(path, "-") == 0)
        return error_set(error, ERROR_USAGE,
                         "record: the trace cannot go to standard output, which is the program's");
    return output_open(output, path, error);
}

static bool tree_prepare(const struct run *run, struct gfe_error *error)
{
    char *tree = NULL;
    bool done = false;

    if (run->options->passthrough)
        return true; /* the real one is there */
    tree = record_directory_file(&run->directory, RECORD_NAME_TREE);
    if (!tree)
        error_set_errno(error, ENOMEM, "record");
    else if (mkdir(tree, 0700) != 0)
        error_set_errno(error, errno, "%s", tree);
    else if (run->options->board)
        done = record_tree_make(tree, run->options->board, error);
    else
        done = record_kfd_tree_make(tree, run->options->kfd_boards, run->options->kfd_board_count,
                                    error);
    free(tree);
    return done;
}

static bool shared_prepare(struct run *run, struct gfe_error *error)
{
    char *path = record_directory_file(&run->directory, RECORD_NAME_STATE);

    if (!path)
        return error_set_errno(error, ENOMEM, "record");
    run->shared = record_shared_make(path, &run->files, error);
    free(path);
    if (run->shared)
        run->shared->device = run->device;
    if (run->shared)
        run->shared->kfd_device = run->kfd_device;
    return run->shared != NULL;
}

/* The real driver: of the GPU that was named, or nouveau's, or KFD's. */
static bool real_driver_check(struct run *run, struct gfe_error *error)
{
    const char *names = run->options->gpu;
    struct gfe_error nouveau = {0};

    run->is_kfd = !run->options->board;
    if (!run->is_kfd && record_pass_probe("/dev/dri", names, &run->device, &nouveau))
        return true;
    if (!run->is_kfd && (names || !record_kfd_probe_is_there())) {
        *error = nouveau;
        return false;
    }
    run->is_kfd = true;
    return record_kfd_probe(names, &run->kfd_device, error);
}

/* Is there the driver that the program will find? */
static bool driver_check(struct run *run, struct gfe_error *error)
{
    if (run->options->passthrough)
        return real_driver_check(run, error);
    run->is_kfd = !run->options->board;
    /* A program of ROCm's needs its libraries to start at all. */
    return run->is_kfd || record_program_driver_check(error);
}

static void shared_end(struct run *run)
{
    record_shared_close(run->shared);
    if (run->files.memory_fd >= 0)
        close(run->files.memory_fd);
    if (run->files.saved_fd >= 0)
        close(run->files.saved_fd);
}

int record_run(const struct record_run_options *options)
{
    struct run run = {.options = options, .directory.lock_fd = -1, .files = {-1, -1}};
    struct gfe_error error = {0};
    int status;

    if (record_program_check(options->program[0], &error) && driver_check(&run, &error) &&
        (options->live || output_prepare(&run.output, options->output, &error))) {
        record_directory_sweep(say_swept);
        if (record_directory_make(&run.directory, &error) && tree_prepare(&run, &error) &&
            shared_prepare(&run, &error) && library_prepare(&run, &error) &&
            (!options->live || record_live_orders(options->live, run.directory.path, &error)))
            (void)program_run(&run, &error);
    }
    status = error.text[0] ? fail(&error) : run_end(&run);
    output_abort(&run.output);
    record_directory_remove(&run.directory);
    shared_end(&run);
    free(run.library);
    return status;
}

int record_recover(const char *path, const char *output_path, bool quiet)
{
    const struct trace_end end = {.how = TRACE_END_RECOVERED};
    struct record_directory directory = {.lock_fd = -1};
    struct output output = {0};
    struct record_totals totals;
    struct gfe_error error = {0};

    if (!record_directory_take(&directory, path, &error))
        return fail(&error);
    if (!parts_exist(&directory))
        error_set(&error, ERROR_INPUT, "%s: nothing was recorded there", path);
    else if (output_prepare(&output, output_path, &error))
        (void)trace_make(&directory, &output, output_path, &end, &totals, &error);
    output_abort(&output);
    if (error.text[0]) {
        record_directory_leave(&directory);
        return fail(&error);
    }
    record_directory_remove(&directory);
    if (!quiet)
        say_summary(output_path, &totals);
    return 0;
}
