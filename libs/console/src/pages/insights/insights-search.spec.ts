import { describe, expect, it } from 'vitest';

import { insightsSearchOf, periodOf } from './insights-search.js';

const NOW = Date.parse('2026-11-27T08:20:00Z');

describe('insightsSearchOf', () => {
  it('keeps what fits and leaves out the rest', () => {
    expect(insightsSearchOf({ since: 'week', until: '2026-11-01', by: 'minute', script: 'a' })).toEqual({
      since: 'week',
      script: 'a',
    });
    expect(insightsSearchOf({ since: '2026-11-01', until: '2026-11-31T', environment: '' })).toEqual({
      since: '2026-11-01',
    });
    expect(insightsSearchOf({ since: 'ever', until: '2026-11-01' })).toEqual({});
  });
});

describe('periodOf', () => {
  it('is the last 24 hours by hour where nothing is chosen', () => {
    expect(periodOf({}, NOW)).toEqual({ by: 'hour', since: '2026-11-26T09:00:00.000Z', units: ['hour'] });
  });

  it('is by day where it is longer, and by hour where that is wanted and there are not too many', () => {
    expect(periodOf({ since: 'week' }, NOW)).toMatchObject({ by: 'day', since: '2026-11-21T00:00:00.000Z' });
    expect(periodOf({ since: 'week', by: 'hour' }, NOW)).toMatchObject({
      by: 'hour',
      since: '2026-11-20T09:00:00.000Z',
    });
    expect(periodOf({ since: 'month', by: 'hour' }, NOW)).toMatchObject({ by: 'day', units: ['day'] });
    expect(periodOf({ since: 'month', by: 'hour', script: 'a' }, NOW)).toMatchObject({ by: 'hour' });
  });

  it('is a period of days, the last one included', () => {
    expect(periodOf({ since: '2026-11-01', until: '2026-11-10' }, NOW)).toMatchObject({
      by: 'day',
      since: '2026-11-01T00:00:00.000Z',
      until: '2026-11-11T00:00:00.000Z',
    });
  });

  it('is one day where its end lies before it, and no longer than the service gives', () => {
    const { by, since, until } = periodOf({ since: '2026-11-10', until: '2026-11-01' }, NOW);
    expect([by, Date.parse(until!) > Date.parse(since)]).toEqual(['hour', true]);
    const long = periodOf({ since: '2020-01-01', until: '2026-01-01' }, NOW);
    expect((Date.parse(long.until!) - Date.parse(long.since)) / 86_400_000).toBe(744);
  });
});
