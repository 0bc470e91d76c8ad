import type { WorkspaceCaller } from '../core/access/caller.js';
import { Conflict, Forbidden, NotFound } from '../core/errors/problems.js';
import type { RunnableScript, VersionFacts } from '../scripts/index.js';
import type { AutomationKind } from './automation.kinds.js';

/** @throws Forbidden where a bound API key names an environment that is not its own */
export function assertMayName(caller: WorkspaceCaller, environment: string | undefined): void {
  if (!caller.bound || environment === undefined || environment === caller.environment.name) return;
  throw new Forbidden(`This API key is bound to the environment ${caller.environment.name}.`);
}

/** @throws Forbidden where agents are not allowed */
export function assertAgentsAllowed(
  { name, deed }: AutomationKind,
  environment: { name: string; agentsAllowed: boolean },
): void {
  if (environment.agentsAllowed) return;
  throw new Forbidden(
    `Agents may not ${deed} in the environment ${environment.name}, and this ${name} counts as an agent's.`,
  );
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
