#!/bin/sh
# SPDX-License-Identifier: MIT
# An event with too few or too many arguments does not compile; with the number of its kind it does.
set -eu
: "${top_srcdir:=.}" "${CC:=cc}"
command -v "${CC%% *}" >/dev/null || {
    echo "no compiler: $CC"
    exit 77
}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

compiles() # STATEMENT
{
    cat >"$scratch/try.c" <<EOF
#include "devices/core/core_events.h"
#include "emu/engine/machine.h"
void try(struct machine *machine, uint32_t kind, bool is_start);
void try(struct machine *machine, uint32_t kind, bool is_start)
{
    (void)machine, (void)kind, (void)is_start;
    $1;
}
EOF
    $CC -std=c11 -fsyntax-only -I"$top_srcdir" "$scratch/try.c" 2>"$scratch/said"
}

accepted() # STATEMENT
{
    compiles "$1" && return 0
    echo "refused: $1"
    cat "$scratch/said"
    exit 1
}

refused() # STATEMENT REASON
{
    if compiles "$1"; then
        echo "accepted: $1"
        exit 1
    fi
    grep -q "$2" "$scratch/said" && return 0
    echo "refused, but not because of \"$2\": $1"
    cat "$scratch/said"
    exit 1
}

count='has another number of arguments'

log='MACHINE_LOG(machine, 0, EVENT_BLOCK_START, RULE_NONE'
accepted "$log, 1, 2, 3, 4)"
refused "$log, 1, 2, 3)" "EVENT_BLOCK_START $count"
refused "$log, 1, 2, 3, 4, 5)" "EVENT_BLOCK_START $count"

log='MACHINE_LOG(machine, 0, EVENT_GRID_QUEUE, RULE_NONE'
accepted "$log, 1, 2, 3, 4, 5, 6, 7, 8)"
refused "$log, 1, 2, 3, 4, 5, 6, 7)" "EVENT_GRID_QUEUE $count"
refused "$log, 1, 2, 3, 4, 5, 6, 7, 8, 9)" "EVENT_GRID_QUEUE $count"

log='MACHINE_LOG_ORIGIN(machine, 0, EVENT_MMIO_WRITE, RULE_NONE, ORIGIN_POKE'
accepted "$log, 0, 4, 1)"
refused "$log, 0, 4)" "EVENT_MMIO_WRITE $count"
refused "$log, 0, 4, 1, 0)" "EVENT_MMIO_WRITE $count"

log='MACHINE_LOG_EITHER(machine, 0, is_start, EVENT_BLOCK_START, EVENT_BLOCK_END, RULE_NONE'
accepted "$log, 1, 2, 3, 4)"
refused "$log, 1, 2, 3)" "EVENT_BLOCK_END $count"
log='MACHINE_LOG_EITHER(machine, 0, is_start, EVENT_GRID_START, EVENT_GRID_END, RULE_NONE'
refused "$log, 1, 2)" "EVENT_GRID_END $count"
refused "$log, 1, 2, 3, 4)" "EVENT_GRID_START $count"

# A kind in a variable has no number of arguments that the compiler knows.
refused 'MACHINE_LOG(machine, 0, kind, RULE_NONE, 1, 2)' kind_ARGUMENTS
