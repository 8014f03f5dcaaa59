/* SPDX-License-Identifier: MIT */
/* A scenario as a CUDA program of its own: two tables, and the code that walks them. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "emu/explore/discriminate_private.h"
#include "emu/base/text_stream.h"
#include "emu/explore/discriminate_cuda_text.h"

enum { WORD_BYTES = 4 };

static void print_head(FILE *file, const struct discriminate *discriminate)
{
    const struct discriminate_scenario *scenario = &discriminate->scenario;
    const struct discriminate_question *question = &discriminate->question;

    fprintf(
        file,
        "// %s: %s (A) or %s (B)?  Found by gfe discriminate.\n"
        "// nvcc -o discriminate scenario.cu && ./discriminate writes K1.json and so on, in the\n"
        "// form of cuda_scheduling_examiner; gfe discriminate with these files says which.\n\n"
        "#define SCENARIO  \"%s\"\n"
        "#define KERNELS   %" PRIu32 "\n#define STREAMS   %" PRIu32 "\n"
        "#define PROCESSES %d // each stream is of another\n\n",
        question->point->id, question->point->alternatives[question->alternatives[0]],
        question->point->alternatives[question->alternatives[1]], discriminate->name,
        scenario->kernel_count, scenario->stream_count, scenario->processes);
}

static void print_tables(FILE *file, const struct discriminate_scenario *scenario)
{
    char label[DISCRIMINATE_LABEL_BYTES];

    fputs("static const struct {\n"
          "    int stream, blocks, threads, shared_bytes;\n"
          "    unsigned long long copy_in; // bytes, before it\n"
          "    unsigned long long spin_ns;\n"
          "} kernels[KERNELS] = {\n",
          file);
    for (uint32_t i = 0; i < scenario->kernel_count; i++) {
        const struct discriminate_kernel *kernel = &scenario->kernels[i];

        fprintf(
            file,
            "    {%" PRIu32 ", %" PRIu32 ", %" PRIu32 ", %" PRIu32 ", %" PRIu64 ", %" PRIu64 "},\n",
            kernel->stream, kernel->blocks, kernel->threads, kernel->shared_words * WORD_BYTES,
            kernel->copy_in_words * WORD_BYTES, (uint64_t)(DISCRIMINATE_SPIN_PS / GFE_PS_PER_NS));
    }
    fputs("};\n\nstatic const struct {\n"
          "    const char *label;\n"
          "    bool high, null_stream;\n"
          "    unsigned long long release_ns;\n"
          "} streams[STREAMS] = {\n",
          file);
    for (uint32_t i = 0; i < scenario->stream_count; i++) {
        discriminate_label(scenario, i, label);
        fprintf(file, "    {\"%s\", %s, %s, %" PRIu64 "},\n", label,
                scenario->streams[i].high ? "true" : "false",
                scenario->streams[i].null_stream ? "true" : "false",
                (uint64_t)discriminate_release_ms(scenario, i) * 1000000);
    }
    fputs("};\n", file);
}

char *discriminate_cuda(const struct discriminate *discriminate)
{
    struct text_stream stream;
    FILE *file = text_stream_open(&stream);

    if (!file)
        return NULL;
    print_head(file, discriminate);
    print_tables(file, &discriminate->scenario);
    for (size_t i = 0; i < sizeof discriminate_cuda_lines / sizeof discriminate_cuda_lines[0]; i++)
        fprintf(file, "%s\n", discriminate_cuda_lines[i]);
    return text_stream_close(&stream, file);
}
