"""What the book keeps is told apart by all that it was calculated with."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import ROOT

pytest.importorskip("myst_nb")
sys.path.insert(0, str(ROOT / "docs/_ext"))

INPUTS = [
    "docs/conf.py",
    "docs/_ext/terminal.py",
    "docs/figures/matplotlibrc",
    "models/walk.toml",
    "data/numbers.csv",
    "package/_jostle.abi3.so",
    "package/runs.py",
]


@pytest.fixture
def name(tmp_path: Path) -> Callable[[], str]:
    """The name that a clone with a few files gives to what its pages calculate with."""
    outputs = pytest.importorskip("outputs")
    for path in INPUTS:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("one")
    return lambda: str(outputs.name_of_jostle(tmp_path, tmp_path / "package"))


@pytest.mark.parametrize("path", INPUTS)
def test_another_input_gives_another_name(
    path: str, name: Callable[[], str], tmp_path: Path
) -> None:
    before = name()
    (tmp_path / path).write_text("two")
    assert name() != before
    (tmp_path / path).write_text("one")
    assert name() == before


def test_pages_and_caches_of_bytecode_do_not_count(
    name: Callable[[], str], tmp_path: Path
) -> None:
    before = name()
    (tmp_path / "docs/index.md").write_text("Text")
    (tmp_path / "package/runs.cpython-313.pyc").write_text("bytecode")
    assert name() == before


def test_another_version_of_a_package_gives_another_name(
    name: Callable[[], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = name()
    information = tmp_path / "site/plots-1.0.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: plots\nVersion: 1.0\n")
    monkeypatch.syspath_prepend(tmp_path / "site")
    with_plots = name()
    assert with_plots != before
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: plots\nVersion: 1.1\n")
    assert name() not in (before, with_plots)


def test_outputs_belong_to_the_cells_of_a_page(tmp_path: Path) -> None:
    outputs = pytest.importorskip("outputs")
    nbformat = pytest.importorskip("nbformat.v4")
    caches = pytest.importorskip("jupyter_cache")
    bundles = pytest.importorskip("jupyter_cache.base")

    def page(text: str, code: str) -> object:
        return nbformat.new_notebook(
            cells=[nbformat.new_markdown_cell(text), nbformat.new_code_cell(code)]
        )

    cache = caches.get_cache(tmp_path)
    cache.cache_notebook_bundle(bundles.CacheBundleIn(page("text", "1 + 1"), "page"), False)
    assert outputs._is_kept(cache, page("other text", "1 + 1"))
    assert not outputs._is_kept(cache, page("text", "1 + 2"))
