"""Models: loaded, built, changed, written, pickled."""

from __future__ import annotations

import copy
import multiprocessing
import os
import pickle
import shutil
import tomllib
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jostle
from jostle import Bind, Convert, Species, _jostle, builders
from jostle.builder import Builder

MODELS = sorted((Path(__file__).resolve().parents[2] / "models").glob("*.toml"))


@pytest.fixture(params=MODELS, ids=lambda path: path.stem)
def path(request: pytest.FixtureRequest) -> Path:
    """Each of the models that come with jostle."""
    found: Path = request.param
    return found


@pytest.fixture
def receptors() -> jostle.Model:
    """A model that is built from its parts."""
    return jostle.Model(
        title="Receptors that pair up",
        space=dict(dimension=2, edges="500 nm", boundary="periodic"),
        run=dict(timestep="1 us", until="50 ms", seed=7),
        species=[
            Species(
                "Receptor",
                states=["bare", "phosphorylated"],
                radius="2.5 nm",
                diffusion="0.05 um^2/s",
                count={"bare": 45},
            )
        ],
        rules=[
            Bind(
                "pair_up",
                on=["Receptor", "Receptor"],
                merge="bond",
                rate="0.0056 um^2/s",
                unbind="0.1 /s",
            ),
            Convert(
                "phosphorylate",
                on="Receptor{bare}",
                products=["Receptor{phosphorylated}"],
                cluster_size="2..",
                rate="0.5 /s",
            ),
        ],
        output=dict(frames=100, log="reactions"),
    )


def built(sections: dict[str, Any]) -> jostle.Model:
    """The model of these sections, each made of builders."""
    made: dict[str, Any] = {}
    for key, value in sections.items():
        kind: Any = jostle.Rule if key == "rule" else getattr(builders, key.title(), None)
        if isinstance(value, list):
            made[key] = [kind.from_dict(entry) for entry in value]
        else:
            # `parameters` are a plain mapping.
            made[key] = kind.from_dict(value) if kind and isinstance(value, dict) else value
    return jostle.Model(**made)


