/* SPDX-License-Identifier: MIT */
/* What Host is on this chip: the rows of PTOP, and what its class table says of its methods. */
#include <config.h>

#include <string.h>

#include "devices/gpu_model.h"
#include "devices/nvidia/nv_class.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_methods.h"
#include "devices/nvidia/nv_regs.h"

/* PTOP: an enum and a type word for each engine, and from Pascal on a data word with the instance
 * of an LCE.  Before, copy engines have types of their own: COPY0 and up. */
void nv_host_fill_ptop(const struct nv_host *host, const struct mmio_window *ptop)
{
    uint32_t *row = &ptop->storage[NV_PTOP_DEVICE_INFO / 4];
    static const uint32_t types[] = {
        [GPU_ENGINE_GRAPHICS] = 0x00, [GPU_ENGINE_GRCE] = 0x13,   [GPU_ENGINE_LCE] = 0x13,
        [GPU_ENGINE_NVDEC] = 0x10,    [GPU_ENGINE_NVENC] = 0x0e,  [GPU_ENGINE_SEC] = 0x0d,
        [GPU_ENGINE_MSVLD] = 0x0a,    [GPU_ENGINE_MSPDEC] = 0x08, [GPU_ENGINE_MSPPP] = 0x09,
        [GPU_ENGINE_MSENC] = 0x0b,
    };

    for (uint32_t i = 0; i < host->model->engine_count; i++) {
        const struct gpu_engine *engine = &host->model->engines[i];
        const bool copies = engine->kind == GPU_ENGINE_GRCE || engine->kind == GPU_ENGINE_LCE;
        const uint32_t type =
            copies && !host->generation->lces_in_ptop ? 1u + engine->instance : types[engine->kind];

        *row++ = NV_PTOP_DEVICE_INFO_ENTRY_ENUM | 1u << 5 | 1u << 4 |
                 (uint32_t)engine->engine_id << 26 | (uint32_t)engine->runlist_id << 21 | 1u << 31;
        if (host->generation->lces_in_ptop)
            *row++ = NV_PTOP_DEVICE_INFO_ENTRY_DATA | (uint32_t)engine->instance << 26 | 1u << 31;
        *row++ = NV_PTOP_DEVICE_INFO_ENTRY_ENGINE_TYPE | type << 2;
    }
}

/* Bit per value that a field of a Host method has, by the class table. */
static uint32_t nv_host_values(const struct nv_class *nv_class, uint32_t offset, const char *name)
{
    struct nv_class_method method;
    uint32_t values = 0;

    if (!nv_class_lookup(nv_class, offset, &method))
        return 0;
    for (const struct nv_class_row *field = method.row;
         (field = nv_class_next(nv_class, field, NV_ROW_FIELD)) != NULL;)
        for (uint32_t value = 0; value < 32 && strcmp(field->name, name) == 0; value++)
            values |= (uint32_t)(nv_class_value_name(nv_class, field, value) != NULL) << value;
    return values;
}

/* What the class table of the chip's Host says. */
void nv_host_learn_class(struct nv_host *host)
{
    const struct nv_class *found = nv_class_find(host->model->class_host);
    /* One without a table is taken for the last that had one. */
    const struct nv_class *nv_class = found ? found : nv_class_find(TURING_CHANNEL_GPFIFO_A);
    uint32_t known[NV_CLASS_METHODS / 32] = {0};

    nv_class_known(nv_class, known);
    host->known_methods[0] = known[0];
    host->known_methods[1] = known[1];
    host->yield_operations = nv_host_values(nv_class, NVC06F_YIELD, "OP");
    host->mem_operations = nv_host_values(
        nv_class, host->generation->mem_op == NV_MEM_OP_B_ACTS ? NVC06F_MEM_OP_B : NVC06F_MEM_OP_D,
        "OPERATION");
    host->reduces = nv_host_values(nv_class, NVC06F_SEMAPHORED, "REDUCTION") != 0;
}
