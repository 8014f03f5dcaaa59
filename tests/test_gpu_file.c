/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/amd/amd_chip.h"
#include "devices/nvidia/nv_chip.h"
#include "emu/base/json_text.h"
#include "emu/sim/gpu_file.h"
#include "emu/sim/simulation.h"
#include "tests/suites.h"
#include "tests/fuzz/fuzz_gpu_file.h"

static uint32_t all_count(void)
{
    return nv_chip_count + amd_chip_count;
}

/* The built-in GPU of that number. */
static struct gpu built_in(uint32_t index)
{
    const char *name =
        index < nv_chip_count ? nv_chips[index]->name : amd_chips[index - nv_chip_count]->name;
    struct gpu gpu;

    ck_assert(gpu_find(name, NULL, &gpu));
    return gpu;
}

static struct gpu_file *parse(const char *text, struct gfe_error *error)
{
    *error = (struct gfe_error){0};
    return gpu_file_parse(text, strlen(text), "f.json", error);
}

static struct gpu_file *parse_good(const char *text)
{
    struct gfe_error error;
    struct gpu_file *file = parse(text, &error);

    ck_assert_msg(file != NULL, "%s", error.text);
    return file;
}

static json_t *describe(const struct gpu *gpu)
{
    json_t *json = gpu_file_describe(gpu);

    ck_assert_ptr_nonnull(json);
    return json;
}

/* PROMISE (program): A GPU that is exported and read again is the built-in GPU, for every GPU. */
START_TEST(every_gpu_comes_back_as_itself)
{
    const struct gpu gpu = built_in((uint32_t)_i);
    json_t *json = describe(&gpu);
    char *text = json_text(json, JSON_INDENT(1));
    struct gpu_file *file = parse_good(text);

    ck_assert_ptr_null(gpu_file_gpu(file)->description);
    ck_assert_ptr_eq(gpu_file_gpu(file)->nvidia, gpu.nvidia);
    ck_assert_ptr_eq(gpu_file_gpu(file)->amd, gpu.amd);
    gpu_file_free(file);
    free(text);
    json_decref(json);
}
END_TEST

/* Bytes up to the operations, but for the texts, which are pointers. */
static void expect_same_nvidia(const struct nv_chip *is, const struct nv_chip *want)
{
    ck_assert_str_eq(is->title, want->title);
    ck_assert_str_eq(is->chip, want->chip);
    ck_assert_uint_eq(is->sm_count, want->sm_count);
    ck_assert_uint_eq(is->engine_count, want->engine_count);
    ck_assert_mem_eq(&is->sm, &want->sm, sizeof is->sm);
    ck_assert_mem_eq(is->runlists, want->runlists, want->runlist_count * sizeof is->runlists[0]);
    ck_assert_mem_eq(is->pbdma_runlists, want->pbdma_runlists, sizeof is->pbdma_runlists);
    ck_assert_mem_eq(is->pce_to_lce, want->pce_to_lce, want->pce_count);
    ck_assert_mem_eq(is->vgpc_tpcs, want->vgpc_tpcs, sizeof is->vgpc_tpcs);
    ck_assert_mem_eq(is->grce, want->grce, sizeof is->grce);
    ck_assert_mem_eq(&is->context_switch, &want->context_switch, sizeof is->context_switch);
    ck_assert_int_eq(is->holds_split, want->holds_split);
    ck_assert_int_eq(is->passes_masked, want->passes_masked);
    for (uint32_t i = 0; i < want->engine_count; i++) {
        ck_assert_str_eq(is->engines[i].name, want->engines[i].name);
        ck_assert_uint_eq(is->engines[i].kind, want->engines[i].kind);
        ck_assert_uint_eq(is->engines[i].runlist_id, want->engines[i].runlist_id);
        ck_assert_uint_eq(is->engines[i].fault_id, want->engines[i].fault_id);
        ck_assert_uint_eq(is->engines[i].pri_base, want->engines[i].pri_base);
    }
    ck_assert(is->wire == want->wire && is->unwire == want->unwire && is->costs == want->costs);
    for (uint32_t i = 0; want->figures[i].name; i++) {
        ck_assert_str_eq(is->figures[i].source, want->figures[i].source);
        ck_assert_uint_eq(is->figures[i].basis, want->figures[i].basis);
    }
}

