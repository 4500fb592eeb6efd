"""Questions to the log of contacts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from . import _jostle, measure
from .answers import Analysis
from .measures import Names
from .measures import measure as asked
from .quantities import Quantity, Whole
from .questions import ids, options

__all__ = ["Contacts"]


class Contacts:
    """What can be asked of the log of contacts; a part of :class:`jostle.Run`."""

    path: Path

    def contacts(
        self,
        *,
        start: Quantity | None = None,
        end: Quantity | None = None,
        time: str | None = None,
        id: Whole | Sequence[Whole] | None = None,
        pair: Sequence[Whole] | None = None,
        species: Names | None = None,
        between: Sequence[str] | None = None,
        outcome: Names | None = None,
        rule: Names | None = None,
        place: Names | None = None,
        energy_lost: str | None = None,
        wall: Names | None = None,
        inside: Names | None = None,
        outside: Names | None = None,
        above: Names | None = None,
        below: Names | None = None,
        cluster: Whole | None = None,
        count: bool = False,
        group_by: Names | None = None,
        every: Quantity | None = None,
        having: Names | None = None,
        sort: str | None = None,
        histogram: Literal["interval", "rebinding", "place", "meetings", "pair"] | None = None,
        of: Literal["pair", "particle", "any"] | None = None,
        axes: Names | None = None,
        bins: Whole | None = None,
        limit: Whole | None = None,
    ) -> Analysis:
        """Ask the log of contacts: which particles met, where, when, and what came of it.

        Contacts are listed unless `count`, `group_by` or `histogram` is given. Which contacts, the
        arguments from `start` to `cluster` say; a contact has to pass all of them.

        Parameters
        ----------
        start, end : quantity, optional
            From this time on, and before this time.
        time : str, optional
            In this range of time, ``"1 ms..2 ms"``; the same as `start` and `end`.
        id : int or sequence of int, optional
            Of any of these particles.
        pair : sequence of int, optional
            Between these two particles.
        species : str or sequence of str, optional
            That involve any of these species; ``"wall"`` is the box.
        between : sequence of str, optional
            Between these two species.
        outcome : str or sequence of str, optional
            With one of these outcomes (``"bounced"``, ``"bound"``, ``"refused"``).
        rule : str or sequence of str, optional
            Decided by one of these rules.
        place : str or sequence of str, optional
            In this range along an axis, ``"x=0 nm..100 nm"``; one for each axis.
        energy_lost : str, optional
            In granular runs: impacts that lose so much kinetic energy, ``"1e-4 J..1e-3 J"``.
        wall : str or sequence of str, optional
            With one of these faces of the box (``"x-"``) or surfaces.
        inside, outside, above, below : str or sequence of str, optional
            On these sides of surfaces.
        cluster : int, optional
            Of particles that belong to this cluster when they touch.
        count : bool, default False
            Only the number of contacts.
        group_by : str or sequence of str, optional
            The number of contacts in groups: by ``"species"``, ``"outcome"``, ``"rule"``, ``"id"``,
            ``"pair"``, ``"cluster"``, ``"wall"`` or ``"time"``.
        every : quantity, optional
            With ``group_by="time"``: the length of a bin; a twentieth of the whole unless given.
        having : str or sequence of str, optional
            Only groups whose column is in a range: ``"before_bound=51.."``.
        sort : str, optional
            The column that groups are sorted by, largest first.
        histogram : {"interval", "rebinding", "place", "meetings", "pair"}, optional
            A histogram of the times between contacts, of the times until a pair that has come apart
            binds again, of the places of contacts, of how often pairs meet before they bind, or of the
            contacts of each pair.
        of : {"pair", "particle", "any"}, optional
            With ``histogram="interval"``: between contacts of the same pair (unless it is given), of
            the same particle, or any.
        axes : str or sequence of str, optional
            With ``histogram="place"``: along these one or two axes.
        bins : int, optional
            The number of bins of the histogram.
        limit : int, optional
            The largest number of rows.

        Returns
        -------
        Analysis
            Table ``contacts``, ``contact_count``, ``contact_groups``, ``contact_intervals``,
            ``rebinding_times``, ``contact_places``, ``meetings_before_bound`` or
            ``contacts_per_pair``.

        Raises
        ------
        ReadError
            If the file cannot be read, has no log, or no such species, outcome, rule or wall.
        TypeError, ValueError
            If an argument makes no sense.

        Examples
        --------
        The rate of binding over time, as a polars data frame:

        >>> run.contacts(outcome="bound", group_by="time", every="1 ms").to_polars()  # doctest: +SKIP
        """
        question = measure.contact_log(
            count=bool(count),
            group_by=group_by,
            histogram=histogram,
            time=time,
            start=start,
            end=end,
            species=species,
            between=between,
            id=ids(id, "id"),
            pair=ids(pair, "pair"),
            outcome=outcome,
            rule=rule,
            place=place,
            energy_lost=energy_lost,
            wall=wall,
            inside=inside,
            outside=outside,
            above=above,
            below=below,
            cluster=cluster,
            every=every,
            having=having,
            of=of,
            axes=axes,
            bins=bins,
        )
        more = asked("", None, {"sort": sort, "limit": limit})
        given = options([*question.options, *more.options])
        return Analysis(*_jostle.contacts(self.path, given))
