#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Figures that others have published of real GPUs, beside what gfe makes of the same experiment.

    tests/published.py GFE [GPU]

The figures stand in tests/hardware/data/GPU/figures.jsonl, one JSON object in a line:

family   which experiment of which paper or page
figure   what was measured
unit     us, ms, s, GB/s, 1/s, or a word for what is counted
value    the published number, or null if there is none; "bound": "at least" or "at most" if no more
         than that is said
source   page, figure or section
is       "fitted" if a rule or cost of gfe was read from this figure, "predicted" if not
run      operands and options of gfe run; beside it may stand one of scenario (in place of its file),
         bus (a file for gfe import bus and then gfe run) and cus (CUs of each shader engine, for the
         mask of a HIP configuration)
take     which number of the run's log it is: see TAKES
beside   another "run" and its "take": the figure is the first number divided by this one
why      in place of run: why gfe does not make the figure
"""
import csv
import io
import json
import os
import statistics
import subprocess
import sys
import tempfile

TESTS = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(TESTS, "hardware", "data")
UNITS = {"us": 1e6, "ms": 1e9, "s": 1e12}


class Log:
    """A run of gfe, as the table of gfe show --as csv and as the summary of gfe run --json."""

    def __init__(self, gfe, what, scratch):
        path = os.path.join(scratch, "log.gfl")
        operands = list(what["run"])
        if "bus" in what:
            trace = os.path.join(scratch, "trace.gft")
            subprocess.run([gfe, "import", "bus", what["bus"], "-o", trace], check=True, stdout=subprocess.DEVNULL)
            operands.append(trace)
        if "scenario" in what:
            operands.append(os.path.join(scratch, "scenario.json"))
            with open(operands[-1], "w", encoding="utf-8") as file:
                json.dump(what["scenario"], file)
        if "cus" in what:
            operands[-1] = self.masked(operands[-1], what["cus"], os.path.join(scratch, "masked.json"))
        answer = subprocess.run([gfe, "run", "--json", "-o", path, *operands], stdout=subprocess.PIPE)
        if answer.returncode not in (0, 3):
            raise SystemExit("gfe run %s failed" % " ".join(operands))
        self.summary = json.loads(answer.stdout)
        table = subprocess.run([gfe, "show", "--as", "csv", path], check=True, stdout=subprocess.PIPE, text=True).stdout
        self.rows = list(csv.DictReader(io.StringIO(table)))
        for row in self.rows:
            row["begin"], row["end"] = int(row["begin_ps"]), int(row["end_ps"])

    @staticmethod
    def masked(path, cus, to):
        """A HIP configuration with a mask of CUs, bit 0 first, by the CUs of each shader engine (rule A.M1)."""
        with open(path, encoding="utf-8") as file:
            config = json.load(file)
        for plugin in config["plugins"]:
            plugin["compute_unit_mask"] = "".join("01"[cu < engine] for cu in range(15) for engine in cus)
        with open(to, "w", encoding="utf-8") as file:
            json.dump(config, file)
        return to

    def blocks(self, label):
        """Begin, end, threads and SM of each block of a kernel; one that was stopped is whole."""
        found = {}
        for row in self.rows:
            if row["kind"] == "block" and row["label"] == label:
                block = found.setdefault(row["operation"], [row["begin"], row["end"], int(row["threads"]), row["track"]])
                block[:2] = [min(block[0], row["begin"]), max(block[1], row["end"])]
        return list(found.values())

    def running(self, track, label=""):
        """Pieces in which something runs on an engine, in their order."""
        return sorted((row for row in self.rows if row["track"] == track and row["kind"] == "running" and
                       row["label"].startswith(label)), key=lambda row: row["begin"])


def most(spans):
    """The most of (begin, end, amount) at once."""
    now = peak = 0
    for _, change in sorted([(begin, amount) for begin, _, amount in spans] + [(end, -amount) for _, end, amount in spans]):
        now += change
        peak = max(peak, now)
    return peak


def usual(spans):
    """What of (begin, end, amount) is there at once for the longest time."""
    lasted, now, last = {}, 0, 0
    for time, change in sorted([(begin, amount) for begin, _, amount in spans] + [(end, -amount) for _, end, amount in spans]):
        lasted[now] = lasted.get(now, 0) + time - last
        now, last = now + change, time
    return max((lasted[amount], amount) for amount in lasted if amount)[1]


def pieces(log, track, label=""):
    """Durations of pieces but the first and last of each operation; a whole one beside another's counts as it is."""
    by = {}
    for row in log.running(track, label):
        by.setdefault(row["operation"], []).append(row)
    return [row["end"] - row["begin"] for rows in by.values() for row in rows[1:-1]]


def gaps(log, track, label=""):
    """Times between the pieces of each operation."""
    by = {}
    for row in log.running(track, label):
        by.setdefault(row["operation"], []).append(row)
    return [after["begin"] - before["end"] for rows in by.values() for before, after in zip(rows, rows[1:])]


def responses(log, label, first_ms="0"):
    """Times from one end of a kernel to the next."""
    ends = sorted(row["end"] for row in log.rows if row["kind"] == "running" and row["label"].split("#")[0] == label and
                  row["track"].startswith("channel") and row["begin"] >= float(first_ms) * 1e9)
    return [after - before for before, after in zip(ends, ends[1:])]


