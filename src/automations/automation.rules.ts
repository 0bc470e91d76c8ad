import {
  type ApprovalPolicy,
  assertMayLoosen,
  boundProblem,
  type EnvironmentRule,
  isAgent,
  isWeaker,
  type WorkspaceCaller,
} from '../core/access/index.js';
import { Conflict, Forbidden, NotFound } from '../core/errors/index.js';
import { stricterPolicy } from '../runs/index.js';
import type { RunnableScript, VersionFacts } from '../scripts/index.js';
import type { AutomationKind } from './automation.kind.js';

interface NamedEnvironment {
  name: string;
  agentsAllowed: boolean;
}

/** @throws Forbidden where a bound API key names an environment that is not its own */
export function assertMayName(caller: WorkspaceCaller, environment: string | undefined): void {
  if (!caller.bound || environment === undefined || environment === caller.environment.name) return;
  throw boundProblem(caller);
}

/** @throws Forbidden where one that is there moves to a weaker rule, unless an owner or admin moves it in person */
export function assertMayMove(caller: WorkspaceCaller, from: EnvironmentRule, to: EnvironmentRule): void {
  assertMayLoosen(caller, isWeaker(to, from) ? ['automation.environment'] : []);
}

/**
 * @param was before the change
 * @throws Forbidden where its runs were held as an agent's and are a person's after it, unless an owner or admin makes it so
 */
export function assertMayTakeFromAgent(
  caller: WorkspaceCaller,
  was: { byAgent: boolean; scriptPolicy: ApprovalPolicy },
  byAgent: boolean,
  { approvalPolicy }: EnvironmentRule,
): void {
  const isTaken = was.byAgent && !byAgent;
  const isHeld = isTaken && stricterPolicy(was.scriptPolicy, approvalPolicy) === 'agents';
  assertMayLoosen(caller, isHeld ? ['automation.by_agent'] : []);
}

/** @throws Forbidden where agents are not allowed */
export function assertAgentsAllowed(
  { name, forbidden }: AutomationKind,
  environment: NamedEnvironment,
): void {
  if (environment.agentsAllowed) return;
  throw new Forbidden(
    `Agents may not ${forbidden} in the environment ${environment.name}, and this ${name} counts as an agent's.`,
  );
}

/**
 * @param change the environments before and after it, and what the schedule or trigger is after it
 * @throws Forbidden where an agent makes the change and one of the environments allows no agents, or where what counts as an
 * agent's would be enabled in one that does not
 */
export function assertAgentsMayChange(
  kind: AutomationKind,
  caller: WorkspaceCaller,
  change: { from: NamedEnvironment; to: NamedEnvironment; byAgent: boolean; enabled: boolean },
): void {
  const changedByAgent = isAgent(caller);
  if (changedByAgent) assertAgentsAllowed(kind, change.from);
  if (change.byAgent && (change.enabled || changedByAgent)) assertAgentsAllowed(kind, change.to);
}

/**
 * @throws NotFound where the script does not exist for the caller
 * @throws Conflict where it has no version to run
 */
export function assertRunnable(
  kind: AutomationKind,
  script: RunnableScript | null,
): asserts script is RunnableScript & VersionFacts {
  if (!script) throw new NotFound('script');
  if (script.status === 'archived') throw archived(kind, script.slug);
  if (script.versionId === null) {
    throw new Conflict(`The script ${script.slug} has no published version to run. Publish one first.`);
  }
}

export function archived({ purpose }: AutomationKind, slug: string): Conflict {
  return new Conflict(`The script ${slug} is archived. Restore and publish it ${purpose}.`);
}
