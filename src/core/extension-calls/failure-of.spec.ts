import { describe, expect, it } from 'vitest';

import { DnsFailed } from '../../../libs/egress/index.js';
import { Unavailable } from '../errors/index.js';
import { failureOf, wordsOf } from './failure-of.js';

const HOOK = 'https://chat.example/hooks/T0p-s3cret';

describe('what is said of a failure of an extension', () => {
  it('are the words of an error that is written to be read, in one line', () => {
    expect(failureOf(new Unavailable('The chat\nresponded 500.'))).toBe('The chat responded 500.');
    expect(failureOf(new DnsFailed('chat.example', 'no such name'))).toBe('chat.example: no such name');
    expect([...failureOf(new Unavailable('x'.repeat(2000)))]).toHaveLength(500);
  });

  it('is the class and the place of any other', () => {
    expect(failureOf(new TypeError(`Failed to fetch ${HOOK}`))).toMatch(
      /^TypeError at (file:\/\/)?\/.*failure-of\.spec\.ts:\d+:\d+$/,
    );
    const away = Object.assign(new Error(HOOK), { code: 'ECONNREFUSED' });
    expect(failureOf(away)).toMatch(/^Error ECONNREFUSED at /);
  });

  it.each([
    ['its message', new Error(HOOK)],
    ['lines of its message that look like a place', new Error(`no\n    at /${HOOK}:1:1`)],
    ['its code', Object.assign(new Error('no'), { code: HOOK })],
    ['its name', Object.assign(new Error('no'), { name: HOOK })],
    ['a stack of its own', Object.assign(new Error('no'), { stack: `    at ${HOOK}` })],
    ['its being a text', HOOK],
    ['its being an object', { message: HOOK }],
  ])('is never %s', (_, error) => {
    expect(failureOf(error)).not.toContain('s3cret');
    expect(wordsOf(error)).toBeNull();
  });
});
