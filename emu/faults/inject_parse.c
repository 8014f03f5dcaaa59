/* SPDX-License-Identifier: MIT */
/* The text of a fault: see emu/inject.h. */
#include <config.h>

#include "emu/faults/inject.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/base/args.h"
#include "emu/faults/inject_trigger.h"
#include "emu/engine/reg_assign.h"

// clang-format off
static const char *const inject_model_names[INJECT_MODELS] = {
    [INJECT_FLIP] = "flip",           [INJECT_STUCK_0] = "stuck0",
    [INJECT_STUCK_1] = "stuck1",      [INJECT_VALUE] = "value",
    [INJECT_DROP] = "drop",           [INJECT_DUPLICATE] = "duplicate",
    [INJECT_DELAY] = "delay",         [INJECT_REORDER] = "reorder",
    [INJECT_SPURIOUS] = "spurious",   [INJECT_UNMAP] = "unmap",
    [INJECT_WRONG_PAGE] = "wrong_page", [INJECT_READ_ONLY] = "read_only",
};
// clang-format on

const char *inject_model_name(enum inject_model model)
{
    return inject_model_names[model];
}

const struct inject_site *inject_site(const struct inject_sites *sites, uint32_t site)
{
    return site < INJECT_SITE_VENDOR ? &inject_emu_sites[site]
                                     : &sites->rows[site - INJECT_SITE_VENDOR];
}

uint32_t inject_site_by_name(const struct inject_sites *sites, const char *name)
{
    for (uint32_t i = 0; i < INJECT_SITE_VENDOR + sites->count; i++)
        if (strcmp(inject_site(sites, i)->name, name) == 0)
            return i;
    return UINT32_MAX;
}

const struct inject_field *inject_fields(const struct inject_site *site,
                                         const struct machine *machine)
{
    return site->fields_of ? site->fields_of(machine) : site->fields;
}

/* ---- words ----------------------------------------------------------------------------------- */

/* The three words of a text, without their blanks; the last two may be missing. */
struct inject_words {
    char site[INJECT_TEXT_MAX], model[INJECT_TEXT_MAX], trigger[INJECT_TEXT_MAX];
};

static const char *inject_word(const char *text, char *word)
{
    const size_t length = strcspn(text, " \t");

    memcpy(word, text, length);
    word[length] = '\0';
    return text + length + strspn(text + length, " \t");
}

static bool inject_split(const char *text, struct inject_words *words, struct gfe_error *error)
{
    if (strlen(text) >= INJECT_TEXT_MAX)
        return error_set(error, ERROR_USAGE, "a fault has less than %d characters",
                         INJECT_TEXT_MAX);
    text = inject_word(text + strspn(text, " \t"), words->site);
    text = inject_word(text, words->model);
    text = inject_word(text, words->trigger);
    if (words->model[0] == '\0' || words->model[0] == '@')
        return error_set(error, ERROR_USAGE, "SITE MODEL is needed, such as 'doorbell drop @#2'");
    if (words->trigger[0] != '\0' && words->trigger[0] != '@')
        return error_set(error, ERROR_USAGE, "a trigger begins with @, unlike '%.60s'",
                         words->trigger);
    return text[0] == '\0' || error_set(error, ERROR_USAGE, "this is too much: '%.60s'", text);
}

/* ---- sites ----------------------------------------------------------------------------------- */

/* A register, or its field, as a mask of the word at *offset. */
bool inject_reg(const struct machine *machine, const char *place, uint32_t *offset, uint32_t *mask,
                struct gfe_error *error)
{
    struct reg_assign_message message = {0};
    struct reg_assign assign;
    char text[INJECT_TEXT_MAX + 8];

    (void)snprintf(text, sizeof text, "%s = 0", place);
    if (!reg_assign_parse(&machine->mmio, text, &assign, &message))
        return error_set(error, ERROR_USAGE, "%s", message.text);
    if (!assign.row)
        return error_set(error, ERROR_USAGE, "no register is at 0x%x", assign.offset);
    *offset = assign.offset;
    *mask = assign.mask;
    return true;
}

