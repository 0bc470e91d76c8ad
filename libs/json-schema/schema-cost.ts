import { isSchemaObject, type JsonSchema } from './json-schema.js';
import { type SchemaNode, walkSchema } from './walk-schema.js';

/** What a check can cost at most, known from the schema alone. */
export interface SchemaCost {
  /** About the number of values in the schema, long texts counted by their length: what compiling it costs. */
  size: number;
  /** How much of the schema looks at any one value at most; null where no such bound is known. */
  perValue: number | null;
  /** Whether texts are tried on regular expressions of ours, some of which take quadratic time. */
  hasFormats: boolean;
}

const CHARACTERS_PER_STEP = 64;

/** Keywords whose check looks at a value once, and leaves it to at most one schema below. */
const PLAIN = new Set([
  ...['type', 'properties', 'required', 'additionalProperties', 'items', 'const', 'enum', 'format'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'],
]);
/** Those by which several schemas look at the same value, each of them once. */
const BRANCHING = new Set([
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'prefixItems'],
  ...['contains', 'minContains', 'maxContains', 'dependentRequired', 'dependentSchemas'],
]);
/** Those that say nothing about a value. Whatever else there is counts as expensive. */
const SILENT = new Set([
  ...['$schema', '$id', '$comment', 'title', 'description', 'default', 'examples', 'deprecated'],
  ...['readOnly', 'writeOnly', '$anchor', '$defs', 'definitions'],
]);
/** Keywords with schemas in them, which are counted where they stand. */
const HOLDS_SCHEMAS = new Set([
  ...['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions', 'dependencies'],
  ...['allOf', 'anyOf', 'oneOf', 'prefixItems', 'if', 'then', 'else', 'not', 'items', 'contains'],
  ...['additionalProperties', 'propertyNames', 'unevaluatedItems', 'unevaluatedProperties', 'contentSchema'],
]);

/**
 * Without references a schema is a tree, and each of its schemas looks at each value at most once: a check costs no more
 * than values × schemas. Where no schema has others beside it, each value is looked at by one alone.
 */
export function costOf(root: JsonSchema): SchemaCost {
  const nodes = walkSchema(root);
  const sizes = nodes.map(ownSize);
  const size = sizes.reduce((sum, own) => sum + own, 0);
  const keywords = new Set(nodes.flatMap(({ schema }) => Object.keys(schema)));
  const known = [...keywords].every((name) => PLAIN.has(name) || BRANCHING.has(name) || SILENT.has(name));
  const branches = [...keywords].some((name) => BRANCHING.has(name));
  return {
    size,
    perValue: known ? (branches ? size : Math.max(...sizes)) : null,
    hasFormats: keywords.has('format'),
  };
}

/** The size of a schema without those inside it. A pattern counts as the program that it becomes. */
export function ownSize({ schema }: Pick<SchemaNode, 'schema'>): number {
  let size = 1;
  for (const [keyword, value] of Object.entries(schema)) {
    if (!HOLDS_SCHEMAS.has(keyword)) size += keyword === 'pattern' ? sizeOfPattern(value) : sizeOf(value);
    else if (keyword === 'patternProperties' && isSchemaObject(value)) {
      size += Object.keys(value).reduce((sum, pattern) => sum + sizeOfPattern(pattern), 0);
    } else
      size += Array.isArray(value) ? value.length : isSchemaObject(value) ? Object.keys(value).length : 1;
  }
  return size;
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return 1 + Math.floor(value.length / CHARACTERS_PER_STEP);
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, item: unknown) => sum + sizeOf(item), 1);
}

/** At most: repetitions are written out, and the engine allows 1,000 of them in all. */
function sizeOfPattern(pattern: unknown): number {
  if (typeof pattern !== 'string') return 1;
  const counts = [...pattern.matchAll(/\{(?:\d+,)?(\d+),?\}/g)].map(([, count]) => Number(count) || 1);
  const repeated = counts.reduce((product, count) => Math.min(1000, product * count), 1);
  return 1 + Math.ceil((pattern.length * repeated) / CHARACTERS_PER_STEP);
}

/** Texts beyond this are not tried on the expressions of formats. */
const MOST_FORMAT_LENGTH = 4096;

/** Whether checking a value takes at most so many steps, each of some ten nanoseconds. Stops counting once it does not. */
export function isWithin(steps: number, { perValue, hasFormats }: SchemaCost, value: unknown): boolean {
  if (perValue === null) return false;
  let left = steps;
  const count = (item: unknown): boolean => {
    left -= perValue;
    if (typeof item === 'string') {
      left -= item.length / CHARACTERS_PER_STEP;
      if (hasFormats) left -= Math.min(item.length, MOST_FORMAT_LENGTH) ** 2 / CHARACTERS_PER_STEP;
    }
    if (left < 0 || typeof item !== 'object' || item === null) return left >= 0;
    if (Array.isArray(item)) return item.every(count);
    for (const name in item) if (!count((item as Record<string, unknown>)[name])) return false;
    return true;
  };
  return count(value);
}
