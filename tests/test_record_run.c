/* SPDX-License-Identifier: MIT */
/*
 * record_run(): programs are shells, and the library that is preloaded is the C library, which does
 * nothing; what a recorded process would leave in the recording's directory they leave themselves.
 * With the real library: tests/test_record.sh and the scripts beside it.
 */
#include <config.h>

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/check_refuse.h"
#include "tests/suites.h"
#include "traces/format/trace.h"
#include "traces/record/record_live.h"
#include "traces/record/record_out.h"
#include "traces/record/record_run.h"
#include "traces/record/record_tree.h"

static char root[] = "/tmp/gfe-test-run-XXXXXX";
static char words[500]; /* of the shell */
static char *program[] = {(char *)"/bin/sh", (char *)"-c", words, NULL};
static char said[4096];
static void (*before_run)(void); /* in the process that records */

static int library_is(struct dl_phdr_info *info, size_t bytes, void *path)
{
    (void)bytes;
    if (!strstr(info->dlpi_name, "/libc.so"))
        return 0;
    snprintf(path, PATH_MAX, "%s", info->dlpi_name);
    return 1;
}

static void setup(void)
{
    char library[PATH_MAX] = "", resolved[PATH_MAX];

    strcpy(root, "/tmp/gfe-test-run-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(root));
    ck_assert_int_eq(chdir(root), 0);
    ck_assert_int_eq(mkdir("tmp", 0700), 0);
    snprintf(words, sizeof words, "%s/tmp", root);
    setenv("TMPDIR", words, 1);
    ck_assert_int_eq(dl_iterate_phdr(library_is, library), 1);
    ck_assert_ptr_nonnull(realpath(library, resolved));
    setenv("GFE_RECORD_LIBRARY", resolved, 1);
    unsetenv("LD_PRELOAD");
}

static void teardown(void)
{
    ck_assert_int_eq(chdir("/"), 0);
    record_tree_remove(root);
}

static struct record_run_options options_for(const char *shell)
{
    snprintf(words, sizeof words, "%s", shell);
    return (struct record_run_options){.kfd_boards = {record_kfd_board_find("radeon-vii")},
                                       .kfd_board_count = 1,
                                       .output = "out.gft",
                                       .program = program,
                                       .gpu = "radeon-vii"};
}

/* Runs it in a child, whose messages are kept.  Returns the status that gfe record would have. */
static int run(const struct record_run_options *options)
{
    const int out = open("said", O_RDWR | O_CREAT | O_TRUNC, 0600);
    const pid_t child = fork();
    int status;
    ssize_t bytes;

    ck_assert(out >= 0 && child >= 0);
    if (child == 0) {
        dup2(out, STDOUT_FILENO);
        dup2(out, STDERR_FILENO);
        if (before_run)
            before_run();
        exit(record_run(options));
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status));
    bytes = pread(out, said, sizeof said - 1, 0);
    said[bytes > 0 ? bytes : 0] = '\0';
    close(out);
    return WEXITSTATUS(status);
}

static int run_shell(const char *shell)
{
    const struct record_run_options options = options_for(shell);

    return run(&options);
}

static void has_said(const char *text)
{
    ck_assert_msg(strstr(said, text) != NULL, "'%s' is not in '%s'", text, said);
}

static void nothing_is_left(void)
{
    ck_assert_int_eq(rmdir("tmp"), 0);
    ck_assert_int_ne(access("out.gft", F_OK), 0);
}

/* ---- what is told ---------------------------------------------------------------------------- */

START_TEST(a_program_without_a_gpu_is_told_so)
{
    ck_assert_int_eq(run_shell("exit 0"), 1);
    has_said("/bin/sh never opened the GPU (/dev/kfd): nothing was recorded");
    has_said("--gpu gtx1060");
    ck_assert_int_eq(run_shell("exit 4"), 4);
    ck_assert_int_eq(run_shell("kill -9 $$"), 128 + SIGKILL);
    nothing_is_left();
}
END_TEST

START_TEST(what_cannot_start_is_an_error)
{
    struct record_run_options options = options_for("");
    char *none[] = {(char *)"./no-such-program", NULL};
    FILE *file = fopen("damaged", "w");

    options.program = none;
    ck_assert_int_eq(run(&options), 1);
    has_said("./no-such-program: No such file or directory");
    /* An interpreter that is a program, but cannot be executed. */
    fputs("#!/bin/sh\n", file);
    ck_assert_int_eq(fchmod(fileno(file), 0755), 0);
    none[0] = (char *)"./damaged";
    ck_assert_int_eq(run(&options), 1);
    has_said("./damaged: does not start: Text file busy"); /* it is still open for writing */
    fclose(file);
    nothing_is_left();
}
END_TEST

