"""Starts without overlap, and how many particles overlap afterwards. Needs numpy, and scipy where it is used, so
that programs that need neither are not charged with its memory."""

import math
import os

import numpy as np

import workloads

# Closer than so many diameters: an overlap that counts.
OVERLAP = 0.99
# Up to here particles are placed at random one after the other, beyond on a jittered lattice with vacancies.
MOST_AT_RANDOM = 0.15
# Disks that have no bond to each other are at least so far apart where others have one.
APART = 2.05


def start(workload, dimension, seed, folder):
    """Centres of spheres or disks of radius 1 in the box, in no order; made once and kept in the folder. Of chains
    also, in a last column, who has a bond to the one before."""
    kind = "chains" if workload.chained else f"{dimension}d"
    name = f"start-{kind}-{workload.bodies}-{workload.packing}-{seed}.npy"
    path = os.path.join(folder, name)
    if os.path.exists(path):
        return np.load(path)
    side = workloads.edge(workload, dimension)
    random = np.random.default_rng(seed)
    unbound = at_random if workload.packing <= MOST_AT_RANDOM else on_a_lattice
    make = in_chains if workload.chained else unbound
    centres = make(workload.bodies, side, dimension, random)
    np.save(path, centres)
    return centres


def at_random(count, side, dimension, random):
    """Random sequential addition, many at a time."""
    from scipy.spatial import cKDTree

    centres = np.empty((0, dimension))
    while len(centres) < count:
        new = random.uniform(0.0, side, (count - len(centres) + 50, dimension))
        if len(centres):
            near = cKDTree(centres, boxsize=side).query(new, distance_upper_bound=2.0)[0]
            new = new[near >= 2.0]
        drop = np.zeros(len(new), bool)
        pairs = cKDTree(new, boxsize=side).query_pairs(2.0, output_type="ndarray")
        drop[pairs.max(axis=1)] = True
        centres = np.vstack([centres, new[~drop]])
    return np.ascontiguousarray(centres[:count])


def on_a_lattice(count, side, dimension, random):
    """A square or simple cubic lattice with vacancies, each centre moved within its gap."""
    cells = math.ceil(count ** (1.0 / dimension) - 1e-9)
    pitch = side / cells
    sites = random.permutation(cells**dimension)[:count]
    places = np.stack(np.unravel_index(sites, (cells,) * dimension), axis=1).astype(float)
    gap = 0.999 * (pitch - 2.0) / 2.0
    return (places + 0.5) * pitch + random.uniform(-gap, gap, (count, dimension))


def in_chains(count, side, _dimension, random):
    """Disks in bent chains at random, one in 2^n of which has n disks: so many there are when disks that were alone
    have bound each other at one rate, until there are two in a chain on average."""
    from scipy.spatial import cKDTree

    heads = np.cumsum(random.geometric(0.5, count)[:-1])
    heads = np.concatenate([[0], heads[heads < count]])
    is_head = np.isin(np.arange(count), heads)
    chain = np.cumsum(is_head) - 1

    def added_up(values):
        total = np.cumsum(values, axis=0)
        return total - (total - values)[heads][chain]

    centres, wrong = np.empty((count, 2)), np.ones(len(heads), bool)
    while wrong.any():
        turn = random.uniform(-1.0, 1.0, count) * np.where(is_head, np.pi, np.pi / 3)
        along = added_up(turn)
        steps = 2.0 * np.column_stack([np.cos(along), np.sin(along)])
        steps[heads] = random.uniform(0.0, side, (len(heads), 2))
        again = wrong[chain]
        centres[again] = np.mod(added_up(steps), side)[again]
        pairs = cKDTree(centres, boxsize=side).query_pairs(APART, output_type="ndarray")
        pairs.sort(axis=1)
        bound = (pairs[:, 1] == pairs[:, 0] + 1) & ~is_head[pairs[:, 1]]
        wrong[:] = False
        wrong[chain[pairs[~bound, 1]]] = True
    return np.column_stack([centres, ~is_head])


def mean_cluster_size(count, bonds):
    """Of so many particles, lone ones included, with bonds between these pairs."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    first, second = np.asarray(bonds, int).reshape(-1, 2).T
    graph = coo_array((np.ones(len(first)), (first, second)), (count, count))
    return count / connected_components(graph, directed=False)[0]


def overlapping(centres, side):
    """The share of particles of radius 1 that overlap another, and the least distance of two in diameters."""
    from scipy.spatial import cKDTree

    centres = np.mod(np.asarray(centres, float), side)
    centres[centres >= side] = 0.0
    pairs = cKDTree(centres, boxsize=side).query_pairs(2.0, output_type="ndarray")
    if not len(pairs):
        return 0.0, 1.0
    apart = centres[pairs[:, 0]] - centres[pairs[:, 1]]
    apart -= side * np.round(apart / side)
    distance = np.sqrt((apart * apart).sum(axis=1)) / 2.0
    involved = np.zeros(len(centres), bool)
    involved[pairs[distance < OVERLAP].ravel()] = True
    return float(involved.mean()), float(distance.min())
