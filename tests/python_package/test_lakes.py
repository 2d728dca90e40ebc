"""Suites that hand out lakes: their files are part of what they are, and an edited one is never served with answer keys from before."""

import json
import pickle

import picardc
from support import Case

LAKE = """
suite lent { title "Lent" version "1" samples 2 }

lake data at "lk" from "lake" {
  csv ones from "one.csv" { A : int }
}

task add {
  lake data
  N : int 1..9
  prompt "Files are in <<sandbox>>/lk. What is the sum of A in lk/one.csv, plus <<N>>? Reply with the number only. Leave lk/big.bin as it is."
  expect reply number coalesce(sum(data.ones.A), 0) + N
  expect file "lk/big.bin" unchanged
}
"""


class Lakes(Case):
    def setUp(self) -> None:
        super().setUp()
        (self.folder / "lake").mkdir()
        self.one, self.big = self.folder / "lake/one.csv", self.folder / "lake/big.bin"
        self.one.write_text("A\n1\n2\n")
        self.big.write_bytes(b"\x00\x01")
        self.path = self.suite(LAKE)
        self.compiled = picardc.compile(self.path)
        self.instances = self.compiled.instances(7)

    def test_a_file_that_is_edited_later_is_not_served(self) -> None:
        first = self.instances[0]
        left, reply = {"lk/big.bin": b"\x00\x01"}, first.oracle().reply
        self.assertTrue(first.score(reply, left).correct)
        for path, content in ((self.one, "A\n1\n3\n"), (self.one, "A\n1\n2\n3\n"), (self.big, "\x01\x00")):
            before = path.read_bytes()
            path.write_text(content)
            for serve in (lambda: first.files, first.to_json, first.to_dict, lambda: self.instances[1].files):
                with self.subTest(path.name), self.assertRaisesRegex(picardc.StaleError, f"lake/{path.name}` changed after"):
                    serve()
            path.write_bytes(before)
        self.big.write_bytes(b"\x01\x00")
        with self.assertRaises(picardc.StaleError):
            first.score(reply, left)
        with self.assertRaisesRegex(picardc.Error, "lake/big.bin` changed after"):
            first.oracle()
        self.big.unlink()
        with self.assertRaisesRegex(OSError, "lake/big.bin` of a lake cannot be read"):
            first.score(reply, left)

    def test_any_edit_is_another_suite(self) -> None:
        identities = {self.compiled.sha256, self.compiled.identity(7), self.instances.identity, self.instances[0].identity}
        pickled = pickle.dumps(self.instances[0])
        # As many bytes as before, in a file that only agents read.
        self.big.write_bytes(b"\x01\x00")
        again = picardc.compile(self.path)
        others = {again.sha256, again.identity(7), again.instances(7).identity, again.instances(7)[0].identity}
        self.assertFalse(identities & others)
        self.assertEqual(again.source_sha256, self.compiled.source_sha256)
        with self.assertRaises(picardc.StaleError):
            picardc.compile(self.path, sha256=self.compiled.sha256)
        with self.assertRaises(picardc.StaleError):
            pickle.loads(pickled)
        self.assertEqual(again.instances(7)[0].files["lk/big.bin"], b"\x01\x00")

    def test_digests_of_bundles(self) -> None:
        self.run_picardc("build", self.path, "-o", "bundle", "--seed", 7)
        manifest = json.loads((self.folder / "bundle/manifest.json").read_text())
        self.assertEqual(manifest["source_sha256"], self.compiled.source_sha256)
        self.assertNotEqual(self.compiled.sha256, self.compiled.source_sha256)
        plain = picardc.compile(self.suite())
        self.assertEqual(plain.sha256, plain.source_sha256)
