import type { ErrorDetail } from '../../core/errors/index.js';
import { isObject } from '../../core/json/index.js';
import type { Filter } from './filter.js';
import { EVENT_PLACEHOLDERS } from './placeholders.js';

type Schema = Readonly<Record<string, unknown>>;

/** Keywords by which more may be there than `properties` and `items` say. */
const SAYS_MORE = ['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'if', 'not', 'patternProperties'];

/**
 * The paths of a filter and of inputs that no event of a type has, each with its place. A schema that leaves open what is there
 * is taken at its word.
 */
export function unknownPaths(
  schema: Schema,
  { filter = {}, inputs = {} }: { filter?: Filter; inputs?: Record<string, unknown> },
): ErrorDetail[] {
  const lacks = (path: string): string => `names ${path}, which no event of this type has`;
  const filtered = Object.keys(filter)
    .filter((path) => !mayHave(schema, path.split('.')))
    .map((path) => ({ path: `filter.${path}`, message: lacks(path) }));
  const taken = pathsIn(inputs, 'inputs')
    .filter(({ path }) => !mayHave(schema, path.split('.')))
    .map(({ at, path }) => ({ path: at, message: lacks(path) }));
  return [...filtered, ...taken];
}

/** What the templates of inputs take from an event, each with its place. */
function pathsIn(value: unknown, at: string): { at: string; path: string }[] {
  if (typeof value === 'string') {
    return [...value.matchAll(EVENT_PLACEHOLDERS.all)].map(([, expression]) => ({
      at,
      path: EVENT_PLACEHOLDERS.pathOf(expression!),
    }));
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => pathsIn(item, `${at}.${name}`));
}

/** Whether a value that fits the schema may have something at a path. */
function mayHave(schema: unknown, [step, ...further]: readonly string[]): boolean {
  if (step === undefined || !isObject(schema) || SAYS_MORE.some((keyword) => keyword in schema)) return true;
  const types = [schema['type'] ?? []].flat();
  if (types.includes('array') && !types.includes('object')) return mayHave(schema['items'], further);
  if (types.length > 0 && !types.includes('object')) return false;
  const { properties, additionalProperties = false } = schema;
  if (!isObject(properties) || types.includes('array')) return true;
  if (Object.hasOwn(properties, step)) return mayHave(properties[step], further);
  return additionalProperties !== false || Object.keys(properties).length === 0;
}