START_TEST(an_output_that_cannot_be_made_is_an_error_first)
{
    struct record_run_options options = options_for("touch started");

    options.output = "no/such/folder.gft";
    ck_assert_int_eq(run(&options), 1);
    has_said("no/such/folder.gft: cannot be written: No such file or directory");
    ck_assert_int_ne(access("started", F_OK), 0);
    setenv("TMPDIR", "/no/such/tmp", 1);
    options.output = "out.gft";
    ck_assert_int_eq(run(&options), 1);
    has_said("/no/such/tmp");
    ck_assert_int_ne(access("started", F_OK), 0);
    nothing_is_left();
}
END_TEST

/* ---- the library ----------------------------------------------------------------------------- */

START_TEST(the_library_is_where_the_variable_says)
{
    struct gfe_error error = {0};
    char *path = record_run_library(&error);

    ck_assert_ptr_nonnull(path);
    ck_assert_str_eq(path, getenv("GFE_RECORD_LIBRARY"));
    free(path);
    setenv("GFE_RECORD_LIBRARY", "/no/such/library.so", 1);
    ck_assert_ptr_null(record_run_library(&error));
    ck_assert_ptr_nonnull(strstr(error.text, "/no/such/library.so (GFE_RECORD_LIBRARY)"));
    ck_assert_int_eq(run_shell("exit 0"), 1);
    has_said("(GFE_RECORD_LIBRARY)");
    nothing_is_left();
}
END_TEST

/* ld.so(8): LD_PRELOAD is a list with blanks or colons between. */
START_TEST(a_library_with_a_blank_in_its_name_gets_another)
{
    const char *library = getenv("GFE_RECORD_LIBRARY");

    ck_assert_int_eq(symlink(library, "lib one.so"), 0);
    ck_assert_int_eq(mkdir("a folder", 0700), 0);
    setenv("LD_PRELOAD", "", 1);
    ck_assert_int_eq(run_shell("echo \"preload $LD_PRELOAD\"; exit 6"), 6);
    has_said(library);
    ck_assert_int_eq(rename("lib one.so", "a folder/lib.so"), 0);
    ck_assert_int_eq(unlink("a folder/lib.so"), 0);
    {
        char command[PATH_MAX + 40];

        snprintf(command, sizeof command, "cp '%s' 'a folder/lib.so'", library);
        ck_assert_int_eq(system(command), 0);
    }
    setenv("GFE_RECORD_LIBRARY", "a folder/lib.so", 1);
    setenv("LD_PRELOAD", library, 1); /* what is there already comes behind */
    ck_assert_int_eq(run_shell("echo \"preload $LD_PRELOAD\"; exit 6"), 6);
    has_said("/libgfe-record.so:");
    has_said(library);
    ck_assert_int_eq(mkdir("t p", 0700), 0);
    setenv("TMPDIR", "t p", 1);
    ck_assert_int_eq(run_shell("exit 6"), 1);
    has_said("TMPDIR has a blank or a colon in its name");
    ck_assert_int_eq(rmdir("t p"), 0);
    nothing_is_left();
}
END_TEST

/* ---- what a program finds -------------------------------------------------------------------- */

START_TEST(the_environment_tells_the_library)
{
    struct record_run_options options =
        options_for("echo \"$GFE_RECORD_GPU $GFE_RECORD_COMMAND. $GFE_RECORD_PASSING.\"; "
                    "ls \"$GFE_RECORD_DIRECTORY/tree/dev\"; exit 2");

    setenv("GFE_RECORD_COMMAND", "old", 1);
    setenv("GFE_RECORD_PASSING", "1:2", 1);
    ck_assert_int_eq(run(&options), 2);
    has_said("radeon-vii . .\n"); /* no command line unless it was asked for */
    has_said("kfd");
    options.keep_command_line = true;
    ck_assert_int_eq(run(&options), 2);
    has_said("radeon-vii /bin/sh -c echo ");
    nothing_is_left();
}
END_TEST

/* ---- what recorded processes leave ----------------------------------------------------------- */

