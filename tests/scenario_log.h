/* SPDX-License-Identifier: MIT */
/* A scenario that is run in the test into a log, as gfe run -o writes it. */
#ifndef TESTS_SCENARIO_LOG_H
#define TESTS_SCENARIO_LOG_H

#include "tests/check_trace.h"

/* Runs scenarios/<name>.json on that GPU; settings are "id=value" pairs of parameters and end with
 * NULL; NULL: none.  Fails the test when it does not run to its end.  The caller frees the file. */
struct memory_file scenario_log_run(const char *gpu, const char *name, const char *const *settings);

#endif
