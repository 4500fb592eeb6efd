"""Prints the first frame, change and contact in which two files differ, each - if there is none.

    first_difference.py A B
"""

import sys

import h5py
import numpy


def same(a, b):
    return numpy.array_equal(a, b, equal_nan=a.dtype.kind == "f")


def first_row(a, b):
    rows = [n for n in range(min(len(a), len(b))) if not same(a[n], b[n])]
    return rows[0] if rows else None


def particles(file, frame):
    """Sorted by identity, whatever slots they are in."""
    group = file["particles/trajectory"]
    ids = group["id/value"][frame]
    order = numpy.argsort(ids)[(ids < 0).sum():]
    return [group[f"{name}/value"][frame][order] for name in ["id", "position", "image", "cluster"]]


def changes(file):
    """Each with all that it points to, as text."""
    table = file["events/changes"][:]
    parts = [("reactant", "reactants"), ("product", "products"), ("broken", "bonds_broken"), ("made", "bonds_made"),
             ("before", "clusters_before"), ("after", "clusters_after")]
    flat = {name: file["events"][name][:] for _, name in parts}
    rows = []
    for row in table:
        counts = {"reactant": "reactants", "product": "products"}
        ranges = [(name, int(row[f"first_{part}"]), int(row[counts.get(part, part)])) for part, name in parts]
        rows.append(str([row] + [list(flat[name][first:first + count]) for name, first, count in ranges]))
    return numpy.array(rows)


with h5py.File(sys.argv[1]) as a, h5py.File(sys.argv[2]) as b:
    count = min(len(f["particles/trajectory/position/step"]) for f in (a, b))
    frames = [n for n in range(count) if not all(map(same, particles(a, n), particles(b, n)))]
    contacts = [f["events/contacts"][:] for f in (a, b)]
    found = [frames[0] if frames else None, first_row(changes(a), changes(b)), first_row(*contacts)]
    print(*["-" if row is None else row for row in found])
