"""Pages as a code host shows them, without a build: `make docs` keeps their generated parts up to date.

Generated parts stand between two comments. `for_build` takes them out again, so that Sphinx reads what was written by
hand and puts its own in their place.

- `<!-- output -->`: what a cell gives, below it; a page ends with a sum of its cells, which tells whether they have
  changed since. Pictures are in `docs/outputs`.
- `<!-- help: run -->`: what `jostle help run` prints.
- `<!-- python: jostle.Model -->`: signatures and docstrings.
- `<!-- toctree: Start -->`: links to pages, with their titles.
- `<!-- contents: manual/rules manual/surfaces -->`: links to these pages and to their headings.
- `<!-- include: ../search.md prion -->`: a link to the file that is included, whose links begin with the second word.

Tutorials and how-to pages with cells are also notebooks, in `docs/notebooks`, to which a line below their title leads.
"""

import base64
import importlib
import inspect
import io
import json
import os
import posixpath
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path

from PIL import Image

FRONT = "---\nfile_format: mystnb\nkernelspec:\n  name: python3\n---\n\n"
CELL = re.compile(r"^```python cell\n(.*?)^```$\n", re.MULTILINE | re.DOTALL)
OUTPUT = re.compile(r"\n<!-- output -->\n.*?<!-- output: end -->\n", re.DOTALL)
SUM = re.compile(r"\n<!-- outputs of ([0-9a-f]+) -->\n")
PART = re.compile(r"<!-- (help|python|toctree|include|contents): ?([^\n]*?) -->\n(.*?)<!-- \1: end -->\n", re.DOTALL)
LINK = re.compile(r"^- \[[^\n]*\]\(([^)\n]+)\.md\)$", re.MULTILINE)
# Pages in these folders that have cells are notebooks, too.
NOTEBOOKS = ("start/", "tutorials/", "howto/")
# What the cells of a notebook import.
INSTALL = '%pip install --quiet "jostle[tables]" matplotlib scipy h5py'


# --- what Sphinx reads ----------------------------------------------------------------------------


def for_build(text):
    """A page without its generated parts, as MyST."""
    text = SUM.sub("", OUTPUT.sub("", text))
    text = PART.sub(_directive, text)
    if not CELL.search(text):
        return text
    return FRONT + CELL.sub(lambda cell: f"```{{code-cell}} python\n{cell[1]}```\n", text)


def _directive(part):
    kind, names, shown = part.groups()
    if kind == "toctree":
        pages = "\n".join(LINK.findall(shown))
        return f"```{{toctree}}\n:caption: {names}\n:maxdepth: 1\n\n{pages}\n```\n"
    if kind == "contents":
        pages = "\n".join(names.split())
        return f"```{{toctree}}\n:maxdepth: 3\n\n{pages}\n```\n"
    if kind == "include":
        file, links = names.split()
        return f"```{{include}} {file}\n:relative-docs: {links}\n:relative-images:\n```\n"
    if kind == "python":
        return "```{eval-rst}\n" + "\n".join(_autodoc(name) for name in names.split()) + "```\n"
    return shown


def _autodoc(name):
    thing = _find(name)
    if not inspect.isclass(thing) and not inspect.ismodule(thing):
        return f".. autofunction:: {name}\n"
    inherited = "   :inherited-members:\n" if name == "jostle.Run" else ""
    return f".. auto{'class' if inspect.isclass(thing) else 'module'}:: {name}\n   :members:\n{inherited}"


# --- generated parts ------------------------------------------------------------------------------


def _find(name):
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        module, _, attribute = name.rpartition(".")
        return getattr(importlib.import_module(module), attribute)


def _fenced(text, language="text"):
    fence = "````" if "```" in text else "```"
    return f"{fence}{language}\n{text.rstrip()}\n{fence}\n"


def _help(command):
    done = subprocess.run(["jostle", "help", *command.split()], capture_output=True, text=True, check=True)
    return _fenced(done.stdout)


class _Bare(str):
    """A type as it is written, without quotes."""

    __repr__ = str.__str__


def _bare(annotation):
    return _Bare(annotation) if isinstance(annotation, str) else annotation


