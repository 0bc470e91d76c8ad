import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

import { createSafeFetch, type SafeFetch } from '../../libs/egress/index.js';
import { Settings } from '../core/config/index.js';
import { Unavailable } from '../core/errors/index.js';

const MOST_RESPONSE_BYTES = 64 * 1024;

/** Posts to the services that built-in channels tell, by the dialer of webhooks: public addresses only, no redirects. */
@Injectable()
export class ChannelOutbound implements OnApplicationShutdown {
  private readonly client: SafeFetch;

  constructor({ outboundAllow }: Settings) {
    this.client = createSafeFetch({ allow: outboundAllow, maxResponseBytes: MOST_RESPONSE_BYTES });
  }

  /** @throws Unavailable where the service does not take it */
  async post(url: string | URL, body: object, signal: AbortSignal, headers = {}): Promise<void> {
    const response = await this.client.fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Gatehouse-Alerts/1.0', ...headers },
      body: JSON.stringify(body),
      signal,
    });
    await response.body?.cancel();
    if (!response.ok) throw new Unavailable(`The receiver responded ${response.status}.`);
  }

  onApplicationShutdown(): void {
    this.client.close();
  }
}
