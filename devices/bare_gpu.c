/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/bare_gpu.h"

#include "devices/core/core_events.h"

bool bare_gpu_init(struct bare_gpu *bare, const struct gpu_model *model, struct gfe_error *error)
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
