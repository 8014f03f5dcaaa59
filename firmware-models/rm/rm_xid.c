/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "firmware-models/rm/rm_xid.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- fields ---------------------------------------------------------------------------------- */

static struct rm_xid_field *xid_add(struct rm_xid *xid, const char *name)
{
    /* The last one takes what is too much. */
    struct rm_xid_field *field =
        &xid->fields[xid->field_count < RM_XID_FIELDS_MAX ? xid->field_count
                                                          : RM_XID_FIELDS_MAX - 1];

    if (xid->field_count < RM_XID_FIELDS_MAX)
        xid->field_count++;
    *field = (struct rm_xid_field){0};
    (void)snprintf(field->name, sizeof field->name, "%s", name);
    return field;
}

struct rm_xid_field *rm_xid_text(struct rm_xid *xid, const char *name, const char *format, ...)
{
    struct rm_xid_field *field = xid_add(xid, name);
    va_list list;

    va_start(list, format);
    (void)vsnprintf(field->value, sizeof field->value, format, list);
    va_end(list);
    return field;
}

struct rm_xid_field *rm_xid_number(struct rm_xid *xid, const char *name, uint64_t number,
                                   const char *format)
{
    struct rm_xid_field *field = xid_add(xid, name);

    (void)snprintf(field->value, sizeof field->value, *format == 'd' ? "%" PRIu64 : "0x%" PRIx64,
                   number);
    field->number = number;
    field->is_number = true;
    return field;
}

void rm_xid_means(struct rm_xid_field *field, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    (void)vsnprintf(field->meaning, sizeof field->meaning, format, list);
    va_end(list);
}

const char *rm_xid_channel(struct rm_xid *xid, const char *at)
{
    static const char *const names[] = {"Ch ", "channel ", "Channel ID ", "ChID ", "ChId "};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const size_t length = strlen(names[i]);
        char *end;

        if (strncmp(at, names[i], length) != 0)
            continue;
        rm_xid_number(xid, "channel", strtoull(at + length, &end, 16), "x");
        return end == at + length ? NULL : end;
    }
    return NULL;
}

/* ---- messages without words of their own ----------------------------------------------------- */

/* "Ch 00000018", "Ch 00000010, engmask 00000101" (older drivers), nothing. */
static bool xid_stopped(struct rm_xid *xid, const char *message)
{
    const char *rest = rm_xid_channel(xid, message);
    uint32_t mask;
    int used = 0;

    if (!rest)
        return false;
    if (sscanf(rest, ", engmask %" SCNx32 "%n", &mask, &used) == 1) {
        rm_xid_number(xid, "engmask", mask, "x");
        rest += used;
    }
    return *rest == '\0';
}

