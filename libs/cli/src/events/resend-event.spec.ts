import { expect, it } from 'vitest';

import { idBefore } from './resend-event.js';

it.each([
  ['evt_01jd5fkq0000000000000000a5', 'evt_01jd5fkq0000000000000000a4'],
  ['evt_01jd5fkq0000000000000000p0', 'evt_01jd5fkq0000000000000000nz'],
  ['evt_01jd5fkq000000000000000100', 'evt_01jd5fkq0000000000000000zz'],
])('sorts directly before %s', (id, before) => {
  expect(idBefore(id)).toBe(before);
  expect(before < id).toBe(true);
});

it.each(['run_01jd5fkq0000000000000000a5', 'evt_1', 'evt_01jd5fkq0000000000000000ui'])(
  'takes no %s',
  (id) => {
    expect(() => idBefore(id)).toThrow('is no id of an event');
  },
);
