import type { Scope, WorkspaceCaller } from '../../core/access/index.js';
import { Forbidden } from '../../core/errors/index.js';
import type { ToolCaller } from '../../tools/index.js';
import type { Agent } from '../agent.entity.js';

/** What an agent needs to run scripts and to read what they left. It is never granted more. */
const SCOPES: readonly Scope[] = ['scripts:read', 'runs:read', 'runs:write', 'files:read'];

/**
 * Who calls the tools of a conversation: an agent, whoever speaks with it. So policies for agents hold its runs, and
 * their records name it, and the conversation where it is kept. It may do nothing that its person or their credential may not.
 */
export function chatCallerOf(
  caller: WorkspaceCaller,
  agent: Pick<Agent, 'id' | 'name' | 'approvalPolicy'>,
  conversationId: string | null,
): ToolCaller {
  const byAgent: WorkspaceCaller = {
    ...caller,
    kind: 'agent',
    // Not that of the session, which must not be stored.
    credentialId: agent.id,
    credentialName: agent.name,
    agent: {
      asksAlways: agent.approvalPolicy === 'always',
      conversationId,
      askedBy: caller.kind === 'agent' ? caller.credentialId : null,
    },
    scopes: new Set(SCOPES.filter((scope) => caller.scopes?.has(scope) ?? true)),
  };
  return {
    caller: byAgent,
    enter: (environment) =>
      environment === caller.environment.name
        ? Promise.resolve(byAgent)
        : Promise.reject(
            new Forbidden(`This conversation takes place in the environment ${caller.environment.name}.`),
          ),
  };
}
