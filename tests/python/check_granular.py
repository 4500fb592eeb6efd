"""Opens the file of a granular run with h5py and with MDAnalysis, and measures impacts and energy with
numpy; holds the tables that `jostle analyse --csv` wrote (a folder, the second argument) to it. The
third and the fourth are the times between which impacts were looked at, in µs."""

import csv
import sys

import h5py
import MDAnalysis
import numpy

path, tables = sys.argv[1], sys.argv[2]
begin, end = float(sys.argv[3]), float(sys.argv[4])


def rows(name):
    with open(f"{tables}/{name}.csv") as file:
        return list(csv.DictReader(file))


def close(found, expected, rtol=1e-9, atol=0):
    numpy.testing.assert_allclose(numpy.array(found, float), numpy.array(expected, float), rtol, atol)


with h5py.File(path, "r") as file:
    assert file["parameters/engine"].asstr()[()] == "granular"
    group = file["particles/trajectory"]
    position, velocity = group["position/value"][:], group["velocity/value"][:]
    assert velocity.shape == position.shape and group["velocity/value"].attrs["unit"] == "nm ns-1"
    assert group["velocity/time"] == group["position/time"]
    assert group["mass"].attrs["unit"] == "kg"
    mass, radius, ids = group["mass"][:], group["radius"][:], group["id/value"][:]
    # Every ball has its own slot, in the order of identities.
    assert (ids == numpy.arange(len(mass))).all() and len(set(radius)) == len(radius)
    close(mass, 1e-9 * radius)
    assert abs(velocity).max() < 0.51 and abs(velocity).max() > 0.45
    time = group["position/time"][:] * 1e-3
    step_length = file["parameters/timestep"][0] * 1e-3
    contacts, impacts = file["events/contacts"][:], file["events/impacts"][:]
    blocks = file["events/contacts_index"][:]
    names = list(file["parameters/species/name"].asstr()[:]) + ["wall"]
    faces = file["events/codes/faces"].asstr()[:]
    count = file["observables/count/value"][0]
    books = {name: file[f"observables/{name}/value"][:] for name in file["observables"]}
    assert file["observables/wall_work/value"].attrs["unit"] == "J"

assert len(contacts) == len(impacts)
walls = contacts["b"] > 0xFFFFFFFF - 7
assert set(faces[0xFFFFFFFF - contacts["b"][walls]]) == {"y-", "side"}
steps = numpy.zeros(len(contacts))
for block in blocks:
    steps[block["first"]:] = block["step"]
when = (steps + contacts["time"]) * step_length
chosen = (when >= begin) & (when < end)
last = min(end, time[-1])
lasted = (last - begin) * 1e-6
contacts, impacts = contacts[chosen], impacts[chosen]

codes = numpy.sort(numpy.stack([contacts["species_a"], contacts["species_b"]], axis=1), axis=1)
codes[codes == 0xFFFF] = 2
kinds = [tuple(kind) for kind in numpy.unique(codes, axis=0)]
found, sizes, spectrum = rows("impacts"), rows("impact_sizes"), rows("impact_spectrum")
assert [(row["species"], row["partner"]) for row in found] == [(names[a], names[b]) for a, b in kinds]
for (a, b), row in zip(kinds, csv.reader(open(f"{tables}/impacts.csv").readlines()[1:])):
    mine = (codes == (a, b)).all(axis=1)
    energy = impacts["energy_lost"][mine].astype(float)
    each = (2 if a == b else 1) / (count[a] * lasted)
    close(
        row[2:],
        [
            mine.sum(),
            (energy == 0).sum(),
            mine.sum() * each,
            numpy.sqrt(mine.sum()) * each,
            energy.sum(),
            numpy.sqrt((energy**2).sum()),
            energy.sum() / lasted,
        ],
    )
    lossy = energy[energy > 0]
    speed = contacts["approach"][mine].astype(float)
    told = {row["what"]: row for row in sizes if (row["species"], row["partner"]) == (names[a], names[b])}
    for what, values in [("speed (m/s)", speed), ("energy lost (J)", lossy)]:
        row = told[what]
        close([row["mean"], row["greatest"]], [values.mean(), values.max()])
        # The next larger number of the sample, to half a bin of 120 to a decade.
        ranks = numpy.sort(values)[[int(numpy.ceil(q * len(values))) - 1 for q in (0.5, 0.95)]]
        close([row["median"], row["95_below"]], ranks, rtol=0.0102)
    close(told["temperature rise (K)"]["greatest"], impacts["temperature_rise"][mine].max())
    bins = [row for row in spectrum if (row["species"], row["partner"]) == (names[a], names[b])]
    edges = [float(row["from_j"]) for row in bins] + [float(bins[-1]["to_j"])]
    counts, _ = numpy.histogram(lossy, edges)
    sums, _ = numpy.histogram(lossy, edges, weights=lossy)
    assert counts.sum() == len(lossy)
    close([row["impacts"] for row in bins], counts)
    close([row["std_error"] for row in bins], numpy.sqrt(counts))
    close([row["rate_per_s"] for row in bins], counts / lasted)
    close([row["energy_lost_j"] for row in bins], sums)
    ratios = numpy.array(edges[1:]) / edges[:-1]
    close(ratios, ratios[0])

frames = (time >= begin - 1e-9 * time[-1]) & (time <= end)
with open(f"{tables}/energy_over_time.csv") as file:
    table = numpy.array(list(csv.reader(file))[1:], dtype=float)
close(1e3 * table[:, 0], time[frames])  # ms in the table
for column, name in enumerate(
    ["kinetic_energy", "potential_energy", "dissipated_energy", "wall_work", "force_work"]
):
    close(table[:, 1 + column], books[name][frames])
total = books["kinetic_energy"] + books["potential_energy"] + books["dissipated_energy"]
left = (total - books["wall_work"] - books["force_work"])[frames]
close(table[:, 6], left - left[0], atol=1e-12)
close(table[:, 7:], books["momentum"][frames])
summary = {row["energy"]: row for row in rows("energy")}
close(summary["kinetic"]["mean_j"], books["kinetic_energy"][frames].mean())
close(summary["dissipated"]["last_j"], books["dissipated_energy"][frames][-1])

universe = MDAnalysis.Universe(path)
assert len(universe.trajectory) == len(time) and universe.atoms.n_atoms == len(mass)
for frame, step in enumerate(universe.trajectory):
    # MDAnalysis has Angstrom and ps: 1 nm/ns is 0.01 A/ps.
    assert numpy.allclose(step.positions, position[frame] * 10)
    assert numpy.allclose(step.velocities, velocity[frame] * 0.01)
    assert "kinetic_energy" in step.data
print("ok")
