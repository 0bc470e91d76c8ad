import { type JsonSchema, walkSchema } from '../../libs/json-schema/index.js';

/** Where these stand, a looser part would make the whole stricter, or another one. */
const TURNING = ['not', 'if', 'oneOf', 'contains', 'patternProperties', 'propertyNames'];

/**
 * A schema of outputs for clients, which try patterns with engines of their own: on a text that its author has chosen some of
 * them never end. The output was checked already, so nothing is lost by a looser schema; where it would not be looser it
 * takes anything.
 */
export function withoutPatterns(schema: JsonSchema): JsonSchema {
  const copy = structuredClone(schema);
  const nodes = walkSchema(copy).map((node) => node.schema as Record<string, unknown>);
  if (!nodes.some((node) => 'pattern' in node || 'patternProperties' in node)) return schema;
  if (nodes.some((node) => TURNING.some((keyword) => keyword in node))) return {};
  for (const node of nodes) delete node['pattern'];
  return copy;
}