/* A file that gives the GPU another name is not the built-in one, and has all that it has. */
START_TEST(a_renamed_gpu_has_every_member)
{
    const struct gpu gpu = built_in((uint32_t)_i);
    struct gpu_file *file;
    char text[200];
    json_t *want = describe(&gpu), *is;

    (void)snprintf(text, sizeof text, "{\"gfe_gpu\": 1, \"inherits\": \"%s\", \"name\": \"mine\"}",
                   gpu.name);
    file = parse_good(text);
    ck_assert_ptr_nonnull(gpu_file_gpu(file)->description);
    ck_assert_str_eq(gpu_file_gpu(file)->name, "mine");
    if (gpu.nvidia)
        expect_same_nvidia(gpu_file_gpu(file)->nvidia, gpu.nvidia);
    else
        ck_assert_mem_eq(&gpu_file_gpu(file)->amd->gfx_target_version, &gpu.amd->gfx_target_version,
                         offsetof(struct amd_chip, figures) -
                             offsetof(struct amd_chip, gfx_target_version));
    is = describe(gpu_file_gpu(file));
    ck_assert_int_eq(json_object_set_new(want, "name", json_string("mine")), 0);
    if (gpu.nvidia)
        ck_assert_int_eq(json_object_set_new(want, "alias", json_null()), 0);
    ck_assert(json_equal(is, want));
    json_decref(want);
    json_decref(is);
    gpu_file_free(file);
}
END_TEST

static const struct chip_figure *figure_of(const struct gpu *gpu, const char *name)
{
    for (const struct chip_figure *row = gpu->nvidia->figures; row->name; row++)
        if (strcmp(row->name, name) == 0)
            return row;
    return NULL;
}

START_TEST(a_file_changes_what_it_says_and_nothing_else)
{
    struct gpu_file *file = parse_good(
        "{\"gfe_gpu\": 1, \"comment\": \"x\", \"inherits\": \"h100\", \"name\": \"pcie\","
        " \"sm_count\": {\"value\": 114, \"basis\": \"DOCUMENTED\", \"source\": \"data sheet\"},"
        " \"tpc_count\": 57, \"vgpc_tpcs\": [], \"singleton_tpcs\": 0,"
        " \"sm\": {\"blocks_per_sm\": 16, \"comments\": 2}, \"pci_id\": \"0x10de2331\","
        " \"choices\": {\"core.block_to_sm\": \"round-robin\"},"
        " \"parameters\": {\"rm.poll_ps\": {\"value\": 7, \"basis\": \"MEASURED\"},"
        "                  \"cuda.submit_ps\": 5}}");
    const struct gpu *gpu = gpu_file_gpu(file);

    ck_assert_uint_eq(gpu->nvidia->sm_count, 114);
    ck_assert_uint_eq(gpu->nvidia->vgpc_count, 0);
    ck_assert_uint_eq(gpu->nvidia->sm.blocks_per_sm, 16);
    ck_assert_uint_eq(gpu->nvidia->sm.threads_per_sm, 2048);
    ck_assert_uint_eq(gpu->nvidia->pci_id, 0x10de2331);
    ck_assert_uint_eq(gpu->nvidia->engine_count, 34);
    ck_assert_uint_eq(gpu->parameter_count, 2);
    ck_assert_str_eq(gpu->parameters[0].id, "cuda.submit_ps");
    ck_assert_str_eq(gpu->parameters[0].value, "5");
    ck_assert_str_eq(gpu->parameters[1].value, "7");
    ck_assert_str_eq(gpu->choices[0].value, "round-robin");
    /* The inherited figure says whose it is; the new one has the file's basis and source. */
    ck_assert_ptr_null(figure_of(gpu, "SMs"));
    ck_assert_str_eq(figure_of(gpu, "SMs (of h100)")->value, "132");
    ck_assert_str_eq(figure_of(gpu, "sm_count")->value, "114");
    ck_assert_uint_eq(figure_of(gpu, "sm_count")->basis, DOCUMENTED);
    ck_assert_str_eq(figure_of(gpu, "sm_count")->source, "data sheet");
    ck_assert_uint_eq(figure_of(gpu, "tpc_count")->basis, ASSUMED);
    ck_assert_uint_eq(figure_of(gpu, "rm.poll_ps")->basis, MEASURED);
    ck_assert_ptr_nonnull(figure_of(gpu, "graphics clock"));
    gpu_file_free(file);
}
END_TEST

