import { exactNumber } from '../run-form/exact-number.js';

/** A number of a JSON text that JavaScript would round: kept as it was written. */
export class WrittenNumber {
  constructor(readonly text: string) {}

  /** Written as it was, also within what holds it. */
  toJSON(): unknown {
    return rawJson?.(this.text) ?? this.text;
  }
}

/** Where an engine tells how a number was written, it can write one that way as well. */
const rawJson = (JSON as { rawJSON?: (text: string) => unknown }).rawJSON;

/** Some sixteen digits, or an exponent: only then may a number be changed by reading it. */
const SUSPECT = /[\d.]{16}|\d[eE]/;

/**
 * JSON whose numbers all stay what they are. Engines that do not tell how a number was written round it.
 * @throws SyntaxError where it is no JSON
 */
export function parseAsWritten(text: string): unknown {
  if (!SUSPECT.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_, part: unknown, context?: { source?: string }) =>
    typeof part === 'number' && context?.source !== undefined && exactNumber(context.source) === null
      ? new WrittenNumber(context.source)
      : part,
  );
}
