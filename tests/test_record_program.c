/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/check_refuse.h"
#include "tests/suites.h"
#include "traces/record/record_program.h"

static char directory[] = "/tmp/gfe-test-program-XXXXXX";

/* The smallest program: a head, one segment, the dynamic linker's name. */
static struct image {
    Elf64_Ehdr head;
    Elf64_Phdr segment;
    char interpreter[40];
} image;

static void setup(void)
{
    int fd = open("/proc/self/exe", O_RDONLY);

    ck_assert_ptr_nonnull(mkdtemp(directory));
    ck_assert_int_eq(chdir(directory), 0);
    ck_assert_int_eq(read(fd, &image.head, sizeof image.head), sizeof image.head);
    close(fd);
    image.head.e_phnum = 1;
    image.head.e_phentsize = sizeof image.segment;
    image.head.e_phoff = offsetof(struct image, segment);
    image.segment = (Elf64_Phdr){.p_type = PT_INTERP,
                                 .p_offset = offsetof(struct image, interpreter),
                                 .p_filesz = sizeof image.interpreter};
    snprintf(image.interpreter, sizeof image.interpreter, "/lib64/ld-linux-x86-64.so.2");
}

static void teardown(void)
{
    ck_assert_int_eq(unlink("program") + chdir("/") + rmdir(directory), 0);
}

static void write_program(const void *bytes, size_t count, mode_t mode)
{
    int fd = open("program", O_WRONLY | O_CREAT | O_TRUNC, 0700);

    ck_assert_int_eq(write(fd, bytes, count), (ssize_t)count);
    ck_assert_int_eq(fchmod(fd, mode), 0);
    close(fd);
}

static void write_image(mode_t mode)
{
    write_program(&image, sizeof image, mode);
}

static void refused(const char *words)
{
    struct gfe_error error = {0};

    ck_assert(!record_program_check("./program", &error));
    ck_assert_int_eq(error.kind == ERROR_INPUT || error.kind == ERROR_SYSTEM, 1);
    ck_assert_msg(strstr(error.text, words) != NULL, "'%s' lacks '%s'", error.text, words);
}

static void accepted(void)
{
    struct gfe_error error = {0};

    ck_assert_msg(record_program_check("./program", &error), "%s", error.text);
}

START_TEST(a_dynamic_program_is_accepted)
{
    write_image(0755);
    accepted();
}
END_TEST

START_TEST(a_static_program_is_refused)
{
    image.segment.p_type = PT_LOAD;
    write_image(0755);
    refused("statically linked");
}
END_TEST

START_TEST(a_program_of_another_machine_is_refused)
{
    image.head.e_machine = EM_SPARCV9;
    write_image(0755);
    refused("another machine");
    image.head.e_ident[EI_CLASS] = ELFCLASS32;
    write_image(0755);
    refused("32-bit");
}
END_TEST

START_TEST(a_program_of_another_c_library_is_refused)
{
    strcpy(image.interpreter, "/lib/ld-musl-x86_64.so.1");
    write_image(0755);
    refused("musl");
}
END_TEST

START_TEST(a_privileged_program_is_refused)
{
    write_image(04755);
    refused("set-uid");
    write_image(02755);
    refused("set-gid");
}
END_TEST

START_TEST(what_cannot_be_executed_is_refused)
{
    write_image(0644);
    refused("not executable");
}
END_TEST

START_TEST(damaged_program_heads_are_refused_at_any_length)
{
    for (size_t bytes = 4; bytes < sizeof image; bytes++) {
        struct gfe_error error = {0};

        write_program(&image, bytes, 0755);
        ck_assert(!record_program_check("./program", &error));
    }
    image.segment.p_filesz = UINT64_MAX;
    write_image(0755);
    refused("damaged");
    image.head.e_phoff = UINT64_MAX - 7;
    write_image(0755);
    refused("damaged");
}
END_TEST

