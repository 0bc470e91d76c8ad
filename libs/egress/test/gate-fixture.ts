import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import tls from 'node:tls';
import { CertificateAuthority } from '../certificate-authority.js';
import { Dialer, type DialerOptions } from '../dialer.js';
import { Gate } from '../gate.js';
import type { GateOptions } from '../gate-options.js';
import { HostSet } from '../host-set.js';
import { LeafContexts } from '../leaf-contexts.js';
import type { HostUsage } from '../usage-counters.js';
import { type DnsServer, startDns } from './dns-server.js';
import { credentialsFor, type Origin, ORIGIN_ADDRESS } from './origin.js';

/** Enough on a machine that is busy with other things. */
const PATIENCE_MS = 60_000;
const RESPONDED_MS = 100;

/** Where all hosts by HTTPS are. */
export const placeOf = (port: number) => ({ address: '127.0.0.1', port });

/** What a script sees of a response. */
export interface Received {
  status: number;
  headers: http.IncomingHttpHeaders;
  rawHeaders: string[];
  trailers: NodeJS.Dict<string>;
  body: Buffer;
  text: string;
}

export interface Call {
  method?: string;
  headers?: http.OutgoingHttpHeaders | string[];
  body?: string | Buffer;
  agent?: https.Agent | false;
}

/** The world outside of the gate: an authority that the dialer trusts, and a name server. */
export class Outside {
  readonly authority = new CertificateAuthority({ name: 'Outside authority' });
  dns!: DnsServer;
  private usual: Dialer | undefined;
  private readonly closing: (() => Promise<unknown>)[] = [];

  static async open(): Promise<Outside> {
    const outside = new Outside();
    outside.dns = await startDns();
    return outside;
  }

  /** @param names that the certificate is for and that lead to the origin */
  credentials(...names: string[]): { key: string; cert: string } {
    for (const name of names) this.dns.records.set(name, [ORIGIN_ADDRESS]);
    return credentialsFor(this.authority, { hosts: names });
  }

  async keep(origin: Promise<Origin>): Promise<Origin> {
    const started = await origin;
    this.closing.push(() => started.close());
    return started;
  }

  /** Reads the authorities only once, which takes a while. */
  get usualDialer(): Dialer {
    return (this.usual ??= this.dialer());
  }

  dialer(options: DialerOptions = {}): Dialer {
    return new Dialer({
      allow: ['127.0.0.0/8'],
      dnsServers: [this.dns.address],
      ca: [this.authority.certificate],
      timeoutMs: 10_000,
      ...options,
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.closing.map((close) => close()));
    await this.dns.close();
  }
}

/** A gate with a real listener, and a script's view of it. */
export class Inside {
  readonly lines: string[] = [];
  readonly usedSecrets: string[] = [];
  lastUsage: HostUsage[] = [];

  private constructor(
    readonly gate: Gate,
    readonly contexts: LeafContexts,
    readonly listener: net.Server,
    /** The one that hosts are declared with. */
    readonly port: number,
  ) {}

  /** @param port of the origin: the gate behaves as if it listened there */
  static async open(
    outside: Outside,
    port: number,
    options: Partial<GateOptions> & { declared?: string[] } = {},
  ): Promise<Inside> {
    const contexts = new LeafContexts(new CertificateAuthority());
    const listener = net.createServer();
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const { declared = [], ...rest } = options;
    let inside: Inside | undefined = undefined;
    const gate = new Gate({
      ca: contexts,
      hosts: new HostSet(
        declared.map((host) => (port === 443 || host.includes(':') ? host : `${host}:${port}`)),
      ),
      dialer: outside.usualDialer,
      log: (line) => inside?.lines.push(line),
      onUsage: (usage) => {
        if (inside) inside.lastUsage = usage;
      },
      onSecretUsed: (name) => inside?.usedSecrets.push(name),
      ...rest,
    });
    gate.serve(listener, placeOf(port));
    inside = new Inside(gate, contexts, listener, port);
    return inside;
  }

  get listenPort(): number {
    return (this.listener.address() as AddressInfo).port;
  }

  get certificate(): string {
    return this.contexts.authority.certificate;
  }

  /** Where a script's client connects to, whatever the host. */
  connection(host: string): tls.ConnectionOptions {
    return { host: '127.0.0.1', port: this.listenPort, servername: host, ca: this.certificate };
  }

  request(
    host: string,
    path: string,
    { method = 'GET', headers = {}, agent = false }: Call = {},
  ): http.ClientRequest {
    const own = Array.isArray(headers) ? headers : { host: `${host}:${this.port}`, ...headers };
    return https.request({
      ...(this.connection(host) as https.RequestOptions),
      path,
      method,
      headers: own,
      agent,
    });
  }

  call(host: string, path: string, call: Call = {}): Promise<Received> {
    return new Promise((resolve, reject) => {
      const req = this.request(host, path, call);
      req.on('error', reject);
      req.on('response', (res) => void read(res).then(resolve, reject));
      req.end(call.body);
    });
  }

  tls(host: string): Promise<tls.TLSSocket> {
    return new Promise((resolve, reject) => {
      const socket = tls.connect(this.connection(host));
      socket.on('error', reject);
      socket.once('secureConnect', () => resolve(socket));
    });
  }

  /** Sends bytes as they are, and reads until the gate closes, or has given so many responses and sends nothing more for a moment. */
  async raw(host: string, bytes: string, responses = 1): Promise<string> {
    const socket = await this.tls(host);
    socket.write(Buffer.from(bytes, 'latin1'));
    return readAll(socket, PATIENCE_MS, RESPONDED_MS, responses);
  }

  close(): void {
    this.gate.close();
  }
}

export async function read(res: http.IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of res) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  return {
    status: res.statusCode ?? 0,
    headers: res.headers,
    rawHeaders: res.rawHeaders,
    trailers: res.trailers,
    body,
    text: body.toString(),
  };
}

/**
 * @param quietMs ends the reading when nothing came for so long
 * @param respondedMs likewise, once what came are as many whole responses
 */
export function readAll(
  socket: net.Socket,
  quietMs: number,
  respondedMs = quietMs,
  responses = 1,
): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const finish = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(text);
    };
    let timer = setTimeout(finish, quietMs);
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      clearTimeout(timer);
      timer = setTimeout(finish, areWhole(text, responses) ? respondedMs : quietMs);
    });
    socket.on('error', () => undefined);
    socket.on('close', finish);
  });
}

function areWhole(text: string, count: number): boolean {
  const responses = text.split(/(?=HTTP\/1\.1 \d{3} )/);
  return responses.length >= count && isWhole(count === 1 ? text : responses.at(-1)!);
}

function isWhole(text: string): boolean {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  if (rest.length === 0) return false;
  return length === undefined ? text.endsWith('0\r\n\r\n') : rest.join('\r\n\r\n').length >= Number(length);
}
