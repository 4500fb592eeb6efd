"""What is foretold of a run."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Check", "CheckWarning", "RuleCheck"]


@dataclass(frozen=True)
class CheckWarning:
    """Something that looks wrong with a model, or is easily misunderstood.

    Attributes
    ----------
    text : str
        A sentence about it.
    key : str
        The table or key that it concerns (``species.EGFR``); empty if it concerns the model as a
        whole.
    """

    text: str
    key: str = ""

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class RuleCheck:
    """What a reaction at contact amounts to at the time step of the model.

    What is not known before the run is None, since it depends on the particles that a particle
    arises from.

    Attributes
    ----------
    rule : str
        The name of the rule.
    pairs : tuple of (str, str)
        The pairs of species for which all of this holds.
    dimension : int
        In how many dimensions they meet, d: on one surface, in one less than the box has.
    given : str
        Which of ``"rate"``, ``"k_on"`` and ``"probability"`` the model says.
    probability : float or None
        The probability of the reaction at each contact.
    impossible : str or None
        Why there is no such probability: the model cannot be run as it is.
    k_a : float or None
        The intrinsic rate constant, in nm^d/µs.
    k_on : float or None
        The macroscopic rate constant in 3D, in nm³/µs.
    unbinding : float or None
        The rate at which what the rule binds falls apart, in 1/µs: k_off if `given` is ``"k_on"``,
        otherwise k_d.
    unbinding_correction : float or None
        The factor by which unbinding is slowed so that the equilibrium is right at this time step.
    step_over_distance : float or None
        The rms relative step of the pair, over the distance of their centres at contact.
    calibrated_up_to : float or None
        The largest such ratio for which rates are calibrated.
    largest_timestep_us : float or None
        The longest time step at which the rate is possible, in µs.
    """

    rule: str
    pairs: tuple[tuple[str, str], ...]
    dimension: int
    given: str
    probability: float | None
    impossible: str | None
    k_a: float | None
    k_on: float | None
    unbinding: float | None
    unbinding_correction: float | None
    step_over_distance: float | None
    calibrated_up_to: float | None
    largest_timestep_us: float | None


@dataclass(frozen=True)
class Check:
    """What a run of a model will be like, after a few steps of it have been tried.

    Written out (``print``), it is the text of ``jostle check``. Times and memory are estimates for
    the machine that it was made on.

    Attributes
    ----------
    warnings : tuple of CheckWarning
        What looks wrong.
    fault : str or None
        Why the model cannot be run as it is.
    rules : tuple of RuleCheck
        What each reaction at contact amounts to.
    counts : mapping of str to int
        How many particles of each species there are at the start.
    packing_fraction : float
        The share of the volume, area or length that particles fill.
    step_nm : float or None
        The rms step per axis of the fastest species, in nm; None without diffusion.
    step_over_radius : float or None
        The same over the smallest radius.
    search : str
        The search structure, as it describes itself.
    contacts_per_step : float
        How many contacts between particles there are in a step.
    wall_contacts_per_step : float
        How many contacts with walls and surfaces there are in a step.
    events : mapping of str to float
        How often each rule will apply in the whole run, if all is well mixed. Pairs that come
        apart and bind again at once are not counted.
    seconds : float or None
        What the run will take, in s; None if the first step takes too long to tell.
    seconds_per_step : float or None
        What a step takes, in s.
    threads : tuple of (int, float)
        Numbers of threads that were tried, and what a step takes on each, in s.
    memory_bytes : float
        The memory that the run will take.
    file_bytes : float or None
        The size that the output file will have; None where that is not known.
    text : str
        The same in words.
    """

    warnings: tuple[CheckWarning, ...]
    fault: str | None
    rules: tuple[RuleCheck, ...]
    counts: Mapping[str, int]
    packing_fraction: float
    step_nm: float | None
    step_over_radius: float | None
    search: str
    contacts_per_step: float
    wall_contacts_per_step: float
    events: Mapping[str, float]
    seconds: float | None
    seconds_per_step: float | None
    threads: tuple[tuple[int, float], ...]
    memory_bytes: float
    file_bytes: float | None
    text: str

    @classmethod
    def of(cls, figures: Mapping[str, Any]) -> Check:
        """Make one of the figures that the library foretells."""
        values = dict(figures)
        values["warnings"] = tuple(CheckWarning(text, key) for key, text in values["warnings"])
        values["rules"] = tuple(
            RuleCheck(**{**rule, "pairs": tuple(rule["pairs"])}) for rule in values["rules"]
        )
        values["threads"] = tuple(values["threads"])
        return cls(**values)

    @property
    def ok(self) -> bool:
        """Whether nothing looks wrong."""
        return not self.warnings and self.fault is None

    def __str__(self) -> str:
        return self.text.rstrip("\n")

    def __repr__(self) -> str:
        return f"<Check: {self._summary()}>"

    def _summary(self) -> str:
        parts = []
        if self.step_over_radius is not None:
            parts.append(f"step {self.step_over_radius:.2g} r")
        known = [rule.probability for rule in self.rules if rule.probability is not None]
        if known:
            least, most = min(known), max(known)
            several = "" if least == most else f" to {most:.2g}"
            parts.append(f"p = {least:.2g}{several}")
        if self.seconds is not None:
            parts.append(f"{self.seconds:.2g} s")
        parts.append(f"{self.memory_bytes / 1e9:.2g} GB")
        if self.file_bytes is not None:
            parts.append(f"{self.file_bytes / 1e6:.2g} MB file")
        count = len(self.warnings)
        parts.append(f"{count} warning{'' if count == 1 else 's'}" if count else "no warnings")
        if self.fault is not None:
            parts.append("cannot be run")
        return ", ".join(parts)

    def _repr_html_(self) -> str:
        marks = [
            f'<div style="color: #b00020">&#9888; {html.escape(text)}</div>'
            for text in ([self.fault] if self.fault else []) + [w.text for w in self.warnings]
        ]
        summary = f"<div><b>{html.escape(self._summary())}</b></div>"
        text = f'<pre style="font-size: 90%">{html.escape(str(self))}</pre>'
        return f"{summary}{''.join(marks)}<details><summary>all of it</summary>{text}</details>"
