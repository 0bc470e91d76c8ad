import type { OutputUnit } from '@cfworker/json-schema';

import { problemText } from './problem-text.js';
import { pointerSteps, schemaAt } from './schema-pointer.js';

export interface FoundProblem {
  /** The steps to the value. */
  path: string[];
  message: string;
  keyword: string;
}

/** These only say that something within them is wrong, which is told as well. */
const WRAPPERS = new Set([
  ...['$ref', '$dynamicRef', 'properties', 'patternProperties', 'additionalProperties'],
  ...['unevaluatedProperties', 'items', 'prefixItems', 'unevaluatedItems', 'allOf', 'if', 'dependentSchemas'],
]);

/** What is wrong with inputs, each once, at the field that it is about and in words for whoever fills in the form. */
export function foundProblems(errors: readonly OutputUnit[], schema: unknown): FoundProblem[] {
  const found = new Map<string, FoundProblem>();
  const told = withoutBranches(errors).filter(({ keyword }) => !WRAPPERS.has(keyword));
  for (const unit of told) {
    if (unit.keyword === 'false' && isToldOtherwise(unit, told)) continue;
    const message = problemText(unit.keyword, schemaAt(schema, unit.keywordLocation), unit.error);
    const path = [...pointerSteps(unit.instanceLocation), ...missingName(unit)];
    found.set(JSON.stringify([path, message]), { path, message, keyword: unit.keyword });
  }
  return [...found.values()];
}

/** Where no alternative fits, what each one lacks says less than that none fits. */
function withoutBranches(errors: readonly OutputUnit[]): OutputUnit[] {
  const choices = errors
    .filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')
    .map(({ keywordLocation }) => `${keywordLocation}/`);
  return errors.filter(
    ({ keywordLocation }) => !choices.some((choice) => keywordLocation.startsWith(choice)),
  );
}

/** A property that is known but wrong is called unknown as well by the validator. */
function isToldOtherwise({ instanceLocation }: OutputUnit, told: readonly OutputUnit[]): boolean {
  return told.some(
    (other) =>
      other.keyword !== 'false' &&
      (other.instanceLocation === instanceLocation ||
        other.instanceLocation.startsWith(`${instanceLocation}/`)),
  );
}

/** What is required is told of the object that lacks it; it is shown at the field that is empty. */
function missingName({ keyword, error }: OutputUnit): string[] {
  if (keyword !== 'required' && keyword !== 'dependentRequired') return [];
  const name = /(?:required property|but does not have) "([^]*)"\.$/.exec(error)?.[1];
  return name === undefined ? [] : [name];
}
