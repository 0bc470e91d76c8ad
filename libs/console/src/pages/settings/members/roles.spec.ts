import { expect, test } from 'vitest';

import { mayChange, rolesGivenBy } from './roles.js';

test('lets an owner make owners, an admin all but those, and others nobody', () => {
  expect(rolesGivenBy('owner')).toContain('owner');
  expect(rolesGivenBy('admin')).toEqual(['guest', 'member', 'admin']);
  expect(rolesGivenBy('member')).toEqual([]);
});

test('lets an admin change admins, but no owner', () => {
  expect(mayChange('admin', 'admin')).toBe(true);
  expect(mayChange('admin', 'owner')).toBe(false);
  expect(mayChange('owner', 'owner')).toBe(true);
});
