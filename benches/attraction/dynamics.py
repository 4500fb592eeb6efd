#!/usr/bin/env python3
"""Energy, diffusion and processor time of fluids against the length of a step: both laws of jostle, LAMMPS
(`fix brownian`), and a Metropolis reference of the energy.

    benches/attraction/dynamics.py target/release/jostle --lammps .tools/peers/bin/python --out docs/attraction_dynamics.svg
    benches/attraction/dynamics.py target/release/jostle --lammps .tools/peers/bin/python --fluid yukawa
    benches/attraction/dynamics.py target/release/jostle --lammps .tools/peers/bin/python --fluid yukawa --particles 10000 \\
        --in-turn 'law = "bounces"' 0.1 LAMMPS 0.05

The first takes some 20 minutes of processor time, half of it for shells. Lengths are in units of the fluid, and times in
units of their square over D₀, so that kT = D₀ = 1. D is the slope of the mean square displacement between lags of 0.5 and
1.5. jostle has hard cores as well, where the energy is at least 12 kT. Needs numpy, h5py and matplotlib; without --lammps
only jostle is measured."""

import argparse
import dataclasses
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

import numpy as np
from compare import run_in_python_of_lammps, well_with_slopes, write_table

SHELLS, BOUNCES = "shells = 16", 'law = "bounces"'


@dataclasses.dataclass(frozen=True)
class Fluid:
    words: str
    dimension: int
    density: float
    core: float  # what two touch at in jostle
    cutoff: float
    form: str  # in jostle, in nm
    style: str  # in LAMMPS
    coefficients: str
    energy: object  # of a pair, of the squared distance
    steps: dict  # rms displacements along an axis
    skin: float  # in LAMMPS, the best of those tried: 0.2, 0.4, 0.8, 1.2, 1.6 and 2, not all for each
    table: object = None  # in LAMMPS, in place of coefficients: an energy of the distance

    def side(self, particles):
        return (particles / self.density) ** (1 / self.dimension)


def lennard_jones(density, steps):
    return Fluid(
        words=f"Lennard-Jones, 0.5 kT, n σ³ = {density}",
        dimension=3,
        density=density,
        core=0.8,
        cutoff=2.5,
        form='lennard_jones = { depth = "0.5 kT", diameter = "1 nm" }',
        style="lj/cut 2.5",
        coefficients="0.5 1.0",
        skin=1.2,
        energy=lambda squares: 2.0 * (squares**-6 - squares**-3),
        steps=steps,
    )


FLUIDS = {
    "dense": lennard_jones(
        0.4,
        {
            SHELLS: (0.4,),
            BOUNCES: (0.1, 0.2, 0.4),
            "LAMMPS": (0.0125, 0.018, 0.025, 0.035),
        },
    ),
    "lennard-jones": lennard_jones(
        0.19,
        {
            "shells = 24": (0.2, 0.3, 0.4),
            "shells = 32": (0.2, 0.3, 0.4),
            BOUNCES: (0.1, 0.15, 0.2),
            "LAMMPS": (0.0125, 0.018, 0.025, 0.035),
        },
    ),
    # LAMMPS has springs and slopes in place of cores and edges, as in compare.py, so that its energy is another one.
    "wells": Fluid(
        words="square wells, 0.5 kT, 10 %",
        dimension=3,
        density=0.1 * 6 / float(np.pi),
        core=1.0,
        cutoff=1.5,
        form='steps = [{ to = "1.5 nm", energy = "-0.5 kT" }]',
        style="table linear 4000",
        coefficients="",
        skin=2.0,
        energy=lambda squares: np.full_like(squares, -0.5),
        steps={"": (0.05, 0.1, 0.15, 0.2), "LAMMPS": (0.0125, 0.018, 0.025, 0.035, 0.05)},
        table=well_with_slopes,
    ),
    # As in models/yukawa_membrane.toml, in units of the distance at contact.
    "yukawa": Fluid(
        words="Yukawa as in yukawa_membrane.toml",
        dimension=2,
        density=400 * 5.0**2 / 260.0**2,
        core=1.0,
        cutoff=3.8,
        form='yukawa = { strength = "12 kT", length = "0.6 nm" }',
        style=f"yukawa {1 / 0.6!r} 3.8",
        coefficients=repr(12.0 * float(np.exp(1 / 0.6))),
        skin=1.6,
        energy=lambda squares: 12.0 * np.exp(-(np.sqrt(squares) - 1.0) / 0.6) / np.sqrt(squares),
        steps={
            "shells = 10": (0.0566, 0.1, 0.2, 0.3, 0.4),
            "shells = 16": (0.1, 0.2, 0.3, 0.4),
            BOUNCES: (0.05, 0.1, 0.15, 0.2),
            "LAMMPS": (0.05, 0.1, 0.15, 0.2, 0.3),
        },
    ),
}

