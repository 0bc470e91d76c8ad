import { expect, it } from 'vitest';

import type { ApiDocument, Schema } from './document.js';
import { nameOpenObjects } from './name-open-objects.js';

it('gives objects of any fields one name, and leaves those with fields of their own', () => {
  const own: Schema = {
    type: 'object',
    properties: { name: { type: 'string' } },
    additionalProperties: false,
  };
  const texts: Schema = { type: 'object', additionalProperties: { type: 'string' } };
  const properties: Record<string, Schema> = {
    input: { type: 'object', additionalProperties: true, description: 'What it is given.' },
    result: { type: ['object', 'null'], additionalProperties: true },
    own,
    texts,
    inner: { type: 'object', properties: { data: { type: 'object', additionalProperties: true } } },
  };
  const document: ApiDocument = {
    openapi: '3.1.0',
    paths: {},
    components: { schemas: { Subject: { properties } }, responses: {}, headers: {}, parameters: {} },
  };
  nameOpenObjects(document);
  const any = { $ref: '#/components/schemas/JsonObject' };
  expect(properties).toEqual({
    input: { description: 'What it is given.', ...any },
    result: { anyOf: [any, { type: 'null' }] },
    own,
    texts,
    inner: { type: 'object', properties: { data: any } },
  });
  expect(document.components.schemas).toHaveProperty('JsonObject.additionalProperties', true);
});
