"""Runs one workload on one peer and prints a line of JSON. compare_peers.py calls it, a process for each run."""

import argparse
import importlib
import json
import resource

from measured import own_words
from workloads import WORKLOADS, edge, quick


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("peer")
    options.add_argument("workload", choices=[*WORKLOADS, "nothing"])
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--threads", type=int, help="in the way that can take several; else the fastest way for one")
    options.add_argument("--folder", default=".", help="where starts are kept")
    options.add_argument("--steps", type=int, help="so many, instead of the workload's")
    options.add_argument("--quick", action="store_true")
    asked = options.parse_args()
    words = own_words()
    peer = importlib.import_module(f"with_{asked.peer}")
    if asked.workload == "nothing":
        words.write(json.dumps({"kinds": peer.KINDS, "threads": peer.THREADS}) + "\n")
        return
    work = WORKLOADS[asked.workload]
    work = quick(work) if asked.quick else work
    if asked.steps and not asked.quick:
        work = type(work)(**{**vars(work), "steps": asked.steps})
    measured = getattr(peer, work.kind)(work, asked.seed, asked.threads, asked.folder)
    if measured is None:  # not the first of several processes
        return
    # Before overlaps are counted, which needs more.
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0
    line = {
        "program": asked.peer,
        "version": measured.version,
        "workload": asked.workload,
        "threads": asked.threads or 1,
        "steps": measured.steps,
        "mean bodies": measured.bodies,
        "wall [s]": measured.watch.wall,
        "processor [s]": measured.watch.processor,
        "million body-steps/s": measured.bodies * measured.steps / measured.watch.wall / 1e6,
        "whole process at most [MiB]": memory,
        "note": measured.note,
    }
    if measured.left is not None:
        line["bodies at the end"] = int(measured.left)
    if measured.cluster is not None:
        line["mean cluster size at the end"] = measured.cluster
    if measured.centres is not None:
        import starts

        share, nearest = starts.overlapping(measured.centres, edge(work, 3))
        line["overlapping"] = share
        line["nearest [diameters]"] = nearest
    words.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
