"""Recomputes what functions over JSON, YAML and XML files give: the files read with json, PyYAML and lxml, the paths asked of `jsonpath-rfc9535` and lxml.

    python3 trees.py BUNDLE

A key of an expected object is the expression itself, such as `coalesce(<<json_sum: conf, $.numbers[*]>>, -1)`. Needs the packages of readers.txt.
"""

import datetime
import decimal
import json
import re
import sys
from xml.etree import ElementTree

import jsonpath_rfc9535
import yaml
from lxml import etree

import bundle
from differential import mean, report, same, stated, total

Decimal = decimal.Decimal

# The names of fields that hold floats; other numbers with a point are decimals.
FLOATS = {"ratio", "load", "floats"}


# JSON and YAML


def typed(value, name=None):
    """Numbers with a point as the file means them: floats by the name of their field."""
    if isinstance(value, dict):
        return {key: typed(item, key) for key, item in value.items()}
    if isinstance(value, list):
        return [typed(item, name) for item in value]
    return float(value) if isinstance(value, Decimal) and name in FLOATS else value


def plain(value):
    """The same for a library that knows no decimals."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return float(value) if isinstance(value, Decimal) else value


class Digits(yaml.SafeLoader):
    """PyYAML's safe loader, which keeps the digits of numbers with a point."""


Digits.add_constructor("tag:yaml.org,2002:float", lambda loader, node: Decimal(loader.construct_scalar(node)))


def read_json(text):
    return json.loads(text, parse_float=Decimal)


def read_yaml(text):
    found = yaml.load(text, Digits)
    # Both of PyYAML's readers, the second untouched.
    bundle.agree("PyYAML's safe_load", yaml.safe_load(text), plain(found))
    return found


def nodes(tree, path):
    """Where a path leads: the values, and whether it can lead to one place alone."""
    query = jsonpath_rfc9535.compile(path)
    found = []
    for node in query.find(plain(tree)):
        at = tree
        for step in node.location:
            at = at[step]
        found.append(at)
    return found, query.singular_query()


def in_json(function, tree, path):
    found, singular = nodes(tree, path)
    some = [value for value in found if value is not None]
    if function in ("path", "value", "keys") or function == "count" and singular:
        if len(found) > 1:
            raise bundle.Disagreement(f"{path} leads to several places")
        one = found[0] if found else None
        return {"path": lambda: one, "value": lambda: one, "keys": lambda: list(one), "count": lambda: len(one)}[function]()
    if function in ("count", "count_where"):
        return len(found)
    return over(function, some)


def over(function, values):
    """Aggregates of values that are not null."""
    if function in ("collect", "filter"):
        return values
    return {"sum": total, "avg": mean, "max": max, "min": min}[function](values) if values else None


# Expressions


ASKED = re.compile(r"(?P<or>coalesce\()?<<(?P<family>json|yaml|xpath)_(?P<function>\w+): (?P<file>\w+), (?P<path>.*?)>>(?(or), (?P<other>.*)\))", re.S)
WHOLE = re.compile(r"(?P<family>json|yaml)_(?P<function>count|keys)\((?P<file>\w+)\)")


def literal(text):
    if text.startswith('"'):
        return json.loads(text)
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        return datetime.date.fromisoformat(text)
    if text == "-1 / 1":
        return -1.0
    return Decimal(text) if "." in text else int(text)


class Files:
    """The trees of an instance, each read once."""

    def __init__(self, instance):
        self.instance = instance
        self.read = {}

    def tree(self, name, ending, reader):
        if name not in self.read:
            (path,) = [path for path in self.instance.files if path.rsplit("/")[-1] == f"{name}.{ending}"]
            self.read[name] = reader(self.instance, path)
        return self.read[name]

    def evaluate(self, expression):
        asked = ASKED.fullmatch(expression) or WHOLE.fullmatch(expression)
        if not asked:
            raise bundle.Disagreement(f"not understood: {expression}")
        family, parts = asked["family"], asked.groupdict()
        path = parts.get("path", "$")
        if family == "xpath":
            found = in_xml(asked["function"], self.tree(asked["file"], "xml", lambda it, at: read_xml(it.content(at))), path)
        else:
            reader = read_json if family == "json" else read_yaml
            found = in_json(asked["function"], self.tree(asked["file"], family, lambda it, at: typed(reader(it.text(at)))), path)
        return literal(parts["other"]) if found is None and parts.get("other") else found


# XML


def date_time(text):
    return datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S")


# What an element or attribute of a name holds; all others hold texts.
KINDS = {
    "n": int, "count": int, "id": int, "qty": int, "total": int, "price": Decimal, "cost": Decimal, "load": float, "ratio": float,
    "on": lambda text: {"true": True, "false": False}[text], "since": datetime.date.fromisoformat, "at": date_time,
}


def read_xml(content):
    """The root element; both readers must see the same document."""
    root = etree.fromstring(content)
    alike(root, ElementTree.fromstring(content))
    return root


def alike(ours, other):
    for what in ("tag", "text", "tail"):
        bundle.agree(f"{what} of {ours.tag}", getattr(other, what), getattr(ours, what))
    bundle.agree(f"attributes of {ours.tag}", dict(other.attrib), dict(ours.attrib))
    for one, two in zip(ours, other, strict=True):
        alike(one, two)


def text_of(node):
    return str(node) if isinstance(node, str) else "".join(node.itertext())


def kind_of(node):
    owner = node if not isinstance(node, str) else node.getparent()
    name = node.attrname if getattr(node, "is_attribute", False) else etree.QName(owner).localname
    return KINDS.get(name.split("}")[-1])


def valued(found):
    """The values of nodes that are all of one kind, where nothing is null; of others the texts."""
    kinds = {kind_of(node) for node in found}
    kind = kinds.pop() if len(kinds) == 1 else None
    texts = map(text_of, found)
    return list(texts) if kind is None else [kind(text) if text else None for text in texts]


def in_xml(function, root, path):
    found = root.xpath(path, namespaces={prefix: uri for prefix, uri in root.nsmap.items() if prefix})
    if not isinstance(found, list):
        computed = str(found) if isinstance(found, str) else int(found) if isinstance(found, float) and found.is_integer() else found
        if function == "exists" and not isinstance(found, bool) or function not in ("exists", "value"):
            raise bundle.Disagreement(f"{path} computes {found!r}")
        return computed
    if function == "count":
        return len(found)
    if function == "exists":
        return bool(found)
    values = valued(found)
    if function in ("value", "attr"):
        if len(found) > 1:
            raise bundle.Disagreement(f"{path} leads to several places")
        return values[0] if values else None
    return over(function, [value for value in values if value is not None])


def main(folder):
    instances = bundle.read(folder)
    wrong, values = [], 0
    for instance in instances:
        (expect,) = instance.expects
        files = Files(instance)
        for expression, theirs in expect["value"].items():
            values += 1
            try:
                ours = files.evaluate(expression)
            except (bundle.Disagreement, ValueError, KeyError, IndexError, TypeError, ArithmeticError, yaml.YAMLError, etree.Error,
                    jsonpath_rfc9535.JSONPathError) as problem:
                wrong.append(f"{instance.id}: {expression}: {type(problem).__name__}: {problem}")
                continue
            if not same(stated(ours), theirs):
                wrong.append(f"{instance.id}: {expression}: recomputed {stated(ours)!r}, the bundle says {theirs!r}")
    report(wrong, values, instances)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} BUNDLE")
    main(sys.argv[1])
