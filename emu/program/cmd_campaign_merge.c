/* SPDX-License-Identifier: MIT */
/* gfe campaign merge: joins the databases of a campaign's shards. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/base/args.h"
#include "emu/faults/campaign_space.h"
#include "emu/program/cmd_campaign.h"

/* Reads a text of a part; "shards" stands behind the slash of "shard". */
static bool part_get(struct campaign_db *part, const char *key, char **value,
                     struct gfe_error *error)
{
    const char *slash;
    char *shard;

    *value = NULL;
    if (strcmp(key, "shards") != 0)
        return campaign_db_get(part, key, value, error);
    if (!campaign_db_get(part, "shard", &shard, error))
        return false;
    slash = shard ? strchr(shard, '/') : NULL;
    *value = strdup(slash ? slash + 1 : "");
    free(shard);
    return *value || error_set(error, ERROR_SYSTEM, "%s: no memory", campaign_db_path(part));
}

/* Takes over what was run from the first part; compares it with the others. */
static bool merge_head(struct campaign_db *db, struct campaign_db *part, struct gfe_error *error)
{
    static const char *const keys[] = {"format", "version", "experiments", "hash",
                                       "plan",   "folder",  "shards"};
    bool good = true;

    for (size_t i = 0; good && i < sizeof keys / sizeof keys[0]; i++) {
        char *theirs = NULL, *held = NULL;

        good =
            part_get(part, keys[i], &theirs, error) && campaign_db_get(db, keys[i], &held, error);
        if (good && (!theirs || theirs[0] == '\0'))
            good = error_set(error, ERROR_INPUT, "%s: damaged: it does not say its %s",
                             campaign_db_path(part), keys[i]);
        else if (good && !held)
            good = campaign_db_set(db, keys[i], theirs, error);
        else if (good && strcmp(keys[i], "folder") != 0 && strcmp(held, theirs) != 0)
            good =
                error_set(error, ERROR_INPUT, "%s: of another campaign: its %s is %.40s, not %.40s",
                          campaign_db_path(part), keys[i], theirs, held);
        free(theirs);
        free(held);
    }
    return good;
}

static bool merge_one(struct campaign_db *db, const char *path, struct gfe_error *error)
{
    struct campaign_db *part = campaign_db_open(path, CAMPAIGN_DB_READ, error);
    const bool good = part && campaign_db_is_begun(part, error) && merge_head(db, part, error) &&
                      campaign_db_join(db, part, error);

    campaign_db_close(part);
    return good;
}

enum { MERGE_SHARDS_MAX = 1000000 }; /* of a file that is not damaged */

/* ---- what is missing ------------------------------------------------------------------------- */

struct gaps {
    uint64_t *missing; /* by shard */
    uint64_t experiments, at;
    uint32_t shards;
};

static void gaps_add(struct gaps *gaps, uint64_t end)
{
    while (gaps->at < end) {
        uint32_t shard = (uint32_t)((unsigned __int128)gaps->at * gaps->shards / gaps->experiments);
        uint64_t first, last;

        /* The division may be one off, as shards are rounded down. */
        for (;; shard++) {
            campaign_shard(gaps->experiments, shard + 1, gaps->shards, &first, &last);
            if (gaps->at < last)
                break;
        }
        last = last < end ? last : end;
        gaps->missing[shard] += last - gaps->at;
        gaps->at = last;
    }
}

static bool gaps_next(void *context, uint64_t id)
{
    struct gaps *gaps = context;

    gaps_add(gaps, id < gaps->experiments ? id : gaps->experiments);
    gaps->at = id + 1;
    return true;
}

static bool merge_gaps(struct campaign_db *db, bool *whole, struct gfe_error *error)
{
    char *count = NULL, *shards = NULL;
    struct gaps gaps = {0};
    uint64_t number = 0;
    bool good = campaign_db_get(db, "experiments", &count, error) &&
                campaign_db_get(db, "shards", &shards, error) && count && shards &&
                args_parse_number(count, &gaps.experiments) && args_parse_number(shards, &number) &&
                gaps.experiments <= CAMPAIGN_EXPERIMENTS_MAX && number > 0 &&
                number <= MERGE_SHARDS_MAX;

    free(count);
    free(shards);
    gaps.shards = (uint32_t)number;
    gaps.missing = good ? calloc(gaps.shards, sizeof *gaps.missing) : NULL;
    if (!gaps.missing)
        return error_set(error, ERROR_INPUT, "%s: damaged, or no memory", campaign_db_path(db));
    good = campaign_db_ids(db, gaps_next, &gaps, error);
    gaps_add(&gaps, gaps.experiments);
    *whole = true;
    for (uint32_t i = 0; good && i < gaps.shards; i++)
        if (gaps.missing[i] > 0) {
            *whole = false;
            fprintf(stderr,
                    "gfe: shard %" PRIu32 "/%" PRIu32 " lacks %" PRIu64
                    " experiments: run it again with --shard %" PRIu32 "/%" PRIu32
                    ", and merge again\n",
                    i + 1, gaps.shards, gaps.missing[i], i + 1, gaps.shards);
        }
    free(gaps.missing);
    return good;
}

bool campaign_do_merge(const struct campaign_request *request, bool *whole, struct gfe_error *error)
{
    struct campaign_db *db = campaign_db_open(request->db, CAMPAIGN_DB_WRITE, error);
    bool good = db != NULL;

    for (uint32_t i = 0; good && i < request->operand_count; i++)
        good = merge_one(db, request->operands[i], error);
    good = good && merge_gaps(db, whole, error);
    campaign_db_close(db);
    return good;
}
