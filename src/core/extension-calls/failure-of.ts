import { cutText } from '../../../libs/cut-text/index.js';
import { EgressError } from '../../../libs/egress/index.js';
import { ProblemError } from '../errors/index.js';
import { TimeIsOver } from '../time-limit/index.js';

const NAME = /^[A-Za-z_$][\w$]{0,60}$/;
const CODE = /^[A-Z][A-Z0-9_]{1,40}$/;
const FRAME = /^\s+at (?:.*\()?((?:file:\/\/|node:|\/)[^()\s]+:\d+:\d+)\)?$/m;
const LONGEST = 500;

/**
 * What may be said of something that an extension's code threw: the message of errors whose messages are written to be
 * read. Any other message may hold an address with a token, or a value; so only the class, the code and the place.
 */
export function failureOf(error: unknown): string {
  return wordsOf(error) ?? kindOf(error);
}

/** The words of an error whose message is written to be read, in one line; null for any other. */
export function wordsOf(error: unknown): string | null {
  const isReadable =
    error instanceof ProblemError || error instanceof EgressError || error instanceof TimeIsOver;
  if (!isReadable) return null;
  const line = error.message.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return cutText(line, LONGEST, '…');
}

function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return `it threw something that is no error (${typeof error}).`;
  const { code } = error as { code?: unknown };
  const { constructor: made } = error as { constructor?: unknown };
  const name = typeof made === 'function' && NAME.test(made.name) ? made.name : 'Error';
  const frame = FRAME.exec(framesOf(error))?.[1];
  return [
    name,
    ...(typeof code === 'string' && CODE.test(code) ? [code] : []),
    ...(frame === undefined ? [] : [`at ${frame}`]),
  ].join(' ');
}

/** The stack without the message, whose lines may look like anything. */
function framesOf({ stack = '', message }: Error): string {
  const begin = stack.indexOf(message);
  return typeof message === 'string' && begin >= 0 ? stack.slice(begin + message.length) : '';
}
