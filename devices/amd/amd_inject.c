/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/amd/amd_inject.h"

#define AMD_INJECT(site) ((site)-INJECT_SITE_VENDOR)

static const struct inject_site amd_inject_rows[AMD_INJECT(AMD_INJECT_END)] = {
    CORE_INJECT_ROWS,
};

const struct inject_sites amd_inject_sites = {amd_inject_rows, AMD_INJECT(AMD_INJECT_END)};
