"""Opens the file of a polygon run with h5py and with MDAnalysis, and measures contact forces, stress and
energy with numpy; holds the tables that `jostle analyse --csv` wrote (a folder, the second argument) to
it. The third argument is the number of bins of the profile of stress along y."""

import csv
import sys

import h5py
import MDAnalysis
import numpy

path, tables, bins = sys.argv[1], sys.argv[2], int(sys.argv[3])


def rows(name):
    with open(f"{tables}/{name}.csv") as file:
        return list(csv.DictReader(file))


def close(found, expected, rtol=1e-5, atol=0):
    numpy.testing.assert_allclose(numpy.array(found, float), numpy.array(expected, float), rtol, atol)


with h5py.File(path, "r") as file:
    assert file["parameters/engine"].asstr()[()] == "polygons"
    group = file["particles/trajectory"]
    time = group["position/time"][:]
    position, ids = group["position/value"][:].astype(float), group["id/value"][:]
    frames, count = ids.shape
    assert (ids == numpy.arange(count)).all()
    for name, unit in [("orientation", "rad"), ("angular_velocity", "rad ns-1")]:
        assert group[name]["value"].shape == (frames, count) and group[name]["value"].attrs["unit"] == unit
        assert group[name]["time"] == group["position/time"]
        assert numpy.isfinite(group[name]["value"][:]).all()
    # Angles change at the rate that is given.
    turned = numpy.diff(group["orientation/value"][:], axis=0)
    close(turned, group["angular_velocity/value"][1:] * numpy.diff(time)[:, None], 1e-6, 1e-12)
    close(group["mass"][:], 1e-3 * numpy.arange(1, count + 1))
    close(group["moment_of_inertia"][:], 1e-8 * numpy.arange(1, count + 1))
    assert group["moment_of_inertia"].attrs["unit"] == "kg m2"
    shape = group["shape"][:]

    shapes = file["parameters/shapes"]
    first, corners = shapes["first"][:], shapes["corners"][:]
    kinds = shapes["kinds"].asstr()[:][shapes["kind"][:]]
    assert first[0] == 0 and first[-1] == len(corners) and len(first) == len(kinds) + 1
    for n, kind in enumerate(kinds):
        own = corners[first[n]:first[n + 1]]
        axes = shapes["semi_axes"][n]
        if kind == "disk":
            assert len(own) == 0 and axes[0] == axes[1]
            continue
        following = numpy.roll(own, -1, axis=0)
        cross = own[:, 0] * following[:, 1] - own[:, 1] * following[:, 0]
        # Counter-clockwise, and about the centroid.
        assert cross.sum() > 0
        centroid = ((own + following) * cross[:, None]).sum(axis=0) / (3 * cross.sum())
        assert abs(centroid).max() < 1e-9 * axes.max()
        if kind == "polygon":
            close(axes, numpy.hypot(*own.T).max())
        else:
            close(((own / axes) ** 2).sum(axis=1), 1)
    assert set(shape) == set(range(5)) and (shape == numpy.arange(count) % 5).all()

    walls = file["particles/walls"]
    names = file["parameters/walls/name"].asstr()[:]
    assert list(names) == ["floor", "gate", "wheel"] and list(walls["shape"][:]) == [5, 6, 7]
    assert walls["position/value"].shape == (frames, 3, 3)
    assert (walls["position/time"][:] == time).all() and walls["box/edges"] == group["box/edges"]
    assert (walls["present/value"][:, 1] == (numpy.arange(frames) < 4)).all()
    close(walls["orientation/value"][:, 2], 0.3 * numpy.arange(frames), 1e-12)

    forces = file["events/forces"]
    start = forces["first"][:]
    assert len(start) == frames + 1 and start[0] == 0 and start[-1] == len(forces["body"])
    body, against = forces["body"][:], forces["against"][:]
    arm, force = forces["arm"][:].astype(float), forces["force"][:].astype(float)
    normal, sliding = forces["normal"][:].astype(float), forces["sliding"][:]
    assert [forces[name].attrs["unit"] for name in ("arm", "force", "overlap")] == ["nm", "N", "m2"]
    edges = group["box/edges/value"][0]
    boundary = group["box"].attrs["boundary"]
    books = {name: file[f"observables/{name}/value"][:] for name in file["observables"]}
    assert file["observables/elastic_energy/value"].attrs["unit"] == "J"
    close(books["elastic_energy"], 0.2 + 0.01 * numpy.arange(frames), 1e-12)

assert list(boundary) == ["periodic", "none", "none"]
pressing = -(force * normal).sum(axis=1)
across = abs(force[:, 0] * normal[:, 1] - force[:, 1] * normal[:, 0])

