// Only on the site (`./dist site`): examples of the manual run in the playground, next to the text or in a page of its own.
(() => {
  if (typeof CompressionStream === "undefined") return;
  const root = typeof path_to_root === "string" ? path_to_root : "";
  const pack = async (text) => {
    const json = new TextEncoder().encode(JSON.stringify({ text }));
    const packed = await new Response(new Blob([json]).stream().pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer();
    let binary = "";
    for (const byte of new Uint8Array(packed)) binary += String.fromCharCode(byte);
    return `c=${btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
  };
  // Excerpts are wrapped as the tests of the manual wrap them (tests/docs/suites.rs).
  const SUITE = 'suite example {\n  title "Example"\n  version "1.0.0"\n  allow unused_name "an excerpt"\n  allow unused_allow "an excerpt"\n}\n\n';
  const UNTOLD = '  allow unmentioned_file "an excerpt"\n  allow unmentioned_output "an excerpt"\n  allow unmentioned_key "an excerpt"\n';
  const PROMPT = '  prompt "Reply with the word ok."\n';
  const EXPECT = '  expect reply text "ok"\n';
  let given = "";
  const begins = (text, word) => new RegExp(`^\\s*${word} `, "m").test(text);
  const indented = (text) => text.replace(/^(?=.)/gm, "  ");
  /// The suite that a block is, or is part of; null where it needs files that only its author has.
  const whole = (text, kind) => {
    if (/\b(?:from|use|lines) "|^\s*lake /m.test(text)) return null;
    if (begins(text, "suite")) return text;
    if (kind.contains("task")) {
      const before = given;
      if (kind.contains("given")) given += text;
      const asked = begins(before + text, "prompt");
      const rest = (asked ? "" : PROMPT) + (begins(text, "expect") ? "" : EXPECT);
      return `${SUITE}task example {\n${asked ? "" : UNTOLD}${indented(before + text)}\n${rest}}\n`;
    }
    if (kind.contains("columns")) return `${SUITE}task example {\n  csv example at "example.csv" {\n    rows 10\n${indented(indented(text))}\n  }\n${PROMPT}${EXPECT}}\n`;
    if (kind.contains("items")) return `${SUITE}${text}\ntask example {\n${PROMPT}${EXPECT}}\n`;
    return null;
  };
  const button = (text, label) => {
    const made = document.createElement("button");
    made.type = "button";
    made.className = "pcd-button";
    made.textContent = text;
    made.setAttribute("aria-label", label);
    return made;
  };
  document.querySelectorAll("code.language-pcd").forEach((block) => {
    const text = whole(block.textContent, block.classList);
    const pre = block.closest("pre");
    if (!pre || text === null) return;
    const bar = document.createElement("div");
    bar.className = "pcd-bar";
    const name = /^\s*suite ([A-Za-z0-9_]+)/m.exec(text)?.[1] ?? "example";
    const run = button("Run", `Run the suite ${name} here`);
    const open = button("Open in the playground", `Open the suite ${name} in the playground`);
    let frame = null;
    run.setAttribute("aria-expanded", "false");
    run.addEventListener("click", async () => {
      if (frame) {
        frame.remove();
        frame = null;
      } else {
        frame = document.createElement("iframe");
        frame.className = "pcd-frame";
        frame.title = `An instance of the suite ${name}`;
        frame.src = `${root}playground/index.html?embed#${await pack(text)}`;
        bar.after(frame);
      }
      run.textContent = frame ? "Close" : "Run";
      run.setAttribute("aria-expanded", String(frame !== null));
    });
    open.addEventListener("click", async () => {
      window.open(`${root}playground/index.html#${await pack(text)}`, "_blank", "noopener");
    });
    bar.append(run, open);
    pre.after(bar);
  });
  const menu = document.querySelector(".right-buttons");
  if (menu) {
    const link = document.createElement("a");
    link.href = `${root}playground/index.html`;
    link.textContent = "Playground";
    link.className = "pcd-playground";
    menu.prepend(link);
  }
})();
