/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/sim/gfe.h"

const char *gfe_version(void)
{
    return PACKAGE_VERSION;
}
