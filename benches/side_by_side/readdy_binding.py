"""A + B <-> C in ReaDDy; lengths in µm, times in s. Random numbers cannot be given a seed."""

import numpy as np
import readdy
from scipy.optimize import brentq

EDGE = 0.55
K_ON = 0.16605  # µm³/s: 1e8 /M/s
K_OFF = 100
TIMESTEP = 5e-6
REACH = 0.02  # A and B react when they are this close


def k_on(rate):
    """The rate constant of a solution in which pairs within REACH react at this rate."""
    depth = np.sqrt(20 / rate)
    return 4 * np.pi * 20 * (REACH - depth * np.tanh(REACH / depth))


binding = brentq(lambda rate: k_on(rate) - K_ON, 1, 1e9)
unbinding = K_OFF / K_ON * binding * 4 / 3 * np.pi * REACH**3

system = readdy.ReactionDiffusionSystem(
    box_size=[EDGE, EDGE, EDGE], unit_system={"length_unit": "micrometer", "time_unit": "second"}
)
system.add_species("A", 10)
system.add_species("B", 10)
system.add_species("C", 8)
system.reactions.add(f"bind: A +({REACH}) B -> C", rate=binding)
system.reactions.add(f"unbind: C -> A +({REACH}) B", rate=unbinding)

# The fastest of two kernels and of several skins; there are no forces.
simulation = system.simulation(
    kernel="SingleCPU", output_file="binding.h5", skin=0.02, evaluate_forces=False
)
simulation.add_particles("A", np.random.uniform(-EDGE / 2, EDGE / 2, (100, 3)))
simulation.add_particles("B", np.random.uniform(-EDGE / 2, EDGE / 2, (100, 3)))
simulation.observe.number_of_particles(200, types=["C"])
simulation.run(round(4 / TIMESTEP), TIMESTEP)

steps, numbers = readdy.Trajectory("binding.h5").read_observable_number_of_particles()
times, complexes = steps * TIMESTEP, numbers[:, 0]

blocks = [block.mean() for block in np.array_split(complexes[times >= 0.05], 20)]
print(f"complexes: {np.mean(blocks):.3f} ± {np.std(blocks, ddof=1) / 20**0.5:.3f}")
