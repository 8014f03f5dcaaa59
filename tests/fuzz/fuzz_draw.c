/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "emu/log/event_log.h"
#include "emu/views/html/show_html.h"
#include "emu/views/perfetto/show_perfetto.h"
#include "emu/views/svg/show_svg.h"
#include "emu/views/text/show_text.h"
#include "emu/views/vcd/show_vcd.h"
#include "tests/fuzz/fuzz_file.h"

enum { DRAWINGS = 8 };

static bool svg_draw(FILE *file, struct event_log_reader *log, enum show_svg_view view,
                     struct gfe_error *error)
{
    struct show show;
    bool done;

    if (!show_load(&show, log, 0, GFE_PS_NEVER, error))
        return false;
    done = show_svg(file, &show, &(struct show_svg_options){.width = 500, .view = view}, error);
    show_fini(&show);
    return done;
}

static bool html_draw(FILE *file, const char *path, struct event_log_reader *log,
                      struct gfe_error *error)
{
    struct event_log_reader *again = event_log_open(path, error);
    struct show show;
    bool done = false;

    if (again && show_load_all(&show, log, 0, GFE_PS_NEVER, error)) {
        done = show_html(file, &show, &(struct show_html_options){.again = again}, error);
        show_fini(&show);
    }
    event_log_close(again);
    return done;
}

static bool text_draw(FILE *file, struct event_log_reader *log, struct gfe_error *error)
{
    struct show show;
    bool done;

    if (!show_load(&show, log, 0, GFE_PS_NEVER, error))
        return false;
    done = show_text(file, &show, &(struct show_text_options){.width = 100}, error);
    show_fini(&show);
    return done;
}

static bool draw(FILE *file, const char *path, size_t which, struct gfe_error *error)
{
    struct event_log_reader *log = event_log_open(path, error);
    bool done = false;

    if (log)
        switch (which) {
        case 0:
        case 1:
        case 2:
            done = svg_draw(file, log,
                            which == 0   ? 0
                            : which == 1 ? SHOW_SVG_SMS
                                         : SHOW_SVG_THREADS,
                            error);
            break;
        case 3:
            done = text_draw(file, log, error);
            break;
        case 4:
            done = show_vcd(file, log, 0, GFE_PS_NEVER, 0, error);
            break;
        case 5:
            done = show_perfetto(file, log, 0, GFE_PS_NEVER, error);
            break;
        default:
            done = html_draw(file, path, log, error);
        }
    event_log_close(log);
    return done;
}

int fuzz_draw(const uint8_t *data, size_t bytes)
{
    const size_t which = bytes % DRAWINGS;
    size_t head = bytes > 1 ? data[0] | (size_t)data[1] << 8 : 0, drawn = 0;
    char path[FUZZ_PATH_BYTES], *text = NULL;
    const int fd = fuzz_file_new(path);
    FILE *file = open_memstream(&text, &drawn);
    struct gfe_error error = {0};
    bool done;

    fuzz_must(file != NULL);
    data += bytes > 1 ? 2 : bytes;
    bytes -= bytes > 1 ? 2 : bytes;
    head = head < bytes ? head : bytes;
    fuzz_log_write(fd, data, head, data + head, bytes - head);
    done = draw(file, path, which, &error);
    fuzz_error_check(&error, done);
    fuzz_must(fclose(file) == 0);
    if (which < 3)
        fuzz_markup_check(text, drawn);
    free(text);
    close(fd);
    return 0;
}

#ifdef GFE_FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    return fuzz_draw(data, bytes);
}
#endif
