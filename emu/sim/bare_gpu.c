/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/sim/bare_gpu.h"

#include <stdlib.h>

#include "devices/core/core_events.h"

bool bare_gpu_init(struct bare_gpu *bare, const struct nv_chip *model, struct gfe_error *error)
{
    const struct machine_config config = {
        .gpu = model->name,
        .vram_bytes = model->vram_bytes,
        .sysmem_bytes = model->sysmem_bytes,
    };

    *bare = (struct bare_gpu){.model = model, .machine = machine_new(&config, error)};
    if (!bare->machine)
        return false;
    machine_add_tables(bare->machine, &core_tables);
    bare->gpu = model->wire(bare->machine, model, error);
    return bare->gpu && machine_seal(bare->machine, error);
}

void bare_gpu_fini(struct bare_gpu *bare)
{
    machine_free(bare->machine);
    if (bare->gpu)
        bare->model->unwire(bare->gpu);
    *bare = (struct bare_gpu){0};
}

static void chip_close(struct import_bus_chip *chip)
{
    if (chip->handle)
        bare_gpu_fini(chip->handle);
    free(chip->handle);
    *chip = (struct import_bus_chip){0};
}

static bool chip_open(const char *name, struct import_bus_chip *chip, bool *is_known,
                      struct gfe_error *error)
{
    const struct nv_chip *model = nv_chip_by_name(name);
    struct bare_gpu *bare;

    *is_known = model != NULL;
    if (!model)
        return false;
    bare = malloc(sizeof *bare);
    if (!bare)
        return error_set(error, ERROR_SYSTEM, "no memory for a GPU");
    *chip = (struct import_bus_chip){.name = model->name,
                                     .chip_id = model->chip_id,
                                     .pci_id = model->pci_id,
                                     .vram_bytes = model->vram_bytes,
                                     .handle = bare};
    if (!bare_gpu_init(bare, model, error))
        return false;
    chip->mmio = &bare->machine->mmio;
    return true;
}

const struct import_bus_chips bare_gpu_chips = {chip_open, chip_close};
