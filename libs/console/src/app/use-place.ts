import type { WorkspaceOfUser } from '@gatehouse/client/operations';
import { useParams } from '@tanstack/react-router';

import type { Place } from '../api/place.js';
import { useUser } from '../api/session.js';

export type Role = 'owner' | 'admin' | 'member' | 'guest';

/** The workspace and the environment of the page. */
export function usePlace(): Place {
  const { workspace, environment } = useParams({ strict: false });
  if (workspace === undefined || environment === undefined)
    throw new Error('This page is not within a workspace.');
  return { workspace, environment };
}

export function useWorkspace(): WorkspaceOfUser & { role: Role } {
  const { workspace } = usePlace();
  const found = useUser().workspaces.find(({ slug }) => slug === workspace);
  if (!found) throw new Error('You are not a member of this workspace.');
  return found as WorkspaceOfUser & { role: Role };
}

/** What is offered to the person; the service decides each request anew. */
export function useRights() {
  const { role } = useWorkspace();
  const administers = role === 'owner' || role === 'admin';
  return { role, isOwner: role === 'owner', administers, edits: administers || role === 'member' };
}
