import type { ApiDocument, Schema } from './document.js';

const PREFIX = '#/components/schemas/';

/** Schemas have names without the `Dto` of our classes. */
export function nameSchemas(document: ApiDocument): void {
  const { schemas } = document.components;
  const named: Record<string, Schema> = {};
  for (const [name, schema] of Object.entries(schemas)) {
    const short = publicName(name);
    if (short in named || (short !== name && short in schemas)) {
      throw new Error(`Two classes are called ${short} in the OpenAPI document; rename ${name}.`);
    }
    named[short] = schema;
  }
  document.components.schemas = named;
  renameReferences(document);
}

function publicName(name: string): string {
  return name.replace(/Dto$/, '');
}

function renameReferences(part: unknown): void {
  if (typeof part !== 'object' || part === null) return;
  for (const [key, value] of Object.entries(part as Record<string, unknown>)) {
    if (key === '$ref' && typeof value === 'string' && value.startsWith(PREFIX)) {
      (part as Schema).$ref = PREFIX + publicName(value.slice(PREFIX.length));
    } else renameReferences(value);
  }
}
