import { describe, expect, it } from 'vitest';

import { isTemplated, InputsTooLarge, renderInputs, templateProblems } from './template.js';

const data = {
  name: 'Ada',
  age: 36,
  admin: false,
  nothing: null,
  address: { city: 'London', lines: ['a', 'b'] },
  braces: '{{event.data.name}} $& $1',
};

describe('renderInputs', () => {
  it.each<[unknown, unknown]>([
    ['{{event.data.name}}', 'Ada'],
    ['{{ event.data.name }}', 'Ada'],
    ['{{event.data.age}}', 36],
    ['{{event.data.admin}}', false],
    ['{{event.data.nothing}}', null],
    ['{{event.data.address}}', { city: 'London', lines: ['a', 'b'] }],
    ['{{event.data.address.lines.1}}', 'b'],
    ['Dear {{event.data.name}}!', 'Dear Ada!'],
    [' {{event.data.age}}', ' 36'],
    ['{{event.data.name}}{{event.data.age}}', 'Ada36'],
    ['{{event.data.admin}}/{{event.data.nothing}}', 'false/null'],
    ['at {{event.data.address}}', 'at {"city":"London","lines":["a","b"]}'],
    ['Dear {{event.data.missing}}!', 'Dear !'],
    ['{{event.data.braces}}', '{{event.data.name}} $& $1'],
    ['<{{event.data.braces}}>', '<{{event.data.name}} $& $1>'],
    ['{{name}} {{ eventual }} {single} }}', '{{name}} {{ eventual }} {single} }}'],
    [
      ['{{event.data.age}}', '{{event.data.missing}}', 1],
      [36, null, 1],
    ],
    [
      { who: '{{event.data.name}}', gone: '{{event.data.missing}}', n: 1 },
      { who: 'Ada', n: 1 },
    ],
    [5, 5],
    [null, null],
  ])('%j becomes %j', (value, rendered) => {
    expect(renderInputs({ value }, data)).toEqual({ value: rendered });
  });

  it('leaves out an input that the event has nothing for', () => {
    expect(renderInputs({ a: '{{event.data.missing}}', b: '{{event.data.constructor}}' }, data)).toEqual({});
  });
});

describe('isTemplated', () => {
  it.each<[unknown, boolean]>([
    ['{{event.data.a}}', true],
    [{ a: ['x{{event.data.a}}'] }, true],
    ['{{a}}', false],
    [null, false],
    [['a', 1], false],
  ])('%j: %s', (value, templated) => {
    expect(isTemplated(value)).toBe(templated);
    // A second time, since a pattern that remembers its place would answer otherwise.
    expect(isTemplated(value)).toBe(templated);
  });
});

describe('templateProblems', () => {
  it('lets pass what can be rendered', () => {
    expect(
      templateProblems({ a: '{{event.data.x}} {{other}}', b: [{ c: '{{event.data.y.0}}' }], d: 1 }),
    ).toEqual([]);
  });

  it.each([
    ['{{event}}', /only \{\{event\.data\.<path>\}\}/],
    ['{{event.id}}', /has \{\{event\.id\}\}; only/],
    ['{{event.data}}', /only/],
    ['{{ event.createdAt }}', /only/],
    ['{{event data}}', /only/],
    ['{{event.data.}}', /empty steps/],
    ['{{event.data.a..b}}', /empty steps/],
    ['x {{event.data.a', /not closed/],
    ['{{event.data.a} }', /not closed/],
    ['{{event.data.{{event.data.a}}}}', /not closed/],
  ])('%j', (text, message) => {
    expect(templateProblems({ ok: 1, deep: [text] })).toEqual([
      { path: 'inputs.deep.0', message: expect.stringMatching(message) },
    ]);
  });

  it('limits how long they are', () => {
    expect(templateProblems({ a: 'x'.repeat(70_000) })[0]).toMatchObject({ path: 'inputs' });
  });

  it('takes linear time', () => {
    const text = '{{event'.repeat(9_000);
    const begun = performance.now();
    templateProblems({ text });
    isTemplated('{{event' + ' '.repeat(60_000));
    templateProblems({ text: '{{event.data.' + ' '.repeat(60_000) });
    expect(performance.now() - begun).toBeLessThan(5_000);
  });
});

describe('a template that takes much', () => {
  const large = { text: 'x'.repeat(400_000), list: Array.from({ length: 50_000 }, () => ({})) };
  it.each<[string, Record<string, unknown>]>([
    ['in one text', { a: '{{event.data.text}}'.repeat(3_000) }],
    ['in many places', { a: Array.from({ length: 3_000 }, () => '{{event.data.list}}') }],
  ])('%s is refused before it is put together', (_, inputs) => {
    const began = performance.now();
    expect(() => renderInputs(inputs, large)).toThrow(InputsTooLarge);
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it('may take what a request could bring', () => {
    expect(renderInputs({ a: '{{event.data.text}}{{event.data.text}}' }, large)['a']).toHaveLength(800_000);
  });
});
