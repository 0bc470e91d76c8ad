import { type HeldBody, type HeldRequest, MAX_HELD_TEXT_BYTES } from '../held-request.js';
import { isRecord } from '../is-record.js';
import { isCount, linesOf, listOf, textOf } from './report-fields.js';

const PROTOCOLS: readonly unknown[] = ['https', 'http', 'postgres'] satisfies HeldRequest['protocol'][];
const METHOD = /^[A-Z][A-Z _-]{0,39}$/;
const SHA256 = /^[0-9a-f]{64}$/;
const MOST_HOST_CHARACTERS = 300;
/** The limit of a head is less. */
const MOST_HEAD_CHARACTERS = 65_536;
const MOST_HEADERS = 256;

/** Reads a request that a gate says it holds; null: no gate would say so. */
export function heldRequestOf(value: unknown): HeldRequest | null {
  if (!isRecord(value)) return null;
  const { number, at, protocol, method, sha256 } = value;
  const [host, head, body] = [hostOf(value), partsOfHead(value), bodyOf(value['body'])];
  if (!isCount(number) || number === 0 || !isCount(at)) return null;
  if (!isProtocol(protocol)) return null;
  if (!isMethod(method) || !isSha256(sha256)) return null;
  if (host === null || head === null || body === null) return null;
  return { number, at, protocol, host, method, ...head, body, sha256 };
}

export function hostOf(value: Record<string, unknown>): string | null {
  return textOf(value['host'], MOST_HOST_CHARACTERS);
}

/** Both together are no longer than a head can be. */
export function partsOfHead(value: Record<string, unknown>): Pick<HeldRequest, 'target' | 'headers'> | null {
  const target = textOf(value['target'], MOST_HEAD_CHARACTERS);
  const headers = listOf(value['headers'], MOST_HEADERS, headerOf);
  if (target === null || headers === null) return null;
  const characters = headers.reduce((sum, [name, text]) => sum + name.length + text.length, target.length);
  return characters > MOST_HEAD_CHARACTERS ? null : { target, headers };
}

function headerOf(value: unknown): [string, string] | null {
  if (!Array.isArray(value) || value.length !== 2) return null;
  const name = textOf(value[0], MOST_HEAD_CHARACTERS);
  const text = textOf(value[1], MOST_HEAD_CHARACTERS);
  return name === null || text === null ? null : [name, text];
}

function bodyOf(value: unknown): HeldBody | null {
  if (!isRecord(value)) return null;
  const { bytes, sha256, cut } = value;
  const text = value['text'] === null ? null : linesOf(value['text'], MAX_HELD_TEXT_BYTES);
  if (text === null && value['text'] !== null) return null;
  return isCount(bytes) && isSha256(sha256) && typeof cut === 'boolean' ? { bytes, sha256, text, cut } : null;
}

function isProtocol(value: unknown): value is HeldRequest['protocol'] {
  return PROTOCOLS.includes(value);
}

export function isMethod(value: unknown): value is string {
  return typeof value === 'string' && METHOD.test(value);
}

export function isSha256(value: unknown): value is string {
  return typeof value === 'string' && SHA256.test(value);
}
