"""Draws the figures of the paper: python paper/figures.py FOLDER

The models are run here, a minute or two. The speeds are those in data/speed, which `make speed` measures.
"""

import json
import re
import sys
from pathlib import Path

import jostle
import matplotlib.pyplot as plt
import numpy as np

ROOT = Path(__file__).parents[1]
PROGRAMS = {"jostle": "jostle", "smoldyn": "Smoldyn", "readdy": "ReaDDy", "openmm": "OpenMM", "lammps": "LAMMPS"}
MODEL = """
[space]
dimension = 3
edges = "60 nm"
boundary = "periodic"

[run]
timestep = "{step} ns"
until = "2 ms"
seed = {seed}

[[species]]
name = "A"
radius = "2.5 nm"
diffusion = "10 um^2/s"
count = 40

[[species]]
name = "B"
radius = "2.5 nm"
diffusion = "10 um^2/s"
count = 40

[[species]]
name = "C"
radius = "2.5 nm"
diffusion = "5 um^2/s"

[[rule]]
name = "bind"
on = ["A", "B"]
do = "bind"
merge = "coalesce"
product = "C"
rate = "1e9 /M/s"
unbind = "1e5 /s"

[output]
every = "2 us"
"""
STEPS = [5, 20, 100, 400]
REPLICAS = 4


def complexes(folder, step):
    """The mean number of complexes at one time step, and its standard error over independent runs."""
    means = []
    for seed in range(1, REPLICAS + 1):
        path = folder / f"binding_{step}_{seed}"
        path.with_suffix(".toml").write_text(MODEL.format(step=step, seed=seed))
        run = jostle.load(path.with_suffix(".toml")).run(path.with_suffix(".h5md"), overwrite=True)
        counts = run.counts().tables["counts_over_time"].to_pandas()
        means.append(counts.loc[counts["time_us"] > 200, "c"].mean())
    return np.mean(means), np.std(means, ddof=1) / REPLICAS**0.5


def draw_equilibrium(axes, folder):
    measured = np.array([complexes(folder, step) for step in STEPS])
    axes.errorbar(STEPS, measured[:, 0], measured[:, 1], fmt="o", capsize=3)
    axes.axhline(measured[:, 0].mean(), color="0.6", linewidth=1, zorder=0)
    axes.set(xscale="log", xlabel="time step (ns)", ylabel="complexes", title="(a) A + B ⇌ C", ylim=(0, 40))
    for step, (mean, error) in zip(STEPS, measured, strict=True):
        print(f"step of {step:3} ns: {mean:.2f} ± {error:.2f} complexes")


def draw_speeds(axes):
    rows = json.loads((ROOT / "data/speed/peers.json").read_text())["table"]
    rows = [row for row in rows if re.match(r"hard spheres, 10\^5 .* s = 0.1 r", row["work"])]
    width = 0.8 / len(PROGRAMS)
    for number, (program, name) in enumerate(PROGRAMS.items()):
        speeds = [row["of"].get(program, np.nan) for row in rows]
        axes.bar(np.arange(len(rows)) + (number - 2) * width, speeds, width, label=name)
    axes.set_xticks(range(len(rows)), [re.search(r"at (\d+ %)", row["work"])[1] for row in rows])
    axes.set(yscale="log", xlabel="share of the volume", ylabel="million particle steps per second")
    axes.set_title("(b) 10⁵ hard spheres, one thread")
    axes.legend(fontsize=7, frameon=False)


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    figure, (left, right) = plt.subplots(1, 2, figsize=(8, 3.2), layout="constrained")
    draw_equilibrium(left, folder)
    draw_speeds(right)
    figure.savefig(folder / "figure1.png", dpi=200)
    print(folder / "figure1.png")


if __name__ == "__main__":
    main()