def test_every_model_goes_to_python_and_back(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Files that it names are sought from the working directory once it has no file of its own.
    monkeypatch.chdir(path.parent)
    model = jostle.load(path)
    assert model.toml == path.read_text(encoding="utf-8")
    assert model.path == path
    assert jostle.Model.from_toml(model.toml) == model
    assert built(tomllib.loads(model.toml)) == model
    assert jostle.Model(**model.to_dict()) == model
    assert built(tomllib.loads(model.resolved)) == model
    again = jostle.Model(**model.to_dict())
    assert jostle.Model.from_toml(again.toml) == model
    assert built(tomllib.loads(again.toml)).resolved == model.resolved


def test_every_model_is_changed_as_by_the_program(path: Path) -> None:
    assert jostle.load(path, set={"run.seed": 99}) == jostle.load(path).replace(run={"seed": 99})
    changed = jostle.load(path).replace({"title": "other", "run.seed": np.int64(99)})
    assert (changed.title, changed.seed) == ("other", 99)
    assert changed.overrides == {"title": '"other"', "run.seed": "99"}
    for seed in np.random.SeedSequence(3).generate_state(8, np.uint64):
        assert jostle.load(path, set={"run.seed": seed}).seed == int(seed)
    assert jostle.load(path).replace(run={"seed": 2**64 - 1}).seed == 2**64 - 1
    with pytest.raises(ValueError, match="more than 64 bits"):
        jostle.load(path, set={"run.seed": 2**64})
    written = jostle.Model.from_toml(changed.toml, folder=path.parent)
    assert written == changed
    assert changed != jostle.load(path)


def test_every_model_is_shown(path: Path) -> None:
    model = jostle.load(path)
    assert repr(model).startswith("<Model ") and "\n" not in repr(model)
    page = model._repr_html_()
    Balanced().feed(page)
    for name in {species.split("{")[0] for species in model.species}:
        assert f"<b>{name}</b>" in page


class Balanced(HTMLParser):
    """Raises an error where an element is not closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def feed(self, data: str) -> None:
        super().feed(data)
        assert self.open == []


def test_a_model_is_built_of_its_parts(receptors: jostle.Model) -> None:
    assert receptors.title == "Receptors that pair up"
    assert receptors.engine == "brownian"
    assert receptors.dimension == 2
    assert (receptors.seed, receptors.steps) == (7, 50_000)
    assert (receptors.timestep_us, receptors.until_us) == (1.0, 50_000.0)
    assert receptors.species == ("Receptor{bare}", "Receptor{phosphorylated}")
    assert receptors.counts == {"Receptor{bare}": 45, "Receptor{phosphorylated}": 0}
    assert receptors.rules == ("pair_up", "pair_up_unbind", "phosphorylate")
    assert receptors.path is None and receptors.files == ()
    assert tomllib.loads(receptors.toml) == receptors.to_dict()
    assert '\n[[rule]]\nname = "pair_up"\ndo = "bind"\n' in receptors.toml


def test_sections_have_one_spelling_at_a_time(receptors: jostle.Model) -> None:
    sections = receptors.to_dict()
    rules = sections.pop("rule")
    assert jostle.Model(**sections, rules=rules) == receptors
    with pytest.raises(TypeError, match="`rule` and `rules` are the same section"):
        jostle.Model(**sections, rules=rules, rule=rules)
    with pytest.raises(TypeError, match="sections"):
        jostle.Model(**sections, sections=rules)


def test_replacing_merges_mappings_and_displaces_what_means_the_same(
    receptors: jostle.Model,
) -> None:
    shorter = receptors.replace(run={"steps": 5})
    assert shorter.steps == 5 and "until" not in shorter.to_dict()["run"]
    assert shorter.seed == receptors.seed
    faster = receptors.replace(rule={"pair_up": {"rate": "1 um^2/s"}})
    assert faster == receptors.replace({"rule.pair_up.rate": "1 um^2/s"})
    assert faster == receptors.replace(rules={"pair_up": {"rate": "1 um^2/s"}})
    assert faster.to_dict()["rule"][0]["unbind"] == "0.1 /s"
    assert receptors.replace(rules=[]).rules == ()
    whole = receptors.replace(run=builders.Run(timestep="1 us", steps=3))
    assert whole.to_dict()["run"] == {"timestep": "1 us", "steps": 3}
    lattice = receptors.replace(
        {"species.Receptor.placement": {"lattice": 9, "state": "bare"}}, search="slices"
    )
    assert lattice.counts["Receptor{bare}"] == 9
    assert lattice.to_dict()["search"] == {"kind": "slices"}
    assert receptors.replace() == receptors


def test_faults_come_all_at_once_with_their_keys(receptors: jostle.Model, tmp_path: Path) -> None:
    with pytest.raises(jostle.ModelError) as caught:
        receptors.replace(run={"sed": 8, "timestep": "1 nm"})
    told = {fault.key: fault for fault in caught.value.faults}
    assert set(told) == {"run.sed", "run.timestep"}
    assert "did you mean `seed`?" in told["run.sed"].message
    assert told["run.sed"].line is None
    assert str(caught.value) == "\n".join(map(str, caught.value.faults))
    file = tmp_path / "bad.toml"
    file.write_text("[space]\ndimension = 2\nedges = '5 s'\n[run]\ntimestep = '1 us'\nsteps = 1\n")
    with pytest.raises(jostle.ModelError) as caught:
        jostle.load(file, set={"run.sed": 1})
    lines = {fault.key: fault.line for fault in caught.value.faults}
    assert lines == {"": None, "run.sed": None, "space.edges": 3}
    assert f"{file}:3: space.edges: " in str(caught.value)
    assert "--set" not in str(caught.value)
    with pytest.raises(jostle.ModelError, match="rule.x.rate: there is no `x`"):
        receptors.replace({"rule.x.rate": 1})
    with pytest.raises(jostle.ModelError, match="this is not TOML") as caught:
        jostle.Model.from_toml("[space")
    assert [fault.line for fault in caught.value.faults] == [1]
    with pytest.raises(jostle.ModelError, match="cannot be read"):
        jostle.load(tmp_path / "none.toml")
    with pytest.raises(jostle.ReadError):
        jostle.load(tmp_path / "none.h5md")
    assert isinstance(pickle.loads(pickle.dumps(caught.value)), jostle.ModelError)


def test_a_model_never_changes(receptors: jostle.Model) -> None:
    for name in ["parsed", "seed", "title", "anything"]:
        with pytest.raises(AttributeError, match="never changes"):
            setattr(receptors, name, 1)
        with pytest.raises(AttributeError, match="never changes"):
            delattr(receptors, name)
    receptors.to_dict().clear()
    receptors.counts.clear()
    assert receptors.counts["Receptor{bare}"] == 45
    assert copy.copy(receptors) is receptors and copy.deepcopy(receptors) is receptors
    assert len({receptors, receptors.replace(), receptors.replace(run={"seed": 8})}) == 2
    assert receptors != "a model"


def test_saving(receptors: jostle.Model, tmp_path: Path) -> None:
    file = receptors.save(tmp_path / "receptors.toml")
    assert jostle.load(file) == receptors
    assert file.read_text(encoding="utf-8") == receptors.toml
    with pytest.raises(FileExistsError):
        receptors.save(file)
    other = receptors.replace(run={"seed": 8})
    assert jostle.load(other.save(str(file), overwrite=True)) == other
    with pytest.raises(ValueError, match="for results"):
        receptors.save(tmp_path / "receptors.h5md")


def test_saving_where_other_files_are_not_found(models: Path, tmp_path: Path) -> None:
    model = jostle.load(models / "receptor_patch.toml")
    assert [file.name for file in model.files] == ["receptor_patch.csv"]
    target = tmp_path / "models" / "patch.toml"
    target.parent.mkdir()
    with pytest.raises(jostle.ModelError, match="receptor_patch.csv, which it would not find"):
        model.save(target)
    assert not target.exists()
    (tmp_path / "data").mkdir()
    data = tmp_path / "data" / "receptor_patch.csv"
    shutil.copy(model.files[0], data)
    assert jostle.load(model.save(target)) == model
    data.write_text(data.read_text().rsplit("\n", 2)[0] + "\n")
    with pytest.raises(jostle.ModelError, match="has other contents"):
        model.save(target, overwrite=True)
    inlined = jostle.Model.from_toml(model.resolved)
    assert inlined == model and inlined.files == ()
    assert jostle.load(inlined.save(target, overwrite=True)) == model


def state_hashes(pickled: bytes, out: str) -> tuple[str, list[int]]:
    """Run a pickled model; its text written out in full, and the states at its frames."""
    model: jostle.Model = pickle.loads(pickled)
    model.run(out, threads=1, progress=False)
    return model.resolved, _jostle.state_hashes(out)


@pytest.mark.parametrize("name", ["receptor_patch", "reversible_binding", "disk_gas"])
def test_a_pickled_model_runs_the_same_elsewhere(
    name: str, models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = jostle.load(models / f"{name}.toml", set={"run.steps": 20, "output.frame_every": 10})
    own = state_hashes(pickle.dumps(model), str(tmp_path / "own.h5md"))
    assert own[0] == model.resolved and len(own[1]) == 3
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        there = pool.apply(state_hashes, (pickle.dumps(model), "there.h5md"))
    assert there == own


def test_a_pickled_model_that_needs_no_files_can_be_changed_as_before(
    receptors: jostle.Model,
) -> None:
    again: jostle.Model = pickle.loads(pickle.dumps(receptors.replace(run={"seed": 9})))
    assert again.toml == receptors.replace(run={"seed": 9}).toml
    with pytest.raises(jostle.ModelError) as caught:
        again.replace({"species.Receptor.radius": "1 s"})
    assert [fault.line for fault in caught.value.faults] == [None]


def test_the_model_of_an_output_file(binding: jostle.Model, tmp_path: Path) -> None:
    run = binding.run(tmp_path / "out.h5md", progress=False)
    assert run.model == binding
    assert jostle.load(run.path, set={"run.seed": 5}) == binding.replace({"run.seed": 5})


def test_check_says_what_the_program_says(receptors: jostle.Model) -> None:
    check = receptors.check()
    assert check.ok and check.fault is None and check.warnings == ()
    assert str(check).startswith("Receptors that pair up\n\n  box ")
    assert str(check).endswith("Nothing looks wrong.")
    assert check.counts == receptors.counts
    assert check.step_nm == pytest.approx((2 * 0.05 * 1) ** 0.5)
    assert check.step_over_radius == pytest.approx((2 * 0.05 * 1) ** 0.5 / 2.5)
    [rule] = check.rules
    assert (rule.rule, rule.given, rule.dimension) == ("pair_up", "rate", 2)
    assert rule.k_a == pytest.approx(0.0056) and rule.unbinding == pytest.approx(1e-7)
    assert rule.probability is not None and 0 < rule.probability < 0.01
    assert rule.impossible is None and len(rule.pairs) == 3
    assert set(check.events) == set(receptors.rules)
    assert check.memory_bytes > 1e5 and check.file_bytes is not None and check.file_bytes > 1e5
    assert check.seconds is not None and check.seconds > 0
    assert repr(check).startswith("<Check: step 0.13 r, p = 0.001, ")
    Balanced().feed(check._repr_html_())
    assert pickle.loads(pickle.dumps(check)) == check


def test_warnings_are_objects_that_know_what_they_are_about(receptors: jostle.Model) -> None:
    odd = receptors.replace({"rule.pair_up.probability": 0.0, "run.until": "1 us"})
    told = {warning.key: warning for warning in odd.warnings}
    assert "rule.pair_up" in told
    assert "never applies" in str(told["rule.pair_up"])
    assert set(odd.warnings) <= set(odd.check().warnings)
    page = odd._repr_html_()
    assert page.index("never applies") > page.index("<b>pair_up</b>")
    assert page.index("never applies") < page.index("<b>phosphorylate</b>")


def test_what_cannot_be_run_is_told(receptors: jostle.Model) -> None:
    with pytest.raises(jostle.ModelError, match="rule.pair_up.rate: .*can be at most"):
        receptors.replace({"rule.pair_up.rate": "900 um^2/s"})
    with pytest.raises(jostle.PlacementError) as caught:
        receptors.replace({"species.Receptor.count": {"bare": 11_000}}).check()
    assert [fault.key for fault in caught.value.faults] == ["species.Receptor.count"]


def test_whatever_a_model_says_is_escaped(receptors: jostle.Model) -> None:
    model = receptors.replace(title="<script>alert('x')</script>&")
    assert "<script>" not in model._repr_html_()
    assert "&lt;script&gt;" in model._repr_html_()
    assert "<script>" not in model.check()._repr_html_()


HOSTILE: list[Any] = [
    0,
    -1,
    1.5,
    b"x",
    "",
    "\0",
    "\ud800",
    object(),
    [],
    [1],
    {1: 2},
    {"": 1},
    {"a": 1},
]
REFUSED = (TypeError, ValueError, OSError, jostle.JostleError)


@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda value: "object" if type(value) is object else repr(value))
def test_hostile_arguments_are_refused(
    hostile: Any, receptors: jostle.Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    calls: list[Any] = [
        lambda: jostle.load(hostile),
        lambda: jostle.load("none.toml", set=hostile),
        lambda: jostle.Model.from_toml(hostile),
        lambda: jostle.Model.from_toml("", folder=hostile),
        lambda: receptors.replace({"run.seed": hostile, "run.x": 1}),
        lambda: receptors.replace(run={"seed": hostile, "x": 1}),
        lambda: receptors.replace({hostile: 1} if isinstance(hostile, str) else hostile, x=1),
        lambda: receptors.run("x.h5md", threads="a", every=hostile),
    ]
    for name in receptors.to_dict():
        calls.append(lambda name=name: jostle.Model(**{**receptors.to_dict(), name: hostile}, x=1))
        calls.append(lambda name=name: receptors.replace({name: hostile, "x": 1}))
    for call in calls:
        with pytest.raises(REFUSED):
            call()
    assert os.listdir(tmp_path) == []


def test_loops_and_depths_are_refused(receptors: jostle.Model) -> None:
    loop: dict[str, Any] = {}
    loop["x"] = loop
    with pytest.raises(ValueError, match="nested"):
        receptors.replace(run=loop)
    with pytest.raises(ValueError, match="nested"):
        jostle.Model(run=loop)


def test_long_lists_are_set_quickly() -> None:
    """Each value that is set knows its place, which must not be as long as the list."""
    places = np.stack(np.meshgrid(np.arange(100), np.arange(200)), -1).reshape(-1, 2) * 10.0 + 5
    sections: dict[str, Any] = dict(
        space=dict(dimension=2, edges=["1 um", "2 um"]), run=dict(timestep="1 ns", steps=1)
    )
    species = Species("A", radius="1 nm", diffusion="1 um^2/s", placement={"positions": places})
    model = jostle.Model(**sections, species=[species])
    assert model.counts == {"A": 20_000}
    moved = model.replace({"species.A.placement.positions": places[:10_000]})
    assert moved.counts == {"A": 10_000}
    assert isinstance(species, Builder)
