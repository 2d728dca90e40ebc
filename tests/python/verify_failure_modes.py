"""Recomputes every answer key of a bundle of the failure mode analysis from its databases and prompts.

    python3 verify_failure_modes.py BUNDLE [SANDBOX_ROOT]

Prints `N of N agree`; exits 1 on any disagreement.
"""

import bundle
from bundle import Disagreement, agree, asked
from verify_past import big_orders

QUESTION = r"How many orders above 50000 are there from customers in the Engineering department in (\S+)\?\n"
SEEN = {}


def answer(it, wording):
    """The rest of what the prompt names, and the answer. All variants of a sample must ask about the same data."""
    path, *named = asked(it, QUESTION + wording)
    content = it.content(it.below(path))
    agree("database of the sample's first variant", SEEN.setdefault(it.sample, (path, content)), (path, content))
    count = big_orders(it.tables(it.below(path)))
    if count == 0:
        raise Disagreement("nothing to count: the sample should have been drawn again")
    return named, count


def json_file(it):
    (path,), count = answer(it, r"Create a JSON file (\S+) that contains the answer using 'num_big_orders' as key\.")
    it.expects_just({"file": it.below(path)}, "json", {"num_big_orders": count})


def text_file(it):
    (path,), count = answer(it, r"Write a file (\S+) that contains ONLY the answer\.")
    it.expects_just({"file": it.below(path)}, "text", count)


def json_reply(it):
    _, count = answer(
        it,
        r"Once you find the answer, reply in JSON format that contains the answer using 'num_big_orders' as key\.\n"
        r"REPLY ONLY WITH THE JSON itself, no other text or decoration!",
    )
    it.expects_just("reply", "json", {"num_big_orders": count})


def text_reply(it):
    _, count = answer(
        it,
        r"Once you determine the answer, REPLY WITH ONLY THE ANSWER and no other comment or punctuation or decoration\.\n"
        r"ONLY THE FINAL ANSWER\.",
    )
    it.expects_just("reply", "text", count)


VERIFIERS = {
    ("big_orders", "json_file"): json_file,
    ("big_orders", "text_file"): text_file,
    ("big_orders", "json_reply"): json_reply,
    ("big_orders", "text_reply"): text_reply,
}

if __name__ == "__main__":
    bundle.main(VERIFIERS, lambda instance: (instance.task, instance.variant))
