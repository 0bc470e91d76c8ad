import { SCOPES } from '../core/access/index.js';
import type { ErrorDetail } from '../core/errors/index.js';

/** What is wrong with the scopes that are asked for, each at its place in the list. */
export function scopeProblems(scopes: readonly string[]): ErrorDetail[] {
  return problemsIn('scopes', scopes, (scope) =>
    (SCOPES as readonly string[]).includes(scope) ? null : 'is not a known scope',
  );
}

/** What is wrong with the workspaces that are asked for, given the slugs of the person's own. */
export function workspaceProblems(slugs: readonly string[], own: readonly string[]): ErrorDetail[] {
  return problemsIn('workspaces', slugs, (slug) =>
    own.includes(slug) ? null : 'is not a workspace that you are in',
  );
}

/** What is wrong with the end of a token's life at the moment `now`. */
export function expiryProblems(expiresAt: Date | null, now: Date): ErrorDetail[] {
  return expiresAt === null || expiresAt > now
    ? []
    : [{ path: 'expiresAt', message: 'must be in the future' }];
}

function problemsIn(
  path: string,
  values: readonly string[],
  problemOf: (value: string) => string | null,
): ErrorDetail[] {
  return values.flatMap((value, index) => {
    const problem = problemOf(value) ?? (values.indexOf(value) < index ? 'is in the list already' : null);
    return problem === null ? [] : [{ path: `${path}.${index}`, message: problem }];
  });
}
