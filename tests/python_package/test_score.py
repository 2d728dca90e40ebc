"""Scores are those of the command line; what the key reads and nobody gave is an error."""

import json
from pathlib import Path

import picardc
from support import PAST, ROOT, Case


class Scores(Case):
    def test_oracles_are_right_and_nothing_is_not(self) -> None:
        for path in sorted((ROOT / "suites").glob("*.pcd")):
            with self.subTest(path.name):
                for one in picardc.compile(path).instances(5, samples=1):
                    solution = one.oracle()
                    self.assertTrue(one.score(solution.reply, solution.left).correct, one.id)
                    line = one.to_dict()
                    by_line = picardc.score(line, solution.reply, files=solution.left, start=line["files"])
                    self.assertEqual(by_line.to_dict(), one.score(solution.reply, solution.left).to_dict())
                    self.assertFalse(one.score("", {path: None for path in one.key_paths} | {"./": []}).correct, one.id)

    def test_as_picardc_grade(self) -> None:
        out = self.folder / "bundle"
        self.run_picardc("build", PAST, "-o", out, "--seed", 7, "--samples", 1)
        instances = picardc.compile(PAST).instances(7, samples=1)
        for one in instances:
            for reply in ("", "42", one.target[0], "line\n" + one.target[0]):
                response = self.folder / "response.json"
                files = [[path, {"kind": "text", "text": reply}] for path in one.key_paths]
                response.write_text(json.dumps({"reply": reply, "files": files}))
                score = one.score(reply, {path: reply for path in one.key_paths})
                said = self.run_picardc("grade", out, one.id, "--response", response, "--json", status=not score.correct)
                self.assertEqual(score.to_dict(), json.loads(said))
                self.assertEqual(score.verdicts, json.loads(said)["verdicts"])

    def test_split_keys(self) -> None:
        out = self.folder / "bundle"
        self.run_picardc("build", PAST, "-o", out, "--seed", 7, "--samples", 1, "--inline", "--split-keys")
        lines = (out / "instances.jsonl").read_text().splitlines()
        keys = (out / "keys.jsonl").read_text().splitlines()
        for line, key, one in zip(lines, keys, picardc.compile(PAST).instances(7, samples=1), strict=True):
            solution = one.oracle()
            score = picardc.score(line, solution.reply, files=solution.left, start=one.files, key=key)
            self.assertTrue(score.correct)
            self.assertEqual(picardc.key_paths(line, key=key), one.key_paths)
            with self.assertRaisesRegex(ValueError, "where keys are split"):
                picardc.score(line, solution.reply, files=solution.left)
        with self.assertRaisesRegex(ValueError, "its answer key is that of"):
            picardc.score(lines[0], "", key=keys[1])
        with self.assertRaisesRegex(ValueError, "an Instance has its answer key"):
            picardc.score(one, "", key=keys[0])


class Missing(Case):
    def setUp(self) -> None:
        super().setUp()
        self.one = picardc.compile(self.suite()).instances(1, task="keep")[0]
        self.right = {"out.txt": str(self.one.draws["N"]), "notes.txt": self.one.files["notes.txt"]}

    def test_a_start_that_is_needed(self) -> None:
        score = picardc.score(self.one, "", files=self.right, start=self.one.files)
        self.assertTrue(score.correct)
        for start in (None, {}, {"other": b""}):
            with self.assertRaisesRegex(picardc.ScoreError, "reads `notes.txt` as it was at the start"):
                picardc.score(self.one, "", files=self.right, start=start)
        self.assertTrue(self.one.score("", self.right).correct)

    def test_a_start_of_which_nothing_is_known(self) -> None:
        # As in the `instances.jsonl` of a run.
        line = self.one.to_dict()
        del line["files"]
        with self.assertRaisesRegex(picardc.ScoreError, "reads `notes.txt` as it was at the start"):
            picardc.score(line, "", files=self.right)
        self.assertTrue(picardc.score(line, "", files=self.right, start=self.one.files).correct)
        source = self.suite().read_text().replace("expect file notes unchanged", 'expect tree only ["out.txt"]')
        one = picardc.compile(self.suite(source)).instances(1, task="keep")[0]
        files = {"out.txt": str(one.draws["N"]), "./": ["notes.txt", "out.txt"]}
        self.assertTrue(one.score("", files).correct)
        line = one.to_dict()
        del line["files"]
        with self.assertRaisesRegex(picardc.ScoreError, "reads the list of files as it was at the start"):
            picardc.score(line, "", files=files)
        self.assertTrue(picardc.score(line, "", files=files, start=one.files).correct)

    def test_a_start_that_is_not_needed(self) -> None:
        one = picardc.compile(self.suite()).instances(1, task="count")[0]
        self.assertTrue(picardc.score(one, one.target[0]).correct)

    def test_files_that_are_needed(self) -> None:
        with self.assertRaisesRegex(picardc.ScoreError, "reads `out.txt`, but `files` is missing"):
            self.one.score("")
        self.assertEqual(self.one.score("", status="timeout").score, 0)

    def test_what_files_can_be(self) -> None:
        right = self.right
        for other in (right["out.txt"].encode(), bytearray(right["out.txt"].encode()), {"kind": "text", "text": right["out.txt"]}):
            self.assertTrue(self.one.score("", {**right, "out.txt": other}).correct)
        for other in (None, {"kind": "folder"}, {"kind": "too_large", "size": 1 << 30}, b"\xff", "7 "):
            self.assertFalse(self.one.score("", {**right, "out.txt": other}).correct)
        large = right["out.txt"] + " " * (17 << 20)
        for other in (large, large.encode(), {"kind": "text", "text": large}):
            found = self.one.score("", {**right, "out.txt": other})
            self.assertEqual(found.verdicts[0]["reason"], "too_large")
        with self.assertRaisesRegex(ValueError, "`base64` is not base64"):
            self.one.score("", {**right, "out.txt": {"kind": "bytes", "base64": "%%"}})
        del right["out.txt"]
        self.assertFalse(self.one.score("", right).correct)
        with self.assertRaisesRegex(TypeError, "not int"):
            self.one.score("", {**right, "out.txt": 7})
        with self.assertRaisesRegex(ValueError, "not what was captured"):
            self.one.score("", {**right, "out.txt": {"kind": "wheel"}})
        with self.assertRaisesRegex(TypeError, "a mapping from paths to contents, not list"):
            self.one.score("", [])
        with self.assertRaisesRegex(TypeError, "not a data: URI"):
            picardc.score(self.one, "", files=right, start={"notes.txt": "files/notes.txt"})
        with self.assertRaisesRegex(ValueError, "done, max_rounds, timeout, failed"):
            self.one.score("", right, status="lost")

    def test_what_is_not_an_instance(self) -> None:
        for other, error in [({}, "has no `id`"), ("{", "cannot be read"), ('{"id": "a"}', "no `metadata.picard`")]:
            with self.assertRaisesRegex(ValueError, error):
                picardc.score(other, "")
        with self.assertRaisesRegex(TypeError, "not Path|not PosixPath"):
            picardc.score(Path("."), "")

    def test_large_files_are_not_scored(self) -> None:
        verdict = self.one.score("", {**self.right, "out.txt": b"7" * ((16 << 20) + 1)}).verdicts[0]
        self.assertEqual(verdict["reason"], "too_large")
