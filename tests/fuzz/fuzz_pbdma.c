/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_pbdma.h"

#include <stdlib.h>
#include <string.h>

#include "tests/check_machine.h"

enum { FUZZ_CHANNELS = 4, FUZZ_STEPS_MAX = 400000, FUZZ_DWORDS_MAX = 64 };

struct fuzz_input {
    const uint8_t *data;
    size_t left;
};

struct fuzz_run {
    struct check_machine check;
    struct fuzz_input input;
    uint32_t step_count;
};

/* Zero when nothing is left. */
static uint32_t fuzz_take(struct fuzz_input *input, size_t bytes)
{
    uint32_t value = 0;

    if (bytes > input->left)
        bytes = input->left;
    memcpy(&value, input->data, bytes);
    input->data += bytes;
    input->left -= bytes;
    return value;
}

/* Methods that do something; 0 stands for any. */
static const uint16_t fuzz_methods[] = {
    0x000,  0x004,  0x008,  0x010,  0x014,  0x018,  0x01c,  0x020,  0x024,  0x028,  0x034,  0x050,
    0x070,  0x078,  0x07c,  0x080,  0x104,  0x108,  0x10c,  0x110,  0x180,  0x184,  0x188,  0x18c,
    0x190,  0x194,  0x198,  0x19c,  0x1a0,  0x1a4,  0x1a8,  0x1ac,  0x1b0,  0x1b4,  0x1dc,  0x1e0,
    0x1e4,  0x240,  0x244,  0x248,  0x2b4,  0x2bc,  0x300,  0x400,  0x404,  0x408,  0x40c,  0x410,
    0x414,  0x418,  0x41c,  0x700,  0x708,  0x70c,  0x710,  0x714,  0x718,  0x71c,  0x720,  0x728,
    0x72c,  0x730,  0x738,  0x73c,  0x600,  0x604,  0x608,  0x60c,  0x8dc,  0x19d0, 0x1b00, 0x1b04,
    0x1b08, 0x1b0c, 0x2380, 0x2384, 0x2388, 0x238c, 0x2390, 0x23cc, 0x1614, 0x3800, 0x3ffc,
};

/* Data that is often right: small numbers, mapped addresses, launches, classes; or any. */
static uint32_t fuzz_word(struct fuzz_input *input)
{
    static const uint32_t words[] = {
        0,          1,          2,       3,          4,          0x10,      0x11,    0x31,
        64,         0x1001,     0x1012,  0x2,        0x100002,   0x1001004, 0x8,     0x10000000,
        0x10800000, 0x10800010, 0x1080,  0x108000,   0x10810000, 0xc197,    0xc1c0,  0xa140,
        0x902d,     0xc1b5,     0x182,   0x382,      0x786,      0x106,     0xfffff, 0x7fffffff,
        0xffffffff, 0x10bffff0, 0x33210, 0x11000000,
    };
    const uint32_t pick = fuzz_take(input, 1);

    return pick < 2 * sizeof words / sizeof words[0] ? words[pick / 2] : fuzz_take(input, 4);
}

/* ---- what can be done ------------------------------------------------------------------------ */

static void fuzz_submit(struct fuzz_run *run, uint32_t channel, const uint32_t *dwords,
                        uint32_t count)
{
    struct check_machine *check = &run->check;

    if (check->push_at[channel] + 4 * count > 0x80000)
        return;
    check_machine_submit(check, channel, dwords, count);
}

static void fuzz_noise(struct fuzz_run *run, uint32_t channel)
{
    uint32_t dwords[FUZZ_DWORDS_MAX];
    const uint32_t count = 1 + fuzz_take(&run->input, 1) % FUZZ_DWORDS_MAX;

    for (uint32_t i = 0; i < count; i++)
        dwords[i] = fuzz_take(&run->input, 4);
    fuzz_submit(run, channel, dwords, count);
}

static void fuzz_method_list(struct fuzz_run *run, uint32_t channel)
{
    uint32_t dwords[FUZZ_DWORDS_MAX], at = 0;
    const uint32_t wanted = 2 + fuzz_take(&run->input, 1) % (FUZZ_DWORDS_MAX - 10);

    while (at < wanted) {
        const uint32_t shape = fuzz_take(&run->input, 1);
        const uint32_t pick =
            fuzz_take(&run->input, 1) % (sizeof fuzz_methods / sizeof fuzz_methods[0]);
        const uint32_t method = pick ? fuzz_methods[pick] : fuzz_take(&run->input, 2) & 0x3ffc;
        const uint32_t subchannel = shape & 7, count = 1 + (shape >> 5);
        static const uint32_t types[] = {1, 3, 5, 4};
        const uint32_t type = types[shape >> 3 & 3];

        dwords[at++] = type << 29 | count << 16 | subchannel << 13 | method >> 2;
        for (uint32_t i = 0; i < count && type != 4; i++)
            dwords[at++] = fuzz_word(&run->input);
    }
    fuzz_submit(run, channel, dwords, at);
}

static void fuzz_descriptor(struct fuzz_run *run, uint32_t channel)
{
    const uint32_t count = fuzz_take(&run->input, 1) % 8;
    const uint64_t at = CHECK_DATA;

    check_machine_poke(&run->check, at + 4 * 12, 1 + fuzz_take(&run->input, 1)); /* grid x */
    check_machine_poke(&run->check, at + 4 * 13, 1);
    check_machine_poke(&run->check, at + 4 * 14, 1);
    check_machine_poke(&run->check, at + 4 * 18, (fuzz_take(&run->input, 1) * 4 + 1) << 16);
    check_machine_poke(&run->check, at + 4 * 19, 1 | 1u << 16);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t word = fuzz_take(&run->input, 1) % 64;

        check_machine_poke(&run->check, at + 4 * word, fuzz_word(&run->input));
    }
    fuzz_submit(
        run, channel,
        (const uint32_t[]){PB_INC(1, 0x2b4, 1), (uint32_t)(at >> 8), PB_INC(1, 0x2bc, 1), 3}, 4);
}

