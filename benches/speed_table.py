#!/usr/bin/env python3
"""Writes the tables of speed into README.md and docs/speed.md, from the figures that were measured last:

    data/speed/jostle.json    what `jostle bench speed --json` printed
    data/speed/peers.json     what `compare_peers.py --json` wrote; README.md has its main rows

In README.md these rows end a table of what each program has: only what stands below its row SPEEDS is written. A table stands between `<!-- speed: NAME -->` and `<!-- speed: end -->`. With --check nothing is written, and it is
an error if a file would change."""

import argparse
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FILES = ("README.md", "docs/speed.md")
PLACE = re.compile(r"(<!-- speed: (?!end)([a-z-]+) -->\n)(.*?)(<!-- speed: end -->)", re.DOTALL)
# The rows of `peers` that `peers-short` has, the programs that it names (not all of them are measured), and the row above.
SHORT = ("spheres-10", "spheres-30", "clustering", "clustering-10", "reversible")
BESIDE = ("jostle", "smoldyn", "readdy", "nerdss", "mcell", "lammps")
SPEEDS = "| **Million particle steps per second, one thread** |"
NAMES = {"jostle": "jostle", "smoldyn": "Smoldyn", "readdy": "ReaDDy", "openmm": "OpenMM", "lammps": "LAMMPS"}


