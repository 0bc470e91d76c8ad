import { describe, expect, it } from 'vitest';

import { expiryProblems, scopeProblems, workspaceProblems } from './personal-token.rules.js';

describe('what a token may be granted', () => {
  it('are known scopes, each once', () => {
    expect(scopeProblems(['runs:read', 'workspace.audit:read'])).toEqual([]);
    expect(scopeProblems(['runs:read', 'runs:execute', 'Runs:read', 'runs:read'])).toEqual([
      { path: 'scopes.1', message: 'is not a known scope' },
      { path: 'scopes.2', message: 'is not a known scope' },
      { path: 'scopes.3', message: 'is in the list already' },
    ]);
  });

  it("are workspaces of the person's, each once", () => {
    expect(workspaceProblems(['a', 'b'], ['b', 'a', 'c'])).toEqual([]);
    expect(workspaceProblems(['a', 'x', 'a'], ['a'])).toEqual([
      { path: 'workspaces.1', message: 'is not a workspace that you are in' },
      { path: 'workspaces.2', message: 'is in the list already' },
    ]);
  });

  it('ends in the future or never', () => {
    const now = new Date('2030-01-01T00:00:00Z');
    expect(expiryProblems(null, now)).toEqual([]);
    expect(expiryProblems(new Date(now.getTime() + 1), now)).toEqual([]);
    expect(expiryProblems(now, now)).toEqual([{ path: 'expiresAt', message: 'must be in the future' }]);
  });
});
