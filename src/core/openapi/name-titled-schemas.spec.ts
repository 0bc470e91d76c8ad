import { expect, it } from 'vitest';

import type { ApiDocument, Schema } from './document.js';
import { nameTitledSchemas } from './name-titled-schemas.js';

it('gives a schema with a title its name, wherever it stands', () => {
  const either: Schema = { oneOf: [{ type: 'string' }, { type: 'integer' }] };
  const properties = (): Record<string, Schema> => ({
    rule: { title: 'Rule', ...either },
    title: { type: 'string' },
  });
  const schemas: Record<string, Schema> = {
    One: { properties: properties() },
    Other: { properties: properties() },
    None: {},
  };
  const document: ApiDocument = {
    openapi: '3.1.0',
    paths: {},
    components: { schemas, responses: {}, headers: {}, parameters: {} },
  };
  nameTitledSchemas(document);
  const named = { properties: { rule: { $ref: '#/components/schemas/Rule' }, title: { type: 'string' } } };
  expect(schemas).toEqual({ One: named, Other: named, None: {}, Rule: either });
});
