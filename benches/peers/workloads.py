"""What all programs are asked to do: the same numbers for everybody. Needs nothing but Python.

Lengths are in radii or µm, times in seconds or in such units that D = 1, as each workload says. `jostle bench speed`
measures rows of the same names."""

import dataclasses
import math


@dataclasses.dataclass(frozen=True)
class Workload:
    kind: str  # which function of a peer does it
    words: str
    bodies: int
    packing: float = 0.0
    step: float = 0.1  # rms along each axis, in radii
    steps: int = 20  # timed
    warm_up: int = 10  # not timed
    rounds: int = 2
    chained: bool = False  # two in a chain on average from the start; disks that meet bind for good
    every: int = 1  # steps between two searches for partners
    as_in: str = ""  # the workload that is the same for jostle, and its row


# EGF receptors in a membrane: radii of 2.5 nm, D = 0.05 µm²/s, steps of 1 µs; 717 per µm². Each has at most two bonds.
RECEPTORS, RECEPTOR_PACKING, RECEPTOR_STEP = 71_700, 717 * math.pi * 0.0025**2, math.sqrt(2 * 0.05 * 1e-6) / 0.0025
# The intrinsic rate constant, 0.28 µm²/s, and the rate at which a bond breaks, 5 /s, where the radius and D are 1.
GATHER, PART = 0.28 / 0.05, 5.0 * 0.0025**2 / 0.05
# Molecules that build rings of six in solution, as in models/ring_hexamer.toml: radii of 2.5 nm, D = 50 µm²/s, steps
# of 2 ns, 200 in 10^6 nm³. The rate constant of a pair of sites, 300 nm³/µs, and the rate at which a bond breaks, 5e4 /s.
RING_PACKING, RING_STEP = 200 * 4 / 3 * math.pi * 2.5**3 / 1e6, math.sqrt(2 * 50 * 2e-3) / 2.5
RING_GATHER, RING_PART = 300 / 2.5 / 50, 5e-2 * 2.5**2 / 50
# Where a spring keeps them apart, soft receptors overlap as if each pair had so much area for it, in squares of the
# radius: pairs counted in a run of LAMMPS without bonds. In equilibrium it would be 1.89.
SOFT_AREA = 1.60
# The same for molecules that build rings, in cubes of the radius and in equilibrium: 4 pi r² exp(-U), integrated to contact.
SOFT_VOLUME = 4 * math.pi * ((4 + RING_STEP**2) * RING_STEP * math.sqrt(math.pi / 2) - 4 * RING_STEP**2)


def receptors(words, steps, **more):
    kind = "chains" if more.get("chained") else "clustering"
    crowd = RECEPTORS, RECEPTOR_PACKING, RECEPTOR_STEP
    return Workload(kind, words, *crowd, steps=steps, warm_up=0, rounds=1, **more)


WORKLOADS = {
    "free-1e5": Workload("free", "free diffusion, 10^5", 100_000, steps=100, warm_up=5, rounds=3),
    "free-1e6": Workload("free", "free diffusion, 10^6", 1_000_000, steps=10, warm_up=2),
    "spheres-1": Workload("spheres", "hard spheres, 10^5 at 1 %, s = 0.1 r", 100_000, 0.01),
    "spheres-10": Workload("spheres", "hard spheres, 10^5 at 10 %, s = 0.1 r", 100_000, 0.1),
    "spheres-30": Workload("spheres", "hard spheres, 10^5 at 30 %, s = 0.1 r", 100_000, 0.3),
    "wells-10": Workload("wells", "spheres in square wells of 1 kT, 10^5 at 10 %, s = 0.1 r", 100_000, 0.1),
    "spheres-1e6": Workload("spheres", "hard spheres, 10^6 at 10 %, s = 0.1 r", 1_000_000, 0.1, steps=5, warm_up=3, rounds=1),
    "short-steps": Workload("spheres", "hard spheres, 10^5 at 30 %, s = 0.02 r", 100_000, 0.3, 0.02),
    "binding": Workload("binding", "disks binding in 2D, 2 10^4 at 5 %", 20_000, 0.05, steps=400, warm_up=0),
    "clustering": receptors("receptors gather in 2D, 7 10^4 at 1.4 %", 8000),
    "clustering-10": receptors("the same, partners sought every tenth step", 8000, every=10, as_in="clustering"),
    "clustering-2": receptors("receptors gather in 2D, first two in a cluster", 1000, chained=True),
    "clustering-2-10": receptors(
        "the same, partners sought every tenth step", 1000, chained=True, every=10, as_in="clustering-2"
    ),
    "hexamers": Workload(
        "rings", "6000 molecules build rings of six", 6000, RING_PACKING, RING_STEP, steps=20_000, warm_up=0, rounds=1
    ),
    "reversible": Workload("reversible", "A + B <-> C, 2 10^4, whole run", 20_000, steps=3000, warm_up=0, rounds=1),
    "michaelis-menten": Workload("michaelis_menten", "Michaelis-Menten, 10 000 steps", 10_000, steps=10_000, warm_up=0, rounds=1),
}

# Free diffusion: D = 1 µm²/s, ten particles per µm³.
FREE_TIMESTEP = 1e-4  # s
FREE_DENSITY = 10.0  # per µm³

# A + B <-> C, all apart at first: µm, s. Half is bound in the end.
ON, OFF, REVERSIBLE_DIFFUSION, REVERSIBLE_TIMESTEP = 0.1, 0.5, 10.0, 1e-3

# Michaelis and Menten: E + S <-> ES -> E + P (Andrews et al. 2010): µm, s.
MM_VOLUME, MM_ON, MM_OFF, MM_TURNOVER, MM_DIFFUSION, MM_TIMESTEP = 90.906, 0.01, 1.0, 1.0, 10.0, 1e-3
MM_ENZYMES, MM_SUBSTRATES = 909, 9091


def quick(workload):
    """The same with few particles and steps."""
    fewer = max(workload.bodies // 100, 200)
    steps = max(workload.steps // 40, 10)
    return dataclasses.replace(workload, bodies=fewer, steps=steps, warm_up=min(workload.warm_up, 2), rounds=1)


def edge(workload, dimension):
    """The box edge that gives the packing fraction, in radii."""
    ball = math.pi if dimension == 2 else 4.0 / 3.0 * math.pi
    return (workload.bodies * ball / workload.packing) ** (1.0 / dimension)


def free_edge(workload):
    """In µm."""
    return (workload.bodies / FREE_DENSITY) ** (1.0 / 3.0)


def reversible_volume(workload):
    """In µm³: half of all A and B are bound at equilibrium, where [A] [B] / [C] = OFF / ON."""
    return 0.25 * workload.bodies / (OFF / ON)


def gathers(workload, room=None):
    """The probability with which two bind at a look for partners, within this area or volume around each other. By
    default it is that of two soft ones that overlap."""
    constant, soft = (RING_GATHER, SOFT_VOLUME) if workload.kind == "rings" else (GATHER, SOFT_AREA)
    rate = constant / (room or soft)
    return 1.0 if workload.chained else -math.expm1(-rate * workload.every * timestep(workload))


def parts(workload):
    """The rate at which a bond breaks."""
    return RING_PART if workload.kind == "rings" else PART


def timestep(workload):
    """With D = 1 and radii of 1."""
    return workload.step**2 / 2.0
