import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { AuthorityIdentity } from '../../libs/egress/certificate-authority.js';
import { type GatehouseProcess, startGatehouse } from '../../libs/testing/index.js';
import { Upstreams } from './upstream.js';

/** What tests learn of the service whose gate they share. */
export interface SharedGate {
  baseUrl: string;
  databaseUrl: string;
  dataDirectory: string;
  pid: number;
  /** The authority that it trusts. */
  authority: AuthorityIdentity;
}

/** The settings of a service whose scripts may reach these upstreams. */
export const gateSettings = async (upstreams: Upstreams): Promise<Record<string, string>> => ({
  GATEHOUSE_SIGNUP: 'open',
  GATEHOUSE_RATE_LIMIT: '0',
  GATEHOUSE_OUTBOUND_ALLOW: '127.0.0.1',
  GATEHOUSE_PLAIN_SECRETS: '127.0.0.1',
  NODE_EXTRA_CA_CERTS: await upstreams.caFile(),
});

/**
 * Offers the processes of tests one service, which is started when the first of them asks for it. `GET /` is a `SharedGate`,
 * and `GET /output` what the service has printed.
 */
export class SharedGateOffer {
  private readonly upstreams = new Upstreams();
  private readonly server = createServer((request, response) => void this.respond(request, response));
  private started: Promise<GatehouseProcess> | undefined;
  private databaseUrl = '';

  /** `newDatabase` makes the database that goes with the data directory `copyOf`. */
  constructor(
    private readonly copyOf: string,
    private readonly newDatabase: () => Promise<string>,
  ) {}

  /** Resolves with the address. */
  async open(): Promise<string> {
    await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await (await this.started?.catch(() => undefined))?.stop();
    await this.upstreams.close();
  }

  private async respond({ url }: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const gatehouse = await (this.started ??= this.start());
      response.end(url === '/output' ? gatehouse.output() : JSON.stringify(this.describe(gatehouse)));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  }

  private async start(): Promise<GatehouseProcess> {
    this.databaseUrl = await this.newDatabase();
    const env = { ...(await gateSettings(this.upstreams)), DATABASE_URL: this.databaseUrl };
    return startGatehouse({ copyOf: this.copyOf, env });
  }

  private describe({ baseUrl, dataDirectory, process: { pid } }: GatehouseProcess): SharedGate {
    const { databaseUrl, upstreams } = this;
    return { baseUrl, databaseUrl, dataDirectory, pid: pid!, authority: upstreams.authority.identity() };
  }
}
