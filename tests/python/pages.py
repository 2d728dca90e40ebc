"""Random HTML pages and XML files, written by Python, and a suite that reads tables from them; then the same tables as lxml and pandas read them.

    python3 pages.py write FOLDER SEED
    python3 pages.py check FOLDER BUNDLE

`write` makes `pages.pcd`, and its files below `pages/`. `check` holds every cell of the bundle against what lxml says is in the files, with the rule of spans
written down once more, and those of HTML against `pandas.read_html`. Needs lxml and pandas. Exits 1 on any disagreement.
"""

import html
import io
import json
import pathlib
import random
import sys

import lxml.etree
import lxml.html
import pandas

PAGES = 60
FEEDS = 40
WORDS = ["Kiel", "Ulm", "12", "1,200", "3.50", "n/a", "NA", "é", "漢字", "a&b", "x < y", '"q"', "🙂", "007", "-1", "true", "2024-01-02"]


# Writing

def text(rng, empty=True):
    """The inside of a cell: words, now and then with what a browser shows in another way, or does not show."""
    if empty and rng.random() < 0.15:
        return rng.choice(["", " ", "<span style='display:none'>hidden</span>"])
    parts = []
    for _ in range(rng.randint(1, 3)):
        word = html.escape(rng.choice(WORDS), quote=False)
        parts.append(rng.choice([word] * 6 + [f"<b>{word}</b>", f"<a href='#x'>{word}</a>", f"{word}<sup>1</sup>", f"<i><u>{word}</u></i>"]))
    between = lambda: rng.choice([" "] * 5 + ["  ", "\n   ", "<br>", "&#32;", "", "<style>p { color: red }</style> ", "<span style='display: none'>no</span> ", "<!-- no --> "])
    return rng.choice(["", " ", "\n"]) + "".join(part + between() for part in parts)


def grid(rng, tag, rows, width, named=None):
    """The source of rows that fill a rectangle, with cells over several columns and rows. `named` gives the text of a cell by its place."""
    taken, lines = set(), []
    for row in range(rows):
        cells = []
        for column in range(width):
            if (row, column) in taken:
                continue
            wide = deep = 1
            while rng.random() < 0.2 and column + wide < width and (row, column + wide) not in taken:
                wide += 1
            while rng.random() < 0.2 and row + deep < rows:
                deep += 1
            if named:
                wide, deep = named.spans(row, column)
            taken |= {(row + down, column + right) for down in range(deep) for right in range(wide)}
            spans = (f' colspan="{wide}"' if wide > 1 else "") + (f" rowspan={deep}" if deep > 1 else "")
            inside = named.text(row, column) if named else text(rng, empty=column > 0)
            cells.append(f"<{tag}{spans}>{inside}</{tag}>")
        lines.append(f"<tr>{''.join(cells)}</tr>\n")
    return "".join(lines)


class Header:
    """Headers in one row, or in two, where some are over two columns or both rows."""

    def __init__(self, rng, rows, width):
        self.rows, self.groups, column = rows, [], 0
        while column < width:
            # The second row has cells of its own: else nobody would say that it is one.
            wide = min(2 if column == 0 else rng.choice([1, 2]), width - column) if rows == 2 else 1
            self.groups += [(column, wide)] * wide
            column += wide

    def spans(self, row, column):
        _, wide = self.groups[column]
        return (wide, self.rows if wide == 1 else 1) if row == 0 else (1, 1)

    def text(self, row, column):
        return f"Group {self.groups[column][0]}" if row == 0 else f"Part  {column}"

    def names(self):
        tops = [self.text(0, column) for column in range(len(self.groups))]
        return [top if wide == 1 else f"{top} / Part {column}" for column, (top, (_, wide)) in enumerate(zip(tops, self.groups))]


def page(rng, name):
    """The source of a page with some tables, and the view that reads one of them: its number, its headers' rows, and its columns' names."""
    tables, count = [], rng.randint(1, 3)
    at = rng.randrange(count)
    for number in range(count):
        width, rows = rng.randint(1, 5), rng.randint(1, 7)
        heads = rng.randint(0, 2 if width > 1 else 1)
        header = Header(rng, heads, width) if heads else None
        caption = f"<caption>Table  {number} of {name}<sup>1</sup></caption>\n" if rng.random() < 0.5 else ""
        head = f"<thead>\n{grid(rng, 'th', heads, width, header)}</thead>\n" if heads else ""
        body = grid(rng, "td", rows, width)
        tables.append(f"<table id=t{number}>\n{caption}{head}{rng.choice(['<tbody>' + body + '</tbody>', body])}</table>\n")
        if number == at:
            chosen = (f"Table {number} of" if caption and rng.random() < 0.5 else str(number + 1), heads, header.names() if header else [None] * width)
    return "<!DOCTYPE html>\n<html><head><meta charset=utf-8><title>T</title></head><body><p>Some text</p>\n" + "<hr>".join(tables) + "</body></html>\n", at, chosen


def feed(rng):
    """The source of a file with elements, some of them with attributes and elements inside."""
    escaped = lambda: html.escape(" ".join(rng.choices(WORDS, k=rng.randint(1, 2))))
    items = []
    for number in range(rng.randint(1, 8)):
        # The first element has all, so that there is a header for each.
        here = lambda made: made if number == 0 or rng.random() < 0.7 else ""
        inside = [
            here(f"<title>{escaped()}</title>"),
            here(rng.choice([f"<note><![CDATA[{rng.choice(WORDS)}]]></note>", "<note/>", f"<note>{escaped()}<!-- no --></note>"])),
            here(f"<who born=\"{escaped()}\">{here(f'<name>{escaped()}</name>')}</who>"),
        ]
        rng.shuffle(inside)
        items.append(f"  <item{here(f' id={chr(34)}{escaped()}{chr(34)}')}>{rng.choice(['', chr(10)]).join(inside)}</item>\n")
    return f"<?xml version=\"1.0\"?>\n<feed>\n<!-- start --><list>\n{''.join(items)}</list>\n<item>elsewhere</item></feed>\n"


