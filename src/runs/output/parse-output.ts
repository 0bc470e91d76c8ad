import { parseExactly, stringifyExactly } from '../../core/json/index.js';
import { storableJson, storableText } from './storable-text.js';

export const MAX_OUTPUT_BYTES = 1024 * 1024;
const MAX_OUTPUT_DEPTH = 100;

/** The output found, as JSON text in which numbers are as the script wrote them. */
export type ParsedOutput =
  /** All of standard output is JSON, or it is empty (`null`). */
  | { kind: 'json'; json: string }
  /** Its last line is a JSON object or array; the text before it belongs to the log. */
  | { kind: 'last-line'; json: string; before: string; line: string }
  /** Standard output is text, which is trimmed. */
  | { kind: 'text'; json: string }
  | { kind: 'failure'; error: string };

const TOO_LARGE: ParsedOutput = {
  kind: 'failure',
  error: `standard output is larger than 1 MiB (${MAX_OUTPUT_BYTES} bytes): write large results to a file in /outputs, and messages to standard error`,
};
const TOO_DEEP: ParsedOutput = {
  kind: 'failure',
  error: `the output is nested more than ${MAX_OUTPUT_DEPTH} levels deep`,
};

/**
 * Finds a run's output in its standard output.
 *
 * @param stdout what was written, or at least the first `MAX_OUTPUT_BYTES + 1` bytes of it
 */
export function parseOutput(stdout: Buffer): ParsedOutput {
  if (stdout.length > MAX_OUTPUT_BYTES) return TOO_LARGE;
  const text = stdout.toString('utf8').trim();
  if (text === '') return { kind: 'json', json: 'null' };
  const whole = parseJson(text);
  if (whole) return isTooDeep(whole.value) ? TOO_DEEP : { kind: 'json', json: storable(whole.value) };

  const lineStart = text.lastIndexOf('\n') + 1;
  const last = text.slice(lineStart).trim();
  const result = /^[{[]/.test(last) ? parseJson(last) : null;
  if (!result) return { kind: 'text', json: JSON.stringify(storableText(text)) };
  if (isTooDeep(result.value)) return TOO_DEEP;
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
function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth <= MAX_OUTPUT_DEPTH; depth++) {
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue;
      if (depth === MAX_OUTPUT_DEPTH) return true;
      for (const child of Object.values(item)) next.push(child);
    }
    if (next.length === 0) return false;
    level = next;
  }
  return false;
}
