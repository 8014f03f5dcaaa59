/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_registers.h"

#include <stdlib.h>
#include <string.h>

#include "tests/check_machine.h"

enum { FUZZ_STEPS_MAX = 1000000, FUZZ_CHANNELS = 4 };
#define FUZZ_END_PS (UINT64_C(20000) * GFE_PS_PER_US)

enum { FUZZ_GPUS = 6 };
static const char *const gpus[FUZZ_GPUS] = {"gtx680", "gtx980",  "gtx1060",
                                            "titanv", "rtx2060", NULL};

struct fuzz_input {
    const uint8_t *data;
    size_t left;
};

struct fuzz_state {
    struct check_machine check;
    struct fuzz_input input;
    uint32_t steps;
};

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

/* Values that mean something somewhere, or any. */
static uint32_t fuzz_value(struct fuzz_input *input)
{
    static const uint32_t values[] = {
        0,          1,          2,          3,          4,          0x11,       0x21,
        0x100,      0x200,      0x400,      0x800,      UINT32_MAX, 0x80000000, 0x80000100,
        0x01000020, 0x00220000, 0x00220,    0x00000220, 0x220000,   0x00010002, 0x10000002,
        0x00050000, 0x00090001, 0x800007ff, 0x7fffffff, 0x0003ffff,
    };
    const uint32_t pick = fuzz_take(input, 1);

    return pick < 2 * sizeof values / sizeof values[0] ? values[pick / 2] : fuzz_take(input, 4);
}

/* Address of a register of a window, and its row; NULL: the input chose none. */
static const struct reg_row *fuzz_choose(struct fuzz_state *state,
                                         const struct mmio_window **window, uint32_t *offset)
{
    const struct mmio *mmio = &state->check.machine->mmio;
    uint32_t at;

    *window = &mmio->windows[fuzz_take(&state->input, 1) % mmio->window_count];
    at = fuzz_take(&state->input, 1) * 3 % (*window)->list->row_count;
    for (uint32_t i = 0; i < (*window)->list->row_count; i++) {
        const struct reg_row *row = &(*window)->list->rows[(at + i) % (*window)->list->row_count];

        if (row->kind == ROW_REG && (row->variants & (*window)->variants)) {
            *offset = row->number;
            if (row->count > 1)
                *offset += fuzz_take(&state->input, 1) * (row->count > 256 ? 9 : 1) % row->count *
                           row->stride_bytes;
            return row;
        }
    }
    return NULL;
}

static void fuzz_register(struct fuzz_state *state, bool writes)
{
    struct machine *machine = state->check.machine;
    const struct mmio_window *window;
    uint32_t offset;

    if (!fuzz_choose(state, &window, &offset))
        return;
    window = mmio_find(&machine->mmio, window->base + offset); /* a list may have several windows */
    if (!window)
        return;
    if (writes)
        machine_write32(machine, window->base + offset, fuzz_value(&state->input));
    if (machine_read32(machine, window->base + offset) & mmio_masks(window, offset)->reserved)
        abort();
}

static void fuzz_steps(struct fuzz_state *state, uint32_t limit)
{
    for (uint32_t i = 0; i < limit && machine_step(state->check.machine); i++)
        if (++state->steps == FUZZ_STEPS_MAX)
            abort();
}

static void fuzz_work(struct fuzz_state *state, uint32_t channel_id)
{
    struct check_machine *check = &state->check;

    if (check->push_at[channel_id] + 64 > 0x80000)
        return;
    CHECK_SUBMIT(check, channel_id, PB_INC(0, 0x10, 4), 0, (uint32_t)CHECK_DATA + 16 * channel_id,
                 fuzz_take(&state->input, 1), 0x01100002, PB_IMMD(0, 0x20, 0), PB_IMMD(1, 0x188, 7),
                 PB_IMMD(4, 0x140, 0));
}

static void fuzz_act(struct fuzz_state *state)
{
    static const uint32_t bases[] = {CHECK_INSTANCES, CHECK_USERD, CHECK_RUNLISTS,
                                     CHECK_RUNLISTS + 0x1000};
    const uint32_t action = fuzz_take(&state->input, 1);

    switch (action & 7) {
    case 0:
        fuzz_steps(state, 1 + fuzz_take(&state->input, 1));
        break;
    case 1:
        fuzz_work(state, action >> 6);
        break;
    case 2:
        check_machine_poke_vram(&state->check, bases[action >> 6] + 4 * fuzz_take(&state->input, 1),
                                fuzz_value(&state->input));
        break;
    case 3:
        fuzz_register(state, false);
        break;
    default:
        fuzz_register(state, true);
    }
}

static void fuzz_begin(struct check_machine *check, const char *gpu)
{
    static struct nv_chip ga100;

    ga100 = check_machine_ga100();
    check_machine_begin_model(check, gpu ? nv_chip_by_name(gpu) : &ga100);
    for (uint32_t i = 0; i < FUZZ_CHANNELS; i++)
        check_machine_channel(check, i);
    check_machine_runlist(check, 0, 3, (const uint32_t[]){0, 1, 2});
    check_machine_runlist(check, 1, 1, (const uint32_t[]){3});
}

/* Wired once: each input begins with a machine of its GPU as it was then. */
static struct check_machine_kept *fuzz_kept(uint32_t gpu)
{
    static struct check_machine_kept kept[FUZZ_GPUS];
    struct check_machine check;

    if (!kept[gpu].mark) {
        fuzz_begin(&check, gpus[gpu]);
        check_machine_keep(&kept[gpu], &check);
    }
    return &kept[gpu];
}

static void fuzz_run(struct fuzz_state *state)
{
    struct machine *machine = state->check.machine;
    gfe_ps end;

    while (state->input.left > 0)
        fuzz_act(state);
    end = machine_now(machine) + FUZZ_END_PS;
    while (machine_next_ps(machine) <= end && machine_step(machine))
        if (++state->steps == FUZZ_STEPS_MAX)
            abort();
    machine_finish(machine);
    if (!machine_failed(machine))
        check_machine_read_log(&state->check);
}

void fuzz_registers_hash(const uint8_t *data, size_t bytes, bool fresh,
                         struct check_machine_hashes *hashes)
{
    struct fuzz_state state = {.input = {data, bytes}};
    const uint32_t pick = fuzz_take(&state.input, 1) % FUZZ_GPUS;

    if (fresh)
        fuzz_begin(&state.check, gpus[pick]);
    else
        check_machine_again(fuzz_kept(pick), &state.check);
    fuzz_run(&state);
    if (hashes)
        check_machine_hash(state.check.machine, hashes);
    if (fresh)
        check_machine_end(&state.check);
    else
        check_machine_rest(&state.check);
}

int fuzz_registers(const uint8_t *data, size_t bytes)
{
    fuzz_registers_hash(data, bytes, false, NULL);
    return 0;
}

#ifdef GFE_FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    return fuzz_registers(data, bytes);
}
#endif
