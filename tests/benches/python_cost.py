"""What the Python package costs, next to the command line: tests/benches/python_cost.py PICARDC [FOLDER]

Run it with a Python that has the wheel (`./dist wheels` makes one in target/dist-venv). The goals, which fail if they are missed:
`import picardc` takes at most 10 ms, and instances as dicts take at most 1.3 times what `picardc build --inline --threads 1` takes for them, all in. The
least of several runs counts, of both in turn. What Parquet files cost is shown where pyarrow is installed: instances per second, and bytes.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

IMPORT_MS = 10.0
RATIO = 1.3
RUNS = 5
SUITES = {"past": 400, "business_db": 40, "text_needles": 40}


def imported() -> float:
    """Milliseconds of the import in a new process, the least of several."""
    code = "import time; t = time.perf_counter(); import picardc; print((time.perf_counter() - t) * 1e3)"
    return min(float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout) for _ in range(10))


def built(program: str, suite: Path, samples: int, folder: Path) -> tuple[float, int]:
    """Seconds of the command, and bytes of its lines."""
    out = folder / "bundle"
    shutil.rmtree(out, ignore_errors=True)
    line = [program, "build", suite, "-o", out, "--seed", "1", "--samples", str(samples), "--inline", "--threads", "1", "--quiet"]
    start = time.perf_counter()
    subprocess.run(line, check=True)
    return time.perf_counter() - start, (out / "instances.jsonl").stat().st_size


def as_dicts(suite: Path, samples: int) -> tuple[float, int]:
    """Seconds to compile and to make all dicts, and how many."""
    import picardc

    start = time.perf_counter()
    count = 0
    for instance in picardc.compile(suite).instances(1, samples=samples):
        count += bool(instance.to_dict())
    return time.perf_counter() - start, count


def as_parquet(suite: Path, samples: int, workers: int, folder: Path) -> tuple[float, int]:
    """Seconds and bytes of Parquet files."""
    import picardc
    import picardc.parquet

    out = folder / "parquet"
    shutil.rmtree(out, ignore_errors=True)
    instances = picardc.compile(suite).instances(1, samples=samples)
    start = time.perf_counter()
    picardc.parquet.write(instances, out, shards=8, workers=workers)
    return time.perf_counter() - start, sum(path.stat().st_size for path in out.iterdir())


def main() -> int:
    program = os.path.abspath(sys.argv[1])
    root = Path(__file__).resolve().parents[2]
    folder = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    failed = []
    took = imported()
    print(f"import {took:.1f} ms (goal {IMPORT_MS:.0f})")
    if took > IMPORT_MS:
        failed.append("import")
    for name, samples in SUITES.items():
        suite = root / "suites" / f"{name}.pcd"
        if not suite.exists():
            continue
        command, dicts, count, size = float("inf"), float("inf"), 0, 0
        for _ in range(RUNS):
            seconds, size = built(program, suite, samples, folder)
            command = min(command, seconds)
            seconds, count = as_dicts(suite, samples)
            dicts = min(dicts, seconds)
        ratio = dicts / command
        print(
            f"{name}: {count} instances of {size / count / 1e3:.1f} KB; command {command / count * 1e6:.0f} µs, dicts {dicts / count * 1e6:.0f} µs each, "
            f"{ratio:.2f} times (goal {RATIO})"
        )
        if ratio > RATIO:
            failed.append(name)
        try:
            for workers in (1, 2):
                seconds, stored = as_parquet(suite, samples * 5, workers, folder)
                print(f"{name}: Parquet by {workers}: {count * 5 / seconds:.0f} instances/s, {stored / count / 5 / 1e3:.1f} KB each")
        except ImportError as error:
            print(f"Parquet is skipped: {error}")
    shutil.rmtree(folder / "bundle", ignore_errors=True)
    shutil.rmtree(folder / "parquet", ignore_errors=True)
    if failed:
        print(f"missed: {', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
