"""What a sweep measures of each run: one function for each analysis, with its options.

Each function returns a :class:`Measure` for the argument ``measure`` of :class:`jostle.Sweep`, and
does nothing else: what it says goes into a ``[[measure]]`` of the sweep file. The methods of
:class:`jostle.Run` with the same names measure a single run. The file is written by
``python/tools/generate.py``.

Most take these:

start, end : quantity, optional
    The keys ``from`` and ``to`` of the file: only data from this time on, and up to this time, are
    used. Times and lengths are texts with a unit (``"10 ms"``), numbers with units, or plain
    numbers in µs and nm.
species : str or sequence of str, optional
    Only these species; ``"EGFR"`` means any of its states.
name : str, optional
    What is put in front of the names of the tables, so that one analysis can be done twice
    (``late_sizes``).

>>> import jostle
>>> print(jostle.measure.sizes(start="10 ms", name="late").toml)
[[measure]]
what = "sizes"
name = "late"
from = "10 ms"
"""

from __future__ import annotations

from typing import Literal

from .measures import Measure, Names, measured
from .measures_log import contact_log
from .quantities import Quantity, Whole

__all__ = [
    "Measure",
    "contact_log",
    "contacts",
    "counts",
    "density",
    "displacement",
    "energy",
    "first_passage",
    "forces",
    "impacts",
    "jumps",
    "lifetimes",
    "observables",
    "polymers",
    "pressure",
    "rates",
    "rdf",
    "sites",
    "sizes",
    "stress",
    "survival",
    "transitions",
]


def counts(
    *,
    start: Quantity | None = None,
    end: Quantity | None = None,
    species: Names | None = None,
    inside: Names | None = None,
    outside: Names | None = None,
    above: Names | None = None,
    below: Names | None = None,
    name: str | None = None,
) -> Measure:
    """Numbers of particles of each species over time, and their averages.

    Parameters
    ----------
    start, end, species, name
        See the top of the module.
    inside, outside, above, below : str or sequence of str, optional
        Only on these sides of surfaces of the model, all of them together.

    Returns
    -------
    Measure
        Of the tables ``counts`` (errors by blocking) and ``counts_over_time``.
    """
    given = {
        "start": start,
        "end": end,
        "species": species,
        "inside": inside,
        "outside": outside,
        "above": above,
        "below": below,
    }
    return measured("counts", name, given)


def contacts(
    *,
    start: Quantity | None = None,
    end: Quantity | None = None,
    species: Names | None = None,
    name: str | None = None,
) -> Measure:
    """Contacts in the log by pair of species and outcome.

    Parameters
    ----------
    start, end, name
        See the top of the module.
    species : str or sequence of str, optional
        Only contacts of these species.

    Returns
    -------
    Measure
        Of the table ``contacts``.
    """
    given = {"start": start, "end": end, "species": species}
    return measured("contacts", name, given)


def observables(
    *, start: Quantity | None = None, end: Quantity | None = None, name: str | None = None
) -> Measure:
    """What each observable of the model counts over time, and its average.

    Parameters
    ----------
    start, end, name
        See the top of the module.

    Returns
    -------
    Measure
        Of the tables ``observables`` and ``observables_over_time``.
    """
    given = {"start": start, "end": end}
    return measured("observables", name, given)


def sites(
    *,
    start: Quantity | None = None,
    end: Quantity | None = None,
    species: Names | None = None,
    pattern: Names | None = None,
    name: str | None = None,
) -> Measure:
    """In models with sites: states of sites, how many are bound, how many bonds molecules have.

    Parameters
    ----------
    start, end, species, name
        See the top of the module.
    pattern : str or sequence of str, optional
        Instead, how many molecules fit each of these patterns, such as ``"R(y~p,l!+)"``.

    Returns
    -------
    Measure
        Of the tables ``sites`` (by site and state, free and bound), ``sites_over_time`` and
        ``binding`` (molecules by the number of their bound sites); with `pattern`, ``patterns`` and
        ``patterns_over_time``.
    """
    given = {"start": start, "end": end, "species": species, "pattern": pattern}
    return measured("sites", name, given)


