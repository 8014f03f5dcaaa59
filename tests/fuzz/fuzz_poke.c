/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_poke.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "emu/sim/bare_gpu.h"
#include "devices/nvidia/nv_inspect.h"
#include "emu/sim/simulation.h"
#include "tests/fuzz/fuzz_pool.h"
#include "traces/import/import_bus.h"

enum { LINES_MAX = 32, TEXT_BYTES = 4096, EVENTS_MAX = 20000 };

static void must(bool so)
{
    if (!so)
        abort();
}

/* Two channels, each in a TSG, with a segment of one Host method each: SET_REFERENCE. */
static const char program[] = "gfe-bus 1\n"
                              "gpu gtx1060-3gb\n"
                              "NV_PFIFO_INTR_EN_0 = 0x7fffffff\n"
                              "map 0 0x100000 64k 0x1000000\n"
                              "NV_PFIFO_BAR1_BASE PTR=0x100 VALID=1\n"
                              "map 0x1010000 0x100000000 1M 0x1100000\n"
                              "words 0x1011008\n01000200 0 face\nend\n"
                              "words 0x1011048\n0 50001\nend\n"
                              "words 0x1011084\n20400000\nend\n"
                              "words 0x10110ac\n1f\nend\n"
                              "words 0x10110e8\n1\nend\n"
                              "words 0x1011200\n1010400 0\nend\n"
                              "words 0x1012008\n01000400 0 face\nend\n"
                              "words 0x1012048\n1000 50001\nend\n"
                              "words 0x1012084\n20400000\nend\n"
                              "words 0x10120ac\n1f\nend\n"
                              "words 0x10120e8\n2\nend\n"
                              "words 0x1012200\n1010400 0\nend\n"
                              "words 0x1100000\n2000 801\nend\n"
                              "words 0x1101000\n2000 801\nend\n"
                              "words 0x1102000\n20010014 5\nend\n"
                              "NV_PCCSR_CHANNEL_INST[1] PTR=0x1011 BIND=1\n"
                              "NV_PCCSR_CHANNEL_INST[2] PTR=0x1012 BIND=1\n"
                              "NV_PCCSR_CHANNEL[1] ENABLE_SET=1\n"
                              "NV_PCCSR_CHANNEL[2] ENABLE_SET=1\n"
                              "words 0x1020000\n600e008 0 1 1011 600e009 0 2 1012\nend\n"
                              "NV_PFIFO_RUNLIST_BASE PTR=0x1020\n"
                              "NV_PFIFO_RUNLIST ID=0 LENGTH=4\n"
                              "10us bar1 0x10028c = 1\n"
                              "20us bar1 0x10048c = 1\n";

/* Loaded once: a run does not change it. */
static const struct replay_input *program_input(void)
{
    static struct replay_input *input;
    struct gfe_error error = {0};
    char path[40];
    FILE *text;
    int fd;

    if (input)
        return input;
    fd = memfd_create("fuzz", MFD_CLOEXEC);
    text = fmemopen((void *)(uintptr_t)program, sizeof program - 1, "rb");
    must(fd >= 0 && text && import_bus(text, "program", fd, "trace", &bare_gpu_chips, &error));
    fclose(text);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    input = replay_load(path, &error);
    must(input != NULL);
    close(fd);
    return input;
}

/* The lines that parse stay; what is said of the others is one line. */
static uint32_t keep_good(char *lines[LINES_MAX], uint32_t count)
{
    struct reg_assign_message message;
    const struct bare_gpu *bare = fuzz_bare_gpu("gtx1060-3gb");
    uint32_t kept = 0;
    struct poke poke;

    for (uint32_t i = 0; i < count; i++) {
        if (poke_parse(bare->machine, nv_poke_verbs, nv_poke_verb_count, lines[i], &poke, &message))
            lines[kept++] = lines[i];
        else
            must(message.text[0] != 0 && !strchr(message.text, '\n'));
    }
    return kept;
}

static void must_run(char *lines[LINES_MAX], uint32_t count, bool fresh,
                     struct check_machine_hashes *hashes)
{
    const struct simulation_options options = {.max_events = EVENTS_MAX,
                                               .pokes = (const char *const *)lines,
                                               .poke_count = count,
                                               .pool = fresh ? NULL : fuzz_pool()};
    struct gfe_error error = {0};
    struct simulation *simulation = simulation_new(program_input(), &options, &error);

    must(simulation != NULL);
    if (!simulation_run(simulation, GFE_PS_NEVER, &error))
        must(error.kind == ERROR_INPUT || error.kind == ERROR_LIMIT);
    if (hashes)
        check_machine_hash(simulation->machine, hashes);
    simulation_free(simulation);
}

void fuzz_poke_hash(const uint8_t *data, size_t bytes, bool fresh,
                    struct check_machine_hashes *hashes)
{
    char text[TEXT_BYTES], *lines[LINES_MAX], *rest = NULL;
    uint32_t count = 0;

    if (bytes >= sizeof text)
        return;
    memcpy(text, data, bytes);
    text[bytes] = '\0';
    for (char *line = strtok_r(text, "\n", &rest); line && count < LINES_MAX;
         line = strtok_r(NULL, "\n", &rest))
        lines[count++] = line;
    count = keep_good(lines, count);
    if (count > 0)
        must_run(lines, count, fresh, hashes);
}

int fuzz_poke(const uint8_t *data, size_t bytes)
{
    fuzz_poke_hash(data, bytes, false, NULL);
    return 0;
}

#ifdef GFE_FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    return fuzz_poke(data, bytes);
}
#endif
