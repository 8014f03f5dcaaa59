/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_plan.h"

#include <string.h>

#include "emu/faults/campaign_plan.h"
#include "emu/faults/inject.h"
#include "tests/fuzz/fuzz_file.h"

int fuzz_plan(const uint8_t *data, size_t bytes)
{
    struct gfe_error error = {0};
    struct campaign_plan *plan =
        campaign_plan_parse((const char *)data, bytes, "folder/plan.json", &error);

    fuzz_error_check(&error, plan != NULL);
    if (plan)
        fuzz_must(campaign_plan_faults(plan) >= 1 &&
                  campaign_plan_faults(plan) <= INJECT_FAULTS_MAX);
    campaign_plan_free(plan);
    return 0;
}

#ifdef GFE_FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    return fuzz_plan(data, bytes);
}
#endif
