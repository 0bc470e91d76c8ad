import { InvalidRequest } from '../../core/errors/index.js';
import { type Filter, filterProblems } from './filter.js';
import type { Placeholders } from './template.js';

/** @throws InvalidRequest naming each wrong path of the filter and each wrong template of the inputs */
export function checkMatching(
  { filter = {}, inputs = {} }: { filter?: Filter; inputs?: Record<string, unknown> },
  placeholders: Placeholders,
): void {
  const details = [...filterProblems(filter, placeholders), ...placeholders.problems(inputs)];
  if (details.length > 0) throw new InvalidRequest(`${details[0]!.path}: ${details[0]!.message}`, details);
}
