import { describe, expect, it } from 'vitest';

import { processorTime } from '../../../libs/fuzz/index.js';
import { EVENT_PLACEHOLDERS } from './placeholders.js';

describe('isTemplated', () => {
  it.each<[unknown, boolean]>([
    ['{{event.data.a}}', true],
    [{ a: ['x{{event.data.a}}'] }, true],
    ['{{a}}', false],
    [null, false],
    [['a', 1], false],
  ])('%j: %s', (value, templated) => {
    expect(EVENT_PLACEHOLDERS.areIn(value)).toBe(templated);
    // A second time, since a pattern that remembers its place would match otherwise.
    expect(EVENT_PLACEHOLDERS.areIn(value)).toBe(templated);
  });
});

describe('templateProblems', () => {
  it('lets pass what can be rendered', () => {
    expect(
      EVENT_PLACEHOLDERS.problems({
        a: '{{event.data.x}} {{other}}',
        b: [{ c: '{{event.data.y.0}}' }],
        d: 1,
      }),
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
    expect(EVENT_PLACEHOLDERS.problems({ ok: 1, deep: [text] })).toEqual([
      { path: 'inputs.deep.0', message: expect.stringMatching(message) },
    ]);
  });

  it('limits how long they are', () => {
    expect(EVENT_PLACEHOLDERS.problems({ a: 'x'.repeat(70_000) })[0]).toMatchObject({ path: 'inputs' });
  });

  it('takes linear time', async () => {
    const text = '{{event'.repeat(9_000);
    const time = await processorTime(() => {
      EVENT_PLACEHOLDERS.problems({ text });
      EVENT_PLACEHOLDERS.areIn('{{event' + ' '.repeat(60_000));
      EVENT_PLACEHOLDERS.problems({ text: '{{event.data.' + ' '.repeat(60_000) });
    });
    expect(time).toBeLessThan(5_000);
  });
});
