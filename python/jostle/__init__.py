"""Brownian particle simulator for biology: hard spheres, exact first contacts, rules at contact.

A model is loaded from a file or built from its parts; it is run, and its output file answers
questions:

>>> import jostle
>>> model = jostle.load("models/reversible_binding.toml", set={"run.until": "20 us"})
>>> run = model.run("binding.h5md", progress=False)
>>> run.counts().to_pandas()  # doctest: +SKIP

Lengths are in nm and times in µs wherever a number has no unit, as the names of arguments and
columns say (``time_us``). Only tables of granular runs, gases and polygons are in mm, ms, m/s and J,
as their columns say (``time_ms``).
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

from . import _jostle

if TYPE_CHECKING:
    from . import measure as measure
    from .builders import *
    from .errors import Fault as Fault
    from .errors import JostleError as JostleError
    from .errors import ModelError as ModelError
    from .errors import PlacementError as PlacementError
    from .errors import ReadError as ReadError
    from .errors import RunError as RunError
    from .errors import StoppedError as StoppedError
    from .errors import SweepError as SweepError
    from .model import Model as Model
    from .model import load as load
    from .results import Results as Results
    from .runs import Job as Job
    from .runs import Rerun as Rerun
    from .runs import Run as Run
    from .runs import open as open
    from .runs import rerun as rerun
    from .runs import resume as resume
    from .simulation import Simulation as Simulation
    from .simulation import View as View
    from .sweep import Sweep as Sweep
    from .tables import Table as Table

__version__ = _jostle.version()

# What starts the runs of sweeps, which are processes of their own.
if sys.executable:
    _jostle.set_program([sys.executable, "-I", "-S", os.path.join(__path__[0], "program.py")])

if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_jostle.before_fork,
        after_in_parent=_jostle.after_fork,
        after_in_child=_jostle.after_fork_in_child,
    )

# Where each name is. They are looked up when they are first used: the program, which comes with the
# package, starts in a fraction of the time.
_HOMES = {
    "errors": [
        "Fault",
        "JostleError",
        "ModelError",
        "PlacementError",
        "ReadError",
        "RunError",
        "StoppedError",
        "SweepError",
    ],
    "model": ["Model", "load"],
    "results": ["Results"],
    "runs": ["Job", "Rerun", "Run", "open", "rerun", "resume"],
    "simulation": ["Simulation", "View"],
    "sweep": ["Sweep"],
    "tables": ["Table"],
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
_MODULES = ["bigraph", "builders", "errors", "measure", "progress"]


def __getattr__(name: str) -> Any:
    if name in _HOME_OF:
        value: Any = getattr(import_module(f".{_HOME_OF[name]}", __name__), name)
    elif name in _MODULES:
        value = import_module(f".{name}", __name__)
    elif name == "__all__":
        # `open` would take the place of Python's own.
        value = [name for name in __dir__() if name not in [*_MODULES, "open", "__version__"]]
    elif name.startswith("_"):
        raise AttributeError(f"module 'jostle' has no attribute {name!r}")
    else:
        builders = import_module(".builders", __name__)
        if name not in builders.__all__:
            raise AttributeError(f"module 'jostle' has no attribute {name!r}")
        value = getattr(builders, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    builders = import_module(".builders", __name__)
    return sorted({*_HOME_OF, *_MODULES, *builders.__all__, "__version__"})
