/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/sim/describe.h"

#include <string.h>
#include <strings.h>

#include "emu/base/json_text.h"

enum { DESCRIBE_COLUMNS = 100 };

void describe_wrapped(FILE *file, int indent, const char *text)
{
    int column = 0;

    while (*(text += strspn(text, " ")) != '\0') {
        const int length = (int)strcspn(text, " ");

        if (column > 0 && column + 1 + length > DESCRIBE_COLUMNS) {
            fputc('\n', file);
            column = 0;
        }
        column += column == 0 ? fprintf(file, "%*s%.*s", indent, "", length, text)
                              : fprintf(file, " %.*s", length, text);
        text += length;
    }
    if (column > 0)
        fputc('\n', file);
}

/* ---- registers ------------------------------------------------------------------------------- */

static const char *describe_access(uint8_t access)
{
    static const char *const names[] = {
        [REG_RO] = "read only",
        [REG_RW] = "read/write",
        [REG_WO] = "write only",
        [REG_W1C] = "write 1 to clear",
        [REG_HOOK] = "read/write, the unit decides what is stored",
        [REG_INERT] = "read/write, without effect here",
        [REG_SET] = "write 1 to set",
        [REG_CLEAR] = "write 1 to clear what is set",
    };

    return names[access];
}

static bool describe_has(const struct reg_list *list, uint32_t variants)
{
    return list->variants == 0 || (list->variants & variants) != 0;
}

void describe_reg_lists(FILE *file, const struct reg_list *const *lists, uint32_t list_count,
                        uint32_t variants)
{
    for (uint32_t i = 0; i < list_count; i++) {
        uint32_t count = 0;

        for (uint32_t row = 0; row < lists[i]->row_count; row++)
            count += lists[i]->rows[row].kind == ROW_REG &&
                     (lists[i]->rows[row].variants & variants) != 0;
        if (count > 0 && describe_has(lists[i], variants))
            fprintf(file, "%-24s %3u register%s   %s\n", lists[i]->name, count,
                    count == 1 ? " " : "s", lists[i]->source);
    }
}

uint32_t describe_variants(const struct reg_list *const *lists, uint32_t list_count,
                           const char *word)
{
    uint32_t variants = 0;

    for (uint32_t i = 0; i < list_count; i++)
        for (uint32_t bit = 0; lists[i]->variant_names && lists[i]->variant_names[bit]; bit++)
            if (strncasecmp(lists[i]->variant_names[bit], word, strlen(word)) == 0)
                variants |= UINT32_C(1) << bit;
    return variants;
}

/* Which variants have a row, if not all that have what it belongs to. */
static void describe_only(FILE *file, int indent, const struct reg_list *list,
                          const struct reg_row *row, uint32_t owner)
{
    char text[256] = "only on ";
    const char *comma = "";

    if (!list->variant_names || (row->variants & owner) == owner)
        return;
    for (uint32_t bit = 0; list->variant_names[bit]; bit++)
        if ((row->variants & owner) >> bit & 1) {
            const size_t used = strlen(text);

            (void)snprintf(text + used, sizeof text - used, "%s%s", comma,
                           list->variant_names[bit]);
            comma = ", ";
        }
    describe_wrapped(file, indent, text);
}

/* Those variants that a list has at all. */
static uint32_t describe_all(const struct reg_list *list)
{
    uint32_t names = 0;

    for (uint32_t bit = 0; list->variant_names && list->variant_names[bit]; bit++)
        names |= UINT32_C(1) << bit;
    return list->variants != 0 ? list->variants & names : names;
}

static void describe_register(FILE *file, const struct reg_list *list, const struct reg_row *row)
{
    fprintf(file, "0x%04x", row->number);
    if (row->count > 1)
        fprintf(file, " + i * %u, i = 0 ... %u", row->stride_bytes, row->count - 1);
    fprintf(file, "  %s\n", row->name);
    if (row->access == REG_SET || row->access == REG_CLEAR)
        fprintf(file, "        %s; held at 0x%04x\n", describe_access(row->access), row->reset);
    else
        fprintf(file, "        %s; after reset 0x%08x\n", describe_access(row->access), row->reset);
    describe_only(file, 8, list, row, describe_all(list));
    describe_wrapped(file, 8, row->doc);
}

static void describe_field(FILE *file, const struct reg_list *list, const struct reg_row *reg,
                           const struct reg_row *row)
{
    if (row->kind == ROW_VALUE) {
        fprintf(file, "              = %-6u  %s\n", row->number, row->name);
        describe_only(file, 24, list, row, reg->variants & describe_all(list));
        describe_wrapped(file, 24, row->doc);
        return;
    }
    if (row->hi == row->lo)
        fprintf(file, "        bit %-7u %s\n", row->hi, row->name);
    else
        fprintf(file, "        bits %2u:%-3u %s\n", row->hi, row->lo, row->name);
    if (row->access != REG_SAME && row->access != reg->access)
        describe_wrapped(file, 20, describe_access(row->access));
    describe_only(file, 20, list, row, reg->variants & describe_all(list));
    describe_wrapped(file, 20, row->doc);
}

