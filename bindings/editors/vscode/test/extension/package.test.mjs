/** What `package.json` promises is there, and the package holds it. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (name) => JSON.parse(readFileSync(join(root, name), "utf8"));
const { contributes, main } = read("package.json");

test("every file that is named is there", () => {
  const named = [main, ...contributes.grammars.map(({ path }) => path), ...contributes.snippets.map(({ path }) => path), ...contributes.languages.map(({ configuration }) => configuration)];
  for (const name of named) assert.ok(existsSync(join(root, name)), name);
});

test("every command is registered, and every registered command is told", () => {
  const source = readFileSync(join(root, "src/extension.ts"), "utf8");
  const registered = [...source.matchAll(/registerCommand\("([^"]+)"/g)].map(([, name]) => name).sort();
  assert.deepEqual(contributes.commands.map(({ command }) => command).sort(), registered);
});

test("every setting that is read is told", () => {
  const sources = ["extension", "server", "preview"].map((name) => readFileSync(join(root, `src/${name}.ts`), "utf8")).join("\n");
  for (const [, name] of sources.matchAll(/getConfiguration\("picardc"\)\.get\("([^"]+)"/g)) {
    assert.ok(`picardc.${name}` in contributes.configuration.properties, name);
  }
});

test("the lockfile names no registry", () => {
  assert.doesNotMatch(readFileSync(join(root, "package-lock.json"), "utf8"), /"resolved"/);
});

test("the package is made, and holds what is needed and nothing else", () => {
  const folder = mkdtempSync(join(tmpdir(), "picardc-vsix-"));
  try {
    const vsix = join(folder, "picardc.vsix");
    const vsce = join(root, "node_modules/@vscode/vsce/vsce");
    execFileSync(process.execPath, [vsce, "package", "--no-dependencies", "--allow-missing-repository", "--out", vsix], { cwd: root, stdio: "pipe" });
    const names = entries(readFileSync(vsix)).filter((name) => name.startsWith("extension/")).sort();
    assert.deepEqual(names, [
      "extension/LICENSE.txt",
      "extension/dist/extension.js",
      "extension/language-configuration.json",
      "extension/package.json",
      "extension/readme.md",
      "extension/snippets/pcd.json",
      "extension/syntaxes/markdown.tmLanguage.json",
      "extension/syntaxes/pcd.tmLanguage.json",
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("the extension asks for nothing at run time but the editor and node", () => {
  const text = readFileSync(join(root, main), "utf8");
  const builtin = new Set(createRequire(import.meta.url)("node:module").builtinModules);
  const asked = new Set([...text.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name]) => name.replace(/^node:/, "")));
  assert.ok(asked.has("vscode"));
  for (const name of asked) assert.ok(name === "vscode" || builtin.has(name.split("/")[0]), name);
});

/** The names in a zip file's central directory. */
function entries(zip) {
  const names = [];
  for (let at = zip.readUInt32LE(zip.length - 22 + 16); zip.readUInt32LE(at) === 0x02014b50; ) {
    const [name, extra, comment] = [28, 30, 32].map((field) => zip.readUInt16LE(at + field));
    names.push(zip.toString("utf8", at + 46, at + 46 + name));
    at += 46 + name + extra + comment;
  }
  return names;
}
