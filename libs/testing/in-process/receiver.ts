import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

import { PATIENCE_MS } from '../patience.js';
import type { Client, Json } from '../client.js';
import { type HttpsServer, startHttpsServer } from './https-server.js';

const ENDPOINTS = '/v1/workspace/webhook-endpoints';

/** A delivery whose signature was right. */
export interface Delivery {
  /** The delivery's own id: the same in each attempt. */
  id: string;
  type: string;
  data: Record<string, unknown>;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** A webhook endpoint of a test. It takes what is signed with its secret, and refuses all else with 401. */
export class Receiver {
  /** In the order of their arrival. */
  readonly deliveries: Delivery[] = [];
  /** How many requests came without a signature that fits. */
  refused = 0;
  private server!: HttpsServer;
  private secret = '';

  private constructor() {}

  /**
   * @internal
   * @param owner who registers it; of every event where no types are named
   */
  static async start(owner: Client, eventTypes?: readonly string[]): Promise<Receiver> {
    const receiver = new Receiver();
    receiver.server = await startHttpsServer((request, response) => void receiver.take(request, response));
    const {
      status,
      body,
      text: said,
    } = await owner.post(ENDPOINTS, {
      url: receiver.url,
      ...(eventTypes && { eventTypes }),
    });
    if (status !== 201) {
      await receiver.stop();
      throw new Error(`The receiver could not be registered: ${status} ${said}`);
    }
    receiver.secret = (body as { secret: string }).secret;
    return receiver;
  }

  get url(): string {
    return `${this.server.url}/hook`;
  }

  /**
   * The first delivery of that type, once there is one.
   *
   * @throws Error after a minute, or `timeoutMs`
   */
  async waitFor(
    type: string,
    fits: (delivery: Delivery) => boolean = () => true,
    timeoutMs = PATIENCE_MS,
  ): Promise<Delivery> {
    for (const deadline = performance.now() + timeoutMs; ; await sleep(20)) {
      const found = this.deliveries.find((delivery) => delivery.type === type && fits(delivery));
      if (found) return found;
      if (performance.now() < deadline) continue;
      throw new Error(
        `No such delivery of ${type} within ${timeoutMs} ms, and ${this.refused} were refused.`,
      );
    }
  }

  stop(): Promise<void> {
    return this.server.close();
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { headers } = request;
    if (!this.isSigned(headers, body)) {
      this.refused += 1;
      response.writeHead(401).end();
      return;
    }
    const { type, data } = JSON.parse(body) as Json;
    this.deliveries.push({ id: String(headers['webhook-id']), type, data, headers });
    response.writeHead(204).end();
  }

  /** As Standard Webhooks has it. */
  private isSigned(headers: Delivery['headers'], body: string): boolean {
    const key = Buffer.from(this.secret.replace(/^whsec_/, ''), 'base64');
    const content = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
    const expected = createHmac('sha256', key).update(content).digest();
    return String(headers['webhook-signature'])
      .split(' ')
      .map((part) => Buffer.from(part.replace(/^v1,/, ''), 'base64'))
      .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
  }
}