/* ---- what is refused --------------------------------------------------------------------------
 */

#define OF(gpu, rest) "{\"gfe_gpu\": 1, \"inherits\": \"" gpu "\", \"name\": \"n\"" rest "}"

static const struct {
    const char *text, *message;
} broken[] = {
    {"", "f.json: "},
    {"[]", "f.json: an empty array is not an object"},
    {"{}", "f.json: gfe_gpu: is missing"},
    {"{\"gfe_gpu\": 2}", "f.json: gfe_gpu: 2 is more than 1"},
    {"{\"gfe_gpu\": 1}", "f.json: neither inherits"},
    {"{\"gfe_gpu\": 1, \"inherits\": \"h1000\"}", "f.json: inherits: 'h1000' is not the name"},
    {"{\"gfe_gpu\": 1, \"inherits\": 7}", "f.json: inherits: 7 is not the name"},
    {"{\"gfe_gpu\": 1, \"vendor\": \"Intel\"}", "f.json: vendor: 'Intel' is not NVIDIA or AMD"},
    {OF("h100", ", \"vendor\": \"AMD\""), "f.json: vendor: AMD is not the vendor of h100"},
    {"{\"gfe_gpu\": 1, \"vendor\": \"AMD\", \"name\": \"n\"}", "f.json: card: is missing"},
    {"{\"gfe_gpu\": 1, \"inherits\": \"h100\", \"sm_count\": 66, \"tpc_count\": 66}",
     "f.json: name: 'h100' is a built-in GPU, which this file differs from"},
    {OF("v100", ", \"alias\": \"titanv\""), "f.json: alias: a built-in GPU is called so"},
    {OF("h100", ", \"sms\": 7"), "f.json: sms: there is no such member"},
    {OF("h100", ", \"sm\": 7"), "f.json: sm: 7 is not an object"},
    {OF("h100", ", \"sm\": {\"warps\": 7}"), "f.json: sm.warps: there is no such member"},
    {OF("h100", ", \"sm_count\": \"7\""),
     "f.json: sm_count: '7' is not a whole number from 1 to 255"},
    {OF("h100", ", \"sm_count\": 256"),
     "f.json: sm_count: 256 is not a whole number from 1 to 255"},
    {OF("h100", ", \"sm_count\": -1"), "f.json: sm_count: -1 is not"},
    {OF("h100", ", \"sm_count\": 1.5"), "f.json: sm_count: 1.5 is not"},
    {OF("h100", ", \"vram_bytes\": 1073741825"),
     "f.json: vram_bytes: 1073741825 is not a multiple of 4096"},
    {OF("h100", ", \"sm_count\": null"), "f.json: sm_count: null is not"},
    {OF("h100", ", \"sm_count\": 100"), "f.json: tpc_count: 66 TPCs cannot share 100 SMs"},
    {OF("h100", ", \"sm_count\": {\"value\": 66, \"basis\": \"GUESSED\"}"),
     "f.json: sm_count.basis: 'GUESSED' is not one of"},
    {OF("h100", ", \"sm_count\": {\"value\": 66, \"from\": \"x\"}"), "f.json: sm_count.from: "},
    {OF("h100", ", \"sm_count\": {\"value\": 66, \"source\": 1}"),
     "f.json: sm_count.source: 1 is not a text"},
    {OF("h100", ", \"singleton_tpcs\": 5"), "f.json: vgpc_tpcs: the virtual GPCs and"},
    {OF("h100", ", \"vgpc_tpcs\": [66,0]"), "f.json: vgpc_tpcs[1]: 0 is not"},
    {OF("h100", ", \"gpc_count\": 32, \"tpc_count\": 22, \"sm_count\": 22, \"vgpc_tpcs\": [],"
                "\"singleton_tpcs\": 0"),
     "f.json: gpc_count: 32 GPCs have only 22 TPCs"},
    {OF("h100", ", \"sm\": {\"partitions\": 3}"), "f.json: sm.partitions: 3 is not 1, 2 or 4"},
    {OF("h100", ", \"sm\": {\"partitions\": 1}"), "f.json: sm.partitions: a sub-partition has at"},
    {OF("h100", ", \"sm\": {\"warps_per_sm\": 63}"), "f.json: sm.partitions: 4 sub-partitions"},
    {OF("h100", ", \"sm\": {\"threads_per_block\": 1025}"),
     "f.json: sm.threads_per_block: 1025 is"},
    {OF("h100", ", \"sm\": {\"shared_bytes_per_block\": 1048576}"),
     "f.json: sm.shared_bytes_per_block: 1048576 is more than"},
    {OF("h100", ", \"sm\": {\"splits_kib\": [0, 8, 8, 228]}"),
     "f.json: sm.splits_kib[2]: is not more than"},
    {OF("h100", ", \"sm\": {\"splits_kib\": [0, 100]}"),
     "f.json: sm.splits_kib: the last one is not"},
    {OF("h100", ", \"runlists\": []"), "f.json: runlists: it has 0 elements; a list of 1 to 32"},
    {OF("h100", ", \"runlists\": [{\"pri_base\": \"0xc00000\", \"doorbell_id\": 0}]"),
     "f.json: pbdma_runlists[2]: names a runlist that is not there"},
    {OF("h100", ", \"runlists\": [{\"pri_base\": 12582913, \"doorbell_id\": 0}]"),
     "f.json: runlists[0].pri_base: is not a multiple of 0x400"},
    {OF("h100", ", \"pbdma_runlists\": [[0]]"), "f.json: runlists[1]: no PBDMA serves it"},
    {OF("h100", ", \"pbdma_runlists\": [[32]]"),
     "f.json: pbdma_runlists[0][0]: 32 is more than 31"},
    {OF("h100", ", \"pbdma_runlists\": [7]"), "f.json: pbdma_runlists[0]: 7 is not a list"},
    {OF("gtx1060", ", \"runlists\": [{\"pri_base\": 0, \"doorbell_id\": 3}]"),
     "f.json: runlists[0].doorbell_id: must be the runlist's number"},
    {OF("h100", ", \"pce_to_lce\": [12]"), "f.json: pce_to_lce[0]: there is no such LCE"},
    {OF("h100", ", \"pce_to_lce\": [null]"), "f.json: pce_to_lce: no PCE serves an LCE"},
    {OF("h100", ", \"grces\": [{\"shared_lce\": 4, \"is_shared\": true}]"),
     "f.json: grces: it has 1 elements; a list of 4 to 4"},
    {OF("h100", ", \"engines\": [{\"name\": \"GR0\"}]"), "f.json: engines[0].kind: is missing"},
    {OF("h100", ", \"engines\": [{\"name\": \"GR0\", \"kind\": \"gr\"}]"),
     "f.json: engines[0].kind: 'gr' is not one of graphics, grce"},
    {OF("gtx1060", ", \"engines\": [{\"name\": \"L\", \"kind\": \"lce\", \"instance\": 0,"
                   " \"runlist_id\": 9, \"engine_id\": 0, \"pri_base\": 0, \"rleng_id\": 0}]"),
     "f.json: engines[0].runlist_id: there is no such runlist"},
    {OF("gtx1060", ", \"engines\": [{\"name\": \"L\", \"kind\": \"lce\", \"instance\": 0,"
                   " \"runlist_id\": 1, \"engine_id\": 0, \"pri_base\": 0, \"rleng_id\": 0}]"),
     "f.json: engines: there is no graphics engine"},
    {OF("h100", ", \"chip_id\": \"0x136\", \"classes\": {\"host\": \"0xc46f\"}"),
     "f.json: classes: these are together the classes of no chip"},
    {OF("h100", ", \"classes\": {\"host\": \"0x1234\"}"),
     "f.json: classes.host: 0x1234 is Host's class of no chip"},
    {OF("rtx6000ada", ", \"chip_id\": \"0x172\""), "f.json: chip_id: 0x172 is a chip of another"},
    {OF("h100", ", \"chip_id\": \"x\""), "f.json: chip_id: 'x' is not a number from 0x1 to 0x1ff"},
    {OF("h100", ", \"parameters\": {\"rm.pole_ps\": 1}"),
     "f.json: parameters.rm.pole_ps: no param"},
    {OF("h100", ", \"parameters\": {\"rm.poll_ps\": \"1\"}"), "f.json: parameters.rm.poll_ps: '1'"},
    {OF("h100", ", \"parameters\": []"), "f.json: parameters: an empty array is not an object"},
    {OF("h100", ", \"choices\": {\"core.block_to_sm\": \"up\"}"),
     "f.json: choices.core.block_to_sm: 'up' is not one of its alternatives"},
    {OF("mi100", ", \"engine_cus\": [17]"), "f.json: engine_cus[0]: 17 is not"},
    {OF("mi210", ", \"engine_cus\": [15]"), "f.json: engine_cus[0]: 15 is more than cu_slots"},
    {OF("mi210", ", \"waves_per_simd\": 11"), "f.json: waves_per_simd: a CU would hold 44 waves"},
    {OF("mi210", ", \"vgpr_unit\": 12"), "f.json: vgpr_unit: 12 is no power of 2"},
    {OF("mi210", ", \"isa\": \"gfx1030\""), "f.json: isa: 'gfx1030' is the ISA of no chip"},
    {OF("mi210", ", \"gfx_target_version\": 90006"), "f.json: gfx_target_version: 90006 is not"},
    {OF("mi210", ", \"queues_per_pipe\": 2"), "f.json: kernel_queues_per_pipe: 2 of the 2 slots"},
    {OF("mi210", ", \"sdma_engine_count\": 8"),
     "f.json: sdma_xgmi_engine_count: with sdma_engine_count there would be 11"},
    {"{\"gfe_gpu\":1,\"inherits\":\"radeon-vii\",\"name\":\"n\",\"sdma_engine_count\":3}",
     "f.json: sdma_xgmi_engine_count: with sdma_engine_count there would be 3 SDMA engines; at most "
     "2"},
};

