"""Reads a bundle as any consumer would: the standard library of Python, PyYAML, openpyxl, nothing of picardc's.

Both layouts (real files, `data:` URIs) and split keys look the same from here. PyYAML and openpyxl are needed only where a bundle
has YAML files and workbooks.
"""

import base64
import csv
import decimal
import fractions
import io
import json
import pathlib
import posixpath
import re
import sqlite3
import sys
import tempfile
import urllib.parse
import xml.etree.ElementTree

Decimal = decimal.Decimal
Fraction = fractions.Fraction


class Disagreement(Exception):
    """What was recomputed is not what the bundle says."""


def agree(what, recomputed, stated):
    """Equal in value and in kind: 1 is not True, and not 1.0."""
    if type(recomputed) is not type(stated) or recomputed != stated:
        raise Disagreement(f"{what}: recomputed {recomputed!r}, the bundle says {stated!r}")


class Rows:
    """A result set, as an answer."""

    def __init__(self, columns, rows):
        self.columns = columns
        self.rows = rows

    def objects(self):
        return [dict(zip(self.columns, row)) for row in self.rows]


class Instance:
    """One line of instances.jsonl, its line of keys.jsonl, its files."""

    def __init__(self, folder, line, keys, sandbox_root):
        facts = line["metadata"]["picard"]
        self.folder = folder
        self.root = sandbox_root
        self.id = line["id"]
        self.prompt = line["input"].strip()
        self.files = line["files"]
        self.task = facts["task"]
        self.variant = facts["variant"]
        self.stage = facts.get("stage", {}).get("name")
        self.cell = facts["axis"]
        # The row of a data set that it asks: its name, its key, and its cluster.
        self.each = facts.get("each")
        # The descriptions of databases in it: their budget, tokens, and what is visible of what the answer needs.
        self.described = facts.get("described", [])
        self.sample = facts["sample"]
        answers = keys if keys is not None else {**line, **facts}
        self.target = answers["target"]
        self.expects = answers["expect"]
        self.draws = answers["draws"]

    def content(self, path):
        """The bytes of the file that stands at `path` of the sandbox."""
        if path not in self.files:
            raise Disagreement(f"the prompt names {path!r}; the sandbox has {sorted(self.files)}")
        source = self.files[path]
        if source.startswith("data:"):
            head, _, body = source.partition(",")
            return base64.b64decode(body, validate=True) if head.endswith(";base64") else urllib.parse.unquote_to_bytes(body)
        return (self.folder / source).read_bytes()

    def text(self, path):
        return self.content(path).decode("utf-8")

    def csv(self, path, delimiter=",", encoding="utf-8"):
        """Header and rows of texts."""
        text = self.content(path).decode(encoding)
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True, delimiter=delimiter))
        return rows[0], rows[1:]

    def records(self, path, delimiter=",", encoding="utf-8"):
        """The rows of a CSV file as dictionaries; every row must have the header's width."""
        header, rows = self.csv(path, delimiter, encoding)
        if any(len(row) != len(header) for row in rows):
            raise Disagreement(f"{path}: a row is not as wide as the header")
        return [dict(zip(header, row)) for row in rows]

    def json(self, path):
        """A JSON file; fractions as decimals, no key twice."""

        def fields(pairs):
            if len(dict(pairs)) != len(pairs):
                raise Disagreement(f"{path}: a key stands twice")
            return dict(pairs)

        return json.loads(self.text(path), parse_float=Decimal, object_pairs_hook=fields)

    def yaml(self, path):
        """A YAML file."""
        import yaml

        return yaml.safe_load(self.text(path))

    def xml(self, path):
        """The root of an XML file."""
        return xml.etree.ElementTree.fromstring(self.content(path))

    def workbook(self, path):
        """The sheets of a workbook: name to list of dictionaries. A header, and no row without a cell, or with more cells than the header."""
        import openpyxl

        book = openpyxl.load_workbook(io.BytesIO(self.content(path)))
        sheets = {}
        for sheet in book.worksheets:
            header, *rows = sheet.iter_rows(values_only=True)
            if not all(isinstance(name, str) and name for name in header):
                raise Disagreement(f"{path}: a column of {sheet.title} has no name")
            sheets[sheet.title] = [dict(zip(header, row)) for row in rows]
        return sheets

    def tables(self, path):
        """The tables of a database: name to list of dictionaries."""
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder) / "copy.db"
            copy.write_bytes(self.content(path))
            with sqlite3.connect(copy) as connection:
                connection.row_factory = sqlite3.Row
                agree(f"integrity of {path}", "ok", connection.execute("PRAGMA integrity_check").fetchone()[0])
                agree(f"foreign keys of {path}", [], connection.execute("PRAGMA foreign_key_check").fetchall())
                names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid")]
                names = [name for name in names if not name.startswith("sqlite_")]
                tables = {name: [dict(row) for row in connection.execute(f'SELECT * FROM "{name}"')] for name in names}
            connection.close()
        return tables

    def opens(self, path):
        """Reads a file with the reader of its kind; what does not open raises."""
        kind = path.rpartition(".")[2]
        if kind == "csv":
            text = self.content(path).decode("utf-8-sig")
            bare = re.sub('"[^"]*"', "", text.splitlines()[0])
            self.records(path, ";" if ";" in bare else ",", "utf-8-sig")
        elif kind == "tsv":
            self.records(path, "\t")
        elif kind in READERS:
            READERS[kind](self, path)
        else:
            self.text(path)

    def below(self, path):
        """A path of the prompt as a path below the sandbox."""
        if self.root != ".":
            prefix = self.root.rstrip("/") + "/"
            if not path.startswith(prefix):
                raise Disagreement(f"{path!r} does not stand below {self.root!r}")
            path = path[len(prefix):]
        path = posixpath.normpath(path)
        if path.startswith(("/", "..")):
            raise Disagreement(f"{path!r} leaves the sandbox")
        return path

    def expects_just(self, subject, matcher, value=None, options=None):
        """The answer key is one `expect`, and it is this; the target shows the same."""
        agree("number of expects", 1, len(self.expects))
        (expect,) = self.expects
        agree("subject", subject, expect["subject"])
        agree("matcher", matcher, expect["match"])
        agree("options", options or {}, expect["options"])
        agree("weight", 1, expect["weight"])
        agree("slice, any_of, gate", set(), {"slice", "any_of", "gate"} & set(expect))
        if matcher == "exists":
            (paths,) = subject.values()
            agree("value", False, "value" in expect)
            agree("target", paths, json.loads(self.target))
        elif matcher == "json":
            same_json("value", value, expect["value"])
            same_json("target", value, json.loads(self.target))
        else:
            same_json("value", value, expect["value"])
            agree("target", str(value), self.target)

    def expects_value(self, subject, matcher, value, options=None, **others):
        """The answer key is one `expect` with a value of any type. A decimal has its places; a `Fraction` is the exact value of a float, which may
        differ from it by 1e-12 of it; `others` is what else is said (`slice`, `database`)."""
        agree("number of expects", 1, len(self.expects))
        (expect,) = self.expects
        agree("answer key but for the value", {"subject": subject, "match": matcher, "options": options or {}, "weight": 1, **others},
              {key: said for key, said in expect.items() if key != "value"})
        same_value("value", value, expect["value"])
        rounded = (options or {}).get("", {}).get("rounded")
        if rounded is not None:
            shown = Decimal(self.target)
            agree("places of the target", -rounded, shown.as_tuple().exponent)
            if abs(Fraction(shown) - Fraction(value)) > Fraction(1, 2 * 10**rounded) + Fraction(1, 10**9):
                raise Disagreement(f"target: recomputed {float(value)!r}, the bundle says {self.target!r}")
        elif matcher in ("json", "list", "rows", "sql"):
            same_shown("target", value, json.loads(self.target, parse_float=Decimal))
        elif isinstance(value, Fraction):
            same_value("target", value, float(self.target))
        else:
            agree("target", str(value), self.target)


