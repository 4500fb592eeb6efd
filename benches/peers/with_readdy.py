"""ReaDDy: soft spheres that push each other out within a step, reactions by the Doi model. It has no seed."""

import math
from itertools import combinations_with_replacement

import numpy as np
import readdy

import starts
import workloads as w
from measured import Counted, Measured, Watch

KINDS = ("free", "spheres", "wells", "binding", "clustering", "chains", "rings", "reversible", "michaelis_menten")
THREADS = True

# Of molecules that bind, by their bonds.
NAMES = ("R0", "R1", "R2")


def system(side, dimension=3):
    """A periodic box; with two dimensions a slab that is open along z."""
    edges = [side, side, side if dimension == 3 else 20.0]
    made = readdy.ReactionDiffusionSystem(
        edges, unit_system=None, periodic_boundary_conditions=[True, True, dimension == 3]
    )
    made.kbt = 1.0
    return made


def simulation(made, threads, skin=0.0, kernel="CPU", **more):
    run = made.simulation(kernel=kernel, **more)
    if kernel == "CPU":
        run.kernel_configuration.n_threads = threads or 1
    run.show_progress = False
    if skin:
        run.skin = skin
    return run


def plain(run, work, timestep):
    watch = Watch()
    if work.warm_up:
        run.run(work.warm_up, timestep, show_summary=False)
    with watch:
        run.run(work.steps, timestep, show_summary=False)
    return Measured(readdy.__version__, watch, work.steps, work.bodies)


