/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/sim/gpu_from_nvdebug.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "emu/base/input.h"
#include "emu/base/json_text.h"
#include "emu/sim/gpu_from_nvdebug_private.h"

enum { TEXT_BYTES_MAX = 1 << 16, NAME_BYTES = 64, PAGE_BYTES = 4096, GPCS_MAX = 32, TPCS_MAX = 32 };

/* ---- files ----------------------------------------------------------------------------------- */

/* gpu_nvdebug_source.load of a folder */
static bool folder_load(void *context, const char *name, char **text, struct gfe_error *error)
{
    const char *folder = context;
    const size_t length = strlen(folder) + strlen(name) + 2;
    char *path = malloc(length);
    size_t bytes;
    bool good = path != NULL || error_set_errno(error, ENOMEM, "%s", folder);

    *text = NULL;
    if (path)
        (void)snprintf(path, length, "%s/%s", folder, name);
    /* The module answers with an error where a PCE is unmapped: such a file says nothing. */
    if (path && access(path, F_OK) == 0) {
        *text = input_load(path, input_fixed(TEXT_BYTES_MAX), &bytes, error);
        good = *text != NULL || strncmp(name, "lce_for_", 8) == 0 ||
               strncmp(name, "shared_lce_", 11) == 0;
        if (!*text && good)
            *error = (struct gfe_error){0};
    }
    free(path);
    return good;
}

/* ---- GPCs and TPCs --------------------------------------------------------------------------- */

static uint32_t ones(uint64_t mask)
{
    return (uint32_t)__builtin_popcountll(mask);
}

/* Counts what is enabled; says nothing if a file is missing. */
static bool tpcs_read(const struct gpu_nvdebug_source *source, struct nvdebug_said *said,
                      struct gfe_error *error)
{
    uint64_t gpcs, tpcs, disabled, mask;
    bool has[3], has_mask;
    char name[NAME_BYTES];

    if (!nvdebug_number(source, "num_gpcs", GPCS_MAX, &gpcs, &has[0], error) ||
        !nvdebug_number(source, "num_tpc_per_gpc", TPCS_MAX, &tpcs, &has[1], error) ||
        !nvdebug_number(source, "gpc_mask", UINT32_MAX, &disabled, &has[2], error))
        return false;
    if (!has[0] || !has[1] || !has[2])
        return true;
    for (uint32_t i = 0; i < gpcs; i++) {
        if (disabled >> i & 1)
            continue;
        (void)snprintf(name, sizeof name, "gpc%u_tpc_mask", i);
        if (!nvdebug_number(source, name, UINT32_MAX, &mask, &has_mask, error))
            return false;
        if (!has_mask)
            return error_set(error, ERROR_INPUT, "%s: there is no file %s, but gpc_mask has GPC %u",
                             source->name, name, i);
        said->gpc_count++;
        said->tpc_count += (uint32_t)tpcs - ones(mask & ((UINT64_C(1) << tpcs) - 1));
    }
    return said->tpc_count > 0 ||
           error_set(error, ERROR_INPUT, "%s: all TPCs are disabled", source->name);
}

/* "6442450944 bytes" */
static bool local_memory_read(const struct gpu_nvdebug_source *source, struct nvdebug_said *said,
                              struct gfe_error *error)
{
    bool has;

    return nvdebug_number(source, "local_memory", UINT64_C(1) << 44, &said->local_bytes, &has,
                          error);
}

/* ---- the built-in GPU ------------------------------------------------------------------------ */

/* How many engines a chip has alike: of that kind, with that instance, fault id and address. */
static uint32_t alike(const struct nv_chip *chip, const struct nvdebug_said *said)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < said->engine_count; i++)
        for (uint32_t k = 0; k < chip->engine_count; k++) {
            const struct nv_chip_engine *a = &said->engines[i].row, *b = &chip->engines[k];

            count += a->kind == b->kind && a->instance == b->instance &&
                     a->fault_id == b->fault_id && a->pri_base == b->pri_base;
        }
    return count;
}

