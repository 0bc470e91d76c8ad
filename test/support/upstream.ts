import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { CertificateAuthority, createLeafKey } from '../../libs/egress/index.js';

/** Real HTTPS servers on this machine, and the authority that vouches for them. */
export class Upstreams {
  private readonly authority = new CertificateAuthority();
  private readonly servers: ReturnType<typeof createServer>[] = [];
  private directory = '';

  /** A file with the authority's certificate, for NODE_EXTRA_CA_CERTS. */
  async caFile(): Promise<string> {
    this.directory = await mkdtemp(join(tmpdir(), 'gatehouse-upstream-'));
    const path = join(this.directory, 'ca.pem');
    await writeFile(path, this.authority.certificate);
    return path;
  }

  /** Starts a server that is called `localhost`; resolves with its port. `vouched` false: its certificate is for another name. */
  async start(listener: RequestListener, vouched = true): Promise<number> {
    const key = createLeafKey();
    const hosts = [vouched ? 'localhost' : 'elsewhere.example'];
    const certificate = this.authority.issue({ hosts, publicKey: key.publicKey });
    const server = createServer({ key: key.privateKey, cert: certificate }, listener);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    this.servers.push(server);
    return (server.address() as { port: number }).port;
  }

  /** Stops the server that was started last. */
  async stopLast(): Promise<void> {
    const server = this.servers.pop()!;
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }

  async close(): Promise<void> {
    for (const server of this.servers) {
      server.closeAllConnections();
      server.close();
    }
    if (this.directory) await rm(this.directory, { recursive: true, force: true });
  }
}

/** Answers with what it was asked, as JSON. */
export const echo: RequestListener = (request: IncomingMessage, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        method: request.method,
        url: request.url,
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      }),
    );
  });
};
