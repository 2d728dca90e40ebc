// Entries of the legend show and hide runs everywhere.
(() => {
  for (const entry of document.querySelectorAll("[data-legend]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.setAttribute("aria-pressed", "true");
    button.append(...entry.childNodes);
    entry.append(button);
    button.addEventListener("click", () => {
      const shown = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(shown));
      for (const place of document.querySelectorAll(`[data-run="${entry.dataset.legend}"]`)) {
        place.toggleAttribute("data-off", !shown);
      }
    });
  }
})();
