"""Answers the questions of tests/contact_log.rs again, from the file itself, with numpy."""

import sys
from collections import Counter, defaultdict
from json import loads
from pathlib import Path

import h5py
import numpy as np
import pandas as pd

folder = Path(sys.argv[1])
WALL = 2**32 - 1

with h5py.File(folder / "run.h5md") as f:
    rows = f["events/contacts"][:]
    index = f["events/contacts_index"][:]
    outcomes = f["events/codes/outcomes"].asstr()[:]
    rules = f["parameters/rules"].asstr()[:]
    names = f["parameters/species/name"].asstr()[:]
    timestep = f["parameters/timestep"][0] / 1000
    edges = f["particles/trajectory/box/edges/value"][0]
    end = f["runs/log"][-1]["step"] * timestep
    changes = f["events/changes"][:]
    kinds = f["events/codes/kinds"].asstr()[:]
    flat = {name: f[f"events/{name}"][:] for name in ["bonds_broken", "bonds_made", "clusters_before", "clusters_after"]}
    particles = f["particles/trajectory"]
    first = {int(i): int(c) for i, c in zip(particles["id/value"][0], particles["cluster/value"][0]) if i >= 0}

lengths = np.diff(np.append(index["first"].astype(np.int64), len(rows)))
step = np.repeat(index["step"], lengths)
time = (step + rows["time"].astype(float)) * timestep
a, b = rows["a"].astype(np.int64), rows["b"].astype(np.int64)
wall = b > WALL - 6
outcome = outcomes[rows["outcome"]]


def table(name, **options):
    return pd.read_csv(folder / name, float_precision="round_trip", **options)


def same_contacts(name, mask):
    found = table(name)
    assert len(found) == mask.sum() > 0, (name, len(found), mask.sum())
    np.testing.assert_allclose(found.time_us, time[mask], rtol=1e-12)
    np.testing.assert_array_equal(found.a, a[mask])
    np.testing.assert_array_equal(found.outcome, outcome[mask])
    for axis, x in enumerate("xyz"):
        np.testing.assert_array_equal(found[f"{x}_nm"].astype(np.float32), rows["place"][mask, axis])


# The list, in every format.
everything = np.ones(len(rows), bool)
same_contacts("all.csv", everything)
parquet = pd.read_parquet(folder / "all.parquet")
json = pd.DataFrame(loads((folder / "all.json").read_text()))
csv = table("all.csv")
assert list(parquet.columns) == list(json.columns) == list(csv.columns)
for other in [parquet, json]:
    np.testing.assert_array_equal(other.time_us, csv.time_us)
    np.testing.assert_array_equal(other.b.fillna(-1), csv.b.fillna(-1))
    assert list(other.partner) == list(csv.partner) and list(other.rule.fillna("")) == list(csv.rule.fillna(""))
assert str(parquet.step.dtype).lower() == "int64" and parquet.x_nm.dtype == float
np.testing.assert_array_equal(csv.b.isna(), wall)
np.testing.assert_array_equal(csv.b[~wall].astype(np.int64), b[~wall])
faces = np.array(["x-", "x+", "y-", "y+", "z-", "z+"])
assert list(csv.partner[wall]) == [f"wall {faces[WALL - face]}" for face in b[wall]]
assert wall.sum() > 10 and (~wall).sum() > 10

# Filters.
same_contacts("body.csv", (a == 17) | (b == 17))
same_contacts("wall.csv", wall)
same_contacts("bound.csv", (outcome == "bound") & (rows["rule"] == list(rules).index("pair")))
same_contacts("between.csv", wall & (time >= 100.5) & (time < 1250))
x, y, _ = rows["place"].T
same_contacts("place.csv", (x >= 20) & (x < 90) & (y < 50))

# Groups.
groups = table("groups.csv")
counted = Counter(("wall" if w else "A", o) for w, o in zip(wall, outcome))
assert {(p, o): n for p, o, n in zip(groups.partner, groups.outcome, groups.contacts)} == counted
np.testing.assert_allclose(groups.rate_per_us, groups.contacts / end, rtol=1e-12)
assert (groups.std_error_per_us > 0).all()

met, before = Counter(), {}
for pair in zip(a, b, outcome):
    pair, what = pair[:2], pair[2]
    if what == "bound":
        before.setdefault(pair, met[pair])
    met[pair] += 1
wanted = {pair: n for pair, n in before.items() if n >= 3}
pairs = table("pairs.csv")
assert {(p, int(q)): n for p, q, n in zip(pairs.a, pairs.b, pairs.before_bound)} == wanted and wanted
assert all(met[p, int(q)] == n for p, q, n in zip(pairs.a, pairs.b, pairs.contacts))

particles = table("bodies.csv")
counted = Counter(a[wall])
assert dict(zip(particles.id, particles.contacts)) == counted
assert (np.diff(particles.contacts) <= 0).all()

rates = table("rates.csv")
for _, row in rates.iterrows():
    mask = (wall == (row.partner == "wall")) & (time >= row.from_us)
    mask &= (time < row.to_us) | (row.to_us >= end)
    assert row.contacts == mask.sum(), row
    np.testing.assert_allclose(row.rate_per_us, mask.sum() / (row.to_us - row.from_us))
