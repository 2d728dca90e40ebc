/** Which program is the language server, and whether it is there. */

import { statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/** The program to start. A path with a folder in it starts from the workspace's folder; a bare name is looked up in `PATH`. */
export function program(setting: string, folder: string | undefined): string {
  const path = setting.trim() || "picardc";
  return folder !== undefined && /[\\/]/.test(path) && !isAbsolute(path) ? join(folder, path) : path;
}

/** Whether there is such a program: of a bare name, in one of the folders of `PATH`. */
export function isThere(command: string, env: NodeJS.ProcessEnv = process.env): boolean {
  const endings = process.platform === "win32" ? ["", ...(env.PATHEXT ?? ".EXE").split(";")] : [""];
  const folders = /[\\/]/.test(command) ? [""] : (env.PATH ?? env.Path ?? "").split(delimiter);
  return folders.some((folder) => endings.some((ending) => statSync(join(folder, command + ending), { throwIfNoEntry: false })?.isFile() ?? false));
}
