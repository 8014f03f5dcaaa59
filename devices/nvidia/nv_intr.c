/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_intr.h"

#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/formats/nv_intr_regs.h"
#include "devices/nvidia/nv_pbdma.h"
#include "devices/nvidia/formats/nv_regs.h"

enum { NV_INTR_LEAVES = NV_INTR_VECTORS / 32 };

static uint32_t nv_intr_read(void *unit, const struct mmio_window *window, uint32_t offset,
                             uint32_t stored);
static void nv_intr_write(void *unit, const struct mmio_window *window, uint32_t offset,
                          uint32_t old, uint32_t written);

static const struct unit_ops nv_intr_ops = {.read = nv_intr_read, .write = nv_intr_write};

void nv_intr_wire(struct nv_host *host)
{
    const uint32_t base = host->generation->virtual_function_base;
    struct mmio_window *ctrl;
    uint32_t unit;

    if (base == 0)
        return;
    unit = machine_add_unit(host->machine, "nv_intr", &nv_intr_ops, host);
    host->virtual_function = machine_add_window(host->machine, unit, &nv_virtual_function_list,
                                                base, NV_VIRTUAL_FUNCTION_PRIV_BYTES, 0);
    ctrl = machine_add_window(host->machine, unit, &nv_ctrl_list, NV_CTRL_BASE, NV_CTRL_BYTES, 0);
    if (ctrl)
        ctrl->storage[NV_CTRL_USERMODE_CFG0 / 4] = host->generation->usermode_class;
}

/* ---- the tree -------------------------------------------------------------------------------- */

static uint32_t nv_intr_reg(const struct nv_host *host, uint32_t offset)
{
    return host->virtual_function->storage[offset / 4];
}

/* Subtrees with an enabled bit. */
static uint32_t nv_intr_top(const struct nv_host *host)
{
    uint32_t top = 0;

    for (uint32_t i = 0; i < NV_INTR_LEAVES; i++)
        if (nv_intr_reg(host, NV_VIRTUAL_FUNCTION_PRIV_CPU_INTR_LEAF + 4 * i) &
            nv_intr_reg(host, NV_VIRTUAL_FUNCTION_PRIV_CPU_INTR_LEAF_EN_SET + 4 * i))
            top |= 1u << i / 2;
    return top;
}

static void nv_intr_line(struct nv_host *host)
{
    if (nv_intr_top(host) & nv_intr_reg(host, NV_VIRTUAL_FUNCTION_PRIV_CPU_INTR_TOP_EN_SET))
        machine_raise_interrupt(host->machine);
}

void nv_intr_raise(struct nv_host *host, uint32_t vector)
{
    if (!host->virtual_function || vector >= NV_INTR_VECTORS)
        return;
    host->virtual_function->storage[NV_VIRTUAL_FUNCTION_PRIV_CPU_INTR_LEAF / 4 + vector / 32] |=
        UINT32_C(1) << vector % 32;
    nv_intr_line(host);
}

void nv_intr_channel(struct nv_pbdma *pbdma)
{
    const uint32_t notify = nv_pbdma_reg(pbdma, NV_PPBDMA_INTR_NOTIFY);

    if (!pbdma->host->generation->runlists_have_blocks)
        nv_host_interrupt(pbdma->host, REG_PUT(0, NV_PFIFO_INTR_0_CHANNEL_INTR, 1));
    else if (REG_GET(notify, NV_PPBDMA_INTR_NOTIFY_CTRL_CPU))
        nv_intr_raise(pbdma->host, REG_GET(notify, NV_PPBDMA_INTR_NOTIFY_VECTOR));
}

/* ---- registers ------------------------------------------------------------------------------- */

/* NV_CTRL's arrays with an element for each function, or 16 leaves of each. */
static const struct nv_intr_alias {
    uint32_t ctrl, virtual_function, count;
} aliases[] = {
    {NV_CTRL_CPU_INTR_TOP, NV_VIRTUAL_FUNCTION_PRIV_CPU_INTR_TOP, 1},
    {NV_CTRL_CPU_INTR_TOP_EN_SET, NV_VIRTUAL_FUNCTION_PRIV_CPU_INTR_TOP_EN_SET, 1},
    {NV_CTRL_CPU_INTR_TOP_EN_CLEAR, NV_VIRTUAL_FUNCTION_PRIV_CPU_INTR_TOP_EN_CLEAR, 1},
    {NV_CTRL_CPU_INTR_LEAF, NV_VIRTUAL_FUNCTION_PRIV_CPU_INTR_LEAF, NV_INTR_LEAVES},
    {NV_CTRL_CPU_INTR_LEAF_EN_SET, NV_VIRTUAL_FUNCTION_PRIV_CPU_INTR_LEAF_EN_SET, NV_INTR_LEAVES},
    {NV_CTRL_CPU_INTR_LEAF_EN_CLEAR, NV_VIRTUAL_FUNCTION_PRIV_CPU_INTR_LEAF_EN_CLEAR,
     NV_INTR_LEAVES},
    {NV_CTRL_CPU_INTR_LEAF_TRIGGER, NV_VIRTUAL_FUNCTION_PRIV_CPU_INTR_LEAF_TRIGGER, 1},
};

/* Returns the physical function's register behind one of NV_CTRL.  Returns 0 if there is none, or
 * if the register is another function's. */
static uint32_t nv_intr_behind(uint32_t offset)
{
    for (uint32_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++)
        if (offset >= aliases[i].ctrl && offset - aliases[i].ctrl < 4 * aliases[i].count)
            return aliases[i].virtual_function + offset - aliases[i].ctrl;
    return 0;
}

static uint32_t nv_intr_read(void *unit, const struct mmio_window *window, uint32_t offset,
                             uint32_t stored)
{
    const struct nv_host *host = unit;
    uint32_t behind;

    if (window == host->virtual_function)
        return offset == NV_VIRTUAL_FUNCTION_PRIV_CPU_INTR_TOP ? nv_intr_top(host) : stored;
    behind = nv_intr_behind(offset);
    if (behind != 0)
        return machine_read32(host->machine, host->virtual_function->base + behind);
    /* Constants.  Registers of other functions were never stored to. */
    return offset < NV_CTRL_CPU_INTR_LEAF_TRIGGER ? stored : 0;
}

static void nv_intr_write(void *unit, const struct mmio_window *window, uint32_t offset,
                          uint32_t old, uint32_t written)
{
    struct nv_host *host = unit;
    uint32_t behind;

    (void)old;
    if (window != host->virtual_function) {
        behind = nv_intr_behind(offset);
        if (behind != 0)
            machine_write32(host->machine, host->virtual_function->base + behind, written);
        return;
    }
    if (offset == NV_VIRTUAL_FUNCTION_PRIV_CPU_INTR_LEAF_TRIGGER)
        nv_intr_raise(host,
                      REG_GET(written, NV_VIRTUAL_FUNCTION_PRIV_CPU_INTR_LEAF_TRIGGER_VECTOR));
    else
        nv_intr_line(host);
}
