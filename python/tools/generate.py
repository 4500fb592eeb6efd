"""Writes ``jostle/builders.py`` from the table of keys that the model reader itself uses, and
``jostle/measure.py`` and ``jostle/asked.py`` from the table of analyses.

``python python/tools/generate.py`` writes the files, ``--check`` only says whether they are up to date.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeAlias

import analyses
from jostle._jostle import keys as listed_keys
from jostle.builder import argument_name

Json: TypeAlias = dict[str, Any]

PACKAGE = Path(__file__).parents[1] / "jostle"
WIDTH = 100

#: Names that mean something else in the package itself: `jostle.Run` is a run.
HIDDEN = {"Run"}
#: Sections that are lists, by the argument of `Model` that takes them.
PLURALS = {
    "molecule": "molecules",
    "observable": "observables",
    "rule": "rules",
    "surface": "surfaces",
    "wall": "walls",
}
#: What there is no class of its own for: the file as a whole, and rules, which have one per kind.
OTHERS = {"model", "rule"}

HEAD = '''\
"""The tables of a model file as Python objects, one class each.

The file is written by ``python/tools/generate.py`` from the table of keys that the model reader uses;
``jostle list keys`` prints the same table. Arguments have the names of the keys. The objects never
change, can be compared, hashed and pickled, and write themselves as TOML.

>>> from jostle import Species
>>> receptor = Species("Receptor", radius="2.5 nm", diffusion="0.05 um^2/s", count=45)
>>> receptor.replace(count=90).count
90
>>> print(receptor.toml)
[[species]]
name = "Receptor"
radius = "2.5 nm"
diffusion = "0.05 um^2/s"
count = 45
<BLANKLINE>
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

