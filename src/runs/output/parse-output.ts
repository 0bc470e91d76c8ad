import { parseExactly, stringifyExactly } from '../../core/json/index.js';
import { storableJson, storableText } from './storable-text.js';

const MAX_OUTPUT_BYTES = 1024 * 1024;
const MAX_OUTPUT_DEPTH = 100;

export interface OutputLimits {
  /** The most bytes of standard output. Default 1 MiB. */
  maxBytes?: number;
  /** The most levels of arrays and objects. Default 100. */
  maxDepth?: number;
}

/** The output found, as JSON text in which numbers are as the script wrote them. */
export type ParsedOutput =
  /** All of standard output is JSON, or it is empty (`null`). */
  | { kind: 'json'; json: string }
  /** Its last line is a JSON object or array; the text before it belongs to the log. */
  | { kind: 'last-line'; json: string; before: string; line: string }
  /** Standard output is text, which is trimmed. */
  | { kind: 'text'; json: string }
  | { kind: 'failure'; error: string };

/**
 * Finds a run's output in its standard output.
 *
 * @param stdout what was written, or at least the first `maxBytes + 1` bytes of it
 */
export function parseOutput(
  stdout: Buffer,
  { maxBytes = MAX_OUTPUT_BYTES, maxDepth = MAX_OUTPUT_DEPTH }: OutputLimits = {},
): ParsedOutput {
  if (stdout.length > maxBytes) return tooLarge(maxBytes);
  const text = stdout.toString('utf8').trim();
  if (text === '') return { kind: 'json', json: 'null' };
  const whole = parseJson(text);
  if (whole)
    return deeperThan(whole.value, maxDepth)
      ? tooDeep(maxDepth)
      : { kind: 'json', json: storable(whole.value) };

  const lineStart = text.lastIndexOf('\n') + 1;
  const last = text.slice(lineStart).trim();
  const result = /^[{[]/.test(last) ? parseJson(last) : null;
  if (!result) return { kind: 'text', json: JSON.stringify(storableText(text)) };
  if (deeperThan(result.value, maxDepth)) return tooDeep(maxDepth);
  return {
    kind: 'last-line',
    json: storable(result.value),
    before: text.slice(0, lineStart),
    line: last,
  };
}

function parseJson(text: string): { value: unknown } | null {
  try {
    return { value: parseExactly(text) };
  } catch {
    return null;
  }
}

function storable(value: unknown): string {
  return stringifyExactly(storableJson(value));
}

/** Without recursion: the parser accepts values nested so deeply that recursion would overflow the stack. */
function deeperThan(value: unknown, maxDepth: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth <= maxDepth; depth++) {
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue;
      if (depth === maxDepth) return true;
      for (const child of Object.values(item)) next.push(child);
    }
    if (next.length === 0) return false;
    level = next;
  }
  return false;
}

function tooLarge(maxBytes: number): ParsedOutput {
  return {
    kind: 'failure',
    error: `standard output is larger than ${maxBytes / 1024 / 1024} MiB (${maxBytes} bytes): write large results to a file in /outputs, and messages to standard error`,
  };
}

function tooDeep(maxDepth: number): ParsedOutput {
  return { kind: 'failure', error: `the output is nested more than ${maxDepth} levels deep` };
}