static bool describe_contains(const char *name, const char *word)
{
    const size_t length = strlen(word);

    for (; strlen(name) >= length; name++)
        if (strncasecmp(name, word, length) == 0)
            return true;
    return false;
}

uint32_t describe_registers(FILE *file, const struct reg_list *list, uint32_t variants,
                            const char *word)
{
    const bool whole = word && reg_by_name(list, variants, word);
    const struct reg_row *reg = NULL;
    uint32_t count = 0;

    for (uint32_t i = 0; i < list->row_count; i++) {
        const struct reg_row *row = &list->rows[i];

        if (row->kind == ROW_REG) {
            const bool wanted = !word || (whole ? strcasecmp(row->name, word) == 0
                                                : describe_contains(row->name, word));

            reg = wanted && (row->variants & variants) ? row : NULL;
            if (!reg)
                continue;
            if (count++ == 0)
                fprintf(file, "%s\nSource: %s\n", list->name, list->source);
            fputc('\n', file);
            describe_register(file, list, row);
        } else if (reg && (row->variants & variants)) {
            describe_field(file, list, reg, row);
        }
    }
    return count;
}

/* ---- rules, parameters, choice points ----------------------------------------------------------
 */

/* Number 0 is "no rule": not one to print. */
static bool describe_wants(const char *name, const char *label)
{
    size_t length = label ? strlen(label) : 0;

    if (length > 1 && label[length - 1] == '.') /* T. is T */
        length--;
    if (strcmp(name, "-") == 0)
        return false;
    return !label ||
           (strncasecmp(name, label, length) == 0 && (name[length] == '\0' || name[length] == '.'));
}

/* What is being printed, and how much of it already was. */
struct describe_page {
    FILE *file;
    const struct describe_question *question;
    const char *section;
    uint32_t row_count, section_row_count;
};

/* Says whether a row that was seen on some GPUs is carried over to the one that is asked for. */
static bool describe_carried(const struct describe_question *question, const char *seen_on)
{
    return seen_on && question->gpu && !rule_is_seen_on(seen_on, question->chip, question->gpu);
}

static void describe_source(const struct describe_page *page, const char *source,
                            const char *seen_on)
{
    fprintf(page->file, "        Source: %s\n", source);
    if (seen_on)
        fprintf(page->file, "        %s: %s\n",
                describe_carried(page->question, seen_on) ? "Carried over from" : "Seen on",
                seen_on);
}

/* Before a row: the section's title before its first one. */
static void describe_row(struct describe_page *page)
{
    if (page->section_row_count++ == 0)
        fprintf(page->file, "%s%s\n", page->row_count > 0 ? "\n" : "", page->section);
    fputc('\n', page->file);
    page->row_count++;
}

static void describe_rule_rows(struct describe_page *page, const struct table_set *set)
{
    for (uint32_t i = 0; i < set->rule_count; i++) {
        const struct rule *rule = &set->rules[i];

        if (!describe_wants(rule->label, page->question->label))
            continue;
        describe_row(page);
        fprintf(page->file, "%-20s %s; enforced by %s\n", rule->label, rule_basis_name(rule->basis),
                rule_enforcer_name(rule->enforcer));
        describe_wrapped(page->file, 8, rule->text);
        describe_source(page, rule->source, rule->seen_on);
    }
}

static void describe_parameter_rows(struct describe_page *page, const struct table_set *set)
{
    for (uint32_t i = 0; i < set->parameter_count; i++) {
        const struct parameter *parameter = &set->parameters[i];

        if (!describe_wants(parameter->id, page->question->label))
            continue;
        describe_row(page);
        fprintf(page->file, "%s = %llu %s   %s\n", parameter->id,
                (unsigned long long)parameter->value, parameter->unit,
                rule_basis_name(parameter->basis));
        describe_wrapped(page->file, 8, parameter->text);
        describe_source(page, parameter->source, parameter->seen_on);
    }
}

static void describe_choice_rows(struct describe_page *page, const struct table_set *set)
{
    for (uint32_t i = 0; i < set->choice_count; i++) {
        const struct choice_point *choice = &set->choices[i];

        if (!describe_wants(choice->id, page->question->label))
            continue;
        describe_row(page);
        fprintf(page->file, "%s   %s%s\n", choice->id, rule_basis_name(choice->basis),
                choice->is_left_open ? ", left open" : "");
        describe_wrapped(page->file, 8, choice->text);
        for (uint32_t a = 0; a < CHOICE_ALTERNATIVES_MAX && choice->alternatives[a]; a++)
            fprintf(page->file, "        - %s%s\n", choice->alternatives[a],
                    a == choice->default_index ? " (default)" : "");
        describe_source(page, choice->source, choice->seen_on);
    }
}

