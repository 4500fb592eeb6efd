#!/usr/bin/env python3
"""Runs the same reversible binding in jostle, Smoldyn and ReaDDy, in turns, and writes docs/side_by_side.md.

    benches/side_by_side/compare.py --jostle env/bin/python --smoldyn env310/bin/python --readdy env/bin/python

Each program is given by a Python in which it is installed. Figures are written to data/side_by_side.json; the
table, the scripts and the line about the machine in the page are replaced."""

import argparse
import ast
import datetime
import io
import json
import math
import os
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import tokenize

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PAGE = ROOT / "docs" / "side_by_side.md"
FIGURES = ROOT / "data" / "side_by_side.json"
NAMES = {"jostle": "jostle", "smoldyn": "Smoldyn", "readdy": "ReaDDy"}

# The task, in µm and s: as in the scripts.
PARTNERS = 100
VOLUME = 0.55**3
K_ON = 0.166054
K_OFF = 100.0
MEASURED = 4.0 - 0.05

PRINTED = re.compile(r"^complexes: (\S+) ± (\S+)$", re.MULTILINE)
PLACE = re.compile(r"(<!-- side by side: (?!end)(\w+) -->\n).*?(<!-- side by side: end -->)", re.DOTALL)
# Tokens that make no line of code.
NO_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}


def exact():
    """The number of complexes in equilibrium, from the master equation of a well-mixed solution.

    A state with c complexes has the weight 1 / ((N - c)!² c! (K_D V)^c). The error of a mean over time follows
    from the integral of the correlation function, which is known for any chain of such states."""
    states = range(PARTNERS + 1)
    constant = K_OFF / K_ON * VOLUME
    logs = [-2 * math.lgamma(PARTNERS - c + 1) - math.lgamma(c + 1) - c * math.log(constant) for c in states]
    weights = [math.exp(log - max(logs)) for log in logs]
    chance = [weight / sum(weights) for weight in weights]
    mean = sum(c * p for c, p in zip(states, chance))
    variance = sum((c - mean) ** 2 * p for c, p in zip(states, chance))
    below, integral = 0.0, 0.0
    for c, p in zip(states, chance):
        below += (c - mean) * p
        # Rarer states contribute nothing but rounding errors.
        if p > 1e-12:
            integral += below**2 / (p * K_ON / VOLUME * (PARTNERS - c) ** 2)
    correlation_time = integral / variance
    samples = MEASURED / (2 * correlation_time)
    return {
        "complexes": mean,
        "standard deviation": math.sqrt(variance),
        "correlation time [s]": correlation_time,
        "independent samples per run": samples,
        "standard error of a run": math.sqrt(variance / samples),
    }


def lines_of_code(text):
    """Lines that are neither blank nor comments; the text at the head of a module or function counts as a comment."""
    described = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node) is not None:
            described |= set(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    used = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in NO_CODE:
            used |= set(range(token.start[0], token.end[0] + 1))
    return len(used - described)


def script(name):
    return HERE / f"{name}_binding.py"


def one_thread():
    return {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def version(name, python):
    command = [python, "-c", f"import {name}; print({name}.__version__)"]
    done = subprocess.run(command, env=one_thread(), capture_output=True, text=True, check=True)
    return done.stdout.split()[-1]


def processor_time():
    """Of all child processes that have ended. [s]"""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(name, python, seed):
    """One run in a process and a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        wall, processor = time.monotonic(), processor_time()
        command = [python, script(name), str(seed)]
        done = subprocess.run(command, cwd=folder, env=one_thread(), capture_output=True, text=True, check=False)
        wall, processor = time.monotonic() - wall, processor_time() - processor
    printed = PRINTED.search(done.stdout)
    if done.returncode or not printed:
        sys.exit(f"{name} failed: {done.stderr.strip()[-2000:]}")
    complexes, error = map(float, printed.groups())
    return {
        "seed": seed if name != "readdy" else None,
        "complexes": complexes,
        "standard error": error,
        "processor [s]": round(processor, 2),
        "wall [s]": round(wall, 2),
    }


def machine():
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines() if os.path.exists("/proc/cpuinfo") else []
    models = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"),
        "processor": models[0] if models else "unknown",
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 2),
    }


def table(figures):
    """The rows of the page."""
    truth = figures["exact"]["complexes"]
    lines = [
        "|  | lines of code | complexes | from the exact mean | processor, s | wall, s |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
        f"| exact |  | {truth:.2f} |  |  |  |",
    ]
    for name, program in figures["programs"].items():
        runs = program["runs"]
        mean = statistics.mean(run["complexes"] for run in runs)
        error = math.sqrt(sum(run["standard error"] ** 2 for run in runs)) / len(runs)
        away = f"{100 * (mean / truth - 1):+.1f} ± {100 * error / truth:.1f} %".replace("-", "−")
        seconds = [statistics.median(run[key] for run in runs) for key in ("processor [s]", "wall [s]")]
        cells = [NAMES[name], program["lines of code"], f"{mean:.2f} ± {error:.2f}", away]
        cells += [f"{value:.1f}" for value in seconds]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)


def measured_on(figures):
    """When, where and with what."""
    on, versions = figures["machine"], figures["versions"]
    programs = ", ".join(f"{NAMES[name]} {versions[name]}" for name in versions)
    return f"{on['date']}, {on['processor']}, {on['cores']} cores, load {on['load']} at the start; {programs}."


def page(text, figures):
    """The page with new figures."""
    parts = {"table": table(figures), "machine": measured_on(figures)}
    parts |= {name: f"```python\n{script(name).read_text().strip()}\n```" for name in NAMES}
    return PLACE.sub(lambda found: f"{found[1]}\n{parts[found[2]]}\n\n{found[3]}", text)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in NAMES:
        options.add_argument(f"--{name}", required=True, metavar="PYTHON", help=f"a Python that has {NAMES[name]}")
    options.add_argument("--rounds", type=int, default=3, help="runs of each program [default: 3]")
    options.add_argument("--build", default="", help="what to say about the build of jostle, after its version")
    options = options.parse_args()
    # A path is meant from here, although runs have their own folders; a link to a Python is not followed.
    pythons = {name: os.path.abspath(getattr(options, name)) for name in NAMES}
    figures = {
        "machine": machine(),
        "versions": {name: version(name, python) for name, python in pythons.items()},
        "exact": exact(),
        "programs": {name: {"lines of code": lines_of_code(script(name).read_text()), "runs": []} for name in NAMES},
    }
    if options.build:
        figures["versions"]["jostle"] += f" ({options.build})"
    for seed in range(1, options.rounds + 1):
        for name, python in pythons.items():
            figures["programs"][name]["runs"].append(run(name, python, seed))
            print(name, figures["programs"][name]["runs"][-1], file=sys.stderr, flush=True)
    FIGURES.write_text(json.dumps(figures, indent=1) + "\n")
    PAGE.write_text(page(PAGE.read_text(), figures))
    print(table(figures))


if __name__ == "__main__":
    main()
