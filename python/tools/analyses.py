"""What Python says of each analysis: its options, its tables, and what they are.

``generate.py`` makes of it the functions of :mod:`jostle.measure` and the methods of
:class:`jostle.Run` that ask the same of one file.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

WIDTH = 100

#: The type of each option, and what it is called in the words of numpydoc. Others are texts.
TYPES = {
    "start": ("Quantity", "quantity"),
    "end": ("Quantity", "quantity"),
    "max": ("Quantity", "quantity"),
    "distance": ("Quantity", "quantity"),
    "bins": ("Whole", "int"),
    "lags": ("Whole", "int"),
    **dict.fromkeys(
        ("species", "pattern", "inside", "outside", "above", "below"),
        ("Names", "str or sequence of str"),
    ),
}

SIDES = {
    "inside, outside, above, below": "Only on these sides of surfaces of the model, all of them "
    "together."
}
#: Only these species, as the top of the module says.
SPECIES: Mapping[str, str] = {"species": ""}
OF_SIZE = {
    "species": "The size of a cluster is the number of its particles of these species."
}


@dataclass(frozen=True)
class Asked:
    """One analysis: its name and what it says, its tables in words, and its options.

    `options` has a sentence for each option but `start` and `end`, `words` those that an option can
    be, `units` those of plain numbers, and `more` what the method of a run says besides. `swept` are
    the tables of a sweep, if they are not all.
    """

    name: str
    about: str
    tables: str
    options: Mapping[str, str] = field(default_factory=lambda: SPECIES)
    units: Mapping[str, str] = field(default_factory=dict)
    words: tuple[str, ...] = ()
    more: str = ""
    swept: str = ""
    method: str = ""


US, NM = {"max": "us"}, {"max": "nm"}

ANALYSES = (
    Asked(
        "counts",
        "Numbers of particles of each species over time, and their averages.",
        "``counts`` (errors by blocking) and ``counts_over_time``",
        {**SPECIES, **SIDES},
    ),
    Asked(
        "contacts",
        "Contacts in the log by pair of species and outcome.",
        "``contacts``",
        {"species": "Only contacts of these species."},
        more=":meth:`contacts` answers other questions to the log.",
        method="contacts_by_species",
    ),
    Asked(
        "observables",
        "What each observable of the model counts over time, and its average.",
        "``observables`` and ``observables_over_time``",
        {},
    ),
    Asked(
        "sites",
        "In models with sites: states of sites, how many are bound, how many bonds molecules have.",
        "``sites`` (by site and state, free and bound), ``sites_over_time`` and ``binding`` (molecules "
        "by the number of their bound sites); with `pattern`, ``patterns`` and "
        "``patterns_over_time``",
        {
            **SPECIES,
            "pattern": "Instead, how many molecules fit each of these patterns, such as "
            '``"R(y~p,l!+)"``.',
        },
    ),
    Asked(
        "sizes",
        "Cluster sizes over time, and their distribution.",
        "``sizes`` (over time, with ``mean_size`` and ``weight_mean``), ``size_counts`` and "
        "``size_distribution``",
        OF_SIZE,
    ),
    Asked(
        "displacement",
        "Mean squared displacement by species and by cluster size, and the fitted D.",
        "``displacement`` (over the lag), ``diffusion`` (D with its error), ``diffusion_long`` (the "
        "same at long times), ``displacement_by_axis`` and, if there are clusters, "
        "``displacement_by_size``",
        {
            **SPECIES,
            "max": "The longest lag, a time.",
            "lags": "So many lags in each factor of ten; lags of 1, 2, 5, 10, ... frames by default.",
            "fit": 'The lags of the fit to long times, such as ``"10 ms..50 ms"``.',
        },
        US,
    ),
    Asked(
        "jumps",
        "Distribution of displacements at several lags, compared with free diffusion.",
        "``jumps`` and ``jump_moments``",
        {
            **SPECIES,
            "bins": "The number of bins, 50 by default.",
            "max": "The longest lag, a time.",
        },
        US,
        swept="``jump_moments``",
    ),
    Asked(
        "rdf",
        "Radial distribution function of each pair of species.",
        "``rdf`` and ``rdf_summary``",
        {**SPECIES, "bins": "The number of bins.", "max": "The largest distance, a length."},
        NM,
    ),
    Asked(
        "density",
        "Density along an axis, over the distance from the middle of the box, or as a map.",
        "``density`` and ``density_summary``",
        {
            **SPECIES,
            "bins": "The number of bins, 40 by default.",
            "along": 'Along what; ``"x"`` by default.',
        },
        words=("x", "y", "z", "radius", "map"),
    ),
    Asked(
        "polymers",
        "Chains and rings of bonded particles: how large and how stiff they are.",
        "``polymers`` (number, root mean square end-to-end distance and radius of gyration, by the "
        "number of beads), ``polymer_squares`` (mean squares), ``polymer_bonds`` (bond length, mean "
        "cosine of successive bonds, persistence length) and ``polymers_over_time``",
        {"species": "Only particles of these species, and the bonds between them."},
    ),
    Asked(
        "rates",
        "Rate constants of each rule and species, with exact 95 % intervals.",
        "``rates``, ``rates_over_time`` and ``rate_exposures``",
        {**SPECIES, "bins": "The number of bins of ``rates_over_time``, 10 by default."},
        swept="``rates`` and ``rates_over_time``",
    ),
    Asked(
        "lifetimes",
        "How long clusters keep their size (Kaplan-Meier).",
        "``lifetimes``, ``lifetime_curves`` and ``lifetime_ages``",
        {**OF_SIZE, "max": "The longest lifetime."},
        US,
        swept="``lifetimes`` and ``lifetime_curves``",
    ),
    Asked(
        "transitions",
        "How often clusters of one size become clusters of another.",
        "``transitions`` and ``transition_exposures``",
        OF_SIZE,
        swept="``transitions``",
    ),
    Asked(
        "survival",
        "How long particles stay in their species, and how long bonds last (Kaplan-Meier).",
        "``survival``, ``survival_curves`` and ``survival_ages``",
        {**SPECIES, "max": "The longest time."},
        US,
        swept="``survival`` and ``survival_curves``",
    ),
    Asked(
        "impacts",
        "Granular runs: how hard and how often balls hit each other and walls.",
        "``impacts``, ``impact_sizes`` and ``impact_spectrum``",
        {**SPECIES, "bins": "The number of bins of the energy spectrum, 30 by default."},
        swept="``impacts`` and ``impact_sizes``",
    ),
    Asked(
        "energy",
        "Potential energy and neighbours in Brownian runs; the energy balance in others.",
        "``energy`` and ``energy_over_time``; in Brownian runs also ``energy_shells``, with the pairs "
        "and neighbours in each shell of the potentials",
        {},
        more="Brownian runs need a model with a ``[[potential]]``; others are granular and polygon "
        "runs.",
    ),
    Asked(
        "pressure",
        "Pressure and compressibility factor of Brownian and granular runs in periodic boxes.",
        "``pressure`` (particles, ideal and excess part, sum, compressibility factor) and "
        "``pressure_over_time``",
        {},
        more="It comes from the momentum that particles pass on at contacts and at the edges of "
        "potentials, and is exact at any time step. In granular runs it is in N/m or Pa, and needs "
        "``log = \"all\"``.",
    ),
    Asked(
        "forces",
        "Polygon runs: the number of contacts, their forces, and the forces on walls.",
        "``forces``, ``forces_over_time``, ``force_distribution`` and ``wall_forces``",
        {**SPECIES, "bins": "The number of bins of the distribution, 40 by default."},
    ),
    Asked(
        "stress",
        "Polygon runs: the stress over time, in a region and along an axis.",
        "``stress``, ``stress_over_time`` and, along an axis, ``stress_profile``",
        {
            **SPECIES,
            "bins": "The number of bins along the axis, 20 by default.",
            "along": "Along what axis there is a profile; none by default.",
            "place": 'Only particles here, such as ``"x=0 nm..100 nm,y=20 nm.."``.',
        },
        words=("x", "y"),
    ),
    Asked(
        "first_passage",
        "Time until a particle has moved some distance, reaches or leaves a place, or meets another.",
        "``first_passage``, ``first_passage_curves`` and ``first_passage_ages``",
        {
            **SPECIES,
            "max": "The longest time.",
            "distance": "Until a particle is this far from its start, a length. A distance that many "
            "particles reach, unless this, `place` or `meets` is given.",
            "place": 'Until a particle is here, such as ``"x=0 nm..100 nm,y=20 nm.."``.',
            "leaves": "Until a particle that is here at first is not, ranges as for `place`.",
            "inside, outside, above, below": "Until a particle is on all of these sides of surfaces of "
            "the model.",
            "meets": "Until a particle has its first logged contact with this species, "
            '``"wall"``, a face such as ``"x-"``, a surface, or ``"any"`` particle.',
        },
        {"max": "us", "distance": "nm"},
        swept="``first_passage`` and ``first_passage_curves``",
    ),
)

MEASURE_HEAD = '''\
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

'''

ASKED_HEAD = '''\
"""The analyses of an output file, as ``python/tools/generate.py`` writes them."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from . import measure
from .answers import Analysis
from .measures import Names
from .quantities import Quantity, Whole
from .questions import ask

