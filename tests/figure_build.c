/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/figure_build.h"

#include <string.h>

#include "tests/check_machine.h"

/* From where nothing was written, high in the heap; into system memory. */
static void download(struct bus_build *build, struct bus_channel *channel, uint32_t bytes)
{
    bus_build_copy_virtual(build, channel, BUS_VA + BUS_HEAP + (64 << 20), BUS_SYSTEM, bytes);
}

enum { TEXTURE_BYTES = 12000000, DOWNLOAD_BYTES = 12000000 };

/* A channel in an address space of its own, which shows system memory. */
static struct bus_channel channel_apart(struct bus_build *build, uint32_t runlist_id, uint32_t chid)
{
    const uint64_t root = bus_build_space(build);

    bus_build_system(build, root);
    return bus_build_channel(build, runlist_id, chid, root);
}

static struct bus_tsg tsg_of(const struct bus_channel *channel, uint32_t timeout, uint32_t scale)
{
    return (struct bus_tsg){.id = FIGURE_TSG + channel->chid,
                            .timeout = timeout,
                            .scale = scale,
                            .channels = {channel},
                            .count = 1};
}

/* Slices of 250 << 3 units for tasks that compute (B.T3), of 128 << 3 for those that copy (B.T1).
 */
static struct bus_tsg computing(const struct bus_channel *channel)
{
    return tsg_of(channel, 250, 3);
}

static struct bus_tsg copying(const struct bus_channel *channel)
{
    return tsg_of(channel, 128, 3);
}

/* A kernel of a block for each SM. */
static void kernel_at(struct bus_build *build, struct bus_channel *channel, const char *time,
                      uint32_t warps)
{
    bus_build_launch(
        build, channel,
        &(struct bus_launch){.grid = build->bare.model->sm_count, .threads = 32 * warps});
    bus_build_at(build, time);
    bus_build_kick(build, channel);
}

/* What a driver sends to a context that is new: here a report of the compute class behind a wait
 * for idle, which needs the graphics engine. */
static void initialise(struct bus_build *build, struct bus_channel *channel, uint64_t data)
{
    if (channel->push_at == 0)
        BUS_PUSH(build, channel, PB_INC(1, 0, 1), build->bare.model->class_compute);
    BUS_PUSH(build, channel, PB_IMMD(1, 0x110, 0), PB_INC(1, 0x1b00, 4), (uint32_t)(data >> 32),
             (uint32_t)data, 1, 1u << 28);
    bus_build_kick(build, channel);
}

void figure_6(struct bus_build *build, int parts)
{
    struct bus_channel first, second;
    struct bus_tsg tsgs[2];
    uint64_t data;

    bus_build_begin(build, "gtx1060-3gb");
    bus_build_line(build, "# task 1: channel 1, alone in TSG 8");
    first = channel_apart(build, 0, FIGURE_CH1);
    tsgs[0] = computing(&first);
    bus_build_runlist(build, 0, tsgs, 1);
    bus_build_line(build, "# its kernel: a block for each SM, of 32 warps");
    if (parts & FIGURE_WORK(FIGURE_CH1))
        kernel_at(build, &first, "1ms", 32);
    bus_build_line(build, "# task 2: its context is made");
    bus_build_at(build, "10ms");
    second = channel_apart(build, 0, FIGURE_CH2);
    data = BUS_VA + bus_build_alloc(build, 4096);
    tsgs[1] = computing(&second);
    bus_build_runlist(build, 0, tsgs, 2);
    for (uint32_t i = 0; i < FIGURE_6_INITS && (parts & FIGURE_INIT); i++) {
        initialise(build, &second, data);
        bus_build_at(build, "+12500us");
    }
    bus_build_line(build, "# task 2: its kernel, of 8 warps");
    if (parts & FIGURE_WORK(FIGURE_CH2))
        kernel_at(build, &second, "110ms", 8);
}