def markdown(columns, rows):
    """The first column is words, the others are numbers."""
    lines = [columns, ["---"] + ["---:"] * (len(columns) - 1), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def number(value, most=3):
    """With so many digits that count; words and what is missing as they are."""
    if value is None:
        return "–"
    if isinstance(value, str):
        return value.replace("-", "–") if value == "-" else value
    if float(value).is_integer():
        return f"{int(value):,}".replace(",", " ")
    digits = most - 1 - int(f"{value:e}".split("e")[1])
    return f"{round(value, digits):.{max(digits, 0)}f}"


def percent(share):
    return "no overlap" if share == 0 else f"{number(100 * share, 2)} %"


def when_and_where(machine, versions=None):
    who = ", ".join(f"{NAMES.get(name, name)} {version}" for name, version in (versions or {}).items())
    if not who and "version" in machine:
        who = f"jostle {machine['version']} ({machine['build']})"
    load = f", load {machine['load']} at the start" if machine.get("load") is not None else ""
    return f"{machine['date']}, {machine['processor']}, {machine['cores']} cores{load}{who and '; '}{who}."


def peers(result):
    """jostle beside others."""
    programs = [name for name in NAMES if any(name in row["of"] for row in result["table"])]
    rows = []
    for row in result["table"]:
        unit = "" if row["unit"] == "million body-steps/s" else f" [{row['unit']}]"
        cells = [beside(row, name, result.get("missing", {})) for name in programs]
        rows.append([row["work"] + unit, *cells, ratio(row)])
    text = markdown(["", *(NAMES[name] for name in programs), "jostle to the best of the others"], rows)
    missing = [NAMES[name] for name in result.get("missing", {})]
    said = f" Not at hand: {', '.join(missing)}." if missing else ""
    few = " Few particles, as a trial: these figures say nothing." if result.get("quick") else ""
    return f"{text}\n\n{when_and_where(result['machine'], result['versions'])}{said}{few}"


def peers_short(result):
    """Some of these rows, for the end of a table that begins with words: makes the table from what it was."""
    rows = [row for row in result["table"] if row.get("name") in SHORT]
    cells = [[row["work"], *(beside(row, name, result.get("missing", {})) for name in BESIDE)] for row in rows]
    lines = ["| " + " | ".join(line) + " |" for line in cells]
    versions = {name: version for name, version in result["versions"].items() if name in BESIDE}

    def made(old):
        words, found, _ = old.partition(SPEEDS)
        if not found:
            sys.exit(f"the table of README.md has no row {SPEEDS}")
        speeds = SPEEDS + " |" * len(BESIDE)
        return "\n".join([words.strip() + "\n" + speeds, *lines]) + "\n\n" + when_and_where(result["machine"], versions)

    return made


def beside(row, name, missing):
    """A speed and, in brackets, the share of particles that overlap another."""
    if name not in row["of"]:
        return "missing" if name in missing else "–"
    share = row.get("overlapping", {}).get(name)
    return number(row["of"][name]) + ("" if share is None else f" ({percent(share)})")


def ratio(row):
    return f"{number(row['ratio'], 2)} × {NAMES[row['best peer']]}" if "ratio" in row else "–"


def selection(columns):
    """A table of some columns of ours: what the head says, and the name in the JSON."""

    def made(rows):
        heads = [head for head, _ in columns]
        return markdown(heads, [[number(row.get(name)) for _, name in columns] for row in rows])

    return made


STEADY = selection([
    ("", "population"), ("particles", "bodies"), ("million particle steps/s", "million body-steps/s"),
    ("least ms per step", "least [ms/step]"), ("median", "median [ms/step]"),
    ("contacts per step", "contacts per step"), ("overlaps", "overlaps"), ("structure", "structure"),
    ("state hash", "state hash"), ("after steps", "after steps"),
])
RUNS = selection([
    ("", "run"), ("particles", "bodies"), ("in the mean", "mean bodies"), ("steps", "steps"),
    ("least s", "least [s]"),
    ("median", "median [s]"), ("million particle steps/s", "million body-steps/s"), ("structure", "structure"),
    ("state hash", "state hash"),
])
THREADS = selection([
    ("", "population"), ("particles", "bodies"), ("threads", "threads"),
    ("one thread, ms per step", "one thread [ms/step]"),
    ("several", "several [ms/step]"), ("times faster", "times faster"), ("by medians", "median times faster"),
    ("same state", "same state"),
])
SMALL = selection([
    ("", "model"), ("particles", "bodies"), ("steps", "steps"), ("on one thread, s", "one thread [s]"),
    ("threads", "threads"), ("on these, s", "several [s]"), ("as chosen, s", "chosen [s]"),
    ("to one thread", "chosen / one"),
])
SCALE = selection([
    ("particles", "bodies"), ("ns per particle step", "least [ns/body-step]"), ("to the fewest", "to the fewest"),
    ("structure", "structure"),
])
SEARCH = selection([
    ("", "population"), ("particles", "bodies"), ("fastest that can be named", "fastest"),
    ("`auto` is", "auto is"), ("ms per step", "auto [ms/step]"), ("`auto` to the fastest", "auto / fastest"),
])
MEMORY = selection([
    ("", "population"), ("particles", "bodies"), ("bytes per particle", "bytes per body"),
    ("at most", "bytes per body at most"), ("whole process at most, MiB", "whole process at most [MiB]"),
])
OWN = {
    "steady": STEADY, "runs": RUNS, "threads": THREADS, "small-models": SMALL, "scale": SCALE, "search": SEARCH,
    "memory": MEMORY,
}


def tables(folder):
    """All tables that can be made of the figures there are, by name."""
    made = {}
    if (file := folder / "peers.json").exists():
        figures = json.loads(file.read_text())
        made["peers"], made["peers-short"] = peers(figures), peers_short(figures)
    if (file := folder / "jostle.json").exists():
        figures = json.loads(file.read_text())
        made["when"] = when_and_where(figures["machine"])
        made |= {name: table(figures[name]) for name, table in OWN.items() if name in figures}
    return made


def filled(text, made):
    """The text with its tables; one that cannot be made stays as it is."""

    def table(place):
        begin, name, old, end = place.groups()
        if name not in made:
            return place.group()
        new = made[name](old) if callable(made[name]) else made[name]
        return f"{begin}\n{new}\n\n{end}"

    return PLACE.sub(table, text)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--figures", type=pathlib.Path, default=ROOT / "data/speed", metavar="FOLDER")
    options.add_argument("--check", action="store_true")
    options.add_argument("files", nargs="*", type=pathlib.Path, default=[ROOT / name for name in FILES])
    asked = options.parse_args()
    made = tables(asked.figures)
    stale = []
    for path in asked.files:
        text = path.read_text()
        new = filled(text, made)
        if new != text:
            stale.append(str(path))
            if not asked.check:
                path.write_text(new)
    if stale:
        print(("out of date: " if asked.check else "written: ") + ", ".join(stale))
    if stale and asked.check:
        sys.exit("run benches/speed_table.py")


if __name__ == "__main__":
    main()
