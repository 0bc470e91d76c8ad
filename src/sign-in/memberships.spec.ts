import { describe, expect, it } from 'vitest';

import { membershipsOf } from './memberships.js';

const MAPPING = {
  roles: [
    { group: 'users', workspace: 'main', role: 'member' as const },
    { group: 'admins', workspace: 'main', role: 'admin' as const },
    { group: 'ops', workspace: 'night', role: 'owner' as const },
  ],
  teams: [
    { group: 'support', workspace: 'main', team: 'Support' },
    { group: 'help', workspace: 'main', team: 'Support' },
  ],
  defaultRoles: [],
};

describe('what groups are here', () => {
  it.each<[string[], string | null, boolean, string | null]>([
    [['admins', 'users'], 'admin', false, null],
    [['users', 'admins', 'help'], 'admin', true, null],
    [['users', 'support'], 'member', true, null],
    [['ops'], null, false, 'owner'],
    [[], null, false, null],
    [['Users', 'users ', '/users'], null, false, null],
  ])('%j', (groups, main, support, night) => {
    expect(membershipsOf(MAPPING, new Set(groups))).toEqual([
      { workspace: 'main', role: main, teams: { Support: support } },
      { workspace: 'night', role: night, teams: {} },
    ]);
  });

  it('is at least the default', () => {
    const mapping = { ...MAPPING, defaultRoles: [{ workspace: 'main', role: 'guest' as const }] };
    const roleOf = (...groups: string[]) => membershipsOf(mapping, new Set(groups))[0]!.role;
    expect([roleOf(), roleOf('users'), roleOf('ops')]).toEqual(['guest', 'member', 'guest']);
  });
});
