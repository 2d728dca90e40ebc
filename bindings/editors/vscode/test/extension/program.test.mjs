/** Which program `picardc.path` names. */

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

import { build } from "esbuild";

const folder = mkdtempSync(join(tmpdir(), "picardc-program-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const outfile = join(folder, "program.mjs");
await build({ entryPoints: [fileURLToPath(new URL("../../src/program.ts", import.meta.url))], bundle: true, format: "esm", platform: "node", outfile });
const { isThere, program } = await import(pathToFileURL(outfile).href);

test("a bare name stays one, and nothing means picardc", () => {
  assert.equal(program("picardc", "/work"), "picardc");
  assert.equal(program("  ", "/work"), "picardc");
  assert.equal(program("picardc-2", undefined), "picardc-2");
});

test("a relative path starts from the workspace's folder", { skip: process.platform === "win32" }, () => {
  assert.equal(program("target/debug/picardc", "/work"), "/work/target/debug/picardc");
  assert.equal(program("./picardc", undefined), "./picardc");
  assert.equal(program("/opt/picardc", "/work"), "/opt/picardc");
});

test("a program is looked for in PATH, a path where it says", () => {
  const [one, two] = ["one", "two"].map((name) => join(folder, name));
  for (const made of [one, two]) mkdirSync(made);
  writeFileSync(join(two, "picardc"), "");
  mkdirSync(join(one, "picardc"));
  assert.ok(isThere("picardc", { PATH: [one, two].join(delimiter) }));
  assert.ok(!isThere("picardc", { PATH: one }), "a folder is no program");
  assert.ok(!isThere("picardc", {}));
  assert.ok(isThere(join(two, "picardc"), {}));
  assert.ok(!isThere(join(two, "other"), {}));
});
