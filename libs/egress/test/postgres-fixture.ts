import net, { type AddressInfo } from 'node:net';
import pg from 'pg';
import { CertificateAuthority } from '../certificate-authority.js';
import { Dialer } from '../dialer.js';
import { ConnectFailed } from '../errors.js';
import { LeafContexts } from '../leaf-contexts.js';
import type { ServiceConnection } from '../protocols/service-protocol.js';
import { type PostgresOptions, type PostgresParts, PostgresProtocol } from '../protocols/postgres/index.js';

export const HOST = 'db.test';
export const PASSWORD = 'pa55-word:of the gate';

/** A gate in front of one PostgreSQL, as a box sees it. */
export class PostgresGate {
  readonly refused: string[] = [];
  readonly withheld: [method: string, target: string, sql: string][] = [];
  readonly failed: string[] = [];
  /** What a person says of a statement that waits. */
  decide: ServiceConnection['held'] = () => Promise.resolve(null);
  readonly dialled: net.Socket[] = [];
  secretsUsed = 0;
  private readonly boxes = new Set<net.Socket>();
  private readonly clients: pg.Client[] = [];

  private constructor(
    private readonly listener: net.Server,
    private readonly contexts: LeafContexts,
  ) {}

  /** @param serverPort that every connection leads to */
  static async open(
    serverPort: number,
    options: Partial<PostgresOptions> = {},
    parts: Partial<PostgresParts> = {},
  ): Promise<PostgresGate> {
    const contexts = new LeafContexts(new CertificateAuthority());
    const listener = net.createServer();
    const gate = new PostgresGate(listener, contexts);
    const protocol = new PostgresProtocol(
      { ...DEFAULTS, ...options },
      {
        contexts,
        dialer: USUAL,
        ...parts,
      },
    );
    listener.on('connection', (box) => {
      gate.boxes.add(box);
      box.once('close', () => gate.boxes.delete(box));
      protocol.serve({
        box,
        host: HOST,
        port: serverPort,
        dial: () => gate.dial(box, serverPort),
        secretUsed: () => (gate.secretsUsed += 1),
        withheld: (method, target, body) => void gate.withheld.push([method, target, body.toString()]),
        held: (statement, gone) => gate.decide(statement, gone),
        refused: (reason) => gate.refused.push(reason),
        failed: (reason) => gate.failed.push(reason),
      });
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    return gate;
  }

  get port(): number {
    return (this.listener.address() as AddressInfo).port;
  }

  get certificate(): string {
    return this.contexts.authority.certificate;
  }

  /** A client of the box, which knows nothing of the password. */
  async client(config: pg.ClientConfig = {}): Promise<pg.Client> {
    const client = new pg.Client({
      host: '127.0.0.1',
      port: this.port,
      user: 'placeholder',
      password: 'placeholder',
      database: 'postgres',
      ...config,
    });
    client.on('error', () => undefined);
    this.clients.push(client);
    await client.connect();
    return client;
  }

  /** A connection on which a test says what it likes. */
  async raw(): Promise<net.Socket> {
    const socket = net.connect({ host: '127.0.0.1', port: this.port });
    socket.on('error', () => undefined);
    await new Promise((resolve) => socket.once('connect', resolve));
    return socket;
  }

  async close(): Promise<void> {
    await Promise.all(this.clients.map((client) => client.end().catch(() => undefined)));
    for (const box of this.boxes) box.destroy();
    this.listener.close();
  }

  private async dial(box: net.Socket, port: number): Promise<net.Socket> {
    const socket = net.connect({ host: '127.0.0.1', port });
    this.dialled.push(socket);
    box.once('close', () => socket.destroySoon());
    await new Promise((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', () => reject(new ConnectFailed(HOST, 'the connection was refused')));
    });
    return socket;
  }
}

const USUAL = new Dialer();
const DEFAULTS: PostgresOptions = {
  credentials: { user: 'service', password: PASSWORD },
  database: null,
  sslmode: 'disable',
  ca: null,
  role: null,
  readOnly: false,
  statementTimeoutMs: null,
  maxConnections: 20,
};
