// Failures by run, task, reason, and words. Each chip counts what it would leave.
(() => {
  const filters = document.querySelector(".filters");
  if (!filters) return;
  const search = document.getElementById("search");
  const matched = document.getElementById("matched");
  const chips = [...filters.querySelectorAll(".chip")];
  const failures = [...document.querySelectorAll(".failure")].map((place) => ({ place, text: null }));
  const text = (failure) => (failure.text ??= failure.place.textContent.toLowerCase());
  const wanted = () => {
    const by = new Map();
    for (const { dataset } of chips.filter((chip) => chip.getAttribute("aria-pressed") === "true")) {
      by.set(dataset.key, (by.get(dataset.key) ?? new Set()).add(dataset.value));
    }
    return by;
  };
  const fits = (failure, by, but) =>
    [...by].every(([key, values]) => key === but || values.has(failure.place.dataset[key]));
  const apply = () => {
    const by = wanted();
    const words = search.value.toLowerCase();
    const found = words === "" ? failures : failures.filter((failure) => text(failure).includes(words));
    const shown = new Set(found.filter((failure) => fits(failure, by)));
    failures.forEach((failure) => failure.place.toggleAttribute("data-filtered", !shown.has(failure)));
    for (const chip of chips) {
      const { key, value } = chip.dataset;
      const left = found.filter((failure) => failure.place.dataset[key] === value && fits(failure, by, key));
      chip.querySelector(".count").textContent = left.length;
    }
    for (const reason of document.querySelectorAll(".reason")) {
      const left = reason.querySelectorAll(".failure:not([data-filtered])").length;
      reason.querySelector(".count").textContent = left;
      reason.toggleAttribute("data-filtered", left === 0);
    }
    const some = by.size > 0 || words !== "";
    matched.textContent = some ? `${shown.size} of ${failures.length} listed failures match.` : "";
  };
  const only = (values) => {
    search.value = "";
    chips.forEach((chip) => chip.setAttribute("aria-pressed", String(values[chip.dataset.key] === chip.dataset.value)));
    apply();
  };
  chips.forEach((chip) => chip.addEventListener("click", () => {
    chip.setAttribute("aria-pressed", String(chip.getAttribute("aria-pressed") !== "true"));
    apply();
  }));
  search.addEventListener("input", apply);
  for (const link of document.querySelectorAll("[data-only-reason]")) {
    link.addEventListener("click", () => only({ run: link.dataset.onlyRun, reason: link.dataset.onlyReason }));
  }
  // A link to a failure that a filter hides shows it.
  window.addEventListener("hashchange", () => {
    const place = document.getElementById(location.hash.slice(1));
    if (place && place.closest("[data-filtered]")) only({});
  });
  filters.hidden = false;
})();
