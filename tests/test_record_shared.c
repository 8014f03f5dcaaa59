/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/check_refuse.h"
#include "tests/suites.h"
#include "traces/record/record_shared.h"
#include "traces/record/record_state_file.h"
#include "traces/record/record_tree.h"

static char directory[32];
static struct record_shared *shared;
static struct record_memory_files files;

static void setup(void)
{
    struct gfe_error error = {0};

    snprintf(directory, sizeof directory, "/tmp/gfe-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(directory));
    shared = record_shared_make(directory, &files, &error);
    ck_assert_msg(shared != NULL, "%s", error.text);
}

static void teardown(void)
{
    record_shared_close(shared);
    close(files.memory_fd);
    close(files.saved_fd);
    close(files.state_fd);
    ck_assert(record_tree_remove(directory));
}

START_TEST(a_process_keeps_its_number_and_another_of_its_pid_gets_a_new_one)
{
    const uint32_t first = record_shared_entry(shared, 77, 1000)->number;
    const uint32_t second = record_shared_entry(shared, 77, 2000)->number;
    const uint32_t third = record_shared_entry(shared, 77, 3000)->number;

    ck_assert_uint_eq(first, 77);
    ck_assert_uint_ne(second, first);
    ck_assert_uint_ne(third, first);
    ck_assert_uint_ne(third, second);
    ck_assert_uint_gt(second, 1 << 22); /* no pid */
    ck_assert_uint_eq(record_shared_entry(shared, 77, 1000)->number, first);
    ck_assert_uint_eq(record_shared_entry(shared, 77, 2000)->number, second);
    ck_assert_uint_eq(record_shared_entry(shared, 78, 2000)->number, 78);
}
END_TEST

START_TEST(a_full_list_takes_the_place_of_a_process_that_is_gone)
{
    const pid_t gone = fork();

    if (gone == 0)
        _exit(0);
    ck_assert_int_eq(waitpid(gone, NULL, 0), gone);
    (void)record_shared_entry(shared, gone, 1);
    while (shared->process_count < RECORD_SHARED_PROCESSES_MAX)
        (void)record_shared_entry(shared, getpid(), shared->process_count + 10);
    ck_assert_ptr_eq(record_shared_entry(shared, 1, 5), &shared->processes[1]);
    ck_assert_int_eq(shared->processes[1].pid, 1);
    ck_assert_uint_eq(shared->process_count, RECORD_SHARED_PROCESSES_MAX);
}
END_TEST

START_TEST(who_takes_the_lock_of_a_dead_process_is_told)
{
    const pid_t child = fork();
    int status;

    if (child == 0) {
        (void)record_shared_lock(shared);
        raise(SIGKILL);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFSIGNALED(status));
    ck_assert(record_shared_lock(shared));
    record_shared_unlock(shared);
    ck_assert(!record_shared_lock(shared));
    record_shared_unlock(shared);
}
END_TEST

START_TEST(the_memory_is_reached_through_whoever_has_it)
{
    struct record_memory_files again = {-1, -1, -1};
    struct gfe_error error = {0};
    struct stat first, second;

    ck_assert_msg(record_shared_files_open(shared, &again, &error), "%s", error.text);
    ck_assert_int_eq(fstat(files.memory_fd, &first), 0);
    ck_assert_int_eq(fstat(again.memory_fd, &second), 0);
    ck_assert_uint_eq(first.st_ino, second.st_ino);
    close(again.memory_fd);
    close(again.saved_fd);
    /* A descriptor that has become another file's is not taken. */
    ck_assert_int_ge(dup2(open("/dev/null", O_RDWR), shared->processes[0].files.memory_fd), 0);
    ck_assert(!record_shared_files_open(shared, &again, &error));
    ck_assert_str_ne(error.text, "");
}
END_TEST

START_TEST(a_state_of_another_version_is_refused_with_a_message)
{
    struct gfe_error error = {0};
    struct record_shared *same = record_shared_open(directory, NULL, &error);

    ck_assert_ptr_nonnull(same);
    ck_assert_uint_eq(same->memory_inode, shared->memory_inode);
    record_shared_close(same);
    shared->bytes++;
    ck_assert_ptr_null(record_shared_open(directory, NULL, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "version"));
    error = (struct gfe_error){0};
    ck_assert_ptr_null(record_shared_open("/no/such/folder", NULL, &error));
    ck_assert_str_eq(error.text, ""); /* no recording: no message */
}
END_TEST

/* A mapped file with holes is a SIGBUS in the recorded program once the disk is full. */
START_TEST(no_file_of_the_directory_is_mapped)
{
    char wanted[96], line[512];
    FILE *maps = fopen("/proc/self/maps", "re");
    bool found = false;

    ck_assert_ptr_nonnull(maps);
    snprintf(wanted, sizeof wanted, "%s/", directory);
    while (fgets(line, sizeof line, maps)) {
        ck_assert_msg(!strstr(line, wanted), "%s", line);
        found = found || strstr(line, "/memfd:gfe-state");
    }
    ck_assert(found);
    fclose(maps);
}
END_TEST

/* A child that has the state's descriptor open leads to it when the maker is gone. */
START_TEST(the_state_is_reached_through_any_process_that_has_it)
{
    struct gfe_error error = {0};
    char link[96], byte;
    int ready[2];
    pid_t child;

    ck_assert_int_eq(pipe(ready), 0);
    child = fork();
    if (child == 0) {
        if (!record_state_file_link(directory, files.state_fd) || write(ready[1], "", 1) != 1)
            _exit(1);
        pause();
    }
    ck_assert_int_eq(read(ready[0], &byte, 1), 1);
    close(files.state_fd); /* as if gfe record had been killed */
    files.state_fd = open("/dev/null", O_RDWR);
    struct record_shared *same = record_shared_open(directory, NULL, &error);

    ck_assert_msg(same != NULL, "%s", error.text);
    ck_assert_uint_eq(same->memory_inode, shared->memory_inode);
    record_shared_close(same);
    ck_assert_int_eq(kill(child, SIGKILL), 0);
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
    ck_assert_ptr_null(record_shared_open(directory, NULL, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "cannot be reached"));
    close(ready[0]);
    close(ready[1]);
    snprintf(link, sizeof link, "%s/state-%d", directory, (int)child);
    ck_assert_int_eq(unlink(link), 0);
}
END_TEST

/* Its link may lead to the state of another recording, whose process has the pid by now. */
START_TEST(the_state_of_another_recording_is_not_taken)
{
    struct record_memory_files other_files;
    struct gfe_error error = {0};
    char other[32], from[64], to[64];
    struct record_shared *other_shared;

    snprintf(other, sizeof other, "/tmp/gfe-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(other));
    other_shared = record_shared_make(other, &other_files, &error);
    ck_assert_msg(other_shared != NULL, "%s", error.text);
    snprintf(from, sizeof from, "%s/state-%d", other, (int)getpid());
    snprintf(to, sizeof to, "%s/state-%d", directory, (int)getpid());
    ck_assert_int_eq(rename(from, to), 0);
    ck_assert_ptr_null(record_shared_open(directory, NULL, &error));
    record_shared_close(other_shared);
    close(other_files.memory_fd);
    close(other_files.saved_fd);
    close(other_files.state_fd);
    ck_assert(record_tree_remove(other));
}
END_TEST

/* ---- calls that fail ------------------------------------------------------------------------- */

static const struct {
    int call, error;
    unsigned place;
    uint64_t value;
} make_steps[] = {
    {SCMP_SYS(memfd_create), EMFILE, 0, 0}, {SCMP_SYS(mmap), ENOMEM, 3, MAP_SHARED},
    {SCMP_SYS(symlink), EROFS, 0, 0},       {SCMP_SYS(openat), EMFILE, 2, O_TMPFILE & ~O_DIRECTORY},
    {SCMP_SYS(newfstatat), EIO, 0, 0},      {SCMP_SYS(fstat), EIO, 0, 0},
    {SCMP_SYS(openat), EACCES, 2, O_PATH},
};
static unsigned make_step;

static void make_refused(void)
{
    struct record_memory_files none;
    struct gfe_error error = {0};
    const int next = dup(0);

    close(next);
    if (make_steps[make_step].call == SCMP_SYS(openat) && make_steps[make_step].error == EMFILE)
        check_refuse_where(SCMP_SYS(openat), EMFILE, 2, O_EXCL, O_EXCL); /* its other way */
    check_refuse_where(make_steps[make_step].call, make_steps[make_step].error,
                       make_steps[make_step].place, make_steps[make_step].value,
                       make_steps[make_step].value);
    ck_assert_ptr_null(record_shared_make(directory, &none, &error));
    ck_assert_int_eq(error.kind, ERROR_SYSTEM);
    ck_assert_msg(strstr(error.text, strerror(make_steps[make_step].error)) != NULL, "%s",
                  error.text);
    ck_assert_ptr_nonnull(strstr(error.text, directory));
    ck_assert_int_eq(none.state_fd, -1);
}

START_TEST(a_state_that_cannot_be_made_is_told)
{
    make_step = (unsigned)_i;
    check_refuse_child(make_refused);
}
END_TEST

START_TEST(an_interrupted_open_is_repeated)
{
    struct record_memory_files again = {-1, -1, -1};
    struct gfe_error error = {0};

    check_refuse_once(SCMP_SYS(openat), EINTR, (unsigned)_i);
    ck_assert_msg(record_shared_files_open(shared, &again, &error), "%s", error.text);
    ck_assert_uint_eq(check_refuse_count(), 3); /* two files, one of them twice */
    close(again.memory_fd);
    close(again.saved_fd);
}
END_TEST

static const struct {
    int call;
    unsigned place;
    uint64_t value;
} stat_steps[] = {{SCMP_SYS(openat), 2, O_RDONLY | O_CLOEXEC}, {SCMP_SYS(read), 2, 1023}};
static unsigned stat_step;

/* A /proc that others cannot read: its own start is then 0, and the number still its pid. */
static void start_hidden(void)
{
    check_refuse_where(stat_steps[stat_step].call, EACCES, stat_steps[stat_step].place, UINT32_MAX,
                       stat_steps[stat_step].value);
    ck_assert_uint_eq(record_shared_enter(shared, &files), (uint32_t)getpid());
    ck_assert_uint_eq(shared->process_count, 2);
    ck_assert_int_eq(shared->processes[1].pid, getpid());
    ck_assert_uint_eq(shared->processes[1].start, 0);
}

START_TEST(a_process_that_cannot_read_when_it_began_is_entered)
{
    stat_step = (unsigned)_i;
    check_refuse_child(start_hidden);
}
END_TEST

START_TEST(a_full_list_of_processes_that_live_gives_its_last_place)
{
    while (shared->process_count < RECORD_SHARED_PROCESSES_MAX)
        (void)record_shared_entry(shared, getpid(), shared->process_count + 10);
    ck_assert_ptr_eq(record_shared_entry(shared, 1, 5),
                     &shared->processes[RECORD_SHARED_PROCESSES_MAX - 1]);
    ck_assert_uint_eq(shared->process_count, RECORD_SHARED_PROCESSES_MAX);
}
END_TEST

/* kill(2): EPERM is of a process that lives, of another user. */
START_TEST(a_process_of_another_user_is_not_gone)
{
    while (shared->process_count < RECORD_SHARED_PROCESSES_MAX)
        (void)record_shared_entry(shared, 1, shared->process_count + 10);
    check_refuse(SCMP_SYS(kill), EPERM);
    ck_assert_ptr_eq(record_shared_entry(shared, 2, 5),
                     &shared->processes[RECORD_SHARED_PROCESSES_MAX - 1]);
}
END_TEST

START_TEST(a_state_that_is_not_ready_or_of_another_folder_is_not_taken)
{
    struct gfe_error error = {0};
    const uint64_t magic = shared->magic;

    shared->magic = 0; /* as while it is being made */
    ck_assert_ptr_null(record_shared_open(directory, NULL, &error));
    shared->magic = magic;
    shared->directory_device++;
    ck_assert_ptr_null(record_shared_open(directory, NULL, &error));
    shared->directory_device--;
    shared->directory_inode++;
    ck_assert_ptr_null(record_shared_open(directory, NULL, &error));
    shared->directory_inode--;
    check_refuse_where(SCMP_SYS(mmap), ENOMEM, 3, MAP_SHARED, MAP_SHARED);
    ck_assert_ptr_null(record_shared_open(directory, NULL, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "cannot be reached"));
}
END_TEST

/* One of both files is not enough; an entry without a process is passed over. */
START_TEST(both_files_are_reached_or_none)
{
    struct record_memory_files again = {-1, -1, -1};
    struct gfe_error error = {0};
    const int next = dup(0);

    close(next);
    ck_assert_int_ge(dup2(open("/dev/null", O_RDWR), shared->processes[0].files.saved_fd), 0);
    close(next);
    ck_assert(!record_shared_files_open(shared, &again, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "cannot be reached"));
    ck_assert_int_eq(dup(0), next);
    shared->processes[0].pid = 0;
    ck_assert(!record_shared_files_open(shared, &again, &error));
}
END_TEST

Suite *record_shared_suite(void)
{
    Suite *suite = suite_create("record_shared");
    TCase *cases = tcase_create("all");

    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_test(cases, a_process_keeps_its_number_and_another_of_its_pid_gets_a_new_one);
    tcase_add_test(cases, a_full_list_takes_the_place_of_a_process_that_is_gone);
    tcase_add_test(cases, who_takes_the_lock_of_a_dead_process_is_told);
    tcase_add_test(cases, the_memory_is_reached_through_whoever_has_it);
    tcase_add_test(cases, a_state_of_another_version_is_refused_with_a_message);
    tcase_add_test(cases, no_file_of_the_directory_is_mapped);
    tcase_add_test(cases, the_state_is_reached_through_any_process_that_has_it);
    tcase_add_test(cases, the_state_of_another_recording_is_not_taken);
    tcase_add_loop_test(cases, a_state_that_cannot_be_made_is_told, 0,
                        sizeof make_steps / sizeof make_steps[0]);
    tcase_add_loop_test(cases, an_interrupted_open_is_repeated, 1, 3);
    tcase_add_loop_test(cases, a_process_that_cannot_read_when_it_began_is_entered, 0, 2);
    tcase_add_test(cases, a_full_list_of_processes_that_live_gives_its_last_place);
    tcase_add_test(cases, a_process_of_another_user_is_not_gone);
    tcase_add_test(cases, a_state_that_is_not_ready_or_of_another_folder_is_not_taken);
    tcase_add_test(cases, both_files_are_reached_or_none);
    suite_add_tcase(suite, cases);
    return suite;
}