void figure_7(struct bus_build *build, int parts)
{
    static const char *const times[] = {"100us", "3ms"};
    struct bus_channel channels[2];
    struct bus_tsg tsgs[2];

    bus_build_begin(build, "gtx1060-3gb");
    for (uint32_t i = 0; i < 2; i++) {
        bus_build_line(build, "# task %u: channel %u, alone in TSG %u, only copies", 1 + i,
                       FIGURE_CH1 + i, FIGURE_TSG + FIGURE_CH1 + i);
        channels[i] = channel_apart(build, 5, FIGURE_CH1 + i);
        bus_build_copies_only(build, &channels[i]);
        tsgs[i] = copying(&channels[i]);
    }
    bus_build_runlist(build, 5, tsgs, 2);
    for (uint32_t i = 0; i < 2; i++) {
        bus_build_line(build, "# task %u: from the GPU to the CPU, 125 MiB", 1 + i);
        download(build, &channels[i], 125 << 20);
        bus_build_at(build, times[i]);
        if (parts & FIGURE_WORK(FIGURE_CH1 + i))
            bus_build_kick(build, &channels[i]);
    }
}

void figure_8(struct bus_build *build, int parts)
{
    static const char *const times[] = {"1500us", "2ms", "2500us"};
    struct bus_channel compute[2], copy[3];
    struct bus_tsg tsgs[3];

    bus_build_begin(build, "gtx1080ti");
    bus_build_line(build, "# channels 1 and 2 compute, 2 and 3 are one task, 4 and 5 copy");
    for (uint32_t i = 0; i < 2; i++) {
        compute[i] = channel_apart(build, 0, FIGURE_CH1 + i);
        tsgs[i] = computing(&compute[i]);
    }
    bus_build_runlist(build, 0, tsgs, 2);
    for (uint32_t i = 0; i < 3; i++) {
        copy[i] = i == 0 ? bus_build_channel(build, 5, FIGURE_CH3, compute[1].root)
                         : channel_apart(build, 5, FIGURE_CH3 + i);
        bus_build_copies_only(build, &copy[i]);
        tsgs[i] = copying(&copy[i]);
    }
    bus_build_runlist(build, 5, tsgs, 3);
    bus_build_line(build, "# kernels of 6 and 4 warps");
    if (parts & FIGURE_WORK(FIGURE_CH1))
        kernel_at(build, &compute[0], "1ms", 6);
    if (parts & FIGURE_WORK(FIGURE_CH2))
        kernel_at(build, &compute[1], "1300us", 4);
    bus_build_line(build, "# copies of 75 MiB");
    for (uint32_t i = 0; i < 3; i++) {
        download(build, &copy[i], 75 << 20);
        bus_build_at(build, times[i]);
        if (parts & FIGURE_WORK(FIGURE_CH3 + i))
            bus_build_kick(build, &copy[i]);
    }
}

void figure_9(struct bus_build *build, int parts)
{
    struct bus_channel compute, copy;
    struct bus_tsg tsgs[2];

    bus_build_begin(build, "tx2");
    bus_build_line(build, "# channel 1 computes, in slices of 250 << 2; channel 2 only copies");
    compute = channel_apart(build, 0, FIGURE_CH1);
    copy = channel_apart(build, 0, FIGURE_CH2);
    bus_build_copies_only(build, &copy);
    tsgs[0] = tsg_of(&compute, 250, 2);
    tsgs[1] = copying(&copy);
    bus_build_runlist(build, 0, tsgs, 2);
    bus_build_line(build, "# a kernel of 4 warps");
    if (parts & FIGURE_WORK(FIGURE_CH1))
        kernel_at(build, &compute, "1ms", 4);
    bus_build_line(build, "# a copy of 150 MiB");
    download(build, &copy, 150 << 20);
    bus_build_at(build, "3ms");
    if (parts & FIGURE_WORK(FIGURE_CH2))
        bus_build_kick(build, &copy);
}

