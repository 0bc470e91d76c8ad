import { unknownPaths } from '../automations/index.js';
import { InvalidRequest } from '../core/errors/index.js';
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
