/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_runlist.h"

#include <stdlib.h>
#include <string.h>

#include "tests/check_machine.h"

enum {
    FUZZ_STEPS_MAX = 1000000,
    FUZZ_LIST_WORDS = 1024, /* what stands in memory; a submit may say that there is more */
    FUZZ_GUARD = 3,         /* the channel that must not be disturbed */
    FUZZ_LIST = 0x3f0000,   /* physical, and in front of what is mapped */
};
#define FUZZ_RUN_PS (UINT64_C(50000) * GFE_PS_PER_US)

/* A release of four bytes by SEMAPHORED, which every generation up to Turing has. */
#define RELEASE(offset, value)                                                                     \
    PB_INC(0, 0x10, 4), 0, (uint32_t)CHECK_DATA + (offset), (value), 0x01100002

struct fuzz_case {
    const char *gpu; /* NULL: GA100 */
    uint32_t guards_runlist;
};

static const struct fuzz_case cases[] = {{"gtx1060", 5}, {"titanv", 1}, {"rtx2060", 1}, {NULL, 1}};

/* Whatever a list makes of channels, simulated time goes on. */
static void fuzz_run(struct check_machine *check, uint32_t *steps)
{
    const gfe_ps until = machine_now(check->machine) + FUZZ_RUN_PS;

    while (machine_next_ps(check->machine) <= until && machine_step(check->machine))
        if (++*steps == FUZZ_STEPS_MAX)
            abort();
}

static void fuzz_submit_list(struct check_machine *check, uint64_t base, uint32_t count,
                             uint32_t offset)
{
    struct machine *machine = check->machine;

    if (check->runlist_blocks || check->runlists_apart) {
        const uint32_t at = check->runlist_blocks ? CHECK_BLOCK(0) + 0x80 : 0x2b00;

        machine_write32(machine, at, (uint32_t)base);
        machine_write32(machine, at + 4, (uint32_t)(base >> 32));
        machine_write32(machine, at + 8, offset << 16 | count);
        return;
    }
    machine_write32(machine, 0x2270, (uint32_t)(base >> 12));
    machine_write32(machine, 0x2274, count);
}

/* Does a word of the list that may be an id name the guard?  From Ampere on ids are the runlist's.
 */
static bool fuzz_names_guard(const struct check_machine *check, const uint32_t *words)
{
    const uint32_t stride = check->long_entries ? 4 : 2, at = check->long_entries ? 2 : 0;

    for (uint32_t i = at; i < FUZZ_LIST_WORDS; i += stride)
        if ((words[i] & 0xfff) == FUZZ_GUARD)
            return !check->runlist_blocks;
    return false;
}

static void fuzz_begin(struct check_machine *check, const struct fuzz_case *one)
{
    static struct nv_chip ga100;

    ga100 = check_machine_ga100();
    check_machine_begin_model(check, one->gpu ? nv_chip_by_name(one->gpu) : &ga100);
    for (uint32_t i = 0; i <= FUZZ_GUARD; i++)
        check_machine_channel(check, i);
    check_machine_runlist(check, one->guards_runlist, 1, (const uint32_t[]){FUZZ_GUARD});
}

/* Wired once: each input begins with the machine as it was then. */
static struct check_machine_kept *fuzz_kept(uint32_t index)
{
    static struct check_machine_kept kept[sizeof cases / sizeof cases[0]];
    struct check_machine check;

    if (!kept[index].mark) {
        fuzz_begin(&check, &cases[index]);
        check_machine_keep(&kept[index], &check);
    }
    return &kept[index];
}

void fuzz_runlist_hash(const uint8_t *data, size_t bytes, bool fresh,
                       struct check_machine_hashes *hashes)
{
    const uint32_t head = bytes > 0 ? data[0] : 0;
    const struct fuzz_case *one = &cases[head & 3];
    const uint32_t offset = bytes > 2 ? data[1] | (uint32_t)data[2] << 8 : 0;
    uint32_t words[FUZZ_LIST_WORDS] = {0}, count, steps = 0;
    struct check_machine check;

    if (fresh)
        fuzz_begin(&check, one);
    else
        check_machine_again(fuzz_kept(head & 3), &check);
    bytes = bytes > 3 ? bytes - 3 : 0;
    if (bytes > sizeof words)
        bytes = sizeof words;
    if (bytes > 0)
        memcpy(words, data + 3, bytes);
    count = (uint32_t)(bytes + 7) / (check.long_entries ? 16 : 8) + (head >> 7) * 3;
    for (uint32_t i = 0; i < FUZZ_LIST_WORDS; i++)
        check_machine_poke_vram(&check, FUZZ_LIST + 4 * (uint64_t)i, words[i]);
    for (uint32_t i = 0; i < FUZZ_GUARD; i++)
        CHECK_SUBMIT(&check, i, RELEASE(16 * i, 1 + i), RELEASE(16 * i, 11 + i));
    fuzz_submit_list(&check, FUZZ_LIST, count, 0);
    fuzz_run(&check, &steps);
    CHECK_SUBMIT(&check, FUZZ_GUARD, RELEASE(256, 77));
    fuzz_submit_list(&check, FUZZ_LIST, count, offset & 0xffff);
    fuzz_run(&check, &steps);
    fuzz_submit_list(&check, FUZZ_LIST, 0, 0);
    fuzz_run(&check, &steps);
    if (!machine_failed(check.machine) && one->guards_runlist == 1 &&
        !fuzz_names_guard(&check, words) && check_machine_peek(&check, CHECK_DATA + 256) != 77)
        abort();
    machine_finish(check.machine);
    if (!machine_failed(check.machine))
        check_machine_read_log(&check);
    if (hashes)
        check_machine_hash(check.machine, hashes);
    if (fresh)
        check_machine_end(&check);
    else
        check_machine_rest(&check);
}

int fuzz_runlist(const uint8_t *data, size_t bytes)
{
    fuzz_runlist_hash(data, bytes, false, NULL);
    return 0;
}

#ifdef GFE_FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    return fuzz_runlist(data, bytes);
}
#endif
