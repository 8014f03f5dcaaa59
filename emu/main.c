/* SPDX-License-Identifier: MIT */
/*
 * The gfe program. Exit status: 0 done, 1 the input is bad or a check failed, 2 wrong usage.
 */
#include <config.h>

#include <stdio.h>
#include <string.h>

#include "emu/gfe.h"

static void print_usage(FILE *file)
{
    fputs("usage: gfe --version | --help\n", file);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        printf("gfe %s\n", gfe_version());
        return 0;
    }
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        print_usage(stdout);
        return 0;
    }
    print_usage(stderr);
    return 2;
}
