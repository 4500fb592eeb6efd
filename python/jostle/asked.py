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
        """Numbers of particles of each species over time, and their averages.

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
        found = measure.counts(
            start=start,
            end=end,
            species=species,
            inside=inside,
            outside=outside,
            above=above,
            below=below,
        )
        return ask(self.path, found)

    def contacts_by_species(
        self,
        *,
        start: Quantity | None = None,
        end: Quantity | None = None,
        species: Names | None = None,
    ) -> Analysis:
        """Contacts in the log by pair of species and outcome.

        :meth:`contacts` answers other questions to the log.

        Parameters
        ----------
        start, end
            See :class:`Analyses`.
        species : str or sequence of str, optional
            Only contacts of these species.

        Returns
        -------
        Analysis
            Table ``contacts``.
        """
        found = measure.contacts(start=start, end=end, species=species)
        return ask(self.path, found)

    def observables(
        self, *, start: Quantity | None = None, end: Quantity | None = None
    ) -> Analysis:
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
        found = measure.observables(start=start, end=end)
        return ask(self.path, found)

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
            Tables ``sites`` (by site and state, free and bound), ``sites_over_time`` and
            ``binding`` (molecules by the number of their bound sites); with `pattern`, ``patterns``
            and ``patterns_over_time``.
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
            Tables ``sizes`` (over time, with ``mean_size`` and ``weight_mean``), ``size_counts``
            and ``size_distribution``.
        """
        found = measure.sizes(start=start, end=end, species=species)
        return ask(self.path, found)

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
        found = measure.jumps(start=start, end=end, species=species, bins=bins, max=max)
        return ask(self.path, found)

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
        found = measure.rdf(start=start, end=end, species=species, bins=bins, max=max)
        return ask(self.path, found)

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
        found = measure.density(start=start, end=end, species=species, bins=bins, along=along)
        return ask(self.path, found)

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
            Tables ``polymers`` (number, root mean square end-to-end distance and radius of
            gyration, by the number of beads), ``polymer_squares`` (mean squares), ``polymer_bonds``
            (bond length, mean cosine of successive bonds, persistence length) and
            ``polymers_over_time``.
        """
        found = measure.polymers(start=start, end=end, species=species)
        return ask(self.path, found)

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
        found = measure.rates(start=start, end=end, species=species, bins=bins)
        return ask(self.path, found)

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
        found = measure.transitions(start=start, end=end, species=species)
        return ask(self.path, found)

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
        found = measure.survival(start=start, end=end, species=species, max=max)
        return ask(self.path, found)

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
        found = measure.impacts(start=start, end=end, species=species, bins=bins)
        return ask(self.path, found)

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
            Tables ``energy`` and ``energy_over_time``; in Brownian runs also ``energy_shells``,
            with the pairs and neighbours in each shell of the potentials.
        """
        found = measure.energy(start=start, end=end)
        return ask(self.path, found)

    def pressure(self, *, start: Quantity | None = None, end: Quantity | None = None) -> Analysis:
        """Pressure and compressibility factor of Brownian and granular runs in periodic boxes.

        It comes from the momentum that particles pass on at contacts and at the edges of
        potentials, and is exact at any time step. In granular runs it is in N/m or Pa, and needs
        ``log = "all"``.

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
        found = measure.pressure(start=start, end=end)
        return ask(self.path, found)

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
        found = measure.forces(start=start, end=end, species=species, bins=bins)
        return ask(self.path, found)

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
        found = measure.stress(
            start=start, end=end, species=species, bins=bins, along=along, place=place
        )
        return ask(self.path, found)

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
        found = measure.first_passage(
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
        )
        return ask(self.path, found)
