import { expect, test } from 'vitest';

import { detailsOf } from './audit-details.js';

test('says in words what is known of an entry', () => {
  expect(
    detailsOf({ name: 'CI', environment: null, previousName: 'Build', scopes: ['runs:read', 'mcp'] }),
  ).toEqual([
    { name: 'name', value: 'CI' },
    { name: 'previous name', value: 'Build' },
    { name: 'scopes', value: 'runs:read, mcp' },
  ]);
  expect(
    detailsOf({ enabled: { from: true, to: false }, tags: { from: [], to: ['a'] }, failed: false }),
  ).toEqual([
    { name: 'enabled', value: 'yes → no' },
    { name: 'tags', value: 'none → a' },
    { name: 'failed', value: 'no' },
  ]);
  expect(detailsOf({ budget: { runs: 5 } })).toEqual([{ name: 'budget', value: '{"runs":5}' }]);
  expect(detailsOf({})).toEqual([]);
});