def sizes(
    *,
    start: Quantity | None = None,
    end: Quantity | None = None,
    species: Names | None = None,
    name: str | None = None,
) -> Measure:
    """Cluster sizes over time, and their distribution.

    Parameters
    ----------
    start, end, name
        See the top of the module.
    species : str or sequence of str, optional
        The size of a cluster is the number of its particles of these species.

    Returns
    -------
    Measure
        Of the tables ``sizes`` (over time, with ``mean_size`` and ``weight_mean``), ``size_counts``
        and ``size_distribution``.
    """
    given = {"start": start, "end": end, "species": species}
    return measured("sizes", name, given)


def displacement(
    *,
    start: Quantity | None = None,
    end: Quantity | None = None,
    species: Names | None = None,
    max: Quantity | None = None,
    lags: Whole | None = None,
    fit: str | None = None,
    name: str | None = None,
) -> Measure:
    """Mean squared displacement by species and by cluster size, and the fitted D.

    Parameters
    ----------
    start, end, species, name
        See the top of the module.
    max : quantity, optional
        The longest lag, a time.
    lags : int, optional
        So many lags in each factor of ten; lags of 1, 2, 5, 10, ... frames by default.
    fit : str, optional
        The lags of the fit to long times, such as ``"10 ms..50 ms"``.

    Returns
    -------
    Measure
        Of the tables ``displacement`` (over the lag), ``diffusion`` (D with its error),
        ``diffusion_long`` (the same at long times), ``displacement_by_axis`` and, if there are
        clusters, ``displacement_by_size``.
    """
    given = {"start": start, "end": end, "species": species, "max": max, "lags": lags, "fit": fit}
    return measured("displacement", name, given, max="us")


def jumps(
    *,
    start: Quantity | None = None,
    end: Quantity | None = None,
    species: Names | None = None,
    bins: Whole | None = None,
    max: Quantity | None = None,
    name: str | None = None,
) -> Measure:
    """Distribution of displacements at several lags, compared with free diffusion.

    Parameters
    ----------
    start, end, species, name
        See the top of the module.
    bins : int, optional
        The number of bins, 50 by default.
    max : quantity, optional
        The longest lag, a time.

    Returns
    -------
    Measure
        Of the table ``jump_moments``.
    """
    given = {"start": start, "end": end, "species": species, "bins": bins, "max": max}
    return measured("jumps", name, given, max="us")


def rdf(
    *,
    start: Quantity | None = None,
    end: Quantity | None = None,
    species: Names | None = None,
    bins: Whole | None = None,
    max: Quantity | None = None,
    name: str | None = None,
) -> Measure:
    """Radial distribution function of each pair of species.

    Parameters
    ----------
    start, end, species, name
        See the top of the module.
    bins : int, optional
        The number of bins.
    max : quantity, optional
        The largest distance, a length.

    Returns
    -------
    Measure
        Of the tables ``rdf`` and ``rdf_summary``.
    """
    given = {"start": start, "end": end, "species": species, "bins": bins, "max": max}
    return measured("rdf", name, given, max="nm")


def density(
    *,
    start: Quantity | None = None,
    end: Quantity | None = None,
    species: Names | None = None,
    bins: Whole | None = None,
    along: Literal["x", "y", "z", "radius", "map"] | None = None,
    name: str | None = None,
) -> Measure:
    """Density along an axis, over the distance from the middle of the box, or as a map.

    Parameters
    ----------
    start, end, species, name
        See the top of the module.
    bins : int, optional
        The number of bins, 40 by default.
    along : {"x", "y", "z", "radius", "map"}, optional
        Along what; ``"x"`` by default.

    Returns
    -------
    Measure
        Of the tables ``density`` and ``density_summary``.
    """
    given = {"start": start, "end": end, "species": species, "bins": bins, "along": along}
    return measured("density", name, given)


