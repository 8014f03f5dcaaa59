/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_gpfifo.h"

#include <stdlib.h>
#include <string.h>

#include "tests/check_machine.h"

enum {
    FUZZ_CHANNELS = 4,
    FUZZ_INPUT_DWORDS_MAX = 16384,
    FUZZ_STEPS_MAX = 5000, /* events of one input; more are cut off, and that is no finding */
    FUZZ_LOG_BYTES_MAX = 1 << 20,
    FUZZ_PUSH_BYTES = 0x80000, /* of a channel's pushbuffer, see CHECK_PUSH */
    FUZZ_MAP_PAGES_MAX = 4096,
    FUZZ_PARTS = 2, /* without and with the driver model */
};

struct fuzz_part {
    struct check_machine check;
    struct check_machine_kept start;
};

struct fuzz_gpfifo {
    struct fuzz_part parts[FUZZ_PARTS];
};

struct fuzz_input {
    const uint8_t *data;
    size_t dword_count, at;
};

struct fuzz_run {
    struct check_machine *check;
    struct fuzz_input input;
    uint32_t step_count;
    uint32_t put[FUZZ_CHANNELS], push_at[FUZZ_CHANNELS];
};

static void must(bool so)
{
    if (!so)
        abort();
}

/* Zero when nothing is left. */
static uint32_t fuzz_take(struct fuzz_input *input)
{
    const uint8_t *from = input->data + 4 * input->at;

    if (input->at == input->dword_count)
        return 0;
    input->at++;
    return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

/* ---- the machine ----------------------------------------------------------------------------- */

static void fuzz_wire(struct fuzz_part *part, bool with_nouveau)
{
    static const uint32_t lists[2][12] = {
        {0x0600e020, 0, 0, 0, 0x0600e021, 0, 1, 0, 0x0600e022, 0, 0x4002, 0},
        {0x0600e023, 0, 3, 0},
    };
    struct check_machine *check = &part->check;

    check_machine_begin_small(check, with_nouveau);
    (void)machine_set_parameter(check->machine, "core.largest_grid_blocks", 200);
    (void)machine_set_parameter(check->machine, "core.largest_copy_bytes", 1 << 16);
    for (uint32_t i = 0; i < FUZZ_CHANNELS; i++)
        check_machine_channel(check, i);
    if (check->nouveau)
        check->nouveau->state->channels[0].has_software_object = 1;
    check_machine_runlist_raw(check, 0, 6, lists[0]);
    check_machine_runlist_raw(check, 5, 2, lists[1]);
    check_machine_keep(&part->start, check);
}

struct fuzz_gpfifo *fuzz_gpfifo_new(void)
{
    struct fuzz_gpfifo *fuzz = calloc(1, sizeof *fuzz);

    must(fuzz != NULL);
    for (uint32_t i = 0; i < FUZZ_PARTS; i++)
        fuzz_wire(&fuzz->parts[i], i == 1);
    return fuzz;
}

void fuzz_gpfifo_free(struct fuzz_gpfifo *fuzz)
{
    for (uint32_t i = 0; i < FUZZ_PARTS; i++) {
        check_machine_rest(&fuzz->parts[i].check);
        check_machine_kept_end(&fuzz->parts[i].start);
    }
    free(fuzz);
}

/* ---- what can be done ------------------------------------------------------------------------ */

static uint64_t fuzz_bar1(const struct fuzz_run *run, uint32_t channel)
{
    const struct check_machine *check = run->check;
    const uint64_t bar1 = check->nouveau ? check->nouveau->state->userd_bar1 : CHECK_BAR1_USERD;

    return bar1 + 512 * (uint64_t)channel;
}

static void fuzz_ring(struct fuzz_run *run, uint32_t channel)
{
    machine_bar1_write32(run->check->machine, fuzz_bar1(run, channel) + 0x8c, run->put[channel]);
}

/* Writes what is mapped; an input may have unmapped anything. */
static void fuzz_store(struct fuzz_run *run, uint64_t va, uint32_t value)
{
    uint64_t fault;

    (void)machine_vm_write(run->check->machine, run->check->space_id, va, &value, sizeof value,
                           &fault);
}

static void fuzz_entry(struct fuzz_run *run, uint32_t channel, uint32_t entry0, uint32_t entry1)
{
    const uint64_t at = CHECK_RING(channel) + 8 * (uint64_t)run->put[channel];

    fuzz_store(run, at, entry0);
    fuzz_store(run, at + 4, entry1);
    run->put[channel] = (run->put[channel] + 1) % CHECK_RING_ENTRIES;
}

static void fuzz_segment(struct fuzz_run *run, uint32_t channel, uint32_t count)
{
    const uint64_t address = CHECK_PUSH(channel) + run->push_at[channel];

    if (run->push_at[channel] + 4 * count > FUZZ_PUSH_BYTES)
        return;
    for (uint32_t i = 0; i < count; i++)
        fuzz_store(run, address + 4 * (uint64_t)i, fuzz_take(&run->input));
    run->push_at[channel] += 4 * count;
    fuzz_entry(run, channel, (uint32_t)address, (uint32_t)(address >> 32) | count << 10);
    fuzz_ring(run, channel);
}

static void fuzz_objects(struct fuzz_run *run, uint32_t channel)
{
    static const uint32_t dwords[] = {
        PB_INC(0, 0, 1), 0xc197, PB_INC(1, 0, 1), 0xc1c0, PB_INC(2, 0, 1), 0xa140,
        PB_INC(3, 0, 1), 0x902d, PB_INC(4, 0, 1), 0xc1b5, PB_INC(7, 0, 1), 0x906e,
    };
    const uint32_t count = sizeof dwords / sizeof dwords[0];
    const uint64_t address = CHECK_PUSH(channel) + run->push_at[channel];

    if (run->push_at[channel] + 4 * count > FUZZ_PUSH_BYTES)
        return;
    for (uint32_t i = 0; i < count; i++)
        fuzz_store(run, address + 4 * (uint64_t)i, dwords[i]);
    run->push_at[channel] += 4 * count;
    fuzz_entry(run, channel, (uint32_t)address, (uint32_t)(address >> 32) | count << 10);
    fuzz_ring(run, channel);
}

static void fuzz_steps(struct fuzz_run *run, uint32_t limit)
{
    const struct machine *machine = run->check->machine;

    for (uint32_t i = 0; i < limit && run->step_count < FUZZ_STEPS_MAX &&
                         machine->log.cursor->byte_count < FUZZ_LOG_BYTES_MAX;
         i++, run->step_count++)
        if (!machine_step(run->check->machine))
            return;
}

static void fuzz_run_time(struct fuzz_run *run, uint32_t ns)
{
    struct machine *machine = run->check->machine;
    const gfe_ps until = clock_add(machine_now(machine), (gfe_ps)ns * GFE_PS_PER_NS);

    while (event_queue_next_ps(&machine->queue) < until && run->step_count < FUZZ_STEPS_MAX &&
           !machine_failed(machine))
        fuzz_steps(run, 1);
}

static void fuzz_map(struct fuzz_run *run)
{
    const uint64_t va = (uint64_t)fuzz_take(&run->input) * MEMORY_PAGE_BYTES;
    const uint32_t pages = fuzz_take(&run->input) % FUZZ_MAP_PAGES_MAX + 1;
    const uint64_t physical = (uint64_t)fuzz_take(&run->input) * MEMORY_PAGE_BYTES;
    const struct address_space_range range = {
        .va = va,
        .size_bytes = (uint64_t)pages * MEMORY_PAGE_BYTES,
        .physical = physical,
        .space_id = run->check->space_id,
        .page_kind = fuzz_take(&run->input) & 0xff,
    };

    (void)address_space_map(&run->check->machine->spaces, &range);
}

static void fuzz_runlist(struct fuzz_run *run, uint32_t runlist_id, uint32_t count)
{
    struct machine *machine = run->check->machine;
    const uint64_t base = CHECK_RUNLISTS + UINT64_C(0x1000) * runlist_id;

    for (uint32_t i = 0; i < 2 * count && i < MEMORY_PAGE_BYTES / 4; i++)
        check_machine_poke_vram(run->check, base + 4 * i, fuzz_take(&run->input));
    machine_write32(machine, 0x2270, (uint32_t)(base >> 12));
    machine_write32(machine, 0x2274, runlist_id << 20 | count);
}

/* ---- commands -------------------------------------------------------------------------------- */

/* Operations whose dwords are as many as the head says. */
static void fuzz_list(struct fuzz_run *run, uint32_t operation, uint32_t channel, uint32_t count)
{
    struct machine *machine = run->check->machine;
    uint64_t at;

    switch (operation) {
    case FUZZ_ENTRIES:
        for (uint32_t i = 0; i < count / 2; i++) {
            const uint32_t entry0 = fuzz_take(&run->input);

            fuzz_entry(run, channel, entry0, fuzz_take(&run->input));
        }
        fuzz_ring(run, channel);
        break;
    case FUZZ_REGISTERS:
        for (uint32_t i = 0; i < count / 2; i++) {
            const uint32_t offset = fuzz_take(&run->input) & 0xfffffc;

            (void)machine_read32(machine, offset);
            machine_write32(machine, offset, fuzz_take(&run->input));
        }
        break;
    case FUZZ_STORE:
        at = fuzz_take(&run->input);
        at |= (uint64_t)fuzz_take(&run->input) << 32;
        for (uint32_t i = 2; i < count; i++, at += 4)
            fuzz_store(run, at, fuzz_take(&run->input));
        break;
    default: /* FUZZ_POKE */
        at = fuzz_take(&run->input);
        for (uint32_t i = 1; i < count; i++, at += 4) {
            const uint32_t value = fuzz_take(&run->input);

            (void)machine_write(machine, MEMORY_VRAM, at, &value, sizeof value);
        }
    }
}

static void fuzz_act(struct fuzz_run *run)
{
    const uint32_t head = fuzz_take(&run->input);
    const uint32_t channel = head >> 4 & 3;
    const size_t left = run->input.dword_count - run->input.at;
    const uint32_t count = head >> 16 < left ? head >> 16 : (uint32_t)left;
    uint64_t page;

    switch (head & 0xf) {
    case FUZZ_SEGMENT:
        fuzz_segment(run, channel, count);
        break;
    case FUZZ_RUN:
        fuzz_run_time(run, fuzz_take(&run->input));
        break;
    case FUZZ_STEP:
        fuzz_steps(run, fuzz_take(&run->input));
        break;
    case FUZZ_MAP:
        fuzz_map(run);
        break;
    case FUZZ_UNMAP:
        page = fuzz_take(&run->input);
        (void)address_space_unmap(&run->check->machine->spaces, run->check->space_id,
                                  page * MEMORY_PAGE_BYTES,
                                  fuzz_take(&run->input) * (uint64_t)MEMORY_PAGE_BYTES);
        break;
    case FUZZ_RING:
        run->put[channel] = fuzz_take(&run->input) % CHECK_RING_ENTRIES;
        fuzz_ring(run, channel);
        break;
    case FUZZ_OBJECTS:
        fuzz_objects(run, channel);
        break;
    case FUZZ_RUNLIST:
        fuzz_runlist(run, channel, count / 2);
        break;
    default:
        fuzz_list(run, head & 0xf, channel, count);
    }
}

/* ---- a run ----------------------------------------------------------------------------------- */

/* True when the input came to its end: nothing was cut off. */
static bool fuzz_part_run(struct fuzz_part *part, const uint8_t *data, size_t dword_count,
                          uint32_t batch_limit)
{
    struct fuzz_run run = {.check = &part->check, .input = {data, dword_count, 1}};
    struct machine *machine = part->check.machine;

    free(part->check.events);
    check_machine_again(&part->start, &part->check);
    machine->config.batch_limit = batch_limit;
    while (run.input.at < run.input.dword_count)
        fuzz_act(&run);
    fuzz_steps(&run, UINT32_MAX);
    machine_finish(machine);
    if (machine_failed(machine))
        return false;
    check_machine_read_log(&part->check);
    return run.step_count < FUZZ_STEPS_MAX;
}

/* STEP counts events, of which there are more with smaller batches. */
static bool fuzz_has_steps(const uint8_t *data, size_t dword_count)
{
    struct fuzz_input input = {data, dword_count, 1};

    while (input.at < dword_count)
        if ((fuzz_take(&input) & 0xf) == FUZZ_STEP)
            return true;
    return false;
}

void fuzz_gpfifo_run(struct fuzz_gpfifo *fuzz, const uint8_t *data, size_t bytes)
{
    const size_t dword_count =
        bytes / 4 < FUZZ_INPUT_DWORDS_MAX ? bytes / 4 : FUZZ_INPUT_DWORDS_MAX;
    struct fuzz_input input = {data, dword_count, 0};
    const uint32_t flags = fuzz_take(&input);
    struct fuzz_part *part = &fuzz->parts[flags & FUZZ_FLAG_NOUVEAU ? 1 : 0];
    char first[65], second[65];

    if (dword_count == 0)
        return;
    if (!fuzz_part_run(part, data, dword_count, 0) || !(flags & FUZZ_FLAG_TWICE) ||
        fuzz_has_steps(data, dword_count))
        return;
    check_machine_log_hash(part->check.machine, first);
    if (!fuzz_part_run(part, data, dword_count, 1))
        return;
    check_machine_log_hash(part->check.machine, second);
    must(strcmp(first, second) == 0);
}

void fuzz_gpfifo_hash(struct fuzz_gpfifo *fuzz, const uint8_t *data, size_t bytes,
                      struct check_machine_hashes *hashes)
{
    struct fuzz_input input = {data, bytes / 4, 0};
    const uint32_t flags = fuzz_take(&input);

    fuzz_gpfifo_run(fuzz, data, bytes);
    check_machine_hash(fuzz->parts[flags & FUZZ_FLAG_NOUVEAU ? 1 : 0].check.machine, hashes);
}

int fuzz_gpfifo(const uint8_t *data, size_t bytes)
{
    struct fuzz_gpfifo *fuzz = fuzz_gpfifo_new();

    fuzz_gpfifo_run(fuzz, data, bytes);
    fuzz_gpfifo_free(fuzz);
    return 0;
}

#ifdef GFE_FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    /* The one variable of this program: wiring a machine for each input would be slow. */
    static struct fuzz_gpfifo *fuzz;

    if (!fuzz)
        fuzz = fuzz_gpfifo_new();
    fuzz_gpfifo_run(fuzz, data, bytes);
    return 0;
}
#endif
