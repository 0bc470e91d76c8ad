import { describe, expect, it } from 'vitest';

import { processorTime } from '../../../libs/fuzz/index.js';
import { EVENT_PLACEHOLDERS } from './placeholders.js';
import { Rendering } from './rendering.js';

const data = {
  name: 'Ada',
  age: 36,
  admin: false,
  nothing: null,
  address: { city: 'London', lines: ['a', 'b'] },
  braces: '{{event.data.name}} $& $1',
};

const made = (inputs: Record<string, unknown>, of: unknown = data) =>
  new Rendering(inputs, of, EVENT_PLACEHOLDERS).make();

describe('a rendering', () => {
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
    expect(made({ value })).toEqual({ inputs: { value: rendered }, problem: null });
  });

  it('leaves out an input that the event has nothing for', () => {
    const { inputs } = made({ a: '{{event.data.missing}}', b: '{{event.data.constructor}}' });
    expect(inputs).toEqual({});
  });
});

describe('its size', () => {
  it.each<Record<string, unknown>>([
    { a: 'Dear {{event.data.name}}!', n: 1, none: null },
    { a: ['{{event.data.name}}', '{{event.data.address}}', 'é\n"'] },
    { a: { b: '<{{event.data.address}}>' } },
    { a: '{{event.data.name}}'.repeat(1_000) },
    {},
  ])('is known before: of %j', (inputs) => {
    const rendering = new Rendering(inputs, data, EVENT_PLACEHOLDERS);
    const bytes = Buffer.byteLength(JSON.stringify(rendering.make().inputs));
    expect(rendering.bytes).toBeGreaterThanOrEqual(bytes);
    expect(rendering.bytes).toBeLessThan(1.5 * bytes + 20);
  });

  const deep = Array.from({ length: 400 }).reduce<object>((a) => ({ a }), { text: '\n'.repeat(400_000) });
  const large = { deep, text: 'x'.repeat(400_000), list: Array.from({ length: 50_000 }, () => ({})) };
  it.each<[string, Record<string, unknown>]>([
    [
      'at all depths of it',
      { a: Array.from({ length: 400 }, (_, depth) => `{{event.data.deep${'.a'.repeat(depth)}}}`).join('') },
    ],
    ['in one text', { a: '{{event.data.text}}'.repeat(3_000) }],
    ['in many places', { a: Array.from({ length: 3_000 }, () => '{{event.data.list}}') }],
    ['as more bytes than characters', { a: 'é'.repeat(530_000) }],
  ])('is refused before it is put together: %s', async (_, inputs) => {
    const time = await processorTime(() => {
      expect(made(inputs, large)).toEqual({ inputs: {}, problem: expect.stringContaining('1 MiB') });
    });
    expect(time).toBeLessThan(5_000);
  });

  it('may be what a request could bring', () => {
    expect(made({ a: '{{event.data.text}}{{event.data.text}}' }, large).inputs['a']).toHaveLength(800_000);
  });
});
