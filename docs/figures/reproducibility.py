"""Two runs that differ by a billionth of a nanometre at the start."""

import os
import sys
import tempfile

import jostle
import matplotlib.pyplot as plt
import numpy as np

os.chdir(tempfile.mkdtemp())

points = np.array([(2.5 + 5.6 * i, 2.5 + 5.6 * j) for i in range(14) for j in range(14)])
runs = []
for shift in (0.0, 1e-9):
    start = points.copy()
    start[100, 0] += shift
    np.savetxt("start.csv", start, delimiter=",", header="x_nm,y_nm", comments="", fmt="%.15g")
    model = jostle.Model(
        space=dict(dimension=2, edges="80 nm", boundary="periodic"),
        run=dict(timestep="0.2 us", until="60 us", seed=1),
        species=[jostle.Species("S", radius="2.5 nm", diffusion="1 um^2/s", placement=dict(file="start.csv"))],
        output=dict(every="0.2 us", log="none", precision="double"),
    )
    runs.append(model.run(f"{shift}.h5md", overwrite=True, progress=False))
t, apart = [], []
for a, b in zip(runs[0].frames, runs[1].frames):
    t.append(a.time_us), apart.append(np.sqrt(((a.unwrapped - b.unwrapped) ** 2).sum(1).mean()))
plt.semilogy(t, apart)
plt.xlabel("time (µs)"), plt.ylabel("rms distance of the two runs (nm)")
plt.savefig(os.path.join(sys.argv[1], "reproducibility.svg"), metadata={"Date": None})
