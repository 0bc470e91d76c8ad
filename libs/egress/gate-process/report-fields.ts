const CONTROL = /\p{Cc}/gu;
const CONTROL_WITHIN_LINES = /[^\P{Cc}\t\r\n]/gu;

/** Control characters are made visible, because people read the text. */
export function textOf(value: unknown, most: number): string | null {
  return visibleText(value, most, CONTROL);
}

/** Likewise, of several lines. */
export function linesOf(value: unknown, most: number): string | null {
  return visibleText(value, most, CONTROL_WITHIN_LINES);
}

function visibleText(value: unknown, most: number, invisible: RegExp): string | null {
  if (typeof value !== 'string' || value.length > most) return null;
  return value.replace(invisible, '\ufffd').toWellFormed();
}

export function listOf<T>(value: unknown, most: number, one: (item: unknown) => T | null): T[] | null {
  if (!Array.isArray(value) || value.length > most) return null;
  const items = value.map(one);
  return items.every((item) => item !== null) ? items : null;
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
