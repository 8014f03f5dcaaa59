/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_pool.h"

#include <stdlib.h>

enum { GPUS_MAX = 64 };

static void must(bool so)
{
    if (!so)
        abort();
}

struct simulation_pool *fuzz_pool(void)
{
    static struct simulation_pool *pool;

    if (!pool)
        pool = simulation_pool_new(NULL);
    must(pool != NULL);
    return pool;
}

struct bare_gpu *fuzz_bare_gpu(const char *name)
{
    static struct bare_gpu gpus[GPUS_MAX];
    static uint32_t count;
    const struct nv_chip *model = nv_chip_by_name(name);

    if (!model)
        return NULL;
    for (uint32_t i = 0; i < count; i++)
        if (gpus[i].model == model)
            return &gpus[i];
    must(count < GPUS_MAX && bare_gpu_init(&gpus[count], model, NULL));
    return &gpus[count++];
}

static bool chip_open(const char *name, struct import_bus_chip *chip, bool *is_known,
                      struct gfe_error *error)
{
    struct bare_gpu *bare = fuzz_bare_gpu(name);

    (void)error;
    *is_known = bare != NULL;
    if (!bare)
        return false;
    *chip = (struct import_bus_chip){.name = bare->model->name,
                                     .chip_id = bare->model->chip_id,
                                     .pci_id = bare->model->pci_id,
                                     .vram_bytes = bare->model->vram_bytes,
                                     .mmio = &bare->machine->mmio};
    return true;
}

static void chip_close(struct import_bus_chip *chip)
{
    *chip = (struct import_bus_chip){0};
}

const struct import_bus_chips fuzz_bare_chips = {chip_open, chip_close};
