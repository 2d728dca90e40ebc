"""Prints the circles of source files: sets of more than two files of a crate that use each other round about, one set a line. Usage: file_circles.py ROOT

An edge is what one file uses of another by its path (`crate::`, `self::`, `super::`, a child module) or by a name that `use` brings in; `mod` and `pub use` are none,
because they only assemble. Tests are not read.
"""

import os
import re
import sys

IMPORT = re.compile(r"(?:^|(?<=[\n;{}]))\s*(pub(?:\([^)]*\))?\s+)?use\s+([^;]+);")
DEFINITION = re.compile(r"\b(?:fn|struct|enum|trait|type|const|static|union|macro_rules!)\s+(\w+)")


def find_sources(root):
    """Yields the folder of a crate's sources, the module, and the path of each file. The command's sources are in `cli`."""
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in ("target", "node_modules", ".git", "tests")]
        if "Cargo.toml" not in names:
            continue
        source = os.path.join(folder, "cli" if folder == root else "src")
        for inner, _, files in os.walk(source):
            for name in (name for name in files if name.endswith(".rs")):
                path = os.path.join(inner, name)
                module = os.path.relpath(path, source)[:-3].split(os.sep)
                if "tests" in module or name == "main.rs":
                    continue
                yield source, tuple(part for part in module if part not in ("mod", "lib")), path


def strip_text(text):
    """The code of a source, without tests, comments, and the content of strings."""
    text = re.split(r"\n#\[cfg\(test\)\]\nmod ", text)[0]
    text = re.sub(r"/\*.*?\*/", "", re.sub(r"//[^\n]*", "", text), flags=re.S)
    return re.sub(r'"(?:\\.|[^"\\])*"', '""', text)


def list_imports(tree, before=()):
    """The paths that a tree of `use` names, each with the name by which it is known here."""
    head = re.match(r"\s*((?:[\w#]+|\*)(?:\s*::\s*(?:[\w#]+|\*))*)?\s*(?:::)?\s*", tree)
    path = before + tuple(re.split(r"\s*::\s*", head.group(1))) if head.group(1) else before
    rest = tree[head.end():].strip()
    if not rest.startswith("{"):
        alias = re.match(r"as\s+(\w+)", rest)
        return [(path, alias.group(1) if alias else path[-1])] if path else []
    found, depth, part = [], 0, ""
    for sign in rest[1:rest.rindex("}")] + ",":
        depth += (sign == "{") - (sign == "}")
        if sign == "," and depth == 0:
            found += list_imports(part, path) if part.strip() else []
            part = ""
        else:
            part += sign
    return found


class Sources:
    """All files, and what is defined and imported in each."""

    def __init__(self, root):
        self.place, self.path_of, self.text, self.imports, self.defined = {}, {}, {}, {}, {}
        for source, module, path in find_sources(root):
            text = strip_text(open(path, encoding="utf-8").read())
            self.place[path], self.path_of[source, module], self.text[path] = (source, module), path, text
            self.defined[path] = set(DEFINITION.findall(text))
            self.imports[path] = [(bool(public), name, alias) for public, tree in IMPORT.findall(text) for name, alias in list_imports(tree)]

    def locate(self, path, name):
        """The crate and the absolute path of a name in a file; None where it begins in another crate."""
        source, module = self.place[path]
        if name[0] == "crate":
            return source, name[1:]
        if name[0] in ("self", "super"):
            while name and name[0] in ("self", "super"):
                module, name = module[:-1] if name[0] == "super" else module, name[1:]
            return source, module + name
        return (source, module + name) if (source, module + name[:1]) in self.path_of else None

    def resolve(self, source, name, depth=0):
        """The file that defines a name, through `pub use` where there is one."""
        for length in range(len(name), -1, -1):
            path = self.path_of.get((source, name[:length]))
            if path is None:
                continue
            if length == len(name) or depth > 5 or name[length] == "*" or name[length] in self.defined[path]:
                return path
            for _, imported, alias in self.imports[path]:
                there = self.locate(path, imported)
                if there and alias == name[length] and there[1] != name:
                    return self.resolve(*there, depth + 1)
                if there and alias == "*":
                    file = self.resolve(there[0], there[1][:-1], depth + 1)
                    if file and name[length] in self.defined[file]:
                        return file
            return path
        return None

    def list_used(self, path):
        """The files that a file uses."""
        body = IMPORT.sub("\n", self.text[path])
        public = {name for is_public, name, _ in self.imports[path] if is_public}
        names = [name for _, name, _ in self.imports[path] if name not in public]
        names += [tuple(found.split("::")) for found in re.findall(r"\b((?:crate|self|super)(?:::\w+)+)", body)]
        for first, rest in re.findall(r"(?<![:\w])(\w+)((?:::\w+)+)", body):
            rest = tuple(rest[2:].split("::"))
            names += [(first, *rest)] if self.locate(path, (first,)) else []
            names += [name + rest for _, name, alias in self.imports[path] if alias == first and self.is_module(path, name)]
        # A module that `use` names is used by what is taken of it.
        there = (self.locate(path, name) for name in names if not self.is_module(path, name))
        return {file for file in (self.resolve(*place) for place in there if place) if file and file != path}

    def is_module(self, path, name):
        return self.locate(path, name) in self.path_of


def find_circles(edges):
    """Strongly connected sets of more than two files (Tarjan)."""
    number, low, stack, circles = {}, {}, [], []

    def visit(file):
        number[file] = low[file] = len(number)
        stack.append(file)
        for used in edges[file]:
            if used not in number:
                visit(used)
            if used in stack:
                low[file] = min(low[file], low[used])
        if low[file] == number[file]:
            circle = stack[stack.index(file):]
            del stack[stack.index(file):]
            circles.extend([circle] if len(circle) > 2 else [])

    for file in edges:
        if file not in number:
            visit(file)
    return circles


def main():
    root = sys.argv[1]
    sys.setrecursionlimit(10_000)
    sources = Sources(root)
    assert sources.text, f"no sources of a crate below {root}"
    for circle in find_circles({path: sources.list_used(path) for path in sources.text}):
        print(" ".join(sorted(os.path.relpath(path, root) for path in circle)))


main()
