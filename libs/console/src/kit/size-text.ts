import { LOCALE } from './locale.js';

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

/** `512 B`, `1.4 MB`. */
export function sizeText(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 1_000 && unit < UNITS.length - 1) {
    size /= 1_000;
    unit += 1;
  }
  const digits = unit === 0 || size >= 100 ? 0 : 1;
  const format = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return `${size.toLocaleString(LOCALE, format)} ${UNITS[unit]}`;
}
