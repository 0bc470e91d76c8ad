import { randomBytes } from 'node:crypto';

/** Nobody can guess it, so no text of a stranger is taken for a place. */
const MARK = `raw:${randomBytes(12).toString('hex')}:`;
const PLACE = new RegExp(`"${MARK}(\\d+)"`, 'g');

/** The texts met by the `stringifyJson` in progress. */
let met: string[] | null = null;

/**
 * A JSON value as its text, stored and sent as it is, without being parsed. A large one costs little, and no number in
 * it changes.
 */
export class RawJson {
  constructor(readonly text: string) {}

  /** For `stringifyJson`; `JSON.stringify` elsewhere gets the value. */
  toJSON(): unknown {
    if (met === null) return JSON.parse(this.text) as unknown;
    return `${MARK}${met.push(this.text) - 1}`;
  }
}

/** `JSON.stringify` for values that may hold `RawJson`. */
export function stringifyJson(value: unknown): string {
  if (value instanceof RawJson) return value.text;
  const texts: string[] = (met = []);
  try {
    const text = JSON.stringify(value);
    return texts.length === 0 ? text : text.replace(PLACE, (_, index: string) => texts[Number(index)]!);
  } finally {
    met = null;
  }
}

/** The JSON text of what may be given either way. */
export function textOf(value: unknown): string {
  return value instanceof RawJson ? value.text : JSON.stringify(value);
}
