// The site in a browser: how fast it starts and checks, a session with keys alone, its accessibility, without a network, and how it looks.
//   node browser.mjs SITE SHOTS
// SITE is what `./dist site` wrote, SHOTS a folder for screenshots. CHROMIUM names the browser (/usr/bin/chromium).

import assert from "node:assert/strict";
import { createReadStream, existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize, resolve } from "node:path";
import { chromium } from "playwright-core";

const [site, shots] = process.argv.slice(2).map((path) => resolve(path));
mkdirSync(shots, { recursive: true });
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".svg": "image/svg+xml", ".wasm": "application/wasm" };
const server = createServer((request, response) => {
  let path = join(site, normalize(decodeURIComponent(new URL(request.url, "http://x").pathname)));
  if (existsSync(path) && statSync(path).isDirectory()) path = join(path, "index.html");
  if (!path.startsWith(site) || !existsSync(path)) return response.writeHead(404).end();
  response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream", "cache-control": "no-cache" });
  createReadStream(path).pipe(response);
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const home = `http://127.0.0.1:${server.address().port}/playground/`;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
});
const axe = readFileSync(new URL("../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
const said = [];
const failures = [];
const note = (text) => (said.push(text), console.log(text));

async function page(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const opened = await context.newPage();
  opened.on("pageerror", (error) => failures.push(String(error)));
  opened.on("console", (message) => message.type() === "error" && failures.push(message.text()));
  return opened;
}
const shown = (opened) => opened.waitForSelector("#instance-body .instance-head", { timeout: 30_000 });
const status = (opened, words) => opened.waitForFunction((words) => document.getElementById("status").textContent.includes(words), words, { timeout: 20_000 });
const text = (opened, selector) => opened.textContent(selector);

/// Violations of WCAG 2.2 A and AA, and of best practices.
async function accessible(opened, what) {
  // The page's policy forbids inline scripts; the driver may run one.
  await opened.evaluate(axe);
  const found = await opened.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  const faults = found.violations.flatMap((fault) => fault.nodes.map((node) => `${fault.id}: ${node.target.join(" ")}: ${node.failureSummary}`));
  assert.deepEqual(faults, [], what);
  note(`accessible (${found.passes.length} rules): ${what}`);
}

try {
  // Starts.
  const first = await page();
  const began = performance.now();
  await first.goto(`${home}#example=past`);
  await shown(first);
  const cold = performance.now() - began;
  note(`start to the first instance of past, nothing cached: ${cold.toFixed(0)} ms`);
  assert.ok(cold < 2000, `starts in ${cold} ms`);
  await first.screenshot({ path: join(shots, "past-1280-light.png") });
  await accessible(first, "past at 1280 pixels, light");

  // Checks: each time another text.
  const times = [];
  await first.click(".cm-content");
  await first.keyboard.press("Control+End");
  for (let turn = 0; turn < 20; turn += 1) {
    const before = await first.evaluate(() => document.documentElement.dataset.shown);
    await first.keyboard.type(turn === 0 ? "\n# note" : "x");
    await first.waitForFunction((before) => document.documentElement.dataset.shown !== before, before);
    times.push(Number(await first.evaluate(() => document.documentElement.dataset.checked)));
  }
  const warm = times.slice(5).sort((a, b) => a - b);
  note(`check of past once warm: median ${warm[7].toFixed(1)} ms, slowest ${warm.at(-1).toFixed(1)} ms`);
  assert.ok(warm[7] < 50, `${warm}`);
  // A key never waits for the compiler.
  const typed = await first.evaluate(async () => {
    const worst = [];
    for (let turn = 0; turn < 20; turn += 1) {
      const began = performance.now();
      document.execCommand("insertText", false, "y");
      await new Promise((done) => requestAnimationFrame(done));
      worst.push(performance.now() - began);
    }
    return worst.sort((a, b) => a - b)[18];
  });
  note(`from a key to the next frame, 19 of 20: at most ${typed.toFixed(0)} ms`);

  // The link holds the source.
  await first.waitForTimeout(1500);
  assert.match(first.url(), /#c=/);
  const link = first.url();
  const second = await page();
  await second.goto(link);
  await shown(second);
  // Only the lines in sight are in the page.
  await second.click(".cm-content");
  await second.keyboard.press("Control+End");
  await second.waitForFunction(() => /# notexxx/.test(document.querySelector(".cm-content").textContent));
  await second.close();
  note(`a link holds the edited source: ${link.length} characters`);
  const forged = await page();
  await forged.goto(`${home}#c=AAAA`);
  await forged.waitForSelector("#toast[data-kind=bad]");
  await forged.close();

  // A suite that computes without end does not take the page with it.
  const endless = await page();
  await endless.goto(home);
  await shown(endless);
  await endless.click(".cm-content");
  await endless.keyboard.press("Control+A");
  const heavy = (name) => `${name} = <<value: WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 9000000) SELECT COUNT(*) + :n FROM c>>`;
  const values = Array.from({ length: 60 }, (_, at) => heavy(`v${at}`)).join("\n");
  const sum = Array.from({ length: 60 }, (_, at) => `v${at}`).join(" + ");
  await endless.keyboard.insertText(`suite s { title "S" version "1.0.0" }\ntask t {\nn : int 1..9\n${values}\nprompt "What is <<n>>?"\nexpect reply number ${sum}\n}`);
  await endless.waitForFunction(() => /more than 10 seconds/.test(document.querySelector("#toast").textContent), null, { timeout: 60_000 });
  await endless.keyboard.press("Control+A");
  await endless.keyboard.insertText('suite s { title "S" version "1.0.0" }\ntask t { a : word prompt "Say <<a>>." expect reply text a }');
  await endless.waitForFunction(() => document.querySelector(".instance-head h2")?.textContent === "t-1", null, { timeout: 30_000 });
  await endless.close();
  note("a suite that computes for too long is stopped, and the page goes on");

  // Keys alone.
  const keys = await page();
  await keys.goto(home);
  await shown(keys);
  const focus = () => keys.evaluate(() => document.activeElement?.id || document.activeElement?.className || document.activeElement?.tagName);
  const tabTo = async (wanted, most = 40) => {
    for (let turn = 0; turn < most; turn += 1) {
      if ((await focus()).split(" ").includes(wanted)) return;
      await keys.keyboard.press("Tab");
    }
    assert.fail(`Tab never comes to ${wanted}`);
  };
  await tabTo("example");
  await tabTo("cm-content");
  // Leaves the editor as any other field, and comes back.
  await keys.keyboard.press("Tab");
  assert.notEqual(await focus(), "cm-content");
  await keys.keyboard.press("Shift+Tab");
  await tabTo("cm-content");
  await keys.keyboard.press("Control+End");
  // The editor indents, and writes the brace that closes.
  await keys.keyboard.type("\n\ntask second {\ncsv pets at \"pets.csv\" { rows 9 AGE : int 1..9 }\nprompt \"What is the sum of AGE in <<pets>>? Reply with the number only.\"\nexpect reply number sum(pets.AGEE)");
  // What is said while it is typed has no fix.
  await keys.waitForSelector("#problems .fix");
  await keys.screenshot({ path: join(shots, "error-1280-light.png") });
  await accessible(keys, "with an error");
  await keys.keyboard.press("F8");
  await keys.keyboard.press("Control+.");
  await status(keys, "no errors");
  assert.match(await text(keys, ".cm-content"), /sum\(pets\.AGE\)/);
  // Completion.
  await keys.keyboard.press("Control+End");
  await keys.keyboard.type("\n\ntask third {\na : w");
  await keys.waitForSelector(".cm-tooltip-autocomplete li", { state: "visible" });
  await keys.screenshot({ path: join(shots, "completion-1280-light.png") });
  await keys.keyboard.press("Escape");
  await keys.keyboard.type("ord\nprompt \"Say <<a>>\"\nexpect reply text a");
  await status(keys, "no errors");
  // Definition: to the library.
  for (let turn = 0; turn < 2; turn += 1) await keys.keyboard.press("ArrowUp");
  await keys.keyboard.press("End");
  await keys.keyboard.press("F12");
  await keys.waitForSelector("#page .cm-content");
  assert.match(await text(keys, "#page h2"), /Standard library/);
  await keys.screenshot({ path: join(shots, "definition-1280-light.png") });
  await accessible(keys, "a definition of the library");
  // An instance, answered.
  await keys.evaluate(() => document.getElementById("tab-page").focus());
  await keys.keyboard.press("ArrowLeft");
  await keys.keyboard.press("Alt+2");
  assert.equal(await focus(), "task");
  await keys.keyboard.press("End");
  await keys.waitForFunction(() => document.querySelector(".instance-head h2").textContent === "third-1");
  await tabTo("reply");
  await keys.keyboard.type("nothing of the kind");
  await keys.keyboard.press("Control+Enter");
  await keys.waitForSelector(".verdict .wrong");
  await keys.keyboard.press("Tab");
  await keys.keyboard.press("Tab");
  await keys.keyboard.press("Enter");
  await keys.waitForSelector(".verdict .right");
  await keys.screenshot({ path: join(shots, "answered-1280-light.png") });
  await accessible(keys, "an answered instance");
  // Analysis.
  await keys.evaluate(() => document.getElementById("tab-instance").focus());
  await keys.keyboard.press("ArrowRight");
  await tabTo("analyze");
  await keys.keyboard.press("Enter");
  await keys.waitForSelector("#analysis .badge", { timeout: 30_000 });
  await accessible(keys, "an analysis");
  await keys.screenshot({ path: join(shots, "analysis-1280-light.png") });
  // Format.
  await keys.keyboard.press("Alt+1");
  await keys.keyboard.press("Shift+Alt+F");
  await keys.waitForFunction(() => /AGE : int 1\.\.9/.test(document.querySelector(".cm-content").textContent));
  note("a session with keys alone: error, fix, completion, definition, answer, format");
  await keys.close();

  // The other suites, dark, and narrow.
  const names = JSON.parse(readFileSync(join(site, "playground/examples/index.json"), "utf8")).map(({ name }) => name);
  const dark = await page({ colorScheme: "dark" });
  await dark.goto(home);
  await shown(dark);
  const choose = async (name) => {
    const before = await dark.evaluate(() => document.documentElement.dataset.shown);
    await dark.selectOption("#example", name);
    await dark.waitForFunction((before) => document.documentElement.dataset.shown !== before, before, { timeout: 30_000 });
  };
  for (const name of names) {
    await choose(name);
    await status(dark, "no errors, no warnings");
    await dark.waitForSelector("#instance-body .instance-head");
    assert.equal(await dark.isHidden("#instance-note"), true, `${name}: ${await text(dark, "#instance-note")}`);
  }
  note(`${names.length} suites open without a diagnostic, each with an instance`);
  await choose("business_db");
  await dark.waitForSelector("#instance-body .grid td");
  await dark.waitForSelector(".cm-content .t-keyword");
  await dark.screenshot({ path: join(shots, "database-1280-dark.png") });
  await accessible(dark, "a database at 1280 pixels, dark");
  await dark.close();

  const phone = await page({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });
  await phone.goto(`${home}#example=past&task=q301_csv_summary`);
  await phone.waitForFunction(() => document.documentElement.dataset.shown);
  await phone.screenshot({ path: join(shots, "source-390-light.png") });
  await accessible(phone, "the source at 390 pixels");
  await phone.tap("#to-result");
  await phone.waitForSelector(".instance-head");
  await phone.screenshot({ path: join(shots, "instance-390-light.png") });
  const rows = await phone.evaluate(() => document.querySelector(".bar").getBoundingClientRect().height);
  assert.ok(rows < 90, `the bar is ${rows} pixels high`);
  const wide = await phone.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 390, `the page is ${wide} pixels wide`);
  await accessible(phone, "an instance at 390 pixels");
  await phone.close();

  // Without a network.
  await first.evaluate(() => navigator.serviceWorker.ready);
  await first.waitForFunction(async () => (await caches.keys()).length === 1 && navigator.serviceWorker.controller);
  await first.context().setOffline(true);
  await first.goto(`${home}?again#example=clinic`);
  await shown(first);
  assert.match(await text(first, ".instance-head h2"), /-1$/);
  const again = performance.now();
  await first.reload();
  await shown(first);
  note(`without a network: opens, and shows an instance after ${(performance.now() - again).toFixed(0)} ms`);
  await first.context().setOffline(false);

  // The manual runs its suites.
  const manual = await page();
  await manual.goto(new URL("../getting-started.html", home).href);
  await manual.click(".pcd-button >> nth=0");
  const frame = manual.frameLocator(".pcd-frame");
  await frame.locator(".instance-head h2").waitFor({ timeout: 20_000 });
  await manual.locator(".pcd-frame").scrollIntoViewIfNeeded();
  await manual.screenshot({ path: join(shots, "manual-1280.png") });
  // All of them, not the first alone.
  const runs = manual.getByRole("button", { name: /^Run the suite/ });
  const count = await runs.count();
  assert.ok(count >= 2, `${count} blocks can be run`);
  for (let at = 1; at < count; at += 1) {
    await manual.locator(".pcd-button[aria-expanded=true]").click();
    await runs.nth(at).click();
    await manual.frameLocator(".pcd-frame").locator("#instance-body .instance-head, #instance-note:not([hidden])").first().waitFor({ timeout: 20_000 });
  }
  note("the manual runs a suite in its page");
  await manual.close();

  const expected = /net::ERR_INTERNET_DISCONNECTED/;
  assert.deepEqual(failures.filter((failure) => !expected.test(failure)), []);
} finally {
  await browser.close();
  server.close();
}
