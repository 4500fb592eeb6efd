"""Sweeps by executors of others: the same bytes, whatever becomes of workers."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from sweeps import Tables, long_sweep_in, saved, sweep_in

import jostle
from jostle import SweepError


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> Tables:
    """The tables of one process that runs one after the other."""
    folder = tmp_path_factory.mktemp("alone")
    return saved(sweep_in(folder).run(jobs=1, progress=False), folder)


@pytest.fixture(scope="module")
def expected_of_long(tmp_path_factory: pytest.TempPathFactory) -> Tables:
    """The same of the sweep of long runs."""
    folder = tmp_path_factory.mktemp("alone")
    return saved(long_sweep_in(folder).run(progress=False), folder)


def processes(method: str) -> Callable[[], AbstractContextManager[Any]]:
    return lambda: ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(method))


@contextmanager
def loky() -> Iterator[Any]:
    executor = pytest.importorskip("loky").get_reusable_executor(max_workers=2)
    yield executor
    executor.shutdown()


@contextmanager
def dask() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client.get_executor()


@contextmanager
def parsl() -> Iterator[Any]:
    concurrent = pytest.importorskip("parsl.concurrent")
    from parsl.config import Config
    from parsl.executors import ThreadPoolExecutor as Threads

    with concurrent.ParslPoolExecutor(
        Config(executors=[Threads(max_threads=2)], run_dir="runinfo")
    ) as executor:
        yield executor


class AtOnce:
    """The least that an executor can be."""

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*args))
        return future


@contextmanager
def at_once() -> Iterator[Any]:
    yield AtOnce()


@pytest.mark.parametrize(
    "executor",
    [
        pytest.param(lambda: ThreadPoolExecutor(2), id="threads"),
        pytest.param(processes("fork"), id="fork"),
        pytest.param(processes("spawn"), id="spawn"),
        pytest.param(processes("forkserver"), id="forkserver"),
        pytest.param(loky, id="loky"),
        pytest.param(dask, id="dask"),
        pytest.param(parsl, id="parsl"),
        pytest.param(at_once, id="at_once"),
    ],
)
def test_executors_give_the_same_bytes(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    expected: Tables,
    executor: Callable[[], AbstractContextManager[Any]],
) -> None:
    monkeypatch.chdir(tmp_path)
    sweep = sweep_in(tmp_path)
    told: list[int] = []
    with executor() as started:
        results = sweep.run(executor=started, progress=lambda progress: told.append(progress.step))
        assert saved(results, tmp_path) == expected
        assert sorted(told) == told and told[-1] == 8
        # Nothing is left to do.
        sweep.run(executor=started, progress=False)


BY_MPI = """
import sys, jostle
from mpi4py.futures import MPIPoolExecutor
if __name__ == "__main__":
    with MPIPoolExecutor() as executor:
        jostle.Sweep.open(sys.argv[1]).run(executor=executor, progress=False)
"""


def test_workers_of_mpi_give_the_same_bytes(tmp_path: Path, expected: Tables) -> None:
    pytest.importorskip("mpi4py")
    mpiexec = shutil.which("mpiexec", path=os.path.dirname(sys.executable)) or shutil.which(
        "mpiexec"
    )
    if mpiexec is None:
        pytest.skip("mpiexec is not installed")
    sweep = sweep_in(tmp_path)
    script = tmp_path / "by_mpi.py"
    script.write_text(BY_MPI)
    command = [
        mpiexec,
        "-n",
        "3",
        sys.executable,
        "-m",
        "mpi4py.futures",
        str(script),
        str(sweep.folder),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert saved(sweep.merge(), tmp_path) == expected


def test_a_worker_that_is_killed_loses_nothing(tmp_path: Path, expected_of_long: Tables) -> None:
    sweep = long_sweep_in(tmp_path)
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as executor:
        worker = executor.submit(os.getpid).result()
        threading.Thread(target=kill_when_one_is_done, args=(sweep, worker)).start()
        with pytest.raises(
            SweepError, match="could not be done; running the sweep again continues"
        ):
            sweep.run(executor=executor, progress=False)
    missing = sweep.status().missing
    assert 0 < len(missing) < 4
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as executor:
        assert saved(sweep.run(executor=executor, progress=False), tmp_path) == expected_of_long


def kill_when_one_is_done(sweep: jostle.Sweep, worker: int) -> None:
    while not any((sweep.folder / "results").glob("*/*.json")):
        time.sleep(0.01)
    os.kill(worker, signal.SIGKILL)


STOPPED_BY_CTRL_C = """
import sys, jostle
from concurrent.futures import ThreadPoolExecutor, ProcessPoolExecutor
if __name__ == "__main__":
    sweep = jostle.Sweep.open(sys.argv[1])
    kind = {"threads": ThreadPoolExecutor, "processes": ProcessPoolExecutor}[sys.argv[2]]
    try:
        with kind(2) as executor:
            sweep.run(executor=executor, progress=False)
    except KeyboardInterrupt:
        sys.exit(77)
"""


@pytest.mark.parametrize("kind", ["threads", "processes"])
def test_ctrl_c_stops_tasks_that_run(tmp_path: Path, expected_of_long: Tables, kind: str) -> None:
    sweep = long_sweep_in(tmp_path)
    script = tmp_path / "stopped.py"
    script.write_text(STOPPED_BY_CTRL_C)
    command = [sys.executable, str(script), str(sweep.folder), kind]
    session = subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True)
    while not any((sweep.folder / "results").glob("*/*.json")):
        assert session.poll() is None
        time.sleep(0.01)
    # As a terminal does: all processes of the session.
    os.killpg(session.pid, signal.SIGINT)
    assert session.wait(60) == 77
    assert sweep.status().missing
    assert saved(sweep.run(progress=False), tmp_path) == expected_of_long


def test_replicas_are_added_with_an_executor(tmp_path: Path) -> None:
    precision = {"of": "rates.events", "only": {"rule": "pair"}, "relative": 0.15, "most": 12}
    sweep = sweep_in(tmp_path, replicas=5, precision=precision)
    with ThreadPoolExecutor(2) as executor, pytest.warns(UserWarning):
        sweep.run(executor=executor, more=True, progress=False)
    assert all(5 < count <= 12 for count in sweep.replicas)
    assert sweep.status().missing == ()


def test_executors_that_are_none_are_refused(tmp_path: Path) -> None:
    sweep = sweep_in(tmp_path)
    with pytest.raises(TypeError, match="a method submit"):
        sweep.run(executor=3, progress=False)  # type: ignore[arg-type]
    with (
        pytest.raises(TypeError, match="either jobs or an executor"),
        ThreadPoolExecutor(1) as executor,
    ):
        sweep.run(executor=executor, jobs=2, progress=False)
    executor.shutdown()
    with pytest.raises(SweepError, match="4 of 4 tasks could not be done"):
        sweep.run(executor=executor, progress=False)


class Elsewhere:
    """Workers that do not see the folder."""

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(0)
        return future


def test_workers_need_the_folder(tmp_path: Path) -> None:
    with pytest.raises(SweepError, match="workers need the same folder"):
        sweep_in(tmp_path).run(executor=Elsewhere(), progress=False)
