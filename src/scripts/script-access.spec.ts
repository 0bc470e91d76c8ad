import { describe, expect, it } from 'vitest';

import { assertStaysIn, loosened, patchGate, type ScriptGate, type SharedTeam } from './script-access.js';

const open: ScriptGate = { access: 'workspace', teamIds: [], approvalPolicy: 'none' };
const shared: ScriptGate = { access: 'teams', teamIds: ['a', 'b'], approvalPolicy: 'agents' };
const team = (id: string, more: Partial<SharedTeam> = {}): SharedTeam => ({
  id,
  hasGuests: false,
  hasCaller: false,
  ...more,
});

describe('patchGate', () => {
  it('changes what is named only', () => {
    expect(patchGate(shared, {})).toEqual(shared);
    expect(patchGate(shared, { approvalPolicy: 'always' })).toEqual({ ...shared, approvalPolicy: 'always' });
    expect(patchGate(shared, { teamIds: ['c', 'c'] })).toEqual({ ...shared, teamIds: ['c'] });
  });

  it('forgets the teams when it opens to the workspace', () => {
    expect(patchGate(shared, { access: 'workspace' })).toEqual({
      ...shared,
      access: 'workspace',
      teamIds: [],
    });
    expect(patchGate(shared, { access: 'workspace', teamIds: [] }).teamIds).toEqual([]);
  });

  it.each([
    [open, { teamIds: ['a'] }],
    [shared, { access: 'workspace' as const, teamIds: ['a'] }],
    [open, { access: 'teams' as const }],
    [open, { access: 'teams' as const, teamIds: [] }],
    [shared, { teamIds: [] }],
  ])('%j and %j do not go together', (before, patch) => {
    expect(() => patchGate(before, patch)).toThrow(/^teamIds: /);
  });
});

describe('loosened', () => {
  it.each<[string, ScriptGate, ScriptGate, SharedTeam[], string[]]>([
    ['nothing', shared, shared, [], []],
    ['a stricter policy', open, { ...open, approvalPolicy: 'always' }, [], []],
    ['a lower policy', shared, { ...shared, approvalPolicy: 'none' }, [], ['script.approval_policy']],
    ['to the workspace', shared, { ...shared, access: 'workspace', teamIds: [] }, [], ['script.access']],
    ['fewer teams', shared, { ...shared, teamIds: ['b'] }, [team('b')], []],
    ['another team', shared, { ...shared, teamIds: ['b', 'c'] }, [team('b'), team('c')], ['script.access']],
    ['from all to a team', open, { ...open, access: 'teams', teamIds: ['a'] }, [team('a')], []],
    [
      'to guests',
      open,
      { ...open, access: 'teams', teamIds: ['a'] },
      [team('a', { hasGuests: true })],
      ['script.access'],
    ],
    ['both', shared, open, [], ['script.approval_policy', 'script.access']],
  ])('%s', (_, before, after, teams, changes) => {
    expect(loosened(before, after, teams)).toEqual(changes);
  });
});

describe('assertStaysIn', () => {
  it('keeps a member from shutting themselves out', () => {
    expect(() => assertStaysIn('member', shared, [team('a'), team('b')])).toThrow(
      /^teamIds: must include a team/,
    );
    expect(() => assertStaysIn('member', shared, [team('a'), team('b', { hasCaller: true })])).not.toThrow();
    expect(() => assertStaysIn('member', open, [])).not.toThrow();
    expect(() => assertStaysIn('admin', shared, [team('a')])).not.toThrow();
  });
});
