"""Looks for faults in the scripts of the pages with oxlint: python tests/tidy/javascript.py OXLINT

A page has all of them in one function, one after the other (crates/report/src/report/page/film.html). They are checked
in that form: a name that one of them defines is used in another.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "crates/report/src/report/page"
RULES = Path(__file__).with_name("oxlint.jsonc")


def joined(scripts: list[Path]) -> tuple[str, list[tuple[Path, int]]]:
    """One script of all, and the file and line that each of its lines comes from."""
    lines, origins = ['"use strict"; (() => {'], [(scripts[0], 1)]
    for path in scripts:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            lines.append(line)
            origins.append((path.relative_to(ROOT), number))
    return "\n".join([*lines, "})();", ""]), [*origins, origins[-1]]


def main() -> None:
    [oxlint] = sys.argv[1:] or sys.exit(__doc__)
    scripts = sorted(PAGE.glob("*.js"))
    text, origins = joined(scripts)
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.js"
        page.write_text(text, encoding="utf-8")
        command = [Path(oxlint).resolve(), "--config", RULES, "--deny-warnings", "--format=unix", page.name]
        found = subprocess.run(command, cwd=folder, capture_output=True, text=True)

    def place(match: re.Match[str]) -> str:
        path, number = origins[int(match[1]) - 1]
        return f"{path}:{number}:"

    print(re.sub(r"^page\.js:(\d+):", place, found.stdout, flags=re.MULTILINE) + found.stderr, end="")
    sys.exit(found.returncode)


if __name__ == "__main__":
    main()
