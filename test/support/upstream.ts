import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, type Server, type Socket, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TLSSocket, createServer as createTlsServer } from 'node:tls';

import { CertificateAuthority, createLeafKey } from '../../libs/egress/index.js';

/** What a server shows of itself. */
export interface Identity {
  /** Default: `localhost`. */
  names?: string[];
  notBefore?: Date;
  notAfter?: Date;
  /** Default: the authority of the file for NODE_EXTRA_CA_CERTS. */
  authority?: CertificateAuthority;
}

/** Real HTTPS servers on this machine, and the authority that vouches for them. */
export class Upstreams {
  private readonly servers: Server[] = [];
  private readonly connections = new Set<Socket>();
  private directory = '';

  constructor(readonly authority = new CertificateAuthority()) {}

  /** A file with the authority's certificate, for NODE_EXTRA_CA_CERTS. */
  async caFile(): Promise<string> {
    this.directory = await mkdtemp(join(tmpdir(), 'gatehouse-upstream-'));
    const path = join(this.directory, 'ca.pem');
    await writeFile(path, this.authority.certificate);
    return path;
  }

  get certificate(): string {
    return this.authority.certificate;
  }

  /** A file with that certificate and those that this machine trusts besides, which a mirror of packages may need. */
  async besideOwn(caFile: string): Promise<string> {
    const own = process.env['NODE_EXTRA_CA_CERTS'];
    if (own === undefined) return caFile;
    const path = join(this.directory, 'both.pem');
    await writeFile(path, `${await readFile(own, 'utf8')}\n${this.authority.certificate}`);
    return path;
  }

  /** Starts a server that is called `localhost`; resolves with its port. `vouched` false: its certificate is for another name. */
  start(listener: RequestListener, vouched: boolean | Identity = true, host?: string): Promise<number> {
    const identity = vouched === false ? { names: ['elsewhere.example'] } : vouched === true ? {} : vouched;
    return this.listen(createServer(this.proof(identity), listener), host);
  }

  /** As `start`, for one that speaks TLS but need not speak HTTP. */
  startTls(onSocket: (socket: TLSSocket) => void, identity: Identity = {}): Promise<number> {
    return this.listen(createTlsServer(this.proof(identity), onSocket));
  }

  /** As `start`, for one that need not even speak TLS. */
  startTcp(onSocket: (socket: Socket) => void, host?: string): Promise<number> {
    return this.listen(createTcpServer(onSocket), host);
  }

  /** Stops the server that was started last. */
  async stopLast(): Promise<void> {
    const server = this.servers.pop()!;
    await new Promise((done) => {
      server.close(done);
      this.hangUp();
    });
  }

  /** Breaks off every connection. */
  hangUp(): void {
    for (const socket of this.connections) socket.destroy();
  }

  async close(): Promise<void> {
    for (const server of this.servers) server.close();
    this.hangUp();
    if (this.directory) await rm(this.directory, { recursive: true, force: true });
  }

  private proof({ names = ['localhost'], authority = this.authority, ...validity }: Identity) {
    const key = createLeafKey();
    const cert = authority.issue({ hosts: names, publicKey: key.publicKey, ...validity });
    return { key: key.privateKey, cert };
  }

  private async listen(server: Server, host = '127.0.0.1'): Promise<number> {
    server.on('connection', (socket: Socket) => {
      this.connections.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => this.connections.delete(socket));
    });
    server.on('secureConnection', (socket: TLSSocket) => socket.on('error', () => undefined));
    await new Promise<void>((done, fail) => server.once('error', fail).listen(0, host, done));
    this.servers.push(server);
    return (server.address() as AddressInfo).port;
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
