import { randomBytes } from 'node:crypto';

import { endOfNumber, scanJson } from './scan-json.js';

/** Nobody can guess it, so no text of a stranger is taken for a number; of private characters, so no secret is in it. */
const MARK = [...randomBytes(12)].map((byte) => String.fromCharCode(0xe000 + byte)).join('');
const MARKED = new RegExp(`"${MARK}([^"]*)"`, 'g');
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * JSON whose numbers all come back as they went in. Those that JavaScript would change are texts with a mark meanwhile.
 * Code that walks over the value, masks or replaces texts need not know of them.
 *
 * @param options `asWritten`: `1.0` is written as `1.0` again, too
 * @throws SyntaxError where `JSON.parse` would
 */
export function parseExactly(text: string, { asWritten = false } = {}): unknown {
  const { inexact } = scanJson(text, { asWritten, mostInexact: Infinity });
  if (inexact.length === 0) return JSON.parse(text);
  const parts: string[] = [];
  let done = 0;
  for (const start of inexact) {
    const end = endOfNumber(text, start);
    // An address or a date is no number, and must not become JSON by being marked.
    if (!NUMBER.test(text.slice(start, end))) continue;
    parts.push(text.slice(done, start), `"${MARK}${text.slice(start, end)}"`);
    done = end;
  }
  parts.push(text.slice(done));
  return JSON.parse(parts.join(''));
}

/** The JSON text of a value of `parseExactly`. A marked text that is no number any more is a text. */
export function stringifyExactly(value: unknown, space?: number): string {
  const text = JSON.stringify(value, null, space) as string | undefined;
  if (!text?.includes(MARK)) return text!;
  return text.replace(MARKED, (_, content: string) => (NUMBER.test(content) ? content : `"${content}"`));
}
