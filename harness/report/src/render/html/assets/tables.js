// Tables that are sorted by a click on a column's head; parts of a row of the comparison that open.
(() => {
  const key = (cell) => ({
    number: cell && cell.dataset.sort !== undefined ? Number(cell.dataset.sort) : NaN,
    text: cell ? cell.textContent : "",
  });
  // Numbers before texts, so that "-" stays at the end of what is sorted upwards; equal ones keep their order.
  const compare = (a, b) => {
    const [x, y] = [Number.isNaN(a.number), Number.isNaN(b.number)];
    if (x && y) return a.text < b.text ? -1 : a.text > b.text ? 1 : 0;
    if (x || y) return x ? 1 : -1;
    return a.number - b.number;
  };
  const sortable = (table, items, first) => {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, at) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      const axis = head.querySelector(".axis");
      const name = head.querySelector(".name");
      button.append(...(name ? name : head).childNodes);
      if (name) name.append(button);
      else head.prepend(button);
      if (axis) head.append(axis);
      button.addEventListener("click", () => {
        const up = head.getAttribute("aria-sort") !== "ascending";
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        const rows = items().map((item) => ({ item, key: key(first(item).cells[at]) }));
        rows.sort((a, b) => (up ? compare(a.key, b.key) : compare(b.key, a.key)));
        rows.forEach((row) => row.item.parentNode.append(row.item));
      });
    });
  };
  for (const table of document.querySelectorAll("table.sortable")) {
    sortable(table, () => [...table.tBodies[0].rows], (row) => row);
  }
  for (const table of document.querySelectorAll("table.compared")) {
    sortable(table, () => [...table.tBodies], (body) => body.rows[0]);
    // A single task, or a few: everything fits.
    const open = table.tBodies.length <= 2;
    for (const body of table.tBodies) {
      const [head, ...parts] = body.rows;
      if (parts.length === 0) continue;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "toggle";
      button.append(...head.cells[0].childNodes);
      head.cells[0].append(button);
      const show = (shown) => {
        button.setAttribute("aria-expanded", String(shown));
        parts.forEach((part) => { part.hidden = !shown; });
      };
      show(open);
      button.addEventListener("click", () => show(button.getAttribute("aria-expanded") !== "true"));
      window.addEventListener("beforeprint", () => parts.forEach((part) => { part.hidden = false; }));
      window.addEventListener("afterprint", () => show(button.getAttribute("aria-expanded") === "true"));
    }
  }
})();
