import { createHash } from 'node:crypto';

import { cutText } from '../../../libs/cut-text/index.js';
import { tracebackOf } from './traceback.js';
import { withoutVarying } from './varying-text.js';

const LONGEST_TITLE = 200;
const LONGEST_SAMPLE = 4_000;
const LONGEST_ERROR = 1_000;
const UNKNOWN = 'The run failed without an error';

/** What failures have in common that are the same error. */
export interface ErrorKind {
  fingerprint: string;
  title: string;
  exception: string | null;
  place: string | null;
  sample: string;
}

/** Where a script fails in more ways than are kept, the rest of them are one. */
export const OTHERS: Pick<ErrorKind, 'fingerprint' | 'title' | 'exception' | 'place'> = {
  fingerprint: 'others',
  title: 'Other errors of this script',
  exception: null,
  place: null,
};

/** Whether the lines that a run printed may say more than its error. */
export const mayHaveTraceback = (error: string | null): boolean =>
  error !== null && /^exit code \d+: /.test(error);

/**
 * How a run failed. An exception goes by its type and place, anything else by the text of its error. What it is given is masked
 * already.
 *
 * @param log the last lines that it printed
 */
export function kindOf(error: string | null, log: readonly string[]): ErrorKind {
  const text = cutText(error ?? UNKNOWN, LONGEST_ERROR);
  const [, code = '', rest = ''] = /^(exit code \d+(?:: )?)?([^]*)$/.exec(text)!;
  const traceback = error === null ? null : tracebackOf(error, log);
  const words = code + withoutVarying(rest);
  if (!traceback) {
    return {
      ...named('text', words),
      title: cutText(words, LONGEST_TITLE, '…'),
      exception: null,
      place: null,
      sample: text,
    };
  }
  const { exception, message, place, lines } = traceback;
  const says = withoutVarying(message);
  return {
    ...named('exception', exception, place ?? says),
    title: cutText(says === '' ? exception : `${exception}: ${says}`, LONGEST_TITLE, '…'),
    exception,
    place,
    sample: cutText(lines.join('\n'), LONGEST_SAMPLE, '…'),
  };
}

function named(...parts: string[]): Pick<ErrorKind, 'fingerprint'> {
  return { fingerprint: createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22) };
}
