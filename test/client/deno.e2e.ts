import { Gatehouse } from '@gatehouse/client';
import { afterEach, expect, it, vi } from 'vitest';

import { flakyService, responding } from './support/flaky-service.js';

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Deno has one option of `Request` more than others: with anything else in it, the request is refused. */
class DenosRequest extends Request {
  constructor(input: RequestInfo | URL, init?: RequestInit & { client?: unknown }) {
    if (init?.client !== undefined) throw new TypeError('`client` must be a Deno.HttpClient');
    super(input, init);
  }
}

it('sends what Deno takes', async () => {
  const service = await flakyService(responding(200, { items: [], nextCursor: null }));
  vi.stubGlobal('Request', DenosRequest);
  const gatehouse = new Gatehouse({ baseUrl: service.baseUrl, token: 'svc_sk_test', retries: 0 });
  expect(await gatehouse.scripts.list()).toEqual({ items: [], nextCursor: null });
  await gatehouse.request({ method: 'GET', url: '/v1/scripts' });
  await gatehouse.files.upload(new Blob(['a']), { name: 'a.txt' });
  expect(service.requests.map(({ method }) => method)).toEqual(['GET', 'GET', 'POST']);
  await service.close();
});
