"""Opens an exported file with the reader it is meant for, and holds every particle in every frame to what
h5py reads from the file that it was exported from.

    check_exports.py READER FILE EXPORT [--frames A..B] [--every N] [--species NAMES] [--unwrap]
                     [--scale UNITS_PER_NM]
"""

import argparse
import re
import sys

import h5py
import numpy


def matrices(quaternions):
    """The rotation matrices of unit quaternions (w, x, y, z)."""
    w, x, y, z = numpy.transpose(quaternions).astype(float)
    rows = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
    return numpy.moveaxis(rows, 2, 0)


def directions(file, turned, species):
    """Where the sites of particles point, by the names of the sites; zero where a particle has no such site."""
    table = file["parameters/sites"]
    found = {}
    for name, owner, axis, opening in zip(*(table[key][:] for key in ["name", "species", "direction", "opening"])):
        if numpy.isfinite(opening):
            vectors = found.setdefault(name.decode(), numpy.zeros((len(species), 3)))
            vectors[species == owner] = turned[species == owner] @ axis
    return found


def expected(options):
    """The frames that should have been exported: dictionaries of numbers, particles in the order of ids."""
    with h5py.File(options.file, "r", swmr=True) as file:
        group = file["particles/trajectory"]
        names = numpy.array(group["species"].attrs["names"])
        species, radius = group["species"][:], group["radius"][:]
        dimension = file["parameters/dimension"][()]
        boundary = group["box"].attrs["boundary"]
        steps = group["position/step"][:]
        first, last = (options.frames.split("..") + [""])[:2] if ".." in options.frames else [options.frames] * 2
        first, last = int(first or 0), int(last or len(steps) - 1)
        frames = []
        for frame in range(first, last + 1, options.every):
            ids = group["id/value"][frame]
            slots = numpy.flatnonzero(ids >= 0)
            slots = slots[numpy.argsort(ids[slots])]
            cluster = group["cluster/value"][frame]
            weight = numpy.maximum(group["coalesced/value"][frame], 1)
            size = {c: weight[slots][cluster[slots] == c].sum() for c in numpy.unique(cluster[slots])}
            edges = group["box/edges/value"][frame]
            position = group["position/value"][frame].astype(float)
            if options.unwrap:
                position += group["image/value"][frame] * edges
            if options.species:
                asked = re.split(r",(?![^{]*})", options.species)
                chosen = [name in asked or name.split("{")[0] in asked for name in names]
                slots = slots[numpy.array(chosen)[species[slots]]]
            place = {slot: n for n, slot in enumerate(slots)}
            bonds = [pair for pair in file["connectivity/bonds/value"][frame] if pair[0] >= 0]
            quaternion = group["orientation/value"][frame][slots] if "orientation" in group else None
            turned = None if quaternion is None else matrices(quaternion)
            frames.append({
                "quaternion": quaternion,
                "turned": turned,
                "directions": None if turned is None else directions(file, turned, species[slots]),
                "frame": frame,
                "step": steps[frame],
                "time": group["position/time"][frame] / 1000,
                "edges": edges,
                "periodic": [word == "periodic" for word in boundary],
                "dimension": dimension,
                "id": ids[slots],
                "species": names[species[slots]],
                "number": species[slots],
                "names": names,
                "radius": radius[slots],
                "position": position[slots],
                "cluster": cluster[slots],
                "size": numpy.array([size[c] for c in cluster[slots]]),
                "bonds": [[place[a], place[b]] for a, b in bonds if a in place and b in place],
            })
    return frames


def tagged(name):
    """EGFR{bound,bare} as formats have it that give commas and braces a meaning."""
    return name.replace("{", "#").replace(",", "_").replace("}", "")


def same(what, found, wanted, tolerance=0.0):
    found, wanted = numpy.asarray(found), numpy.asarray(wanted)
    assert found.shape == wanted.shape, f"{what}: {found.shape} instead of {wanted.shape}"
    if tolerance:
        assert numpy.allclose(found, wanted, rtol=tolerance, atol=tolerance), f"{what}:\n{found}\n{wanted}"
    else:
        assert (found == wanted).all(), f"{what}:\n{found}\n{wanted}"


