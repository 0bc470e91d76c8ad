import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Proxy {
  url: string;
  close(): void;
}

/** Adds a token to each request, since the suite for servers knows no credentials. Everything else goes through as it is. */
export async function authorizingProxy(target: string, token: string): Promise<Proxy> {
  const { hostname, port } = new URL(target);
  const server = createServer((from, to) => {
    const headers = { ...from.headers, authorization: `Bearer ${token}` };
    const { method = 'GET', url = '/' } = from;
    const onward = request({ hostname, port, method, path: url, headers }, (response) => {
      to.writeHead(response.statusCode!, response.headers);
      to.flushHeaders();
      response.pipe(to);
    });
    onward.on('error', () => to.destroy());
    to.on('close', () => onward.destroy());
    from.pipe(onward);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
