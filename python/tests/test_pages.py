"""Pages, pictures and exports."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

import pytest
from asking import RUNS, made, program
from conftest import MODELS

import jostle


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, jostle.Run]:
    folder = tmp_path_factory.mktemp("runs")
    return {name: made(name, folder) for name in RUNS}


def test_the_report_is_that_of_the_program(runs: dict[str, jostle.Run], tmp_path: Path) -> None:
    for name, run in runs.items():
        program("report", run.path, "--out", tmp_path / f"{name}.html")
        assert run.report().html == (tmp_path / f"{name}.html").read_text(encoding="utf-8")


def test_pages_stand_in_a_frame_and_need_no_network(runs: dict[str, jostle.Run]) -> None:
    for run in runs.values():
        for page in (run.report(), run.player()):
            shown = page._repr_html_()
            found = re.fullmatch(r'<iframe srcdoc="([^"]*)" .*></iframe>', shown, re.DOTALL)
            assert found and html.unescape(found[1]) == page.html
            policy = "default-src 'none'"
            assert policy in page.html
            assert not re.search(r'(src|href)="(https?:)?//', page.html)


def test_the_player_has_the_frames_and_nothing_else(runs: dict[str, jostle.Run]) -> None:
    run = runs["reversible_binding"]
    page = run.player(frames=5)
    assert page.html.count('class="frame"') == 5
    assert 'id="player"' in page.html and "<h1>" not in page.html and "<nav" not in page.html
    assert len(page.html) < len(run.report(frames=5).html)


def test_pages_are_saved(runs: dict[str, jostle.Run], tmp_path: Path) -> None:
    page = runs["reversible_binding"].player(frames=2)
    page.save(tmp_path / "player.html")
    assert (tmp_path / "player.html").read_text(encoding="utf-8") == page.html
    with pytest.raises(FileExistsError):
        page.save(tmp_path / "player.html")
    with pytest.raises(OSError):
        page.save(tmp_path / "nowhere" / "player.html")


def test_snapshots_are_those_of_the_program(runs: dict[str, jostle.Run], tmp_path: Path) -> None:
    cases: list[tuple[str, dict[str, Any], list[str]]] = [
        ("reversible_binding", {}, []),
        ("reversible_binding", {"frame": [0, -1]}, ["--frame", "first,last"]),
        (
            "reversible_binding",
            {"frame": 3, "colour": "species", "magnify": 2, "part": (0, 0, 50, 40)},
            ["--frame", "3", "--colour", "species", "--magnify", "2", "--part", "0,0,50,40"],
        ),
        (
            "reversible_binding",
            {"colour": "species", "colours": {"A": "#123456"}, "title": "A and B"},
            ["--colour", "species", "--colours", "A=#123456", "--title", "A and B"],
        ),
        ("hopper_polygons", {"forces": True}, ["--forces"]),
    ]
    for name, given, words in cases:
        out = tmp_path / "theirs.svg"
        program("snapshot", runs[name].path, "--out", out, "--force", *words)
        picture = runs[name].snapshot(**given)
        assert picture.svg == out.read_text(encoding="utf-8")
        assert picture._repr_svg_() == picture.svg and picture.png.startswith(b"\x89PNG")


def test_pictures_are_saved(runs: dict[str, jostle.Run], tmp_path: Path) -> None:
    picture = runs["reversible_binding"].counts().plot()
    picture.save(tmp_path / "p.svg")
    picture.save(tmp_path / "p.png")
    assert (tmp_path / "p.svg").read_text(encoding="utf-8") == picture.svg
    assert (tmp_path / "p.png").read_bytes() == picture.png
    with pytest.raises(FileExistsError):
        picture.save(tmp_path / "p.png")
    with pytest.raises(ValueError, match="must end in .svg, .pdf or .png"):
        picture.save(tmp_path / "p.gif")


def test_exports_are_those_of_the_program(runs: dict[str, jostle.Run], tmp_path: Path) -> None:
    run = runs["egfr_clustering"]
    cases: list[tuple[str, dict[str, Any], list[str]]] = [
        ("a.xyz", {}, []),
        (
            "b.xyz",
            {"unwrap": True, "length_unit": "angstrom"},
            ["--unwrap", "--length-unit", "angstrom"],
        ),
        ("c.csv", {"frames": "1..5", "every": 2}, ["--frames", "1..5", "--every", "2"]),
        ("d.csv", {"frames": 3}, ["--frames", "3"]),
        ("e.simularium", {}, []),
        ("f.gro", {}, []),
        ("g.txt", {"format": "pdb"}, ["--to", "pdb"]),
    ]
    (tmp_path / "theirs").mkdir()
    for name, given, words in cases:
        assert run.export(tmp_path / name, **given) == tmp_path / name
        program("export", run.path, "--out", tmp_path / "theirs" / name, *words)
        assert (tmp_path / name).read_bytes() == (tmp_path / "theirs" / name).read_bytes(), name


def test_what_makes_no_sense_is_refused(runs: dict[str, jostle.Run], tmp_path: Path) -> None:
    run = runs["reversible_binding"]
    for frame in (999, -999, 2**70):
        with pytest.raises(IndexError, match="there are"):
            run.snapshot(frame)
    wrong: list[dict[str, Any]] = [
        {"frame": "x"},
        {"frame": []},
        {"frame": 1.5},
        {"colour": "x"},
        {"magnify": float("nan")},
        {"magnify": -1},
        {"magnify": "x"},
        {"part": (1, 2)},
        {"part": (-1, 0, 5, 5)},
        {"part": (float("inf"), 0, 5, 5)},
        {"forces": True},
        {"view": (0, 90)},
        {"colours": {"nothing": "#123456"}},
        {"colours": {"A": "red"}},
    ]
    for given in wrong:
        with pytest.raises((ValueError, TypeError)):
            run.snapshot(**given)
    for given in ({"frames": 0}, {"frames": 2**40}, {"frames": "x"}):
        with pytest.raises((ValueError, TypeError)):
            run.report(**given)
    with pytest.raises(ValueError, match="no format has this ending"):
        run.export(tmp_path / "x.foo")
    for given in ({"format": "x"}, {"frames": "x"}, {"every": 0}, {"length_unit": "mile"}):
        with pytest.raises(ValueError):
            run.export(tmp_path / "x.xyz", **given)
    with pytest.raises(OSError):
        run.export(tmp_path / "nowhere" / "x.xyz")
    (tmp_path / "there.xyz").touch()
    with pytest.raises(FileExistsError, match="overwrite=True"):
        run.export(tmp_path / "there.xyz")


def test_results_are_never_replaced_by_an_export(tmp_path: Path) -> None:
    model = jostle.load(MODELS / "reversible_binding.toml", set={"run.until": "20 us"})
    run = model.run(tmp_path / "run.h5md")
    before = run.path.read_bytes()
    with pytest.raises(ValueError, match="results of a run"):
        run.export(run.path, format="xyz", overwrite=True)
    assert run.path.read_bytes() == before
