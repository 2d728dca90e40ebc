"""Suites, their instances as sequences, and what is said of mistakes."""

import errno
import json
import os
import signal
import threading
import time
from collections.abc import Sequence
from types import MappingProxyType

import picardc
from support import PAST, Case


class Suites(Case):
    def test_what_a_suite_says_of_itself(self) -> None:
        suite = picardc.compile(self.suite())
        self.assertEqual((suite.name, suite.title, suite.version), ("sizes", "Sizes", "1.2.3"))
        self.assertEqual(suite.path, str(self.folder / "sizes.pcd"))
        self.assertEqual(
            suite.tasks,
            [
                {"name": "count", "samples": 4, "variants": [], "axes": {"size": ["3", "7"], "kind": ["plain", "spaced"]}},
                {"name": "keep", "samples": 4, "variants": [], "axes": {}},
            ],
        )
        self.assertEqual(repr(suite), f"<picardc.Suite sizes of {suite.path}>")

    def test_a_mistake_is_data(self) -> None:
        path = self.suite("suite a { title \"A\" version \"1\" }\ntask t {\n  prompt \"Hi\"\n  expect reply number nope\n}\n")
        found = picardc.check(path)
        said = self.run_picardc("check", "--format", "json", path, status=1).splitlines()
        self.assertEqual(found, [json.loads(line) for line in said])
        self.assertEqual([(one["code"], one["line"]) for one in found if one["severity"] == "error"], [("E0201", 4)])
        with self.assertRaises(picardc.CompileError) as caught:
            picardc.compile(path)
        self.assertEqual(caught.exception.diagnostics, found)
        self.assertIn("has 1 error", str(caught.exception))
        self.assertIn("sizes.pcd:4:", str(caught.exception))
        self.assertIsInstance(caught.exception, picardc.Error)

    def test_a_clean_suite_has_nothing_to_say(self) -> None:
        self.assertEqual(picardc.check(PAST), [])

    def test_a_file_that_cannot_be_read_is_an_error_of_the_system(self) -> None:
        for call in (picardc.compile, picardc.check):
            with self.assertRaises(FileNotFoundError) as caught:
                call(self.folder / "none.pcd")
            error = caught.exception
            self.assertEqual((error.errno, error.filename), (errno.ENOENT, str(self.folder / "none.pcd")))
            with self.assertRaises(IsADirectoryError):
                call(self.folder)

    def test_an_instance_that_cannot_be_made(self) -> None:
        source = (
            'suite a { title "A" version "1" samples 2 }\ntask t {\n  N : int 1..9\n  require N > 9 + N * 0\n'
            '  prompt "What is <<N>>?"\n  expect reply number N\n}\n'
        )
        instances = picardc.compile(self.suite(source)).instances(1)
        with self.assertRaises(picardc.BuildError) as caught:
            instances[0]
        error = caught.exception
        self.assertEqual((error.code, error.at["task"], error.at["sample"]), ("E0902", "t", 1))
        self.assertEqual(error.place["line"], 4)
        self.assertIn(error.message, str(error))

    def test_identity(self) -> None:
        suite = picardc.compile(self.suite())
        identity = suite.identity(7)
        self.assertRegex(identity, "^[0-9a-f]{64}$")
        self.assertEqual(identity, suite.identity("7"))
        self.assertEqual(identity, suite.instances(7).identity)
        others = [
            suite.identity(8),
            suite.identity(7, samples=5),
            suite.identity(7, task="count"),
            suite.identity(7, traps=False),
            suite.instances(7)[1:].identity,
            suite.instances(7, axes={"size": 3}).identity,
            suite.instances(7)[0].identity,
        ]
        self.assertEqual(len({identity, *others}), 8)
        self.suite(self.suite().read_text().replace("1..900", "1..901"))
        self.assertNotEqual(picardc.compile(suite.path).identity(7), identity)

    def test_analysis(self) -> None:
        path = self.suite()
        suite = picardc.compile(path)
        for seed, threads in ((1, 1), ("b", 2)):
            found = suite.analyze(seed, samples=40, task="count", threads=threads)
            said = self.run_picardc("analyze", path, "--seed", seed, "--samples", 40, "--task", "count", "--json")
            self.assertEqual(found, json.loads(said))
        self.assertEqual(suite.analyze(samples=30)["seed"], "1")
        for threads in (-1, -(1 << 70), 1 << 40, 1 << 70):
            with self.assertRaisesRegex(ValueError, f"threads is {threads}; give a number from 1 to 1024"):
                suite.analyze(samples=30, threads=threads)
        for samples in (-1, 0, 29, 1 << 32, 1 << 70):
            with self.assertRaisesRegex(ValueError, f"samples is {samples}; give a number to 4294967295: fewer than 30"):
                suite.analyze(samples=samples)
        for options in ({"threads": 1.5}, {"threads": "2"}, {"samples": 30.0}, {"samples": None}):
            with self.assertRaises(TypeError):
                suite.analyze(**options)
        with self.assertRaisesRegex(ValueError, "fewer than 30"):
            suite.analyze(samples=29)
        with self.assertRaisesRegex(ValueError, "no task matches"):
            suite.analyze(task="nope")

    def test_an_analysis_ends_at_ctrl_c(self) -> None:
        suite = picardc.compile(PAST)
        # A process that was started in the background ignores it.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        for threads in (1, 2):
            began = time.monotonic()
            threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
            with self.assertRaises(KeyboardInterrupt):
                suite.analyze(samples=50_000, threads=threads)
            self.assertLess(time.monotonic() - began, 20)

    def test_options_that_mean_nothing_are_refused(self) -> None:
        suite = picardc.compile(self.suite())
        for arguments, error, said in [
            (dict(seed=""), ValueError, "must not be empty"),
            (dict(seed=1.5), TypeError, "an int or a str, not float"),
            (dict(seed=True), TypeError, "not bool"),
            (dict(seed=1, samples=0), ValueError, "samples is 0"),
            (dict(seed=1, samples=-1), ValueError, "samples is -1"),
            (dict(seed=1, samples=1 << 32), ValueError, "a number from 1 to 4294967295"),
            (dict(seed=1, samples=1 << 70), ValueError, "a number from 1"),
            (dict(seed=1, samples="3"), TypeError, ""),
            (dict(seed=1, sandbox_root=""), ValueError, "sandbox_root is empty"),
            (dict(seed=1, axes=["size"]), TypeError, "not list"),
            (dict(seed=1, task="nope"), ValueError, "the tasks are: count, keep"),
            (dict(seed=1, axes={"sise": 3}), ValueError, 'did you mean "size"?'),
            (dict(seed=1, axes={"size": 4}), ValueError, "its values are 3, 7"),
            (dict(seed=1, task="keep", axes={"size": 3}), ValueError, "the tasks have no axes"),
        ]:
            with self.subTest(arguments), self.assertRaisesRegex(error, said.replace("?", r"\?")):
                suite.instances(**arguments)
        with self.assertRaisesRegex(ValueError, "whole, each, given, trace"):
            picardc.compile(suite.path, stages="all")
        with self.assertRaisesRegex(ValueError, "no task of the suite has a stage"):
            picardc.compile(suite.path, stages="each")
        with self.assertRaises(picardc.StaleError):
            picardc.compile(suite.path, sha256="0" * 64)
        picardc.compile(suite.path, sha256=suite.source_sha256)


