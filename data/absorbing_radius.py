"""Makes absorbing_radius_2d.csv and checks the 3D fit in src/rules/rates.rs.

    python3 absorbing_radius.py          (needs numpy; takes seconds)

A pair reacts at the first contact of straight-line Brownian steps. The unit of length is the
contact distance, s = sqrt(2 D dt) the rms relative step per axis. A segment between two points
outside the unit disc or sphere misses it exactly if the angle between them is below
acos(1/r) + acos(1/r'), so the steady pair distribution g solves, with the free Gaussian kernel cut
off at that angle,

    3D, u = r g:   u(r') = Int_1^inf u(r) k3(r', r) dr,   u -> r - a
    2D:            g(r') = Int_1^inf g(r) k2(r', r) dr,   g -> ln(r / a)

and a is the absorbing radius that the rate constant of the continuous theory has to be given. The
equations are solved by Nystroem's method on Gauss-Legendre panels that shrink towards contact; the
asymptotic form takes over `far` steps away.
"""

import math
import os

import numpy as np

POINTS = 40
RANGE = (0.01, 5.0)


def panels(s, far, order):
    """Quadrature points and weights on [1, 1 + far s]."""
    edges, width = [0.0], min(1e-3 * s, 1e-3)
    while edges[-1] < far * s:
        edges.append(min(far * s, edges[-1] + width))
        width = min(1.7 * width, 0.9 * s)
    left, right = np.array(edges[:-1])[:, None], np.array(edges[1:])[:, None]
    x, w = np.polynomial.legendre.leggauss(order)
    r = 1 + 0.5 * (left + right) + 0.5 * (right - left) * x
    return r.ravel(), (0.5 * (right - left) * w).ravel()


def kernel_3d(target, source, s):
    a, b = source[None, :], target[:, None]
    grazing = np.sqrt(a**2 - 1) + np.sqrt(b**2 - 1)
    gauss = np.exp(-((a - b) ** 2) / (2 * s * s)) - np.exp(-(grazing**2) / (2 * s * s))
    return gauss / (s * math.sqrt(2 * math.pi))


def kernel_2d(target, source, s):
    a, b = source[None, :], target[:, None]
    largest = np.minimum(np.arccos(1 / a) + np.arccos(1 / b), 9 * s / np.sqrt(a * b))
    integral = np.zeros(largest.shape)
    for x, w in zip(*np.polynomial.legendre.leggauss(32)):
        angle = 0.5 * largest * (x + 1)
        integral += 0.5 * largest * w * np.exp(-2 * a * b * np.sin(angle / 2) ** 2 / (s * s))
    return a / (math.pi * s * s) * np.exp(-((a - b) ** 2) / (2 * s * s)) * integral


def absorbing_radius(dimension, s, order=10, far=32.0):
    kernel = kernel_3d if dimension == 3 else kernel_2d
    asymptote = (lambda r: r) if dimension == 3 else np.log
    r, w = panels(s, far, order)
    x, tail_w = np.polynomial.legendre.leggauss(48)
    tail, tail_w = 1 + far * s + 5 * s * (x + 1), 5 * s * tail_w
    n = len(r)
    to_tail = kernel(r, tail, s) * tail_w
    # unknowns: the solution at r, and the constant c of the asymptote(r) - c
    matrix, right = np.zeros((n + 1, n + 1)), np.zeros(n + 1)
    matrix[:n, :n] = np.eye(n) - kernel(r, r, s) * w
    matrix[:n, n] = to_tail.sum(1)
    right[:n] = to_tail @ asymptote(tail)
    matrix[n, n - 1 :] = 1
    right[n] = asymptote(r[-1])
    c = np.linalg.solve(matrix, right)[n]
    return c if dimension == 3 else math.exp(c)


def fit_3d(x):
    q = (x + 0.40337) / (x * x + 1.50115 * x + 0.84529)
    return 1 / (1 + 0.5825972 * x + 0.6707169 * x * x * q)


def main():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "absorbing_radius_2d.csv")
    with open(path, "w") as file:
        file.write("# Two dimensions, reaction at the first contact of straight steps: the absorbing\n")
        file.write("# radius a as a share of the contact distance R, against s/R, s = sqrt(2 D dt).\n")
        file.write("# Made by absorbing_radius.py, equally spaced in ln(s/R); error below 1e-7.\n")
        file.write("s_over_R,a_over_R\n")
        for x in np.geomspace(*RANGE, POINTS):
            a = absorbing_radius(2, x)
            coarse = absorbing_radius(2, x, order=8, far=24.0)
            if abs(a - coarse) > 1e-7:
                raise SystemExit(f"not converged at s/R = {x}: {a}, {coarse}")
            file.write(f"{x:.10f},{a:.10f}\n")
    worst = max(abs(fit_3d(x) / absorbing_radius(3, x) - 1) for x in np.geomspace(0.01, 30, 60))
    print(f"largest relative error of the 3D fit for s/R = 0.01...30: {worst:.2e}")


if __name__ == "__main__":
    main()