static uint32_t apart(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

/* A larger number is a better match: first by engines that are alike, then by the numbers of
 * engines, of runlists and of TPCs. */
static uint64_t likeness(const struct nv_chip *chip, const struct nvdebug_said *said)
{
    const uint64_t far = 1000;
    const uint64_t engines = far - apart(chip->engine_count, said->engine_count);
    const uint64_t runlists = far - apart(chip->runlist_count, said->runlist_count);
    const uint64_t tpcs = far - apart(chip->tpc_count, said->tpc_count);

    return ((uint64_t)alike(chip, said) << 40) + (engines << 20) + (runlists << 10) + tpcs;
}

static const struct nv_chip *chip_like(const struct nvdebug_said *said)
{
    const struct nv_chip *best = NULL;

    for (uint32_t i = 0; i < nv_chip_count; i++) {
        const struct nv_chip *chip = nv_chips[i];
        const bool has_blocks = chip->runlists[0].pri_base != 0;

        if (has_blocks == said->has_blocks && !chip->sm.one_pool && alike(chip, said) > 0 &&
            (!best || likeness(chip, said) > likeness(best, said)))
            best = chip;
    }
    return best;
}

/* ---- the file -------------------------------------------------------------------------------- */

/* A value that a file of nvdebug says. */
static json_t *seen(json_t *value, const char *basis, const char *file)
{
    char source[NAME_BYTES];

    (void)snprintf(source, sizeof source, "nvdebug: %s", file);
    return json_pack("{so ss ss}", "value", value, "basis", basis, "source", source);
}

static json_t *id_json(uint16_t id)
{
    return id == NV_CHIP_ID_NONE ? json_null() : json_integer(id);
}

static json_t *hex_json(uint32_t value)
{
    char text[NAME_BYTES];

    (void)snprintf(text, sizeof text, "0x%x", value);
    return json_string(text);
}

static json_t *engines_json(const struct nvdebug_said *said)
{
    static const char *const kinds[NV_CHIP_ENGINE_KINDS] = {
        [NV_CHIP_GRAPHICS] = "graphics", [NV_CHIP_GRCE] = "grce",     [NV_CHIP_LCE] = "lce",
        [NV_CHIP_NVDEC] = "nvdec",       [NV_CHIP_NVENC] = "nvenc",   [NV_CHIP_SEC] = "sec",
        [NV_CHIP_MSVLD] = "msvld",       [NV_CHIP_MSPDEC] = "mspdec", [NV_CHIP_MSPPP] = "msppp",
        [NV_CHIP_MSENC] = "msenc",       [NV_CHIP_NVJPG] = "nvjpg",   [NV_CHIP_OFA] = "ofa"};
    json_t *list = json_array();

    for (uint32_t i = 0; i < said->engine_count; i++) {
        const struct nv_chip_engine *row = &said->engines[i].row;

        list = json_text_append(
            list, json_pack("{ss ss si si si so so so so si}", "name", said->engines[i].name,
                            "kind", kinds[row->kind], "instance", (int)row->instance, "runlist_id",
                            (int)row->runlist_id, "engine_id", (int)row->engine_id, "reset_id",
                            id_json(row->reset_id), "intr_id", id_json(row->intr_id), "fault_id",
                            id_json(row->fault_id), "pri_base", hex_json(row->pri_base), "rleng_id",
                            (int)row->rleng_id));
    }
    return list;
}

/* The number that the built-in GPU gives to the runlist. */
static uint32_t runlist_of(const struct nv_chip *like, uint32_t base)
{
    uint32_t i = 0;

    while (i < like->runlist_count && like->runlists[i].pri_base != base)
        i++;
    return i;
}

/* Takes the built-in GPU's runlists if they are all that the files name: those without an engine
 * are in no file.  Returns false if they are not. */
static bool runlists_adopt(struct nvdebug_said *said, const struct nv_chip *like)
{
    uint32_t number[NV_CHIP_RUNLISTS_MAX];

    if (said->runlist_count > like->runlist_count)
        return false;
    for (uint32_t i = 0; i < said->runlist_count; i++) {
        number[i] = said->has_blocks ? runlist_of(like, said->runlist_bases[i]) : i;
        if (number[i] == like->runlist_count)
            return false;
    }
    for (uint32_t i = 0; i < said->engine_count; i++)
        said->engines[i].row.runlist_id = (uint8_t)number[said->engines[i].row.runlist_id];
    return true;
}

static json_t *runlists_json(const struct nvdebug_said *said)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < said->runlist_count; i++)
        list = json_text_append(list,
                                json_pack("{so si}", "pri_base", hex_json(said->runlist_bases[i]),
                                          "doorbell_id", (int)i));
    return list;
}

/* Two PBDMAs for runlist 0, and one for each other: nvdebug does not say it. */
static json_t *pbdmas_json(const struct nvdebug_said *said)
{
    json_t *list = json_text_append(json_array(), json_pack("[i]", 0));

    for (uint32_t i = 0; i < said->runlist_count; i++)
        list = json_text_append(list, json_pack("[i]", (int)i));
    return list;
}

/* The last PCE that serves the LCE; UINT32_MAX: none does. */
static uint32_t last_pce(const uint8_t *map, uint32_t count, uint32_t lce)
{
    uint32_t last = UINT32_MAX;

    for (uint32_t i = 0; i < count; i++)
        last = map[i] == lce ? i : last;
    return last;
}

/* True if the built-in GPU has what the files say of its copy engines, of which they may leave out
 * some. */
