"use strict";
(() => {
  const key = (row, at) => {
    const cell = row.cells[at];
    const text = cell ? cell.textContent : "";
    const number = cell && cell.dataset.sort !== undefined ? Number(cell.dataset.sort) : NaN;
    return { number, text };
  };
  // Numbers before texts, so that "-" stays at the end of what is sorted upwards; equal ones keep their order.
  const compare = (a, b) => {
    const [x, y] = [Number.isNaN(a.number), Number.isNaN(b.number)];
    if (x && y) return a.text < b.text ? -1 : a.text > b.text ? 1 : 0;
    if (x || y) return x ? 1 : -1;
    return a.number - b.number;
  };
  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, at) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const up = head.getAttribute("aria-sort") !== "ascending";
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        const body = table.tBodies[0];
        const rows = [...body.rows].map((row) => ({ row, key: key(row, at) }));
        rows.sort((a, b) => (up ? compare(a.key, b.key) : compare(b.key, a.key)));
        body.append(...rows.map((entry) => entry.row));
      });
    });
  }
  // Paper has no foldings.
  let closed = [];
  window.addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details:not([open])")];
    closed.forEach((folding) => { folding.open = true; });
  });
  window.addEventListener("afterprint", () => {
    closed.forEach((folding) => { folding.open = false; });
    closed = [];
  });
})();
