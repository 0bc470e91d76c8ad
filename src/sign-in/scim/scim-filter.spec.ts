import { describe, expect, it } from 'vitest';

import { parseFilter, parsePath } from './scim-filter.js';

describe('a filter', () => {
  it.each<[string, object]>([
    ['userName eq "ada@acme.example"', [{ attribute: 'username', value: 'ada@acme.example' }]],
    [
      'urn:ietf:params:scim:schemas:core:2.0:User:userName Eq "a \\"b\\" \\u00e9"',
      [{ attribute: 'username', value: 'a "b" é' }],
    ],
    [
      'emails[type eq "work"].value eq "a@b.example"',
      [
        { attribute: 'emails.type', value: 'work' },
        { attribute: 'emails.value', value: 'a@b.example' },
      ],
    ],
    [
      'id eq "scg_1" and members[value eq "usr_1"]',
      [
        { attribute: 'id', value: 'scg_1' },
        { attribute: 'members.value', value: 'usr_1' },
      ],
    ],
    [
      'name.familyName eq "x" AND active eq True',
      [
        { attribute: 'name.familyname', value: 'x' },
        { attribute: 'active', value: true },
      ],
    ],
  ])('%s', (text, comparisons) => {
    expect(parseFilter(text)).toEqual(comparisons);
  });

  it.each([
    '',
    'userName',
    'userName eq',
    'userName eq ada',
    'userName eq "ada',
    'userName sw "a"',
    'userName pr',
    'not (userName eq "a")',
    'userName eq "a" or userName eq "b"',
    'userName eq "a" userName',
    'emails[type eq "work"',
    'emails[emails[type eq "work"]]',
    'userName eq "\u0001"',
    '"a" eq "a"',
    "userName eq 'a'",
    'members eq ["a"]',
  ])('is refused: %s', (text) => {
    expect(() => parseFilter(text)).toThrow(
      expect.objectContaining({ scimType: 'invalidFilter', status: 400 }),
    );
  });

  it('is no longer than is needed, and is soon read', () => {
    const many = Array.from({ length: 11 }, () => 'id eq "a"').join(' and ');
    expect(() => parseFilter(many)).toThrow('more than 10 comparisons');
    expect(() => parseFilter(`id eq "${'x'.repeat(2000)}"`)).toThrow('longer than 2000 characters');
    for (const open of ['"', '[', '\\"', '\n', 'a[', 'a.', '-1', ' and ']) {
      expect(() => parseFilter(`id eq "${open.repeat(Math.floor(1990 / open.length))}`)).toThrow();
      expect(() => parseFilter(open.repeat(Math.floor(2000 / open.length)))).toThrow();
    }
  });
});

describe('the path of an operation', () => {
  it.each<[string, object]>([
    ['active', { attribute: 'active', where: [], sub: null }],
    ['Name.familyName', { attribute: 'name', where: [], sub: 'familyname' }],
    [
      'members[value eq "usr_1"]',
      { attribute: 'members', where: [{ attribute: 'value', value: 'usr_1' }], sub: null },
    ],
    [
      'emails[type eq "work"].value',
      { attribute: 'emails', where: [{ attribute: 'type', value: 'work' }], sub: 'value' },
    ],
    [
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
      {
        attribute: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:user:department',
        where: [],
        sub: null,
      },
    ],
  ])('%s', (text, path) => {
    expect(parsePath(text)).toEqual(path);
  });

  it.each([
    '',
    '.value',
    'members[',
    'members[]',
    'members value',
    'emails[type ne "work"]',
    'members[members[value eq "a"]]',
  ])('is refused: %s', (text) => {
    expect(() => parsePath(text)).toThrow(expect.objectContaining({ scimType: 'invalidPath' }));
  });
});
