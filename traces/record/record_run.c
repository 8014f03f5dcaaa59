/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/record/record_run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "emu/base/text_stream.h"
#include "emu/base/output.h"
#include "emu/base/retry.h"
#include "traces/record/record_directory.h"
#include "traces/record/record_parts.h"
#include "traces/record/kfd/record_kfd_probe.h"
#include "traces/record/kfd/record_kfd_tree.h"
#include "traces/record/record_live.h"
#include "traces/record/nouveau/record_pass_probe.h"
#include "traces/record/record_preload.h"
#include "traces/record/record_program.h"
#include "traces/record/record_recover.h"
#include "traces/record/record_say.h"
#include "traces/record/record_shared.h"
#include "traces/record/record_tree.h"
#include "traces/record/record_wait.h"

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
    /* Signals that would end gfe are blocked from begin to end, so that nothing is left behind and
     * nothing is lost: they are passed on to the program. */
    sigset_t blocked, mask;     /* those with SIGCHLD; the mask of before */
    struct sigaction file_size; /* the program's action for SIGXFSZ, which gfe ignores */
    bool keep;                  /* the directory stays: a trace could not be made of it */
};

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
static void program_exec(const struct run *run, int report_fd)
{
    ssize_t written;
    int error;

    sigprocmask(SIG_SETMASK, &run->mask, NULL);
    sigaction(SIGXFSZ, &run->file_size, NULL);
    if (environment_set(run) && (!run->options->live || record_live_child(run->options->live)))
        execvp(run->options->program[0], run->options->program);
    error = errno;
    RETRY(written, write(report_fd, &error, sizeof error)); /* a pipe takes it whole */
    _exit(written < 0 ? 126 : 127);
}

/* Starts the program; the signals that are to be passed on are blocked here, not there. */
static bool program_start(struct run *run, struct gfe_error *error)
{
    int report[2], child_errno = 0;
    ssize_t bytes;
    pid_t ended;

    if (pipe2(report, O_CLOEXEC) != 0)
        return error_set_errno(error, errno, "record");
    run->program = fork();
    if (run->program == 0)
        program_exec(run, report[1]);
    close(report[1]);
    if (run->program < 0) {
        close(report[0]);
        return error_set_errno(error, errno, "%s", run->options->program[0]);
    }
    RETRY(bytes, read(report[0], &child_errno, sizeof child_errno));
    close(report[0]);
    if (bytes != sizeof child_errno)
        return true; /* the pipe closed with the exec */
    RETRY(ended, waitpid(run->program, &run->wait_status, 0));
    return error_set_errno(error, child_errno, "%s: does not start", run->options->program[0]);
}

static bool program_run(struct run *run, struct gfe_error *error)
{
    const struct sigaction standard = {.sa_handler = SIG_DFL};
    struct record_wait wait = {.name = run->options->program[0],
                               .blocked = &run->blocked,
                               .end_rest = run->options->end_rest,
                               .quiet = run->options->quiet};

    sigaction(SIGCHLD, &standard, NULL); /* ignored, it would take the exit status away */
    /* What a process of the program leaves behind when it dies becomes our child. */
    if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0)
        return error_set_errno(error, errno, "record");
    if (!program_start(run, error))
        return false;
    if (run->options->live) {
        run->wait_status = record_live_wait(run->options->live, run->program, &run->blocked);
        return true;
    }
    wait.program = run->program;
    record_wait_program(&wait);
    run->wait_status = wait.wait_status;
    record_wait_rest(&wait);
    return true;
}

static int program_status(const struct run *run)
{
    return WIFSIGNALED(run->wait_status) ? SIGNAL_STATUS + WTERMSIG(run->wait_status)
                                         : WEXITSTATUS(run->wait_status);
}

/* ---- afterwards ------------------------------------------------------------------------------ */

/* A program that was built for the other vendor's GPUs looks for another node. */
static void say_nothing(const struct run *run)
{
    const char *program = run->options->program[0];

    if (run->options->passthrough)
        record_say("%s never used the GPU (%s): nothing was recorded", program,
                   run->is_kfd ? RECORD_KFD_NODE : run->device.path);
    else if (run->shared->opened)
        record_say("%s opened the GPU (" RECORD_KFD_NODE
                   " or a render node) and asked nothing of it: nothing was recorded",
                   program);
    else if (run->is_kfd)
        record_say(
            "%s never opened the GPU (" RECORD_KFD_NODE
            "): nothing was recorded; a program of OpenGL "
            "or Vulkan needs --gpu gtx1060 or the like, and rocminfo needs lsmod (Debian's kmod)",
            program);
    else
        record_say("%s never opened the GPU (" RECORD_TREE_NODE
                   "): nothing was recorded; a program of HIP or "
                   "ROCm needs --gpu radeon-vii or the like",
                   program);
}

