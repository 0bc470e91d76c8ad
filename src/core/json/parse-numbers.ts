import { isExact, isExactEnough, scanJson } from '../../../libs/exact-json/index.js';

/** Of the language since 2025, which the types do not have yet. */
interface Source {
  source?: string;
}
const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown };
const parse = JSON.parse as (
  text: string,
  reviver: (key: string, value: unknown, context: Source) => unknown,
) => unknown;

/**
 * A value of which `JSON.stringify` makes the numbers that stand in the text, also those that JavaScript would change. It is for code of
 * others that writes it: in place of such a number there is an object.
 */
export function parseForStringify(text: string): unknown {
  if (scanJson(text).inexact.length === 0) return JSON.parse(text);
  return parse(text, (_, value, { source = '' }) =>
    typeof value === 'number' && !isExact(source) ? rawJSON(source) : value,
  );
}

/** A value in which numbers that JavaScript would change are texts of their digits. */
export function parseWithDigits(text: string): unknown {
  if (scanJson(text, { lenient: true }).inexact.length === 0) return JSON.parse(text);
  return parse(text, (_, value, { source = '' }) =>
    typeof value === 'number' && !isExactEnough(source) ? source : value,
  );
}
