import { describe, expect, it } from 'vitest';

import { EMPTY_DRAFT, fieldsOf, inputNames } from './trigger-draft.js';

const schema = { properties: { month: { type: 'string' }, count: { type: 'integer' } } };

describe('fieldsOf', () => {
  it('sends what was filled in, and leaves out the rest', () => {
    const fields = fieldsOf(
      {
        ...EMPTY_DRAFT,
        name: 'After',
        filter: [
          { id: 0, path: ' script.slug ', value: 'nightly' },
          { id: 1, path: 'version', value: '3' },
          { id: 2, path: '', value: 'lost' },
        ],
        inputs: { month: '5', count: '5', other: '' },
      },
      schema,
    );
    expect(fields.filter).toEqual({ 'script.slug': 'nightly', version: 3 });
    expect(fields.inputs).toEqual({ month: '5', count: 5 });
  });
});

describe('inputNames', () => {
  it('are those of the schema, then those that the script no longer takes', () => {
    expect(inputNames(schema, { gone: 'x', month: 'y' })).toEqual(['month', 'count', 'gone']);
    expect(inputNames(null, {})).toEqual([]);
  });
});
