import { describe, expect, it } from 'vitest';

import { MOST_NAMED, patchGroup, readGroup } from './group-attributes.js';
import { patchSteps } from './scim-body.js';

const NAMES = { displayName: 'Support', externalId: null };
const ids = (...values: string[]) => values.map((value) => ({ $ref: null, value }));
const patched = (...operations: object[]) => {
  const { names, members } = patchGroup(NAMES, patchSteps({ Operations: operations }));
  return { names, replaces: members.replaces, joins: [...members.joins], leaves: [...members.leaves] };
};

describe('a group as a directory says it', () => {
  it('has a name and members', () => {
    const { names, members } = readGroup({
      displayName: 'Support',
      externalId: 'g',
      members: ids('a', 'b', 'a'),
    });
    expect(names).toEqual({ displayName: 'Support', externalId: 'g' });
    expect([members.replaces, [...members.joins]]).toEqual([true, ['a', 'b']]);
    expect(() => readGroup({ members: [] })).toThrow('displayName: is missing');
  });
});

describe('a change of a group', () => {
  it.each<[string, object[], object]>([
    ['of Entra: who joins', [{ op: 'Add', path: 'members', value: ids('a', 'b') }], { joins: ['a', 'b'] }],
    ['of Entra: who leaves', [{ op: 'Remove', path: 'members', value: ids('a') }], { leaves: ['a'] }],
    ['of Okta: who leaves', [{ op: 'remove', path: 'members[value eq "a"]' }], { leaves: ['a'] }],
    [
      'of one member that is no list',
      [{ op: 'add', path: 'members', value: { value: 'a' } }],
      { joins: ['a'] },
    ],
    ['of all', [{ op: 'replace', path: 'members', value: ids('a') }], { replaces: true, joins: ['a'] }],
    ['that leaves nobody', [{ op: 'remove', path: 'members' }], { replaces: true }],
    ['without a path', [{ op: 'add', value: { members: ids('a') } }], { joins: ['a'] }],
    [
      'in steps',
      [
        { op: 'add', path: 'members', value: ids('a', 'b') },
        { op: 'remove', path: 'members[value eq "a"]' },
        { op: 'remove', path: 'members', value: ids('c') },
        { op: 'add', path: 'members', value: ids('c') },
      ],
      { joins: ['b', 'c'], leaves: ['a'] },
    ],
    [
      'of the name, as Okta sends it',
      [{ op: 'replace', value: { id: 'scg_1', displayName: 'Help' } }],
      { names: { displayName: 'Help', externalId: null } },
    ],
  ])('%s', (_, operations, change) => {
    expect(patched(...operations)).toEqual({
      names: NAMES,
      replaces: false,
      joins: [],
      leaves: [],
      ...change,
    });
  });

  it('names so many people at most, however they are named', () => {
    const many = (from: number, count: number) =>
      ids(...Array.from({ length: count }, (_, at) => `u${from + at}`));
    expect(patched({ op: 'add', path: 'members', value: many(0, MOST_NAMED) }).joins).toHaveLength(
      MOST_NAMED,
    );
    const half = MOST_NAMED / 2 + 1;
    const twice = [
      { op: 'add', path: 'members', value: many(0, half) },
      { op: 'remove', path: 'members', value: many(half, half) },
    ];
    expect(() => patched(...twice)).toThrow(expect.objectContaining({ code: 'payload_too_large' }));
    expect(() => readGroup({ displayName: 'x', members: many(0, MOST_NAMED + 1) })).toThrow(
      '10000 people at most',
    );
  });

  it.each<[object, string]>([
    [{ op: 'add', path: 'members', value: [{ display: 'a' }] }, 'the id of a person'],
    [{ op: 'add', path: 'members', value: [7] }, 'the id of a person'],
    [{ op: 'remove', path: 'members[display eq "a"]' }, 'are chosen by `value`'],
  ])('is refused: %j', (operation, problem) => {
    expect(() => patched(operation)).toThrow(problem);
  });
});
