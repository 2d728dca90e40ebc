"""Recomputes every answer key of a bundle of the text needles from its files and prompts.

    python3 verify_text_needles.py BUNDLE [SANDBOX_ROOT]

Prints `N of N agree`; exits 1 on any disagreement.
"""

import collections
import re

import bundle
from bundle import Disagreement, agree, asked

SEEN = {}


def lines(it, path):
    """The lines of a file. An end of line at the very end begins no other."""
    text = it.text(it.below(path))
    return text.removesuffix("\n").split("\n")


def line_by_number(it):
    number, path = asked(it, r"What does line (\d+) of the file (\S+) say\? Reply with the line only\.")
    text = lines(it, path)
    agree("lines", it.cell["size"], len(text))
    # The cells of a sample are paired: the short file is the beginning of the long one.
    other = SEEN.setdefault(it.sample, text)
    shared = min(len(text), len(other))
    agree("beginning", other[:shared], text[:shared])
    it.expects_value("reply", "text", text[int(number) - 1])


def length_of_text(it):
    (path,) = asked(it, r"Reply with a JSON object about the file (\S+): `words` \(separated by blanks and line ends\) and `lines` \(blank ones too, and the last, which has no end\)\.")
    text = lines(it, path)
    agree("end of the last line", False, it.text(it.below(path)).endswith("\n"))
    it.expects_value("reply", "json", {"words": sum(len(line.split()) for line in text), "lines": len(text)})


def hidden_code(it):
    (path,) = asked(it, r"Read (\S+)\. Which code is valid now\? Reply with the code only\.")
    text = it.text(it.below(path))
    codes = re.findall(r"\b[A-Z]{3}-[0-9]{5}\b", text)
    (decoy,) = re.findall(r"asks me to repeat that the code (\S+) is no longer valid\.", text)
    (code,) = re.findall(r"The new code is (\S+), as agreed with ", text)
    agree("codes in order", [decoy, code], codes)
    agree("different codes", True, decoy != code)
    it.expects_value("reply", "text", code)


def setting_of_section(it):
    section, path = asked(it, r"Which port does the section (\S+) of (\S+) set\? Mind its first line\. Reply with the number only\.")
    ports, here = collections.defaultdict(list), None
    for line in lines(it, path):
        if match := re.fullmatch(r"\[(\w+)\]", line):
            here = match[1]
        elif match := re.fullmatch(r"port = (\d+)", line):
            ports[here].append(int(match[1]))
    agree("sections", 3, len(ports))
    agree("ports of the section", 2, len(ports[section]))
    it.expects_value("reply", "number", ports[section][-1])


EVENT = re.compile(r"(2024-03-0[12]T\d\d:\d\d:\d\d) (INFO|WARN|ERROR) \[(\w+)\] (.+) \((\d+) ms\)")


def events(it, path):
    """Time, level, host, text and milliseconds of the lines of a log, which stand in the order of their times."""
    found = [EVENT.fullmatch(line) for line in lines(it, path)]
    if None in found:
        raise Disagreement(f"{path}: line {found.index(None) + 1} has another form")
    times = [event[1] for event in found]
    agree("times", sorted(times), times)
    return [event.groups() for event in found]


def errors_in_log(it):
    path, host = asked(
        it,
        r"Each line of (\S+) is: time, level, host in brackets, message, duration\. How many lines of level ERROR come from the host (\S+)\? Reply\n"
        r"with the number only\.",
    )
    log = events(it, path)
    if not 500 <= len(log) <= 1000:
        raise Disagreement(f"{len(log)} lines")
    it.expects_value("reply", "number", sum(event[1] == "ERROR" and event[2] == host for event in log))


def slowest_hosts(it):
    path, answer = asked(
        it,
        r"Each line of (\S+) is: time, level, host in brackets, message, duration\. Order the hosts by the sum of their durations, the greatest first \(equal sums by\n"
        r"name\), and write them to (\S+), one a line\.",
    )
    log = events(it, path)
    agree("lines", 600, len(log))
    spent = collections.Counter()
    for _, _, host, _, took in log:
        spent[host] += int(took)
    order = sorted(spent, key=lambda host: (-spent[host], host))
    it.expects_value({"file": it.below(answer)}, "list", order, {"": {"ordered": True}})


def which_file(it):
    one, two, answer = asked(it, r"Which file has more lines, (\S+) or (\S+)\? Write the name of that file, without any folder, into (\S+)\.")
    agree("files", 2 + it.cell["noise"], len(it.files))
    counts = len(lines(it, one)), len(lines(it, two))
    if counts[0] == counts[1]:
        raise Disagreement("as many lines: the sample should have been drawn again")
    longer = it.below(one if counts[0] > counts[1] else two)
    it.expects_value({"file": it.below(answer)}, "text", longer)


def lines_with_word(it):
    path, needle = asked(it, r"In how many lines of (\S+) does `(\w+)` stand, whatever its case\? Reply with the number only\.")
    text = lines(it, path)
    agree("lines", 200, len(text))
    hits = sum(re.search(rf"\b{needle}\b", line, re.IGNORECASE) is not None for line in text)
    # The question means the same to who looks for words and to who looks for letters.
    agree("lines with these letters", hits, sum(needle in line.lower() for line in text))
    it.expects_value("reply", "number", hits)


def after_the_marker(it):
    path, marker, answer = asked(it, r"In (\S+), which line follows the one that says only `(\S+):`\? Write it to (\S+)\.")
    text = lines(it, path)
    agree("markers", 1, text.count(f"{marker}:"))
    it.expects_value({"file": it.below(answer)}, "text", text[text.index(f"{marker}:") + 1])


VERIFIERS = {
    "line_by_number": line_by_number,
    "length_of_text": length_of_text,
    "hidden_code": hidden_code,
    "setting_of_section": setting_of_section,
    "errors_in_log": errors_in_log,
    "slowest_hosts": slowest_hosts,
    "which_file": which_file,
    "lines_with_word": lines_with_word,
    "after_the_marker": after_the_marker,
}

if __name__ == "__main__":
    bundle.main(VERIFIERS, lambda instance: instance.task)
