"""jostle as a process of process-bigraph, to be composed with other simulators.

``pip install "jostle[bigraph]"`` installs what it needs.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from process_bigraph import Process

from .model import Model, load
from .simulation import Simulation, View

__all__ = ["JostleProcess"]


class JostleProcess(Process):  # type: ignore[misc]
    """A Brownian simulation that advances with the clock of a composite.

    Its configuration has

    ``model``
        The path of a model file, or the text of one.
    ``set``
        Values on top of it, by key: ``{"run.seed": "8"}``.
    ``unit_us``
        How long a unit of the composite's time is, in µs; 1 by default.
    ``out``
        The file to write (``.h5md``); none by default.

    It takes ``rates``, rates of rules by name (``{"dimerise": "0.2 um^2/s"}``), which hold from the
    next update on. It gives ``counts``, the particles of each species, ``time_us`` and
    ``largest_cluster``.

    Examples
    --------
    >>> from process_bigraph import Composite, allocate_core
    >>> core = allocate_core()
    >>> core.register_link("jostle", JostleProcess)
    >>> process = {
    ...     "_type": "process",
    ...     "address": "local:jostle",
    ...     "config": {"model": "models/reversible_binding.toml"},
    ...     "interval": 5.0,
    ...     "inputs": {"rates": ["rates"]},
    ...     "outputs": {"counts": ["counts"], "time_us": ["time_us"]},
    ... }
    >>> composite = Composite({"state": {"cell": process}}, core=core)
    >>> composite.run(10.0)
    >>> composite.state["time_us"], composite.state["counts"]["A"] <= 100
    (10.0, True)
    """

    config_schema = {
        "model": "string",
        "set": "map[string]",
        "unit_us": {"_type": "float", "_default": 1.0},
        "out": "string",
    }

    def initialize(self, config: Mapping[str, Any]) -> None:
        """Set the simulation up."""
        given = config["model"]
        values = dict(config.get("set") or {})
        model = load(given, set=values) if os.path.exists(given) else Model.from_toml(given)
        if values and not os.path.exists(given):
            model = model.replace(values)
        self.unit_us = float(config.get("unit_us") or 1.0)
        self.simulation = Simulation(model, config.get("out") or None)
        self.rates: dict[str, str] = {}

    def inputs(self) -> dict[str, str]:
        """The types of what it takes."""
        return {"rates": "map[string]"}

    def outputs(self) -> dict[str, str]:
        """The types of what it gives."""
        return {
            "counts": "overwrite[map[integer]]",
            "time_us": "overwrite[float]",
            "largest_cluster": "overwrite[integer]",
        }

    def initial_state(self) -> dict[str, Any]:
        """What it gives at the start."""
        return _given(self.simulation.view())

    def update(self, state: Mapping[str, Any], interval: float) -> dict[str, Any]:
        """Advance by an interval of the composite's time."""
        for rule, rate in (state.get("rates") or {}).items():
            if self.rates.get(rule) != rate:
                self.simulation.set_rate(rule, rate)
                self.rates[rule] = rate
        self.simulation.run(self.simulation.time_us + interval * self.unit_us)
        return _given(self.simulation.view())


def _given(view: View) -> dict[str, Any]:
    return {
        "counts": view.counts,
        "time_us": view.time_us,
        "largest_cluster": view.largest_cluster,
    }
