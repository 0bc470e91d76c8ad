import { describe, expect, it } from 'vitest';

import { FiringPlans, nextRunAt, planFiring } from './firing-plan.js';

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

  it('counts years of minutes in no time', () => {
    const began = performance.now();
    const plan = planFiring(
      '* * * * *',
      'Europe/Berlin',
      at('2015-01-01T00:00:00Z'),
      at('2025-01-01T00:00:00Z'),
    );
    expect(plan.missed!.count).toBe((Date.UTC(2025, 0, 1) - Date.UTC(2015, 0, 1)) / 60_000);
    expect(performance.now() - began).toBeLessThan(1_000);
  });

  it('plans ten thousand different ones in a second or two', () => {
    const plans = new FiringPlans(at('2025-06-01T10:00:00.500Z'));
    const zones = Intl.supportedValuesOf('timeZone');
    const began = performance.now();
    for (let index = 0; index < 10_000; index++) {
      const cron = `0,${index % 60},${(index * 7) % 60} ${index % 24},${Math.floor(index / 60) % 24} * * *`;
      plans.of({ cron, timezone: zones[index % 50]!, due: at('2025-06-01T10:00:00Z') });
    }
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});
