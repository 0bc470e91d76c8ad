import { Forbidden } from '../errors/index.js';
import { assertSteppedUp } from './confirmation.js';
import { isInPerson, type WorkspaceCaller } from './caller.js';
import { roleReaches } from './roles.js';

/**
 * All that puts an existing script, schedule or name under a weaker rule, in words. Whoever adds another way adds it here,
 * asks `assertMayLoosen` where it happens, and tries it in `loosening.security.ts`.
 */
export const LOOSENINGS = {
  'environment.approval_policy': 'lowers the approvalPolicy of an environment',
  'environment.agents_allowed': 'lets agents into an environment',
  'environment.default': 'makes another environment the default',
  'environment.name': 'gives an environment another name',
  'environment.former_name':
    'has a name stand for an environment with a weaker rule than the one that had it',
  'script.approval_policy': 'lowers approvalPolicy',
  'script.access': 'widens access',
  'workspace.second_factor': 'lets people without a second factor in',
  'workspace.step_up': 'has people confirm later, or not at all, that it is them',
  'script_settings.second_person': 'lets one person alone publish',
  'script.ask': 'has fewer runs of a script wait for a person',
  'script.retention': 'has runs of a script deleted earlier',
  'agent.approval_policy': 'lowers the approvalPolicy of an agent',
  'agent.budget': 'gives an agent a larger budget',
  'agent_settings.member_budget': "gives members' agents a larger budget",
  'team.members': 'puts somebody into a team',
  'team.name': 'gives a team another name, by which people may be put into it',
  'secret.hosts': 'lets a secret go to further hosts',
  'secret.source': 'has a secret read from another place',
  'secret.allow_env': 'lets scripts read a secret as an environment variable',
  'automation.environment': 'moves it to an environment with a weaker rule',
  'hook.verify': 'has a hook accept requests that are checked less',
  'automation.by_agent': "makes it a person's, which the policy for agents no longer holds",
} as const;

export type Loosening = keyof typeof LOOSENINGS;

/**
 * Nobody behind the gate may loosen it. Every path by which that could be asks here.
 *
 * @throws Forbidden unless the caller is an owner or admin in person, ConfirmationRequired where the workspace has people
 * confirm that it is them
 */
export function assertMayLoosen(
  caller: Pick<WorkspaceCaller, 'kind' | 'role' | 'overMcp' | 'stepUpMinutes'>,
  changes: readonly Loosening[],
): void {
  if (changes.length === 0) return;
  if (isInPerson(caller) && roleReaches(caller.role, 'admin')) return assertSteppedUp(caller);
  const words = changes.map((change) => LOOSENINGS[change]).join(' and ');
  throw new Forbidden(
    `This ${words}, which takes an owner or admin in person: in the app or by a personal access token.`,
  );
}