assert rates.contacts.sum() == len(rows) and len(rates) == 2 * 8
# Contacts come in bursts: errors are those of independent contacts or larger, on the whole.
poisson = np.sqrt(rates.contacts) / (rates.to_us - rates.from_us)
assert (rates.std_error_per_us > 0.7 * poisson).mean() > 0.8

# Clusters as they were at each contact: a replay of the changes, which in this model only make and
# break bonds; afterwards the concerned fall into components, that of the lowest identity first.
cluster, bonds, counted = dict(first), defaultdict(set), Counter()


def component(particle):
    seen, left = {particle}, [particle]
    while left:
        new = bonds[left.pop()] - seen
        seen |= new
        left += new
    return seen


def apply(change):
    part = lambda name, first, n: flat[name][int(change[first]):][: int(change[n])]
    concerned = {i for i, c in cluster.items() if c in set(part("clusters_before", "first_before", "before"))}
    for p, q in part("bonds_broken", "first_broken", "broken"):
        bonds[p].discard(q), bonds[q].discard(p)
    for p, q in part("bonds_made", "first_made", "made"):
        bonds[p].add(q), bonds[q].add(p)
    for name in part("clusters_after", "first_after", "after"):
        group = component(min(concerned))
        concerned -= group
        cluster.update(dict.fromkeys(group, name))


parted, again = {}, []
queue = list(changes)
for k in range(len(rows)):
    while queue and (queue[0]["step"], np.float32(queue[0]["time"])) < (step[k], rows["time"][k]):
        apply(queue.pop(0))
    mine = {cluster[a[k]]} | (set() if wall[k] else {cluster[b[k]]})
    counted.update(mine)
found = table("clusters.csv")
assert dict(zip(found.cluster, found.contacts)) == counted

# Histograms.
last, between = {}, []
for t, pair in zip(time, zip(a, b)):
    if pair in last:
        between.append(t - last[pair])
    last[pair] = t


def same_histogram(name, values):
    found = table(name)
    edges = np.append(found.iloc[:, 0], found.iloc[-1, 1])
    counts, _ = np.histogram(values, edges * (1 - 1e-12))
    np.testing.assert_array_equal(found["count"], counts)
    assert found["count"].sum() == len(values) > 10
    width = np.diff(edges)
    np.testing.assert_allclose(found["density_per_us"], counts / len(values) / width, rtol=1e-9)
    np.testing.assert_allclose(found["std_error_per_us"], np.sqrt(counts) / len(values) / width, rtol=1e-9)


same_histogram("intervals.csv", between)

for change in changes:
    t = (change["step"] + change["time"]) * timestep
    part = lambda name, first, n: flat[name][int(change[first]):][: int(change[n])]
    for p, q in part("bonds_made", "first_made", "made"):
        if (p, q) in parted:
            again.append(t - parted.pop((p, q)))
    if kinds[change["kind"]] == "unbonded":
        for p, q in part("bonds_broken", "first_broken", "broken"):
            parted[p, q] = t
same_histogram("rebinding.csv", again)

# Meetings before binding, counted from each release; those of pairs that are bound do not count.
met, held, before_bound = Counter(), set(), []
queue = list(changes)
for k in range(len(rows)):
    while queue and (queue[0]["step"], np.float32(queue[0]["time"])) < (step[k], rows["time"][k]):
        change = queue.pop(0)
        for name, ends in [("bonds_made", ("first_made", "made")), ("bonds_broken", ("first_broken", "broken"))]:
            for p, q in flat[name][int(change[ends[0]]):][: int(change[ends[1]])]:
                if name == "bonds_made":
                    held.add((p, q))
                else:
                    held.discard((p, q)), met.pop((p, q), None)
    pair = (a[k], b[k])
    if wall[k]:
        continue
    if outcome[k] == "bound":
        before_bound.append(met.pop(pair, 0)), held.add(pair)
    elif pair not in held:
        met[pair] += 1


def same_numbers(name, numbers):
    found = table(name)
    within = [sum(low <= n <= high for n in numbers) for low, high in zip(found.iloc[:, 0], found.iloc[:, 1])]
    np.testing.assert_array_equal(found.iloc[:, 2], within)
    assert sum(within) == len(numbers) > 10 and max(numbers) > 10
    np.testing.assert_allclose(found.share, np.array(within) / len(numbers), rtol=1e-9)


same_numbers("meetings.csv", before_bound)
assert len(before_bound) > len(set(zip(a[outcome == "bound"], b[outcome == "bound"]))), "no pair bound twice"
same_numbers("per_pair.csv", list(Counter(zip(a[~wall], b[~wall])).values()))

found = table("map.csv")
counts, _, _ = np.histogram2d(x, y, bins=8, range=[[0, edges[0]], [0, edges[1]]])
np.testing.assert_array_equal(found.contacts, counts.T.ravel())
np.testing.assert_allclose(found.against_even, counts.T.ravel() / (len(rows) / 64))
print(f"{len(rows)} contacts, {len(changes)} changes: all answers agree")
