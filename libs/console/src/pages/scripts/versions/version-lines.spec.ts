import type { ScriptVersion } from '@gatehouse/client/operations';
import { describe, expect, it } from 'vitest';

import { lineChanges } from './line-changes.js';
import { behaviourLines, linesOf } from './version-lines.js';

const PLAIN = {
  ...{ secrets: {}, hosts: [], hostRules: [], env: [], command: 'python main.py', handler: false },
  ...{ timeoutSeconds: 30, keep: null, resources: null, runsOn: [], retry: null, idempotent: false },
  ...{ concurrency: null, debounce: null, labels: {}, warm: true, build: null },
  ...{ inputSchema: { type: 'object', properties: { a: { type: 'string' } } }, outputSchema: null },
} as unknown as ScriptVersion;

const added = (change: object): string[] =>
  lineChanges(linesOf(PLAIN), linesOf({ ...PLAIN, ...change } as ScriptVersion)).added;

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

describe('what differs between two versions', () => {
  it.each([
    [
      'is tried again',
      { retry: { attempts: 3, delay: 10, factor: 2, maxDelay: 60, on: ['failed', 'exit:75'] } },
      'is tried up to 3 times where it ends with failed and exit:75, first after 10 seconds, each wait 2 times the one before, 60 seconds at most',
    ],
    [
      'begins again',
      { idempotent: true },
      'begins once more where its worker died: it is said to do no harm by that',
    ],
    [
      'waits for its turn',
      { concurrency: { limit: 1, key: '{customer}', onLimit: 'replace' } },
      'goes on once at a time for each `{customer}`; the oldest is cancelled for a new one',
    ],
    [
      'waits for further starts',
      { debounce: { key: null, wait: 5, maxWait: 60 } },
      'waits 5 seconds for further starts, which take its place, 60 seconds at most',
    ],
    ['has labels', { labels: { ticket: '{id}' } }, 'labels its runs with `ticket`: `{id}`'],
    ['is cold', { warm: false }, 'begins in a new interpreter, never in one that was started ahead'],
    ['has a place', { runsOn: ['gpu'] }, 'runs on workers with gpu'],
    [
      'returns something else',
      { outputSchema: object({ a: { type: 'number' } }) },
      'holds its output to `properties.a.type` `"number"`',
    ],
    [
      'takes less',
      { inputSchema: object({ a: { type: 'string', maxLength: 5 } }) },
      'holds its inputs to `properties.a.maxLength` `5`',
    ],
    [
      'takes nothing else',
      { inputSchema: object({ a: { type: 'string' } }, { additionalProperties: false }) },
      'holds its inputs to `additionalProperties` `false`',
    ],
  ])('says that it %s', (_, change, line) => {
    expect(added(change)).toContain(line);
  });

  it('says what an input is once', () => {
    const inputSchema = object({ a: { type: 'integer', default: 1, description: 'How many' } });
    expect(added({ inputSchema })).toEqual(['takes `a` a whole number, else 1: How many']);
  });

  it.each([
    ['required', object({ a: { type: 'string' } }, { required: ['b'] }), object({ a: { type: 'string' } })],
    [
      'type',
      object({ a: { format: 'date', type: ['string', 'null'] } }),
      object({ a: { format: 'date', type: ['integer', 'null'] } }),
    ],
    ['type beside choices', object({ a: { enum: ['a'], type: 'string' } }), object({ a: { enum: ['a'] } })],
    ['format beside choices', object({ a: { enum: ['a'], format: 'date' } }), object({ a: { enum: ['a'] } })],
  ])('hides no %s of an input', (_, one, other) => {
    const lines = [one, other].map((inputSchema) => linesOf({ ...PLAIN, inputSchema } as ScriptVersion));
    expect(lines[0]).not.toEqual(lines[1]);
  });

  it('says that an output is checked, by whatever schema', () => {
    expect(added({ outputSchema: {} })).toEqual(['has its output checked']);
  });

  it('is not said of a version that is as usual', () => {
    expect(behaviourLines(PLAIN)).toEqual([]);
  });
});
