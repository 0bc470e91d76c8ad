import { describe, expect, it } from 'vitest';

import { secretLines } from '../scripts/versions/permissions.js';
import { hostFacts, inputFacts, marked, valueText } from './changes.js';

describe('What changed since the last approved version', () => {
  it('says of each host whether it came or went', () => {
    expect(marked(['a.example', 'b.example'], ['a.example', 'c.example'])).toEqual([
      { value: 'a.example', change: 'same' },
      { value: 'b.example', change: 'new' },
      { value: 'c.example', change: 'gone' },
    ]);
  });

  it('marks nothing where there is nothing to compare with', () => {
    expect(marked(['a.example'], null)).toEqual([{ value: 'a.example', change: 'same' }]);
  });

  it('takes a host that gets other requests for a new one', () => {
    const facts = (paths: string[]) =>
      hostFacts({ hosts: ['a.example'], hostRules: [{ host: 'a.example', methods: ['GET'], paths }] });
    expect(marked(facts(['/b']), facts(['/a']))).toEqual([
      { value: 'a.example, only GET to /b', change: 'new' },
      { value: 'a.example, only GET to /a', change: 'gone' },
    ]);
    const inPlan = (body: string) => ({ status: 200, body, contentType: 'text/plain' });
    const rule = { host: 'a.example', methods: null, paths: null };
    const [one, other] = ['a', 'b'].map((body) =>
      hostFacts({ hosts: ['a.example'], hostRules: [{ ...rule, plan: inPlan(body) }] }),
    );
    expect(marked(one!, other!).map(({ change }) => change)).toEqual(['new', 'gone']);
    expect(hostFacts({ hosts: ['a.example'] })).toEqual(['a.example']);
  });

  it.each([
    ['elsewhere', { hosts: ['a.example', 'b.example'] }],
    ['in another header', { header: 'y' }],
    ['in another form', { value: 'Bearer {secret}' }],
  ])('takes a secret that may be sent %s for a new one', (_, change) => {
    const use = { hosts: ['a.example'], header: 'x', value: '{secret}' };
    const lines = (KEY: typeof use) => secretLines({ secrets: { KEY }, env: [], hostRules: [] });
    expect(marked(lines({ ...use, ...change }), lines(use)).map(({ change: is }) => is)).toEqual([
      'new',
      'gone',
    ]);
  });

  it('takes a secret that goes unencrypted from now on for a new one', () => {
    const host = 'inner.example:80';
    const version = { secrets: { KEY: { hosts: [host], header: 'x', value: '{secret}' } }, env: [] };
    const rule = { host, methods: null, paths: null };
    const lines = [{ ...rule, protocol: 'http' as const }, rule].map((one) =>
      secretLines({ ...version, hostRules: [one] }),
    );
    expect(lines[0]![0]).toContain('unencrypted');
    expect(marked(lines[0]!, lines[1]!).map(({ change }) => change)).toEqual(['new', 'gone']);
  });

  it('keeps what an input was before, where it changed', () => {
    expect(inputFacts({ city: 'Lyon', limit: 5, day: 1 }, { city: 'Paris', limit: 5 })).toEqual([
      { name: 'city', value: 'Lyon', before: { value: 'Paris' } },
      { name: 'limit', value: 5 },
      { name: 'day', value: 1 },
    ]);
  });
});

it('shows values as they are sent, what nobody sees among them', () => {
  expect(valueText('gpj\u202e.exe')).toBe('gpj\\u{202e}.exe');
  expect(valueText({ a: ['b\u200b'] })).toContain('"b\\u{200b}"');
});
