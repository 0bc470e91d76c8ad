import { storableJson, storableText } from './storable-text.js';

const MAX_OUTPUT_BYTES = 1024 * 1024;
const MAX_OUTPUT_DEPTH = 100;

export interface OutputLimits {
  /** Bytes of standard output. Default 1 MiB. */
  maxBytes?: number;
  /** Levels of arrays and objects. Default 100. */
  maxDepth?: number;
}

export type ParsedOutput =
  /** All of standard output is JSON, or there was none (`null`). */
  | { kind: 'json'; output: unknown }
  /** Its last line is a JSON object or array; the text before it belongs to the log. */
  | { kind: 'last-line'; output: unknown; before: string; line: string }
  /** Text, trimmed. */
  | { kind: 'text'; output: string }
  | { kind: 'failure'; error: string };

/**
 * Finds a run's output in its standard output. Numbers are JavaScript's: integers beyond 2^53 lose digits.
 *
 * @param stdout what was written, or at least the first `maxBytes + 1` bytes of it
 */
export function parseOutput(
  stdout: Buffer,
  { maxBytes = MAX_OUTPUT_BYTES, maxDepth = MAX_OUTPUT_DEPTH }: OutputLimits = {},
): ParsedOutput {
  if (stdout.length > maxBytes) return tooLarge(maxBytes);
  const text = stdout.toString('utf8').trim();
  if (text === '') return { kind: 'json', output: null };
  const whole = parseJson(text);
  if (whole)
    return deeperThan(whole.value, maxDepth)
      ? tooDeep(maxDepth)
      : { kind: 'json', output: storableJson(whole.value) };

  const lineStart = text.lastIndexOf('\n') + 1;
  const last = text.slice(lineStart).trim();
  const result = /^[{[]/.test(last) ? parseJson(last) : null;
  if (!result) return { kind: 'text', output: storableText(text) };
  if (deeperThan(result.value, maxDepth)) return tooDeep(maxDepth);
  return {
    kind: 'last-line',
    output: storableJson(result.value),
    before: text.slice(0, lineStart),
    line: last,
  };
}

function parseJson(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
}

/** Without recursion, for the parser takes nesting that would overflow the stack of whatever walks the value. */
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
