/* SPDX-License-Identifier: MIT */
/*
 * Software methods: a PBDMA raises DEVICE for subchannels 5 to 7, and the driver answers a method
 * of a software class that the channel has bound there.  Any other is an error of the PBDMA: Xid
 * 32, intr 00800000.
 *
 * The classes are those of ENG_SW in open-gpu-kernel-modules g_gpu_class_list.c.  ASSUMED: the
 * driver answers all methods of theirs, and does not ask for an object that the program has made.
 */
#include <config.h>

#include "devices/nvidia/formats/nv_methods.h"
#include "devices/nvidia/formats/nv_pbdma_regs.h"
#include "firmware-models/rm/rm.h"
#include "firmware-models/rm/rm_tables.h"

/* NV04_SOFTWARE_TEST, NV50_DEFERRED_API_CLASS, GF100_DISP_SW, GF100_TIMED_SEMAPHORE_SW,
 * GP100_UVM_SW. */
static const uint16_t rm_software_classes[] = {0x007d, 0x5080, 0x9072, 0x9074, 0xc076};

static bool rm_software_is(uint32_t class_id)
{
    for (uint32_t i = 0; i < sizeof rm_software_classes / sizeof rm_software_classes[0]; i++)
        if (rm_software_classes[i] == class_id)
            return true;
    return false;
}

/* What is bound to the channel's subchannel, or NULL. */
static struct rm_software *rm_software_find(struct rm *rm, const struct rm_software *place)
{
    for (uint32_t i = 0; i < RM_SOFTWARE_MAX; i++) {
        struct rm_software *row = &rm->state->software[i];

        if (row->channel == place->channel && row->runlist_id == place->runlist_id &&
            row->subchannel == place->subchannel)
            return row;
    }
    return NULL;
}

static void rm_software_bind(struct rm *rm, const struct rm_software *place)
{
    struct rm_software *row = rm_software_find(rm, place);

    if (!row)
        row = &rm->state->software[rm->state->software_count++ % RM_SOFTWARE_MAX];
    *row = *place;
}

bool rm_software_answers(struct rm *rm, const struct rm_pbdma *pbdma, uint32_t chid)
{
    const uint32_t method0 = machine_read32(rm->machine, pbdma->base + NV_PPBDMA_METHOD0);
    const uint32_t data = machine_read32(rm->machine, pbdma->base + NV_PPBDMA_DATA0);
    const uint32_t method = 4 * REG_GET(method0, NV_PPBDMA_METHOD0_ADDR);
    struct rm_software place = {.channel = 1 + chid,
                                .runlist_id = pbdma->runlist_id,
                                .subchannel = REG_GET(method0, NV_PPBDMA_METHOD0_SUBCH)};
    const struct rm_software *bound;

    if (method == NVA06F_SET_OBJECT) {
        place.class_id = nv_field(data, NVA06F_SET_OBJECT_NVCLASS);
        rm_software_bind(rm, &place);
    }
    bound = rm_software_find(rm, &place);
    place.class_id = bound ? bound->class_id : 0;
    MACHINE_LOG(rm->machine, rm->unit, EVENT_RM_SW_METHOD, RULE_RM_RC, chid, place.subchannel,
                place.class_id, method, data, rm_software_is(place.class_id));
    return rm_software_is(place.class_id);
}