static void fuzz_registers(struct fuzz_run *run)
{
    static const uint32_t bases[] = {0x2000,   0x40000, 0x42000, 0x44000,
                                     0x800000, 0x2100,  0x2270,  0};
    const uint32_t offset =
        bases[fuzz_take(&run->input, 1) % 8] + (fuzz_take(&run->input, 2) & 0x1ff);

    (void)machine_read32(run->check.machine, offset);
    machine_write32(run->check.machine, offset, fuzz_word(&run->input));
}

static void fuzz_poke(struct fuzz_run *run)
{
    static const uint32_t bases[] = {CHECK_INSTANCES, CHECK_INSTANCES + 0x1000,
                                     CHECK_USERD,     CHECK_RUNLISTS,
                                     CHECK_MEMORY,    CHECK_MEMORY + 0x800000};
    const uint32_t base = bases[fuzz_take(&run->input, 1) % 6];

    check_machine_poke_vram(&run->check, base + (fuzz_take(&run->input, 2) & 0x3ff),
                            fuzz_word(&run->input));
}

static void fuzz_steps(struct fuzz_run *run, uint32_t limit)
{
    for (uint32_t i = 0; i < limit && machine_step(run->check.machine); i++)
        if (++run->step_count == FUZZ_STEPS_MAX)
            abort(); /* a hang */
}

static void fuzz_act(struct fuzz_run *run)
{
    const uint32_t action = fuzz_take(&run->input, 1);
    const uint32_t channel = action >> 6;

    switch (action & 0xf) {
    case 0:
        fuzz_noise(run, channel);
        break;
    case 1:
        check_machine_entry(&run->check, channel, fuzz_word(&run->input), fuzz_word(&run->input),
                            true);
        break;
    case 2:
        fuzz_steps(run, fuzz_take(&run->input, 1));
        break;
    case 3:
        fuzz_registers(run);
        break;
    case 4:
        fuzz_poke(run);
        break;
    case 5:
    case 6:
        fuzz_descriptor(run, channel);
        break;
    case 7:
        run->check.put[channel] = fuzz_take(&run->input, 1) % CHECK_RING_ENTRIES;
        check_machine_ring(&run->check, channel);
        break;
    default:
        fuzz_method_list(run, channel);
    }
}

/* ---- a run ----------------------------------------------------------------------------------- */

static void fuzz_begin(struct check_machine *check, bool with_nouveau)
{
    static const uint32_t lists[2][12] = {
        {0x0600e020, 0, 0, 0, 0x0600e021, 0, 1, 0, 0x0600e022, 0, 0x4002, 0},
        {0x0600e023, 0, 3, 0},
    };

    check_machine_begin_small(check, with_nouveau);
    (void)machine_set_parameter(check->machine, "core.largest_grid_blocks", 1000);
    (void)machine_set_parameter(check->machine, "core.largest_copy_bytes", 1 << 20);
    for (uint32_t i = 0; i < FUZZ_CHANNELS; i++)
        check_machine_channel(check, i);
    if (check->nouveau)
        check->nouveau->state->channels[0].has_software_object = 1;
    check_machine_runlist_raw(check, 0, 6, lists[0]);
    check_machine_runlist_raw(check, 5, 2, lists[1]);
}

/* Wired once: each input begins with the machine as it was then. */
static struct check_machine_kept *fuzz_kept(bool with_nouveau)
{
    static struct check_machine_kept kept[2];
    struct check_machine check;

    if (!kept[with_nouveau].mark) {
        fuzz_begin(&check, with_nouveau);
        check_machine_keep(&kept[with_nouveau], &check);
    }
    return &kept[with_nouveau];
}

static void fuzz_go(struct fuzz_run *run)
{
    while (run->input.left > 0)
        fuzz_act(run);
    fuzz_steps(run, UINT32_MAX);
    machine_finish(run->check.machine);
    if (!machine_failed(run->check.machine))
        check_machine_read_log(&run->check);
}

void fuzz_pbdma_hash(const uint8_t *data, size_t bytes, bool fresh,
                     struct check_machine_hashes *hashes)
{
    struct fuzz_run run = {.input = {data, bytes}};
    const bool pick = fuzz_take(&run.input, 1) & 1;

    if (fresh)
        fuzz_begin(&run.check, pick);
    else
        check_machine_again(fuzz_kept(pick), &run.check);
    fuzz_go(&run);
    if (hashes)
        check_machine_hash(run.check.machine, hashes);
    if (fresh)
        check_machine_end(&run.check);
    else
        check_machine_rest(&run.check);
}

int fuzz_pbdma(const uint8_t *data, size_t bytes)
{
    fuzz_pbdma_hash(data, bytes, false, NULL);
    return 0;
}

void fuzz_pbdma_make(uint64_t seed, uint8_t *data, size_t bytes)
{
    struct random_state random;

    random_seed(&random, seed, 0);
    for (size_t i = 0; i < bytes; i++)
        data[i] = (uint8_t)random_below(&random, 256);
}

#ifdef GFE_FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    return fuzz_pbdma(data, bytes);
}
#endif
