import type { Script, ScriptPatch } from '@gatehouse/client/operations';

export interface ScriptFields {
  name: string;
  description: string;
  tags: string[];
  access: Script['access'];
  teamIds: string[];
  approvalPolicy: Script['approvalPolicy'];
  ask: Script['ask'];
  queue: Script['queue'];
  retention: Script['retention'];
}

/** From the loosest to the strictest. */
export const POLICIES: readonly Script['approvalPolicy'][] = ['none', 'agents', 'always'];

export function fieldsOf(script: ScriptFields): ScriptFields {
  const { name, description, tags, access, teamIds, approvalPolicy, ask, queue, retention } = script;
  return { name, description, tags, access, teamIds, approvalPolicy, ask, queue, retention };
}

/** Only what differs is sent, so that what somebody else changed meanwhile stays. */
export function patchOf(before: ScriptFields, after: ScriptFields): ScriptPatch {
  const differs = (field: keyof ScriptFields): boolean =>
    JSON.stringify(before[field]) !== JSON.stringify(after[field]);
  const { name, description, tags, access, teamIds, approvalPolicy, ask, queue, retention } = after;
  const sharing = access === 'teams' && (differs('access') || differs('teamIds'));
  return {
    ...(differs('name') && { name }),
    ...(differs('description') && { description }),
    ...(differs('tags') && { tags }),
    ...(differs('access') && { access }),
    ...(sharing && { teamIds }),
    ...(differs('approvalPolicy') && { approvalPolicy }),
    ...(differs('ask') && { ask }),
    ...(differs('queue') && { queue }),
    ...(differs('retention') && { retention }),
  };
}
