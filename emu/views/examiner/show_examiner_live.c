/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/views/examiner/show_examiner_live.h"

#include <errno.h>
#include <stdlib.h>

#include "emu/base/text_stream.h"
#include "emu/views/examiner/show_examiner_private.h"

struct show_examiner_live {
    struct event_log_reader *log;
    struct examiner examiner;
    bool has_head;
    struct gfe_error error; /* the first: what follows is passed over */
};

struct show_examiner_live *show_examiner_live_new(const char *name, struct gfe_error *error)
{
    struct show_examiner_live *live = calloc(1, sizeof *live);

    if (!live)
        error_set_errno(error, ENOMEM, "%s", name);
    else
        live->log = event_log_reader_new(name, error);
    if (live && live->log)
        return live;
    free(live);
    return NULL;
}

void show_examiner_live_free(struct show_examiner_live *live)
{
    if (!live)
        return;
    if (live->has_head)
        examiner_fini(&live->examiner);
    event_log_close(live->log);
    free(live);
}

static void read_events(struct show_examiner_live *live)
{
    struct log_event event;

    while (event_log_read(live->log, &event, &live->error) == EVENT_LOG_GOT)
        if (!examiner_take(&live->examiner, &event)) {
            error_set_errno(&live->error, ENOMEM, "%s", event_log_name(live->log));
            return;
        }
}

void show_examiner_live_chunk(void *context, const struct chunk *chunk)
{
    struct show_examiner_live *live = context;

    if (live->error.kind != ERROR_NONE || !event_log_feed(live->log, chunk, &live->error))
        return;
    if (chunk->kind == CHUNK_LOG_HEAD)
        live->has_head = examiner_init(&live->examiner, live->log, &live->error);
    else
        read_events(live);
}

char *show_examiner_live_text(struct show_examiner_live *live, uint32_t task, uint32_t sm_count,
                              struct gfe_error *error)
{
    struct text_stream stream;
    char *text;
    FILE *file;
    bool good;

    if (live->error.kind != ERROR_NONE || !live->has_head ||
        task >= live->examiner.streams.program.task_count) {
        error_set(error, live->error.kind ? live->error.kind : ERROR_INPUT, "%s",
                  live->error.kind ? live->error.text : "the log tells of no such task");
        return NULL;
    }
    file = text_stream_open(&stream);
    good = file && examiner_print(file, &live->examiner, task, sm_count);
    text = text_stream_close(&stream, file);
    if (good && text)
        return text;
    free(text);
    error_set_errno(error, ENOMEM, "%s", event_log_name(live->log));
    return NULL;
}

gfe_ps show_examiner_live_closest(const struct show_examiner_live *live)
{
    return live->has_head ? live->examiner.closest_ps : GFE_PS_NEVER;
}
