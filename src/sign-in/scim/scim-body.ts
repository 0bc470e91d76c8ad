import { lineProblem } from '../../core/http/index.js';
import { isObject, RawJson } from '../../core/json/index.js';
import { parsePath, type PatchPath } from './scim-filter.js';
import { ScimProblem } from './scim-problem.js';

export type ScimObject = Record<string, unknown>;

/** One change of one attribute. */
export interface PatchStep extends PatchPath {
  op: 'add' | 'replace' | 'remove';
  /** undefined: none was sent. */
  value: unknown;
}

const MOST_OPERATIONS = 1_000;
const LONGEST_TEXT = 254;

/** The field of that name; upper and lower case are the same. undefined: there is none. A large one arrives as its text. */
export function fieldOf(body: ScimObject, name: string): unknown {
  const wanted = name.toLowerCase();
  const key = Object.keys(body).find((each) => each.toLowerCase() === wanted);
  const value = key === undefined ? undefined : body[key];
  return value instanceof RawJson ? (JSON.parse(value.text) as unknown) : value;
}

/** null: nothing, or an empty one. @throws ScimProblem */
export function textIn(value: unknown, path: string): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string') throw ScimProblem.at(path, 'must be a string');
  const text = value.trim();
  if (text.length > LONGEST_TEXT)
    throw ScimProblem.at(path, `must be at most ${LONGEST_TEXT} characters long`);
  const problem = lineProblem(text);
  if (problem !== null) throw ScimProblem.at(path, problem);
  return text === '' ? null : text;
}

/** Entra writes `"False"`. @throws ScimProblem */
export function truthIn(value: unknown, path: string): boolean {
  const text = typeof value === 'string' ? value.toLowerCase() : value;
  if (text === true || text === 'true') return true;
  if (text === false || text === 'false') return false;
  throw ScimProblem.at(path, 'must be true or false');
}

/**
 * The changes that a PATCH asks for, one attribute each. Without a path, the fields of the value are the attributes: Okta sends
 * it so. Their names may be paths, as Entra writes them.
 *
 * @throws ScimProblem
 */
export function patchSteps(body: ScimObject): PatchStep[] {
  const operations = fieldOf(body, 'Operations');
  if (!Array.isArray(operations)) throw new ScimProblem('invalidSyntax', 'Operations: must be a list');
  if (operations.length > MOST_OPERATIONS) {
    throw new ScimProblem('invalidSyntax', `Operations: there may be ${MOST_OPERATIONS} of them`);
  }
  return operations.flatMap(stepsOf);
}

function stepsOf(operation: unknown): PatchStep[] {
  if (!isObject(operation)) throw new ScimProblem('invalidSyntax', 'Operations: each must be an object');
  const op = opOf(fieldOf(operation, 'op'));
  const path = fieldOf(operation, 'path');
  const value = fieldOf(operation, 'value');
  if (typeof path === 'string' && path !== '') return [{ op, value, ...parsePath(path) }];
  if (op === 'remove' || !isObject(value)) {
    throw new ScimProblem(
      'invalidPath',
      'An operation without a path has an object as its value, and removes nothing.',
    );
  }
  return Object.entries(value).map(([name, each]) => ({ op, value: each, ...parsePath(name) }));
}

function opOf(value: unknown): PatchStep['op'] {
  const op = typeof value === 'string' ? value.toLowerCase() : value;
  if (op === 'add' || op === 'replace' || op === 'remove') return op;
  throw new ScimProblem('invalidSyntax', 'Operations: `op` must be add, replace or remove');
}
