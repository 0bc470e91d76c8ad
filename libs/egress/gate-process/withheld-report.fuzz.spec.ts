import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuzz } from '../../fuzz/index.js';
import { WITHHELD_PROTOCOLS } from '../withheld-request.js';
import { parseReport } from './protocol.js';

const SHA256 = 'a'.repeat(64);
const value = fc.oneof(
  { weight: 1, arbitrary: fc.anything({ maxDepth: 2 }) },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(0, 1, -1, 'tcp', SHA256, null, [], {}, '\u0000\u202e') },
);
/** A good one of which up to two fields are something else. */
const request = fc
  .record({
    at: value,
    protocol: value,
    host: value,
    method: value,
    target: value,
    headers: fc.oneof(value, fc.array(fc.array(value, { maxLength: 3 }), { maxLength: 4 })),
    body: fc.oneof(value, fc.record({ bytes: value, sha256: value, text: value }, { requiredKeys: [] })),
  })
  .chain((fields) =>
    fc
      .subarray(Object.keys(fields), { maxLength: 2 })
      .map((names) => Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)))),
  )
  .map((changed) => ({
    at: 2,
    protocol: 'https',
    host: 'api.test',
    method: 'POST',
    target: '/x',
    headers: [['a', 'b']],
    body: { bytes: 1, sha256: SHA256, text: 'x' },
    ...changed,
  }));

describe('reports of withheld requests, fuzzed', () => {
  it('are of their form, or none', async () => {
    let good = 0;
    await fuzz(
      'reports of withheld requests',
      fc.asyncProperty(request, async (changed) => {
        const report = parseReport(JSON.stringify({ type: 'withheld', id: 1, request: changed }));
        if (report === null) return;
        good += 1;
        expect(report.type).toBe('withheld');
        if (report.type !== 'withheld') return;
        const { at, protocol, headers, body, host, method, target } = report.request;
        expect(Object.keys(report.request)).toHaveLength(7);
        expect(Number.isSafeInteger(at) && at >= 0).toBe(true);
        expect(WITHHELD_PROTOCOLS).toContain(protocol);
        expect(body.sha256).toMatch(/^[0-9a-f]{64}$/);
        expect(Number.isSafeInteger(body.bytes) && body.bytes >= 0).toBe(true);
        expect(method).toMatch(/^[A-Z][A-Z _-]*$/);
        for (const text of [host, target, ...headers.flat(), body.text ?? '']) {
          expect(typeof text).toBe('string');
          expect(text).not.toMatch(/[^\P{Cc}\t\r\n]/u);
        }
      }),
    );
    expect(good).toBeGreaterThan(0);
  });
});
