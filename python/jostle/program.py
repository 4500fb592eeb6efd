"""The program, started as a file with as little of Python as there can be.

Each run of a sweep is a process of its own, so that its start counts. As a file it needs neither
``site`` nor the package, and finds what it needs beside itself, whatever the path of its parent is.
"""

import os
import sys

if __name__ == "__main__":
    # Last, so that no module of the package stands in for one of Python's.
    sys.path.append(os.path.dirname(__file__))
    import _jostle  # type: ignore[import-not-found]

    sys.exit(_jostle.cli(["jostle", *sys.argv[1:]]))
