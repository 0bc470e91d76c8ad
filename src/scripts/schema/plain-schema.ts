import type { JsonSchema } from './json-schema.js';
import { walkSchema } from './walk-schema.js';

/** Keywords whose check looks at each value once, whatever the value. */
const PLAIN = new Set([
  ...[
    '$schema',
    '$comment',
    'title',
    'description',
    'default',
    'examples',
    'deprecated',
    'readOnly',
    'writeOnly',
  ],
  ...['type', 'properties', 'required', 'additionalProperties', 'items', 'const'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'],
]);
const MAX_CHOICES = 100;

/**
 * Whether checking a value takes time in proportion to its size alone: no references, combinations, patterns or
 * comparisons of items with each other. Most schemas are so, and need no watching.
 */
export function isPlainSchema(root: JsonSchema): boolean {
  return walkSchema(root).every(({ schema }) =>
    Object.keys(schema).every((keyword) => isPlain(schema, keyword)),
  );
}

function isPlain(schema: JsonSchema, keyword: string): boolean {
  const value = schema[keyword];
  if (keyword === 'enum') return Array.isArray(value) && value.length <= MAX_CHOICES;
  if (keyword === 'format') return value === 'file';
  return PLAIN.has(keyword);
}