START_TEST(a_script_is_judged_by_its_interpreter)
{
    static const char good[] = "#! /bin/sh -e\n", missing[] = "#!/no/such/shell\n", none[] = "#!\n",
                      itself[] = "#!./program\n", words[] = "exit 0\n";

    write_program(good, sizeof good - 1, 0755);
    accepted();
    write_program(missing, sizeof missing - 1, 0755);
    refused("/no/such/shell");
    write_program(none, sizeof none - 1, 0755);
    refused("without an interpreter");
    write_program(itself, sizeof itself - 1, 0755);
    refused("without end");
    write_program(words, sizeof words - 1, 0755); /* execvp() gives it to the shell */
    accepted();
    write_program(words, 0, 0755); /* this one, too: true(1) was such a file once */
    accepted();
}
END_TEST

START_TEST(names_are_looked_up_along_the_path)
{
    struct gfe_error error = {0};

    write_image(0755);
    setenv("PATH", "/no/such/directory::/bin", 1);
    ck_assert(record_program_check("program", &error)); /* the empty part is this directory */
    ck_assert(record_program_check("sh", &error));
    setenv("PATH", "/no/such/directory", 1);
    ck_assert(!record_program_check("program", &error));
    ck_assert_ptr_nonnull(strstr(error.text, "no such program"));
    error = (struct gfe_error){0};
    ck_assert(!record_program_check("", &error));
    error = (struct gfe_error){0};
    ck_assert(!record_program_check("/", &error));
    ck_assert_ptr_nonnull(strstr(error.text, "directory"));
}
END_TEST

START_TEST(a_driver_that_is_not_there_is_named_with_its_package)
{
    struct gfe_error error = {0};

    write_image(0755);
    setenv("LIBGL_DRIVERS_PATH", "/no/such:/neither", 1);
    ck_assert(!record_program_driver_check(&error));
    ck_assert_ptr_nonnull(strstr(error.text, "libgl1-mesa-dri"));
    ck_assert_ptr_nonnull(strstr(error.text, "/neither"));
}
END_TEST

/* ---- calls that fail ------------------------------------------------------------------------- */

static const int interrupted[] = {SCMP_SYS(openat), SCMP_SYS(pread64)};

START_TEST(an_interrupted_look_is_repeated)
{
    write_image(0755);
    check_refuse_once(interrupted[_i / 2], EINTR, (unsigned)_i % 2 + 1);
    accepted();
    ck_assert_uint_ge(check_refuse_count(), 3);
}
END_TEST

/* open(2): EACCES.  execve(2) needs no right to read. */
static void cannot_read(void)
{
    check_refuse_where(SCMP_SYS(openat), EACCES, 2, UINT32_MAX, O_RDONLY | O_CLOEXEC);
    accepted();
}

static void cannot_open(void)
{
    check_refuse_where(SCMP_SYS(openat), ELOOP, 2, UINT32_MAX, O_RDONLY | O_CLOEXEC);
    refused(strerror(ELOOP));
}

static void cannot_look(void)
{
    check_refuse(SCMP_SYS(pread64), EIO);
    refused(strerror(EIO));
}

/* gfe's own file, of which the machine is known, is the second that is opened. */
static void own_hidden(void)
{
    check_refuse_once(SCMP_SYS(openat), EACCES, 2);
    refused("a program for another machine");
}

static void (*const looks[])(void) = {cannot_read, cannot_open, cannot_look, own_hidden};

START_TEST(a_program_that_cannot_be_read_is_judged_by_what_is_known)
{
    write_image(0755);
    check_refuse_child(looks[_i]);
}
END_TEST

START_TEST(heads_of_other_kinds_are_damaged)
{
    const struct image good = image;

    image.head.e_phentsize--;
    write_image(0755);
    refused("damaged ELF");
    image = good;
    image.head.e_phnum = UINT16_MAX;
    write_image(0755);
    refused("damaged ELF");
    image = good;
    image.segment.p_filesz = 0;
    write_image(0755);
    refused("damaged ELF");
    image = good;
    image.head.e_ident[EI_DATA] = ELFDATA2MSB;
    write_image(0755);
    refused("another machine");
}
END_TEST

