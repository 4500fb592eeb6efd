"""A small sweep, by the program and by Python: what the tests of sweeps and executors share."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import jostle

MODEL = """title = "Receptors"
[space]
dimension = 2
edges = "200 nm"
[run]
timestep = "1 us"
steps = 400
[[species]]
name = "A"
radius = "2.5 nm"
diffusion = "0.05 um^2/s"
count = 40
[[rule]]
name = "pair"
on = ["A", "A"]
do = "bind"
merge = "bond"
rate = "0.28 um^2/s"
unbind = "5 /s"
[output]
frame_every = 40
"""

ARGUMENTS: dict[str, Any] = {
    "axes": {"rule.pair.rate": ["0.3 um^2/s", "1 um^2/s"]},
    "replicas": 4,
    "seed": 11,
    "measure": [jostle.measure.sizes(start="40 us"), jostle.measure.rates()],
    "task": {"replicas": 2},
}

Tables = dict[str, bytes]


def model_in(folder: Path, text: str = MODEL) -> Path:
    """The model as a file."""
    path = folder / "receptors.toml"
    path.write_text(text)
    return path


def sweep_in(folder: Path, **arguments: Any) -> jostle.Sweep:
    """The sweep with some other arguments, planned in the folder `sweep`."""
    return jostle.Sweep(model_in(folder), **{**ARGUMENTS, **arguments}, folder=folder / "sweep")


def long_sweep_in(folder: Path, **arguments: Any) -> jostle.Sweep:
    """Eight runs of a good while each, in four tasks."""
    axes = {**ARGUMENTS["axes"], "run.steps": [16000]}
    return sweep_in(folder, axes=axes, **arguments)


def saved(results: jostle.Results, folder: Path) -> Tables:
    """All merged tables, as the files that they are saved in."""
    tables = {}
    for name in results:
        for ending in ("csv", "parquet"):
            path = folder / f"{name}.{ending}"
            results.save(path, name, overwrite=True)
            tables[path.name] = path.read_bytes()
    return tables


def program(folder: Path, *arguments: str) -> str:
    """What the program prints, which has to end well."""
    command = [sys.executable, "-m", "jostle", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def saved_by_program(folder: Path, names: list[str]) -> Tables:
    """The same tables as the program writes them."""
    tables = {}
    for name in names:
        for ending in ("csv", "parquet"):
            file = f"{name}.{ending}"
            program(folder, "sweep", "merge", "sweep", name, "--out", file, "--force")
            tables[file] = (folder / file).read_bytes()
    return tables
