/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/base/args.h"

#include <assert.h>
#include <ctype.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "emu/base/visible.h"

enum { ARGS_HELP_COLUMN = 26, ARGS_ERROR_BYTES = 600 };

void args_start(struct args *args, const struct args_command *command, int argc, char **argv)
{
    *args = (struct args){.command = command, .argc = argc, .argv = argv};
    /* Zero, not one: glibc then forgets all it knew of an earlier command line. */
    optind = 0;
    opterr = 0;
}

static void args_print_option(const struct args_option *option)
{
    const char *line = option->help;
    const size_t length = strcspn(line, "\n");
    int column = option->id < ARGS_LONG_ONLY ? printf("  -%c, --%s", option->id, option->name)
                                             : printf("      --%s", option->name);

    if (option->argument)
        column += printf(" %s", option->argument);
    if (column >= ARGS_HELP_COLUMN)
        column = printf("\n") - 1;
    printf("%*s%.*s\n", ARGS_HELP_COLUMN - column, "", (int)length, line);
    for (line += length; *line == '\n'; line += strcspn(line, "\n")) {
        line++;
        printf("%*s%.*s\n", ARGS_HELP_COLUMN, "", (int)strcspn(line, "\n"), line);
    }
}

static void args_print_help(const struct args_command *command)
{
    static const struct args_option help = {'h', "help", NULL, "print this and stop"};

    printf("usage: gfe %s%s%s\n\n%s\n", command->name, *command->usage ? " " : "", command->usage,
           command->summary);
    for (const struct args_option *option = command->options; option->id; option++)
        args_print_option(option);
    args_print_option(&help);
}

int args_wrong(struct args *args, const char *format, ...)
{
    char text[ARGS_ERROR_BYTES];
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    visible_mark(text);
    fprintf(stderr, "gfe %s: %s (see gfe %s --help)\n", args->command->name, text,
            args->command->name);
    return args->status = 2;
}

int args_failed(struct args *args, const struct gfe_error *error)
{
    if (error->kind == ERROR_USAGE)
        return args_wrong(args, "%s", error->text);
    fprintf(stderr, "gfe: %s\n", error->text);
    return args->status = error_exit_status(error);
}

/* getopt_long's tables for the command, --help included. */
static void args_tables(const struct args_command *command, struct option *longs, char *letters)
{
    size_t count = 0;

    *letters++ = command->operands_end_options ? '+' : ':';
    if (command->operands_end_options)
        *letters++ = ':';
    for (const struct args_option *option = command->options; option->id; option++) {
        const int takes = option->argument ? required_argument : no_argument;

        assert(count < ARGS_OPTIONS_MAX && option->id != 'h');
        longs[count++] = (struct option){option->name, takes, NULL, option->id};
        if (option->id >= ARGS_LONG_ONLY)
            continue;
        *letters++ = (char)option->id;
        if (option->argument)
            *letters++ = ':';
    }
    longs[count++] = (struct option){"help", no_argument, NULL, 'h'};
    longs[count] = (struct option){0};
    *letters++ = 'h';
    *letters = '\0';
}

/* Name of the option with that id; NULL when there is none. */
static const char *args_option_name(const struct args_command *command, int id)
{
    for (const struct args_option *option = command->options; option->id; option++)
        if (option->id == id)
            return option->name;
    return id == 'h' ? "help" : NULL;
}

/* getopt_long said '?': the option is unknown, ambiguous, or was given an argument it cannot take.
 */
static int args_unknown(struct args *args, int id)
{
    const char *name = args_option_name(args->command, id);
    const char *word = args->argv[optind - 1];

    if (name)
        args_wrong(args, "--%s takes no argument", name);
    else if (id != 0)
        args_wrong(args, "unknown option '-%c'", isprint(id) ? id : '?');
    else
        args_wrong(args, "unknown option '%.*s'", (int)strcspn(word, "="), word);
    return ARGS_STOP;
}