def _signature(thing):
    try:
        found = inspect.signature(thing)
    except (TypeError, ValueError):
        return ""
    parameters = [each.replace(annotation=_bare(each.annotation)) for each in found.parameters.values()]
    return str(found.replace(parameters=parameters, return_annotation=_bare(found.return_annotation)))


def _described(name, thing, level):
    signature = _signature(thing) if callable(thing) else ""
    text = inspect.getdoc(thing) or ""
    return f"{'#' * level} `{name}`\n\n" + _fenced(name.rpartition(".")[2] + signature + "\n\n" + text, "text") + "\n"


def _members(owner, inherited):
    found = dict(vars(owner))
    if inherited:
        for parent in owner.__mro__[1:-1]:
            found = {**vars(parent), **found}
    for name, member in found.items():
        inner = getattr(member, "__func__", member)
        if not name.startswith("_") and (callable(inner) or isinstance(inner, property)):
            yield name, inner.fget if isinstance(inner, property) else inner


def _python(name):
    thing = _find(name)
    if inspect.ismodule(thing):
        public = [(key, value) for key, value in vars(thing).items() if getattr(value, "__module__", "") == name]
        text = inspect.getdoc(thing) or ""
        return f"{text}\n\n" + "".join(
            _described(f"{name}.{key}", value, 3) for key, value in public if not key.startswith("_")
        )
    shown = _described(name, thing, 3)
    if inspect.isclass(thing):
        members = _members(thing, name == "jostle.Run")
        shown += "".join(_described(f"{name}.{key}", member, 4) for key, member in members)
    return shown


def _title(page):
    return re.search(r"^# (.+)$", page.read_text(), re.MULTILINE)[1]


def _contents(folder, shown):
    pages = LINK.findall(shown)
    return "".join(f"- [{_title(folder / f'{page}.md')}]({page}.md)\n" for page in pages)


