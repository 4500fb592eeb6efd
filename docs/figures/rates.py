"""The probability at one contact as a function of the time step, as jostle chooses it."""

import os
import sys
import tempfile

import jostle
import matplotlib.pyplot as plt
import numpy as np

os.chdir(tempfile.mkdtemp())

D, R = 100.0, 4.0
steps = np.array([0.1, 0.3, 1, 3, 10, 30, 100, 300])
for k in (200, 1000, 5000):
    found = []
    for step in steps:
        model = dict(
            space=dict(dimension=3, edges="100 nm", boundary="periodic"),
            run=dict(timestep=f"{step} ns", steps=10),
            species=[jostle.Species(name, radius="2 nm", diffusion="50 um^2/s", count=1) for name in "AB"],
            rules=[jostle.Reaction("A + B -> 0", name="react", rate=f"{k} nm^3/us")],
        )
        try:
            text = str(jostle.Model(**model).check())
            found.append(float(text.split("probability ")[1].split()[0]))
        except jostle.ModelError:
            found.append(np.nan)
    (line,) = plt.loglog(steps, found, "o", label=f"$k_a$ = {k} nm³/µs")
    fine = np.geomspace(0.1, 300, 50)
    plt.loglog(fine, k / (4 * np.sqrt(np.pi) * R**2 * np.sqrt(D / (fine * 1e-3))), "--", lw=1, color=line.get_color())
plt.axhline(1, color="0.6", lw=1), plt.ylim(1e-3, 2)
plt.xlabel("time step (ns)"), plt.ylabel("probability at one contact"), plt.legend(fontsize=8)
plt.savefig(os.path.join(sys.argv[1], "rates.svg"), metadata={"Date": None})
