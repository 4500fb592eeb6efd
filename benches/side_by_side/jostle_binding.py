"""A + B <-> C in jostle. Takes a seed as its argument."""

import sys

import jostle
import numpy as np
from jostle import Reaction, Species

model = jostle.Model(
    space=dict(dimension=3, edges="550 nm", boundary="periodic"),
    run=dict(timestep="5 us", until="4 s", seed=int(sys.argv[1])),
    species=[
        Species("A", radius="2.5 nm", diffusion="10 um^2/s", count=100),
        Species("B", radius="2.5 nm", diffusion="10 um^2/s", count=100),
        Species("C", diffusion="8 um^2/s"),
    ],
    rules=[Reaction("A + B <-> C", k_on="1e8 /M/s", K_D="1 uM")],
    output=dict(every="1 ms"),
)
run = model.run("binding.h5md", threads=1)

numbers = run.counts(start="50 ms").tables["counts_over_time"]
complexes = numbers["c"]

blocks = [block.mean() for block in np.array_split(complexes, 20)]
print(f"complexes: {np.mean(blocks):.3f} ± {np.std(blocks, ddof=1) / 20**0.5:.3f}")
