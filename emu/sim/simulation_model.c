/* SPDX-License-Identifier: MIT */
/* Which GPU, and which model of a driver, a recording is run with. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "devices/nvidia/formats/nv_decode.h"
#include "emu/sim/gpus.h"
#include "emu/sim/simulation.h"
#include "firmware-models/nouveau/nouveau_chip.h"

/* A stream's classes are those of its chip: a chip that has them takes the stream. */
static bool model_has_classes(const struct nv_chip *model, uint32_t chipset)
{
    const struct nv_decode_chip chip = nv_decode_chip(chipset);

    return chip.host_class != 0 && model->class_host == chip.host_class &&
           model->class_copy == chip.copy_class;
}

/* The GPUs that a capture can be run on with --gpu, for a message: "; --gpu rtx2080ti, rtx2060". */
static void model_list(const struct replay_input *input, char *to, size_t bytes)
{
    size_t used = 0;

    to[0] = '\0';
    for (uint32_t i = 0; i < nv_chip_count && input->is_capture && used < bytes; i++)
        if (model_has_classes(nv_chips[i], input->meta.chipset))
            used += (size_t)snprintf(to + used, bytes - used, "%s%s",
                                     used == 0 ? "; these have its classes, for --gpu: " : ", ",
                                     nv_chips[i]->name);
}

const struct nv_chip *simulation_model(const struct replay_input *input, const char *name,
                                       const struct gpu *described, struct gfe_error *error)
{
    const char *wanted = name ? name : input->gpu;
    const struct nv_chip *model = gpu_find_nvidia(wanted, described);
    char others[160];

    if (!model) {
        model_list(input, others, sizeof others);
        if (name || described)
            (void)gpu_missing(wanted, described, error);
        else
            error_set(error, ERROR_INPUT, "%s: there is no model of its GPU, '%s', yet%s",
                      input->path, wanted, others);
        return NULL;
    }
    /* User-mode drivers compile for one chip: another's classes would be refused by the hardware.
     * Of a capture's stream only the classes count. */
    if (model->chip_id != input->meta.chipset &&
        !(input->is_capture && model_has_classes(model, input->meta.chipset))) {
        error_set(error, ERROR_INPUT,
                  "%s: recorded for chipset 0x%x, but %s has chipset 0x%x: record for that GPU",
                  input->path, input->meta.chipset, model->name, model->chip_id);
        return NULL;
    }
    return model;
}

bool simulation_is_bare(const struct replay_input *input, const struct nv_chip *model)
{
    return input->layer == TRACE_LAYER_UAPI &&
           (strncmp(input->driver, "nouveau", strlen("nouveau")) != 0 ||
            (input->is_capture && !nouveau_chip_find(model->chip_id)));
}
