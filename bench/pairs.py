#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the benchmarks of two builds in alternating pairs.

usage: bench/pairs.py [--pairs N] OLD_BUILD NEW_BUILD PROGRAM...

PROGRAM is a name like bench_replay, built in both folders (make bench/bench_replay). Each pair runs
all programs of one build and of the other, in turn which is first. A case's ratio in a pair is how
many times as fast the new build is, by processor time where the program says it. The table has the
median of the ratios (9 pairs unless N is given) and the interval from the second smallest to the
second largest, which has the median of such ratios with a probability of 96 % for 9 pairs. "same"
means that the interval contains 1, or lies within 2 % of it. BENCH_REPEATS (3 here unless set) is
the number of runs of a case in a program. Raw figures go to stderr, one JSON object a line.
"""
import json
import os
import subprocess
import sys


def figures(build, program):
    """Runs a program; returns {case: speed}, more is better."""
    environment = dict(os.environ)
    environment.setdefault("BENCH_REPEATS", "3")
    environment.setdefault("top_srcdir", os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    run = subprocess.run([os.path.join("bench", program)], cwd=build, env=environment,
                         stdout=subprocess.PIPE, check=True)
    speeds = {}
    for result in json.loads(run.stdout)["results"]:
        figure = result.get("by_cpu_time", result["figure"])
        if figure <= 0 or not (result["unit"].endswith("/s") or result["unit"] in ("s", "ms", "us", "ns")):
            continue  # bytes and the like
        speeds[result["name"]] = figure if result["unit"].endswith("/s") else 1 / figure
    return speeds


def row(program, case, ratios):
    """One line of the table."""
    ratios = sorted(ratios)
    edge = 1 if len(ratios) > 4 else 0
    low, high, median = ratios[edge], ratios[-1 - edge], ratios[len(ratios) // 2]
    same = low <= 1 <= high or (low >= 0.98 and high <= 1.02)
    return "| %s | %s | %.3f | %.3f to %.3f | %s |" % (
        program, case, median, low, high, "same" if same else "faster" if low > 1 else "slower")


def main(arguments):
    """Runs the pairs and prints the table."""
    pairs = 9
    if arguments[:1] == ["--pairs"] and len(arguments) > 1:
        pairs = int(arguments[1])
        arguments = arguments[2:]
    if len(arguments) < 3:
        sys.stderr.write(__doc__.split("\n")[2] + "\n")
        return 2
    builds, programs = arguments[:2], arguments[2:]
    ratios = {}
    for pair in range(pairs):
        for program in programs:
            speeds = [None, None]
            for side in (0, 1) if pair % 2 == 0 else (1, 0):
                speeds[side] = figures(builds[side], program)
            sys.stderr.write(json.dumps({"pair": pair, "program": program, "old": speeds[0],
                                         "new": speeds[1]}) + "\n")
            for case in speeds[1]:
                if case in speeds[0]:
                    ratios.setdefault((program, case), []).append(speeds[1][case] / speeds[0][case])
    print("| program | case | median | interval | |\n|---|---|---|---|---|")
    for (program, case), values in ratios.items():
        print(row(program, case, values))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        sys.exit("pairs.py: %s" % error)
