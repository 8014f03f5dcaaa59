/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/log/gpu_words.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct gpu_words nvidia = {.sm = "SM",
                                        .sms = "SMs",
                                        .grid = "grid",
                                        .grids = "grids",
                                        .channel = "channel",
                                        .channels = "channels",
                                        .copier = "CE"};
static const struct gpu_words amd = {.is_amd = true,
                                     .sm = "CU",
                                     .sms = "CUs",
                                     .grid = "dispatch",
                                     .grids = "dispatches",
                                     .channel = "queue",
                                     .channels = "queues",
                                     .copier = "SDMA"};

/* Returns the words of an older log, which has no engine_cus, by its driver model or NULL. */
static const struct gpu_words *words_of(const char *driver_model)
{
    static const struct {
        const char *driver_model;
        const struct gpu_words *words;
    } rows[] = {{"kfd", &amd}, {"hip", &amd}};

    for (size_t i = 0; driver_model && i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].driver_model, driver_model) == 0)
            return rows[i].words;
    return &nvidia;
}

/* "15 15 15 15"; what is no such list is as if it were not there. */
static void engines_read(struct gpu_words *words, const char *text)
{
    enum { CUS_MAX = 1024 };
    uint32_t count = 0;

    while (*text) {
        char *end;
        const unsigned long cus = strtoul(text, &end, 10);
        if (end == text || cus > CUS_MAX || count == GPU_WORDS_ENGINES_MAX)
            return;
        words->first_cu[count + 1] = words->first_cu[count] + (uint32_t)cus;
        count++;
        text = end + strspn(end, " ");
    }
    words->engine_count = count;
}

void gpu_words_init(struct gpu_words *words, const struct event_log_reader *log)
{
    const char *engine_cus = event_log_run(log, "engine_cus");

    *words = engine_cus ? amd : *words_of(event_log_run(log, "driver_model"));
    if (engine_cus)
        engines_read(words, engine_cus);
}

bool gpu_words_engine(const struct gpu_words *words, uint32_t sm_index, uint32_t *engine,
                      uint32_t *index)
{
    for (uint32_t i = 0; i < words->engine_count; i++)
        if (sm_index < words->first_cu[i + 1]) {
            *engine = i;
            *index = sm_index - words->first_cu[i];
            return true;
        }
    return false;
}

const char *gpu_words_sm_number(const struct gpu_words *words, uint32_t sm_index,
                                char to[GPU_WORDS_BYTES])
{
    uint32_t engine, index;

    if (gpu_words_engine(words, sm_index, &engine, &index))
        (void)snprintf(to, GPU_WORDS_BYTES, "%" PRIu32 ".%" PRIu32, engine, index);
    else
        (void)snprintf(to, GPU_WORDS_BYTES, "%" PRIu32, sm_index);
    return to;
}

const char *gpu_words_sm(const struct gpu_words *words, uint32_t sm_index, char to[GPU_WORDS_BYTES])
{
    char number[GPU_WORDS_BYTES];

    (void)snprintf(to, GPU_WORDS_BYTES, "%s %.22s", words->sm,
                   gpu_words_sm_number(words, sm_index, number));
    return to;
}

const char *gpu_words_slot(uint64_t slot_id, char to[GPU_WORDS_BYTES])
{
    const uint64_t mec = slot_id / GPU_WORDS_MEC_QUEUES, queue = slot_id % GPU_WORDS_MEC_QUEUES;
    char front[16] = "ACE";

    if (mec > 0)
        (void)snprintf(front, sizeof front, "MEC%" PRIu64, (mec + 1) % 100);
    (void)snprintf(to, GPU_WORDS_BYTES, "%s %" PRIu64 ".%" PRIu64, front,
                   queue / GPU_WORDS_PIPE_QUEUES, queue % GPU_WORDS_PIPE_QUEUES);
    return to;
}

const char *gpu_words_runlist(uint64_t runlist_id, char to[GPU_WORDS_BYTES])
{
    const uint32_t list = (uint32_t)(runlist_id % GPU_WORDS_RUNLISTS);
    const uint32_t queue = (uint32_t)(runlist_id / GPU_WORDS_RUNLISTS);

    if (queue > 0)
        (void)snprintf(to, GPU_WORDS_BYTES, "runlist %" PRIu32 ".%" PRIu32, list, queue);
    else
        (void)snprintf(to, GPU_WORDS_BYTES, "runlist %" PRIu32, list);
    return to;
}
