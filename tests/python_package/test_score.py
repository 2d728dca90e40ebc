"""Scores are those of the command line; what the key reads and nobody gave is an error."""

import json
import os
import random
from pathlib import Path, PurePosixPath, PureWindowsPath

import picardc
from support import PAST, SUITES, Case


class Scores(Case):
    def test_oracles_are_right_and_nothing_is_not(self) -> None:
        for path in SUITES:
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


TREE = """
suite tree { title "Tree" version "1" samples 3 }

task place {
  n : int 1..1_000
  text note at "brook/in/note.txt" = "<<n>>"
  prompt "Write <<n>> to `brook/spirit/answer.txt` and `top.txt`, and make the folders `brook/empty` and `late`."
  expect file "brook/spirit/answer.txt" number n
  expect file "top.txt" number n
  expect tree ["brook/empty/", "late/", "brook/spirit/"]
  expect tree only ["brook/empty/", "late/", "brook/spirit/answer.txt", "top.txt"]
}
"""


class Spelled:
    """What `os.fspath` takes."""

    def __init__(self, path: object) -> None:
        self.path = path

    def __fspath__(self) -> object:
        return self.path


class Paths(Case):
    """A path is what `open` takes, below the sandbox; anything else is refused, never taken for a file that is not there."""

    def setUp(self) -> None:
        super().setUp()
        self.one = picardc.compile(self.suite(TREE, "tree.pcd")).instances(3)[0]
        n = str(self.one.draws["n"])
        self.right = {
            "brook/spirit/answer.txt": n,
            "top.txt": n,
            "brook/empty": {"kind": "folder"},
            "late": {"kind": "folder"},
            "./": ["brook/", "brook/empty/", "brook/in/", "brook/in/note.txt", "brook/spirit/", "brook/spirit/answer.txt", "late/", "top.txt"],
        }

    def spelled(self, draw: random.Random, path: str, is_folder: bool) -> object:
        """A path in another spelling."""
        if path == "./":
            return draw.choice(["./", ".", "././", Path("."), Spelled("./")])
        parts = path.split("/")
        text = parts[0] + "".join(draw.choice(["/", "//", "/./"]) + part for part in parts[1:])
        text = draw.choice(["", "./", ".//", "././"]) + text
        if is_folder:
            text += draw.choice(["", "/", "//", "/."])
        return draw.choice([str, str, Path, PurePosixPath, Spelled])(text)

    def test_every_spelling_is_the_same_path(self) -> None:
        draw = random.Random(7)
        for _ in range(300):
            files = {self.spelled(draw, path, isinstance(value, dict)): value for path, value in self.right.items()}
            score = self.one.score("", files)
            self.assertTrue(score.correct, (files, score.verdicts))
            some = dict(draw.sample(sorted(files.items(), key=str), len(files) - 1))
            if any(os.fspath(path).strip("./") == "" for path in some):
                self.assertFalse(self.one.score("", some).correct, some)

    def test_what_the_oracle_does_is_right(self) -> None:
        solution = self.one.oracle()
        self.assertEqual(set(solution.folders), {"brook/empty", "brook/spirit", "late"})
        files = {**solution.files, **{path: {"kind": "folder"} for path in solution.folders}, "./": self.right["./"]}
        self.assertTrue(self.one.score(solution.reply, files).correct)
        for path in set(solution.folders):
            files[f"{path}/"] = files.pop(path)
        self.assertTrue(self.one.score(solution.reply, files).correct)

    def test_other_paths_are_refused(self) -> None:
        draw = random.Random(11)
        for path, value in self.right.items():
            rest = {other: value for other, value in self.right.items() if other != path}
            plain = path.rstrip("./") or "top.txt"
            wrong: list[tuple[object, type[Exception], str]] = [
                (f"/{plain}", ValueError, "is absolute"),
                (Path(f"/work/{plain}"), ValueError, "is absolute"),
                (f"../{plain}", ValueError, r"has a part `\.\.`"),
                (f"brook/../{plain}", ValueError, r"has a part `\.\.`"),
                ("", ValueError, "is empty"),
                (plain.encode(), TypeError, "not bytes"),
                (Spelled(plain.encode()), TypeError, "not Spelled"),
                (7, TypeError, "not int"),
                (None, TypeError, "not NoneType"),
                (("a", "b"), TypeError, "not tuple"),
            ]
            if "/" in plain:
                wrong.append((PureWindowsPath(plain), ValueError, "between its parts"))
                wrong.append((plain.replace("/", "\\"), ValueError, "between its parts"))
            draw.shuffle(wrong)
            for key, error, said in wrong:
                with self.subTest(repr(key)), self.assertRaisesRegex(error, said):
                    self.one.score("", {**rest, key: value})
        with self.assertRaisesRegex(ValueError, "are one path"):
            self.one.score("", {**self.right, "./top.txt": "1"})
        with self.assertRaisesRegex(ValueError, "in two spellings"):
            picardc.score(self.one, "", files=self.right, start={"a": b"", "./a": b""})
        for start in ({b"brook/in/note.txt": b""}, {"/brook/in/note.txt": b""}):
            with self.assertRaises((TypeError, ValueError)):
                picardc.score(self.one, "", files=self.right, start=start)
        start = {Path("./brook/in/note.txt"): b"1"}
        self.assertTrue(picardc.score(self.one, "", files=self.right, start=start).correct)

    def test_values_that_do_not_fit_are_refused(self) -> None:
        for path, value, error, said in [
            ("top.txt", ["top.txt"], ValueError, "is a list of paths"),
            ("top.txt", {"kind": "paths", "paths": []}, ValueError, "is a list of paths"),
            ("top.txt/", "1", ValueError, "ends with `/`"),
            ("./", b"1", ValueError, "is not a list"),
            ("./", {"kind": "folder"}, ValueError, "is not a list"),
            ("./", None, ValueError, "is not a list"),
            ("./", ["/top.txt"], ValueError, "is absolute"),
            ("./", ["a/../top.txt"], ValueError, "has a part"),
            ("./", [b"top.txt"], TypeError, "not bytes"),
            ("top.txt", {"kind": "text", "text": "1", "size": 3}, ValueError, "unknown key `size`; its keys are kind, text"),
            ("top.txt", {"kind": "folder", "text": "1"}, ValueError, "unknown key `text`"),
            ("top.txt", {"text": "1"}, ValueError, "missing field `kind`"),
            ("top.txt", {"kind": "text", "text": 1}, ValueError, "invalid type"),
            ("top.txt", 1.5, TypeError, "not float"),
            ("top.txt", memoryview(b"1"), TypeError, "not memoryview"),
        ]:
            files = {key: kept for key, kept in self.right.items() if key != path.rstrip("/")}
            with self.subTest((path, value)), self.assertRaisesRegex(error, said):
                self.one.score("", {**files, path: value})
        for reply in (b"1", None, 7, ["1"]):
            with self.assertRaisesRegex(TypeError, "a reply is a str, not"):
                self.one.score(reply, self.right)
            with self.assertRaisesRegex(TypeError, "a reply is a str, not"):
                picardc.score(self.one, reply, files=self.right)
        with self.assertRaises(TypeError):
            self.one.score("", self.right, state="done")
        with self.assertRaisesRegex(TypeError, "a key is a line of keys.jsonl as a dict or a str, not int"):
            picardc.score({}, "", key=1)

    def test_a_folder_of_which_nothing_is_there_is_not(self) -> None:
        gone = {path: value for path, value in self.right.items() if path != "late"}
        for value in (None, {"kind": "absent"}):
            self.assertFalse(self.one.score("", {**gone, "late/a.txt": value}).correct)
        self.assertTrue(self.one.score("", {**gone, Path("late") / "a.txt": b""}).correct)

    def test_the_command_line_reads_them_the_same(self) -> None:
        out, response = self.folder / "bundle", self.folder / "response.json"
        self.run_picardc("build", self.folder / "tree.pcd", "-o", out, "--seed", 3)
        captured = {
            path: {"kind": "paths", "paths": value} if isinstance(value, list) else {"kind": "text", "text": value} if isinstance(value, str) else value
            for path, value in self.right.items()
        }
        for change, status in [({}, 0), ({"./top.txt": captured["top.txt"]}, 0), ({"/top.txt": captured["top.txt"]}, 2), ({"top.txt/": captured["top.txt"]}, 2)]:
            files = {path: value for path, value in captured.items() if not change or path != "top.txt"}
            response.write_text(json.dumps({"reply": "", "files": list({**files, **change}.items())}))
            self.run_picardc("grade", out, self.one.id, "--response", response, status=status)