# The tensor of each body in each frame, by the definition: force times arm over all its contacts.
tensor = numpy.zeros((frames, count, 2, 2))
touching = numpy.zeros((frames, count))
on_wall = numpy.zeros((frames, len(names), 2))
for t in range(frames):
    for k in range(start[t], start[t + 1]):
        a, b = body[k], against[k]
        tensor[t, a] -= numpy.outer(force[k], arm[k])
        touching[t, a] += 1
        if b < 0:
            on_wall[t, -1 - b] -= force[k]
            continue
        there = position[t, a, :2] + arm[k] - position[t, b, :2]
        there[0] -= edges[0] * numpy.round(there[0] / edges[0])
        tensor[t, b] -= numpy.outer(-force[k], there)
        touching[t, b] += 1

area = edges[0] * edges[1] * 1e-9
stress = tensor.sum(axis=1) / area
table = rows("stress_over_time")
for column, (i, j) in {"xx": (0, 0), "xy": (0, 1), "yx": (1, 0), "yy": (1, 1)}.items():
    close([row[f"stress_{column}_n_per_m"] for row in table], stress[:, i, j], 1e-5, 1e-9)
symmetric = 0.5 * (stress + stress.transpose(0, 2, 1))
values, vectors = numpy.linalg.eigh(symmetric)
close([row["pressure_n_per_m"] for row in table], values.mean(axis=1))
close([row["deviator_n_per_m"] for row in table], 0.5 * (values[:, 1] - values[:, 0]))
greater = vectors[:, :, 1]
found = numpy.radians([float(row["principal_direction_degrees"]) for row in table])
along = abs(greater[:, 0] * numpy.cos(found) + greater[:, 1] * numpy.sin(found))
close(along, 1)

bin_of = numpy.minimum((position[:, :, 1] / edges[1] * bins).astype(int), bins - 1)
table = rows("stress_profile")
for n in range(bins):
    inside = (bin_of == n)[:, :, None, None]
    mean = (tensor * inside).sum(axis=1).mean(axis=0) / (area / bins)
    scale = abs(mean).max() + 1e-12
    close(table[n]["stress_yy_n_per_m"], mean[1, 1], 1e-5, 1e-6 * scale)
    close(table[n]["stress_xy_n_per_m"], mean[0, 1], 1e-5, 1e-6 * scale)

table = rows("forces_over_time")
edge = numpy.linspace(0, 10, bins + 1)
densities = []
for t, row in enumerate(table):
    mine = slice(start[t], start[t + 1])
    inner = against[mine] >= 0
    f, n = pressing[mine][inner], normal[mine][inner]
    close(row["contacts"], inner.sum())
    close(row["wall_contacts"], (~inner).sum())
    close(row["coordination_number"], touching[t].mean())
    close(row["share_of_free_particles"], (touching[t] == 0).mean())
    close(row["mean_normal_force_n"], f.mean())
    close(row["greatest_normal_force_n"], f.max())
    close(row["participation"], f.sum() ** 2 / (len(f) * (f ** 2).sum()))
    close(row["share_sliding"], sliding[mine].mean())
    close(row["friction_in_use"], (across[mine] / pressing[mine]).mean())
    for name, weight in [("fabric_anisotropy", numpy.ones(len(f))), ("force_anisotropy", f)]:
        fabric = numpy.einsum("k,ki,kj->ij", weight, n, n) / weight.sum()
        low, high = numpy.linalg.eigvalsh(fabric)
        close(row[name], 2 * (high - low), 1e-4, 1e-6)
    densities.append(numpy.histogram(f / f.mean(), edge)[0] / len(f) / (10 / bins))
close([row["density"] for row in rows("force_distribution")], numpy.mean(densities, axis=0), 1e-5, 1e-9)

walls = {row["wall"]: row for row in rows("wall_forces")}
for n, name in enumerate(names):
    close(walls[name]["force_x_n"], on_wall[:, n, 0].mean(), 1e-5, 1e-9)
    close(walls[name]["force_y_n"], on_wall[:, n, 1].mean(), 1e-5, 1e-9)

table = rows("energy_over_time")
close([row["elastic_j"] for row in table], books["elastic_energy"], 1e-12)
balance = books["kinetic_energy"] + books["elastic_energy"] + books["dissipated_energy"]
close([row["unexplained_j"] for row in table], balance - balance[0], 1e-9, 1e-12)

universe = MDAnalysis.Universe.empty(count, trajectory=False)
universe.load_new(path, format="H5MD", convert_units=False)
assert len(universe.trajectory) == frames
close(universe.trajectory[frames - 1].positions, position[-1], 1e-6)
