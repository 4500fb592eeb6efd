"""What a peer tells of a run: who it was, how long it took, where its particles ended."""

import dataclasses
import os
import sys
import time


class Watch:
    """Seconds on the wall and of the processors; what stands in a `with` adds up."""

    def __init__(self):
        self.wall = self.processor = 0.0

    def __enter__(self):
        self._begun = time.perf_counter(), time.process_time()
        return self

    def __exit__(self, *_):
        wall, processor = self._begun
        self.wall += time.perf_counter() - wall
        self.processor += time.process_time() - processor


@dataclasses.dataclass
class Measured:
    version: str
    watch: Watch
    steps: int
    bodies: float  # in the mean over the steps
    centres: object = None  # at the end, where it can be seen whether they overlap
    left: object = None  # how many particles there are at the end
    cluster: object = None  # how many particles a cluster has at the end in the mean, lone ones included
    note: str = ""


class Counted:
    """The mean number of particles over a run that is done in stretches."""

    def __init__(self, first):
        self.sum, self.steps, self.last = 0.0, 0, first

    def add(self, steps, now):
        self.sum += 0.5 * (self.last + now) * steps
        self.steps += steps
        self.last = now

    def mean(self):
        return self.sum / self.steps


def own_words():
    """A stream for what we say. What a peer prints, also from C, goes nowhere."""
    words = os.fdopen(os.dup(1), "w")
    sys.stdout.flush()
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return words
