"""Holds what jostle says of molecules with sites to the bits and bonds that h5py reads from the run.

    check_molecules.py RUN FILE..

A FILE is an export of all frames (.csv, .xyz, .pvd), a graph of one (.graphml, with the number of its frame behind
it), or numbers of molecules (sites_over_time.csv, patterns_over_time.csv).
"""

import csv
import re
import sys
import xml.etree.ElementTree
from collections import Counter, defaultdict
from pathlib import Path

import h5py
import numpy

# What bonds of these two species are made by.
RULES = {("L", "R"): "ligand", ("R", "R"): "dimer"}


class Molecule:
    def __init__(self, identity, species, cluster):
        self.id, self.species, self.cluster = identity, species, cluster
        self.states = {}
        self.bonds = {}  # by site: the other molecule, and its site


def frames_of(path):
    """The molecules of each frame, by identity."""
    with h5py.File(path) as file:
        group, table = file["particles/trajectory"], file["parameters/sites"]
        names = [str(name) for name in group["species"].attrs["names"]]
        rows = zip(*(table[name][:] for name in ["species", "bound_bit", "state_bit", "state_bits"]),
                   [str(text, "utf-8") if isinstance(text, bytes) else text for text in table["name"][:]],
                   [str(text, "utf-8") if isinstance(text, bytes) else text for text in table["states"][:]])
        sites = defaultdict(list)
        for species, *site in rows:
            sites[species].append(site)
        kinds = group["species"][:]
        for frame in range(len(group["id/value"])):
            ids, codes = group["id/value"][frame], group["sites/value"][frame]
            found, bound = {}, {}
            for slot in numpy.flatnonzero(ids >= 0):
                molecule = Molecule(int(ids[slot]), names[kinds[slot]], int(group["cluster/value"][frame][slot]))
                code = int(codes[slot])
                for bit, low, width, name, states in sites[kinds[slot]]:
                    state = code >> int(low) & (1 << int(width)) - 1 if width else 0
                    molecule.states[name] = states.split("~")[state] if states else ""
                    bound[molecule.id, name] = bool(code >> int(bit) & 1)
                found[molecule.id] = molecule
            pairs = file["connectivity/bonds/value"][frame]
            ends = file["connectivity/bond_sites/value"][frame]
            for slots, numbers in zip(pairs[pairs[:, 0] >= 0], ends):
                (a, s), (b, t) = [(found[ids[slot]], sites[kinds[slot]][n][3]) for slot, n in zip(slots, numbers)]
                a.bonds[s], b.bonds[t] = (b, t), (a, s)
            for (identity, site), is_bound in bound.items():
                assert (site in found[identity].bonds) == is_bound
            yield found


def check_texts(molecules, texts):
    """The text of each molecule, by identity, means what the file says."""
    assert molecules.keys() == texts.keys()
    ends = defaultdict(list)
    for identity, molecule in sorted(molecules.items()):
        text = texts[identity]
        if not molecule.states:
            assert text == molecule.species
            continue
        name, written = re.fullmatch(r"(\w+)\((.*)\)", text).groups()
        assert name == molecule.species
        for mention, (site, state) in zip(written.split(","), molecule.states.items(), strict=True):
            called, written_state, number = re.fullmatch(r"(\w+)(?:~(\w+))?(?:!(\d+))?", mention).groups()
            # Sites that are alike go by one name.
            assert (called, written_state or "") == (site.split("#")[0], state), text
            assert (number is not None) == (site in molecule.bonds), text
            if number:
                ends[molecule.cluster, int(number)].append((molecule, site))
    for (a, s), (b, t) in ends.values():
        assert a.bonds[s] == (b, t)
    # In each complex they are numbered from 1, in the order in which one reads them.
    read = defaultdict(list)
    for cluster, number in ends:
        read[cluster].append(number)
    assert all(numbers == list(range(1, len(numbers) + 1)) for numbers in read.values())
    return len(ends)


def texts_of_csv(path):
    frames = defaultdict(dict)
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            frames[int(row["frame"])][int(row["id"])] = row["molecule"]
    return list(frames.values())


def texts_of_xyz(path):
    lines = iter(Path(path).read_text().splitlines())
    frames = []
    for count in lines:
        columns = re.search(r"Properties=(\S+)", next(lines))[1].split(":")
        widths = dict(zip(columns[::3], map(int, columns[2::3])))
        places = {name: sum(list(widths.values())[:n]) for n, name in enumerate(widths)}
        rows = [next(lines).split() for _ in range(int(count))]
        frames.append({int(row[places["id"]]): row[places["molecule"]] for row in rows})
    return frames


def texts_of_ovito(path):
    from ovito.io import import_file

    pipeline = import_file(path)
    for frame in range(pipeline.num_frames):
        particles = pipeline.compute(frame).particles
        yield dict(zip(particles["Particle Identifier"][...].tolist(), particles["molecule"][...]))