void figure_10(struct bus_build *build, const char *gpu, int parts)
{
    const uint32_t runlist_id = strcmp(gpu, "rtx6000ada") == 0 ? 2 : 6;
    struct bus_channel down, up;
    uint64_t texture;
    struct bus_tsg tsg;

    bus_build_begin(build, gpu);
    bus_build_line(build, "# channel 1 downloads on LCE3, channel 2 uploads on GRCE0");
    down = channel_apart(build, runlist_id, FIGURE_CH1);
    bus_build_copies_only(build, &down);
    tsg = copying(&down);
    bus_build_runlist(build, runlist_id, &tsg, 1);
    up = channel_apart(build, 0, FIGURE_CH2);
    tsg = computing(&up);
    bus_build_runlist(build, 0, &tsg, 1);
    texture = BUS_VA + bus_build_alloc(build, TEXTURE_BYTES);
    for (uint32_t i = 0; i < 4; i++) {
        if (i == 2) {
            bus_build_line(build, "# 12 textures of 12 MB");
            for (uint32_t n = 0; n < 12; n++)
                bus_build_copy_virtual(build, &up, BUS_SYSTEM, texture, TEXTURE_BYTES);
            bus_build_at(build, "6500us");
            if (parts & FIGURE_WORK(FIGURE_CH2))
                bus_build_kick(build, &up);
        }
        bus_build_line(build, "# a download of 12 MB");
        download(build, &down, DOWNLOAD_BYTES);
        bus_build_line(build, "%ums", 1 + 3 * i);
        if (parts & FIGURE_WORK(FIGURE_CH1))
            bus_build_kick(build, &down);
    }
}

/* A copy of an entry into a page table, and what makes the MMU look again. */
static void map_memory(struct bus_build *build, struct bus_channel *channel, uint64_t *pte)
{
    const uint32_t entry[] = {FIGURE_PTE, 0};
    const uint64_t from = bus_build_alloc(build, sizeof entry);

    *pte = bus_build_alloc(build, 4096);
    bus_build_words(build, from, entry, 2);
    bus_build_copy(build, channel, from, *pte, sizeof entry);
    BUS_PUSH(build, channel, PB_IMMD(0, 0x78, 0), PB_INC(0, 0x28, 4), 0, 0, 1, 9u << 27);
}

void figure_r1(struct bus_build *build, uint64_t *pte)
{
    struct bus_channel task[3], other;
    struct bus_tsg tsgs[2];

    bus_build_begin(build, "gtx1060-3gb");
    bus_build_line(build,
                   "# channels 1 (compute), 2 (copy), 3 (page tables): one task; 4: another");
    task[0] = channel_apart(build, 0, FIGURE_CH1);
    task[1] = bus_build_channel(build, 5, FIGURE_CH2, task[0].root);
    task[2] = bus_build_channel(build, 6, FIGURE_CH3, task[0].root);
    other = channel_apart(build, 0, FIGURE_CH4);
    tsgs[0] = computing(&task[0]);
    tsgs[1] = computing(&other);
    bus_build_runlist(build, 0, tsgs, 2);
    for (uint32_t i = 1; i < 3; i++) {
        bus_build_copies_only(build, &task[i]);
        if (i == 2)
            bus_build_privileged(build, &task[i]);
        tsgs[0] = copying(&task[i]);
        bus_build_runlist(build, 4 + i, tsgs, 1);
    }
    bus_build_line(build, "# the other task's kernel");
    kernel_at(build, &other, "1ms", 12);
    bus_build_line(build, "# the task's kernel, copy, and mapping");
    download(build, &task[1], 12 << 20);
    map_memory(build, &task[2], pte);
    kernel_at(build, &task[0], "2ms", 4);
    bus_build_kick(build, &task[1]);
    bus_build_kick(build, &task[2]);
}