int args_next(struct args *args)
{
    struct option longs[ARGS_OPTIONS_MAX + 2];
    char letters[2 * ARGS_OPTIONS_MAX + 8];
    int id;

    args_tables(args->command, longs, letters);
    id = getopt_long(args->argc, args->argv, letters, longs, NULL);
    switch (id) {
    case -1:
        args->operands = args->argv + optind;
        args->operand_count = args->argc - optind;
        return ARGS_END;
    case 'h':
        args_print_help(args->command);
        args->status = 0;
        return ARGS_STOP;
    case ':':
        args_wrong(args, "--%s needs an argument", args_option_name(args->command, optopt));
        return ARGS_STOP;
    case '?':
        return args_unknown(args, optopt);
    default:
        args->option = args_option_name(args->command, id);
        args->value = optarg;
        return id;
    }
}

/* ---- operands -------------------------------------------------------------------------------- */

enum { MISSING_BYTES = 120 };

/* Returns the next operand of a usage, and moves *usage behind it.  Skips words in brackets, and
 * options with their values.  Returns NULL at the end of an alternative or of the usage. */
static const char *usage_operand(const char **usage, size_t *length)
{
    int depth = 0;
    bool is_value = false;

    for (const char *at = *usage; *at && *at != '|'; at = *usage) {
        const size_t bytes = strcspn(at, " ");
        const int before = depth;

        for (size_t i = 0; i < bytes; i++)
            depth += at[i] == '[' ? 1 : at[i] == ']' ? -1 : 0;
        *usage = at + bytes + (at[bytes] == ' ');
        if (before > 0 || *at == '[')
            continue;
        if (*at == '-' || is_value) {
            is_value = *at == '-' && bytes > 2;
            continue;
        }
        *length = bytes > 3 && strncmp(at + bytes - 3, "...", 3) == 0 ? bytes - 3 : bytes;
        return at;
    }
    return NULL;
}

/* Adds what the usage's alternatives with so many operands (UINT32_MAX: any number) have at a
 * place.
 */
static void missing_add(const char *usage, uint32_t place, uint32_t wanted, char to[MISSING_BYTES])
{
    for (bool more = true; more;) {
        const char *operand, *found = NULL;
        size_t length, found_length = 0;
        uint32_t count = 0;

        while ((operand = usage_operand(&usage, &length)) != NULL)
            if (count++ == place) {
                found = operand;
                found_length = length;
            }
        if (found && (count == wanted || wanted == UINT32_MAX))
            (void)snprintf(to + strlen(to), MISSING_BYTES - strlen(to), "%s%.*s", *to ? " or " : "",
                           (int)found_length, found);
        more = *usage == '|';
        usage += more ? 2 : 0;
    }
}

static void args_missing(struct args *args, uint32_t at_least)
{
    const char *usage = args->command->usage;
    char what[MISSING_BYTES] = "";

    missing_add(usage, (uint32_t)args->operand_count, at_least, what);
    if (!*what)
        missing_add(usage, (uint32_t)args->operand_count, UINT32_MAX, what);
    args_wrong(args, "%s is missing; usage: gfe %s %s", *what ? what : "something",
               args->command->name, usage);
}

bool args_operands(struct args *args, int at_least, int at_most)
{
    if (args->operand_count < at_least)
        args_missing(args, (uint32_t)at_least);
    else if (at_most >= 0 && args->operand_count > at_most)
        args_wrong(args, "unexpected '%s'", args->operands[at_most]);
    else
        return true;
    return false;
}

static bool args_digit(char digit, unsigned base, unsigned *value)
{
    if (digit >= '0' && digit <= '9')
        *value = (unsigned)(digit - '0');
    else if (base == 16 && isxdigit((unsigned char)digit))
        *value = (unsigned)(tolower((unsigned char)digit) - 'a') + 10;
    else
        return false;
    return true;
}

