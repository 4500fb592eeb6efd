"""OpenMM: Brownian integrator on the CPU platform, soft spheres; it has no reactions."""

import numpy as np
import openmm
from openmm import unit

import starts
import workloads as w
from measured import Measured, Watch

KINDS = ("free", "spheres")
THREADS = True

# At this temperature kT = 1 kJ/mol; with a friction of 1/ps and masses of 1, D = 1 nm²/ps.
TEMPERATURE = 1.0 / 0.00831446261815324


def simulation(places, side, timestep, seed, threads, force=None):
    system = openmm.System()
    system.setDefaultPeriodicBoxVectors(*(openmm.Vec3(*row) for row in side * np.eye(3)))
    for _ in range(len(places)):
        system.addParticle(1.0)
    if force is not None:
        system.addForce(force)
    steps = openmm.BrownianIntegrator(TEMPERATURE * unit.kelvin, 1.0 / unit.picosecond, timestep * unit.picoseconds)
    steps.setRandomNumberSeed(seed)
    platform = openmm.Platform.getPlatformByName("CPU")
    context = openmm.Context(system, steps, platform, {"Threads": str(threads or 1)})
    context.setPositions(places)
    return context, steps


def centres(context):
    places = context.getState(getPositions=True).getPositions(asNumpy=True)
    return places.value_in_unit(unit.nanometer)


def plain(context, steps, work):
    watch = Watch()
    steps.step(work.warm_up)
    with watch:
        steps.step(work.steps)
        places = centres(context)
    return Measured(openmm.version.short_version, watch, work.steps, work.bodies), places


def free(work, seed, threads, _folder):
    side = w.free_edge(work)
    places = np.random.default_rng(seed).uniform(0.0, side, (work.bodies, 3))
    return plain(*simulation(places, side, w.FREE_TIMESTEP, seed, threads), work)[0]


def spheres(work, seed, threads, folder):
    side = w.edge(work, 3)
    force = openmm.CustomNonbondedForce(f"0.5*{work.step**-2!r}*(2-r)^2")
    force.setNonbondedMethod(force.CutoffPeriodic)
    force.setCutoffDistance(2.0)
    for _ in range(work.bodies):
        force.addParticle([])
    places = starts.start(work, 3, seed, folder)
    measured, measured_centres = plain(*simulation(places, side, w.timestep(work), seed, threads, force), work)
    measured.centres = measured_centres
    measured.note = "harmonic repulsion, k = kT/s^2"
    return measured
