#!/bin/sh
# SPDX-License-Identifier: MIT
# From a rule's label one gets to its row, its code, its test and a log by grep alone: the constant
# is the label with RULE_ in front and underscores for dots, so the pattern NV.WFI finds both.
# Checked for every rule that gfe prints.
set -eu
cd "${top_srcdir:-.}"
status=0
count=0

missing() # LABEL WHERE
{
    printf '%s: %s\n' "$1" "$2"
    status=1
}

# The rows begin in the first column; what follows a label is its basis.
labels=$("${top_builddir:-$PWD}/gfe" rules | sed -n 's/^\([A-Z][A-Z0-9_]*\.[A-Z0-9_.]*\)  *[A-Z]*; enforced by .*/\1/p')
for label in $labels; do
    count=$((count + 1))
    constant=RULE_$(printf '%s' "$label" | tr . _)
    grep -rqF --include='*.h' "\"$label\"" emu devices firmware-models ||
        missing "$label" 'no table has its row'
    grep -rqw --include='*.h' "$constant" emu devices firmware-models ||
        missing "$label" "its constant is not called $constant"
    grep -rqw --include='*.c' "$constant" emu devices firmware-models ||
        missing "$label" 'no code names it'
    grep -rqF --include='*.events' "[$label]" tests/golden ||
        grep -qw "$constant" tests/test_*.c ||
        missing "$label" 'neither a golden log nor a test has it'
done
if [ "$count" -lt 20 ]; then
    printf 'only %s labels were found in what gfe rules prints\n' "$count"
    status=1
fi
exit "$status"
