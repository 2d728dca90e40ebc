/** A misspelt column, from the first sight of it until it is gone: over the protocol, with the `picardc` that `PICARDC` names. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Editor, offset, position } from "./client.mjs";

const PAST = readFileSync(new URL("../../../../../suites/past.pcd", import.meta.url), "utf8");
const SLIP = PAST.replace("crm.AGE_YRS", "crm.AEG_YRS");

async function editing(options, files, body) {
  const editor = await Editor.open(files, options);
  try {
    await body(editor);
    await editor.close();
  } catch (error) {
    editor.abandon();
    throw error;
  }
}

function isTheSlip(text, diagnostics) {
  assert.notEqual(SLIP, PAST);
  assert.equal(diagnostics.length, 1, JSON.stringify(diagnostics));
  const [{ code, message, range, severity }] = diagnostics;
  assert.equal(code, "E0203");
  assert.equal(severity, 1);
  assert.match(message, /AEG_YRS/);
  assert.equal(text.slice(offset(text, range.start), offset(text, range.end)), "AEG_YRS");
}

/** Takes the fix that is preferred; or the only one, where the server warns of something else once the slip is gone. */
async function fix(editor, uri, diagnostics, preferred = true) {
  const actions = await editor.ask("textDocument/codeAction", {
    textDocument: { uri },
    range: diagnostics[0].range,
    context: { diagnostics, only: ["quickfix"] },
  });
  const [action] = preferred ? actions.filter((action) => action.isPreferred) : actions.length === 1 ? actions : [];
  assert.ok(action, `no fix is preferred among ${JSON.stringify(actions)}`);
  assert.match(action.title, /AGE_YRS/);
  await editor.apply(action.edit);
}

test("diagnostics that are pushed: seen, fixed, gone", () =>
  editing({}, { "past.pcd": SLIP }, async (editor) => {
    const uri = await editor.show("past.pcd");
    const diagnostics = await editor.diagnostics(uri);
    isTheSlip(SLIP, diagnostics);
    await fix(editor, uri, diagnostics);
    assert.equal(editor.texts.get(uri), PAST);
    assert.deepEqual(await editor.diagnostics(uri), []);
  }));

test("diagnostics that are pulled: seen, fixed, gone", () =>
  editing({ pulls: true }, { "past.pcd": SLIP }, async (editor) => {
    assert.ok(editor.capabilities.diagnosticProvider, "the server offers none");
    const uri = await editor.show("past.pcd");
    const pull = async () => (await editor.ask("textDocument/diagnostic", { textDocument: { uri } })).items;
    const diagnostics = await pull();
    isTheSlip(SLIP, diagnostics);
    await fix(editor, uri, diagnostics);
    assert.equal(editor.texts.get(uri), PAST);
    assert.deepEqual(await pull(), []);
  }));

test("positions count UTF-16 units: a slip behind characters beyond the first plane", () => {
  const line = "    total_customers: <<csv_count: crm.C_ID>>,\n    average_age";
  const wide = SLIP.replace(line, '    "𝄞𝄞é": 1, average_age');
  assert.notEqual(wide, SLIP);
  // Nobody asks for such a key, and the server warns of it.
  const errors = (diagnostics) => diagnostics.filter(({ severity }) => severity === 1);
  return editing({}, { "past.pcd": wide }, async (editor) => {
    const uri = await editor.show("past.pcd");
    const diagnostics = errors(await editor.diagnostics(uri));
    isTheSlip(wide, diagnostics);
    await fix(editor, uri, diagnostics, false);
    assert.equal(editor.texts.get(uri), wide.replace("AEG_YRS", "AGE_YRS"));
    assert.deepEqual(errors(await editor.diagnostics(uri)), []);
  });
});

test("a slip that is typed, and taken back", () =>
  editing({}, { "past.pcd": PAST }, async (editor) => {
    const uri = await editor.show("past.pcd");
    assert.deepEqual(await editor.diagnostics(uri), []);
    await editor.type(uri, SLIP);
    isTheSlip(SLIP, await editor.diagnostics(uri));
    await editor.type(uri, PAST);
    assert.deepEqual(await editor.diagnostics(uri), []);
  }));

test("what the lenses of a task ask for", () =>
  editing({}, { "past.pcd": PAST }, async (editor) => {
    const uri = await editor.show("past.pcd");
    const lenses = (await editor.ask("textDocument/codeLens", { textDocument: { uri } })) ?? [];
    const first = position(PAST, "task q101_create_files");
    const here = lenses.filter(({ range }) => range.start.line === first.line).map(({ command }) => command);
    assert.deepEqual(here.map(({ command, arguments: given }) => [command, ...given]).sort(), [
      ["picardc.analyze", uri, "q101_create_files"],
      ["picardc.preview", uri, "q101_create_files"],
    ]);
    const run = (command, argument) => editor.ask("workspace/executeCommand", { command, arguments: [argument] });
    const first_sample = await run("picardc.previewInstance", { uri, task: "q101_create_files", sample: 1 });
    const second_sample = await run("picardc.previewInstance", { uri, task: "q101_create_files", sample: 2 });
    assert.match(first_sample.markdown, /Create these files/);
    assert.notEqual(first_sample.markdown, second_sample.markdown);
    assert.match((await run("picardc.analyzeTask", { uri, task: "q101_create_files" })).markdown, /q101_create_files|instances/);
    await assert.rejects(run("picardc.previewInstance", { uri, task: "no_such_task" }), /no_such_task/);
  }));

test("symbols: the tasks of the suite, by the names that the extension looks for", () =>
  editing({}, { "past.pcd": PAST }, async (editor) => {
    const uri = await editor.show("past.pcd");
    const symbols = (await editor.ask("textDocument/documentSymbol", { textDocument: { uri } })) ?? [];
    const tasks = [...PAST.matchAll(/^task (\w+)/gm)].map(([, name]) => name);
    assert.deepEqual(symbols.map(({ name }) => name).filter((name) => tasks.includes(name)), tasks);
    for (const symbol of symbols.filter(({ name }) => tasks.includes(name))) {
      const text = PAST.slice(offset(PAST, symbol.range.start), offset(PAST, symbol.range.end));
      assert.match(text, /^(\s*#[^\n]*\n)*\s*task /, "what the extension takes for a task");
    }
  }));
