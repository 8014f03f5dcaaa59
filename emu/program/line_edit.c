/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/program/line_edit.h"

#include <stdio.h>
#include <string.h>

enum { CTRL = 0x1f, ESCAPE = 0x1b, RUBOUT = 0x7f };
#define CONTROL(letter) ((letter)&CTRL)

void line_edit_init(struct line_edit *edit, line_edit_complete *complete, void *context)
{
    memset(edit, 0, sizeof *edit);
    edit->complete = complete;
    edit->context = context;
}

/* ---- the text -------------------------------------------------------------------------------- */

static void text_set(struct line_edit *edit, const char *text)
{
    (void)snprintf(edit->text, sizeof edit->text, "%s", text);
    edit->length = edit->cursor = (uint32_t)strlen(edit->text);
}

/* Takes the bytes from `from` to `to` out. */
static void text_cut(struct line_edit *edit, uint32_t from, uint32_t to)
{
    memmove(edit->text + from, edit->text + to, edit->length - to + 1);
    edit->length -= to - from;
    edit->cursor = from;
}

static void text_put(struct line_edit *edit, const char *text, size_t bytes)
{
    if (edit->length + bytes >= sizeof edit->text)
        return;
    memmove(edit->text + edit->cursor + bytes, edit->text + edit->cursor,
            edit->length - edit->cursor + 1);
    memcpy(edit->text + edit->cursor, text, bytes);
    edit->length += (uint32_t)bytes;
    edit->cursor += (uint32_t)bytes;
}

/* Where the word before the cursor begins. */
static uint32_t word_start(const struct line_edit *edit)
{
    uint32_t at = edit->cursor;

    while (at > 0 && edit->text[at - 1] == ' ')
        at--;
    while (at > 0 && edit->text[at - 1] != ' ')
        at--;
    return at;
}

/* ---- history --------------------------------------------------------------------------------- */

static char *history_at(struct line_edit *edit, uint32_t back)
{
    return edit->history[(edit->history_count - back) % LINE_EDIT_HISTORY];
}

static void recall(struct line_edit *edit, bool older)
{
    const uint32_t most =
        edit->history_count < LINE_EDIT_HISTORY ? edit->history_count : LINE_EDIT_HISTORY;

    if (older ? edit->recalled == most : edit->recalled == 0)
        return;
    if (edit->recalled == 0)
        memcpy(edit->kept, edit->text, sizeof edit->kept);
    edit->recalled += older ? 1u : -1u;
    text_set(edit, edit->recalled == 0 ? edit->kept : history_at(edit, edit->recalled));
}

void line_edit_next(struct line_edit *edit)
{
    const bool is_blank = edit->text[strspn(edit->text, " ")] == '\0';

    if (!is_blank && (edit->history_count == 0 || strcmp(history_at(edit, 1), edit->text) != 0)) {
        memcpy(edit->history[edit->history_count % LINE_EDIT_HISTORY], edit->text,
               sizeof edit->text);
        edit->history_count++;
    }
    edit->recalled = 0;
    text_set(edit, "");
}

/* ---- completion ------------------------------------------------------------------------------ */

/* What all words have in common. */
struct common {
    char text[LINE_EDIT_WORD_BYTES];
    uint32_t count;
};

static void common_take(void *context, const char *word)
{
    struct common *common = context;
    uint32_t same = 0;

    if (common->count++ == 0) {
        (void)snprintf(common->text, sizeof common->text, "%s", word);
        return;
    }
    while (common->text[same] != '\0' && common->text[same] == word[same])
        same++;
    if (same == strlen(common->text) && word[same] == '\0')
        common->count--; /* the same word again */
    common->text[same] = '\0';
}

static enum line_edit_result complete_word(struct line_edit *edit)
{
    struct common common = {.count = 0};
    const char *last = strrchr(edit->text, ' ');
    size_t typed = strlen(last ? last + 1 : edit->text);

    if (!edit->complete || edit->cursor != edit->length)
        return LINE_EDIT_MORE;
    edit->complete(edit->context, edit->text, common_take, &common);
    if (common.count == 0 || strlen(common.text) < typed)
        return LINE_EDIT_MORE;
    if (strlen(common.text) == typed && common.count > 1)
        return LINE_EDIT_CHOICE;
    text_put(edit, common.text + typed, strlen(common.text) - typed);
    if (common.count == 1)
        text_put(edit, " ", 1);
    return LINE_EDIT_MORE;
}

/* ---- keys ------------------------------------------------------------------------------------ */