def polymers(
    *,
    start: Quantity | None = None,
    end: Quantity | None = None,
    species: Names | None = None,
    name: str | None = None,
) -> Measure:
    """Chains and rings of bonded particles: how large and how stiff they are.

    Parameters
    ----------
    start, end, name
        See the top of the module.
    species : str or sequence of str, optional
        Only particles of these species, and the bonds between them.

    Returns
    -------
    Measure
        Of the tables ``polymers`` (number, root mean square end-to-end distance and radius of
        gyration, by the number of beads), ``polymer_squares`` (mean squares), ``polymer_bonds``
        (bond length, mean cosine of successive bonds, persistence length) and
        ``polymers_over_time``.
    """
    given = {"start": start, "end": end, "species": species}
    return measured("polymers", name, given)


def rates(
    *,
    start: Quantity | None = None,
    end: Quantity | None = None,
    species: Names | None = None,
    bins: Whole | None = None,
    name: str | None = None,
) -> Measure:
    """Rate constants of each rule and species, with exact 95 % intervals.

    Parameters
    ----------
    start, end, species, name
        See the top of the module.
    bins : int, optional
        The number of bins of ``rates_over_time``, 10 by default.

    Returns
    -------
    Measure
        Of the tables ``rates`` and ``rates_over_time``.
    """
    given = {"start": start, "end": end, "species": species, "bins": bins}
    return measured("rates", name, given)


def lifetimes(
    *,
    start: Quantity | None = None,
    end: Quantity | None = None,
    species: Names | None = None,
    max: Quantity | None = None,
    name: str | None = None,
) -> Measure:
    """How long clusters keep their size (Kaplan-Meier).

    Parameters
    ----------
    start, end, name
        See the top of the module.
    species : str or sequence of str, optional
        The size of a cluster is the number of its particles of these species.
    max : quantity, optional
        The longest lifetime.

    Returns
    -------
    Measure
        Of the tables ``lifetimes`` and ``lifetime_curves``.
    """
    given = {"start": start, "end": end, "species": species, "max": max}
    return measured("lifetimes", name, given, max="us")


def transitions(
    *,
    start: Quantity | None = None,
    end: Quantity | None = None,
    species: Names | None = None,
    name: str | None = None,
) -> Measure:
    """How often clusters of one size become clusters of another.

    Parameters
    ----------
    start, end, name
        See the top of the module.
    species : str or sequence of str, optional
        The size of a cluster is the number of its particles of these species.

    Returns
    -------
    Measure
        Of the table ``transitions``.
    """
    given = {"start": start, "end": end, "species": species}
    return measured("transitions", name, given)


def survival(
    *,
    start: Quantity | None = None,
    end: Quantity | None = None,
    species: Names | None = None,
    max: Quantity | None = None,
    name: str | None = None,
) -> Measure:
    """How long particles stay in their species, and how long bonds last (Kaplan-Meier).

    Parameters
    ----------
    start, end, species, name
        See the top of the module.
    max : quantity, optional
        The longest time.

    Returns
    -------
    Measure
        Of the tables ``survival`` and ``survival_curves``.
    """
    given = {"start": start, "end": end, "species": species, "max": max}
    return measured("survival", name, given, max="us")


def impacts(
    *,
    start: Quantity | None = None,
    end: Quantity | None = None,
    species: Names | None = None,
    bins: Whole | None = None,
    name: str | None = None,
) -> Measure:
    """Granular runs: how hard and how often balls hit each other and walls.

    Parameters
    ----------
    start, end, species, name
        See the top of the module.
    bins : int, optional
        The number of bins of the energy spectrum, 30 by default.

    Returns
    -------
    Measure
        Of the tables ``impacts`` and ``impact_sizes``.
    """
    given = {"start": start, "end": end, "species": species, "bins": bins}
    return measured("impacts", name, given)


def energy(
    *, start: Quantity | None = None, end: Quantity | None = None, name: str | None = None
) -> Measure:
    """Potential energy and neighbours in Brownian runs; the energy balance in others.

    Parameters
    ----------
    start, end, name
        See the top of the module.

    Returns
    -------
    Measure
        Of the tables ``energy`` and ``energy_over_time``; in Brownian runs also ``energy_shells``,
        with the pairs and neighbours in each shell of the potentials.
    """
    given = {"start": start, "end": end}
    return measured("energy", name, given)


