"""How Sphinx makes the book: `make docs` calls it."""

import os
import shutil
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_ext"))

# The cells call the program that is installed beside this Python.
os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
os.environ["MATPLOTLIBRC"] = str(HERE / "figures" / "matplotlibrc")
# Where cells and figures find the models that come with jostle.
os.environ["JOSTLE_CLONE"] = str(HERE.parent)
os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"
# Kernels are local, and need not say that they are not encrypted. They show what a terminal does in one piece.
KERNELS = tempfile.TemporaryDirectory()
os.environ["IPYTHONDIR"] = KERNELS.name
profile = Path(KERNELS.name) / "profile_default"
profile.mkdir()
(profile / "startup").mkdir()
shutil.copy(HERE / "_ext" / "terminal.py", profile / "startup")
(profile / "ipython_kernel_config.py").write_text("c = get_config()\nc.IPKernelApp.log_level = 40\n")

import jostle  # noqa: E402  (after the path)
from outputs import name_of_jostle  # noqa: E402

project = "jostle"
author = "the jostle authors"
copyright = "2026, the jostle authors"
version = release = jostle.__version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "mathml",
    "outputs",
    "book",
]
exclude_patterns = ["_*", "figures", "notebooks", "outputs", "search.md"]  # shown by reference/search-structures
source_suffix = {".md": "myst-nb"}

# Markdown: dollars for mathematics, links to headings as a code host makes them.
myst_enable_extensions = ["dollarmath", "deflist", "colon_fence"]
myst_heading_anchors = 4
myst_dmath_double_inline = True
myst_dmath_allow_space = False
# Prices do not occur, but `$` does in shell text, which is always in code.
suppress_warnings = [
    "myst.header",  # pages of older date begin lists of options below their title
    "myst.xref_missing",  # links to <a name>; every link is checked after the build, see `book`
    "misc.highlighting_failure",  # notations that no lexer knows
    "myst-nb.lexer",  # the language of cells that have not been run, in `make docs BOOK=quick`
]

# Notebooks: `outputs` runs every page in a folder of its own, and keeps what its cells give here.
nb_execution_mode = "cache"
nb_execution_cache_path = str(
    HERE.parent / "target" / "book-cache" / name_of_jostle(HERE.parent, Path(jostle.__file__).parent)
)
nb_execution_timeout = 300
nb_execution_show_tb = True
nb_merge_streams = True
# Progress bars go to standard error.
nb_output_stderr = "remove"
# Nothing is fetched when a page is read.
nb_ipywidgets_js = {}

autodoc_member_order = "bysource"
autodoc_typehints = "none"
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True

html_theme = "furo"
html_title = f"jostle {release}"
html_static_path = ["_static"]
html_css_files = ["book.css"]
html_js_files = [("manual.js", {"defer": "defer"})]
html_math_renderer = "mathml"
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {"navigation_with_keys": True}
copybutton_exclude = ".linenos, .gp, .go"
pygments_style = "friendly"
