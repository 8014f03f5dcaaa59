/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/sim/gpu_file.h"

#include <stdlib.h>
#include <string.h>

#include "emu/base/input.h"
#include "emu/base/json_text.h"
#include "emu/sim/gpu_field.h"
#include "emu/sim/gpu_file_private.h"
#include "traces/config/examiner_text.h"

enum { TEXT_BYTES_MAX = 1 << 20, FORM = 1 };

bool gpu_file_is(const char *word)
{
    static const char ending[] = ".json";
    const size_t length = strlen(word), most = sizeof ending - 1;

    return strchr(word, '/') || (length > most && strcmp(word + length - most, ending) == 0);
}

/* ---- describing ------------------------------------------------------------------------------ */

/* Adds parameters, which are numbers, or choices; without any it adds nothing. */
static json_t *settings_add(json_t *to, const char *name, const struct simulation_setting *rows,
                            uint32_t count, bool are_numbers)
{
    json_t *object = json_object();

    if (count == 0) {
        json_decref(object);
        return to;
    }
    for (uint32_t i = 0; i < count; i++)
        object = json_text_set(object, rows[i].id,
                               are_numbers ? json_integer(strtoll(rows[i].value, NULL, 10))
                                           : json_string(rows[i].value));
    return json_text_set(to, name, object);
}

json_t *gpu_file_describe(const struct gpu *gpu)
{
    json_t *members = gpu_fields_json(gpu->vendor->fields, gpu->vendor->members(gpu));
    json_t *all = json_pack("{si ss}", "gfe_gpu", FORM, "vendor", gpu->vendor->name);

    if (!members || !all || json_object_update(all, members) != 0) {
        json_decref(members);
        json_decref(all);
        return NULL;
    }
    json_decref(members);
    all = settings_add(all, "parameters", gpu->parameters, gpu->parameter_count, true);
    return settings_add(all, "choices", gpu->choices, gpu->choice_count, false);
}

static char *describe_text(const struct gpu *gpu)
{
    json_t *json = gpu_file_describe(gpu);
    char *text = json_text(json, JSON_COMPACT);

    json_decref(json);
    return text;
}

/* ---- reading ---------------------------------------------------------------------------------
 */

/* What a file is of: the GPU that it inherits, or a vendor. */
static bool origin_find(const struct spot *root, struct gpu *from, const struct gpu_vendor **vendor)
{
    const struct spot inherits = spot_member(root, "inherits"), name = spot_member(root, "vendor");
    const char *text = json_string_value(name.json);

    *vendor = NULL;
    if (inherits.json) {
        if (!json_is_string(inherits.json))
            return spot_is_not(&inherits, "the name of a built-in GPU");
        if (!gpu_find(json_string_value(inherits.json), NULL, from))
            return spot_is_not(&inherits, "the name of a built-in GPU; gfe gpus lists them");
        *vendor = from->vendor;
    }
    if (!name.json)
        return inherits.json ||
               spot_wrong(root, "neither inherits, the name of a built-in GPU, nor vendor, NVIDIA "
                                "or AMD, is there");
    for (uint32_t i = 0; text && i < GPU_VENDORS; i++)
        if (strcmp(gpu_vendors[i]->name, text) == 0) {
            if (*vendor && *vendor != gpu_vendors[i])
                return spot_wrong(&name, "%s is not the vendor of %s", text, from->name);
            *vendor = gpu_vendors[i];
            return true;
        }
    return spot_is_not(&name, "NVIDIA or AMD");
}

/* Reads merge->all into a chip, and sees whether it can be. */
static bool chip_load(struct gpu_file *file, const struct spot *all)
{
    json_t *members = json_copy((json_t *)(uintptr_t)all->json);
    const struct spot spot = {.reader = all->reader, .json = members};
    static const char *const others[] = {"gfe_gpu", "vendor", "parameters", "choices", NULL};
    struct chip_fault fault;
    bool good;

    for (uint32_t i = 0; others[i]; i++)
        (void)json_object_del(members, others[i]);
    good = gpu_fields_load(file->gpu.vendor->fields, &spot, &file->chip);
    json_decref(members);
    if (!good)
        return false;
    return file->gpu.vendor->take(&file->chip, &file->gpu, &fault) ||
           error_set(all->reader->error, ERROR_INPUT, "%s: %s: %s", all->reader->name, fault.path,
                     fault.text);
}

/* A GPU that a built-in one's name or alias stands for is that one, or has a name of its own. */
static bool name_check(struct gpu_file *file, const struct spot *all)
{
    const struct spot name = spot_member(all, "name"), alias = spot_member(all, "alias");
    struct gpu same, other;
    char *text;
    bool equal;

    file->gpu.name = json_string_value(name.json);
    if (gpu_find(json_string_value(alias.json), NULL, &other) &&
        strcmp(other.name, file->gpu.name) != 0)
        return spot_wrong(&alias, "a built-in GPU is called so");
    if (!gpu_find(file->gpu.name, NULL, &same))
        return true;
    text = describe_text(&same);
    if (!text)
        return error_set(all->reader->error, ERROR_SYSTEM, "no memory for a GPU");
    equal = strcmp(text, file->description) == 0;
    free(text);
    if (equal)
        file->gpu = same;
    return equal || spot_wrong(&name,
                               "'%s' is a built-in GPU, which this file differs from: give "
                               "the file's GPU a name of its own",
                               file->gpu.name);
}

