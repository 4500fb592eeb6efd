"""Runs the cells of the pages and the scripts of the figures, and keeps what they give in `target/book-cache`.

What a cell shows follows from the cells of its page and from what they calculate with: jostle as it is installed, the
models, the settings of kernels and figures, the versions of all packages. A sum over the latter names a folder. In it
jupyter-cache keeps the outputs of each page, by its cells, and each figure has the sum of its script in its name. So
nothing is run twice with the same jostle, and everything is run again with another. What fails is not kept.

The environment variable BOOK names the form of the book:

- not set: what has not been kept is run.
- `afresh`: everything is run.
- `quick`: of what has not been kept, only the pages in QUICK are run. The others are built without outputs, and with
  the figures that stand beside the scripts.

The pages have these outputs in them, too, for those who read them on a code host (see `host`). They are written where
cells have changed, and everywhere by `afresh`; `quick` writes nothing and says what is out of date.
"""

import os
import platform
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor, as_completed
from hashlib import sha256
from importlib.metadata import distributions
from pathlib import Path

from host import for_build, is_current, stale, with_outputs
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from jupyter_cache.executors.utils import single_nb_execution
from myst_nb.core.read import create_nb_reader
from sphinx.errors import ConfigError
from sphinx.util import logging

logger = logging.getLogger(__name__)

FORMS = ["", "quick", "afresh"]
# The quick form: answers to single questions, which take seconds each, and of the tutorials the one to begin with.
QUICK = ("start/", "howto/", "reference/", "tutorials/first-clusters")
# Of an earlier jostle, so that one can go back and forth between two branches.
FOLDERS_KEPT = 4
PAGES_KEPT = 200


def sum_of(data):
    return sha256(data).hexdigest()[:16]


def name_of_jostle(clone, package):
    """A name for all that cells calculate with, beside their own text: another one where any of it differs."""
    sums = sha256(sys.version.encode() + platform.machine().encode())
    for line in sorted(f"{found.name} {found.version}\n" for found in distributions()):
        sums.update(line.encode())
    inputs = [clone / "docs/conf.py", clone / "docs/_ext/terminal.py", clone / "docs/figures/matplotlibrc"]
    for folder in [package, clone / "models", clone / "data"]:
        inputs += sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
    for path in inputs:
        sums.update(f"{path.name} {sum_of(path.read_bytes())}\n".encode())
    return sums.hexdigest()[:16]


def form():
    chosen = os.environ.get("BOOK", "")
    if chosen not in FORMS:
        raise ConfigError(f"BOOK={chosen}: there is no such form of the book, but BOOK=quick and BOOK=afresh")
    return chosen


# --- cells ----------------------------------------------------------------------------------------


def _notebook(env, page):
    """The cells of a page as myst-nb reads them, or None if it has none."""
    path = env.doc2path(page)
    text = for_build(Path(path).read_text())
    reader = create_nb_reader(path, env.myst_config, env.mystnb_config, text)
    return reader and reader.read(text)


def _is_kept(cache, notebook):
    try:
        return bool(cache.match_cache_notebook(notebook))
    except KeyError:
        return False


def _run(notebook, timeout):
    with tempfile.TemporaryDirectory() as folder:
        return single_nb_execution(notebook, cwd=folder, timeout=timeout, allow_errors=False)


def _seconds(folder):
    """How long each page took when it was last run, with any jostle."""
    known = {}
    for cache in sorted(folder.glob("*/global.db"), key=lambda path: path.stat().st_mtime):
        for record in get_cache(cache.parent).list_cache_records():
            known[record.uri] = record.data["execution_seconds"]
    return known


