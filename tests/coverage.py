#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The figures of tests/coverage.sh: gcov's counts of branches, joined over all objects of a file.

coverage.py --files TOP AREA    the files of an area of tests/mutate_areas.txt
coverage.py --tests TOP AREA    its suites and scripts
coverage.py [--lines] --table TOP BUILD FILES
"""
import collections
import glob
import json
import os
import subprocess
import sys

import mutate_run

# Objects that are installed, by the prefix of automake; others (broken, under) add counts, but no branches.
INSTALLED = ("libgfe_core_a-", "libgfe_preload_a-", "libgfe_record_so-", "libgfe_live_so-")


def objects_of(build, name):
    """The notes that the compiler left for each object of a file, installed ones first."""
    stem = os.path.splitext(os.path.basename(name))[0]
    found = [note for note in glob.glob(os.path.join(build, os.path.dirname(name), "*.gcno"))
             if os.path.basename(note)[:-5].rpartition("-")[2] == stem]
    return sorted(found, key=lambda note: not os.path.basename(note).startswith(INSTALLED))


def counts_of(build, note):
    """{file: {line: [count of each branch]}} of an object, all 0 if it never ran."""
    answer = subprocess.run(["gcov", "--branch-probabilities", "--json-format", "--stdout", note], cwd=build,
                            capture_output=True, text=True, check=True).stdout
    counts = collections.defaultdict(dict)
    for file in json.loads(answer)["files"] if answer else []:
        for line in file["lines"]:
            if line["branches"]:
                taken = counts[os.path.normpath(file["file"])].setdefault(line["line_number"], [])
                taken.extend(branch["count"] for branch in line["branches"])
    return counts


def join(total, counts, adds_lines):
    """Adds an object's counts to those of the file. A line that another compilation made otherwise is left out."""
    for line, taken in counts.items():
        if line not in total:
            if adds_lines:
                total[line] = taken
        elif len(total[line]) == len(taken):
            total[line] = [a + b for a, b in zip(total[line], taken)]


def table(top, build, names, shows_lines):
    branches_all = taken_all = 0
    print("| file | branches | taken | |\n|---|---|---|---|")
    for name in names:
        total = {}
        for note in objects_of(build, name):
            for file, counts in counts_of(build, note).items():
                if os.path.join(build, file).endswith("/" + name):
                    join(total, counts, os.path.basename(note).startswith(INSTALLED))
        branches = sum(map(len, total.values()))
        taken = sum(1 for counts in total.values() for count in counts if count > 0)
        branches_all += branches
        taken_all += taken
        if branches:
            print(f"| `{name}` | {branches} | {taken} | {100 * taken / branches:.1f} % |")
        if shows_lines:
            text = mutate_run.read(os.path.join(top, name)).split("\n")
            for line, counts in sorted(total.items()):
                if 0 in counts:
                    print(f"    {line}: {sum(c == 0 for c in counts)} of {len(counts)}: {text[line - 1].strip()}")
    print(f"| all | {branches_all} | {taken_all} | {100 * taken_all / max(branches_all, 1):.1f} % |")


def main(words):
    shows_lines = "--lines" in words
    words = [word for word in words if word != "--lines"]
    if words[0] == "--table":
        table(words[1], words[2], mutate_run.read(words[3]).split(), shows_lines)
        return
    patterns, suites, scripts = mutate_run.read_areas(words[1] + "/tests/mutate_areas.txt")[words[2]]
    if words[0] == "--files":
        names = subprocess.run(["git", "-C", words[1], "ls-files"], capture_output=True, text=True, check=True).stdout
        print("\n".join(mutate_run.files_of(names.split(), patterns)))
    else:
        print("\n".join(suites + [f"tests/test_{script}.sh" for script in scripts]))


if __name__ == "__main__":
    main(sys.argv[1:])
