/* SPDX-License-Identifier: MIT */
/*
 * Databases of gfe campaign from a stranger, and what gfe campaign report makes of them.  An input
 * is a file of SQLite, or SQL, which is carried out on an empty database first.
 */
#ifndef TESTS_FUZZ_FUZZ_CAMPAIGN_DB_H
#define TESTS_FUZZ_FUZZ_CAMPAIGN_DB_H

#include <stddef.h>
#include <stdint.h>

/* Returns 0; aborts when a refusal has no words, or a report is not well formed. */
int fuzz_campaign_db(const uint8_t *data, size_t bytes);

#endif