/* A part, "part.gft", as a process leaves it that made one mark. */
static void part_make(void)
{
    const int fd = open("part.gft", O_RDWR | O_CREAT | O_TRUNC, 0600);
    struct trace_record record = {.meta = {.format = TRACE_FORMAT}};
    struct gfe_error error = {0};
    struct trace_writer *writer = trace_writer_new(fd, "part", &error);

    ck_assert_ptr_nonnull(writer);
    record.head.kind = TRACE_META;
    record.meta.driver = record.meta.gpu = record.meta.recorder = record_out_str("x");
    record.meta.host = record.meta.program = record_out_str("x");
    ck_assert_msg(trace_write(writer, &record, &error), "%s", error.text);
    record = (struct trace_record){.head.kind = TRACE_MARK, .mark.text = record_out_str("here")};
    ck_assert_msg(trace_write(writer, &record, &error), "%s", error.text);
    ck_assert_msg(trace_writer_flush(writer, &error), "%s", error.text);
    trace_writer_free(writer);
    close(fd);
}

#define LEAVE_PART "cp part.gft \"$GFE_RECORD_DIRECTORY/part-000000.gft\"; "

START_TEST(parts_become_a_trace_of_the_user_alone)
{
    struct record_run_options options = options_for(LEAVE_PART "exit 7");
    struct gfe_error error = {0};
    struct trace_record record;
    struct trace_reader *reader;
    struct stat status;
    bool ended = false;

    part_make();
    ck_assert_int_eq(run(&options), 7);
    has_said("out.gft");
    ck_assert_int_eq(stat("out.gft", &status), 0);
    ck_assert_uint_eq(status.st_mode & 0777, 0600);
    reader = trace_reader_open("out.gft", &error);
    ck_assert_ptr_nonnull(reader);
    while (trace_read(reader, &record, &error) == TRACE_GOT)
        if (record.head.kind == TRACE_END) {
            ended = true;
            ck_assert_uint_eq(record.end.exit_status, 7 << 8); /* as wait(2) has it */
            ck_assert_uint_eq(record.end.how, TRACE_END_EXIT);
        }
    trace_reader_free(reader);
    ck_assert_msg(ended && !error.text[0], "%s", error.text);
    options.quiet = true;
    ck_assert_int_eq(run(&options), 7);
    ck_assert_str_eq(said, "");
    ck_assert_int_eq(unlink("out.gft"), 0);
    nothing_is_left();
}
END_TEST

START_TEST(a_trace_tells_what_killed_the_program)
{
    struct gfe_error error = {0};
    struct trace_record record;
    struct trace_reader *reader;

    part_make();
    ck_assert_int_eq(run_shell(LEAVE_PART "kill -TERM $$"), 128 + SIGTERM);
    reader = trace_reader_open("out.gft", &error);
    ck_assert_ptr_nonnull(reader);
    while (trace_read(reader, &record, &error) == TRACE_GOT)
        if (record.head.kind == TRACE_END) {
            ck_assert_uint_eq(record.end.exit_status, SIGTERM);
            ck_assert_uint_eq(record.end.how, TRACE_END_KILLED);
        }
    trace_reader_free(reader);
    ck_assert_int_eq(unlink("out.gft"), 0);
    nothing_is_left();
}
END_TEST

START_TEST(parts_that_are_no_trace_are_kept_with_the_command_that_takes_them)
{
    ck_assert_int_eq(run_shell("echo no >\"$GFE_RECORD_DIRECTORY/part-000000.gft\""), 1);
    has_said("what was recorded is kept: gfe record --recover ");
    has_said("-o out.gft");
    ck_assert_int_eq(rmdir("tmp"), -1);
    ck_assert_int_ne(access("out.gft", F_OK), 0);
    ck_assert_int_eq(run_shell("echo no >\"$GFE_RECORD_DIRECTORY/part-000000.gft\"; exit 5"), 5);
}
END_TEST

/* Why a process stopped recording stands in a file, where shared memory cannot tell it. */
START_TEST(a_problem_of_a_process_is_told)
{
    part_make();
    ck_assert_int_eq(run_shell("echo 'no room' >\"$GFE_RECORD_DIRECTORY/problem\""), 1);
    has_said("out.gft: nothing was recorded: no room");
    ck_assert_int_eq(run_shell("echo 'no room' >\"$GFE_RECORD_DIRECTORY/problem\"; exit 8"), 8);
    ck_assert_int_eq(
        run_shell(LEAVE_PART "echo 'no room' >\"$GFE_RECORD_DIRECTORY/problem\"; exit 0"), 1);
    has_said("out.gft: incomplete: no room");
    ck_assert_int_eq(
        run_shell(LEAVE_PART "echo 'no room' >\"$GFE_RECORD_DIRECTORY/problem\"; exit 9"), 9);
    ck_assert_int_eq(unlink("out.gft"), 0);
    nothing_is_left();
}
END_TEST

