"""What the book needs beside Sphinx: a check of all links.

After the build every link is followed: to pages, to headings in them, to pictures. Nothing may come from the network.
"""

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from sphinx import addnodes
from sphinx.util import logging

logger = logging.getLogger(__name__)


# --- links ----------------------------------------------------------------------------------------


class _Page(HTMLParser):
    """The places of a page and what it refers to."""

    def __init__(self, text):
        super().__init__()
        self.places, self.links, self.fetched = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.places.update(found[key] for key in ("id", "name") if found.get(key))
        address = found.get("src") or found.get("href")
        if address is None:
            return
        self.links.append(address)
        if tag != "a" and urlsplit(address).netloc:
            self.fetched.append(address)


def check_links(app, error):
    if error is not None or app.builder.name != "html":
        return
    out = Path(app.outdir)
    pages = {page: _Page(page.read_text()) for page in sorted(out.rglob("*.html")) if "_downloads" not in page.parts}
    for page, found in pages.items():
        name = page.relative_to(out)
        for address in found.fetched:
            logger.warning("%s fetches %s", name, address)
        for address in set(found.links):
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            target = page if not parts.path else (page.parent / unquote(parts.path)).resolve()
            if not target.exists():
                logger.warning("%s refers to %s, which does not exist", name, address)
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].places:
                logger.warning("%s refers to %s, but there is no such place on that page", name, address)
    for sheet in out.rglob("*.css"):
        for address in re.findall(r"url\(\s*['\"]?(https?:[^)'\"]+)", sheet.read_text()):
            logger.warning("%s fetches %s", sheet.relative_to(out), address)


# --- a page whose name is taken -------------------------------------------------------------------

# Sphinx writes its own search page to search.html, so `docs/search.md` is shown by another page, and links lead there.
TAKEN, SHOWN_BY = "search", "reference/search-structures"


def lead_on(app, doctree):
    for link in doctree.findall(addnodes.pending_xref):
        if link.get("refdomain") == "doc" and link["reftarget"] == TAKEN:
            link["reftarget"] = SHOWN_BY


# --- docstrings -----------------------------------------------------------------------------------


def escape_stars(app, what, name, object_, options, lines):
    """Stars in the generated docstrings of builders are products and emphasis of Markdown."""
    if name.startswith("jostle.builders"):
        text = "\n".join(lines).replace("*", "\\*").replace("diffusion = .\n\n} }``", "diffusion = .. } }``")
        lines[:] = text.split("\n")


def setup(app):
    # Before napoleon.
    app.connect("autodoc-process-docstring", escape_stars, priority=400)
    app.connect("doctree-read", lead_on)
    app.connect("build-finished", check_links, priority=600)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
