"""Everything that can be asked of the output file of a run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

from . import _jostle, measure
from .answers import Analysis, Genealogy, Info
from .contacts import Contacts
from .frames import Frames
from .measures import Names
from .quantities import Quantity, Whole
from .questions import ask, whole
from .views import Views

__all__ = ["Analyses"]


class Analyses(Contacts, Views):
    """The questions that an output file answers, with the numbers of the program.

    Every answer is read from the file when it is asked for, so that a run in progress can be looked
    at; what it has written by then counts.

    Most methods take these:

    start, end : quantity, optional
        Only data from this time on, and up to this time, are used.
    species : str or sequence of str, optional
        Only these species; ``"EGFR"`` means any of its states, ``"EGFR{bound}"`` that one.

    Quantities are texts with a unit (``"10 ms"``), numbers with units, or plain numbers in µs and
    nm. All methods raise :class:`ReadError` if the file cannot be read or does not contain what is
    asked for (such as a species), and :class:`ValueError` if an argument makes no sense.

    Attributes
    ----------
    path : pathlib.Path
        The output file.
    """

    path: Path

    # What is in the file

    def info(self) -> Info:
        """Look the file over: model, box, frames, species, log, and how the run went.

        Returns
        -------
        Info
            A dictionary with the keys of ``jostle info --json``.

        Raises
        ------
        ReadError
            If the file cannot be read.
        """
        text, rows, printed = _jostle.info(self.path)
        return Info(json.loads(text), rows, printed)

    @property
    def frames(self) -> Frames:
        """The frames that the file has now: ``run.frames[-1].positions``."""
        return Frames(self.path)

    # Analyses

    def counts(
        self,
        *,
        start: Quantity | None = None,
        end: Quantity | None = None,
        species: Names | None = None,
        inside: Names | None = None,
        outside: Names | None = None,
        above: Names | None = None,
        below: Names | None = None,
    ) -> Analysis:
        """Numbers of particles of each species, averaged over time, and over time.

        Parameters
        ----------
        start, end, species
            See :class:`Analyses`.
        inside, outside, above, below : str or sequence of str, optional
            Only on these sides of surfaces of the model, all of them together.

        Returns
        -------
        Analysis
            Tables ``counts`` (errors by blocking) and ``counts_over_time``.
        """
        return ask(
            self.path,
            measure.counts(
                start=start,
                end=end,
                species=species,
                inside=inside,
                outside=outside,
                above=above,
                below=below,
            ),
        )

    def contacts_by_species(
        self,
        *,
        start: Quantity | None = None,
        end: Quantity | None = None,
        species: Names | None = None,
    ) -> Analysis:
        """Contacts in the log by species and outcome: ``jostle analyse FILE contacts``.

        :meth:`contacts` answers other questions to the log.

        Parameters
        ----------
        start, end, species
            See :class:`Analyses`.

        Returns
        -------
        Analysis
            Table ``contacts``.
        """
        return ask(self.path, measure.contacts(start=start, end=end, species=species))

    def observables(self, *, start: Quantity | None = None, end: Quantity | None = None) -> Analysis:
        """What each observable of the model counts over time, and its average.

        Parameters
        ----------
        start, end
            See :class:`Analyses`.

        Returns
        -------
        Analysis
            Tables ``observables`` and ``observables_over_time``.
        """
        return ask(self.path, measure.observables(start=start, end=end))

    def sites(
        self,
        *,
        start: Quantity | None = None,
        end: Quantity | None = None,
        species: Names | None = None,
        pattern: Names | None = None,
    ) -> Analysis:
        """In models with sites: states of sites, how many are bound, how many bonds molecules have.

        Parameters
        ----------
        start, end, species
            See :class:`Analyses`.
        pattern : str or sequence of str, optional
            Instead, how many molecules fit each of these patterns, such as ``"R(y~p,l!+)"``.

        Returns
        -------
        Analysis
            Tables ``sites`` (by site and state, free and bound), ``sites_over_time`` and ``binding``
            (molecules by the number of their bound sites); with `pattern`, ``patterns`` and
            ``patterns_over_time``.
        """
        found = measure.sites(start=start, end=end, species=species, pattern=pattern)
        return ask(self.path, found)

    def sizes(
        self,
        *,
        start: Quantity | None = None,
        end: Quantity | None = None,
        species: Names | None = None,
    ) -> Analysis:
        """Cluster sizes over time, and their distribution.

        Parameters
        ----------
        start, end
            See :class:`Analyses`.
        species : str or sequence of str, optional
            The size of a cluster is the number of its particles of these species.

        Returns
        -------
        Analysis
            Tables ``sizes`` (over time), ``size_counts`` and ``size_distribution``.
        """
        return ask(self.path, measure.sizes(start=start, end=end, species=species))

    def displacement(
        self,
        *,
        start: Quantity | None = None,
        end: Quantity | None = None,
        species: Names | None = None,
        max: Quantity | None = None,
        lags: Whole | None = None,
        fit: str | None = None,
    ) -> Analysis:
        """Mean squared displacement by species and by cluster size, and the fitted D.

        Parameters
        ----------
        start, end, species
            See :class:`Analyses`.
        max : quantity, optional
            The longest lag, a time.
        lags : int, optional
            So many lags in each factor of ten; lags of 1, 2, 5, 10, ... frames by default.
        fit : str, optional
            The lags of the fit to long times, such as ``"10 ms..50 ms"``.

        Returns
        -------
        Analysis
            Tables ``displacement`` (over the lag), ``diffusion`` (D with its error),
            ``diffusion_long`` (the same at long times), ``displacement_by_axis`` and, if there are
            clusters, ``displacement_by_size``.
        """
        found = measure.displacement(
            start=start, end=end, species=species, max=max, lags=lags, fit=fit
        )
        return ask(self.path, found)

    #: The same as :meth:`displacement`, by its common name.
    msd = displacement

    def jumps(
        self,
        *,
        start: Quantity | None = None,
        end: Quantity | None = None,
        species: Names | None = None,
        bins: Whole | None = None,
        max: Quantity | None = None,
    ) -> Analysis:
        """Distribution of displacements at several lags, compared with free diffusion.

        Parameters
        ----------
        start, end, species
            See :class:`Analyses`.
        bins : int, optional
            The number of bins, 50 by default.
        max : quantity, optional
            The longest lag, a time.

        Returns
        -------
        Analysis
            Tables ``jumps`` and ``jump_moments``.
        """
        return ask(
            self.path,
            measure.jumps(start=start, end=end, species=species, bins=bins, max=max),
        )

    def rdf(
        self,
        *,
        start: Quantity | None = None,
        end: Quantity | None = None,
        species: Names | None = None,
        bins: Whole | None = None,
        max: Quantity | None = None,
    ) -> Analysis:
        """Radial distribution function of each pair of species.

        Parameters
        ----------
        start, end, species
            See :class:`Analyses`.
        bins : int, optional
            The number of bins.
        max : quantity, optional
            The largest distance, a length.

        Returns
        -------
        Analysis
            Tables ``rdf`` and ``rdf_summary``.
        """
        return ask(
            self.path, measure.rdf(start=start, end=end, species=species, bins=bins, max=max)
        )

    def density(
        self,
        *,
        start: Quantity | None = None,
        end: Quantity | None = None,
        species: Names | None = None,
        bins: Whole | None = None,
        along: Literal["x", "y", "z", "radius", "map"] | None = None,
    ) -> Analysis:
        """Density along an axis, over the distance from the middle of the box, or as a map.

        Parameters
        ----------
        start, end, species
            See :class:`Analyses`.
        bins : int, optional
            The number of bins, 40 by default.
        along : {"x", "y", "z", "radius", "map"}, optional
            Along what; ``"x"`` by default.

        Returns
        -------
        Analysis
            Tables ``density`` and ``density_summary``.
        """
        return ask(
            self.path,
            measure.density(start=start, end=end, species=species, bins=bins, along=along),
        )

    def polymers(
        self,
        *,
        start: Quantity | None = None,
        end: Quantity | None = None,
        species: Names | None = None,
    ) -> Analysis:
        """Chains and rings of bonded particles: how large and how stiff they are.

        Parameters
        ----------
        start, end
            See :class:`Analyses`.
        species : str or sequence of str, optional
            Only particles of these species, and the bonds between them.

        Returns
        -------
        Analysis
            Tables ``polymers`` (number, root mean square end-to-end distance and radius of gyration,
            by the number of beads), ``polymer_squares`` (mean squares), ``polymer_bonds`` (bond
            length, mean cosine of successive bonds, persistence length) and ``polymers_over_time``.
        """
        return ask(self.path, measure.polymers(start=start, end=end, species=species))

    def rates(
        self,
        *,
        start: Quantity | None = None,
        end: Quantity | None = None,
        species: Names | None = None,
        bins: Whole | None = None,
    ) -> Analysis:
        """Rate constants of each rule and species, with exact 95 % intervals.

        Parameters
        ----------
        start, end, species
            See :class:`Analyses`.
        bins : int, optional
            The number of bins of ``rates_over_time``, 10 by default.

        Returns
        -------
        Analysis
            Tables ``rates``, ``rates_over_time`` and ``rate_exposures``.
        """
        return ask(self.path, measure.rates(start=start, end=end, species=species, bins=bins))

    def lifetimes(
        self,
        *,
        start: Quantity | None = None,
        end: Quantity | None = None,
        species: Names | None = None,
        max: Quantity | None = None,
    ) -> Analysis:
        """How long clusters keep their size (Kaplan-Meier).

        Parameters
        ----------
        start, end
            See :class:`Analyses`.
        species : str or sequence of str, optional
            The size of a cluster is the number of its particles of these species.
        max : quantity, optional
            The longest lifetime.

        Returns
        -------
        Analysis
            Tables ``lifetimes``, ``lifetime_curves`` and ``lifetime_ages``.
        """
        found = measure.lifetimes(start=start, end=end, species=species, max=max)
        return ask(self.path, found)

    def transitions(
        self,
        *,
        start: Quantity | None = None,
        end: Quantity | None = None,
        species: Names | None = None,
    ) -> Analysis:
        """How often clusters of one size become clusters of another.

        Parameters
        ----------
        start, end
            See :class:`Analyses`.
        species : str or sequence of str, optional
            The size of a cluster is the number of its particles of these species.

        Returns
        -------
        Analysis
            Tables ``transitions`` and ``transition_exposures``.
        """
        return ask(self.path, measure.transitions(start=start, end=end, species=species))

    def survival(
        self,
        *,
        start: Quantity | None = None,
        end: Quantity | None = None,
        species: Names | None = None,
        max: Quantity | None = None,
    ) -> Analysis:
        """How long particles stay in their species, and how long bonds last (Kaplan-Meier).

        Parameters
        ----------
        start, end, species
            See :class:`Analyses`.
        max : quantity, optional
            The longest time.

        Returns
        -------
        Analysis
            Tables ``survival``, ``survival_curves`` and ``survival_ages``.
        """
        return ask(self.path, measure.survival(start=start, end=end, species=species, max=max))

    def first_passage(
        self,
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
    ) -> Analysis:
        """Time until a particle has moved some distance, reaches or leaves a place, or meets another.

        Parameters
        ----------
        start, end, species
            See :class:`Analyses`.
        max : quantity, optional
            The longest time.
        distance : quantity, optional
            Until a particle is this far from its start, a length. A distance that many particles
            reach, unless this, `place` or `meets` is given.
        place : str, optional
            Until a particle is here, such as ``"x=0 nm..100 nm,y=20 nm.."``.
        leaves : str, optional
            Until a particle that is here at first is not, ranges as for `place`.
        inside, outside, above, below : str or sequence of str, optional
            Until a particle is on all of these sides of surfaces of the model.
        meets : str, optional
            Until a particle has its first logged contact with this species, ``"wall"``, a face such
            as ``"x-"``, a surface, or ``"any"`` particle.

        Returns
        -------
        Analysis
            Tables ``first_passage``, ``first_passage_curves`` and ``first_passage_ages``.
        """
        return ask(
            self.path,
            measure.first_passage(
                start=start,
                end=end,
                species=species,
                max=max,
                distance=distance,
                place=place,
                leaves=leaves,
                inside=inside,
                outside=outside,
                above=above,
                below=below,
                meets=meets,
            ),
        )

    def impacts(
        self,
        *,
        start: Quantity | None = None,
        end: Quantity | None = None,
        species: Names | None = None,
        bins: Whole | None = None,
    ) -> Analysis:
        """Granular runs: how hard and how often balls hit each other and walls.

        Parameters
        ----------
        start, end, species
            See :class:`Analyses`.
        bins : int, optional
            The number of bins of the energy spectrum, 30 by default.

        Returns
        -------
        Analysis
            Tables ``impacts``, ``impact_sizes`` and ``impact_spectrum``.
        """
        return ask(self.path, measure.impacts(start=start, end=end, species=species, bins=bins))

    def energy(self, *, start: Quantity | None = None, end: Quantity | None = None) -> Analysis:
        """Potential energy and neighbours in Brownian runs; the energy balance in others.

        Brownian runs need a model with a ``[[potential]]``; others are granular and polygon runs.

        Parameters
        ----------
        start, end
            See :class:`Analyses`.

        Returns
        -------
        Analysis
            Tables ``energy`` and ``energy_over_time``; in Brownian runs also ``energy_shells``, with
            the pairs and neighbours in each shell of the potentials.
        """
        return ask(self.path, measure.energy(start=start, end=end))

    def pressure(
        self, *, start: Quantity | None = None, end: Quantity | None = None
    ) -> Analysis:
        """Pressure and compressibility factor of Brownian and granular runs in periodic boxes.

        It comes from the momentum that particles pass on at contacts and at the edges of potentials, and
        is exact at any time step. In granular runs it is in N/m or Pa, and needs ``log = "all"``.

        Parameters
        ----------
        start, end
            See :class:`Analyses`.

        Returns
        -------
        Analysis
            Tables ``pressure`` (particles, ideal and excess part, sum, compressibility factor) and
            ``pressure_over_time``.
        """
        return ask(self.path, measure.pressure(start=start, end=end))

    def forces(
        self,
        *,
        start: Quantity | None = None,
        end: Quantity | None = None,
        species: Names | None = None,
        bins: Whole | None = None,
    ) -> Analysis:
        """Polygon runs: the number of contacts, their forces, and the forces on walls.

        Parameters
        ----------
        start, end, species
            See :class:`Analyses`.
        bins : int, optional
            The number of bins of the distribution, 40 by default.

        Returns
        -------
        Analysis
            Tables ``forces``, ``forces_over_time``, ``force_distribution`` and ``wall_forces``.
        """
        return ask(self.path, measure.forces(start=start, end=end, species=species, bins=bins))

    def stress(
        self,
        *,
        start: Quantity | None = None,
        end: Quantity | None = None,
        species: Names | None = None,
        bins: Whole | None = None,
        along: Literal["x", "y"] | None = None,
        place: str | None = None,
    ) -> Analysis:
        """Polygon runs: the stress over time, in a region and along an axis.

        Parameters
        ----------
        start, end, species
            See :class:`Analyses`.
        bins : int, optional
            The number of bins along the axis, 20 by default.
        along : {"x", "y"}, optional
            Along what axis there is a profile; none by default.
        place : str, optional
            Only particles here, such as ``"x=0 nm..100 nm,y=20 nm.."``.

        Returns
        -------
        Analysis
            Tables ``stress``, ``stress_over_time`` and, along an axis, ``stress_profile``.
        """
        return ask(
            self.path,
            measure.stress(
                start=start, end=end, species=species, bins=bins, along=along, place=place
            ),
        )

    def genealogy(self, *, cluster: Whole | None = None, size: Whole | None = None) -> Genealogy:
        """How clusters merged and fell apart.

        Parameters
        ----------
        cluster : int, optional
            Only the ancestors and descendants of this cluster, by its identity.
        size : int, optional
            Only clusters that had at least this many particles at some time.

        Returns
        -------
        Genealogy
            A row for each life of a cluster that merged or fell apart.

        Raises
        ------
        ReadError
            If the file cannot be read.
        ValueError
            If there never was such a cluster.
        """
        given = [
            None if value is None else whole(value, key)
            for key, value in (("cluster", cluster), ("size", size))
        ]
        return Genealogy(_jostle.genealogy(self.path, *given))
