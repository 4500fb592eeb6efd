"""Writes mathematics as MathML, which browsers draw by themselves, without a script."""

from html import escape

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

logger = logging.getLogger(__name__)


def _mathml(node, display):
    try:
        return convert(node.astext(), display=display)
    except Exception as error:
        logger.warning("cannot convert %r: %r", node.astext(), error, location=node)
        return f"<code>{escape(node.astext())}</code>"


def inline(translator, node):
    translator.body.append(_mathml(node, "inline"))
    raise nodes.SkipNode


def block(translator, node):
    translator.body.append(translator.starttag(node, "div", CLASS="equation"))
    translator.body.append(_mathml(node, "block"))
    if node["number"]:
        number = get_node_equation_number(translator, node)
        translator.body.append(f'<span class="eqno">({number})</span>')
    translator.body.append("</div>\n")
    raise nodes.SkipNode


def setup(app):
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
