"""Runs that the tests of results ask, and what the program says of them."""

from __future__ import annotations

import csv
import json
import math
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import jostle

MODELS = Path(__file__).resolve().parents[2] / "models"

#: Short runs of all engines: the model, and what is set on top of it.
RUNS: dict[str, dict[str, str]] = {
    "reversible_binding": {"run.until": "100 us", "output.log": "all"},
    "egfr_clustering": {"run.until": "400 us", "output.every": "50 us", "output.log": "all"},
    "condensate": {"run.until": "1 us", "output.every": "100 ns"},
    "shaker_monosized": {"run.until": "60 ms", "output.log": "all"},
    "hopper_polygons": {"run.until": "20 ms", "output.log": "all"},
    "disk_gas": {"run.until": "4 ms"},
}


def made(name: str, folder: Path) -> jostle.Run:
    """Run one of these models."""
    model = jostle.load(MODELS / f"{name}.toml", set=RUNS[name])
    return model.run(folder / f"{name}.h5md", progress=False)


def program(*words: object) -> str:
    """What the program prints."""
    line = [sys.executable, "-m", "jostle", *map(str, words)]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return done.stdout


def agree(rows: Iterable[Mapping[str, Any]], text: str) -> int:
    """Compare a table with what the program prints with --format json; returns the number of rows."""
    mine, theirs = list(rows), json.loads(text)
    assert len(mine) == len(theirs)
    for own, other in zip(mine, theirs, strict=True):
        assert list(own) == list(other)
        for name, value in own.items():
            # JSON knows no infinity, and a column of words has words only.
            if isinstance(value, float) and not math.isfinite(value):
                assert other[name] is None
            elif isinstance(value, str):
                assert value == str(other[name])
            else:
                assert value == other[name], name
    return len(mine)


def rows_of(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file."""
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))
