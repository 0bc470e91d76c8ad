import { describe, expect, it } from 'vitest';

import type { ApiDocument, Operation, Schema } from './document.js';
import { tidySchemas } from './tidy-schemas.js';

function tidied(schema: Schema, operation?: Operation): Schema {
  const document: ApiDocument = {
    openapi: '3.1.0',
    paths: operation ? { '/x': { post: operation } } : {},
    components: { schemas: { Subject: schema }, responses: {}, headers: {}, parameters: {} },
  };
  tidySchemas(document);
  return document.components.schemas['Subject']!;
}

const property = (schema: Schema): Schema =>
  tidied({ type: 'object', properties: { it: schema } }).properties!['it']!;

describe('tidySchemas', () => {
  it('takes whatever has a default from what is required', () => {
    const properties = { limit: { type: 'integer', default: 25 }, name: { type: 'string' } };
    expect(tidied({ properties, required: ['limit', 'name'] }).required).toEqual(['name']);
    expect(tidied({ properties, required: ['limit'] })).not.toHaveProperty('required');
  });

  it('reads a type that could not be worked out as any value, and an open object as one', () => {
    expect(property({ type: 'object', description: 'Any JSON.' })).toEqual({ description: 'Any JSON.' });
    expect(property({ type: ['object', 'null'] })).toEqual({});
    const open = { type: 'object', additionalProperties: true };
    expect(property(open)).toEqual(open);
    expect(property({ type: 'array', items: { type: 'object' } })).toEqual({ type: 'array', items: {} });
  });

  it('knows times by their name', () => {
    const schema = tidied({
      properties: { createdAt: { type: 'string' }, endedAt: { type: ['string', 'null'] }, at: {} },
    });
    expect(schema.properties).toMatchObject({
      createdAt: { format: 'date-time' },
      endedAt: { format: 'date-time' },
      at: {},
    });
  });

  it('leaves data alone', () => {
    const data = { type: 'object', selfRequired: true };
    expect(property({ enum: [data], example: data, default: data })).toEqual({
      enum: [data],
      example: data,
      default: data,
    });
    expect(property({ type: 'string', selfRequired: true })).toEqual({ type: 'string' });
  });

  it('asks for no query parameter that has a default, and gives bytes no form', () => {
    const form: Schema = { type: 'object', properties: { file: { type: 'string' } } };
    const operation: Operation = {
      parameters: [{ name: 'limit', in: 'query', required: true, schema: { type: 'integer', default: 25 } }],
      requestBody: {
        content: { 'multipart/form-data': { schema: form }, 'application/octet-stream': { schema: form } },
      },
      responses: {},
    };
    tidied({}, operation);
    expect(operation.parameters![0]).toMatchObject({ required: false });
    expect(operation.requestBody!.content['application/octet-stream']!.schema).toEqual({
      type: 'string',
      format: 'binary',
    });
    expect(operation.requestBody!.content['multipart/form-data']!.schema).toBe(form);
  });
});