from .builder import Builder, Rule
from .quantities import Array, Quantity, Whole
'''

#: What each kind of rule is for.
RULES = {
    "bounce": "Two particles bounce off each other, as they do without a rule.",
    "pass": "Two particles pass through each other; the contact is logged.",
    "ignore": "Two particles do not notice each other: no contact, nothing in the log.",
    "bind": "Two particles bind when they touch: by a bond, or as one particle.",
    "convert": "Two particles that touch, or one in time, become others.",
    "annihilate": "Two particles that touch disappear.",
    "fragment": "A cluster of bonded particles breaks, when it is touched or in time.",
    "unbind": "What a :class:`Bind` rule has bound separates again.",
    "decay": "A particle disappears in time.",
    "create": "A particle is created in time.",
    "reaction": "A reaction in one line, such as ``A + B <-> C``.",
}


class Generator:
    """Writes the classes, one after the other."""

    def __init__(self, listing: Json) -> None:
        self.tables: dict[str, Json] = {table["name"]: table for table in listing["tables"]}
        self.rules: list[Json] = listing["rules"]

    def text(self) -> str:
        """The whole file."""
        tables = [table for name, table in self.tables.items() if name not in OTHERS]
        classes = [self.table_class(table) for table in tables]
        classes += [self.rule_class(rule) for rule in self.rules]
        names = [class_name(table["name"]) for table in tables]
        names += [class_name(rule["do"]) for rule in self.rules]
        names = sorted({*names, "Rule"} - HIDDEN)
        listed = "".join(f'    "{name}",\n' for name in names)
        head = f"{HEAD}\n__all__ = [\n{listed}]\n"
        return "\n\n".join([head, *classes, self.model_class()])

    def table_class(self, table: Json) -> str:
        """The class of a table."""
        keys = rows_by_name(table["keys"])
        positional = ["name"] if "name" in keys else []
        is_section = "." not in table["heading"]
        attributes = {
            "_table": repr(table["name"]),
            "_section": repr(table["name"]) if is_section else None,
            "_is_list": "True" if is_section and table["is_list"] else None,
        }
        what = f"The table ``{table['heading']}`` of a model file: {plain_doc(table['doc'])}."
        if len(table["engines"]) < 4 and is_section:
            what += f" It belongs to models of the engine {one_of(table['engines'])}."
        needed = {name for name, rows in keys.items() if is_needed(rows, table["engines"])}
        return self.write_class(
            table["name"], "Builder", what, keys, positional, needed, attributes
        )

    def rule_class(self, rule: Json) -> str:
        """The class of one kind of rule."""
        word = rule["do"]
        all_keys = rows_by_name(self.tables["rule"]["keys"])
        keys = {name: all_keys[name] for name in rule["keys"]}
        positional = ["reaction" if word == "reaction" else "name"]
        attributes = {
            "_fixed: ClassVar[Mapping[str, str]]": (
                None if word == "reaction" else f"{{'do': {word!r}}}"
            ),
        }
        heading = "``[[rule]]``" if word == "reaction" else f'``[[rule]]`` with ``do = "{word}"``'
        what = f"{RULES[word]} In a model file: {heading}."
        return self.write_class(word, "Rule", what, keys, positional, set(positional), attributes)

    def write_class(
        self,
        name: str,
        base: str,
        what: str,
        keys: dict[str, list[Json]],
        positional: list[str],
        needed: set[str],
        attributes: dict[str, str | None],
    ) -> str:
        """A class with its documentation and its constructor."""
        summary, _, rest = what.partition(". ")
        doc = [*wrapped(f"{summary.rstrip('.')}.", 4)]
        if rest:
            doc += ["", *wrapped(rest, 4)]
        doc += ["", "    Parameters", "    ----------"]
        for key, rows in keys.items():
            doc += self.parameter(key, rows, key in needed)
        lines = [f"class {class_name(name)}({base}):", f'    """{doc[0].strip()}', *doc[1:]]
        lines += ['    """', "", "    __slots__ = ()"]
        attributes |= {
            "_keys": tuple_text(keys),
            "_positional": tuple_text(positional) if positional else None,
        }
        for attribute, value in attributes.items():
            if value is not None:
                lines += assignment(attribute, value.replace("'", '"'))
        lines += ["", "    def __init__(", "        self,"]
        first = [key for key in positional if key in keys]
        named = [key for key in keys if key not in positional]
        lines += [self.argument(key, keys[key], key in needed) for key in first]
        if named:
            lines.append("        *,")
            in_order = sorted(named, key=lambda key: key not in needed)
            lines += [self.argument(key, keys[key], key in needed) for key in in_order]
        lines += ["    ) -> None:", "        self._fill(locals())", ""]
        return "\n".join(lines)

    def argument(self, key: str, rows: list[Json], needed: bool) -> str:
        """An argument of a constructor."""
        return argument(argument_name(key), self.types(rows), needed)

    def types(self, rows: list[Json]) -> list[str]:
        """The types that a key takes, in models of any engine."""
        return self.type_of({"kind": "either", "of": [row["takes"] for row in rows]})

    def type_of(self, takes: Json) -> list[str]:
        """The types that do for a value."""
        match takes["kind"]:
            case "quantity":
                return ["Quantity"]
            case "text":
                return ["str"]
            case "whole":
                return ["Whole"]
            case "boolean":
                return ["bool"]
            case "word":
                return [f"Literal[{', '.join(json.dumps(word) for word in takes['words'])}]"]
            case "list":
                entry = " | ".join(self.type_of(takes["of"]))
                of_tables = takes["of"]["kind"] == "table"
                return [f"Sequence[{entry}]", *([] if of_tables else ["Array"])]
            case "table" if takes["name"] == "rule":
                return ["Rule", "Mapping[str, Any]"]
            case "table":
                return [class_name(takes["name"]), "Mapping[str, Any]"]
            case "named":
                return [f"Mapping[str, {' | '.join(self.type_of(takes['of']))}]"]
            case _:
                types: list[str] = []
                for choice in one_word(flat(takes["of"])):
                    types += [t for t in self.type_of(choice) if t not in types]
                return types

    def parameter(self, key: str, rows: list[Json], needed: bool) -> list[str]:
        """What the documentation says of an argument."""
        lines = [f"    {argument_name(key)} : {kind_of(rows)}{'' if needed else ', optional'}"]
        described: list[str] = []
        for row in rows:
            told = sentence(row, several=len(rows) > 1)
            if told not in described:
                described.append(told)
        for told in described:
            lines += wrapped(told, 8)
        return lines

    def model_class(self) -> str:
        """The constructor of models, whose arguments are the sections."""
        keys = rows_by_name(self.tables["model"]["keys"])
        doc: list[str] = []
        arguments: list[str] = []
        values: list[str] = []
        for key, rows in keys.items():
            name = PLURALS.get(key, key)
            takes = rows[0]["takes"]
            kind = kind_of(rows)
            if takes["kind"] == "list":
                kind = f"sequence of {class_name(takes['of']['name'])}"
            doc.append(f"        {name} : {kind}, optional")
            said = " ".join(sentence(row, several=False, sections=True) for row in rows)
            if name != key:
                said += f" In the file, and as an argument too: ``{key}``."
            doc += wrapped(said, 12)
            arguments.append(argument(name, self.types(rows), False))
            values.append(f'                "{key}": {name},')
        for key, name in PLURALS.items():
            arguments.append(argument(key, self.types(keys[key]), False))
            at = values.index(f'                "{key}": {name},')
            values[at] = f'                "{key}": _either("{key}", {name}, {key}),'
        lines = [
            "class Sections:",
            '    """The sections of a model file as arguments; :class:`jostle.Model` has them."""',
            "",
            "    __slots__ = ()",
            "",
            "    def __init__(",
            "        self,",
            "        *,",
            *arguments,
            "    ) -> None:",
            '        """Make a model of its sections.',
            "",
            "        Parameters",
            "        ----------",
            *doc,
            '        """',
            "        self._build(",
            "            {",
            *values,
            "            }",
            "        )",
            "",
            "    def _build(self, sections: dict[str, Any]) -> None:",
            "        raise NotImplementedError",
            "",
            "",
            "def _either(key: str, several: object, one: object) -> object:",
            '    """The value of an argument that has two spellings."""',
            "    if several is not None and one is not None:",
            '        raise TypeError(f"`{key}` and `{key}s` are the same section: keep one of the two")',
            "    return one if several is None else several",
            "",
        ]
        return "\n".join(lines)


def flat(choices: Iterable[Json]) -> list[Json]:
    """All choices, those within others too."""
    found: list[Json] = []
    for choice in choices:
        found += flat(choice["of"]) if choice["kind"] == "either" else [choice]
    return found


def one_word(choices: list[Json]) -> list[Json]:
    """The same with the words of all that are words in the first such choice."""
    words = [word for choice in choices for word in choice.get("words", [])]
    merged = {"kind": "word", "words": list(dict.fromkeys(words))}
    first = next((n for n, choice in enumerate(choices) if choice["kind"] == "word"), None)
    return [
        merged if n == first else choice
        for n, choice in enumerate(choices)
        if n == first or choice["kind"] != "word"
    ]


def class_name(table: str) -> str:
    """``saffman_delbruck`` is ``SaffmanDelbruck`` here."""
    return "".join(part.capitalize() for part in table.split("_"))


def rows_by_name(keys: Iterable[Json]) -> dict[str, list[Json]]:
    """The rows of each key: one for each meaning that it has."""
    rows: dict[str, list[Json]] = {}
    for key in keys:
        rows.setdefault(key["name"], []).append(key)
    return rows


def is_needed(rows: list[Json], engines: list[str]) -> bool:
    """Whether no model of any engine can do without it."""
    found = {engine for row in rows if row["needed"] for engine in row["engines"]}
    return all(row["needed"] for row in rows) and found >= set(engines)


def plain_doc(text: str) -> str:
    """A text of the manual in the marks of docstrings."""
    # A symbol at the start is marked as code, so that it gets no capital letter.
    text = re.sub(r"^\*([^*`]+)\*", r"`\1`", text)
    return re.sub(r"\*([^*`]+)\*", r"\1", text).replace("`", "``").replace("\\", "\\\\").rstrip(".")


def one_of(words: list[str]) -> str:
    """``a``, ``b`` or ``c``."""
    quoted = [f"``{word}``" for word in words]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"


def sentence(row: Json, *, several: bool, sections: bool = False) -> str:
    """What a key means, what it takes, and what holds without it."""
    told = plain_doc(row["doc"])
    parts = [told[:1].upper() + told[1:] + "."]
    if len(row["engines"]) < 4 and (several or sections):
        parts.insert(0, f"With the engine {one_of(row['engines'])}:")
    if not sections:
        takes = plain_doc(row["described"])
        if takes != "text":
            parts.append(f"Takes {takes}.")
        if row["takes"]["kind"] not in ("word", "boolean", "whole"):
            parts.append(f"For example ``{row['example']}``.".replace("\\", "\\\\"))
    if row["default"] is not None:
        parts.append(f"By default ``{row['default']}``.")
    elif row["absent"]:
        parts.append(f"Without it: {plain_doc(row['absent'])}.")
    return " ".join(parts)


def kind_of(rows: list[Json]) -> str:
    """The types of a key in the words of numpydoc."""
    words = {
        "quantity": "quantity",
        "text": "str",
        "whole": "int",
        "boolean": "bool",
        "word": "str",
        "list": "sequence",
        "named": "mapping",
    }
    kinds: list[str] = []
    for row in rows:
        takes = row["takes"]
        choices = takes["of"] if takes["kind"] == "either" else [takes]
        for choice in choices:
            name = choice["kind"]
            kind = class_name(choice["name"]) if name == "table" else words[name]
            if kind not in kinds:
                kinds.append(kind)
    return " or ".join(kinds)


def argument(name: str, types: list[str], needed: bool) -> str:
    """An argument with its type, broken where the line would be too long."""
    parts = types if needed else [*types, "None"]
    default = "" if needed else " = None"
    line = f"        {name}: {' | '.join(parts)}{default},"
    if len(line) <= WIDTH:
        return line
    whole = f"            {' | '.join(parts)}"
    lines = [line for n, part in enumerate(parts) for line in choice_lines(part, n > 0)]
    lines = [whole] if len(whole) <= WIDTH else lines
    return "\n".join([f"        {name}: (", *lines, f"        ){default},"])


def choice_lines(part: str, is_later: bool) -> list[str]:
    """One of several types in a line, or words one by one."""
    line = f"            {'| ' if is_later else ''}{part}"
    if len(line) <= WIDTH or not part.startswith("Literal["):
        return [line]
    words = part.removeprefix("Literal[").removesuffix("]").split(", ")
    head = line[: line.index("[") + 1]
    return [head, *[f"                {word}," for word in words], "            ]"]


def tuple_text(names: Iterable[str]) -> str:
    """A tuple of texts, as source."""
    names = list(names)
    return f"({', '.join(json.dumps(name) for name in names)}{',' if len(names) == 1 else ''})"


def assignment(name: str, value: str) -> list[str]:
    """A class attribute, broken where the line would be too long."""
    line = f"    {name} = {value}"
    if len(line) <= WIDTH:
        return [line]
    entries = value[1:-1].split(", ")
    return [f"    {name} = (", *[f"        {entry}," for entry in entries], "    )"]


def wrapped(text: str, indent: int) -> list[str]:
    """A paragraph of a docstring."""
    margin = " " * indent
    return textwrap.wrap(
        text,
        WIDTH - 4,
        initial_indent=margin,
        subsequent_indent=margin,
        break_long_words=False,
        break_on_hyphens=False,
    )


def generated() -> dict[Path, str]:
    """The files and their texts."""
    builders = Generator(json.loads(listed_keys())).text()
    return {
        PACKAGE / "builders.py": builders,
        PACKAGE / "measure.py": analyses.measure_text(),
        PACKAGE / "asked.py": analyses.asked_text(),
    }


def main() -> int:
    """Write the files, or check them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, only compare")
    is_check = parser.parse_args().check
    stale = False
    for path, text in generated().items():
        if not is_check:
            path.write_text(text, encoding="utf-8")
        elif path.read_text(encoding="utf-8") != text:
            print(f"{path} is not up to date: run `python python/tools/generate.py`", file=sys.stderr)
            stale = True
    return int(stale)


if __name__ == "__main__":
    sys.exit(main())
