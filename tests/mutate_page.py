#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes docs/quality/mutants.md from what tests/mutate.sh has kept, and from the reasons in tests/mutate_survivors.txt."""
import collections
import subprocess
import sys

import mutate
import mutate_run

HEAD = """# Mutants

`tests/mutate.sh` puts small faults into the sources, one at a time, and runs the suites of the fault's area
(`tests/mutate_areas.txt`): another relational, logical or arithmetic operator, an operand that is always true or
false, a constant off by one, a negated condition, a statement that is gone, another value returned. Mutants that do
not compile, or whose optimised object is that of the original, are not counted. A mutant is *killed* if a suite fails
or runs into a limit of processor time. *At first* is before the tests that these mutants led to.

    tests/mutate.sh --number 32 BUILD            # draw, build and run; may be ended and started again
    tests/mutate.sh --seed 2 --number 12 BUILD   # another draw
    tests/mutate.sh --again --number 32 BUILD    # the survivors once more
    tests/mutate.sh --write BUILD                # this page

Commit: {commit}.
"""

DRAW = """
## Draw of seed {seed}

| area | mutants | killed at first | killed | survivors with a reason | survivors without |
|---|---|---|---|---|---|
"""

SURVIVORS = """
## Survivors

*Equivalent*: no input tells the mutant from the original. *Cosmetic*: only the look of a message differs. *Elsewhere*:
a test that is not of the area's suites kills the mutant. *Open*: a test is missing.

| where | mutant | why it survives |
|---|---|---|
"""


def code(text):
    return "`" + text.replace("|", "\\|").replace("`", "'") + "`"


def changed(before, after):
    """The words around the change alone: lines may be long."""
    first = 0
    while first < min(len(before), len(after)) and before[first] == after[first]:
        first += 1
    last = 0
    while last < min(len(before), len(after)) - first and before[-1 - last] == after[-1 - last]:
        last += 1
    start = max(before.rfind(" ", 0, max(first - 12, 0)) + 1, 0)
    ends = [min(len(t), len(t) - last + 12) for t in (before, after)]
    return before[start:ends[0]], after[start:ends[1]]


def is_there(top, record):
    """Whether the mutant can still be made: code that no test needs may have been removed."""
    mutants = mutate.mutants_of(record["file"], mutate_run.read(f"{top}/{record['file']}"), record["seed"])
    return any(m.rank == record["rank"] for m in mutants)


def table(records, areas, reasons):
    """The rows of one draw: its areas, and all of them together."""
    total = collections.Counter()
    text = ""
    for area in areas:
        of_area = [r for r in records if r["area"] == area]
        if not of_area:
            continue
        lived = [r for r in of_area if r["state"] == "lived"]
        named = [r for r in lived if mutate_run.reason_of(reasons, r)[0] not in ("", "open")]
        row = collections.Counter(drawn=len(of_area), first=sum(r["first"] != "lived" for r in of_area),
                                  killed=len(of_area) - len(lived), named=len(named), bare=len(lived) - len(named))
        total.update(row)
        text += line(area, row)
    return text + line("all", total)


def page(top, results):
    records = [r for r in mutate_run.load(results).values()
               if r["state"] in ("killed", "time") or (r["state"] == "lived" and is_there(top, r))]
    areas = mutate_run.read_areas(top + "/tests/mutate_areas.txt")
    reasons = mutate_run.read_reasons(top + "/tests/mutate_survivors.txt")
    commit = subprocess.run(["git", "-C", top, "log", "-1", "--format=%s (%cs)"], capture_output=True,
                            text=True).stdout.strip() or "unknown"
    text = HEAD.format(commit=commit)
    for seed in sorted({r["seed"] for r in records}):
        text += DRAW.format(seed=seed) + table([r for r in records if r["seed"] == seed], areas, reasons)
    text += SURVIVORS
    survivors = [r for r in records if r["state"] == "lived"]
    for record in sorted(survivors, key=lambda r: (r["file"], r["line"])):
        kind, reason = mutate_run.reason_of(reasons, record)
        before, after = changed(record["before"], record["after"])
        text += f"| `{record['file']}`, `{record['function']}()` | {code(before)} → {code(after)} | " \
                f"{(kind or 'open').capitalize()}{': ' + reason if reason else ''} |\n"
    return text


def line(name, row):
    percent = 100 * row["killed"] // row["drawn"] if row["drawn"] else 0
    return f"| {name} | {row['drawn']} | {row['first']} | {row['killed']} ({percent} %) | {row['named']} | {row['bare']} |\n"


if __name__ == "__main__":
    mutate_run.write(sys.argv[3], page(sys.argv[1], sys.argv[2]))
