import type { Role, VisibilityViewer, WorkspaceCaller } from '../core/access/index.js';

/** Who looks at scripts, as far as it decides which exist for them. */
export interface ScriptViewer extends VisibilityViewer {
  workspaceId: string;
  role: Role;
}

export function viewerOf(caller: WorkspaceCaller): ScriptViewer {
  const { workspace, role, person, scriptChoice } = caller;
  return { workspaceId: workspace.id, role, userId: person?.id ?? null, scriptChoice };
}
