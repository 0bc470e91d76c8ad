import type { ErrorObject } from 'ajv';
import { cutText } from '../cut-text/index.js';
import type { InputProblem } from '../invalid-input/index.js';

const MAX_DETAILS = 20;
const MAX_LISTED = 10;

/** Ajv's errors as details: the path in dotted form below `root`, and what is wrong there, each once. */
export function schemaErrorDetails(errors: readonly ErrorObject[], root: string): InputProblem[] {
  const details = new Map<string, InputProblem>();
  for (const error of withoutBranches(errors)) {
    const detail = { path: pathOf(error, root), message: messageOf(error) };
    details.set(`${detail.path}\n${detail.message}`, detail);
    if (details.size === MAX_DETAILS) break;
  }
  return [...details.values()];
}

/** Where no alternative fits, what each one lacks says less than that none fits. */
function withoutBranches(errors: readonly ErrorObject[]): ErrorObject[] {
  const choices = errors
    .filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')
    .map((error) => `${error.schemaPath}/`);
  const kept = errors.filter(
    ({ schemaPath, keyword }) => keyword !== 'if' && !choices.some((choice) => schemaPath.startsWith(choice)),
  );
  return kept.length > 0 ? kept : [...errors];
}

function pathOf({ instancePath, params, keyword }: ErrorObject, root: string): string {
  const steps = instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const named: unknown =
    keyword === 'required' || keyword === 'dependentRequired'
      ? params['missingProperty']
      : (params['additionalProperty'] ?? params['unevaluatedProperty'] ?? params['propertyName']);
  return [root, ...steps, ...(typeof named === 'string' ? [named] : [])].join('.');
}

function messageOf(error: ErrorObject): string {
  const { keyword, params, message } = error;
  switch (keyword) {
    case 'required':
    case 'dependentRequired':
      return 'is required';
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return error.instancePath === ''
        ? 'is not known: the schema has no such property'
        : 'is not allowed here';
    case 'false schema':
      return 'is not allowed';
    case 'type':
      return `must be ${[params['type'] as string | string[]].flat().join(' or ')}`;
    case 'enum':
      return `must be ${listed(params['allowedValues'] as unknown[])}`;
    case 'const':
      return `must be ${short(params['allowedValue'])}`;
    case 'format':
      return params['format'] === 'file'
        ? 'must be the id of a file'
        : `must match format "${params['format']}"`;
    case 'anyOf':
      return 'must match one of the alternatives';
    case 'oneOf':
      return 'must match exactly one of the alternatives';
    case 'propertyNames':
      return 'is not allowed as a name';
    default:
      return message ?? `does not satisfy ${keyword}`;
  }
}

function listed(values: readonly unknown[]): string {
  const some = values.slice(0, MAX_LISTED).map(short).join(', ');
  return values.length > MAX_LISTED ? `one of ${values.length} values, such as ${some}` : `one of ${some}`;
}

function short(value: unknown): string {
  const text = JSON.stringify(value);
  return cutText(text, 100, '…');
}
