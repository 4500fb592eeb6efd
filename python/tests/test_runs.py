"""Runs: started, watched, stopped, resumed, repeated."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import jostle
from jostle import _jostle

PROGRAM = [sys.executable, "-m", "jostle"]
NIGHTLY = os.environ.get("NIGHTLY") == "yes"


def program(*arguments: object) -> str:
    """What the program prints."""
    line = [*PROGRAM, *map(str, arguments)]
    return subprocess.run(line, check=True, capture_output=True, text=True).stdout


def state_hashes(path: Path) -> list[int]:
    return _jostle.state_hashes(str(path))


def test_the_module_is_the_program(tmp_path: Path) -> None:
    assert program("--version").strip() == f"jostle {jostle.__version__}"
    wrong = subprocess.run([*PROGRAM, "run", str(tmp_path / "no.toml")], capture_output=True)
    assert wrong.returncode == 2 and b"no.toml" in wrong.stderr


def test_a_run_needs_no_file_of_its_own(models: Path) -> None:
    """It has a temporary one, which goes with the process, but not with one that is forked from it."""
    code = f"""if True:
        import jostle, os
        model = jostle.load({str(models / "egfr_clustering.toml")!r}, set={{"run.until": "1 ms"}})
        first, second = model.run(progress=False), model.run(progress=False)
        assert first.path != second.path
        if os.fork() == 0:
            raise SystemExit
        os.wait()
        assert len(first.counts().to_pandas()) == len(second.counts().to_pandas()) > 0
        print(first.path.parent, second.path.parent, sep="\\n")
    """
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    folders = done.stdout.splitlines()
    assert len(folders) == 2 and not any(Path(folder).exists() for folder in folders)


# One model of each engine, and one with surfaces, states and bonds.
@pytest.mark.parametrize(
    ("name", "until"),
    [
        ("reversible_binding", "20 us"),
        ("egfr_clustering", "2 ms"),
        ("yeast_cell", "20 us"),
        ("shaker_monosized", "20 ms"),
        ("pile_polygons", "20 ms"),
        ("disk_gas", "100 ms"),
    ],
)
def test_same_states_as_the_program(
    name: str, until: str, models: Path, tmp_path: Path
) -> None:
    model = jostle.load(models / f"{name}.toml", set={"run.until": until})
    run = model.run(tmp_path / "here.h5md", progress=False)
    program("run", models / f"{name}.toml", "--out", tmp_path / "there.h5md", "--until", until)
    here, there = state_hashes(run.path), state_hashes(tmp_path / "there.h5md")
    assert len(here) > 1 and here == there


def test_threads_do_not_change_results(binding: jostle.Model, tmp_path: Path) -> None:
    one = binding.run(tmp_path / "one.h5md", threads=1)
    two = binding.run(tmp_path / "two.h5md", threads=2)
    assert state_hashes(one.path) == state_hashes(two.path)


def test_nothing_is_replaced_unless_that_is_said(binding: jostle.Model, tmp_path: Path) -> None:
    out = tmp_path / "run.h5md"
    binding.run(out)
    before = out.read_bytes()
    with pytest.raises(jostle.RunError, match="exists"):
        binding.run(out)
    assert out.read_bytes() == before
    binding.run(out, overwrite=True)


def test_progress_is_told(models: Path, tmp_path: Path) -> None:
    seen: list[Any] = []
    model = jostle.load(models / "reversible_binding.toml", set={"run.until": "500 us"})
    model.run(tmp_path / "run.h5md", progress=seen.append)
    assert seen and all(0 <= progress.fraction <= 1 for progress in seen)
    assert [progress.step for progress in seen] == sorted(progress.step for progress in seen)


def test_an_exception_in_progress_stops_the_run(models: Path, tmp_path: Path) -> None:
    model = jostle.load(models / "reversible_binding.toml", set={"run.until": "1 s"})
    out = tmp_path / "run.h5md"

    def fail(progress: object) -> None:
        raise ZeroDivisionError("on purpose")

    with pytest.raises(ZeroDivisionError, match="on purpose"):
        model.run(out, progress=fail)
    assert jostle.open(out) and Path(f"{out.with_suffix('')}.checkpoint").exists()


# What a shell starts in the background inherits that SIGINT is ignored.
INTERRUPTED = """
import signal, sys, jostle
signal.signal(signal.SIGINT, signal.default_int_handler)
model = jostle.load(sys.argv[1], set={"run.until": "2 ms"})
print("begins", flush=True)
try:
    model.run(sys.argv[2], progress=False)
