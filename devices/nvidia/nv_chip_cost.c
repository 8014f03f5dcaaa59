/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_chip_cost.h"

#include <inttypes.h>
#include <stdio.h>

#define MHZ UINT64_C(1000000)
#define GB  UINT64_C(1000000000)

/* What an H100 with 132 SMs at 1,980 MHz was measured to take (nv_gh100.c). */
enum {
    H100_SMS = 132,
    H100_MHZ = 1980,
    H100_SAVE_PS_PER_SM = 1093894, /* 285,900 cycles */
    H100_LOAD_PS_PER_SM = 76523,   /* 20,000 cycles */
    H100_STOP_PS_PER_SM = 303031,  /* 40 us */
    H100_PS_PER_KIB = 550,
    H100_WARPS_PS_PER_KIB = 79000,
    H100_WARP_ALONE_PS_PER_KIB = 766000
};

/* nv.draw_ps on a GTX 1060 at 1,506 MHz. */
enum { GTX1060_MHZ = 1506, GTX1060_DRAW_PS = 5000000 };

/* Shared memory is saved by its own warps where a kernel can be stopped within a block. */
static bool nv_chip_stops_blocks(const struct nv_chip *chip)
{
    return chip->class_compute >= 0xc0c0; /* Pascal's first */
}

/* Returns `ps` of an H100 in proportion to the clock of the chip's SMs. */
static uint64_t nv_chip_by_clock(const struct nv_chip *chip, uint64_t ps)
{
    return ps * H100_MHZ * MHZ / chip->sm_hz;
}

/* Returns what moving a KiB takes the chip's memory. */
static uint64_t nv_chip_memory_ps_per_kib(const struct nv_chip *chip)
{
    return UINT64_C(1024000000) * MHZ / chip->local_bytes_per_second;
}

/* Returns what moving a KiB of the state of all SMs takes. */
static uint64_t nv_chip_state_ps_per_kib(const struct nv_chip *chip)
{
    const uint64_t sms = nv_chip_by_clock(chip, H100_PS_PER_KIB * H100_SMS) / chip->sm_count;
    const uint64_t memory = nv_chip_memory_ps_per_kib(chip);

    return sms > memory ? sms : memory;
}

static uint64_t nv_chip_host_cycles(const struct nv_chip *chip, uint64_t ps)
{
    return ps * (chip->host_hz / MHZ) / MHZ;
}

static struct nv_chip_switch nv_chip_switch_carried(const struct nv_chip *chip)
{
    const uint64_t state = nv_chip_state_ps_per_kib(chip);
    struct nv_chip_switch cost = {
        .save_cycles =
            (uint32_t)nv_chip_host_cycles(chip, (uint64_t)H100_SAVE_PS_PER_SM * chip->sm_count),
        .load_cycles =
            (uint32_t)nv_chip_host_cycles(chip, (uint64_t)H100_LOAD_PS_PER_SM * chip->sm_count),
        .save_ps_per_kib = (uint32_t)state,
        .load_ps_per_kib = (uint32_t)state,
    };

    if (nv_chip_stops_blocks(chip)) {
        cost.stop_ps = H100_STOP_PS_PER_SM * chip->sm_count;
        cost.warps_ps_per_kib = (uint32_t)nv_chip_by_clock(chip, H100_WARPS_PS_PER_KIB);
        cost.warp_alone_ps_per_kib = (uint32_t)nv_chip_by_clock(chip, H100_WARP_ALONE_PS_PER_KIB);
    }
    return cost;
}

static bool nv_chip_switch_is_known(const struct nv_chip *chip)
{
    return chip->context_switch.load_cycles != 0;
}

struct nv_chip_costs nv_chip_costs(const struct nv_chip *chip)
{
    return (struct nv_chip_costs){
        .context_switch =
            nv_chip_switch_is_known(chip) ? chip->context_switch : nv_chip_switch_carried(chip),
        .copy_ps_per_kib = nv_chip_memory_ps_per_kib(chip),
        .draw_ps = (uint64_t)GTX1060_DRAW_PS * GTX1060_MHZ * MHZ / chip->sm_hz,
    };
}

static void nv_chip_cost_row(struct nv_chip_cost_figures *to, uint32_t *count, const char *name,
                             const char *source)
{
    to->rows[*count] = (struct chip_figure){name, to->values[*count], ASSUMED, source};
    ++*count;
}

/* "159.2 us; 2.4 ns for each KiB" and so on. */
static void nv_chip_switch_text(const struct nv_chip *chip, const struct nv_chip_switch *cost,
                                char text[static NV_CHIP_COST_BYTES])
{
    const uint64_t cycles = (uint64_t)cost->save_cycles + cost->load_cycles;
    const uint64_t ns = cycles * 1000 / (chip->host_hz / MHZ);
    const uint64_t ps = (uint64_t)cost->save_ps_per_kib + cost->load_ps_per_kib;
    int length;

    length = snprintf(text, NV_CHIP_COST_BYTES,
                      "%" PRIu64 ".%" PRIu64 " us; %" PRIu64 ".%" PRIu64 " ns for each KiB",
                      ns / 1000, ns % 1000 / 100, ps / 1000, ps % 1000 / 100);
    if (cost->stop_ps != 0)
        (void)snprintf(text + length, NV_CHIP_COST_BYTES - (size_t)length,
                       "; shared memory by its own warps; work runs on for %" PRIu32 ".%" PRIu32
                       " us",
                       cost->stop_ps / 1000000, cost->stop_ps % 1000000 / 100000);
}

void nv_chip_cost_figures(const struct nv_chip *chip, struct nv_chip_cost_figures *figures)
{
    const struct nv_chip_costs costs = nv_chip_costs(chip);
    const struct nv_chip_switch *cost = &costs.context_switch;
    uint32_t count = 0;

    *figures = (struct nv_chip_cost_figures){0};
    if (!nv_chip_switch_is_known(chip)) {
        nv_chip_switch_text(chip, cost, figures->values[count]);
        nv_chip_cost_row(figures, &count, "context switch",
                         "carried over from h100: by the number of SMs; state by SMs and clock, "
                         "no faster than the memory (devices/nvidia/nv_chip_cost.h)");
    }
    (void)snprintf(figures->values[count], NV_CHIP_COST_BYTES, "%" PRIu64 " ps for each KiB",
                   costs.copy_ps_per_kib);
    nv_chip_cost_row(figures, &count, "state of a stopped copy", "gfe: at the rate of the memory");
    if (costs.draw_ps != GTX1060_DRAW_PS) {
        (void)snprintf(figures->values[count], NV_CHIP_COST_BYTES, "%" PRIu64 ".%02" PRIu64 " us",
                       costs.draw_ps / MHZ, costs.draw_ps % MHZ / 10000);
        nv_chip_cost_row(figures, &count, "draw, clear, blit",
                         "carried over from gtx1060, where it is ASSUMED, by the clock");
    }
}
