/* SPDX-License-Identifier: MIT */
/* nvdebug's device_info: boxes of lines, one box for each entry of PTOP. */
#include <config.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/sim/gpu_from_nvdebug_private.h"

enum { ID_MAX = 0xffff, TYPE_MAX = 127, OLD_RUNLISTS = 16 };

/* The lines of a box. */
enum line {
    TYPE,
    INSTANCE,
    FAULT,
    PRI_BASE,
    RESET,
    IS_ENGINE,
    RLENG,
    RUNLIST_BASE,
    HOST_ENGINE,
    RUNLIST,
    INTERRUPT,
    LINES
};

static const struct {
    const char *key;
    uint32_t most;
} lines[LINES] = {
    [TYPE] = {"Engine Type:", TYPE_MAX},
    [INSTANCE] = {"instance", 255},
    [FAULT] = {"Fault ID:", 0x7ff},
    [PRI_BASE] = {"BAR0 Base", UINT32_MAX},
    [RESET] = {"Reset ID:", 255},
    [IS_ENGINE] = {"Is Engine:", 1},
    [RLENG] = {"Runlist Eng. ID:", 3},
    [RUNLIST_BASE] = {"RL Base:", UINT32_MAX},
    [HOST_ENGINE] = {"Host's Engine ID:", 255},
    [RUNLIST] = {"Runlist ID:", OLD_RUNLISTS - 1},
    [INTERRUPT] = {"Interrupt ID:", 255},
};

struct box {
    uint32_t value[LINES];
    bool has[LINES], is_open;
};

/* One reading of the file. */
struct reading {
    struct nvdebug_said *said;
    struct gfe_error *error;
    const char *folder;
    uint32_t line;
    struct box box;
};

static bool wrong(const struct reading *reading, const char *what)
{
    return error_set(reading->error, ERROR_INPUT, "%s/device_info:%u: %s", reading->folder,
                     reading->line, what);
}

/* ---- what an engine is ----------------------------------------------------------------------- */

/* Types by nvdebug's list (nvdebug.h, ENGINE_TYPES_NAMES), as far as gfe has the engine. */
static const struct {
    uint32_t type;
    enum nv_chip_engine_kind kind;
    const char *name;
} types[] = {
    {0, NV_CHIP_GRAPHICS, "GR"},  {1, NV_CHIP_LCE, "CE"},        {2, NV_CHIP_LCE, "CE"},
    {3, NV_CHIP_LCE, "CE"},       {8, NV_CHIP_MSPDEC, "MSPDEC"}, {9, NV_CHIP_MSPPP, "MSPPP"},
    {10, NV_CHIP_MSVLD, "MSVLD"}, {11, NV_CHIP_MSENC, "MSENC"},  {13, NV_CHIP_SEC, "SEC"},
    {14, NV_CHIP_NVENC, "NVENC"}, {15, NV_CHIP_NVENC, "NVENC"},  {16, NV_CHIP_NVDEC, "NVDEC"},
    {19, NV_CHIP_LCE, "LCE"},     {21, NV_CHIP_NVJPG, "NVJPG"},  {22, NV_CHIP_OFA, "OFA"}};

enum { TYPE_COPY0 = 1, TYPE_COPY2 = 3, TYPE_NVENC1 = 15, TYPE_LCE = 19, UNKNOWN = -1 };

static int type_index(uint32_t type)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (types[i].type == type)
            return (int)i;
    return UNKNOWN;
}

/* The instance of COPY0 to COPY2 and of the second encoder is in their type. */
static uint32_t instance_of(const struct box *box)
{
    const uint32_t type = box->value[TYPE];

    if (type >= TYPE_COPY0 && type <= TYPE_COPY2)
        return type - TYPE_COPY0;
    return type == TYPE_NVENC1 ? 1 : box->has[INSTANCE] ? box->value[INSTANCE] : 0;
}

static uint16_t id_of(const struct box *box, enum line line)
{
    return box->has[line] ? (uint16_t)box->value[line] : NV_CHIP_ID_NONE;
}

/* ---- boxes ----------------------------------------------------------------------------------- */

/* The number of the runlist with these registers: runlists are numbered by their first engines. */
static uint32_t runlist_at(struct nvdebug_said *said, uint32_t base)
{
    uint32_t i = 0;

    while (i < said->runlist_count && said->runlist_bases[i] != base)
        i++;
    if (i == said->runlist_count && i < NV_CHIP_RUNLISTS_MAX)
        said->runlist_bases[said->runlist_count++] = base;
    return i;
}

static bool runlist_set(struct reading *reading, struct nvdebug_engine *engine)
{
    const struct box *box = &reading->box;
    struct nvdebug_said *said = reading->said;
    uint32_t runlist = box->value[RUNLIST];

    if (box->has[RUNLIST_BASE] == box->has[RUNLIST] ||
        (said->engine_count > 0 && said->has_blocks != box->has[RUNLIST_BASE]))
        return wrong(reading, "boxes of two generations");
    said->has_blocks = box->has[RUNLIST_BASE];
    if (said->has_blocks)
        runlist = runlist_at(said, box->value[RUNLIST_BASE]);
    else if (runlist >= said->runlist_count)
        said->runlist_count = runlist + 1;
    if (runlist >= NV_CHIP_RUNLISTS_MAX)
        return wrong(reading, "more runlists than gfe has room for");
    engine->row.runlist_id = (uint8_t)runlist;
    return true;
}

