import { describe, expect, it } from 'vitest';

import { deliveryQuery, deliverySearchOf } from './delivery-search.js';

describe('deliverySearchOf', () => {
  it('keeps what fits and leaves the rest out', () => {
    const search = { status: 'failed', type: 'run.failed', since: 'day', until: 'never', page: 3 };
    expect(deliverySearchOf(search)).toEqual({ status: 'failed', type: 'run.failed', since: 'day' });
    expect(deliverySearchOf({ status: 'odd', type: 'not a type' })).toEqual({});
    expect(deliverySearchOf({ since: '2026-01-31T10:00:00+01:00' })).toEqual({
      since: '2026-01-31T09:00:00.000Z',
    });
  });
});

describe('deliveryQuery', () => {
  it('asks for an instant to the minute', () => {
    const now = Date.UTC(2026, 0, 31, 12, 0, 42);
    expect(deliveryQuery({ status: 'pending', type: 'ping', since: 'hour' }, now)).toEqual({
      status: 'pending',
      eventType: 'ping',
      since: '2026-01-31T11:00:00.000Z',
    });
    expect(deliveryQuery({}, now)).toEqual({});
  });
});
