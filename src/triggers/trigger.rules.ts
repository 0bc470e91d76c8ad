import { roleReaches, type WorkspaceCaller } from '../core/access/index.js';
import { Forbidden, InvalidRequest } from '../core/errors/index.js';
import { leastRoleFor } from './event-audience.js';
import { filterProblems } from './matching/filter.js';
import { templateProblems } from './matching/template.js';
import type { TriggerPatch } from './trigger.dto.js';

/** @throws InvalidRequest naming each wrong path of the filter and each wrong template of the inputs */
export function checkMatching({ filter = {}, inputs = {} }: Pick<TriggerPatch, 'filter' | 'inputs'>): void {
  const details = [...filterProblems(filter), ...templateProblems(inputs)];
  if (details.length > 0) throw new InvalidRequest(`${details[0]!.path}: ${details[0]!.message}`, details);
}

/** @throws Forbidden where events of that type say more than the caller may read */
export function assertMayRead(caller: WorkspaceCaller, eventType: string): void {
  const least = leastRoleFor(eventType);
  if (roleReaches(caller.role, least)) return;
  throw new Forbidden(
    `A trigger on ${eventType} needs the role ${least} in the workspace; this credential acts as ${caller.role}.`,
  );
}