/* chmod(2): set-gid without the right to execute of the group is not that (mandatory locks once).
 */
START_TEST(set_gid_needs_the_groups_right)
{
    write_image(02705);
    accepted();
}
END_TEST

START_TEST(without_a_path_there_are_the_systems_folders)
{
    struct gfe_error error = {0};
    char longest[PATH_MAX + 10];

    write_image(0755);
    unsetenv("PATH");
    ck_assert_msg(record_program_check("sh", &error), "%s", error.text);
    ck_assert(!record_program_check("program", &error));
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    setenv("PATH", longest, 1);
    ck_assert(!record_program_check("program", &error));
    longest[0] = '/';
    error = (struct gfe_error){0};
    ck_assert(!record_program_check(longest, &error));
    ck_assert_ptr_nonnull(strstr(error.text, strerror(ENAMETOOLONG)));
}
END_TEST

START_TEST(a_driver_is_found_where_the_variable_says)
{
    struct gfe_error error = {0};
    char longest[PATH_MAX + 10];

    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    setenv("LIBGL_DRIVERS_PATH", longest, 1);
    ck_assert(!record_program_driver_check(&error));
    write_image(0755);
    ck_assert_int_eq(symlink("program", "nouveau_dri.so"), 0);
    setenv("LIBGL_DRIVERS_PATH", "/no/such:.", 1);
    error = (struct gfe_error){0};
    ck_assert(record_program_driver_check(&error));
    ck_assert_int_eq(unlink("nouveau_dri.so"), 0);
}
END_TEST

static bool is_empty; /* the variable */

static void no_driver(void)
{
    struct gfe_error error = {0};

    if (is_empty)
        setenv("LIBGL_DRIVERS_PATH", "", 1);
    else
        unsetenv("LIBGL_DRIVERS_PATH");
    check_refuse(SCMP_SYS(access), ENOENT);
    ck_assert(!record_program_driver_check(&error));
    ck_assert_ptr_null(strstr(error.text, "LIBGL_DRIVERS_PATH"));
    ck_assert_ptr_nonnull(strstr(error.text, "is not installed; on Debian"));
}

START_TEST(without_the_variable_the_systems_folders_are_looked_at)
{
    write_image(0755);
    is_empty = _i;
    check_refuse_child(no_driver);
}
END_TEST

Suite *record_program_suite(void)
{
    Suite *suite = suite_create("record_program");
    TCase *cases = tcase_create("record_program");

    tcase_add_checked_fixture(cases, setup, teardown);
    tcase_add_test(cases, a_dynamic_program_is_accepted);
    tcase_add_test(cases, a_static_program_is_refused);
    tcase_add_test(cases, a_program_of_another_machine_is_refused);
    tcase_add_test(cases, a_program_of_another_c_library_is_refused);
    tcase_add_test(cases, a_privileged_program_is_refused);
    tcase_add_test(cases, what_cannot_be_executed_is_refused);
    tcase_add_test(cases, damaged_program_heads_are_refused_at_any_length);
    tcase_add_test(cases, a_script_is_judged_by_its_interpreter);
    tcase_add_test(cases, names_are_looked_up_along_the_path);
    tcase_add_test(cases, a_driver_that_is_not_there_is_named_with_its_package);
    tcase_add_loop_test(cases, an_interrupted_look_is_repeated, 0, 4);
    tcase_add_loop_test(cases, a_program_that_cannot_be_read_is_judged_by_what_is_known, 0,
                        sizeof looks / sizeof looks[0]);
    tcase_add_test(cases, heads_of_other_kinds_are_damaged);
    tcase_add_test(cases, set_gid_needs_the_groups_right);
    tcase_add_test(cases, without_a_path_there_are_the_systems_folders);
    tcase_add_test(cases, a_driver_is_found_where_the_variable_says);
    tcase_add_loop_test(cases, without_the_variable_the_systems_folders_are_looked_at, 0, 2);
    suite_add_tcase(suite, cases);
    return suite;
}
