import { describe, expect, it } from 'vitest';

import { parseRetention, retentionOf } from './retention.js';

describe('retention', () => {
  it('has a default for each kind', () =>
    expect(retentionOf({})).toEqual({
      runs: 30,
      logs: 30,
      files: 30,
      events: 30,
      deliveries: 30,
      receipts: 7,
      conversations: 30,
      audit: null,
    }));

  it('keeps what goes with another no longer than that', () => {
    expect(retentionOf(parseRetention(['runs=90', 'logs=14', 'events=7', 'audit=400']))).toEqual({
      runs: 90,
      logs: 14,
      files: 90,
      events: 7,
      deliveries: 7,
      receipts: 7,
      conversations: 30,
      audit: 400,
    });
    expect(retentionOf(parseRetention(['runs=5', 'logs=14'])).logs).toBe(5);
  });

  it.each([
    ['run=5', 'run is not known; there are runs, logs'],
    ['runs', 'runs must be a whole number from 1 to 3650'],
    ['runs=1.5', 'runs must be a whole number'],
    ['runs=0', 'runs must be a whole number from 1'],
    ['runs=3651', 'runs must be a whole number from 1 to 3650'],
    ['audit=365', 'audit must be a whole number from 366'],
    ['toString=5', 'toString is not known'],
  ])('that is wrong says where: %s', (pair, problem) => {
    expect(() => parseRetention([pair])).toThrow(problem);
  });
});
