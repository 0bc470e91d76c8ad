import { expect, it } from 'vitest';

import { draftWords } from './draft-words.js';

const own = (words: ReturnType<typeof draftWords>) =>
  words.filter(({ label }) => !label.startsWith('GATEHOUSE_'));

it('names variables, secrets and inputs', () => {
  const inputSchema = JSON.stringify({
    properties: {
      city: { type: 'string', description: 'Where.' },
      table: { type: 'string', format: 'file' },
    },
    required: ['city'],
  });
  const words = draftWords({ inputSchema, command: '', env: ['STRIPE_KEY'] });
  expect(words.map(({ label }) => label)).toContain('GATEHOUSE_INPUTS');
  expect(own(words)).toEqual([
    { label: 'STRIPE_KEY', detail: 'secret', info: 'A secret, as a variable.' },
    { label: 'city', detail: 'input, string, required', info: 'Where.' },
    { label: 'table', detail: 'input, file' },
  ]);
});

it('takes inputs from the command where there is no schema', () => {
  const words = draftWords({ inputSchema: '', command: 'python main.py {day}', env: [] });
  expect(own(words).map(({ label }) => label)).toEqual(['day']);
});

it.each(['{', '[]', '{"properties": 3}', '{"properties": {"a": null}}'])(
  'does without where %s is typed',
  (text) => {
    expect(() => draftWords({ inputSchema: text, command: '', env: [] })).not.toThrow();
  },
);
