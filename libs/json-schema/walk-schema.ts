import { isSchemaObject, type JsonSchema } from './json-schema.js';

/** Keywords that hold one schema. */
const SINGLE = [
  ...['if', 'then', 'else', 'not', 'items', 'contains', 'additionalProperties', 'propertyNames'],
  ...['unevaluatedItems', 'unevaluatedProperties', 'contentSchema'],
];
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const MAPS = ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions', 'dependencies'];
/** Those whose schemas look at the same value as the schema around them. */
const IN_PLACE = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'dependencies',
]);

export interface SchemaNode {
  schema: JsonSchema;
  /** Steps from the root, such as `['properties', 'city']`. */
  steps: readonly string[];
  parent: SchemaNode | null;
  /** Whether it looks at the same value as its parent. */
  inPlace: boolean;
}

/**
 * Every schema inside a schema, the root first. What only looks like one (inside `enum`, `const`, `default`, `examples` or an
 * unknown keyword) is left out.
 */
export function walkSchema(root: JsonSchema): SchemaNode[] {
  const nodes: SchemaNode[] = [{ schema: root, steps: [], parent: null, inPlace: false }];
  // The list grows while it is read: children are visited after the nodes that were found before them.
  for (const node of nodes) {
    for (const [steps, schema] of children(node.schema)) {
      nodes.push({
        schema,
        steps: [...node.steps, ...steps],
        parent: node,
        inPlace: IN_PLACE.has(steps[0]!),
      });
    }
  }
  return nodes;
}

function* children(schema: JsonSchema): Generator<[string[], JsonSchema]> {
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword];
    if (SINGLE.includes(keyword) && isSchemaObject(value)) yield [[keyword], value];
    else if (LISTS.includes(keyword) && Array.isArray(value)) {
      for (const [index, item] of value.entries())
        if (isSchemaObject(item)) yield [[keyword, String(index)], item];
    } else if (MAPS.includes(keyword) && isSchemaObject(value)) {
      for (const name of Object.keys(value)) {
        const item = value[name];
        if (isSchemaObject(item)) yield [[keyword, name], item];
      }
    }
  }
}