START_TEST(what_cannot_be_is_refused_with_its_place)
{
    struct gfe_error error;

    ck_assert_ptr_null(parse(broken[_i].text, &error));
    ck_assert_uint_eq(error.kind, ERROR_INPUT);
    ck_assert_msg(strncmp(error.text, broken[_i].message, strlen(broken[_i].message)) == 0,
                  "%s\nsays: %s\nwanted: %s", broken[_i].text, error.text, broken[_i].message);
}
END_TEST

/* ---- damage -----------------------------------------------------------------------------------
 */

static void run_text(const json_t *json)
{
    char *text = json_text(json, JSON_COMPACT);

    ck_assert_int_eq(fuzz_gpu_file((const uint8_t *)text, strlen(text)), 0);
    free(text);
}

/* Puts other values in the place of each value below, one at a time. */
static void damage(json_t *root, json_t *value, uint32_t *count)
{
    static const char *const others[] = {"null", "0", "1", "300", "\"x\"", "[]", "{}", "true"};
    const char *key;
    json_t *member, *kept;
    size_t index;
    void *next;

    json_object_foreach_safe(value, next, key, member)
    {
        kept = json_incref(member);
        for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
            (void)json_object_set_new(value, key, json_loads(others[i], JSON_DECODE_ANY, NULL));
            run_text(root);
            ++*count;
        }
        (void)json_object_set_new(value, key, kept);
        if (strcmp(key, "figures") != 0)
            damage(root, kept, count);
    }
    json_array_foreach(value, index, member)
    {
        if (index < 2)
            damage(root, member, count);
    }
}

