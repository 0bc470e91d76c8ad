import type { Role, WorkspaceCaller } from '../core/access/index.js';

/** Who looks at scripts, as far as it decides which exist for them. */
export interface ScriptViewer {
  workspaceId: string;
  role: Role;
  /** null for an API key. */
  userId: string | null;
}

export function viewerOf(caller: WorkspaceCaller): ScriptViewer {
  return { workspaceId: caller.workspace.id, role: caller.role, userId: caller.person?.id ?? null };
}
