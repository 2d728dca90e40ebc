/** The suites of this repository. */

import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join, relative } from "node:path";

const root = fileURLToPath(new URL("../../../../..", import.meta.url));

export function sources(...folders) {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((name) => name.endsWith(".pcd"))
      .sort()
      .map((name) => {
        const path = join(root, folder, name);
        return { path: relative(root, path), text: readFileSync(path, "utf8").replace(/^\uFEFF/, "").replaceAll("\r\n", "\n") };
      }),
  );
}
