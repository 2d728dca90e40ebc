#!/usr/bin/env bash
# Whole-process figures of the program that is handed out: latency of `check`, throughput and memory of `build` by number of threads and samples.
#   tests/benches/process.sh [FOLDER for bundles, target/bench by default]
# Prints one line a figure. Compare figures of one run only: machines are noisy.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
cargo build --locked --profile shipped --quiet
picardc="${CARGO_TARGET_DIR:-target}/shipped/picardc"
out="${1:-target/bench}"
rm -rf "$out"
mkdir -p "$out"

# Wall seconds and peak resident kilobytes of a command; python3 is the stopwatch.
measure() {
  python3 - "$@" <<'PY'
import resource, subprocess, sys, time
start = time.perf_counter()
done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
took = time.perf_counter() - start
if done.returncode != 0:
    sys.exit(done.stderr.decode())
print(f"{took:.4f} {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss}")
PY
}

best() { # the least of 5 runs, in milliseconds
  for _ in 1 2 3 4 5; do measure "$@"; done | sort -g | head -1 | awk '{ printf "%.1f ms, %.0f MB\n", $1 * 1000, $2 / 1024 }'
}

printf 'check past.pcd: %s\n' "$(best "$picardc" check suites/past.pcd)"

python3 - "$out/large.pcd" <<'PY'
import re, sys
past = open("suites/past.pcd").read()
head, tasks = past[: past.index("# 100")], past[past.index("# 100") :]
text, copy = head, 0
while text.count("\n") < 10_000:
    copy += 1
    text += tasks.replace("task q", f"task c{copy}_q")
open(sys.argv[1], "w").write(text)
print(f"large.pcd: {text.count(chr(10))} lines, {text.count('<<sqlite_query')} queries")
PY
printf 'check large.pcd: %s\n' "$(best "$picardc" check "$out/large.pcd")"

for threads in 1 2; do
  for samples in 200 2000; do
    rm -rf "$out/bundle"
    read -r seconds rss < <(measure "$picardc" build suites/past.pcd -o "$out/bundle" --seed 7 --samples "$samples" --inline --threads "$threads")
    awk -v t="$threads" -v n="$((samples * 10))" -v s="$seconds" -v m="$rss" \
      'BEGIN { printf "build --inline, %d threads: %d instances in %.2f s, %.0f a second, %.0f MB\n", t, n, s, n / s, m / 1024 }'
  done
done
rm -rf "$out/bundle"
read -r seconds rss < <(measure "$picardc" build suites/past.pcd -o "$out/bundle" --seed 7 --samples 200)
awk -v s="$seconds" -v m="$rss" 'BEGIN { printf "build with files, 2000 instances: %.2f s, %.0f MB\n", s, m / 1024 }'
rm -rf "$out"
