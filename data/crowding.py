"""Draws docs/crowding.svg from crowding.csv and crowding_survival.csv, and prints the tables of
docs/crowding.md.

    python3 crowding.py          (needs nothing but Python; takes no time)
"""

import csv
import math
import os

HERE = os.path.dirname(os.path.abspath(__file__))
ORIGINAL_BOX, DILUTE_BOX = 12500.0, 125000.0
C_B, K_A, D, R = 0.008, 85.0, 20.0, 1.0

# Half times [us] of NERDSS's averaged trajectories, read from the files of the test case, and the
# two rate constants at phi = 0.20 that it compares [nm^3/us].
NERDSS_HALF_TIMES = [(0.0084, 1.341), (0.05, 1.16), (0.05, 1.19), (0.10, 1.046), (0.10, 1.053),
                     (0.15, 0.966), (0.15, 0.979), (0.20, 0.8645), (0.20, 0.909), (0.25, 0.877), (0.25, 0.881)]
PUBLISHED = [("NERDSS", 0.20, 97.0, 1.2), ("eGFRD", 0.20, 80.7, 2.7)]


def rows(name):
    with open(os.path.join(HERE, name)) as file:
        lines = [line for line in file if not line.startswith("#")]
    return [{k: float(v) if v else None for k, v in row.items()} for row in csv.DictReader(lines)]


def by_phi(points):
    """The points of each phi by falling time step, in the box of the original (the dilute one: ten of it)."""
    table = {}
    for point in points:
        if point["volume"] != (DILUTE_BOX if point["phi"] < 0.01 else ORIGINAL_BOX):
            continue
        table.setdefault(point["phi"], []).append(point)
    return {phi: sorted(table[phi], key=lambda p: -p["timestep"]) for phi in sorted(table)}


def mean(points, name):
    """Over the time steps: value, error, chi squared and its degrees of freedom. The error is widened by
    sqrt(chi squared per degree of freedom) where the time steps differ by more than their errors."""
    known = [(p[name], p[name + "_err"] ** -2) for p in points if not math.isnan(p[name])]
    weight = sum(w for _, w in known)
    value = sum(k * w for k, w in known) / weight
    chi, freedom = sum(w * (k - value) ** 2 for k, w in known), len(known) - 1
    return value, weight**-0.5 * math.sqrt(max(1, chi / max(freedom, 1))), chi, freedom


def scaled_erfc(x):
    if x < 20:
        return math.exp(x * x) * math.erfc(x)
    z = 0.5 / (x * x)
    return (1 - z * (1 - 3 * z * (1 - 5 * z))) / (x * math.sqrt(math.pi))


def collins_kimball(t):
    k_d = 4 * math.pi * D * R
    ratio = K_A / k_d
    return K_A / (1 + ratio) * (1 + ratio * scaled_erfc((1 + ratio) * math.sqrt(D * t) / R))


def half_rate(half_time):
    return math.log(2) / (C_B * half_time)


# --- the picture ------------------------------------------------------------------------------------

INK, GRID = "#222222", "#e2e2e2"
HALF, LATE, OTHERS = "#0b6e99", "#c2571a", "#6b4fa0"
PHI_COLOURS = ["#444444", "#3b6fb6", "#2a9d8f", "#8a9a1b", "#d9862b", "#b5302f"]