/* What stands before a slash names a bank; *text moves behind it. */
bool inject_bank(const struct machine *machine, const struct inject_sites *sites, char **text,
                 uint32_t *bank, struct gfe_error *error)
{
    const char *rest;

    if (!strchr(*text, '/'))
        return true;
    rest = sites->bank_parse ? sites->bank_parse(machine, *text, bank) : NULL;
    if (!rest)
        return error_set(error, ERROR_USAGE, "'%.60s': %s%s", *text,
                         sites->bank_parse ? "before a register stands "
                                           : "there are no banks here",
                         sites->bank_parse ? sites->bank_form : "");
    *text += rest - *text;
    return true;
}

/* Lowest bit and number of bits of a mask of neighbours. */
static void inject_bits_of(struct inject_fault *fault, uint32_t mask)
{
    fault->bit_low = mask == 0 ? 0 : (uint32_t)__builtin_ctz(mask);
    fault->bit_count = (uint32_t)__builtin_popcount(mask);
}

/* SPACE:ADDRESS, or vid:ADDRESS and sys:ADDRESS where memory is meant. */
static bool inject_address(const struct machine *machine, const char *text, bool is_mapping,
                           struct inject_fault *fault, struct gfe_error *error)
{
    const char *colon = strchr(text, ':');
    uint64_t space = 0;
    char word[32];

    (void)snprintf(word, sizeof word, "%.*s",
                   colon ? (int)(colon - text < 31 ? colon - text : 31) : 0, text);
    fault->aperture = MEMORY_APERTURE_COUNT;
    if (!is_mapping && strcmp(word, "vid") == 0)
        fault->aperture = MEMORY_VRAM;
    else if (!is_mapping && strcmp(word, "sys") == 0)
        fault->aperture = MEMORY_SYSMEM;
    else if (!colon || !args_parse_number(word, &space) || space >= UINT32_MAX)
        return error_set(error, ERROR_USAGE, "'%.60s' is no %s", text,
                         is_mapping ? "SPACE:ADDRESS"
                                    : "vid:ADDRESS, sys:ADDRESS or SPACE:ADDRESS");
    fault->space_id = (uint32_t)space;
    if (!args_parse_number(colon + 1, &fault->address))
        return error_set(error, ERROR_USAGE, "'%.60s' is no address", colon + 1);
    if (!is_mapping && fault->address % 4 != 0)
        return error_set(error, ERROR_USAGE, "0x%llx is no multiple of 4: bits count in its word",
                         (unsigned long long)fault->address);
    if (fault->aperture < MEMORY_APERTURE_COUNT &&
        fault->address >= machine->memory.size_bytes[fault->aperture])
        return error_set(error, ERROR_USAGE, "0x%llx lies beyond the end of that memory",
                         (unsigned long long)fault->address);
    return true;
}

bool inject_field_parse(const struct machine *machine, const struct inject_site *site,
                        const char *name, struct inject_fault *fault, struct gfe_error *error)
{
    fault->bit_low = 0;
    fault->bit_count = 8 * site->bytes;
    if (!name)
        return true;
    for (const struct inject_field *field = inject_fields(site, machine); field && field->name;
         field++)
        if (strcmp(field->name, name) == 0) {
            fault->bit_low = field->low;
            fault->bit_count = field->high - field->low + 1;
            return true;
        }
    return error_set(error, ERROR_USAGE, "%s has no field '%.60s'", site->name, name);
}

