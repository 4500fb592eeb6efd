"""A screened charge, and the shells that stand for it."""

import os
import sys

import matplotlib.pyplot as plt
import numpy as np

strength, length, contact, cutoff = 4.0, 2.0, 5.0, 13.0
r = np.linspace(contact, cutoff, 400)
energy = strength * contact / r * np.exp(-(r - contact) / length)
plt.plot(r, energy, color="0.4", label="Yukawa")
for shells, color in [(4, "C1"), (16, "C0")]:
    edges = np.linspace(contact, cutoff, shells + 1)
    values = []
    for low, high in zip(edges, edges[1:]):
        x = np.linspace(low, high, 200)
        u = strength * contact / x * np.exp(-(x - contact) / length)
        mayer = np.trapezoid((np.exp(-u) - 1) * x**2, x) / np.trapezoid(x**2, x)
        values.append(-np.log(1 + mayer))
    plt.stairs(values, edges, label=f"{shells} shells", color=color, lw=1.5)
plt.axvspan(4, contact, color="0.85"), plt.text(4.1, 3.6, "core", color="0.4")
plt.xlim(4, 13.5), plt.xlabel("distance of the centres (nm)"), plt.ylabel("energy (kT)"), plt.legend(fontsize=8)
plt.savefig(os.path.join(sys.argv[1], "potentials.svg"), metadata={"Date": None})