class Surrogates(Case):
    """Half of a surrogate pair is U+FFFD: models reply with it, and it is never an exception."""

    def test_replies(self) -> None:
        source = 'suite s { title "S" version "1" samples 2 }\ntask t { w : one_of ["a\ufffdb", "\U0001f600"]  prompt "Say <<w>>." expect reply text w }\n'
        instances = picardc.compile(self.suite(source, "s.pcd")).instances(1, samples=20)
        draw = random.Random(3)
        seen = set()
        for one in instances:
            wanted = one.draws["w"]
            seen.add(wanted)
            for _ in range(20):
                half = chr(draw.randrange(0xD800, 0xE000))
                self.assertEqual(one.score(f"a{half}b").correct, wanted == "a\ufffdb")
                noise = "".join(draw.choice(["\ud800", "\udc00", "x", "\U0001f600", "\n"]) for _ in range(draw.randrange(1, 12)))
                self.assertFalse(one.score(f"!{noise}").correct)
            # Two halves are one character, as a JSON reader would have made it.
            self.assertEqual(one.score("\ud83d\ude00").correct, wanted == "\U0001f600")
        self.assertEqual(len(seen), 2)

    def test_files_names_and_lists(self) -> None:
        one = picardc.compile(self.suite(TREE, "tree.pcd")).instances(3)[0]
        n = str(one.draws["n"])
        listed = ["brook/empty/", "late/", "brook/spirit/answer.txt", "top.txt"]
        files = {"brook/spirit/answer.txt": n, "top.txt": n, "brook/empty": {"kind": "folder"}, "late": {"kind": "folder"}, "./": listed}
        self.assertTrue(one.score("\ud800", {**files, "bad\udcff": "x", "bad\udcfe": "\ud800"}).correct)
        self.assertFalse(one.score("", {**files, "./": [*listed, "bad\udcff"]}).correct)
        for text in ("1\ud800", {"kind": "text", "text": "1\ud800"}, {"kind": "text", "text": "\udfff"}):
            self.assertFalse(one.score("", {**files, "top.txt": text}).correct)
        self.assertFalse(one.score("", {**files, "./": {"kind": "other", "what": "\ud800"}}).correct)
        line = one.to_dict()
        line["note"] = "\ud800"
        self.assertTrue(picardc.score(line, "\ud800", files=files).correct)

    def test_lines_of_grade(self) -> None:
        one = picardc.compile(PAST).instances(7, samples=1, task="q301*")[0]
        out = self.folder / "bundle"
        self.run_picardc("build", PAST, "-o", out, "--seed", 7, "--samples", 1)
        files = [[path, {"kind": "text", "text": "\ud800"}] for path in one.key_paths]
        said = self.run_picardc("grade", out, "--lines", status=1, stdin=json.dumps({"id": one.id, "reply": "x\ud800", "files": files}) + "\n")
        self.assertNotIn("error", json.loads(said))
