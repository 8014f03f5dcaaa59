/* SPDX-License-Identifier: MIT */
/* Checks that hold for every life that gfe explain reports.  Uses Check: a failure fails the test.
 */
#ifndef TESTS_CHECK_EXPLAIN_H
#define TESTS_CHECK_EXPLAIN_H

#include "emu/analysis/explain/explain.h"

/* Makes the life and checks it.  Its pieces touch, are not empty, reach from birth to end and add
 * up.  Each wait has a rule.  No time is unattributed unless `may_be_unattributed` is true. */
void check_explain_life(const struct explain *explain, struct explain_ref ref,
                        struct explain_life *life, bool may_be_unattributed);
/* Checks the lives of all operations and blocks, and that each can be found by its name. */
void check_explain_all(const struct explain *explain, bool may_be_unattributed);

#endif
