/* SPDX-License-Identifier: MIT */
/*
 * Where faults are injected (emu/inject.h) into an AMD GPU's front end.  Each name stands where the
 * unit calls machine_inject(); the rows, with fields and documentation, are in amd_inject.c.
 */
#ifndef GFE_DEVICES_AMD_AMD_INJECT_H
#define GFE_DEVICES_AMD_AMD_INJECT_H

#include "devices/core/core_inject.h"

enum amd_inject_site {
    AMD_INJECT_FIRST_ = CORE_INJECT_END,
    AMD_INJECT_END = AMD_INJECT_FIRST_,
};

extern const struct inject_sites amd_inject_sites;

#endif