__all__ = ["Asked"]


class Asked:
    """One method for each analysis; a part of :class:`jostle.Run`."""

    path: Path

'''


def measure_text() -> str:
    """The text of ``jostle/measure.py``."""
    names = ["Measure", "contact_log", *(asked.name for asked in ANALYSES)]
    listed = "".join(f'    "{name}",\n' for name in sorted(names))
    functions = (function(asked) for asked in ANALYSES)
    return f"{MEASURE_HEAD}__all__ = [\n{listed}]\n\n\n" + "\n\n".join(functions)


def asked_text() -> str:
    """The text of ``jostle/asked.py``."""
    return ASKED_HEAD + "\n".join(method(asked) for asked in ANALYSES)


def function(asked: Asked) -> str:
    """What a sweep measures."""
    options = ["start", "end", *names(asked)]
    lines = signature(f"def {asked.name}(", [], [*options, "name"], "Measure", asked, 0)
    tables = asked.swept or asked.tables
    is_one = tables.count("``") == 2
    returned = f"Of the {'table' if is_one else 'tables'} {tables}."
    shared = "See the top of the module."
    lines += docstring(asked, "", "name", shared, "Measure", returned, 4)
    given = [f'"{key}": {key}' for key in options]
    what = asked.name.replace("_", "-")
    lines += call("    given = {", given, "}", 4)
    units = "".join(f', {key}="{unit}"' for key, unit in asked.units.items())
    lines.append(f'    return measured("{what}", name, given{units})')
    return "\n".join(lines) + "\n"


def method(asked: Asked) -> str:
    """What a run answers."""
    options = ["start", "end", *names(asked)]
    name = asked.method or asked.name
    lines = signature(f"    def {name}(", ["self"], options, "Analysis", asked, 4)
    is_one = asked.tables.count("``") == 2
    returned = f"{'Table' if is_one else 'Tables'} {asked.tables}."
    shared = "See :class:`Analyses`."
    lines += docstring(asked, asked.more, "", shared, "Analysis", returned, 8)
    given = [f"{key}={key}" for key in options]
    lines += call(f"        found = measure.{asked.name}(", given, ")", 8)
    lines.append("        return ask(self.path, found)")
    return "\n".join(lines) + "\n"


def names(asked: Asked) -> list[str]:
    """The options of an analysis one by one."""
    return [name for several in asked.options for name in several.split(", ")]


def signature(
    head: str, first: list[str], options: list[str], result: str, asked: Asked, indent: int
) -> list[str]:
    """The head of a function."""
    arguments = [*first, "*", *(f"{key}: {annotation(key, asked)} = None" for key in options)]
    return call(head, arguments, f") -> {result}:", indent)


def annotation(key: str, asked: Asked) -> str:
    """The type of an argument."""
    if key == "along":
        words = ", ".join(f'"{word}"' for word in asked.words)
        return f"Literal[{words}] | None"
    return f"{TYPES[key][0] if key in TYPES else 'str'} | None"


def call(head: str, parts: Iterable[str], end: str, indent: int) -> list[str]:
    """What stands in brackets: in one line, in one of its own, or part by part."""
    parts = list(parts)
    whole = ", ".join(parts)
    if len(head + whole + end) <= WIDTH:
        return [head + whole + end]
    margin = " " * indent
    if len(margin) + 4 + len(whole) <= WIDTH:
        return [head, f"{margin}    {whole}", margin + end]
    return [head, *(f"{margin}    {part}," for part in parts), margin + end]


def docstring(
    asked: Asked, more: str, last: str, shared: str, result: str, returned: str, indent: int
) -> list[str]:
    """The docstring of a function or a method."""
    margin = " " * indent
    alike = ["start", "end", *(key for key, said in asked.options.items() if not said), last]
    lines = [f'{margin}"""{asked.about}', ""]
    if more:
        lines += [*wrapped(more, indent), ""]
    lines += [f"{margin}Parameters", f"{margin}----------"]
    lines += [margin + ", ".join(key for key in alike if key), f"{margin}    {shared}"]
    for key, said in asked.options.items():
        if said:
            lines.append(f"{margin}{key} : {kind(key, asked)}, optional")
            lines += wrapped(said, indent + 4)
    lines += ["", f"{margin}Returns", f"{margin}-------", margin + result]
    return [*lines, *wrapped(returned, indent + 4), f'{margin}"""']


def kind(key: str, asked: Asked) -> str:
    """The type of an option in the words of numpydoc."""
    if key == "along":
        return "{" + ", ".join(f'"{word}"' for word in asked.words) + "}"
    return TYPES.get(key.split(", ")[0], ("str", "str"))[1]


def wrapped(text: str, indent: int) -> list[str]:
    """A paragraph of a docstring."""
    margin = " " * indent
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=margin,
        subsequent_indent=margin,
        break_long_words=False,
        break_on_hyphens=False,
    )
