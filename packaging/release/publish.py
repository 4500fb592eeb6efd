"""Publishes the crates that crates.io does not have in this version yet: python packaging/release/publish.py

Cargo refuses all of them if it has one, as it has after a run that failed half-way. Further arguments go to
`cargo publish`, for example --dry-run.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]


def crates() -> list[tuple[str, str]]:
    """Names and versions of all crates that are meant for crates.io."""
    command = ["cargo", "metadata", "--no-deps", "--locked", "--format-version=1"]
    told = subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    packages = json.loads(told.stdout)["packages"]
    return [(package["name"], package["version"]) for package in packages if package["publish"] != []]


def is_there(name: str, version: str) -> bool:
    # Outside of the clone: within it cargo tells what is in the clone.
    with tempfile.TemporaryDirectory() as folder:
        command = ["cargo", "info", "--quiet", "--registry=crates-io", f"{name}@{version}"]
        asked = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    missing = "could not find" in asked.stderr
    if asked.returncode != 0 and not missing:
        sys.exit(f"{name}: {asked.stderr}")
    return not missing


def main() -> None:
    missing = [name for name, version in crates() if not is_there(name, version)]
    if not missing:
        print("All crates are on crates.io in this version.")
        return
    # Cargo publishes each after those that it depends on.
    packages = [f"--package={name}" for name in missing]
    sys.exit(subprocess.run(["cargo", "publish", "--locked", *packages, *sys.argv[1:]], cwd=ROOT).returncode)


if __name__ == "__main__":
    main()
