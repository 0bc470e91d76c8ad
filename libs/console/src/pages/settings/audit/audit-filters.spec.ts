import { expect, test } from 'vitest';

import { auditFilters, auditQuery } from './audit-filters.js';

test('takes filters from an address, and drops what cannot be one', () => {
  expect(auditFilters({ action: 'secret.updated', actor: 'usr_1', since: '2026-01-31' })).toEqual({
    action: 'secret.updated',
    actor: 'usr_1',
    since: '2026-01-31',
  });
  expect(auditFilters({ action: 7, since: 'yesterday', other: 'x' })).toEqual({});
  expect(auditFilters({ since: '2026-99-99' })).toEqual({});
  expect(auditFilters({ target: 'scr_1' })).toEqual({ target: 'scr_1' });
  expect(auditFilters({ target: 'run_1' })).toEqual({});
});

test('asks from the beginning of the day on', () => {
  expect(auditQuery({ since: '2026-01-31' })).toEqual({ since: new Date(2026, 0, 31).toISOString() });
});

test('asks to the end of the day', () => {
  expect(auditFilters({ until: '2026-01-31' })).toEqual({ until: '2026-01-31' });
  expect(auditQuery({ until: '2026-01-31' })).toEqual({ until: new Date(2026, 1, 1).toISOString() });
});
