/* SPDX-License-Identifier: MIT */
/* The map of copy engines as nvdebug's files say it. */
#include <config.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/sim/gpu_from_nvdebug_private.h"

enum { LCE_MAX = 14, SHARED_MAX = 7, NAME_BYTES = 32 };

bool nvdebug_number(const struct gpu_nvdebug_source *source, const char *name, uint64_t most,
                    uint64_t *value, bool *has, struct gfe_error *error)
{
    char *text, *end, *begin;
    bool good = true;

    *value = 0;
    *has = false;
    if (!source->load(source->context, name, &text, error))
        return false;
    if (!text)
        return true;
    begin = text + strspn(text, " \n");
    if (*begin) { /* an empty file is one that could not be read where it was copied from */
        *value = isdigit((unsigned char)*begin) ? strtoull(begin, &end, 0) : most + 1;
        *has = good = *value <= most && (*end == '\0' || isspace((unsigned char)*end));
        if (!good)
            error_set(error, ERROR_INPUT, "%s/%s: not a number up to 0x%llx", source->name, name,
                      (unsigned long long)most);
    }
    free(text);
    return good;
}

/* ---- copy_topology --------------------------------------------------------------------------- */

/* Reads a word such as "LCE02" or "GRCE1". */
static bool unit_read(const char **text, const char *word, uint32_t most, uint32_t *number)
{
    const size_t length = strlen(word);
    char *end;

    if (strncmp(*text, word, length) != 0 || !isdigit((unsigned char)(*text)[length]))
        return false;
    *number = (uint32_t)strtoul(*text + length, &end, 10);
    *text = end;
    return *number <= most;
}

/* Takes a line "LCE02 -> PCE03". */
static bool topology_line(struct nvdebug_said *said, const char *text)
{
    uint32_t from, to;
    const bool is_grce = unit_read(&text, "GRCE", NV_CHIP_GRCES_MAX - 1, &from);

    if (!is_grce && !unit_read(&text, "LCE", LCE_MAX, &from))
        return false;
    if (strncmp(text, " -> ", 4) != 0)
        return false;
    text += 4;
    if (unit_read(&text, "PCE", NV_CHIP_PCES_MAX - 1, &to)) {
        said->pce_to_lce[to] = (uint8_t)from;
        if (said->pce_count <= to)
            said->pce_count = to + 1;
    } else if (is_grce && (unit_read(&text, "LCE", SHARED_MAX, &to) ||
                           unit_read(&text, "GRCE", SHARED_MAX, &to))) {
        said->grce[from] = (struct nv_chip_grce){.shared_lce = (uint8_t)to, .is_shared = true};
    } else {
        return false;
    }
    return text[strspn(text, " \r")] == '\0';
}

static bool topology_read(const struct gpu_nvdebug_source *source, struct nvdebug_said *said,
                          bool *has, struct gfe_error *error)
{
    char *text, *rest;
    uint32_t number = 0;
    bool good = true;

    if (!source->load(source->context, "copy_topology", &text, error))
        return false;
    *has = text != NULL;
    rest = text;
    for (char *line = strsep(&rest, "\n"); line && good; line = strsep(&rest, "\n")) {
        number++;
        if (*line && !topology_line(said, line))
            good = error_set(error, ERROR_INPUT,
                             "%s/copy_topology:%u: not a line such as 'LCE02 -> PCE03' or "
                             "'GRCE0 -> LCE03'",
                             source->name, number);
    }
    free(text);
    return good;
}

/* ---- a file for each engine ------------------------------------------------------------------ */

static bool each_read(const struct gpu_nvdebug_source *source, struct nvdebug_said *said,
                      struct gfe_error *error)
{
    char name[NAME_BYTES];
    uint64_t lce;
    bool has;

    for (uint32_t i = 0; i < NV_CHIP_PCES_MAX; i++) {
        (void)snprintf(name, sizeof name, "lce_for_pce%u", i);
        if (!nvdebug_number(source, name, LCE_MAX, &lce, &has, error))
            return false;
        if (!has)
            continue;
        said->pce_to_lce[i] = (uint8_t)lce;
        said->pce_count = i + 1;
    }
    for (uint32_t i = 0; i < NV_CHIP_GRCES_MAX; i++) {
        (void)snprintf(name, sizeof name, "shared_lce_for_grce%u", i);
        if (!nvdebug_number(source, name, SHARED_MAX, &lce, &has, error))
            return false;
        if (has)
            said->grce[i] = (struct nv_chip_grce){.shared_lce = (uint8_t)lce, .is_shared = true};
    }
    return true;
}

bool nvdebug_copies_read(const struct gpu_nvdebug_source *source, struct nvdebug_said *said,
                         struct gfe_error *error)
{
    bool has, has_topology;
    uint64_t mask;

    memset(said->pce_to_lce, NV_CHIP_PCE_UNUSED, sizeof said->pce_to_lce);
    if (!topology_read(source, said, &has_topology, error) ||
        (!has_topology && !each_read(source, said, error)) ||
        !nvdebug_number(source, "pce_map", UINT32_MAX, &mask, &has, error))
        return false;
    said->last_only = said->pce_count > 0 && has_topology;
    /* PCEs that are there and serve no LCE, if the files say anything of PCEs. */
    for (uint32_t i = said->pce_count; said->pce_count > 0 && i < NV_CHIP_PCES_MAX; i++)
        if (mask >> i & 1)
            said->pce_count = i + 1;
    return true;
}