def run_cells(app, env, pages):
    """Runs what has to be run, so that myst-nb finds the outputs of all pages.

    The longest page comes first, and before it those that have never been run, so that all cores are done together.
    """
    folder = Path(env.mystnb_config.execution_cache_path)
    cache = get_cache(folder)
    cache.change_cache_limit(PAGES_KEPT)
    notebooks = {page: notebook for page in pages if (notebook := _notebook(env, page))}
    kept = [] if form() == "afresh" else [page for page in notebooks if _is_kept(cache, notebooks[page])]
    to_run = [page for page in notebooks if page not in kept and (form() != "quick" or page.startswith(QUICK))]
    seconds = _seconds(folder.parent)
    to_run.sort(key=lambda page: (seconds.get(page, float("inf")), len(notebooks[page].cells)), reverse=True)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = {pool.submit(_run, notebooks[page], env.mystnb_config.execution_timeout): page for page in to_run}
        for run in as_completed(runs):
            page = runs[run]
            # A cell's failure is in the result; a kernel that dies is an exception of the run.
            if failure := run.exception() or run.result().exc_string:
                logger.warning("a cell fails: %s", failure, location=page)
                continue
            result = run.result()
            bundle = CacheBundleIn(result.nb, page, data={"execution_seconds": result.time})
            cache.cache_notebook_bundle(bundle, overwrite=True)
            kept.append(page)
    without = [page for page in notebooks if page not in kept]
    excluded = [str(env.doc2path(page)) for page in without]
    env.mystnb_config = env.mystnb_config.copy(execution_excludepatterns=excluded)
    write_pages(Path(app.srcdir), {page: cache.merge_match_into_notebook(notebooks[page])[1] for page in kept})
    print(f"Of {len(notebooks)} pages with cells, {len(to_run)} were run now; {len(without)} are without outputs.")
    return []


def write_pages(docs, run):
    """Brings what a code host shows up to date, or says what is not."""
    if form() == "quick":
        late = list(stale(docs))
        late += [docs / f"{page}.md" for page in run if not is_current((docs / f"{page}.md").read_text())]
        for path in late:
            logger.warning("%s is out of date: `make docs` writes it", path.relative_to(docs))
        return
    for page, notebook in run.items():
        path = docs / f"{page}.md"
        text = path.read_text()
        if form() == "afresh" or not is_current(text):
            path.write_text(with_outputs(docs, page, text, notebook))
    for path, text in stale(docs).items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)


# --- figures --------------------------------------------------------------------------------------


def _draw(script, to):
    """Runs a script of a figure, which writes `NAME.svg` into the folder that it is given."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, str(script), folder]
        done = subprocess.run(command, capture_output=True, text=True)
        drawn = Path(folder) / f"{script.stem}.svg"
        if done.returncode != 0:
            logger.warning("%s failed:\n%s", script, done.stderr)
        elif not drawn.exists():
            logger.warning("%s draws no %s", script, drawn.name)
        else:
            shutil.copyfile(drawn, to)


def draw_figures(app):
    """The pictures beside the scripts are those that a code host shows. `use_figures` puts these in their place."""
    folder = Path(app.config.nb_execution_cache_path) / "figures"
    folder.mkdir(parents=True, exist_ok=True)
    scripts = sorted((Path(app.srcdir) / "figures").glob("*.py"))
    app.figures = {script.stem: folder / f"{script.stem}-{sum_of(script.read_bytes())}.svg" for script in scripts}
    if form() == "quick":
        return
    to_draw = [script for script in scripts if form() == "afresh" or not app.figures[script.stem].exists()]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda script: _draw(script, app.figures[script.stem]), to_draw))


def use_figures(app, error):
    for name, drawn in app.figures.items():
        shown = Path(app.outdir) / "_images" / f"{name}.svg"
        if shown.exists() and drawn.exists():
            shutil.copyfile(drawn, shown)
        elif not shown.exists() and error is None:
            logger.warning("no page shows the figure %s", shown.name)


def forget_the_oldest(app, error):
    folder = Path(app.config.nb_execution_cache_path)
    folder.touch()
    newest_first = sorted(folder.parent.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
    for old in newest_first[FOLDERS_KEPT:]:
        shutil.rmtree(old)


def read_by_hand(app, page, source):
    source[0] = for_build(source[0])


def setup(app):
    app.connect("source-read", read_by_hand)
    app.connect("builder-inited", draw_figures)
    app.connect("env-before-read-docs", run_cells)
    app.connect("build-finished", use_figures, priority=400)
    app.connect("build-finished", forget_the_oldest)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