class Panel:
    """A pair of axes; x may be logarithmic."""

    def __init__(self, out, box, x, y, log=False):
        self.out, self.box, self.x, self.y, self.log = out, box, x, y, log

    def at(self, x, y):
        left, top, width, height = self.box
        f = math.log if self.log else float
        u = (f(x) - f(self.x[0])) / (f(self.x[1]) - f(self.x[0]))
        v = (y - self.y[0]) / (self.y[1] - self.y[0])
        return left + u * width, top + (1 - v) * height

    def line(self, a, b, colour, width=1.0, dash=""):
        (x1, y1), (x2, y2) = a, b
        dash = f' stroke-dasharray="{dash}"' if dash else ""
        self.out.append(f'<line x1="{x1:.2f}" y1="{y1:.2f}" x2="{x2:.2f}" y2="{y2:.2f}" stroke="{colour}" '
                        f'stroke-width="{width}"{dash}/>')

    def text(self, x, y, words, anchor="middle", size=12.5, colour=INK, extra=""):
        self.out.append(f'<text x="{x:.2f}" y="{y:.2f}" font-size="{size}" text-anchor="{anchor}" '
                        f'fill="{colour}"{extra}>{words}</text>')

    def axes(self, title, x_label, x_ticks, y_label, y_ticks):
        left, top, width, height = self.box
        for x in x_ticks:
            u, v = self.at(x, self.y[0])
            self.line((u, top), (u, v), GRID, 0.8)
            self.text(u, v + 20, f"{x:g}")
        for y in y_ticks:
            u, v = self.at(self.x[0], y)
            self.line((u, v), (left + width, v), GRID, 0.8)
            self.text(u - 9, v + 4.5, f"{y:g}", "end")
        self.out.append(f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="none" stroke="{INK}"/>')
        self.text(left, top - 12, title, "start", 15)
        self.text(left + width / 2, top + height + 42, x_label, size=13.5)
        u, v = left - 48, top + height / 2
        self.text(u, v, y_label, size=13.5, extra=f' transform="rotate(-90 {u:.1f} {v:.1f})"')

    def marker(self, place, shape, colour, filled=True, size=4.5):
        u, v = place
        paint = f'fill="{colour if filled else "#ffffff"}" stroke="{colour}" stroke-width="1.5"'
        if shape == "circle":
            self.out.append(f'<circle cx="{u:.2f}" cy="{v:.2f}" r="{size}" {paint}/>')
            return
        corners = {"square": [(-1, -1), (1, -1), (1, 1), (-1, 1)], "triangle": [(0, -1.3), (1.2, 0.9), (-1.2, 0.9)],
                   "diamond": [(0, -1.4), (1.3, 0), (0, 1.4), (-1.3, 0)]}[shape]
        points = " ".join(f"{u + size * a:.2f},{v + size * b:.2f}" for a, b in corners)
        self.out.append(f'<polygon points="{points}" {paint}/>')

    def point(self, x, y, error, shape, colour, filled=True, shift=0.0, size=4.5):
        u, v = self.at(x, y)
        if error:
            half = error * self.box[3] / (self.y[1] - self.y[0])
            self.line((u + shift, v - half), (u + shift, v + half), colour, 1.4)
        self.marker((u + shift, v), shape, colour, filled, size)

    def curve(self, points, colour, width=1.8, dash=""):
        places = " ".join("{:.2f},{:.2f}".format(*self.at(x, y)) for x, y in points)
        dash = f' stroke-dasharray="{dash}"' if dash else ""
        self.out.append(f'<polyline fill="none" stroke="{colour}" stroke-width="{width}" stroke-linejoin="round"{dash} '
                        f'points="{places}"/>')


SHAPES = {2e-3: ("square", False), 5e-4: ("circle", False), 1.25e-4: ("circle", True)}
SHIFTS = {2e-3: -7.0, 5e-4: 0.0, 1.25e-4: 7.0}


def draw_rates(out, table):
    panel = Panel(out, (80, 50, 650, 380), (-0.01, 0.28), (60, 112))
    panel.axes("A + B → C + B: the rate constant in a crowd", "share of the volume filled", [0, 0.05, 0.1, 0.15, 0.2, 0.25],
               "k [nm³/µs]", range(60, 111, 10))
    for name, colour in (("k_half", HALF), ("k_late", LATE)):
        line = []
        for phi, points in table.items():
            line.append((phi, mean(points, name)[0]))
            for p in (p for p in points if not math.isnan(p[name])):
                shape, filled = SHAPES[p["timestep"]]
                panel.point(phi, p[name], p[name + "_err"], shape, colour, filled, SHIFTS[p["timestep"]])
        panel.curve(line, colour, 1.2, "5 4")
    for phi, half_time in NERDSS_HALF_TIMES:
        panel.point(phi, half_rate(half_time), 0, "triangle", OTHERS, False, 16, 4)
    for name, phi, value, error in PUBLISHED:
        panel.point(phi, value, error, "triangle" if name == "NERDSS" else "diamond", OTHERS, True, 25)
    legend = [("circle", HALF, True, "ln 2/(c_B t_half), Δt = 0.125 ns"), ("circle", HALF, False, "the same, 0.5 ns"),
              ("square", HALF, False, "the same, 2 ns; dashed: mean of all Δt"), ("circle", LATE, True, "from 50 % to 10 % of A, likewise"),
              ("triangle", OTHERS, False, "NERDSS, from its half times"), ("triangle", OTHERS, True, "NERDSS, as published"),
              ("diamond", OTHERS, True, "eGFRD, as published")]
    for n, (shape, colour, filled, words) in enumerate(legend):
        v = 72 + 19 * n
        panel.marker((98, v), shape, colour, filled)
        panel.text(110, v + 4.5, words, "start", 12)


def draw_time(out, survival):
    panel = Panel(out, (80, 530, 650, 330), (0.01, 4.0), (60, 130), log=True)
    panel.axes("The rate constant in time, −d ln A/dt / c_B, as a mean from 0.8 t to 1.25 t", "t [µs]",
               [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 4], "k(t) [nm³/µs]", range(60, 131, 10))
    times = [0.01 * 400 ** (n / 200) for n in range(201)]
    panel.curve([(t, collins_kimball(t)) for t in times], INK, 1.2, "2 3")
    for n, (phi, all_steps) in enumerate(by_phi(survival).items()):
        colour = PHI_COLOURS[n % len(PHI_COLOURS)]
        shortest = min(p["timestep"] for p in all_steps if p["time"] > 2)
        points = [p for p in all_steps if p["timestep"] == shortest and p["k"] is not None and panel.x[0] < p["time"]]
        points.sort(key=lambda p: p["time"])
        shown = [p for p in points if p["k"] <= panel.y[1]]
        panel.curve([(p["time"], p["k"]) for p in shown], colour)
        for p in shown:
            panel.point(p["time"], p["k"], p["k_err"], "circle", colour, True, 0, 2)
        panel.line((610, 548 + 18 * n), (634, 548 + 18 * n), colour, 2)
        panel.text(642, 552.5 + 18 * n, f"{100 * phi:.2g} %", "start", 12)
    v = 548 + 18 * len(by_phi(survival))
    panel.line((610, v), (634, v), INK, 1.2, "2 3")
    panel.text(642, v + 4.5, "theory, 0 %", "start", 12)


def picture(table, survival):
    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="760" height="920" viewBox="0 0 760 920" '
           'font-family="DejaVu Sans, Verdana, Helvetica, sans-serif">',
           "<title>The crowding case: rate constants by packing fraction, and in time</title>",
           '<rect width="100%" height="100%" fill="#ffffff"/>']
    draw_rates(out, table)
    draw_time(out, survival)
    return "\n".join(out + ["</svg>", ""])


