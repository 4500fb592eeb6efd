"""The measure of a sweep that asks the contact log; see :mod:`jostle.measure`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from .measures import Measure, Names, measure, one_or_list, with_unit
from .quantities import Quantity, Whole

__all__ = ["contact_log"]


def contact_log(
    *,
    count: bool | None = None,
    group_by: Names | None = None,
    histogram: Literal["interval", "rebinding", "place", "meetings", "pair"] | None = None,
    time: str | None = None,
    start: Quantity | None = None,
    end: Quantity | None = None,
    species: Names | None = None,
    between: Sequence[str] | None = None,
    id: Sequence[int] | None = None,
    pair: Sequence[int] | None = None,
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
    every: Quantity | None = None,
    having: Names | None = None,
    of: Literal["pair", "particle", "any"] | None = None,
    axes: Names | None = None,
    bins: Whole | None = None,
    name: str | None = None,
) -> Measure:
    """A question to the contact log, as ``jostle contacts`` answers it.

    One of `count`, `group_by` and `histogram` is needed: contacts of several runs are not listed.

    Parameters
    ----------
    count : bool, optional
        The number of contacts.
    group_by : str or sequence of str, optional
        Contacts in groups: by ``"species"``, ``"outcome"``, ``"rule"``, ``"wall"`` or ``"time"``.
    histogram : {"interval", "rebinding", "place", "meetings", "pair"}, optional
        A histogram of the times between contacts, of the times until a pair that has come apart
        binds again, of the places of contacts, of how often pairs meet before they bind, or of the
        contacts of each pair.
    time : str, optional
        Only contacts in this range of time, ``"1 ms..2 ms"``; `start` and `end` say the same.
    species, between, id, pair, outcome, rule, place, energy_lost, wall, inside, outside, above, \
    below, cluster
        Only contacts that these options of ``jostle contacts`` choose. With several species, a
        contact involves any of them; `between` takes two.
    every : quantity, optional
        With ``group_by="time"``: the length of a bin.
    having : str or sequence of str, optional
        Only groups whose column is in a range, such as ``"contacts=..9"``.
    of : {"pair", "particle", "any"}, optional
        With ``histogram="interval"``: between contacts of the same pair, of the same particle, or
        any.
    axes : str or sequence of str, optional
        With ``histogram="place"``: along these one or two axes.
    bins : int, optional
        With ``histogram="place"``: the number of bins along each axis.
    start, end, name
        See :mod:`jostle.measure`.

    Returns
    -------
    Measure
        Of the table ``contact_count``, ``contact_groups``, ``contact_intervals``,
        ``rebinding_times``, ``contact_places``, ``meetings_before_bound`` or
        ``contacts_per_pair``.

    Raises
    ------
    TypeError
        If the range of time is given twice.
    """
    if start is not None or end is not None:
        if time is not None:
            raise TypeError("give either time, or start and end")
        ends = (with_unit(start, "start", "us"), with_unit(end, "end", "us"))
        time = "..".join("" if instant is None else str(instant) for instant in ends)
    filters = {
        "species": species,
        "between": between,
        "id": id,
        "outcome": outcome,
        "rule": rule,
        "place": place,
        "energy-lost": energy_lost,
        "wall": wall,
        "inside": inside,
        "outside": outside,
        "above": above,
        "below": below,
        "group-by": group_by,
        "having": having,
        "axes": axes,
    }
    return measure(
        "contact-log",
        name,
        {
            "count": count,
            "time": time,
            **{key: one_or_list(names) for key, names in filters.items()},
            "pair": None if pair is None else ",".join(str(int(one)) for one in pair),
            "cluster": cluster,
            "histogram": histogram,
            "every": with_unit(every, "every", "us"),
            "of": of,
            "bins": bins,
        },
    )
