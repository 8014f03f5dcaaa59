/* SPDX-License-Identifier: MIT */
/*
 * Command lines of the commands: GNU conventions (getopt_long), one style of message and of help.
 *
 *     static const struct args_option options[] = {
 *         {'o', "output", "FILE", "write the event log to FILE"},
 *         {OPTION_SEED, "seed", "N", "seed of all choice points (default 0)"},
 *         {0},
 *     };
 *     static const struct args_command command = {
 *         "run", "[OPTION...] TRACE", "Replays a trace through an emulated GPU.\n", options,
 * false};
 *
 *     args_start(&args, &command, argc, argv);
 *     while ((id = args_next(&args)) > 0)
 *         switch (id) {
 *         case 'o':
 *             path = args.value;
 *             break;
 *         case OPTION_SEED:
 *             if (!args_number(&args, &seed))
 *                 return args.status;
 *             break;
 *         }
 *     if (id == ARGS_STOP || !args_operands(&args, 1, 1))
 *         return args.status;
 *
 * --help and -h come by themselves.
 */
#ifndef GFE_EMU_ARGS_H
#define GFE_EMU_ARGS_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/base/clock.h"
#include "emu/base/error.h"

enum {
    ARGS_END = -1,        /* no option is left */
    ARGS_STOP = -2,       /* help was printed, or the command line is wrong: return args.status */
    ARGS_LONG_ONLY = 256, /* ids from here on have no letter */
    ARGS_OPTIONS_MAX = 40,
};

struct args_option {
    int id;               /* the letter, or a number from ARGS_LONG_ONLY on; 0 ends the list */
    const char *name;     /* without the dashes */
    const char *argument; /* its name in the help, such as "FILE"; NULL = takes none */
    const char *help;     /* one line, or more with a newline between */
};

struct args_command {
    const char *name;    /* such as "run" */
    const char *usage;   /* what follows the name, such as "[OPTION...] TRACE" */
    const char *summary; /* what the command does; whole lines */
    const struct args_option *options;
    bool operands_end_options; /* what follows the first operand is another program's */
};

struct args {
    const struct args_command *command;
    int argc;
    char **argv;
    const char *option; /* name of the last option, for messages */
    const char *value;  /* its argument */
    char **operands;    /* after ARGS_END */
    int operand_count;
    int status; /* exit status after ARGS_STOP or a false result */
};

/* Nothing is read yet; argv[0] is the command's name. All arguments stay the caller's. */
void args_start(struct args *args, const struct args_command *command, int argc, char **argv);
/* Id of the next option, ARGS_END or ARGS_STOP. */
int args_next(struct args *args);
/* After ARGS_END: checks how many operands there are; -1 = any number. */
bool args_operands(struct args *args, int at_least, int at_most);

/* The last option's argument as a number (decimal, or hexadecimal after 0x). */
bool args_number(struct args *args, uint64_t *value);
/* The same, and `lowest` <= value <= `highest`. */
bool args_number_within(struct args *args, uint64_t lowest, uint64_t highest, uint64_t *value);
/* A time with its unit: 3ns, 1.5us, 2ms, 1s, 700ps; 0 needs none. */
bool args_time(struct args *args, gfe_ps *value);
/* A number of bytes: 4096, 64k, 16M, 2G (powers of 1024). */
bool args_bytes(struct args *args, uint64_t *value);

/* Prints "gfe NAME: MESSAGE (see gfe NAME --help)" and returns 2, also as args->status. */
int args_wrong(struct args *args, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints "gfe: MESSAGE" (usage errors: as args_wrong()) and returns the exit status. */
int args_failed(struct args *args, const struct gfe_error *error);

/* The parsers alone: false when the text is not such a figure or does not fit in 64 bits. */
bool args_parse_number(const char *text, uint64_t *value);
bool args_parse_time(const char *text, gfe_ps *value);
bool args_parse_bytes(const char *text, uint64_t *value);

#endif
