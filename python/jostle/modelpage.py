"""A model as a table in a notebook: species and rules, with warnings where they belong."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from .quantities import plain

if TYPE_CHECKING:
    from .check import CheckWarning
    from .model import Model

__all__ = ["table"]

# Longer lists and values are cut short.
_MOST_ROWS = 40
_MOST_CHARACTERS = 120

_WARNING = '<tr><td colspan="3" style="text-align: left; color: #b00020">&#9888; {}</td></tr>'
_HEADING = '<tr><th colspan="3" style="text-align: left">{}</th></tr>'
_ROW = '<tr><td style="text-align: left"><b>{}</b></td>' + 2 * (
    '<td style="text-align: left">{}</td>'
)


def table(model: Model) -> str:
    """Return the model as HTML.

    Parameters
    ----------
    model : Model
        The model.

    Returns
    -------
    str
        A table; whatever the model says is escaped.
    """
    sections = model.to_dict()
    left = list(model.warnings)
    rows = [f"<caption><b>{_escaped(model.title or 'model')}</b><br>{_summary(model)}</caption>"]
    rows += _list("species", "species", sections.get("species", []), left, _species)
    rows += _list("rules", "rule", sections.get("rule", []), left, _rule)
    rows += [_WARNING.format(_escaped(warning.text)) for warning in left]
    return f"<table>{''.join(rows)}</table>"


def _summary(model: Model) -> str:
    until_ms = f"{model.until_us / 1e3:.6g} ms"
    text = f"{model.engine}, {model.dimension}D, {model.steps} steps, {until_ms}, seed {model.seed}"
    return _escaped(text)


def _list(
    heading: str, section: str, entries: Any, left: list[CheckWarning], row: Any
) -> Iterable[str]:
    """The rows of a section, each with its warnings, which are taken out of those that are left."""
    if not entries:
        return
    yield _HEADING.format(heading)
    for entry in entries[:_MOST_ROWS]:
        name = str(entry.get("name", ""))
        yield _ROW.format(*map(_escaped, (name, *row(entry)))) + "</tr>"
        keys = {f"{section}.{name}", f"{section}.{name}_unbind", f"{section}.{name}_back"}
        own = [warning for warning in left if warning.key in keys]
        for warning in own:
            left.remove(warning)
            yield _WARNING.format(_escaped(warning.text))
    if len(entries) > _MOST_ROWS:
        yield _ROW.format("", f"and {len(entries) - _MOST_ROWS} more", "") + "</tr>"


def _species(entry: Mapping[str, Any]) -> tuple[str, str]:
    amount = entry.get("count", entry.get("placement", 0))
    return _keys(entry, {"name", "count", "placement"}), _value(amount)


def _rule(entry: Mapping[str, Any]) -> tuple[str, str]:
    if "reaction" in entry:
        return _value(entry["reaction"]), _keys(entry, {"name", "reaction"})
    partners = entry.get("on", entry.get("of", ""))
    what = f"{entry.get('do', '')} {_value(partners)}".strip()
    products = entry.get("products", entry.get("product"))
    if products is not None:
        what += f" → {_value(products) or '0'}"
    return what, _keys(entry, {"name", "do", "on", "of", "products", "product"})


def _keys(entry: Mapping[str, Any], without: set[str]) -> str:
    return ", ".join(f"{key} {_value(v)}" for key, v in entry.items() if key not in without)


def _value(value: Any) -> str:
    """A value in short."""
    if isinstance(value, list):
        simple = len(value) <= 4 and not any(isinstance(entry, dict | list) for entry in value)
        return " + ".join(map(str, value)) if simple else f"a list of {len(value)}"
    if isinstance(value, dict):
        return ", ".join(f"{key} {_value(entry)}" for key, entry in value.items())
    text = str(plain(value, ""))
    return text if len(text) <= _MOST_CHARACTERS else text[:_MOST_CHARACTERS] + "…"


def _escaped(text: str) -> str:
    return html.escape(text)
