import { expect, describe, it } from 'vitest';

import { processorTime } from '../../libs/fuzz/index.js';
import { pathReadings } from '../../libs/egress/path-readings.js';
import { isPreparedPassword } from '../../libs/egress/protocols/postgres/prepared-password.js';
import { parseCommand, parsePackageJson } from '../../libs/command/index.js';
import { emailProblem } from '../../src/auth/email-address.js';
import { planBuild } from '../../src/builds/build-recipe.js';
import { LogTail } from '../../src/builds/worker/log-tail.js';
import { attachment } from '../../src/core/http/content-disposition.js';
import { parseRange } from '../../src/core/http/range-header.js';
import { scanJson } from '../../libs/exact-json/index.js';
import { subjectLine } from '../../src/core/mail/mail-message.js';
import { parseTraceparent } from '../../src/core/tracing/traceparent.js';
import { withoutVarying } from '../../src/failures/grouping/varying-text.js';
import { fileNameProblem } from '../../src/files/file-name.js';
import { mediaType } from '../../src/files/media-type.js';
import { parseBody } from '../../src/hooks/receiving/request-of.js';
import { inlineText } from '../../src/notifications/inline-text.js';
import { prettyJson } from '../../src/runs/asking/pretty-json.js';
import { parseLabel } from '../../src/runs/labels/printed-labels.js';
import { parseView } from '../../src/runs/output/output-view.js';
import { parseProgress } from '../../src/runs/output/progress-line.js';
import { storableText } from '../../src/runs/output/storable-text.js';
import { plainTextOf, searchOf, wordsOf } from '../../src/runs/search/search-words.js';
import { parseCron } from '../../src/schedules/cron/parse-cron.js';
import { parseFilter } from '../../src/sign-in/scim/scim-filter.js';
import { textKey } from '../../src/sign-in/scim/text-key.js';
import { retryAfter } from '../../src/webhooks/backoff.js';

/** What reads a text that a caller, a sender or a script has written. Most refuse these texts, which is as well. */
const READERS: Record<string, (text: string) => unknown> = {
  'requirements.txt': (text) => planBuild({ 'requirements.txt': text }, null),
  'pyproject.toml': (text) => planBuild({ 'pyproject.toml': text }, null),
  'pyproject.toml of a package': (text) =>
    planBuild({ 'pyproject.toml': text }, null, [{ path: 'src/a.py' }] as never),
  'package.json': parsePackageJson,
  command: parseCommand,
  'form of a hook': (text) =>
    parseBody(Buffer.from(text), 'application/x-www-form-urlencoded', { scheme: 'github', secret: 'KEY' }),
  'JSON of a hook': (text) =>
    parseBody(Buffer.from(text), 'application/json', { scheme: 'github', secret: 'KEY' }),
  'text of a hook': (text) => parseBody(Buffer.from(text), 'text/plain', { scheme: 'github', secret: 'KEY' }),
  JSON: scanJson,
  'JSON that is shown': prettyJson,
  'Content-Type': mediaType,
  Range: (text) => parseRange(text, 1_000),
  'Retry-After': retryAfter,
  traceparent: parseTraceparent,
  'Content-Disposition': attachment,
  'name of a file': fileNameProblem,
  'address of a person': emailProblem,
  'subject of a mail': subjectLine,
  'text of a notice': inlineText,
  'filter of a directory': parseFilter,
  'cron expression': parseCron,
  'words that are searched': searchOf,
  'words that are found': (text) => plainTextOf(text) && wordsOf([text]),
  'path of a request': pathReadings,
  'password of a server': isPreparedPassword,
  'name of a directory': textKey,
  'log of a build': (text) => {
    const log = new LogTail();
    log.push(Buffer.from(text), 'stdout');
    return log.toString();
  },
  'error of a run': withoutVarying,
  'output of a run': storableText,
  'label that is printed': (text) => parseLabel(`::label ${text}`),
  'progress that is printed': (text) => parseProgress(`::progress ${text}`),
  'view that is printed': (text) => parseView(`::view ${text}`),
};

const PARTS = [
  '\r',
  ' ',
  '\t',
  '\u2028',
  '\n',
  '#',
  ' #',
  'a',
  'a ',
  'a&',
  'a=',
  'dynamic=\n',
  '[',
  '(',
  '{',
  '"',
  "'",
  '\\',
  '@',
  '.',
  ',',
  ';',
  '-',
  '/',
  '%',
  '1',
  '\u0301\u0316',
  '\uff9e\u0334',
  '%CC%81%CC%96',
];
const AROUND: readonly (readonly [string, string])[] = [
  ['', ''],
  ['a', 'x\ry'],
  ['a', '\u2028b'],
  ['[project]\ndependencies=[', '\rx'],
  ['"', '!'],
];

const SMALL = 2_000;
const LARGE = 64_000;
/** A row of empty fields costs little each, so it takes a whole body to see one that is read too often. */
const MAX_BODY = 1_048_576;
/** One pass over the large text takes a few; what goes over it once for each character takes many times as long as this. */
const MAX_MS = 1_000;

describe('a text that is made to be slow', () => {
  it.each(Object.entries(READERS))('takes no more than its length does: %s', async (name, read) => {
    for (const part of PARTS) {
      for (const [before, after] of AROUND) {
        for (const size of [SMALL, name.startsWith('form') ? MAX_BODY : LARGE]) {
          const text = `${before}${part.repeat(size / part.length)}${after}`;
          const time = await processorTime(() => {
            try {
              read(text);
            } catch {
              // Refused.
            }
          });
          expect(time, JSON.stringify([before, part, size, after])).toBeLessThan(MAX_MS);
        }
      }
    }
  });
});