/* PROMISE (program): No value at any place of a GPU file makes gfe crash. */
START_TEST(other_values_at_any_place_are_refused_or_run)
{
    static const char *const gpus[] = {"gtx1060", "xavier", "radeon-vii"};
    struct gpu gpu;
    uint32_t count = 0;
    json_t *json;

    ck_assert(gpu_find(gpus[_i], NULL, &gpu));
    json = describe(&gpu);
    ck_assert_int_eq(json_object_set_new(json, "name", json_string("n")), 0);
    (void)json_object_del(json, "alias");
    damage(json, json, &count);
    ck_assert_uint_gt(count, 300);
    json_decref(json);
}
END_TEST

START_TEST(a_file_that_is_cut_is_refused)
{
    const struct gpu gpu = built_in(0);
    json_t *json = describe(&gpu);
    char *text = json_text(json, JSON_COMPACT);
    struct gfe_error error = {0};

    for (size_t bytes = 0; bytes < strlen(text); bytes += 7) {
        error = (struct gfe_error){0};
        ck_assert_ptr_null(gpu_file_parse(text, bytes, "f.json", &error));
        ck_assert_uint_eq(error.kind, ERROR_INPUT);
    }
    free(text);
    json_decref(json);
}
END_TEST

/* ---- the schema -------------------------------------------------------------------------------
 */

