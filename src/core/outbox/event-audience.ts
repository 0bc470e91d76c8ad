import {
  refusalInWorkspace,
  type Role,
  type Scope,
  type Viewer,
  type WorkspaceRule,
} from '../access/index.js';
import type { ProblemError } from '../errors/index.js';

/** Who may follow events of a type: those who may read what it tells of. */
export interface EventAudience {
  /** One of Gatehouse's, or of `@Extension({ scopes })`. */
  scope: string;
  role: Role;
  /** The thing that has to be visible besides: its kind as in `SubjectVisibility`, and where its id stands in `data`. */
  about?: { kind: string; path: string };
}

/**
 * Whoever may read webhook endpoints may follow every event, since an endpoint gets every event: by token an owner, in the
 * app an admin as well, and an API key.
 */
export const EVERY_EVENT: WorkspaceRule = {
  scope: 'workspace.webhooks:read',
  role: 'admin',
  roleByToken: 'owner',
  everyScript: true,
  reach: 'own',
};

/** Whether somebody may follow events of a type at all, or why not; each event is judged besides, unless they may follow `all`. */
export function mayFollow(
  viewer: Viewer,
  audience: EventAudience | undefined,
): 'all' | 'some' | ProblemError {
  const refusal = refusalInWorkspace(EVERY_EVENT, viewer);
  if (refusal === null) return 'all';
  if (!audience) return refusal;
  const { role } = audience;
  // There is such a scope: the catalogue is refused otherwise.
  const scope = audience.scope as Scope;
  return refusalInWorkspace({ scope, role, reach: 'own' }, viewer) ?? 'some';
}

/** The id at a dotted path of an event's data, or null. */
export function idAt(data: unknown, path: string): string | null {
  let value = data;
  for (const step of path.split('.')) {
    if (typeof value !== 'object' || value === null) return null;
    value = (value as Record<string, unknown>)[step];
  }
  return typeof value === 'string' ? value : null;
}