# How long a fluid is given to settle, how much time is between frames, and how many frames there are.
SETTLE, APART, FRAMES = 5.0, 0.5, 121
LAGS = (1, 3)
PARTS = 8


def mean(parts):
    return float(np.mean(parts)), float(np.std(parts, ddof=1) / np.sqrt(len(parts)))


def diffusion(places, dimension):
    """The slope of the mean square displacement over 2 d, and its error by parts of the particles."""
    squares = [((places[lag:] - places[:-lag]) ** 2).sum(-1).mean(0) for lag in LAGS]
    slopes = (squares[1] - squares[0]) / (2 * dimension * APART * (LAGS[1] - LAGS[0]))
    return mean([part.mean() for part in np.array_split(slopes, 4 * PARTS)])


def blocked(energies):
    """The mean of a series and its error by blocks."""
    return mean([part.mean() for part in np.array_split(np.asarray(energies), PARTS)])


def lattice(fluid, particles, random):
    per_axis = int(np.ceil(particles ** (1 / fluid.dimension)))
    points = np.stack(np.meshgrid(*[np.arange(per_axis)] * fluid.dimension), -1).reshape(-1, fluid.dimension)
    return random.permutation((points + 0.5) * fluid.side(particles) / per_axis)[:particles]


def metropolis(fluid, particles, sweeps=2000, seed=1):
    """The energy per particle, by moves of one particle at a time."""
    random = np.random.default_rng(seed)
    places, side = lattice(fluid, particles, random), fluid.side(particles)

    def of_one(place, mover):
        apart = places - place
        apart -= side * np.round(apart / side)
        squares = (apart**2).sum(1)
        squares[mover] = np.inf
        near = squares[squares < fluid.cutoff**2]
        return np.inf if near.min(initial=np.inf) < fluid.core**2 else float(fluid.energy(near).sum())

    energies = []
    for sweep in range(sweeps):
        for mover, shift, chance in zip(
            random.integers(particles, size=particles),
            random.uniform(-0.4, 0.4, (particles, fluid.dimension)),
            random.uniform(size=particles),
        ):
            there = places[mover] + shift
            rise = of_one(there, mover) - of_one(places[mover], mover)
            if chance < np.exp(-max(rise, 0.0)):
                places[mover] = there
        if sweep >= sweeps // 10 and sweep % 5 == 0:
            energies.append(0.5 * sum(of_one(places[n], n) for n in range(particles)) / particles)
    return [blocked(energies)]


def time_of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def model_of(fluid, setting, particles, timestep, steps, between):
    """A length of 1 is 1 nm, D₀ is 1 µm²/s, which is 1 nm²/µs."""
    side = ", ".join([f'"{fluid.side(particles)!r} nm"'] * fluid.dimension)
    if not fluid.form.startswith("steps"):
        setting = f'cutoff = "{fluid.cutoff} nm"\n{setting}'
    return f"""
[space]
dimension = {fluid.dimension}
edges = [{side}]
boundary = "periodic"
[run]
timestep = "{timestep!r} us"
steps = {steps}
seed = 5
threads = 1
[[species]]
name = "S"
radius = "{fluid.core / 2} nm"
diffusion = "1 um^2/s"
count = {particles}
[[potential]]
name = "pairs"
between = ["S", "S"]
{fluid.form}
{setting}
[output]
frame_every = {between}
precision = "double"
log = "none"
"""