/* The reader takes a number at the ends of the schema's range, or says that other members forbid
 * it; beyond them it says that the number is not in the range. */
static void expect_range(const char *gpu, const char *group, const char *key, json_int_t value,
                         bool is_in)
{
    char text[300];
    struct gfe_error error;
    struct gpu_file *file;

    (void)snprintf(text, sizeof text,
                   "{\"gfe_gpu\": 1, \"inherits\": \"%s\", \"name\": \"n\", %s\"%s\": %" PRId64
                   "%s}",
                   gpu, group, key, (int64_t)value, group[0] ? "}" : "");
    file = parse(text, &error);
    if (!is_in)
        ck_assert_msg(!file &&
                          (strstr(error.text, "number from") || strstr(error.text, "multiple")),
                      "%s: %s", text, error.text);
    else
        ck_assert_msg(file || !strstr(error.text, "number from"), "%s: %s", text, error.text);
    gpu_file_free(file);
}

/* Finds the integer's rows in a schema of a value, which may be wrapped. */
static const json_t *number_of(const json_t *schema)
{
    const json_t *any = json_object_get(schema, "anyOf"), *row, *found = NULL;
    size_t i;

    if (json_object_get(schema, "maximum"))
        return schema;
    json_array_foreach(any, i, row)
    {
        if (!found)
            found = number_of(row);
    }
    return found;
}

static uint32_t expect_ranges(const char *gpu, const char *group, const json_t *properties)
{
    const char *key;
    json_t *value;
    uint32_t count = 0;

    json_object_foreach((json_t *)(uintptr_t)properties, key, value)
    {
        const json_t *row = number_of(value);
        const json_int_t least = json_integer_value(json_object_get(row, "minimum")),
                         most = json_integer_value(json_object_get(row, "maximum"));

        if (!row || strcmp(key, "gfe_gpu") == 0)
            continue;
        expect_range(gpu, group, key, least, true);
        expect_range(gpu, group, key, most, true);
        expect_range(gpu, group, key, least - 1, false);
        expect_range(gpu, group, key, most + 1, false);
        count++;
    }
    return count;
}