def _headings(page, text):
    """Links to a page and the headings on it, with the anchors that a code host and MyST give them."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    shown = ""
    for level, title in re.findall(r"^(#{1,3}) (.+)$", text, re.MULTILINE):
        anchor = "#" + re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        shown += f"{'  ' * (len(level) - 1)}- [{title}]({page}.md{'' if level == '#' else anchor})\n"
    return shown


def with_parts(page, text):
    """The page, with those parts generated anew for which no cell has to run."""

    def made(part):
        kind, names, shown = part.groups()
        if kind == "help":
            new = _help(names)
        elif kind == "python":
            new = "\n".join(_python(name) for name in names.split())
        elif kind == "contents":
            pages = names.split()
            new = "".join(_headings(name, (page.parent / f"{name}.md").read_text()) for name in pages)
        elif kind == "include":
            file = names.split()[0]
            title = _title(page.parent / file)
            new = f"# {title}\n\nThis page is [{posixpath.basename(file)}]({file}).\n"
        else:
            new = f"\n**{names}**\n\n{_contents(page.parent, shown)}\n"
        return f"<!-- {kind}:{names and ' '}{names} -->\n{new}<!-- {kind}: end -->\n"

    return PART.sub(made, text)


# --- outputs of cells -----------------------------------------------------------------------------


def sum_of_cells(text):
    cells = "".join(CELL.findall(text))
    return sha256(cells.encode()).hexdigest()[:16]


def is_current(text):
    """Whether what stands below the cells of a page is that of these cells."""
    known = SUM.search(text)
    return not CELL.search(text) or (known is not None and known[1] == sum_of_cells(text))


def with_outputs(docs, page, text, notebook):
    """The page with what its cells gave when they were run as the notebook."""
    text = SUM.sub("", OUTPUT.sub("", text))
    folder = docs / "outputs"
    folder.mkdir(exist_ok=True)
    stem = page.replace("/", "-")
    for old in folder.glob(f"{stem}-[0-9]*.*"):
        old.unlink()
    cells = iter([cell for cell in notebook.cells if cell.cell_type == "code"])
    pictures, up = [], posixpath.relpath("outputs", posixpath.dirname(page) or ".")

    def shown(match):
        if match[1].startswith("%%writefile"):
            next(cells)
            return match[0]
        parts = [_shown(output, folder, stem, pictures, up) for output in next(cells).outputs]
        parts = [part for part in parts if part]
        if not parts:
            return match[0]
        return f"{match[0]}\n<!-- output -->\n" + "\n".join(parts) + "<!-- output: end -->\n"

    text = CELL.sub(shown, text)
    return f"{text.rstrip()}\n\n<!-- outputs of {sum_of_cells(text)} -->\n"


def _shown(output, folder, stem, pictures, up):
    if output.output_type == "stream":
        return _fenced(output.text) if output.name == "stdout" and output.text.strip() else ""
    data = output.get("data", {})
    name = f"{stem}-{len(pictures) + 1}"
    if "image/svg+xml" in data:
        (folder / f"{name}.svg").write_text(data["image/svg+xml"])
        pictures.append(f"{name}.svg")
    elif "image/png" in data:
        with Image.open(io.BytesIO(base64.b64decode(data["image/png"]))) as picture:
            picture.save(folder / f"{name}.webp", quality=90, method=6)
        pictures.append(f"{name}.webp")
    elif "<iframe" in data.get("text/html", ""):
        return "*Here a notebook shows a player.*\n"
    else:
        return _fenced(data.get("text/plain", "")) if data.get("text/plain") else ""
    return f"![What the cell draws]({up}/{pictures[-1]})\n"


# --- notebooks ------------------------------------------------------------------------------------


def with_link(name, text):
    """The page with a link to its notebook below its title."""
    if "[Open as a notebook](" in text:
        return text
    title, rest = text.split("\n", 1)
    return f"{title}\n\n[Open as a notebook](../notebooks/{name}.ipynb)\n{rest}"


def as_notebook(page, text):
    """The page as a notebook that needs no file beside it."""
    text = SUM.sub("", OUTPUT.sub("", text))
    text = re.sub(r"^\[Open as a notebook\]\([^)]*\)\n+", "", text, flags=re.MULTILINE)
    here = posixpath.dirname(page)
    away = re.compile(r"\]\((?!https?:|#)([^)]+)\)")
    cells, end = [_cell("code", INSTALL)], 0

    def words(part):
        moved = away.sub(lambda link: f"]({posixpath.relpath(posixpath.join(here, link[1]), 'notebooks')})", part)
        if moved.strip():
            cells.append(_cell("markdown", moved.strip()))

    for cell in CELL.finditer(text):
        words(text[end : cell.start()])
        cells.append(_cell("code", cell[1].rstrip()))
        end = cell.end()
    words(text[end:])
    # The title comes first.
    cells[0], cells[1] = cells[1], cells[0]
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    book = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(book, indent=1, ensure_ascii=False) + "\n"


def _cell(kind, source):
    more = {"execution_count": None, "outputs": []} if kind == "code" else {}
    return {"cell_type": kind, "id": "", "metadata": {}, **more, "source": source.splitlines(keepends=True)}


# --- all of it ------------------------------------------------------------------------------------


def files(docs):
    """What should be in the files that need no cell to run: by their paths."""
    pages = sorted(path for path in docs.rglob("*.md") if "_" not in path.name[0])
    with ThreadPoolExecutor() as pool:
        texts = list(pool.map(lambda page: with_parts(page, page.read_text()), pages))
    found = dict(zip(pages, texts, strict=True))
    for path, text in list(found.items()):
        page = path.relative_to(docs).with_suffix("").as_posix()
        # What takes a file of the clone does not run elsewhere.
        if page.startswith(NOTEBOOKS) and CELL.search(text) and "JOSTLE_CLONE" not in text:
            found[docs / "notebooks" / f"{path.stem}.ipynb"] = as_notebook(page, text)
            found[path] = with_link(path.stem, text)
    return found


def stale(docs):
    """The files whose generated parts are not up to date, with what should be in them."""
    return {path: text for path, text in files(docs).items() if not path.exists() or path.read_text() != text}


def write_stale(docs):
    for path, text in stale(docs).items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)


if __name__ == "__main__":
    # The program that is installed beside this Python.
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    write_stale(Path(__file__).parents[1])
