"""Checks that all files name the same version: python packaging/release/check.py [v0.2.0]

With a tag, also that it is the tag of that version, and that CHANGELOG.md has a section for it.
"""

import re
import sys
import tomllib
from pathlib import Path

import changelog

ROOT = Path(__file__).parents[2]
# Outside of Cargo.toml: files, and what stands before the version.
ELSEWHERE = {
    "packaging/conda/recipe.yaml": r"^  version: (\S+)$",
    "CITATION.cff": r"^version: (\S+)$",
    ".zenodo.json": r'^  "version": "(\S+)",$',
}


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def versions() -> tuple[str, dict[str, str | None]]:
    """The version of the workspace, and that which each other place names."""
    workspace = tomllib.loads(read("Cargo.toml"))["workspace"]
    named = {
        f"Cargo.toml: {crate} under [workspace.dependencies]": entry.get("version")
        for crate, entry in workspace["dependencies"].items()
        if isinstance(entry, dict) and "path" in entry
    }
    for name, pattern in ELSEWHERE.items():
        found = re.search(pattern, read(name), re.MULTILINE)
        named[name] = found and found[1]
    return workspace["package"]["version"], named


def faults(tag: str | None) -> list[str]:
    version, named = versions()
    found = [f"{place} has version {other}, not {version}" for place, other in named.items() if other != version]
    if tag is not None:
        if tag != f"v{version}":
            found.append(f"the tag is {tag}, not v{version}, the version in Cargo.toml")
        if not changelog.section(version, read("CHANGELOG.md")):
            found.append(f"CHANGELOG.md says nothing under a heading `## [{version}] - YYYY-MM-DD`")
    return found


def main() -> None:
    if len(sys.argv) > 2:
        sys.exit(__doc__)
    if found := faults(sys.argv[1] if len(sys.argv) == 2 else None):
        sys.exit("\n".join(found))


if __name__ == "__main__":
    main()
