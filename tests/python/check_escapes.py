"""Parses what was made of two files and holds the one to the structure of the other.

    check_escapes.py PLAIN HOSTILE

In the folder HOSTILE lies what was made of a file whose names would do harm, in PLAIN the same of one with plain
names. Whatever the names are, pages have the same tags with the same attributes, XML is well-formed and has the same
elements, JSON and tables have the same keys and numbers of rows, and no cell is a formula.
"""

import csv
import html.parser
import json
import pathlib
import sys
import unicodedata
import xml.etree.ElementTree as xml

plain, hostile = map(pathlib.Path, sys.argv[1:])


class Tags(html.parser.HTMLParser):
    """The tags of a page with the names of their attributes, and comments."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, sorted(name for name, _ in attributes)))

    def handle_endtag(self, tag):
        self.found.append(("/", tag))

    def handle_comment(self, data):
        self.found.append(("comment", data))


def page(path):
    tags = Tags()
    tags.feed(path.read_text())
    tags.close()
    return tags.found


def drawing(path):
    return [(element.tag, sorted(element.attrib)) for element in xml.parse(path).getroot().iter()]


def cells(path):
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    for row in rows:
        for cell in row:
            try:
                float(cell)
            except ValueError:
                assert len(cell) < 2 or cell[0] not in "=+-@\t\r", f"{path}: a formula: {cell!r}"
    # Heads may be names of species.
    return len(rows), [len(row) for row in rows]


def keys(value):
    """The shape of a JSON value: keys and lengths."""
    if isinstance(value, dict):
        return [keys(inner) for inner in value.values()]
    if isinstance(value, list):
        return [keys(inner) for inner in value]
    return isinstance(value, str)


def words(path):
    """The number of columns in each line of extended XYZ."""
    lines = path.read_text().split("\n")
    return len(lines), [len(line.split()) for line in lines]


def quoted(path):
    """The number of strings in each line of DOT."""
    lines = path.read_text().split("\n")
    assert all(line.replace('\\"', "").count('"') % 2 == 0 for line in lines), path
    return [line.replace('\\"', "").count('"') for line in lines]


def polydata(path):
    """The XML around the raw bytes."""
    head = path.read_bytes().split(b'<AppendedData encoding="raw">')[0]
    root = xml.fromstring(head + b"</VTKFile>")
    return [(element.tag, element.get("Name")) for element in root.iter()]


READERS = {
    ".html": page, ".svg": drawing, ".graphml": drawing, ".pvd": drawing, ".csv": cells, ".xyz": words,
    ".dot": quoted, ".vtp": polydata,
    ".json": lambda path: keys(json.loads(path.read_text())),
    ".simularium": lambda path: keys(json.loads(path.read_text())),
}

names = sorted(path.relative_to(plain) for path in plain.rglob("*") if path.is_file())
assert names == sorted(path.relative_to(hostile) for path in hostile.rglob("*") if path.is_file()), names
assert {name.suffix for name in names} == set(READERS), names
for name in names:
    read = READERS[name.suffix]
    a, b = read(plain / name), read(hostile / name)
    if a != b:
        where = next((pair for pair in zip(a, b) if pair[0] != pair[1]), (len(a), len(b))) if isinstance(a, list) else (a, b)
        sys.exit(f"{name}: {where}")
    if name.suffix != ".vtp":
        text = (hostile / name).read_text()
        steering = {c for c in text if unicodedata.category(c) in ("Cc", "Cf") and c not in "\n\t\r"}
        steering -= set((plain / name).read_text())
        assert not steering, f"{name}: {steering}"
