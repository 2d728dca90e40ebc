// Bundles the playground into one folder of static files.
//   node build.mjs WASM-FOLDER OUT
// WASM-FOLDER is what wasm-bindgen wrote (picardc_wasm.js, picardc_wasm_bg.wasm).

import { build } from "esbuild";
import { createHash } from "node:crypto";
import { copyFileSync, cpSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const [wasm, out] = process.argv.slice(2);
if (!wasm || !out) {
  console.error("usage: node build.mjs WASM-FOLDER OUT");
  process.exit(2);
}
const root = join(here, "../..");
rmSync(out, { recursive: true, force: true });
mkdirSync(join(out, "examples"), { recursive: true });
rmSync(join(here, "build"), { recursive: true, force: true });
cpSync(wasm, join(here, "build"), { recursive: true });

const common = { bundle: true, minify: true, format: "esm", target: "es2022", legalComments: "linked", logLevel: "warning" };
await build({ ...common, entryPoints: ["main", "worker"].map((name) => join(here, `src/${name}.ts`)), outdir: out });
await build({ ...common, entryPoints: [join(here, "src/main.css")], outdir: out });
copyFileSync(join(wasm, "picardc_wasm_bg.wasm"), join(out, "picardc.wasm"));
for (const file of ["index.html", "icon.svg"]) copyFileSync(join(here, file), join(out, file));

// The suites that ship, each with the folders and files that its source names.
function below(folder) {
  return readdirSync(folder).sort().flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? below(path) : [path];
  });
}
function given(path) {
  const bytes = readFileSync(path);
  const text = bytes.toString("utf8");
  const name = relative(root, path);
  return Buffer.from(text, "utf8").equals(bytes) ? { path: name, text } : { path: name, base64: bytes.toString("base64") };
}
const suites = join(root, "suites");
const entries = readdirSync(suites).sort();
const examples = [];
for (const file of readdirSync(suites).filter((name) => name.endsWith(".pcd")).sort()) {
  const path = join(suites, file);
  const source = readFileSync(path, "utf8");
  const read = entries.filter((entry) => source.includes(`"${entry}/`) || source.includes(`"${entry}"`)).map((entry) => join(suites, entry));
  const files = [path, ...read.flatMap((entry) => (statSync(entry).isDirectory() ? below(entry) : [entry]))].filter((each) => !each.endsWith(".py"));
  const name = file.replace(/\.pcd$/, "");
  writeFileSync(join(out, "examples", `${name}.json`), JSON.stringify(files.map(given)));
  examples.push({ name, title: /^\s*title\s+"([^"]*)"/m.exec(source)?.[1] ?? name });
}
writeFileSync(join(out, "examples/index.json"), JSON.stringify(examples));

const files = below(out).map((path) => relative(out, path)).filter((path) => !path.endsWith(".LEGAL.txt"));
const digest = createHash("sha256");
for (const file of files) digest.update(file).update(readFileSync(join(out, file)));
await build({
  ...common,
  format: "iife",
  entryPoints: [join(here, "src/sw.ts")],
  outdir: out,
  define: { VERSION: JSON.stringify(digest.digest("hex").slice(0, 16)), FILES: JSON.stringify(["./", ...files]) },
});
console.log(`${files.length + 1} files in ${out}`);
