#!/bin/sh
# SPDX-License-Identifier: MIT
# From a rule's label one gets to its row, its code, its test and a log by grep alone: the constant
# is the label with RULE_ in front and underscores for dots, so the pattern NV.WFI finds both.
# Checked for every rule that gfe prints, and that a command reaches it, not only a unit test.
#
# PROMISE (program): The label of a rule leads by grep to its row, its code, its test and a log, and a
# command makes a log that names it.
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
# The rules of NVIDIA's and AMD's hardware, runtimes and drivers, by the papers' own numbers: each
# decides something in a golden log.
for label in T.G1 T.G2 T.G3 T.G4 T.X1 T.Q T.R1 T.R2 T.R3 T.REG T.SLOT T.C1 T.C2 T.C3 T.C4 T.N1 T.N2 \
    T.A1 T.A2 T.P1 T.P2 Y.R1 Y.R2 NV.RING NV.WFI NV.SUBCH NV.ACQ B.R1 B.R2 B.C1 B.C2 B.R3 B.R4 \
    B.R5 B.R6 B.S1 B.R7 B.R8 B.T1 B.T1b B.T2 B.T3 B.D1 \
    A.Q1 A.Q2 A.Q3 A.H1 A.H2 A.H3 A.O1 A.D1 A.D2 A.D3 A.D4 A.D5 A.M1 A.M2 A.R1; do
    printf '%s\n' "$labels" | grep -qxF "$label" || case $label in
    B.T1b) "${top_builddir:-$PWD}/gfe" rules "$label" >/dev/null || missing "$label" 'no such row' ;;
    *) missing "$label" 'gfe rules does not print it' ;;
    esac
    grep -rqF --include='*.events' "[$label" tests/golden || missing "$label" 'no golden log has it'
done
# --- what commands reach -----------------------------------------------------------------------

gfe=${top_builddir:-$PWD}/gfe
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Makes a run of tests/rules/runs.txt; prints the rules that its log names.
rules_of() # ARGUMENT...
{
    command=$1 log=$(mktemp "$scratch/log.XXXXXX")
    shift
    for word in "$@"; do
        shift
        case $word in
        *.bus)
            "$gfe" import bus -o "$log.gft" "$word" || return 1
            set -- "$@" "$log.gft"
            ;;
        *,*) set -- "$@" "$(printf '%s' "$word" | tr ',' ' ')" ;;
        *) set -- "$@" "$word" ;;
        esac
    done
    # 3: something waits for ever, which is what some rules are about.
    "$gfe" "$command" -o "$log" "$@" >"$log.out" 2>&1 || [ $? -eq 3 ] || {
        cat "$log.out" >&2
        return 1
    }
    "$gfe" show --as events "$log" >"$log.events" || return 1
    # The rule stands in brackets, behind it the alternative of a choice point.
    sed -n 's/^.* \[\([A-Z][A-Za-z0-9_]*\.[A-Za-z0-9_.]*\)[^]]*\][^[]*$/\1/p' "$log.events" | sort -u
    rm -f "$log"*
}

grep -v '^#' tests/rules/runs.txt >"$scratch/runs"
while read -r run; do
    # shellcheck disable=SC2086 # words
    rules_of $run >>"$scratch/reached" || missing "$run" 'the run failed'
done <"$scratch/runs"
sort -u "$scratch/reached" -o "$scratch/reached"
grep -v '^#' tests/rules/unreached.txt >"$scratch/unreached"
for label in $labels B.T1b; do
    if grep -qxF "$label" "$scratch/reached"; then
        grep -qF "$label " "$scratch/unreached" &&
            missing "$label" 'tests/rules/unreached.txt has it, and a run reaches it: take the line out'
    else
        grep -qE "^$label +([0-9]+|tests) +[^ ]" "$scratch/unreached" ||
            missing "$label" 'no run of tests/rules/runs.txt reaches it'
    fi
done
while read -r label _; do
    printf '%s\n' "$labels" | grep -qxF "$label" || missing "$label" 'unreached.txt has it, gfe rules has not'
done <"$scratch/unreached"
for file in tests/rules/*.bus tests/rules/*.gft tests/rules/*.json; do
    grep -qF " $file" "$scratch/runs" || missing "$file" 'no line of tests/rules/runs.txt uses it'
done
# Lower it with each line that goes.
[ "$(wc -l <"$scratch/unreached")" -eq 6 ] || missing tests/rules/unreached.txt 'it may only shrink'

if [ "$count" -lt 20 ]; then
    printf 'only %s labels were found in what gfe rules prints\n' "$count"
    status=1
fi
exit "$status"
