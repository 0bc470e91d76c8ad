import type { IncomingMessage } from 'node:http';

import { InvalidRequest, ProblemError } from './errors.js';

const MOST_DEPTH = 64;

/** The whole body, or 413 once it is known to be larger. Nothing larger is ever held in memory. */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop must not end the connection: the client is still to be told why.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) {
      request.resume();
      throw tooLarge(limit);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

function tooLarge(limit: number): ProblemError {
  const mebibytes = limit / 1_048_576;
  const problem = new ProblemError('payload_too_large', `The body is larger than ${mebibytes} MiB.`);
  // What is left of the body is not read, so the connection cannot be used again.
  problem.headers['connection'] = 'close';
  return problem;
}

/** JSON that PostgreSQL can store and that no recursion chokes on. */
export function parseJson(body: Buffer): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new InvalidRequest('The body is not valid UTF-8.');
  }
  checkDepth(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new InvalidRequest(`The body is not valid JSON: ${(error as Error).message}.`);
  }
  checkText(value, '');
  return value;
}

/** Counted on the text, before anything recursive sees it. */
function checkDepth(text: string): void {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === 0x5c) index++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > MOST_DEPTH)
        throw new InvalidRequest(`The body is nested more than ${MOST_DEPTH} levels deep.`);
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
}

function checkText(value: unknown, path: string): void {
  if (typeof value === 'string') {
    const problem = textProblem(value);
    if (problem) throw InvalidRequest.at(path, problem);
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => checkText(item, path === '' ? String(index) : `${path}.${index}`));
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      const place = path === '' ? key : `${path}.${key}`;
      const problem = key === '__proto__' ? 'is not allowed as a name' : textProblem(key);
      if (problem) throw InvalidRequest.at(place, problem);
      checkText(item, place);
    }
  }
}

/** What no text of ours may hold, wherever it comes from. */
export function textProblem(text: string): string | null {
  if (text.includes('\0')) return 'must not contain a NUL character';
  if (!text.isWellFormed()) return 'must not contain half of a surrogate pair';
  return null;
}