static enum line_edit_result key_move(struct line_edit *edit, int key)
{
    switch (key) {
    case LINE_KEY_LEFT:
        edit->cursor -= edit->cursor > 0;
        break;
    case LINE_KEY_RIGHT:
        edit->cursor += edit->cursor < edit->length;
        break;
    case LINE_KEY_UP:
    case LINE_KEY_DOWN:
        recall(edit, key == LINE_KEY_UP);
        break;
    case LINE_KEY_HOME:
        edit->cursor = 0;
        break;
    case LINE_KEY_END:
        edit->cursor = edit->length;
        break;
    case LINE_KEY_DELETE:
        if (edit->cursor < edit->length)
            text_cut(edit, edit->cursor, edit->cursor + 1);
        break;
    default:
        break;
    }
    return LINE_EDIT_MORE;
}

/* Control characters that mean a key; LINE_KEY_OTHER: none. */
static int key_of_control(int key)
{
    switch (key) {
    case CONTROL('a'):
        return LINE_KEY_HOME;
    case CONTROL('e'):
        return LINE_KEY_END;
    case CONTROL('b'):
        return LINE_KEY_LEFT;
    case CONTROL('f'):
        return LINE_KEY_RIGHT;
    case CONTROL('p'):
        return LINE_KEY_UP;
    case CONTROL('n'):
        return LINE_KEY_DOWN;
    case CONTROL('d'):
        return LINE_KEY_DELETE;
    default:
        return LINE_KEY_OTHER;
    }
}

static enum line_edit_result key_control(struct line_edit *edit, int key)
{
    switch (key) {
    case '\r':
    case '\n':
        return LINE_EDIT_DONE;
    case '\t':
        return complete_word(edit);
    case CONTROL('c'):
        return LINE_EDIT_DROPPED;
    case CONTROL('d'):
        return edit->length == 0 ? LINE_EDIT_CLOSED : key_move(edit, LINE_KEY_DELETE);
    case CONTROL('l'):
        return LINE_EDIT_REDRAW;
    case CONTROL('h'):
    case RUBOUT:
        if (edit->cursor > 0)
            text_cut(edit, edit->cursor - 1, edit->cursor);
        return LINE_EDIT_MORE;
    case CONTROL('k'):
        edit->text[edit->length = edit->cursor] = '\0';
        return LINE_EDIT_MORE;
    case CONTROL('u'):
        text_cut(edit, 0, edit->cursor);
        return LINE_EDIT_MORE;
    case CONTROL('w'):
        text_cut(edit, word_start(edit), edit->cursor);
        return LINE_EDIT_MORE;
    default:
        return key_move(edit, key_of_control(key));
    }
}

/* The keys that terminals send as escape sequences, less their ESC and [ or O. */
static int key_of_escape(const char *escape)
{
    static const struct {
        const char *sequence;
        int key;
    } keys[] = {{"A", LINE_KEY_UP},    {"B", LINE_KEY_DOWN},   {"C", LINE_KEY_RIGHT},
                {"D", LINE_KEY_LEFT},  {"H", LINE_KEY_HOME},   {"F", LINE_KEY_END},
                {"1~", LINE_KEY_HOME}, {"4~", LINE_KEY_END},   {"7~", LINE_KEY_HOME},
                {"8~", LINE_KEY_END},  {"3~", LINE_KEY_DELETE}};

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (strcmp(keys[i].sequence, escape) == 0)
            return keys[i].key;
    return LINE_KEY_OTHER;
}

/* One more byte of a sequence: it ends with a letter or ~. */
static enum line_edit_result key_escape(struct line_edit *edit, int key)
{
    const uint32_t at = edit->escape_count++;

    if (at == 1 && (key == '[' || key == 'O'))
        return LINE_EDIT_MORE;
    if (at >= 2 && at < sizeof edit->escape) {
        edit->escape[at - 2] = (char)key;
        edit->escape[at - 1] = '\0';
        if ((key >= '0' && key <= '9') || key == ';')
            return LINE_EDIT_MORE;
    }
    edit->escape_count = 0;
    return at >= 2 && at < sizeof edit->escape ? key_move(edit, key_of_escape(edit->escape))
                                               : LINE_EDIT_MORE;
}

enum line_edit_result line_edit_key(struct line_edit *edit, int key)
{
    const char character = (char)key;

    if (edit->escape_count > 0 && key < 256)
        return key_escape(edit, key);
    if (key >= 256)
        return key_move(edit, key);
    if (key == ESCAPE) {
        edit->escape_count = 1;
        return LINE_EDIT_MORE;
    }
    if (key < ' ' || key == RUBOUT)
        return key_control(edit, key);
    text_put(edit, &character, 1);
    return LINE_EDIT_MORE;
}
