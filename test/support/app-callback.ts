import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a person sees there. */
export const BACK = 'Back in the app';

/** Where an app on the person's computer waits for their browser to come back. */
export class AppCallback {
  private readonly come: URLSearchParams[] = [];
  private wake = (): void => undefined;

  private constructor(
    private readonly server: Server,
    readonly redirectUri: string,
  ) {
    server.on('request', (request, response) => {
      const url = new URL(request.url!, redirectUri);
      if (url.pathname === '/callback') this.come.push(url.searchParams);
      response.setHeader('content-type', 'text/html').end(`<link rel="icon" href="data:,">${BACK}`);
      this.wake();
    });
  }

  static async open(): Promise<AppCallback> {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return new AppCallback(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`);
  }

  /** What the browser brings, or has brought. */
  async next(): Promise<URLSearchParams> {
    while (this.come.length === 0) await new Promise<void>((done) => (this.wake = done));
    return this.come.shift()!;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
