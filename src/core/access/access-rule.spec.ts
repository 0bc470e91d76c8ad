import { describe, expect, it } from 'vitest';

import { refusalInWorkspace, type WorkspaceRule } from './access-rule.js';
import type { WorkspaceCaller } from './caller.js';

const caller = (bound: boolean): WorkspaceCaller => ({
  kind: 'api_key',
  credentialId: 'key_1',
  credentialName: 'a key',
  person: null,
  scopes: null,
  confirmed: true,
  workspace: { id: 'wks_1', slug: 'acme', name: 'Acme' },
  role: 'admin',
  environment: {
    id: 'env_1',
    name: 'staging',
    approvalPolicy: 'none',
    agentsAllowed: true,
    isDefault: false,
  },
  bound,
});

describe('a route', () => {
  it.each<[Partial<WorkspaceRule>, boolean]>([
    [{ reach: 'own' }, true],
    [{ reach: 'shared' }, true],
    [{ reach: 'all' }, false],
    // As an extension's may be.
    [{}, false],
  ])('with %j lets a bound credential in: %s', (word, isLetIn) => {
    const rule = { role: 'guest', ...word } as WorkspaceRule;
    expect(refusalInWorkspace(rule, caller(true)) === null).toBe(isLetIn);
    expect(refusalInWorkspace(rule, caller(false))).toBeNull();
  });
});
