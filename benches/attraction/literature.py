#!/usr/bin/env python3
"""Energy and pressure of the Lennard-Jones fluid at kT = 2 ε by the law of bounces, beside an equation of state.

    benches/attraction/literature.py target/release/jostle

The equation is that of Johnson, Zollweg and Gubbins, Mol. Phys. 78 (1993) 591, fitted to what they and others had
simulated. Units are those of the fluid. As there, what lies beyond the cut-off is added as if g(r) were 1. Needs numpy and
h5py; some ten minutes of processor time."""

import argparse
import pathlib
import subprocess
import tempfile

import numpy as np
from dynamics import BOUNCES, SETTLE, blocked, lennard_jones, model_of

DENSITIES = (0.1, 0.4, 0.7)
TEMPERATURE = 2.0
PARTICLES = 500
CUTOFF = 4.0
STEPS = (0.15, 0.3)
APART, FRAMES = 0.1, 401
# Table 10 of the paper, and its γ.
PARAMETERS = np.array(
    [0.8623085097507421, 2.976218765822098, -8.402230115796038, 0.1054136629203555, -0.8564583828174598]
    + [1.582759470107601, 0.7639421948305453, 1.753173414312048, 2798.291772190376, -0.048394220260857657]
    + [0.9963265197721935, -36.98000291272493, 20.84012299434647, 83.05402124717285, -957.4799715203068]
    + [-147.7746229234994, 63.98607852471505, 16.03993673294834, 68.05916615864377, -2791.293578795945]
    + [-6.245128304568454, -8116.836104958410, 14.88735559561229, -10593.46754655084, -113.1607632802822]
    + [-8867.771540418822, -39.86982844450543, -4689.270299917261, 259.3535277438717, -2694.523589434903]
    + [-721.8487631550215, 172.1802063863269]
)
GAMMA = 3.0
# Which powers of kT the parameters have, those of each coefficient together.
POWERS_OF_A = ((1, 0.5, 0, -1, -2), (1, 0, -1, -2), (1, 0, -1), (0,), (-1, -2), (-1,), (-1, -2), (-2,))
POWERS_OF_B = ((-2, -3), (-2, -4), (-2, -3), (-2, -4), (-2, -3), (-2, -3, -4))


def coefficients(temperature):
    """a and b of Tables 5 and 6."""
    rest, found = list(PARAMETERS), []
    for powers in POWERS_OF_A + POWERS_OF_B:
        found.append(sum(rest.pop(0) * temperature**power for power in powers))
    return found[: len(POWERS_OF_A)], found[len(POWERS_OF_A) :]


def free_energy(temperature, density):
    """Beyond that of an ideal gas, per particle (equation 5)."""
    a, b = coefficients(temperature)
    cut = np.exp(-GAMMA * density**2)
    integrals = [(1.0 - cut) / (2.0 * GAMMA)]
    for i in range(1, len(b)):
        integrals.append((2 * i * integrals[-1] - cut * density ** (2 * i)) / (2.0 * GAMMA))
    return sum(x * density**i / i for i, x in enumerate(a, 1)) + np.dot(b, integrals)


def of_the_equation(density, h=1e-4):
    """Energy per particle and pressure (equations 7 and 9)."""
    at = [free_energy(TEMPERATURE + shift, density) for shift in (-h, 0.0, h)]
    energy = at[1] - TEMPERATURE * (at[2] - at[0]) / (2.0 * h)
    near = [free_energy(TEMPERATURE, density + shift) for shift in (-h, h)]
    return energy, density * TEMPERATURE + density**2 * (near[1] - near[0]) / (2.0 * h)


def beyond(density):
    """What the cut-off leaves out of the energy and the pressure; at the cut-off itself pairs exchange momentum."""
    third, ninth = CUTOFF**-3, CUTOFF**-9
    edge = 4.0 * (CUTOFF**-12 - CUTOFF**-6)
    energy = 8.0 / 3.0 * np.pi * density * (ninth / 3.0 - third)
    pressure = 16.0 / 3.0 * np.pi * density**2 * (2.0 / 3.0 * ninth - third)
    return energy, pressure - 2.0 / 3.0 * np.pi * density**2 * CUTOFF**3 * edge


def measured(program, density, step):
    fluid = lennard_jones(density, {})
    between = round(APART / (0.5 * step**2))
    timestep = APART / between
    steps = round(SETTLE / timestep) + (FRAMES - 1) * between
    model = model_of(fluid, BOUNCES, PARTICLES, timestep, steps, between)
    model = model.replace(f'cutoff = "{fluid.cutoff} nm"', f'cutoff = "{CUTOFF} nm"')
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "fluid.toml").write_text(model)
        subprocess.run([program, "run", "fluid.toml", "-q"], cwd=folder, check=True)
        for what in ("energy", "pressure"):
            line = [program, "analyse", "fluid.h5md", what, "--from", f"{SETTLE} us", "--csv", "tables"]
            subprocess.run(line, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        files = (folder / "tables").iterdir()
        tables = {file.stem: np.genfromtxt(file, delimiter=",", names=True) for file in files}
    energies = blocked(tables["energy_over_time"]["energy_kt"] / PARTICLES * TEMPERATURE)
    over_time = tables["pressure_over_time"]
    pressures = blocked(over_time[over_time.dtype.names[-2]] * TEMPERATURE)
    return [(mean + more, error) for (mean, error), more in zip((energies, pressures), beyond(density))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("jostle", type=lambda path: str(pathlib.Path(path).resolve()))
    program = parser.parse_args().jostle
    print("| *n σ*³ | step | energy per particle | equation | pressure | equation |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: |")
    for density in DENSITIES:
        for step in STEPS:
            found = measured(program, density, step)
            cells = [f"{mean:.3f} ± {error:.3f} | {its:.3f}" for (mean, error), its in zip(found, of_the_equation(density))]
            print(f"| {density} | {step} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
