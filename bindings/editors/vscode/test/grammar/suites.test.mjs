/** What holds of every suite, whatever is in it; and the tokens of one suite as a snapshot that people read. */

import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";

import { sources } from "./sources.mjs";
import { tokens } from "./tokens.mjs";

const SQL = "meta.embedded.block.sql";
const END = "task after_all { x = 1 }";

for (const { path, text } of sources("suites", "stdlib", "tests/mistakes/right")) {
  test(`${path} ends where it began`, () => {
    const read = tokens(`${text}\n${END}`);
    const last = read.filter((token) => token.line === text.split("\n").length);
    const name = last.find((token) => token.text === "after_all");
    assert.deepEqual(name?.scopes, ["source.pcd", "entity.name.function.task.pcd"], "something that began did not end");
  });
}

test("SQL is found wherever there is some, and nowhere else", () => {
  let queries = 0;
  for (const { path, text } of sources("suites", "tests/mistakes/right")) {
    const read = tokens(text);
    for (const token of read) {
      const inside = token.scopes.includes(SQL);
      if (/^(SELECT|FROM|WHERE|GROUP|ORDER)$/.test(token.text.trim()) && !token.scopes.some((scope) => /^(comment|string\.quoted\.(double|triple)\.pcd)/.test(scope) && !inside)) {
        assert.ok(inside, `${path}:${token.line + 1}: ${token.text} is in no SQL`);
        queries += token.text.trim() === "SELECT" ? 1 : 0;
      }
      if (inside) assert.doesNotMatch(token.text, /\b(prompt|expect|task)\b/, `${path}:${token.line + 1} is still SQL`);
    }
  }
  assert.ok(queries > 80, `${queries} queries only`);
});

test("every piece of the PAST suite", () => {
  const [past] = sources("suites").filter(({ path }) => path.endsWith("past.pcd"));
  const lines = past.text.split("\n");
  const read = tokens(past.text);
  const told = lines
    .map((line, index) => {
      const pieces = read
        .filter((token) => token.line === index && token.text.trim() !== "" && token.scopes.length > 1)
        .map((token) => `    ${token.text.trim().padEnd(24)} ${token.scopes.slice(1).join(" ")}`);
      return [line, ...pieces].join("\n");
    })
    .join("\n");
  const file = new URL("past.snapshot.txt", import.meta.url);
  if (process.env.UPDATE_SNAPSHOTS === "1" || !existsSync(file)) {
    assert.ok(process.env.CI !== "true", "the snapshot is not there: UPDATE_SNAPSHOTS=1 npm run test:grammar writes it");
    writeFileSync(file, told);
  }
  assert.equal(told, readFileSync(file, "utf8"), "UPDATE_SNAPSHOTS=1 npm run test:grammar writes it anew; read what changed");
});
