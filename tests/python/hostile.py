"""The hostile values of `tests/export/hostile.json` as the prompts of a suite, a task for each.

    python hostile.py > hostile.pcd
"""

import json
from pathlib import Path

VALUES: list[str] = json.loads((Path(__file__).parents[1] / "export/hostile.json").read_text(encoding="utf-8"))
"""Texts that tools could take for something else: templates, paths, markup, control characters."""


def literal(text: str) -> str:
    """A string of the language."""
    kept = {"\n": "\\n", "\t": "\\t", '"': '\\"', "\\": "\\\\"}
    out = "".join(kept.get(c) or (c if c.isprintable() else f"\\u{{{ord(c):x}}}") for c in text)
    return '"' + out.replace("<<", "\\<<") + '"'


def suite(prompts: list[str]) -> str:
    """A suite with a task for each prompt; the reply `ok 1` is right for the first."""
    tasks = [
        f"task h{number} {{\n  prompt {literal(prompt)}\n  expect reply text \"ok {number}\"\n}}\n"
        for number, prompt in enumerate(prompts, 1)
    ]
    return '\n'.join(['suite hostile { title "Hostile: {{x}} {% raw %}" version "1.0.0" samples 1 }\n', *tasks])


if __name__ == "__main__":
    print(suite(VALUES), end="")
