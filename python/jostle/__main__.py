"""The program ``jostle``, as ``python -m jostle`` and as the command that the package installs."""

from __future__ import annotations

import signal
import sys

from jostle import _jostle


def main() -> int:
    """Carry out the command line of the process; returns the exit code."""
    # Python would only note Ctrl-C until the program returns; the program has its own way with it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _jostle.cli(["jostle", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
