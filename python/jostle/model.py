"""Models: what a run starts from, checked when it is made and never changed."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from . import _jostle
from .builder import Builder
from .builders import Sections
from .check import Check, CheckWarning
from .errors import Fault, ModelError
from .quantities import Quantity, plain

if TYPE_CHECKING:
    from .progress import ProgressOption
    from .runs import Job, Run
    from .simulation import View

_jostle.log_to_python()

__all__ = ["Model", "load", "override_text"]

PathLike: TypeAlias = str | os.PathLike[str]

#: Sections that are lists, by the argument that takes them.
_SINGULAR = {
    "molecules": "molecule",
    "observables": "observable",
    "rules": "rule",
    "surfaces": "surface",
    "walls": "wall",
}
#: Stands for the file of a model that was built in Python.
_NO_FILE = "model"


def load(path: PathLike, set: Mapping[str, object] | None = None) -> Model:
    """Read and check a model file.

    Parameters
    ----------
    path : path-like
        The model file (TOML), or an output file (``.h5md``), whose model it is then.
    set : mapping, optional
        Values that go on top of the file, by key, as the program's ``--set`` takes them:
        ``{"run.seed": 8, "species.EGFR.radius": "3 nm"}``. A later one wins.

    Returns
    -------
    Model

    Raises
    ------
    ModelError
        If the file cannot be read or the model is refused; ``faults`` has all that is wrong, each
        with its line and key.
    ReadError
        If an output file cannot be read.

    Examples
    --------
    >>> import jostle
    >>> model = jostle.load("models/reversible_binding.toml", set={"run.seed": 8})
    >>> model.seed
    8
    """
    return Model._of(_jostle.ParsedModel.load(os.fspath(path), _overrides(set)))


class Model(Sections):
    """A model: what a model file says, checked when it is made, and never changed.

    It is made of the sections of a model file as arguments, read by :func:`jostle.load`, or changed
    by :meth:`replace`. Sections are builders (:mod:`jostle.builders`) or mappings with the same
    keys. Files that it names are sought from the folder of its own file, or from the working
    directory if it has none.

    Two models are equal if the same run follows from them: if they are the same written out in
    full (:attr:`resolved`). A model can be pickled. One that reads other files is pickled written
    out in full, so that it no longer needs them.

    Raises
    ------
    ModelError
        If the model is refused; ``faults`` has all that is wrong, each with its key.
    TypeError, ValueError
        If a value has no place in a model file at all.

    Examples
    --------
    >>> from jostle import Model, Species
    >>> model = Model(
    ...     space=dict(dimension=3, edges="40 nm"),
    ...     run=dict(timestep="1 ns", until="1 us"),
    ...     species=[Species("A", radius="1 nm", diffusion="10 um^2/s", count=20)],
    ... )
    >>> model.steps
    1000
    >>> model.replace(run={"until": "2 us"}).steps
    2000
    """

    __slots__ = ("_is_built", "parsed")

    #: The model in Rust.
    parsed: _jostle.ParsedModel
    _is_built: bool

    def _build(self, sections: dict[str, Any]) -> None:
        given = {key: value for key, value in sections.items() if value is not None}
        text = _jostle.written({key: plain(value, key) for key, value in given.items()})
        self._set(_told(lambda: _jostle.ParsedModel.parse(text, _NO_FILE, [])), is_built=True)

    def _set(self, parsed: _jostle.ParsedModel, *, is_built: bool) -> None:
        object.__setattr__(self, "parsed", parsed)
        object.__setattr__(self, "_is_built", is_built)

    @classmethod
    def _of(cls, parsed: _jostle.ParsedModel, *, is_built: bool = False) -> Model:
        model = cls.__new__(cls)
        model._set(parsed, is_built=is_built)
        return model

    @classmethod
    def from_toml(cls, text: str, folder: PathLike | None = None) -> Model:
        """Read and check the text of a model file.

        Parameters
        ----------
        text : str
            The text.
        folder : path-like, optional
            Where files that it names are sought; by default the working directory.

        Returns
        -------
        Model

        Raises
        ------
        ModelError
            If the model is refused.
        """
        name = _NO_FILE if folder is None else os.path.join(os.fspath(folder), _NO_FILE)
        return cls._of(_jostle.ParsedModel.parse(text, name, []))

    def replace(self, values: Mapping[str, object] | None = None, /, **sections: Any) -> Model:
        """Return a model with other values.

        Parameters
        ----------
        values : mapping, optional
            Values by key, as :func:`jostle.load` takes them: ``{"rule.pair_up.rate": "1 um^2/s"}``.
        **sections
            Sections by name. A mapping sets single keys and leaves the others as they are, at any
            depth: ``run={"seed": 8}``, ``rule={"pair_up": {"rate": "1 um^2/s"}}``. A builder, a
            list or another value takes the place of what was there.

        Returns
        -------
        Model
            Checked as a whole. A key displaces those that mean the same: ``until`` displaces
            ``steps``.

        Raises
        ------
        ModelError
            If the result is refused.

        Examples
        --------
        >>> import jostle
        >>> model = jostle.load("models/reversible_binding.toml")
        >>> model.replace({"run.seed": 8}) == model.replace(run={"seed": 8})
        True
        """
        more = _overrides(values)
        for name, value in sections.items():
            # What has no place in a model file is told by its key, before it is taken apart.
            plain(value, name)
            more += _flat(_SINGULAR.get(name, name), value)

        def changed() -> _jostle.ParsedModel:
            return self.parsed.with_overrides(more)

        return self._of(_told(changed) if self._is_built else changed(), is_built=self._is_built)

    @property
    def title(self) -> str:
        """The title; may be empty."""
        return self.parsed.title

    @property
    def toml(self) -> str:
        """The model as the text of a model file.

        For a model that was read and not changed it is the file's own text, with its comments.
        """
        return self.parsed.edited() if self.parsed.overrides else self.parsed.text

    @property
    def resolved(self) -> str:
        """Everything that applies as TOML, defaults included, in nm and µs.

        What other files say is in it. The same model can be read from it again.
        """
        return self.parsed.resolved

    @property
    def overrides(self) -> dict[str, str]:
        """What was set on top of the text, by key, as TOML."""
        return dict(self.parsed.overrides)

    @property
    def path(self) -> Path | None:
        """The file that it was read from."""
        return None if self.parsed.path is None else Path(self.parsed.path)

    @property
    def files(self) -> tuple[Path, ...]:
        """Other files that it reads: positions, meshes."""
        return tuple(dict.fromkeys(map(Path, self.parsed.files)))

    @property
    def engine(self) -> str:
        """The engine that runs it: ``brownian``, ``granular``, ``polygons`` or ``gas``."""
        return self.parsed.engine

    @property
    def dimension(self) -> int:
        """The number of dimensions: 1, 2 or 3."""
        return self.parsed.dimension

    @property
    def seed(self) -> int:
        """The seed of all random numbers."""
        return self.parsed.seed

    @property
    def steps(self) -> int:
        """The length of the run, in time steps."""
        return self.parsed.steps

    @property
    def timestep_us(self) -> float:
        """The time step, in µs; in granular models the time between two frames."""
        return self.parsed.timestep_us

    @property
    def until_us(self) -> float:
        """The length of the run, in µs."""
        return self.parsed.until_us

    @property
    def species(self) -> tuple[str, ...]:
        """The names of the species; each state is a species of its own, ``Receptor{bare}``."""
        return tuple(self.parsed.species)

    @property
    def counts(self) -> dict[str, int]:
        """How many particles of each species there are at the start."""
        return dict(zip(self.parsed.species, self.parsed.counts, strict=True))

    @property
    def rules(self) -> tuple[str, ...]:
        """The names of the rules and of the entries of the schedule, as results have them."""
        return tuple(self.parsed.rules)

    @property
    def warnings(self) -> tuple[CheckWarning, ...]:
        """What looks wrong with the model itself; :meth:`check` has more, after a trial."""
        return tuple(CheckWarning(text, key) for key, text in self.parsed.warnings())

    def to_dict(self) -> dict[str, Any]:
        """Return the sections of the model file.

        Returns
        -------
        dict
            With nothing but str, int, float, bool, list and dict inside: ``Model(**sections)`` makes
            the same model of it.
        """
        return tomllib.loads(self.parsed.edited())

    def check(self) -> Check:
        """Say what a run will be like, without running it: as ``jostle check`` does.

        Places the particles and tries some steps, for a second or so.

        Returns
        -------
        Check
            Warnings, probabilities at contact, the time that the run will take, its memory and its
            file.

        Raises
        ------
        PlacementError
            If the particles cannot be placed.
        """
        return Check.of(_told(self.parsed.check) if self._is_built else self.parsed.check())

    def save(self, path: PathLike, *, overwrite: bool = False) -> Path:
        """Write the model as a file that ``jostle run`` takes.

        Parameters
        ----------
        path : path-like
            The file.
        overwrite : bool
            Whether a file that is there may be replaced.

        Returns
        -------
        pathlib.Path
            The file.

        Raises
        ------
        FileExistsError
            If there is such a file already.
        ModelError
            If the model reads other files that are not found from there.
        """
        target = Path(path)
        if target.suffix == ".h5md":
            raise ValueError(f"{target}: .h5md is for results; a model file ends in .toml")
        text = self.toml
        if self.files:
            self._check_files(text, target)
        if overwrite:
            target.write_text(text, encoding="utf-8", newline="")
        else:
            with target.open("x", encoding="utf-8", newline="") as file:
                file.write(text)
        return target

    def _check_files(self, text: str, target: Path) -> None:
        """Refuse a place from which other files are not found, or other ones."""
        try:
            there = _jostle.ParsedModel.parse(text, str(target), []).resolved
        except ModelError as error:
            why = str(error)
        else:
            if there == self.resolved:
                return
            why = "a file of the same name there has other contents"
        files = ", ".join(map(str, self.files))
        raise ModelError(
            f"{target}: the model reads {files}, which it would not find from there; save it in the "
            f"same folder as before, or save Model.from_toml(model.resolved), which needs no other "
            f"file ({why})"
        )

    def run(
        self,
        out: PathLike | None = None,
        *,
        threads: int | None = None,
        every: tuple[Quantity, Callable[[View], object]] | None = None,
        overwrite: bool = False,
        self_check: bool = False,
        checkpoint: str = "10 min",
        progress: ProgressOption = None,
    ) -> Run:
        """Run the model to its end, and write everything into a file.

        The run does not hold the GIL. Ctrl-C stops it at the end of the step, keeps the file and a
        checkpoint, and raises :class:`KeyboardInterrupt`; :func:`jostle.resume` continues it.

        Parameters
        ----------
        out : path-like, optional
            The file to write (``.h5md``). Without it, the file is a temporary one, which is removed
            when Python ends.
        threads : int, optional
            The number of threads; results do not depend on it.
        every : (quantity, callable), optional
            A time and a function that is called with a view of the state at each multiple of it:
            ``("5 ms", look)``. It cannot change the run. An exception in it stops the run as Ctrl-C
            does: the file is whole, and the run can be resumed.
        overwrite : bool
            Whether a file that is there may be replaced.
        self_check : bool
            Whether to check the state from time to time.
        checkpoint : str
            How often to write a checkpoint: ``"10 min"``, ``"1000 steps"``, ``"stops"`` (only when
            the run is stopped) or ``"never"``.
        progress : bool, callable or None
            Whether to show progress; see :data:`jostle.progress.ProgressOption`.

        Returns
        -------
        Run
            The results.

        Raises
        ------
        PlacementError
            If the particles cannot be placed.
        RunError
            If the run fails, or the file is there already.
        KeyboardInterrupt
            If it is stopped by Ctrl-C, after everything has been kept.
        """
        from . import runs

        return runs.run(
            self._on(threads),
            out,
            overwrite=overwrite,
            self_check=self_check,
            checkpoint=checkpoint,
            progress=progress,
            every=every,
        )

    def start(
        self,
        out: PathLike,
        *,
        threads: int | None = None,
        overwrite: bool = False,
        self_check: bool = False,
        checkpoint: str = "10 min",
    ) -> Job:
        """Start a run, which continues while Python does other things.

        When this returns, the particles have been placed and the file can be opened.

        Parameters
        ----------
        out : path-like
            The file to write (``.h5md``).
        threads : int, optional
            The number of threads; results do not depend on it.
        overwrite : bool
            Whether a file that is there may be replaced.
        self_check : bool
            Whether to check the state from time to time.
        checkpoint : str
            How often to write a checkpoint, as for :meth:`run`.

        Returns
        -------
        Job
            Shows how far it is, stops it, waits for it.

        Raises
        ------
        PlacementError
            If the particles cannot be placed.
        RunError
            If the run cannot begin: the file is there already, or cannot be written.
        """
        from . import runs

        return runs.start(
            self._on(threads),
            out,
            overwrite=overwrite,
            self_check=self_check,
            checkpoint=checkpoint,
        )

    def _on(self, threads: int | None) -> Model:
        return self if threads is None else self.replace({"run.threads": threads})

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("a Model never changes; replace() gives one with other values")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("a Model never changes; replace() gives one with other values")

    def __copy__(self) -> Model:
        return self

    def __deepcopy__(self, memo: object) -> Model:
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and self.resolved == other.resolved

    def __hash__(self) -> int:
        return hash(self.resolved)

    def __reduce__(self) -> tuple[Any, ...]:
        parsed = self.parsed
        if parsed.files:
            return (_restored, (parsed.resolved, _NO_FILE, [], parsed.path, self._is_built))
        source = (parsed.text, parsed.name, parsed.overrides, parsed.path)
        return (_restored, (*source, self._is_built))

    def __repr__(self) -> str:
        title = f"{self.title!r}, " if self.title else ""
        count = sum(self.counts.values())
        where = "" if self.path is None else f", from {str(self.path)!r}"
        return (
            f"<Model {title}{self.engine}, {self.dimension}D, {count} particles of "
            f"{len(self.species)} species, {len(self.rules)} rules, {self.steps} steps{where}>"
        )

    def _repr_html_(self) -> str:
        from .modelpage import table

        return table(self)


def _restored(
    text: str, name: str, overrides: list[tuple[str, str]], path: str | None, is_built: bool
) -> Model:
    """Make a model again of what was pickled."""
    return Model._of(_jostle.ParsedModel.parse(text, name, overrides, path), is_built=is_built)


def _told(make: Callable[[], Any]) -> Any:
    """Tell the faults of a model that was built by their keys: there are no lines to look up."""
    try:
        return make()
    except ModelError as error:
        faults = [Fault(fault.key, fault.message) for fault in error.faults]
        if not faults:
            raise
        raise type(error)("\n".join(map(str, faults)), faults) from None


def override_text(key: str, value: object) -> str:
    """Write a value that is set on top of a model as TOML in one line."""
    if not isinstance(key, str):
        raise TypeError(f"a key is text such as 'run.seed', not {type(key).__qualname__}")
    return _jostle.inline(plain(value, key))


def _overrides(values: Mapping[str, object] | None) -> list[tuple[str, str]]:
    if values is None:
        return []
    if not isinstance(values, Mapping):
        raise TypeError(
            f"values that are set are a mapping such as {{'run.seed': 8}}, not "
            f"{type(values).__qualname__}"
        )
    return [(key, override_text(key, value)) for key, value in values.items()]


def _flat(key: str, value: object) -> Iterator[tuple[str, str]]:
    """The single keys that nested mappings set."""
    if isinstance(value, Mapping) and not isinstance(value, Builder) and value:
        for name, entry in value.items():
            if not isinstance(name, str):
                raise TypeError(f"{key}: the keys of a table are text, not {name!r}")
            yield from _flat(f"{key}.{name}", entry)
    else:
        yield key, override_text(key, value)
