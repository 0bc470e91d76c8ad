import type { Validator } from '@cfworker/json-schema';
import type { RJSFSchema } from '@rjsf/utils';

import { type FoundProblem, foundProblems } from './found-problems.js';
import { validatorOf, withoutUndefined } from './validator.js';

let last: { text: string; validator: Validator } | null = null;

/** What is wrong with inputs, by their schema. It may take forever. */
export function inputProblems(schema: RJSFSchema, inputs: unknown): FoundProblem[] {
  const text = JSON.stringify(schema);
  if (last?.text !== text) last = { text, validator: validatorOf(schema) };
  return foundProblems(last.validator.validate(withoutUndefined(inputs)).errors, schema);
}
