import type { DispatchedEvent } from '../core/outbox/event-consumers.js';

/** What schedules and triggers need and may have lost. */
export interface LostNeeds {
  /** Archived. */
  scriptIds: string[];
  /** Opened to agents or closed to them. */
  environmentIds: string[];
  /** Gone, or with another role. */
  members: { workspaceId: string; userId: string }[];
}

/** What these events tell of it; null where that is nothing. */
export function lostNeeds(events: readonly DispatchedEvent[]): LostNeeds | null {
  const lost: LostNeeds = { scriptIds: [], environmentIds: [], members: [] };
  for (const { type, data, workspaceId, environmentId } of events) {
    if (type === 'script.archived') lost.scriptIds.push((data['script'] as { id: string }).id);
    if (type === 'workspace.member.removed' || type === 'workspace.member.role_changed') {
      lost.members.push({ workspaceId, userId: data['userId'] as string });
    }
    if (type === 'environment.updated' && (data['changed'] as string[]).includes('agentsAllowed')) {
      if (environmentId !== null) lost.environmentIds.push(environmentId);
    }
  }
  return Object.values(lost).every((list) => list.length === 0) ? null : lost;
}
