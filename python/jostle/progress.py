"""How far a run is: a bar, a line, or a function of the user's."""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

__all__ = ["Progress", "ProgressOption"]


@dataclass(frozen=True)
class Progress:
    """How far a run is.

    Attributes
    ----------
    step : int
        Steps done; of a granular run or a gas, output intervals; of a sweep, runs.
    steps : int
        Steps of the whole run, or runs of the sweep.
    time_us : float
        The time that has been reached, in µs; 0 of a sweep.
    """

    step: int
    steps: int
    time_us: float

    @property
    def fraction(self) -> float:
        """The part that is done, between 0 and 1."""
        return self.step / self.steps if self.steps else 1.0


ProgressOption: TypeAlias = bool | Callable[[Progress], object] | None
"""True or False; a function that is called with a :class:`Progress` several times per second; or
None, which shows progress in a notebook and on a terminal only."""


def in_notebook() -> bool:
    """Whether this is a notebook, whose output is a page."""
    shell = sys.modules.get("IPython")
    if shell is None:
        return False
    running: Any = shell.get_ipython()
    return running is not None and type(running).__name__ == "ZMQInteractiveShell"


class Display:
    """Shows how far a run is, as the option says; to be used in a ``with`` statement.

    Parameters
    ----------
    option : bool, callable or None
        See :data:`ProgressOption`.
    what : str
        What is running, for the label of a bar.
    unit : str
        What is counted.
    """

    def __init__(self, option: ProgressOption, what: str, unit: str = " steps") -> None:
        if option is None:
            option = in_notebook() or sys.stderr.isatty()
        if not (isinstance(option, bool) or callable(option)):
            raise TypeError(f"progress: found {option!r}; give True, False or a function")
        self._tell = option if callable(option) else None
        self._bar: Any = None
        self._line: _Line | None = None
        if option is True:
            self._bar = _bar(what, unit)
            if self._bar is None:
                self._line = _Line(what)

    @property
    def callback(self) -> Callable[[int, float, int], None] | None:
        """What `_jostle` calls; None if nothing is to be shown."""
        shows = self._tell is not None or self._bar is not None or self._line is not None
        return self._show if shows else None

    def _show(self, step: int, time_us: float, steps: int) -> None:
        if self._tell is not None:
            self._tell(Progress(step, steps, time_us))
        if self._bar is not None:
            self._bar.total = steps
            # Millions of steps are written as 1.23M; a few runs have no decimals.
            self._bar.unit_scale = steps >= 10_000
            self._bar.update(step - self._bar.n)
        if self._line is not None:
            self._line.show(Progress(step, steps, time_us))

    def __enter__(self) -> Display:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if self._bar is not None:
            if kind is None and self._bar.total:
                self._bar.update(self._bar.total - self._bar.n)
            self._bar.close()
        if self._line is not None:
            self._line.close()


def _bar(what: str, unit: str) -> Any:
    """A bar of tqdm, if that is installed."""
    try:
        with warnings.catch_warnings():
            # Without ipywidgets, tqdm says so, and draws its bar as text.
            warnings.simplefilter("ignore")
            from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm(total=None, desc=what, unit=unit)


class _Line:
    """A line on standard error that is written again and again."""

    PAUSE_S = 0.5

    def __init__(self, what: str) -> None:
        self._what = what
        self._begun = time.monotonic()
        self._shown = self._begun
        self._is_open = False

    def show(self, progress: Progress) -> None:
        now = time.monotonic()
        if now - self._shown < self.PAUSE_S or progress.step == 0:
            return
        self._shown = now
        left = (now - self._begun) * (1 / progress.fraction - 1)
        text = f"{self._what}: {100 * progress.fraction:3.0f} %, {left:.0f} s left"
        sys.stderr.write(f"\r{text:<70}")
        sys.stderr.flush()
        self._is_open = True

    def close(self) -> None:
        if self._is_open:
            sys.stderr.write("\n")
            sys.stderr.flush()
