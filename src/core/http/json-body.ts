import type { IncomingMessage } from 'node:http';

import { placeInJson, scanJson } from '../json/index.js';
import { InvalidRequest, ProblemError } from '../errors/index.js';

const MOST_DEPTH = 64;
/** So many values are read on the event loop; it takes some milliseconds. */
const MOST_VALUES = 20_000;
/** How long a client may go on to send what is too large. */
const DISCARD_MS = 2_000;

/** The whole body, or 413 once it is known to be larger. Nothing larger is ever held in memory. */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw await tooLarge(request, limit);
  const body = await collected(request, limit);
  if (body === null) throw await tooLarge(request, limit);
  return body;
}

/** By its events: an iterator over a stream costs several times what reading a small body does. null: it is larger. */
function collected(request: IncomingMessage, limit: number): Promise<Buffer | null> {
  if (request.destroyed)
    return Promise.reject(new Error('The connection was closed before the body was read.'));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (settle: () => void): void => {
      request.off('data', take).off('end', finish).off('error', fail).off('close', breakOff);
      settle();
    };
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > limit) end(() => resolve(null));
    };
    const finish = (): void =>
      end(() => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size)));
    const fail = (error: Error): void => end(() => reject(error));
    const breakOff = (): void => fail(new Error('The connection was closed within the body.'));
    request.on('data', take).once('end', finish).once('error', fail).once('close', breakOff);
  });
}

/**
 * Throws away what a client still sends, for a moment: closed with something unread, a connection is reset, and a client that
 * still writes would never read why.
 */
function discardRest(request: IncomingMessage): Promise<void> {
  return new Promise((done) => {
    const finish = (): void => {
      clearTimeout(timer);
      done();
    };
    const timer = setTimeout(finish, DISCARD_MS);
    request.once('end', finish).once('close', finish).resume();
  });
}

async function tooLarge(request: IncomingMessage, limit: number): Promise<ProblemError> {
  await discardRest(request);
  const mebibytes = limit / 1_048_576;
  const problem = new ProblemError('payload_too_large', `The body is larger than ${mebibytes} MiB.`);
  // What is left of the body is not read, so the connection cannot be used again.
  problem.headers['connection'] = 'close';
  return problem;
}

/** Whether a body is so much to read that it is read beside the event loop. */
export function isLarge(body: Buffer): boolean {
  return body.length > 2 * MOST_VALUES && scanJson(body.toString('latin1')).values > MOST_VALUES;
}

/** JSON that PostgreSQL can store, that no recursion chokes on and whose numbers JavaScript does not change. */
export function parseJson(body: Uint8Array): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new InvalidRequest('The body is not valid UTF-8.');
  }
  const { depth, inexact } = scanJson(text, { lenient: true });
  if (depth > MOST_DEPTH) throw new InvalidRequest(`The body is nested more than ${MOST_DEPTH} levels deep.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new InvalidRequest(`The body is not valid JSON: ${(error as Error).message}.`);
  }
  if (inexact[0] !== undefined) {
    const place = placeInJson(text, inexact[0]);
    throw InvalidRequest.at(place, 'this number cannot be kept exactly; send it as a string');
  }
  checkText(value, []);
  return value;
}

/** @param steps to the value; the same list all the way, for most values need no path */
function checkText(value: unknown, steps: (string | number)[]): void {
  if (typeof value === 'string') refuseAt(steps, textProblem(value));
  else if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      steps.push(index);
      checkText(value[index], steps);
      steps.pop();
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const key of Object.keys(value)) {
      steps.push(key);
      refuseAt(steps, key === '__proto__' ? 'is not allowed as a name' : textProblem(key));
      checkText((value as Record<string, unknown>)[key], steps);
      steps.pop();
    }
  }
}

function refuseAt(steps: readonly (string | number)[], problem: string | null): void {
  if (problem !== null) throw InvalidRequest.at(steps.join('.'), problem);
}

/** Why PostgreSQL cannot store a text, or null. */
export function textProblem(text: string): string | null {
  if (text.includes('\0')) return 'must not contain a NUL character';
  if (!text.isWellFormed()) return 'must not contain half of a surrogate pair';
  return null;
}
