#!/usr/bin/env python3
"""Runs models/psi_prion.toml with several seeds and three treatments, and makes of it data/prion.csv
and docs/prion.svg: how many aggregates there are, and how large they are, over generations.

    python3 data/prion.py target/release/jostle [SEEDS]

Needs h5py and numpy (make tools puts them into .tools/python).
"""
import csv
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(ROOT / ".tools" / "python"))
import h5py  # noqa: E402
import numpy as np  # noqa: E402

GENERATION = 160.0  # us of model time
NEVER = "1 s"
TREATMENTS = {
    "Hsp104 at work": {"schedule.guanidine.at": NEVER, "schedule.wash.at": NEVER},
    "guanidine in generations 4 to 6": {},
    "guanidine throughout": {"schedule.guanidine.at": "0 us", "schedule.wash.at": NEVER},
}
COLOURS = ["#009E73", "#0072B2", "#D55E00"]


def run(jostle, seed, settings):
    """Numbers and mean sizes of aggregates in all frames of one run: [frame][time, number, size]."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out.h5md"
        command = [jostle, "run", ROOT / "models" / "psi_prion.toml", "--quiet", "--seed", str(seed)]
        command += ["--out", out]
        for key, value in settings.items():
            command += ["--set", f"{key}={value}"]
        subprocess.run([str(word) for word in command], check=True)
        with h5py.File(out) as file:
            particles = file["particles/trajectory"]
            names = list(particles["species"].attrs["names"])
            kind = particles["species"][:] == names.index("Aggregate")
            time = particles["position/time"][:] / 1000
            ids, held = particles["id/value"][:], particles["coalesced/value"][:]
            rows = []
            for t, here, size in zip(time, ids >= 0, held):
                sizes = size[here & kind]
                rows.append((t, len(sizes), sizes.mean() if len(sizes) else np.nan))
            return np.array(rows)


def measure(jostle, seeds):
    rows = []
    for name, settings in TREATMENTS.items():
        runs = np.array([run(jostle, seed, settings) for seed in range(1, seeds + 1)])
        number, size = runs[:, :, 1], runs[:, :, 2]
        for n, t in enumerate(runs[0, :, 0]):
            # A run without aggregates has no mean size; early frames may have none at all.
            known = size[:, n][~np.isnan(size[:, n])]
            mean = known.mean() if len(known) else np.nan
            error = number[:, n].std(ddof=1) / np.sqrt(seeds)
            rows.append((name, t / GENERATION, number[:, n].mean(), error, mean))
    with open(HERE / "prion.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["treatment", "generation", "aggregates", "standard_error", "mean_size"])
        for name, *values in rows:
            writer.writerow([name] + [f"{value:.4g}" for value in values])


def panel(rows, column, title, left, log_ticks):
    """One panel: a line for each treatment, on a logarithmic axis."""
    width, height, top = 360, 260, 60
    low, high = np.log(log_ticks[0]), np.log(log_ticks[-1])
    x = lambda g: left + width * g / 8
    y = lambda v: top + height * (1 - (np.log(v) - low) / (high - low))
    text = [f'<text x="{left}" y="{top - 14}" font-weight="bold">{title}</text>']
    text.append(f'<rect x="{x(3)}" y="{top}" width="{x(6) - x(3)}" height="{height}" fill="#0072B2" opacity="0.08"/>')
    for tick in log_ticks:
        text.append(f'<line x1="{left}" x2="{left + width}" y1="{y(tick):.1f}" y2="{y(tick):.1f}" stroke="#ddd"/>')
        text.append(f'<text x="{left - 8}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick}</text>')
    for g in range(9):
        text.append(f'<text x="{x(g)}" y="{top + height + 18}" text-anchor="middle">{g}</text>')
    text.append(f'<text x="{left + width / 2}" y="{top + height + 38}" text-anchor="middle">generation</text>')
    text.append(f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="none" stroke="#333"/>')
    for name, colour in zip(TREATMENTS, COLOURS):
        points = [(float(r["generation"]), float(r[column])) for r in rows if r["treatment"] == name]
        points = [(g, v) for g, v in points if v == v and v >= log_ticks[0]]
        path = " ".join(f"{x(g):.1f},{y(v):.1f}" for g, v in points)
        text.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
    return text


def draw():
    with open(HERE / "prion.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    text = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 880 420" font-family="sans-serif" font-size="13">']
    text.append('<rect width="880" height="420" fill="white"/>')
    text += panel(rows, "aggregates", "Propagons (mean over runs)", 60, [0.1, 0.5, 1, 2, 5, 10, 20, 50, 100])
    text += panel(rows, "mean_size", "Particles in an aggregate (mean)", 490, [2, 5, 10, 20, 50, 100, 200])
    for n, (name, colour) in enumerate(zip(TREATMENTS, COLOURS)):
        left = 60 + 270 * n
        text.append(f'<line x1="{left}" x2="{left + 24}" y1="395" y2="395" stroke="{colour}" stroke-width="3"/>')
        text.append(f'<text x="{left + 32}" y="399">{name}</text>')
    text.append("</svg>")
    (ROOT / "docs" / "prion.svg").write_text("\n".join(text) + "\n")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        measure(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 6)
    draw()
