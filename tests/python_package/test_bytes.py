"""Instances have the bytes of `picardc build`: all suites that ship, parts of them, and lakes."""

import json

import picardc
from support import PAST, SUITES, Case


class Bytes(Case):
    def test_every_suite_that_ships(self) -> None:
        self.assertGreater(len(SUITES), 5)
        for path in SUITES:
            with self.subTest(path.name):
                instances = picardc.compile(path).instances("a", samples=1)
                lines = self.lines(path, "--seed", "a", "--samples", 1)
                self.assertEqual([instance.to_json() for instance in instances], lines)
                for instance, line in zip(instances, lines, strict=True):
                    whole = json.loads(line)
                    self.assertEqual(instance.to_dict(), whole)
                    picard = whole["metadata"]["picard"]
                    self.assertEqual((instance.id, instance.prompt), (whole["id"], whole["input"]))
                    target = whole["target"]
                    self.assertEqual(instance.target, target if isinstance(target, list) else [target])
                    self.assertEqual(list(instance.files), list(whole["files"]))
                    self.assertEqual(instance.folders, picard["folders"])
                    self.assertEqual((instance.axis, instance.draws), (picard["axis"], picard["draws"]))

    def test_shards_and_options(self) -> None:
        for arguments, options in [
            (("--task", "q3*"), {"task": "q3*"}),
            (("--no-traps",), {"traps": False}),
            (("--sandbox-root", "/work"), {"sandbox_root": "/work"}),
        ]:
            instances = picardc.compile(PAST).instances(3, samples=2, **options)
            whole = self.lines(PAST, "--seed", 3, "--samples", 2, *arguments)
            self.assertEqual([one.to_json() for one in instances], whole)
            part = self.lines(PAST, "--seed", 3, "--samples", 2, "--shard", "2/3", *arguments)
            self.assertEqual([one.to_json() for one in instances.shard(1, 3)], part)

    def test_stages(self) -> None:
        path = next(one for one in SUITES if "\n  stage " in one.read_text())
        for stages in ("each", "given", "trace"):
            instances = picardc.compile(path, stages=stages).instances(1, samples=1)
            self.assertEqual([one.to_json() for one in instances], self.lines(path, "--seed", 1, "--samples", 1, "--stages", stages))

    def test_files_of_lakes(self) -> None:
        (self.folder / "lake").mkdir()
        (self.folder / "lake/a.csv").write_text("N\n1\n2\n")
        (self.folder / "lake/b.bin").write_bytes(bytes(range(256)))
        path = self.suite(
            'suite s { title "S" version "1" samples 2 }\nlake data at "data" from "lake" { }\ntask t {\n  lake data\n'
            '  N : int 1..100_000\n  prompt "Add <<N>> to nothing; see <<data>>."\n  expect reply number N\n}\n'
        )
        if picardc.check(path) and any(one["severity"] == "error" for one in picardc.check(path)):
            self.fail(str(picardc.check(path)))
        instances = picardc.compile(path).instances(1)
        self.assertEqual(instances[0].files["data/b.bin"], bytes(range(256)))
        self.assertEqual([one.to_json() for one in instances], self.lines(path, "--seed", 1))
        (self.folder / "lake/a.csv").unlink()
        with self.assertRaisesRegex(OSError, "lake/a.csv"):
            instances[0].files
