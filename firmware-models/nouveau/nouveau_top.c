/* SPDX-License-Identifier: MIT */
/*
 * PTOP as the driver reads it at its start: which engines there are, on which runlist, by which bit
 * they are reset, and how the MMU calls them (nouveau top/gk104.c, fifo/gk104.c
 * (gk104_fifo_runl_ctor); where PTOP has no fault id, the numbers of gk104_fifo_mmu_fault_engine).
 */
#include <config.h>

#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/formats/nv_top.h"
#include "firmware-models/nouveau/nouveau.h"

/* gk104_fifo_mmu_fault_engine of graphics and of copy engines. */
static uint32_t nouveau_top_fault_id(const struct nv_top_device *device)
{
    static const uint32_t copies[] = {0x15, 0x16, 0x1b};

    if (device->fault_id != NV_TOP_ID_NONE)
        return device->fault_id;
    if (device->type == NV_TOP_GRAPHICS)
        return 0;
    return device->type >= NV_TOP_COPY0 &&
                   device->type < NV_TOP_COPY0 + sizeof copies / sizeof copies[0]
               ? copies[device->type - NV_TOP_COPY0]
               : NOUVEAU_NO_ID;
}

void nouveau_top_read(struct nouveau *nouveau)
{
    const enum nv_top_form form =
        nouveau->chip->lces ? NV_TOP_DEVICE_INFO : NV_TOP_DEVICE_INFO_KEPLER;
    struct nouveau_state *state = nouveau->state;
    uint32_t rows[NV_TOP_ROWS], at = 0;
    struct nv_top_device device;

    for (uint32_t i = 0; i < NV_TOP_ROWS; i++)
        rows[i] = machine_read32(nouveau->machine, NV_PTOP_BASE + NV_PTOP_DEVICE_INFO + 4 * i);
    while (state->engine_count < NOUVEAU_ENGINES &&
           nv_top_next(form, rows, NV_TOP_ROWS, &at, &device))
        if (device.is_engine && device.runlist_id < NOUVEAU_RUNLISTS)
            state->engines[state->engine_count++] = (struct nouveau_engine){
                .engine_id = device.engine_id,
                .runlist_id = device.runlist_id,
                .reset_id = device.reset_id < 32 ? device.reset_id : NOUVEAU_NO_ID,
                .fault_id = nouveau_top_fault_id(&device),
            };
}

const struct nouveau_engine *nouveau_engine_by_fault(const struct nouveau *nouveau,
                                                     uint32_t fault_id)
{
    for (uint32_t i = 0; i < nouveau->state->engine_count; i++)
        if (nouveau->state->engines[i].fault_id == fault_id)
            return &nouveau->state->engines[i];
    return NULL;
}
