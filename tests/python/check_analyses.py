"""Measures what `jostle analyse` measures, with numpy, scipy, MDAnalysis and freud, and holds what the
library found (a JSON file, the third argument) to it. Times in µs, lengths in nm."""

import json
import sys

import h5py
import numpy
from scipy import stats

what, path = sys.argv[1], sys.argv[2]
with open(sys.argv[3]) as file:
    found = json.load(file)


def close(found, expected, rtol=1e-9, atol=1e-12):
    numpy.testing.assert_allclose(
        numpy.array(found, float), numpy.array(expected, float), rtol=rtol, atol=atol
    )


class Frames:
    """The trajectory as arrays."""

    def __init__(self, file):
        particle = file["particles/trajectory"]
        self.time = particle["position/time"][:] * 1e-3
        self.step = particle["position/step"][:]
        self.id = particle["id/value"][:]
        self.position = particle["position/value"][:].astype(float)
        self.edges = particle["box/edges/value"][0]
        self.unwrapped = self.position + particle["image/value"][:] * self.edges
        self.cluster = particle["cluster/value"][:]
        self.coalesced = particle["coalesced/value"][:]
        names = list(particle["species"].attrs["names"])
        self.species = numpy.array([names[k] for k in particle["species"][:]])
        self.names = [name for name in names if name in self.species]
        self.dimension = int(file["parameters/dimension"][()])


def alive_pairs(frames, slots, lag):
    """Displacements over a lag, of particles that are in the same slot at both ends and in between."""
    here = frames.id[:, slots]
    same = here[:-lag] >= 0
    for after in range(1, lag + 1):
        same &= here[after : len(here) - lag + after] == here[:-lag]
    return (frames.unwrapped[lag:, slots] - frames.unwrapped[:-lag, slots])[same]


def displacement(frames):
    import MDAnalysis
    from MDAnalysis.analysis.msd import EinsteinMSD

    universe = MDAnalysis.Universe.empty(len(frames.species), trajectory=True)
    universe.load_new(frames.unwrapped.astype(numpy.float32))
    between = frames.time[1] - frames.time[0]
    assert [one["species"] for one in found["msd"]] == frames.names
    for one in found["msd"]:
        slots = numpy.flatnonzero(frames.species == one["species"])
        theirs = EinsteinMSD(universe, select="index " + " ".join(map(str, slots)), fft=False)
        theirs = theirs.run().results.timeseries
        assert len(one["points"]) >= 6
        for lag, value, error, samples in one["points"]:
            lag = round(lag / between)
            moves = alive_pairs(frames, slots, lag)
            assert samples == len(moves)
            close(value, (moves**2).sum(axis=1).mean())
            close(value, theirs[lag], rtol=1e-4)
            # 64 groups tell the error to 9 %; the same from single particles.
            squares = (frames.unwrapped[lag:, slots] - frames.unwrapped[:-lag, slots]) ** 2
            close(error, stats.sem(squares.sum(axis=2).mean(axis=0)), rtol=0.5)
    for one in found["jumps"]:
        slots = numpy.flatnonzero(frames.species == one["species"])
        moves = alive_pairs(frames, slots, round(one["lag"] / between))[:, : frames.dimension]
        moves = moves.ravel()
        close(one["variance"], (moves**2).mean())
        about_zero = numpy.concatenate([moves, -moves])
        close(one["non_gaussian"], stats.kurtosis(about_zero) / 3)
        middle, density = numpy.array(one["bins"]).T
        half = 0.5 * (middle[1] - middle[0])
        edges = numpy.append(middle - half, middle[-1] + half)
        counts, _ = numpy.histogram(moves, edges)
        # A move on the very edge of a bin may be on either side of it.
        close(density * len(moves) * 2 * half, counts, rtol=0, atol=1.01)
        assert one["samples"] == len(moves) and one["beyond"] == len(moves) - counts.sum()


