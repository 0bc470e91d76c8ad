import { describe, expect, it } from 'vitest';

import { claimedGroups } from './claimed-groups.js';

describe('the groups that a provider says', () => {
  it.each<[string, object, string, string[] | null]>([
    ['a list', { groups: ['/a', 'b', 'b'] }, 'groups', ['/a', 'b']],
    ['no list, where there is one', { groups: 'a,b' }, 'groups', ['a,b']],
    ['none', { groups: [] }, 'groups', []],
    ['nothing', {}, 'groups', null],
    ['null', { groups: null }, 'groups', null],
    ['roles inside of an object', { realm_access: { roles: ['a'] } }, 'realm_access.roles', ['a']],
    ['a claim with dots', { 'https://acme.example/groups': ['a'] }, 'https://acme.example/groups', ['a']],
    ['no property of every object', {}, 'constructor.name', null],
    ['others elsewhere', { groups: ['a'], _claim_names: { roles: 'src1' } }, 'groups', ['a']],
  ])('are %s', (_, claims, name, groups) => {
    const claimed = claimedGroups(claims as Record<string, unknown>, name);
    expect(claimed && [...claimed]).toEqual(groups);
  });

  it.each<[string, object, RegExp]>([
    ['elsewhere', { _claim_names: { groups: 'src1' } }, /more groups than Entra puts/],
    ['elsewhere, in short', { hasgroups: true }, /Groups assigned to the application/],
    ['an object', { groups: { admin: true } }, /something else than names/],
    ['numbers', { groups: ['a', 1] }, /something else than names/],
    ['lists', { groups: [['admin']] }, /something else than names/],
    ['too many', { groups: Array.from({ length: 10_000 }, (_, at) => `g${at}`) }, /more than 2000 groups/],
  ])('are refused where they are %s', (_, claims, why) => {
    expect(() => claimedGroups(claims as Record<string, unknown>, 'groups')).toThrow(why);
  });
});
