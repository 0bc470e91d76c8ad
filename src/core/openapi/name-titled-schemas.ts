import type { ApiDocument } from './document.js';

/**
 * A property whose schema has a `title` refers to one schema of that name. Where alternatives stood by themselves at each place,
 * generators made a type for every place, and lost some of them.
 */
export function nameTitledSchemas(document: ApiDocument): void {
  const { schemas } = document.components;
  for (const { properties = {} } of Object.values(schemas)) {
    for (const [name, { title, ...schema }] of Object.entries(properties)) {
      if (typeof title !== 'string') continue;
      schemas[title] = schema;
      properties[name] = { $ref: `#/components/schemas/${title}` };
    }
  }
}
