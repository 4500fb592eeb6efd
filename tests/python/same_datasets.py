"""Holds pairs of files to be the same run: every dataset of frames and events, its shape and every bit.

    same_datasets.py A B [A B ...]

How a run went (/runs) and what it was told (/parameters) may differ.
"""

import sys

import h5py

GROUPS = ["particles", "connectivity", "observables", "events"]


def datasets(file):
    found = {}
    for group in GROUPS:
        if group in file:
            file[group].visititems(lambda name, item: found.update({f"{group}/{name}": item})
                                   if isinstance(item, h5py.Dataset) else None)
    return found


def bits(dataset):
    values = dataset[()]
    if dataset.dtype.names:
        # What lies between the fields means nothing.
        return [values[name].tobytes() for name in dataset.dtype.names]
    return values.tolist() if dataset.dtype.kind == "O" else values.tobytes()


def compare(first, second):
    with h5py.File(first) as a, h5py.File(second) as b:
        one, other = datasets(a), datasets(b)
        assert one.keys() == other.keys(), (first, second, one.keys() ^ other.keys())
        assert len(one) > 20, first
        rows = 0
        for name in one:
            assert one[name].shape == other[name].shape, (first, second, name, one[name].shape, other[name].shape)
            assert one[name].dtype == other[name].dtype, (first, second, name)
            assert bits(one[name]) == bits(other[name]), (first, second, name)
            rows += len(one[name])
        print(f"{first}: {len(one)} datasets, {rows} rows, equal")


arguments = sys.argv[1:]
assert arguments and len(arguments) % 2 == 0
for pair in zip(arguments[::2], arguments[1::2]):
    compare(*pair)