/* Why a recorded process stopped recording.  A full disk may have had no room for the file. */
static bool problem_read(const struct run *run, char *text, size_t room)
{
    if (!run->shared->problem[0])
        return record_parts_problem(&run->directory, text, room);
    (void)snprintf(text, room, "%.*s", (int)sizeof run->shared->problem - 1, run->shared->problem);
    return true;
}

/* The trace could not be made: what it was to be made of stays. */
static void say_kept(struct run *run, const struct gfe_error *error)
{
    run->keep = true;
    record_say("%s; what was recorded is kept: gfe record --recover %s -o %s", error->text,
               run->directory.path, run->options->output);
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
        (void)problem_read(run, run->options->live->problem, sizeof run->options->live->problem);
        if (run->options->live->problem[0])
            return status; /* gfe live says it; the logs end anywhere */
        return record_live_collect(run->options->live, run->directory.path, &error)
                   ? status
                   : record_say_error(&error);
    }
    record_shared_lock(run->shared);
    run->shared->over = 1;
    record_shared_unlock(run->shared);
    if (!record_directory_follow(&run->directory)) {
        record_say("%s: the folder was deleted while the program ran, and what was recorded is "
                   "lost with it",
                   run->directory.path);
        return status ? status : 1;
    }
    if (!record_parts_exist(&run->directory)) {
        if (problem_read(run, problem, sizeof problem))
            record_say("%s: nothing was recorded: %s (TMPDIR: %s)", run->options->output, problem,
                       run->directory.path);
        else
            say_nothing(run);
        return status ? status : 1;
    }
    if (!record_parts_join(&run->directory, false, &run->output, run->options->output, &end,
                           &totals, &error)) {
        say_kept(run, &error);
        return status ? status : 1;
    }
    if (!record_directory_alone(&run->directory))
        record_say("%s: a recorded process goes on; what it does from here is not recorded",
                   run->options->output);
    if (problem_read(run, problem, sizeof problem)) {
        record_say("%s: incomplete: %s (TMPDIR: %s)", run->options->output, problem,
                   run->directory.path);
        return status ? status : 1;
    }
    if (!run->options->quiet)
        record_say_summary(run->options->output, &totals);
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------- */

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
    run->shared = record_shared_make(run->directory.path, &run->files, error);
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
    if (run->files.state_fd >= 0)
        close(run->files.state_fd);
}

static void signals_block(struct run *run)
{
    static const int ends[] = {SIGCHLD, SIGTERM, SIGHUP, SIGINT, SIGQUIT};
    const struct sigaction ignored = {.sa_handler = SIG_IGN};

    sigemptyset(&run->blocked);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        sigaddset(&run->blocked, ends[i]);
    sigprocmask(SIG_BLOCK, &run->blocked, &run->mask);
    sigaction(SIGXFSZ, &ignored, &run->file_size); /* a limit on files is an error in words */
}

int record_run(const struct record_run_options *options)
{
    struct run run = {.options = options, .directory.lock_fd = -1, .files = {-1, -1, -1}};
    struct gfe_error error = {0};
    int status;

    signals_block(&run);
    if (record_program_check(options->program[0], &error) && driver_check(&run, &error) &&
        (options->live || record_parts_output(&run.output, options->output, &error))) {
        if (!options->quiet)
            record_say_left();
        if (record_directory_make(&run.directory, &error) && tree_prepare(&run, &error) &&
            shared_prepare(&run, &error) && library_prepare(&run, &error) &&
            (!options->live || record_live_orders(options->live, run.directory.path, &error)))
            (void)program_run(&run, &error);
    }
    status = error.text[0] ? record_say_error(&error) : run_end(&run);
    output_abort(&run.output);
    if (run.keep)
        record_directory_leave(&run.directory);
    else
        record_directory_remove(&run.directory);
    shared_end(&run);
    free(run.library);
    sigaction(SIGXFSZ, &run.file_size, NULL);
    sigprocmask(SIG_SETMASK, &run.mask, NULL);
    return status;
}