/* SITE[.FIELD][:SUBJECT] */
static bool inject_site_parse(const struct machine *machine, const struct inject_sites *sites,
                              char *word, struct inject_fault *fault, struct gfe_error *error)
{
    const struct inject_site *site;
    char *colon = strchr(word, ':'), *dot;
    uint32_t mask = 0;

    if (colon)
        *colon++ = '\0';
    dot = strchr(word, '.');
    if (dot)
        *dot++ = '\0';
    fault->site = inject_site_by_name(sites, word);
    if (fault->site == UINT32_MAX)
        return error_set(error, ERROR_USAGE,
                         "no site is called '%.60s'; gfe inject --list has them", word);
    site = inject_site(sites, fault->site);
    fault->subject = INJECT_ANY;
    if (!colon && (site->place == INJECT_MEMORY || site->place == INJECT_MAPPING ||
                   site->place == INJECT_REGISTER || site->place == INJECT_VENDOR))
        return error_set(error, ERROR_USAGE, "%s needs :%s", site->name, site->subject);
    if (site->place == INJECT_MEMORY || site->place == INJECT_MAPPING) {
        inject_bits_of(fault, UINT32_MAX);
        return inject_address(machine, colon, site->place == INJECT_MAPPING, fault, error);
    }
    if (site->place == INJECT_REGISTER) {
        fault->reg_bank = INJECT_NO_BANK;
        if (!inject_bank(machine, sites, &colon, &fault->reg_bank, error) ||
            !inject_reg(machine, colon, &fault->reg_offset, &mask, error))
            return false;
        inject_bits_of(fault, mask);
        return true;
    }
    if (colon && !site->subject)
        return error_set(error, ERROR_USAGE, "%s has no subject, so none can be named", site->name);
    if (colon && !args_parse_number(colon, &fault->subject))
        return error_set(error, ERROR_USAGE, "'%.60s' is no number of a %s", colon, site->subject);
    return inject_field_parse(machine, site, dot, fault, error);
}

/* ---- models ---------------------------------------------------------------------------------- */

/* BIT[,BIT...], of the field. */
static bool inject_bits(char *list, struct inject_fault *fault, struct gfe_error *error)
{
    for (char *next; list; list = next) {
        uint64_t bit;

        next = strchr(list, ',');
        if (next)
            *next++ = '\0';
        if (!args_parse_number(list, &bit) || bit >= fault->bit_count)
            return error_set(error, ERROR_USAGE, "'%.60s' is no bit: there are %u, from 0", list,
                             fault->bit_count);
        if (fault->bits_given == INJECT_BITS_MAX)
            return error_set(error, ERROR_USAGE, "at most %d bits", INJECT_BITS_MAX);
        for (uint32_t i = 0; i < fault->bits_given; i++)
            if (fault->bits[i] == fault->bit_low + bit)
                return error_set(error, ERROR_USAGE, "bit %u is given twice", (unsigned)bit);
        fault->bits[fault->bits_given++] = fault->bit_low + (uint32_t)bit;
    }
    return true;
}

static bool inject_value_parse(const char *text, struct inject_fault *fault,
                               struct gfe_error *error)
{
    if (!args_parse_number(text, &fault->value))
        return error_set(error, ERROR_USAGE, "'%.60s' is no number", text);
    if (fault->bit_count < 64 && fault->value >> fault->bit_count != 0)
        return error_set(error, ERROR_USAGE, "%.60s has more than %u bits", text, fault->bit_count);
    if (fault->bit_count > 64)
        return error_set(error, ERROR_USAGE, "a value of %u bits cannot be given: name a field",
                         fault->bit_count);
    return true;
}

static bool inject_argument(char *text, const struct inject_site *site, struct inject_fault *fault,
                            struct gfe_error *error)
{
    const char *name = inject_model_name(fault->model);

