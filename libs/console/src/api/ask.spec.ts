import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, expect, it, vi } from 'vitest';

const proxy = createServer((_request, response) => {
  response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad gateway</html>');
});

beforeAll(() => new Promise<void>((done) => void proxy.listen(0, '127.0.0.1', done)));
afterAll(() => {
  proxy.close();
  vi.unstubAllGlobals();
  vi.resetModules();
});

it('shows the page of a proxy in front of the service as any other failure', async () => {
  const { port } = proxy.address() as AddressInfo;
  vi.stubGlobal('document', { querySelector: () => ({ content: `http://127.0.0.1:${port}` }) });
  vi.resetModules();
  const { askForJson } = await import('./ask.js');
  const asked = askForJson({ method: 'GET', path: '/v1/tickets/settings' });
  await expect(asked).rejects.toMatchObject({ status: 502, code: 'http_502' });
});
