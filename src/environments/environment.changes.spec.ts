import { describe, expect, it } from 'vitest';

import { type EnvironmentSettings, loosened } from './environment.changes.js';

const strict: EnvironmentSettings = {
  name: 'live',
  approvalPolicy: 'always',
  agentsAllowed: false,
  runsOn: [],
  isDefault: false,
};

describe('loosened', () => {
  const lax: EnvironmentSettings = { ...strict, approvalPolicy: 'none', agentsAllowed: true };

  it.each<[Partial<EnvironmentSettings>, string[]]>([
    [{ approvalPolicy: 'agents' }, ['environment.approval_policy']],
    [{ agentsAllowed: true }, ['environment.agents_allowed']],
    [{ runsOn: ['eu-vpc'] }, []],
    [{ isDefault: true }, ['environment.default']],
    [{ name: 'other' }, ['environment.name']],
    [{ approvalPolicy: 'none', name: 'other' }, ['environment.approval_policy', 'environment.name']],
    [{}, []],
  ])('by %j: %j', (patch, loosenings) => {
    expect(loosened(strict, { ...strict, ...patch })).toEqual(loosenings);
  });

  it('is nothing that is stricter afterwards', () => {
    expect(loosened(lax, strict)).toEqual([]);
  });
});