def reacting(run, work, timestep, species):
    """Particles are counted now and then."""
    numbers = []
    every = max(1, work.steps // 100)
    run.observe.number_of_particles(every, list(species), callback=lambda n: numbers.append(sum(n)), save=False)
    measured = plain(run, work, timestep)
    counted = Counted(numbers[0])
    for number in numbers[1:]:
        counted.add(every, number)
    measured.bodies, measured.left = counted.mean(), counted.last
    return measured


def centres(run):
    return np.array([body.pos for body in run.current_particles])


def free(work, seed, threads, _folder):
    side = w.free_edge(work)
    made = system(side)
    made.add_species("A", 1.0)
    run = simulation(made, threads)
    run.add_particles("A", np.random.default_rng(seed).uniform(-side / 2, side / 2, (work.bodies, 3)))
    return plain(run, work, w.FREE_TIMESTEP)


def spheres(work, seed, threads, folder):
    side = w.edge(work, 3)
    made = system(side)
    made.add_species("A", 1.0)
    # The stiffest spring that moves a lone pair just apart in one step.
    stiff = work.step**-2
    if work.kind == "wells":
        # Its attraction of finite range: parabolas, deepest at contact.
        made.potentials.add_weak_interaction_piecewise_harmonic(
            "A", "A", force_constant=stiff, desired_distance=2.0, depth=1.0, cutoff=3.0
        )
    else:
        made.potentials.add_harmonic_repulsion("A", "A", force_constant=stiff, interaction_distance=2.0)
    # The best of 0 (its default), 0.2, 0.5, 1 and 2.
    skin = 2.0 if work.packing < 0.05 else 0.0
    # With one thread the simpler kernel is a third faster here, and nowhere else.
    run = simulation(made, threads, skin, kernel="CPU" if threads else "SingleCPU")
    run.add_particles("A", starts.start(work, 3, seed, folder) - side / 2)
    measured = plain(run, work, w.timestep(work))
    measured.centres = centres(run)
    measured.note = "parabolas" if work.kind == "wells" else "harmonic repulsion, k = kT/s^2"
    return measured


wells = spheres


def binding(work, seed, threads, folder):
    side = w.edge(work, 2)
    made = system(side, 2)
    for name, diffusion in (("A", 1.0), ("A2", 0.5)):
        made.add_species(name, diffusion)
        hold_flat(made, name, side, work)
    made.reactions.add(f"f: A +(2.0) A -> A2", rate=10.0 / w.timestep(work))
    run = simulation(made, threads, skin=2.0)
    run.add_particles("A", flat_places(work, seed, folder)[0])
    measured = reacting(run, work, w.timestep(work), ("A", "A2"))
    measured.note = "it has no 2D: a slab held by a spring; A2 excludes nobody"
    return measured


def hold_flat(made, name, side, work):
    """A spring keeps a species of a slab at z = 0."""
    made.potentials.add_box(name, 0.5 * work.step**-2, origin=[-side, -side, -1e-3], extent=[2 * side, 2 * side, 2e-3])


def flat_places(work, seed, folder):
    """The start in the middle of the slab, and who has a bond to the one before."""
    start = starts.start(work, 2, seed, folder)
    places = np.column_stack([start[:, :2] - w.edge(work, 2) / 2, np.zeros(len(start))])
    return places, start[:, 2] > 0 if work.chained else np.zeros(len(start), bool)


def clustering(work, seed, threads, folder):
    made = system(w.edge(work, 2), 2)
    add_molecules(made, work)
    for name in NAMES:
        hold_flat(made, name, w.edge(work, 2), work)
    # The best of 2, 4, 8, 16 and 24, and of the two kernels.
    run = simulation(made, threads, skin=16.0, kernel="CPU" if threads else "SingleCPU")
    places, bound = flat_places(work, seed, folder)
    for chain in np.split(np.arange(len(places)), np.flatnonzero(~bound)[1:]):
        joined = len(chain) > 1
        types = [f"R{joined + (0 < k < len(chain) - 1)}" for k in range(len(chain))]
        added = run.add_topology("cluster" if joined else "lone", types, places[chain])
        for k in range(len(chain) - 1):
            added.get_graph().add_edge(k, k + 1)
    return gathered(run, work, "it has no 2D: a slab held by a spring; chains bend")


chains = clustering


def add_molecules(made, work):
    """Molecules that bind are particles of a topology. Those that have never had a bond make topologies of another
    type: of the type that can part each costs time in every step, even alone."""
    stiff = work.step**-2
    for topology in ("lone", "cluster"):
        made.topologies.add_type(topology)
    for name in NAMES:
        made.add_topology_species(name, 1.0)
    for one, other in combinations_with_replacement(NAMES, 2):
        made.potentials.add_harmonic_repulsion(one, other, force_constant=stiff, interaction_distance=2.0)
        made.topologies.configure_harmonic_bond(one, other, force_constant=0.25 * stiff, length=2.0)
    # If they are chained, the probability for one step is as good as 1.
    rate = 10.0 / w.timestep(work) if work.chained else -math.log1p(-w.gathers(work)) / w.timestep(work)
    ends = (("lone", 0), ("cluster", 0), ("cluster", 1))
    for number, ((one, a), (other, b)) in enumerate(combinations_with_replacement(ends, 2)):
        words = f"bind{number}: {one}(R{a}) + {other}(R{b}) -> cluster(R{a + 1}--R{b + 1})"
        made.topologies.add_spatial_reaction(words, rate=rate, radius=2.0)
    if work.kind == "rings":
        # Not the ends of shorter chains, which touch or are bonded already.
        words = "close: cluster(R1) + cluster(R1) -> cluster(R2--R2) [self=true, distance>4]"
        made.topologies.add_spatial_reaction(words, rate=rate, radius=2.0)
    if not work.chained:
        made.topologies.add_structural_reaction(
            "part", "cluster", one_bond_breaks, lambda topology: w.parts(work) * len(bonds_of(topology))
        )


def gathered(run, work, note):
    measured = plain(run, work, w.timestep(work))
    measured.cluster = work.bodies / len(run.current_topologies)
    measured.note = note
    return measured


def rings(work, seed, threads, folder):
    """Bonds with angles of 120 degrees and torsions of 0, as stiff as the step allows."""
    side = w.edge(work, 3)
    made = system(side)
    add_molecules(made, work)
    for one, other in combinations_with_replacement(NAMES[1:], 2):
        made.topologies.configure_harmonic_angle(
            one, "R2", other, force_constant=0.125 * work.step**-2, equilibrium_angle=2 * math.pi / 3
        )
        made.topologies.configure_cosine_dihedral(
            one, "R2", "R2", other, force_constant=0.125 * work.step**-2, multiplicity=1, phi0=math.pi
        )
    run = simulation(made, threads, skin=2.0, kernel="CPU" if threads else "SingleCPU")
    for place in starts.start(work, 3, seed, folder) - side / 2:
        run.add_topology("lone", ["R0"], place[np.newaxis])
    return gathered(run, work, "chains bend")


def bonds_of(topology):
    return topology.get_graph().get_edges()


def one_bond_breaks(topology):
    bonds = bonds_of(topology)
    bond = bonds[np.random.randint(len(bonds))]
    recipe = readdy.StructuralReactionRecipe(topology)
    recipe.remove_edge(*bond)
    for vertex in bond:
        fewer = {"R2": "R1", "R1": "R0"}[topology.particle_type_of_vertex(vertex)]
        recipe.change_particle_type(vertex, fewer)
    return recipe


def reversible(work, seed, threads, _folder):
    radius, half = 0.1, work.bodies // 2
    side = w.reversible_volume(work) ** (1 / 3)
    made = system(side)
    for name in "ABC":
        made.add_species(name, w.REVERSIBLE_DIFFUSION)
    made.reactions.add(f"on: A +({radius}) B -> C", rate=w.ON / (4 / 3 * math.pi * radius**3))
    made.reactions.add(f"off: C -> A +({radius}) B", rate=w.OFF)
    run = simulation(made, threads, skin=0.2, reaction_handler="Gillespie")
    random = np.random.default_rng(seed)
    for name in "AB":
        run.add_particles(name, random.uniform(-side / 2, side / 2, (half, 3)))
    return reacting(run, work, w.REVERSIBLE_TIMESTEP, "ABC")


def michaelis_menten(work, seed, threads, _folder):
    from scipy.optimize import brentq

    radius, both = 0.03, 2 * w.MM_DIFFUSION
    side = w.MM_VOLUME ** (1 / 3)

    def too_fast(rate):
        """The macroscopic constant of the Doi model, less the one that is asked for."""
        depth = math.sqrt(both / rate)
        return 4 * math.pi * both * (radius - depth * math.tanh(radius / depth)) - w.MM_ON

    made = system(side)
    for name in ("E", "S", "ES", "P"):
        made.add_species(name, w.MM_DIFFUSION)
    made.reactions.add(f"on: E +({radius}) S -> ES", rate=brentq(too_fast, 1e-3, 1e7))
    made.reactions.add(f"off: ES -> E +({radius}) S", rate=w.MM_OFF)
    made.reactions.add(f"turn: ES -> E +({radius}) P", rate=w.MM_TURNOVER)
    run = simulation(made, threads, skin=0.1)
    random = np.random.default_rng(seed)
    for name, number in (("E", w.MM_ENZYMES), ("S", w.MM_SUBSTRATES)):
        run.add_particles(name, random.uniform(-side / 2, side / 2, (number, 3)))
    return reacting(run, work, w.MM_TIMESTEP, ("E", "S", "ES", "P"))