static bool all_load(struct gpu_file *file, const struct spot *all)
{
    if (!chip_load(file, all) || !gpu_file_settings_load(file, all))
        return false;
    file->gpu.parameters = file->parameters.rows;
    file->gpu.parameter_count = file->parameters.count;
    file->gpu.choices = file->choices.rows;
    file->gpu.choice_count = file->choices.count;
    file->description = describe_text(&file->gpu);
    if (!file->description)
        return error_set(all->reader->error, ERROR_SYSTEM, "no memory for a GPU");
    file->gpu.description = file->description;
    return name_check(file, all);
}

static bool file_read(struct gpu_file *file, const struct spot *root)
{
    const struct spot form = spot_member(root, "gfe_gpu");
    struct gpu_file_merge merge = {0};
    struct gpu from;
    struct spot all = {.reader = root->reader};
    int64_t number;
    bool good;

    if (!json_is_object(root->json))
        return spot_is_not(root, "an object");
    if (!spot_number(&form, FORM, FORM, "1, the number of this form", &number) ||
        !origin_find(root, &from, &file->gpu.vendor))
        return false;
    merge.fields = file->gpu.vendor->fields;
    merge.from = json_object_get(root->json, "inherits") ? &from : NULL;
    merge.all = merge.from ? gpu_file_describe(merge.from) : json_object();
    merge.news = json_array();
    merge.said = json_object();
    if (!merge.all || !merge.news || !merge.said)
        good = error_set(root->reader->error, ERROR_SYSTEM, "no memory for a GPU");
    else
        good = gpu_file_merge(&merge, root) && gpu_file_merge_figures(&merge, root);
    file->all = merge.all;
    all.json = merge.all;
    good = good && all_load(file, &all);
    json_decref(merge.news);
    json_decref(merge.said);
    return good;
}

struct gpu_file *gpu_file_parse(const char *text, size_t bytes, const char *name,
                                struct gfe_error *error)
{
    struct examiner_reader reader = {.name = name, .error = error};
    struct gpu_file *file = calloc(1, sizeof *file);
    struct spot root = {.reader = &reader};
    bool good;

    if (!file) {
        error_set(error, ERROR_SYSTEM, "no memory for a GPU");
        return NULL;
    }
    root.json = examiner_text_json(text, bytes, TEXT_BYTES_MAX, name, error);
    good = root.json && file_read(file, &root);
    json_decref((json_t *)(uintptr_t)root.json);
    if (good)
        return file;
    gpu_file_free(file);
    return NULL;
}

struct gpu_file *gpu_file_load(const char *path, struct gfe_error *error)
{
    struct gpu_file *file = NULL;
    size_t bytes = 0;
    char *text = input_load(path, input_fixed(TEXT_BYTES_MAX), &bytes, error);

    if (text)
        file = gpu_file_parse(text, bytes, path, error);
    free(text);
    return file;
}

struct gpu_file *gpu_file_of_head(const json_t *head, const char *name, struct gfe_error *error)
{
    const json_t *json = json_object_get(head, "gpu");
    struct gpu_file *file = NULL;
    char *text;

    if (!json)
        return NULL;
    text = json_text(json, JSON_COMPACT | JSON_ENCODE_ANY);
    if (text)
        file = gpu_file_parse(text, strlen(text), name, error);
    else
        error_set(error, ERROR_SYSTEM, "no memory for a GPU");
    free(text);
    return file;
}

void gpu_file_free(struct gpu_file *file)
{
    if (!file)
        return;
    json_decref(file->all);
    free(file->description);
    free(file);
}

const struct gpu *gpu_file_gpu(const struct gpu_file *file)
{
    return &file->gpu;
}

/* ---- the schema ------------------------------------------------------------------------------ */

static json_t *vendor_schema(const struct gpu_vendor *vendor)
{
    json_t *schema = gpu_fields_schema(vendor->fields, true);
    json_t *properties = json_object_get(schema, "properties");
    const bool good =
        properties &&
        json_object_set_new(properties, "gfe_gpu", json_pack("{si}", "const", FORM)) == 0 &&
        json_object_set_new(properties, "inherits",
                            json_pack("{ss ss}", "type", "string", "description",
                                      "a built-in GPU: what the file leaves out is its")) == 0 &&
        json_object_set_new(properties, "vendor", json_pack("{ss}", "const", vendor->name)) == 0 &&
        json_object_set_new(properties, "parameters",
                            json_pack("{ss ss}", "type", "object", "description",
                                      "values of parameters (gfe rules), such as costs")) == 0 &&
        json_object_set_new(properties, "choices",
                            json_pack("{ss ss}", "type", "object", "description",
                                      "alternatives of choice points (gfe rules)")) == 0 &&
        json_object_set_new(schema, "title", json_string(vendor->name)) == 0 &&
        json_object_set_new(schema, "patternProperties", json_pack("{s{}}", "^comment")) == 0 &&
        json_object_set_new(schema, "required", json_pack("[s]", "gfe_gpu")) == 0;

    if (good)
        return schema;
    json_decref(schema);
    return NULL;
}

json_t *gpu_file_schema(void)
{
    return json_pack("{ss ss ss s[oo]}", "$schema", "https://json-schema.org/draft/2020-12/schema",
                     "title", "A GPU in a file, for gfe's --gpu", "description",
                     "docs/gpu-files.md says what it is for. Without inherits, vendor and all "
                     "members are required but alias and classes.copy_older.",
                     "anyOf", vendor_schema(&gpu_nvidia), vendor_schema(&gpu_amd));
}
