// Not a module: it must run before the first paint, or a dark page would flash white.
(function () {
  try {
    const chosen = localStorage.getItem("pykala.theme");
    if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
  } catch {
    // Storage may be forbidden; the system's own preference then holds.
  }
})();
