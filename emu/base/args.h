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
#ifndef GFE_EMU_BASE_ARGS_H
#define GFE_EMU_BASE_ARGS_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/base/clock.h"
#include "emu/base/error.h"

enum {
    ARGS_END = -1,        /* no option is left */
    ARGS_STOP = -2,       /* help was printed, or the command line is wrong: return args.status */
    ARGS_LONG_ONLY = 256, /* ids from this number up have no letter */
    ARGS_OPTIONS_MAX = 48,
};

struct args_option {
    int id;               /* the letter, or a number from ARGS_LONG_ONLY up; 0 ends the list */
    const char *name;     /* without the dashes */
    const char *argument; /* its name in the help, such as "FILE"; NULL if the option takes none */
    const char *help;     /* one line, or more with a newline between */
};

struct args_command {
    const char *name;    /* such as "run" */
    const char *usage;   /* what follows the name, such as "[OPTION...] TRACE" */
    const char *summary; /* what the command does; whole lines */
    const struct args_option *options;
    bool operands_end_options; /* true if the words after the first operand belong to another
                                  program */
};

struct args {
    const struct args_command *command;
    int argc;
    char **argv;
    const char *option; /* name of the last option, for messages */
    const char *value;  /* argument of that option */
    char **operands;    /* set after ARGS_END */
    int operand_count;
    int status; /* exit status after ARGS_STOP or a false result */
};

/* Prepares `args` for the first args_next(); reads no option yet. argv[0] is the command's name.
 * `command` and `argv` stay the caller's and must outlive `args`. */
void args_start(struct args *args, const struct args_command *command, int argc, char **argv);
/* Returns the id of the next option, and sets args->option and args->value.  Returns ARGS_END when
 * no option is left, and ARGS_STOP when the caller has to return args->status. */
int args_next(struct args *args);
/* Checks the number of operands; call it after ARGS_END. -1 as `at_most` means that any number is
 * allowed.  Returns false, after a message, if there are too few or too many. */
bool args_operands(struct args *args, int at_least, int at_most);

/* Reads the last option's argument as a number: decimal, or hexadecimal after 0x.  This function
 * and the next three return false, after a message, if the argument is not valid. */
bool args_number(struct args *args, uint64_t *value);
/* Reads a number like args_number(), and checks that `lowest` <= value <= `highest`. */
bool args_number_within(struct args *args, uint64_t lowest, uint64_t highest, uint64_t *value);
/* Reads a time with its unit: 3ns, 1.5us, 2ms, 1s, 700ps.  The time 0 needs no unit. */
bool args_time(struct args *args, gfe_ps *value);
/* Reads a number of bytes: 4096, 64k, 16M, 2G (powers of 1024). */
bool args_bytes(struct args *args, uint64_t *value);

/* Prints "gfe NAME: MESSAGE (see gfe NAME --help)" and returns 2, also as args->status. */
int args_wrong(struct args *args, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints "gfe: MESSAGE", or a usage error like args_wrong(), and returns the exit status. */
int args_failed(struct args *args, const struct gfe_error *error);

/* Parse a text alone, without a message.  Return false if the text is not such a figure, or if the
 * figure does not fit in 64 bits. */
bool args_parse_number(const char *text, uint64_t *value);
bool args_parse_time(const char *text, gfe_ps *value);
/* A size is decimal, with k, M or G behind it or nothing, or hexadecimal after 0x. */
bool args_parse_bytes(const char *text, uint64_t *value);

#endif
