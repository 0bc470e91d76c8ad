import { expect, test } from 'vitest';

import { SECTIONS, sectionAt, withinSettings } from './sections.js';

const offered = (rights: { administers: boolean; edits: boolean }): string[] =>
  SECTIONS.filter(({ isOffered }) => isOffered(rights)).map(({ label }) => label);

test('offers a member no API keys and no audit log, and a guest nothing', () => {
  expect(offered({ administers: true, edits: true })).toContain('Audit log');
  expect(offered({ administers: false, edits: true })).not.toContain('Audit log');
  expect(offered({ administers: false, edits: true })).not.toContain('API keys');
  expect(offered({ administers: false, edits: false })).toEqual([]);
});

test.each([
  ['', 'General'],
  ['/', 'General'],
  ['/secrets', 'Secrets'],
  ['/secrets/STRIPE_KEY', 'Secrets'],
  ['/api-keys/', 'API keys'],
  ['/nothing', undefined],
])('finds the section of %j', (path, label) => {
  expect(sectionAt(path)?.label).toBe(label);
});

test.each([
  ['/w/acme/-/settings', ''],
  ['/below/w/acme/staging/settings/secrets/KEY', '/secrets/KEY'],
  ['/w/acme/-/scripts/mail/settings', null],
  ['/w/settings/-/runs', null],
])('finds what of %j is below the settings', (pathname, within) => {
  expect(withinSettings(pathname)).toBe(within);
});
