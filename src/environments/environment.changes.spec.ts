import { describe, expect, it } from 'vitest';

import { type EnvironmentSettings, changedFields, loosened, patched } from './environment.changes.js';

const strict: EnvironmentSettings = {
  name: 'live',
  approvalPolicy: 'always',
  agentsAllowed: false,
  isDefault: false,
};
describe('patched', () => {
  it('changes what is given and nothing else', () => {
    expect(patched(strict, {})).toEqual(strict);
    expect(patched(strict, { agentsAllowed: true, name: undefined })).toEqual({
      ...strict,
      agentsAllowed: true,
    });
  });
});

describe('changedFields', () => {
  it('names what differs, in the order of the record', () => {
    expect(changedFields(strict, strict)).toEqual([]);
    expect(changedFields(strict, { ...strict, isDefault: true, name: 'x' })).toEqual(['name', 'isDefault']);
  });
});

describe('loosened', () => {
  const lax: EnvironmentSettings = { ...strict, approvalPolicy: 'none', agentsAllowed: true };

  it.each<[Partial<EnvironmentSettings>, string[]]>([
    [{ approvalPolicy: 'agents' }, ['environment.approval_policy']],
    [{ agentsAllowed: true }, ['environment.agents_allowed']],
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
