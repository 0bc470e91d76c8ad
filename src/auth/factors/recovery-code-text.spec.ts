import { expect, it } from 'vitest';

import { hashOfRecoveryCode, newRecoveryCode } from './recovery-code-text.js';

it('is four groups of four letters, none of which looks like another', () => {
  const codes = new Set(Array.from({ length: 200 }, newRecoveryCode));
  expect(codes.size).toBe(200);
  for (const code of codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){3}$/);
});

it('is the same however somebody types it', () => {
  const hash = hashOfRecoveryCode('01ab-cdef-ghjk-mnpq');
  for (const typed of ['01ABCDEFGHJKMNPQ', ' olab cdef ghjk mnpq ', 'OIAB-CDEF-GHJK-MNPQ']) {
    expect(hashOfRecoveryCode(typed)).toEqual(hash);
  }
  expect(hashOfRecoveryCode('01ab-cdef-ghjk-mnpr')).not.toEqual(hash);
});
