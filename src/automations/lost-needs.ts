import type { DispatchedEvent } from '../core/outbox/index.js';

/** What schedules and triggers need, and may not have any more. */
export interface LostNeeds {
  /** Archived, unpublished, or open to fewer people. */
  scriptIds: readonly string[];
  /** In which an environment was opened to agents or closed to them. */
  workspaceIds: readonly string[];
  /** Gone, or with another role. */
  members: readonly { workspaceId: string; userId: string }[];
}

export const NOTHING_LOST: LostNeeds = { scriptIds: [], workspaceIds: [], members: [] };

export function lostNeeds(events: readonly DispatchedEvent[]): LostNeeds | null {
  const scriptIds: string[] = [];
  const workspaceIds: string[] = [];
  const members: LostNeeds['members'][number][] = [];
  for (const { type, data, workspaceId } of events) {
    if (type === 'script.archived') scriptIds.push((data['script'] as { id: string }).id);
    if (type === 'workspace.member.removed' || type === 'workspace.member.role_changed') {
      members.push({ workspaceId, userId: data['userId'] as string });
    }
    if (type === 'environment.updated' && (data['changed'] as string[]).includes('agentsAllowed')) {
      workspaceIds.push(workspaceId);
    }
  }
  const lost = { scriptIds, workspaceIds, members };
  return Object.values(lost).every((list) => list.length === 0) ? null : lost;
}
