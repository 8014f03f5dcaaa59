/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/views/html/show_html.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "emu/base/markup.h"
#include "emu/base/deflate.h"
#include "emu/base/digest.h"
#include "emu/views/html/show_html_private.h"
#include "emu/views/html/show_html_page.h"
#include "emu/views/show_lists.h"
#include "emu/views/svg/show_svg_page.h"

/* ---- base64 (RFC 4648) ----------------------------------------------------------------------- */

enum { BASE64_IN = 3 * 1024, BASE64_OUT = 4 * 1024 };

static void triple_put(char to[4], const uint8_t *from, size_t bytes)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint32_t bits = (uint32_t)from[0] << 16 | (bytes > 1 ? (uint32_t)from[1] << 8 : 0) |
                          (bytes > 2 ? from[2] : 0);

    to[0] = digits[bits >> 18];
    to[1] = digits[bits >> 12 & 63];
    to[2] = '=';
    to[3] = '=';
    if (bytes > 1)
        to[2] = digits[bits >> 6 & 63];
    if (bytes > 2)
        to[3] = digits[bits & 63];
}

static void base64_put(FILE *file, const uint8_t *bytes, size_t count)
{
    char out[BASE64_OUT];

    for (size_t at = 0; at < count; at += BASE64_IN) {
        const size_t part = count - at < BASE64_IN ? count - at : BASE64_IN;
        size_t used = 0;

        for (size_t i = 0; i < part; i += 3, used += 4)
            triple_put(out + used, bytes + at + i, part - i);
        fwrite(out, 1, used, file);
    }
}

/* ---- the data -------------------------------------------------------------------------------- */

struct page {
    FILE *file;
    const struct show *show;
    struct html_bytes head, items, stories;
    bool failed; /* memory is short */
};

/* No browser takes what lies in a script of this type for a program. */
static void part_put(struct page *page, const char *name, const struct html_bytes *raw)
{
    struct deflate_packer *packer = deflate_packer_new();
    uint8_t *packed = packer ? malloc(deflate_bound(packer, raw->count)) : NULL;

    if (packed) {
        markup_print(page->file, "<script type=\"text/plain\" id=\"data-%s\">", name);
        base64_put(page->file, packed, deflate_pack(packer, packed, raw->at, raw->count));
        fputs("</script>\n", page->file);
    }
    page->failed |= packed == NULL;
    free(packed);
    deflate_packer_free(packer);
}

static void data_put(struct page *page)
{
    part_put(page, "head", &page->head);
    part_put(page, "items", &page->items);
    part_put(page, "stories", &page->stories);
}

/* ---- the page -------------------------------------------------------------------------------- */

static void title_put(struct page *page)
{
    char words[SHOW_LISTS_WORDS];

    show_lists_name(page->show, words, sizeof words);
    markup_text(page->file, words);
}

static void hash_put(FILE *file, const struct html_source *source)
{
    uint8_t hash[DIGEST_BYTES];
    struct digest digest;

    digest_start(&digest);
    digest_add(&digest, source->text, source->bytes);
    digest_end(&digest, hash);
    fputs("'sha256-", file);
    base64_put(file, hash, sizeof hash);
    fputc('\'', file);
}

static void policy_put(struct page *page)
{
    fputs("default-src 'none'; base-uri 'none'; form-action 'none'; script-src ", page->file);
    hash_put(page->file, &html_script);
    fputs("; style-src ", page->file);
    hash_put(page->file, &html_style);
}

static void style_put(struct page *page)
{
    fwrite(html_style.text, 1, html_style.bytes, page->file);
}

static void script_put(struct page *page)
{
    fwrite(html_script.text, 1, html_script.bytes, page->file);
}

/* Places in the frame: @TITLE@ and so on. */
static const struct place {
    const char *name;
    void (*put)(struct page *page);
} places[] = {{"@TITLE@", title_put},
              {"@POLICY@", policy_put},
              {"@STYLE@", style_put},
              {"@DATA@", data_put},
              {"@SCRIPT@", script_put}};

static const struct place *place_at(const char *text, size_t bytes)
{
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (bytes >= strlen(places[i].name) &&
            memcmp(text, places[i].name, strlen(places[i].name)) == 0)
            return &places[i];
    return NULL;
}

static void frame_put(struct page *page)
{
    const char *text = html_frame.text;

    for (size_t i = 0; i < html_frame.bytes; i++) {
        const struct place *place =
            text[i] == '@' ? place_at(text + i, html_frame.bytes - i) : NULL;

        if (place) {
            place->put(page);
            i += strlen(place->name) - 1;
        } else {
            fputc(text[i], page->file);
        }
    }
}

static bool page_make(struct html *html, FILE *file)
{
    struct page page = {.file = file, .show = html->show};
    bool good = html_head_write(html, &page.head);

    if (good) {
        html_items_write(html, &page.items);
        html_stories_write(html, &page.stories);
        page.failed = page.items.failed || page.stories.failed;
    }
    if (good && !page.failed)
        frame_put(&page);
    html_bytes_fini(&page.head);
    html_bytes_fini(&page.items);
    html_bytes_fini(&page.stories);
    if (good && page.failed)
        return error_set_errno(html->error, ENOMEM, "%s", event_log_name(html->show->log));
    return good;
}

bool show_html(FILE *file, const struct show *show, const struct show_html_options *options,
               struct gfe_error *error)
{
    struct html html = {.show = show, .options = options, .error = error};
    bool good = html_stories_load(&html);

    if (good && !html_streams_make(&html))
        good = error_set_errno(error, ENOMEM, "%s", event_log_name(show->log));
    good = good && page_make(&html, file);
    html_streams_fini(&html);
    html_stories_fini(&html);
    return good;
}
