#!/usr/bin/env python3
"""The period of Vilar's oscillator in a well-mixed cell, by Gillespie's exact method: what the model
models/vilar_oscillator.toml is held against.

    python3 data/vilar_gillespie.py                     # 18 runs of 300 h
    jostle analyse run.h5md counts --csv run            # tables of a run, of which
    python3 data/vilar_gillespie.py run/counts_over_time.csv

A period lasts from one rise of A above 500 to the next, it having been below 50 in between, in samples of 0.25 h.
The rates are those of Vilar et al., PNAS 99 (2002) 5988, per hour.
"""

import csv
import math
import random
import sys

SAMPLE = 0.25
# Rate, which takes part, and which changes by how much.
REACTIONS = [
    (1.0, ("A", "DA"), {"A": -1, "DA": -1, "DA_on": 1}),
    (50.0, ("DA_on",), {"A": 1, "DA": 1, "DA_on": -1}),
    (1.0, ("A", "DR"), {"A": -1, "DR": -1, "DR_on": 1}),
    (100.0, ("DR_on",), {"A": 1, "DR": 1, "DR_on": -1}),
    (2.0, ("A", "R"), {"A": -1, "R": -1, "C": 1}),
    (1.0, ("C",), {"C": -1, "R": 1}),
    (50.0, ("DA",), {"MA": 1}),
    (500.0, ("DA_on",), {"MA": 1}),
    (0.01, ("DR",), {"MR": 1}),
    (50.0, ("DR_on",), {"MR": 1}),
    (50.0, ("MA",), {"A": 1}),
    (5.0, ("MR",), {"R": 1}),
    (10.0, ("MA",), {"MA": -1}),
    (0.5, ("MR",), {"MR": -1}),
    (1.0, ("A",), {"A": -1}),
    (0.2, ("R",), {"R": -1}),
]


def run(seed, hours):
    """The number of A, every 0.25 h."""
    dice = random.Random(seed)
    count = dict.fromkeys(["A", "R", "C", "MA", "MR", "DA_on", "DR_on"], 0) | {"DA": 1, "DR": 1}
    time, samples = 0.0, []
    while time < hours:
        rates = []
        for rate, partners, _ in REACTIONS:
            for partner in partners:
                rate *= count[partner]
            rates.append(rate)
        time -= math.log(1.0 - dice.random()) / sum(rates)
        while len(samples) * SAMPLE <= min(time, hours):
            samples.append((len(samples) * SAMPLE, count["A"]))
        _, _, changes = dice.choices(REACTIONS, rates)[0]
        for name, change in changes.items():
            count[name] += change
    return samples


def periods(samples):
    rises, low = [], True
    for time, number in samples:
        if low and number > 500:
            rises.append(time)
            low = False
        elif number < 50:
            low = True
    return [later - earlier for earlier, later in zip(rises, rises[1:])]


def table(path):
    with open(path, newline="") as file:
        return [(float(row["time_us"]) / 3.6e9, float(row["a"])) for row in csv.DictReader(file)]


def main():
    runs = map(table, sys.argv[1:]) if sys.argv[1:] else (run(seed, 300.0) for seed in range(18))
    found = [period for samples in runs for period in periods(samples)]
    mean = sum(found) / len(found)
    spread = math.sqrt(sum((x - mean) ** 2 for x in found) / (len(found) - 1))
    print(f"{len(found)} periods of {mean:.2f} ± {spread / math.sqrt(len(found)):.2f} h, which spread by {spread:.2f} h")


if __name__ == "__main__":
    main()
