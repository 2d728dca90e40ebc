"""What the integrations with evaluation frameworks share: instances by address, and scores as
they are recorded."""

from __future__ import annotations

import os
from typing import Any

from ._picardc import Instance, Instances, Suite, compile

# By path and digest: an edited suite has another digest, so what is kept is never stale.
_SUITES: dict[tuple[str, str], Suite] = {}
_MOST_SUITES = 16


def load(
    path: str,
    *,
    seed: str | int,
    samples: int | None = None,
    only: str | None = None,
    sha256: str | None = None,
) -> Instances:
    """The instances of the suite at `path`.

    sha256: the `sha256` of the suite that is wanted; without it, the suite is compiled as
        it is now.

    Raises StaleError if the suite has another digest, CompileError if it has errors.
    """
    absolute = os.path.abspath(path)
    suite = _SUITES.get((absolute, sha256)) if sha256 is not None else None
    if suite is None:
        suite = compile(path, sha256=sha256)
        if len(_SUITES) >= _MOST_SUITES:
            _SUITES.pop(next(iter(_SUITES)))
        # A log may name the digest that an earlier version of picardc computed.
        _SUITES[absolute, sha256 or suite.sha256] = suite
    return suite.instances(seed, samples=samples, task=only)


def unenforced(instance: Instance) -> list[str]:
    """What an instance states of its agent, and the frameworks do not enforce: `tools` (which it
    has), `calls` (how many of them)."""
    return [name for name in ("tools", "calls") if getattr(instance, name) is not None]


def refuse(stating: list[str], instances: Instances, framework: str, option: str) -> None:
    """Refuses a suite whose scores in a framework would not be those of `picardc run`.

    Raises ValueError if any instances are `stating` (by id) what is not enforced; `option` is how to
    go on without.
    """
    if stating:
        raise ValueError(
            f"{len(stating)} of {len(instances)} instances of `{instances.suite.name}` (such as `{stating[0]}`) state "
            f"which tools or how many calls an agent has, and {framework} does not enforce it: "
            f"use `picardc run`, or ignore it with {option}"
        )


def unanswered(instance: Instance) -> dict[str, Any]:
    """The score of an instance without a response, for samples that fail. It has no part of the
    answer key: of what is read, only whether it is a reply or a file."""
    score = instance.score("", status="failed").to_dict()
    stages = [verdict for stage in score.get("stages", []) for verdict in stage["verdicts"]]
    for verdict in [*score["verdicts"], *stages]:
        verdict["subject"] = verdict["subject"].split(" ", 1)[0]
        verdict.pop("name", None)
    return score


def cluster(score: dict[str, Any]) -> str:
    """What a response hangs together with: the sample of its task, or the row, or cluster of
    rows, of a data set."""
    each = score.get("each")
    unit = score["sample"] if each is None else each.get("by") or each["key"]
    return f"{score['task']}/{unit}"


def explain(score: dict[str, Any]) -> str:
    """The verdicts of a score, a line for each expectation and each difference."""
    lines = []
    for verdict in score["verdicts"]:
        name = f"{verdict['name']} ({verdict['subject']})" if "name" in verdict else verdict["subject"]
        lines.append(f"{name} {verdict['matcher']}: {verdict['reason'].replace('_', ' ')}")
        for place in verdict["differences"]:
            at = f"at {place['at']}: " if place["at"] else ""
            lines.append(f"  {at}expected {place['expected']}, got {place['got']}")
    return "\n".join(lines)