def units(frames):
    """Centres of clusters that stay the same; all members have the same D."""
    centres = []
    for k in range(len(frames.time)):
        here = {}
        for slot in numpy.flatnonzero(frames.id[k] >= 0):
            here.setdefault(frames.cluster[k, slot], []).append(slot)
        centres.append(
            {
                (cluster, len(slots)): frames.unwrapped[k, slots].mean(axis=0)
                for cluster, slots in here.items()
            }
        )
    between = frames.time[1] - frames.time[0]
    stride = -(-len(frames.time) // 100)
    for one in found:
        size = 1 if one["size"] == "alone" else int(one["size"].split()[-1])
        for lag, value, samples in one["points"]:
            lag = round(lag / between)
            squares = []
            for origin in range(0, len(centres) - lag, stride):
                stretch = centres[origin : origin + lag + 1]
                for key, centre in stretch[0].items():
                    if key[1] == size and all(key in frame for frame in stretch):
                        squares.append(((stretch[-1][key] - centre) ** 2).sum())
            assert samples == len(squares), (size, lag, samples, len(squares))
            close(value, numpy.mean(squares))
    assert len(found) >= 3


def numbers(frames):
    alive = frames.id >= 0
    for species, counts, mean in found["counts"]:
        expected = alive[:, frames.species == species].sum(axis=1)
        assert counts == expected.tolist()
        close(mean, expected.mean())
    sizes = []
    for k in range(len(frames.time)):
        _, members = numpy.unique(frames.cluster[k, alive[k]], return_counts=True)
        sizes.append(members)
    # Every frame has the same weight.
    clusters = numpy.mean([len(members) for members in sizes])
    particles = numpy.mean([members.sum() for members in sizes])
    close([found["means"][0]], [numpy.mean([members.mean() for members in sizes])])
    seen = [(members.astype(float) ** 2).sum() / members.sum() for members in sizes]
    close([found["means"][1]], [numpy.mean(seen)])
    for size, mean, of_clusters, of_bodies in found["sizes"]:
        expected = numpy.mean([(members == size).sum() for members in sizes])
        close([mean, of_clusters, of_bodies], [expected, expected / clusters, expected * size / particles])
    assert len(found["sizes"]) >= 3
    box = frames.edges[:2]
    for n, name in enumerate(frames.names):
        where = alive & (frames.species == name)
        x, y, _ = frames.position[where].T
        per_frame = 1 / len(frames.time)
        profile, edges = numpy.histogram(x, 6, (0, box[0]))
        told_name, told = found["x"][n]
        assert told_name == name
        close([bin[0] for bin in told], 0.5 * (edges[1:] + edges[:-1]))
        close([bin[2] for bin in told], profile * per_frame / (box.prod() / 6))
        table, _, _ = numpy.histogram2d(y, x, 6, ((0, box[1]), (0, box[0])))
        close([bin[2] for bin in found["map"][n][1]], table.ravel() * per_frame / (box.prod() / 36))
        radius = numpy.hypot(x - box[0] / 2, y - box[1] / 2)
        rings, edges = numpy.histogram(radius, 6, (0, box.min() / 2))
        areas = numpy.pi * numpy.diff(edges**2)
        close([bin[2] for bin in found["radius"][n][1]], rings * per_frame / areas)


def rdf(frames):
    import freud

    box = numpy.where(numpy.arange(3) < frames.dimension, frames.edges, 0)
    box = freud.box.Box(*box) if frames.dimension == 3 else freud.box.Box(box[0], box[1], is2D=True)
    where = {name: numpy.flatnonzero(frames.species == name) for name in frames.names}
    shift = numpy.where(numpy.arange(3) < frames.dimension, frames.edges / 2, 0)
    assert len(found) == 3
    for (a, b), points in found:
        theirs = freud.density.RDF(bins=19, r_max=19, normalization_mode="finite_size" if a == b else "exact")
        for position in frames.position - shift:
            query = {} if a == b else {"query_points": position[where[a]]}
            theirs.compute((box, position[where[b]]), reset=False, **query)
        close([point[0] for point in points], theirs.bin_centers, rtol=1e-6)
        # Single precision moves a pair over the edge of a shell now and then.
        pairs = numpy.array([point[2] for point in points])
        assert pairs.sum() > 1000
        g = numpy.array([point[1] for point in points])
        allowed = 3 * numpy.where(pairs > 0, g / numpy.maximum(pairs, 1), 0) + 1e-5
        assert (abs(g - theirs.rdf) <= allowed).all(), (a, b, g - theirs.rdf)
        if frames.dimension == 3:
            inter_rdf(a, b, where, g, allowed)


def inter_rdf(a, b, where, g, allowed):
    import MDAnalysis
    from MDAnalysis.analysis.rdf import InterRDF

    universe = MDAnalysis.Universe(path)
    block = {"exclusion_block": (1, 1)} if a == b else {}
    groups = [universe.atoms[where[name]] for name in (a, b)]
    theirs = InterRDF(*groups, nbins=19, range=(0, 190), **block).run().results.rdf
    assert (abs(g - theirs) <= allowed + 1e-3 * g).all(), (a, b, g - theirs)


class Log:
    """The log of changes, replayed from the first frame."""

    def __init__(self, file):
        names = file["parameters/species/name"].asstr()[:]
        self.names = list(names)
        self.rules = list(file["parameters/rules"].asstr()[:])
        kinds = file["events/codes/kinds"].asstr()[:]
        frames = Frames(file)
        self.window = [frames.time[0], frames.time[-1]]
        self.volume = frames.edges[: frames.dimension].prod()
        timestep = float(file["parameters/timestep"][()].ravel()[0]) * 1e-3
        self.species, self.size, self.bonds = {}, {}, set()
        species = file["particles/trajectory/species"][:]
        for slot in numpy.flatnonzero(frames.id[0] >= 0):
            self.species[frames.id[0, slot]] = self.names[species[slot]]
            self.size[frames.id[0, slot]] = 1
        self.events = []
        events = file["events"]
        tables = {name: events[name][:] for name in ["reactants", "products", "bonds_broken", "bonds_made"]}
        for row in events["changes"][:]:
            def part(table, first, count):
                return tables[table][row[first] : row[first] + row[count]]

            self.events.append(
                {
                    "time": (row["step"] + row["time"]) * timestep,
                    "rule": self.rules[row["rule"]],
                    "kind": kinds[row["kind"]],
                    "reactants": part("reactants", "first_reactant", "reactants"),
                    "products": part("products", "first_product", "products"),
                    "broken": [tuple(bond) for bond in part("bonds_broken", "first_broken", "broken")],
                    "made": [tuple(bond) for bond in part("bonds_made", "first_made", "made")],
                }
            )

    def pair(self, bond):
        return tuple(sorted((self.species[end] for end in bond), key=self.names.index))

    def apply(self, event):
        for party in event["reactants"]:
            del self.species[party["id"]], self.size[party["id"]]
        for party in event["products"]:
            self.species[party["id"]] = self.names[party["species"]]
            self.size[party["id"]] = party["size"]
        self.bonds -= set(event["broken"])
        self.bonds |= set(event["made"])

    def clusters(self):
        """Sets of particles, with how many they hold."""
        left, found = set(self.species), {}
        while left:
            members, edge = set(), {left.pop()}
            while edge:
                members |= edge
                edge = {b for bond in self.bonds if set(bond) & edge for b in bond} - members
            left -= members
            found[frozenset(members)] = sum(self.size[id] for id in members)
        return found

    def candidates(self, event):
        parties = [self.names[party["species"]] for party in event["reactants"]]
        if event["kind"] == "created":
            return "nothing"
        if event["kind"] == "unbonded":
            return "bond " + "-".join(self.pair(event["broken"][0]))
        return " + ".join(sorted(parties, key=self.names.index))

    def numbers(self):
        """How many candidates of each kind there are now."""
        count = {name: 0 for name in self.names}
        for name in self.species.values():
            count[name] += 1
        found = {"nothing": self.volume, **count}
        for i, a in enumerate(self.names):
            found[f"{a} + {a}"] = count[a] * (count[a] - 1) / 2 / self.volume
            for b in self.names[i + 1 :]:
                found[f"{a} + {b}"] = count[a] * count[b] / self.volume
        for bond in self.bonds:
            name = "bond " + "-".join(self.pair(bond))
            found[name] = found.get(name, 0) + 1
        return found


def survival_curve(told, lives, window):
    """Kaplan and Meier with late entry; lives are (began, ended or None)."""
    seen = []
    for began, ended in lives:
        last = min(window[1], numpy.inf if ended is None else ended)
        if last > max(began, window[0]):
            seen.append((max(window[0] - began, 0), last - began, ended is not None and ended <= window[1]))
    entry, exit, over = (numpy.array(column) for column in zip(*seen))
    assert told["lives"] == len(seen) and told["events"] == over.sum()
    exposure = (exit - entry).sum()
    close(told["exposure"], exposure)
    interval(told["interval"], told["events"], exposure)
    share, variance = 1.0, 0.0
    ages = numpy.unique(exit[over])
    assert len(told["points"]) == len(ages)
    for age, point in zip(ages, told["points"]):
        risk, ends = ((entry < age) & (exit >= age)).sum(), ((exit == age) & over).sum()
        share *= 1 - ends / risk
        if risk > ends:
            variance += ends / (risk * (risk - ends))
        close(point[:4], [age, risk, ends, share], atol=1e-9)
        if share > 0:
            close(point[4], share * variance**0.5)
    if (entry == 0).all() and over.any():
        theirs = stats.ecdf(stats.CensoredData.right_censored(exit, ~over)).sf
        close([theirs.evaluate(point[0]) for point in told["points"]], [p[3] for p in told["points"]], atol=1e-9)


def interval(told, events, exposure):
    low = stats.chi2.ppf(0.025, 2 * events) / 2 if events else 0
    close(told, [low / exposure, stats.chi2.ppf(0.975, 2 * events + 2) / 2 / exposure], rtol=1e-7)


def kinetics(log):
    begin, end = log.window
    window = [begin if found["from"] is None else found["from"], end if found["to"] is None else found["to"]]
    edges = numpy.linspace(*window, 6)
    events, exposure, moves, cluster_time = {}, {}, {}, {}
    lives, sizes = {}, {}
    particles = {id: (name, begin) for id, name in log.species.items()}
    bonds, clusters = {}, {key: begin for key in log.clusters().items()}
    now = window[0]

    def wait(until):
        nonlocal now
        for stop in [*edges, until]:
            stop = min(stop, until, window[1])
            if stop > now:
                bin = min(numpy.searchsorted(edges, 0.5 * (now + stop)) - 1, 4)
                for name, number in log.numbers().items():
                    exposure.setdefault(name, numpy.zeros(5))[bin] += number * (stop - now)
                for _, size in clusters:
                    cluster_time[size] = cluster_time.get(size, 0) + stop - now
                now = stop

    for event in log.events:
        time = event["time"]
        if time > window[1]:
            break
        wait(time)
        if window[0] <= time and event["kind"] != "refused":
            bin = min(numpy.searchsorted(edges, time, side="right") - 1, 4)
            key = (event["rule"], log.candidates(event))
            events.setdefault(key, numpy.zeros(5))[bin] += 1
        for bond in event["broken"]:
            kind, since = bonds.pop(bond)
            lives.setdefault(kind, []).append((since, time))
        log.apply(event)
        for bond in event["made"]:
            bonds[bond] = ("bond " + "-".join(log.pair(bond)), time)
        for id in [id for id, (name, _) in particles.items() if log.species.get(id) != name]:
            name, since = particles.pop(id)
            lives.setdefault(name, []).append((since, time))
        particles.update({id: (name, time) for id, name in log.species.items() if id not in particles})
        after = set(log.clusters().items())
        gone, come = set(clusters) - after, after - set(clusters)
        for key in gone:
            sizes.setdefault(key[1], []).append((clusters.pop(key), time))
        clusters.update({key: time for key in come})
        before, behind = [sorted(size for _, size in some) for some in (gone, come)]
        if time >= window[0] and before != behind:
            for pair in [(n, m) for n in before or [0] for m in behind or [0]]:
                moves[pair] = moves.get(pair, 0) + 1
    wait(window[1])
    for kind, since in [*bonds.values(), *particles.values()]:
        lives.setdefault(kind, []).append((since, None))
    for (_, size), since in clusters.items():
        sizes.setdefault(size, []).append((since, None))

    told = {(one["rule"], one["of"]): one for one in found["rates"]}
    assert set(told) == set(events), (set(told), set(events))
    for key, counts in events.items():
        one = told[key]
        exposed = exposure[key[1]]
        assert one["events"] == counts.sum() and [bin[0] for bin in one["bins"]] == counts.tolist()
        close([bin[1] for bin in one["bins"]], exposed)
        close(one["rate"], counts.sum() / exposed.sum())
        interval(one["interval"], counts.sum(), exposed.sum())
    told = {(n, m): (count, time) for n, m, count, time in found["transitions"]}
    assert {pair: count for pair, (count, _) in told.items()} == moves
    for (n, _), (_, time) in told.items():
        close(time, cluster_time.get(n, 0))
    for name, one in found["survival"]:
        survival_curve(one, lives[name], window)
    for size, one in found["lifetimes"]:
        survival_curve(one, sizes[size], window)
    assert len(events) >= 2 and len(moves) >= 2 and len(found["survival"]) >= 2


def passage(frames):
    start = frames.unwrapped[0]
    distance = ((frames.unwrapped - start) ** 2).sum(axis=2) ** 0.5
    x, y, _ = frames.position.transpose(2, 0, 1)
    inside = (x >= 0) & (x <= 20) & (y >= 30) & (y <= 100)
    for told, there in [(found["distance"], distance >= 12), (found["place"], inside)]:
        assert len(told) == 2
        for name, one in told:
            lives = []
            for slot in numpy.flatnonzero((frames.species == name) & ~there[0]):
                arrived = numpy.flatnonzero(there[:, slot])
                lives.append((frames.time[0], frames.time[arrived[0]] if len(arrived) else None))
            survival_curve(one, lives, frames.time[[0, -1]])


def meeting(file):
    frames = Frames(file)
    timestep = float(file["parameters/timestep"][()].ravel()[0]) * 1e-3
    index, rows = file["events/contacts_index"][:], file["events/contacts"][:]
    steps = index["step"][numpy.searchsorted(index["first"], numpy.arange(len(rows)), side="right") - 1]
    times = (steps + rows["time"].astype(float)) * timestep
    names = list(file["parameters/species/name"].asstr()[:])
    of, other = names.index(found["of"]), names.index(found["with"])
    changes = file["events/changes"][:]
    parties = [file["events/reactants"][:], file["events/products"][:]]

    def ends(id):
        """When it is no longer what it was."""
        for row in changes:
            spans = [(row["first_reactant"], row["reactants"]), (row["first_product"], row["products"])]
            before, after = [
                any((part["id"] == id) & (part["species"] == of))
                for part in (all[first : first + count] for all, (first, count) in zip(parties, spans))
            ]
            if before and not after:
                return (row["step"] + float(numpy.float32(row["time"]))) * timestep
        return frames.time[-1]

    lives = []
    for slot in numpy.flatnonzero((frames.id[0] >= 0) & (frames.species == found["of"])):
        id = frames.id[0, slot]
        a = (rows["a"] == id) & (rows["species_a"] == of) & (rows["species_b"] == other)
        b = (rows["b"] == id) & (rows["species_b"] == of) & (rows["species_a"] == other)
        end = min(ends(id), frames.time[-1])
        met = (a | b) & (times <= end)
        lives.append((0, times[met][0] if met.any() else end, met.any()))
    exits, over = numpy.array([life[1] for life in lives]), numpy.array([life[2] for life in lives])
    assert found["lives"] == len(lives) and found["events"] == over.sum() > 20
    close(sorted(set(exits[over])), [point[0] for point in found["points"]], atol=1e-9)
    assert found["of"] != "R{off}" or 10 < (exits[~over] < frames.time[-1]).sum(), "many end before"
    theirs = stats.ecdf(stats.CensoredData.right_censored(exits, ~over)).sf
    close([theirs.evaluate(point[0] + 1e-9) for point in found["points"]], [p[3] for p in found["points"]], atol=1e-9)


def paths(bonds):
    """The molecules of bonded slots, each in order along its bonds; none of those with branches."""
    partners = {}
    for a, b in bonds:
        partners.setdefault(a, set()).add(b)
        partners.setdefault(b, set()).add(a)
    left = set(partners)
    while left:
        members, new = set(), {min(left)}
        while new:
            members |= new
            new = set().union(*(partners[one] for one in new)) - members
        left -= members
        if max(len(partners[one]) for one in members) > 2:
            yield None, False
            continue
        ends = [one for one in sorted(members) if len(partners[one]) == 1]
        path = [ends[0] if ends else min(members)]
        while len(path) < len(members):
            path.append(min(partners[path[-1]] - set(path)))
        yield path, not ends


def polymers(frames):
    periodic = frames.edges[: frames.dimension]
    kinds, others = {}, 0
    with h5py.File(path, "r") as file:
        bonds = file["connectivity/bonds/value"][:]
    for places, pairs in zip(frames.position, bonds, strict=True):
        for beads, ring in paths([pair for pair in pairs if pair[0] >= 0]):
            if beads is None:
                others += 1
                continue
            vectors = numpy.diff(places[beads + beads[:ring], : frames.dimension], axis=0)
            vectors -= periodic * numpy.round(vectors / periodic)
            at = numpy.concatenate([0 * vectors[:1], vectors.cumsum(axis=0)])[: len(beads)]
            lengths = numpy.linalg.norm(vectors, axis=1)
            units = vectors / lengths[:, None]
            cosines = (units[1:] * units[:-1]).sum(axis=1)
            kinds.setdefault((bool(ring), len(beads)), []).append(
                (
                    (at[-1] ** 2).sum(),
                    ((at - at.mean(axis=0)) ** 2).sum() / len(beads),
                    lengths.mean(),
                    cosines.mean() if len(cosines) else 0.0,
                )
            )
    close(found["others"], others / len(frames.time))
    assert len(found["kinds"]) == len(kinds)
    for ring, beads, number, ends, gyration, bond, cosine, persistence in found["kinds"]:
        all = numpy.array(kinds.pop((ring, beads)))
        close(number, len(all) / len(frames.time))
        mean = all.mean(axis=0)
        close([gyration, bond], mean[1:3], rtol=1e-6)
        assert (ends is None) == ring and (cosine is None) == (ring or beads == 2)
        if not ring:
            close(ends, mean[0], rtol=1e-6)
        if cosine is not None:
            close(cosine, mean[3], rtol=1e-6, atol=1e-6)
            expected = 0 < mean[3] < 1 - 1e-8
            assert (persistence is not None) == expected
            if expected:
                close(persistence, -mean[2] / numpy.log(mean[3]), rtol=1e-4)


with h5py.File(path, "r") as file:
    if what == "kinetics":
        kinetics(Log(file))
    elif what == "meeting":
        meeting(file)
    else:
        {
            "displacement": displacement,
            "units": units,
            "numbers": numbers,
            "rdf": rdf,
            "passage": passage,
            "polymers": polymers,
        }[what](Frames(file))
print("ok")