# --- the tables -------------------------------------------------------------------------------------

def pm(value, error, digits=1):
    return "" if math.isnan(value) else f"{value:.{digits}f} ± {error:.{digits}f}"


def tables(points):
    names = ["k_half", "k_late", "counted_k_half", "counted_k_late"]
    print("| phi | box (nm³) | Δt (ns) | placements | k, t½ | k, 50 → 10 % | counted: k, t½ | k, 50 → 10 % | t½ (µs) "
          "| contacts/theory | reactions | body-steps |")
    print("|" + " --- |" * 12)
    for p in points:
        cells = [f"{p['phi']:g}", f"{p['volume']:.0f}", f"{1e3 * p['timestep']:g}", f"{p['placements']:.0f}"]
        cells += [pm(p[k], p[k + "_err"]) for k in names] + [pm(p["t50"], p["t50_err"], 3)]
        cells += [f"{p['contacts_over_theory']:.4f}", f"{p['reactions']:.0f}", f"{p['body_steps']:.1e}"]
        print("| " + " | ".join(cells) + " |")
    print("\n| phi | k, t½ | k, 50 → 10 % | t½ (µs) | chi² (freedom) | NERDSS: t½ (µs) | NERDSS: k, t½ |")
    print("|" + " --- |" * 7)
    for phi, of_phi in by_phi(points).items():
        half, late, time = (mean(of_phi, name) for name in ("k_half", "k_late", "t50"))
        theirs = [t for p, t in NERDSS_HALF_TIMES if p == phi]
        cells = [f"{phi:g}", pm(*half[:2]), pm(*late[:2]), pm(*time[:2], 3)]
        cells += [", ".join(f"{fit[2]:.1f} ({fit[3]})" for fit in (half, late) if fit[3])]
        cells += ["–".join(f"{t:g}" for t in theirs), "–".join(f"{half_rate(t):.1f}" for t in reversed(theirs))]
        print("| " + " | ".join(cells) + " |")
    print(f"\n{sum(p['body_steps'] for p in points):.2e} particle steps, "
          f"{sum(p['reactions'] for p in points):.0f} reactions in all")


def main():
    points = rows("crowding.csv")
    path = os.path.join(HERE, "..", "docs", "crowding.svg")
    with open(path, "w") as file:
        file.write(picture(by_phi(points), rows("crowding_survival.csv")))
    tables(points)


if __name__ == "__main__":
    main()
