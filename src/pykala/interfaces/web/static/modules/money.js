// @ts-check
// Amounts with up to three digits that say something: 0.00, 0.25, 0.0028, 0.00042.

import { number } from "./texts.js";

const MOST = 12; // digits after the point

/** @param {{ amount: number, currency: string }} cost */
export function money({ amount, currency }) {
  const small = amount > 0 && amount < 1;
  const digits = small ? Math.min(MOST, 2 - Math.floor(Math.log10(amount))) : 2;
  return number(amount, {
    style: "currency",
    currency: currency || "EUR",
    minimumFractionDigits: 2,
    maximumFractionDigits: digits,
  });
}
