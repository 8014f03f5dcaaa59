/* SPDX-License-Identifier: MIT */
/* What Host is on this chip: what its class table says of its methods. */
#include <config.h>

#include <string.h>

#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/nv_host_private.h"
#include "devices/nvidia/formats/nv_methods.h"

/* Bit per value that a field of a Host method has, by the class table. */
static uint32_t nv_host_values(const struct nv_class *nv_class, uint32_t offset, const char *name)
{
    struct nv_class_method method;
    uint32_t values = 0;

    if (!nv_class_lookup(nv_class, offset, &method))
        return 0;
    for (const struct nv_class_row *field = method.row;
         (field = nv_class_next(field, NV_ROW_FIELD)) != NULL;)
        for (uint32_t value = 0; value < 32 && strcmp(nv_class_row_name(field), name) == 0; value++)
            values |= (uint32_t)(nv_class_value_name(field, value) != NULL) << value;
    return values;
}

/* What the class table of the chip's Host says. */
void nv_host_learn_class(struct nv_host *host)
{
    const struct nv_class *nv_class = nv_class_find(host->model->class_host);
    uint32_t known[NV_CLASS_METHODS / 32] = {0};

    nv_class_known(nv_class, known);
    host->known_methods[0] = known[0];
    host->known_methods[1] = known[1];
    host->yield_operations = nv_host_values(nv_class, NVB06F_YIELD, "OP");
    host->mem_operations = nv_host_values(
        nv_class, host->generation->mem_op == NV_MEM_OP_B_ACTS ? NVC06F_MEM_OP_B : NVC06F_MEM_OP_D,
        "OPERATION");
    host->reduces = nv_host_values(nv_class, NVB06F_SEMAPHORED, "REDUCTION") != 0;
}
