"""Parses every `.pcd` below a folder with the committed tree-sitter grammar: no ERROR node, and every query can be used.

    parse_pcd.py GRAMMAR BUILD SOURCES

GRAMMAR is `grammar/tree-sitter-pcd`, BUILD a folder for the compiled parser, SOURCES the folder. Ends with 1 and names what is wrong, else says
what was read.
"""

import ctypes
import os
import pathlib
import re
import subprocess
import sys

import tree_sitter

# What must be injected as SQL begins with one of these.
QUERY = re.compile(rb"(--|/\*|select\b|with\b|values\b|insert\b|update\b|delete\b|replace\b)", re.IGNORECASE)


def language(grammar, build):
    """The parser, compiled as editors compile it."""
    build.mkdir(parents=True, exist_ok=True)
    library = build / "pcd.so"
    source = grammar / "src"
    compiler = os.environ.get("CC", "cc").split()
    flags = ["-std=c11", "-O1", "-Wall", "-Wextra", "-Wno-unused-parameter", "-fPIC", "-shared"]
    subprocess.run([*compiler, *flags, f"-I{source}", source / "parser.c", source / "scanner.c", "-o", library], check=True)
    function = ctypes.CDLL(str(library)).tree_sitter_pcd
    function.restype = ctypes.c_void_p
    capsule = ctypes.pythonapi.PyCapsule_New
    capsule.restype, capsule.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    return tree_sitter.Language(capsule(function(), b"tree_sitter.Language", None))


def first_error(node):
    """Where the first ERROR or missing node is, as line:column from 1."""
    while True:
        if node.is_error or node.is_missing:
            return f"{node.start_point[0] + 1}:{node.start_point[1] + 1}: {node}"
        node = next((child for child in node.children if child.has_error or child.is_missing), None)
        if node is None:
            return "somewhere"


def main():
    grammar, build, folder = map(pathlib.Path, sys.argv[1:4])
    pcd = language(grammar, build)
    parser = tree_sitter.Parser(pcd)
    try:
        queries = {path.stem: tree_sitter.Query(pcd, path.read_text("utf-8")) for path in sorted((grammar / "queries").glob("*.scm"))}
    except tree_sitter.QueryError as problem:
        sys.exit(f"queries/: {problem}. Is src/parser.c older than grammar.js? See grammar/tree-sitter-pcd/README.md")
    wrong = []
    for broken in (b"task {", b"x = = 1", b'a = "open', b"a = <<value: SELECT 1"):
        if not parser.parse(broken).root_node.has_error:
            wrong.append(f"{broken!r} is taken for right")
    files, size, seen, sql = 0, 0, dict.fromkeys(queries, 0), 0
    for path in sorted(folder.rglob("*.pcd")):
        text = path.read_bytes()
        root = parser.parse(text).root_node
        files, size = files + 1, size + len(text)
        if root.has_error:
            wrong.append(f"{path.relative_to(folder)}:{first_error(root)}")
        for name, query in queries.items():
            seen[name] += sum(len(nodes) for nodes in tree_sitter.QueryCursor(query).captures(root).values())
        for _, captures in tree_sitter.QueryCursor(queries["injections"]).matches(root):
            for node in captures["injection.content"]:
                if node.type == "sql":
                    sql += 1
                    if not QUERY.match(node.text):
                        wrong.append(f"{path.relative_to(folder)}: {node.text!r} is no SQL")
    wrong += [f"queries/{name}.scm names nothing that is there" for name, count in seen.items() if count == 0]
    print("\n".join(wrong))
    print(f"{files} sources, {size} bytes, {sql} queries of SQL; captures: {seen}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
