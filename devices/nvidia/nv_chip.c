/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_chip.h"

#include <string.h>

#include "devices/nvidia/formats/nv_generation.h"
#include "devices/nvidia/nv_chips.h"

const struct nv_chip *const nv_chips[] = {
    &nv_gtx680,    &nv_gtx980, &nv_gtx1080ti, &nv_gtx1060,       &nv_gtx1060_3gb, &nv_gtx1050,
    &nv_gtx1050ti, &nv_tx2,    &nv_v100,      &nv_titanv,        &nv_xavier,      &nv_rtx2080ti,
    &nv_rtx2060,   &nv_a100,   &nv_orin,      &nv_orin_runlist3, &nv_rtx6000ada,  &nv_h100,
    &nv_h200,      &nv_yang17, &nv_yang17_7,  &nv_yang17_32,
};
const uint32_t nv_chip_count = sizeof nv_chips / sizeof nv_chips[0];

const struct nv_chip *nv_chip_by_name(const char *name)
{
    for (uint32_t i = 0; i < nv_chip_count; i++)
        if (strcmp(nv_chips[i]->name, name) == 0 ||
            (nv_chips[i]->alias && strcmp(nv_chips[i]->alias, name) == 0))
            return nv_chips[i];
    return NULL;
}

uint32_t nv_chip_reg_variants(const struct nv_chip *model)
{
    return nv_generation_of(model->class_host, model->chip_id)->bit;
}
