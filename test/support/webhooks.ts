import type { IncomingMessage, ServerResponse } from 'node:http';

import pg from 'pg';
import { expect } from 'vitest';

import {
  type Client,
  type GatehouseProcess,
  type Json,
  Seed,
  type TestWorkspace,
  createClient,
} from '../../libs/testing/index.js';
import { newId } from '../../src/core/crypto/ids.js';
import { startGatehouse } from './gatehouse.js';
import { Upstreams } from './upstream.js';

export const ENDPOINTS = '/v1/workspace/webhook-endpoints';

export interface Received {
  headers: Record<string, string>;
  body: string;
  /** The body, parsed. */
  event: Json;
  path: string;
  at: number;
}

export type Answering = (response: ServerResponse, received: Received, request: IncomingMessage) => void;

export const answering =
  (status: number, headers: Record<string, string> = {}, body = ''): Answering =>
  (response) =>
    response.writeHead(status, headers).end(body);

/** A real HTTPS server that keeps what it gets. */
export class Receiver {
  readonly received: Received[] = [];
  connections = 0;
  answer: Answering = answering(200);

  private constructor(readonly port: number) {}

  static async start(upstreams: Upstreams): Promise<Receiver> {
    const sockets = new WeakSet<object>();
    const port = await upstreams.start((request, response) => {
      if (!sockets.has(request.socket)) {
        sockets.add(request.socket);
        receiver.connections += 1;
      }
      void receiver.take(request, response);
    });
    const receiver = new Receiver(port);
    return receiver;
  }

  get url(): string {
    return `https://localhost:${this.port}/hook`;
  }

  /** Those that are no test. */
  get events(): Received[] {
    return this.received.filter(({ event }) => event.type !== 'ping');
  }

  /** Waits until it has got so many, and returns them. */
  async until(count: number, timeout = 60_000): Promise<Received[]> {
    await expect.poll(() => this.received.length, { timeout, interval: 20 }).toBeGreaterThanOrEqual(count);
    return this.received;
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const received = {
      headers: request.headers as Record<string, string>,
      body,
      event: JSON.parse(body),
      path: request.url!,
      at: Date.now(),
    };
    this.received.push(received);
    this.answer(response, received, request);
  }
}

export interface Endpoint {
  id: string;
  path: string;
  secret: string;
}

/** A Gatehouse that may send to this machine, and receivers that it trusts. */
export class WebhookBench {
  readonly upstreams = new Upstreams();
  gatehouse!: GatehouseProcess & { databaseUrl: string };
  pool!: pg.Pool;
  caFile!: string;

  static async start(env: Record<string, string> = {}): Promise<WebhookBench> {
    const bench = new WebhookBench();
    bench.caFile = await bench.upstreams.caFile();
    bench.gatehouse = await startGatehouse({
      env: {
        GATEHOUSE_SIGNUP: 'open',
        GATEHOUSE_RATE_LIMIT: '0',
        GATEHOUSE_OUTBOUND_ALLOW: '127.0.0.1,::1',
        NODE_EXTRA_CA_CERTS: bench.caFile,
        ...env,
      },
    });
    bench.pool = new pg.Pool({ connectionString: bench.gatehouse.databaseUrl, max: 2 });
    return bench;
  }

  async close(): Promise<void> {
    await this.pool?.end();
    await this.gatehouse?.stop();
    await this.upstreams.close();
  }

  workspace(): Promise<TestWorkspace> {
    return new Seed(this.gatehouse.baseUrl, this.pool).workspace();
  }

  client({ owner, slug }: TestWorkspace, environment?: string): Client {
    const { baseUrl } = this.gatehouse;
    return createClient({
      baseUrl,
      token: owner.token,
      workspace: slug,
      ...(environment !== undefined && { environment }),
    });
  }

  receiver(): Promise<Receiver> {
    return Receiver.start(this.upstreams);
  }

  async endpoint(api: Client, url: string, fields: Record<string, unknown> = {}): Promise<Endpoint> {
    const { status, body, text } = await api.post(ENDPOINTS, { url, ...fields });
    expect(status, text).toBe(201);
    return { id: body.endpoint.id, path: `${ENDPOINTS}/${body.endpoint.id}`, secret: body.secret };
  }

  /** A workspace, somebody who acts in it, a receiver and an endpoint for it. */
  async scene(fields: Record<string, unknown> = {}) {
    const workspace = await this.workspace();
    const api = this.client(workspace);
    const receiver = await this.receiver();
    const endpoint = await this.endpoint(api, receiver.url, fields);
    return { workspace, api, receiver, endpoint };
  }

  /** Writes events as the service does, but for the telling. Returns their ids. */
  async write(
    workspaceId: string,
    environmentId: string | null,
    data: readonly Record<string, unknown>[],
    type = 'secret.updated',
  ): Promise<string[]> {
    const made = data.map(() => newId('event'));
    await this.pool.query(
      `INSERT INTO events (id, workspace_id, environment_id, type, data)
       SELECT v.id, $2, $3, $4, v.data FROM unnest($1::text[], $5::jsonb[]) AS v(id, data)`,
      [made, workspaceId, environmentId, type, data.map((one) => JSON.stringify(one))],
    );
    return made;
  }

  /** Makes what waits for its next attempt due now. */
  async hurry(endpointId: string): Promise<void> {
    await this.pool.query(
      `UPDATE webhook_deliveries SET next_attempt_at = now() WHERE endpoint_id = $1 AND status = 'pending'`,
      [endpointId],
    );
  }

  /** The newest delivery, once it is as it should be. */
  async delivery(api: Client, endpoint: Endpoint, fits: (delivery: Json) => boolean): Promise<Json> {
    let newest: Json;
    await expect
      .poll(
        async () => {
          newest = (await api.get(`${endpoint.path}/deliveries?limit=1`)).body.items[0];
          return newest !== undefined && fits(newest);
        },
        { interval: 30, message: 'the delivery is not as it should be' },
      )
      .toBe(true);
    return newest;
  }
}
