/** Where the extension begins: it starts `picardc lsp` and gives the editor its commands. */

import { commands, type ExtensionContext, window, workspace } from "vscode";

import { Previews } from "./preview";
import { LIBRARY, Server } from "./server";

let server: Server | undefined;

export async function activate(context: ExtensionContext): Promise<void> {
  const running = new Server(window.createOutputChannel("picardc"));
  server = running;
  const previews = new Previews(running);
  context.subscriptions.push(
    running,
    previews,
    workspace.registerTextDocumentContentProvider(Previews.scheme, previews),
    workspace.registerTextDocumentContentProvider(LIBRARY, { provideTextDocumentContent: (uri) => running.text(uri.toString()) }),
    commands.registerCommand("picardc.preview", (uri?: string, task?: string, sample?: number) => previews.preview(uri, task, sample)),
    commands.registerCommand("picardc.previewNext", () => previews.next()),
    commands.registerCommand("picardc.analyze", (uri?: string, task?: string) => previews.analyze(uri, task)),
    commands.registerCommand("picardc.restart", () => running.restart()),
    workspace.onDidSaveTextDocument((document) => previews.refresh(document)),
    workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration("picardc.path")) await running.restart();
      if (change.affectsConfiguration("picardc.seed")) previews.refresh();
    }),
  );
  await running.start();
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}