static bool copies_are_alike(const struct nvdebug_said *said, const struct nv_chip *like)
{
    bool same = said->last_only && said->pce_count == like->pce_count;

    for (uint32_t lce = 0; lce < NV_CHIP_PCE_UNUSED; lce++)
        same = same && last_pce(said->pce_to_lce, said->pce_count, lce) ==
                           last_pce(like->pce_to_lce, like->pce_count, lce);
    for (uint32_t i = 0; i < NV_CHIP_GRCES_MAX; i++)
        same = same && said->grce[i].is_shared == like->grce[i].is_shared &&
               (!like->grce[i].is_shared || said->grce[i].shared_lce == like->grce[i].shared_lce);
    return same;
}

static json_t *copies_add(json_t *file, const struct nvdebug_said *said)
{
    json_t *pces = json_array(), *grces = json_array();

    for (uint32_t i = 0; i < said->pce_count; i++)
        pces = json_text_append(pces, said->pce_to_lce[i] == NV_CHIP_PCE_UNUSED
                                          ? json_null()
                                          : json_integer(said->pce_to_lce[i]));
    for (uint32_t i = 0; i < NV_CHIP_GRCES_MAX; i++)
        grces = json_text_append(grces,
                                 json_pack("{si sb}", "shared_lce", (int)said->grce[i].shared_lce,
                                           "is_shared", said->grce[i].is_shared));
    file = json_text_set(file, "pce_to_lce",
                         said->last_only
                             ? seen(pces, "INFERRED", "copy_topology: the last PCE of each LCE")
                             : seen(pces, "MEASURED", "lce_for_pceN"));
    return json_text_set(file, "grces",
                         seen(grces, "MEASURED", "copy_topology, shared_lce_for_grceN"));
}

static json_t *tpcs_add(json_t *file, const struct nvdebug_said *said, const struct nv_chip *like)
{
    const uint32_t of_tpc = like->sm_count / like->tpc_count;

    file = json_text_set(file, "gpc_count",
                         seen(json_integer(said->gpc_count), "MEASURED", "gpc_mask"));
    file = json_text_set(file, "tpc_count",
                         seen(json_integer(said->tpc_count), "MEASURED", "gpcN_tpc_mask"));
    file = json_text_set(file, "sm_count",
                         seen(json_integer(said->tpc_count * of_tpc), "INFERRED",
                              "TPCs, and the SMs of a TPC of that chip"));
    if (said->tpc_count == like->tpc_count)
        return file;
    file = json_text_set(file, "vgpc_tpcs", json_array());
    return json_text_set(file, "singleton_tpcs", json_integer(0));
}

static json_t *file_make(struct nvdebug_said *said, const struct nv_chip *like)
{
    char name[NAME_BYTES], why[200];
    json_t *file;

    (void)snprintf(name, sizeof name, "%s-nvdebug", like->name);
    (void)snprintf(why, sizeof why,
                   "%u of the %u engines are like those of %s; %u entries are no engines of gfe",
                   alike(like, said), said->engine_count, like->name, said->left_out);
    file = json_pack("{si ss ss ss}", "gfe_gpu", 1, "inherits", like->name, "comment_inherits", why,
                     "name", name);
    file = json_text_set(file, "card", json_string("a GPU that nvdebug saw"));
    if (said->local_bytes > 0)
        file = json_text_set(
            file, "vram_bytes",
            seen(json_integer((json_int_t)(said->local_bytes / PAGE_BYTES) * PAGE_BYTES),
                 "MEASURED", "local_memory"));
    if (!runlists_adopt(said, like)) {
        file = json_text_set(file, "runlists",
                             seen(runlists_json(said), "INFERRED",
                                  "device_info; doorbell ids: the runlists' numbers"));
        file = json_text_set(file, "pbdma_runlists",
                             json_pack("{so ss ss}", "value", pbdmas_json(said), "basis", "ASSUMED",
                                       "source", "gfe: nvdebug does not say it"));
    }
    file = json_text_set(file, "engines", seen(engines_json(said), "MEASURED", "device_info"));
    if (said->pce_count > 0 && !copies_are_alike(said, like))
        file = copies_add(file, said);
    return said->tpc_count > 0 ? tpcs_add(file, said, like) : file;
}

json_t *gpu_from_nvdebug_source(const struct gpu_nvdebug_source *source, struct gfe_error *error)
{
    struct nvdebug_said said = {0};
    const struct nv_chip *like;
    json_t *file;

    if (!nvdebug_engines_read(source, &said, error) || !nvdebug_copies_read(source, &said, error) ||
        !tpcs_read(source, &said, error) || !local_memory_read(source, &said, error))
        return NULL;
    like = chip_like(&said);
    if (!like) {
        error_set(error, ERROR_INPUT, "%s/device_info: no built-in GPU has engines like these",
                  source->name);
        return NULL;
    }
    file = file_make(&said, like);
    if (!file)
        error_set(error, ERROR_SYSTEM, "no memory for a GPU file");
    return file;
}

json_t *gpu_from_nvdebug(const char *folder, struct gfe_error *error)
{
    const struct gpu_nvdebug_source source = {
        .load = folder_load, .context = (char *)(uintptr_t)folder, .name = folder};

    return gpu_from_nvdebug_source(&source, error);
}
