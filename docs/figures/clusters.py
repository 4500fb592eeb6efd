"""The diffusion coefficient of a cluster of n particles, by the laws that a model can choose from."""

import os
import sys

import matplotlib.pyplot as plt
import numpy as np

n = np.arange(1, 101)

def membrane(radius, length=1000.0):
    """The interpolation of Petrov and Schwille (2008), in units that cancel in ratios."""
    e = radius / length
    log = np.log(2 / e)
    above = log - np.euler_gamma + 4 * e / np.pi - e**2 / 2 * log
    return above / (1 - e**3 / np.pi * log + 0.73761 * e**2.74819 / (1 + 0.52119 * e**0.51465))

laws = {
    "saffman_delbruck, L = 1 µm, R = 1 nm": membrane(np.sqrt(n)) / membrane(1.0),
    "stokes, in space": n ** (-1 / 3),
    "stokes, in a plane": n ** (-1 / 2),
    "rouse": 1 / n,
}
for name, values in laws.items():
    plt.loglog(n, values, label=name)
plt.xlabel("particles in the cluster"), plt.ylabel("$D$ / $D$ of one"), plt.legend(fontsize=8)
plt.savefig(os.path.join(sys.argv[1], "clusters.svg"), metadata={"Date": None})