def check_ovito(options, frames):
    from ovito.io import import_file

    pipeline = import_file(options.export)
    assert pipeline.num_frames == len(frames), (pipeline.num_frames, len(frames))
    for n, frame in enumerate(frames):
        data = pipeline.compute(n)
        particles, scale = data.particles, options.scale
        same("id", particles["Particle Identifier"][...], frame["id"])
        same("position", particles["Position"][...], frame["position"] * scale, 1e-6)
        same("radius", particles["Radius"][...], frame["radius"] * scale, 1e-6)
        kinds = particles["Particle Type"]
        same("species", [kinds.type_by_id(k).name for k in kinds], [tagged(name) for name in frame["species"]])
        same("cluster", particles["Cluster"][...], frame["cluster"])
        same("size", particles["cluster_size"][...], frame["size"])
        if frame["quaternion"] is not None:
            # (x, y, z, w) to OVITO.
            same("orientation", particles["Orientation"][...], frame["quaternion"][:, [1, 2, 3, 0]], 1e-6)
        same("edges", numpy.diag(data.cell[:, :3]), frame["edges"] * scale, 1e-9)
        same("pbc", data.cell.pbc, frame["periodic"])
        same("time", data.attributes["Time"], frame["time"], 1e-12)
        same("step", data.attributes["Step"], frame["step"])


def check_mdanalysis(options, frames):
    """MDAnalysis takes the lengths of an XYZ file to be in Angstrom, and their number to be constant: it
    is shown the frames up to where that changes."""
    import MDAnalysis

    universe = MDAnalysis.Universe(options.export)
    steady = [frame for frame in frames if len(frame["id"]) == len(frames[0]["id"])]
    for frame, step in zip(steady, universe.trajectory):
        same("position", step.positions, frame["position"] * options.scale, 1e-6)
    same("species", universe.atoms.names, [tagged(name) for name in frames[0]["species"]])
    if len(steady) == len(frames):
        assert len(universe.trajectory) == len(frames)


def by_euler_angles(angles):
    """The rotation matrices of three.js's Euler angles, of which the viewer takes the order XYZ."""
    zero, one = numpy.zeros(len(angles)), numpy.ones(len(angles))
    (a, b, c), (s, t, u) = numpy.cos(angles).T, numpy.sin(angles).T
    about_x = numpy.moveaxis([[one, zero, zero], [zero, a, -s], [zero, s, a]], 2, 0)
    about_y = numpy.moveaxis([[b, zero, t], [zero, one, zero], [-t, zero, b]], 2, 0)
    about_z = numpy.moveaxis([[c, -u, zero], [u, c, zero], [zero, zero, one]], 2, 0)
    return about_x @ about_y @ about_z


def check_simularium(options, frames):
    from simulariumio import BinaryWriter, FileConverter, InputFileData

    # The converter opens both forms, and writes what it has understood as the one or the other.
    data = FileConverter(InputFileData(file_path=options.export))._data
    agents, info = data.agent_data, data.meta_data
    scale = 1 / data.spatial_units.magnitude
    edges = frames[0]["edges"]
    assert (data.spatial_units.name, data.time_units.name) == ("nm", "µs")
    same("size", info.box_size, edges * scale, 1e-9)
    assert 4 - 1e-9 <= max(info.box_size) <= 64 + 1e-9
    same("times", agents.times, [frame["time"] for frame in frames], 1e-6)
    middle = numpy.where(numpy.arange(3) < frames[0]["dimension"], edges / 2, 0)
    number = {}
    for n, frame in enumerate(frames):
        particles, bonds = len(frame["id"]), len(frame["bonds"])
        assert agents.n_agents[n] == particles + bonds
        whole, tail = slice(0, particles), slice(particles, particles + bonds)
        same("kind", agents.viz_types[n, whole], numpy.full(particles, 1000))
        same("position", agents.positions[n, whole] / scale + middle, frame["position"], 1e-4)
        same("radius", agents.radii[n, whole] / scale, frame["radius"], 1e-6)
        same("species", agents.types[n][:particles], [tagged(name) for name in frame["species"]])
        if frame["turned"] is not None:
            same("rotation", by_euler_angles(agents.rotations[n, whole]), frame["turned"], 1e-5)
        # The same particle has the same number in all frames, and no other particle has it.
        for particle, unique in zip(frame["id"], agents.unique_ids[n, whole]):
            assert number.setdefault(particle, unique) == unique
        assert len(set(agents.unique_ids[n, : particles + bonds])) == particles + bonds
        same("fibre", agents.viz_types[n, tail], numpy.full(bonds, 1001))
        ends = agents.subpoints[n, tail, :6].reshape(bonds, 2, 3) / scale + middle
        for (a, b), end in zip(frame["bonds"], ends):
            wanted = frame["position"][[a, b]]
            same("bond", end[0], wanted[0], 1e-4)
            image = numpy.where(frame["periodic"], numpy.round((end[1] - wanted[1]) / edges), 0)
            same("bond", end[1] - image * edges, wanted[1], 1e-4)
            assert numpy.linalg.norm(end[1] - end[0]) < 1.01 * frame["radius"][[a, b]].sum()
    assert sorted(number.values()) == list(range(len(number)))
    [plot] = data.plots
    shown = set(numpy.concatenate([frame["species"] for frame in frames]))
    assert shown <= {line["name"] for line in plot["data"]}
    for line in plot["data"]:
        same("plot", line["x"], [frame["time"] for frame in frames], 1e-12)
        same("plot", line["y"], [(frame["species"] == line["name"]).sum() for frame in frames])
    # What can be written again has understood every field.
    BinaryWriter.save(data, options.export.replace(".simularium", "-again"), validate_ids=True)