uint32_t describe_rules(FILE *file, const struct table_set *const *sets, uint32_t set_count,
                        const struct describe_question *question)
{
    static const struct {
        const char *title;
        void (*rows)(struct describe_page *page, const struct table_set *set);
    } sections[] = {
        {"RULES", describe_rule_rows},
        {"PARAMETERS", describe_parameter_rows},
        {"CHOICE POINTS", describe_choice_rows},
    };
    struct describe_page page = {.file = file, .question = question};

    for (size_t s = 0; s < sizeof sections / sizeof sections[0]; s++) {
        page.section = sections[s].title;
        page.section_row_count = 0;
        for (uint32_t i = 0; i < set_count; i++)
            sections[s].rows(&page, sets[i]);
    }
    return page.row_count;
}

/* ---- the same as JSON ---------------------------------------------------------------------------
 */

/* Adds to a row where it was seen, if it was, and for a GPU whether it is carried over.  Releases
 * the row and returns NULL if memory is short. */
static json_t *describe_json_seen(const struct describe_question *question, const char *seen_on,
                                  json_t *row)
{
    if (!seen_on)
        return row;
    row = json_text_set(row, "seen_on", json_string(seen_on));
    return question->gpu ? json_text_set(row, "carried_over",
                                         json_boolean(describe_carried(question, seen_on)))
                         : row;
}

/* Each returns false when memory is short. */
static bool describe_json_rules(const struct table_set *set,
                                const struct describe_question *question, json_t *rules)
{
    int failures = 0;

    for (uint32_t i = 0; i < set->rule_count; i++) {
        const struct rule *rule = &set->rules[i];

        if (describe_wants(rule->label, question->label))
            failures += json_array_append_new(
                rules,
                describe_json_seen(question, rule->seen_on,
                                   json_pack("{ss ss ss ss ss ss}", "label", rule->label, "family",
                                             set->name, "basis", rule_basis_name(rule->basis),
                                             "enforced_by", rule_enforcer_name(rule->enforcer),
                                             "source", rule->source, "text", rule->text)));
    }
    return failures == 0;
}

static bool describe_json_parameters(const struct table_set *set,
                                     const struct describe_question *question, json_t *parameters)
{
    int failures = 0;

    for (uint32_t i = 0; i < set->parameter_count; i++) {
        const struct parameter *parameter = &set->parameters[i];

        if (describe_wants(parameter->id, question->label))
            failures += json_array_append_new(
                parameters,
                describe_json_seen(question, parameter->seen_on,
                                   json_pack("{ss ss sI ss ss ss ss}", "id", parameter->id,
                                             "family", set->name, "value",
                                             (json_int_t)parameter->value, "unit", parameter->unit,
                                             "basis", rule_basis_name(parameter->basis), "source",
                                             parameter->source, "text", parameter->text)));
    }
    return failures == 0;
}

static bool describe_json_choices(const struct table_set *set,
                                  const struct describe_question *question, json_t *choices)
{
    int failures = 0;

    for (uint32_t i = 0; i < set->choice_count; i++) {
        const struct choice_point *choice = &set->choices[i];
        json_t *alternatives = json_array();

        for (uint32_t a = 0; a < CHOICE_ALTERNATIVES_MAX && choice->alternatives[a]; a++)
            failures += json_array_append_new(alternatives, json_string(choice->alternatives[a]));
        if (describe_wants(choice->id, question->label))
            failures += json_array_append_new(
                choices,
                describe_json_seen(question, choice->seen_on,
                                   json_pack("{ss ss sO ss ss sb ss ss}", "id", choice->id,
                                             "family", set->name, "alternatives", alternatives,
                                             "default", choice->alternatives[choice->default_index],
                                             "basis", rule_basis_name(choice->basis), "open",
                                             choice_is_open(choice), "source", choice->source,
                                             "text", choice->text)));
        json_decref(alternatives);
    }
    return failures == 0;
}

json_t *describe_rules_json(const struct table_set *const *sets, uint32_t set_count,
                            const struct describe_question *question)
{
    json_t *rules = json_array(), *parameters = json_array(), *choices = json_array();
    json_t *json =
        json_pack("{so so so}", "rules", rules, "parameters", parameters, "choice_points", choices);
    bool done = json != NULL;

    for (uint32_t i = 0; done && i < set_count; i++)
        done = describe_json_rules(sets[i], question, rules) &&
               describe_json_parameters(sets[i], question, parameters) &&
               describe_json_choices(sets[i], question, choices);
    if (done)
        return json;
    json_decref(json);
    return NULL;
}
