import { describe, expect, it } from 'vitest';

import { untilItHasTime } from './until-it-has-time.js';

const busy = (headers: Record<string, string> = {}, status = 429) =>
  new Response('busy', { status, headers });

/** Responds with each in turn, and counts. */
function server(...responses: Response[]) {
  const state = { requests: 0 };
  const send = () => Promise.resolve(responses[Math.min(state.requests++, responses.length - 1)]!);
  return { state, send };
}

describe('An endpoint with too much to do', () => {
  it('is asked again after as long as it says', async () => {
    const { state, send } = server(
      busy({ 'retry-after': '0' }),
      busy({ 'retry-after': '0' }, 503),
      new Response('ok'),
    );
    const response = await untilItHasTime(send, performance.now() + 5_000, null);
    expect([await response.text(), state.requests]).toEqual(['ok', 3]);
  });

  it('is left alone where its time is longer than ours', async () => {
    const { state, send } = server(busy({ 'retry-after': '60' }));
    const response = await untilItHasTime(send, performance.now() + 5_000, null);
    expect([response.status, state.requests, await response.text()]).toEqual([429, 1, 'busy']);
  });

  it('is not asked again after a failure of another kind', async () => {
    const { state, send } = server(busy({}, 503));
    expect((await untilItHasTime(send, performance.now() + 5_000, null)).status).toBe(503);
    expect(state.requests).toBe(1);
  });

  it('is not asked for ever', async () => {
    const { state, send } = server(busy({ 'retry-after': '0' }));
    expect((await untilItHasTime(send, performance.now() + 60_000, null)).status).toBe(429);
    expect(state.requests).toBe(8);
  });

  it('is waited for no longer than anybody listens', async () => {
    const { send } = server(busy({ 'retry-after': '30' }));
    const controller = new AbortController();
    const response = untilItHasTime(send, performance.now() + 60_000, controller.signal);
    controller.abort();
    await expect(response).rejects.toThrow(/abort/i);
  });
});
