/** What the extension asks of the server, and what it shows. */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

import { build } from "esbuild";

const folder = mkdtempSync(join(tmpdir(), "picardc-extension-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const path = (name) => fileURLToPath(new URL(name, import.meta.url));

await build({
  stdin: {
    contents: `export * from "./src/preview"; export * as stub from "vscode";`,
    resolveDir: path("../.."),
    loader: "ts",
  },
  alias: { vscode: path("stub.mjs") },
  bundle: true,
  format: "esm",
  platform: "node",
  outfile: join(folder, "preview.mjs"),
});
const { Previews, decode, encode, stub } = await import(pathToFileURL(join(folder, "preview.mjs")).href);

const SUITE = "file:///suites/a%20b.pcd";
const opened = () => stub.calls.filter(([command]) => command === "vscode.openWith");
const shownBy = () => opened().map(([, uri]) => decode(uri));

function server(answer = { markdown: "# made" }) {
  const asked = [];
  return { asked, execute: async (...call) => (asked.push(call), answer instanceof Error ? Promise.reject(answer) : answer) };
}

beforeEach(() => {
  stub.calls.length = 0;
  Object.assign(stub.editor, { settings: {}, symbols: [], active: undefined, documents: [], groups: [], visible: [], picked: undefined });
});

test("a virtual document's name tells what it shows", () => {
  for (const shown of [
    { kind: "preview", uri: SUITE, task: "orders", sample: 3 },
    { kind: "analyze", uri: SUITE, task: "orders" },
  ]) {
    assert.deepEqual(decode(encode(shown)), shown);
    assert.match(encode(shown).path, /^\/orders (3|analysis)\.md$/);
  }
});

test("the lens of a task previews its first sample, and the next one the second", async () => {
  const { asked, execute } = server();
  const previews = new Previews({ execute });
  await previews.preview(SUITE, "orders");
  await previews.next();
  assert.deepEqual(shownBy(), [1, 2].map((sample) => ({ kind: "preview", uri: SUITE, task: "orders", sample })));
  assert.equal(await previews.provideTextDocumentContent(encode(shownBy()[1])), "# made");
  assert.deepEqual(asked, [["picardc.previewInstance", { uri: SUITE, task: "orders", sample: 2 }]]);
});

test("all of them stand in one column, and leave the cursor where it is", async () => {
  const previews = new Previews(server());
  await previews.preview(SUITE, "orders");
  const [[, uri, viewer, options]] = opened();
  assert.deepEqual([viewer, options], ["vscode.markdown.preview.editor", { viewColumn: stub.ViewColumn.Beside, preserveFocus: true, preview: true }]);
  const other = { viewColumn: 1, tabs: [{ input: undefined }, { input: new stub.TabInputCustom({ scheme: "file" }) }] };
  stub.editor.groups = [other, { viewColumn: 3, tabs: [{ input: new stub.TabInputCustom(uri) }] }];
  await previews.next();
  assert.equal(opened()[1][3].viewColumn, 3);
});

test("the seed of the settings goes along", async () => {
  stub.editor.settings.seed = "ci";
  const { asked, execute } = server();
  await new Previews({ execute }).provideTextDocumentContent(encode({ kind: "preview", uri: SUITE, task: "orders", sample: 1 }));
  assert.equal(asked[0][1].seed, "ci");
});

test("the analysis of a task", async () => {
  const { asked, execute } = server({ markdown: "## orders" });
  const previews = new Previews({ execute });
  await previews.analyze(SUITE, "orders");
  assert.equal(await previews.provideTextDocumentContent(encode(shownBy()[0])), "## orders");
  assert.deepEqual(asked, [["picardc.analyzeTask", { uri: SUITE, task: "orders" }]]);
});

test("what the server refuses is shown in its words", async () => {
  const previews = new Previews(server(new Error("the suite has mistakes: E0203")));
  assert.match(await previews.provideTextDocumentContent(encode({ kind: "preview", uri: SUITE, task: "orders", sample: 1 })), /E0203/);
});

test("an answer of another shape is no text", async () => {
  const previews = new Previews(server({ text: "old" }));
  assert.match(await previews.provideTextDocumentContent(encode({ kind: "analyze", uri: SUITE, task: "orders" })), /holds no Markdown/);
});

test("a saved suite asks again for what is shown, and not for what was closed", async () => {
  const previews = new Previews(server());
  const changed = [];
  previews.onDidChange((uri) => changed.push(uri.toString()));
  const [open, closed] = [1, 2].map((sample) => encode({ kind: "preview", uri: SUITE, task: "orders", sample }));
  await previews.provideTextDocumentContent(open);
  await previews.provideTextDocumentContent(closed);
  stub.editor.documents = [{ uri: open }];
  previews.refresh({ languageId: "markdown" });
  assert.deepEqual(changed, []);
  previews.refresh({ languageId: "pcd" });
  assert.deepEqual(changed, [open.toString()]);
});

const TEXT = "suite s { title \"S\" version \"1.0.0\" }\n## What it asks.\ntask one { }\ntask two { }\n";

function cursor(line) {
  const uri = { toString: () => SUITE };
  stub.editor.active = {
    document: { uri, languageId: "pcd", getText: (range) => TEXT.split("\n").slice(range.from, range.to + 1).join("\n") },
    selection: { active: line },
  };
  const symbol = (name, from, to) => ({ name, range: { from, to, contains: (at) => from <= at && at <= to } });
  stub.editor.symbols = [symbol("s", 0, 0), symbol("one", 1, 2), symbol("two", 3, 3)];
}

test("without arguments it is the task around the cursor", async () => {
  cursor(2);
  await new Previews(server()).preview();
  assert.equal(shownBy()[0].task, "one");
});

test("while a preview is in front, the suite beside it is meant", async () => {
  cursor(3);
  stub.editor.visible = [{ document: { languageId: "markdown" } }, stub.editor.active];
  stub.editor.active = undefined;
  await new Previews(server()).analyze();
  assert.equal(shownBy()[0].task, "two");
});

test("outside of all tasks the author picks one", async () => {
  cursor(0);
  stub.editor.picked = "two";
  await new Previews(server()).analyze();
  assert.deepEqual(stub.calls.find(([call]) => call === "asked")[1], ["one", "two"]);
  assert.equal(shownBy()[0].task, "two");
});

test("nothing is shown where nothing was picked, or no suite is open", async () => {
  cursor(0);
  await new Previews(server()).preview();
  stub.editor.active = undefined;
  await new Previews(server()).preview();
  assert.deepEqual(shownBy(), []);
  assert.match(stub.calls.at(-1)[1], /open a suite/);
});
