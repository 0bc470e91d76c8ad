import { describe, expect, it } from 'vitest';

import { hostFacts, inputFacts, marked, secretFacts, secretKey } from './changes.js';

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
    expect(hostFacts({ hosts: ['a.example'] })).toEqual(['a.example']);
  });

  it('takes a secret that may be sent elsewhere for a new one', () => {
    const use = (hosts: string[]) => ({
      secrets: { KEY: { hosts, header: 'x', value: '{secret}' } },
      env: [],
    });
    const now = secretFacts(use(['a.example', 'b.example']));
    const before = secretFacts(use(['a.example']));
    expect(marked(now, before, secretKey).map(({ change }) => change)).toEqual(['new', 'gone']);
    expect(marked(secretFacts(use(['b.example', 'a.example'])), now, secretKey)[0]?.change).toBe('same');
  });

  it('names the secrets that the code reads', () => {
    expect(secretFacts({ secrets: {}, env: ['DB_URL'] })).toEqual([{ name: 'DB_URL', to: null }]);
  });

  it('keeps what an input was before, where it changed', () => {
    expect(inputFacts({ city: 'Lyon', limit: 5, day: 1 }, { city: 'Paris', limit: 5 })).toEqual([
      { name: 'city', value: 'Lyon', before: { value: 'Paris' } },
      { name: 'limit', value: 5 },
      { name: 'day', value: 1 },
    ]);
  });
});
