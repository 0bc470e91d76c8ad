import type { WorkspaceCaller } from '../core/access/caller.js';
import { roleReaches } from '../core/access/roles.js';
import { Conflict, Forbidden, InvalidRequest, NotFound } from '../core/http/errors.js';
import type { RunnableScript, VersionFacts } from '../scripts/script-catalog.js';
import { leastRoleFor } from './event-audience.js';
import { filterProblems } from './matching/filter.js';
import { templateProblems } from './matching/template.js';
import type { TriggerPatch } from './trigger.dto.js';

/** @throws InvalidRequest naming each wrong path of the filter and each wrong template of the inputs */
export function checkMatching({ filter = {}, inputs = {} }: Pick<TriggerPatch, 'filter' | 'inputs'>): void {
  const details = [...filterProblems(filter), ...templateProblems(inputs)];
  if (details.length > 0) throw new InvalidRequest(`${details[0]!.path}: ${details[0]!.message}`, details);
}

/** @throws Forbidden where a bound API key names an environment that is not its own */
export function assertMayName(caller: WorkspaceCaller, environment: string | undefined): void {
  if (!caller.bound || environment === undefined || environment === caller.environment.name) return;
  throw new Forbidden(`This API key is bound to the environment ${caller.environment.name}.`);
}

/** @throws Forbidden where events of that type tell of what the caller may not read */
export function assertMayHear(caller: WorkspaceCaller, eventType: string): void {
  const least = leastRoleFor(eventType);
  if (roleReaches(caller.role, least)) return;
  throw new Forbidden(
    `A trigger on ${eventType} needs the role ${least} in the workspace; this credential acts as ${caller.role}.`,
  );
}

/** @throws Forbidden where agents are not allowed */
export function assertAgentsAllowed(environment: { name: string; agentsAllowed: boolean }): void {
  if (environment.agentsAllowed) return;
  throw new Forbidden(
    `Agents may not run scripts in the environment ${environment.name}, and this trigger counts as an agent's.`,
  );
}

/**
 * @throws NotFound where the script does not exist for the caller
 * @throws Conflict where it has no version to run
 */
export function assertRunnable(
  script: RunnableScript | null,
): asserts script is RunnableScript & VersionFacts {
  if (!script) throw new NotFound('script');
  if (script.status === 'archived') throw archived(script.slug);
  if (script.versionId === null) {
    throw new Conflict(`The script ${script.slug} has no published version to run. Publish one first.`);
  }
}

export function archived(slug: string): Conflict {
  return new Conflict(`The script ${slug} is archived. Restore and publish it to have events start it.`);
}
