import { describe, expect, it } from 'vitest';

import type { ApiDocument, Schema } from './document.js';
import { nameSchemas } from './name-schemas.js';

function named(schemas: Record<string, Schema>): ApiDocument {
  const document: ApiDocument = {
    openapi: '3.1.0',
    paths: {
      '/x': {
        get: {
          responses: {
            200: {
              description: '',
              content: { 'application/json': { schema: { $ref: '#/components/schemas/RunDto' } } },
            },
          },
        },
      },
    },
    components: { schemas, responses: {}, headers: {}, parameters: {} },
  };
  nameSchemas(document);
  return document;
}

describe('nameSchemas', () => {
  it('leaves the suffix of our classes out, also where a schema is referred to', () => {
    const document = named({
      RunDto: { properties: { files: { items: { $ref: '#/components/schemas/FileDto' } } } },
      FileDto: { type: 'object' },
      RunInput: { type: 'object' },
    });
    expect(Object.keys(document.components.schemas)).toEqual(['Run', 'File', 'RunInput']);
    expect(JSON.stringify(document)).not.toContain('Dto');
  });

  it('refuses two of one name', () => {
    expect(() => named({ Run: {}, RunDto: {} })).toThrow(/rename RunDto/);
  });
});
