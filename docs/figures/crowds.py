"""Mean squared displacement in crowds of hard spheres, divided by that of a single sphere."""

import os
import sys
import tempfile

import jostle
import matplotlib.pyplot as plt
import numpy as np

os.chdir(tempfile.mkdtemp())

for count, until in [(165, "20 us"), (660, "20 us"), (1155, "20 us")]:
    placement = dict(lattice=count) if count > 1000 else dict(random=count)
    model = jostle.Model(
        space=dict(dimension=3, edges="60 nm", boundary="periodic"),
        run=dict(timestep="10 ns", until=until, seed=1),
        species=[jostle.Species("S", radius="2.5 nm", diffusion="10 um^2/s", placement=placement)],
        output=dict(every="0.05 us", log="none"),
    )
    table = model.run("run.h5md", overwrite=True, progress=False).displacement(start="5 us").to_pandas()
    phi = count * 4 / 3 * np.pi * 2.5**3 / 60**3
    plt.errorbar(table["lag_us"], table["msd_per_2ddt"], table["std_error_nm2"] / table["2ddt_nm2"], fmt=".-", label=f"{phi:.0%} of the volume")
    plt.axhline(1 - 2 * phi, ls=":", lw=1, color=plt.gca().lines[-1].get_color())
plt.xscale("log"), plt.ylim(0.2, 1.02), plt.xlabel("time (µs)"), plt.ylabel("MSD / free MSD"), plt.legend(fontsize=8)
plt.savefig(os.path.join(sys.argv[1], "crowds.svg"), metadata={"Date": None})