static const json_t *properties_of(const json_t *schema)
{
    const json_t *properties = json_object_get(schema, "properties");

    ck_assert(json_is_object(properties));
    return properties;
}

/* Every member of an exported file stands in the schema, and the other way round but for those that
 * only a person writes. */
START_TEST(the_schema_and_the_reader_agree)
{
    static const char *const gpus[] = {"h100", "mi100"};
    json_t *schema = gpu_file_schema(), *all, *value;
    const json_t *properties =
        properties_of(json_array_get(json_object_get(schema, "anyOf"), (size_t)_i));
    struct gpu gpu;
    const char *key;

    ck_assert(gpu_find(gpus[_i], NULL, &gpu));
    all = describe(&gpu);
    json_object_foreach(all, key, value)
        ck_assert_msg(json_object_get(properties, key) != NULL, "%s", key);
    json_object_foreach((json_t *)(uintptr_t)properties, key, value)
        ck_assert_msg(json_object_get(all, key) || strcmp(key, "inherits") == 0 ||
                          strcmp(key, "parameters") == 0 || strcmp(key, "choices") == 0,
                      "%s", key);
    ck_assert_uint_gt(expect_ranges(gpus[_i], "", properties), 10);
    if (_i == 0) {
        ck_assert_uint_eq(
            expect_ranges("h100", "\"sm\": {", properties_of(json_object_get(properties, "sm"))),
            14);
        ck_assert_uint_eq(expect_ranges("h100", "\"classes\": {",
                                        properties_of(json_object_get(properties, "classes"))),
                          7);
    }
    json_decref(all);
    json_decref(schema);
}
END_TEST

START_TEST(the_schema_in_docs_is_the_programs)
{
    const char *srcdir = getenv("top_srcdir");
    json_t *schema = gpu_file_schema(), *docs;
    char path[2048];

    (void)snprintf(path, sizeof path, "%s/docs/gpu.schema.json", srcdir ? srcdir : ".");
    if (getenv("GFE_UPDATE_GOLDEN"))
        ck_assert_int_eq(json_dump_file(schema, path, JSON_INDENT(2)), 0);
    docs = json_load_file(path, 0, NULL);
    ck_assert_ptr_nonnull(docs);
    ck_assert_msg(json_equal(schema, docs), "gfe gpus --schema >docs/gpu.schema.json");
    json_decref(docs);
    json_decref(schema);
}
END_TEST

START_TEST(paths_are_told_from_names)
{
    ck_assert(gpu_file_is("./h100"));
    ck_assert(gpu_file_is("my.json"));
    ck_assert(!gpu_file_is(".json"));
    ck_assert(!gpu_file_is("h100"));
    ck_assert(!gpu_file_is(""));
    for (uint32_t i = 0; i < all_count(); i++) {
        const struct gpu gpu = built_in(i);
        ck_assert(!gpu_file_is(gpu.name));
    }
}
END_TEST

Suite *gpu_file_suite(void)
{
    Suite *suite = suite_create("gpu_file");
    TCase *tcase = tcase_create("gpu_file");
    const int gpus = (int)all_count();

    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, every_gpu_comes_back_as_itself, 0, gpus);
    tcase_add_loop_test(tcase, a_renamed_gpu_has_every_member, 0, gpus);
    tcase_add_test(tcase, a_file_changes_what_it_says_and_nothing_else);
    tcase_add_loop_test(tcase, what_cannot_be_is_refused_with_its_place, 0,
                        (int)(sizeof broken / sizeof broken[0]));
    tcase_add_loop_test(tcase, other_values_at_any_place_are_refused_or_run, 0, 3);
    tcase_add_test(tcase, a_file_that_is_cut_is_refused);
    tcase_add_loop_test(tcase, the_schema_and_the_reader_agree, 0, 2);
    tcase_add_test(tcase, the_schema_in_docs_is_the_programs);
    tcase_add_test(tcase, paths_are_told_from_names);
    suite_add_tcase(suite, tcase);
    return suite;
}