def pressure(
    *, start: Quantity | None = None, end: Quantity | None = None, name: str | None = None
) -> Measure:
    """Pressure and compressibility factor of Brownian and granular runs in periodic boxes.

    Parameters
    ----------
    start, end, name
        See the top of the module.

    Returns
    -------
    Measure
        Of the tables ``pressure`` (particles, ideal and excess part, sum, compressibility factor)
        and ``pressure_over_time``.
    """
    given = {"start": start, "end": end}
    return measured("pressure", name, given)


def forces(
    *,
    start: Quantity | None = None,
    end: Quantity | None = None,
    species: Names | None = None,
    bins: Whole | None = None,
    name: str | None = None,
) -> Measure:
    """Polygon runs: the number of contacts, their forces, and the forces on walls.

    Parameters
    ----------
    start, end, species, name
        See the top of the module.
    bins : int, optional
        The number of bins of the distribution, 40 by default.

    Returns
    -------
    Measure
        Of the tables ``forces``, ``forces_over_time``, ``force_distribution`` and ``wall_forces``.
    """
    given = {"start": start, "end": end, "species": species, "bins": bins}
    return measured("forces", name, given)


def stress(
    *,
    start: Quantity | None = None,
    end: Quantity | None = None,
    species: Names | None = None,
    bins: Whole | None = None,
    along: Literal["x", "y"] | None = None,
    place: str | None = None,
    name: str | None = None,
) -> Measure:
    """Polygon runs: the stress over time, in a region and along an axis.

    Parameters
    ----------
    start, end, species, name
        See the top of the module.
    bins : int, optional
        The number of bins along the axis, 20 by default.
    along : {"x", "y"}, optional
        Along what axis there is a profile; none by default.
    place : str, optional
        Only particles here, such as ``"x=0 nm..100 nm,y=20 nm.."``.

    Returns
    -------
    Measure
        Of the tables ``stress``, ``stress_over_time`` and, along an axis, ``stress_profile``.
    """
    given = {
        "start": start, "end": end, "species": species, "bins": bins, "along": along, "place": place
    }
    return measured("stress", name, given)


def first_passage(
    *,
    start: Quantity | None = None,
    end: Quantity | None = None,
    species: Names | None = None,
    max: Quantity | None = None,
    distance: Quantity | None = None,
    place: str | None = None,
    leaves: str | None = None,
    inside: Names | None = None,
    outside: Names | None = None,
    above: Names | None = None,
    below: Names | None = None,
    meets: str | None = None,
    name: str | None = None,
) -> Measure:
    """Time until a particle has moved some distance, reaches or leaves a place, or meets another.

    Parameters
    ----------
    start, end, species, name
        See the top of the module.
    max : quantity, optional
        The longest time.
    distance : quantity, optional
        Until a particle is this far from its start, a length. A distance that many particles reach,
        unless this, `place` or `meets` is given.
    place : str, optional
        Until a particle is here, such as ``"x=0 nm..100 nm,y=20 nm.."``.
    leaves : str, optional
        Until a particle that is here at first is not, ranges as for `place`.
    inside, outside, above, below : str or sequence of str, optional
        Until a particle is on all of these sides of surfaces of the model.
    meets : str, optional
        Until a particle has its first logged contact with this species, ``"wall"``, a face such as
        ``"x-"``, a surface, or ``"any"`` particle.

    Returns
    -------
    Measure
        Of the tables ``first_passage`` and ``first_passage_curves``.
    """
    given = {
        "start": start,
        "end": end,
        "species": species,
        "max": max,
        "distance": distance,
        "place": place,
        "leaves": leaves,
        "inside": inside,
        "outside": outside,
        "above": above,
        "below": below,
        "meets": meets,
    }
    return measured("first-passage", name, given, max="us", distance="nm")
