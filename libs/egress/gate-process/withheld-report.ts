import { isRecord } from '../is-record.js';
import {
  MAX_WITHHELD_TEXT_BYTES,
  WITHHELD_PROTOCOLS,
  type WithheldBody,
  type WithheldRequest,
} from '../withheld-request.js';
import { hostOf, isMethod, isSha256, partsOfHead } from './held-report.js';
import { isCount, linesOf } from './report-fields.js';

/** Reads a request that a gate says it has withheld; null: no gate would say so. */
export function withheldRequestOf(value: unknown): WithheldRequest | null {
  if (!isRecord(value)) return null;
  const { at, method } = value;
  const protocol = WITHHELD_PROTOCOLS.find((known) => known === value['protocol']);
  const [host, head, body] = [hostOf(value), partsOfHead(value), bodyOf(value['body'])];
  if (protocol === undefined || !isCount(at) || !isMethod(method)) return null;
  if (host === null || head === null || body === null) return null;
  return { at, protocol, host, method, ...head, body };
}

function bodyOf(value: unknown): WithheldBody | null {
  if (!isRecord(value)) return null;
  const { bytes, sha256 } = value;
  const text = value['text'] === null ? null : linesOf(value['text'], MAX_WITHHELD_TEXT_BYTES);
  if (text === null && value['text'] !== null) return null;
  return isCount(bytes) && isSha256(sha256) ? { bytes, sha256, text } : null;
}
