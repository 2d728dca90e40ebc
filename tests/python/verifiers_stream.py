"""Looks at the stream of tasks that verifiers gets from a suite.

    python verifiers_stream.py PAST SUMS

Needs verifiers and the packages. PAST is a copy of the suite `past`, which is edited at the end; SUMS is the suite of the example. Prints `ok`; exits 1 otherwise.
"""

import itertools
import json
import re
import sys
from pathlib import Path

import picardc
import verifiers.v1 as vf
from picardc import _asked
from picardc_verifiers import PicardcConfig, PicardcTaskset, parts


def stream(suite, **options):
    return PicardcTaskset(PicardcConfig(id="picardc-verifiers", suite=suite, seed="7", **options))


def main(past, sums):
    tasks = stream(past)
    assert not tasks.bounded and tasks.take(3).bounded
    first = list(tasks.take(25))
    # An index gives the same task as the stream, and keys are those of instances.
    for index in (0, 9, 10, 24):
        alone = tasks[index]
        assert alone.data == first[index].data and alone.key == first[index].key, index
    assert len({task.key for task in first}) == 25
    assert [task.data.idx for task in tasks.include(idx=["5:7"])] == [5, 6]
    assert tasks[10_000_000].data.seed == "7/1000000"
    # The same instance, made by picardc alone.
    data = first[13].data
    same = picardc.compile(past).instances(data.seed, samples=1)[data.index]
    assert (data.prompt, data.identity) == (same.prompt, same.identity)
    # What is written into traces has no part of the answer key.
    for task in first:
        wire = task.data.model_dump(mode="json", exclude_defaults=True)
        allowed = {"id", "idx", "name", "prompt", "suite", "sha256", "seed", "samples", "index", "axis", "identity"}
        assert set(wire) <= allowed, set(wire) - allowed
        del wire["prompt"]
        text = json.dumps(wire)
        for expected in task.instance.target:
            assert len(expected) < 6 or expected not in text, (task.data.name, expected)
    # The parts of a reward add up to the score.
    for task in first:
        instance = task.instance
        solution = instance.oracle()
        for score in (instance.score(solution.reply, solution.left), instance.score("wrong", solution.left)):
            whole = score.to_dict()
            assert abs(sum(parts(whole).values()) - whole["score"]) < 1e-9, task.data.name
    # Values of axes, and an end after some rounds.
    some = stream(sums, axes={"terms": ["2", "5"]}, rounds=3)
    assert some.bounded and [task.data.axis["terms"] for task in some] == [2, 5] * 3
    # A stream that has begun goes on with the suite that it began with; who reads an address after an edit is refused.
    going = iter(tasks)
    old = next(going)
    Path(past).write_text(re.sub(r'prompt "(?!")', 'prompt "Listen: ', Path(past).read_text()))
    assert not any("Listen" in task.data.prompt for task in itertools.islice(going, 60))
    _asked._SUITES.clear()
    try:
        old.instance
    except picardc.StaleError:
        pass
    else:
        raise AssertionError("an edited suite was served")
    new = list(stream(past).take(10))
    assert new[0].key != old.key and any("Listen" in task.data.prompt for task in new)
    assert isinstance(old, vf.Task)
    print("ok")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(f"usage: {sys.argv[0]} PAST SUMS")
    main(*sys.argv[1:])
