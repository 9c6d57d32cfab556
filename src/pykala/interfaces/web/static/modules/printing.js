// @ts-check
// On paper nothing can be unfolded: what is folded is opened for the print, and folded again after it.

export function unfoldForPrint() {
  /** @type {HTMLDetailsElement[]} */
  let unfolded = [];
  addEventListener("beforeprint", () => {
    unfolded = [...document.querySelectorAll("details:is(.support, .folded):not([open])")].filter(
      (one) => one instanceof HTMLDetailsElement,
    );
    for (const one of unfolded) one.open = true;
  });
  addEventListener("afterprint", () => {
    for (const one of unfolded) one.open = false;
    unfolded = [];
  });
}
