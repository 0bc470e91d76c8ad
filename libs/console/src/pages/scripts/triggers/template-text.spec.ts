import { describe, expect, it } from 'vitest';

import { inputOfText, pathsOf, textOfInput, textOfValue, valueOfText } from './template-text.js';

describe('inputs of a trigger', () => {
  it.each([
    ['2026-01', 'string', '2026-01'],
    ['5', 'string', '5'],
    ['5', 'integer', 5],
    ['true', 'boolean', true],
    ['{{event.data.count}}', 'integer', '{{event.data.count}}'],
    ['run {{event.data.id}}', 'string', 'run {{event.data.id}}'],
    ['{"id": "{{event.data.id}}"}', 'object', { id: '{{event.data.id}}' }],
    ['["{{event.data.id}}"]', 'array', ['{{event.data.id}}']],
    ['not a number', 'integer', 'not a number'],
    ['', 'string', undefined],
  ])('reads %s for %s', (text, type, value) => {
    expect(inputOfText(text, type)).toEqual(value);
  });

  it('shows what it reads', () => {
    expect(textOfInput('2026-01')).toBe('2026-01');
    expect(textOfInput({ id: '{{event.data.id}}' })).toBe('{"id":"{{event.data.id}}"}');
  });
});

describe('values of a filter', () => {
  it.each([5, true, null, 'nightly', '5', 'true', '', { a: 1 }])('keeps %j', (value) => {
    expect(valueOfText(textOfValue(value))).toEqual(value);
  });

  it('takes plain words as they are', () => {
    expect(textOfValue('nightly-report')).toBe('nightly-report');
    expect(textOfValue('5')).toBe('"5"');
  });
});

describe('pathsOf', () => {
  it('names every value', () => {
    expect(pathsOf({ script: { slug: 'a' }, tags: ['x'], error: null, empty: {} })).toEqual([
      'script.slug',
      'tags.0',
      'error',
      'empty',
    ]);
    expect(pathsOf({})).toEqual([]);
  });
});
