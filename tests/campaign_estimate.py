# SPDX-License-Identifier: MIT
"""A stratified estimate from the database of gfe campaign, to compare with its report.

    campaign_estimate.py DATABASE REPORT.csv

The rows of the experiments come from the database; everything else is computed here, with floating
point and the standard library alone, from the formulas:

  - the estimate: sum of W_h k_h / n_h (W. G. Cochran: Sampling Techniques, 3rd edition 1977, section
    5.3), with W_h = N_h / N, or with rates W_h = rate of the family * N_h / N of the family;
  - its variance at a share P: sum of W_h^2 p_h (1 - p_h) / n_h * (N_h - n_h) / (N_h - 1) (chapter
    3), with the p_h that maximise the likelihood under sum W_h p_h = P, found by bisection of the
    Lagrange multiplier (A. Martin Andres, M. Alvarez Hernandez, I. Herranz Tejedor, Statistical
    Methods in Medical Research 20, 2011);
  - the interval: the P with |estimate - P| <= z * sqrt(variance), found by bisection of P.

Prints how many shares were compared.  Exit status 1: one of them differs by more than TOLERANCE.
"""

import csv
import json
import math
import sqlite3
import sys
from statistics import NormalDist

TOLERANCE = 5e-6


class Stratum:
    def __init__(self, weight, size, made, count):
        self.weight, self.size, self.made, self.count = weight, size, made, count
        self.whole = made == size
        # n with the finite-population correction: infinite if every fault was made.
        self.n = math.inf if self.whole else made * (size - 1) / (size - made)
        self.share = count / made

    def likeliest(self, multiplier):
        """Maximises x ln p + (1 - x) ln(1 - p) - multiplier * W p / n, with p in [0, 1]."""
        if self.whole:
            return self.share
        t = multiplier * self.weight / self.n
        x = self.share
        if t == 0:
            return x
        root = math.sqrt(max(0.0, (1 + t) ** 2 - 4 * t * x))
        p = ((1 + t) - root) / (2 * t)
        return min(1.0, max(0.0, p))

    def variance(self, p):
        return 0.0 if self.whole else self.weight**2 * p * (1 - p) / self.n


def constrained(strata, share):
    """The likeliest shares of the strata of which the weighted sum is `share`."""
    if len(strata) == 1:
        return [share]
    low, high = -1.0, 1.0

    def total(multiplier):
        return sum(s.weight * s.likeliest(multiplier) for s in strata)

    while total(high) > share and high < 1e18:
        high *= 2
    while total(low) < share and low > -1e18:
        low *= 2
    for _ in range(70):
        middle = (low + high) / 2
        if total(middle) > share:
            low = middle
        else:
            high = middle
    return [s.likeliest((low + high) / 2) for s in strata]


def interval(strata, z):
    estimate = sum(s.weight * s.share for s in strata)
    least = sum(s.weight * s.count / s.size for s in strata)
    most = sum(s.weight * (s.size - s.made + s.count) / s.size for s in strata)
    if all(s.whole for s in strata):
        return estimate, estimate, estimate

    def rejected(share):
        shares = constrained(strata, share)
        variance = sum(s.variance(p) for s, p in zip(strata, shares))
        return abs(estimate - share) > z * math.sqrt(variance) + 1e-12

    def limit(outside):
        inside = estimate
        if not rejected(outside):
            return outside
        for _ in range(34):
            middle = (inside + outside) / 2
            if rejected(middle):
                outside = middle
            else:
                inside = middle
        return inside

    return estimate, limit(least), limit(most)


def read(path):
    """The strata, and the experiments as (stratum, outcome)."""
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    plan = json.loads(dict(db.execute("SELECT key, value FROM campaign"))["plan"])
    strata = {
        row[0]: {"program": row[1], "unit": row[2], "site": row[3], "model": row[4],
                 "family": row[5], "faults": int(row[6])}
        for row in db.execute("SELECT * FROM stratum")
    }
    made = list(db.execute("SELECT stratum, outcome FROM experiment"))
    return plan, strata, made


def weights(plan, strata):
    rates = [float(family.get("rate", 0)) for family in plan["faults"]]
    family = {}
    for stratum in strata.values():
        family[stratum["family"]] = family.get(stratum["family"], 0) + stratum["faults"]
    return {
        i: rates[s["family"]] * s["faults"] / family[s["family"]] if rates[0] else s["faults"]
        for i, s in strata.items()
    }


def estimate(plan, strata, made, chosen, outcome):
    weight = weights(plan, strata)
    total = sum(weight[i] for i in chosen)
    rows = []
    for i in chosen:
        of = [o for s, o in made if s == i]
        rows.append(Stratum(weight[i] / total, strata[i]["faults"], len(of), of.count(outcome)))
    confidence = float(plan.get("confidence", "95%").rstrip("%")) / 100
    return interval(rows, NormalDist().inv_cdf(0.5 + confidence / 2))


def main(database, report):
    plan, strata, made = read(database)
    known = {}
    compared = wrong = 0
    with open(report, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            by, name = row["by"], row["name"]
            if by == "all":
                chosen = list(strata)
            elif by == "stratum":
                chosen = [int(name.split()[0])]
            elif by in ("unit", "site", "model", "program"):
                chosen = [i for i, s in strata.items() if s[by] == name]
            else:
                continue
            key = (tuple(chosen), row["outcome"])
            if key not in known:
                known[key] = estimate(plan, strata, made, chosen, row["outcome"])
            ours = known[key]
            theirs = [int(row[key]) / 1e6 for key in ("share_ppm", "low_ppm", "high_ppm")]
            compared += 1
            if max(abs(a - b) for a, b in zip(ours, theirs)) > TOLERANCE:
                wrong += 1
                print(f"{by} {name} {row['outcome']}: {theirs}, not {ours}")
    print(f"{compared} shares compared")
    return 1 if wrong or not compared else 0


sys.exit(main(*sys.argv[1:]))
