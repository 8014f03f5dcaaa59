/* SPDX-License-Identifier: MIT */
/*
 * usage: peak_memory FILE PROGRAM [ARGUMENT...]
 *
 * Runs a program and writes to FILE how much memory it had in use at most, in KiB: the process
 * itself, not those that it starts.  (What wait4(2) says is the largest of all of them.)  So it is
 * traced, and looked at when it is about to exit.
 *
 * The exit status is the program's, 128 and the signal's number when it dies of one; 77: processes
 * may not be traced here.
 */
#define _GNU_SOURCE
#include <config.h>

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STATUS_SKIPPED = 77 };

static _Noreturn void die(const char *what, int status)
{
    fprintf(stderr, "peak_memory: %s: %s\n", what, strerror(errno));
    exit(status);
}

/* VmHWM of /proc/PID/status, in KiB. */
static long peak_kib(pid_t pid)
{
    char path[40], line[200];
    long kib = -1;

    (void)snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "VmHWM:", 6) == 0)
            kib = strtol(line + 6, NULL, 10);
    if (file)
        (void)fclose(file);
    return kib;
}

static pid_t start(char **words)
{
    const pid_t pid = fork();

    if (pid < 0)
        die("fork", 1);
    if (pid > 0)
        return pid;
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
        die("ptrace", STATUS_SKIPPED);
    execvp(words[0], words);
    die(words[0], 127);
}

/* Follows the process, and its threads, to the end; signals are passed on.  The status of wait().
 */
static int follow(pid_t pid, long *kib)
{
    int status;

    for (;;) {
        const pid_t stopped = waitpid(-1, &status, __WALL);
        if (stopped < 0)
            die("waitpid", 1);
        if (!WIFSTOPPED(status)) {
            if (stopped == pid)
                return status;
            continue;
        }
        int signal_number = WSTOPSIG(status);
        if (status >> 8 == (SIGTRAP | PTRACE_EVENT_EXIT << 8) && stopped == pid)
            *kib = peak_kib(pid);
        if (status >> 16 != 0 || signal_number == SIGTRAP || signal_number == SIGSTOP)
            signal_number = 0;
        (void)ptrace(PTRACE_CONT, stopped, NULL, (void *)(intptr_t)signal_number);
    }
}

int main(int argc, char **argv)
{
    long kib = -1;
    int status;

    if (argc < 3) {
        fputs("usage: peak_memory FILE PROGRAM [ARGUMENT...]\n", stderr);
        return 2;
    }
    const pid_t pid = start(argv + 2);
    if (waitpid(pid, &status, __WALL) != pid)
        die("waitpid", 1);
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    if (ptrace(PTRACE_SETOPTIONS, pid, NULL,
               (void *)(intptr_t)(PTRACE_O_TRACEEXIT | PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL)) !=
            0 ||
        ptrace(PTRACE_CONT, pid, NULL, NULL) != 0)
        die("ptrace", STATUS_SKIPPED);
    status = follow(pid, &kib);
    FILE *file = fopen(argv[1], "we");
    if (!file || fprintf(file, "%ld\n", kib) < 0 || fclose(file) != 0)
        die(argv[1], 1);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