class AsASequence(Case):
    def setUp(self) -> None:
        super().setUp()
        self.all = picardc.compile(self.suite()).instances(7)
        self.ids = [instance.id for instance in self.all]

    def test_it_is_one(self) -> None:
        self.assertIsInstance(self.all, Sequence)
        self.assertEqual(len(self.all), 20)
        self.assertEqual(self.ids[:2], ["count-3-plain-1", "count-3-plain-2"])
        self.assertEqual([instance.index for instance in self.all], list(range(20)))
        self.assertEqual(self.all[-1].id, self.ids[-1])
        self.assertEqual([instance.id for instance in reversed(self.all)], self.ids[::-1])
        for index in (20, -21, 1 << 62, 1 << 63, -(10**30)):
            with self.assertRaisesRegex(IndexError, "there are 20"):
                self.all[index]
        with self.assertRaisesRegex(TypeError, "not str"):
            self.all["count-3-plain-1"]

    def test_which_one_an_instance_is(self) -> None:
        suite = self.all.suite
        some = suite.instances(7, axes={"size": 7})
        for of in (self.all, self.all[3:17:2], self.all[::-3], some, some[::-1], some[2:5], self.all[5:5]):
            members = list(of)
            for one in self.all:
                self.assertEqual((one in of, of.count(one)), (one in members, members.count(one)))
                if one in members:
                    self.assertEqual(of.index(one), members.index(one))
                    self.assertEqual(of[of.index(one)], one)
                else:
                    with self.assertRaisesRegex(ValueError, "is not one of these instances"):
                        of.index(one)
        self.assertEqual(self.all.index(self.all[4], 2, -3), 4)
        self.assertEqual(self.all.index(self.all[4], -(1 << 70), 1 << 70), 4)
        for bounds in ((5,), (0, 4), (-3,), (1 << 70,), (0, -(1 << 70))):
            with self.assertRaises(ValueError):
                self.all.index(self.all[4], *bounds)
        again = picardc.compile(suite.path).instances(7)
        self.assertEqual(set(again), set(self.all))
        for other in (suite.instances(8)[0], suite.instances(7, samples=5)[0], "count-3-plain-1", None):
            self.assertNotEqual(self.all[0], other)
            self.assertNotIn(other, self.all)

    def test_slices_are_those_of_a_list(self) -> None:
        places = [None, -25, -20, -3, 0, 2, 11, 19, 20, 30]
        for start in places:
            for stop in places:
                for step in (None, 1, 3, -1, -4):
                    cut = slice(start, stop, step)
                    self.assertEqual(self.all[cut].indexes(), list(range(20))[cut], cut)
        self.assertEqual(self.all[15:2:-3][1:][::-1].indexes(), list(range(20))[15:2:-3][1:][::-1])
        self.assertEqual([one.id for one in self.all[4:6]], self.ids[4:6])

    def test_shards_are_parts(self) -> None:
        for of in (1, 3, 7, 20, 23):
            parts = [self.all.shard(index, of).indexes() for index in range(of)]
            self.assertEqual(sum(parts, []), list(range(20)))
            self.assertLessEqual(max(map(len, parts)) - min(map(len, parts)), 1)
        for index, of in ((3, 3), (-1, 4), (0, 1 << 40), (1 << 70, 3), (0, 0)):
            with self.assertRaisesRegex(ValueError, "from 0 to below"):
                self.all.shard(index, of)

    def test_values_of_axes(self) -> None:
        suite = self.all.suite
        for axes in ({"size": (3, 7)}, MappingProxyType({"size": 7}), {"size": range(3, 8, 4)}, {"size": iter([7])}):
            self.assertTrue(len(suite.instances(7, axes=axes)) in (8, 16))
        for axes in ({"size": 7}, {"size": "7"}, {"kind": "spaced"}, {"kind": "with space"}, {"size": [7, 3], "kind": ["plain"]}):
            some = suite.instances(7, axes=axes)
            wanted = {name: value if isinstance(value, list) else [value] for name, value in axes.items()}
            wanted = {name: {"with space" if v == "spaced" else str(v) for v in values} for name, values in wanted.items()}
            expected = [
                one.id for one in self.all if all(str(one.axis.get(name)) in values for name, values in wanted.items())
            ]
            self.assertTrue(expected)
            self.assertEqual([one.id for one in some], expected)
            self.assertEqual([one.index for one in some], some.indexes())
            self.assertEqual(some[1:].indexes(), some.indexes()[1:])

    def test_what_an_instance_says(self) -> None:
        one = self.all[0]
        self.assertEqual((one.task, one.variant, one.stage, one.sample, one.seed), ("count", None, None, 1, "7"))
        self.assertEqual(one.axis, {"size": 3, "kind": "plain"})
        self.assertIn("orders.csv (plain)", one.prompt)
        rows = one.files["orders.csv"].decode().split()
        self.assertEqual(one.target, [str(sum(map(int, rows[1:])))])
        self.assertEqual((one.folders, one.key_paths, one.tools, one.calls), ([], [], None, None))
        self.assertEqual(self.all[16].key_paths, ["out.txt", "notes.txt"])
        self.assertEqual(list(self.all[16].draws), ["N"])