def check_vtk(options, frames):
    import xml.etree.ElementTree
    from pathlib import Path

    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkCommonCore import vtkMath
    from vtkmodules.vtkIOXML import vtkXMLPolyDataReader

    collection = xml.etree.ElementTree.parse(options.export).findall("Collection/DataSet")
    assert len(collection) == len(frames)
    for entry, frame in zip(collection, frames):
        same("time", float(entry.get("timestep")), frame["time"], 1e-12)
        reader = vtkXMLPolyDataReader()
        reader.SetFileName(str(Path(options.export).parent / entry.get("file")))
        reader.Update()
        assert reader.GetErrorCode() == 0
        cloud = reader.GetOutput()
        data, field = cloud.GetPointData(), cloud.GetFieldData()
        same("position", vtk_to_numpy(cloud.GetPoints().GetData()), frame["position"])
        for name, key in [("id", "id"), ("radius", "radius"), ("species", "number"), ("cluster", "cluster"),
                          ("cluster_size", "size")]:
            same(name, vtk_to_numpy(data.GetArray(name)), frame[key])
        if frame["turned"] is not None:
            for quaternion, turned in zip(vtk_to_numpy(data.GetArray("orientation")), frame["turned"]):
                matrix = [[0.0] * 3 for _ in range(3)]
                vtkMath.QuaternionToMatrix3x3(quaternion, matrix)
                same("orientation", matrix, turned, 1e-6)
            for site, vectors in frame["directions"].items():
                same(site, vtk_to_numpy(data.GetArray("direction_" + site)), vectors, 1e-6)
        names = field.GetAbstractArray("species_names")
        same("names", [names.GetValue(k) for k in range(names.GetNumberOfValues())], frame["names"])
        same("time", vtk_to_numpy(field.GetArray("TimeValue")), [frame["time"]], 1e-12)
        same("step", vtk_to_numpy(field.GetArray("step")), [frame["step"]])
        same("edges", vtk_to_numpy(field.GetArray("box_edges")), frame["edges"])
        # A particle each, then the bonds, but for those through a periodic face.
        apart = [numpy.abs(frame["position"][a] - frame["position"][b]) for a, b in frame["bonds"]]
        near = [not any(frame["periodic"] & (d > frame["edges"] / 2)) for d in apart]
        wanted = [bond for bond, is_near in zip(frame["bonds"], near) if is_near]
        assert cloud.GetNumberOfVerts() == len(frame["id"])
        lines = vtk_to_numpy(cloud.GetLines().GetConnectivityArray()).reshape(-1, 2)
        same("bonds", lines, numpy.reshape(wanted, (-1, 2)))


def check_pandas(options, frames):
    import pandas

    table = pandas.read_csv(options.export, keep_default_na=False)
    axes = ["x_nm", "y_nm", "z_nm"][: frames[0]["dimension"]]
    directed = frames[0]["quaternion"] is not None
    turned = ["qw", "qx", "qy", "qz"] if directed else []
    assert list(table.columns) == ["frame", "step", "time_us", "id", "species", "state", *axes, "radius_nm", *turned,
                                   "cluster", "cluster_size", *(["molecule"] if directed else [])]
    groups = dict(list(table.groupby("frame")))
    assert list(groups) == [frame["frame"] for frame in frames]
    for frame in frames:
        rows = groups[frame["frame"]]
        assert (rows["step"] == frame["step"]).all()
        same("time", rows["time_us"], numpy.full(len(rows), frame["time"]), 1e-12)
        same("position", rows[axes], frame["position"][:, : len(axes)], 1e-7)
        for name, key in [("id", "id"), ("species", "species"), ("radius_nm", "radius"), ("cluster", "cluster"),
                          ("cluster_size", "size")]:
            same(name, rows[name], frame[key])
        if directed:
            same("orientation", rows[turned], frame["quaternion"], 1e-7)
        states = [(name.split("{") + [""])[1].rstrip("}") for name in frame["species"]]
        same("state", rows["state"], states)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("reader")
    parser.add_argument("file")
    parser.add_argument("export")
    parser.add_argument("--frames", default="..")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--species")
    parser.add_argument("--unwrap", action="store_true")
    parser.add_argument("--scale", type=float, default=1.0)
    options = parser.parse_args()
    frames = expected(options)
    assert sum(len(frame["id"]) for frame in frames) > 20, "there is something to compare"
    globals()["check_" + options.reader](options, frames)


main()
