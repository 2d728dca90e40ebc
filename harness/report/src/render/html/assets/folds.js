// A link opens what it leads to; paper has no foldings.
(() => {
  const open = () => {
    const place = document.getElementById(location.hash.slice(1));
    for (let fold = place; fold; fold = fold.parentElement) {
      if (fold.tagName === "DETAILS") fold.open = true;
    }
    if (place) place.scrollIntoView();
  };
  window.addEventListener("hashchange", open);
  if (location.hash !== "") open();
  let closed = [];
  window.addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details:not([open])")];
    closed.forEach((fold) => { fold.open = true; });
  });
  window.addEventListener("afterprint", () => {
    closed.forEach((fold) => { fold.open = false; });
    closed = [];
  });
})();
