import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A server on this machine that speaks as much WebDAV as the storage needs. */
export class WebdavServer {
  readonly authorization = 'Basic dGVzdDpzM2NyZXQ=';
  /** By their paths. */
  readonly files = new Map<string, Buffer>();
  private server!: Server;

  static async start(): Promise<WebdavServer> {
    const webdav = new WebdavServer();
    webdav.server = createServer((request, response) => {
      webdav.take(request, response).catch(() => response.destroy());
    });
    await new Promise<void>((done) => webdav.server.listen(0, '127.0.0.1', done));
    return webdav;
  }

  get folder(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/gatehouse/`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, headers } = request;
    const path = request.url!;
    const file = this.files.get(path);
    const respond = (status: number, body: Uint8Array = Buffer.alloc(0)): void => {
      response.writeHead(status, { 'content-length': body.length }).end(body);
    };
    if (headers.authorization !== this.authorization) return respond(401);
    if (method === 'PROPFIND') return respond(path === '/gatehouse/' ? 207 : 404);
    if (method === 'PUT') {
      this.files.set(path, await buffer(request));
      return respond(201);
    }
    if (!file) return respond(404);
    if (method === 'MOVE') this.files.set(new URL(String(headers['destination'])).pathname, file);
    if (method === 'MOVE' || method === 'DELETE') {
      this.files.delete(path);
      return respond(204);
    }
    const range = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '');
    return range ? respond(206, file.subarray(Number(range[1]), Number(range[2]) + 1)) : respond(200, file);
  }
}