READERS = {
    "json": Instance.json,
    "yaml": Instance.yaml,
    "xml": Instance.xml,
    "xlsx": Instance.workbook,
    "db": lambda it, path: it.tables(path),
    "sqlite": lambda it, path: it.tables(path),
}


def same_value(what, recomputed, stated):
    """A value and how an answer key writes it, leaf by leaf: decimals as `{"decimal": …}`, result sets with columns and rows."""
    if isinstance(recomputed, Rows):
        agree(f"{what}: keys", ["columns", "rows"], list(stated))
        agree(f"{what}: columns", recomputed.columns, stated["columns"])
        same_value(what, [list(row) for row in recomputed.rows], stated["rows"])
    elif isinstance(recomputed, Decimal):
        agree(what, {"decimal": str(recomputed)}, stated)
    elif isinstance(recomputed, Fraction):
        agree(f"{what}: kind", float, type(stated))
        if abs(Fraction(stated) - recomputed) > abs(recomputed) / 10**12:
            raise Disagreement(f"{what}: recomputed {float(recomputed)!r}, the bundle says {stated!r}")
    else:
        same_parts(same_value, what, recomputed, stated)


def same_shown(what, recomputed, shown):
    """A value and how a target shows it: decimals as JSON numbers, result sets as arrays of objects."""
    if isinstance(recomputed, Rows):
        same_shown(what, recomputed.objects(), shown)
    elif isinstance(recomputed, Decimal):
        agree(what, recomputed, Decimal(shown))
    elif isinstance(recomputed, Fraction):
        same_value(what, recomputed, float(shown))
    else:
        same_parts(same_shown, what, recomputed, shown)


