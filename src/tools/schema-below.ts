import type { JsonSchema } from '../../libs/json-schema/index.js';

/** Their values are data, whatever they look like. */
const DATA = new Set(['const', 'enum', 'default', 'examples']);
/** References of these kinds would have to be resolved against a base that is another one now. */
const BASES = ['$id', '$anchor', '$dynamicRef', '$dynamicAnchor', '$recursiveRef', '$recursiveAnchor'];

/**
 * A schema as a part of another one: local references lead to the same place as before. One that would need more than
 * that becomes a schema that takes anything.
 *
 * @param place a JSON pointer to where the schema stands in the other one, such as `/properties/output`
 */
export function below(schema: JsonSchema, place: string): Record<string, unknown> {
  const { $schema: _, ...rest } = schema;
  return hasBase(rest) ? {} : (moved(rest, place) as Record<string, unknown>);
}

function hasBase(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([key, inner]) => (BASES.includes(key) && typeof inner === 'string') || hasBase(inner),
  );
}

function moved(value: unknown, place: string): unknown {
  if (Array.isArray(value)) return value.map((inner) => moved(inner, place));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (key === '$ref' && typeof inner === 'string' && inner.startsWith('#'))
        return [key, `#${place}${inner.slice(1)}`];
      return [key, DATA.has(key) ? inner : moved(inner, place)];
    }),
  );
}