def with_jostle(program, fluid, setting, step, particles):
    """Energy per particle, D, and the processor time of a unit of time."""
    between = round(APART / (0.5 * step**2))
    timestep = APART / between
    steps = round(SETTLE / timestep) + (FRAMES - 1) * between
    program = str(pathlib.Path(program).resolve())
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        (path / "fluid.toml").write_text(model_of(fluid, setting, particles, timestep, steps, between))
        before = time_of_children()
        subprocess.run([program, "run", "fluid.toml", "-q"], cwd=path, check=True)
        seconds = (time_of_children() - before) / (steps * timestep)
        line = [program, "analyse", "fluid.h5md", "energy", "--from", f"{SETTLE} us", "--csv", "tables"]
        subprocess.run(line, cwd=path, check=True, stdout=subprocess.DEVNULL)
        table = np.genfromtxt(path / "tables" / "energy_over_time.csv", delimiter=",", names=True)
        import h5py

        with h5py.File(path / "fluid.h5md") as file:
            every = file["particles/trajectory"]
            images = every["image/value"][-FRAMES:]
            places = every["position/value"][-FRAMES:] + fluid.side(particles) * images
    return blocked(table["energy_kt"] / particles), diffusion(places, fluid.dimension), seconds


def started(fluid, step, particles, seed=5):
    """LAMMPS in reduced units with kT = 1 and D₀ = 1, and its time step and the number of steps between frames."""
    from lammps import lammps

    between = round(APART / (0.5 * step**2))
    timestep = APART / between
    side = fluid.side(particles)
    low, high = (0.0, side) if fluid.dimension == 3 else (-0.5, 0.5)
    program = lammps(cmdargs=["-log", "none", "-screen", "none"])
    program.commands_string(f"""units lj
dimension {fluid.dimension}
atom_style atomic
atom_modify map array
boundary p p p
region b block 0 {side!r} 0 {side!r} {low!r} {high!r}
create_box 1 b
mass * 1.0""")
    places = np.zeros((particles, 3))
    places[:, : fluid.dimension] = lattice(fluid, particles, np.random.default_rng(seed))
    program.create_atoms(particles, None, [1] * particles, places.ravel().tolist())
    with tempfile.TemporaryDirectory() as folder:
        coefficients = fluid.coefficients
        if fluid.table:
            coefficients = f"{write_table(fluid.table, fluid.cutoff + 0.1, pathlib.Path(folder))} WELL"
        program.commands_string(f"pair_style {fluid.style}\npair_coeff * * {coefficients}")
    program.commands_string(f"""neighbor {fluid.skin} bin
neigh_modify delay 0 every 1 check yes
fix 1 all brownian 1.0 {seed + 17} gamma_t 1.0 rng gaussian
{"fix 2 all enforce2d" if fluid.dimension == 2 else ""}
compute unwrapped all property/atom xu yu zu
timestep {timestep!r}
run {round(SETTLE / timestep)} post no""")
    return program, timestep, between


def time_of_this():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def with_lammps(fluid, step, particles):
    """What `with_jostle` returns; run by the Python that has LAMMPS."""
    program, timestep, between = started(fluid, step, particles)
    frames, energies = [], []
    before = time_of_this()
    for frame in range(FRAMES):
        if frame:
            program.command(f"run {between} post no")
        order = np.argsort(program.numpy.extract_atom("id")[:particles])
        unwrapped = program.numpy.extract_compute("unwrapped", 1, 2)[:particles]
        frames.append(unwrapped[order][:, : fluid.dimension])
        energies.append(program.get_thermo("pe"))  # per particle in these units
    seconds = (time_of_this() - before) / ((FRAMES - 1) * APART)
    return blocked(energies), diffusion(np.array(frames), fluid.dimension), seconds


