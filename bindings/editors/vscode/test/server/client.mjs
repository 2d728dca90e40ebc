/** An editor of a few lines: it starts a server as editors do, keeps the text of what it has opened, and applies the edits it is given. */

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import protocol from "vscode-languageserver-protocol/node.js";

const { createProtocolConnection, StreamMessageReader, StreamMessageWriter } = protocol;

/** How long a server may take for one thing, in milliseconds. It is built without optimisation in tests. */
const PATIENCE = 30_000;

export class Editor {
  /** Opens a folder that holds `files`, by name. */
  static async open(files, { pulls = false } = {}) {
    const editor = new Editor();
    editor.folder = mkdtempSync(join(tmpdir(), "picardc-editor-"));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(editor.folder, name), text);
    editor.server = spawn(process.env.PICARDC ?? "picardc", ["lsp"], { cwd: editor.folder, stdio: ["pipe", "pipe", "pipe"] });
    editor.told = "";
    editor.server.stderr.on("data", (data) => (editor.told += data));
    editor.ended = new Promise((done) => editor.server.on("close", (code, signal) => done({ code, signal })));
    await new Promise((done, failed) => editor.server.on("spawn", done).on("error", failed));
    editor.connection = createProtocolConnection(new StreamMessageReader(editor.server.stdout), new StreamMessageWriter(editor.server.stdin));
    editor.texts = new Map();
    editor.versions = new Map();
    editor.published = new Map();
    editor.waiting = [];
    editor.connection.onNotification("textDocument/publishDiagnostics", ({ uri, version, diagnostics }) => {
      editor.published.set(uri, { version, diagnostics });
      editor.waiting = editor.waiting.filter((waits) => !waits());
    });
    for (const asked of ["client/registerCapability", "window/workDoneProgress/create"]) editor.connection.onRequest(asked, () => null);
    for (const asked of ["workspace/diagnostic/refresh", "workspace/semanticTokens/refresh", "workspace/inlayHint/refresh", "workspace/codeLens/refresh"]) {
      editor.connection.onRequest(asked, () => null);
    }
    editor.connection.listen();
    const root = pathToFileURL(editor.folder).href;
    const answer = await editor.ask("initialize", {
      processId: process.pid,
      rootUri: root,
      workspaceFolders: [{ uri: root, name: "suites" }],
      capabilities: {
        general: { positionEncodings: ["utf-16"] },
        workspace: { workspaceEdit: { documentChanges: true }, workspaceFolders: true },
        textDocument: {
          ...(pulls ? { diagnostic: {} } : {}),
          publishDiagnostics: { versionSupport: true, codeDescriptionSupport: true, relatedInformation: true },
          codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix", "source.fixAll"] } }, isPreferredSupport: true },
          hover: { contentFormat: ["markdown", "plaintext"] },
        },
      },
    });
    editor.capabilities = answer.capabilities;
    await editor.connection.sendNotification("initialized", {});
    return editor;
  }

  uri(name) {
    return pathToFileURL(join(this.folder, name)).href;
  }

  /** A request, refused where the server takes too long or is gone. */
  ask(method, params) {
    return this.within(`an answer to ${method}`, this.connection.sendRequest(method, params));
  }

  async show(name) {
    const uri = this.uri(name);
    const text = readFileSync(join(this.folder, name), "utf8");
    this.texts.set(uri, text);
    this.versions.set(uri, 1);
    await this.connection.sendNotification("textDocument/didOpen", { textDocument: { uri, languageId: "pcd", version: 1, text } });
    return uri;
  }

  async type(uri, text) {
    const version = this.versions.get(uri) + 1;
    this.versions.set(uri, version);
    this.texts.set(uri, text);
    await this.connection.sendNotification("textDocument/didChange", { textDocument: { uri, version }, contentChanges: [{ text }] });
  }

  /** What the server has said of the text as it now stands. */
  diagnostics(uri) {
    const now = () => {
      const told = this.published.get(uri);
      return told !== undefined && (told.version ?? this.versions.get(uri)) === this.versions.get(uri) ? told.diagnostics : undefined;
    };
    return this.within(
      `the diagnostics of ${uri}`,
      new Promise((done) => {
        const look = () => {
          const found = now();
          if (found !== undefined) done(found);
          return found !== undefined;
        };
        if (!look()) this.waiting.push(look);
      }),
    );
  }

  /** Carries out a WorkspaceEdit, as an editor would. */
  async apply(edit) {
    const changes = edit.documentChanges?.map((change) => [change.textDocument, change.edits]) ?? Object.entries(edit.changes ?? {}).map(([uri, edits]) => [{ uri }, edits]);
    for (const [document, edits] of changes) {
      const { uri, version } = document;
      if (version != null && version !== this.versions.get(uri)) throw new Error(`the edit is of version ${version}, the text of ${this.versions.get(uri)}`);
      await this.type(uri, edited(this.texts.get(uri), edits));
    }
  }

  async close() {
    await this.ask("shutdown");
    await this.connection.sendNotification("exit");
    const { code, signal } = await this.within("the server's end", this.ended);
    this.connection.dispose();
    rmSync(this.folder, { recursive: true, force: true });
    if (code !== 0) throw new Error(`the server ended with ${code ?? signal}: ${this.told}`);
  }

  /** For the end of a test that failed. */
  abandon() {
    this.server.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  within(what, promise) {
    let timer;
    const late = new Promise((_, failed) => {
      timer = setTimeout(() => failed(new Error(`no sign of ${what} after ${PATIENCE} ms; stderr: ${this.told}`)), PATIENCE);
    });
    const gone = this.ended.then(({ code, signal }) => {
      if (what === "the server's end") return promise;
      throw new Error(`the server ended (${code ?? signal}) before ${what}; stderr: ${this.told}`);
    });
    return Promise.race([promise, late, gone]).finally(() => clearTimeout(timer));
  }
}

/** Where a position is in a text, in UTF-16 units. */
export function offset(text, { line, character }) {
  let start = 0;
  for (let passed = 0; passed < line; passed += 1) start = text.indexOf("\n", start) + 1;
  return start + character;
}

/** The position of the first `piece` in a text. */
export function position(text, piece) {
  const at = text.indexOf(piece);
  if (at < 0) throw new Error(`there is no ${JSON.stringify(piece)}`);
  const before = text.slice(0, at).split("\n");
  return { line: before.length - 1, character: before.at(-1).length };
}

function edited(text, edits) {
  const sorted = [...edits].sort((a, b) => offset(text, b.range.start) - offset(text, a.range.start));
  return sorted.reduce((now, edit) => now.slice(0, offset(text, edit.range.start)) + edit.newText + now.slice(offset(text, edit.range.end)), text);
}
