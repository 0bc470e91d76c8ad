import { type ApiDocument, isReference, type MediaType, type Operation, type Schema } from './document.js';

/** Keywords whose value is data, not a schema. */
const DATA = new Set(['default', 'enum', 'const', 'example', 'examples']);
const STRUCTURE = ['properties', 'additionalProperties', 'allOf', 'anyOf', 'oneOf', '$ref'];

/**
 * Corrects what the generated schemas get wrong or lack: whatever has a default need not be sent, a field named `…At` is a time,
 * and a number that is no `double` is whole. A type that could not be worked out is any value rather than an object, and the
 * compiler gives the values of an enumeration in any order.
 */
export function tidySchemas(document: ApiDocument): void {
  for (const schema of Object.values(document.components.schemas)) tidy(schema);
  for (const item of Object.values(document.paths)) Object.values(item).forEach(tidyOperation);
}

function tidyOperation(operation: Operation): void {
  tidyUpload(operation.requestBody?.content);
  for (const parameter of operation.parameters ?? []) {
    if (isReference(parameter) || !parameter.schema) continue;
    tidy(parameter.schema);
    if (parameter.in === 'query' && parameter.schema.default !== undefined) parameter.required = false;
  }
  const media = [operation.requestBody, ...Object.values(operation.responses)].flatMap((part) =>
    part && 'content' in part ? Object.values(part.content ?? {}) : [],
  );
  for (const { schema } of media) if (schema) tidy(schema);
}

/** Where a form or the bytes themselves are taken, the generator gives both the form's schema. */
function tidyUpload(content: Record<string, MediaType> = {}): void {
  const bytes = content['application/octet-stream'];
  if (bytes && 'multipart/form-data' in content) bytes.schema = { type: 'string', format: 'binary' };
}

function tidy(schema: Schema): void {
  delete schema['selfRequired'];
  if (isAnything(schema)) delete schema.type;
  if (schema.format !== 'double') makeWhole(schema);
  if (Array.isArray(schema.enum)) schema.enum = [...schema.enum].sort();
  if (schema.properties) tidyProperties(schema, schema.properties);
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'properties' || DATA.has(keyword)) continue;
    for (const part of [value].flat()) if (typeof part === 'object' && part !== null) tidy(part as Schema);
  }
}

function tidyProperties(schema: Schema, properties: Record<string, Schema>): void {
  for (const [name, property] of Object.entries(properties)) {
    tidy(property);
    if (/At$/.test(name) && [property.type].flat().includes('string')) property.format ??= 'date-time';
    if (name === 'nextCursor')
      property.description ??= 'Pass it as `cursor` to get the next page; null on the last one.';
  }
  if (!Array.isArray(schema.required)) return;
  schema.required = schema.required.filter((name) => properties[name]?.default === undefined);
  if (schema.required.length === 0) delete schema.required;
}

function makeWhole(schema: Schema): void {
  if (schema.type === 'number') schema.type = 'integer';
  else if (Array.isArray(schema.type))
    schema.type = schema.type.map((type) => (type === 'number' ? 'integer' : type));
}

function isAnything(schema: Schema): boolean {
  return [schema.type].flat().includes('object') && !STRUCTURE.some((keyword) => keyword in schema);
}
