/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/selftest/tally.h"

#include <inttypes.h>
#include <string.h>

/* The row of a GPU; they stay sorted by name.  NULL if there are too many. */
static struct tally_row *row_of(struct tally *tally, const char *gpu)
{
    uint32_t at = 0;

    while (at < tally->row_count && strcmp(tally->rows[at].gpu, gpu) < 0)
        at++;
    if (at < tally->row_count && strcmp(tally->rows[at].gpu, gpu) == 0)
        return &tally->rows[at];
    if (tally->row_count == TALLY_ROWS_MAX)
        return NULL;
    memmove(&tally->rows[at + 1], &tally->rows[at],
            (tally->row_count - at) * sizeof tally->rows[0]);
    tally->row_count++;
    tally->rows[at] = (struct tally_row){.events = 0};
    (void)snprintf(tally->rows[at].gpu, sizeof tally->rows[at].gpu, "%s", gpu);
    return &tally->rows[at];
}

void tally_add(struct tally *tally, const struct selftest_verdict *verdict)
{
    struct tally_row *row = row_of(tally, verdict->gpu[0] ? verdict->gpu : "-");

    tally->tried++;
    tally->refused += verdict->result == SELFTEST_REFUSED || verdict->result == SELFTEST_NO_TRY;
    tally->crashed += verdict->result == SELFTEST_CRASH;
    tally->failed += verdict->result != SELFTEST_HOLDS && verdict->result != SELFTEST_REFUSED;
    if (verdict->result == SELFTEST_BROKEN)
        tally->broken[verdict->invariant]++;
    if (!row || verdict->kind >= WORLD_KINDS)
        return;
    row->worlds[verdict->kind]++;
    row->disturbed[verdict->disturbance]++;
    row->events += verdict->event_count;
}

static void print_markdown(const struct tally *tally, FILE *file)
{
    fputs("| GPU | CUDA | HIP | registers | calm | software | faulty | events |\n"
          "|---|---:|---:|---:|---:|---:|---:|---:|\n",
          file);
    for (uint32_t i = 0; i < tally->row_count; i++) {
        const struct tally_row *row = &tally->rows[i];

        fprintf(file,
                "| %s | %" PRIu64 " | %" PRIu64 " | %" PRIu64 " | %" PRIu64 " | %" PRIu64
                " | %" PRIu64 " | %" PRIu64 " |\n",
                row->gpu, row->worlds[WORLD_CUDA], row->worlds[WORLD_HIP], row->worlds[WORLD_BUS],
                row->disturbed[WORLD_CALM], row->disturbed[WORLD_SOFTWARE],
                row->disturbed[WORLD_FAULTY], row->events);
    }
    fputs("\n| invariant | what has to hold | broken |\n|---|---|---:|\n", file);
    for (uint32_t i = 0; i < invariant_count; i++)
        fprintf(file, "| `%s` | %s | %" PRIu64 " |\n", invariants[i].name, invariants[i].text,
                tally->broken[i]);
    fputc('\n', file);
}

static void print_text(const struct tally *tally, FILE *file)
{
    uint64_t kinds[WORLD_KINDS] = {0}, disturbed[WORLD_DISTURBANCES] = {0}, events = 0;

    for (uint32_t i = 0; i < tally->row_count; i++) {
        for (uint32_t k = 0; k < WORLD_KINDS; k++)
            kinds[k] += tally->rows[i].worlds[k];
        for (uint32_t d = 0; d < WORLD_DISTURBANCES; d++)
            disturbed[d] += tally->rows[i].disturbed[d];
        events += tally->rows[i].events;
    }
    fprintf(file,
            "on %u GPUs: %" PRIu64 " of CUDA, %" PRIu64 " of HIP, %" PRIu64
            " of registers; %" PRIu64 " calm, %" PRIu64 " with software's interference, %" PRIu64
            " with faults; %" PRIu64 " events\n",
            tally->row_count, kinds[WORLD_CUDA], kinds[WORLD_HIP], kinds[WORLD_BUS],
            disturbed[WORLD_CALM], disturbed[WORLD_SOFTWARE], disturbed[WORLD_FAULTY], events);
    for (uint32_t i = 0; i < invariant_count; i++)
        if (tally->broken[i] > 0)
            fprintf(file, "  %-10s broken in %" PRIu64 ": %s\n", invariants[i].name,
                    tally->broken[i], invariants[i].text);
}

void tally_print(const struct tally *tally, bool markdown, FILE *file)
{
    if (markdown)
        print_markdown(tally, file);
    fprintf(file, "%" PRIu64 " worlds, %" PRIu64 " failed", tally->tried, tally->failed);
    if (tally->crashed > 0)
        fprintf(file, ", of which %" PRIu64 " crashed", tally->crashed);
    if (tally->refused > 0)
        fprintf(file, ", %" PRIu64 " refused", tally->refused);
    fputc('\n', file);
    if (!markdown)
        print_text(tally, file);
}
