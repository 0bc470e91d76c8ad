import type { ProblemError } from '../core/errors/index.js';
import { parseForStringify, stringifyJson } from '../core/json/index.js';
import type { ToolResult } from './tool.js';

/** More text than this fills a model's context without helping it. */
const MOST_TEXT_BYTES = 32 * 1024;

/** A result whose JSON says everything. What is too long is cut, and `more` says how to read the rest. */
export function jsonResult(value: object, more: string): ToolResult {
  const json = stringifyJson(value);
  const { text, cut } = shortened(json, more);
  const structured = cut ? {} : { structured: parseForStringify(json) as Record<string, unknown> };
  return { text, ...structured, links: [], isError: false, run: null };
}

/** What the caller did wrong, in the words of the API, so that a model can mend its call. */
export function problemResult({ code, message, details }: ProblemError): ToolResult {
  const lines = (details ?? []).map(({ path, message: wrong }) => `${path}: ${wrong}`);
  return {
    text: [`${code}: ${message}`, ...lines.filter((line) => !message.includes(line))].join('\n'),
    structured: { error: { code, message, ...(details && { details }) } },
    links: [],
    isError: true,
    run: null,
  };
}

/** A text cut between two characters, whose last line says that it was and where the rest is. */
export function shortened(text: string, more: string): { text: string; cut: boolean; bytes: number } {
  const bytes = Buffer.byteLength(text);
  if (bytes <= MOST_TEXT_BYTES) return { text, cut: false, bytes };
  const buffer = Buffer.from(text);
  let end = MOST_TEXT_BYTES;
  while ((buffer[end]! & 0xc0) === 0x80) end--;
  const kibibytes = Math.ceil(bytes / 1024);
  return {
    text: `${buffer.toString('utf8', 0, end)}\nCut: 32 KiB of ${kibibytes} KiB. ${more}`,
    cut: true,
    bytes,
  };
}