/* Reads at least one digit; returns where they end, NULL when there is none or too many. */
static const char *args_digits(const char *text, unsigned base, uint64_t *value)
{
    const char *at = text;
    unsigned digit;

    for (*value = 0; args_digit(*at, base, &digit); at++) {
        if (*value > (UINT64_MAX - digit) / base)
            return NULL;
        *value = *value * base + digit;
    }
    return at == text ? NULL : at;
}

bool args_parse_number(const char *text, uint64_t *value)
{
    const bool hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char *end = args_digits(hexadecimal ? text + 2 : text, hexadecimal ? 16 : 10, value);

    return end && *end == '\0';
}

struct args_suffix {
    const char *text;
    uint64_t factor;
};

/* Number with decimals, times the factor of its suffix; it must come out even. */
static bool args_parse_scaled(const char *text, const struct args_suffix *suffixes, uint64_t *value)
{
    uint64_t divisor = 1;
    const char *end = args_digits(text, 10, value);
    unsigned digit;

    if (!end)
        return false;
    if (*end == '.') {
        for (end++; args_digit(*end, 10, &digit); end++, divisor *= 10)
            if (divisor > UINT64_MAX / 100 || *value > (UINT64_MAX - digit) / 10)
                return false;
            else
                *value = *value * 10 + digit;
        if (divisor == 1)
            return false;
    }
    for (const struct args_suffix *suffix = suffixes; suffix->text; suffix++) {
        __extension__ const unsigned __int128 scaled = (unsigned __int128)*value * suffix->factor;

        if (strcmp(end, suffix->text) != 0)
            continue;
        if (scaled % divisor != 0 || scaled / divisor > UINT64_MAX)
            return false;
        *value = (uint64_t)(scaled / divisor);
        return true;
    }
    return false;
}

bool args_parse_time(const char *text, gfe_ps *value)
{
    static const struct args_suffix suffixes[] = {
        {"ps", 1},
        {"ns", GFE_PS_PER_NS},
        {"us", GFE_PS_PER_US},
        {"ms", 1000 * GFE_PS_PER_US},
        {"s", GFE_PS_PER_S},
        {NULL, 0},
    };

    if (strcmp(text, "0") == 0) {
        *value = 0;
        return true;
    }
    return args_parse_scaled(text, suffixes, value) && *value != GFE_PS_NEVER;
}

bool args_parse_bytes(const char *text, uint64_t *value)
{
    static const struct args_suffix suffixes[] = {
        {"", 1},
        {"k", UINT64_C(1) << 10},
        {"K", UINT64_C(1) << 10},
        {"M", UINT64_C(1) << 20},
        {"G", UINT64_C(1) << 30},
        {NULL, 0},
    };

    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
        return args_parse_number(text, value);
    return args_parse_scaled(text, suffixes, value);
}

bool args_number(struct args *args, uint64_t *value)
{
    return args_number_within(args, 0, UINT64_MAX, value);
}

bool args_number_within(struct args *args, uint64_t lowest, uint64_t highest, uint64_t *value)
{
    if (!args_parse_number(args->value, value)) {
        args_wrong(args, "--%s: '%s' is not a number", args->option, args->value);
        return false;
    }
    if (*value < lowest || *value > highest) {
        args_wrong(args, "--%s: %s is not within %llu to %llu", args->option, args->value,
                   (unsigned long long)lowest, (unsigned long long)highest);
        return false;
    }
    return true;
}

bool args_time(struct args *args, gfe_ps *value)
{
    if (args_parse_time(args->value, value))
        return true;
    args_wrong(args, "--%s: '%s' is not a time (such as 1.5us; units ps, ns, us, ms, s)",
               args->option, args->value);
    return false;
}

bool args_bytes(struct args *args, uint64_t *value)
{
    if (args_parse_bytes(args->value, value))
        return true;
    args_wrong(args, "--%s: '%s' is not a number of bytes (such as 64k, 16M, 2G)", args->option,
               args->value);
    return false;
}
