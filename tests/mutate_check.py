#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks tests/mutate.py: what its operators make of a function, that a draw does not move with lines, and that each
row of tests/mutate_survivors.txt names a mutant that is there."""
import sys

import mutate
import mutate_run

SOURCE = """#include "x.h"
static const int table[] = {1, 2};
static int f(int a, const int *b)
{
    int room[4];

    assert(a < 3);
    if (a < 1 && b)
        g(a + 1);
    for (int i = 0; i < a; i++)
        room[i] = -*b * 2;
    return !a;
}
"""
# Each line after a change; the table, the size of an array and the assertion are left alone.
MADE = {
    "if (a <= 1 && b)", "if (a >= 1 && b)", "if (a < 1 || b)", "if (true && b)", "if (a < 1 && true)",
    "if (!(a < 1 && b))", "if (a < 2 && b)", "if (a < 0 && b)", ";", "g(a - 1);", "g(a + 2);", "g(a + 0);",
    "for (int i = 1; i < a; i++)", "for (int i = 0; i <= a; i++)", "for (int i = 0; i >= a; i++)",
    "for (int i = 0; ; i++)", "for (int i = 0; i < a; i--)", "room[i] = -*b / 2;", "room[i] = -*b * 3;", "room[i] = -*b * 1;", "return a;",
    "return 0;", "return !(!a);",
}


def check_operators():
    made = {mutant.after for mutant in mutate.mutants_of("f.c", SOURCE, 1)}
    for text in sorted(made ^ MADE):
        yield f"operators: {'missing' if text in MADE else 'not expected'}: {text}"
    for mutant in mutate.mutants_of("f.c", SOURCE, 1):
        changed = mutate.mutated(SOURCE, mutant)
        if changed == SOURCE or changed.count("\n") != SOURCE.count("\n"):
            yield f"operators: {mutant.after}: nothing changes, or lines move"


def check_draw():
    ranks = {m.rank for m in mutate.mutants_of("f.c", SOURCE, 1)}
    if ranks != {m.rank for m in mutate.mutants_of("f.c", "/* moved */\n" + SOURCE, 1)}:
        yield "draw: lines that move change the draw"
    if ranks == {m.rank for m in mutate.mutants_of("f.c", SOURCE, 2)}:
        yield "draw: the seed changes nothing"


def check_reasons(top):
    for (name, function, before, after), (kind, reason) in mutate_run.read_reasons(
            top + "/tests/mutate_survivors.txt").items():
        if kind not in ("equivalent", "cosmetic", "elsewhere", "open") or not reason:
            yield f"{name}, {function}: a reason is equivalent, cosmetic, elsewhere or open, and says why"
        mutants = mutate.mutants_of(name, mutate_run.read(f"{top}/{name}"), 1)
        if not any((m.function, m.before, m.after) == (function, before, after) for m in mutants):
            yield f"{name}, {function}: no such mutant any more: {after}"


def check_areas(top, names):
    for area, (patterns, suites, _) in mutate_run.read_areas(top + "/tests/mutate_areas.txt").items():
        if not mutate_run.files_of(names, patterns):
            yield f"{area}: no file"
        for suite in suites:
            if f"S({suite})" not in mutate_run.read(top + "/tests/suites.h"):
                yield f"{area}: no suite is called {suite}"


def main(top, names):
    wrong = [*check_operators(), *check_draw(), *check_reasons(top), *check_areas(top, names)]
    for text in wrong:
        print(f"mutate: {text}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.stdin.read().split()))
