import { describe, expect, it } from 'vitest';

import { patchSteps } from './scim-body.js';
import { emailOf, nameOf, patchUser, readUser, type UserAttributes } from './user-attributes.js';

const ADA: UserAttributes = {
  userName: 'ada@acme.example',
  externalId: 'x-1',
  active: true,
  profile: {
    displayName: 'Ada',
    name: { givenName: 'Ada', familyName: 'Byron' },
    emails: [{ value: 'ada@acme.example', type: 'work', primary: true }],
  },
};

const patched = (...operations: object[]) => patchUser(ADA, patchSteps({ Operations: operations }));

describe('a person as a directory says them', () => {
  it('has what is known here, whatever else is said', () => {
    const user = readUser({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      UserName: ' ada@acme.example ',
      externalId: 'x-1',
      active: 'True',
      displayName: 'Ada',
      name: { givenName: 'Ada', familyName: 'Byron', middleName: 'K.' },
      emails: [{ value: 'ada@acme.example', type: 'work', primary: true, display: 'x' }],
      phoneNumbers: [{ value: '1' }],
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'Sales' },
    });
    expect(user).toEqual(ADA);
  });

  it.each<[object, string]>([
    [{}, 'userName: is missing'],
    [{ userName: 7 }, 'userName: must be a string'],
    [{ userName: 'a\u0000' }, 'userName: '],
    [{ userName: 'x'.repeat(255) }, 'userName: must be at most 254 characters long'],
    [{ userName: 'a', active: 'maybe' }, 'active: must be true or false'],
    [
      { userName: 'a', emails: Array.from({ length: 21 }, () => ({ value: 'a' })) },
      'emails: there may be 20',
    ],
    [{ userName: 'a', emails: [{ value: {} }] }, 'emails.value: must be a string'],
  ])('is refused as %j', (body, problem) => {
    expect(() => readUser(body as Record<string, unknown>)).toThrow(problem);
  });

  it('is what it was where nothing else is said', () => {
    expect(readUser({ userName: 'a' })).toEqual({
      userName: 'a',
      externalId: null,
      profile: {},
    });
  });

  it('has one name and one address that count', () => {
    expect(nameOf({ name: { givenName: 'Ada', familyName: 'Byron' } })).toBe('Ada Byron');
    expect(nameOf({})).toBeNull();
    expect(emailOf({ emails: [{ value: 'a' }, { value: 'b', type: 'Work' }] })).toBe('b');
    expect(
      emailOf({
        emails: [
          { value: 'a', type: 'work' },
          { value: 'b', primary: true },
        ],
      }),
    ).toBe('b');
    expect(emailOf({})).toBeNull();
  });
});

describe('a change of a person', () => {
  it.each<[string, object, object]>([
    ['as the standard has it', { op: 'replace', path: 'active', value: false }, { active: false }],
    ['of Entra', { op: 'Replace', path: 'active', value: 'False' }, { active: false }],
    ['of Okta', { op: 'replace', value: { active: false } }, { active: false }],
    ['with the id beside it', { op: 'replace', value: { id: 'usr_1', active: false } }, { active: false }],
  ])('%s', (_, operation, change) => {
    expect(patched(operation)).toEqual({ ...ADA, ...change });
  });

  it('is of names, whole and in parts', () => {
    const { profile } = patched(
      { op: 'Replace', path: 'name.familyName', value: 'Lovelace' },
      { op: 'Add', path: 'name.formatted', value: 'Ada Lovelace' },
      { op: 'Remove', path: 'displayName' },
    );
    expect(profile.name).toEqual({ givenName: 'Ada', familyName: 'Lovelace', formatted: 'Ada Lovelace' });
    expect(nameOf(profile)).toBe('Ada Lovelace');
    expect(patched({ op: 'replace', value: { 'name.givenName': 'Augusta' } }).profile.name).toEqual({
      givenName: 'Augusta',
      familyName: 'Byron',
    });
    expect(patched({ op: 'replace', path: 'name', value: { familyName: 'L.' } }).profile.name).toEqual({
      givenName: 'Ada',
      familyName: 'L.',
    });
  });

  it('is of addresses by their kind', () => {
    const work = (value: string) => [{ value, type: 'work', primary: true }];
    const path = 'emails[type eq "work"].value';
    expect(patched({ op: 'Replace', path, value: 'new@acme.example' }).profile.emails).toEqual(
      work('new@acme.example'),
    );
    expect(patched({ op: 'Remove', path: 'emails[type eq "work"]' }).profile.emails).toEqual([]);
    expect(
      patched({ op: 'Add', path: 'emails[type eq "home"].value', value: 'h@x.example' }).profile.emails,
    ).toEqual([...work('ada@acme.example'), { value: 'h@x.example', type: 'home' }]);
    expect(patched({ op: 'replace', path: 'emails', value: work('b@acme.example') }).profile.emails).toEqual(
      work('b@acme.example'),
    );
  });

  it('leaves what it began from as it was', () => {
    const before = structuredClone(ADA);
    patched({ op: 'replace', path: 'name.familyName', value: 'L.' });
    expect(ADA).toEqual(before);
  });

  it('may be of what is not known here', () => {
    const path = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department';
    expect(patched({ op: 'Add', path, value: 'Sales' }, { op: 'add', path: 'title', value: 'x' })).toEqual(
      ADA,
    );
  });

  it.each<[unknown, string]>([
    [undefined, 'must be a list'],
    [[{ op: 'move', path: 'active', value: true }], 'must be add, replace or remove'],
    [['x'], 'each must be an object'],
    [[{ op: 'replace', value: 'x' }], 'without a path has an object'],
    [[{ op: 'remove' }], 'removes nothing'],
    [[{ op: 'remove', path: 'userName' }], 'cannot be removed'],
    [[{ op: 'replace', path: 'active', value: 'x' }], 'must be true or false'],
    [Array.from({ length: 1001 }, () => ({ op: 'add', path: 'a', value: 1 })), 'there may be 1000'],
  ])('is refused: %j', (operations, problem) => {
    expect(() => patchUser(ADA, patchSteps({ Operations: operations }))).toThrow(problem);
  });
});
