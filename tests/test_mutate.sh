#!/bin/sh
# SPDX-License-Identifier: MIT
# tests/mutate.sh itself: what its operators make of a function, and that each survivor with a reason is still a mutant
# of the sources. The mutants themselves take too long for each change (make check-long).
set -u
command -v python3 >/dev/null 2>&1 || { echo 'skipped: no python3'; exit 77; }
# shellcheck disable=SC2154 # set by make
exec "$top_srcdir/tests/mutate.sh" --self-check
