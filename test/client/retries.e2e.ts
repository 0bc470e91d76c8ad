import {
  ApiError,
  ConnectionError,
  Gatehouse,
  type GatehouseOptions,
  RateLimitedError,
  TimeoutError,
  UnexpectedResponseError,
} from '@gatehouse/client';
import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';

import {
  type FlakyService,
  cutting,
  flakyService,
  halfOf,
  refusing,
  responding,
} from './support/flaky-service.js';

let service: FlakyService;
afterEach(() => service.close());

async function before(
  responses: RequestListener[],
  options: Partial<GatehouseOptions> = {},
): Promise<Gatehouse> {
  service = await flakyService(...responses);
  return new Gatehouse({ baseUrl: service.baseUrl, token: 'svc_sk_test', ...options });
}

const keys = (): unknown[] => service.requests.map(({ headers }) => headers['idempotency-key']);

describe('a request that fails in passing', () => {
  it.each([
    ['429', refusing(429, 'rate_limited', { 'retry-after': '0' })],
    ['503', refusing(503, 'unavailable', { 'retry-after': '0' })],
    ['a proxy’s 502', responding(502, 'Bad gateway')],
    ['a cut connection', cutting],
    ['half of a response', halfOf(201, { id: 'scr_1' })],
  ])('is sent again with the same key and body after %s', async (_, failure) => {
    const gatehouse = await before([failure, failure, responding(201, { id: 'scr_1' })]);
    expect(await gatehouse.scripts.create({ slug: 'a', name: 'A' })).toEqual({ id: 'scr_1' });
    expect(new Set(keys())).toEqual(new Set([expect.stringMatching(/^[\da-f-]{36}$/)]));
    expect(service.requests.map(({ text }) => text)).toEqual(Array(3).fill('{"slug":"a","name":"A"}'));
  });

  it('waits for as long as it is asked to', async () => {
    const gatehouse = await before([
      refusing(429, 'rate_limited', { 'retry-after': '1' }),
      responding(200, { id: 'wks_1' }),
    ]);
    const start = Date.now();
    await gatehouse.workspace.get();
    expect(Date.now() - start).toBeGreaterThanOrEqual(1000);
  });

  it('is given up where it would have to wait for minutes, and says for how long', async () => {
    const gatehouse = await before([refusing(429, 'rate_limited', { 'retry-after': '600' })]);
    const error = await gatehouse.workspace.get().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RateLimitedError);
    expect(error).toMatchObject({ retryAfterMs: 600_000, requestId: 'req_1' });
    expect(service.requests).toHaveLength(1);
  });

  it('is given up after as many tries as are allowed', async () => {
    const gatehouse = await before([refusing(503, 'unavailable', { 'retry-after': '0' })], { retries: 2 });
    await expect(gatehouse.workspace.get()).rejects.toMatchObject({ code: 'unavailable', status: 503 });
    expect(service.requests).toHaveLength(3);
    await expect(gatehouse.workspace.get({ retries: 0 })).rejects.toThrow('unavailable');
    expect(service.requests).toHaveLength(4);
  });

  it('waits for a write of its own that is being carried out still', async () => {
    const going = refusing(409, 'idempotency_in_progress', { 'retry-after': '0' });
    const gatehouse = await before([cutting, going, going, going, going, responding(201, { id: 'scr_1' })]);
    expect(await gatehouse.scripts.create({ slug: 'a', name: 'A' })).toEqual({ id: 'scr_1' });
  });

  it('asks for the token each time', async () => {
    const tokens = ['first', 'second'];
    const gatehouse = await before([cutting, responding(200, {})], { token: async () => tokens.shift()! });
    await gatehouse.workspace.get();
    const sent = service.requests.map(({ headers }) => headers.authorization);
    expect(sent).toEqual(['Bearer first', 'Bearer second']);
  });
});

describe('a request that fails for good', () => {
  it.each([
    [400, 'invalid_request'],
    [403, 'forbidden'],
    [409, 'conflict'],
    [500, 'internal_error'],
    [418, 'a_code_of_next_year'],
  ])('is not sent again after %i %s', async (status, code) => {
    const gatehouse = await before([refusing(status, code)]);
    const error = await gatehouse.workspace.get().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code, status });
    expect(service.requests).toHaveLength(1);
  });

  it('is not sent again as a write whose stream is used up', async () => {
    const gatehouse = await before([cutting]);
    const stream = new Blob(['a']).stream();
    await expect(gatehouse.files.upload(stream, { name: 'a.txt' })).rejects.toBeInstanceOf(ConnectionError);
    expect(service.requests.length).toBeLessThanOrEqual(1);
  });

  it('says where a redirect leads, and does not follow it', async () => {
    const gatehouse = await before([responding(308, {}, { location: 'https://elsewhere.example/' })]);
    await expect(gatehouse.workspace.get()).rejects.toThrow('redirects to https://elsewhere.example/');
    expect(service.requests).toHaveLength(1);
  });

  it('says that a page is not Gatehouse', async () => {
    const gatehouse = await before([responding(200, '<html>', { 'content-type': 'text/html' })]);
    await expect(gatehouse.workspace.get()).rejects.toBeInstanceOf(UnexpectedResponseError);
  });

  it('says that nobody is there, without the token', async () => {
    const gatehouse = await before([responding(200)], { retries: 0 });
    await service.close();
    const error = (await gatehouse.workspace.get().catch((thrown: unknown) => thrown)) as Error;
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error.message).toBe(`${service.baseUrl} could not be reached: ECONNREFUSED.`);
    expect(JSON.stringify(error) + error.stack).not.toContain('svc_sk_test');
  });
});

describe('waiting', () => {
  const silent: RequestListener = () => undefined;

  it('ends with the time-out', async () => {
    const gatehouse = await before([silent], { timeoutMs: 50, retries: 0 });
    await expect(gatehouse.workspace.get()).rejects.toBeInstanceOf(TimeoutError);
  });

  it('ends with the signal, also between two tries', async () => {
    const gatehouse = await before([silent]);
    await expect(gatehouse.workspace.get({ signal: AbortSignal.timeout(50) })).rejects.toMatchObject({
      name: 'TimeoutError',
    });
    await service.close();
    const waiting = await before([refusing(503, 'unavailable', { 'retry-after': '50' })]);
    const stopped = new AbortController();
    const asked = waiting.workspace.get({ signal: stopped.signal });
    setTimeout(() => stopped.abort(new Error('No more.')), 100);
    await expect(asked).rejects.toThrow('No more.');
  });
});

describe('a path', () => {
  it.each(['', '.', '..'])('is never another route: %j', async (name) => {
    const gatehouse = await before([responding(200)]);
    await expect(gatehouse.secrets.delete(name)).rejects.toBeInstanceOf(TypeError);
    await expect(gatehouse.runs.log(name)).rejects.toBeInstanceOf(TypeError);
    expect(service.requests).toEqual([]);
  });

  it('keeps what is in it', async () => {
    const gatehouse = await before([responding(200)]);
    await gatehouse.environments.get('a/b?c');
    expect(service.requests[0]!.url).toBe('/v1/workspace/environments/a%2Fb%3Fc');
  });
});
