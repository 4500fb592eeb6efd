"""What a sweep measures of each run: one function for each analysis, with its options.

Each function returns a :class:`Measure` for the argument ``measure`` of :class:`jostle.Sweep`, and
does nothing else: what it says goes into a ``[[measure]]`` of the sweep file. The methods of
:class:`jostle.Run` with the same names measure a single run.

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

from .measures import Measure, Names, one_or_list, span, with_unit
from .measures import measure as _measure
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
    start, end, name
        See the top of the module.
    species : str or sequence of str, optional
        Only these species; ``"EGFR"`` means any of its states.
    inside, outside, above, below : str or sequence of str, optional
        Only on these sides of surfaces of the model, all of them together.

    Returns
    -------
    Measure
        Of the tables ``counts`` and ``counts_over_time``.
    """
    sides = {"inside": inside, "outside": outside, "above": above, "below": below}
    return _measure(
        "counts",
        name,
        {
            **span(start, end),
            "species": one_or_list(species),
            **{side: one_or_list(names) for side, names in sides.items()},
        },
    )


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
    return _measure("contacts", name, {**span(start, end), "species": one_or_list(species)})


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
    return _measure("observables", name, span(start, end))


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
    start, end, name
        See the top of the module.
    species : str or sequence of str, optional
        Only these species.
    pattern : str or sequence of str, optional
        Instead, how many molecules fit each of these patterns, such as ``"R(y~p,l!+)"``.

    Returns
    -------
    Measure
        Of the tables ``sites``, ``sites_over_time`` and ``binding``; with `pattern`, of ``patterns``
        and ``patterns_over_time``.
    """
    options = {
        **span(start, end),
        "species": one_or_list(species),
        "pattern": one_or_list(pattern),
    }
    return _measure("sites", name, options)


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
        Of the tables ``sizes`` (with ``mean_size`` and ``weight_mean``), ``size_counts`` and
        ``size_distribution``.
    """
    return _measure(
        "sizes", name, {**span(start, end), "species": one_or_list(species)}
    )


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
        Of the tables ``displacement``, ``diffusion``, ``diffusion_long``, ``displacement_by_axis``
        and ``displacement_by_size``.
    """
    return _measure(
        "displacement",
        name,
        {
            **span(start, end),
            "species": one_or_list(species),
            "max": with_unit(max, "max", "us"),
            "lags": lags,
            "fit": fit,
        },
    )


def jumps(
    *,
    start: Quantity | None = None,
    end: Quantity | None = None,
    species: Names | None = None,
    bins: Whole | None = None,
    max: Quantity | None = None,
    name: str | None = None,
) -> Measure:
    """Moments of the distribution of displacements at several lags.

    Parameters
    ----------
    start, end, species, name
        See the top of the module.
    bins : int, optional
        The number of bins.
    max : quantity, optional
        The longest lag, a time.

    Returns
    -------
    Measure
        Of the table ``jump_moments``.
    """
    return _measure(
        "jumps",
        name,
        {
            **span(start, end),
            "species": one_or_list(species),
            "bins": bins,
            "max": with_unit(max, "max", "us"),
        },
    )


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
    return _measure(
        "rdf",
        name,
        {
            **span(start, end),
            "species": one_or_list(species),
            "bins": bins,
            "max": with_unit(max, "max", "nm"),
        },
    )


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
        The number of bins.
    along : {"x", "y", "z", "radius", "map"}, optional
        Along what; ``"x"`` by default.

    Returns
    -------
    Measure
        Of the tables ``density`` and ``density_summary``.
    """
    return _measure(
        "density",
        name,
        {**span(start, end), "species": one_or_list(species), "bins": bins, "along": along},
    )


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
        Of the tables ``polymers``, ``polymer_squares``, ``polymer_bonds`` and
        ``polymers_over_time``.
    """
    return _measure("polymers", name, {**span(start, end), "species": one_or_list(species)})


def rates(
    *,
    start: Quantity | None = None,
    end: Quantity | None = None,
    species: Names | None = None,
    bins: Whole | None = None,
    name: str | None = None,
) -> Measure:
    """Rate constants of each rule and species, with exact confidence intervals.

    Parameters
    ----------
    start, end, species, name
        See the top of the module.
    bins : int, optional
        The number of bins of ``rates_over_time``.

    Returns
    -------
    Measure
        Of the tables ``rates`` and ``rates_over_time``.
    """
    return _measure(
        "rates", name, {**span(start, end), "species": one_or_list(species), "bins": bins}
    )


def lifetimes(
    *,
    start: Quantity | None = None,
    end: Quantity | None = None,
    species: Names | None = None,
    max: Quantity | None = None,
    name: str | None = None,
) -> Measure:
    """How long clusters keep their size.

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
    longest = with_unit(max, "max", "us")
    return _measure(
        "lifetimes", name, {**span(start, end), "species": one_or_list(species), "max": longest}
    )


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
    return _measure(
        "transitions", name, {**span(start, end), "species": one_or_list(species)}
    )


def survival(
    *,
    start: Quantity | None = None,
    end: Quantity | None = None,
    species: Names | None = None,
    max: Quantity | None = None,
    name: str | None = None,
) -> Measure:
    """How long particles stay in their species, and how long bonds last.

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
    longest = with_unit(max, "max", "us")
    return _measure(
        "survival", name, {**span(start, end), "species": one_or_list(species), "max": longest}
    )


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
        The number of bins.

    Returns
    -------
    Measure
        Of the tables ``impacts`` and ``impact_sizes``.
    """
    return _measure(
        "impacts", name, {**span(start, end), "species": one_or_list(species), "bins": bins}
    )


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
        Of the tables ``energy``, ``energy_over_time`` and, in Brownian runs, ``energy_shells``.
    """
    return _measure("energy", name, span(start, end))


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
        Of the tables ``pressure`` and ``pressure_over_time``.
    """
    return _measure("pressure", name, span(start, end))


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
        The number of bins.

    Returns
    -------
    Measure
        Of the tables ``forces``, ``forces_over_time``, ``force_distribution`` and ``wall_forces``.
    """
    return _measure(
        "forces", name, {**span(start, end), "species": one_or_list(species), "bins": bins}
    )


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
        The number of bins.
    along : {"x", "y"}, optional
        Along what axis there is a profile; none by default.
    place : str, optional
        Only particles here, such as ``"x=0 nm..100 nm,y=20 nm.."``.

    Returns
    -------
    Measure
        Of the tables ``stress``, ``stress_over_time`` and ``stress_profile``.
    """
    return _measure(
        "stress",
        name,
        {
            **span(start, end),
            "species": one_or_list(species),
            "bins": bins,
            "along": along,
            "place": place,
        },
    )


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
        Until a particle is this far from its start, a length.
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
    return _measure(
        "first-passage",
        name,
        {
            **span(start, end),
            "species": one_or_list(species),
            "max": with_unit(max, "max", "us"),
            "distance": with_unit(distance, "distance", "nm"),
            "place": place,
            "leaves": leaves,
            "inside": one_or_list(inside),
            "outside": one_or_list(outside),
            "above": one_or_list(above),
            "below": one_or_list(below),
            "meets": meets,
        },
    )
