import { describe, expect, it } from 'vitest';

import { refusalInWorkspace, type WorkspaceRule } from './access-rule.js';
import type { WorkspaceCaller } from './caller.js';

const caller = (bound: boolean): WorkspaceCaller => ({
  kind: 'api_key',
  credentialId: 'key_1',
  credentialName: 'a key',
  person: null,
  scopes: null,
  scriptChoice: null,
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
  stepUpMinutes: null,
  bound,
});

const granted = (kind: WorkspaceCaller['kind'], scopes: string[] | null): WorkspaceCaller => ({
  ...caller(false),
  kind,
  scopes: scopes && new Set(scopes),
});
const refusal = (rule: Partial<WorkspaceRule>, by: WorkspaceCaller) =>
  refusalInWorkspace({ role: 'guest', reach: 'own', ...rule }, by);

describe('a key with scopes', () => {
  it('is judged as a token is, where a route asks for one', () => {
    for (const kind of ['api_key', 'personal_token', 'agent'] as const) {
      expect(refusal({ scope: 'runs:read' }, granted(kind, ['runs:read']))).toBeNull();
      expect(refusal({ scope: 'runs:write' }, granted(kind, ['runs:read']))?.headers).toEqual({
        'www-authenticate': 'Bearer error="insufficient_scope", scope="runs:write"',
      });
    }
    expect(refusal({ scope: 'runs:write' }, granted('api_key', null))).toBeNull();
  });

  it('is refused where a route asks for none, unless that follows the scopes itself', () => {
    const scoped = granted('api_key', ['runs:read']);
    expect(refusal({}, scoped)?.headers).toEqual({ 'www-authenticate': 'Bearer error="insufficient_scope"' });
    expect(refusal({ followsScopes: true }, scoped)).toBeNull();
    expect(refusal({}, granted('api_key', null))).toBeNull();
    expect(refusal({}, granted('personal_token', ['runs:read']))).toBeNull();
  });
});

describe('/mcp', () => {
  it.each<[WorkspaceCaller['kind'], string[] | null, boolean]>([
    ['agent', ['runs:read'], true],
    ['api_key', ['mcp'], true],
    ['personal_token', ['mcp', 'runs:read'], true],
    ['api_key', ['runs:read'], false],
    ['personal_token', ['runs:read'], false],
    // What was made before says nothing of models.
    ['api_key', null, false],
  ])('lets %s with %j in: %s', (kind, scopes, isLetIn) => {
    expect(refusal({ scope: 'mcp' }, granted(kind, scopes)) === null).toBe(isLetIn);
  });
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
