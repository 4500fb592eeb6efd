"""The tables of a model file as Python objects, one class each.

The file is written by ``python/tools/generate.py`` from the table of keys that the model reader uses;
``jostle list keys`` prints the same table. Arguments have the names of the keys. The objects never
change, can be compared, hashed and pickled, and write themselves as TOML.

>>> from jostle import Species
>>> receptor = Species("Receptor", radius="2.5 nm", diffusion="0.05 um^2/s", count=45)
>>> receptor.replace(count=90).count
90
>>> print(receptor.toml)
[[species]]
name = "Receptor"
radius = "2.5 nm"
diffusion = "0.05 um^2/s"
count = 45
<BLANKLINE>
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

from .builder import Builder, Rule
from .quantities import Array, Quantity, Whole

__all__ = [
    "Add",
    "Annihilate",
    "Bind",
    "Bounce",
    "Case",
    "Chain",
    "Clusters",
    "Collisions",
    "Concentration",
    "Contact",
    "Convert",
    "Copies",
    "Create",
    "Cylinder",
    "DebyeHueckel",
    "Decay",
    "Divide",
    "Drag",
    "Drift",
    "Drive",
    "Field",
    "Fragment",
    "Gaussian",
    "Gravity",
    "Harmonic",
    "Ignore",
    "LennardJones",
    "Linear",
    "Material",
    "Meets",
    "Member",
    "Mesh",
    "Mobility",
    "Molecule",
    "Morse",
    "Observable",
    "Output",
    "Pass",
    "Placement",
    "Plane",
    "Point",
    "Potential",
    "Reaction",
    "Rebound",
    "Reference",
    "Region",
    "Ring",
    "Rule",
    "SaffmanDelbruck",
    "Schedule",
    "Search",
    "Set",
    "Shaking",
    "Shape",
    "Shear",
    "Site",
    "Space",
    "Species",
    "Sphere",
    "SquareShoulder",
    "SquareWell",
    "State",
    "Step",
    "Surface",
    "Turn",
    "Unbind",
    "Units",
    "Wall",
    "Wca",
    "Well",
    "Yukawa",
]


class Units(Builder):
    """The table ``[units]`` of a model file: the units of numbers without a unit.

    Parameters
    ----------
    length : str, optional
        The unit of lengths without a unit. Takes the unit of a length. For example ``"nm"``. By
        default ``"nm"``.
    time : str, optional
        The unit of times without a unit. Takes the unit of a time. For example ``"us"``. By
        default ``"us"``.
    """

    __slots__ = ()
    _table = "units"
    _section = "units"
    _keys = ("length", "time")

    def __init__(
        self,
        *,
        length: str | None = None,
        time: str | None = None,
    ) -> None:
        self._fill(locals())


class Space(Builder):
    """The table ``[space]`` of a model file: the box.

    Parameters
    ----------
    dimension : int
        1, 2 or 3; polygons and gases need 2. Takes a whole number of at least 1.
    edges : quantity or sequence
        The edges of the box: one length for all axes, or one per axis. Takes a length, or one
        for each axis. For example ``["2 um", "2 um"]``.
    boundary : str or sequence, optional
        Whether each axis is periodic or ends at walls. Takes ``"periodic"`` or
        ``"reflecting"``, or one for each axis. For example ``"reflecting"``. By default
        ``"periodic"``.
    shape : str, optional
        ``"cylinder"``: 3D, upright along z, with the edges along x and y as its diameter. Takes
        ``"box"`` or ``"cylinder"``. By default ``"box"``.
    walls : bool or sequence, optional
        Which non-periodic sides have walls outside the box: all, none, or those listed. Takes
        ``true`` or ``false``, or a list, each entry ``"left"``, ``"right"``, ``"bottom"`` or
        ``"top"``. For example ``["bottom", "left"]``. By default ``true``.
    """

    __slots__ = ()
    _table = "space"
    _section = "space"
    _keys = ("dimension", "edges", "boundary", "shape", "walls")

    def __init__(
        self,
        *,
        dimension: Whole,
        edges: Quantity | Sequence[Quantity] | Array,
        boundary: (
            Literal["periodic", "reflecting"]
            | Sequence[Literal["periodic", "reflecting"]]
            | Array
            | None
        ) = None,
        shape: Literal["box", "cylinder"] | None = None,
        walls: bool | Sequence[Literal["left", "right", "bottom", "top"]] | Array | None = None,
    ) -> None:
        self._fill(locals())


class Run(Builder):
    """The table ``[run]`` of a model file: how long to run, and how.

    Parameters
    ----------
    engine : str, optional
        The engine that runs the model: spheres in Brownian motion, or balls, polygons or disks
        with momentum, whose models have their own keys. Takes ``"brownian"``, ``"granular"``,
        ``"polygons"`` or ``"gas"``. By default ``"brownian"``.
    contact : str, optional
        How contacts are found: in order of time within a step, after the move, or from event to
        event. Takes ``"exact"``, ``"after_move"`` or ``"events"``. By default ``"exact"``.
    timestep : quantity or str, optional
        With the engine ``brownian`` or ``gas``: The time step Δt. Takes a time. For example
        ``"1 us"``.
        With the engine ``polygons``: The time step, at most a thirtieth of the shortest
        contact; ``"auto"``: a fiftieth. Takes ``"auto"``, or a time. For example ``"10 us"``.
    interactions : str, optional
        What two particles do where no rule with two partners applies: ``"hard"``: they bounce;
        ``"reactive"``: they pass through each other, so that only reactions matter. Takes
        ``"hard"`` or ``"reactive"``. By default ``"hard"``.
    until : quantity, optional
        With the engine ``brownian``, ``polygons`` or ``gas``: The length of the run, as a time.
        Takes a time. For example ``"10 s"``. Without it: ``steps`` is needed.
        With the engine ``granular``: The length of the run, as a time. Takes a time. For
        example ``"10 s"``.
    steps : int, optional
        The length of the run, in time steps. Takes a whole number of at least 1. Without it:
        ``until`` is needed.
    seed : int, optional
        The seed of all random numbers. Takes a whole number. By default ``1``.
    threads : int, optional
        The number of threads; results do not depend on it. Takes a whole number of at least 1.
        Without it: the number that turns out to be fastest, tried during the run.
    memory : str, optional
        The run is stopped, with its file and its checkpoint whole, once it takes this much
        memory; ``--memory`` overrides it. Takes an amount of memory. For example ``"4 GB"``.
        Without it: four fifths of what there is.
    keep_checkpoint : bool, optional
        Whether the last checkpoint stays next to the file of a finished run, so that it can be
        made longer. Takes ``true`` or ``false``. By default ``true``.
    scheduler : str, optional
        How contacts within a step are put in order; results do not depend on it: ``"islands"``:
        groups of touching particles are processed independently, on any thread, and reactions
        after them in order of time, where ``search.kind`` is ``"verlet"``, otherwise as
        ``"queue"``; ``"queue"``: in order of time, predicting again only what has changed;
        ``"rescan"``: all candidates at each subdivision, as printed by Johnson & Whalley
        (2002). Takes ``"queue"``, ``"rescan"`` or ``"islands"``. By default ``"islands"``.
    trajectory_every : quantity, optional
        The interval at which paths are renewed under forces that bend them: drag, a field,
        driven gravity. Takes a time. For example ``"5 ms"``. Without it: needed with such
        forces.
    trajectory_clock : str, optional
        ``"grid"``: paths are renewed at whole multiples for all balls; ``"reset"``: also at
        each collision of a ball, whose clock then starts again, as printed by Gavrilova & Rokne
        (2002). Takes ``"grid"`` or ``"reset"``. By default ``"grid"``.
    """

    __slots__ = ()
    _table = "run"
    _section = "run"
    _keys = (
        "engine",
        "contact",
        "timestep",
        "interactions",
        "until",
        "steps",
        "seed",
        "threads",
        "memory",
        "keep_checkpoint",
        "scheduler",
        "trajectory_every",
        "trajectory_clock",
    )

    def __init__(
        self,
        *,
        engine: Literal["brownian", "granular", "polygons", "gas"] | None = None,
        contact: Literal["exact", "after_move", "events"] | None = None,
        timestep: Quantity | Literal["auto"] | None = None,
        interactions: Literal["hard", "reactive"] | None = None,
        until: Quantity | None = None,
        steps: Whole | None = None,
        seed: Whole | None = None,
        threads: Whole | None = None,
        memory: str | None = None,
        keep_checkpoint: bool | None = None,
        scheduler: Literal["queue", "rescan", "islands"] | None = None,
        trajectory_every: Quantity | None = None,
        trajectory_clock: Literal["grid", "reset"] | None = None,
    ) -> None:
        self._fill(locals())


class Species(Builder):
    """The table ``[[species]]`` of a model file: the kinds of particles, one table for each.

    Parameters
    ----------
    name : str
        With the engine ``brownian``: One word, different for each. For example ``"EGFR"``.
        With the engine ``granular``, ``polygons`` or ``gas``: One word, different for each. For
        example ``"ball"``.
    radius : quantity or sequence, optional
        With the engine ``brownian``: The radius. Takes a length. For example ``"2.5 nm"``.
        Without it: needed, unless the species is formed only by coalescence.
        With the engine ``granular``: One radius, or ``["1 mm", "10 mm"]``: a random radius
        between these for each ball. Takes a length, or a list of these. For example ``"6.5
        mm"``.
        With the engine ``gas``: The radius of each disk. Takes a length. For example ``"2
        mm"``.
    diffusion : quantity, optional
        The diffusion coefficient; ``"0 nm^2/us"`` for particles that do not move. Takes a
        diffusion coefficient (area per time). For example ``"0.05 um^2/s"``. Without it: as for
        ``radius``.
    drift : Drift, optional
        Motion besides diffusion. Takes a table ``drift``. For example ``{ velocity = ["1 um/s",
        "0 um/s", "0 um/s"] }``. Without it: none.
    states : sequence, optional
        Words for its states, or a list of them for each site. Takes a list, each entry text, or
        a list of these. For example ``["free", "bound"]``. Without it: it has none.
    state : mapping, optional
        Properties that differ in some states: ``{ bound = { radius = .., diffusion = .. } }``.
        Takes a table by name, each entry a table ``state``. For example ``{ bound = { radius =
        "3 nm" } }``. Without it: nothing.
    sites : sequence, optional
        Its sites, each with states and at most one bond; those with the same name are alike.
        Takes a list, each entry a table ``site``. For example ``[{ name = "l" }, { name =
        "Y1068", states = ["u", "p"] }]``. Without it: it has none.
    rotational_diffusion : quantity, optional
        The rotational diffusion coefficient Dᵣ (with angles in rad) of single particles with
        sites that point somewhere. Takes a rate per time. For example ``"1e5 /s"``. Without it:
        3D/(4R²) in 3D, 2D/R² in 2D.
    shape : Shape, optional
        The shape of each particle. Takes a table ``shape``. For example ``{ regular = 6, radius
        = "3 mm" }``.
    density : quantity, optional
        With the engine ``granular``: The density of the material. Takes a density (mass per
        volume). For example ``"2500 kg/m^3"``. Without it: ``mass``, or the density of the
        material.
        With the engine ``polygons``: The mass per area. Takes a mass per area. For example
        ``"5000 kg/m^2"``.
    mass : quantity, optional
        With the engine ``granular``: The mass of each ball, if all are of one size. Takes a
        mass. For example ``"1.2 g"``. Without it: by ``density``.
        With the engine ``gas``: The mass of each disk. Takes a mass. For example ``"1 g"``.
    mass_law : str, optional
        ``"volume"``: spheres, also in 2D; ``"area"``: in 2D, discs as thick as the diameter of
        the largest of the species. Takes ``"volume"`` or ``"area"``. By default ``"volume"``.
    speed : quantity, optional
        The mean of Maxwell velocities at the start. Takes a velocity (length per time). For
        example ``"1 m/s"``. Without it: at rest.
    temperature : quantity, optional
        The temperature at the start, instead of the mean speed. Takes a temperature. For
        example ``"300 K"``. Without it: ``speed``.
    velocity : sequence, optional
        The velocity of all at the start, one component per axis. Takes a velocity (length per
        time) for each axis. For example ``["1 m/s", "0 m/s"]``. Without it: ``speed``.
    angle : str or quantity, optional
        The orientation of all, or ``"random"``. Takes ``"random"``, or an angle. For example
        ``"30 deg"``. By default ``0``.
    angular_velocity : quantity, optional
        The angular velocity of all at the start. Takes an angular velocity. For example ``"1
        rad/s"``. By default ``0``.
    region : Region, optional
        The region for random placement and lattices. Takes a table ``region``. For example ``{
        from = ["0 mm", "0 mm"], to = ["50 mm", "50 mm"] }``. Without it: the box.
    count : int or quantity or Concentration or mapping, optional
        With the engine ``brownian``, ``granular`` or ``gas``: The number of particles, placed
        at random without overlap, largest first; ``{ free = 600, bound = 100 }`` by state; or a
        concentration. Takes a whole number, a concentration (a number per area in 2D, a number
        per length in 1D), a table ``concentration``, or a table of these by name. For example
        ``10``. Without it: ``placement``, or none.
        With the engine ``polygons``: The number of particles, placed at random, largest first.
        Takes a whole number. Without it: ``placement`` is needed.
    placement : Placement or str, optional
        Their number and positions; beside ``count`` only the way, as in ``placement =
        "lattice"``. Takes a table ``placement``, or ``"random"``, ``"lattice"``, ``"packed"``
        or ``"equilibrium"``. For example ``{ random = 10 }``. Without it: ``count``.
    on : str, optional
        The surface to which the centres of its particles are confined. For example
        ``"membrane"``. Without it: they move in the volume.
    faces : str, optional
        The side of that surface on which others can reach them. Takes ``"both"``, ``"inside"``,
        ``"outside"``, ``"above"`` or ``"below"``. By default ``"both"``.
    inside : str or sequence, optional
        A closed surface, or a list of several: particles are placed inside. Takes text, or a
        list of these. For example ``"cell"``. Without it: either side.
    outside : str or sequence, optional
        A closed surface, or a list of several: particles are placed outside. Takes text, or a
        list of these. For example ``"cell"``. Without it: either side.
    above : str or sequence, optional
        A plane, or a list of several: particles are placed above. Takes text, or a list of
        these. For example ``"membrane"``. Without it: either side.
    below : str or sequence, optional
        A plane, or a list of several: particles are placed below. Takes text, or a list of
        these. For example ``"membrane"``. Without it: either side.
    """

    __slots__ = ()
    _table = "species"
    _section = "species"
    _is_list = True
    _keys = (
        "name",
        "radius",
        "diffusion",
        "drift",
        "states",
        "state",
        "sites",
        "rotational_diffusion",
        "shape",
        "density",
        "mass",
        "mass_law",
        "speed",
        "temperature",
        "velocity",
        "angle",
        "angular_velocity",
        "region",
        "count",
        "placement",
        "on",
        "faces",
        "inside",
        "outside",
        "above",
        "below",
    )
    _positional = ("name",)

    def __init__(
        self,
        name: str,
        *,
        radius: Quantity | Sequence[Quantity] | Array | None = None,
        diffusion: Quantity | None = None,
        drift: Drift | Mapping[str, Any] | None = None,
        states: Sequence[str | Sequence[str] | Array] | Array | None = None,
        state: Mapping[str, State | Mapping[str, Any]] | None = None,
        sites: Sequence[Site | Mapping[str, Any]] | None = None,
        rotational_diffusion: Quantity | None = None,
        shape: Shape | Mapping[str, Any] | None = None,
        density: Quantity | None = None,
        mass: Quantity | None = None,
        mass_law: Literal["volume", "area"] | None = None,
        speed: Quantity | None = None,
        temperature: Quantity | None = None,
        velocity: Sequence[Quantity] | Array | None = None,
        angle: Literal["random"] | Quantity | None = None,
        angular_velocity: Quantity | None = None,
        region: Region | Mapping[str, Any] | None = None,
        count: (
            Whole
            | Quantity
            | Concentration
            | Mapping[str, Any]
            | Mapping[str, Whole | Quantity | Concentration | Mapping[str, Any]]
            | None
        ) = None,
        placement: (
            Placement
            | Mapping[str, Any]
            | Literal["random", "lattice", "packed", "equilibrium"]
            | None
        ) = None,
        on: str | None = None,
        faces: Literal["both", "inside", "outside", "above", "below"] | None = None,
        inside: str | Sequence[str] | Array | None = None,
        outside: str | Sequence[str] | Array | None = None,
        above: str | Sequence[str] | Array | None = None,
        below: str | Sequence[str] | Array | None = None,
    ) -> None:
        self._fill(locals())


class Drift(Builder):
    """The table ``species.drift`` of a model file: motion besides diffusion.

    Parameters
    ----------
    velocity : sequence, optional
        A velocity that is the same everywhere. Takes a velocity (length per time) for each
        axis. For example ``["1 um/s", "0 um/s", "0 um/s"]``.
    shear : Shear, optional
        A shear flow. Takes a table ``shear``. For example ``{ rate = "10 /s", along = "x",
        across = "y" }``.
    well : Well, optional
        A harmonic well. Takes a table ``well``. For example ``{ centre = ["1 um", "1 um", "1
        um"], relaxation = "1 ms" }``.
    """

    __slots__ = ()
    _table = "drift"
    _keys = ("velocity", "shear", "well")

    def __init__(
        self,
        *,
        velocity: Sequence[Quantity] | Array | None = None,
        shear: Shear | Mapping[str, Any] | None = None,
        well: Well | Mapping[str, Any] | None = None,
    ) -> None:
        self._fill(locals())


class Shear(Builder):
    """The table ``species.drift.shear`` of a model file: a shear flow.

    Parameters
    ----------
    rate : quantity
        How much the velocity increases per length across. Takes a rate per time. For example
        ``"10 /s"``.
    along : str
        The axis of the velocity. Takes ``"x"``, ``"y"`` or ``"z"``.
    across : str
        The axis along which it increases. Takes ``"x"``, ``"y"`` or ``"z"``.
    """

    __slots__ = ()
    _table = "shear"
    _keys = ("rate", "along", "across")

    def __init__(
        self,
        *,
        rate: Quantity,
        along: Literal["x", "y", "z"],
        across: Literal["x", "y", "z"],
    ) -> None:
        self._fill(locals())


class Well(Builder):
    """The table ``species.drift.well`` of a model file: a harmonic well.

    Parameters
    ----------
    centre : sequence
        Its minimum. Takes a length for each axis. For example ``["1 um", "1 um"]``.
    relaxation : quantity
        The relaxation time of the distance from the centre. Takes a time. For example ``"1
        ms"``.
    """

    __slots__ = ()
    _table = "well"
    _keys = ("centre", "relaxation")

    def __init__(
        self,
        *,
        centre: Sequence[Quantity] | Array,
        relaxation: Quantity,
    ) -> None:
        self._fill(locals())


class State(Builder):
    """The table ``species.state`` of a model file: properties that differ in some states: ``{
    bound = { radius = .., diffusion = .

    } }``.

    Parameters
    ----------
    radius : quantity, optional
        The radius in this state. Takes a length. For example ``"3 nm"``. Without it: that of
        the species.
    diffusion : quantity, optional
        The diffusion coefficient in this state. Takes a diffusion coefficient (area per time).
        For example ``"0.02 um^2/s"``. Without it: that of the species.
    """

    __slots__ = ()
    _table = "state"
    _keys = ("radius", "diffusion")

    def __init__(
        self,
        *,
        radius: Quantity | None = None,
        diffusion: Quantity | None = None,
    ) -> None:
        self._fill(locals())


class Site(Builder):
    """The table ``species.sites`` of a model file: its sites, each with states and at most one
    bond; those with the same name are alike.

    Parameters
    ----------
    name : str
        Letters, digits and underscores. For example ``"Y1068"``.
    states : sequence, optional
        Its states, that of new particles first. Takes a list, each entry text. For example
        ``["u", "p"]``. Without it: it has none.
    direction : sequence, optional
        Where it points, as the particle itself sees it. Takes a plain number for each axis. For
        example ``[1, 0, 0]``. Without it: it binds all around.
    opening : quantity, optional
        How far from its direction a partner may be at contact. Takes an angle. For example
        ``"25 deg"``. Without it: needed with ``direction``.
    normal : sequence, optional
        In 3D, a vector from which torsions are measured; its part across ``direction`` counts.
        Takes a list, each entry a plain number. For example ``[0, 0, 1]``. Without it: the z
        axis or, if that is the direction, the x axis.
    """

    __slots__ = ()
    _table = "site"
    _keys = ("name", "states", "direction", "opening", "normal")
    _positional = ("name",)

    def __init__(
        self,
        name: str,
        *,
        states: Sequence[str] | Array | None = None,
        direction: Sequence[Quantity] | Array | None = None,
        opening: Quantity | None = None,
        normal: Sequence[Quantity] | Array | None = None,
    ) -> None:
        self._fill(locals())


class Shape(Builder):
    """The table ``species.shape`` of a model file: the shape of each particle.

    Parameters
    ----------
    corners : sequence, optional
        A convex polygon, its corners counter-clockwise, about any origin. Takes a list, each
        entry a length for each axis. For example ``[["0 mm", "0 mm"], ["4 mm", "0 mm"], ["2
        mm", "3 mm"]]``.
    regular : int, optional
        A regular polygon with this many corners, one side horizontal. Takes a whole number of
        at least 3.
    rectangle : sequence, optional
        Width and height. Takes a list, each entry a length. For example ``["4 mm", "2 mm"]``.
    ellipse : sequence, optional
        The two semi-axes; it touches others through a polygon of its area. Takes a list, each
        entry a length. For example ``["3 mm", "2 mm"]``.
    disk : quantity, optional
        The radius of a disk, which is exact. Takes a length. For example ``"3 mm"``.
    random : int or sequence, optional
        A different polygon for each particle, with this many corners on an ellipse. Takes a
        whole number of at least 3, or a list of these. For example ``[5, 8]``.
    radius : quantity or sequence, optional
        The distance from the centre of a ``regular`` polygon to its corners; the mean radius of
        ``random`` ones, or the smallest and the largest. Takes a length, or a list of these.
        For example ``"3 mm"``. Without it: needed there.
    sides : int, optional
        The number of corners of the polygon of an ``ellipse``. Takes a whole number of at least
        3. By default ``48``.
    aspect : quantity, optional
        The smallest ratio of the axes of ``random`` polygons. Takes a plain number. For example
        ``0.7``. By default ``1``.
    """

    __slots__ = ()
    _table = "shape"
    _keys = (
        "corners",
        "regular",
        "rectangle",
        "ellipse",
        "disk",
        "random",
        "radius",
        "sides",
        "aspect",
    )

    def __init__(
        self,
        *,
        corners: Sequence[Sequence[Quantity] | Array] | Array | None = None,
        regular: Whole | None = None,
        rectangle: Sequence[Quantity] | Array | None = None,
        ellipse: Sequence[Quantity] | Array | None = None,
        disk: Quantity | None = None,
        random: Whole | Sequence[Whole] | Array | None = None,
        radius: Quantity | Sequence[Quantity] | Array | None = None,
        sides: Whole | None = None,
        aspect: Quantity | None = None,
    ) -> None:
        self._fill(locals())


class Region(Builder):
    """The table ``species.region`` of a model file: the region for random placement and lattices.

    Parameters
    ----------
    from_ : sequence, optional
        Its lowest corner. Takes a length for each axis. For example ``["0 nm", "0 nm", "0
        nm"]``.
    to : sequence, optional
        Its highest corner. Takes a length for each axis. For example ``["100 nm", "100 nm",
        "100 nm"]``.
    inside : str or sequence, optional
        This side of a surface, or of each in a list. Takes text, or a list of these. For
        example ``"cell"``.
    outside : str or sequence, optional
        This side of a surface, or of each in a list. Takes text, or a list of these. For
        example ``"cell"``.
    above : str or sequence, optional
        This side of a surface, or of each in a list. Takes text, or a list of these. For
        example ``"membrane"``.
    below : str or sequence, optional
        This side of a surface, or of each in a list. Takes text, or a list of these. For
        example ``"membrane"``.
    """

    __slots__ = ()
    _table = "region"
    _keys = ("from", "to", "inside", "outside", "above", "below")

    def __init__(
        self,
        *,
        from_: Sequence[Quantity] | Array | None = None,
        to: Sequence[Quantity] | Array | None = None,
        inside: str | Sequence[str] | Array | None = None,
        outside: str | Sequence[str] | Array | None = None,
        above: str | Sequence[str] | Array | None = None,
        below: str | Sequence[str] | Array | None = None,
    ) -> None:
        self._fill(locals())


class Concentration(Builder):
    """The table ``species.count`` of a model file: the number of particles, placed at random
    without overlap, largest first; ``{ free = 600, bound = 100 }`` by state; or a
    concentration.

    Parameters
    ----------
    concentration : quantity, optional
        The number per volume, area or length. Takes a concentration (a number per area in 2D, a
        number per length in 1D). For example ``"100 nM"``. Without it: the table has numbers by
        state.
    poisson : bool, optional
        Whether the number is drawn, using the seed, from a Poisson distribution with that mean.
        Takes ``true`` or ``false``. By default ``false``.
    """

    __slots__ = ()
    _table = "concentration"
    _keys = ("concentration", "poisson")

    def __init__(
        self,
        *,
        concentration: Quantity | None = None,
        poisson: bool | None = None,
    ) -> None:
        self._fill(locals())


class Placement(Builder):
    """The table ``species.placement`` of a model file: their number and positions; beside
    ``count`` only the way, as in ``placement = "lattice"``.

    Parameters
    ----------
    random : int or quantity or Concentration, optional
        With the engine ``brownian``, ``granular`` or ``gas``: This many at random without
        overlap, largest first. Takes a whole number, a concentration (a number per area in 2D,
        a number per length in 1D), or a table ``concentration``. For example ``10``.
        With the engine ``polygons``: This many at random without overlap, largest first. Takes
        a whole number.
    lattice : int or quantity or Concentration, optional
        With the engine ``brownian``, ``granular`` or ``gas``: This many on a lattice. Takes a
        whole number, a concentration (a number per area in 2D, a number per length in 1D), or a
        table ``concentration``. For example ``10``.
        With the engine ``polygons``: This many on a lattice. Takes a whole number.
    packed : int or quantity or Concentration, optional
        This many packed: anywhere at first, then moved apart until none overlap, together with
        all species that are packed; up to near random close packing, 0.63 in 3D and 0.82 in 2D.
        Takes a whole number, a concentration (a number per area in 2D, a number per length in
        1D), or a table ``concentration``. For example ``10``.
    equilibrium : int or quantity or Concentration, optional
        This many as hard particles are in equilibrium, with the affinities of regions for them:
        placed at random, and then moved about by Metropolis's rule, around all that is placed
        otherwise. Takes a whole number, a concentration (a number per area in 2D, a number per
        length in 1D), or a table ``concentration``. For example ``10``.
    room : int, optional
        This many, each with a random centre, and a random radius up to the available space.
        Takes a whole number.
    file : str, optional
        With the engine ``brownian``, ``granular`` or ``gas``: At the positions in a table, or
        in the last frame of an H5MD file. For example ``"positions.csv"``.
        With the engine ``polygons``: At the positions in a table, with a column ``angle`` (rad)
        or ``angle_deg``, or in the last frame of a polygon file, provided that nothing overlaps
        there (particles that press on each other do). For example ``"positions.csv"``.
    positions : sequence, optional
        With the engine ``brownian``, ``granular`` or ``gas``: At these places. Takes a list,
        each entry a length for each axis. For example ``[["100 nm", "200 nm"]]``.
        With the engine ``polygons``: At these positions, optionally rotated: ``[[x, y], [x, y,
        angle]]``. Takes a list, each entry a list, each entry a length, or an angle. For
        example ``[["10 mm", "20 mm"], ["30 mm", "20 mm", "30 deg"]]``.
    picture : sequence, optional
        A particle for each character other than a space or a dot. Takes a list, each entry
        text. For example ``["# #", "###"]``.
    corner : sequence, optional
        The position of the lower left character of a ``picture``. Takes a length for each axis.
        For example ``["10 mm", "50 mm"]``. Without it: needed with ``picture``.
    pitch : quantity, optional
        The distance between neighbours in a ``picture``. Takes a length. For example ``"2.1
        mm"``. Without it: needed with ``picture``.
    state : str, optional
        The state that all of them are in. For example ``"bound"``. Without it: the first, or as
        in the file.
    species_number : int, optional
        The number of this species in a ``file`` that has numbers for species and no names.
        Takes a whole number. Without it: its particles are those with its name, or all.
    bonds : bool, optional
        Whether the bonds in an H5MD ``file`` are used. Takes ``true`` or ``false``. By default
        ``true``.
    """

    __slots__ = ()
    _table = "placement"
    _keys = (
        "random",
        "lattice",
        "packed",
        "equilibrium",
        "room",
        "file",
        "positions",
        "picture",
        "corner",
        "pitch",
        "state",
        "species_number",
        "bonds",
    )

    def __init__(
        self,
        *,
        random: Whole | Quantity | Concentration | Mapping[str, Any] | None = None,
        lattice: Whole | Quantity | Concentration | Mapping[str, Any] | None = None,
        packed: Whole | Quantity | Concentration | Mapping[str, Any] | None = None,
        equilibrium: Whole | Quantity | Concentration | Mapping[str, Any] | None = None,
        room: Whole | None = None,
        file: str | None = None,
        positions: Sequence[Sequence[Quantity] | Array] | Array | None = None,
        picture: Sequence[str] | Array | None = None,
        corner: Sequence[Quantity] | Array | None = None,
        pitch: Quantity | None = None,
        state: str | None = None,
        species_number: Whole | None = None,
        bonds: bool | None = None,
    ) -> None:
        self._fill(locals())


class Molecule(Builder):
    """The table ``[[molecule]]`` of a model file: molecules of several spheres, one table for
    each.

    It belongs to models of the engine ``brownian``.

    Parameters
    ----------
    name : str
        One word; its bonds appear under this name in the log and in reports. For example
        ``"Antibody"``.
    spheres : sequence, optional
        Its spheres, two or more. Takes a list, each entry a table ``member``. For example ``[{
        species = "A", at = ["0 nm", "0 nm", "0 nm"] }, { species = "A", at = ["6 nm", "0 nm",
        "0 nm"] }]``. Without it: one of ``spheres``, ``chain`` and ``complex`` is needed.
    chain : Chain, optional
        A chain of alike spheres, laid out at random; it needs a ``tether``. Takes a table
        ``chain``. For example ``{ species = "A", length = 50 }``.
    complex : str, optional
        A complex that rules could have formed, in their notation: its bonds are those of the
        rules, and break like all others. For example ``"A(b!1).B(a!1)"``.
    tether : quantity, optional
        Makes the molecule flexible: its spheres move by themselves, and neighbours never get
        farther apart than this. Takes a length. For example ``"8 nm"``. Without it: the
        molecule is rigid.
    count : int or quantity or Concentration, optional
        The number of molecules, placed and turned at random without overlap; or a
        concentration. Takes a whole number, a concentration (a number per area in 2D, a number
        per length in 1D), or a table ``concentration``. For example ``10``. By default ``0``.
    """

    __slots__ = ()
    _table = "molecule"
    _section = "molecule"
    _is_list = True
    _keys = ("name", "spheres", "chain", "complex", "tether", "count")
    _positional = ("name",)

    def __init__(
        self,
        name: str,
        *,
        spheres: Sequence[Member | Mapping[str, Any]] | None = None,
        chain: Chain | Mapping[str, Any] | None = None,
        complex: str | None = None,
        tether: Quantity | None = None,
        count: Whole | Quantity | Concentration | Mapping[str, Any] | None = None,
    ) -> None:
        self._fill(locals())


class Member(Builder):
    """The table ``molecule.spheres`` of a model file: its spheres, two or more.

    Parameters
    ----------
    species : str
        Its species; with states of its own, ``"Fab{bound}"`` or ``"Fab(y~p)"``. For example
        ``"Fab"``.
    at : sequence
        Its position relative to the other spheres. Takes a length for each axis. For example
        ``["4 nm", "3 nm", "0 nm"]``.
    bond : str, optional
        The bind rule whose bond joins it to the sphere before it that is nearest and that it
        touches, at the sites that the rule joins: it breaks like bonds that form by this rule.
        For example ``"bind"``. Without it: a bond of the molecule itself, which does not break.
    turn : quantity or Turn, optional
        How sites that point somewhere are turned: an angle about the z axis, or ``{ axis = [0,
        1, 0], angle = "90 deg" }``. Takes an angle, or a table ``turn``. For example ``"90
        deg"``. Without it: not turned.
    """

    __slots__ = ()
    _table = "member"
    _keys = ("species", "at", "bond", "turn")

    def __init__(
        self,
        *,
        species: str,
        at: Sequence[Quantity] | Array,
        bond: str | None = None,
        turn: Quantity | Turn | Mapping[str, Any] | None = None,
    ) -> None:
        self._fill(locals())


class Turn(Builder):
    """The table ``molecule.spheres.turn`` of a model file: how sites that point somewhere are
    turned: an angle about the z axis, or ``{ axis = [0, 1, 0], angle = "90 deg" }``.

    Parameters
    ----------
    axis : sequence
        The axis of the turn, in 3D. Takes a plain number for each axis. For example ``[0, 1,
        0]``.
    angle : quantity
        The angle, right handed. Takes an angle. For example ``"90 deg"``.
    """

    __slots__ = ()
    _table = "turn"
    _keys = ("axis", "angle")

    def __init__(
        self,
        *,
        axis: Sequence[Quantity] | Array,
        angle: Quantity,
    ) -> None:
        self._fill(locals())


class Chain(Builder):
    """The table ``molecule.chain`` of a model file: a chain of alike spheres, laid out at random;
    it needs a ``tether``.

    Parameters
    ----------
    species : str
        The species of the spheres. For example ``"A"``.
    length : int
        The number of spheres. Takes a whole number of at least 2.
    """

    __slots__ = ()
    _table = "chain"
    _keys = ("species", "length")

    def __init__(
        self,
        *,
        species: str,
        length: Whole,
    ) -> None:
        self._fill(locals())


class Surface(Builder):
    """The table ``[[surface]]`` of a model file: surfaces in the box, one table for each.

    It belongs to models of the engine ``brownian``.

    Parameters
    ----------
    name : str
        One word; it appears in the log. For example ``"membrane"``.
    plane : Plane, optional
        A plane. Takes a table ``plane``. For example ``{ axis = "z", at = "0 nm" }``. Without
        it: one shape is needed.
    sphere : Sphere, optional
        A sphere. Takes a table ``sphere``. For example ``{ radius = "500 nm" }``.
    circle : Sphere, optional
        The same, in 2D. Takes a table ``sphere``. For example ``{ radius = "500 nm" }``.
    cylinder : Cylinder, optional
        A cylinder. Takes a table ``cylinder``. For example ``{ axis = "x", radius = "200 nm",
        length = "1 um" }``.
    mesh : Mesh, optional
        In 3D: a closed mesh. Takes a table ``mesh``. For example ``{ file = "cell.stl", unit =
        "um" }``.
    polygon : sequence, optional
        In 2D: the corners in order; the polygon need not be convex. Takes a list, each entry a
        length for each axis. For example ``[["100 nm", "100 nm"], ["300 nm", "100 nm"], ["200
        nm", "300 nm"]]``.
    meets : str or Meets, optional
        What particles do when they meet it. Takes ``"reflect"``, ``"ignore"`` or ``"absorb"``,
        or a table ``meets``. For example ``"absorb"``. By default ``"reflect"``.
    species : mapping, optional
        What particles of certain species do instead: ``{ A = "ignore", B = { diffusion_inside =
        "0.1 um^2/s", affinity = 2 } }``. Takes a table by name, each entry ``"reflect"``,
        ``"ignore"`` or ``"absorb"``, or a table ``meets``. For example ``{ A = "ignore" }``.
        Without it: as ``meets``.
    sites : int, optional
        How many there are for what gets onto the surface (``becomes``): it takes one, and finds
        fewer free the more are taken. Takes a whole number of at least 1. Without it: they are
        not counted.
    held_by : mapping, optional
        With ``sites``: the species that hold some, and how many each. Takes a table by name,
        each entry a whole number of at least 1. For example ``{ A_bound = 1, A2_bound = 2 }``.
        Without it: those named by ``becomes``, one each.
    """

    __slots__ = ()
    _table = "surface"
    _section = "surface"
    _is_list = True
    _keys = (
        "name",
        "plane",
        "sphere",
        "circle",
        "cylinder",
        "mesh",
        "polygon",
        "meets",
        "species",
        "sites",
        "held_by",
    )
    _positional = ("name",)

    def __init__(
        self,
        name: str,
        *,
        plane: Plane | Mapping[str, Any] | None = None,
        sphere: Sphere | Mapping[str, Any] | None = None,
        circle: Sphere | Mapping[str, Any] | None = None,
        cylinder: Cylinder | Mapping[str, Any] | None = None,
        mesh: Mesh | Mapping[str, Any] | None = None,
        polygon: Sequence[Sequence[Quantity] | Array] | Array | None = None,
        meets: Literal["reflect", "ignore", "absorb"] | Meets | Mapping[str, Any] | None = None,
        species: (
            Mapping[str, Literal["reflect", "ignore", "absorb"] | Meets | Mapping[str, Any]] | None
        ) = None,
        sites: Whole | None = None,
        held_by: Mapping[str, Whole] | None = None,
    ) -> None:
        self._fill(locals())


class Plane(Builder):
    """The table ``surface.plane`` of a model file: a plane.

    Parameters
    ----------
    axis : str
        The axis at right angles to it. Takes ``"x"``, ``"y"`` or ``"z"``.
    at : quantity or sequence
        Its position along that axis; several, ``["60 nm", "180 nm"]``, are as many surfaces,
        whose names end with ``_1``, ``_2`` and so on. Takes a length, or a list of these. For
        example ``"0 nm"``.
    """

    __slots__ = ()
    _table = "plane"
    _keys = ("axis", "at")

    def __init__(
        self,
        *,
        axis: Literal["x", "y", "z"],
        at: Quantity | Sequence[Quantity] | Array,
    ) -> None:
        self._fill(locals())


class Sphere(Builder):
    """The table ``surface.sphere`` of a model file: a sphere.

    Parameters
    ----------
    centre : sequence, optional
        Its centre. Takes a length for each axis. For example ``["1 um", "1 um", "1 um"]``.
        Without it: the centre of the box.
    radius : quantity
        Its radius. Takes a length. For example ``"500 nm"``.
    """

    __slots__ = ()
    _table = "sphere"
    _keys = ("centre", "radius")

    def __init__(
        self,
        *,
        radius: Quantity,
        centre: Sequence[Quantity] | Array | None = None,
    ) -> None:
        self._fill(locals())


class Cylinder(Builder):
    """The table ``surface.cylinder`` of a model file: a cylinder.

    Parameters
    ----------
    axis : str
        The direction of its axis. Takes ``"x"``, ``"y"`` or ``"z"``.
    centre : sequence, optional
        Its centre. Takes a length for each axis. For example ``["1 um", "1 um", "1 um"]``.
        Without it: the centre of the box.
    radius : quantity
        Its radius. Takes a length. For example ``"500 nm"``.
    length : quantity, optional
        Its length, from tip to tip if the ends are round. Takes a length. For example ``"2
        um"``. Without it: needed, except for open ends.
    ends : str, optional
        The shape of its ends; ``"open"``: it extends through the whole of a periodic axis and
        has no length. Takes ``"round"``, ``"flat"`` or ``"open"``. By default ``"round"``.
    """

    __slots__ = ()
    _table = "cylinder"
    _keys = ("axis", "centre", "radius", "length", "ends")

    def __init__(
        self,
        *,
        axis: Literal["x", "y", "z"],
        radius: Quantity,
        centre: Sequence[Quantity] | Array | None = None,
        length: Quantity | None = None,
        ends: Literal["round", "flat", "open"] | None = None,
    ) -> None:
        self._fill(locals())


class Mesh(Builder):
    """The table ``surface.mesh`` of a model file: in 3D: a closed mesh.

    Parameters
    ----------
    file : str, optional
        An STL or OBJ file. For example ``"cell.stl"``. Without it: ``vertices`` and ``facets``.
    unit : str, optional
        The unit of the file. Takes the unit of a length. For example ``"um"``. Without it: the
        default unit of lengths.
    scale : quantity or sequence, optional
        The coordinates in the file are multiplied by it, along each axis, as by the edges of a
        voxel. Takes a plain number, or a list of these. For example ``[65, 65, 200]``. By
        default ``1``.
    shift : sequence, optional
        A displacement of the mesh. Takes a length for each axis. For example ``["100 nm", "0
        nm", "0 nm"]``. Without it: none.
    vertices : sequence, optional
        Instead of a file: the positions of its corners. Takes a list, each entry a length for
        each axis. For example ``[[100, 100, 100], [500, 100, 100], [100, 500, 100], [100, 100,
        500]]``.
    facets : sequence, optional
        The numbers of the three vertices of each triangle, counted from 0. Takes a list, each
        entry a list, each entry a whole number. For example ``[[0, 2, 1], [0, 1, 3], [0, 3, 2],
        [1, 2, 3]]``.
    """

    __slots__ = ()
    _table = "mesh"
    _keys = ("file", "unit", "scale", "shift", "vertices", "facets")

    def __init__(
        self,
        *,
        file: str | None = None,
        unit: str | None = None,
        scale: Quantity | Sequence[Quantity] | Array | None = None,
        shift: Sequence[Quantity] | Array | None = None,
        vertices: Sequence[Sequence[Quantity] | Array] | Array | None = None,
        facets: Sequence[Sequence[Whole] | Array] | Array | None = None,
    ) -> None:
        self._fill(locals())


class Meets(Builder):
    """The table ``surface.meets`` of a model file: what particles do when they meet it.

    Parameters
    ----------
    absorb : quantity, optional
        The absorbed flux is this times the concentration. Takes a velocity (length per time).
        For example ``"1 um/s"``.
    becomes : str, optional
        With a velocity ``absorb``: what is absorbed becomes one of this species, which lives
        ``on`` the surface. For example ``"A_bound"``. Without it: it ends there.
    permeability : quantity, optional
        The flux through the surface is this times the difference in concentration. Takes a
        velocity (length per time). For example ``"1 um/s"``.
    permeability_outwards : quantity, optional
        From inside to outside (of a plane: from above to below), if that is another one: the
        flux inwards is ``permeability`` times the concentration outside less this times that
        inside. Takes a velocity (length per time). For example ``"0 um/s"``. Without it: as
        ``permeability``.
    diffusion_inside : quantity, optional
        The diffusion coefficient inside, of one species. Takes a diffusion coefficient (area
        per time). For example ``"0.1 um^2/s"``.
    affinity : quantity, optional
        With ``diffusion_inside``: the ratio of the concentration inside to that outside. Takes
        a plain number. For example ``2``. By default ``1``.
    """

    __slots__ = ()
    _table = "meets"
    _keys = (
        "absorb",
        "becomes",
        "permeability",
        "permeability_outwards",
        "diffusion_inside",
        "affinity",
    )

    def __init__(
        self,
        *,
        absorb: Quantity | None = None,
        becomes: str | None = None,
        permeability: Quantity | None = None,
        permeability_outwards: Quantity | None = None,
        diffusion_inside: Quantity | None = None,
        affinity: Quantity | None = None,
    ) -> None:
        self._fill(locals())


class Case(Builder):
    """The table ``rule.cases`` of a model file: instead of ``on`` and products, several of them:
    ``[{ on = [..], products = [..] }, ..]``.

    Parameters
    ----------
    on : str or sequence
        The species. Takes text, or a list of these. For example ``["A", "B"]``.
    products : sequence, optional
        What they become. Takes a list, each entry text. For example ``["B"]``. Without it: as
        for the rule.
    product : str, optional
        What they become. For example ``"C"``. Without it: as for the rule.
    at : sequence, optional
        The site of each that binds. Takes a list, each entry text. For example ``["b", "a"]``.
        Without it: as for the rule.
    """

    __slots__ = ()
    _table = "case"
    _keys = ("on", "products", "product", "at")

    def __init__(
        self,
        *,
        on: str | Sequence[str] | Array,
        products: Sequence[str] | Array | None = None,
        product: str | None = None,
        at: Sequence[str] | Array | None = None,
    ) -> None:
        self._fill(locals())


class Schedule(Builder):
    """The table ``[[schedule]]`` of a model file: what happens at given times, one table for each
    entry.

    It belongs to models of the engine ``brownian``.

    Parameters
    ----------
    name : str, optional
        One word, different from the names of rules. For example ``"guanidine"``. Without it:
        ``schedule_1`` and so on.
    at : quantity
        When it happens. Takes a time. For example ``"2 s"``.
    every : quantity, optional
        The time after which it happens again, repeatedly. Takes a time. For example ``"90 s"``.
        Without it: once only.
    set : Set, optional
        Gives a rule a new value of its rate constant or probability. Takes a table ``set``. For
        example ``{ rule = "cut", rate = "2 /s" }``. Without it: one of these five is needed.
    switch_on : str, optional
        Switches this rule or potential on. For example ``"cut"``.
    switch_off : str, optional
        Switches this rule or potential off. For example ``"cut"``.
    add : Add, optional
        Adds particles at random. Takes a table ``add``. For example ``{ species = "A", count =
        10 }``.
    divide : Divide, optional
        Divides the cell. Takes a table ``divide``. For example ``{ keep = 0.5 }``.
    """

    __slots__ = ()
    _table = "schedule"
    _section = "schedule"
    _is_list = True
    _keys = ("name", "at", "every", "set", "switch_on", "switch_off", "add", "divide")
    _positional = ("name",)

    def __init__(
        self,
        name: str | None = None,
        *,
        at: Quantity,
        every: Quantity | None = None,
        set: Set | Mapping[str, Any] | None = None,
        switch_on: str | None = None,
        switch_off: str | None = None,
        add: Add | Mapping[str, Any] | None = None,
        divide: Divide | Mapping[str, Any] | None = None,
    ) -> None:
        self._fill(locals())


class Set(Builder):
    """The table ``schedule.set`` of a model file: gives a rule a new value of its rate constant or
    probability.

    Parameters
    ----------
    rule : str
        The rule. For example ``"cut"``.
    rate : quantity, optional
        Its rate. Takes a rate per time, a volume per time (an area per time in 2D, a length per
        time in 1D), or a rate per volume (a rate per area in 2D, a rate per length in 1D). For
        example ``"2 /s"``. Without it: the key that the rule uses is needed.
    k_on : quantity, optional
        Its macroscopic rate constant. Takes a volume per time (an area per time in 2D, a length
        per time in 1D). For example ``"1e6 /M/s"``.
    probability : quantity, optional
        Its probability. Takes a plain number. For example ``0.1``.
    k_off : quantity, optional
        Its macroscopic rate of unbinding. Takes a rate per time. For example ``"0.1 /s"``.
    factor : str, optional
        A formula by which this value is multiplied each time: of numbers of particles, of what
        is observed (``[[observable]]``) and of the ``time`` in seconds. For example ``"1/(1 +
        A/100)"``. Without it: 1.
    """

    __slots__ = ()
    _table = "set"
    _keys = ("rule", "rate", "k_on", "probability", "k_off", "factor")

    def __init__(
        self,
        *,
        rule: str,
        rate: Quantity | None = None,
        k_on: Quantity | None = None,
        probability: Quantity | None = None,
        k_off: Quantity | None = None,
        factor: str | None = None,
    ) -> None:
        self._fill(locals())


class Add(Builder):
    """The table ``schedule.add`` of a model file: adds particles at random.

    Parameters
    ----------
    species : str
        The species. For example ``"A"``.
    count : int
        The number of particles. Takes a whole number of at least 1.
    region : Region, optional
        Where they are placed. Takes a table ``region``. For example ``{ inside = "cell" }``.
        Without it: anywhere.
    """

    __slots__ = ()
    _table = "add"
    _keys = ("species", "count", "region")

    def __init__(
        self,
        *,
        species: str,
        count: Whole,
        region: Region | Mapping[str, Any] | None = None,
    ) -> None:
        self._fill(locals())


class Divide(Builder):
    """The table ``schedule.divide`` of a model file: divides the cell.

    Parameters
    ----------
    keep : quantity, optional
        The probability that a particle stays. Takes a plain number. For example ``0.5``.
        Without it: ``volume_fraction``.
    volume_fraction : quantity, optional
        The part of the box in which particles stay. Takes a plain number. For example ``0.4``.
        Without it: ``keep``.
    axis : str, optional
        With ``volume_fraction``: the axis at right angles to the cut. Takes ``"x"``, ``"y"`` or
        ``"z"``. By default ``"x"``.
    """

    __slots__ = ()
    _table = "divide"
    _keys = ("keep", "volume_fraction", "axis")

    def __init__(
        self,
        *,
        keep: Quantity | None = None,
        volume_fraction: Quantity | None = None,
        axis: Literal["x", "y", "z"] | None = None,
    ) -> None:
        self._fill(locals())


class Observable(Builder):
    """The table ``[[observable]]`` of a model file: what is counted by a name of its own, one
    table for each.

    It belongs to models of the engine ``brownian``.

    Parameters
    ----------
    name : str
        One word of letters, digits and ``_``. For example ``"bound"``.
    count : str, optional
        What is counted: particles, each as often as a pattern fits it, or clusters that hold
        any such particle. Takes ``"particles"`` or ``"clusters"``. By default ``"particles"``.
    patterns : str or sequence
        Species, ``"EGFR{bound}"``, or molecules in BioNetGen's notation,
        ``"EGFR(l!1).EGF(r!1)"``, which are counted together. Takes text, or a list of these.
        For example ``["A"]``.
    """

    __slots__ = ()
    _table = "observable"
    _section = "observable"
    _is_list = True
    _keys = ("name", "count", "patterns")
    _positional = ("name",)

    def __init__(
        self,
        name: str,
        *,
        patterns: str | Sequence[str] | Array,
        count: Literal["particles", "clusters"] | None = None,
    ) -> None:
        self._fill(locals())


class Potential(Builder):
    """The table ``[[potential]]`` of a model file: attraction and repulsion, one table for each.

    It belongs to models of the engine ``brownian``.

    Parameters
    ----------
    name : str
        One word, different for each. For example ``"attract"``.
    between : sequence
        The two partners, each a species, a pattern or a list of them. Takes a list, each entry
        text, or a list of these. For example ``["A", "B"]``.
    steps : sequence, optional
        The energy in shells around contact, from the inside out. Takes a list, each entry a
        table ``step``. For example ``[{ to = "7 nm", energy = "-1.5 kT" }]``. Without it:
        exactly one of these is needed: ``steps``, ``square_well``, ``square_shoulder``, a form
        (``yukawa`` to ``linear``), ``table``.
    square_well : SquareWell, optional
        Attraction in a single shell around contact. Takes a table ``square_well``. For example
        ``{ to = "7 nm", depth = "1.5 kT" }``.
    square_shoulder : SquareShoulder, optional
        Repulsion in a single shell around contact. Takes a table ``square_shoulder``. For
        example ``{ to = "7 nm", height = "2 kT" }``.
    yukawa : Yukawa, optional
        Screened charges: strength (c/r) exp(−(r − c)/length), c being the distance at contact.
        Takes a table ``yukawa``. For example ``{ strength = "4 kT", length = "1 nm" }``.
    debye_hueckel : DebyeHueckel, optional
        Charged balls in salt water: charge_product (ℓ/(1 + c/(2λ))²) exp(−(r − c)/λ)/r, ℓ being
        the Bjerrum length, λ = (8π ℓ salt)^(−1/2), and c the distance at contact. Takes a table
        ``debye_hueckel``. For example ``{ charge_product = -12, salt = "150 mM" }``.
    lennard_jones : LennardJones, optional
        4 depth ((diameter/r)¹² − (diameter/r)⁶), outside of contact. Takes a table
        ``lennard_jones``. For example ``{ depth = "1 kT", diameter = "5 nm" }``.
    wca : Wca, optional
        Soft repulsion (Weeks, Chandler and Andersen): ``lennard_jones`` lifted by its depth, up
        to its minimum. Takes a table ``wca``. For example ``{ depth = "1 kT", diameter = "5 nm"
        }``.
    morse : Morse, optional
        Depth ((1 − exp(−(r − distance)/width))² − 1). Takes a table ``morse``. For example ``{
        depth = "3 kT", width = "0.5 nm", distance = "6 nm" }``.
    gaussian : Gaussian, optional
        A barrier or a well: height exp(−(r − distance)²/(2 width²)). Takes a table
        ``gaussian``. For example ``{ height = "2 kT", width = "1 nm", distance = "7 nm" }``.
    harmonic : Harmonic, optional
        A spring: kT (r − distance)²/(2 width²), so that its constant is kT/width². Takes a
        table ``harmonic``. For example ``{ width = "10 nm", distance = "0 nm" }``.
    linear : Linear, optional
        A constant force: kT r/length. Takes a table ``linear``. For example ``{ length = "200
        nm" }``.
    table : str or sequence, optional
        Straight lines between points; or a CSV file whose first two columns are the distance in
        nm and the energy in kT. Takes text, or a list, each entry a table ``point``. For
        example ``[{ at = "5 nm", energy = "-2 kT" }, { at = "8 nm", energy = "0 kT" }]``.
    cutoff : quantity, optional
        Beyond this distance of the centres there is no energy. Takes a length. For example ``"8
        nm"``. Without it: with ``table``, the last distance; with ``wca``, its minimum; all
        other forms need it.
    law : str, optional
        What particles do in a smooth potential: cross the edges of ``shells``, or bounce where
        they have climbed enough energy, which needs no shells. Takes ``"shells"`` or
        ``"bounces"``. By default ``"shells"``.
    shells : int, optional
        Into how many shells a smooth potential is divided. Takes a whole number of at least 1.
        By default ``16``.
    """

    __slots__ = ()
    _table = "potential"
    _section = "potential"
    _is_list = True
    _keys = (
        "name",
        "between",
        "steps",
        "square_well",
        "square_shoulder",
        "yukawa",
        "debye_hueckel",
        "lennard_jones",
        "wca",
        "morse",
        "gaussian",
        "harmonic",
        "linear",
        "table",
        "cutoff",
        "law",
        "shells",
    )
    _positional = ("name",)

    def __init__(
        self,
        name: str,
        *,
        between: Sequence[str | Sequence[str] | Array] | Array,
        steps: Sequence[Step | Mapping[str, Any]] | None = None,
        square_well: SquareWell | Mapping[str, Any] | None = None,
        square_shoulder: SquareShoulder | Mapping[str, Any] | None = None,
        yukawa: Yukawa | Mapping[str, Any] | None = None,
        debye_hueckel: DebyeHueckel | Mapping[str, Any] | None = None,
        lennard_jones: LennardJones | Mapping[str, Any] | None = None,
        wca: Wca | Mapping[str, Any] | None = None,
        morse: Morse | Mapping[str, Any] | None = None,
        gaussian: Gaussian | Mapping[str, Any] | None = None,
        harmonic: Harmonic | Mapping[str, Any] | None = None,
        linear: Linear | Mapping[str, Any] | None = None,
        table: str | Sequence[Point | Mapping[str, Any]] | None = None,
        cutoff: Quantity | None = None,
        law: Literal["shells", "bounces"] | None = None,
        shells: Whole | None = None,
    ) -> None:
        self._fill(locals())


class Step(Builder):
    """The table ``potential.steps`` of a model file: the energy in shells around contact, from the
    inside out.

    Parameters
    ----------
    to : quantity
        The distance of the centres at which the shell ends. Takes a length. For example ``"7
        nm"``.
    energy : quantity
        The energy of a pair in it. Takes an energy in kT. For example ``"-1.5 kT"``.
    """

    __slots__ = ()
    _table = "step"
    _keys = ("to", "energy")

    def __init__(
        self,
        *,
        to: Quantity,
        energy: Quantity,
    ) -> None:
        self._fill(locals())


class SquareWell(Builder):
    """The table ``potential.square_well`` of a model file: attraction in a single shell around
    contact.

    Parameters
    ----------
    to : quantity
        The distance of the centres at which the well ends. Takes a length. For example ``"7
        nm"``.
    depth : quantity
        How much energy a pair in it gains. Takes an energy in kT. For example ``"1.5 kT"``.
    """

    __slots__ = ()
    _table = "square_well"
    _keys = ("to", "depth")

    def __init__(
        self,
        *,
        to: Quantity,
        depth: Quantity,
    ) -> None:
        self._fill(locals())


class SquareShoulder(Builder):
    """The table ``potential.square_shoulder`` of a model file: repulsion in a single shell around
    contact.

    Parameters
    ----------
    to : quantity
        The distance of the centres at which the shoulder ends. Takes a length. For example ``"7
        nm"``.
    height : quantity
        How much energy it costs a pair to be in it. Takes an energy in kT. For example ``"2
        kT"``.
    """

    __slots__ = ()
    _table = "square_shoulder"
    _keys = ("to", "height")

    def __init__(
        self,
        *,
        to: Quantity,
        height: Quantity,
    ) -> None:
        self._fill(locals())


class Yukawa(Builder):
    """The table ``potential.yukawa`` of a model file: screened charges: strength (c/r) exp(−(r −
    c)/length), c being the distance at contact.

    Parameters
    ----------
    strength : quantity
        The energy at contact, positive if it repels. Takes an energy in kT. For example ``"4
        kT"``.
    length : quantity
        The screening length (Debye length). Takes a length. For example ``"1 nm"``.
    """

    __slots__ = ()
    _table = "yukawa"
    _keys = ("strength", "length")

    def __init__(
        self,
        *,
        strength: Quantity,
        length: Quantity,
    ) -> None:
        self._fill(locals())


class DebyeHueckel(Builder):
    """The table ``potential.debye_hueckel`` of a model file: charged balls in salt water:
    charge_product (ℓ/(1 + c/(2λ))²) exp(−(r − c)/λ)/r, ℓ being the Bjerrum length, λ = (8π ℓ
    salt)^(−1/2), and c the distance at contact.

    Parameters
    ----------
    charge_product : quantity
        The product of both charges, in squares of the elementary charge. Takes a plain number.
        For example ``-12``.
    salt : quantity
        The ionic strength. Takes a concentration. For example ``"150 mM"``.
    bjerrum_length : quantity, optional
        Where two elementary charges have the energy kT without salt; usually that of water at
        25 °C. Takes a length. For example ``"0.7 nm"``. By default ``0.714 nm``.
    """

    __slots__ = ()
    _table = "debye_hueckel"
    _keys = ("charge_product", "salt", "bjerrum_length")

    def __init__(
        self,
        *,
        charge_product: Quantity,
        salt: Quantity,
        bjerrum_length: Quantity | None = None,
    ) -> None:
        self._fill(locals())


class LennardJones(Builder):
    """The table ``potential.lennard_jones`` of a model file: 4 depth ((diameter/r)¹² −
    (diameter/r)⁶), outside of contact.

    Parameters
    ----------
    depth : quantity
        How deep the minimum is. Takes an energy in kT. For example ``"1 kT"``.
    diameter : quantity, optional
        The distance at which the energy is 0. Takes a length. For example ``"5 nm"``. Without
        it: that at contact.
    """

    __slots__ = ()
    _table = "lennard_jones"
    _keys = ("depth", "diameter")

    def __init__(
        self,
        *,
        depth: Quantity,
        diameter: Quantity | None = None,
    ) -> None:
        self._fill(locals())


class Wca(Builder):
    """The table ``potential.wca`` of a model file: soft repulsion (Weeks, Chandler and Andersen):
    ``lennard_jones`` lifted by its depth, up to its minimum.

    Parameters
    ----------
    depth : quantity
        The energy at ``diameter``. Takes an energy in kT. For example ``"1 kT"``.
    diameter : quantity
        The energy ends at 1.12 of it. Takes a length. For example ``"5 nm"``.
    """

    __slots__ = ()
    _table = "wca"
    _keys = ("depth", "diameter")

    def __init__(
        self,
        *,
        depth: Quantity,
        diameter: Quantity,
    ) -> None:
        self._fill(locals())


class Morse(Builder):
    """The table ``potential.morse`` of a model file: depth ((1 − exp(−(r − distance)/width))² −
    1).

    Parameters
    ----------
    depth : quantity
        How deep the minimum is. Takes an energy in kT. For example ``"3 kT"``.
    width : quantity
        How wide it is. Takes a length. For example ``"0.5 nm"``.
    distance : quantity, optional
        Where it is. Takes a length. For example ``"6 nm"``. Without it: at contact.
    """

    __slots__ = ()
    _table = "morse"
    _keys = ("depth", "width", "distance")

    def __init__(
        self,
        *,
        depth: Quantity,
        width: Quantity,
        distance: Quantity | None = None,
    ) -> None:
        self._fill(locals())


class Gaussian(Builder):
    """The table ``potential.gaussian`` of a model file: a barrier or a well: height exp(−(r −
    distance)²/(2 width²)).

    Parameters
    ----------
    height : quantity
        The energy at ``distance``; negative for a well. Takes an energy in kT. For example ``"2
        kT"``.
    width : quantity
        The standard deviation. Takes a length. For example ``"1 nm"``.
    distance : quantity, optional
        Where the energy is highest or lowest. Takes a length. For example ``"7 nm"``. By
        default ``0 nm``.
    """

    __slots__ = ()
    _table = "gaussian"
    _keys = ("height", "width", "distance")

    def __init__(
        self,
        *,
        height: Quantity,
        width: Quantity,
        distance: Quantity | None = None,
    ) -> None:
        self._fill(locals())


class Harmonic(Builder):
    """The table ``potential.harmonic`` of a model file: a spring: kT (r − distance)²/(2 width²),
    so that its constant is kT/width².

    Parameters
    ----------
    width : quantity
        By how much distances scatter in it, rms along each axis. Takes a length. For example
        ``"10 nm"``.
    distance : quantity, optional
        Where the energy is lowest. Takes a length. For example ``"0 nm"``. By default ``0 nm``.
    """

    __slots__ = ()
    _table = "harmonic"
    _keys = ("width", "distance")

    def __init__(
        self,
        *,
        width: Quantity,
        distance: Quantity | None = None,
    ) -> None:
        self._fill(locals())


class Linear(Builder):
    """The table ``potential.linear`` of a model file: a constant force: kT r/length.

    Parameters
    ----------
    length : quantity
        The energy rises by kT on this length, which is kT over the force; it falls if the
        length is negative. Takes a length. For example ``"200 nm"``.
    """

    __slots__ = ()
    _table = "linear"
    _keys = ("length",)

    def __init__(
        self,
        *,
        length: Quantity,
    ) -> None:
        self._fill(locals())


class Point(Builder):
    """The table ``potential.table`` of a model file: straight lines between points; or a CSV file
    whose first two columns are the distance in nm and the energy in kT.

    Parameters
    ----------
    at : quantity
        A distance of the centres. Takes a length. For example ``"5 nm"``.
    energy : quantity
        The energy of a pair there. Takes an energy in kT. For example ``"-2 kT"``.
    """

    __slots__ = ()
    _table = "point"
    _keys = ("at", "energy")

    def __init__(
        self,
        *,
        at: Quantity,
        energy: Quantity,
    ) -> None:
        self._fill(locals())


class Clusters(Builder):
    """The table ``[clusters]`` of a model file: clusters of bonded particles.

    It belongs to models of the engine ``brownian``.

    Parameters
    ----------
    mobility : str or Mobility, optional
        How fast clusters diffuse. Takes ``"stokes"``, ``"rouse"`` or ``"immobile"``, or a table
        ``mobility``. For example ``"rouse"``. By default ``"stokes"``.
    bonds : sequence, optional
        Bonds at the start, between particles with given positions. Takes a list, each entry a
        list, each entry text, or a whole number of at least 1. For example ``[["A", 1, "B", 7,
        "bind"]]``. Without it: taken from position files.
    """

    __slots__ = ()
    _table = "clusters"
    _section = "clusters"
    _keys = ("mobility", "bonds")

    def __init__(
        self,
        *,
        mobility: (
            Literal["stokes", "rouse", "immobile"] | Mobility | Mapping[str, Any] | None
        ) = None,
        bonds: Sequence[Sequence[str | Whole] | Array] | Array | None = None,
    ) -> None:
        self._fill(locals())


class Mobility(Builder):
    """The table ``clusters.mobility`` of a model file: how fast clusters diffuse.

    Parameters
    ----------
    saffman_delbruck : SaffmanDelbruck, optional
        The law of disks in a membrane, in 2D. Takes a table ``saffman_delbruck``. For example
        ``{ length = "1 um" }``.
    table : sequence, optional
        The factor for clusters of 1, 2, .. particles. Takes a list, each entry a plain number.
        For example ``[1.0, 0.5]``.
    """

    __slots__ = ()
    _table = "mobility"
    _keys = ("saffman_delbruck", "table")

    def __init__(
        self,
        *,
        saffman_delbruck: SaffmanDelbruck | Mapping[str, Any] | None = None,
        table: Sequence[Quantity] | Array | None = None,
    ) -> None:
        self._fill(locals())


class SaffmanDelbruck(Builder):
    """The table ``clusters.mobility.saffman_delbruck`` of a model file: the law of disks in a
    membrane, in 2D.

    Parameters
    ----------
    length : quantity
        Membrane viscosity x thickness / (2 x water viscosity). Takes a length. For example ``"1
        um"``.
    """

    __slots__ = ()
    _table = "saffman_delbruck"
    _keys = ("length",)

    def __init__(
        self,
        *,
        length: Quantity,
    ) -> None:
        self._fill(locals())


class Gravity(Builder):
    """The table ``[gravity]`` of a model file: a force on all particles.

    It belongs to models of the engine ``granular``, ``polygons`` or ``gas``.

    Parameters
    ----------
    acceleration : quantity or sequence, optional
        Downwards along the last axis, or one component per axis. Takes an acceleration (length
        per squared time), or one for each axis. For example ``"9.81 m/s^2"``. Without it: none.
    amplitude : quantity, optional
        ``a`` of a part that oscillates along the same direction as a sin(2πft + phase). Takes
        an acceleration (length per squared time). For example ``"1 m/s^2"``. Without it: none.
    frequency : quantity, optional
        ``f`` of that part. Takes a frequency. For example ``"20 Hz"``. Without it: needed with
        ``amplitude``.
    phase : quantity, optional
        The phase of that part. Takes an angle. For example ``"90 deg"``. By default ``0``.
    angle : quantity, optional
        Turns it counter-clockwise: the box stands on an incline. Takes an angle. For example
        ``"30 deg"``. By default ``0``.
    start : str, optional
        How ``count`` and ``random`` place disks that have a temperature: ``"atmosphere"``, by
        Boltzmann's factor; or ``"uniform"``. Takes ``"atmosphere"`` or ``"uniform"``. By
        default ``"atmosphere"``.
    """

    __slots__ = ()
    _table = "gravity"
    _section = "gravity"
    _keys = ("acceleration", "amplitude", "frequency", "phase", "angle", "start")

    def __init__(
        self,
        *,
        acceleration: Quantity | Sequence[Quantity] | Array | None = None,
        amplitude: Quantity | None = None,
        frequency: Quantity | None = None,
        phase: Quantity | None = None,
        angle: Quantity | None = None,
        start: Literal["atmosphere", "uniform"] | None = None,
    ) -> None:
        self._fill(locals())


class Shaking(Builder):
    """The table ``[shaking]`` of a model file: the container, or one of its walls, oscillates;
    where it is at time 0 follows from the phase.

    It belongs to models of the engine ``granular``.

    Parameters
    ----------
    walls : str, optional
        What moves: the whole container; or only the wall at the lower or the upper end of the
        axis, like a piston, which must not start inside its rest position. Takes ``"all"``,
        ``"lower"`` or ``"upper"``. By default ``"all"``.
    axis : str, optional
        The axis along which it oscillates. Takes ``"x"``, ``"y"`` or ``"z"``. Without it: the
        last.
    amplitude : quantity
        How far it moves either way from its rest position. Takes a length. For example ``"5
        mm"``.
    frequency : quantity
        The number of oscillations per time. Takes a frequency. For example ``"20 Hz"``.
    phase : quantity, optional
        The phase at time 0. Takes an angle. For example ``"90 deg"``. By default ``0``.
    """

    __slots__ = ()
    _table = "shaking"
    _section = "shaking"
    _keys = ("walls", "axis", "amplitude", "frequency", "phase")

    def __init__(
        self,
        *,
        amplitude: Quantity,
        frequency: Quantity,
        walls: Literal["all", "lower", "upper"] | None = None,
        axis: Literal["x", "y", "z"] | None = None,
        phase: Quantity | None = None,
    ) -> None:
        self._fill(locals())


class Drag(Builder):
    """The table ``[drag]`` of a model file: slows balls down.

    It belongs to models of the engine ``granular``.

    Parameters
    ----------
    rate : quantity, optional
        Velocities decay at this rate. Takes a rate per time. For example ``"1 /s"``. Without
        it: none.
    """

    __slots__ = ()
    _table = "drag"
    _section = "drag"
    _keys = ("rate",)

    def __init__(
        self,
        *,
        rate: Quantity | None = None,
    ) -> None:
        self._fill(locals())


class Field(Builder):
    """The table ``[field]`` of a model file: a harmonic well: the acceleration is −rate² (x −
    centre).

    It belongs to models of the engine ``granular``.

    Parameters
    ----------
    centre : sequence
        Its minimum. Takes a length for each axis. For example ``["100 mm", "100 mm"]``.
    rate : quantity
        Its angular frequency. Takes a rate per time. For example ``"3 /s"``.
    """

    __slots__ = ()
    _table = "field"
    _section = "field"
    _keys = ("centre", "rate")

    def __init__(
        self,
        *,
        centre: Sequence[Quantity] | Array,
        rate: Quantity,
    ) -> None:
        self._fill(locals())


class Collisions(Builder):
    """The table ``[collisions]`` of a model file: how much velocity remains after a collision.

    It belongs to models of the engine ``granular``.

    Parameters
    ----------
    restitution : str, optional
        How much of the normal speed remains after a collision. Takes ``"viscoelastic"``,
        ``"constant"``, ``"plastic"`` or ``"elastic"``. By default ``"viscoelastic"``.
    coefficient : quantity, optional
        For ``"constant"``: the fraction of the normal speed that remains. Takes a plain number.
        For example ``0.9``. Without it: needed there.
    reference : Reference, optional
        For ``"viscoelastic"``: one collision of two identical balls. Takes a table
        ``reference``. For example ``{ coefficient = 0.9, speed = "2 m/s", radius = "5 mm" }``.
        By default ``{ coefficient = 0.93, speed = "1 m/s", radius = "5 mm" }``.
    constant_A : quantity, optional
        Instead: the dissipative constant A itself. Takes a time. For example ``"1 us"``.
        Without it: ``reference``.
    tc : str or quantity, optional
        How long a contact lasts: ``"auto"`` (Hertz, by pair and speed), a time, or ``"none"``.
        Takes ``"auto"`` or ``"none"``, or a time. For example ``"20 us"``. By default
        ``"auto"``.
    """

    __slots__ = ()
    _table = "collisions"
    _section = "collisions"
    _keys = ("restitution", "coefficient", "reference", "constant_A", "tc")

    def __init__(
        self,
        *,
        restitution: Literal["viscoelastic", "constant", "plastic", "elastic"] | None = None,
        coefficient: Quantity | None = None,
        reference: Reference | Mapping[str, Any] | None = None,
        constant_A: Quantity | None = None,
        tc: Literal["auto", "none"] | Quantity | None = None,
    ) -> None:
        self._fill(locals())


class Reference(Builder):
    """The table ``collisions.reference`` of a model file: for ``"viscoelastic"``: one collision of
    two identical balls.

    Parameters
    ----------
    coefficient : quantity
        The fraction of the speed that remains. Takes a plain number. For example ``0.93``.
    speed : quantity
        The speed at which the two met. Takes a velocity (length per time). For example ``"1
        m/s"``.
    radius : quantity
        The radius of each. Takes a length. For example ``"5 mm"``.
    """

    __slots__ = ()
    _table = "reference"
    _keys = ("coefficient", "speed", "radius")

    def __init__(
        self,
        *,
        coefficient: Quantity,
        speed: Quantity,
        radius: Quantity,
    ) -> None:
        self._fill(locals())


class Material(Builder):
    """The table ``[material]`` of a model file: the material of balls and walls.

    It belongs to models of the engine ``granular``.

    Parameters
    ----------
    youngs_modulus : quantity, optional
        Young's modulus. Takes a pressure. For example ``"70 GPa"``. By default ``"206 GPa"``.
    poissons_ratio : quantity, optional
        Poisson's ratio. Takes a plain number. For example ``0.25``. By default ``0.3``.
    density : quantity, optional
        The density of species without their own. Takes a density (mass per volume). For example
        ``"2700 kg/m^3"``. By default ``"7850 kg/m^3"``.
    yield_pressure : quantity, optional
        The pressure at which plastic flow begins. Takes a pressure. For example ``"1 GPa"``. By
        default ``"2 GPa"``.
    heat_capacity : quantity, optional
        The heat capacity per mass. Takes a heat capacity (energy per mass and temperature). For
        example ``"900 J/kg/K"``. By default ``"460 J/kg/K"``.
    """

    __slots__ = ()
    _table = "material"
    _section = "material"
    _keys = ("youngs_modulus", "poissons_ratio", "density", "yield_pressure", "heat_capacity")

    def __init__(
        self,
        *,
        youngs_modulus: Quantity | None = None,
        poissons_ratio: Quantity | None = None,
        density: Quantity | None = None,
        yield_pressure: Quantity | None = None,
        heat_capacity: Quantity | None = None,
    ) -> None:
        self._fill(locals())


class Contact(Builder):
    """The table ``[contact]`` of a model file: the forces between two particles that overlap.

    It belongs to models of the engine ``polygons``.

    Parameters
    ----------
    stiffness : quantity
        ``Y``, the stiffness of contacts, a force per length. Takes a stiffness (force per
        length). For example ``"1e6 N/m"``.
    law : str, optional
        ``"gradient"``: the gradient of an energy (Feng and Owen 2004); ``"area"``: in
        proportion to the area (Tillemans and Herrmann 1995), which is not conservative. Takes
        ``"gradient"`` or ``"area"``. By default ``"gradient"``.
    damping : quantity, optional
        Γ: how strongly contacts damp the normal speed. Takes a plain number. For example
        ``0.3``. Without it: that of ``restitution``, otherwise 0.5.
    restitution : Rebound, optional
        Instead of ``damping``: what two disks keep of their speed that meet head-on, with the
        mean area and mass of the first species; ``jostle check`` prints it at other speeds.
        Takes a table ``rebound``. For example ``{ coefficient = 0.6, speed = "1 m/s" }``.
    friction : quantity, optional
        Coulomb's μ between particles. Takes a plain number. For example ``0.3``. By default
        ``0.5``.
    wall_friction : quantity, optional
        Coulomb's μ with walls. Takes a plain number. For example ``0.3``. Without it: as
        between particles.
    tangential_stiffness : quantity, optional
        The stiffness of the friction spring, divided by Y. Takes a plain number. For example
        ``0.5``. Without it: 2/7.
    rolling_friction : quantity, optional
        What resists rolling: a torque of at most this times the normal force times r₁r₂/(r₁ +
        r₂), on a wall r. Takes a plain number. For example ``0.1``. By default ``0``.
    """

    __slots__ = ()
    _table = "contact"
    _section = "contact"
    _keys = (
        "stiffness",
        "law",
        "damping",
        "restitution",
        "friction",
        "wall_friction",
        "tangential_stiffness",
        "rolling_friction",
    )

    def __init__(
        self,
        *,
        stiffness: Quantity,
        law: Literal["gradient", "area"] | None = None,
        damping: Quantity | None = None,
        restitution: Rebound | Mapping[str, Any] | None = None,
        friction: Quantity | None = None,
        wall_friction: Quantity | None = None,
        tangential_stiffness: Quantity | None = None,
        rolling_friction: Quantity | None = None,
    ) -> None:
        self._fill(locals())


class Rebound(Builder):
    """The table ``contact.restitution`` of a model file: instead of ``damping``: what two disks
    keep of their speed that meet head-on, with the mean area and mass of the first species;
    ``jostle check`` prints it at other speeds.

    Parameters
    ----------
    coefficient : quantity
        The fraction of the speed that remains, above 0 and below 1. Takes a plain number. For
        example ``0.6``.
    speed : quantity
        The speed at which the two meet. Takes a velocity (length per time). For example ``"1
        m/s"``.
    """

    __slots__ = ()
    _table = "rebound"
    _keys = ("coefficient", "speed")

    def __init__(
        self,
        *,
        coefficient: Quantity,
        speed: Quantity,
    ) -> None:
        self._fill(locals())


class Wall(Builder):
    """The table ``[[wall]]`` of a model file: walls, one table for each.

    It belongs to models of the engine ``polygons``.

    Parameters
    ----------
    name : str
        One word. For example ``"gate"``.
    corners : sequence, optional
        A convex polygon, its corners counter-clockwise. Takes a list, each entry a length for
        each axis. For example ``[["10 mm", "10 mm"], ["20 mm", "10 mm"], ["15 mm", "20 mm"]]``.
        Without it: one of ``corners``, ``rectangle``, ``segment``, ``ring`` and ``shape`` is
        needed.
    rectangle : sequence, optional
        From its lower left to its upper right corner. Takes a list, each entry a length for
        each axis. For example ``[["10 mm", "10 mm"], ["20 mm", "15 mm"]]``.
    segment : sequence, optional
        A beam about the line from one place to the other. Takes a list, each entry a length for
        each axis. For example ``[["10 mm", "10 mm"], ["20 mm", "15 mm"]]``.
    ring : Ring, optional
        A drum made of this many pieces, named ``NAME_1``, ``NAME_2``, . Takes a table ``ring``.
        For example ``{ corners = 32, radius = "20 mm", thickness = "5 mm", centre = ["50 mm",
        "50 mm"] }``.
    shape : Shape, optional
        A shape at a ``position``. Takes a table ``shape``. For example ``{ disk = "5 mm" }``.
    thickness : quantity, optional
        The thickness of a ``segment``. Takes a length. For example ``"4 mm"``. Without it:
        needed there.
    position : sequence, optional
        The position of the centre of a ``shape``. Takes a length for each axis. For example
        ``["30 mm", "30 mm"]``. Without it: needed there.
    angle : quantity, optional
        The orientation of a ``shape``. Takes an angle. For example ``"30 deg"``. By default
        ``0``.
    copies : Copies, optional
        Copies of the wall, each displaced by a step. Takes a table ``copies``. For example ``{
        count = 3, step = ["10 mm", "0 mm"] }``. Without it: just the wall.
    drive : Drive, optional
        How it moves. Takes a table ``drive``. For example ``{ velocity = ["1 mm/s", "0 mm/s"]
        }``. Without it: it stays where it is.
    friction : quantity, optional
        Coulomb's μ on this wall. Takes a plain number. For example ``0.3``. Without it:
        ``wall_friction``.
    opens_at : quantity, optional
        When it is removed, as a gate. Takes a time. For example ``"5 ms"``. Without it: never.
    """

    __slots__ = ()
    _table = "wall"
    _section = "wall"
    _is_list = True
    _keys = (
        "name",
        "corners",
        "rectangle",
        "segment",
        "ring",
        "shape",
        "thickness",
        "position",
        "angle",
        "copies",
        "drive",
        "friction",
        "opens_at",
    )
    _positional = ("name",)

    def __init__(
        self,
        name: str,
        *,
        corners: Sequence[Sequence[Quantity] | Array] | Array | None = None,
        rectangle: Sequence[Sequence[Quantity] | Array] | Array | None = None,
        segment: Sequence[Sequence[Quantity] | Array] | Array | None = None,
        ring: Ring | Mapping[str, Any] | None = None,
        shape: Shape | Mapping[str, Any] | None = None,
        thickness: Quantity | None = None,
        position: Sequence[Quantity] | Array | None = None,
        angle: Quantity | None = None,
        copies: Copies | Mapping[str, Any] | None = None,
        drive: Drive | Mapping[str, Any] | None = None,
        friction: Quantity | None = None,
        opens_at: Quantity | None = None,
    ) -> None:
        self._fill(locals())


class Ring(Builder):
    """The table ``wall.ring`` of a model file: a drum made of this many pieces, named ``NAME_1``,
    ``NAME_2``, .

    Parameters
    ----------
    corners : int
        The number of corners, and of pieces. Takes a whole number of at least 3.
    radius : quantity
        The distance from the centre to the inner corners. Takes a length. For example ``"50
        mm"``.
    thickness : quantity
        The thickness of its sides. Takes a length. For example ``"5 mm"``.
    centre : sequence
        Its centre, and the centre of any rotation. Takes a length for each axis. For example
        ``["60 mm", "60 mm"]``.
    """

    __slots__ = ()
    _table = "ring"
    _keys = ("corners", "radius", "thickness", "centre")

    def __init__(
        self,
        *,
        corners: Whole,
        radius: Quantity,
        thickness: Quantity,
        centre: Sequence[Quantity] | Array,
    ) -> None:
        self._fill(locals())


class Copies(Builder):
    """The table ``wall.copies`` of a model file: copies of the wall, each displaced by a step.

    Parameters
    ----------
    count : int
        The total number. Takes a whole number of at least 1.
    step : sequence
        The displacement from one to the next. Takes a length for each axis. For example ``["10
        mm", "0 mm"]``.
    """

    __slots__ = ()
    _table = "copies"
    _keys = ("count", "step")

    def __init__(
        self,
        *,
        count: Whole,
        step: Sequence[Quantity] | Array,
    ) -> None:
        self._fill(locals())


class Drive(Builder):
    """The table ``wall.drive`` of a model file: how it moves.

    Parameters
    ----------
    velocity : sequence, optional
        It moves steadily. Takes a velocity (length per time) for each axis. For example ``["1
        mm/s", "0 mm/s"]``.
    rotation : quantity, optional
        It turns steadily. Takes an angular velocity. For example ``"10 rpm"``.
    centre : sequence, optional
        The centre of rotation. Takes a length for each axis. For example ``["60 mm", "60
        mm"]``. Without it: needed there, except for a ring or a ``shape``.
    oscillation : sequence, optional
        Its displacement is this times sin(2πft + phase). Takes a length for each axis. For
        example ``["5 mm", "0 mm"]``.
    frequency : quantity, optional
        ``f`` of an oscillation. Takes a frequency. For example ``"20 Hz"``. Without it: needed
        there.
    phase : quantity, optional
        The phase of an oscillation at time 0. Takes an angle. For example ``"90 deg"``. By
        default ``0``.
    force : sequence, optional
        It moves along the direction of this force, pushed by it and by particles that touch it,
        but not by gravity. Takes a force for each axis. For example ``["0 N", "-1 N"]``.
    mass : quantity, optional
        The mass of a wall that is moved by a ``force``. Takes a mass. For example ``"1 kg"``.
        Without it: needed there.
    """

    __slots__ = ()
    _table = "drive"
    _keys = ("velocity", "rotation", "centre", "oscillation", "frequency", "phase", "force", "mass")

    def __init__(
        self,
        *,
        velocity: Sequence[Quantity] | Array | None = None,
        rotation: Quantity | None = None,
        centre: Sequence[Quantity] | Array | None = None,
        oscillation: Sequence[Quantity] | Array | None = None,
        frequency: Quantity | None = None,
        phase: Quantity | None = None,
        force: Sequence[Quantity] | Array | None = None,
        mass: Quantity | None = None,
    ) -> None:
        self._fill(locals())


class Search(Builder):
    """The table ``[search]`` of a model file: the search structure: a table, or only its ``kind``
    as a word.

    Parameters
    ----------
    kind : str, optional
        With the engine ``brownian``: All pairs (``"naive"``), cells (``"cubic"``), ``"slices"``
        along one axis, ``"levels"`` (several lattices of cells, each for the particles of a
        size), ``"sweep"`` (boxes in order along each axis, for any mixture of sizes),
        ``"swept"`` (swept boxes in cells, for steps longer than radii) or ``"verlet"``
        (neighbour lists with a skin, which last many steps); ``jostle list structures`` says
        which to use when. Takes ``"auto"``, ``"naive"``, ``"cubic"``, ``"slices"``,
        ``"levels"``, ``"sweep"``, ``"swept"`` or ``"verlet"``. By default ``"auto"``.
        With the engine ``granular``: The structure that follows balls from event to event;
        ``"laguerre"`` is for 2D and 3D; ``jostle list structures`` says which to use when.
        Takes ``"auto"``, ``"direct"``, ``"cubic"``, ``"tree"``, ``"segments"``, ``"laguerre"``
        or ``"levels"``. By default ``"auto"``.
        With the engine ``polygons``: Bounding boxes of polygons, sorted along both axes; the
        only choice. Takes ``"sweep"`` or ``"auto"``. By default ``"sweep"``.
        With the engine ``gas``: With exact contacts, one of Brownian models; after the move,
        ``"slices"`` or ``"naive"``; with events, one of granular models. Takes ``"auto"``,
        ``"naive"``, ``"cubic"``, ``"slices"``, ``"levels"``, ``"sweep"``, ``"swept"``,
        ``"verlet"``, ``"direct"``, ``"tree"``, ``"segments"`` or ``"laguerre"``. By default
        ``"auto"``.
    relink : str, optional
        Cells and levels: ``"step"`` links particles to cells once per step (Algorithm B),
        ``"move"`` with every move (A). Takes ``"step"`` or ``"move"``. By default ``"step"``.
    listing : str, optional
        Cells and levels: ``"centre"``, by the cell that holds the centre, or ``"touch"``, by
        every cell that it overlaps. Takes ``"centre"`` or ``"touch"``. By default ``"centre"``.
    axis : str, optional
        Slices: the axis that is divided. Takes ``"x"``, ``"y"`` or ``"z"``. By default ``"x"``.
    pruning : bool, optional
        Cells, slices and levels: skip cells on the far side. Takes ``true`` or ``false``. By
        default ``false``.
    cell_size : quantity, optional
        Cells and slices: the smallest edge; a value that could miss contacts is refused, with
        the numbers. Levels: the smallest edge in the finest lattice. Takes a length. For
        example ``"20 nm"``. Without it: chosen.
    resize : str or int, optional
        Cells, slices and levels: when the cell size is chosen again as particles grow:
        ``"auto"`` (from time to time, and when it is no longer suitable), ``"never"``, or a
        number of steps. Takes ``"auto"`` or ``"never"``, or a whole number of at least 1. For
        example ``250``. By default ``"auto"``.
    """

    __slots__ = ()
    _table = "search"
    _section = "search"
    _keys = ("kind", "relink", "listing", "axis", "pruning", "cell_size", "resize")

    def __init__(
        self,
        *,
        kind: (
            Literal[
                "auto",
                "naive",
                "cubic",
                "slices",
                "levels",
                "sweep",
                "swept",
                "verlet",
                "direct",
                "tree",
                "segments",
                "laguerre",
            ]
            | None
        ) = None,
        relink: Literal["step", "move"] | None = None,
        listing: Literal["centre", "touch"] | None = None,
        axis: Literal["x", "y", "z"] | None = None,
        pruning: bool | None = None,
        cell_size: Quantity | None = None,
        resize: Literal["auto", "never"] | Whole | None = None,
    ) -> None:
        self._fill(locals())


class Output(Builder):
    """The table ``[output]`` of a model file: what is written.

    Parameters
    ----------
    every : quantity, optional
        With the engine ``brownian``, ``polygons`` or ``gas``: The time between two frames.
        Takes a time. For example ``"1 ms"``. Without it: ``frames``.
        With the engine ``granular``: The time between two frames. Takes a time. For example
        ``"1 ms"``. Without it: ``frames``.
    frame_every : int, optional
        The steps between two frames. Takes a whole number of at least 1. Without it:
        ``frames``.
    frames : int, optional
        With the engine ``brownian``, ``polygons`` or ``gas``: The number of frames. Takes a
        whole number of at least 1. By default ``100``.
        With the engine ``granular``: The number of frames. Takes a whole number of at least 1.
        By default ``100``.
    log : str, optional
        With the engine ``brownian``: Which contacts are kept. Takes ``"none"``, ``"reactions"``
        or ``"all"``. By default ``"reactions"``.
        With the engine ``granular``, ``polygons`` or ``gas``: Whether contacts are kept:
        ``"all"`` keeps every contact (for balls, with the effects of its impact); for polygons,
        the contact forces with every frame. Takes ``"none"`` or ``"all"``. By default
        ``"none"``.
    log_species : sequence, optional
        Keep only contacts that involve one of these species. Takes a list, each entry text. For
        example ``["A"]``. Without it: all.
    log_walls : bool, optional
        With ``log = "all"``: keep contacts with faces too. Takes ``true`` or ``false``. By
        default ``true``.
    log_shells : bool, optional
        With ``log = "all"``: keep as well where pairs come to the edge of a shell of their
        potential, or to the end of their tether. Takes ``true`` or ``false``. By default
        ``false``.
    precision : str, optional
        The precision of positions in the file. Takes ``"single"`` or ``"double"``. By default
        ``"single"``.
    compress : bool, optional
        With the engine ``brownian``: Compress the frames, without loss: about a third of the
        size, for a few per cent of the time. Takes ``true`` or ``false``. By default ``true``.
        With the engine ``granular``, ``polygons`` or ``gas``: Compress the frames, without
        loss. Takes ``true`` or ``false``. By default ``false``.
    counts_every : quantity or int, optional
        Also counts the particles of each species at this interval, a time or a number of steps:
        rows in ``/series/counts``, without frames. Takes a time, or a whole number of at least
        1. For example ``"10 us"``. Without it: never.
    """

    __slots__ = ()
    _table = "output"
    _section = "output"
    _keys = (
        "every",
        "frame_every",
        "frames",
        "log",
        "log_species",
        "log_walls",
        "log_shells",
        "precision",
        "compress",
        "counts_every",
    )

    def __init__(
        self,
        *,
        every: Quantity | None = None,
        frame_every: Whole | None = None,
        frames: Whole | None = None,
        log: Literal["none", "reactions", "all"] | None = None,
        log_species: Sequence[str] | Array | None = None,
        log_walls: bool | None = None,
        log_shells: bool | None = None,
        precision: Literal["single", "double"] | None = None,
        compress: bool | None = None,
        counts_every: Quantity | Whole | None = None,
    ) -> None:
        self._fill(locals())


class Bounce(Rule):
    """Two particles bounce off each other, as they do without a rule.

    In a model file: ``[[rule]]`` with ``do = "bounce"``.

    Parameters
    ----------
    name : str
        One word; it appears in the log and in reports; for a ``reaction``, derived from it if
        absent. For example ``"dimerise"``.
    on : str or sequence, optional
        The species: two partners for an event at contact, one for an event in time. Takes text,
        or a list of these. For example ``["EGFR", "EGFR"]``. Without it: needed, except for
        ``unbind`` and ``create``.
    cases : sequence, optional
        Instead of ``on`` and products, several of them: ``[{ on = [..], products = [..] },
        ..]``. Takes a list, each entry a table ``case``. For example ``[{ on = ["A", "B"] }]``.
    """

    __slots__ = ()
    _fixed: ClassVar[Mapping[str, str]] = {"do": "bounce"}
    _keys = ("name", "on", "cases")
    _positional = ("name",)

    def __init__(
        self,
        name: str,
        *,
        on: str | Sequence[str] | Array | None = None,
        cases: Sequence[Case | Mapping[str, Any]] | None = None,
    ) -> None:
        self._fill(locals())


class Pass(Rule):
    """Two particles pass through each other; the contact is logged.

    In a model file: ``[[rule]]`` with ``do = "pass"``.

    Parameters
    ----------
    name : str
        One word; it appears in the log and in reports; for a ``reaction``, derived from it if
        absent. For example ``"dimerise"``.
    on : str or sequence, optional
        The species: two partners for an event at contact, one for an event in time. Takes text,
        or a list of these. For example ``["EGFR", "EGFR"]``. Without it: needed, except for
        ``unbind`` and ``create``.
    cases : sequence, optional
        Instead of ``on`` and products, several of them: ``[{ on = [..], products = [..] },
        ..]``. Takes a list, each entry a table ``case``. For example ``[{ on = ["A", "B"] }]``.
    """

    __slots__ = ()
    _fixed: ClassVar[Mapping[str, str]] = {"do": "pass"}
    _keys = ("name", "on", "cases")
    _positional = ("name",)

    def __init__(
        self,
        name: str,
        *,
        on: str | Sequence[str] | Array | None = None,
        cases: Sequence[Case | Mapping[str, Any]] | None = None,
    ) -> None:
        self._fill(locals())


class Ignore(Rule):
    """Two particles do not notice each other: no contact, nothing in the log.

    In a model file: ``[[rule]]`` with ``do = "ignore"``.

    Parameters
    ----------
    name : str
        One word; it appears in the log and in reports; for a ``reaction``, derived from it if
        absent. For example ``"dimerise"``.
    on : str or sequence, optional
        The species: two partners for an event at contact, one for an event in time. Takes text,
        or a list of these. For example ``["EGFR", "EGFR"]``. Without it: needed, except for
        ``unbind`` and ``create``.
    cases : sequence, optional
        Instead of ``on`` and products, several of them: ``[{ on = [..], products = [..] },
        ..]``. Takes a list, each entry a table ``case``. For example ``[{ on = ["A", "B"] }]``.
    """

    __slots__ = ()
    _fixed: ClassVar[Mapping[str, str]] = {"do": "ignore"}
    _keys = ("name", "on", "cases")
    _positional = ("name",)

    def __init__(
        self,
        name: str,
        *,
        on: str | Sequence[str] | Array | None = None,
        cases: Sequence[Case | Mapping[str, Any]] | None = None,
    ) -> None:
        self._fill(locals())


class Bind(Rule):
    """Two particles bind when they touch: by a bond, or as one particle.

    In a model file: ``[[rule]]`` with ``do = "bind"``.

    Parameters
    ----------
    name : str
        One word; it appears in the log and in reports; for a ``reaction``, derived from it if
        absent. For example ``"dimerise"``.
    on : str or sequence, optional
        The species: two partners for an event at contact, one for an event in time. Takes text,
        or a list of these. For example ``["EGFR", "EGFR"]``. Without it: needed, except for
        ``unbind`` and ``create``.
    products : sequence, optional
        ``convert``: what they become; ``[]`` for nothing; ``bind`` and ``unbind`` of molecules
        with sites: what becomes of the two if their states change. Takes a list, each entry
        text. For example ``["B"]``. Without it: needed by ``convert``.
    product : str, optional
        ``bind`` with ``coalesce``: what they become; ``create``: the species that is created.
        For example ``"Dimer"``. Without it: needed there.
    cases : sequence, optional
        Instead of ``on`` and products, several of them: ``[{ on = [..], products = [..] },
        ..]``. Takes a list, each entry a table ``case``. For example ``[{ on = ["A", "B"] }]``.
    merge : str, optional
        ``bind``: a rigid bond between two particles that keep their species, one sphere instead
        of two, or a tether that leaves both free to move. Takes ``"bond"``, ``"coalesce"`` or
        ``"tether"``. Without it: needed by ``bind``.
    length : quantity, optional
        ``bind`` with ``tether``: how far apart the centres of the two can be, and within which
        distance they become tethered. Takes a length. For example ``"12 nm"``. Without it:
        needed there.
    rate : quantity, optional
        At contact: the intrinsic rate constant k_a; in time: the rate. Takes a rate per time, a
        volume per time (an area per time in 2D, a length per time in 1D), or a rate per volume
        (a rate per area in 2D, a rate per length in 1D). For example ``"0.1 /s"``. Without it:
        one of ``rate``, ``k_on`` and ``probability`` is needed; in time, ``rate``.
    k_on : quantity, optional
        At contact, in 3D: the macroscopic rate constant, as found in the literature. Takes a
        volume per time (an area per time in 2D, a length per time in 1D). For example ``"1e6
        /M/s"``.
    probability : quantity, optional
        At contact: the probability, independent of the time step. Takes a plain number. For
        example ``0.1``.
    cluster_size : str or int or sequence, optional
        The allowed number of particles in the cluster of each partner: ``["1..4", "2.."]``, or
        one text for both (in time, for the one); both ends are included, ``"3"`` means exactly
        three. Takes text, a whole number of at least 1, or a list of these. For example
        ``"1..4"``. Without it: any.
    max_bonds : int or sequence, optional
        ``bind`` with ``bond``: the maximum number of bonds of each partner afterwards. Takes a
        whole number of at least 1, or a list of these. For example ``[1, 2]``. Without it: any.
    snap : bool, optional
        ``bind`` at sites that point somewhere: whether the smaller cluster is moved so that the
        two sites are in line. Takes ``true`` or ``false``. By default ``true``.
    torsion : quantity, optional
        ``bind`` at such sites: the angle from the ``normal`` of the first site to that of the
        second, about the line of centres. Takes an angle. For example ``"30 deg"``. Without it:
        it stays as it is at contact.
    torsion_opening : quantity, optional
        How far from ``torsion`` it may be at contact. Takes an angle. For example ``"20 deg"``.
        Without it: 180 deg.
    close_rate : quantity, optional
        ``bind`` at such sites: the rate at which two of one cluster bind that are in line, so
        that a ring closes. Takes a rate per time. For example ``"1e4 /s"``. Without it: rings
        stay open.
    tolerance : quantity, optional
        With ``close_rate``: how far the two may be off the line. Takes an angle. For example
        ``"2 deg"``. By default ``"5 deg"``.
    during : sequence, optional
        The time window in which the rule applies, or a list of such windows. Takes a list, each
        entry a time, or a list of these. For example ``["0 s", "1 s"]``. Without it: always.
    k_off : quantity, optional
        ``bind``, with ``k_on``: short for an unbind rule with this macroscopic rate, named
        after it (``NAME_unbind``); ``unbind``: the macroscopic rate. Takes a rate per time. For
        example ``"0.1 /s"``. Without it: none.
    K_D : quantity, optional
        The same, given by the dissociation constant, with ``k_on`` or ``rate``. Takes a
        concentration (a number per area in 2D, a number per length in 1D). For example ``"100
        nM"``. Without it: none.
    unbind : quantity, optional
        ``bind``: the same with the intrinsic rate, with ``rate`` or ``probability``. Takes a
        rate per time. For example ``"0.1 /s"``. Without it: none.
    at : str or sequence, optional
        ``fragment``: a cut at ``"any"`` bond, with equal probability, or at an ``"end"``;
        ``bind`` of molecules with sites: the site of each that binds, ``["b", "a"]``. Takes
        ``"any"`` or ``"end"``, or a list, each entry text. For example ``"end"``. By default
        ``"any"``.
    region : Region, optional
        ``create``: where particles are created; otherwise where a particle must be for a rule
        in time to apply, or where the two must touch. Takes a table ``region``. For example ``{
        from = ["0 nm", "0 nm", "0 nm"], to = ["100 nm", "100 nm", "100 nm"] }``. Without it:
        anywhere.
    """

    __slots__ = ()
    _fixed: ClassVar[Mapping[str, str]] = {"do": "bind"}
    _keys = (
        "name",
        "on",
        "products",
        "product",
        "cases",
        "merge",
        "length",
        "rate",
        "k_on",
        "probability",
        "cluster_size",
        "max_bonds",
        "snap",
        "torsion",
        "torsion_opening",
        "close_rate",
        "tolerance",
        "during",
        "k_off",
        "K_D",
        "unbind",
        "at",
        "region",
    )
    _positional = ("name",)

    def __init__(
        self,
        name: str,
        *,
        on: str | Sequence[str] | Array | None = None,
        products: Sequence[str] | Array | None = None,
        product: str | None = None,
        cases: Sequence[Case | Mapping[str, Any]] | None = None,
        merge: Literal["bond", "coalesce", "tether"] | None = None,
        length: Quantity | None = None,
        rate: Quantity | None = None,
        k_on: Quantity | None = None,
        probability: Quantity | None = None,
        cluster_size: str | Whole | Sequence[str | Whole] | Array | None = None,
        max_bonds: Whole | Sequence[Whole] | Array | None = None,
        snap: bool | None = None,
        torsion: Quantity | None = None,
        torsion_opening: Quantity | None = None,
        close_rate: Quantity | None = None,
        tolerance: Quantity | None = None,
        during: Sequence[Quantity | Sequence[Quantity] | Array] | Array | None = None,
        k_off: Quantity | None = None,
        K_D: Quantity | None = None,
        unbind: Quantity | None = None,
        at: Literal["any", "end"] | Sequence[str] | Array | None = None,
        region: Region | Mapping[str, Any] | None = None,
    ) -> None:
        self._fill(locals())


class Convert(Rule):
    """Two particles that touch, or one in time, become others.

    In a model file: ``[[rule]]`` with ``do = "convert"``.

    Parameters
    ----------
    name : str
        One word; it appears in the log and in reports; for a ``reaction``, derived from it if
        absent. For example ``"dimerise"``.
    on : str or sequence, optional
        The species: two partners for an event at contact, one for an event in time. Takes text,
        or a list of these. For example ``["EGFR", "EGFR"]``. Without it: needed, except for
        ``unbind`` and ``create``.
    products : sequence, optional
        ``convert``: what they become; ``[]`` for nothing; ``bind`` and ``unbind`` of molecules
        with sites: what becomes of the two if their states change. Takes a list, each entry
        text. For example ``["B"]``. Without it: needed by ``convert``.
    cases : sequence, optional
        Instead of ``on`` and products, several of them: ``[{ on = [..], products = [..] },
        ..]``. Takes a list, each entry a table ``case``. For example ``[{ on = ["A", "B"] }]``.
    rate : quantity, optional
        At contact: the intrinsic rate constant k_a; in time: the rate. Takes a rate per time, a
        volume per time (an area per time in 2D, a length per time in 1D), or a rate per volume
        (a rate per area in 2D, a rate per length in 1D). For example ``"0.1 /s"``. Without it:
        one of ``rate``, ``k_on`` and ``probability`` is needed; in time, ``rate``.
    k_on : quantity, optional
        At contact, in 3D: the macroscopic rate constant, as found in the literature. Takes a
        volume per time (an area per time in 2D, a length per time in 1D). For example ``"1e6
        /M/s"``.
    probability : quantity, optional
        At contact: the probability, independent of the time step. Takes a plain number. For
        example ``0.1``.
    cluster_size : str or int or sequence, optional
        The allowed number of particles in the cluster of each partner: ``["1..4", "2.."]``, or
        one text for both (in time, for the one); both ends are included, ``"3"`` means exactly
        three. Takes text, a whole number of at least 1, or a list of these. For example
        ``"1..4"``. Without it: any.
    during : sequence, optional
        The time window in which the rule applies, or a list of such windows. Takes a list, each
        entry a time, or a list of these. For example ``["0 s", "1 s"]``. Without it: always.
    reversible : bool, optional
        ``convert`` of one particle into one other: whether this is one way of a reaction there
        and back, and so weighed with energies, as ``reaction`` with ``<->`` is. Takes ``true``
        or ``false``. By default ``false``.
    removes : str, optional
        Where molecules go: whether only these go, and what is bound to them is free, or their
        whole complexes. Takes ``"molecules"`` or ``"complexes"``. By default ``"molecules"``.
    region : Region, optional
        ``create``: where particles are created; otherwise where a particle must be for a rule
        in time to apply, or where the two must touch. Takes a table ``region``. For example ``{
        from = ["0 nm", "0 nm", "0 nm"], to = ["100 nm", "100 nm", "100 nm"] }``. Without it:
        anywhere.
    """

    __slots__ = ()
    _fixed: ClassVar[Mapping[str, str]] = {"do": "convert"}
    _keys = (
        "name",
        "on",
        "products",
        "cases",
        "rate",
        "k_on",
        "probability",
        "cluster_size",
        "during",
        "reversible",
        "removes",
        "region",
    )
    _positional = ("name",)

    def __init__(
        self,
        name: str,
        *,
        on: str | Sequence[str] | Array | None = None,
        products: Sequence[str] | Array | None = None,
        cases: Sequence[Case | Mapping[str, Any]] | None = None,
        rate: Quantity | None = None,
        k_on: Quantity | None = None,
        probability: Quantity | None = None,
        cluster_size: str | Whole | Sequence[str | Whole] | Array | None = None,
        during: Sequence[Quantity | Sequence[Quantity] | Array] | Array | None = None,
        reversible: bool | None = None,
        removes: Literal["molecules", "complexes"] | None = None,
        region: Region | Mapping[str, Any] | None = None,
    ) -> None:
        self._fill(locals())


class Annihilate(Rule):
    """Two particles that touch disappear.

    In a model file: ``[[rule]]`` with ``do = "annihilate"``.

    Parameters
    ----------
    name : str
        One word; it appears in the log and in reports; for a ``reaction``, derived from it if
        absent. For example ``"dimerise"``.
    on : str or sequence, optional
        The species: two partners for an event at contact, one for an event in time. Takes text,
        or a list of these. For example ``["EGFR", "EGFR"]``. Without it: needed, except for
        ``unbind`` and ``create``.
    cases : sequence, optional
        Instead of ``on`` and products, several of them: ``[{ on = [..], products = [..] },
        ..]``. Takes a list, each entry a table ``case``. For example ``[{ on = ["A", "B"] }]``.
    rate : quantity, optional
        At contact: the intrinsic rate constant k_a; in time: the rate. Takes a rate per time, a
        volume per time (an area per time in 2D, a length per time in 1D), or a rate per volume
        (a rate per area in 2D, a rate per length in 1D). For example ``"0.1 /s"``. Without it:
        one of ``rate``, ``k_on`` and ``probability`` is needed; in time, ``rate``.
    k_on : quantity, optional
        At contact, in 3D: the macroscopic rate constant, as found in the literature. Takes a
        volume per time (an area per time in 2D, a length per time in 1D). For example ``"1e6
        /M/s"``.
    probability : quantity, optional
        At contact: the probability, independent of the time step. Takes a plain number. For
        example ``0.1``.
    cluster_size : str or int or sequence, optional
        The allowed number of particles in the cluster of each partner: ``["1..4", "2.."]``, or
        one text for both (in time, for the one); both ends are included, ``"3"`` means exactly
        three. Takes text, a whole number of at least 1, or a list of these. For example
        ``"1..4"``. Without it: any.
    during : sequence, optional
        The time window in which the rule applies, or a list of such windows. Takes a list, each
        entry a time, or a list of these. For example ``["0 s", "1 s"]``. Without it: always.
    removes : str, optional
        Where molecules go: whether only these go, and what is bound to them is free, or their
        whole complexes. Takes ``"molecules"`` or ``"complexes"``. By default ``"molecules"``.
    region : Region, optional
        ``create``: where particles are created; otherwise where a particle must be for a rule
        in time to apply, or where the two must touch. Takes a table ``region``. For example ``{
        from = ["0 nm", "0 nm", "0 nm"], to = ["100 nm", "100 nm", "100 nm"] }``. Without it:
        anywhere.
    """

    __slots__ = ()
    _fixed: ClassVar[Mapping[str, str]] = {"do": "annihilate"}
    _keys = (
        "name",
        "on",
        "cases",
        "rate",
        "k_on",
        "probability",
        "cluster_size",
        "during",
        "removes",
        "region",
    )
    _positional = ("name",)

    def __init__(
        self,
        name: str,
        *,
        on: str | Sequence[str] | Array | None = None,
        cases: Sequence[Case | Mapping[str, Any]] | None = None,
        rate: Quantity | None = None,
        k_on: Quantity | None = None,
        probability: Quantity | None = None,
        cluster_size: str | Whole | Sequence[str | Whole] | Array | None = None,
        during: Sequence[Quantity | Sequence[Quantity] | Array] | Array | None = None,
        removes: Literal["molecules", "complexes"] | None = None,
        region: Region | Mapping[str, Any] | None = None,
    ) -> None:
        self._fill(locals())


class Fragment(Rule):
    """A cluster of bonded particles breaks, when it is touched or in time.

    In a model file: ``[[rule]]`` with ``do = "fragment"``.

    Parameters
    ----------
    name : str
        One word; it appears in the log and in reports; for a ``reaction``, derived from it if
        absent. For example ``"dimerise"``.
    on : str or sequence, optional
        The species: two partners for an event at contact, one for an event in time. Takes text,
        or a list of these. For example ``["EGFR", "EGFR"]``. Without it: needed, except for
        ``unbind`` and ``create``.
    cases : sequence, optional
        Instead of ``on`` and products, several of them: ``[{ on = [..], products = [..] },
        ..]``. Takes a list, each entry a table ``case``. For example ``[{ on = ["A", "B"] }]``.
    rate : quantity, optional
        At contact: the intrinsic rate constant k_a; in time: the rate. Takes a rate per time, a
        volume per time (an area per time in 2D, a length per time in 1D), or a rate per volume
        (a rate per area in 2D, a rate per length in 1D). For example ``"0.1 /s"``. Without it:
        one of ``rate``, ``k_on`` and ``probability`` is needed; in time, ``rate``.
    k_on : quantity, optional
        At contact, in 3D: the macroscopic rate constant, as found in the literature. Takes a
        volume per time (an area per time in 2D, a length per time in 1D). For example ``"1e6
        /M/s"``.
    probability : quantity, optional
        At contact: the probability, independent of the time step. Takes a plain number. For
        example ``0.1``.
    cluster_size : str or int or sequence, optional
        The allowed number of particles in the cluster of each partner: ``["1..4", "2.."]``, or
        one text for both (in time, for the one); both ends are included, ``"3"`` means exactly
        three. Takes text, a whole number of at least 1, or a list of these. For example
        ``"1..4"``. Without it: any.
    during : sequence, optional
        The time window in which the rule applies, or a list of such windows. Takes a list, each
        entry a time, or a list of these. For example ``["0 s", "1 s"]``. Without it: always.
    at : str or sequence, optional
        ``fragment``: a cut at ``"any"`` bond, with equal probability, or at an ``"end"``;
        ``bind`` of molecules with sites: the site of each that binds, ``["b", "a"]``. Takes
        ``"any"`` or ``"end"``, or a list, each entry text. For example ``"end"``. By default
        ``"any"``.
    minimum : int, optional
        ``fragment``: pieces with fewer particles fall apart into single ones. Takes a whole
        number of at least 1. By default ``1``.
    dissolve : str, optional
        ``fragment``: what those single particles become. For example ``"A"``. Without it: what
        they were.
    region : Region, optional
        ``create``: where particles are created; otherwise where a particle must be for a rule
        in time to apply, or where the two must touch. Takes a table ``region``. For example ``{
        from = ["0 nm", "0 nm", "0 nm"], to = ["100 nm", "100 nm", "100 nm"] }``. Without it:
        anywhere.
    """

    __slots__ = ()
    _fixed: ClassVar[Mapping[str, str]] = {"do": "fragment"}
    _keys = (
        "name",
        "on",
        "cases",
        "rate",
        "k_on",
        "probability",
        "cluster_size",
        "during",
        "at",
        "minimum",
        "dissolve",
        "region",
    )
    _positional = ("name",)

    def __init__(
        self,
        name: str,
        *,
        on: str | Sequence[str] | Array | None = None,
        cases: Sequence[Case | Mapping[str, Any]] | None = None,
        rate: Quantity | None = None,
        k_on: Quantity | None = None,
        probability: Quantity | None = None,
        cluster_size: str | Whole | Sequence[str | Whole] | Array | None = None,
        during: Sequence[Quantity | Sequence[Quantity] | Array] | Array | None = None,
        at: Literal["any", "end"] | Sequence[str] | Array | None = None,
        minimum: Whole | None = None,
        dissolve: str | None = None,
        region: Region | Mapping[str, Any] | None = None,
    ) -> None:
        self._fill(locals())


class Unbind(Rule):
    """What a :class:`Bind` rule has bound separates again.

    In a model file: ``[[rule]]`` with ``do = "unbind"``.

    Parameters
    ----------
    name : str
        One word; it appears in the log and in reports; for a ``reaction``, derived from it if
        absent. For example ``"dimerise"``.
    on : str or sequence, optional
        The species: two partners for an event at contact, one for an event in time. Takes text,
        or a list of these. For example ``["EGFR", "EGFR"]``. Without it: needed, except for
        ``unbind`` and ``create``.
    products : sequence, optional
        ``convert``: what they become; ``[]`` for nothing; ``bind`` and ``unbind`` of molecules
        with sites: what becomes of the two if their states change. Takes a list, each entry
        text. For example ``["B"]``. Without it: needed by ``convert``.
    cases : sequence, optional
        Instead of ``on`` and products, several of them: ``[{ on = [..], products = [..] },
        ..]``. Takes a list, each entry a table ``case``. For example ``[{ on = ["A", "B"] }]``.
    rate : quantity, optional
        At contact: the intrinsic rate constant k_a; in time: the rate. Takes a rate per time, a
        volume per time (an area per time in 2D, a length per time in 1D), or a rate per volume
        (a rate per area in 2D, a rate per length in 1D). For example ``"0.1 /s"``. Without it:
        one of ``rate``, ``k_on`` and ``probability`` is needed; in time, ``rate``.
    cluster_size : str or int or sequence, optional
        The allowed number of particles in the cluster of each partner: ``["1..4", "2.."]``, or
        one text for both (in time, for the one); both ends are included, ``"3"`` means exactly
        three. Takes text, a whole number of at least 1, or a list of these. For example
        ``"1..4"``. Without it: any.
    during : sequence, optional
        The time window in which the rule applies, or a list of such windows. Takes a list, each
        entry a time, or a list of these. For example ``["0 s", "1 s"]``. Without it: always.
    k_off : quantity, optional
        ``bind``, with ``k_on``: short for an unbind rule with this macroscopic rate, named
        after it (``NAME_unbind``); ``unbind``: the macroscopic rate. Takes a rate per time. For
        example ``"0.1 /s"``. Without it: none.
    K_D : quantity, optional
        The same, given by the dissociation constant, with ``k_on`` or ``rate``. Takes a
        concentration (a number per area in 2D, a number per length in 1D). For example ``"100
        nM"``. Without it: none.
    of : str or sequence, optional
        ``unbind``: the name of the bind rule that it undoes; with ``on``, one or more of those
        that make such bonds. Takes text, or a list of these. For example ``"dimerise"``.
        Without it: needed there, except with ``on``.
    which : str, optional
        ``unbind`` of bonds: ``"any"`` (each at this rate), ``"end"`` (only those at an end of
        the chain) or ``"all"`` (the whole cluster at once). Takes ``"any"``, ``"end"`` or
        ``"all"``. By default ``"any"``.
    region : Region, optional
        ``create``: where particles are created; otherwise where a particle must be for a rule
        in time to apply, or where the two must touch. Takes a table ``region``. For example ``{
        from = ["0 nm", "0 nm", "0 nm"], to = ["100 nm", "100 nm", "100 nm"] }``. Without it:
        anywhere.
    """

    __slots__ = ()
    _fixed: ClassVar[Mapping[str, str]] = {"do": "unbind"}
    _keys = (
        "name",
        "on",
        "products",
        "cases",
        "rate",
        "cluster_size",
        "during",
        "k_off",
        "K_D",
        "of",
        "which",
        "region",
    )
    _positional = ("name",)

    def __init__(
        self,
        name: str,
        *,
        on: str | Sequence[str] | Array | None = None,
        products: Sequence[str] | Array | None = None,
        cases: Sequence[Case | Mapping[str, Any]] | None = None,
        rate: Quantity | None = None,
        cluster_size: str | Whole | Sequence[str | Whole] | Array | None = None,
        during: Sequence[Quantity | Sequence[Quantity] | Array] | Array | None = None,
        k_off: Quantity | None = None,
        K_D: Quantity | None = None,
        of: str | Sequence[str] | Array | None = None,
        which: Literal["any", "end", "all"] | None = None,
        region: Region | Mapping[str, Any] | None = None,
    ) -> None:
        self._fill(locals())


class Decay(Rule):
    """A particle disappears in time.

    In a model file: ``[[rule]]`` with ``do = "decay"``.

    Parameters
    ----------
    name : str
        One word; it appears in the log and in reports; for a ``reaction``, derived from it if
        absent. For example ``"dimerise"``.
    on : str or sequence, optional
        The species: two partners for an event at contact, one for an event in time. Takes text,
        or a list of these. For example ``["EGFR", "EGFR"]``. Without it: needed, except for
        ``unbind`` and ``create``.
    cases : sequence, optional
        Instead of ``on`` and products, several of them: ``[{ on = [..], products = [..] },
        ..]``. Takes a list, each entry a table ``case``. For example ``[{ on = ["A", "B"] }]``.
    rate : quantity, optional
        At contact: the intrinsic rate constant k_a; in time: the rate. Takes a rate per time, a
        volume per time (an area per time in 2D, a length per time in 1D), or a rate per volume
        (a rate per area in 2D, a rate per length in 1D). For example ``"0.1 /s"``. Without it:
        one of ``rate``, ``k_on`` and ``probability`` is needed; in time, ``rate``.
    cluster_size : str or int or sequence, optional
        The allowed number of particles in the cluster of each partner: ``["1..4", "2.."]``, or
        one text for both (in time, for the one); both ends are included, ``"3"`` means exactly
        three. Takes text, a whole number of at least 1, or a list of these. For example
        ``"1..4"``. Without it: any.
    during : sequence, optional
        The time window in which the rule applies, or a list of such windows. Takes a list, each
        entry a time, or a list of these. For example ``["0 s", "1 s"]``. Without it: always.
    removes : str, optional
        Where molecules go: whether only these go, and what is bound to them is free, or their
        whole complexes. Takes ``"molecules"`` or ``"complexes"``. By default ``"molecules"``.
    region : Region, optional
        ``create``: where particles are created; otherwise where a particle must be for a rule
        in time to apply, or where the two must touch. Takes a table ``region``. For example ``{
        from = ["0 nm", "0 nm", "0 nm"], to = ["100 nm", "100 nm", "100 nm"] }``. Without it:
        anywhere.
    """

    __slots__ = ()
    _fixed: ClassVar[Mapping[str, str]] = {"do": "decay"}
    _keys = ("name", "on", "cases", "rate", "cluster_size", "during", "removes", "region")
    _positional = ("name",)

    def __init__(
        self,
        name: str,
        *,
        on: str | Sequence[str] | Array | None = None,
        cases: Sequence[Case | Mapping[str, Any]] | None = None,
        rate: Quantity | None = None,
        cluster_size: str | Whole | Sequence[str | Whole] | Array | None = None,
        during: Sequence[Quantity | Sequence[Quantity] | Array] | Array | None = None,
        removes: Literal["molecules", "complexes"] | None = None,
        region: Region | Mapping[str, Any] | None = None,
    ) -> None:
        self._fill(locals())


class Create(Rule):
    """A particle is created in time.

    In a model file: ``[[rule]]`` with ``do = "create"``.

    Parameters
    ----------
    name : str
        One word; it appears in the log and in reports; for a ``reaction``, derived from it if
        absent. For example ``"dimerise"``.
    product : str, optional
        ``bind`` with ``coalesce``: what they become; ``create``: the species that is created.
        For example ``"Dimer"``. Without it: needed there.
    rate : quantity, optional
        At contact: the intrinsic rate constant k_a; in time: the rate. Takes a rate per time, a
        volume per time (an area per time in 2D, a length per time in 1D), or a rate per volume
        (a rate per area in 2D, a rate per length in 1D). For example ``"0.1 /s"``. Without it:
        one of ``rate``, ``k_on`` and ``probability`` is needed; in time, ``rate``.
    during : sequence, optional
        The time window in which the rule applies, or a list of such windows. Takes a list, each
        entry a time, or a list of these. For example ``["0 s", "1 s"]``. Without it: always.
    region : Region, optional
        ``create``: where particles are created; otherwise where a particle must be for a rule
        in time to apply, or where the two must touch. Takes a table ``region``. For example ``{
        from = ["0 nm", "0 nm", "0 nm"], to = ["100 nm", "100 nm", "100 nm"] }``. Without it:
        anywhere.
    """

    __slots__ = ()
    _fixed: ClassVar[Mapping[str, str]] = {"do": "create"}
    _keys = ("name", "product", "rate", "during", "region")
    _positional = ("name",)

    def __init__(
        self,
        name: str,
        *,
        product: str | None = None,
        rate: Quantity | None = None,
        during: Sequence[Quantity | Sequence[Quantity] | Array] | Array | None = None,
        region: Region | Mapping[str, Any] | None = None,
    ) -> None:
        self._fill(locals())


class Reaction(Rule):
    """A reaction in one line, such as ``A + B <-> C``.

    In a model file: ``[[rule]]``.

    Parameters
    ----------
    name : str, optional
        One word; it appears in the log and in reports; for a ``reaction``, derived from it if
        absent. For example ``"dimerise"``.
    reaction : str
        Instead of ``do``, ``on`` and products: a reaction in one line. For example ``"A + B <->
        C"``.
    length : quantity, optional
        ``bind`` with ``tether``: how far apart the centres of the two can be, and within which
        distance they become tethered. Takes a length. For example ``"12 nm"``. Without it:
        needed there.
    rate : quantity, optional
        At contact: the intrinsic rate constant k_a; in time: the rate. Takes a rate per time, a
        volume per time (an area per time in 2D, a length per time in 1D), or a rate per volume
        (a rate per area in 2D, a rate per length in 1D). For example ``"0.1 /s"``. Without it:
        one of ``rate``, ``k_on`` and ``probability`` is needed; in time, ``rate``.
    k_on : quantity, optional
        At contact, in 3D: the macroscopic rate constant, as found in the literature. Takes a
        volume per time (an area per time in 2D, a length per time in 1D). For example ``"1e6
        /M/s"``.
    probability : quantity, optional
        At contact: the probability, independent of the time step. Takes a plain number. For
        example ``0.1``.
    cluster_size : str or int or sequence, optional
        The allowed number of particles in the cluster of each partner: ``["1..4", "2.."]``, or
        one text for both (in time, for the one); both ends are included, ``"3"`` means exactly
        three. Takes text, a whole number of at least 1, or a list of these. For example
        ``"1..4"``. Without it: any.
    snap : bool, optional
        ``bind`` at sites that point somewhere: whether the smaller cluster is moved so that the
        two sites are in line. Takes ``true`` or ``false``. By default ``true``.
    torsion : quantity, optional
        ``bind`` at such sites: the angle from the ``normal`` of the first site to that of the
        second, about the line of centres. Takes an angle. For example ``"30 deg"``. Without it:
        it stays as it is at contact.
    torsion_opening : quantity, optional
        How far from ``torsion`` it may be at contact. Takes an angle. For example ``"20 deg"``.
        Without it: 180 deg.
    close_rate : quantity, optional
        ``bind`` at such sites: the rate at which two of one cluster bind that are in line, so
        that a ring closes. Takes a rate per time. For example ``"1e4 /s"``. Without it: rings
        stay open.
    tolerance : quantity, optional
        With ``close_rate``: how far the two may be off the line. Takes an angle. For example
        ``"2 deg"``. By default ``"5 deg"``.
    during : sequence, optional
        The time window in which the rule applies, or a list of such windows. Takes a list, each
        entry a time, or a list of these. For example ``["0 s", "1 s"]``. Without it: always.
    k_off : quantity, optional
        ``bind``, with ``k_on``: short for an unbind rule with this macroscopic rate, named
        after it (``NAME_unbind``); ``unbind``: the macroscopic rate. Takes a rate per time. For
        example ``"0.1 /s"``. Without it: none.
    K_D : quantity, optional
        The same, given by the dissociation constant, with ``k_on`` or ``rate``. Takes a
        concentration (a number per area in 2D, a number per length in 1D). For example ``"100
        nM"``. Without it: none.
    unbind : quantity, optional
        ``bind``: the same with the intrinsic rate, with ``rate`` or ``probability``. Takes a
        rate per time. For example ``"0.1 /s"``. Without it: none.
    back : quantity, optional
        ``reaction`` with ``<->`` and one reactant or none: the rate of the reverse reaction.
        Takes a rate per time, or a rate per volume (a rate per area in 2D, a rate per length in
        1D). For example ``"0.1 /s"``. Without it: needed there.
    concentration : quantity, optional
        ``reaction = "0 <-> A"``, in place of ``rate``: the concentration that is held, in the
        ``region`` if there is one. Takes a concentration (a number per area in 2D, a number per
        length in 1D). For example ``"1 uM"``. Without it: ``rate`` and ``back`` say it.
    reversible : bool, optional
        ``convert`` of one particle into one other: whether this is one way of a reaction there
        and back, and so weighed with energies, as ``reaction`` with ``<->`` is. Takes ``true``
        or ``false``. By default ``false``.
    removes : str, optional
        Where molecules go: whether only these go, and what is bound to them is free, or their
        whole complexes. Takes ``"molecules"`` or ``"complexes"``. By default ``"molecules"``.
    region : Region, optional
        ``create``: where particles are created; otherwise where a particle must be for a rule
        in time to apply, or where the two must touch. Takes a table ``region``. For example ``{
        from = ["0 nm", "0 nm", "0 nm"], to = ["100 nm", "100 nm", "100 nm"] }``. Without it:
        anywhere.
    """

    __slots__ = ()
    _keys = (
        "name",
        "reaction",
        "length",
        "rate",
        "k_on",
        "probability",
        "cluster_size",
        "snap",
        "torsion",
        "torsion_opening",
        "close_rate",
        "tolerance",
        "during",
        "k_off",
        "K_D",
        "unbind",
        "back",
        "concentration",
        "reversible",
        "removes",
        "region",
    )
    _positional = ("reaction",)

    def __init__(
        self,
        reaction: str,
        *,
        name: str | None = None,
        length: Quantity | None = None,
        rate: Quantity | None = None,
        k_on: Quantity | None = None,
        probability: Quantity | None = None,
        cluster_size: str | Whole | Sequence[str | Whole] | Array | None = None,
        snap: bool | None = None,
        torsion: Quantity | None = None,
        torsion_opening: Quantity | None = None,
        close_rate: Quantity | None = None,
        tolerance: Quantity | None = None,
        during: Sequence[Quantity | Sequence[Quantity] | Array] | Array | None = None,
        k_off: Quantity | None = None,
        K_D: Quantity | None = None,
        unbind: Quantity | None = None,
        back: Quantity | None = None,
        concentration: Quantity | None = None,
        reversible: bool | None = None,
        removes: Literal["molecules", "complexes"] | None = None,
        region: Region | Mapping[str, Any] | None = None,
    ) -> None:
        self._fill(locals())


class Sections:
    """The sections of a model file as arguments; :class:`jostle.Model` has them."""

    __slots__ = ()

    def __init__(
        self,
        *,
        title: str | None = None,
        parameters: Mapping[str, Quantity | str | bool] | None = None,
        units: Units | Mapping[str, Any] | None = None,
        space: Space | Mapping[str, Any] | None = None,
        run: Run | Mapping[str, Any] | None = None,
        species: Sequence[Species | Mapping[str, Any]] | None = None,
        molecules: Sequence[Molecule | Mapping[str, Any]] | None = None,
        surfaces: Sequence[Surface | Mapping[str, Any]] | None = None,
        rules: Sequence[Rule | Mapping[str, Any]] | None = None,
        schedule: Sequence[Schedule | Mapping[str, Any]] | None = None,
        observables: Sequence[Observable | Mapping[str, Any]] | None = None,
        potential: Sequence[Potential | Mapping[str, Any]] | None = None,
        clusters: Clusters | Mapping[str, Any] | None = None,
        gravity: Gravity | Mapping[str, Any] | None = None,
        shaking: Shaking | Mapping[str, Any] | None = None,
        drag: Drag | Mapping[str, Any] | None = None,
        field: Field | Mapping[str, Any] | None = None,
        collisions: Collisions | Mapping[str, Any] | None = None,
        material: Material | Mapping[str, Any] | None = None,
        contact: Contact | Mapping[str, Any] | None = None,
        walls: Sequence[Wall | Mapping[str, Any]] | None = None,
        search: (
            Search
            | Mapping[str, Any]
            | Literal[
                "auto",
                "naive",
                "cubic",
                "slices",
                "levels",
                "sweep",
                "swept",
                "verlet",
                "direct",
                "tree",
                "segments",
                "laguerre",
            ]
            | None
        ) = None,
        output: Output | Mapping[str, Any] | None = None,
        molecule: Sequence[Molecule | Mapping[str, Any]] | None = None,
        observable: Sequence[Observable | Mapping[str, Any]] | None = None,
        rule: Sequence[Rule | Mapping[str, Any]] | None = None,
        surface: Sequence[Surface | Mapping[str, Any]] | None = None,
        wall: Sequence[Wall | Mapping[str, Any]] | None = None,
    ) -> None:
        """Make a model of its sections.

        Parameters
        ----------
        title : str, optional
            Appears in reports and in the file. By default ``""``.
        parameters : mapping, optional
            Values that are used in several places, as ``"$D"`` or in products such as
            ``"2*$D"``. Without it: none.
        units : Units, optional
            The units of numbers without a unit.
        space : Space, optional
            The box.
        run : Run, optional
            How long to run, and how.
        species : sequence of Species, optional
            The kinds of particles, one table for each. Without it: at least one is needed.
        molecules : sequence of Molecule, optional
            With the engine ``brownian``: Molecules of several spheres, one table for each.
            Without it: none. In the file, and as an argument too: ``molecule``.
        surfaces : sequence of Surface, optional
            With the engine ``brownian``: Surfaces in the box, one table for each. Without it:
            only the box itself. In the file, and as an argument too: ``surface``.
        rules : sequence of Rule, optional
            With the engine ``brownian``: What can happen, one table for each rule. Without it:
            pairs without a rule bounce. In the file, and as an argument too: ``rule``.
        schedule : sequence of Schedule, optional
            With the engine ``brownian``: What happens at given times, one table for each entry.
        observables : sequence of Observable, optional
            With the engine ``brownian``: What is counted by a name of its own, one table for
            each. Without it: none. In the file, and as an argument too: ``observable``.
        potential : sequence of Potential, optional
            With the engine ``brownian``: Attraction and repulsion, one table for each. Without
            it: particles interact at contact only.
        clusters : Clusters, optional
            With the engine ``brownian``: Clusters of bonded particles.
        gravity : Gravity, optional
            With the engine ``granular``, ``polygons`` or ``gas``: A force on all particles.
        shaking : Shaking, optional
            With the engine ``granular``: The container, or one of its walls, oscillates; where
            it is at time 0 follows from the phase. Without it: at rest.
        drag : Drag, optional
            With the engine ``granular``: Slows balls down.
        field : Field, optional
            With the engine ``granular``: A harmonic well: the acceleration is −rate² (x −
            centre). Without it: none.
        collisions : Collisions, optional
            With the engine ``granular``: How much velocity remains after a collision.
        material : Material, optional
            With the engine ``granular``: The material of balls and walls. Without it: steel.
        contact : Contact, optional
            With the engine ``polygons``: The forces between two particles that overlap.
        walls : sequence of Wall, optional
            With the engine ``polygons``: Walls, one table for each. In the file, and as an
            argument too: ``wall``.
        search : Search or str, optional
            The search structure: a table, or only its ``kind`` as a word.
        output : Output, optional
            What is written.
        """
        self._build(
            {
                "title": title,
                "parameters": parameters,
                "units": units,
                "space": space,
                "run": run,
                "species": species,
                "molecule": _either("molecule", molecules, molecule),
                "surface": _either("surface", surfaces, surface),
                "rule": _either("rule", rules, rule),
                "schedule": schedule,
                "observable": _either("observable", observables, observable),
                "potential": potential,
                "clusters": clusters,
                "gravity": gravity,
                "shaking": shaking,
                "drag": drag,
                "field": field,
                "collisions": collisions,
                "material": material,
                "contact": contact,
                "wall": _either("wall", walls, wall),
                "search": search,
                "output": output,
            }
        )

    def _build(self, sections: dict[str, Any]) -> None:
        raise NotImplementedError


def _either(key: str, several: object, one: object) -> object:
    """The value of an argument that has two spellings."""
    if several is not None and one is not None:
        raise TypeError(f"`{key}` and `{key}s` are the same section: keep one of the two")
    return one if several is None else several
