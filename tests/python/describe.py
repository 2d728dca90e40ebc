"""All texts of a database, from the fullest to the shortest: written after the manual, apart from picardc.

Reads the JSON of cases `[{"tables": [{"name", "rows", "columns": [{"name", "type", "not_null", "key", "references": [[table, column]],
"examples": [text]}]}], "hint"}]` in the file that it is given, and prints a list of texts for each.
"""

import json
import sys


def words(text):
    """Split at what is no letter or digit, at aB, at ABc, and between letters and digits; lower case; without a final s of more than three."""
    found, current = [], ""
    for at, letter in enumerate(text):
        if not letter.isalnum():
            if current:
                found.append(current)
            current = ""
            continue
        before = text[at - 1] if at else ""
        after = text[at + 1] if at + 1 < len(text) else ""
        begins = bool(current) and (
            before.isnumeric() != letter.isnumeric()
            or (before.islower() and letter.isupper())
            or (before.isupper() and letter.isupper() and after.islower())
        )
        if begins:
            found.append(current)
            current = ""
        current += letter.lower()
    if current:
        found.append(current)
    return [word[:-1] if len(word) > 3 and word.endswith("s") else word for word in found]


def ordered(tables, hint):
    own = []
    for table in tables:
        score = 10 * len(set(words(table["name"])) & hint)
        score += sum(1 for column in table["columns"] if words(column["name"]) and set(words(column["name"])) <= hint)
        own.append(score)
    best = max(own)
    chief = {i for i, score in enumerate(own) if score == best and best > 0}
    place = {table["name"].lower(): i for i, table in enumerate(tables)}
    near = set()
    for i, table in enumerate(tables):
        for column in table["columns"]:
            for target, _ in column["references"]:
                j = place[target.lower()]
                if i != j:
                    near |= {j} if i in chief else set()
                    near |= {i} if j in chief else set()
    score = [points + (5 if i in near else 0) for i, points in enumerate(own)]
    return [tables[i] for i in sorted(range(len(tables)), key=lambda i: (-score[i], i))]


def written(table, lost, hint):
    """`lost` is how many of the seven kinds are left out."""
    if lost >= 7:
        return None
    count = table["rows"]
    lines = ["# " + table["name"] + ("" if lost >= 2 else f" ({count} row{'' if count == 1 else 's'})")]
    columns = table["columns"]
    if lost >= 6:
        return "\n".join(lines)
    places = list(range(len(columns)))
    if lost >= 5:
        touched = [at for at in places if set(words(columns[at]["name"])) & hint]
        places = sorted((touched + [at for at in places if at not in touched])[:8])
    for at in places:
        column = columns[at]
        line = "- " + column["name"]
        if column["type"]:
            line += ": " + column["type"]
        if lost < 3:
            line += " not null" if column["not_null"] else ""
            line += ", key" if column["key"] else ""
        if lost < 4:
            line += "".join(f" -> {table}.{name}" for table, name in column["references"])
        if lost < 1 and column["examples"]:
            line += ", e.g. " + ", ".join(column["examples"])
        lines.append(line)
    if len(places) < len(columns):
        lines.append(f"- … {len(columns) - len(places)} more")
    return "\n".join(lines)


def ladder(case):
    hint = set(words(case["hint"]))
    tables = ordered(case["tables"], hint)
    lost = [0] * len(tables)
    text = lambda: "\n".join(part for part in (written(table, n, hint) for table, n in zip(tables, lost)) if part is not None)
    texts = [text()]
    for kind in range(1, 8):
        for at in reversed(range(len(tables))):
            if kind == 7 and at == 0:
                continue
            lost[at] = kind
            texts.append(text())
    return texts


print(json.dumps([ladder(case) for case in json.load(open(sys.argv[1], encoding="utf-8"))]))