# What a figure may be of a log: times in ps, counts as they are.
TAKES = {
    # blocks of a kernel at once, of all kernels named threads at once
    "most_blocks": lambda log, label: most([(b, e, 1) for b, e, _, _ in log.blocks(label)]),
    "most_blocks_of_sm": lambda log, label, sm: most([(b, e, 1) for b, e, _, of in log.blocks(label) if of == sm]),
    "most_threads": lambda log, *labels: most([(b, e, t) for label in labels for b, e, t, _ in log.blocks(label)]),
    "usual_blocks": lambda log, label: usual([(b, e, 1) for b, e, _, _ in log.blocks(label)]),
    # blocks of the first kernel that begin before the second does or has ended, or when it has; not by less than a ms
    "blocks_before": lambda log, label, other: sum(b < min(o[0] for o in log.blocks(other)) for b, *_ in log.blocks(label)),
    "blocks_after": lambda log, label, other: sum(b >= max(o[1] for o in log.blocks(other)) - 1e9 for b, *_ in log.blocks(label)),
    "blocks_before_end": lambda log, label, other: sum(b < max(o[1] for o in log.blocks(other)) - 1e9 for b, *_ in log.blocks(label)),
    # when a kernel begins, behind a time in ms, and when it ends
    "begin": lambda log, label, ms="0": min(b for b, *_ in log.blocks(label)) - float(ms) * 1e9,
    "end": lambda log, label: max(e for _, e, *_ in log.blocks(label)),
    "longest_block": lambda log, label: max(e - b for b, e, *_ in log.blocks(label)),
    # kernels whose names begin so that run at once before a time in ms
    "kernels_at_once": lambda log, label, ms: most(
        [(min(b for b, *_ in blocks), max(e for _, e, *_ in blocks), 1) for blocks in
         (log.blocks(name) for name in {row["label"] for row in log.rows if row["kind"] == "block" and row["label"].startswith(label)})
         if min(b for b, *_ in blocks) < float(ms) * 1e9]),
    # pieces in which an operation runs on an engine
    "piece": lambda log, track, label="": statistics.median(pieces(log, track, label)),
    "gap": lambda log, track, label="": statistics.median(gaps(log, track, label)),
    "pieces_within": lambda log, track, label, begin, end: sum(
        float(begin) * 1e9 <= row["begin"] < float(end) * 1e9 for row in log.running(track, label)),
    "shortest": lambda log, track, label="": min(row["end"] - row["begin"] for row in log.running(track, label)),
    "longest": lambda log, track, label="": max(row["end"] - row["begin"] for row in log.running(track, label)),
    # what a kernel that is launched again and again takes
    "period": lambda log, label, first_ms="0": statistics.median(responses(log, label, first_ms)),
    "per_second": lambda log, label, first_ms="0": 1e12 / statistics.mean(responses(log, label, first_ms)),
    "late": lambda log, label, first_ms="0": statistics.quantiles(responses(log, label, first_ms), n=100)[-1],
    "response": lambda log, label: statistics.median(
        [row["end"] - row["begin"] for row in log.rows if row["kind"] == "running" and row["label"].split("#")[0] == label and
         row["track"].startswith("channel")]),
    "call": lambda log, label: statistics.median(
        [row["end"] - row["begin"] for row in log.rows if row["kind"] == "driver_call" and row["label"].startswith(label)]),
    "hip_median": lambda log, label: next(p["median_ps"] for p in log.summary["plugins"] if p["label"] == label),
    "per_second_all": lambda log, *labels: sum(1e12 / statistics.mean(responses(log, label, "5")) for label in labels),
    "rate": lambda log, label, count: 1e3 * float(count) / next(
        row["end"] - row["begin"] for row in log.rows if row["kind"] == "running" and row["label"] == label and "CE" in row["track"]),
}


def number(gfe, what, logs):
    """What gfe makes of it; runs are made once."""
    key = json.dumps([what.get(key) for key in ("run", "bus", "cus", "scenario")])
    if key not in logs:
        with tempfile.TemporaryDirectory() as scratch:
            logs[key] = Log(gfe, what, scratch)
    name, *operands = what["take"].split(",")
    return TAKES[name](logs[key], *operands)


def figures(gpu):
    """The published figures of a GPU."""
    with open(os.path.join(DATA, gpu, "figures.jsonl"), encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def gpus():
    """The GPUs of which there are published figures."""
    return sorted(name for name in os.listdir(DATA) if os.path.exists(os.path.join(DATA, name, "figures.jsonl")))


def evaluate(gfe, gpu):
    """Each figure with "gfe", what gfe makes, and "error"; those that it does not make have none."""
    logs = {}
    rows = figures(gpu)
    for row in rows:
        if "why" in row:
            continue
        made = number(gfe, row, logs)
        if "beside" in row:
            made /= number(gfe, row["beside"], logs)
        else:
            made /= UNITS.get(row["unit"], 1)
        row["gfe"] = made
        bound = row.get("bound")
        met = (bound == "at least" and made >= row["value"]) or (bound == "at most" and made <= row["value"])
        row["error"] = 0 if met or made == row["value"] else abs(made / row["value"] - 1) if row["value"] else float("inf")
    return rows


def value_text(row):
    """The published value with its unit."""
    return "%s%s %s" % (row["bound"] + " " if "bound" in row else "", "no number in" if row["value"] is None else "%g" % row["value"], row["unit"])


def main(gfe, *wanted):
    """Prints each figure."""
    for gpu in wanted or gpus():
        for row in evaluate(gfe, gpu):
            said = row["why"] if "why" in row else "%.4g, %.1f %% off" % (row["gfe"], 100 * row["error"])
            print("%s: %s, %s: %s; %s" % (gpu, row["family"], row["figure"], value_text(row), said))


if __name__ == "__main__":
    main(*sys.argv[1:])
