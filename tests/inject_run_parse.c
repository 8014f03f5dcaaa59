/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/inject_run_parse.h"

bool inject_run_parse(const struct inject_run *run, const char *text, struct inject_fault *fault,
                      struct gfe_error *error)
{
    const struct machine *machine = run->golden.simulation.machine;
    struct gfe_error wrong = {0};

    if (inject_parse(machine, &machine->inject->sites, text, fault, &wrong))
        return true;
    return error_set(error, wrong.kind, "--fault '%.200s': %s", text, wrong.text);
}
