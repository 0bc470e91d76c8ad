import { type ErrorSchema, ErrorSchemaBuilder } from '@rjsf/utils';

import type { FoundProblem } from './found-problems.js';
import { isObject } from './schema-pointer.js';

/**
 * What was found wrong with inputs, as the form shows it at its fields.
 * @param checked the inputs that it was found in
 * @param now what stands there now: what has been changed since is not called wrong any more
 */
export function foundErrors(found: readonly FoundProblem[], checked: unknown, now: unknown): ErrorSchema {
  const builder = new ErrorSchemaBuilder<unknown>();
  for (const { path, message } of found) {
    if (isUnchanged(path, checked, now)) builder.addErrors(message, path);
  }
  return builder.ErrorSchema;
}

/** Whether the same stands at a place as before. */
export function isUnchanged(path: string[], before: unknown, now: unknown): boolean {
  return JSON.stringify(at(before, path)) === JSON.stringify(at(now, path));
}

function at(value: unknown, path: string[]): unknown {
  return path.reduce<unknown>((part, step) => (isObject(part) ? part[step] : undefined), value);
}
