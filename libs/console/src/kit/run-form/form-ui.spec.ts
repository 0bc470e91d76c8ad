import { describe, expect, it } from 'vitest';

import { fileInputs, formUi } from './form-ui.js';

describe('formUi', () => {
  it('chooses a field by what the schema says', () => {
    const schema: object = {
      type: 'object',
      properties: {
        city: { type: 'string' },
        note: { type: 'string', maxLength: 2000 },
        table: { type: 'string', format: 'file' },
        tables: { type: 'array', items: { type: 'string', format: 'file' } },
        anything: {},
        options: { type: 'object' },
        pair: { type: 'array', prefixItems: [{ type: 'string' }] },
        either: { type: ['string', 'integer'] },
        people: { type: 'array', items: { type: 'object', properties: { photo: { $ref: '#/$defs/file' } } } },
      },
      $defs: { file: { type: 'string', format: 'file' } },
    };
    expect(formUi(schema)).toMatchObject({
      city: {},
      note: { 'ui:widget': 'textarea' },
      table: { 'ui:field': 'FileField' },
      tables: { 'ui:field': 'FileListField' },
      anything: { 'ui:field': 'JsonField' },
      options: { 'ui:field': 'JsonField' },
      pair: { 'ui:field': 'JsonField' },
      either: { 'ui:field': 'NumberField' },
      people: { items: { photo: { 'ui:field': 'FileField' } } },
    });
  });

  it('ends at a schema that refers to itself', () => {
    const schema = { type: 'object', properties: { child: { $ref: '#' } } } as const;
    expect(() => formUi({ ...schema, $defs: { node: schema } })).not.toThrow();
  });
});

describe('fileInputs', () => {
  it('names those that take files', () => {
    const file = { type: 'string', format: 'file' } as const;
    expect(
      fileInputs({ properties: { a: file, b: { type: 'array', items: file }, c: { type: 'string' } } }),
    ).toEqual(['a', 'b']);
    expect(fileInputs(null)).toEqual([]);
  });
});
