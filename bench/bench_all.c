/* SPDX-License-Identifier: MIT */
/*
 * usage: bench_all OUTPUT PROGRAM...
 *
 * Runs the bench programs one after the other and joins what they print into one JSON document,
 * with what was measured on: it goes to stdout and into OUTPUT.  Exit status 1 when a program could
 * not be run or did not print an object; never for a figure.
 */
#include <config.h>

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef __clang__
#define BENCH_COMPILER "clang " __VERSION__
#else
#define BENCH_COMPILER "gcc " __VERSION__
#endif

/* The first line of a file that begins with `prefix`, from its first word after the colon on (or
 * after the prefix); "" when there is none. */
static const char *file_line(const char *path, const char *prefix, char *line, size_t bytes)
{
    FILE *file = fopen(path, "r");
    const char *found = "";

    while (file && fgets(line, (int)bytes, file))
        if (strncmp(line, prefix, strlen(prefix)) == 0) {
            const char *colon = *prefix ? strchr(line, ':') : NULL;

            line[strcspn(line, "\n")] = 0;
            found = colon ? colon + 1 + strspn(colon + 1, " \t") : line;
            break;
        }
    if (file)
        (void)fclose(file);
    return found;
}

static json_t *describe_machine(void)
{
    char line[500], date[30];
    const time_t now = time(NULL);
    json_t *object = json_object();

    (void)strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    json_object_set_new(object, "version", json_string(PACKAGE_STRING));
    json_object_set_new(object, "date", json_string(date));
    json_object_set_new(object, "compiler", json_string(BENCH_COMPILER));
    json_object_set_new(object, "flags", json_string(BENCH_FLAGS));
    json_object_set_new(object, "cpu",
                        json_string(file_line("/proc/cpuinfo", "model name", line, sizeof line)));
    json_object_set_new(object, "cores", json_integer(sysconf(_SC_NPROCESSORS_ONLN)));
    /* More than 0.5 or so at the beginning: the machine was busy with something else. */
    json_object_set_new(object, "load_before",
                        json_string(file_line("/proc/loadavg", "", line, sizeof line)));
    return object;
}

static json_t *run_program(const char *program)
{
    json_error_t error;
    json_t *object;
    FILE *pipe;

    fprintf(stderr, "%s ...\n", program);
    pipe = popen(program, "r");
    if (!pipe) {
        perror(program);
        return NULL;
    }
    object = json_loadf(pipe, 0, &error);
    if (!object)
        fprintf(stderr, "%s: line %d of its output: %s\n", program, error.line, error.text);
    if (pclose(pipe) != 0) {
        fprintf(stderr, "%s: failed\n", program);
        json_decref(object);
        return NULL;
    }
    return object;
}

int main(int argc, char **argv)
{
    const size_t flags = JSON_INDENT(2) | JSON_REAL_PRECISION(6);
    json_t *document = describe_machine(), *programs = json_array();
    char line[500];
    int status = 0;

    if (argc < 2) {
        fprintf(stderr, "usage: bench_all OUTPUT PROGRAM...\n");
        return 2;
    }
    for (int i = 2; i < argc; i++) {
        json_t *object = run_program(argv[i]);

        if (object)
            json_array_append_new(programs, object);
        else
            status = 1;
    }
    json_object_set_new(document, "load_after",
                        json_string(file_line("/proc/loadavg", "", line, sizeof line)));
    json_object_set_new(document, "programs", programs);
    if (json_dump_file(document, argv[1], flags) != 0) {
        perror(argv[1]);
        status = 1;
    }
    if (json_dumpf(document, stdout, flags) != 0 || putchar('\n') == EOF || fflush(stdout) != 0)
        status = 1;
    json_decref(document);
    return status;
}
