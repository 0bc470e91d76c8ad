import { describe, expect, it } from 'vitest';

import type { RecordedAttempt } from './attempt.js';
import { summarise } from './endpoint-summary.js';

const attempt = (status: number | null, number = 1): RecordedAttempt => ({
  endpointId: 'whe_1',
  deliveryId: `msg_${number}`,
  number,
  ok: status !== null && status >= 200 && status < 300,
  status,
  error: status === null ? 'the connection was refused' : null,
  durationMs: 5,
  response: null,
  retryAfterMs: null,
  at: new Date(1_700_000_000_000 + number),
  url: 'https://localhost/',
  signature: 'v1,',
});
const of = (...statuses: (number | null)[]) =>
  summarise(
    'whe_1',
    statuses.map((status, index) => attempt(status, index)),
  );

describe('summarise', () => {
  it('counts failures since the last success', () => {
    expect(of(500, null, 503)).toMatchObject({ anyOk: false, failures: 3, lastStatus: 503, reason: null });
    expect(of(500, 200, null)).toMatchObject({ anyOk: true, failures: 1, lastStatus: null });
    expect(of(500, 500, 204)).toMatchObject({ anyOk: true, failures: 0, lastStatus: 204 });
  });

  it('disables at 410, whatever else', () => {
    expect(of(200, 410, 200).reason).toMatch(/410/);
  });

  it('disables at 20 failures in a row, also where a success follows', () => {
    const twenty = Array.from({ length: 20 }, () => null);
    expect(of(...twenty, 200).reason).toBe(
      '20 attempts in a row failed; of the last one: the connection was refused',
    );
    expect(of(...twenty.slice(1), 200, null).reason).toBeNull();
  });
});
