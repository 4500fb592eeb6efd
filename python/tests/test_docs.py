"""The pages and examples do what they say."""

from __future__ import annotations

import doctest
import importlib
import os
import pkgutil
import re
import runpy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import MODELS, ROOT

import jostle

BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of its own, in which the models of the clone are found."""
    (tmp_path / "models").symlink_to(MODELS)
    monkeypatch.chdir(tmp_path)
    yield tmp_path


def test_the_page_about_python(folder: Path) -> None:
    blocks = BLOCK.findall((ROOT / "docs/python.md").read_text())
    assert len(blocks) >= 8
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), names)


def test_the_example(folder: Path) -> None:
    names = runpy.run_path(str(ROOT / "examples/python/receptors.py"))
    assert names["bound"].height > 0
    there = subprocess.run(
        [sys.executable, "-m", "jostle", "run", "receptors.toml", "--out", "there.h5md"],
        capture_output=True,
        text=True,
    )
    assert there.returncode == 0, there.stderr
    same = subprocess.run([sys.executable, "-m", "jostle", "diff", "receptors.h5md", "there.h5md"])
    assert same.returncode == 0


def modules() -> list[str]:
    # What process-bigraph prints when it is set up depends on what else is installed.
    others = ["_jostle", "__main__", "bigraph"]
    found = [module.name for module in pkgutil.iter_modules(jostle.__path__)]
    return ["jostle", *(f"jostle.{name}" for name in found if name not in others)]


@pytest.mark.parametrize("name", modules())
def test_docstrings(name: str, folder: Path) -> None:
    """Examples in docstrings give what stands below them."""
    module = importlib.import_module(name)
    failed, _ = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert failed == 0


def test_everything_public_is_documented() -> None:
    for name in dir(jostle):
        value = getattr(jostle, name)
        if name.startswith("_") or not (isinstance(value, type) or callable(value)):
            continue
        assert value.__doc__, name
        members = vars(value).items() if isinstance(value, type) else []
        for member, inner in members:
            if not member.startswith("_") and (callable(inner) or isinstance(inner, property)):
                assert inner.__doc__, f"{name}.{member}"


def test_import_is_light() -> None:
    """Without numpy, let alone pandas: the program starts by it."""
    code = "import sys, jostle; print('numpy' in sys.modules, 'pandas' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False False\n"


@pytest.mark.parametrize("first", ["h5py", "jostle", "MDAnalysis"])
def test_either_hdf5_may_come_first(first: str, tmp_path: Path) -> None:
    """h5py brings its own HDF5; what one has written the other reads, in one process."""
    pytest.importorskip("MDAnalysis")
    modules = [first, *(name for name in ["h5py", "jostle", "MDAnalysis"] if name != first)]
    code = (
        f"import sys, {', '.join(modules)}\n"
        "model = jostle.load(sys.argv[1], set={'run.until': '20 us'})\n"
        "job = model.start('run.h5md')\n"
        "job.result()\n"
        "with h5py.File('run.h5md') as f:\n"
        "    frames = len(f['particles/trajectory/position/value'])\n"
        "assert frames == len(jostle.open('run.h5md').frames) > 1\n"
        "assert jostle.rerun('run.h5md').equal\n"
    )
    model = str(MODELS / "reversible_binding.toml")
    for locking in ["", "FALSE"]:
        environment = {**os.environ, **({"HDF5_USE_FILE_LOCKING": locking} if locking else {})}
        folder = tmp_path / f"locking{locking}"
        folder.mkdir()
        subprocess.run(
            [sys.executable, "-c", code, model], cwd=folder, env=environment, check=True
        )


def test_h5py_reads_what_a_run_is_writing(tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    model = jostle.load(MODELS / "reversible_binding.toml", set={"run.until": "1 s"})
    job = model.start(tmp_path / "run.h5md")
    while not job.path.exists() or len(job.run.frames) < 3:
        pass
    with h5py.File(job.path, swmr=True, locking=False) as f:
        assert len(f["particles/trajectory/position/value"]) >= 3
    job.stop()


def test_the_notebook(tmp_path: Path) -> None:
    """Every cell of the notebook, with a shorter model and fewer replicas, shows what it should."""
    nbformat = pytest.importorskip("nbformat")
    client = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    pytest.importorskip("xarray")
    pytest.importorskip("matplotlib")
    text = (MODELS / "egfr_clustering.toml").read_text()
    short = text.replace('until = "40 ms"', 'until = "12 ms"')
    assert short != text
    (tmp_path / "egfr_clustering.toml").write_text(short)
    book = nbformat.read(ROOT / "examples/python/egfr.ipynb", as_version=4)
    code = [cell for cell in book.cells if cell.cell_type == "code"]
    for cell in code:
        cell.source = cell.source.replace("replicas=64", "replicas=2")
    client.NotebookClient(book, timeout=300, resources={"metadata": {"path": tmp_path}}).execute()
    shown = [
        {kind: "".join(data) for out in cell.outputs for kind, data in out.get("data", {}).items()}
        for cell in code
    ]
    model, check, job, counts, player, _, _, line = shown
    assert "dimerise" in model["text/html"] and "EGFR" in model["text/html"]
    assert "text/html" in check
    assert "<progress" in job["text/html"]
    assert "<svg" in counts["image/svg+xml"]
    assert "<iframe" in player["text/html"] and "srcdoc" in player["text/html"]
    assert "image/png" in line
