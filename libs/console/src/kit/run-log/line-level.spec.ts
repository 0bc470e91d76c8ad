import { describe, expect, it } from 'vitest';

import { lineLevel } from './line-level.js';

describe('lineLevel', () => {
  it.each([
    '2026-01-31 12:00:00,123 ERROR app.main: no such city',
    '[CRITICAL] disk full',
    'Traceback (most recent call last):',
    'ValueError: no such city',
    'botocore.exceptions.ClientError: denied',
    '{"time":"2026-01-31T12:00:00Z","level":"error","msg":"no such city"}',
    'ts=12:00:00 level=fatal msg=gone',
  ])('takes %j for an error', (line) => expect(lineLevel(line)).toBe('error'));

  it.each(['WARNING:root:slow', '12:00:00 WARN slow'])('takes %j for a warning', (line) =>
    expect(lineLevel(line)).toBe('warning'),
  );

  it.each(['DEBUG:urllib3:Starting', '{"level": "debug"}'])('takes %j for details', (line) =>
    expect(lineLevel(line)).toBe('debug'),
  );

  it.each(['0 errors', 'no error', 'TERRORS', `${'-'.repeat(80)} ERROR`, 'INFO done'])(
    'leaves %j as it is',
    (line) => expect(lineLevel(line)).toBeNull(),
  );
});