/* "Ch 00000001 caused by previous Xid 31". */
static bool xid_removal(struct rm_xid *xid, const char *message)
{
    const char *rest = rm_xid_channel(xid, message);
    uint32_t previous;
    int used = 0;

    if (!rest)
        return false;
    if (sscanf(rest, " caused by previous Xid %" SCNu32 "%n", &previous, &used) == 1) {
        rm_xid_means(rm_xid_number(xid, "previous_xid", previous, "d"),
                     "the error for which the channel's TSG, or the GPU, was torn down");
        rest += used;
    }
    return *rest == '\0' || strncmp(rest, ", engmask ", 10) == 0;
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* Names of nverror.h. */
static const struct xid_kind {
    uint32_t number;
    const char *name, *title;
    bool (*take)(struct rm_xid *xid, const char *message);
} xid_kinds[] = {
    {13, "ROBUST_CHANNEL_GR_EXCEPTION", "an exception of the graphics engine", rm_xid_gr},
    {31, "ROBUST_CHANNEL_FIFO_ERROR_MMU_ERR_FLT", "an MMU fault", rm_xid_mmu},
    {32, "ROBUST_CHANNEL_PBDMA_ERROR", "an error of a PBDMA", rm_xid_pbdma},
    {43, "ROBUST_CHANNEL_RESETCHANNEL_VERIF_ERROR",
     "the program's own error stopped its channel (trap, assertion, or after another Xid)",
     xid_stopped},
    {45, "ROBUST_CHANNEL_PREEMPTIVE_REMOVAL", "a channel is torn down for another's error",
     xid_removal},
    {69, "ROBUST_CHANNEL_GR_CLASS_ERROR", "a class error of the graphics engine", rm_xid_class},
    {80, "PBDMA_PUSHBUFFER_CRC_MISMATCH", "a CRC of GP entries or pushbuffer is another",
     rm_xid_pbdma},
    {109, "ROBUST_CHANNEL_CTXSW_TIMEOUT_ERROR", "a context switch took too long", rm_xid_ctxsw},
};

static const struct xid_kind *xid_kind(uint32_t number)
{
    for (size_t i = 0; i < sizeof xid_kinds / sizeof xid_kinds[0]; i++)
        if (xid_kinds[i].number == number)
            return &xid_kinds[i];
    return NULL;
}

/* ---- what stands in front of the message -------------------------------------------------------
 */

static const char *xid_blanks(const char *at)
{
    return at + strspn(at, " ,:\t");
}

/* "pid=1234, " or "name=python3, ", whose value may be quoted. */
static const char *xid_named(struct rm_xid *xid, const char *at, const char *name)
{
    const size_t length = strlen(name);
    const char *end;

    if (strncmp(at, name, length) != 0 || at[length] != '=')
        return at;
    end = strstr(at, ", ");
    if (!end)
        end = at + strlen(at);
    rm_xid_text(xid, name, "%.*s", (int)(end - at - (ptrdiff_t)length - 1), at + length + 1);
    return xid_blanks(end);
}

/* "(PCI:0000:01:00)", which may be left out. */
static const char *xid_place(struct rm_xid *xid, const char *at)
{
    const char *end = *at == '(' ? strchr(at, ')') : NULL;

    if (!end)
        return at;
    rm_xid_text(xid, "gpu", "%.*s", (int)(end - at - 1), at + 1);
    return xid_blanks(end + 1);
}

/* A copy of the message without blanks at its end, and without what stands for left-out words. */
static void xid_message(char *to, size_t bytes, const char *at)
{
    static const char dots[] = "\xe2\x80\xa6"; /* an ellipsis */
    size_t length;

    if (strncmp(at, dots, 3) == 0)
        at = xid_blanks(at + 3);
    else if (strncmp(at, "...", 3) == 0)
        at = xid_blanks(at + 3);
    (void)snprintf(to, bytes, "%s", at);
    length = strlen(to);
    while (length > 0 && strchr(" \t\r\n.", to[length - 1]))
        to[--length] = '\0';
}

bool rm_xid_parse(struct rm_xid *xid, const struct nv_chip *chip, const char *line,
                  struct gfe_error *error)
{
    const char *at = strstr(line, "Xid");
    const struct xid_kind *kind;
    char message[1024], *end;

    *xid = (struct rm_xid){.chip = chip};
    if (!at && rm_xid_is_nouveau(line))
        return rm_xid_nouveau(xid, line, error);
    if (!at)
        return error_set(error, ERROR_INPUT,
                         "no Xid in '%s': expected a line of NVIDIA's driver, such as "
                         "'Xid (PCI:0000:01:00): 109, ... Info 0x1c016', or nouveau's of a PBDMA",
                         line);
    at = xid_place(xid, xid_blanks(at + 3));
    xid->number = (uint32_t)strtoul(at, &end, 10);
    if (end == at)
        return error_set(error, ERROR_INPUT, "no number after Xid in '%s'", line);
    kind = xid_kind(xid->number);
    if (!kind)
        return error_set(error, ERROR_INPUT,
                         "the form of Xid %" PRIu32 " is not known: 13, 31, 32, 43, 45, 69, 80 and "
                         "109 are",
                         xid->number);
    xid->name = kind->name;
    xid->title = kind->title;
    at = xid_named(xid, xid_blanks(end), "pid");
    at = xid_named(xid, at, "name");
    xid_message(message, sizeof message, at);
    if (!kind->take(xid, message))
        return error_set(error, ERROR_INPUT, "Xid %" PRIu32 " has no message of a known form: '%s'",
                         xid->number, message);
    return true;
}
