#!/usr/bin/env python3
"""Runs the event-driven engine and EDMD by turns on the same hard spheres and prints collisions per second.

    benches/events/compare.py target/release/jostle --edmd path/of/EDMD

EDMD (https://github.com/FSmallenburg/EDMD) is compiled as it is, with the options of its own Makefile. Both start
from a crystal that melts, without a thermostat; seconds are of processor time, and the fastest turn of each counts."""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
VARIANTS = ("Single", "Multi", "Cell")
OPTIONS = ("-Ofast", "-funroll-loops", "-march=native")
# Spheres and packing, of rows of `jostle bench events`. EDMD wants four times a cube.
ROWS = [(10_976, 0.1), (10_976, 0.3), (108_000, 0.1), (108_000, 0.3)]
# Of EDMD. [s]
TURNS, SECONDS = 5, 1.0


def compressibility(packing):
    """Carnahan and Starling's, to see that EDMD ran the fluid that was asked for."""
    return (1 + packing + packing**2 - packing**3) / (1 - packing) ** 3


def compiled(source, folder):
    programs = {}
    for variant in VARIANTS:
        code = source.resolve() / variant / f"md{variant}.c"
        programs[variant] = folder / variant
        command = ["gcc", *OPTIONS, f'-DEDMD="{code}"', HERE / "edmd.c", "-lm"]
        subprocess.run([*command, "-o", programs[variant]], check=True)
    return programs


def rate_of_edmd(program, spheres, packing, folder):
    words = [program, str(spheres), str(packing), str(TURNS), str(SECONDS)]
    printed = subprocess.run(words, cwd=folder, check=True, capture_output=True, text=True).stdout
    rate, _, measured = map(float, printed.split("measured ")[1].split())
    expected = compressibility(packing)
    if abs(measured / expected - 1) > 0.02:
        sys.exit(f"PV/NkT of EDMD is {measured} at {packing}, not {expected:.3f}")
    return rate


def rates_of_jostle(program):
    words = [program, "bench", "events", "--json"]
    printed = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout
    measured = json.loads(printed)
    rows = [row for row in measured["events"] if row["structure"] == "cubic"]
    return {(row["bodies"], row["packing"]): row["collisions/s"] for row in rows}, measured["machine"]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("jostle", type=pathlib.Path)
    parser.add_argument("--edmd", type=pathlib.Path, required=True, help="the folder of its sources")
    parser.add_argument("--rounds", type=int, default=2)
    arguments = parser.parse_args()
    best = {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        programs = compiled(arguments.edmd, folder)
        for _ in range(arguments.rounds):
            jostle, machine = rates_of_jostle(arguments.jostle)
            for row in ROWS:
                rates = {"jostle": jostle[row]}
                for variant in VARIANTS:
                    rates[variant] = rate_of_edmd(programs[variant], *row, folder)
                for program, rate in rates.items():
                    best[row, program] = max(rate, best.get((row, program), 0.0))
    columns = ["jostle", *(f"EDMD {variant}" for variant in VARIANTS), "jostle to the best of EDMD"]
    print("| spheres | packing | " + " | ".join(columns) + " |")
    print("| ---: | ---: | " + " | ".join(["---:"] * len(columns)) + " |")
    for row in ROWS:
        rates = [best[row, program] for program in ("jostle", *VARIANTS)]
        cells = [str(row[0]), str(row[1]), *(f"{rate / 1e3:.0f}" for rate in rates)]
        print("| " + " | ".join([*cells, f"{rates[0] / max(rates[1:]):.2f}"]) + " |")
    when = f"{machine['date']}, {machine['processor']}, jostle {machine['version']}"
    print(f"\nThousand collisions per second. {when}.")


if __name__ == "__main__":
    main()
