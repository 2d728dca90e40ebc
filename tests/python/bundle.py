"""Reads a bundle as any consumer would: the standard library of Python, nothing of picardc's.

Both layouts (real files, `data:` URIs) and split keys look the same from here.
"""

import base64
import csv
import io
import json
import pathlib
import posixpath
import sqlite3
import sys
import tempfile
import urllib.parse


class Disagreement(Exception):
    """What was recomputed is not what the bundle says."""


def agree(what, recomputed, stated):
    """Equal in value and in kind: 1 is not True, and not 1.0."""
    if type(recomputed) is not type(stated) or recomputed != stated:
        raise Disagreement(f"{what}: recomputed {recomputed!r}, the bundle says {stated!r}")


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

    def csv(self, path):
        """Header and rows of texts."""
        rows = list(csv.reader(io.StringIO(self.text(path), newline=""), strict=True))
        return rows[0], rows[1:]

    def records(self, path):
        """The rows of a CSV file as dictionaries; every row must have the header's width."""
        header, rows = self.csv(path)
        if any(len(row) != len(header) for row in rows):
            raise Disagreement(f"{path}: a row is not as wide as the header")
        return [dict(zip(header, row)) for row in rows]

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


def same_json(what, recomputed, stated):
    """As `agree`, leaf by leaf."""
    agree(f"{what}: kind", type(recomputed).__name__, type(stated).__name__)
    if isinstance(recomputed, dict):
        agree(f"{what}: keys", list(recomputed), list(stated))
        for key in recomputed:
            same_json(f"{what}/{key}", recomputed[key], stated[key])
    elif isinstance(recomputed, list):
        agree(f"{what}: length", len(recomputed), len(stated))
        for index, (ours, theirs) in enumerate(zip(recomputed, stated)):
            same_json(f"{what}/{index}", ours, theirs)
    else:
        agree(what, recomputed, stated)


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


def main(verifiers, key):
    """Runs the verifier of every instance (chosen by `key(instance)`); exits 1 on any disagreement, 2 on wrong use."""
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
        except (Disagreement, ValueError, KeyError, IndexError, OSError, csv.Error, sqlite3.Error) as problem:
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
