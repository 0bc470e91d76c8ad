import { describe, expect, it } from 'vitest';

import type { Caller, CallerKind } from '../core/access/caller.js';
import { type EnvironmentSettings, changedFields, looseningProblem, patched } from './environment.changes.js';

const strict: EnvironmentSettings = {
  name: 'live',
  approvalPolicy: 'always',
  agentsAllowed: false,
  isDefault: false,
};
const as = (kind: CallerKind): Caller => ({
  kind,
  credentialId: 'c',
  credentialName: null,
  person: null,
  scopes: null,
});

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

describe('looseningProblem', () => {
  it.each<[CallerKind, boolean]>([
    ['session', true],
    ['personal_token', true],
    ['api_key', false],
    ['agent', false],
  ])('by %s: allowed %s', (kind, allowed) => {
    expect(looseningProblem(as(kind), strict, { ...strict, approvalPolicy: 'agents' }) === null).toBe(
      allowed,
    );
    expect(looseningProblem(as(kind), strict, { ...strict, agentsAllowed: true }) === null).toBe(allowed);
  });

  it('lets anybody tighten, rename and repeat what is', () => {
    const lax: EnvironmentSettings = { ...strict, approvalPolicy: 'none', agentsAllowed: true };
    expect(looseningProblem(as('agent'), lax, strict)).toBeNull();
    expect(looseningProblem(as('agent'), lax, { ...lax, name: 'other' })).toBeNull();
    expect(looseningProblem(as('api_key'), strict, { ...strict })).toBeNull();
  });
});
