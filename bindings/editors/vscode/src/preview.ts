/**
 * One instance of a task, and the analysis of a task, as Markdown beside the suite.
 *
 * Both are virtual documents: the editor's own Markdown preview shows them, all in one column, and they are asked for again when a suite is saved.
 */

import {
  type CancellationToken,
  type Disposable,
  type DocumentSymbol,
  EventEmitter,
  TabInputCustom,
  type TextDocument,
  type TextDocumentContentProvider,
  Uri,
  ViewColumn,
  commands,
  window,
  workspace,
} from "vscode";

import type { Server } from "./server";

/** What a virtual document shows. */
export interface Shown {
  kind: "preview" | "analyze";
  /** The suite's URI. */
  uri: string;
  task: string;
  /** From 1; of a preview only. */
  sample?: number;
}

/** The part of Server that is needed here. */
export type Commands = Pick<Server, "execute">;

export function encode(shown: Shown): Uri {
  const name = shown.kind === "preview" ? `${shown.task} ${shown.sample ?? 1}` : `${shown.task} analysis`;
  return Uri.from({ scheme: Previews.scheme, path: `/${name}.md`, query: JSON.stringify(shown) });
}

export function decode(uri: Uri): Shown {
  return JSON.parse(uri.query) as Shown;
}

export class Previews implements TextDocumentContentProvider, Disposable {
  static readonly scheme = "picardc-preview";

  private readonly changes = new EventEmitter<Uri>();
  readonly onDidChange = this.changes.event;
  private readonly open = new Map<string, Uri>();
  private last: Shown | undefined;

  constructor(private readonly server: Commands) {}

  async preview(uri?: string, task?: string, sample?: number): Promise<void> {
    const chosen = await this.choose(uri, task);
    if (chosen !== undefined) await this.show({ kind: "preview", ...chosen, sample: sample ?? 1 });
  }

  async analyze(uri?: string, task?: string): Promise<void> {
    const chosen = await this.choose(uri, task);
    if (chosen !== undefined) await this.show({ kind: "analyze", ...chosen });
  }

  /** The sample behind the one that was previewed last. */
  async next(): Promise<void> {
    if (this.last === undefined) {
      await this.preview();
    } else {
      await this.show({ ...this.last, sample: (this.last.sample ?? 1) + 1 });
    }
  }

  /** Asks again for what is shown; `use`d files count too, so any saved suite may have changed it. */
  refresh(saved?: TextDocument): void {
    if (saved !== undefined && saved.languageId !== "pcd") return;
    const still = new Set(workspace.textDocuments.map((document) => document.uri.toString()));
    for (const [key, uri] of this.open) {
      if (still.has(key)) this.changes.fire(uri);
      else this.open.delete(key);
    }
  }

  async provideTextDocumentContent(uri: Uri, _token?: CancellationToken): Promise<string> {
    const shown = decode(uri);
    this.open.set(uri.toString(), uri);
    const seed = workspace.getConfiguration("picardc").get("seed", "");
    const [command, argument] =
      shown.kind === "preview"
        ? ["picardc.previewInstance", { uri: shown.uri, task: shown.task, sample: shown.sample ?? 1, ...(seed === "" ? {} : { seed }) }]
        : ["picardc.analyzeTask", { uri: shown.uri, task: shown.task }];
    try {
      const answer = await this.server.execute<{ markdown?: unknown } | null>(command as string, argument as object);
      if (typeof answer?.markdown !== "string") throw new Error(`the server's answer to ${command as string} holds no Markdown`);
      return answer.markdown;
    } catch (error) {
      return `# ${shown.task}\n\nNothing can be shown: ${error instanceof Error ? error.message : String(error)}\n`;
    }
  }

  dispose(): void {
    this.changes.dispose();
    this.open.clear();
  }

  private async show(shown: Shown): Promise<void> {
    if (shown.kind === "preview") {
      this.last = shown;
      await commands.executeCommand("setContext", "picardc.previewing", true);
    }
    const uri = encode(shown);
    // Shown before: what it says may be old.
    if (this.open.has(uri.toString())) this.changes.fire(uri);
    const there = window.tabGroups.all.find((group) =>
      group.tabs.some(({ input }) => input instanceof TabInputCustom && input.uri.scheme === Previews.scheme),
    );
    const options = { viewColumn: there?.viewColumn ?? ViewColumn.Beside, preserveFocus: true, preview: true };
    await commands.executeCommand("vscode.openWith", uri, "vscode.markdown.preview.editor", options);
  }

  /** The task that is meant: as told, the one around the cursor, or one that the author picks. */
  private async choose(uri?: string, task?: string): Promise<{ uri: string; task: string } | undefined> {
    if (uri !== undefined && task !== undefined) return { uri, task };
    // While a preview is in front, no text is.
    const editors = [window.activeTextEditor, ...window.visibleTextEditors];
    const editor = editors.find((editor) => editor?.document.languageId === "pcd");
    if (editor === undefined) {
      await window.showInformationMessage("picardc: open a suite first, and put the cursor into a task.");
      return undefined;
    }
    const document = editor.document;
    const symbols = (await commands.executeCommand<DocumentSymbol[] | undefined>("vscode.executeDocumentSymbolProvider", document.uri)) ?? [];
    const tasks = symbols.filter((symbol) => /^task\b/.test(document.getText(symbol.range).replace(/^(\s*#[^\n]*\n|\s)*/, "")));
    if (tasks.length === 0) {
      await window.showInformationMessage("picardc: this file has no task.");
      return undefined;
    }
    const around = tasks.find((symbol) => symbol.range.contains(editor.selection.active));
    const name = around?.name ?? (await window.showQuickPick(tasks.map((symbol) => symbol.name), { placeHolder: "Which task?" }));
    return name === undefined ? undefined : { uri: document.uri.toString(), task: name };
  }
}