def same_parts(same, what, recomputed, stated):
    """Lists and objects by `same`, part by part and in order; else as `agree`."""
    agree(f"{what}: kind", type(recomputed).__name__, type(stated).__name__)
    if isinstance(recomputed, dict):
        agree(f"{what}: keys", list(recomputed), list(stated))
        for key in recomputed:
            same(f"{what}/{key}", recomputed[key], stated[key])
    elif isinstance(recomputed, list):
        agree(f"{what}: length", len(recomputed), len(stated))
        for index, (ours, theirs) in enumerate(zip(recomputed, stated)):
            same(f"{what}/{index}", ours, theirs)
    else:
        agree(what, recomputed, stated)


def same_json(what, recomputed, stated):
    """As `agree`, leaf by leaf."""
    same_parts(same_json, what, recomputed, stated)


def read(folder, sandbox_root="."):
    """All instances of a bundle."""
    folder = pathlib.Path(folder)

    def lines(name):
        with open(folder / name, encoding="utf-8", newline="\n") as file:
            return [json.loads(line) for line in file]

    keys = {line["id"]: line for line in lines("keys.jsonl")} if (folder / "keys.jsonl").exists() else {}
    instances = [Instance(folder, line, keys.get(line["id"]), sandbox_root) for line in lines("instances.jsonl")]
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    if manifest["instances"] != len(instances):
        raise Disagreement(f"the manifest counts {manifest['instances']} instances, there are {len(instances)}")
    return instances


def asked(instance, pattern):
    """The parts of the prompt, which must be this wording and nothing else."""
    match = re.fullmatch(pattern, instance.prompt)
    if match is None:
        raise Disagreement(f"another prompt than expected: {instance.prompt!r}")
    return match.groups()


def main(verifiers, key, opens=Instance.opens):
    """Runs the verifier of every instance (chosen by `key(instance)`) and `opens` on each of its files; exits 1 on any disagreement, 2 on wrong use."""
    if len(sys.argv) not in (2, 3):
        sys.exit(f"usage: {sys.argv[0]} BUNDLE [SANDBOX_ROOT]")
    try:
        instances = read(*sys.argv[1:])
    except Disagreement as problem:
        sys.exit(str(problem))
    wrong = []
    for instance in instances:
        try:
            if key(instance) not in verifiers:
                raise Disagreement("no verifier knows this task")
            verifiers[key(instance)](instance)
            for path in instance.files:
                opens(instance, path)
        except Exception as problem:  # whatever a reader says of a file that it cannot read
            wrong.append(f"{instance.id}: {type(problem).__name__}: {problem}")
    agreed = len(instances) - len(wrong)
    unseen = set(verifiers) - {key(instance) for instance in instances}
    wrong += [f"{name}: no instance in the bundle" for name in sorted(map(str, unseen))]
    for line in wrong[:20]:
        print(line)
    if len(wrong) > 20:
        print(f"… and {len(wrong) - 20} more")
    print(f"{agreed} of {len(instances)} agree")
    sys.exit(1 if wrong or not instances else 0)
