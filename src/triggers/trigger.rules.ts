import { unknownPaths } from '../automations/index.js';
import { roleReaches, type WorkspaceCaller } from '../core/access/index.js';
import { Forbidden, InvalidRequest } from '../core/errors/index.js';
import { leastRoleFor } from './event-audience.js';
import type { TriggerPatch } from './trigger.dto.js';

/**
 * @param schema of the data of events of the trigger's type
 * @throws InvalidRequest naming each path of the filter and the inputs that none of them has
 */
export function checkPaths(
  schema: Record<string, unknown>,
  { filter, inputs }: Pick<TriggerPatch, 'filter' | 'inputs'>,
): void {
  const details = unknownPaths(schema, { ...(filter && { filter }), ...(inputs && { inputs }) });
  if (details.length > 0) throw new InvalidRequest(`${details[0]!.path} ${details[0]!.message}.`, details);
}

/** @throws Forbidden where events of that type say more than the caller may read */
export function assertMayRead(caller: WorkspaceCaller, eventType: string): void {
  const least = leastRoleFor(eventType);
  if (roleReaches(caller.role, least)) return;
  throw new Forbidden(
    `A trigger on ${eventType} needs the role ${least} in the workspace; this credential acts as ${caller.role}.`,
  );
}
