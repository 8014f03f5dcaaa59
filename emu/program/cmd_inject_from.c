/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/program/cmd_inject_from.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/faults/campaign_db.h"

struct search {
    struct inject_from *from;
    uint64_t id;
    uint32_t stratum;
    const char *folder;
    bool found;
};

static bool search_row(void *context, const struct campaign_db_row *row)
{
    struct search *search = context;

    search->from->row = row->row;
    search->stratum = row->row.stratum;
    search->found = true;
    return false;
}

/* The program's path, from the plan's folder. */
static bool search_stratum(void *context, const struct campaign_db_stratum *stratum)
{
    struct search *search = context;
    const char *program = stratum->program ? stratum->program : "";
    const size_t bytes = strlen(search->folder) + strlen(program) + 2;

    if (stratum->id != search->stratum)
        return true;
    search->from->path = malloc(bytes);
    if (search->from->path)
        (void)snprintf(search->from->path, bytes, "%s%s%s", program[0] == '/' ? "" : search->folder,
                       program[0] == '/' ? "" : "/", program);
    return false;
}

static bool search_do(struct search *search, struct campaign_db *db, struct gfe_error *error)
{
    if (!campaign_db_row(db, search->id, search_row, search, error))
        return false;
    if (!search->found)
        return error_set(error, ERROR_INPUT, "%s: it has no experiment %" PRIu64,
                         campaign_db_path(db), search->id);
    return campaign_db_strata(db, search_stratum, search, error) &&
           (search->from->path ||
            error_set(error, ERROR_INPUT, "%s: damaged, or no memory", campaign_db_path(db)));
}

bool inject_from_init(struct inject_from *from, const char *path, uint64_t id,
                      struct gfe_error *error)
{
    struct campaign_db *db = campaign_db_open(path, CAMPAIGN_DB_READ, error);
    char *plan = NULL, *folder = NULL;
    bool good = db && campaign_db_is_begun(db, error) &&
                campaign_db_get(db, "plan", &plan, error) &&
                campaign_db_get(db, "folder", &folder, error);
    struct search search = {.from = from, .id = id, .folder = folder};

    *from = (struct inject_from){0};
    if (good && (!plan || !folder))
        good = error_set(error, ERROR_INPUT, "%s: damaged: it does not say what was planned", path);
    if (good)
        from->plan = campaign_plan_parse(plan, strlen(plan), path, error);
    good = from->plan && search_do(&search, db, error);
    free(plan);
    free(folder);
    campaign_db_close(db);
    return good;
}

void inject_from_fini(struct inject_from *from)
{
    campaign_plan_free(from->plan);
    free(from->path);
}
