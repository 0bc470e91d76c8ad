import { describe, expect, it } from 'vitest';

import { firstIdAt } from '../core/crypto/index.js';
import { byAge } from './sizes.js';

const DAY_MS = 86_400_000;

describe('byAge', () => {
  it('parts the bytes of a table as the sample of its ids is parted', () => {
    const now = Date.now();
    const ids = [0.5, 2, 20, 20, 400].map((days) => firstIdAt('run', new Date(now - days * DAY_MS)));
    expect(byAge({ table: 'runs', ids, bytes: 500 }, now)).toEqual({
      table: 'runs',
      bytes: [100, 100, 200, 0, 0, 100],
    });
  });
});