def draw(fluid, reference, found, out):
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "attraction"
    import matplotlib.pyplot as plt

    figure, panels = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
    middle, error = reference
    panels[0].axhspan(middle - error, middle + error, color="0.8", label="Metropolis")
    colours = ("tab:blue", "tab:green", "tab:orange", "tab:cyan")
    for name, form, colour in zip(fluid.steps, ("s-", "o-", "x-", "^-"), colours):
        points = sorted((step, values) for (of, step), values in found.items() if of == name and values)
        if not points:
            continue
        for panel, which in zip(panels, (0, 1)):
            steps = [step for step, _ in points]
            means, errors = zip(*(values[which] for _, values in points))
            label = name if name == "LAMMPS" else f"jostle, {name}"
            panel.errorbar(steps, means, errors, fmt=form, color=colour, markersize=4, lw=1, label=label)
    every = sorted({step for steps in fluid.steps.values() for step in steps})
    for panel in panels:
        panel.set_xscale("log")
        panel.set_xticks(every, [f"{step:g}" for step in every], fontsize=7)
        panel.minorticks_off()
        panel.set_xlabel("rms step along an axis [σ]")
    panels[0].set_ylabel("energy per particle [kT]")
    panels[1].set_ylabel("D / D₀")
    panels[0].legend(frameon=False, fontsize=8)
    figure.savefig(out, metadata={"Date": None})


def said(values):
    if values is None:
        return "particles lost"
    words = [f"{what} {middle:.4f} +- {error:.4f}" for what, (middle, error) in zip(("energy", "D"), values)]
    return ", ".join(words + [f"{seconds:.3f} s per unit of time" for seconds in values[2:]])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("jostle", nargs="?", help="the program")
    parser.add_argument("--lammps", help="a Python that has LAMMPS")
    parser.add_argument("--fluid", choices=FLUIDS, default="dense")
    parser.add_argument("--particles", type=int, default=500)
    parser.add_argument("--out", help="the figure")
    parser.add_argument("--kept", type=pathlib.Path, help="a file of what was measured, which is not measured again")
    parser.add_argument("--in-turn", nargs="+", help="ways and steps, which are measured in turn, three times")
    parser.add_argument("--only-lammps", type=float, help=argparse.SUPPRESS)
    options = parser.parse_args()
    fluid = FLUIDS[options.fluid]
    if options.only_lammps:
        try:
            print(json.dumps(with_lammps(fluid, options.only_lammps, options.particles)))
        except Exception as why:  # Too long a step throws particles out of the box.
            print(f"LAMMPS, step {options.only_lammps}: {why}", file=sys.stderr)
            print("null")
        return
    kept = json.loads(options.kept.read_text()) if options.kept and options.kept.exists() else {}

    def measured(name, step, turn=0):
        key = f"{options.fluid}, {options.particles}, {name}, step {step}" + (f", turn {turn}" if turn else "")
        if key not in kept:
            if name == "LAMMPS":
                more = ["--fluid", options.fluid, "--particles", str(options.particles)]
                kept[key] = run_in_python_of_lammps(options.lammps, __file__, step, more)
            elif name == "Metropolis":
                kept[key] = metropolis(fluid, options.particles)
            else:
                kept[key] = with_jostle(options.jostle, fluid, name, step, options.particles)
            if options.kept:
                options.kept.write_text(json.dumps(kept, indent=1))
        print(f"{key}: {said(kept[key])}", flush=True)
        return kept[key]

    if options.in_turn:
        for turn in (1, 2, 3):
            for name, step in zip(options.in_turn[::2], options.in_turn[1::2]):
                measured(name, float(step), turn)
        return
    found = {}
    for name, steps in fluid.steps.items():
        for step in steps if name != "LAMMPS" or options.lammps else ():
            found[name, step] = measured(name, step)
    reference = measured("Metropolis", 0.4)[0]
    if options.out:
        draw(fluid, reference, found, options.out)


if __name__ == "__main__":
    main()
