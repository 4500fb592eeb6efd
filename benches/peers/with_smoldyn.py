"""Smoldyn: hard spheres by `bounce` reactions, reactions by rates. One thread."""

import math
import os
import tempfile

import numpy as np
import smoldyn

import starts
import workloads as w
from measured import Counted, Measured, Watch

KINDS = ("free", "spheres", "binding", "clustering", "reversible", "michaelis_menten")
THREADS = False


def load(lines, seed, timestep, side, dimension, dump_after=None):
    """A simulation from the lines of a configuration; positions are kept in memory after so many steps."""
    head = [f"dim {dimension}", "graphics none", f"random_seed {seed}"]
    head += [f"boundaries {axis} 0 {side!r} p" for axis in "xyz"[:dimension]]
    tail = ["time_start 0", "time_stop 1e30", f"time_step {timestep!r}"]
    if dump_after is not None:
        tail += ["output_data places", f"cmd @ {(dump_after + 0.5) * timestep!r} listmols places"]
    with tempfile.NamedTemporaryFile("w", suffix=".txt", delete=False) as file:
        file.write("\n".join(head + lines + tail + ["end_file"]) + "\n")
    simulation = smoldyn.Simulation.fromFile(file.name, "tw")
    os.unlink(file.name)
    simulation.updateSim()
    return simulation


def advance(simulation, steps):
    for _ in range(steps):
        simulation.runTimeStep()


def count(simulation, *species):
    everybody = smoldyn._smoldyn.MolecState.all
    return sum(simulation.getMoleculeCount(name, everybody) for name in species)


def plain(simulation, work):
    watch = Watch()
    advance(simulation, work.warm_up)
    with watch:
        advance(simulation, work.steps)
    return Measured(smoldyn.__version__, watch, work.steps, work.bodies)


def reacting(simulation, work, species, every):
    """Particles are counted now and then."""
    watch, counted = Watch(), Counted(count(simulation, *species))
    for _ in range(work.steps // every):
        with watch:
            advance(simulation, every)
        counted.add(every, count(simulation, *species))
    return Measured(smoldyn.__version__, watch, counted.steps, counted.mean(), left=counted.last)


def free(work, seed, _threads, _folder):
    lines = ["species A", "difc A 1", f"mol {work.bodies} A u u u"]
    return plain(load(lines, seed, w.FREE_TIMESTEP, w.free_edge(work), 3), work)


def spheres(work, seed, _threads, folder):
    # The best of 1, 2, 4 (its default), 8 and 16 particles per box.
    per_box = 1 if work.packing < 0.05 else 2
    lines = ["species A", "difc A 1", f"molperbox {per_box}"]
    lines += ["mol 1 A %.9g %.9g %.9g" % tuple(place) for place in starts.start(work, 3, seed, folder)]
    lines += ["reaction b A + A -> A + A", "binding_radius b 2", "product_placement b bounce -1"]
    after = work.warm_up + work.steps
    simulation = load(lines, seed, w.timestep(work), w.edge(work, 3), 3, dump_after=after)
    measured = plain(simulation, work)
    advance(simulation, 2)
    measured.centres = np.array(simulation.getOutputData("places", True))[:, 2:5]
    measured.note = "bounce, overlap method"
    return measured


def binding(work, seed, _threads, folder):
    lines = ["species A A2", "difc A 1", "difc A2 0.5"]
    lines += ["mol 1 A %.9g %.9g" % tuple(place) for place in starts.start(work, 2, seed, folder)]
    lines += ["reaction f A + A -> A2", "binding_radius f 2"]
    measured = reacting(load(lines, seed, w.timestep(work), w.edge(work, 2), 2), work, ("A", "A2"), 10)
    measured.note = "A2 excludes nobody"
    return measured


def clustering(work, seed, _threads, folder):
    """In pairs only: it has no bonds. Who is inside the contact distance reacts, and nobody excludes others."""
    lines = ["species A A2", "difc A 1", "difc A2 0.5", "molecule_lists lA lA2", "mol_list A lA", "mol_list A2 lA2"]
    # The best of 0.12, 0.25, 0.5, 1, 2, 4 and 8.
    lines += ["molperbox 1"]
    lines += ["mol 1 A %.9g %.9g" % tuple(place) for place in starts.start(work, 2, seed, folder)]
    chance = w.gathers(work, 4 * math.pi)
    lines += ["reaction on A + A -> A2", "binding_radius on 2", f"reaction_probability on {chance!r}"]
    lines += [f"reaction off A2 -> A + A {w.PART!r}", "product_placement off unbindrad 2"]
    simulation = load(lines, seed, w.timestep(work), w.edge(work, 2), 2)
    measured = plain(simulation, work)
    measured.cluster = work.bodies / count(simulation, "A", "A2")
    measured.note = "only A + A <-> A2, of which nobody excludes others; a pair counts as two particles"
    return measured


def reversible(work, seed, _threads, _folder):
    half = work.bodies // 2
    species = "ABC"
    lines = ["species A B C", "molecule_lists lA lB lC"]
    lines += [line for s in species for line in (f"difc {s} {w.REVERSIBLE_DIFFUSION}", f"mol_list {s} l{s}")]
    lines += [f"mol {half} {s} u u u" for s in "AB"]
    lines += [f"reaction on A + B -> C {w.ON}", f"reaction off C -> A + B {w.OFF}"]
    lines += ["product_placement off pgemmax 0.2"]
    side = w.reversible_volume(work) ** (1 / 3)
    return reacting(load(lines, seed, w.REVERSIBLE_TIMESTEP, side, 3), work, species, 10)


def michaelis_menten(work, seed, _threads, _folder):
    """With the settings of the benchmark that Smoldyn ships."""
    species = ("E", "S", "ES", "P")
    lines = ["species E S ES P", "molperbox 3", "accuracy 10", "molecule_lists lE lS lES lP"]
    lines += [line for s in species for line in (f"difc {s} {w.MM_DIFFUSION}", f"mol_list {s} l{s}")]
    lines += [f"mol {w.MM_ENZYMES} E u u u", f"mol {w.MM_SUBSTRATES} S u u u"]
    lines += [f"reaction on E + S -> ES {w.MM_ON}", f"reaction off ES -> E + S {w.MM_OFF}"]
    lines += [f"reaction turn ES -> E + P {w.MM_TURNOVER}", "product_placement off pgemmax 0.2"]
    simulation = load(lines, seed, w.MM_TIMESTEP, w.MM_VOLUME ** (1 / 3), 3)
    return reacting(simulation, work, species, max(1, work.steps // 100))
