"""What the command built is what the library makes, and its oracles are right: .dist/same.py FOLDER-OF-THE-SUITE BUNDLE"""

import glob
import sys

import picardc

folder, bundle = sys.argv[1:]
(path,) = glob.glob(f"{folder}/*.pcd")
instances = picardc.compile(path).instances(7)
with open(f"{bundle}/instances.jsonl", encoding="utf-8") as file:
    lines = file.read().splitlines()
assert [one.to_json() for one in instances] == lines, "other bytes than the command"
for one in instances:
    solution = one.oracle()
    assert one.score(solution.reply, solution.left).correct, one.id
print(f"{len(lines)} instances as built by the command; all oracles are right")
