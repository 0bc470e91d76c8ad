import { describe, expect, it } from 'vitest';

import { type ComparedRun, differencesOf } from './differences.js';

const host = (name: string, denied = 0) => ({ host: name, requests: 1, denied, bytesIn: 0, bytesOut: 0 });
const run = (fields: Partial<ComparedRun> = {}): ComparedRun => ({
  version: 1,
  inputs: { city: 'Oslo' },
  network: [host('api.example.com')],
  ...fields,
});

describe('differencesOf', () => {
  it('finds none between runs that are alike', () => {
    expect(differencesOf(run(), run())).toEqual([]);
    expect(differencesOf({ version: 1 }, { version: 1 })).toEqual([]);
  });

  it('tells the version, inputs that changed, came and went, and hosts', () => {
    const now = run({
      version: 2,
      inputs: { city: 'Turin', limit: 3 },
      network: [host('api.example.com', 2), host('b.example.com')],
    });
    const before = run({ inputs: { city: 'Oslo', mode: 'fast' } });
    expect(differencesOf(now, before)).toEqual([
      { kind: 'version', name: '', before: '1', now: '2' },
      { kind: 'input', name: 'city', before: '"Oslo"', now: '"Turin"' },
      { kind: 'input', name: 'limit', before: 'not given', now: '3' },
      { kind: 'input', name: 'mode', before: '"fast"', now: 'not given' },
      { kind: 'host', name: 'api.example.com', before: 'reached', now: 'refused' },
      { kind: 'host', name: 'b.example.com', before: 'not asked', now: 'reached' },
    ]);
  });

  it('is short, whatever the inputs are', () => {
    const inputs = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`field${at}`, 'x'.repeat(500)]));
    const found = differencesOf(run({ inputs }), run());
    expect(found).toHaveLength(20);
    expect(Math.max(...found.map(({ now }) => now.length))).toBe(60);
  });
});