def texts_of_vtk(path):
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOXML import vtkXMLPolyDataReader

    for entry in xml.etree.ElementTree.parse(path).findall("Collection/DataSet"):
        reader = vtkXMLPolyDataReader()
        reader.SetFileName(str(Path(path).parent / entry.get("file")))
        reader.Update()
        data = reader.GetOutput().GetPointData()
        texts = data.GetAbstractArray("molecule")
        ids = vtk_to_numpy(data.GetArray("id")).tolist()
        yield {identity: texts.GetValue(n) for n, identity in enumerate(ids)}


def check_graph(molecules, path):
    space = "{http://graphml.graphdrawing.org/xmlns}"
    root = xml.etree.ElementTree.parse(path).getroot()
    keys = {key.get("id"): key for key in root.findall(space + "key")}
    graph = root.find(space + "graph")
    assert graph.get("edgedefault") == "undirected"

    def values(element, of):
        found = {data.get("key"): data.text for data in element.findall(space + "data")}
        assert all(keys[name].get("for") == of for name in found)
        return found

    nodes = {node.get("id"): values(node, "node") for node in graph.findall(space + "node")}
    check_texts(molecules, {int(node["id"]): node["molecule"] for node in nodes.values()})
    for node in nodes.values():
        molecule = molecules[int(node["id"])]
        assert (node["species"], int(node["cluster"])) == (molecule.species, molecule.cluster)
        assert {"radius_nm", "x_nm", "y_nm"} <= node.keys() and "z_nm" not in node
    found = Counter()
    for edge in graph.findall(space + "edge"):
        a, b = [molecules[int(nodes[edge.get(end)]["id"])] for end in ("source", "target")]
        said = values(edge, "edge")
        assert a.bonds[said["source_site"]] == (b, said["target_site"])
        assert said["rule"] == RULES[tuple(sorted([a.species, b.species]))]
        found[frozenset([(a.id, said["source_site"]), (b.id, said["target_site"])])] += 1
    ends = sum(len(molecule.bonds) for molecule in molecules.values())
    assert len(found) == ends // 2 > 0 and set(found.values()) == {1}


def is_paired(molecule):
    """R(d!1,l).R(d!1,l!2,y~p).L(r!2,r!+)"""
    if molecule.species != "R" or "l" in molecule.bonds or "d" not in molecule.bonds:
        return False
    other, _ = molecule.bonds["d"]
    return other.states["y"] == "p" and "l" in other.bonds and len(other.bonds["l"][0].bonds) == 2


PATTERNS = {
    "R": lambda m: m.species == "R",
    "R(y~p!?)": lambda m: m.species == "R" and m.states["y"] == "p",
    "R(l!+,d)": lambda m: m.species == "R" and "l" in m.bonds and "d" not in m.bonds,
    "L(r!+,r)": lambda m: m.species == "L" and len(m.bonds) == 1,
    "L(r,r)": lambda m: m.species == "L" and not m.bonds,
    "R(d!1,l).R(d!1,l!2,y~p).L(r!2,r!+)": is_paired,
}


def check_patterns(frames, path):
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["time_us", "pattern", "molecules"] and len(rows) == len(frames) * len(PATTERNS)
    for pattern, fits in PATTERNS.items():
        expected = [sum(map(fits, molecules.values())) for molecules in frames]
        assert [int(row["molecules"]) for row in rows if row["pattern"] == pattern] == expected, pattern
        assert any(expected), f"no molecule ever fits {pattern}"


def check_sites(frames, path):
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    places = [("R", "l", ""), ("R", "y", "u"), ("R", "y", "p"), ("R", "d", ""), ("L", "r#1", ""), ("L", "r#2", "")]
    assert len(rows) == len(frames) * len(places)
    for n, row in enumerate(rows):
        species, site, state = places[n % len(places)]
        molecules = frames[n // len(places)].values()
        those = [m for m in molecules if m.species == species and m.states[site] == state]
        bound = sum(site in molecule.bonds for molecule in those)
        assert (row["species"], row["site"], row["state"]) == (species, site, state)
        assert [int(row["free"]), int(row["bound"])] == [len(those) - bound, bound]


def main():
    run, *files = sys.argv[1:]
    frames = list(frames_of(run))
    with_readers = "m.pvd" in files
    readers = {".csv": texts_of_csv, ".xyz": texts_of_ovito if with_readers else texts_of_xyz, ".pvd": texts_of_vtk}
    if files[0].endswith(".graphml"):
        check_graph(frames[int(files[1])], files[0])
    elif files[0].endswith("patterns_over_time.csv"):
        check_patterns(frames, files[0])
    elif files[0].endswith("sites_over_time.csv"):
        check_sites(frames, files[0])
    else:
        for file in files:
            all_texts = list(readers[Path(file).suffix](file))
            assert len(all_texts) == len(frames)
            assert sum(map(check_texts, frames, all_texts)) > 100


main()