    switch (fault->model) {
    case INJECT_FLIP:
        if (!text)
            return error_set(error, ERROR_USAGE, "flip needs =BIT, of %u bits from 0",
                             fault->bit_count);
        return inject_bits(text, fault, error);
    case INJECT_STUCK_0:
    case INJECT_STUCK_1:
        if (!text && fault->bit_count > 64)
            return error_set(error, ERROR_USAGE, "%s needs =BIT: %s has %u", name, site->name,
                             fault->bit_count);
        return !text || inject_bits(text, fault, error);
    case INJECT_VALUE:
        if (!text)
            return error_set(error, ERROR_USAGE, "value needs =NUMBER");
        return inject_value_parse(text, fault, error);
    case INJECT_DELAY:
        if (!text || !args_parse_time(text, &fault->value) || fault->value == 0)
            return error_set(error, ERROR_USAGE, "delay needs a time, such as =20us");
        return true;
    case INJECT_DROP:
        fault->value = 1;
        if (text && strcmp(text, "all") == 0)
            fault->value = UINT64_MAX;
        else if (text && (!args_parse_number(text, &fault->value) || fault->value == 0))
            return error_set(error, ERROR_USAGE, "drop takes =COUNT or =all");
        return true;
    case INJECT_WRONG_PAGE:
        fault->value = 1;
        if (text && (!args_parse_number(text, &fault->value) || fault->value == 0))
            return error_set(error, ERROR_USAGE, "wrong_page takes =PAGES further on");
        return true;
    default:
        return !text || error_set(error, ERROR_USAGE, "%s takes no argument", name);
    }
}

static bool inject_model_parse(char *word, const struct inject_site *site,
                               struct inject_fault *fault, struct gfe_error *error)
{
    char *argument = strchr(word, '=');
    uint32_t model = 0;

    if (argument)
        *argument++ = '\0';
    while (model < INJECT_MODELS && strcmp(inject_model_names[model], word) != 0)
        model++;
    if (model == INJECT_MODELS)
        return error_set(error, ERROR_USAGE,
                         "no model is called '%.60s'; gfe inject --list has "
                         "them",
                         word);
    if ((site->models & INJECT_BIT(model)) == 0)
        return error_set(error, ERROR_USAGE,
                         "%s cannot have '%s'; gfe inject --list says what "
                         "it can",
                         site->name, word);
    fault->model = (enum inject_model)model;
    return inject_argument(argument, site, fault, error);
}

/* ---- all of it ------------------------------------------------------------------------------- */

bool inject_parse(const struct machine *machine, const struct inject_sites *sites, const char *text,
                  struct inject_fault *fault, struct gfe_error *error)
{
    struct inject_words words = {0};
    const struct inject_site *site;

    *fault = (struct inject_fault){0};
    if (!inject_split(text, &words, error))
        return false;
    (void)snprintf(fault->text, sizeof fault->text, "%s", text);
    if (!inject_site_parse(machine, sites, words.site, fault, error))
        return false;
    site = inject_site(sites, fault->site);
    return inject_model_parse(words.model, site, fault, error) &&
           inject_trigger_parse(machine, sites, words.trigger, site->place == INJECT_PASSAGE,
                                &fault->trigger, error);
}

bool inject_parse_set(const struct machine *machine, const struct inject_sites *sites,
                      const char *text, struct inject_fault *faults, uint32_t *count, uint32_t room,
                      struct gfe_error *error)
{
    struct gfe_error wrong = {0};
    const char *end;

    do {
        char one[INJECT_TEXT_MAX];

        text += strspn(text, " ");
        end = text + strcspn(text, ";");
        if (room-- == 0)
            return error_set(error, ERROR_USAGE, "more than %d faults", INJECT_FAULTS_MAX);
        if (end - text >= INJECT_TEXT_MAX)
            return error_set(error, ERROR_USAGE, "'%.60s...' is too long for a fault", text);
        memcpy(one, text, (size_t)(end - text));
        one[end - text] = '\0';
        if (!inject_parse(machine, sites, one, &faults[*count], &wrong))
            return error_set(error, wrong.kind, "'%.200s': %s", one, wrong.text);
        ++*count;
        text = end + 1;
    } while (*end == ';');
    return true;
}
