import { describe, expect, it } from 'vitest';

import { nextRunAt, planFiring } from './firing-plan.js';

const at = (text: string): Date => new Date(text);

describe('nextRunAt', () => {
  it('is after the moment, even by a millisecond', () => {
    expect(nextRunAt('0 * * * *', 'UTC', at('2025-06-01T10:00:00.000Z'))).toEqual(at('2025-06-01T11:00:00Z'));
    expect(nextRunAt('0 * * * *', 'UTC', at('2025-06-01T09:59:59.999Z'))).toEqual(at('2025-06-01T10:00:00Z'));
  });
});

describe('planFiring', () => {
  it('has nothing missed when it is on time', () =>
    expect(
      planFiring('*/5 * * * *', 'UTC', at('2025-06-01T10:00:00Z'), at('2025-06-01T10:00:00.400Z')),
    ).toEqual({
      next: at('2025-06-01T10:05:00Z'),
      missed: null,
    }));

  it('leaves out all but the latest after an outage', () =>
    expect(planFiring('*/5 * * * *', 'UTC', at('2025-06-01T10:00:00Z'), at('2025-06-01T11:03:00Z'))).toEqual({
      next: at('2025-06-01T11:05:00Z'),
      missed: { from: at('2025-06-01T10:00:00Z'), to: at('2025-06-01T10:55:00Z'), count: 12 },
    }));

  it('tells of one that was left out', () =>
    expect(
      planFiring('0 * * * *', 'UTC', at('2025-06-01T10:00:00Z'), at('2025-06-01T11:00:00Z')).missed,
    ).toEqual({
      from: at('2025-06-01T10:00:00Z'),
      to: at('2025-06-01T10:00:00Z'),
      count: 1,
    }));

  it('takes a moment that is none of its own as due', () =>
    expect(planFiring('0 0 * * *', 'UTC', at('2025-06-01T10:00:30Z'), at('2025-06-01T10:01:00Z'))).toEqual({
      next: at('2025-06-02T00:00:00Z'),
      missed: null,
    }));

  it('counts years of minutes', () => {
    const plan = planFiring(
      '* * * * *',
      'Europe/Berlin',
      at('2015-01-01T00:00:00Z'),
      at('2025-01-01T00:00:00Z'),
    );
    expect(plan.missed!.count).toBe((Date.UTC(2025, 0, 1) - Date.UTC(2015, 0, 1)) / 60_000);
  });
});
