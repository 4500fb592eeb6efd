"""One Brownian path, drawn with ever shorter steps, beside a wall."""

import os
import sys

import matplotlib.pyplot as plt
import numpy as np

random = np.random.default_rng(4)
fine = np.concatenate([[0], np.cumsum(random.normal(0, np.sqrt(2 / 4096), 4096))])
wall = 0.45
figure, (left, right) = plt.subplots(1, 2, figsize=(7.4, 3.2))
for n in (16, 128, 4096):
    path = fine[:: 4096 // n]
    left.plot(np.linspace(0, 1, n + 1), path, lw=0.6 if n > 1000 else 1.4, label=f"{n} steps")
left.axhline(wall, color="0.5", lw=1), left.legend(fontsize=8), left.set_xlabel("time"), left.set_ylabel("position")
left.set_title("one path", fontsize=10)
steps = 2 ** np.arange(3, 13)
crossings = []
many = np.cumsum(random.normal(0, np.sqrt(2 / 4096), (400, 4096)), axis=1)
for n in steps:
    path = many[:, :: 4096 // n]
    crossings.append((np.diff(path > wall, axis=1) != 0).sum(1).mean())
right.loglog(steps, crossings, "o", label="mean of 400 paths")
right.loglog(steps, crossings[-1] * np.sqrt(steps / 4096), color="0.5", label="square root")
right.set_xlabel("steps"), right.set_ylabel("crossings of the line"), right.legend(fontsize=8)
right.set_title("crossings", fontsize=10)
figure.tight_layout()
plt.savefig(os.path.join(sys.argv[1], "contacts.svg"), metadata={"Date": None})
