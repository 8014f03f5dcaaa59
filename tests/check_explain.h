/* SPDX-License-Identifier: MIT */
/* What holds for every life that gfe explain tells.  Uses Check: what does not fails the test. */
#ifndef TESTS_CHECK_EXPLAIN_H
#define TESTS_CHECK_EXPLAIN_H

#include "emu/analysis/explain/explain.h"

/* Makes the life.  Its pieces touch, are not empty, reach from birth to end and add up; each wait
 * has a rule and nothing is unattributed, unless that may be. */
void check_explain_life(const struct explain *explain, struct explain_ref ref,
                        struct explain_life *life, bool may_be_unattributed);
/* The same for all operations and blocks, and the name of each leads back to it. */
void check_explain_all(const struct explain *explain, bool may_be_unattributed);

#endif