FIELDS = {"@id": "@id", "title": "title", "note": "note", "who.@born": "who/@born", "who.name": "who/name"}


def write(folder, seed):
    rng = random.Random(seed)
    (folder / "pages").mkdir()
    views, known = [], {}
    for number in range(PAGES):
        name = f"h{number}"
        source, index, (at, heads, names) = page(rng, name)
        (folder / "pages" / f"{name}.html").write_text(source, "utf-8")
        columns = "  ".join(f"C{place} : text from {place if header is None else json.dumps(header)}" for place, header in enumerate(names, 1))
        views.append(f'  html {name} from "{name}.html" at {json.dumps(at)} header {heads} {{ {columns} }}')
        known[name] = (index, heads)
    for number in range(FEEDS):
        name = f"x{number}"
        (folder / "pages" / f"{name}.xml").write_text(feed(rng), "utf-8")
        columns = "  ".join(f"C{place} : text from {json.dumps(header)}" for place, header in enumerate(FIELDS, 1))
        views.append(f'  xml {name} from "{name}.xml" at "/feed/list/item" {{ {columns} }}')
        known[name] = None
    tasks = [f"task {name} {{ lake pages needed prompt \"<<pages>>\" expect reply rows <<rows: SELECT * FROM pages.{name}>> }}" for name in known]
    suite = 'suite pages { title "Pages" version "1.0.0" samples 1 }\nlake pages from "pages" {\n' + "\n".join(views) + "\n}\n" + "\n".join(tasks) + "\n"
    (folder / "pages.pcd").write_text(suite, "utf-8")
    (folder / "known.json").write_text(json.dumps(known))


# Reading

def shown(node):
    """The text that a browser shows of a node, with single blanks."""
    def parts(node):
        if not isinstance(node.tag, str) or node.tag in ("style", "script") or "display:none" in node.get("style", "").replace(" ", ""):
            return
        yield " " if node.tag == "br" else node.text or ""
        for child in node:
            yield from parts(child)
            yield child.tail or ""
    return " ".join("".join(parts(node)).split())


def of_lxml(path, index, heads):
    """The rows below the headers: the cells of each `tr`, those over several columns or rows in each of them."""
    table = lxml.html.document_fromstring(path.read_text("utf-8")).findall(".//table")[index]
    rows, hanging = [], {}
    for line in table.iter("tr"):
        cells, row, column = list(line), [], 0
        while cells or column in hanging:
            if column in hanging:
                left, said = hanging.pop(column)
                if left > 1:
                    hanging[column] = (left - 1, said)
                row.append(said)
                column += 1
                continue
            cell = cells.pop(0)
            said, deep = shown(cell), int(cell.get("rowspan", 1))
            for _ in range(int(cell.get("colspan", 1))):
                if deep > 1:
                    hanging[column] = (deep - 1, said)
                row.append(said)
                column += 1
        rows.append(row)
    return rows[heads:]


def of_pandas(path, index, width):
    """The same; told to guess no types and no null marks. Where there is no `th`, it takes no header."""
    source, texts = io.StringIO(path.read_text("utf-8")), {column: str for column in range(width)}
    found, = pandas.read_html(source, flavor="lxml", attrs={"id": f"t{index}"}, keep_default_na=False, thousands=None, converters=texts)
    # It leaves single blanks of other kinds, and more than one where a hidden element was.
    return [[" ".join(str(cell).split()) for cell in row] for row in found.values.tolist()]


def of_feed(path):
    """The rows: what is at each path in an element. An element without text is an empty text, and one that is not there is null."""
    def value(found):
        if not found:
            return None
        return (found[0] if isinstance(found[0], str) else "".join(found[0].itertext(with_tail=False))).strip()
    # Comments are not text.
    tree = lxml.etree.parse(str(path), lxml.etree.XMLParser(remove_comments=True))
    return [[value(item.xpath(path)) for path in FIELDS.values()] for item in tree.xpath("/feed/list/item")]


def check(folder, bundle):
    known, wrong, cells = json.loads((folder / "known.json").read_text()), [], 0
    lines = [json.loads(line)["metadata"]["picard"] for line in (bundle / "instances.jsonl").open(encoding="utf-8")]
    if {line["task"] for line in lines} != set(known):
        sys.exit("not all pages are in the bundle")
    for line in lines:
        name, ours = line["task"], line["expect"][0]["value"]["rows"]
        if known[name]:
            path = folder / "pages" / f"{name}.html"
            theirs = {"lxml": of_lxml(path, *known[name]), "pandas": of_pandas(path, known[name][0], len(ours[0]))}
        else:
            theirs = {"lxml": of_feed(folder / "pages" / f"{name}.xml")}
        cells += sum(map(len, ours))
        wrong += [f"{name}: the bundle says {ours!r}\n  {who} {rows!r}" for who, rows in theirs.items() if rows != ours]
    print(f"{cells} cells of {len(lines)} tables, {len(wrong)} tables differ")
    print("\n".join(wrong[:5]), file=sys.stderr)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    what, folder, last = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    write(folder, last) if what == "write" else check(folder, pathlib.Path(last))
