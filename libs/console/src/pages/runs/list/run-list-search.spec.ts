import { describe, expect, it } from 'vitest';

import { runListQuery, runListSearchOf } from './run-list-search.js';

describe('runListSearchOf', () => {
  it('keeps what fits and leaves the rest out', () => {
    const search = { script: 'weather', status: 'odd', interface: 'api', since: 'week', page: 3, by: '' };
    expect(runListSearchOf(search)).toEqual({ script: 'weather', interface: 'api', since: 'week' });
    expect(runListSearchOf({ q: 42, label: 'a=1' })).toEqual({ q: '42', label: ['a=1'] });
    expect(runListSearchOf({ label: ['a', '', {}, 'b=2'] })).toEqual({ label: ['a', 'b=2'] });
    expect(runListSearchOf({ q: '', label: [] })).toEqual({});
    expect(runListSearchOf({ status: 'failed,odd,running', minSeconds: '60' })).toEqual({
      status: 'running,failed',
      minSeconds: 60,
    });
    expect(runListSearchOf({ minSeconds: 7 })).toEqual({ minSeconds: 7 });
    for (const minSeconds of ['soon', 0, -1, 1.5, 1e9, [60]])
      expect(runListSearchOf({ minSeconds })).toEqual({});
    expect(runListSearchOf({ since: '2026-01-31T10:00:00+01:00', until: 'never' })).toEqual({
      since: '2026-01-31T09:00:00.000Z',
    });
  });
});

describe('runListQuery', () => {
  it('asks for an instant to the minute, and for a person by id', () => {
    const now = Date.UTC(2026, 0, 31, 12, 0, 42);
    expect(runListQuery({ by: 'usr_1', since: 'day', status: 'failed' }, now)).toEqual({
      startedBy: 'usr_1',
      since: '2026-01-30T12:00:00.000Z',
      status: 'failed',
    });
    const until = '2026-01-31T10:00:00.000Z';
    expect(runListQuery({ since: '2026-01-31T09:00:00.000Z', until }, now)).toEqual({
      since: '2026-01-31T09:00:00.000Z',
      until,
    });
  });
});
