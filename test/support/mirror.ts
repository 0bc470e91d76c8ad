import { execFileSync } from 'node:child_process';
import { type IncomingMessage, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

import { pack } from 'tar-stream';

/** Writes a wheel of one module to the standard output: a zip file, which Python can make. */
const WHEEL = `
import io, sys, zipfile
buffer = io.BytesIO()
with zipfile.ZipFile(buffer, 'w') as z:
    z.writestr('housemade.py', 'ANSWER = 42\\n')
    z.writestr('housemade-1.0.dist-info/METADATA', 'Metadata-Version: 2.1\\nName: housemade\\nVersion: 1.0\\n')
    z.writestr('housemade-1.0.dist-info/WHEEL', 'Wheel-Version: 1.0\\nGenerator: x\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
    z.writestr('housemade-1.0.dist-info/RECORD', '')
sys.stdout.buffer.write(buffer.getvalue())
`;

/** The wheel of a module `housemade` whose `ANSWER` is 42. */
export const housemadeWheel = (): Buffer => execFileSync('/usr/bin/python3', ['-c', WHEEL]);

/** A mirror as a company has one: plain HTTP on a private address, with credentials. */
export class Mirror {
  readonly seen: { method: string; path: string; authorization: string | undefined }[] = [];
  private readonly server: Server;

  private constructor(
    private readonly files: Map<string, { type: string; body: Buffer }>,
    private readonly allows: (authorization: string | undefined) => boolean,
  ) {
    this.server = createServer((request, response) => {
      const { status, type, body } = this.answer(request);
      response.writeHead(status, { 'content-type': type, 'www-authenticate': 'Basic' }).end(body);
    });
  }

  static async start(allows: (authorization: string | undefined) => boolean): Promise<Mirror> {
    const mirror = new Mirror(new Map(), allows);
    await new Promise<void>((done) => mirror.server.listen(0, '127.0.0.1', done));
    await mirror.fill();
    return mirror;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private async fill(): Promise<void> {
    const html = '<a href="../../files/housemade-1.0-py3-none-any.whl">housemade-1.0-py3-none-any.whl</a>';
    this.put('/simple/housemade/', 'text/html', html);
    this.put('/files/housemade-1.0-py3-none-any.whl', 'application/octet-stream', housemadeWheel());
    const tar = pack();
    tar.entry({ name: 'package/package.json' }, '{"name":"housemade","version":"1.0.0","main":"i.js"}');
    tar.entry({ name: 'package/i.js' }, 'module.exports = 43;\n');
    tar.finalize();
    const chunks: Buffer[] = [];
    for await (const chunk of tar) chunks.push(chunk as Buffer);
    this.put(
      '/npm/housemade/-/housemade-1.0.0.tgz',
      'application/octet-stream',
      gzipSync(Buffer.concat(chunks)),
    );
    const version = {
      name: 'housemade',
      version: '1.0.0',
      dist: { tarball: `http://127.0.0.1:${this.port}/npm/housemade/-/housemade-1.0.0.tgz` },
    };
    this.put(
      '/npm/housemade',
      'application/json',
      JSON.stringify({ name: 'housemade', 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } }),
    );
  }

  private put(path: string, type: string, body: Buffer | string): void {
    this.files.set(path, { type, body: Buffer.from(body) });
  }

  private answer(request: IncomingMessage): { status: number; type: string; body: Buffer } {
    const { authorization } = request.headers;
    const path = request.url!;
    this.seen.push({ method: request.method!, path, authorization });
    if (!this.allows(authorization)) return { status: 401, type: 'text/plain', body: Buffer.from('no') };
    const file = this.files.get(path);
    return file ? { status: 200, ...file } : { status: 404, type: 'text/plain', body: Buffer.from('none') };
  }
}
