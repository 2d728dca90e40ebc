// The compiler of the browser against the native one, over all suites that ship: the same diagnostics, the same instances, byte for byte.
//   node same.mjs BINDINGS WASM PICARDC
// BINDINGS is what wasm-bindgen wrote, WASM the module, PICARDC the native program.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [bindings, wasm, picardc] = process.argv.slice(2).map((path) => resolve(path));
const root = join(dirname(fileURLToPath(import.meta.url)), "../../..");
process.chdir(root);

const { initSync, Picardc } = await import(pathToFileURL(join(bindings, "picardc_wasm.js")).href);
initSync({ module: readFileSync(wasm) });
const page = new Picardc();
const ask = (request) => {
  const answer = JSON.parse(page.ask(JSON.stringify(request)));
  if ("error" in answer) throw new Error(`${JSON.stringify(request).slice(0, 200)}: ${answer.error}`);
  return answer.ok;
};
const below = (folder) =>
  readdirSync(folder).sort().flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? below(path) : [path];
  });
const native = (args, cwd = root) => {
  try {
    return execFileSync(picardc, args, { cwd, encoding: "utf8", maxBuffer: 1 << 30, stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    // Errors in the suite are what is asked for.
    if (error.status === 1) return error.stdout;
    throw error;
  }
};

// What ships, and a suite that calls every function of real numbers.
const files = [...below("suites"), "bindings/playground/tests/mathematics.pcd"].map((path) => ({ path: relative(root, resolve(path)), base64: readFileSync(path).toString("base64") }));
const SEEDS = ["7", "ci"];
const SAMPLES = 3;
const scratch = mkdtempSync(join(tmpdir(), "picardc-same-"));
let [suites, instances, bytes, broken] = [0, 0, 0, 0];
try {
  for (const { path } of files.filter(({ path }) => path.endsWith(".pcd"))) {
    ask({ do: "files", files });
    const lines = (text) => text.split("\n").filter(Boolean);
    const checked = ask({ do: "check", path });
    assert.deepEqual(checked.diagnostics.map((said) => JSON.stringify(said)), lines(native(["check", path, "--format", "json"])), path);
    assert.equal(checked.errors, 0, path);
    for (const seed of SEEDS) {
      const out = join(scratch, "bundle");
      native(["build", path, "-o", out, "--seed", seed, "--samples", String(SAMPLES), "--inline", "--force"]);
      const built = lines(readFileSync(join(out, "instances.jsonl"), "utf8"));
      let at = 0;
      while (at < built.length) {
        const made = ask({ do: "lines", path, seed, samples: SAMPLES, from: at, to: at + 50 });
        assert.equal(made.count, built.length, path);
        for (const line of made.lines) {
          // In parts: a difference of megabytes cannot be read.
          if (line.trimEnd() !== built[at]) {
            const [ours, theirs] = [JSON.parse(line), JSON.parse(built[at])];
            for (const key of Object.keys(theirs)) {
              if (key === "files") {
                for (const file of Object.keys(theirs.files)) assert.equal(ours.files[file]?.slice(0, 400), theirs.files[file]?.slice(0, 400), `${path} ${ours.id} ${file}`);
              }
              else assert.deepEqual(ours[key], theirs[key], `${path} ${theirs.id} ${key}`);
            }
            assert.fail(`${path}, seed ${seed}, ${theirs.id}: the bytes differ`);
          }
          instances += 1;
          bytes += built[at].length;
          at += 1;
        }
      }
    }
    suites += 1;

    if (!path.startsWith("suites/")) continue;
    // A broken suite says the same: one word of it is another.
    const source = readFileSync(path, "utf8");
    for (const [from, to] of [["expect ", "expct "], ["rows ", "rows x"], ["sum(", "summ("], ["prompt ", "promt "], ["where ", "where NOPE == 1 and "]]) {
      if (!source.includes(from)) continue;
      const text = source.replace(from, to);
      ask({ do: "files", files: files.map((file) => (file.path === path ? { path, text } : file)) });
      const wrong = ask({ do: "check", path }).diagnostics.map((said) => JSON.stringify(said));
      assert.deepEqual(wrong, brokenNatively(path, text), `${path} with ${to}`);
      broken += 1;
    }
  }

  // So does every example of the pages of codes.
  for (const page of readdirSync("docs/src/codes").sort()) {
    for (const [, text] of readFileSync(join("docs/src/codes", page), "utf8").matchAll(/^```pcd[^\n]*\n(.*?)^```/gms)) {
      const path = "suites/example.pcd";
      ask({ do: "files", files: [...files, { path, text }] });
      const said = ask({ do: "check", path }).diagnostics.map((said) => JSON.stringify(said));
      assert.deepEqual(said, brokenNatively(path, text), `${page}: ${text}`);
      broken += 1;
    }
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/// The native diagnostics of a text in the place of a suite's.
function brokenNatively(path, text) {
  const copy = join(scratch, "copy");
  if (!existsSync(copy)) cpSync("suites", join(copy, "suites"), { recursive: true });
  writeFileSync(join(copy, path), text);
  try {
    return native(["check", path, "--format", "json"], copy).split("\n").filter(Boolean);
  } finally {
    if (existsSync(path)) copyFileSync(path, join(copy, path));
    else rmSync(join(copy, path));
  }
}

// How long a warm check of PAST takes here: each time with another text.
ask({ do: "files", files });
const past = readFileSync("suites/past.pcd", "utf8");
const times = [];
for (let turn = 0; turn < 30; turn += 1) {
  ask({ do: "files", files: [{ path: "suites/past.pcd", text: `${past}# ${turn}\n` }] });
  const began = performance.now();
  ask({ do: "check", path: "suites/past.pcd" });
  times.push(performance.now() - began);
}
const median = times.slice(5).sort((a, b) => a - b)[12];
console.log(`${suites} suites, ${instances} instances (${(bytes / 1e6).toFixed(1)} MB), and ${broken} broken sources are the same; a warm check of past: ${median.toFixed(1)} ms`);