except KeyboardInterrupt:
    print("stopped", flush=True)
else:
    print("finished", flush=True)
"""


def test_control_c_keeps_everything(models: Path, tmp_path: Path) -> None:
    """At random moments of a run of about a second; resumed, it is as if nothing had happened."""
    times = 20 if NIGHTLY else 6
    path = models / "reversible_binding.toml"
    jostle.load(path, set={"run.until": "2 ms"}).run(tmp_path / "whole.h5md")
    whole = state_hashes(tmp_path / "whole.h5md")
    moments = random.Random(35)
    stopped = 0
    for n in range(times):
        out = tmp_path / f"{n}.h5md"
        line = [sys.executable, "-c", INTERRUPTED, str(path), str(out)]
        with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "begins\n"
            time.sleep(moments.uniform(0.01, 0.6))
            process.send_signal(signal.SIGINT)
            said = process.stdout.readline()
        assert said in ["stopped\n", "finished\n"]
        if not out.exists():
            # It came before the run.
            jostle.load(path, set={"run.until": "2 ms"}).run(out)
        elif said == "stopped\n":
            stopped += 1
            assert jostle.resume(out).path == out
        assert state_hashes(out) == whole, f"stopped at random moment {n}"
    assert stopped >= times // 2


def test_a_job_runs_beside_python(models: Path, tmp_path: Path) -> None:
    model = jostle.load(models / "reversible_binding.toml", set={"run.until": "1 ms"})
    job = model.start(tmp_path / "job.h5md")
    frames = 0
    while not job.done:
        if job.path.exists() and job.progress.step > 0:
            frames = max(frames, len(job.run.frames))
        time.sleep(0.02)
    run = job.result()
    assert frames > 1 and len(run.frames) == 101
    assert repr(job).endswith("finished, 100 %>") and "finished" in job._repr_html_()


def test_a_job_is_stopped_and_resumed(models: Path, tmp_path: Path) -> None:
    model = jostle.load(models / "reversible_binding.toml", set={"run.until": "1 ms"})
    model.run(tmp_path / "whole.h5md")
    job = model.start(tmp_path / "job.h5md")
    while job.progress.step < 1000:
        time.sleep(0.001)
    job.stop()
    assert job.done and "stopped" in repr(job)
    with pytest.raises(jostle.StoppedError):
        job.result()
    run = jostle.resume(job.path).run
    assert state_hashes(run.path) == state_hashes(tmp_path / "whole.h5md")


def test_a_job_can_be_awaited(binding: jostle.Model, tmp_path: Path) -> None:
    async def both() -> list[jostle.Run]:
        jobs = [binding.start(tmp_path / f"{n}.h5md") for n in range(2)]
        return [await job for job in jobs]

    runs = asyncio.run(both())
    assert [run.path.name for run in runs] == ["0.h5md", "1.h5md"]


def test_a_job_that_cannot_begin_raises(binding: jostle.Model, tmp_path: Path) -> None:
    (tmp_path / "there.h5md").write_text("not a run")
    with pytest.raises(jostle.RunError, match="exists"):
        binding.start(tmp_path / "there.h5md")


def test_python_stops_jobs_at_its_end(models: Path, tmp_path: Path) -> None:
    code = (
        "import sys, time, jostle\n"
        "model = jostle.load(sys.argv[1], set={'run.until': '100 s'})\n"
        "job = model.start(sys.argv[2])\n"
        "while job.progress.step < 100: time.sleep(0.01)\n"
    )
    out = tmp_path / "run.h5md"
    line = [sys.executable, "-c", code, str(models / "reversible_binding.toml"), str(out)]
    subprocess.run(line, check=True, timeout=60)
    assert (tmp_path / "run.checkpoint").exists()
    assert jostle.open(out)


def test_a_finished_run_is_made_longer(models: Path, tmp_path: Path) -> None:
    def model(until: str, **more: object) -> jostle.Model:
        values = {"run.until": until, "output.every": "20 us"} | more
        return jostle.load(models / "reversible_binding.toml", set=values)

    whole = state_hashes(model("300 us").run(tmp_path / "whole.h5md").path)
    run = model("200 us").run(tmp_path / "run.h5md")
    with pytest.raises(jostle.RunError, match="nothing is left to do"):
        jostle.resume(run.path)
    with pytest.raises(jostle.RunError, match="an end that has passed cannot be set"):
        jostle.resume(run.path, until="100 us")
    with pytest.raises(ValueError, match="steps or until"):
        jostle.resume(run.path, steps=7, until="1 ms")
    assert state_hashes(jostle.resume(run.path, until="300 us").path) == whole
    with jostle.Simulation(model("200 us"), tmp_path / "steps.h5md") as simulation:
        simulation.run(200)
    assert state_hashes(jostle.resume(tmp_path / "steps.h5md", until=300).path) == whole
    none = model("200 us", **{"run.keep_checkpoint": False}).run(tmp_path / "none.h5md")
    with pytest.raises(jostle.RunError, match="no checkpoint from which it could be made longer"):
        jostle.resume(none.path, until="300 us")


def test_rerun(binding: jostle.Model, tmp_path: Path) -> None:
    run = binding.run(tmp_path / "run.h5md")
    again = jostle.rerun(run.path, set={"search.kind": "naive"})
    assert again.equal and "equal, to the bit" in str(again)
    with pytest.raises(jostle.JostleError, match="run.seed"):
        jostle.rerun(run.path, set={"run.seed": 2})


def test_the_model_of_a_run(binding: jostle.Model, tmp_path: Path) -> None:
    run = binding.run(tmp_path / "run.h5md")
    again = run.model.run(tmp_path / "again.h5md")
    assert state_hashes(run.path) == state_hashes(again.path)


def _run_in_child(path: str, out: str) -> list[int]:
    model = jostle.load(path, set={"run.until": "20 us", "run.threads": 2})
    return state_hashes(model.run(out, progress=False).path)


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_processes(method: str, models: Path, tmp_path: Path) -> None:
    """A child runs whatever its parent has run before, on whatever threads."""
    path = models / "reversible_binding.toml"
    here = _run_in_child(str(path), str(tmp_path / "here.h5md"))
    context = multiprocessing.get_context(method)
    with ProcessPoolExecutor(2, mp_context=context) as executor:
        outs = [str(tmp_path / f"{method}{n}.h5md") for n in range(2)]
        there = list(executor.map(_run_in_child, [str(path)] * 2, outs, timeout=120))
    assert there == [here, here]


def test_fork_while_a_run_goes_on(models: Path, tmp_path: Path) -> None:
    """Whatever a thread of the parent is doing at that moment, the child can run and read."""
    path = models / "reversible_binding.toml"
    model = jostle.load(path, set={"run.until": "100 s", "output.frame_every": 1})
    job = model.start(tmp_path / "parent.h5md")
    while job.progress.step < 10:
        time.sleep(0.001)
    context = multiprocessing.get_context("fork")
    for n in range(20):
        arguments = (str(path), str(tmp_path / f"child{n}.h5md"))
        child = context.Process(target=_run_in_child, args=arguments)
        child.start()
        child.join(60)
        assert child.exitcode == 0, f"child {n}"
    job.stop()
    assert len(jostle.open(job.path).frames) > 10
    assert jostle.rerun(job.path, steps=10).equal


def test_a_job_of_the_parent_is_refused_in_a_child(models: Path, tmp_path: Path) -> None:
    model = jostle.load(models / "reversible_binding.toml", set={"run.until": "100 s"})
    job = model.start(tmp_path / "run.h5md")
    child = os.fork()
    if child == 0:
        refused = 1
        try:
            job.stop()
        except jostle.RunError:
            refused = 0
        os._exit(refused)
    _, status = os.waitpid(child, 0)
    job.stop()
    assert os.waitstatus_to_exitcode(status) == 0


def test_threads_read_while_another_runs(models: Path, tmp_path: Path) -> None:
    model = jostle.load(models / "reversible_binding.toml", set={"run.until": "500 us"})
    job = model.start(tmp_path / "run.h5md")
    while not job.path.exists() or job.progress.step == 0:
        time.sleep(0.001)
    errors: list[BaseException] = []

    def read() -> None:
        try:
            while not job.done:
                run = jostle.open(job.path)
                assert len(run.frames) >= 1 and len(run.counts()) == 3
        except BaseException as error:
            errors.append(error)

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join(120)
    assert not errors and job.result()


def test_memory_stays_flat(models: Path, tmp_path: Path) -> None:
    """1000 runs (or 300, by day), in a process of their own, need no more memory than 100."""
    code = (
        "import resource, sys, jostle\n"
        "model = jostle.load(sys.argv[1], set={'run.until': '1 us'})\n"
        "peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "for n in range(int(sys.argv[3])):\n"
        "    model.run(sys.argv[2], overwrite=True, progress=False)\n"
        "    if n == 99: early = peak()\n"
        "print(early, peak())\n"
    )
    line = [sys.executable, "-c", code, str(models / "reversible_binding.toml")]
    done = subprocess.run(
        [*line, str(tmp_path / "run.h5md"), "1000" if NIGHTLY else "300"], check=True, capture_output=True, text=True
    )
    early, late = map(int, done.stdout.split())
    assert late < early * 1.05 + 1024, f"{early} KiB, then {late} KiB"


@pytest.mark.parametrize("wrong", [3, "5 parsecs", "", "-1 s"])
def test_wrong_cadences(wrong: Any, binding: jostle.Model, tmp_path: Path) -> None:
    with pytest.raises((TypeError, ValueError)):
        binding.run(tmp_path / "run.h5md", checkpoint=wrong)


@pytest.mark.parametrize("wrong", ["nothing.h5md", ".", "", "\0"])
def test_files_that_cannot_be_opened(wrong: str, tmp_path: Path) -> None:
    with pytest.raises((jostle.ReadError, ValueError)):
        jostle.open(str(tmp_path / wrong) if wrong != "\0" else wrong)
    with pytest.raises((jostle.JostleError, ValueError)):
        jostle.resume(str(tmp_path / wrong) if wrong != "\0" else wrong)


def test_a_run_is_found_from_other_folders(
    models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = jostle.load(models / "reversible_binding.toml", set={"run.until": "200 us"})
    monkeypatch.chdir(tmp_path)
    job = model.start("run.h5md")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    run = job.result()
    assert run.path == tmp_path / "run.h5md" and len(run.frames) > 1


def test_giving_up_does_not_end_a_job(models: Path, tmp_path: Path) -> None:
    model = jostle.load(models / "reversible_binding.toml", set={"run.until": "1 s"})
    job = model.start(tmp_path / "run.h5md")

    async def wait() -> None:
        await asyncio.wait_for(job, 0.1)

    with pytest.raises(TimeoutError):
        asyncio.run(wait())
    assert not job.future.cancel() and not job.done and "running" in repr(job)
    job.stop()
    assert "stopped" in repr(job)


@pytest.mark.parametrize(
    "every", ["ab", 5, ("1 nm", print), (float("nan"), print), (float("inf"), print), ("1 ns", print)]
)
def test_nothing_is_replaced_before_everything_is_checked(
    every: Any, binding: jostle.Model, tmp_path: Path
) -> None:
    out = tmp_path / "run.h5md"
    binding.run(out)
    before = out.read_bytes()
    with pytest.raises((TypeError, ValueError), match="every"):
        binding.run(out, overwrite=True, every=every)
    assert out.read_bytes() == before


def test_what_cannot_be_resumed_is_left_as_it_is(binding: jostle.Model, tmp_path: Path) -> None:
    run = binding.run(tmp_path / "run.h5md")
    with pytest.raises(jostle.RunError, match="finished"):
        jostle.resume(run.path)
    whole = run.path.read_bytes()
    cut = tmp_path / "cut.h5md"
    cut.write_bytes(whole[: len(whole) // 4])
    with pytest.raises(jostle.JostleError):
        jostle.resume(cut)
    assert cut.read_bytes() == whole[: len(whole) // 4]


def test_messages_are_in_words_of_python(binding: jostle.Model, tmp_path: Path) -> None:
    run = binding.run(tmp_path / "run.h5md")
    with pytest.raises(jostle.RunError, match="overwrite=True") as told:
        binding.run(run.path)
    assert "--" not in str(told.value)
    with pytest.raises(jostle.RunError, match=r"run\.seed") as told:
        jostle.rerun(run.path, set={"run.seed": 5})
    assert "--" not in str(told.value)


def test_wrong_arguments_of_a_rerun(binding: jostle.Model, tmp_path: Path) -> None:
    run = binding.run(tmp_path / "run.h5md")
    wrong: list[dict[str, Any]] = [
        {"steps": -1},
        {"steps": 2**70},
        {"steps": "x"},
        {"until": "5 kg"},
        {"steps": 3, "until": "5 us"},
        {"set": 5},
        {"progress": "yes"},
    ]
    for arguments in wrong:
        with pytest.raises((TypeError, ValueError)):
            jostle.rerun(run.path, **arguments)
    assert jostle.rerun(run.path, until=10).equal


def test_progress_comes_to_its_end(binding: jostle.Model, tmp_path: Path) -> None:
    """Even that of a run which is over before anybody has looked."""
    for number, every in enumerate([None, ("5 us", lambda view: None)]):
        seen: list[Any] = []
        binding.run(tmp_path / f"{number}.h5md", progress=seen.append, every=every)
        assert seen[-1].fraction == 1


def test_messages_go_to_the_log(
    models: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level("INFO", logger="jostle"):
        model = jostle.load(models / "reversible_binding.toml", set={"run.until": "20 us"})
        model.run(tmp_path / "run.h5md")
    told = [record for record in caplog.records if record.name == "jostle"]
    assert any("placed" in record.getMessage() for record in told)


RUN = "model.run('growing.h5md')"
SIMULATION = (
    "with jostle.Simulation(model, 'growing.h5md') as simulation:\n"
    "        while simulation.steps_done < model.steps:\n"
    "            simulation.step()"
)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere memory is not watched")
@pytest.mark.parametrize("way", [RUN, SIMULATION])
def test_a_run_that_takes_too_much_memory_raises_an_exception(way: str, tmp_path: Path) -> None:
    """In a process of its own: what others have taken before counts, too. It may take 60 MB more."""
    (tmp_path / "growing.toml").write_text(
        "[space]\ndimension = 3\nedges = '10 um'\n"
        "[run]\ntimestep = '10 ns'\nsteps = 100000\n"
        "[[species]]\nname = 'A'\nradius = '0.5 nm'\ndiffusion = '10 um^2/s'\ncount = 1000\n"
        "[[rule]]\nname = 'grow'\ndo = 'convert'\non = 'A'\nproducts = ['A', 'A']\n"
        "rate = '20 /us'\n[output]\nframe_every = 10\n"
    )
    code = (
        "import jostle\n"
        "pages = int(open('/proc/self/statm').read().split()[1])\n"
        "most = pages * 4096 // 10**6 + 60\n"
        "try:\n"
        "    model = jostle.load('growing.toml', set={'run.memory': f'{most} MB'})\n"
        f"    {way}\n"
        "except jostle.RunError as error:\n"
        "    print(error)\n"
        "print(jostle.open('growing.h5md').frames)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert "of memory, and may take" in done.stdout and 'the rule "grow"' in done.stdout, done.stdout
    assert (tmp_path / "growing.checkpoint").exists()


#: Disks in a crowd grow, which often finds no space.
CROWD = """
[space]
dimension = 2
edges = "60 nm"
[run]
timestep = "1 ns"
steps = 200
[output]
frame_every = 100
[[species]]
name = "small"
radius = "2 nm"
diffusion = "10 um^2/s"
count = 90
[[species]]
name = "large"
radius = "3 nm"
diffusion = "10 um^2/s"
[[rule]]
name = "grow"
do = "convert"
on = "small"
products = ["large"]
rate = "10 /us"
"""


def test_warnings_of_a_run_are_those_of_the_program(tmp_path: Path) -> None:
    file = tmp_path / "crowd.toml"
    file.write_text(CROWD)
    model = jostle.load(file)
    run = model.run(tmp_path / "crowd.h5md", progress=False)
    (said,) = run.warnings
    assert said.startswith('"grow" found no space in ')
    assert run.info()["warnings"] == [said] == jostle.open(run.path).warnings
    out = tmp_path / "program.h5md"
    printed = " ".join(program("run", file, "--out", out).split())
    assert f"WARNING {said}" in printed
    assert jostle.open(out).warnings == [said]
    with jostle.Simulation(model) as simulation:
        assert simulation.warnings == []
        simulation.step(200)
        assert simulation.warnings == [said]


def test_a_run_with_space_for_all_has_no_warnings(binding: jostle.Model, tmp_path: Path) -> None:
    run = binding.run(tmp_path / "roomy.h5md", progress=False)
    assert run.warnings == run.info()["warnings"] == []


def test_a_sweep_names_the_runs_that_warned(tmp_path: Path) -> None:
    file = tmp_path / "crowd.toml"
    file.write_text(CROWD)
    sweep = jostle.Sweep(
        file,
        axes={"space.edges": ["2 um", "60 nm"]},
        replicas=2,
        measure="counts",
        folder=tmp_path / "sweep",
    )
    assert sweep.status().warned == () and "warned" not in str(sweep.status())
    assert "; 2 with warnings: " in repr(sweep.run(progress=False))
    status = sweep.status()
    assert [(run.point, run.replica) for run in status.warned] == [(1, 0), (1, 1)]
    said = status.warned[0].warnings[0]
    assert said.startswith('"grow" found no space in ')
    assert str(status).endswith(f"warned  2; the first: {said}")
