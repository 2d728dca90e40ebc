// Colors for .pcd without a list of its words: comments, strings with placeholders, numbers, and the word that begins a statement.
(() => {
  if (typeof hljs === "undefined") return;
  hljs.registerLanguage("pcd", () => {
    const placeholder = { className: "subst", begin: /<</, end: />>/ };
    return {
      contains: [
        { className: "comment", begin: /#/, end: /$/ },
        { className: "string", begin: /"""/, end: /"""/, contains: [placeholder] },
        { className: "string", begin: /"/, end: /"/, illegal: /\n/, contains: [{ begin: /\\./ }, placeholder] },
        placeholder,
        { className: "number", begin: /\b\d[\d_]*(?:\.\d+|-\d\d-\d\d(?:T[\d:]+)?)?%?/ },
        { className: "keyword", begin: /^[ \t]*[a-z_]+(?=[ \t]+[^\s:=,|])/ },
      ],
    };
  });
  document.querySelectorAll("code.language-pcd").forEach((block) => {
    const highlight = hljs.highlightElement || hljs.highlightBlock;
    block.textContent = block.textContent;
    delete block.dataset.highlighted;
    highlight.call(hljs, block);
  });
})();