START_TEST(a_folder_that_was_deleted_is_told)
{
    ck_assert_int_eq(run_shell("rm -rf \"$GFE_RECORD_DIRECTORY\""), 1);
    has_said("the folder was deleted while the program ran");
    ck_assert_int_eq(run_shell("rm -rf \"$GFE_RECORD_DIRECTORY\"; exit 3"), 3);
    nothing_is_left();
}
END_TEST

/* ---- above a real driver, and live ----------------------------------------------------------- */

/* In the build's containers there is no GPU; where there is one, this says nothing. */
START_TEST(without_a_driver_there_is_nothing_to_pass_to)
{
    struct record_run_options options = options_for("touch started");

    if (access("/dev/kfd", F_OK) == 0 || access("/dev/dri", F_OK) == 0)
        return;
    options.passthrough = true;
    ck_assert_int_eq(run(&options), 1);
    has_said("--passthrough: /dev/kfd: No such file or directory");
    options.board = record_board_find("gtx1060");
    options.gpu = NULL;
    ck_assert_int_eq(run(&options), 1);
    has_said("--passthrough: there is no GPU here");
    options.gpu = "gtx1060";
    ck_assert_int_eq(run(&options), 1);
    has_said("--passthrough: there is no GPU here");
    ck_assert_int_ne(access("started", F_OK), 0);
    nothing_is_left();
}
END_TEST

START_TEST(nouveau_needs_its_driver)
{
    struct record_run_options options = options_for("touch started");

    options.board = record_board_find("gtx1060");
    setenv("LIBGL_DRIVERS_PATH", "/no/such", 1);
    ck_assert_int_eq(run(&options), 1);
    has_said("nouveau_dri.so");
    ck_assert_int_ne(access("started", F_OK), 0);
    nothing_is_left();
}
END_TEST

/* The library with the emulation lies beside the program, which this one is not. */
START_TEST(without_its_library_there_is_no_emulation)
{
    struct record_live live = {.orders = "", .out_fd = -1, .err_fd = -1};
    struct record_run_options options = options_for("touch started");

    options.live = &live;
    if (run(&options) == 0)
        return; /* it is installed */
    has_said("libgfe-live.so");
    nothing_is_left();
}
END_TEST

/* ---- calls that fail ------------------------------------------------------------------------- */

static void no_pipe(void)
{
    check_refuse(SCMP_SYS(pipe2), EMFILE);
}

static void no_leftovers(void)
{
    check_refuse_where(SCMP_SYS(prctl), EPERM, 0, UINT32_MAX, PR_SET_CHILD_SUBREAPER);
}

static void no_process(void)
{
    check_refuse(SCMP_SYS(clone), EAGAIN);
}

/* The first folder is the recording's. */
static void no_tree(void)
{
    check_refuse_once(SCMP_SYS(mkdir), EIO, 2);
}

static void no_state(void)
{
    check_refuse(SCMP_SYS(memfd_create), EMFILE);
}

static const struct {
    void (*refuse)(void);
    const char *words;
    int error;
} failing[] = {
    {no_pipe, "gfe: record: ", EMFILE},
    {no_leftovers, "gfe: record: ", EPERM},
    {no_process, "gfe: /bin/sh: ", EAGAIN},
    {no_tree, "/tree: ", EIO},
    {no_state, ": the state of the recording: ", EMFILE},
};

START_TEST(what_cannot_be_had_is_one_line_and_nothing_is_left)
{
    before_run = failing[_i].refuse;
    ck_assert_int_eq(run_shell("touch started"), 1);
    has_said(failing[_i].words);
    has_said(strerror(failing[_i].error));
    ck_assert_ptr_eq(strchr(said, '\n'), said + strlen(said) - 1);
    ck_assert_int_ne(access("started", F_OK), 0);
    nothing_is_left();
}
END_TEST

/* The first link is that of the state. */
static void no_link(void)
{
    check_refuse_once(SCMP_SYS(symlink), EIO, 2);
}

START_TEST(a_library_that_cannot_be_linked_is_told)
{
    const char *library = getenv("GFE_RECORD_LIBRARY");
    char command[PATH_MAX + 40];

    ck_assert_int_eq(mkdir("a folder", 0700), 0);
    snprintf(command, sizeof command, "cp '%s' 'a folder/lib.so'", library);
    ck_assert_int_eq(system(command), 0);
    setenv("GFE_RECORD_LIBRARY", "a folder/lib.so", 1);
    before_run = no_link;
    ck_assert_int_eq(run_shell("touch started"), 1);
    has_said("/libgfe-record.so: ");
    has_said(strerror(EIO));
    ck_assert_int_ne(access("started", F_OK), 0);
    nothing_is_left();
}
END_TEST

