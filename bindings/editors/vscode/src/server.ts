/** The language server: a `picardc lsp` that talks over its standard streams. */

import { type Disposable, type OutputChannel, commands, window, workspace } from "vscode";
import { type Executable, ExecuteCommandRequest, LanguageClient, State } from "vscode-languageclient/node";

import { isThere, program } from "./program";

/** The scheme of what the server has and no folder: the standard library, and the pages of codes. */
export const LIBRARY = "picardc";

export class Server implements Disposable {
  private client: LanguageClient | undefined;

  constructor(private readonly output: OutputChannel) {}

  async start(): Promise<void> {
    const command = program(workspace.getConfiguration("picardc").get("path", "picardc"), workspace.workspaceFolders?.[0]?.uri.fsPath);
    // Asked before the client starts it: it would say less, and twice.
    if (!isThere(command)) {
      void this.explain(command, "there is no such program");
      return;
    }
    const run: Executable = { command, args: ["lsp"] };
    const client = new LanguageClient("picardc", "picardc", run, {
      documentSelector: [{ scheme: "file", language: "pcd" }, { scheme: "untitled", language: "pcd" }],
      outputChannel: this.output,
    });
    this.client = client;
    try {
      await client.start();
    } catch (error) {
      this.client = undefined;
      void this.explain(command, error instanceof Error ? error.message : String(error));
    }
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client !== undefined && client.state !== State.Stopped) await client.stop();
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** What a command of the server answers; its refusal, in its words, is thrown. */
  async execute<T>(command: string, argument: object): Promise<T> {
    if (this.client === undefined) throw new Error("the language server does not run (picardc: Restart Language Server starts it)");
    return (await this.client.sendRequest(ExecuteCommandRequest.type, { command, arguments: [argument] })) as T;
  }

  /** The text of what has no file: a source of the standard library, or the page of a code. */
  async text(uri: string): Promise<string> {
    if (this.client === undefined) throw new Error("the language server does not run");
    return (await this.client.sendRequest<{ text: string }>("workspace/textDocumentContent", { uri })).text;
  }

  dispose(): void {
    void this.stop();
    this.output.dispose();
  }

  private async explain(command: string, why: string): Promise<void> {
    this.output.appendLine(`${command} lsp: ${why}`);
    const chosen = await window.showErrorMessage(
      `picardc: \`${command} lsp\` could not be started: ${why}. Install picardc, or say in picardc.path where it is.`,
      "Open Settings",
      "Show Output",
    );
    if (chosen === "Open Settings") await commands.executeCommand("workbench.action.openSettings", "picardc.path");
    if (chosen === "Show Output") this.output.show();
  }
}
