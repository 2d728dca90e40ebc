"""What readers are told: `help` says what the stubs say, and the blocks of the manual run."""

import ast
import importlib.util
import inspect
import os
import pydoc
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
os.environ["HF_HOME"] = tempfile.mkdtemp()

import picardc  # noqa: E402
from support import PAST, ROOT, Case  # noqa: E402

# What the blocks of a page import that may be missing.
ENGINES = {"picardc.parquet": "pyarrow", "picardc.hf": "datasets", "picardc.ray": "ray", "picardc.spark": "pyspark"}


def blocks(page: str) -> list[tuple[int, str]]:
    """The blocks of Python on a page, each with its line."""
    text = (ROOT / "docs/src" / page).read_text(encoding="utf-8")
    found = re.finditer(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    return [(text.count("\n", 0, block.start()) + 1, block[1]) for block in found]


class Help(Case):
    def test_it_says_what_the_stubs_say(self) -> None:
        # Next to the module itself: so the stubs of a wheel are compared with its module.
        stubs = Path(picardc.__file__).with_name("_picardc.pyi").read_text(encoding="utf-8")
        compared = 0
        for node in ast.parse(stubs).body:
            if not hasattr(picardc, getattr(node, "name", "")):
                continue
            here = getattr(picardc, node.name)
            members = [(one, getattr(here, one.name)) for one in node.body if isinstance(one, ast.FunctionDef)]
            for one, said in [(node, here), *members]:
                written = ast.get_docstring(one)
                if written is None:
                    continue
                compared += 1
                self.assertEqual(inspect.cleandoc(said.__doc__ or ""), written, f"{node.name}, {one.name}")
        self.assertGreater(compared, 60)

    def test_nothing_is_without_a_text(self) -> None:
        for name in picardc.__all__:
            if name == "__version__":
                continue
            here = getattr(picardc, name)
            self.assertTrue(here.__doc__, name)
            if inspect.isclass(here):
                own = [one for one in vars(here) if not one.startswith("_")]
                self.assertEqual([one for one in own if not getattr(here, one).__doc__], [], name)

    def test_help_shows_it(self) -> None:
        # Long signatures have a line for each parameter from CPython 3.13 on.
        shown = "".join(pydoc.plain(pydoc.render_doc(picardc.Suite)).replace("|", "").split())
        for text in ("seed, *, samples=None, task=None, axes=None", "byte for byte. It belongs into every cache key", "source_sha256"):
            self.assertIn("".join(text.split()), shown)

    def test_signatures_are_those_of_the_stubs(self) -> None:
        stubs = Path(picardc.__file__).with_name("_picardc.pyi").read_text(encoding="utf-8")
        compared = 0
        for node in ast.parse(stubs).body:
            here = getattr(picardc, getattr(node, "name", ""), None)
            inside = node.body if isinstance(node, ast.ClassDef) else [node]
            for one in inside:
                said = here if one is node else getattr(here, getattr(one, "name", ""), None)
                if isinstance(one, ast.FunctionDef) and callable(said) and not one.name.startswith("_"):
                    written = [argument.arg for argument in one.args.args + one.args.kwonlyargs]
                    defaults = [ast.literal_eval(each) for each in [*one.args.defaults, *one.args.kw_defaults] if each is not None]
                    found = list(inspect.signature(said).parameters.values())
                    self.assertEqual([each.name for each in found], written, one.name)
                    self.assertEqual([each.default for each in found if each.default is not each.empty], defaults, one.name)
                    compared += 1
        self.assertGreater(compared, 10)


class Manual(Case):
    def setUp(self) -> None:
        super().setUp()
        shutil.copytree(ROOT / "suites", self.folder / "suites")
        shutil.copy(PAST, self.folder / "suite.pcd")

    def test_the_reference(self) -> None:
        """Its blocks are one program."""
        before = os.getcwd()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, before)
        page, names = "reference/python.md", {}
        for line, block in blocks(page):
            exec(compile("\n" * line + block, page, "exec"), names)

    def test_the_guide_to_scale(self) -> None:
        """Each block is a script, as it is, in a folder with a suite."""
        page = "guides/scale.md"
        found = blocks(page)
        self.assertGreaterEqual(len(found), 5)
        for line, block in found:
            missing = [package for module, package in ENGINES.items() if module in block and importlib.util.find_spec(package) is None]
            if missing:
                print(f"skipped: the block of {page} in line {line}: it needs {', '.join(missing)}")
                continue
            script = self.folder / "script.py"
            script.write_text(block, encoding="utf-8")
            # The host's name may lead nowhere in a test.
            local = {"SPARK_LOCAL_IP": "127.0.0.1", "SPARK_LOCAL_HOSTNAME": "localhost"}
            ran = subprocess.run([sys.executable, script], cwd=self.folder, env={**os.environ, **local}, capture_output=True, text=True)
            self.assertEqual(ran.returncode, 0, f"{page}:{line}: {ran.stdout}{ran.stderr}")
            with self.subTest(line=line):
                written = {"picardc.parquet": "out", "picardc.ray": "out-ray", "picardc.spark": "out-spark"}
                folders = [folder for module, folder in written.items() if module in block]
                for folder in folders:
                    self.assertEqual(len(list((self.folder / folder).glob("part-*-of-00016.parquet"))), 16)
                if "on_error" in block:
                    self.assertEqual(ran.stdout, "0 instances were left out\n")