static int interrupted_call, interrupted_at;

static void interrupt(void)
{
    check_refuse_once(interrupted_call, EINTR, (unsigned)interrupted_at);
}

/* Waiting for the program, and reading whether it started. */
START_TEST(a_signal_to_gfe_changes_nothing)
{
    part_make();
    interrupted_call = _i < 3 ? SCMP_SYS(wait4) : SCMP_SYS(read);
    interrupted_at = _i % 3 + 1;
    before_run = interrupt;
    ck_assert_int_eq(run_shell(LEAVE_PART "exit 7"), 7);
    ck_assert_int_eq(unlink("out.gft"), 0);
    nothing_is_left();
}
END_TEST

START_TEST(a_program_that_does_not_start_is_told_after_a_signal)
{
    struct record_run_options options = options_for("");
    char *bad[] = {(char *)"./damaged", NULL};
    FILE *file = fopen("damaged", "w");

    fputs("#!/bin/sh\n", file);
    ck_assert_int_eq(fchmod(fileno(file), 0755), 0);
    options.program = bad;
    interrupted_call = _i < 3 ? SCMP_SYS(wait4) : SCMP_SYS(read);
    interrupted_at = _i % 3 + 1;
    before_run = interrupt;
    ck_assert_int_eq(run(&options), 1);
    has_said("./damaged: does not start: Text file busy");
    fclose(file);
    nothing_is_left();
}
END_TEST

/* A child that has the folder's lock goes on when the program has ended and gfe is told to end. */
START_TEST(a_process_that_goes_on_is_told)
{
    struct record_run_options options =
        options_for(LEAVE_PART "gfe=$PPID; export gfe; sh -c '"
                               "exec 9<\"$GFE_RECORD_DIRECTORY/lock\"; flock -s 9; "
                               "trap \"\" TERM; echo $$ >child; sleep 0.2; kill -TERM $gfe; "
                               "exec sleep 30' & "
                               "while [ ! -s child ]; do sleep 0.01; done; exit 0");
    char words_of_kill[] = "kill -9 $(cat child)";

    part_make();
    options.quiet = true;
    (void)run(&options);
    has_said("a recorded process goes on; what it does from here is not recorded");
    ck_assert_int_eq(system(words_of_kill), 0);
    ck_assert_int_eq(unlink("out.gft"), 0);
    nothing_is_left();
}
END_TEST

Suite *record_run_suite(void)
{
    Suite *suite = suite_create("record_run");
    TCase *cases = tcase_create("runs");

    tcase_set_timeout(cases, 20);
    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_test(cases, a_program_without_a_gpu_is_told_so);
    tcase_add_test(cases, what_cannot_start_is_an_error);
    tcase_add_test(cases, an_output_that_cannot_be_made_is_an_error_first);
    tcase_add_test(cases, the_library_is_where_the_variable_says);
    tcase_add_test(cases, a_library_with_a_blank_in_its_name_gets_another);
    tcase_add_test(cases, the_environment_tells_the_library);
    tcase_add_test(cases, parts_become_a_trace_of_the_user_alone);
    tcase_add_test(cases, a_trace_tells_what_killed_the_program);
    tcase_add_test(cases, parts_that_are_no_trace_are_kept_with_the_command_that_takes_them);
    tcase_add_test(cases, a_problem_of_a_process_is_told);
    tcase_add_test(cases, a_folder_that_was_deleted_is_told);
    tcase_add_test(cases, without_a_driver_there_is_nothing_to_pass_to);
    tcase_add_test(cases, nouveau_needs_its_driver);
    tcase_add_test(cases, without_its_library_there_is_no_emulation);
    tcase_add_loop_test(cases, what_cannot_be_had_is_one_line_and_nothing_is_left, 0,
                        sizeof failing / sizeof failing[0]);
    tcase_add_test(cases, a_library_that_cannot_be_linked_is_told);
    tcase_add_loop_test(cases, a_signal_to_gfe_changes_nothing, 0, 6);
    tcase_add_loop_test(cases, a_program_that_does_not_start_is_told_after_a_signal, 0, 6);
    tcase_add_test(cases, a_process_that_goes_on_is_told);
    suite_add_tcase(suite, cases);
    return suite;
}
