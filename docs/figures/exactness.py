"""g(r) of hard spheres at 20 % of the volume, at time steps that differ 300-fold."""

import os
import sys
import tempfile

import jostle
import matplotlib.pyplot as plt
import numpy as np

os.chdir(tempfile.mkdtemp())

for step, until in [(6, "12 us"), (150, "60 us"), (1800, "200 us")]:
    model = jostle.Model(
        space=dict(dimension=3, edges="60 nm", boundary="periodic"),
        run=dict(timestep=f"{step} ns", until=until, seed=1),
        species=[jostle.Species("S", radius="2.5 nm", diffusion="10 um^2/s", count=660)],
        output=dict(frames=50, log="none"),
    )
    table = model.run("run.h5md", overwrite=True, progress=False).rdf(max="12 nm", bins=48).to_pandas()
    length = np.sqrt(2 * 10 * step * 1e-3) / 2.5
    plt.plot(table["distance_nm"], table["g"], label=f"step of {length:.1f} radii (rms per axis)")
phi = 660 * 4 / 3 * np.pi * 2.5**3 / 60**3
plt.plot([5], [(1 - phi / 2) / (1 - phi) ** 3], "k_", ms=16, label="Carnahan and Starling, at contact")
plt.xlabel("distance of the centres (nm)"), plt.ylabel("$g(r)$"), plt.xlim(4, 12), plt.legend(fontsize=8)
plt.savefig(os.path.join(sys.argv[1], "exactness.svg"), metadata={"Date": None})
