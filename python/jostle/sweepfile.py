"""The sweep file, written from Python's arguments; what is in it is checked by the program."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from . import _jostle
from .measures import Measure, bare
from .quantities import Plain, plain

if TYPE_CHECKING:
    from .model import Model

__all__ = ["Design", "SweepFile"]

#: Points: the path of a CSV file, one mapping for each point, or a data frame.
Design: TypeAlias = str | os.PathLike[str] | Iterable[Mapping[str, Any]] | Any

# Names within the folder of a sweep file.
_NAME = "sweep.toml"
_POINTS = "points.csv"


@dataclass(frozen=True)
class SweepFile:
    """A sweep file with all that it names.

    Attributes
    ----------
    text : str
        The file itself.
    model : Model
        The model.
    points : bytes or None
        The table of points that the file names, if it does.
    """

    text: str
    model: Model
    points: bytes | None

    @classmethod
    def of(
        cls,
        model: Model,
        *,
        replicas: object,
        seed: object,
        seeds: object,
        axes: Mapping[str, object] | None,
        together: Mapping[str, object] | Sequence[Mapping[str, object]],
        points: Design | None,
        measure: object,
        precision: Mapping[str, object] | None,
        keep: object,
        task: Mapping[str, object] | None,
    ) -> SweepFile:
        """Write a sweep file; see :class:`jostle.Sweep`."""
        sweep = {
            "model": f"model/{_stem(model)}.toml",
            "seed": seed,
            "replicas": replicas,
            "seeds": seeds,
        }
        sections = [_section("[sweep]", sweep, "")]
        if axes:
            sections.append(_section("[axes]", _mapping(axes, "axes"), "axes"))
        for table in [together] if isinstance(together, Mapping) else together:
            sections.append(_section("[[together]]", _mapping(table, "together"), "together"))
        if points is not None:
            sections.append(_section("[points]", {"file": _POINTS}, "points"))
        sections += [one.toml + "\n" for one in _measures(measure)]
        if precision is not None:
            sections.append(_section("[precision]", _mapping(precision, "precision"), "precision"))
        keys = keep if isinstance(keep, Mapping) else {"files": keep}
        if keys != {"files": "none"}:
            sections.append(_section("[keep]", keys, "keep"))
        if task:
            sections.append(_section("[task]", _mapping(task, "task"), "task"))
        table_of_points = None if points is None else _csv(points)
        return cls("\n".join(sections), model, table_of_points)

    def write(self, folder: Path) -> Path:
        """Write the file, its model and its points into a folder."""
        file = folder / _NAME
        file.write_text(self.text, encoding="utf-8", newline="")
        if self.points is not None:
            (folder / _POINTS).write_bytes(self.points)
        models = folder / "model"
        models.mkdir()
        text = _model_text(self.model)
        (models / f"{_stem(self.model)}.toml").write_text(text, encoding="utf-8", newline="")
        return file

    def digest(self) -> str:
        """A short name for what the sweep is: a hash of all that it follows from."""
        digest = blake2b(digest_size=4)
        texts = [_jostle.version(), self.text, _model_text(self.model)]
        parts = [*(text.encode() for text in texts), self.points or b""]
        for part in parts:
            digest.update(len(part).to_bytes(8, "little"))
            digest.update(part)
        return digest.hexdigest()

    def default_folder(self) -> Path:
        """Where the sweep is planned unless it is said: in the current folder."""
        return Path.cwd() / f"{_stem(self.model)}_sweep_{self.digest()}"


def _model_text(model: Model) -> str:
    """The text of a model: written out in full if it reads other files, so that it needs none."""
    return model.resolved if model.files else model.toml


def _stem(model: Model) -> str:
    """A name for the files of a model: that of its own file, or its title."""
    if model.path is not None:
        return Path(model.path).stem
    words = "".join(c if c.isascii() and c.isalnum() else " " for c in model.title.lower()).split()
    return "_".join(words)[:40].strip("_") or "model"


def _section(head: str, keys: Mapping[str, object], place: str) -> str:
    lines = (f"{_key(key, place)} = {_value(value, key, place)}\n" for key, value in keys.items())
    return f"{head}\n" + "".join(lines)


def _key(key: object, place: str) -> str:
    if not isinstance(key, str):
        raise TypeError(f"{place}: a key is text, such as 'species.A.count', not {key!r}")
    return bare(key)


def _value(value: object, key: str, place: str) -> str:
    name = f"{place}.{key}" if place else key
    return _jostle.inline(plain(value, name))


def _mapping(given: object, name: str) -> Mapping[str, object]:
    if not isinstance(given, Mapping):
        raise TypeError(f"{name}: a mapping from keys to values is needed, not {given!r}")
    return given


def _measures(given: object) -> list[Measure]:
    if isinstance(given, Measure | str | Mapping):
        return [Measure.of(given)]
    if not isinstance(given, Iterable):
        raise TypeError(f"measure: a sequence of measures is needed, not {given!r}")
    return [Measure.of(one) for one in given]


def _csv(points: Design) -> bytes:
    """The table of points as a CSV file."""
    if isinstance(points, str | os.PathLike):
        return Path(points).read_bytes()
    rows = list(_rows(points))
    if not rows:
        raise ValueError("points: there is none")
    keys = list(rows[0])
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(keys)
    for n, row in enumerate(rows):
        if set(row) != set(keys):
            raise ValueError(
                f"points[{n}] sets {', '.join(map(str, row))}, but points[0] sets "
                f"{', '.join(map(str, keys))}"
            )
        writer.writerow([_cell(plain(row[key], f"points[{n}].{key}")) for key in keys])
    return text.getvalue().encode()


def _rows(points: Any) -> Iterable[Mapping[str, Any]]:
    """The rows of a data frame of pandas or polars, or of a sequence of mappings."""
    for rows in ("iter_rows", "to_dict"):
        method = getattr(points, rows, None)
        if callable(method):
            found = method(named=True) if rows == "iter_rows" else method("records")
            return list(found)
    if isinstance(points, Mapping) or not isinstance(points, Iterable):
        raise TypeError(
            "points: the path of a CSV file, a sequence of mappings or a data frame is needed, "
            f"not {points!r}"
        )
    found = list(points)
    for n, row in enumerate(found):
        _mapping(row, f"points[{n}]")
    return found


def _cell(value: Plain) -> str:
    """A value as ``--set`` takes it."""
    return value if isinstance(value, str) else _jostle.inline(value)