static bool box_end(struct reading *reading)
{
    struct nvdebug_said *said = reading->said;
    struct nvdebug_engine *engine = &said->engines[said->engine_count];
    const struct box box = reading->box;
    const int type = box.has[TYPE] ? type_index(box.value[TYPE]) : UNKNOWN;

    if (!box.has[TYPE])
        return wrong(reading, "a box ends without an engine type");
    if (type == UNKNOWN || (!box.has[RUNLIST] && !box.has[RUNLIST_BASE])) {
        said->left_out++;
        reading->box = (struct box){0};
        return true;
    }
    if (said->engine_count == NV_CHIP_ENGINES_MAX)
        return wrong(reading, "more engines than gfe has room for");
    *engine = (struct nvdebug_engine){0};
    engine->row = (struct nv_chip_engine){.kind = types[type].kind,
                                          .instance = (uint8_t)instance_of(&box),
                                          .engine_id = (uint8_t)box.value[HOST_ENGINE],
                                          .reset_id = id_of(&box, RESET),
                                          .intr_id = id_of(&box, INTERRUPT),
                                          .fault_id = id_of(&box, FAULT),
                                          .pri_base = box.value[PRI_BASE],
                                          .rleng_id = (uint8_t)box.value[RLENG]};
    if (!runlist_set(reading, engine))
        return false;
    (void)snprintf(engine->name, sizeof engine->name,
                   engine->row.kind == NV_CHIP_SEC && engine->row.instance == 0 ? "%s" : "%s%u",
                   types[type].name, engine->row.instance);
    said->engine_count++;
    reading->box = (struct box){0};
    return true;
}

/* Takes "| KEY VALUE", with words in brackets behind the value. */
static bool line_take(struct reading *reading, const char *text)
{
    char *end;
    uint64_t value;

    text += strspn(text, "| ");
    for (uint32_t i = 0; i < LINES; i++) {
        const size_t length = strlen(lines[i].key);

        if (strncmp(text, lines[i].key, length) != 0)
            continue;
        text += length + strspn(text + length, " ");
        if (!isdigit((unsigned char)*text))
            return wrong(reading, "there is no number behind the words");
        value = strtoull(text, &end, 0);
        end += strspn(end, " ");
        if ((*end && *end != '(') || value > lines[i].most)
            return wrong(reading, "the number is none, or too large");
        if (reading->box.has[i])
            return wrong(reading, "the box has this line already");
        reading->box.has[i] = reading->box.is_open = true;
        reading->box.value[i] = (uint32_t)value;
        return true;
    }
    return wrong(reading, "not a line of nvdebug's device_info");
}

static bool text_take(struct reading *reading, char *text)
{
    for (char *line = strsep(&text, "\n"); line; line = strsep(&text, "\n")) {
        reading->line++;
        line += strspn(line, " ");
        if (strncmp(line, "+-", 2) == 0 ? !box_end(reading) : *line && !line_take(reading, line))
            return false;
    }
    return !reading->box.is_open || wrong(reading, "the last box does not end");
}

/* ---- all engines ----------------------------------------------------------------------------- */

/* Copy engines on the runlist of graphics are GRCEs; from Pascal on they have a name of their own.
 */
static void grces_name(struct nvdebug_said *said)
{
    for (uint32_t i = 0; i < said->engine_count; i++) {
        struct nvdebug_engine *engine = &said->engines[i];

        if (engine->row.kind != NV_CHIP_LCE || engine->row.runlist_id != 0)
            continue;
        engine->row.kind = NV_CHIP_GRCE;
        if (strncmp(engine->name, "LCE", 3) == 0)
            (void)snprintf(engine->name, sizeof engine->name, "GRCE%u/LCE%u", engine->row.instance,
                           engine->row.instance);
    }
}

/* Numbers the engines: by Host's number where that numbers all of them, else in their order.  Up to
 * Turing an engine's index in its runlist is counted. */
static void engines_number(struct nvdebug_said *said)
{
    bool whole = !said->has_blocks;

    for (uint32_t i = 0; i < said->engine_count; i++) {
        struct nv_chip_engine *row = &said->engines[i].row;

        whole = whole && row->engine_id < said->engine_count;
        for (uint32_t k = 0; k < i; k++) {
            whole = whole && said->engines[k].row.engine_id != row->engine_id;
            if (!said->has_blocks && said->engines[k].row.runlist_id == row->runlist_id)
                row->rleng_id++;
        }
    }
    for (uint32_t i = 0; i < said->engine_count && !whole; i++)
        said->engines[i].row.engine_id = (uint8_t)i;
}

bool nvdebug_engines_read(const struct gpu_nvdebug_source *source, struct nvdebug_said *said,
                          struct gfe_error *error)
{
    struct reading reading = {.said = said, .error = error, .folder = source->name};
    char *text;
    bool good;

    if (!source->load(source->context, "device_info", &text, error))
        return false;
    if (!text)
        return error_set(error, ERROR_INPUT, "%s: there is no file device_info", source->name);
    good = text_take(&reading, text);
    free(text);
    if (good && said->engine_count == 0)
        good = wrong(&reading, "no engine");
    if (!good)
        return false;
    grces_name(said);
    engines_number(said);
    return true;
}
