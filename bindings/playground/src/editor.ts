// The editor: CodeMirror, and the language server in the worker.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, foldGutter, foldKeymap, indentService, indentUnit } from "@codemirror/language";
import { lintGutter, lintKeymap, nextDiagnostic, setDiagnostics, type Action, type Diagnostic } from "@codemirror/lint";
import {
  LSPClient,
  LSPPlugin,
  Workspace,
  type WorkspaceFile,
  findReferencesKeymap,
  formatDocument,
  hoverTooltips,
  jumpToDefinition,
  renameKeymap,
  serverCompletion,
  signatureHelp,
} from "@codemirror/lsp-client";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, type Text } from "@codemirror/state";
import {
  EditorView,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import DOMPurify from "dompurify";
import type { Compiler } from "./compiler";
import { colors, setTokens } from "./highlight";

export type Fix = { title: string; apply: () => void };

export type Problem = {
  code: string;
  severity: "error" | "warning";
  /// The mistake, and below it its notes.
  message: string;
  notes: string[];
  line: number;
  from: number;
  to: number;
  fixes: Fix[];
};

type Position = { line: number; character: number };
type Range = { start: Position; end: Position };
type Told = { range: Range; severity?: number; code?: string; message: string };
type TextEdit = { range: Range; newText: string };
type CodeAction = { title: string; kind?: string; diagnostics?: Told[]; edit?: { changes?: Record<string, TextEdit[]> } };

/// The most diagnostics whose fixes are asked for at once.
const MOST = 30;

/// How long the server is not told of edits, in milliseconds: those of one key arrive together.
const PAUSE = 60;

/// A new line is as deep as the one before it, and deeper after an open bracket.
const indentation = indentService.of((context, at) => {
  if (context.simulatedBreak !== at) return null;
  const line = context.state.doc.lineAt(at);
  const before = line.text.slice(0, at - line.from);
  return /^ */.exec(before)![0].length + (/[{([]\s*(#.*)?$/.test(before) ? context.unit : 0);
});

/// One suite is open; everything else is shown, and cannot be edited.
class Files extends Workspace {
  files: (WorkspaceFile & { view: EditorView })[] = [];
  private versions = 0;
  show: (uri: string) => Promise<EditorView | null> = async () => null;

  syncFiles() {
    const updates = [];
    for (const file of this.files) {
      const plugin = LSPPlugin.get(file.view);
      if (!plugin || plugin.unsyncedChanges.empty) continue;
      updates.push({ changes: plugin.unsyncedChanges, file, prevDoc: file.doc });
      file.doc = file.view.state.doc;
      file.version = ++this.versions;
      plugin.clear();
    }
    return updates;
  }

  openFile(uri: string, languageId: string, view: EditorView) {
    const file = { uri, languageId, version: ++this.versions, doc: view.state.doc as Text, view, getView: () => view };
    this.files = [...this.files.filter((known) => known.uri !== uri), file];
    this.client.didOpen(file);
  }

  closeFile(uri: string) {
    this.files = this.files.filter((file) => file.uri !== uri);
    this.client.didClose(uri);
  }

  async displayFile(uri: string) {
    return this.getFile(uri)?.getView() ?? this.show(uri);
  }
}

export class Editor {
  readonly view: EditorView;
  onChange: () => void = () => {};
  onProblems: (problems: Problem[], fixAll: Fix | null) => void = () => {};
  /// Shows what is not the suite: a file of the library, or a file that the suite reads.
  onShow: (uri: string, text: string) => EditorView | null = () => null;
  private client!: LSPClient;
  private uri = "";
  private pending: ReturnType<typeof setTimeout> | undefined;

  constructor(
    parent: HTMLElement,
    private compiler: Compiler,
  ) {
    this.connect();
    this.view = new EditorView({ parent });
  }

  /// Begins a session with the server in a worker that knows none.
  connect() {
    this.client = new LSPClient({
      rootUri: "file:///suites",
      timeout: 20_000,
      workspace: (client) => {
        const files = new Files(client);
        files.show = (uri) => this.show(uri);
        return files;
      },
      sanitizeHTML: (html) => DOMPurify.sanitize(html),
      highlightLanguage: () => null,
      notificationHandlers: {
        "textDocument/publishDiagnostics": (_, params) => {
          void this.tell(params.uri, params.version, params.diagnostics);
          return true;
        },
      },
    });
    this.client.connect(this.compiler.transport());
  }

  /// Shows a suite.
  open(path: string, text: string) {
    this.uri = `file:///${path}`;
    this.view.setState(
      EditorState.create({
        doc: text,
        extensions: [
          colors,
          lineNumbers(),
          foldGutter(),
          lintGutter(),
          highlightSpecialChars(),
          history(),
          drawSelection(),
          bracketMatching(),
          closeBrackets(),
          autocompletion({ activateOnTyping: true, icons: false }),
          highlightActiveLine(),
          highlightActiveLineGutter(),
          highlightSelectionMatches(),
          // On a narrow page a prompt would end out of sight.
          matchMedia("(max-width: 860px)").matches ? EditorView.lineWrapping : [],
          indentUnit.of("  "),
          indentation,
          EditorState.tabSize.of(2),
          this.client.plugin(this.uri, "pcd"),
          serverCompletion({ override: true }),
          hoverTooltips({ hoverTime: 250 }),
          signatureHelp(),
          // Tab leaves the editor, as it leaves any other field.
          keymap.of([
            { key: "Mod-s", run: formatDocument, preventDefault: true },
            { key: "Shift-Alt-f", run: formatDocument },
            { key: "F12", run: jumpToDefinition },
            { key: "F8", run: nextDiagnostic },
            { key: "Mod-.", run: () => this.fixHere() },
            ...renameKeymap,
            ...findReferencesKeymap,
            ...closeBracketsKeymap,
            ...completionKeymap,
            ...searchKeymap,
            ...lintKeymap,
            ...historyKeymap,
            ...foldKeymap,
            ...defaultKeymap,
          ]),
          EditorView.contentAttributes.of({ "aria-label": "Source of the suite", spellcheck: "false", autocapitalize: "off", tabindex: "0" }),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged) return;
            clearTimeout(this.pending);
            this.pending = setTimeout(() => this.client.sync(), PAUSE);
            this.onChange();
          }),
        ],
      }),
    );
  }

  text(): string {
    return this.view.state.doc.toString();
  }

  format() {
    formatDocument(this.view);
    this.view.focus();
  }

  definition() {
    jumpToDefinition(this.view);
  }

  /// Puts the cursor there.
  reveal(from: number, to: number) {
    const length = this.view.state.doc.length;
    const selection = { anchor: Math.min(from, length), head: Math.min(to, length) };
    this.view.dispatch({ selection, effects: EditorView.scrollIntoView(selection.anchor, { y: "center" }) });
    this.view.focus();
  }

  private problems: Problem[] = [];

  /// Applies the first fix at the cursor.
  private fixHere(): boolean {
    const { head } = this.view.state.selection.main;
    const found = this.problems.find((problem) => problem.from <= head && head <= problem.to && problem.fixes.length > 0);
    found?.fixes[0]?.apply();
    return found !== undefined;
  }

  private async tell(uri: string, version: number | undefined, told: Told[]) {
    const file = this.client.workspace.getFile(uri);
    const plugin = LSPPlugin.get(this.view);
    if (!file || !plugin || uri !== this.uri || (version !== undefined && version !== file.version)) return;
    const fresh = () => this.client.workspace.getFile(uri)?.version === file.version;
    const at = (position: Position) => plugin.unsyncedChanges.mapPos(plugin.fromPosition(position, file.doc));
    const [actions, tokens] = await Promise.all([this.actions(told), this.tokens()]);
    if (!fresh()) return;
    const edits = (action: CodeAction) => action.edit?.changes?.[uri];
    const fix = (action: CodeAction): Fix => ({ title: action.title, apply: () => this.apply(edits(action) ?? []) });
    const same = (a: Told, b: Told) => a.code === b.code && a.message === b.message && JSON.stringify(a.range) === JSON.stringify(b.range);
    const problems = told.map((item): Problem => {
      const [message = "", ...notes] = item.message.split("\n");
      const own = actions.filter((action) => edits(action) && action.diagnostics?.some((other) => same(other, item)));
      return {
        code: item.code ?? "",
        severity: item.severity === 2 ? "warning" : "error",
        message,
        notes,
        line: item.range.start.line + 1,
        from: at(item.range.start),
        to: at(item.range.end),
        fixes: own.map(fix),
      };
    });
    const all = actions.find((action) => action.kind?.startsWith("source.fixAll") && edits(action));
    this.problems = problems;
    const shown = problems.map((problem): Diagnostic => {
      const actions: Action[] = problem.fixes.map(({ title, apply }) => ({ name: title, apply }));
      const { from, to, severity, code } = problem;
      return { from, to, severity, source: code, message: [problem.message, ...problem.notes].join("\n"), actions };
    });
    this.view.dispatch(setDiagnostics(this.view.state, shown));
    if (tokens) this.view.dispatch({ effects: setTokens.of(tokens) });
    this.onProblems(problems, all ? fix(all) : null);
    // The list of problems may cover the line that is typed, once it has its place.
    if (this.view.hasFocus) requestAnimationFrame(() => this.view.dispatch({ effects: EditorView.scrollIntoView(this.view.state.selection.main.head, { yMargin: 24 }) }));
  }

  private async actions(told: Told[]): Promise<CodeAction[]> {
    const ask = (range: Range, only?: string[]) =>
      this.client
        .request<unknown, CodeAction[] | null>("textDocument/codeAction", {
          textDocument: { uri: this.uri },
          range,
          context: { diagnostics: [], only },
        })
        .catch(() => null);
    const start = { line: 0, character: 0 };
    const asked = told.slice(0, MOST).map((item) => ask(item.range, ["quickfix"]));
    if (told.length > 0) asked.push(ask({ start, end: start }, ["source.fixAll"]));
    const found = (await Promise.all(asked)).flatMap((actions) => actions ?? []);
    // Two ranges that touch are told the same.
    const seen = new Set<string>();
    return found.filter((action) => {
      const key = JSON.stringify(action);
      return !seen.has(key) && seen.add(key);
    });
  }

  private async tokens() {
    const legend = this.client.serverCapabilities?.semanticTokensProvider?.legend;
    if (!legend) return null;
    const params = { textDocument: { uri: this.uri } };
    const answer = await this.client.request<unknown, { data: number[] } | null>("textDocument/semanticTokens/full", params).catch(() => null);
    return answer ? { data: answer.data, legend } : null;
  }

  private apply(edits: TextEdit[]) {
    const { doc } = this.view.state;
    const offset = ({ line, character }: Position) => {
      const { from, to } = doc.line(Math.min(line + 1, doc.lines));
      return Math.min(from + character, to);
    };
    const changes = edits.map(({ range, newText }) => ({ from: offset(range.start), to: offset(range.end), insert: newText }));
    this.view.dispatch({ changes, userEvent: "input.fix", scrollIntoView: true });
    this.view.focus();
  }

  private async show(uri: string): Promise<EditorView | null> {
    const answer = await this.client
      .request<unknown, { text: string } | null>("workspace/textDocumentContent", { uri })
      .catch(() => null);
    return answer ? this.onShow(uri, answer.text) : null;
  }
}
