"""A + B <-> C in Smoldyn; lengths in µm, times in s. Takes a seed as its argument."""

import sys

import numpy as np
import smoldyn

EDGE = 0.55
K_ON = 0.16605  # µm³/s: 1e8 /M/s
K_OFF = 100
TIMESTEP = 5e-6

simulation = smoldyn.Simulation(
    low=[0, 0, 0], high=[EDGE, EDGE, EDGE], boundary_type="p", seed=int(sys.argv[1])
)
a = simulation.addSpecies("A", difc=10, mol_list="as")
b = simulation.addSpecies("B", difc=10, mol_list="bs")
c = simulation.addSpecies("C", difc=8, mol_list="cs")
simulation.addMolecules(a, 100)
simulation.addMolecules(b, 100)
simulation.addBidirectionalReaction("bind", subs=[a, b], prds=[c], kf=K_ON, kb=K_OFF)
simulation.setPartitions("molperbox", 1)  # the fastest of 1, 2, 4 and 8

simulation.addOutputData("numbers")
simulation.addCommand("molcount numbers", "N", step=200)
simulation.run(stop=4, dt=TIMESTEP, display=False)

numbers = np.array(simulation.getOutputData("numbers"))
times, complexes = numbers[:, 0], numbers[:, 3]

blocks = [block.mean() for block in np.array_split(complexes[times >= 0.05], 20)]
print(f"complexes: {np.mean(blocks):.3f} ± {np.std(blocks, ddof=1) / 20**0.5:.3f}")
