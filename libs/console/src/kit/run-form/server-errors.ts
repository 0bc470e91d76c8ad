import { type ErrorSchema, ErrorSchemaBuilder } from '@rjsf/utils';

import type { Problem, ProblemDetail } from '../../api/problem.js';
import { isUnchanged } from './found-errors.js';
import { isObject } from './schema-pointer.js';

const PREFIX = 'inputs.';

/**
 * What the service says of inputs (`inputs.city`), as the form shows it at its fields.
 * @param sent the inputs that it was said of
 * @param now what stands there now: what has been changed since is not called wrong any more
 */
export function serverErrors(problem: Problem, sent: unknown, now: unknown): ErrorSchema {
  const builder = new ErrorSchemaBuilder<unknown>();
  for (const detail of problem.details) {
    const path = fieldPath(detail, sent);
    if (path === null || !isUnchanged(path, sent, now)) continue;
    builder.addErrors(`${detail.message[0]?.toUpperCase() ?? ''}${detail.message.slice(1)}.`, path);
  }
  return builder.ErrorSchema;
}

/** What is said of something else than a field, and so has to be shown beside the form. */
export function restOf(problem: Problem, sent: unknown): ProblemDetail[] {
  return problem.details.filter((detail) => fieldPath(detail, sent) === null);
}

/** A name may have dots of its own, so the longest name that the inputs know is taken. */
function fieldPath({ path }: ProblemDetail, inputs: unknown): string[] | null {
  if (!path.startsWith(PREFIX)) return null;
  const steps: string[] = [];
  let rest = path.slice(PREFIX.length).split('.');
  let value = inputs;
  while (rest.length > 0) {
    const length = longestKnown(rest, value);
    const name = rest.slice(0, length).join('.');
    steps.push(name);
    value = isObject(value) ? value[name] : undefined;
    rest = rest.slice(length);
  }
  return steps;
}

function longestKnown(steps: string[], value: unknown): number {
  for (let length = steps.length; length > 0; length--) {
    if (isObject(value) && Object.hasOwn(value, steps.slice(0, length).join('.'))) return length;
  }
  return 1;
}
