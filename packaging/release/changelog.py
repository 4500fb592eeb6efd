"""Prints what CHANGELOG.md says about a version: python packaging/release/changelog.py 0.2.0"""

import re
import sys
from pathlib import Path

CHANGELOG = Path(__file__).parents[2] / "CHANGELOG.md"


def section(version: str, text: str) -> str | None:
    """What stands between the heading of a version that has been released and the next; None without one."""
    heading = rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d\n(.*?)(?=^## |^\[[^]]+\]: |\Z)"
    found = re.search(heading, text, re.DOTALL | re.MULTILINE)
    return found and found[1].strip()


def main() -> None:
    [version] = sys.argv[1:] or sys.exit(__doc__)
    said = section(version, CHANGELOG.read_text(encoding="utf-8"))
    if not said:
        sys.exit(f"CHANGELOG.md: says nothing under a heading `## [{version}] - YYYY-MM-DD`")
    print(said)


if __name__ == "__main__":
    main()
