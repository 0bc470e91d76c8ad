import { describe, expect, it } from 'vitest';

import { whatHolds } from './environment.uses.js';

const nothing = {
  secretValues: 3,
  schedules: 0,
  triggers: 0,
  hooks: 0,
  endpoints: 0,
  boundKeys: 0,
  openRuns: 0,
};

describe('whatHolds', () => {
  it('is nothing where there are only secret values', () => expect(whatHolds(nothing)).toBeNull());

  it('names each thing with its number', () => {
    expect(whatHolds({ ...nothing, schedules: 1 })).toBe('1 schedule');
    expect(whatHolds({ ...nothing, triggers: 2, openRuns: 1 })).toBe(
      '2 triggers and 1 run that is not finished',
    );
    expect(whatHolds({ ...nothing, schedules: 1, hooks: 2, endpoints: 2, boundKeys: 1 })).toBe(
      '1 schedule, 2 hooks, 2 webhook endpoints and 1 API key bound to it',
    );
  });
});
