import type { ApiDocument, Schema } from './document.js';

const NAME = 'JsonObject';
const REFERENCE = `#/components/schemas/${NAME}`;

/**
 * Objects of any fields refer to one schema. Where each stood by itself, generators named it after its place, and `input` of
 * `ApprovalRequest` got the name of `ApprovalRequestInput`: they left out both.
 */
export function nameOpenObjects(document: ApiDocument): void {
  const { schemas } = document.components;
  for (const schema of Object.values(schemas)) nameBelow(schema);
  schemas[NAME] = { type: 'object', additionalProperties: true, description: 'Any object.' };
}

function nameBelow(schema: Schema): void {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (property.additionalProperties === true && property.properties === undefined)
      schema.properties![name] = named(property);
    else nameBelow(property);
  }
}

function named({ type, additionalProperties: _, ...rest }: Schema): Schema {
  return [type].flat().includes('null')
    ? { ...rest, anyOf: [{ $ref: REFERENCE }, { type: 'null' }] }
    : { ...rest, $ref: REFERENCE };
}
