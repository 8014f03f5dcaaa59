/* SPDX-License-Identifier: MIT */
/*
 * Errors of the graphics engine's front end.
 *
 * Methods below Host's end never come here.  SET_OBJECT of a class that the chip does not have, a
 * method on a subchannel that holds such a class or none, raise PGRAPH_INTR ILLEGAL_CLASS; a method
 * that the class does not have raises ILLEGAL_METHOD, a launch that cannot be EXCEPTION.
 * TRAPPED_ADDR and TRAPPED_DATA_LOW have the method, FE_OBJECT_TABLE the class, and
 * FECS_CURRENT_CTX the channel.  The classes of an engine are those of the chip's row (the list of
 * classes by chip: open-gpu-kernel-modules g_gpu_class_list.c for Turing and later, nouveau's lists
 * gr/gk104.c to gv100.c for earlier ones).  Which methods a class has is its published header's to
 * say, so the tables here have to be complete (nv_class.h).
 *
 * ASSUMED: a channel with an error stays at its method (choice nv.gr.class_error).  That is what
 * NVIDIA's driver makes of it, by tearing the channel down; nouveau clears the interrupt and lets
 * the engine have methods again, and older code of it carried illegal methods out itself, so the
 * hardware may go on with the next method (alternative `skip`).  Other channels' methods go on.
 */
#include <config.h>

#include "devices/nvidia/formats/nv_fe_regs.h"
#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_fe.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_tables.h"

bool nv_fe_has_class(const struct nv_fe *fe, uint32_t class_id)
{
    const struct nv_chip *chip = fe->model;

    return class_id != 0 && (class_id == chip->class_3d || class_id == chip->class_compute ||
                             class_id == chip->class_inline || class_id == chip->class_2d);
}

static uint32_t nv_fe_error_bit(uint32_t code)
{
    switch (code) {
    case NV_FE_ERROR_METHOD:
        return NV_PGRAPH_INTR_ILLEGAL_METHOD_LO;
    case NV_FE_ERROR_CLASS:
        return NV_PGRAPH_INTR_ILLEGAL_CLASS_LO;
    default:
        return NV_PGRAPH_INTR_EXCEPTION_LO;
    }
}

static void nv_fe_raise_error(struct nv_fe *fe, const struct nv_method *method, uint32_t code)
{
    uint32_t *regs = fe->regs->storage;
    uint32_t word = REG_PUT(0, NV_PGRAPH_TRAPPED_ADDR_MTHD, method->method / 4);

    word = REG_PUT(word, NV_PGRAPH_TRAPPED_ADDR_SUBCH, method->subchannel);
    regs[NV_PGRAPH_TRAPPED_ADDR / 4] = REG_PUT(word, NV_PGRAPH_TRAPPED_ADDR_STATUS, 1);
    regs[NV_PGRAPH_TRAPPED_DATA_LOW / 4] = method->data;
    MACHINE_LOG(fe->machine, fe->unit, EVENT_NV_ENGINE_ERROR, RULE_NV_CLASS, method->channel_id, 0,
                nv_fe_class(fe, method->subchannel), method->method, method->data, code);
    nv_fe_interrupt(fe, method->channel_id, 1u << nv_fe_error_bit(code), false);
}

void nv_fe_error(struct nv_fe *fe, const struct nv_method *method, uint32_t code)
{
    nv_fe_raise_error(fe, method, code);
    nv_fe_stop_channel(fe, method->channel_id);
}

bool nv_fe_illegal(struct nv_fe *fe, const struct nv_method *method, uint32_t code, uint32_t *rule)
{
    struct nv_fe_state *state = fe->state;
    const uint32_t pending = fe->regs->storage[NV_PGRAPH_INTR / 4] & 1u << nv_fe_error_bit(code);

    if (fe->machine->choices[CHOICE_NV_GR_CLASS_ERROR] == NV_GR_CLASS_ERROR_HALT) {
        nv_fe_error(fe, method, code);
        return true;
    }
    if (state->trapped == method->channel_id + 1 && !pending) {
        state->trapped = 0;
        return true;
    }
    if (state->trapped == 0 && !pending) {
        nv_fe_raise_error(fe, method, code);
        state->trapped = method->channel_id + 1;
    }
    return nv_fe_refuse(fe, method, RULE_NV_CLASS, rule);
}

uint32_t nv_fe_read(void *unit, const struct mmio_window *window, uint32_t offset, uint32_t stored)
{
    const struct nv_fe *fe = unit;
    const struct nv_fe_pipe *pipe = nv_fe_pipe(fe);

    (void)window;
    if (offset >= NV_PGRAPH_FE_OBJECT_TABLE &&
        offset < NV_PGRAPH_FE_OBJECT_TABLE + 4 * NV_FE_SUBCHANNELS)
        return nv_fe_class(fe, (offset - NV_PGRAPH_FE_OBJECT_TABLE) / 4);
    if (offset == NV_PGRAPH_FECS_CURRENT_CTX && pipe->context_channel != NV_FE_NOBODY)
        return REG_PUT((uint32_t)(pipe->context_instance >> 12) & 0xfffffff,
                       NV_PGRAPH_FECS_CURRENT_CTX_VALID, 1);
    return stored;
}
