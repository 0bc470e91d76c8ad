import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuzz } from '../../fuzz/index.js';
import { parseReport } from './protocol.js';

const SHA256 = 'a'.repeat(64);
const value = fc.oneof(
  { weight: 1, arbitrary: fc.anything({ maxDepth: 2 }) },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(0, 1, -1, 'POST', SHA256, null, [], {}, '\u0000\u202e') },
);
/** A good one of which up to two fields are something else. */
const request = fc
  .record({
    number: value,
    at: value,
    protocol: value,
    host: value,
    method: value,
    target: value,
    headers: fc.oneof(value, fc.array(fc.array(value, { maxLength: 3 }), { maxLength: 4 })),
    body: fc.oneof(
      value,
      fc.record({ bytes: value, sha256: value, text: value, cut: value }, { requiredKeys: [] }),
    ),
    sha256: value,
  })
  .chain((fields) =>
    fc
      .subarray(Object.keys(fields), { maxLength: 2 })
      .map((names) => Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)))),
  )
  .map((changed) => ({
    number: 1,
    at: 2,
    protocol: 'https',
    host: 'api.test',
    method: 'POST',
    target: '/x',
    headers: [['a', 'b']],
    body: { bytes: 1, sha256: SHA256, text: 'x', cut: false },
    sha256: SHA256,
    ...changed,
  }));

describe('reports of held requests, fuzzed', () => {
  it('are of their form, or none', async () => {
    let good = 0;
    await fuzz(
      'reports of held requests',
      fc.asyncProperty(request, async (changed) => {
        const report = parseReport(JSON.stringify({ type: 'held', id: 1, request: changed }));
        if (report === null) return;
        good += 1;
        expect(report.type).toBe('held');
        if (report.type !== 'held') return;
        const { number, at, headers, body, sha256, host, method, target } = report.request;
        expect(number).toBeGreaterThan(0);
        expect(at).toBeGreaterThanOrEqual(0);
        for (const hash of [sha256, body.sha256]) expect(hash).toMatch(/^[0-9a-f]{64}$/);
        expect(method).toMatch(/^[A-Z][A-Z _-]*$/);
        for (const text of [host, target, ...headers.flat()]) expect(text).not.toMatch(/\p{Cc}/u);
        for (const header of headers) expect(header).toHaveLength(2);
        expect(body.text ?? '').not.toContain('\0');
      }),
      { runs: 2_000 },
    );
    expect(good).toBeGreaterThan(0);
  });
});
