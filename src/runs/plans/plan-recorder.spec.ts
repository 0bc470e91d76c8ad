import { describe, expect, it } from 'vitest';

import { MOST_TEXT_BYTES, MOST_WHOLE, type WithheldRequest } from '../../../libs/egress/index.js';
import { maskerFor } from '../../secrets/index.js';
import { type NumberedRequest, PlanRecorder } from './plan-recorder.js';

const SECRET = 'sk_live_4711';
const REQUEST: WithheldRequest = {
  at: 0,
  protocol: 'https',
  host: 'api.test',
  method: 'POST',
  target: '/x',
  headers: [],
  body: { bytes: 1, sha256: 'a'.repeat(64), text: 'x' },
};

/** What is written, in portions. */
function recorder(fails: () => boolean = () => false) {
  const portions: { count: number; requests: readonly NumberedRequest[] }[] = [];
  const write = async (count: number, requests: readonly NumberedRequest[]): Promise<void> => {
    await Promise.resolve();
    if (fails()) throw new Error('no database');
    portions.push({ count, requests });
  };
  return { portions, recorder: new PlanRecorder(write, maskerFor([SECRET]).maskLine) };
}

const listed = (portions: ReturnType<typeof recorder>['portions']): NumberedRequest[] =>
  portions.flatMap(({ requests }) => requests);

describe('the recorder of a plan', () => {
  it('writes in the order of arrival, and counts those that it does not list', async () => {
    const { portions, recorder: plan } = recorder();
    for (let count = 0; count < MOST_WHOLE + 5; count++) plan.note({ ...REQUEST, target: `/${count}` });
    await plan.close();
    expect(listed(portions).map(({ number, target }) => [number, target])).toEqual(
      Array.from({ length: MOST_WHOLE }, (_, index) => [index + 1, `/${index}`]),
    );
    expect(portions.at(-1)!.count).toBe(MOST_WHOLE + 5);
  });

  it('writes nothing where there is nothing', async () => {
    const { portions, recorder: plan } = recorder();
    await plan.close();
    expect(portions).toEqual([]);
  });

  it('keeps no more text than there is room for, whatever the gate says', async () => {
    const { portions, recorder: plan } = recorder();
    const body = { bytes: 600_000, sha256: 'b'.repeat(64), text: 'y'.repeat(600_000) };
    for (let count = 0; count < 3; count++) plan.note({ ...REQUEST, body });
    await plan.close();
    const rows = listed(portions);
    expect(rows.map(({ bodyText, bodySha256 }) => [bodyText === null, bodySha256])).toEqual([
      [false, null],
      [true, body.sha256],
      [true, body.sha256],
    ]);
    expect(MOST_TEXT_BYTES).toBe(1_048_576);
  });

  it('goes on after a portion that could not be written, and ends all the same', async () => {
    let fails = true;
    const { portions, recorder: plan } = recorder(() => fails);
    plan.note(REQUEST);
    await plan.close();
    expect(portions).toEqual([]);
    fails = false;
    plan.note({ ...REQUEST, target: '/second' });
    await plan.close();
    expect(portions).toMatchObject([{ count: 2, requests: [{ number: 2, target: '/second' }] }]);
  });

  it('hides secrets, and what is called like one', async () => {
    const { portions, recorder: plan } = recorder();
    const headers: [string, string][] = [
      ['Authorization', 'Bearer short'],
      ['X-Api-Key', 'short'],
      ['X-Note', `is ${SECRET}`],
      [`X-${SECRET}`, 'name'],
      ['Content-Type', 'text/plain'],
    ];
    const body = { bytes: 9, sha256: 'c'.repeat(64), text: `a ${SECRET}\u0000` };
    plan.note({ ...REQUEST, target: `/${SECRET}?a=1&access_token=short&b=2`, headers, body });
    await plan.close();
    const [row] = listed(portions);
    expect(JSON.stringify(row)).not.toContain(SECRET);
    expect(row).toMatchObject({ target: '/***?a=1&access_token=***&b=2', bodyText: 'a ***\\u{0}' });
    expect(row!.headers.map(({ value }) => value)).toEqual(['***', '***', 'is ***', 'name', 'text/plain']);
  });
});
