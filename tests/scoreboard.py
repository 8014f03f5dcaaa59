#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes docs/scoreboard.md: what `gfe compare` says of all measurements in tests/hardware/data.

    tests/scoreboard.py GFE >docs/scoreboard.md
"""
import json
import os
import subprocess
import sys

sys.dont_write_bytecode = True
import published

HEAD = """# Scoreboard

How far gfe is from real GPUs, by the measurements in `tests/hardware/data`. `tests/scoreboard.py` writes this page, and
`tests/test_scoreboard.sh` fails when it is stale. The first part is measurements of our own: [compare.md](compare.md) says
what a figure is, and `gfe compare --figures` prints each of them. The second part is figures that others have published.

*Fitted* are files from which a rule or a cost of gfe was read (`tests/hardware/families.txt`); what gfe says of the others
is *predicted*. Neither is evidence for the other.

"""


def families(folder):
    """The rows of families.txt: (gpu, file, fitted or predicted)."""
    with open(os.path.join(folder, "families.txt"), encoding="utf-8") as file:
        return [tuple(line.split()) for line in file if line.strip() and not line.startswith("#")]


def compare(gfe, folder, gpu, names):
    """What gfe compare says of the files, by family."""
    data = os.path.join(folder, "data", gpu)
    paths = [os.path.join(data, name + ".jsonl.gz") for name in names]
    supplement = os.path.join(data, "supplement.jsonl")
    answer = subprocess.run([gfe, "compare", "--gpu", gpu, "--as", "json", *paths, *[supplement] * os.path.exists(supplement)], check=True,
                            stdout=subprocess.PIPE)
    answer = json.loads(answer.stdout)
    return answer["measured_on"], {row["family"]: row for row in answer["families"]}, answer["experiments"]


def percent(part, whole):
    """A share of a number of figures, "-" if there are none."""
    return "%.0f %%" % (100 * part / whole) if whole else "-"


def median(values):
    """The median; a list of no value has none."""
    values = sorted(values)
    middle = len(values) // 2
    return None if not values else values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2


def error_text(error):
    """An error as a percentage; a figure that the emulation lacks has none."""
    return "no match" if error is None or error == float("inf") else "%.1f %%" % (100 * error)


def row_text(name, kind, row):
    """A row of the table."""
    return "| %s | %s | %d | %s | %s | %s | %s |" % (
        name, kind, row["figures"], error_text(row["median_error"]), percent(row["within_10_percent"], row["figures"]),
        percent(row["first_blocks_on_measured_sm"], row["first_blocks"]), percent(row["pairs_in_order"], row["pairs_of_starts"]))


def total(rows, experiments, names):
    """The sum of some families."""
    sums = {key: sum(rows[name][key] for name in names) for key in
            ("figures", "within_10_percent", "first_blocks", "first_blocks_on_measured_sm", "pairs_of_starts", "pairs_in_order")}
    errors = [figure["error"] if figure["error"] is not None else float("inf") for experiment in experiments
              if experiment["family"] in names for figure in experiment["figures"] if "real" in figure]
    sums["median_error"] = median(errors)
    return sums


PUBLISHED = """# Figures that others have published

The numbers, their sources and the runs of gfe that make the same stand in `tests/hardware/data/*/figures.jsonl`;
`tests/published.py` says what is in a line, and `tests/published.py GFE GPU` prints each figure. *Fitted* are figures from
which a rule or a cost of gfe was read. "-" in place of an error: gfe does not make the figure; the
reason stands below the table.

"""


def family_row(family, kind, rows):
    """A row of published figures."""
    errors = [row["error"] for row in rows]
    return "| %s | %s | %d | %s | %s |" % (family, kind, len(rows), error_text(median(errors)),
                                       percent(sum(error <= 0.1 for error in errors), len(errors)))


def figure_row(row):
    """A row of one published figure."""
    made = "-" if "why" in row else "%.4g" % row["gfe"]
    return "| %s | %s | %s | %s | %s | %s |" % (row["family"], row["figure"], published.value_text(row), made,
                                            "-" if "why" in row else error_text(row["error"]), row["source"])


def published_gpu(gfe, gpu):
    """Prints what gfe makes of a GPU's published figures: by family, and each where a family has few."""
    rows = published.evaluate(gfe, gpu)
    made = [row for row in rows if "why" not in row]
    print("## `%s`\n" % gpu)
    if made:
        print("| family | | figures | median error | within 10 % |\n|---|---|---|---|---|")
    for kind in ("fitted", "predicted"):
        of = [row for row in made if row["is"] == kind]
        families = list(dict.fromkeys(row["family"] for row in of))
        for family in families:
            print(family_row(family, kind, [row for row in of if row["family"] == family]))
        if of:
            print(family_row("**all %s**" % kind, kind, of))
    few = [row for row in rows if sum(other["family"] == row["family"] for other in rows) < 20]
    print("%s| family | figure | real | gfe | error | source |\n|---|---|---|---|---|---|" % ("\n" if made else ""))
    for row in few:
        print(figure_row(row))
    if len(made) < len(rows):
        print("\nNot made:\n")
    for row in rows:
        if "why" in row:
            print("- %s, %s: %s" % (row["family"], row["figure"], row["why"]))
    print()


def main(gfe):
    """Prints the page."""
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "hardware")
    wanted = families(folder)
    print(HEAD, end="")
    for gpu in dict.fromkeys(row[0] for row in wanted):
        kinds = {name: kind for row_gpu, name, kind in wanted if row_gpu == gpu}
        card, rows, experiments = compare(gfe, folder, gpu, kinds)
        print("## %s: `--gpu %s`\n" % (card, gpu))
        print("| file | | figures | median error | within 10 % | first blocks on the measured SM | starts in the measured order |")
        print("|---|---|---|---|---|---|---|")
        for kind in ("fitted", "predicted"):
            names = [name for name, its in kinds.items() if its == kind]
            for name in names:
                print(row_text("`%s`" % name, kind, rows[name]))
            if names:
                print(row_text("**all %s**" % kind, kind, total(rows, experiments, names)))
        print()
    print(PUBLISHED, end="")
    for gpu in published.gpus():
        published_gpu(gfe, gpu)


if __name__ == "__main__":
    main(sys.argv[1])
